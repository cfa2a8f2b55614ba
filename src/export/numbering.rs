//! A sink that numbers variables as a format does, and ignores the constraints.

use super::Format;
use counterpoint_encodings::{Lit, Parity, Sink, Var};

/// Receives a formula in order to find the variables of a model. A parity constraint needs no new variables if the
/// format supports it.
#[derive(Debug)]
pub struct Numbering {
    format: Format,
    n_vars: u32,
}

impl Numbering {
    /// A numbering without variables.
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
}
