//! Steps of a DRAT proof as they are made, each checked before it is written.

use crate::drat::Checker;
use crate::{Drat, Formula};
use counterpoint_base::budget::{Limit, Stop};
use rustc_hash::FxHashSet;
use std::io::Write;

/// What was derived from a formula so far. No clause stands twice.
pub struct Derivation<'a> {
    checker: Checker,
    stop: &'a Stop,
    text: Vec<u8>,
    standing: FxHashSet<Vec<i32>>,
}

fn sorted(clause: &[i32]) -> Vec<i32> {
    let mut sorted = clause.to_vec();
    sorted.sort_unstable();
    sorted
}

impl<'a> Derivation<'a> {
    /// Nothing yet.
    pub fn new(formula: &Formula, stop: &'a Stop) -> Self {
        let standing = formula.clauses().map(sorted).collect();
        Derivation { checker: Checker::new(formula), stop, text: Vec::new(), standing }
    }

    /// The clauses alive are contradictory by unit propagation: what was written refutes the formula.
    pub fn refuted(&self) -> bool {
        self.checker.refuted()
    }

    /// True if the clause is there, in whatever order.
    pub fn stands(&self, clause: &[i32]) -> bool {
        self.standing.contains(&sorted(clause))
    }

    /// Adds a clause unless it stands; false if it does not follow by unit propagation.
    pub fn add(&mut self, clause: &[i32]) -> bool {
        if self.refuted() || self.stands(clause) {
            return true;
        }
        let added = self.checker.add_implied(clause);
        if added {
            self.note(clause);
        }
        added
    }

    /// Adds a clause unless it stands; false if it neither follows nor is RAT on its first literal.
    ///
    /// # Errors
    /// The limit that was met.
    pub fn define(&mut self, clause: &[i32]) -> Result<bool, Limit> {
        if self.refuted() || self.stands(clause) {
            return Ok(true);
        }
        let added = self.checker.add(clause, self.stop)?;
        if added {
            self.note(clause);
        }
        Ok(added)
    }

    /// Deletes a clause that was added.
    pub fn delete(&mut self, clause: &[i32]) {
        if self.standing.remove(&sorted(clause)) {
            self.checker.delete(clause);
            self.write("d ", clause);
        }
    }

    fn note(&mut self, clause: &[i32]) {
        self.standing.insert(sorted(clause));
        self.write("", clause);
    }

    fn write(&mut self, step: &str, clause: &[i32]) {
        self.text.extend_from_slice(step.as_bytes());
        for lit in clause {
            // Writing to memory cannot fail.
            let _ = write!(self.text, "{lit} ");
        }
        self.text.extend_from_slice(b"0\n");
    }

    /// What was written.
    pub fn into_proof(self) -> Drat {
        Drat(self.text)
    }
}
