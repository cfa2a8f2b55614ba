//! Commands, experiments and stress tests for problems that are solved by searches and by SAT encodings.
//!
//! [`app`] turns a [`registry::Registry`] of problems into a command-line program that solves, checks, compares,
//! measures and reports. The crate contains no problems; only help and defaults name some. The types behind a problem
//! are in the crate `counterpoint-core`, whose modules are re-exported here.

#[cfg(not(unix))]
compile_error!("the command line needs Unix; counterpoint-core builds without it");

pub mod checker;
mod cli;
pub mod document;
#[cfg(test)]
mod double;
pub mod harness;
mod shell;
pub mod stress;

pub use cli::{app, check_configuration};
pub use counterpoint_core::*;
pub use counterpoint_pages as pages;
pub use counterpoint_report::{self as report, record, spec as report_spec};
pub use counterpoint_statistics as statistics;
