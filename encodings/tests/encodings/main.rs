//! Every encoding against the definition of its constraint, and compared with RustSAT's.

#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

mod beside_rustsat;
mod exhaustive;
mod forwarding;
mod linear;
mod propagation;
