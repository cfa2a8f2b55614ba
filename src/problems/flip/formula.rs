//! The board as clauses: what the models share. Each is a file of `formula/`.

pub(super) mod nullspace;
pub(super) mod presses;

use super::{Goal, Instance, Rules, Target};
use crate::engine::Budget;
use crate::spec::EngineSpec;
use counterpoint_encodings::{Bounds, Cardinality, Count, Lit, Parity, Sink, SoftSink};

/// The most clauses that are written for one board.
const MAX_CLAUSES: u64 = 5_000_000;
/// The most literals of a parity that is written out.
const MAX_DIRECT: u64 = 20;

/// Whether a square is pressed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// The same in all solutions.
    Known(bool),
    /// As this literal says.
    Lit(Lit),
}

/// How presses are read off a model and counted, whatever the formula.
pub(super) struct Pressing {
    /// Of each square.
    pub(super) squares: Vec<Term>,
    /// So many presses there are in every model.
    pub(super) always: usize,
    /// And as many more as are true of these; a literal may stand here several times.
    pub(super) counted: Vec<Lit>,
    /// Whether the board shall be black, where the formula leaves that open.
    pub(super) black: Option<Lit>,
}

/// How parities are written.
fn parity(spec: &EngineSpec) -> Parity {
    Parity::from_name(spec.axis("xor")).unwrap_or(Parity::Direct)
}

/// Clauses of one parity over `lits` literals. A sink without parities of its own cuts at four.
///
/// # Errors
/// That they are too many.
fn parity_clauses(parity: Parity, lits: u64) -> Result<u64, String> {
    if parity == Parity::Direct && lits > MAX_DIRECT {
        return Err(format!("a parity over {lits} literals has 2^{} clauses; use xor=cut4", lits - 1));
    }
    Ok(parity.size(lits).or(Parity::Cut(4).size(lits)).map_or(0, |(_, clauses)| clauses))
}

/// How presses are counted.
fn cardinality(spec: &EngineSpec) -> Cardinality {
    Cardinality::from_name(spec.axis("card")).unwrap_or(Cardinality::Totalizer)
}

/// Whether `parities` clauses and a count of `presses` stay within bounds.
///
/// # Errors
/// How many they are.
fn few_enough(rules: &Rules, spec: &EngineSpec, parities: u64, presses: usize) -> Result<(), String> {
    let counted = match rules.within {
        Some(most) => u64::from(most) + 1,
        None if rules.goal == Goal::Fewest => presses as u64,
        None => 0,
    };
    let count = cardinality(spec).size(presses as u64, counted, Bounds::AtMost).1;
    let clauses = parities.saturating_add(count);
    if clauses > MAX_CLAUSES {
        return Err(format!("about {clauses} clauses; at most {MAX_CLAUSES} are written"));
    }
    Ok(())
}

/// Two colours, and a target of the board's size.
///
/// # Errors
/// What is not so.
fn serves(rules: &Rules, instance: &Instance) -> Result<(), String> {
    match &rules.target {
        _ if rules.colours > 2 => Err("the clauses are for two colours".to_owned()),
        Target::Board(target) if target.size != instance.size => {
            Err(format!("the target is {}, the board {}", target.size, instance.size))
        }
        _ => Ok(()),
    }
}

/// True iff the square is pressed.
fn press<S: Sink + ?Sized>(sink: &mut S, cell: crate::board::Cell) -> Lit {
    sink.named_var(format_args!("press {cell}")).pos_lit()
}

/// True iff the board shall be all black.
fn black<S: Sink + ?Sized>(sink: &mut S) -> Lit {
    sink.named_var(format_args!("black")).pos_lit()
}

/// Counts `presses`, so far that fewer than `most` can be demanded.
pub(super) fn count<S: Sink + ?Sized>(
    spec: &EngineSpec,
    presses: &[Lit],
    most: usize,
    sink: &mut S,
) -> Count {
    sink.group("number of presses");
    Count::new(cardinality(spec), sink, presses, most, Bounds::AtMost)
}

/// Boards that may have a formula of at most five million clauses. This is quick to tell; whether the null space is too
/// wide for that shows only once it is known, after elimination.
///
/// # Errors
/// Why the instance is not supported.
pub fn supports(rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), String> {
    serves(rules, instance)?;
    match model(spec) {
        Model::Presses => presses::supports(rules, instance, spec),
        Model::Nullspace => nullspace::supports(rules, instance),
    }
}

/// What has variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    /// Each press.
    Presses,
    /// Each dimension of the null space.
    Nullspace,
}

pub(super) fn model(spec: &EngineSpec) -> Model {
    if spec.name == "nullspace" { Model::Nullspace } else { Model::Presses }
}

/// Presses that make the board one colour.
///
/// # Errors
/// Why the board has no formula of at most five million clauses.
pub(super) fn pressing(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Pressing, String> {
    supports(rules, instance, spec)?;
    match model(spec) {
        Model::Presses => Ok(presses::pressing(rules, instance, spec, sink)),
        Model::Nullspace => match nullspace::coset(rules, instance, &mut Budget::unlimited()) {
            Ok(Ok(coset)) => coset.few_enough(rules, spec).map(|()| coset.pressing(rules, spec, sink)),
            // No presses do; without a limit none is met.
            _ => {
                sink.show(&[]);
                sink.clause(&[]);
                let squares = vec![Term::Known(false); instance.size.cells()];
                Ok(Pressing { squares, always: 0, counted: Vec::new(), black: None })
            }
        },
    }
}

/// The base question: can the board be solved, by at most `within` presses if that rule is set?
///
/// # Errors
/// Why the board has no formula of at most five million clauses.
pub fn write(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    question(rules, instance, spec, sink).map(drop)
}

/// The same; the presses come back.
pub(super) fn question(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Pressing, String> {
    let pressing = pressing(rules, instance, spec, sink)?;
    if let Some(most) = rules.within {
        match (most as usize).checked_sub(pressing.always) {
            Some(most) => {
                count(spec, &pressing.counted, most.saturating_add(1), sink).demand_at_most(sink, most);
            }
            None => sink.clause(&[]),
        }
    }
    Ok(pressing)
}

/// The base question, where each press costs 1; those that go together cost their number.
///
/// # Errors
/// As for [`write()`].
pub fn write_soft(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn SoftSink,
) -> Result<(), String> {
    let Pressing { always, mut counted, .. } = question(rules, instance, spec, sink)?;
    if always > 0 {
        // What every solution costs is the price of a variable that is true.
        let lit = sink.named_var(format_args!("pressed in any case")).pos_lit();
        sink.clause(&[lit]);
        sink.soft(&[!lit], always as u64);
    }
    counted.sort_unstable();
    counted.chunk_by(|a, b| a == b).for_each(|alike| sink.soft(&[!alike[0]], alike.len() as u64));
    Ok(())
}

/// The base question, then: at most no press, at most one, two, ...? The first yes is the fewest.
///
/// # Errors
/// As for [`write()`].
pub fn write_bounds(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, String> {
    let Pressing { always, counted, .. } = pressing(rules, instance, spec, sink)?;
    let most = (always + counted.len()).min(rules.within.map_or(usize::MAX, |within| within as usize));
    let count = count(spec, &counted, most.saturating_sub(always).saturating_add(1), sink);
    let never = (always > 0).then(|| {
        let lit = sink.new_var().pos_lit();
        sink.clause(&[!lit]);
        lit
    });
    let bound = |k: usize| match k.checked_sub(always) {
        Some(k) => count.at_most(k),
        None => never,
    };
    Ok((0..=most).map(|k| bound(k).into_iter().collect()).collect())
}
