//! The SAT engines find covered sets one by one until the sets are lost or no other set exists.
//!
//! The axis `adversary` says which sets are searched for:
//! * `enumerate` forbids each set that was found. The number of rounds is bounded: if each set has k unknown cells,
//!   more than C(k + m, m) sets are lost with m misses.
//! * `probe` searches only for sets that can change the answer (`sat/probe.rs`). This works only for one miss; with
//!   other numbers of misses, `probe` enumerates.
//! * `sunflower` first searches for evidence of "no" with a single formula (`sat/sunflower.rs`). If there is none, it
//!   continues like `probe`.
//!
//! `sat/named.rs` enumerates the sets that the formula of an external encoder allows, in the same way.
//!
//! With `idle=later`, the engine first solves a formula that does not place the ships that cover no hit
//! (`sat/set_finder.rs`). This is often enough; if it is not, the engine solves the whole formula.
//!
//! With `idle=later`, `adversary=enumerate` and `leaders=yes`, which are the defaults, `sat:owner` may write
//! placements lazily: the formula says which ship covers which hits, and placements are added only if a model
//! needs them (`sat/lazy.rs`). With `places=lazy`, it always does so; with `places=auto`, the default, only
//! if the fleet leaves more than `MAX_SCARCE` squares empty.

mod bundles;
mod lazy;
mod named;
mod probe;
mod reason;
mod set_finder;
mod sunflower;

pub use bundles::Poses;
pub use named::solve_named;
pub use reason::satisfy_parts;

use super::answer::Answer;
use super::formula::{self, Encoded, Encoding, Form, Idle, Leaders, Redundant};
use super::{Instance, Rules, Square};
use counterpoint_core::board::{Bits, Cell};
use counterpoint_core::engine::{Axis, Budget, EngineInfo, Limit, Outcome, Unfinished};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::spec::{EngineSpec, TypedAxis};
use counterpoint_encodings::{AtMostOne, Lit, Sink};
use set_finder::{Found, SetFinder};

/// An entry of [`AMO`].
const fn amo(kind: AtMostOne) -> (&'static str, AtMostOne) {
    (kind.name(), kind)
}

/// The default comes first, then all other encodings.
const AMO: TypedAxis<AtMostOne, { AtMostOne::ALL.len() }> = TypedAxis::new(
    "amo",
    [
        amo(AtMostOne::Bimander),
        amo(AtMostOne::Sequential),
        amo(AtMostOne::Pairwise),
        amo(AtMostOne::Ladder),
        amo(AtMostOne::Bitwise),
        amo(AtMostOne::Product),
        amo(AtMostOne::Commander),
        amo(AtMostOne::Totalizer),
    ],
)
.about("the encoding of 'at most one placement of a ship' and 'at most one ship on a cell'");
const ADVERSARY: TypedAxis<Adversary, 3> = TypedAxis::new(
    "adversary",
    [("enumerate", Adversary::Enumerate), ("probe", Adversary::Probe), ("sunflower", Adversary::Sunflower)],
)
.about(
    "what each call of the solver looks for: any new set of squares (enumerate), a set that lacks a given square \
     (probe), or several fleets at once against which no plan wins (sunflower)",
);
const IDLE: TypedAxis<Idle, 2> = TypedAxis::new("idle", [("later", Idle::Later), ("placed", Idle::Placed)])
    .about("ships that cover no hit: placed after the solver has placed the others (later), or with them (placed)");
const CELLS: TypedAxis<bool, 2> = TypedAxis::new("cells", [("no", false), ("yes", true)])
    .about("whether to add that the number of covered squares is the number of squares of the fleet; with idle=placed");
const COLOURS: TypedAxis<bool, 2> = TypedAxis::new("colours", [("no", false), ("yes", true)])
    .about("whether to add how many covered squares may be black as on a chessboard; with idle=placed");
const LEADERS: TypedAxis<Option<Leaders>, 3> = TypedAxis::new(
    "leaders",
    [("yes", Some(Leaders::Counted)), ("no", None), ("named", Some(Leaders::Named))],
)
.about(
    "whether to add that at most as many hits are leaders as there are ships (yes), or only the variables and clauses \
     that say which hits are leaders (named); a leader is the first hit that its ship covers",
);

const PLACES: TypedAxis<Places, 3> = TypedAxis::new(
    "places",
    [("auto", Places::Auto), ("lazy", Places::Lazy), ("eager", Places::Eager)],
)
.about(
    "when placements are written: at the start (eager), when a model needs them (lazy), or as the number of \
         squares that the fleet leaves empty suggests (auto)",
);

const AXES: &[Axis] =
    &[AMO.axis(), ADVERSARY.axis(), IDLE.axis(), CELLS.axis(), COLOURS.axis(), LEADERS.axis()];
const OWNER_AXES: &[Axis] =
    &[AMO.axis(), ADVERSARY.axis(), IDLE.axis(), CELLS.axis(), COLOURS.axis(), LEADERS.axis(), PLACES.axis()];

/// The encoding with owners.
pub const OWNER: EngineInfo =
    EngineInfo::sat("owner", "placements, and which ship owns each cell", OWNER_AXES)
        .after("channelling as in constraint models; leaders and idle ships: ours");
/// The encoding without owners.
pub const PLACEMENT: EngineInfo = EngineInfo::sat("placement", "a variable for each ship and place", AXES)
    .after("exact cover as clauses; Knuth, TAOCP 7.2.2.2");

/// Maximum number of clauses of a formula.
const MAX_CLAUSES: u64 = 5_000_000;

/// If the fleet leaves at most this many squares empty, placements decide most questions, so they are written at the
/// start.
const MAX_SCARCE: usize = 12;
/// The same as a share of the cells of the fleet, for larger fleets than the standard one.
const SCARCE: (usize, usize) = (12, 28);

/// Which sets the engine searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adversary {
    /// All sets.
    Enumerate,
    /// Sets that can change the answer, if one miss is allowed; otherwise all sets.
    Probe,
    /// A sunflower; if there is none, the sets of `Probe`.
    Sunflower,
}

/// When the placements of a ship are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// At the start if the fleet leaves few squares empty (see [`MAX_SCARCE`] and [`SCARCE`]), otherwise lazily.
    Auto,
    /// When a model needs them.
    Lazy,
    /// At the start.
    Eager,
}

/// The choices in the spec of a SAT engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which sets the engine searches for.
    pub adversary: Adversary,
    form: Form,
    places: Places,
}

impl Settings {
    /// The settings of a SAT engine.
    ///
    /// # Panics
    /// Panics if `spec` is of neither [`OWNER`] nor [`PLACEMENT`].
    pub fn of(spec: &EngineSpec) -> Settings {
        let encoding = match spec.name {
            name if name == OWNER.name => Encoding::Owner,
            name if name == PLACEMENT.name => Encoding::Placement,
            _ => panic!("{spec} is not a SAT engine of Ships"),
        };
        let redundant = [
            CELLS.of(spec).then_some(Redundant::Cells),
            COLOURS.of(spec).then_some(Redundant::Colours),
            LEADERS.of(spec).map(Redundant::Leaders),
        ];
        let redundant = redundant.into_iter().flatten().collect();
        let form = Form { encoding, amo: AMO.of(spec), idle: IDLE.of(spec), redundant };
        let adversary = ADVERSARY.of(spec);
        let may_be_lazy = encoding == Encoding::Owner
            && form.idle == Idle::Later
            && adversary == Adversary::Enumerate
            && form.redundant.contains(&Redundant::Leaders(Leaders::Counted));
        let places = if may_be_lazy { PLACES.of(spec) } else { Places::Eager };
        Settings { adversary, form, places }
    }
}

/// Checks that the engine is one of this file, and that no formula that it may write has more than `MAX_CLAUSES`
/// clauses.
///
/// # Errors
/// Returns why the engine does not support this instance.
pub fn supports(rules: &Rules, instance: &Instance, spec: &EngineSpec) -> Result<(), Unsupported> {
    if spec.declared().is_some() {
        return Err("the variables of another program's formula have no meaning here".into());
    }
    let Settings { adversary, form, .. } = Settings::of(spec);
    let form = form.whole();
    let clauses = match adversary {
        Adversary::Sunflower => formula::max_clauses_of_sunflower(&form, rules, instance),
        // Usually the first bound is enough, and listing the placements for the second one would take longer than some
        // boards take to solve.
        Adversary::Enumerate | Adversary::Probe => {
            match formula::max_clauses_of_size(&form, rules, instance) {
                0..=MAX_CLAUSES => return Ok(()),
                _ => formula::max_clauses(&form, rules, instance),
            }
        }
    };
    if clauses > MAX_CLAUSES {
        return Err(format!("the formula may have {clauses} clauses; the limit is {MAX_CLAUSES}").into());
    }
    Ok(())
}

/// Writes a formula that says that a fleet fits, with all its ships placed. With `adversary=sunflower`, the formula
/// says that a sunflower of such fleets exists.
///
/// # Errors
/// Returns the errors of [`supports`], and an error for `adversary=probe`, which is not a single formula.
pub fn write(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<(), Unsupported> {
    encode(rules, instance, spec, sink).map(drop)
}

/// Writes the formula of [`write()`] and returns the assumptions of each question about it. The first question, without
/// assumptions, is whether the formula is satisfiable. Then there is one question for each unknown cell: can the cell
/// be empty? If not, a shot there always hits. For a sunflower there is only the first question.
///
/// # Errors
/// Returns the errors of [`write()`].
pub fn write_cells(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Vec<Lit>>, Unsupported> {
    let fleets = encode(rules, instance, spec, sink)?;
    let covered =
        fleets.iter().filter(|_| fleets.len() == 1).flat_map(|fleet| fleet.covered.iter().flatten());
    Ok([Vec::new()].into_iter().chain(covered.map(|&lit| vec![!lit])).collect())
}

/// Writes the formula of [`write()`] and returns the literals of its fleet, or of each fleet of a sunflower.
pub(super) fn encode(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Vec<Encoded>, Unsupported> {
    supports(rules, instance, spec)?;
    let settings = Settings::of(spec);
    match settings.adversary {
        Adversary::Enumerate => Ok(vec![formula::write(&settings.form.whole(), rules, instance, sink)]),
        Adversary::Sunflower => Ok(formula::write_sunflower(&settings.form.whole(), rules, instance, sink)),
        Adversary::Probe => {
            let reason = "adversary=probe asks several questions in turn, so it is not a single formula; \
                          adversary=enumerate writes that a fleet fits";
            Err(reason.to_owned().into())
        }
    }
}

/// Solves one board. `poses` is reused from board to board.
pub fn solve(
    poses: &mut Poses,
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let settings = Settings::of(spec);
    let instance = &*instance.filled(&rules.fleet);
    let is_lazy = match settings.places {
        Places::Auto => !are_scarce(rules, instance),
        Places::Lazy => true,
        Places::Eager => false,
    };
    if is_lazy {
        poses.prepare(&rules.fleet);
        let amo = settings.form.amo;
        return lazy::decide(amo, poses, rules, instance, || spec.solver(), budget).into();
    }
    Question { settings, rules, instance, spec }.decide(budget).into()
}

/// True if the fleet leaves few squares empty.
fn are_scarce(rules: &Rules, instance: &Instance) -> bool {
    let open = instance.squares.iter().filter(|&&square| square != Square::Miss).count();
    let fleet = rules.fleet.cells();
    open <= fleet + MAX_SCARCE.max(fleet * SCARCE.0 / SCARCE.1)
}

struct Question<'a> {
    settings: Settings,
    rules: &'a Rules,
    instance: &'a Instance,
    spec: &'a EngineSpec,
}

impl Question<'_> {
    /// Tries the formulas in turn, each in a fresh solver, until one gives an answer.
    fn decide(&self, budget: &mut Budget) -> Result<Answer, Unfinished> {
        let form = &self.settings.form;
        if self.settings.adversary == Adversary::Sunflower {
            let solver = self.spec.solver();
            if let Some(answer) = sunflower::find(form, self.rules, self.instance, solver, budget)? {
                return Ok(answer);
            }
        }
        if form.idle == Idle::Later
            && let Some(answer) = self.find_sets(Idle::Later, budget)?
        {
            return Ok(answer);
        }
        // The formula places every ship, so this always gives an answer.
        Ok(self.find_sets(Idle::Placed, budget)?.ok_or(Limit::Memory)?)
    }

    /// The answer; `None` if the idle ships of a model could not be placed.
    fn find_sets(&self, idle: Idle, budget: &mut Budget) -> Result<Option<Answer>, Unfinished> {
        let form = Form { idle, ..self.settings.form.clone() };
        let finder = SetFinder::new(&form, self.rules, self.instance, self.spec.solver());
        if self.settings.adversary != Adversary::Enumerate && self.rules.misses == 1 {
            return probe::decide(finder, budget);
        }
        enumerate(finder, |_| None, budget)
    }
}

/// Finds sets until they are lost or no other set exists; `None` if idle ships could not be placed. If `objection`
/// returns an answer for a set, the search ends with that answer.
fn enumerate(
    mut finder: SetFinder<'_>,
    objection: impl Fn(&Bits) -> Option<Answer>,
    budget: &mut Budget,
) -> Result<Option<Answer>, Unfinished> {
    loop {
        let (found, next) = finder.next_set(&[], budget)?;
        if found == Found::Unplaced {
            return Ok(None);
        }
        if found != Found::Exhausted
            && let Some(answer) = objection(next.last())
        {
            return Ok(Some(answer));
        }
        if found != Found::Open {
            return Ok(Some(next.answer(budget)?));
        }
        finder = next;
    }
}

/// A fleet in a model.
pub struct DecodedFleet {
    /// The cells that it covers, ascending.
    pub set: Vec<Cell>,
    /// A message if two ships share a cell. In a model of our formula they never do.
    pub overlap: Option<String>,
}

impl DecodedFleet {
    /// The fleet of these ships, each with its name and its cells.
    fn new(ships: &[(&str, &[Cell])]) -> DecodedFleet {
        let overlap = ships.iter().enumerate().find_map(|(i, (second, cells))| {
            ships[..i].iter().find_map(|(first, others)| {
                let cell = others.iter().find(|cell| cells.contains(cell))?;
                Some(format!("ships {first} and {second} overlap at {cell}"))
            })
        });
        let mut set: Vec<Cell> = ships.iter().flat_map(|(_, cells)| *cells).copied().collect();
        set.sort_unstable();
        DecodedFleet { set, overlap }
    }
}

/// The fleets in a model of the formula that [`write()`] writes: one fleet, or those of a sunflower. The formula is
/// written to `sink` once more, to find the variables of the fleets.
///
/// # Errors
/// Returns the errors of [`write()`].
pub fn decode(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
    value: &dyn Fn(Lit) -> bool,
) -> Result<Vec<DecodedFleet>, Unsupported> {
    // Placements are in the order of the ships.
    let fitting = formula::fitting(Idle::Placed, rules, instance);
    let ships = rules.fleet.ships.iter().zip(&fitting);
    let names: Vec<&str> = ships.flat_map(|(ship, places)| places.iter().map(|_| &*ship.name)).collect();
    let decoded = |fleet: &Encoded| {
        let placed = fleet.placements.iter().zip(&names).filter(|(place, _)| value(place.lit));
        DecodedFleet::new(&placed.map(|(place, name)| (*name, &place.cells[..])).collect::<Vec<_>>())
    };
    Ok(encode(rules, instance, spec, sink)?.iter().map(decoded).collect())
}
