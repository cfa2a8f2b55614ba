//! Forged proofs in the formats DRAT and LRAT. Each trick is applied to a proof of a formula without models, and the
//! result is checked against the formula with one clause changed, so that it has a model: no trick may help.

use crate::formulas::{
    Clause, Hinted, Refuted, Step, drat_bytes, drat_text, formula, is_satisfiable, lrat_bytes, lrat_text,
    random_clause, random_refuted, with_hints,
};
use crate::tally::Tally;
use chacha20::ChaCha8Rng;
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::proof::{Drat, Lrat, Obligation, Refutation};
use rand::RngExt;
use rand::seq::SliceRandom;

pub(crate) const NO_MODEL: &str = "the formula has no model";

/// What the checker says about a formula and a proof.
pub(crate) fn check(n: i32, clauses: &[Clause], refutation: Refutation) -> Vec<Claim> {
    let obligation = Obligation::new(NO_MODEL, clauses.len(), || formula(n, clauses));
    let status = obligation.status(refutation, &Budget::unlimited().stop());
    vec![Claim::new(NO_MODEL, status)]
}

/// The formula with one clause changed, removed, or replaced by another one.
pub(crate) fn changed(refuted: &Refuted, rng: &mut ChaCha8Rng) -> Vec<Clause> {
    let mut clauses = refuted.clauses.clone();
    let at = rng.random_range(0..clauses.len());
    let lit = rng.random_range(0..clauses[at].len());
    match rng.random_range(0..4) {
        0 => drop(clauses.remove(at)),
        1 => clauses[at][lit] = -clauses[at][lit],
        2 => {
            let more = random_clause(refuted.n, rng);
            clauses[at].push(more[0]);
        }
        _ => clauses[at] = random_clause(refuted.n, rng),
    }
    clauses
}

/// A step of the genuine proof, a clause of the genuine formula, or a random clause.
fn some_clause(refuted: &Refuted, rng: &mut ChaCha8Rng) -> Clause {
    match rng.random_range(0..3) {
        0 => refuted.clauses[rng.random_range(0..refuted.clauses.len())].clone(),
        1 => refuted.proof[rng.random_range(0..refuted.proof.len())].clone(),
        _ => random_clause(refuted.n, rng),
    }
}

type Trick = fn(&Refuted, &mut Vec<Step>, &mut ChaCha8Rng);

/// Applies a trick to genuine DRAT proofs, as text or binary. The tricks are applied once or twice.
fn drat(how: &'static str, trick: Trick) {
    let mut tally = Tally::of("proofs, DRAT", NO_MODEL, how);
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let refuted = random_refuted(rng);
        let clauses = changed(&refuted, rng);
        if is_satisfiable(refuted.n, &clauses) {
            let mut steps: Vec<Step> = refuted.proof.iter().cloned().map(Step::Add).collect();
            (0..rng.random_range(1..=2)).for_each(|_| trick(&refuted, &mut steps, rng));
            // The last step is always the empty clause.
            if steps.last() != Some(&Step::Add(Vec::new())) {
                steps.push(Step::Add(Vec::new()));
            }
            let bytes =
                if rng.random_bool(0.5) { drat_bytes(&steps) } else { drat_text(&steps).into_bytes() };
            let forgery = format!("{clauses:?} {steps:?}");
            tally.is_false(&forgery, || Ok(check(refuted.n, &clauses, Drat(bytes).into())));
        } else {
            tally.still_true();
        }
    }
}

fn insert(steps: &mut Vec<Step>, step: Step, rng: &mut ChaCha8Rng) -> usize {
    let at = rng.random_range(0..=steps.len());
    steps.insert(at, step);
    at
}

#[test]
fn drat_deletes_units_and_other_clauses() {
    drat("deletes unit and other clauses", |refuted, steps, rng| {
        let clause = match rng.random_bool(0.5) {
            true => vec![if rng.random_bool(0.5) { 1 } else { -1 } * rng.random_range(1..=refuted.n)],
            false => some_clause(refuted, rng),
        };
        let at = insert(steps, Step::Delete(clause.clone()), rng);
        if rng.random_bool(0.5) {
            steps.insert(at, Step::Add(clause));
        }
    });
}

/// New variables are defined, once by the three clauses of a definition, and once by clauses that contradict them.
#[test]
fn drat_defines_variables_twice() {
    drat("defines a new variable wrongly", |refuted, steps, rng| {
        let new = refuted.n + rng.random_range(1..=3);
        let (a, b) = (random_clause(refuted.n, rng)[0], random_clause(refuted.n, rng)[0]);
        let mut definition = vec![vec![new, -a, -b], vec![-new, a], vec![-new, b]];
        let lit = rng.random_range(0..3);
        match rng.random_range(0..4) {
            0 => definition[lit].rotate_left(1),
            1 => definition[lit] = definition[lit].iter().map(|lit| -lit).collect(),
            2 => definition.push(vec![if rng.random_bool(0.5) { new } else { -new }]),
            _ => definition[lit].truncate(1),
        }
        definition.shuffle(rng);
        let at = rng.random_range(0..=steps.len());
        steps.splice(at..at, definition.into_iter().map(Step::Add));
    });
}

#[test]
fn drat_claims_rat_on_used_variables() {
    drat("RAT on a used variable", |refuted, steps, rng| {
        let mut clause = some_clause(refuted, rng);
        clause.shuffle(rng);
        if rng.random_bool(0.5) {
            clause.truncate(1);
        }
        insert(steps, Step::Add(clause), rng);
    });
}

#[test]
fn drat_adds_tautologies_and_duplicate_literals() {
    drat("tautologies and duplicate literals", |refuted, steps, rng| {
        let at = rng.random_range(0..steps.len());
        let new = some_clause(refuted, rng);
        if let Step::Add(clause) = &mut steps[at] {
            let first = clause.first().or(new.first()).copied().unwrap_or(1);
            match rng.random_range(0..3) {
                0 => clause.insert(0, -first),
                1 => clause.push(first),
                _ => clause.splice(0..0, [first, -first]).for_each(drop),
            }
        }
        let lit = rng.random_range(1..=refuted.n);
        let mut tautology = [vec![lit, -lit], new].concat();
        tautology.shuffle(rng);
        insert(steps, Step::Add(tautology.clone()), rng);
        if rng.random_bool(0.3) {
            insert(steps, Step::Delete(tautology), rng);
        }
    });
}

#[test]
fn drat_uses_clauses_of_another_formula() {
    drat("clauses of another formula", |refuted, steps, rng| {
        let other = random_refuted(rng);
        let (from, at) =
            (if rng.random_bool(0.5) { refuted } else { &other }, rng.random_range(0..=steps.len()));
        let count = rng.random_range(1..=from.clauses.len());
        steps.splice(at..at, from.clauses[..count].iter().cloned().map(Step::Add));
    });
}

#[test]
fn drat_drops_swaps_and_changes_steps() {
    drat("steps dropped, swapped, changed", |refuted, steps, rng| {
        let (at, other) = (rng.random_range(0..steps.len()), rng.random_range(0..steps.len()));
        match rng.random_range(0..4) {
            0 if steps.len() > 1 => drop(steps.remove(at)),
            1 => steps.swap(at, other),
            2 => steps[at] = Step::Add(some_clause(refuted, rng)),
            _ => {
                let (Step::Add(clause) | Step::Delete(clause)) = &mut steps[at];
                clause.pop();
            }
        }
    });
}

type HintedTrick = fn(&Refuted, &mut Vec<Hinted>, &mut ChaCha8Rng);

/// Like [`drat`], for LRAT. The hints are those of the genuine formula or, half the time, found for the changed one.
fn lrat(how: &'static str, trick: HintedTrick) {
    let mut tally = Tally::of("proofs, LRAT", NO_MODEL, how);
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let refuted = random_refuted(rng);
        let clauses = changed(&refuted, rng);
        if is_satisfiable(refuted.n, &clauses) {
            let of = if rng.random_bool(0.5) { &refuted.clauses } else { &clauses };
            let mut steps = with_hints(of, &refuted.proof);
            (0..rng.random_range(1..=2)).for_each(|_| trick(&refuted, &mut steps, rng));
            let bytes =
                if rng.random_bool(0.5) { lrat_bytes(&steps) } else { lrat_text(&steps).into_bytes() };
            let forgery = format!("{clauses:?} {steps:?}");
            tally.is_false(&forgery, || Ok(check(refuted.n, &clauses, Lrat(bytes).into())));
        } else {
            tally.still_true();
        }
    }
}

/// The number of a clause of the formula or of the proof, or one that is not yet used.
fn some_id(refuted: &Refuted, rng: &mut ChaCha8Rng) -> i64 {
    rng.random_range(1..=(refuted.clauses.len() + refuted.proof.len()) as i64 + 1)
}

/// The hints of a random step; empty if it deletes clauses.
fn some_hints<'a>(steps: &'a mut [Hinted], rng: &mut ChaCha8Rng) -> Option<&'a mut Vec<i64>> {
    let at = rng.random_range(0..steps.len());
    match &mut steps[at] {
        Hinted::Add { hints, .. } => Some(hints),
        Hinted::Delete { .. } => None,
    }
}

#[test]
fn lrat_uses_numbers_twice() {
    lrat("numbers used twice", |refuted, steps, rng| {
        let (at, used) = (rng.random_range(0..steps.len()), some_id(refuted, rng));
        if let Hinted::Add { id, .. } = &mut steps[at] {
            *id = used;
        }
        // Half the time, the number is free again.
        if rng.random_bool(0.5) {
            steps.insert(at, Hinted::Delete { at: used, ids: vec![used] });
        }
    });
}

#[test]
fn lrat_deletes_clauses_that_are_used_later() {
    lrat("deletes clauses used later", |refuted, steps, rng| {
        let ids = (0..rng.random_range(1..=3)).map(|_| some_id(refuted, rng)).collect();
        let at = rng.random_range(0..=steps.len());
        steps.insert(at, Hinted::Delete { at: at as i64, ids });
    });
}

#[test]
fn lrat_reorders_and_changes_hints() {
    lrat("hints reordered, changed", |refuted, steps, rng| {
        let id = some_id(refuted, rng);
        let Some(hints) = some_hints(steps, rng) else { return };
        match rng.random_range(0..5) {
            0 => hints.reverse(),
            1 => hints.shuffle(rng),
            2 => hints.insert(rng.random_range(0..=hints.len()), id),
            3 => drop(hints.pop()),
            _ => hints.iter_mut().for_each(|hint| *hint = if rng.random_bool(0.3) { id } else { *hint }),
        }
    });
}

#[test]
fn lrat_claims_rat() {
    lrat("RAT on used and new variables", |refuted, steps, rng| {
        let at = rng.random_range(0..=steps.len());
        let mut lits = some_clause(refuted, rng);
        if rng.random_bool(0.5) {
            let new = refuted.n + rng.random_range(1..=2);
            lits.insert(0, if rng.random_bool(0.5) { new } else { -new });
        }
        lits.shuffle(rng);
        lits.truncate(rng.random_range(0..=lits.len()));
        let hints = (0..rng.random_range(0..=3)).map(|_| {
            let id = some_id(refuted, rng);
            if rng.random_bool(0.7) { -id } else { id }
        });
        let hints = hints.collect();
        let id = 100 + rng.random_range(0..3);
        steps.insert(at, Hinted::Add { id, lits, hints });
        if let Some(hints) = some_hints(steps, rng) {
            hints.insert(0, id);
        }
    });
}

#[test]
fn lrat_changes_literals_and_steps() {
    lrat("literals changed, steps swapped", |refuted, steps, rng| {
        let (at, other) = (rng.random_range(0..steps.len()), rng.random_range(0..steps.len()));
        let new = some_clause(refuted, rng);
        if rng.random_bool(0.2) {
            steps.swap(at, other);
        }
        let Hinted::Add { lits, .. } = &mut steps[at] else { return };
        match rng.random_range(0..4) {
            0 => drop(lits.pop()),
            1 => lits.extend(new.first().map(|lit| -lit)),
            2 => lits.extend(lits.first().map(|lit| -lit)),
            _ => *lits = new,
        }
    });
}
