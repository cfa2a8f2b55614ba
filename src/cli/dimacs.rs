//! DIMACS CNF as a sink: clauses are written as they come.

use counterpoint_encodings::{Lit, Sink, Tally, Var};
use std::fmt;
use std::io::{self, Write};

/// Writes clauses behind a header; the first error is kept.
pub(super) struct Dimacs<'a> {
    out: &'a mut dyn Write,
    n_vars: u32,
    result: io::Result<()>,
}

impl<'a> Dimacs<'a> {
    /// Writes the header for a formula whose size is known from a first pass.
    pub(super) fn new(out: &'a mut dyn Write, size: &Tally) -> Self {
        let result = writeln!(out, "p cnf {} {}", size.n_vars(), size.n_clauses());
        Dimacs { out, n_vars: 0, result }
    }

    /// The first error, if any.
    pub(super) fn finish(self) -> io::Result<()> {
        self.result
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        if self.result.is_ok() {
            self.result = self.out.write_fmt(text);
        }
    }
}

impl Sink for Dimacs<'_> {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.write(format_args!("{} ", lit.to_ipasir()));
        }
        self.write(format_args!("0\n"));
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let var = self.new_var();
        self.write(format_args!("c varname {} {name}\n", var.to_ipasir()));
        var
    }

    fn group(&mut self, label: &str) {
        self.write(format_args!("c {label}\n"));
    }
}
