//! Experiments, their records and their reports: figures and tables are what the records say; certificates.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

mod certificates;
mod experiments;
mod repeated;
mod reports;
