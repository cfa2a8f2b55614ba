//! Counterpoint: board problems, each solved by a hand-written search and by a SAT encoding. An independent checker
//! verifies every answer.
//!
//! A [`problem::Problem`] provides a reader, engines and a checker. `app` turns a [`registry::Registry`] of problems
//! into a command-line program (feature `cli`, on by default). The library itself reads no clock and prints nothing;
//! without that feature, it builds for wasm32.
//!
//! ```
//! use counterpoint::{engine::Budget, input::{Source, Warnings}, registry::Registry, rules::Settings};
//! use counterpoint::{solver::SolverRegistry, spec};
//!
//! let registry = Registry::standard();
//! let flip = registry.find("flip")?;
//! let settings = Settings::new(flip.rules(), &[], &|_| Err("no files here".into()))?;
//! let warnings = Warnings::default();
//! let board = Source::from_text("board", "bwwb\nbbwb\nbwwb\nbwww\n");
//! let instance = flip.open(&settings, board, &warnings)?.next().unwrap().unwrap();
//! for engine in spec::resolve(flip.engines(), &SolverRegistry::built_in(), "search,sat")? {
//!     let answer = instance.solve(&engine, &mut Budget::unlimited()).answer().unwrap();
//!     assert_eq!(answer.judge_text(1), b"4\n");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(all(feature = "cli", not(unix)))]
compile_error!("the feature 'cli' needs Unix; the library builds without it");

pub mod board;
pub mod certify;
#[cfg(feature = "cli")]
pub mod checker;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
pub mod document;
pub mod engine;
pub mod erased;
pub mod errors;
pub mod export;
#[cfg(feature = "cli")]
pub mod harness;
pub mod input;
#[cfg(feature = "cli")]
pub mod lesson;
pub mod problem;
pub mod problems;
#[cfg(feature = "cli")]
pub mod process;
pub mod registry;
pub mod rules;
pub mod solver;
pub mod spec;
#[cfg(feature = "cli")]
pub mod stress;
pub mod study;

#[cfg(feature = "cli")]
pub use cli::app;
pub use counterpoint_base::claim;
pub use counterpoint_proofs as proof;
#[cfg(feature = "cli")]
pub use counterpoint_report::{self as report, record, spec as report_spec};
#[cfg(feature = "cli")]
pub use counterpoint_statistics as statistics;
