//! Tests of the commands: output, exit status, messages, files, configuration.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

#[path = "../shared/bench.rs"]
mod bench;
#[path = "../shared/fakes/mod.rs"]
mod fakes;
#[path = "../shared/samples.rs"]
mod samples;

mod altered;
mod checkers;
mod cli;
mod cnf;
mod completions;
mod configuration;
mod cube;
mod export;
mod export_common;
mod help;
mod killed;
mod lesson;
mod models;
mod outside;
mod outside_solvers;
mod partial;
mod play;
mod progress;
mod python;
mod questions;
mod remedies;
mod robustness;
mod saved;
mod sentences;
mod slurm;
mod solver_words;
