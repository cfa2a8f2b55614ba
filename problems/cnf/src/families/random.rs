//! Random k-SAT, without and with a hidden model.

use super::{MAX_LITERALS, bounded, new_vars};
use crate::Formula;
use chacha20::ChaCha8Rng;
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params};
use counterpoint_encodings::{Lit, Sink};
use itertools::Itertools;
use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;

/// Parameters of [`random`] and [`planted`]: there are `m` clauses or, if that is 0, `ratio`·`n`, rounded.
pub(super) const PARAMS: &[Param] = &[
    Param::number("n", 50.0, 1.0, 1e6),
    Param::number("k", 3.0, 1.0, 32.0),
    Param::number("ratio", 4.26, 0.0, 1e4),
    Param::number("m", 0.0, 0.0, MAX_LITERALS as f64),
];

/// Distinct random clauses of k distinct variables, uniform over all such sets of clauses. The formula may be
/// satisfiable or not.
pub(super) fn random(params: &Params, rng: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    formula(params, None, rng)
}

/// Like [`random`], but uniform over the sets of clauses that a random assignment satisfies, so the formula is
/// satisfiable.
pub(super) fn planted(params: &Params, rng: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    let hidden: Vec<bool> = (0..params.whole("n")).map(|_| rng.random()).collect();
    formula(params, Some(&hidden), rng)
}

fn formula(params: &Params, hidden: Option<&[bool]>, rng: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    let [n, k] = ["n", "k"].map(|key| params.whole(key));
    let m = match params.whole("m") {
        0 => (params.real("ratio") * f64::from(n)).round() as u64,
        m => u64::from(m),
    };
    if k > n {
        return Err(format!("a clause of k={k} variables needs n={k} or more, not n={n}").into());
    }
    bounded(n.into(), m, m * u64::from(k))?;
    let signs = (1u64 << k) - u64::from(hidden.is_some());
    let all = (0..u64::from(k)).try_fold(1u64, |c, i| Some(c.checked_mul(u64::from(n) - i)? / (i + 1)));
    let all = all.and_then(|all| all.checked_mul(signs));
    if let Some(all) = all.filter(|all| *all < m) {
        return Err(format!("there are only {all} such clauses, not {m}").into());
    }
    let is_allowed =
        |clause: &[Lit]| hidden.is_none_or(|hidden| clause.iter().any(|l| hidden[l.vidx()] == l.is_pos()));
    let mut formula = Formula::default();
    new_vars(&mut formula.cnf, n);
    if all.is_some_and(|all| all / 2 <= m) {
        // The formula contains so many of the possible clauses that it is faster to list all of them.
        let signed = |vars: Vec<u32>| {
            let lits = move |signs: u64| {
                vars.iter().enumerate().map(|(i, v)| Lit::new(*v, signs >> i & 1 == 1)).collect()
            };
            (0..1u64 << k).map(lits)
        };
        let clauses = (0..n).combinations(k as usize).flat_map(signed);
        let mut clauses: Vec<Vec<Lit>> = clauses.filter(|clause: &Vec<Lit>| is_allowed(clause)).collect();
        let (chosen, _) = clauses.partial_shuffle(rng, m as usize);
        chosen.iter().for_each(|clause| formula.cnf.clause(clause));
        return Ok(formula);
    }
    let mut found = FxHashSet::default();
    while (found.len() as u64) < m {
        let clause: Box<[Lit]> =
            subset(n, k, rng).into_iter().map(|var| Lit::new(var, rng.random())).collect();
        if is_allowed(&clause) && !found.contains(&clause) {
            formula.cnf.clause(&clause);
            found.insert(clause);
        }
    }
    Ok(formula)
}

/// A random set of k numbers below n, sorted (Floyd's algorithm).
fn subset(n: u32, k: u32, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut chosen = Vec::with_capacity(k as usize);
    for last in n - k..n {
        let drawn = rng.random_range(0..=last);
        chosen.push(if chosen.contains(&drawn) { last } else { drawn });
    }
    chosen.sort_unstable();
    chosen
}
