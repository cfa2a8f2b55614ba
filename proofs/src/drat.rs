//! A forward DRAT checker: each added clause must follow by unit propagation, or be RAT.
//!
//! A clause follows (RUP) if denying it leads to a conflict by unit propagation over the clauses alive.
//! It is RAT on its first literal p if that is so of each resolvent with an alive clause that holds
//! not-p. A variable that the formula does not have may so be defined. With the empty clause the
//! formula is refuted.
//!
//! Why that is sound: *if the formula has a model, so have the clauses that this checker holds alive.*
//! Deleting keeps that. A clause that is RUP holds in each of their models. For a clause that is RAT,
//! take a model; if the clause is false in it, make p true: only clauses with not-p can become false,
//! but each of them has another literal that is true, as its resolvent is implied and the clause itself
//! was false (clauses with both p and not-p are not kept, and always hold). The statement is about the
//! checker's own clauses, so it may ignore deletions as it likes: that of the reason of a literal that
//! stays assigned, as drat-trim does; that of a clause unknown. What stays then takes part in later RAT
//! tests, which refuses proofs at worst. Literals that stay assigned always follow from clauses alive.
//!
//! E. Goldberg and Y. Novikov, *Verification of Proofs of Unsatisfiability for CNF Formulas*, DATE 2003;
//! N. Wetzler, M. Heule and W. Hunt, *DRAT-trim*, SAT 2014.

use crate::binary::{Binary, is_binary};
use crate::clauses::{Clauses, normalize};
use crate::room::Chains;
use crate::text::Text;
use crate::variables::{Code, Variables};
use crate::{Formula, Place, ProofError};
use counterpoint_base::budget::{Budget, Limit, Stop};
use counterpoint_base::claim::Checked;

/// Steps, or partners in a RAT step, between two looks at the stop closure.
const A_LOOK: u64 = 64;

/// A proof in the DRAT format, as text or in bytes. Nothing is read behind the step that reaches the
/// contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drat(pub Vec<u8>);

impl<T: Into<Vec<u8>>> From<T> for Drat {
    fn from(bytes: T) -> Self {
        Drat(bytes.into())
    }
}

/// What a step does with its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Add,
    Delete,
}

/// The steps of a proof, one a call.
pub(crate) trait Steps {
    /// Appends the literals of the next step; `None` behind the last.
    fn next(&mut self, lits: &mut Vec<i32>) -> Result<Option<Kind>, ProofError>;

    /// Where the step is that was read last.
    fn place(&self) -> Place;
}

impl Drat {
    /// Checks that this proof refutes `formula`.
    ///
    /// # Errors
    /// The first step that fails, or that the empty clause was not reached.
    pub fn check(&self, formula: &Formula) -> Result<Checked, ProofError> {
        self.check_until(formula, &Budget::unlimited().stop())
    }

    /// As [`Drat::check`], until `stop` speaks.
    ///
    /// # Errors
    /// Those of [`Drat::check`], and the limit that was met.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
        match is_binary(&self.0) {
            true => run(&mut Binary::new(&self.0), formula, stop),
            false => run(&mut Text::new(&self.0), formula, stop),
        }
    }
}

fn run(steps: &mut impl Steps, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
    let mut checker = Checker::new(formula);
    let (mut count, mut lits) = (0, Vec::new());
    while !checker.refuted() {
        lits.clear();
        let Some(kind) = steps.next(&mut lits)? else { return Err(ProofError::NoEmptyClause) };
        count += 1;
        if count % A_LOOK == 0
            && let Some(limit) = stop()
        {
            return Err(ProofError::Stopped(limit));
        }
        match kind {
            Kind::Delete => checker.delete(&lits),
            Kind::Add if !checker.add(&lits, stop).map_err(ProofError::Stopped)? => {
                return Err(ProofError::NotImplied(steps.place()));
            }
            Kind::Add => {}
        }
    }
    Ok(Checked {
        clauses: formula.clauses().len() as u64,
        steps: count,
        propagations: checker.clauses.propagations(),
    })
}

/// The clauses alive, and the rules by which they change.
pub(crate) struct Checker {
    variables: Variables,
    clauses: Clauses,
    /// For each literal of a variable that only the proof has, the clauses that were added with it.
    holding: Chains<u32>,
    /// The step's literals, the pivot first.
    step: Vec<Code>,
}

impl Checker {
    pub(crate) fn new(formula: &Formula) -> Self {
        let mut checker = Checker {
            variables: Variables::new(formula.n_vars()),
            clauses: Clauses::default(),
            holding: Chains::default(),
            step: Vec::new(),
        };
        for clause in formula.clauses() {
            checker.step.clear();
            checker.step.extend(clause.iter().map(|&lit| checker.variables.code(lit)));
            checker.keep();
            if checker.clauses.refuted() {
                break;
            }
        }
        checker
    }

    /// The clauses alive are contradictory by unit propagation.
    pub(crate) fn refuted(&self) -> bool {
        self.clauses.refuted()
    }

    /// Adds a clause if it may be added; false if not.
    pub(crate) fn add(&mut self, lits: &[i32], stop: &Stop) -> Result<bool, Limit> {
        let mark = self.clauses.mark();
        let admitted = self.deny(lits) || self.is_rat(stop)?;
        self.clauses.back_to(mark);
        if admitted {
            self.keep();
        }
        Ok(admitted)
    }

    /// Adds a clause if it follows by unit propagation; false if not.
    pub(crate) fn add_implied(&mut self, lits: &[i32]) -> bool {
        let mark = self.clauses.mark();
        let implied = self.deny(lits);
        self.clauses.back_to(mark);
        if implied {
            self.keep();
        }
        implied
    }

    /// Takes a step's literals and denies them; true on a conflict.
    fn deny(&mut self, lits: &[i32]) -> bool {
        self.step.clear();
        self.step.extend(lits.iter().map(|&lit| self.variables.code(lit)));
        self.clauses.reserve(&self.step);
        self.clauses.deny(self.step.iter().copied())
    }

    /// Keeps the step's clause, unless it always holds.
    fn keep(&mut self) {
        if !normalize(&mut self.step) {
            return;
        }
        let clause = self.clauses.add(&self.step);
        for &lit in &self.step {
            if let Some(at) = self.variables.of_extension(lit) {
                self.holding.add(at, clause);
            }
        }
    }

    pub(crate) fn delete(&mut self, lits: &[i32]) {
        self.step.clear();
        for &lit in lits {
            // No clause has a variable that was never added.
            let Some(lit) = self.variables.known(lit) else { return };
            self.step.push(lit);
        }
        self.clauses.reserve(&self.step);
        normalize(&mut self.step);
        self.clauses.remove(&self.step);
    }

    /// With the step's clause denied, and no conflict: whether each resolvent on its first literal leads
    /// to one.
    fn is_rat(&mut self, stop: &Stop) -> Result<bool, Limit> {
        let Some(&pivot) = self.step.first() else { return Ok(false) };
        let against = pivot ^ 1;
        let partners: Vec<u32> = match self.variables.of_extension(against) {
            Some(at) => {
                self.holding.retain(at, |clause| !self.clauses.lits(clause).is_empty());
                self.holding.of(at).collect()
            }
            None => {
                // A look at every clause is long.
                stop().map_or(Ok(()), Err)?;
                self.clauses.alive().filter(|&clause| self.clauses.lits(clause).contains(&against)).collect()
            }
        };
        let mut rest = Vec::new();
        for (looked_at, clause) in (1..).zip(partners) {
            if looked_at % A_LOOK == 0
                && let Some(limit) = stop()
            {
                return Err(limit);
            }
            rest.clear();
            rest.extend(self.clauses.lits(clause).iter().copied().filter(|&lit| lit != against));
            let mark = self.clauses.mark();
            let conflict = self.clauses.deny(rest.iter().copied());
            self.clauses.back_to(mark);
            if !conflict {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
