//! The scene of a lesson: one board with the ships at their placements and a ring on each covered square.

use super::formula::{self, Encoded, Idle};
use super::{Instance, Rules, Square as Known, sat};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Board, Ground, InWords, Mark, Scene, Shape, Square, Strip};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Sink;
use itertools::Itertools;

/// What the groups of clauses say.
const GROUPS: &[(&str, &str)] = &[
    (
        "each ship lies at exactly one place",
        "Every ship of the fleet is on the board exactly once: one of its placements is chosen, and no two are.",
    ),
    (
        "a ship owns the cells that it covers, and no others",
        "A cell is under a ship if the ship's placement contains it.",
    ),
    (
        "hits out of reach of each other have different owners",
        "Two hits that are too far apart for a ship cannot both belong to this ship.",
    ),
    ("no two ships share a cell", "Ships do not overlap: at most one ship lies on a cell."),
    ("every hit is covered", "Where a shot hit something (x), there is a ship."),
    (
        "a cell is covered iff a ship covers it",
        "These clauses connect ships and cells: “covered” is true for a cell if a ship lies on it, and only then.",
    ),
    (
        "at most as many leading hits as ships",
        "A leading hit is the first hit under its ship. There cannot be more of them than ships.",
    ),
    (
        "as many cells are covered as the fleet has",
        "The ships do not overlap, so the fleet covers as many cells as its ships have together.",
    ),
    (
        "the fleet covers a possible number of black cells",
        "Colour the board like a chessboard. The shapes of the ships allow only some numbers of black cells.",
    ),
];

/// The board to show beside the formula, which says that a fleet fits.
///
/// # Errors
/// Returns the errors of writing the formula, and an error if the formula describes several fleets.
pub fn scene(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Scene, Unsupported> {
    let mut sink = InWords { sink, words: |name: &str| words(rules, instance, name) };
    let mut fleets = sat::encode(rules, instance, spec, &mut sink)?;
    let (Some(fleet), true) = (fleets.pop(), fleets.is_empty()) else {
        return Err("a lesson shows one fleet; use adversary=enumerate".into());
    };
    let squares = (0..instance.size.cells()).map(|i| Square {
        marks: marks(rules, instance, &fleet, i),
        ..Square::plain(match instance.squares[i] {
            Known::Hit => Ground::Hit,
            Known::Miss => Ground::Miss,
            Known::Unknown => Ground::Unknown,
        })
    });
    let board = Board { title: String::new(), lit: None, size: instance.size, squares: squares.collect() };
    let strips = vec![Strip { title: String::new(), boards: vec![board] }];
    Ok(Scene { question: "a fleet fits the board".to_owned(), strips, groups: GROUPS, minimised: None })
}

/// Describes in words a variable that says that a ship owns a cell or has a placement. A placement is described by its
/// squares instead of its pose and corner. `None` for other variables.
fn words(rules: &Rules, instance: &Instance, name: &str) -> Option<String> {
    if let Some((ship, cell)) = name.strip_prefix("own ").and_then(|rest| rest.rsplit_once(' ')) {
        return Some(format!("{cell} under ship {ship}"));
    }
    let (place, corner) = name.strip_prefix("placement ")?.rsplit_once(" at ")?;
    let (ship, pose) = place.rsplit_once('#')?;
    let placements = rules.fleet.ships.iter().find(|other| other.name == ship)?.placements(instance.size);
    let placement =
        placements.iter().find(|p| p.corner.to_string() == corner && (p.pose + 1).to_string() == pose)?;
    Some(format!("ship {ship} on {}", placement.cells.iter().join(" ")))
}

/// The marks on the cell with index `i`, one for each literal about it.
fn marks(rules: &Rules, instance: &Instance, fleet: &Encoded, i: usize) -> Vec<Mark> {
    let cell = instance.size.cell(i);
    // Placements are in the order of the ships.
    let fitting = formula::fitting(Idle::Placed, rules, instance);
    let ships = fitting.iter().enumerate().flat_map(|(ship, places)| places.iter().map(move |_| ship));
    let here = fleet.placements.iter().zip(ships).filter(|(place, _)| place.cells.contains(&cell));
    let placed = here.map(|(place, ship)| Mark::shared(place.lit, Shape::Ship(ship)));
    let owned = fleet.owners[i].iter().map(|&lit| Mark::shared(lit, Shape::Nothing));
    let covered = fleet.covered[i].map(|lit| Mark::own(lit, Shape::Ring));
    placed.chain(owned).chain(covered).collect()
}
