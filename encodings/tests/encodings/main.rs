//! Compares every encoding with the definition of its constraint, and with RustSAT's encodings.

#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

mod beside_rustsat;
mod exhaustive;
mod expression;
mod forwarding;
mod linear;
mod names;
mod native;
mod propagation;
