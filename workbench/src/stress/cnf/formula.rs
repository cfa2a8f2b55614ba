//! A formula with the names of its variables and the place of each clause: a line of a file, or a group of our formula.

use counterpoint_encodings::{Cnf, Lit, Sink, Var};
use rustc_hash::FxHashMap;
use std::fmt;

/// A formula in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Formula {
    cnf: Cnf,
    places: Vec<Place>,
    names: FxHashMap<String, Lit>,
    group: String,
}

/// The place of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A line of a file, from 1.
    Line(usize),
    /// A group of our formula.
    Group(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Group(label) => f.write_str(label),
        }
    }
}

impl Formula {
    /// Adds a clause with its place.
    pub(super) fn clause_at(&mut self, lits: &[Lit], place: Place) {
        self.cnf.clause(lits);
        self.places.push(place);
    }

    /// All clauses.
    pub(super) fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        self.cnf.clauses()
    }

    /// The place of clause `i`, from 0.
    pub(super) fn place(&self, i: usize) -> &Place {
        &self.places[i]
    }

    /// The positive literal of the variable of that name, if there is one.
    pub(super) fn named(&self, name: &str) -> Option<Lit> {
        self.names.get(name).copied()
    }

    /// The variables that have names, with these names.
    pub(super) fn names(&self) -> &[(Var, String)] {
        self.cnf.names()
    }
}

/// Our own formula is written through this trait. The place of each clause is the group that was named last.
impl Sink for Formula {
    fn new_var(&mut self) -> Var {
        self.cnf.new_var()
    }

    fn n_vars(&self) -> u32 {
        self.cnf.n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        let place = Place::Group(self.group.clone());
        self.clause_at(lits, place);
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let name = name.to_string();
        if name.is_empty() {
            return self.new_var();
        }
        let var = self.cnf.named_var(format_args!("{name}"));
        self.names.insert(name, var.pos_lit());
        var
    }

    fn group(&mut self, label: &str) {
        label.clone_into(&mut self.group);
    }
}
