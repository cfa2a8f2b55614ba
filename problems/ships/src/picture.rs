//! Draws an answer. For "yes", it draws the shots of the plan one by one, and a fleet for each set that fits; for "no",
//! fleets that no shot distinguishes safely. If no fleet fits, it draws the board and marks the squares that rule out
//! every fleet. For a verdict without evidence, it draws the board.

use super::answer::lost;
use super::answer::reason::{Part, PlacedFleet, Reason};
use super::answer::{Answer, Plan, outcome};
use super::{Instance, Rules, Square};
use counterpoint_core::board::{Cell, Mark, Panel, Sheet, Tile};
use rustc_hash::FxHashMap;

/// Maximum number of boards drawn for a plan.
const MAX_PANELS: usize = 12;

/// The fill colour of each ship, with the colour of its letter. Larger fleets repeat the colours.
const COLOURS: [(&str, &str); 7] = [
    ("#0072b2", "#fafafa"),
    ("#009e73", "#111111"),
    ("#cc79a7", "#111111"),
    ("#56b4e9", "#111111"),
    ("#e69f00", "#111111"),
    ("#f0e442", "#111111"),
    ("#999999", "#111111"),
];

/// Draws an answer. Numbers on unknown squares count the sets that cover them.
pub fn picture(rules: &Rules, instance: &Instance, answer: &Answer, reason: Option<&Reason>) -> Sheet {
    match (answer, reason) {
        (Answer::Yes { sets, plan }, reason) => {
            let mut sheet = plan_sheet(instance, sets, plan);
            if let Some(Reason::Fleets(fleets)) = reason {
                sheet
                    .panels
                    .extend((1..).zip(fleets).map(|(i, fleet)| fleet_panel(rules, instance, fleet, i)));
                let more = match sets.len() - fleets.len().min(sets.len()) {
                    0 => String::new(),
                    n => format!("; {n} more are not drawn"),
                };
                sheet.notes.push(format!(
                    "set N: a fleet that covers set N; letters name the ships; unknown squares are in colour or \
                     brackets{more}"
                ));
            }
            sheet
        }
        (Answer::No { lost }, Some(Reason::Fleets(fleets))) => {
            let n = lost::kernel(lost, rules.misses).len();
            let panels =
                fleets.iter().zip(1..).map(|(fleet, i)| fleet_panel(rules, instance, fleet, i)).collect();
            let more = match n - fleets.len().min(n) {
                0 => String::new(),
                n => format!("; {n} more are not drawn"),
            };
            let note = format!(
                "no: no shot distinguishes these {n} sets safely{more}; unknown squares are in colour or brackets"
            );
            Sheet { panels, notes: vec![note], ..Sheet::default() }
        }
        (Answer::No { lost }, _) => {
            let sets = lost::kernel(lost, rules.misses);
            let left: Vec<&Vec<Cell>> = sets.iter().collect();
            let caption = format!("no: no shot distinguishes these {} sets safely", sets.len());
            let panels = vec![counts_panel(instance, &left, &FxHashMap::default(), None, caption)];
            let notes = vec!["a number counts the sets that cover the square".to_owned()];
            Sheet { panels, notes, ..Sheet::default() }
        }
        (Answer::NoFleet, _) => {
            let mut panel =
                counts_panel(instance, &[], &FxHashMap::default(), None, "no fleet fits".to_owned());
            let mut notes = Vec::new();
            if let Some(Reason::Core(core)) = reason {
                for part in &core.parts {
                    if let Part::Square(cell) = part {
                        panel.tiles[instance.size.index(*cell)].mark = Mark::Frame;
                    }
                }
                if core.parts.iter().any(|part| matches!(part, Part::Square(_))) {
                    notes.push("even with only the marked squares known, no fleet fits".to_owned());
                }
            }
            Sheet { panels: vec![panel], notes, ..Sheet::default() }
        }
        (Answer::Verdict(_), _) => {
            let caption = format!("the verdict: {}", outcome(answer));
            let panel = counts_panel(instance, &[], &FxHashMap::default(), None, caption);
            Sheet { panels: vec![panel], ..Sheet::default() }
        }
    }
}

/// One board for each shot of the plan, given that all earlier shots hit, and one for the set that is left; at most
/// [`MAX_PANELS`] boards.
fn plan_sheet(instance: &Instance, sets: &[Vec<Cell>], plan: &Plan) -> Sheet {
    let (mut at, mut shots) = (plan, FxHashMap::default());
    let mut panels = Vec::new();
    let mut left: Vec<&Vec<Cell>> = sets.iter().collect();
    while let Plan::Shoot { cell, hit, .. } = at {
        let caption = format!("{}. shoot at {cell}", panels.len() + 1);
        panels.push(counts_panel(instance, &left, &shots, Some(*cell), caption));
        left.retain(|set| set.contains(cell));
        shots.insert(*cell, Square::Hit);
        at = hit;
    }
    panels.push(counts_panel(instance, &left, &shots, None, "1 set is left".to_owned()));
    let more = panels.len().saturating_sub(MAX_PANELS);
    panels.truncate(MAX_PANELS);
    let mut notes = vec![match sets.len() {
        1 => "yes: 1 set fits; a 1 marks the squares that it covers".to_owned(),
        n => format!(
            "yes: {n} sets fit; a number counts the remaining sets that cover the square; boards assume that earlier shots hit"
        ),
    }];
    notes.extend((more > 0).then(|| format!("{more} more steps are not drawn")));
    Sheet { panels, notes, ..Sheet::default() }
}

/// The board after `shots`. The number on an unknown square says how many of `sets` cover it. A frame marks the square
/// `next`.
fn counts_panel(
    instance: &Instance,
    sets: &[&Vec<Cell>],
    shots: &FxHashMap<Cell, Square>,
    next: Option<Cell>,
    caption: String,
) -> Panel {
    let tile = |cell| {
        let covering = sets.iter().filter(|set| set.contains(&cell)).count();
        let mut tile = match shots.get(&cell).copied().unwrap_or(instance.at(cell)) {
            Square::Hit => Tile::new("#444444", "#fafafa", "x"),
            Square::Miss => Tile::new("#dceaf5", "#224466", "o"),
            Square::Unknown if covering == 0 => {
                Tile { letters: ".".to_owned(), ..Tile::new("#fafafa", "#767676", "") }
            }
            Square::Unknown => {
                let sure = covering == sets.len();
                Tile::new("#fafafa", if sure { "#006629" } else { "#0072b2" }, covering.to_string())
            }
        };
        if next == Some(cell) {
            tile.mark = Mark::Frame;
        }
        tile
    };
    Panel { caption, size: instance.size, tiles: instance.size.iter().map(tile).collect() }
}

/// The board as it is.
pub fn plain(instance: &Instance) -> Panel {
    counts_panel(instance, &[], &FxHashMap::default(), None, String::new())
}

/// A fleet; each cell shows the first letter of its ship.
fn fleet_panel(rules: &Rules, instance: &Instance, fleet: &PlacedFleet, number: usize) -> Panel {
    let owner: FxHashMap<Cell, usize> =
        fleet.iter().flat_map(|placed| placed.cells.iter().map(|&cell| (cell, placed.ship))).collect();
    let tile = |cell| {
        let known = instance.at(cell);
        match owner.get(&cell) {
            Some(&ship) => {
                let name = rules.fleet.ships.get(ship).and_then(|ship| ship.name.chars().next());
                let letter = name.unwrap_or('?').to_string();
                match known {
                    Square::Hit => Tile::new("#444444", "#fafafa", letter),
                    _ => {
                        let (fill, ink) = COLOURS[ship % COLOURS.len()];
                        Tile { mark: Mark::Brackets, ..Tile::new(fill, ink, letter) }
                    }
                }
            }
            None if known == Square::Miss => Tile::new("#dceaf5", "#224466", "o"),
            None => Tile { letters: ".".to_owned(), ..Tile::new("#fafafa", "#767676", "") },
        }
    };
    let caption = format!("set {number}");
    Panel { caption, size: instance.size, tiles: instance.size.iter().map(tile).collect() }
}
