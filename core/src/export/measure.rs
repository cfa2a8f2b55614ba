//! The first pass over a formula, which collects what the lines above the clauses need.

use super::Format;
use crate::errors::Unsupported;
use counterpoint_encodings::{Linear, Lit, Parity, Sink, SoftSink, Var};
use std::fmt;

/// What the lines above the clauses need.
pub(super) struct Measured {
    /// Number of variables, including the auxiliary variables of constraints that become clauses.
    pub(super) variables: u32,
    /// Number of hard constraints: clauses, in `xcnf` also parity constraints, in `opb` also linear constraints.
    pub(super) hard: u64,
    /// Number of soft clauses.
    pub(super) soft: u64,
    /// Whether some variable has a name or some constraint has a group.
    pub(super) has_labels: bool,
    /// The projection set, in the order in which it was declared; `None` if there was no declaration.
    pub(super) shown: Option<Vec<Var>>,
    /// The terms of the objective in `opb`: literals, each with its cost if it is true. Empty for other formats.
    pub(super) costs: Vec<(Lit, u64)>,
}

/// Counts the variables and constraints that a formula has in one format.
pub(super) struct Measure {
    format: Format,
    size: Measured,
    /// An error names the part of the formula that the format does not support.
    result: Result<(), Unsupported>,
}

impl Measure {
    pub(super) fn new(format: Format) -> Self {
        let size =
            Measured { variables: 0, hard: 0, soft: 0, has_labels: false, shown: None, costs: Vec::new() };
        Measure { format, size, result: Ok(()) }
    }

    /// # Errors
    /// Returns an error if `opb` has a soft clause that does not have exactly one literal.
    pub(super) fn finish(self) -> Result<Measured, Unsupported> {
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

    fn linear(&mut self, constraint: &Linear<'_>) {
        match self.supports_linear() {
            true => self.size.hard += 1,
            false => constraint.encode(self),
        }
    }

    fn supports_linear(&self) -> bool {
        self.format == Format::Opb
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
                let message = format!(
                    "an OPB objective supports only soft clauses with one literal; found one with {n} literals"
                );
                self.result = Err(message.into());
            }
            _ => {}
        }
    }
}
