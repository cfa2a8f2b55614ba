//! Every engine and every encoding of every problem against brute force, on all tiny boards and on random ones. Also
//! tests explanations, and results of studies that are known from the literature.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/bench.rs"]
mod bench;
#[path = "../shared/outside.rs"]
mod outside;
#[path = "../shared/python.rs"]
mod python;
#[path = "../shared/samples.rs"]
mod samples;
#[path = "../shared/ships_brute.rs"]
mod ships_brute;
#[path = "../shared/ships_common.rs"]
mod ships_common;
#[path = "../shared/spot_brute.rs"]
mod spot_brute;

mod cnf;
mod cnf_families;
mod cnf_search;
mod explanations;
mod flip_colours;
mod flip_engines;
mod flip_outside;
mod flip_sat;
mod ships_engines;
mod ships_outside;
mod ships_sat;
mod spot_engines;
mod spot_fill;
mod spot_outside;
mod spot_reach;
mod spot_sat;
mod spot_smudged;
mod sums;
mod theory;
