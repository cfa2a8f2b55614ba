//! Checkers for proofs that a CNF formula is unsatisfiable: DRAT and LRAT, text or binary.
//!
//! A proof counts only if it derives the empty clause from *your* formula. Literals are DIMACS numbers.
//!
//! ```
//! use counterpoint_proofs::{Drat, Formula};
//!
//! let formula = Formula::from_dimacs(b"p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")?;
//! assert!(Drat::from("2 0\n0\n").check(&formula).is_ok());
//! assert!(Drat::from("3 0\n").check(&formula).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary;
mod clauses;
mod derivation;
pub mod dimacs;
mod drat;
mod error;
mod formula;
mod hinted;
mod lrat;
mod room;
mod text;
mod variables;

pub use derivation::Derivation;
pub use drat::Drat;
pub use error::{Place, ProofError};
pub use formula::Formula;
pub use lrat::Lrat;

use counterpoint_base::budget::Stop;
use counterpoint_base::claim::{Checked, Status};

/// The most clauses of a plain formula; a larger one is not written.
const MAX_CLAUSES: usize = 4_000_000;

/// A statement that a checker asks to be proved: that its own plain formula has no model.
pub struct Obligation<'a> {
    /// The claim that rests on it, in the checker's words; unique within an answer.
    pub claim: String,
    /// What answers that were written by earlier versions call this claim.
    pub formerly: Option<String>,
    /// About as many clauses as the formula has.
    clauses: usize,
    write: Box<dyn Fn() -> Formula + 'a>,
}

impl<'a> Obligation<'a> {
    /// A claim that rests on a formula of about `clauses` clauses, which is written when it is needed.
    pub fn new(claim: impl Into<String>, clauses: usize, write: impl Fn() -> Formula + 'a) -> Self {
        Obligation { claim: claim.into(), formerly: None, clauses, write: Box::new(write) }
    }

    /// The same by another name in answers of earlier versions.
    pub fn formerly(self, claim: impl Into<String>) -> Self {
        Obligation { formerly: Some(claim.into()), ..self }
    }

    /// The formula, or `None` if it is too large to be written.
    pub fn formula(&self) -> Option<Formula> {
        (self.clauses <= MAX_CLAUSES).then(|| (self.write)())
    }
}

/// A proof by its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// Clauses that follow, to be searched for a conflict.
    Drat(Drat),
    /// And the clauses they follow from.
    Lrat(Lrat),
}

impl Refutation {
    /// Checks that this proof refutes `formula`, until `stop` speaks.
    ///
    /// # Errors
    /// The first step that fails, that the empty clause was not reached, or the limit that was met.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
        match self {
            Refutation::Drat(drat) => drat.check_until(formula, stop),
            Refutation::Lrat(lrat) => lrat.check_until(formula, stop),
        }
    }

    /// The proof as it stands in a file.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Refutation::Drat(drat) => &drat.0,
            Refutation::Lrat(lrat) => &lrat.0,
        }
    }

    /// What its files end with, and its name in answers.
    pub const fn format(&self) -> &'static str {
        match self {
            Refutation::Drat(_) => "drat",
            Refutation::Lrat(_) => "lrat",
        }
    }
}

impl From<Drat> for Refutation {
    fn from(drat: Drat) -> Self {
        Refutation::Drat(drat)
    }
}

impl From<Lrat> for Refutation {
    fn from(lrat: Lrat) -> Self {
        Refutation::Lrat(lrat)
    }
}

/// A proof that somebody hands over for a claim.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The claim it is for; [`Obligation::claim`].
    pub claim: String,
    /// The proof.
    pub refutation: Refutation,
    /// The formula that lay beside it. It proves nothing, but tells a proof for another formula from
    /// none.
    pub beside: Option<Formula>,
}

impl Proof {
    /// A proof that starts from the checker's own formula.
    pub fn new(claim: impl Into<String>, refutation: impl Into<Refutation>) -> Self {
        Proof { claim: claim.into(), refutation: refutation.into(), beside: None }
    }

    fn status(&self, formula: &Formula, stop: &Stop) -> Status {
        let error = match self.refutation.check_until(formula, stop) {
            Ok(checked) => return Status::Proved(checked),
            Err(error @ ProofError::Stopped(_)) => return Status::Open(error.to_string()),
            Err(error) => error,
        };
        let Some(other) = self.beside.as_ref().filter(|other| *other != formula) else {
            return Status::Failed(error.to_string());
        };
        match self.refutation.check_until(other, stop) {
            Ok(_) => Status::ProvedElsewhere(format!("the formula beside it, not the checker's: {error}")),
            Err(_) => Status::Failed(error.to_string()),
        }
    }
}

/// Closes an obligation with the proofs handed over for it, or else by what `otherwise` says. A proof
/// that closes nothing hides no refutation and no other evidence, but every proof that is handed over
/// must hold: one that fails is made up for by nothing. Only `stop` bounds the checking of proofs.
pub fn close(
    obligation: &Obligation<'_>,
    proofs: &[Proof],
    stop: &Stop,
    otherwise: impl FnOnce() -> Status,
) -> Status {
    let Some(by_proofs) = by_proofs(obligation, proofs, stop) else { return otherwise() };
    if by_proofs.is_closed() {
        return by_proofs;
    }
    match otherwise() {
        refuted if refuted.is_failed() => refuted,
        closed if closed.is_closed() && !by_proofs.is_failed() => closed,
        _ => by_proofs,
    }
}

/// What the proofs handed over for an obligation say together; `None` without any.
fn by_proofs(obligation: &Obligation<'_>, proofs: &[Proof], stop: &Stop) -> Option<Status> {
    let mut handed = proofs.iter().filter(|proof| proof.claim == obligation.claim).peekable();
    handed.peek()?;
    let Some(formula) = obligation.formula() else {
        return Some(Status::Open("its plain formula is too large to check a proof".to_owned()));
    };
    let statuses: Vec<_> = handed.map(|proof| proof.status(&formula, stop)).collect();
    // The worst counts: one that fails, then one that closes nothing.
    let bad = statuses.iter().position(Status::is_failed);
    let worst = bad.or_else(|| statuses.iter().position(|status| !status.is_closed())).unwrap_or(0);
    statuses.into_iter().nth(worst)
}

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
