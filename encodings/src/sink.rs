//! The trait through which solvers, file writers and counters receive a formula, and two sinks: a formula in memory and
//! a counter.
//!
//! `Sink` is object safe and borrows each clause. RustSAT's `CollectClauses` takes owned clauses and has no names,
//! parity constraints or linear constraints.

use crate::clauses;
use crate::linear::Linear;
use crate::{cut, native, watchdog};
use rustsat::types::{Lit, Var};
use std::fmt;

/// Receives variables and constraints in the order in which an encoder creates them.
///
/// A solver or a file format that supports parity constraints overrides [`xor`](Sink::xor). One that supports linear
/// constraints overrides [`linear`](Sink::linear) and [`supports_linear`](Sink::supports_linear). Other sinks receive
/// such constraints as clauses. A sink that wraps another one implements [`Forward`](crate::Forward) instead.
pub trait Sink {
    /// Creates a variable. Variables are numbered from 0 without gaps.
    fn new_var(&mut self) -> Var;

    /// Number of variables created so far; their indices are `0..n_vars()`.
    fn n_vars(&self) -> u32;

    /// Adds a clause. The empty clause makes the formula unsatisfiable.
    fn clause(&mut self, lits: &[Lit]);

    /// Adds a parity constraint: an odd (`odd`) or even number of `lits` is true. The variables of `lits` must be
    /// distinct.
    ///
    /// By default, it becomes a linear constraint if the sink supports these. Otherwise, it becomes the clauses of
    /// [`Parity::DEFAULT`](crate::Parity::DEFAULT).
    fn xor(&mut self, lits: &[Lit], odd: bool) {
        parity(&mut Object(self), lits, odd);
    }

    /// Adds a linear constraint.
    ///
    /// By default, it becomes the clauses of [`Linear::encode`].
    fn linear(&mut self, constraint: &Linear<'_>) {
        linear(&mut Object(self), constraint);
    }

    /// Whether [`linear`](Sink::linear) keeps a constraint instead of turning it into clauses. If so, at-most-one
    /// constraints, counts and parities arrive as linear constraints, whatever encoding was chosen for them.
    fn supports_linear(&self) -> bool {
        false
    }

    /// Creates a variable. The name says what the variable means. Sinks that do not store names ignore it.
    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let _ = name;
        self.new_var()
    }

    /// Names the group of constraints to which the following constraints belong.
    fn group(&mut self, label: &str) {
        let _ = label;
    }

    /// Adds variables to the projection set for model counting: models that agree on this set are counted as one. Even
    /// a call with an empty slice declares a projection set; if the set stays empty, all models are counted as one.
    /// Without any call, models are not projected. Only sinks that write for model counters use the set.
    fn show(&mut self, vars: &[Var]) {
        let _ = vars;
    }
}

impl<S: Sink + ?Sized> clauses::Clauses for S {
    fn new_var(&mut self) -> Var {
        Sink::new_var(self)
    }

    fn clause(&mut self, lits: &[Lit]) {
        Sink::clause(self, lits);
    }

    fn linear(&mut self, constraint: &Linear<'_>) {
        Sink::linear(self, constraint);
    }

    fn supports_linear(&self) -> bool {
        Sink::supports_linear(self)
    }
}

/// A sink of any type, sized, so that [`Sink`]'s default methods can pass themselves on as `&mut dyn Clauses`. The
/// encoders that they call are then compiled once, not once for each type of sink.
pub(crate) struct Object<'a, S: ?Sized>(pub(crate) &'a mut S);

impl<S: Sink + ?Sized> clauses::Clauses for Object<'_, S> {
    fn new_var(&mut self) -> Var {
        self.0.new_var()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.0.clause(lits);
    }

    fn linear(&mut self, constraint: &Linear<'_>) {
        self.0.linear(constraint);
    }

    fn supports_linear(&self) -> bool {
        self.0.supports_linear()
    }
}

/// Writes a parity constraint as [`Sink::xor`] does by default.
pub(crate) fn parity(sink: &mut dyn clauses::Clauses, lits: &[Lit], odd: bool) {
    match sink.supports_linear() {
        true => native::parity(sink, lits, odd),
        false => cut::encode(sink, lits, odd, cut::DEFAULT_PIECE),
    }
}

/// Writes a linear constraint as [`Sink::linear`] does by default.
pub(crate) fn linear(sink: &mut dyn clauses::Clauses, constraint: &Linear<'_>) {
    watchdog::encode(sink, constraint);
}

impl Linear<'_> {
    /// Writes the constraint as clauses, even if the sink supports linear constraints.
    ///
    /// If the weights are equal, the encoding is a [totalizer](crate::Cardinality::Totalizer). Different weights are
    /// added by the polynomial watchdog of Bailleux, Boufkhad and Roussel (SAT 2009). For n literals and weights of b
    /// bits, the watchdog needs O(b n log n) variables and O(b n²) clauses. Unit propagation detects that an upper
    /// bound is exceeded. It finds all implied literals only if the weights are equal. The new variables are not
    /// determined by the literals.
    ///
    /// A lower bound becomes an upper bound on the negated literals. An equation becomes both bounds, or a single count
    /// if the weights are equal. A constraint that is always true adds nothing; one that is always false adds the empty
    /// clause.
    pub fn encode(&self, sink: &mut dyn Sink) {
        watchdog::encode(sink, self);
    }
}

/// A sink that also receives soft clauses: a model is optimal if the total weight of the soft clauses that it violates
/// is minimal.
pub trait SoftSink: Sink {
    /// Adds a clause whose violation costs `weight`, at least 1.
    fn soft(&mut self, lits: &[Lit], weight: u64);
}

/// A formula in memory, with the names of its variables and its groups.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    n_vars: u32,
    lits: Vec<Lit>,
    /// Clause `i` is `lits[ends[i - 1]..ends[i]]`; the first one starts at 0.
    ends: Vec<usize>,
    names: Vec<(Var, String)>,
    groups: Vec<(String, usize)>,
}

impl Cnf {
    /// The clauses in the order in which they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        (0..self.ends.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.lits[start..self.ends[i]]
        })
    }

    /// The variables that have names, with their names, in ascending order.
    pub fn names(&self) -> &[(Var, String)] {
        &self.names
    }

    /// The label of each group with the index of its first clause.
    pub fn groups(&self) -> &[(String, usize)] {
        &self.groups
    }
}

impl Sink for Cnf {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let var = self.new_var();
        self.names.push((var, name.to_string()));
        var
    }

    fn group(&mut self, label: &str) {
        self.groups.push((label.to_owned(), self.ends.len()));
    }
}

/// Counts variables, clauses and literals by group, and stores no clauses.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    n_vars: u32,
    rows: Vec<TallyRow>,
}

/// The size of one group of constraints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TallyRow {
    /// The label given to [`Sink::group`]; empty before the first call.
    pub label: String,
    /// Number of variables created in the group.
    pub vars: u64,
    /// Number of clauses.
    pub clauses: u64,
    /// Number of literals in these clauses.
    pub lits: u64,
}

impl Tally {
    /// One row per group, in the order in which the groups were last named.
    pub fn rows(&self) -> &[TallyRow] {
        &self.rows
    }

    /// Number of clauses in all groups.
    pub fn n_clauses(&self) -> u64 {
        self.rows.iter().map(|r| r.clauses).sum()
    }

    fn current(&mut self) -> &mut TallyRow {
        if self.rows.is_empty() {
            self.rows.push(TallyRow::default());
        }
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }
}

impl Sink for Tally {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        self.current().vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        let row = self.current();
        row.clauses += 1;
        row.lits += lits.len() as u64;
    }

    fn group(&mut self, label: &str) {
        // The current group is always the last row, so the row of a repeated label moves there.
        let row = match self.rows.iter().position(|r| r.label == label) {
            Some(i) => self.rows.remove(i),
            None => TallyRow { label: label.to_owned(), ..TallyRow::default() },
        };
        self.rows.push(row);
    }
}
