//! Forgeries: for each claim that a checker can close, small changes that make the claim false. None may be accepted.
//!
//! Each test makes forgeries until brute force has confirmed a number of them (`tally.rs`), and prints a row of a table.
//! The brute force is independent of the library: it knows only the definitions of the problem statements.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/bench.rs"]
mod bench;
#[path = "../shared/fewest_o.rs"]
mod fewest_o;
#[path = "../shared/samples.rs"]
mod samples;
#[path = "../shared/ships_brute.rs"]
mod ships_brute;
#[path = "../shared/spot_brute.rs"]
mod spot_brute;

mod certificates;
mod chasing;
mod cnf;
mod copies;
mod cubes;
mod cutting;
mod flip;
mod flip_certificates;
mod formulas;
mod found;
mod patterns;
mod presses;
mod proofs;
mod proved;
mod ships;
mod ships_certificates;
mod ships_verdicts;
mod spot;
mod spot_certificates;
mod spot_rules;
mod spot_smudged;
mod tally;
mod trees;
mod tricks;
mod witnessed;
