//! Writes the board as CNF: the parts that both encodings share. Each encoding has a separate file in `formula/`.

pub(super) mod nullspace;
pub(super) mod presses;

use super::{Goal, Instance, Rules, Target};
use counterpoint_core::engine::{Axis, Budget, EngineInfo};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::{EngineSpec, TypedAxis};
use counterpoint_encodings::{Bounds, Cardinality, Count, Lit, Parity, Sink, SoftSink};

/// How parity constraints are encoded. Parities of presses are short for most stencils, so by default they are written
/// without auxiliary variables.
const XOR: TypedAxis<Parity, { Parity::ALL.len() }> = TypedAxis::of_lists("xor", Parity::NAMES, Parity::ALL).about(
    "the parity constraints: clauses without new variables (direct), cut into parts of 3 or 4 literals (cut3, cut4), a \
     tree of sums of two (tree), or left to a solver that knows parities (native)",
);
/// Like [`XOR`], but for the encoding `nullspace`. Its parities may be long, so by default they are cut.
const NULLSPACE_XOR: TypedAxis<Parity, { Parity::ALL.len() }> = XOR.with_default("cut4");
/// How the number of presses is encoded.
pub(super) const CARD: TypedAxis<Cardinality, { Cardinality::ALL.len() }> =
    TypedAxis::of_lists("card", Cardinality::NAMES, Cardinality::ALL)
        .about("the bound on the number of presses: how they are counted");
/// In which order bounds on the number of presses are tested.
pub(super) const BOUND: TypedAxis<BoundOrder, 3> = TypedAxis::new(
    "bound",
    [("down", BoundOrder::Down), ("up", BoundOrder::Up), ("binary", BoundOrder::Binary)],
)
.about(
    "the bound that is tested next: one less than the fewest presses so far (down), the smallest that is not excluded \
     (up), or halfway between them (binary)",
);
/// Whether symmetries are broken. By default they are not, so that models and solutions correspond one to one.
const LEX: TypedAxis<Lex, 2> = TypedAxis::new("lex", [("no", Lex::Off), ("yes", Lex::On)]).about(
    "whether solutions are excluded that a symmetry of the board maps to a lexicographically smaller one",
);

const PRESSES_AXES: &[Axis] = &[XOR.axis(), CARD.axis(), BOUND.axis(), LEX.axis()];
const NULLSPACE_AXES: &[Axis] = &[NULLSPACE_XOR.axis(), CARD.axis(), BOUND.axis()];

/// The encoding with one variable and one parity constraint for each square.
pub const PRESSES: EngineInfo = EngineInfo::sat(
    "presses",
    "one parity for each square; the fewest presses by testing one bound after another",
    PRESSES_AXES,
)
.after("one parity constraint a square; Gwynne, Kullmann 2014 for cuts");
/// The encoding with one variable for each dimension of the null space.
pub const NULLSPACE: EngineInfo = EngineInfo::sat(
    "nullspace",
    "elimination first, then SAT with one variable for each dimension of the null space",
    NULLSPACE_AXES,
)
.after("Gaussian elimination before SAT; ours");

/// The maximum number of clauses that are written for one board.
const MAX_CLAUSES: u64 = 5_000_000;
/// The maximum number of literals of a parity constraint that is written without auxiliary variables.
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
    /// The greatest lower bound known so far.
    Up,
    /// Half way between the two.
    Binary,
}

/// Whether the formula excludes each solution that a symmetry maps to a lexicographically smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lex {
    Off,
    On,
}

impl Encoding {
    /// The encoding that an engine spec stands for.
    ///
    /// # Panics
    /// Panics if `spec` is of neither [`PRESSES`] nor [`NULLSPACE`].
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
    /// Pressed in all solutions, or in none.
    Known(bool),
    /// Pressed iff this literal is true.
    Lit(Lit),
}

/// How the presses are read from a model and counted, for any encoding.
pub(super) struct Pressing {
    /// For each square, whether it is pressed.
    pub(super) squares: Vec<Term>,
    /// A number of presses that every model contains. It counts the squares that are pressed in all solutions, and
    /// disjoint pairs of squares of which every solution presses exactly one.
    pub(super) always: usize,
    /// Each true literal of this list adds one press. A literal may occur several times.
    pub(super) counted: Vec<Lit>,
    /// True iff the board becomes black; `None` if the formula allows only one final board.
    pub(super) black: Option<Lit>,
}

/// The number of clauses of one parity over `lits` literals. A native parity is counted as if it were cut into pieces
/// of four literals, because a sink without native parities writes it like that.
///
/// # Errors
/// Returns a message if there are too many clauses.
fn parity_clauses(parity: Parity, lits: u64) -> Result<u64, Unsupported> {
    if parity == Parity::Direct && lits > MAX_DIRECT {
        return Err(format!("a parity over {lits} literals has 2^{} clauses; use xor=cut4", lits - 1).into());
    }
    Ok(parity.size(lits).or(Parity::DEFAULT.size(lits)).map_or(0, |size| size.clauses))
}

/// Checks that a formula has at most [`MAX_CLAUSES`] clauses: `parities` clauses for parities and symmetry breaking,
/// and those that count `presses` literals.
///
/// # Errors
/// Returns a message with the number of clauses if there are more.
pub(super) fn few_enough(
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
    let count = cardinality.size(presses as u64, counted, Bounds::Upper).clauses;
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
pub(super) fn check_rules(rules: &Rules, instance: &Instance) -> Result<(), Unsupported> {
    match &rules.target {
        _ if rules.colours > 2 => Err("encodings support only two colours".into()),
        Target::Board(target) if target.size != instance.size => {
            Err(format!("the target is {}, but the board is {}", target.size, instance.size).into())
        }
        _ => Ok(()),
    }
}

/// The literal that is true iff the square is pressed.
fn press(sink: &mut dyn Sink, cell: counterpoint_core::board::Cell) -> Lit {
    sink.named_var(format_args!("press {cell}")).pos_lit()
}

/// The literal that is true iff the whole board becomes black.
fn black(sink: &mut dyn Sink) -> Lit {
    sink.named_var(format_args!("black")).pos_lit()
}

/// The group of the constraints that count presses.
pub(super) const PRESSES_GROUP: &str = "number of presses";

/// Writes the clauses that count `presses` up to `most`, so that "at most k" can be demanded for any k < `most`.
pub(super) fn count(cardinality: Cardinality, presses: &[Lit], most: usize, sink: &mut dyn Sink) -> Count {
    sink.group(PRESSES_GROUP);
    Count::new(cardinality, sink, presses, most, Bounds::Upper)
}

/// Accepts boards whose formula has, by a quick estimate, at most five million clauses. For the encoding `nullspace`,
/// the number of clauses is known only after elimination, so only the number of squares is tested.
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

/// Writes the clauses for presses that lead to a final board, without a bound on their number.
///
/// # Errors
/// Returns why the formula cannot be written, for example because it would have more than five million clauses.
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
            // The board is impossible. The other case, a limit, cannot occur, because the budget is unlimited.
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
/// Returns why the formula cannot be written, for example because it would have more than five million clauses.
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
                sink.group(PRESSES_GROUP);
                CARD.of(spec).at_most(sink, &pressing.counted, most);
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
/// Returns an error in the same cases as [`write()`].
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

/// Writes the clauses for the presses, and returns assumptions for each of the bounds 0, 1, 2, … on their number. The
/// last bound is the greatest possible number of presses, or `within` if that rule is set and smaller. The first bound
/// that is satisfiable is the minimum.
///
/// # Errors
/// Returns an error in the same cases as [`write()`].
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
