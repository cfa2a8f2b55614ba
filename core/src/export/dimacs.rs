//! Writes DIMACS CNF and its extensions: `x` lines, weights, assumptions.
//!
//! All comments precede the header line `p`, because drat-trim with a binary proof reads a comment below the header as
//! an empty clause and then accepts any proof. So names and groups are written before the clauses. The comment
//! `c group 13 LABEL` says that constraint 13, counted from 1, is the first one of the group LABEL.
//!
//! Model counters read `c t pmc` and `c p show ... 0`; for other solvers, both lines are comments. If all models stand
//! for the same answer, `c p show` lists no variables, so a counter counts them as one. If the formula declares no
//! projection set, both lines are absent.

use super::measure::Measured;
use super::text::Text;
use super::{Format, Head};
use counterpoint_encodings::{Lit, Parity, Sink, SoftSink, Var};
use std::fmt;

/// Writes the header and the clauses.
pub(super) struct Dimacs<'a, 'b> {
    format: Format,
    text: &'a mut Text<'b>,
    n_vars: u32,
    /// The prefix of hard clauses.
    hard: &'static [u8],
}

impl<'a, 'b> Dimacs<'a, 'b> {
    /// Writes the header, which is the last line above the clauses.
    pub(super) fn new(format: Format, text: &'a mut Text<'b>, size: &Measured) -> Self {
        match format {
            Format::Cnf | Format::Xcnf => {
                text.format(format_args!("p cnf {} {}\n", size.variables, size.hard));
            }
            Format::Icnf => text.bytes(b"p inccnf\n"),
            Format::Wcnf | Format::Opb => {}
        }
        let hard: &[u8] = if format == Format::Wcnf { b"h " } else { b"" };
        Dimacs { format, text, n_vars: 0, hard }
    }

    /// Writes a line of assumptions.
    pub(super) fn question(&mut self, lits: &[Lit]) {
        self.text.bytes(b"a ");
        self.text.lits(lits, b"0\n");
    }
}

/// Writes the format and the head as comments: problem, engine, rules, instance.
pub(super) fn head_comments(format: Format, text: &mut Text<'_>, head: &Head) {
    let sign = format.comment();
    text.comment(sign, format_args!("counterpoint {format}"));
    text.comment(sign, format_args!("problem {}", head.problem));
    text.comment(sign, format_args!("engine {}", head.engine));
    text.comment(sign, format_args!("rules {}", head.rules));
    for line in head.instance.lines() {
        text.comment(sign, format_args!("instance {line}"));
    }
}

/// Writes the comments above the header. Constraints are not written but counted, because a group's comment
/// contains the number of its first constraint.
pub(super) struct Comments<'a, 'b> {
    format: Format,
    text: &'a mut Text<'b>,
    n_vars: u32,
    constraints: u64,
}

impl<'a, 'b> Comments<'a, 'b> {
    /// Writes the head and the lines for model counters.
    pub(super) fn new(format: Format, text: &'a mut Text<'b>, head: &Head, size: &Measured) -> Self {
        head_comments(format, text, head);
        let shown = size.shown.as_ref().filter(|_| matches!(format, Format::Cnf | Format::Xcnf));
        if shown.is_some() {
            text.bytes(b"c t pmc\n");
        }
        if format == Format::Xcnf {
            text.comment("c", format_args!("an x line: an odd number of its literals is true"));
        }
        if let Some(shown) = shown {
            text.bytes(b"c p show ");
            shown.iter().for_each(|var| text.lits(&[var.pos_lit()], b""));
            text.bytes(b"0\n");
        }
        Comments { format, text, n_vars: 0, constraints: 0 }
    }
}

impl Sink for Comments<'_, '_> {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, _: &[Lit]) {
        self.constraints += 1;
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match self.format {
            Format::Xcnf => self.constraints += u64::from(odd || !lits.is_empty()),
            _ => Parity::DEFAULT.encode(self, lits, odd),
        }
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let var = self.new_var();
        self.text.bytes(b"c varname ");
        self.text.var(var);
        self.text.format(format_args!(" {name}\n"));
        var
    }

    fn group(&mut self, label: &str) {
        self.text.comment("c", format_args!("group {} {label}", self.constraints + 1));
    }
}

impl SoftSink for Comments<'_, '_> {
    fn soft(&mut self, _: &[Lit], _: u64) {
        self.constraints += 1;
    }
}

impl Sink for Dimacs<'_, '_> {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.text.bytes(self.hard);
        self.text.lits(lits, b"0\n");
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        match (self.format, lits.split_first()) {
            (Format::Xcnf, Some((&first, rest))) => {
                self.text.bytes(b"x");
                self.text.lits(&[if odd { first } else { !first }], b"");
                self.text.lits(rest, b"0\n");
            }
            // Without literals, an odd parity is false. It becomes the empty clause, because an `x` line needs a
            // literal. An even parity is true and needs no line.
            (Format::Xcnf, None) if odd => self.clause(&[]),
            (Format::Xcnf, None) => {}
            _ => Parity::DEFAULT.encode(self, lits, odd),
        }
    }
}

impl SoftSink for Dimacs<'_, '_> {
    fn soft(&mut self, lits: &[Lit], weight: u64) {
        self.text.number(weight);
        self.text.bytes(b" ");
        self.text.lits(lits, b"0\n");
    }
}
