//! Formulas whose variables have names: those that an encoder prints, and ours for comparison.
//!
//! Each clause has a place: a line of the encoder's output, or a group of our formula.

mod read;

pub use read::{BadFormula, parse};

use counterpoint_base::keyed::KeyedMap;
use counterpoint_base::suggest::nearest;
use counterpoint_encodings::{Cnf, Lit, Sink, Var};
use std::fmt;

/// The start of a message about what an encoder printed.
pub(crate) const OUTPUT: &str = "its output, ";

/// The start of a message about a variable that an encoder should have named.
const UNNAMED: &str = "no variable of the formula is called";

/// Whether the reason why an engine failed is a fault in an encoder's formula. Other reasons are, for example, that a
/// program cannot be started.
pub fn is_fault(reason: &str) -> bool {
    [OUTPUT, UNNAMED].iter().any(|start| reason.contains(start))
}

/// A formula in memory, with the names of its variables.
#[derive(Clone, Debug, Default)]
pub struct NamedFormula {
    cnf: Cnf,
    places: Vec<Place>,
    names: KeyedMap<String, Lit>,
    group: String,
}

/// The place of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
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

/// A formula has no variable of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{UNNAMED} '{name}'{}",
    nearest.as_ref().map_or(String::new(), |near| format!("; the most similar name is '{near}'"))
)]
pub struct NotNamed {
    /// The name that was looked for.
    pub name: String,
    /// The most similar name of a variable, if any is similar.
    pub nearest: Option<String>,
}

impl NamedFormula {
    /// Adds a clause with its place.
    pub fn clause_at(&mut self, lits: &[Lit], place: Place) {
        self.cnf.clause(lits);
        self.places.push(place);
    }

    /// All clauses.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        self.cnf.clauses()
    }

    /// The place of clause `i`, from 0.
    pub fn place(&self, i: usize) -> &Place {
        &self.places[i]
    }

    /// The positive literal of the variable of that name, if there is one.
    pub fn named(&self, name: &str) -> Option<Lit> {
        self.names.get(name).copied()
    }

    /// The positive literal of the variable of that name.
    ///
    /// # Errors
    /// Returns an error if no variable has that name. The message suggests the most similar name.
    pub fn expect(&self, name: &str) -> Result<Lit, NotNamed> {
        self.named(name).ok_or_else(|| {
            let near = nearest(name, self.cnf.names().iter().map(|(_, name)| name.as_str()));
            NotNamed { name: name.to_owned(), nearest: near.map(str::to_owned) }
        })
    }

    /// Writes the formula to `sink`, which must not have any variables yet, so that every variable keeps its number.
    pub fn write(&self, sink: &mut dyn Sink) {
        let mut names = self.cnf.names().iter().peekable();
        for index in 0..self.cnf.n_vars() {
            match names.next_if(|(var, _)| var.idx32() == index) {
                Some((_, name)) => sink.named_var(format_args!("{name}")),
                None => sink.new_var(),
            };
        }
        self.cnf.clauses().for_each(|clause| sink.clause(clause));
    }

    /// The variables that have names, with these names.
    pub fn names(&self) -> &[(Var, String)] {
        self.cnf.names()
    }
}

/// Our own formula is written through this trait. The place of each clause is the group that was named last.
impl Sink for NamedFormula {
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
