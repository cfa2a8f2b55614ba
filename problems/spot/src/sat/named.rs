//! Decides whether a record can be completed without a repeat, by the formula that an encoder printed for it.
//!
//! The models of the formula are the completions without a repeat. So for a smudged record, the formula decides whether
//! a draw is possible; the other endings stay open. To decide whether move m can be the first repeat, a formula of the
//! first m - 1 moves would be needed, because a beginning without a repeat need not have a continuation without one. But
//! the judge's records have 2N moves, so an encoder cannot be asked for a shorter one. If the formula of a complete
//! record has no model, the game is not a draw; replaying the game shows which move is the first repeat.

use super::super::answer::{Answer, Finding};
use super::super::formula::least_image;
use super::super::{Entry, Instance, Legality, Move, Rules, Start};
use super::{drawn, repeated};
use counterpoint_core::board::{Bits, Cell};
use counterpoint_core::engine::{Budget, Outcome};
use counterpoint_core::keyed::KeyedSet;
use counterpoint_core::named::{NamedFormula, NotNamed};
use counterpoint_core::solver;
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Lit;
use itertools::Itertools;

/// The maximum number of squares, summed over all boards of a record that is replayed.
const MAX_SQUARES: u64 = 1 << 30;

/// Solves one record by an encoder's formula, with the solver of `spec`.
pub fn solve(
    rules: &Rules,
    instance: &Instance,
    formula: &NamedFormula,
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let toggles = match toggles(rules, instance, formula) {
        Ok(toggles) => toggles,
        Err(message) => return Outcome::Failed(format!("{spec}: {message}")),
    };
    let mut solver = spec.solver();
    formula.write(&mut *solver);
    let record: Option<Vec<Move>> = instance.moves();
    let (satisfiable, solver) = match solver::step(solver, &[], budget) {
        Ok(solved) => solved,
        Err(unfinished) => {
            let open = vec![Finding::Open; instance.record.len() + 1];
            return unfinished.outcome(record.is_none().then_some(Answer::Smudged(open)));
        }
    };
    match record {
        _ if satisfiable => {
            let moves = moves(instance, &toggles, &|lit| solver.value(lit));
            match moves.and_then(|moves| completed(instance, moves)) {
                Ok(answer) => Outcome::Decided(answer),
                Err(message) => Outcome::Failed(format!("{spec}: in a model of the formula, {message}")),
            }
        }
        Some(moves) => first_repeat(rules, instance, &moves, spec),
        None => {
            let mut findings = vec![Finding::Open; instance.record.len()];
            findings.push(Finding::Refuted);
            Outcome::Decided(Answer::Smudged(findings))
        }
    }
}

/// Which squares a move toggles.
enum Toggles {
    /// The record gives the move, and the rules allow it to change nothing.
    Given(Move),
    /// For each square, whether the move toggles it.
    Squares(Vec<Toggle>),
}

/// Whether a move toggles a square.
enum Toggle {
    /// The record decides this, and the formula has no variable for it.
    Fixed(bool),
    /// It does iff this literal is true.
    Lit(Lit),
}

/// Why a model of the formula is not a completion of the record. Moves are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum BadModel {
    /// This move changes nothing.
    #[error("move {0} toggles no square")]
    NoSquare(usize),
    /// This move toggles at least these two squares.
    #[error("move {0} toggles both {1} and {2}")]
    TwoSquares(usize, Cell, Cell),
    /// A move differs from that in the record.
    #[error("move {number} is '{found}', but the record says '{expected}'")]
    Differs { number: usize, found: Entry, expected: Entry },
}

/// The toggles of all moves.
///
/// # Errors
/// Returns an error if a variable has no name although the record does not decide its value.
fn toggles(rules: &Rules, instance: &Instance, formula: &NamedFormula) -> Result<Vec<Toggles>, NotNamed> {
    let size = instance.size();
    let toggle = |step: usize, entry: &Entry, alone: bool, cell: Cell| {
        let name = format!("toggle step {step} {cell}");
        match formula.named(&name) {
            Some(lit) => Ok(Toggle::Lit(lit)),
            None if !entry.allows(cell) => Ok(Toggle::Fixed(false)),
            None if alone => Ok(Toggle::Fixed(true)),
            None => formula.expect(&name).map(Toggle::Lit),
        }
    };
    let of_move = |(step, entry): (usize, &Entry)| match entry.known() {
        Some(mv) if rules.legality == Legality::Lenient => Ok(Toggles::Given(mv)),
        _ => {
            let alone = size.iter().filter(|&cell| entry.allows(cell)).count() == 1;
            let squares = size.iter().map(|cell| toggle(step, entry, alone, cell));
            squares.collect::<Result<_, _>>().map(Toggles::Squares)
        }
    };
    (1..).zip(&instance.record).map(of_move).collect()
}

/// The moves of a model. They need not agree with the record.
///
/// # Errors
/// Returns an error if a move does not toggle exactly one square.
fn moves(
    instance: &Instance,
    toggles: &[Toggles],
    value: &dyn Fn(Lit) -> bool,
) -> Result<Vec<Move>, BadModel> {
    let size = instance.size();
    let mut board = Bits::zeros(size.cells());
    let mut moves = Vec::new();
    for (step, toggles) in (1..).zip(toggles) {
        let mv = match toggles {
            Toggles::Given(mv) => *mv,
            Toggles::Squares(squares) => {
                let toggled = squares.iter().positions(|toggle| match toggle {
                    Toggle::Fixed(toggled) => *toggled,
                    Toggle::Lit(lit) => value(*lit),
                });
                match toggled.map(|square| size.cell(square)).collect::<Vec<_>>()[..] {
                    [cell] => Move::toggle(instance.n, &board, cell),
                    [] => return Err(BadModel::NoSquare(step)),
                    [a, b, ..] => return Err(BadModel::TwoSquares(step, a, b)),
                }
            }
        };
        mv.apply(instance.n, &mut board);
        moves.push(mv);
    }
    Ok(moves)
}

/// The answer for a record that these moves, read from a model, complete without a repeat.
///
/// # Errors
/// Returns an error if the record is complete but has other moves.
fn completed(instance: &Instance, moves: Vec<Move>) -> Result<Answer, BadModel> {
    if instance.first_unknown().is_none() {
        let differs = |(mv, entry): &(&Move, &Entry)| entry.known() != Some(**mv);
        if let Some((i, (mv, entry))) =
            moves.iter().zip(&instance.record).enumerate().find(|(_, p)| differs(p))
        {
            return Err(BadModel::Differs { number: i + 1, found: (*mv).into(), expected: *entry });
        }
    }
    Ok(drawn(instance, moves))
}

/// The answer for a complete record whose formula has no model: its first repeat.
fn first_repeat(rules: &Rules, instance: &Instance, moves: &[Move], spec: &EngineSpec) -> Outcome<Answer> {
    let squares = moves.len() as u64 * instance.size().cells() as u64;
    if squares > MAX_SQUARES {
        return Outcome::Unsupported(
            format!("the boards have {squares} squares in all; up to {MAX_SQUARES} are replayed").into(),
        );
    }
    let mut board = Bits::zeros(instance.size().cells());
    let mut produced = KeyedSet::default();
    if rules.start == Start::Counted {
        produced.insert(least_image(rules, instance, &board));
    }
    for (step, mv) in (1..).zip(moves) {
        if !mv.apply(instance.n, &mut board) && rules.legality == Legality::Strict {
            return Outcome::Unsupported("a move before the decisive one is illegal".into());
        }
        if !produced.insert(least_image(rules, instance, &board)) {
            let answer = repeated(rules, instance, &moves[..step]);
            return answer.map_or_else(
                || Outcome::Failed(format!("{spec}: move {step} is not a repeat")),
                Outcome::Decided,
            );
        }
    }
    Outcome::Failed(format!("{spec}: the formula has no model, so some move would be a repeat, but none is"))
}
