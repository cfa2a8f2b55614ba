//! Writes OPB: a clause becomes the constraint that a sum of literals is at least 1. At-most-one constraints, counts
//! and parities are linear constraints, whatever encoding the engine has chosen for clauses.
//!
//! Sums contain variables but no negated literals, because not every reader supports those. The negation of x is 1 - x,
//! so the coefficient of x is -1, and the bound decreases by one. A soft clause has a single literal, and its cost is a
//! term of `min:`. The constant part of the objective is written as a comment, because the format has no place for it.

use super::dimacs::head_comments;
use super::measure::Measured;
use super::text::Text;
use super::{Format, Head};
use counterpoint_encodings::{Linear, Lit, Sink, SoftSink, Var};
use std::fmt;

/// The empty clause as a constraint.
pub(super) const FALSE: &[u8] = b"+0 x1 >= 1 ;\n";

/// Writes the header, the objective and the constraints.
pub(super) struct Opb<'a, 'b> {
    text: &'a mut Text<'b>,
    n_vars: u32,
}

impl<'a, 'b> Opb<'a, 'b> {
    pub(super) fn new(text: &'a mut Text<'b>, head: &Head, size: &Measured) -> Self {
        // The header must be the first line.
        let variables = size.variables.max(1);
        text.format(format_args!("* #variable= {variables} #constraint= {}\n", size.hard));
        head_comments(Format::Opb, text, head);
        if !size.costs.is_empty() {
            let constant: u64 = size.costs.iter().filter(|(lit, _)| lit.is_neg()).map(|(_, cost)| cost).sum();
            if constant > 0 {
                text.comment("*", format_args!("add {constant} to the objective"));
            }
            text.bytes(b"min:");
            for (lit, cost) in &size.costs {
                text.bytes(if lit.is_pos() { b" +" } else { b" -" });
                text.number(*cost);
                text.bytes(b" x");
                text.var(lit.var());
            }
            text.bytes(b" ;\n");
        }
        Opb { text, n_vars: 0 }
    }
}

impl Sink for Opb<'_, '_> {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        if lits.is_empty() {
            // A sum needs at least one term.
            return self.text.lits(&[], FALSE);
        }
        let mut negated = 0;
        for lit in lits {
            self.text.bytes(if lit.is_pos() { b"+1 x" } else { b"-1 x" });
            self.text.var(lit.var());
            self.text.bytes(b" ");
            negated += u64::from(lit.is_neg());
        }
        self.text.bytes(b">= ");
        match negated {
            0 => self.text.bytes(b"1"),
            1 => self.text.bytes(b"0"),
            n => {
                self.text.bytes(b"-");
                self.text.number(n - 1);
            }
        }
        self.text.lits(&[], b" ;\n");
    }

    fn linear(&mut self, constraint: &Linear<'_>) {
        self.text.format(format_args!("{constraint} ;\n"));
    }

    fn supports_linear(&self) -> bool {
        true
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let var = self.new_var();
        self.text.bytes(b"* varname x");
        self.text.var(var);
        self.text.format(format_args!(" {name}\n"));
        var
    }

    fn group(&mut self, label: &str) {
        self.text.comment("*", format_args!("group {label}"));
    }
}

impl SoftSink for Opb<'_, '_> {
    /// Does nothing, because the objective is already written.
    fn soft(&mut self, _: &[Lit], _: u64) {}
}
