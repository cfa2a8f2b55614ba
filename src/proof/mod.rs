//! Proofs that a plain formula is unsatisfiable, and the checker for them.
//!
//! Everything here is written for the checkers and uses nothing of the engines: literals are DIMACS
//! numbers, and a proof counts only if the empty clause was reached.

mod drat;
mod formula;

pub use drat::{Drat, ProofError};
pub use formula::Formula;

use crate::claim::Status;
use crate::engine::Stop;

/// The most clauses of a plain formula; a larger one is not written.
const MOST_CLAUSES: usize = 4_000_000;

/// A statement that a checker asks to be proved: that its own plain formula has no model.
pub struct Obligation<'a> {
    /// The claim that rests on it, in the checker's words; unique within an answer.
    pub claim: String,
    /// About as many clauses as the formula has.
    clauses: usize,
    write: Box<dyn Fn() -> Formula + 'a>,
}

impl<'a> Obligation<'a> {
    /// A claim that rests on a formula of about `clauses` clauses, which is written when it is needed.
    pub fn new(claim: impl Into<String>, clauses: usize, write: impl Fn() -> Formula + 'a) -> Self {
        Obligation { claim: claim.into(), clauses, write: Box::new(write) }
    }

    /// The formula, or `None` if it is too large to be written.
    pub fn formula(&self) -> Option<Formula> {
        (self.clauses <= MOST_CLAUSES).then(|| (self.write)())
    }
}

/// A proof that somebody hands over for a claim.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The claim it is for; [`Obligation::claim`].
    pub claim: String,
    /// The proof.
    pub drat: Drat,
}

/// Closes an obligation with the proofs handed over for it. Every proof that is handed over must hold;
/// without any, what `otherwise` says stands. Only `stop` bounds the checking of proofs.
pub fn close(
    obligation: &Obligation<'_>,
    proofs: &[Proof],
    stop: &Stop,
    otherwise: impl FnOnce() -> Status,
) -> Status {
    let handed: Vec<_> = proofs.iter().filter(|proof| proof.claim == obligation.claim).collect();
    if handed.is_empty() {
        return otherwise();
    }
    let Some(formula) = obligation.formula() else {
        return Status::Open("its plain formula is too large to check a proof".to_owned());
    };
    match handed.iter().find_map(|proof| proof.drat.check_until(&formula, stop).err()) {
        None => Status::Proved,
        Some(error @ ProofError::Stopped(_)) => Status::Open(error.to_string()),
        Some(error) => Status::Failed(error.to_string()),
    }
}
