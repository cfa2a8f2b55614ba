//! Solves a record incrementally: can move m be the first repeat?
//!
//! For each move in turn:
//! 1. Extend the formula by the move.
//! 2. Solve under the assumption that the move is a repeat. Some encodings write the ways in which the move
//!    can be a repeat part by part. Then solve after each part, until there is a model. If there is no such
//!    way, the ending is refuted without a call.
//! 3. Require that the move is not a repeat.
//!
//! At the end, the models of the formula are the completions without a repeat. With a lazy encoding, a model may
//! violate constraints that were left out. These are added, and the same question is asked again (counterexample-guided
//! refinement).

pub mod named;

use super::answer::{Answer, Finding};
use super::formula::endings::{self, Ended};
use super::formula::{self, Encoder, NoEncoder, boards, image};
use super::{Instance, Move, Rules, Start};
use counterpoint_core::engine::{Budget, Outcome, Unfinished};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::solver::{self, Solver};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink};

/// Decides any record that the encoding supports.
pub fn solve(rules: &Rules, instance: &Instance, spec: &EngineSpec, budget: &mut Budget) -> Outcome<Answer> {
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    let smudged = instance.first_unknown().is_some();
    let mut encoder = match formula::encoder(rules, instance, spec, budget) {
        Ok(encoder) => encoder,
        Err(NoEncoder::Unsupported(reason)) => return Outcome::Unsupported(reason),
        Err(NoEncoder::Limit(limit)) => {
            return Outcome::GaveUp(limit, smudged.then_some(Answer::Smudged(findings)));
        }
    };
    match decide(rules, instance, &mut *encoder, spec.solver(), &mut findings, budget) {
        Ok(Some(answer)) => Outcome::Decided(answer),
        Ok(None) if smudged => Outcome::Decided(Answer::Smudged(findings)),
        Ok(None) => Outcome::Unsupported("a move before the decisive one is illegal".into()),
        Err(unfinished) => unfinished.outcome(smudged.then_some(Answer::Smudged(findings))),
    }
}

/// For a smudged record, fills in the findings and returns `None`. For a complete record, returns the answer, or `None`
/// if a move before the decisive one is illegal.
fn decide(
    rules: &Rules,
    instance: &Instance,
    encoder: &mut dyn Encoder,
    mut solver: Box<dyn Solver>,
    findings: &mut [Finding],
    budget: &mut Budget,
) -> Result<Option<Answer>, Unfinished> {
    let smudged = instance.first_unknown().is_some();
    for finding in findings.iter_mut().take(instance.record.len()) {
        encoder.step(&mut *solver);
        let mut found = None;
        while found.is_none()
            && let Some(repeat) = encoder.next_repeat(&mut *solver)
        {
            let solved = solve_and_refine(encoder, solver, &[repeat], budget)?;
            (solver, found) = (solved.solver, solved.moves);
            solver.clause(&[!repeat]);
        }
        *finding = match found {
            Some(moves) if !smudged => return Ok(repeated(rules, instance, &moves)),
            Some(moves) => Finding::Possible(moves),
            None => Finding::Refuted,
        };
        encoder.distinct(&mut *solver);
    }
    let found = solve_and_refine(encoder, solver, &[], budget)?.moves;
    let drawn = found.is_some();
    if let Some(last) = findings.last_mut() {
        *last = found.map_or(Finding::Refuted, Finding::Possible);
    }
    Ok((drawn && !smudged).then_some(Answer::Draw))
}

/// Finds a completion that has no repeat, if the record has such a completion.
pub fn find_draw(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<Option<Vec<Move>>> {
    let mut encoder = match formula::encoder(rules, instance, spec, budget) {
        Ok(encoder) => encoder,
        Err(NoEncoder::Unsupported(reason)) => return Outcome::Unsupported(reason),
        Err(NoEncoder::Limit(limit)) => return Outcome::GaveUp(limit, None),
    };
    let mut solver = spec.solver();
    formula::draw(instance, &mut *encoder, &mut *solver);
    solve_and_refine(&mut *encoder, solver, &[], budget).map(|solved| solved.moves).into()
}

/// The result of [`solve_and_refine`].
struct Solved {
    /// The moves of a model; `None` if the formula is unsatisfiable.
    moves: Option<Vec<Move>>,
    /// The solver, for the next question.
    solver: Box<dyn Solver>,
}

/// Solves under assumptions, and refines the formula until it has no model or a model violates no constraint that was
/// left out.
fn solve_and_refine(
    encoder: &mut dyn Encoder,
    mut solver: Box<dyn Solver>,
    assumed: &[Lit],
    budget: &mut Budget,
) -> Result<Solved, Unfinished> {
    loop {
        let (possible, next) = solver::step(solver, assumed, budget)?;
        solver = next;
        if !possible {
            return Ok(Solved { moves: None, solver });
        }
        let moves = encoder.moves(&|lit| solver.value(lit));
        if encoder.refine(&moves, &mut *solver) == 0 {
            return Ok(Solved { moves: Some(moves), solver });
        }
    }
}

/// The answer for a complete record whose first repeat is the last of these moves; `None` if this move is not a repeat.
fn repeated(rules: &Rules, instance: &Instance, moves: &[Move]) -> Option<Answer> {
    let (boards, mv) = (boards(instance, moves), moves.len());
    let first = if rules.start == Start::Counted { 0 } else { 1 };
    let pairs = (first..mv).flat_map(|i| rules.group.elements().into_iter().map(move |g| (i, g)));
    let mut equal = pairs.filter(|&(i, symmetry)| image(instance, &boards[i], symmetry) == boards[mv]);
    equal.next().map(|(earlier, symmetry)| Answer::Repeat { mv, earlier, symmetry })
}

/// Reads a completion without a repeat from a model of the formula that [`formula::write`] writes. The formula is
/// written to the sink again, because this creates the variables.
///
/// # Errors
/// Returns why the encoding does not support the record.
pub fn decode(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
    value: &dyn Fn(Lit) -> bool,
) -> Result<Answer, Unsupported> {
    let mut encoder = formula::unlimited_encoder(rules, instance, spec)?;
    formula::draw(instance, &mut *encoder, sink);
    Ok(drawn(instance, encoder.moves(value)))
}

/// Reads an ending from a model of one of the questions. The formula that all questions share is written to the sink
/// again, because this creates the variables.
///
/// # Errors
/// Returns an error if the encoding does not support the record, or the model answers none of the questions.
pub fn decode_ending(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
    value: &dyn Fn(Lit) -> bool,
) -> Result<Answer, Unsupported> {
    let mut encoder = formula::unlimited_encoder(rules, instance, spec)?;
    let endings = endings::endings(instance, &mut *encoder, sink);
    let ended =
        endings::ended(&endings, value).ok_or("the model satisfies the assumptions of no question")?;
    let mut moves = encoder.moves(value);
    let Ended::Repeat(mv) = ended else { return Ok(drawn(instance, moves)) };
    moves.truncate(mv);
    if instance.first_unknown().is_none() {
        return repeated(rules, instance, &moves).ok_or_else(|| format!("move {mv} is not a repeat").into());
    }
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    findings[mv - 1] = Finding::Possible(moves);
    Ok(Answer::Smudged(findings))
}

/// The answer for a record that has this completion without a repeat: a draw if the record is complete, otherwise
/// findings that are all open except that of the draw.
fn drawn(instance: &Instance, moves: Vec<Move>) -> Answer {
    if instance.first_unknown().is_none() {
        return Answer::Draw;
    }
    let mut findings = vec![Finding::Open; instance.record.len()];
    findings.push(Finding::Possible(moves));
    Answer::Smudged(findings)
}
