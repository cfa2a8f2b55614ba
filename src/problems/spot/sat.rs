//! The record step by step: can move m repeat, given that no earlier one does?
//!
//! One formula grows with the steps. Move m's question is asked under one assumption; then the
//! formula demands that move m repeats nothing. What holds at the end is a draw.

use super::answer::{Answer, Finding};
use super::formula::{self, Toggles};
use super::{Instance, Rules};
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};
use crate::solver::{self, Solver};

/// Decides any record.
pub fn solve(rules: &Rules, instance: &Instance, choice: &Choice, budget: &mut Budget) -> Outcome<Answer> {
    if let Err(reason) = formula::supports(rules, instance, choice) {
        return Outcome::Unsupported(reason);
    }
    let Some(solver) = solver::new(choice.solver()) else {
        return Outcome::Unsupported(format!("no solver is called '{}'", choice.solver()));
    };
    let mut findings = vec![Finding::Open; instance.record.len() + 1];
    let smudged = instance.first_unknown().is_some();
    let model = Toggles::new(rules, instance, choice);
    match decide(instance, model, solver, &mut findings, budget) {
        Ok(Some(answer)) => Outcome::Decided(answer),
        Ok(None) if smudged => Outcome::Decided(Answer::Smudged(findings)),
        Ok(None) => Outcome::Unsupported("a move before the decisive one is illegal".to_owned()),
        Err(limit) => Outcome::GaveUp(limit, smudged.then_some(Answer::Smudged(findings))),
    }
}

/// Fills in the findings, or returns early with a complete record's answer.
fn decide(
    instance: &Instance,
    mut model: Toggles<'_>,
    mut solver: Box<dyn Solver>,
    findings: &mut [Finding],
    budget: &mut Budget,
) -> Result<Option<Answer>, Limit> {
    let smudged = instance.first_unknown().is_some();
    for (i, finding) in findings.iter_mut().enumerate().take(instance.record.len()) {
        model.step(&mut *solver);
        let repeat = model.repeat(&mut *solver);
        let (possible, next) = solver::step(solver, &[repeat.lit], budget)?;
        solver = next;
        *finding = Finding::Refuted;
        if possible && !smudged {
            let way = repeat.ways.iter().find(|(.., same)| solver.value(*same));
            return Ok(way.map(|&(earlier, symmetry, _)| Answer::Repeat { mv: i + 1, earlier, symmetry }));
        }
        if possible {
            *finding = Finding::Possible(model.moves(|lit| solver.value(lit)));
        }
        solver.clause(&[!repeat.lit]);
        model.distinct(&mut *solver);
    }
    let (possible, solver) = solver::step(solver, &[], budget)?;
    let draw =
        if possible { Finding::Possible(model.moves(|lit| solver.value(lit))) } else { Finding::Refuted };
    if let Some(last) = findings.last_mut() {
        *last = draw;
    }
    Ok((possible && !smudged).then_some(Answer::Draw))
}
