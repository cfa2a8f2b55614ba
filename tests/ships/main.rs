//! Tests of Ships: reader, judge output, checker, hard boards, studies and their certificates.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/fewest_o.rs"]
mod fewest_o;
#[path = "../shared/samples.rs"]
mod samples;
#[path = "../shared/ships_common.rs"]
mod ships_common;

mod checks;
mod counting_proofs;
mod counts;
mod efforts;
mod fewest;
mod formulas;
mod judge;
mod limit;
mod pigeonhole;
mod reading;
mod studies;
mod worst;
