//! Every encoding of the catalogue: against the definition of its constraint, and beside RustSAT's.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod beside_rustsat;
mod exhaustive;
