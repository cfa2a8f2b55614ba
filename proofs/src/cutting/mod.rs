//! A checker for pseudo-Boolean proofs in the format of VeriPB: cutting planes, unit propagation and redundance.
//!
//! # Rules
//! The database consists of the inequalities of the formula and of those that the proof added, except the deleted ones.
//! A constraint is added by one of these rules:
//! * `pol`: a sum, product, division, saturation or weakening of constraints, or an axiom that a literal is at least 0.
//! * `rup`: if the negation of the constraint is assumed, unit propagation over the database leads to a conflict.
//! * `ia`: another constraint implies the new one by axioms for literals.
//! * `red`: a substitution repairs every assignment that violates the new constraint. Take the image of the new
//!   constraint, and of each constraint of the database that the substitution changes. Each image must follow by unit
//!   propagation from the database and the negation of the new constraint. The image of a constraint of the database
//!   may instead follow from that constraint by axioms for literals.
//!
//! `c` or `conclusion UNSAT` must name a constraint that no assignment satisfies. Without a number,
//! `conclusion UNSAT` is accepted if unit propagation over the database leads to a conflict. The rest of the
//! proof is not read.
//!
//! | version | what differs |
//! |---|---|
//! | 1.1 | numbers are given to the formula's constraints by `f` (all) or `l` (one); the proof ends with `c` |
//! | 2.0 | the formula's constraints have the first numbers; `f` only states how many there are; the proof ends with `conclusion` |
//! | 3.0 | as 2.0, but statements end with semicolons |
//!
//! Rules of optimisation and dominance, subproofs and labels are not supported. Assumptions (`a`) are rejected.
//!
//! # Soundness
//! Invariant: *if the formula has a solution, then so does the database.* In version 1.1, the database contains the
//! constraints of the formula even before they have numbers.
//! * Deleting a constraint cannot break the invariant. Deletions may be ignored: then more constraints take part in
//!   later tests of `red`.
//! * Every solution of the database satisfies what `pol`, `rup` and `ia` add.
//! * For `red`, take a solution of the database. If this solution violates the new constraint, it satisfies all images,
//!   because they follow. So the substitution turns it into an assignment that satisfies the database and the new
//!   constraint.
//!
//! A constraint of the formula that was deleted may not be loaded again by `l`, because a `red` step in between need
//! not preserve it.
//!
//! # Memory
//! A short step can add a long constraint. So the number of stored terms is limited, in proportion to the length of the
//! proof and of the formula.
//!
//! # References
//! S. Gocht and J. Nordström, *Certifying Parity Reasoning Efficiently Using Pseudo-Boolean Proofs*, AAAI 2021;
//! B. Bogaerts, S. Gocht, C. McCreesh and J. Nordström, *Certified Dominance and Symmetry Breaking for Combinatorial
//! Optimisation*, JAIR 2023.

mod database;
mod inequality;
mod names;
mod opb;
mod polish;
mod propagation;
mod redundance;
mod scanner;
mod steps;
#[cfg(test)]
mod tests;
mod upgrade;

pub use opb::Opb;

use crate::{Formula, ProofError};
use counterpoint_base::budget::{Budget, Stop};
use counterpoint_base::claim::Checked;

/// A proof in the format of VeriPB that a formula has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VeriPb(pub Vec<u8>);

impl<T: Into<Vec<u8>>> From<T> for VeriPb {
    fn from(bytes: T) -> Self {
        VeriPb(bytes.into())
    }
}

impl VeriPb {
    /// Checks that this proof refutes [`Opb::of`] a formula, and hence the formula. Ends when `stop` returns a limit.
    ///
    /// # Errors
    /// The error names the first step that fails, or a step that this checker does not support, or the limit that was
    /// reached.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<Checked, ProofError> {
        self.check_opb_until(Opb::of(formula), stop)
    }

    /// Checks that this proof shows that the constraints of an OPB file have no solution.
    ///
    /// # Errors
    /// Returns the errors of [`VeriPb::check_until`].
    pub fn check_opb(&self, formula: Opb) -> Result<Checked, ProofError> {
        self.check_opb_until(formula, &Budget::unlimited().stop())
    }

    /// Checks the proof like [`VeriPb::check_opb`], but ends when `stop` returns a limit.
    ///
    /// # Errors
    /// Returns the errors of [`VeriPb::check_until`].
    pub fn check_opb_until(&self, formula: Opb, stop: &Stop) -> Result<Checked, ProofError> {
        steps::run(&self.0, formula, stop)
    }
}
