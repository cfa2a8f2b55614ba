//! Experiments, their records and their reports, whose figures and tables must match the records; and certificates.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod certificates;
mod compared;
mod encoder;
mod experiments;
mod hypotheses;
mod invented;
mod repeated;
mod reports;
#[path = "../shared/samples.rs"]
mod samples;
