//! Formulas: is there an assignment that satisfies every clause and every parity constraint?
//!
//! An instance is a formula in conjunctive normal form, possibly with parity constraints, as in a DIMACS file. A
//! literal is a variable or its negation. A clause holds if at least one of its literals is true; the empty clause
//! never holds. A parity constraint says whether an odd or an even number of its literals is true.

pub mod answer;
pub mod check;
pub mod decompress;
pub mod entry;
pub mod explain;
pub mod families;
pub mod formula;
pub mod model;
pub mod mutants;
mod plain;
pub mod read;
pub mod sat;
pub mod search;
pub mod trials;
mod verdict;
pub mod write;

use counterpoint_core::erased::{DynProblem, Erased};
use counterpoint_core::input::{FileReference, OnDisk};
use counterpoint_encodings::{Cnf as Clauses, Lit, Sink};
use std::sync::Arc;

/// The problem: satisfiability of formulas.
pub struct Cnf;

/// The problem as a trait object, for a registry. The conversion is in this crate, so that the compiler instantiates
/// the generic code of the commands here, together with the functions of the problem that this code calls.
pub fn problem() -> Box<dyn DynProblem> {
    Box::new(Erased::<Cnf>::new())
}

/// A formula, and where it comes from.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The formula.
    pub formula: Arc<Formula>,
    /// Where it comes from.
    pub origin: Origin,
    /// The file with the formula, if every solver can read it as it is.
    pub text: Option<Arc<OnDisk>>,
}

/// Where a formula comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The formula was generated, or its text was part of the input. Answers contain the text.
    Text,
    /// The formula is in a file. Answers contain only the name of the file and its hash.
    File(FileReference),
}

/// A formula. Its variables are numbered from 0; all literals are literals of these variables.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    /// The variables and the clauses. A clause may contain a literal twice, or a variable and its negation.
    pub cnf: Clauses,
    /// The parity constraints: an odd (`true`) or even (`false`) number of the literals is true. The variables of one
    /// constraint are distinct, and there is at least one.
    pub parities: Vec<(Vec<Lit>, bool)>,
}

impl Instance {
    /// An instance whose formula was generated.
    pub fn of(formula: Formula) -> Self {
        Instance { formula: Arc::new(formula), origin: Origin::Text, text: None }
    }
}

impl AsRef<Clauses> for Formula {
    fn as_ref(&self) -> &Clauses {
        &self.cnf
    }
}

impl Formula {
    /// The number of variables.
    pub fn n_vars(&self) -> u32 {
        self.cnf.n_vars()
    }

    /// The clauses, in the order of the file.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        self.cnf.clauses()
    }

    /// Writes the formula to a sink that has no variables yet.
    pub fn write(&self, sink: &mut dyn Sink) {
        for _ in 0..self.n_vars() {
            sink.new_var();
        }
        self.clauses().for_each(|clause| sink.clause(clause));
        self.parities.iter().for_each(|(lits, odd)| sink.xor(lits, *odd));
    }
}
