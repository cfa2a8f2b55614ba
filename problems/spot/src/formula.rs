//! What the SAT encodings of records share. Each encoding has its own file, `formula/toggles.rs` or `formula/path.rs`.

mod choice;
pub(super) mod endings;
pub(super) mod path;
mod squares;
mod terms;
pub(super) mod toggles;
mod ways;

use super::{Instance, Move, Rules};
use counterpoint_core::board::{Bits, Symmetry};
use counterpoint_core::engine::{Axis, Budget, EngineInfo, Limit};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::Strip;
use counterpoint_core::spec::{EngineSpec, TypedAxis};
use counterpoint_encodings::{AtMostOne, Lit, Sink};
use toggles::{Distinct, Toggles};

/// The axis `amo`: how "at most one toggle per step" is encoded, or, in `path`, "at most one place per step".
const AMO: TypedAxis<AtMostOne, { AtMostOne::ALL.len() }> =
    TypedAxis::of_lists("amo", AtMostOne::NAMES, AtMostOne::ALL)
        .about("the encoding of 'at most one toggle a step', or in `path` of 'at most one place a step'");
const TOGGLES_AXES: &[Axis] = &[AMO.axis(), toggles::DISTINCT.axis()];
const PATH_AXES: &[Axis] = &[AMO.axis(), path::ONCE.axis()];

/// The encoding by toggles: one toggle per step, boards pairwise distinct up to symmetry.
pub const TOGGLES: EngineInfo =
    EngineInfo::sat("toggles", "one toggle a step, boards distinct up to symmetry", TOGGLES_AXES)
        .after("bounded model checking: Biere, Cimatti, Clarke, Zhu 1999");
/// The path encoding: the record as a path in the class graph.
pub const PATH: EngineInfo = EngineInfo::sat(
    "path",
    "a path in the class graph, a variable for each class and step, boards to 8x8",
    PATH_AXES,
)
.after("Hamiltonian path as positions: Hoos 1999; ours on classes");

/// The maximum number of clauses that a formula may have.
const MAX_CLAUSES: u64 = 2_000_000;

/// An encoding with a value for each of its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// [`TOGGLES`].
    Toggles { amo: AtMostOne, distinct: Distinct },
    /// [`PATH`].
    Path { amo: AtMostOne, once: path::Once },
}

impl Encoding {
    /// The encoding of an engine spec.
    ///
    /// # Panics
    /// Panics if `spec` is of neither [`TOGGLES`] nor [`PATH`].
    pub(super) fn from_spec(spec: &EngineSpec) -> Encoding {
        let amo = AMO.of(spec);
        if spec.name == TOGGLES.name {
            Encoding::Toggles { amo, distinct: toggles::DISTINCT.of(spec) }
        } else if spec.name == PATH.name {
            Encoding::Path { amo, once: path::ONCE.of(spec) }
        } else {
            unreachable!("{spec} is not a SAT engine of Spot")
        }
    }
}

/// The completions that the models of a formula stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completions {
    /// All completions, so that models can be counted and compared.
    All,
    /// For each possible ending, at least one completion. The formula may be smaller.
    Representatives,
}

/// Why a record has no encoder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoEncoder {
    /// The encoding does not support the record.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The budget ended while the size of the formula was computed.
    #[error("{0}")]
    Limit(Limit),
}

impl From<Limit> for NoEncoder {
    fn from(limit: Limit) -> Self {
        NoEncoder::Limit(limit)
    }
}

/// Writes the formula of a record, one move at a time.
pub(super) trait Encoder {
    /// Adds the next move of the record; does nothing after the last one.
    fn step(&mut self, sink: &mut dyn Sink);

    /// Creates a literal that implies that the move added last is a repeat.
    fn repeat(&mut self, sink: &mut dyn Sink) -> Lit;

    /// Writes some of the ways in which the move added last can be a repeat, and creates a literal that
    /// implies that it is a repeat in one of these ways. No later call writes the same ways again. Returns
    /// `None` if all ways have been written. The method `repeat` is not called for the same move.
    fn next_repeat(&mut self, sink: &mut dyn Sink) -> Option<Lit>;

    /// Requires that the move added last is not a repeat.
    fn distinct(&mut self, sink: &mut dyn Sink);

    /// The moves so far, read from a model (a satisfying assignment).
    fn moves(&self, value: &dyn Fn(Lit) -> bool) -> Vec<Move>;

    /// The boards that a lesson draws, with the literal of each mark on them.
    fn strips(&self) -> Vec<Strip>;

    /// For lazy encodings: adds constraints that were left out so far and that these moves violate. Returns how many it
    /// adds; 0 means that the moves violate no constraint.
    fn refine(&mut self, moves: &[Move], sink: &mut dyn Sink) -> usize {
        let _ = (moves, sink);
        0
    }
}

/// Tests the size of a formula against [`MAX_CLAUSES`].
///
/// # Errors
/// Returns a message with the number of clauses.
fn few_enough(clauses: u64) -> Result<(), Unsupported> {
    if clauses > MAX_CLAUSES {
        return Err(format!("the formula may have {clauses} clauses; the limit is {MAX_CLAUSES}").into());
    }
    Ok(())
}

/// Accepts a record unless a quick estimate shows that its formula might be too large. For `path`, only the size of the
/// board is tested here: the size of the formula is known only after the boards that the record can reach have been
/// counted.
///
/// # Errors
/// Returns why the record is not supported.
pub fn supports(rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), Unsupported> {
    match Encoding::from_spec(spec) {
        Encoding::Path { .. } => path::supports(rules, instance),
        Encoding::Toggles { amo, distinct } => {
            toggles_fit(rules, instance, amo, distinct, Completions::Representatives)
        }
    }
}

/// Tests the size of a formula of `toggles`. If it is too large, the message says whether a smaller one is not.
///
/// # Errors
/// Returns a message with the size that is too large.
fn toggles_fit(
    rules: &Rules,
    instance: &Instance,
    amo: AtMostOne,
    distinct: Distinct,
    completions: Completions,
) -> Result<(), Unsupported> {
    ways::few_enough(rules, instance)?;
    if instance.first_unknown().is_none() {
        return Ok(());
    }
    let n_clauses =
        |distinct, completions| Toggles::new(rules, instance, amo, distinct, completions).n_clauses();
    few_enough(n_clauses(distinct, completions)).map_err(|error| match (distinct, completions) {
        (Distinct::Lazy, Completions::Representatives) => error,
        (Distinct::Eager, Completions::Representatives) => {
            let lazy = n_clauses(Distinct::Lazy, completions);
            let remedy = match few_enough(lazy) {
                Ok(()) => "distinct=lazy adds only those that it needs".to_owned(),
                Err(_) => format!("with distinct=lazy, it may have {lazy}"),
            };
            format!("{error}; {remedy}").into()
        }
        (_, Completions::All) => {
            let smaller = few_enough(n_clauses(distinct, Completions::Representatives));
            let remedy = smaller.map_or("", |()| {
                "; its models are all completions; 'solve' needs only some of them and supports this record"
            });
            format!("{error}{remedy}").into()
        }
    })
}

/// An encoder for the record, before the first move. The formula has a model for each possible ending.
///
/// # Errors
/// Returns why the record has no encoder.
pub(super) fn encoder<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
    budget: &Budget,
) -> Result<Box<dyn Encoder + 'a>, NoEncoder> {
    encoder_of(rules, instance, spec, Completions::Representatives, budget)
}

fn encoder_of<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
    completions: Completions,
    budget: &Budget,
) -> Result<Box<dyn Encoder + 'a>, NoEncoder> {
    Ok(match Encoding::from_spec(spec) {
        Encoding::Path { amo, once } => {
            path::supports(rules, instance)?;
            Box::new(path::Path::new(rules, instance, amo, once, budget)?)
        }
        Encoding::Toggles { amo, distinct } => {
            toggles_fit(rules, instance, amo, distinct, completions)?;
            Box::new(Toggles::new(rules, instance, amo, distinct, completions))
        }
    })
}

/// An encoder whose formula has all completions of the record as its models, without a limit on the work.
///
/// # Errors
/// Returns why the record is not supported.
pub(super) fn unlimited_encoder<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
) -> Result<Box<dyn Encoder + 'a>, Unsupported> {
    let encoder = encoder_of(rules, instance, spec, Completions::All, &Budget::unlimited());
    encoder.map_err(|why| why.to_string().into())
}

/// Writes the formula of the base question: is there a completion without a repeat?
///
/// # Errors
/// Returns the errors of [`supports`], and an error if the encoding is lazy.
pub fn write(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<(), Unsupported> {
    let mut encoder = single_formula_encoder(rules, instance, spec)?;
    // Under `toggles`, a complete record has no variables to show. Its single completion is counted as one model only
    // if an empty projection set is declared.
    sink.show(&[]);
    draw(instance, &mut *encoder, sink);
    Ok(())
}

/// Writes the formula of another question: is there a completion whose first repeat is move `mv`, counted from 1?
///
/// # Errors
/// Returns the errors of [`write()`].
pub fn write_repeat(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    mv: usize,
    sink: &mut dyn Sink,
) -> Result<(), Unsupported> {
    let mut encoder = single_formula_encoder(rules, instance, spec)?;
    for _ in 1..mv {
        encoder.step(sink);
        encoder.distinct(sink);
    }
    encoder.step(sink);
    let repeat = encoder.repeat(sink);
    sink.clause(&[repeat]);
    Ok(())
}

/// An encoder whose constraints form a single formula, because its encoding is not lazy.
///
/// # Errors
/// Returns the errors of [`supports`], and an error if the encoding is lazy.
pub(super) fn single_formula_encoder<'a>(
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &EngineSpec,
) -> Result<Box<dyn Encoder + 'a>, Unsupported> {
    refuse_lazy(spec)?;
    unlimited_encoder(rules, instance, spec)
}

/// Rejects lazy encodings, which have no single formula.
///
/// # Errors
/// Returns a message with the remedy.
fn refuse_lazy(spec: &EngineSpec) -> Result<(), Unsupported> {
    match Encoding::from_spec(spec) {
        Encoding::Toggles { distinct: Distinct::Lazy, .. } => {
            Err("distinct=lazy adds clauses between solver calls, so it is not a single formula; use eager"
                .into())
        }
        Encoding::Toggles { distinct: Distinct::Eager, .. } | Encoding::Path { .. } => Ok(()),
    }
}

/// Adds all moves and requires that none of them is a repeat.
pub(super) fn draw(instance: &Instance, encoder: &mut dyn Encoder, sink: &mut dyn Sink) {
    for _ in &instance.record {
        encoder.step(sink);
        encoder.distinct(sink);
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
pub(super) fn least_image(rules: &Rules, instance: &Instance, board: &Bits) -> Bits {
    let images = rules.group.elements().into_iter().map(|symmetry| image(instance, board, symmetry));
    images.min().unwrap_or_default()
}
