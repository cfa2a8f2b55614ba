//! External SAT solvers, and answers with proofs.
//!
//! Tests in this program start processes only through the library. The library adopts the orphans of its children, and
//! would kill a child that a test started in another way as such an orphan.

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
