//! Writes a DRAT proof step by step, and checks each step before writing it.

use crate::drat::Checker;
use crate::{Drat, Formula};
use counterpoint_base::budget::{Limit, Stop};
use counterpoint_base::keyed::KeyedSet;
use std::io::Write;

/// The clauses derived from a formula so far, and the proof that derives them. No clause is stored twice.
pub struct Derivation<'a> {
    checker: Checker,
    stop: &'a Stop,
    /// The steps written so far.
    text: Vec<u8>,
    /// The active clauses, each with its literals sorted.
    active: KeyedSet<Vec<i32>>,
}

fn sorted(clause: &[i32]) -> Vec<i32> {
    let mut sorted = clause.to_vec();
    sorted.sort_unstable();
    sorted
}

impl<'a> Derivation<'a> {
    /// A derivation without steps.
    pub fn new(formula: &Formula, stop: &'a Stop) -> Self {
        let active = formula.clauses().map(sorted).collect();
        Derivation { checker: Checker::new(formula), stop, text: Vec::new(), active }
    }

    /// Whether the steps so far refute the formula: unit propagation over the active clauses leads to a conflict.
    pub fn refuted(&self) -> bool {
        self.checker.refuted()
    }

    /// Whether the clause is active. The order of literals does not matter.
    pub fn contains(&self, clause: &[i32]) -> bool {
        self.active.contains(&sorted(clause))
    }

    /// Adds a clause unless it is active already. Returns false if it does not follow by unit propagation (RUP). Once
    /// the formula is refuted, nothing more is added, and the result is true.
    pub fn add(&mut self, clause: &[i32]) -> bool {
        if self.refuted() || self.contains(clause) {
            return true;
        }
        let added = self.checker.add_implied(clause);
        if added {
            self.note(clause);
        }
        added
    }

    /// Adds a clause like [`Derivation::add`], and appends it to `lemmas` unless it was active already. So the caller can
    /// delete its lemmas later without deleting a clause that others need.
    pub fn add_lemma(&mut self, clause: &[i32], lemmas: &mut Vec<Vec<i32>>) -> bool {
        let is_new = !self.refuted() && !self.contains(clause);
        let follows = self.add(clause);
        if follows && is_new {
            lemmas.push(clause.to_vec());
        }
        follows
    }

    /// Adds a clause like [`Derivation::add`], but the clause may also be RAT on its first literal.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn define(&mut self, clause: &[i32]) -> Result<bool, Limit> {
        if self.refuted() || self.contains(clause) {
            return Ok(true);
        }
        let added = self.checker.add(clause, self.stop)?;
        if added {
            self.note(clause);
        }
        Ok(added)
    }

    /// Deletes a clause if it is active.
    pub fn delete(&mut self, clause: &[i32]) {
        if self.active.remove(&sorted(clause)) {
            self.checker.delete(clause);
            self.write("d ", clause);
        }
    }

    /// Stores and writes an added clause.
    fn note(&mut self, clause: &[i32]) {
        self.active.insert(sorted(clause));
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

    /// The proof written so far.
    pub fn into_proof(self) -> Drat {
        Drat(self.text)
    }
}
