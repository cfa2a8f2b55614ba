//! SAT solvers, built in and outside, and answers with proofs.
//!
//! No test here starts a process but through the library, which adopts the orphans of its children and may take the
//! child of a neighbour for one.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/bench.rs"]
mod bench;
#[cfg(feature = "cli")]
#[path = "../shared/fakes/mod.rs"]
mod fakes;

mod built_in;
#[cfg(feature = "cli")]
mod external;
mod proofs;
