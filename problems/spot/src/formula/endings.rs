//! One formula for all endings of a record; assumptions select the ending that is asked for.
//!
//! Each move has two guard literals: `made` guards the clauses of the move itself, and `new` guards the clauses that
//! distinguish the board after the move from all earlier boards. `made` implies `new` of the previous move, and `new`
//! implies `made` of the same move. A question assumes literals of one move only, so it does not constrain later moves.
//! For guard (activation) literals see N. Eén, N. Sörensson, *Temporal Induction by Incremental SAT Solving*, BMC 2003.

use super::super::{Instance, Rules};
use super::{Encoder, refuse_lazy, unlimited_encoder};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::{Forward, Lit, Sink};

/// The literals that questions about a move assume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// Implies that the move is made; see [`made_lit`].
    made: Lit,
    /// Implies that the move is a repeat. Assumed together with `made`, it makes the move the first repeat.
    repeat: Lit,
    /// Implies that the move is made and is not a repeat.
    new: Lit,
}

/// A sink that adds the negation of `guard` to each clause, so that a clause has an effect only if `guard` is true.
struct Guarded<'a> {
    sink: &'a mut dyn Sink,
    guard: Lit,
}

impl<'a> Forward for Guarded<'a> {
    type Inner = dyn Sink + 'a;

    fn inner(&self) -> &Self::Inner {
        self.sink
    }

    fn inner_mut(&mut self) -> &mut Self::Inner {
        self.sink
    }

    fn guard(&self) -> Option<Lit> {
        Some(self.guard)
    }
}

/// True only if move `step` is made, and all moves before it are made and are not repeats.
fn made_lit(sink: &mut dyn Sink, step: usize) -> Lit {
    sink.named_var(format_args!("made step {step}")).pos_lit()
}

/// True only if move `step` is made and is not a repeat.
fn new_lit(sink: &mut dyn Sink, step: usize) -> Lit {
    sink.named_var(format_args!("new step {step}")).pos_lit()
}

/// Writes the whole record, and returns the literals of each move.
pub(crate) fn endings(instance: &Instance, encoder: &mut dyn Encoder, sink: &mut dyn Sink) -> Vec<Ending> {
    let mut endings: Vec<Ending> = Vec::new();
    for step in 1..=instance.record.len() {
        sink.group("one ending");
        let made = made_lit(sink, step);
        if let Some(before) = endings.last() {
            sink.clause(&[!made, before.new]);
        }
        encoder.step(&mut Guarded { sink: &mut *sink, guard: made });
        let repeat = encoder.repeat(sink);
        sink.group("one ending");
        let new = new_lit(sink, step);
        sink.clause(&[!new, made]);
        encoder.distinct(&mut Guarded { sink: &mut *sink, guard: new });
        endings.push(Ending { made, repeat, new });
    }
    endings
}

/// Writes the formula and returns the assumptions of each question: can move 1 be the first repeat, can move 2,
/// ..., and can the game be a draw?
///
/// # Errors
/// Returns the errors of [`write()`](super::write()).
pub(crate) fn write(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, Unsupported> {
    refuse_lazy(spec)?;
    let endings = endings(instance, &mut *unlimited_encoder(rules, instance, spec)?, sink);
    let repeats = endings.iter().map(|ending| vec![ending.made, ending.repeat]);
    Ok(repeats.chain([endings.last().map(|ending| ending.new).into_iter().collect()]).collect())
}

/// The ending that a model describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The first repeat is this move, counted from 1.
    Repeat(usize),
    /// All moves are made, and none is a repeat.
    Draw,
}

/// Reads the ending from a model; `None` if the model satisfies the assumptions of no question.
pub(crate) fn ended(endings: &[Ending], value: &dyn Fn(Lit) -> bool) -> Option<Ended> {
    let repeat = endings.iter().position(|ending| value(ending.made) && value(ending.repeat));
    let draw = || endings.last().is_none_or(|ending| value(ending.new)).then_some(Ended::Draw);
    repeat.map(|before| Ended::Repeat(before + 1)).or_else(draw)
}
