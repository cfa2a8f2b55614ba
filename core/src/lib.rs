//! The types behind a problem that is solved by searches and by SAT encodings, with answers that are checked.
//!
//! A [`problem::Problem`] provides a reader, engines and a checker; its documentation has a complete example. The crate
//! has what engines and checkers need: rules, readers, boards, SAT solvers, formulas and proofs. A
//! [`registry::Registry`] holds problems of any type behind one interface, [`erased::DynProblem`].
//!
//! The crate contains no problems and no commands, and prints nothing. Without the feature `external`, it reads no
//! clock and builds for wasm32.

#[cfg(all(feature = "external", not(unix)))]
compile_error!("the feature 'external' needs Unix; the crate builds without it");

pub mod board;
pub mod certify;
pub mod cubes;
pub mod declared;
pub mod engine;
pub mod erased;
pub mod errors;
pub mod export;
pub mod input;
pub mod named;
pub mod problem;
#[cfg(feature = "external")]
pub mod process;
pub mod registry;
pub mod rules;
pub mod solver;
pub mod spec;
pub mod study;

pub use counterpoint_base::{claim, keyed, sha256};
pub use counterpoint_proofs as proof;
