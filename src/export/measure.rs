//! The first pass over a formula, which collects what a file has above the clauses.

use super::Format;
use counterpoint_encodings::{Lit, Parity, Sink, SoftSink, Var};
use std::fmt;

/// The contents of a header.
pub(super) struct Measured {
    pub(super) variables: u32,
    /// Number of hard clauses and parity constraints.
    pub(super) hard: u64,
    /// Number of soft clauses.
    pub(super) soft: u64,
    /// Whether some variable has a name or some constraint has a group.
    pub(super) has_labels: bool,
    /// The projection set, in the order in which it was declared; `None` if there was no declaration.
    pub(super) shown: Option<Vec<Var>>,
    /// The cost of each literal if it is true. Only OPB has these above the constraints.
    pub(super) costs: Vec<(Lit, u64)>,
}

/// Counts variables and constraints as one format does.
pub(super) struct Measure {
    format: Format,
    size: Measured,
    result: Result<(), String>,
}

impl Measure {
    pub(super) fn new(format: Format) -> Self {
        let size =
            Measured { variables: 0, hard: 0, soft: 0, has_labels: false, shown: None, costs: Vec::new() };
        Measure { format, size, result: Ok(()) }
    }

    /// # Errors
    /// A constraint that the format does not support.
    pub(super) fn finish(self) -> Result<Measured, String> {
        self.result.map(|()| self.size)
    }
}

impl Sink for Measure {
    fn new_var(&mut self) -> Var {
        self.size.variables += 1;
        Var::new(self.size.variables - 1)
    }

    fn n_vars(&self) -> u32 {
        self.size.variables
    }

    fn clause(&mut self, _: &[Lit]) {
        self.size.hard += 1;
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match self.format {
            Format::Xcnf => self.size.hard += u64::from(odd || !lits.is_empty()),
            _ => Parity::DEFAULT.encode(self, lits, odd),
        }
    }

    fn named_var(&mut self, _: fmt::Arguments<'_>) -> Var {
        self.size.has_labels = true;
        self.new_var()
    }

    fn group(&mut self, _: &str) {
        self.size.has_labels = true;
    }

    fn show(&mut self, vars: &[Var]) {
        self.size.shown.get_or_insert_default().extend_from_slice(vars);
    }
}

impl SoftSink for Measure {
    fn soft(&mut self, lits: &[Lit], weight: u64) {
        self.size.soft += 1;
        match (self.format, lits) {
            (Format::Opb, &[lit]) => self.size.costs.push((!lit, weight)),
            (Format::Opb, _) => {
                let n = lits.len();
                self.result = Err(format!(
                    "an OPB objective supports only soft clauses of one literal; found one of {n}"
                ));
            }
            _ => {}
        }
    }
}
