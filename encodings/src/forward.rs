//! A trait for sinks that wrap another sink. It forwards all methods that the wrapper does not change.

use crate::sink::{self, Object};
use crate::{Linear, Relation, Sink};
use rustsat::types::{Lit, Var};
use std::fmt;

/// A sink that wraps another one. It passes on everything that it does not change.
///
/// An implementation names the inner sink and overrides the methods for what it changes. Every type that implements
/// this trait is a [`Sink`].
///
/// ```
/// use counterpoint_encodings::{AtMostOne, Cnf, Forward, Lit, Sink};
///
/// /// Adds constraints that must hold only if `condition` is true.
/// struct Conditional<'a> {
///     cnf: &'a mut Cnf,
///     condition: Lit,
/// }
///
/// impl Forward for Conditional<'_> {
///     type Inner = Cnf;
///     fn inner(&self) -> &Cnf {
///         self.cnf
///     }
///     fn inner_mut(&mut self) -> &mut Cnf {
///         self.cnf
///     }
///     fn guard(&self) -> Option<Lit> {
///         Some(self.condition)
///     }
/// }
///
/// let mut cnf = Cnf::default();
/// let [a, b, condition] = [(); 3].map(|()| cnf.new_var().pos_lit());
/// AtMostOne::Pairwise.at_most_one(&mut Conditional { cnf: &mut cnf, condition }, &[a, b]);
/// assert_eq!(cnf.clauses().next(), Some(&[!condition, !a, !b][..]));
/// ```
pub trait Forward {
    /// The type of the inner sink.
    type Inner: Sink + ?Sized;

    /// The inner sink.
    fn inner(&self) -> &Self::Inner;

    /// The inner sink, to add to it.
    fn inner_mut(&mut self) -> &mut Self::Inner;

    /// A guard (activation literal): its negation is added to each clause, so the constraints must hold only
    /// if the guard is true. `None` if there is no guard. If the inner sink supports linear constraints,
    /// guarded parity and linear constraints are passed on as linear constraints with the guard as a further
    /// term. If it does not, or if a number does not fit into 64 bits, they are passed on as clauses.
    fn guard(&self) -> Option<Lit> {
        None
    }

    /// Creates a variable with a name. Override this to change names.
    fn forward_named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.inner_mut().named_var(name)
    }

    /// Called after each clause, parity constraint or linear constraint that the inner sink received.
    fn constraint_added(&mut self) {}
}

impl<F: Forward + ?Sized> Sink for F {
    fn new_var(&mut self) -> Var {
        self.inner_mut().new_var()
    }

    fn n_vars(&self) -> u32 {
        self.inner().n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        match self.guard() {
            Some(guard) => self.inner_mut().clause(&[&[!guard], lits].concat()),
            None => self.inner_mut().clause(lits),
        }
        self.constraint_added();
    }

    fn xor(&mut self, lits: &[Lit], odd: bool) {
        if self.guard().is_some() {
            return sink::parity(&mut Object(self), lits, odd);
        }
        self.inner_mut().xor(lits, odd);
        self.constraint_added();
    }

    fn linear(&mut self, constraint: &Linear<'_>) {
        let Some(guard) = self.guard() else {
            self.inner_mut().linear(constraint);
            return self.constraint_added();
        };
        let guarded = self.supports_linear().then(|| constraint.guarded(guard)).flatten();
        let Some(guarded) = guarded else { return sink::linear(&mut Object(self), constraint) };
        for (terms, bound) in guarded {
            self.inner_mut().linear(&Linear { terms: &terms, relation: Relation::AtMost, bound });
            self.constraint_added();
        }
    }

    fn supports_linear(&self) -> bool {
        self.inner().supports_linear()
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.forward_named_var(name)
    }

    fn group(&mut self, label: &str) {
        self.inner_mut().group(label);
    }

    fn show(&mut self, vars: &[Var]) {
        self.inner_mut().show(vars);
    }
}
