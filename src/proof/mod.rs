//! Proofs that a plain formula is unsatisfiable, and the checker for them.
//!
//! Everything here is written for the checkers and uses nothing of the engines: literals are DIMACS
//! numbers, and a proof counts only if the empty clause was reached.

mod drat;
mod formula;

pub use drat::{Drat, ProofError};
pub use formula::Formula;

use crate::claim::Status;

/// A statement that a checker asks to be proved: that `formula` has no model.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The claim that rests on it, in the checker's words; unique within an answer.
    pub claim: String,
    /// The checker's own plain formula.
    pub formula: Formula,
}

/// A proof that somebody hands over for a claim.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The claim it is for; [`Obligation::claim`].
    pub claim: String,
    /// The proof.
    pub drat: Drat,
}

/// Closes a claim with the proof handed over for it. A proof that is handed over must hold; without
/// one, what `otherwise` says stands.
pub fn close(
    claim: &str,
    formula: impl FnOnce() -> Formula,
    proofs: &[Proof],
    otherwise: impl FnOnce() -> Status,
) -> Status {
    match proofs.iter().find(|proof| proof.claim == claim) {
        None => otherwise(),
        Some(proof) => match proof.drat.check(&formula()) {
            Ok(()) => Status::Proved,
            Err(error) => Status::Failed(error.to_string()),
        },
    }
}
