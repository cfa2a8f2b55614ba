//! What an encoder needs from a sink: new variables, and a place for clauses and linear constraints.

use crate::linear::Linear;
use rustsat::types::{Lit, Var};

/// The part of [`Sink`](crate::Sink) that encoders use; every sink has it.
///
/// `Sink`'s default methods call encoders. Those encoders are written against this trait, so that they do not depend
/// on `Sink` in turn.
pub(crate) trait Clauses {
    fn new_var(&mut self) -> Var;
    fn clause(&mut self, lits: &[Lit]);
    fn linear(&mut self, constraint: &Linear<'_>);
    fn supports_linear(&self) -> bool;
}
