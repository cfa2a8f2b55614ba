//! The board as CNF: what all encodings share. Each encoding is a file in `formula/`.

pub(super) mod nullspace;
pub(super) mod presses;

use super::{Goal, Instance, Rules, Target};
use crate::engine::{Axis, Budget, EngineInfo};
use crate::errors::Unsupported;
use crate::spec::{EngineSpec, TypedAxis};
use counterpoint_encodings::{Bounds, Cardinality, Count, Lit, Parity, Sink, SoftSink};

/// How parity constraints are encoded. Most parities of the presses are short, so they need no auxiliary variables. A
/// parity of null vectors may be long.
const XOR: TypedAxis<Parity, { Parity::ALL.len() }> = TypedAxis::of_lists("xor", Parity::NAMES, Parity::ALL);
const NULLSPACE_XOR: TypedAxis<Parity, { Parity::ALL.len() }> = XOR.with_default("cut4");
/// How the number of presses is encoded.
const CARD: TypedAxis<Cardinality, { Cardinality::ALL.len() }> =
    TypedAxis::of_lists("card", Cardinality::NAMES, Cardinality::ALL);
/// How the gap between the bounds on the number of presses is closed.
const BOUND: TypedAxis<BoundOrder, 3> = TypedAxis::new(
    "bound",
    [("down", BoundOrder::Down), ("up", BoundOrder::Up), ("binary", BoundOrder::Binary)],
);
/// Whether symmetries are broken. By default they are not, so that models and solutions correspond one to one.
const LEX: TypedAxis<Lex, 2> = TypedAxis::new("lex", [("no", Lex::Off), ("yes", Lex::On)]);

const PRESSES_AXES: &[Axis] = &[XOR.axis(), CARD.axis(), BOUND.axis(), LEX.axis()];
const NULLSPACE_AXES: &[Axis] = &[NULLSPACE_XOR.axis(), CARD.axis(), BOUND.axis()];

/// The encoding with one variable and one parity constraint for each square.
pub const PRESSES: EngineInfo = EngineInfo::sat(
    "presses",
    "a parity for each square, then the fewest presses bound by bound",
    PRESSES_AXES,
)
.after("one parity constraint a square; Gwynne, Kullmann 2014 for cuts");
/// The encoding with one variable for each dimension of the null space.
pub const NULLSPACE: EngineInfo = EngineInfo::sat(
    "nullspace",
    "elimination first; a variable for each dimension of the null space, and the least weight",
    NULLSPACE_AXES,
)
.after("Gaussian elimination before SAT; ours");

/// The most clauses that are written for one board.
const MAX_CLAUSES: u64 = 5_000_000;
/// The most literals of a parity constraint that is written without auxiliary variables.
const MAX_DIRECT: u64 = 20;

/// An encoding with a value for each of its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding {
    pub(super) variables: Variables,
    pub(super) parity: Parity,
    pub(super) cardinality: Cardinality,
    pub(super) bound: BoundOrder,
}

/// What the variables stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variables {
    /// One variable for each press.
    Presses(Lex),
    /// One variable for each dimension of the null space.
    Nullspace,
}

/// Which bound on the number of presses is tested next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundOrder {
    /// One less than the fewest presses found so far.
    Down,
    /// The lower bound.
    Up,
    /// Half way between the bounds.
    Binary,
}

/// Whether solutions are excluded if a symmetric one is lexicographically smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lex {
    Off,
    On,
}

impl Encoding {
    /// The encoding that an engine id selects.
    ///
    /// # Panics
    /// If `spec` is of neither [`PRESSES`] nor [`NULLSPACE`].
    pub(super) fn from_spec(spec: &EngineSpec) -> Encoding {
        let variables = if spec.name == PRESSES.name {
            Variables::Presses(LEX.of(spec))
        } else if spec.name == NULLSPACE.name {
            Variables::Nullspace
        } else {
            unreachable!("{spec} is not a SAT engine of Flip")
        };
        Encoding { variables, parity: XOR.of(spec), cardinality: CARD.of(spec), bound: BOUND.of(spec) }
    }
}

/// Whether a square is pressed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// The same value in all solutions.
    Known(bool),
    /// Pressed iff this literal is true.
    Lit(Lit),
}

/// How the presses are read from a model and counted, for any encoding.
pub(super) struct Pressing {
    /// Whether each square is pressed.
    pub(super) squares: Vec<Term>,
    /// The number of presses that every model contains.
    pub(super) always: usize,
    /// Each true literal of this list adds one press. A literal may occur several times.
    pub(super) counted: Vec<Lit>,
    /// True iff the board becomes black; only if the formula leaves the colour open.
    pub(super) black: Option<Lit>,
}

/// The number of clauses of one parity over `lits` literals. Native parities are counted as if cut at four literals,
/// because a sink without parities of its own writes them like that.
///
/// # Errors
/// Returns a message if there are too many clauses.
fn parity_clauses(parity: Parity, lits: u64) -> Result<u64, Unsupported> {
    if parity == Parity::Direct && lits > MAX_DIRECT {
        return Err(format!("a parity over {lits} literals has 2^{} clauses; use xor=cut4", lits - 1).into());
    }
    Ok(parity.size(lits).or(Parity::DEFAULT.size(lits)).map_or(0, |(_, clauses)| clauses))
}

/// Checks that `parities` clauses and the clauses that count `presses` literals stay within [`MAX_CLAUSES`].
///
/// # Errors
/// Returns a message with the number of clauses if they do not.
fn few_enough(
    rules: &Rules,
    cardinality: Cardinality,
    parities: u64,
    presses: usize,
) -> Result<(), Unsupported> {
    let counted = match rules.within {
        Some(most) => u64::from(most) + 1,
        None if rules.goal == Goal::Fewest => presses as u64,
        None => 0,
    };
    let count = cardinality.size(presses as u64, counted, Bounds::Upper).1;
    let clauses = parities.saturating_add(count);
    if clauses > MAX_CLAUSES {
        return Err(format!("about {clauses} clauses; at most {MAX_CLAUSES} are written").into());
    }
    Ok(())
}

/// Checks that the board has two colours, and that the target has the size of the board.
///
/// # Errors
/// Returns which of the two does not hold.
fn check_rules(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    match &rules.target {
        _ if rules.colours > 2 => Err("the clauses are for two colours".into()),
        Target::Board(target) if target.size != instance.size => {
            Err(format!("the target is {}, the board {}", target.size, instance.size).into())
        }
        _ => Ok(()),
    }
}

/// The literal that is true iff the square is pressed.
fn press<S: Sink + ?Sized>(sink: &mut S, cell: crate::board::Cell) -> Lit {
    sink.named_var(format_args!("press {cell}")).pos_lit()
}

/// The literal that is true iff the whole board becomes black.
fn black<S: Sink + ?Sized>(sink: &mut S) -> Lit {
    sink.named_var(format_args!("black")).pos_lit()
}

/// Writes the clauses that count `presses`, far enough that any bound below `most` can be demanded.
pub(super) fn count<S: Sink + ?Sized>(
    cardinality: Cardinality,
    presses: &[Lit],
    most: usize,
    sink: &mut S,
) -> Count {
    sink.group("number of presses");
    Count::new(cardinality, sink, presses, most, Bounds::Upper)
}

/// Accepts boards whose formula may have at most five million clauses. The check is quick. With the encoding
/// `nullspace`, the number of clauses depends on the null space, which is known only after elimination.
///
/// # Errors
/// Returns why the instance is not supported.
pub fn supports(rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), Unsupported> {
    check_rules(rules, instance)?;
    let encoding = Encoding::from_spec(spec);
    match encoding.variables {
        Variables::Presses(lex) => presses::supports(rules, instance, encoding, lex),
        Variables::Nullspace => nullspace::supports(rules, instance),
    }
}

/// Writes the clauses for presses that make the board one colour, without a bound on their number.
///
/// # Errors
/// Returns why the board has no formula of at most five million clauses.
pub(super) fn pressing(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Pressing, Unsupported> {
    supports(rules, instance, spec)?;
    let encoding = Encoding::from_spec(spec);
    match encoding.variables {
        Variables::Presses(lex) => Ok(presses::pressing(rules, instance, encoding.parity, lex, sink)),
        Variables::Nullspace => match nullspace::coset(rules, instance, &mut Budget::unlimited()) {
            Ok(Ok(coset)) => {
                coset.few_enough(rules, encoding).map(|()| coset.pressing(rules, encoding.parity, sink))
            }
            // The board is impossible. The other case, a limit, cannot occur without one.
            _ => {
                sink.show(&[]);
                sink.clause(&[]);
                let squares = vec![Term::Known(false); instance.size.cells()];
                Ok(Pressing { squares, always: 0, counted: Vec::new(), black: None })
            }
        },
    }
}

/// Writes the base question: can the board be solved, with at most `within` presses if that rule is set?
///
/// # Errors
/// Returns why the board has no formula of at most five million clauses.
pub fn write(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<(), Unsupported> {
    question(rules, instance, spec, sink).map(drop)
}

/// Like [`write()`], but also returns how the presses are read and counted.
pub(super) fn question(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Pressing, Unsupported> {
    let pressing = pressing(rules, instance, spec, sink)?;
    if let Some(most) = rules.within {
        match (most as usize).checked_sub(pressing.always) {
            Some(most) => {
                let cardinality = CARD.of(spec);
                count(cardinality, &pressing.counted, most.saturating_add(1), sink)
                    .require_at_most(sink, most);
            }
            None => sink.clause(&[]),
        }
    }
    Ok(pressing)
}

/// Writes the base question with soft clauses: each press costs 1. A literal that stands for several presses costs
/// their number.
///
/// # Errors
/// As for [`write()`].
pub fn write_soft(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn SoftSink,
) -> Result<(), Unsupported> {
    let Pressing { always, mut counted, .. } = question(rules, instance, spec, sink)?;
    if always > 0 {
        // A variable that is always true carries the cost that every solution has.
        let lit = sink.named_var(format_args!("pressed in any case")).pos_lit();
        sink.clause(&[lit]);
        sink.soft(&[!lit], always as u64);
    }
    counted.sort_unstable();
    counted.chunk_by(|a, b| a == b).for_each(|alike| sink.soft(&[!alike[0]], alike.len() as u64));
    Ok(())
}

/// Writes the base question and returns assumptions for the bounds 0, 1, 2, … on the number of presses. The first bound
/// that is satisfiable is the minimum.
///
/// # Errors
/// As for [`write()`].
pub fn write_bounds(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, Unsupported> {
    let Pressing { always, counted, .. } = pressing(rules, instance, spec, sink)?;
    let most = (always + counted.len()).min(rules.within.map_or(usize::MAX, |within| within as usize));
    let count = count(CARD.of(spec), &counted, most.saturating_sub(always).saturating_add(1), sink);
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
