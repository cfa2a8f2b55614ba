//! Every ending of a record in one formula: which of them is possible is asked under assumptions.
//!
//! The clauses of a move hold if it is made, and those that tell it from all earlier ones if it is new. A
//! move is made only if the one before it is new, and new only if it is made, so what is behind an ending
//! constrains nothing. Clauses that a literal turns on: N. Eén, N. Sörensson, *Temporal Induction by Incremental
//! SAT Solving*, BMC 2003.

use super::super::{Instance, Rules};
use super::{Model, refuse_lazy, unlimited};
use crate::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink, Var};
use std::fmt;

/// What the questions about a move assume.
#[derive(Clone, Copy, Debug)]
pub(in crate::problems::spot) struct Ending {
    made: Lit,
    /// With `made`: it is the first that repeats.
    repeat: Lit,
    new: Lit,
}

/// Clauses that hold if `guard` does.
struct Guarded<'a> {
    sink: &'a mut dyn Sink,
    guard: Lit,
}

impl Sink for Guarded<'_> {
    fn new_var(&mut self) -> Var {
        self.sink.new_var()
    }

    fn n_vars(&self) -> u32 {
        self.sink.n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.sink.clause(&[&[!self.guard], lits].concat());
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.sink.named_var(name)
    }

    fn group(&mut self, label: &str) {
        self.sink.group(label);
    }

    fn show(&mut self, vars: &[Var]) {
        self.sink.show(vars);
    }
}

/// True only if move `step` is made, and all before it are made and new.
fn made_lit(sink: &mut dyn Sink, step: usize) -> Lit {
    sink.named_var(format_args!("made step {step}")).pos_lit()
}

/// True only if move `step` is made and repeats none.
fn new_lit(sink: &mut dyn Sink, step: usize) -> Lit {
    sink.named_var(format_args!("new step {step}")).pos_lit()
}

/// The whole record with every ending.
pub(in crate::problems::spot) fn endings(
    instance: &Instance,
    model: &mut dyn Model,
    sink: &mut dyn Sink,
) -> Vec<Ending> {
    let mut endings: Vec<Ending> = Vec::new();
    for step in 1..=instance.record.len() {
        sink.group("one ending");
        let made = made_lit(sink, step);
        if let Some(before) = endings.last() {
            sink.clause(&[!made, before.new]);
        }
        model.step(&mut Guarded { sink: &mut *sink, guard: made });
        let repeat = model.repeat(sink);
        sink.group("one ending");
        let new = new_lit(sink, step);
        sink.clause(&[!new, made]);
        model.distinct(&mut Guarded { sink: &mut *sink, guard: new });
        endings.push(Ending { made, repeat, new });
    }
    endings
}

/// Can move 1 be the first that repeats, can move 2, ..., and can none of them repeat?
///
/// # Errors
/// As for [`write()`](super::write()).
pub(in crate::problems::spot) fn write(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, String> {
    refuse_lazy(spec)?;
    let endings = endings(instance, &mut *unlimited(rules, instance, spec)?, sink);
    let repeats = endings.iter().map(|ending| vec![ending.made, ending.repeat]);
    Ok(repeats.chain([endings.last().map(|ending| ending.new).into_iter().collect()]).collect())
}

/// How many moves are made, the last of which repeats; or all of them, and none does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::problems::spot) enum Ended {
    /// By a repeat at this move, from 1.
    Repeat(usize),
    /// As a draw.
    Draw,
}

/// The ending that a model is about; `None` if it makes no assumption of a question true.
pub(in crate::problems::spot) fn ended(endings: &[Ending], value: &dyn Fn(Lit) -> bool) -> Option<Ended> {
    let repeat = endings.iter().position(|ending| value(ending.made) && value(ending.repeat));
    let draw = || endings.last().is_none_or(|ending| value(ending.new)).then_some(Ended::Draw);
    repeat.map(|before| Ended::Repeat(before + 1)).or_else(draw)
}
