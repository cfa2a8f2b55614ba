//! Checkers for proofs that a formula is unsatisfiable (DRAT and LRAT, text or binary, for CNF; VeriPB for linear
//! constraints), and a DIMACS reader.
//!
//! A proof counts only if it derives a contradiction from *your* formula. Literals are DIMACS numbers.
//!
//! ```
//! use counterpoint_proofs::{Drat, Formula};
//!
//! let formula = Formula::from_dimacs(b"p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")?;
//! assert!(Drat::from("2 0\n0\n").check(&formula).is_ok());
//! assert!(Drat::from("3 0\n").check(&formula).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | check a proof | [`Drat`], [`Lrat`], [`VeriPb`], or [`Refutation`] for any of them |
//! | write a proof, each step checked | [`Derivation`] |
//! | write the formula that a proof must refute | [`Formula`] |
//! | read linear constraints | [`Opb`] |
//! | read a DIMACS file of any size | [`dimacs::Reader`] |
//! | decide by proofs whether a claim of an answer holds | [`Obligation`], [`Proof`] and [`close`] |
//! | split a claim into cases | [`Cubes`], [`Obligation::split`] and [`combine`] |

mod binary;
mod clauses;
mod cubes;
mod cutting;
mod derivation;
pub mod dimacs;
mod drat;
mod elaborate;
mod error;
mod formula;
mod growth;
mod lrat;
mod meter;
mod obligation;
mod plain;
mod steps;
#[cfg(test)]
mod tests;
mod text;
mod variables;

pub use cubes::{CubeError, Cubes, IcnfError, combine};
pub use cutting::{Opb, VeriPb};
pub use derivation::Derivation;
pub use drat::Drat;
pub use error::{Place, ProofError};
pub use formula::{Constraint, Formula};
pub use lrat::Lrat;
pub use obligation::{Obligation, Proof, Refutation, close};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
