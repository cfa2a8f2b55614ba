//! What the SAT encodings of records share. Each encoding is a file in `formula/`.

pub(super) mod endings;
pub(super) mod path;
pub(super) mod toggles;

use super::{Instance, Move, Rules};
use crate::board::{Bits, Symmetry};
use crate::engine::{Axis, Budget, EngineInfo, Limit};
use crate::problem::Strip;
use crate::spec::EngineSpec;
use counterpoint_encodings::{AtMostOne, Lit, Sink};

/// The encoding by toggles: one toggle per step, boards pairwise distinct up to symmetry.
pub const TOGGLES: EngineInfo = EngineInfo::sat(
    "toggles",
    "one toggle a step, boards distinct up to symmetry",
    &[Axis { name: "amo", values: &AtMostOne::NAMES }, Axis { name: "distinct", values: &toggles::DISTINCT }],
)
.after("bounded model checking: Biere, Cimatti, Clarke, Zhu 1999");
/// The path encoding: the record as a path in the class graph.
pub const PATH: EngineInfo = EngineInfo::sat(
    "path",
    "a path in the class graph, a variable for each class and step, boards to 8x8",
    &[Axis { name: "amo", values: &AtMostOne::NAMES }, Axis { name: "once", values: &path::ONCE }],
)
.after("Hamiltonian path as positions: Hoos 1999; ours on classes");

/// The most clauses that a formula may have.
const MAX_CLAUSES: u64 = 2_000_000;

/// An encoding whose formula is extended by one move of the record at a time.
pub(super) trait Model {
    /// Adds the next move of the record; does nothing after the last one.
    fn step(&mut self, sink: &mut dyn Sink);

    /// Creates a literal that implies that the last move is a repeat.
    fn repeat(&mut self, sink: &mut dyn Sink) -> Lit;

    /// Requires that the last move is not a repeat.
    fn distinct(&mut self, sink: &mut dyn Sink);

    /// The moves so far, read from a model (a satisfying assignment).
    fn moves(&self, value: &dyn Fn(Lit) -> bool) -> Vec<Move>;

    /// The boards that a lesson draws, with the literal that each mark on them belongs to.
    fn strips(&self) -> Vec<Strip>;

    /// Lazy encodings: adds the constraints that were left out so far and that these moves violate. Returns how
    /// many were added; 0 means that the moves satisfy everything.
    fn refine(&mut self, moves: &[Move], sink: &mut dyn Sink) -> usize {
        let _ = (moves, sink);
        0
    }
}

/// The at-most-one encoding chosen by the axis `amo`.
fn exactly_one(spec: &EngineSpec) -> AtMostOne {
    AtMostOne::from_name(spec.axis("amo")).unwrap_or(AtMostOne::Pairwise)
}

/// Tests the size of a formula against [`MAX_CLAUSES`].
///
/// # Errors
/// A message with its size.
fn few_enough(clauses: u64) -> Result<(), String> {
    if clauses > MAX_CLAUSES {
        return Err(format!("its formula may have {clauses} clauses; this model is for up to {MAX_CLAUSES}"));
    }
    Ok(())
}

/// A quick test whether the formula of a record may be within bounds. The exact size of `path`'s formula is
/// known only when the boards that the record can reach have been counted.
///
/// # Errors
/// Why the record is not supported.
pub fn supports(rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), String> {
    match spec.name {
        "path" => path::supports(rules, instance),
        _ => toggles::supports(rules, instance, spec),
    }
}

/// The chosen encoding, before the first move; or why the record is not supported.
///
/// # Errors
/// The limit of the budget that was met before either was known.
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

/// The chosen encoding, without a limit on the work.
///
/// # Errors
/// Why the record is not supported.
pub(super) fn unlimited<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
) -> Result<Box<dyn Model + 'a>, String> {
    model(rules, instance, spec, &Budget::unlimited()).unwrap_or_else(|limit| Err(limit.to_string()))
}

/// Writes the base question: is there a completion without a repeat?
///
/// # Errors
/// As for [`supports`], or that the encoding is lazy.
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

/// Writes another question: is there a completion whose first repeat is move `mv`, counted from 1?
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

/// An encoding that can be written as a single formula.
pub(super) fn whole<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
) -> Result<Box<dyn Model + 'a>, String> {
    refuse_lazy(spec)?;
    unlimited(rules, instance, spec)
}

/// Rejects lazy encodings, which have no single formula.
///
/// # Errors
/// A message with the remedy.
fn refuse_lazy(spec: &EngineSpec) -> Result<(), String> {
    if spec.axis("distinct") == "lazy" {
        return Err("distinct=lazy adds clauses between calls and is no single formula; use eager".to_owned());
    }
    Ok(())
}

/// Adds all moves and requires that none of them is a repeat.
pub(super) fn draw(instance: &Instance, model: &mut dyn Model, sink: &mut dyn Sink) {
    for _ in &instance.record {
        model.step(sink);
        model.distinct(sink);
    }
}

/// The empty board and the board after each move.
pub(super) fn boards(instance: &Instance, moves: &[Move]) -> Vec<Bits> {
    let mut boards = vec![Bits::zeros(instance.size().cells())];
    for mv in moves {
        let mut next = boards[boards.len() - 1].clone();
        mv.apply(instance.n, &mut next);
        boards.push(next);
    }
    boards
}

/// The image of a board under a symmetry.
pub(super) fn image(instance: &Instance, board: &Bits, symmetry: Symmetry) -> Bits {
    let size = instance.size();
    let there = board.iter().map(|i| size.index(symmetry.apply(instance.n, size.cell(i))));
    Bits::from_indices(size.cells(), there)
}

/// The canonical form of a board: its smallest image.
fn least_image(rules: &Rules, instance: &Instance, board: &Bits) -> Bits {
    let images = rules.group.elements().into_iter().map(|symmetry| image(instance, board, symmetry));
    images.min().unwrap_or_default()
}
