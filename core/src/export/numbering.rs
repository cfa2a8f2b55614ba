//! A sink that numbers variables as a file of one format does, and ignores the constraints.

use super::Format;
use counterpoint_encodings::{Linear, Lit, Parity, Sink, Var};

/// Receives a formula in order to number its variables as in a file of one format, so that a model of the file can be
/// read. Only `xcnf` supports parity constraints, and only `opb` linear constraints. In the other formats, they become
/// clauses, which may need new variables.
#[derive(Debug)]
pub struct Numbering {
    format: Format,
    n_vars: u32,
}

impl Numbering {
    /// A numbering that has no variables yet.
    pub fn new(format: Format) -> Numbering {
        Numbering { format, n_vars: 0 }
    }
}

impl Sink for Numbering {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, _: &[Lit]) {}

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        if self.format != Format::Xcnf {
            Parity::DEFAULT.encode(self, lits, odd);
        }
    }

    fn linear(&mut self, constraint: &Linear<'_>) {
        if !self.supports_linear() {
            constraint.encode(self);
        }
    }

    fn supports_linear(&self) -> bool {
        self.format == Format::Opb
    }
}
