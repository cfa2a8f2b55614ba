//! A forward DRAT checker.
//!
//! # Rules
//! The active clauses are those of the formula and those that the proof added, except the deleted ones. A clause may be
//! added if it is RUP or RAT. Any clause may be deleted.
//! * RUP (reverse unit propagation): if all literals of the clause are assumed false, unit propagation over the active
//!   clauses leads to a conflict.
//! * RAT (resolution asymmetric tautology) on its first literal p: every resolvent with an active clause that contains
//!   ¬p is RUP. This rule lets a proof define variables that the formula does not have.
//!
//! The formula is refuted as soon as unit propagation over the active clauses leads to a conflict.
//!
//! # Soundness
//! Invariant: *if the formula has a model, then so do the active clauses.*
//! * Deleting a clause cannot break the invariant.
//! * A RUP clause is true in every model of the active clauses.
//! * For a RAT clause C with first literal p, take a model of the active clauses. If C is false in it, make p true.
//!   Only clauses D that contain ¬p can become false. The resolvent of C and D is implied, and C was false, so D has
//!   another literal that is true. (Clauses that contain both p and ¬p are always true; they are not stored.)
//!
//! The invariant is about the clauses that the checker stores, so the checker may ignore deletions. Like drat-trim, it
//! ignores the deletion of an unknown clause, and of a clause that may be the reason of a literal that stays assigned.
//! A clause that stays takes part in later RAT tests, so the checker may reject more proofs, but never accepts a wrong
//! proof. Literals that stay assigned always follow from the active clauses.
//!
//! # References
//! E. Goldberg and Y. Novikov, *Verification of Proofs of Unsatisfiability for CNF Formulas*, DATE 2003;
//! N. Wetzler, M. Heule and W. Hunt, *DRAT-trim*, SAT 2014.

use crate::binary::{Binary, is_binary_drat};
use crate::clauses::{Clauses, Reasons, normalize};
use crate::growth::Chains;
use crate::meter::Meter;
use crate::steps::{Kind, STOP_INTERVAL, Steps, Walk};
use crate::text::Text;
use crate::variables::{Code, Variables};
use crate::{Formula, ProofError};
use counterpoint_base::budget::{Budget, Limit, Stop};
use counterpoint_base::claim::Checked;

/// A proof in the DRAT format, as text or binary. What follows the step that completes the refutation is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drat(pub Vec<u8>);

impl<T: Into<Vec<u8>>> From<T> for Drat {
    fn from(bytes: T) -> Self {
        Drat(bytes.into())
    }
}

impl Drat {
    /// Checks that this proof refutes `formula`.
    ///
    /// # Errors
    /// The error names the first step that fails, or says that the proof does not derive the empty clause.
    pub fn check(&self, formula: &Formula) -> Result<Checked, ProofError> {
        self.check_until(formula, &Budget::unlimited().stop())
    }

    /// Checks the proof like [`Drat::check`], but ends when `stop` returns a limit.
    ///
    /// # Errors
    /// Returns the errors of [`Drat::check`], or the limit that was reached.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
        match is_binary_drat(&self.0) {
            true => run(Binary::new(&self.0), formula, stop),
            false => run(Text::new(&self.0), formula, stop),
        }
    }
}

fn run(steps: impl Steps, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
    let mut checker: Checker = Checker::until(formula, stop).map_err(ProofError::Stopped)?;
    let (mut walk, mut lits) = (Walk::new(steps, stop), Vec::new());
    while !checker.refuted() {
        match walk.next(&mut lits)? {
            Kind::Delete => drop(checker.delete(&lits)),
            Kind::Add if !checker.add(&lits, stop).map_err(ProofError::Stopped)? => {
                return Err(ProofError::NotImplied(walk.place()));
            }
            Kind::Add => {}
        }
    }
    Ok(Checked {
        clauses: formula.clauses().len() as u64,
        steps: walk.count,
        propagations: checker.clauses.propagations(),
    })
}

/// The active clauses, and the rules by which they may change.
pub(crate) struct Checker<R = ()> {
    variables: Variables,
    clauses: Clauses<R>,
    /// For each literal of a variable that only the proof has, the added clauses that contain it.
    occurrences: Chains<u32>,
    /// The literals of the current step. The pivot is the first one until `store` sorts them.
    step: Vec<Code>,
}

impl<R: Reasons> Checker<R> {
    /// A checker with the clauses of a formula.
    pub(crate) fn new(formula: &Formula) -> Self {
        Self::read(formula, Clauses::default())
    }

    /// Like [`Checker::new`], but reading and all later propagation end when `stop` returns a limit.
    pub(crate) fn until(formula: &Formula, stop: &Stop) -> Result<Self, Limit> {
        let checker = Self::read(formula, Clauses::with_meter(Meter::new(stop)));
        checker.clauses.limit().map_or(Ok(checker), Err)
    }

    /// Adds the clauses of a formula until they are refuted or a limit is reached.
    fn read(formula: &Formula, clauses: Clauses<R>) -> Self {
        let (variables, occurrences) = (Variables::new(formula.n_vars()), Chains::default());
        let mut checker = Checker { variables, clauses, occurrences, step: Vec::new() };
        for clause in formula.clauses() {
            checker.step.clear();
            checker.step.extend(clause.iter().map(|&lit| checker.variables.code(lit)));
            checker.store();
            if checker.clauses.refuted() || checker.clauses.limit().is_some() {
                break;
            }
        }
        checker
    }

    /// Whether unit propagation over the active clauses leads to a conflict.
    pub(crate) fn refuted(&self) -> bool {
        self.clauses.refuted()
    }

    pub(crate) fn clauses(&self) -> &Clauses<R> {
        &self.clauses
    }

    pub(crate) fn code(&mut self, lit: i32) -> Code {
        self.variables.code(lit)
    }

    /// Adds a clause if it is RUP, or RAT on its first literal. Returns whether it was added.
    pub(crate) fn add(&mut self, lits: &[i32], stop: &Stop) -> Result<bool, Limit> {
        self.add_explained(lits, stop, |_, _| {})
    }

    /// Adds a clause like [`Checker::add`], and calls `explain` at each conflict, while everything is assigned that led
    /// to it. There is one conflict if the clause is RUP; if it is RAT, there is one for each clause with which it has a
    /// resolvent, and `explain` also gets that clause's number.
    pub(crate) fn add_explained(
        &mut self,
        lits: &[i32],
        stop: &Stop,
        mut explain: impl FnMut(&Clauses<R>, Option<u32>),
    ) -> Result<bool, Limit> {
        let mark = self.clauses.mark();
        let is_admitted = if self.deny(lits) {
            explain(&self.clauses, None);
            true
        } else {
            self.is_rat(stop, explain)?
        };
        self.clauses.back_to(mark);
        if is_admitted {
            self.store();
        }
        // Without a conflict, propagation may have ended early.
        self.clauses.limit().map_or(Ok(is_admitted), Err)
    }

    /// Adds a clause if it is RUP. Returns whether it was added.
    pub(crate) fn add_implied(&mut self, lits: &[i32]) -> bool {
        let mark = self.clauses.mark();
        let is_implied = self.deny(lits);
        self.clauses.back_to(mark);
        if is_implied {
            self.store();
        }
        is_implied
    }

    /// Makes `lits` the current step and assumes that they are false. Returns whether that leads to a conflict.
    fn deny(&mut self, lits: &[i32]) -> bool {
        self.step.clear();
        self.step.extend(lits.iter().map(|&lit| self.variables.code(lit)));
        self.clauses.reserve(&self.step);
        self.clauses.deny(self.step.iter().copied())
    }

    /// Stores the clause of the current step, unless it is a tautology.
    fn store(&mut self) {
        if !normalize(&mut self.step) {
            return;
        }
        let clause = self.clauses.add(&self.step);
        for &lit in &self.step {
            if let Some(at) = self.variables.of_extension(lit) {
                self.occurrences.add(at, clause);
            }
        }
    }

    /// Deletes a clause and returns its number, unless the deletion is ignored.
    pub(crate) fn delete(&mut self, lits: &[i32]) -> Option<u32> {
        self.step.clear();
        for &lit in lits {
            // No clause contains a variable that is not known.
            self.step.push(self.variables.known(lit)?);
        }
        self.clauses.reserve(&self.step);
        normalize(&mut self.step);
        self.clauses.remove(&self.step)
    }

    /// Whether all resolvents of the current step on its first literal are RUP. The literals of the step must already
    /// be assumed false, without a conflict.
    fn is_rat(
        &mut self,
        stop: &Stop,
        mut explain: impl FnMut(&Clauses<R>, Option<u32>),
    ) -> Result<bool, Limit> {
        let Some(&pivot) = self.step.first() else { return Ok(false) };
        let negated = pivot ^ 1;
        let partners: Vec<u32> = match self.variables.of_extension(negated) {
            Some(at) => {
                self.occurrences.retain(at, |clause| !self.clauses.lits(clause).is_empty());
                self.occurrences.of(at).collect()
            }
            None => {
                // The loop over all clauses may take long, so the stop closure is called before it.
                stop().map_or(Ok(()), Err)?;
                self.clauses.active().filter(|&clause| self.clauses.lits(clause).contains(&negated)).collect()
            }
        };
        let mut rest = Vec::new();
        for (count, clause) in (1..).zip(partners) {
            if count % STOP_INTERVAL == 0
                && let Some(limit) = stop()
            {
                return Err(limit);
            }
            rest.clear();
            rest.extend(self.clauses.lits(clause).iter().copied().filter(|&lit| lit != negated));
            let mark = self.clauses.mark();
            let conflict = self.clauses.deny(rest.iter().copied());
            if conflict {
                explain(&self.clauses, Some(clause));
            }
            self.clauses.back_to(mark);
            if !conflict {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
