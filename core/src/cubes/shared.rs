//! The variables that an engine's formula shares with the checker's plain formula. Cubes are made of these, because a
//! cube must mean the same in both.

use crate::proof::Formula;
use counterpoint_encodings::{Cnf, Lit, Sink, Var};
use rustc_hash::FxHashMap;

/// No variable of an engine's formula occurs in the plain formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the formula of {engine} has no variable in common with the checker's plain formula, so its cubes would mean nothing \
     there; use another encoding"
)]
pub struct NothingShared {
    /// The engine's id.
    pub engine: String,
}

/// Pairs of variables that mean the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// For each variable of the engine's formula, by index, the plain formula's variable; 0 if there is none.
    plain: Vec<i32>,
    /// For each shared variable of the plain formula, the engine's variable.
    own: FxHashMap<i32, i32>,
}

impl Shared {
    /// All variables, if the engine solves the plain formula itself.
    pub fn all(plain: &Formula) -> Self {
        Shared::of((1..=plain.n_vars()).collect())
    }

    /// The variables that have the same names in both formulas.
    pub fn by_name(encoding: &Cnf, plain: &Formula) -> Self {
        let plain: FxHashMap<&str, i32> = plain.names().map(|(var, name)| (name, var)).collect();
        let mut found = vec![0; encoding.n_vars() as usize];
        for (var, name) in encoding.names() {
            found[var.idx()] = plain.get(name.as_str()).copied().unwrap_or(0);
        }
        Shared::of(found)
    }

    fn of(plain: Vec<i32>) -> Self {
        let own = (1..).zip(&plain).filter(|(_, plain)| **plain != 0).map(|(own, &plain)| (plain, own));
        Shared { own: own.collect(), plain }
    }

    /// The shared variables of the engine's formula, ascending.
    pub fn candidates(&self) -> Vec<i32> {
        (1..).zip(&self.plain).filter(|(_, plain)| **plain != 0).map(|(own, _)| own).collect()
    }

    /// A literal of the engine's formula as one of the plain formula; `None` if its variable is not shared.
    pub fn to_plain(&self, lit: i32) -> Option<i32> {
        let plain = *self.plain.get(lit.unsigned_abs().checked_sub(1)? as usize)?;
        (plain != 0).then_some(plain * lit.signum())
    }

    /// A literal of the plain formula as one of the engine's formula; `None` if its variable is not shared.
    pub fn to_own(&self, lit: i32) -> Option<i32> {
        self.own.get(&lit.abs()).map(|own| own * lit.signum())
    }
}

/// A DIMACS literal as a literal of an encoding.
pub fn literal(lit: i32) -> Lit {
    Var::new(lit.unsigned_abs() - 1).lit(lit < 0)
}

/// The clauses of an encoding as a formula with DIMACS literals.
pub fn clauses_of(encoding: &Cnf) -> Formula {
    let mut formula = Formula::new();
    formula.vars(encoding.n_vars() as usize);
    encoding.clauses().for_each(|clause| formula.clause(clause.iter().map(|lit| lit.to_ipasir())));
    formula
}
