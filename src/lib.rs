//! Counterpoint: board problems and formulas, each solved by a hand-written search and by a SAT encoding. An
//! independent checker verifies every answer.
//!
//! The three board problems and formulas are in [`problems`]. Everything else works for any problem. The crate
//! `counterpoint-core` has the types from which a problem is built, and `counterpoint-workbench` has the command line
//! and experiments. The modules of both are re-exported here.
//!
//! A [`problem::Problem`] provides a reader, engines and a checker. `app` turns a [`registry::Registry`] of problems
//! into a command-line program (feature `cli`, on by default). The library itself reads no clock and prints nothing.
//! Without the feature `cli`, it builds for wasm32.
//!
//! ```
//! use counterpoint::{engine::Budget, input::{Source, Warnings}, rules::Settings, solver::SolverRegistry, spec};
//!
//! let registry = counterpoint::standard();
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

/// The problems, each in a crate of its own: three board problems, whose crates have the same structure, and formulas.
pub mod problems {
    pub use counterpoint_cnf as cnf;
    pub use counterpoint_flip as flip;
    pub use counterpoint_ships as ships;
    pub use counterpoint_spot as spot;
}

#[cfg(not(feature = "cli"))]
pub use counterpoint_core::*;
#[cfg(feature = "cli")]
pub use counterpoint_workbench::*;

use registry::Registry;

/// The registry of all problems: Spot, Ships, Flip and formulas.
pub fn standard() -> Registry {
    let registry =
        Registry::empty().with_erased(problems::spot::problem()).with_erased(problems::ships::problem());
    registry.with_erased(problems::flip::problem()).with_erased(problems::cnf::problem())
}
