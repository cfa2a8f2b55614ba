//! The first pass: what has to stand in front of the clauses.

use super::Format;
use counterpoint_encodings::{Lit, Parity, Sink, SoftSink, Var};
use std::fmt;

/// What a header tells.
pub(super) struct Measured {
    pub(super) variables: u32,
    /// Clauses and parities that must hold.
    pub(super) hard: u64,
    pub(super) soft: u64,
    /// Whether a variable has a name, or a constraint a group.
    pub(super) has_labels: bool,
    /// The question's own variables, in the order in which they were marked; `None` if nobody marked any.
    pub(super) shown: Option<Vec<Var>>,
    /// What each true literal costs. OPB alone wants it in front.
    pub(super) costs: Vec<(Lit, u64)>,
}

/// Counts as one format counts.
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
    /// What the format cannot hold.
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
            _ => Parity::Cut(4).encode(self, lits, odd),
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
                self.result = Err(format!("an OPB objective takes soft clauses of one literal; one has {n}"));
            }
            _ => {}
        }
    }
}
