//! `stress`: tests of programs and of encoders.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod causes;
mod cnf;
mod faultless;
mod formulas;
mod limits;
mod mutants;
mod programs;
#[path = "../shared/samples.rs"]
mod samples;
mod screen;
