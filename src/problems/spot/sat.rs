//! The record step by step: can move m repeat, given that no earlier one does?
//!
//! One formula grows with the steps. Move m's question is asked under one assumption; then the
//! formula demands that move m repeats nothing. What holds at the end is a draw. A model that breaks
//! what its formula left out adds that, and the question is asked again.

use super::answer::{Answer, Finding};
use super::formula::endings::{self, Ended};
use super::formula::{self, Model, boards, image};
use super::{Instance, Move, Rules, Start};
use crate::engine::{Budget, Outcome, Unfinished};
use crate::solver::{self, Solver};
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink};

/// Decides any record that its formula serves.
pub fn solve(rules: &Rules, instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    let smudged = instance.first_unknown().is_some();
    let mut model = match formula::model(rules, instance, spec, budget) {
        Ok(Ok(model)) => model,
        Ok(Err(reason)) => return Outcome::Unsupported(reason),
        Err(limit) => return Outcome::GaveUp(limit, smudged.then_some(Answer::Smudged(findings))),
    };
    match decide(rules, instance, &mut *model, spec.solver(), &mut findings, budget) {
        Ok(Some(answer)) => Outcome::Decided(answer),
        Ok(None) if smudged => Outcome::Decided(Answer::Smudged(findings)),
        Ok(None) => Outcome::Unsupported("a move before the decisive one is illegal".to_owned()),
        Err(unfinished) => unfinished.outcome(smudged.then_some(Answer::Smudged(findings))),
    }
}

/// Fills in the findings, or returns early with a complete record's answer.
fn decide(
    rules: &Rules,
    instance: &Instance,
    model: &mut dyn Model,
    mut solver: Box<dyn Solver>,
    findings: &mut [Finding],
    budget: &mut Budget,
) -> Result<Option<Answer>, Unfinished> {
    let smudged = instance.first_unknown().is_some();
    for finding in findings.iter_mut().take(instance.record.len()) {
        model.step(&mut *solver);
        let repeat = model.repeat(&mut *solver);
        let (found, next) = completed(model, solver, &[repeat], budget)?;
        solver = next;
        *finding = match found {
            Some(moves) if !smudged => return Ok(repeated(rules, instance, &moves)),
            Some(moves) => Finding::Possible(moves),
            None => Finding::Refuted,
        };
        solver.clause(&[!repeat]);
        model.distinct(&mut *solver);
    }
    let (found, _) = completed(model, solver, &[], budget)?;
    let drawn = found.is_some();
    if let Some(last) = findings.last_mut() {
        *last = found.map_or(Finding::Refuted, Finding::Possible);
    }
    Ok((drawn && !smudged).then_some(Answer::Draw))
}

/// A completion of a record of unknown moves without a repeat, if there is one.
pub fn undecided(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<Option<Vec<Move>>> {
    let mut model = match formula::model(rules, instance, spec, budget) {
        Ok(Ok(model)) => model,
        Ok(Err(reason)) => return Outcome::Unsupported(reason),
        Err(limit) => return Outcome::GaveUp(limit, None),
    };
    let mut solver = spec.solver();
    formula::draw(instance, &mut *model, &mut *solver);
    completed(&mut *model, solver, &[], budget).map(|(moves, _)| moves).into()
}

/// The moves of a model, if there is any, and the solver again.
type Completed = (Option<Vec<Move>>, Box<dyn Solver>);

/// The moves of a model, if there is one under the assumption that breaks nothing left out.
fn completed(
    model: &mut dyn Model,
    mut solver: Box<dyn Solver>,
    assumed: &[Lit],
    budget: &mut Budget,
) -> Result<Completed, Unfinished> {
    loop {
        let (possible, next) = solver::step(solver, assumed, budget)?;
        solver = next;
        if !possible {
            return Ok((None, solver));
        }
        let moves = model.moves(&|lit| solver.value(lit));
        if model.refine(&moves, &mut *solver) == 0 {
            return Ok((Some(moves), solver));
        }
    }
}

/// The answer for a complete record whose last of these moves repeats.
fn repeated(rules: &Rules, instance: &Instance, moves: &[Move]) -> Option<Answer> {
    let (boards, mv) = (boards(instance, moves), moves.len());
    let first = if rules.start == Start::Counted { 0 } else { 1 };
    let pairs = (first..mv).flat_map(|i| rules.group.elements().into_iter().map(move |g| (i, g)));
    let mut equal = pairs.filter(|&(i, symmetry)| image(instance, &boards[i], symmetry) == boards[mv]);
    equal.next().map(|(earlier, symmetry)| Answer::Repeat { mv, earlier, symmetry })
}

/// The draw that a model of the base question shows; the sink takes the formula once more.
///
/// # Errors
/// As for the formula.
pub fn decode(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
    value: &dyn Fn(Lit) -> bool,
) -> Result<Answer, String> {
    let mut model = formula::unlimited(rules, instance, spec)?;
    formula::draw(instance, &mut *model, sink);
    Ok(drawn(instance, model.moves(value)))
}

/// The ending that a model of one of the questions shows; the sink takes their formula once more.
///
/// # Errors
/// As for the formula, and that the model is about no question.
pub fn decode_ending(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
    value: &dyn Fn(Lit) -> bool,
) -> Result<Answer, String> {
    let mut model = formula::unlimited(rules, instance, spec)?;
    let endings = endings::endings(instance, &mut *model, sink);
    let ended = endings::ended(&endings, value).ok_or("the model keeps to the assumptions of no question")?;
    let mut moves = model.moves(value);
    let Ended::Repeat(mv) = ended else { return Ok(drawn(instance, moves)) };
    moves.truncate(mv);
    if instance.first_unknown().is_none() {
        return repeated(rules, instance, &moves).ok_or(format!("move {mv} repeats none"));
    }
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    findings[mv - 1] = Finding::Possible(moves);
    Ok(Answer::Smudged(findings))
}

/// The answer that these moves, none of which repeats, are all of a record's.
fn drawn(instance: &Instance, moves: Vec<Move>) -> Answer {
    if instance.first_unknown().is_none() {
        return Answer::Draw;
    }
    let mut findings = vec![Finding::Open; instance.record.len()];
    findings.push(Finding::Possible(moves));
    Answer::Smudged(findings)
}
