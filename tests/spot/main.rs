//! Spot: reader, allocations, class graph, studies and their certificates.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/samples.rs"]
mod samples;
#[path = "../shared/spot_brute.rs"]
mod spot_brute;

mod allocations;
mod classes;
mod forcing;
mod games;
mod pursuits;
mod reading;
mod value;
