//! Records as clauses: what the models share. Each is a file of `formula/`.

pub(super) mod endings;
pub(super) mod path;
pub(super) mod toggles;

use super::{Instance, Move, Rules};
use crate::board::{Bits, Symmetry};
use crate::engine::{Axis, Budget, EngineInfo, Limit};
use crate::problem::Strip;
use crate::spec::EngineSpec;
use counterpoint_encodings::{AtMostOne, Lit, Sink};

/// One toggle a step, boards unlike each other.
pub const TOGGLES: EngineInfo = EngineInfo::sat(
    "toggles",
    "one toggle a step, boards distinct up to symmetry",
    &[Axis { name: "amo", values: &AtMostOne::NAMES }, Axis { name: "distinct", values: &toggles::DISTINCT }],
)
.after("bounded model checking: Biere, Cimatti, Clarke, Zhu 1999");
/// A path in the class graph.
pub const PATH: EngineInfo = EngineInfo::sat(
    "path",
    "a path in the class graph, a variable for each class and step, boards to 8x8",
    &[Axis { name: "amo", values: &AtMostOne::NAMES }, Axis { name: "once", values: &path::ONCE }],
)
.after("Hamiltonian path as positions: Hoos 1999; ours on classes");

/// The most clauses that a formula may come to.
const MAX_CLAUSES: u64 = 2_000_000;

/// A formula that grows with the record, a step at a time.
pub(super) trait Model {
    /// Adds the next move of the record; nothing is added behind the last.
    fn step(&mut self, sink: &mut dyn Sink);

    /// A literal under which the last move repeats an earlier board.
    fn repeat(&mut self, sink: &mut dyn Sink) -> Lit;

    /// Demands that the last move repeats none.
    fn distinct(&mut self, sink: &mut dyn Sink);

    /// The moves so far, in a model.
    fn moves(&self, value: &dyn Fn(Lit) -> bool) -> Vec<Move>;

    /// The boards of a lesson, what each literal is about on them.
    fn strips(&self) -> Vec<Strip>;

    /// Adds what was demanded and left out, if these moves break it; how many demands it added.
    fn refine(&mut self, moves: &[Move], sink: &mut dyn Sink) -> usize {
        let _ = (moves, sink);
        0
    }
}

/// How "one of these" is written.
fn exactly_one(spec: &EngineSpec) -> AtMostOne {
    AtMostOne::from_name(spec.axis("amo")).unwrap_or(AtMostOne::Pairwise)
}

/// Whether a formula stays within bounds.
///
/// # Errors
/// Its size.
fn few_enough(clauses: u64) -> Result<(), String> {
    if clauses > MAX_CLAUSES {
        return Err(format!("its formula may have {clauses} clauses; this model is for up to {MAX_CLAUSES}"));
    }
    Ok(())
}

/// Whether a record may have a formula within bounds. This is quick to tell; whether the places that `path` gives
/// variables are too many shows only when they are counted.
///
/// # Errors
/// Why it has none.
pub fn supports(rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), String> {
    match spec.name {
        "path" => path::supports(rules, instance),
        _ => toggles::supports(rules, instance, spec),
    }
}

/// The model that is chosen, before the first move; or why the record has no formula within bounds.
///
/// # Errors
/// The limit that was met before that was known.
pub(super) fn model<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
    budget: &Budget,
) -> Result<Result<Box<dyn Model + 'a>, String>, Limit> {
    if let Err(reason) = supports(rules, instance, spec) {
        return Ok(Err(reason));
    }
    Ok(match spec.name {
        "path" => path::Path::new(rules, instance, spec, budget)?.map(|path| Box::new(path) as _),
        _ => Ok(Box::new(toggles::Toggles::new(rules, instance, spec))),
    })
}

/// The same, however long it takes.
///
/// # Errors
/// Why the record has no formula within bounds.
pub(super) fn unlimited<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
) -> Result<Box<dyn Model + 'a>, String> {
    model(rules, instance, spec, &Budget::unlimited()).unwrap_or_else(|limit| Err(limit.to_string()))
}

/// The base question: a completed record without a repeat exists.
///
/// # Errors
/// As for [`supports`], and that it is no single formula.
pub fn write(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let mut model = whole(rules, instance, spec)?;
    // A record without an unknown move has one completion.
    sink.show(&[]);
    draw(instance, &mut *model, sink);
    Ok(())
}

/// Another question: a completed record exists whose move `mv`, from 1, is the first to repeat.
///
/// # Errors
/// As for [`write()`].
pub fn write_repeat(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    mv: usize,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let mut model = whole(rules, instance, spec)?;
    for _ in 1..mv {
        model.step(sink);
        model.distinct(sink);
    }
    model.step(sink);
    let repeat = model.repeat(sink);
    sink.clause(&[repeat]);
    Ok(())
}

/// A model whose formula is written in one go.
pub(super) fn whole<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
) -> Result<Box<dyn Model + 'a>, String> {
    refuse_lazy(spec)?;
    unlimited(rules, instance, spec)
}

/// # Errors
/// That the choice is no single formula.
fn refuse_lazy(spec: &EngineSpec) -> Result<(), String> {
    if spec.axis("distinct") == "lazy" {
        return Err("distinct=lazy adds clauses between calls and is no single formula; use eager".to_owned());
    }
    Ok(())
}

/// All moves, none of which repeats.
pub(super) fn draw(instance: &Instance, model: &mut dyn Model, sink: &mut dyn Sink) {
    for _ in &instance.record {
        model.step(sink);
        model.distinct(sink);
    }
}

/// The board after each move, the empty one first.
pub(super) fn boards(instance: &Instance, moves: &[Move]) -> Vec<Bits> {
    let mut boards = vec![Bits::zeros(instance.size().cells())];
    for mv in moves {
        let mut next = boards[boards.len() - 1].clone();
        mv.apply(instance.n, &mut next);
        boards.push(next);
    }
    boards
}

/// Where a symmetry takes a board.
pub(super) fn image(instance: &Instance, board: &Bits, symmetry: Symmetry) -> Bits {
    let size = instance.size();
    let there = board.iter().map(|i| size.index(symmetry.apply(instance.n, size.cell(i))));
    Bits::from_indices(size.cells(), there)
}

/// The least image of a board, the same for equal patterns.
fn least_image(rules: &Rules, instance: &Instance, board: &Bits) -> Bits {
    let images = rules.group.elements().into_iter().map(|symmetry| image(instance, board, symmetry));
    images.min().unwrap_or_default()
}
