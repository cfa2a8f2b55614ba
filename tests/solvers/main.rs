//! External SAT solvers, and answers with proofs.
//!
//! Tests in this program start processes only through the library. The library adopts orphaned processes and
//! kills them. If a test started a child in another way, the library would take it for an orphan, and kill
//! it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/bench.rs"]
mod bench;
#[cfg(feature = "cli")]
#[path = "../shared/fakes/mod.rs"]
mod fakes;

#[cfg(feature = "cli")]
mod external;
#[cfg(feature = "cli")]
mod external_proofs;
mod proofs;
#[cfg(feature = "cli")]
mod weighted;
