//! Finds reasons for explanations: a minimal set of squares and rules that no fleet satisfies, or fleets for covered
//! sets.
//!
//! Squares and rules are called *parts*. Deletion-based shrinking drops parts, so it asks about boards without some of
//! the rules: a ship may be placed several times or not at all, and ships may overlap. Each question is answered in
//! three steps:
//! 1. Counting squares may refute the parts.
//! 2. Otherwise, a search looks for a fleet. A hit is *pending* until a placement covers it. While some hit is pending,
//!    the search branches on the pending hit with the fewest placements; when all hits are covered, it branches on the
//!    ship with the fewest placements among those that must still be placed. A transposition table ensures that each
//!    pair (covered squares, ships placed) is expanded once. A relaxation in which ships may overlap prunes nodes.
//! 3. If the search reaches its node limit, the caller's `fallback` decides; `entry.rs` passes the function
//!    `satisfy_parts` of `sat/reason.rs`.

use super::super::answer::Answer;
use super::super::answer::count::Count;
use super::super::answer::lost;
use super::super::answer::reason::{Part, PlacedFleet, Reason, Satisfy};
use super::super::{Instance, PlacedShip, Rules, Square};
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::core;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of nodes for one set of parts.
const MAX_NODES: u64 = 1 << 14;
/// Maximum number of entries in the memo table of the relaxation.
const MAX_KNOWN: usize = 1 << 16;
/// Maximum number of covered sets for which a fleet is found.
const MAX_FLEETS: usize = 12;

/// The reason for an answer. `None` if a limit is reached first, if the answer is wrong, or if the answer is a verdict
/// without evidence. `fallback` decides the sets of parts on which the search reaches its node limit.
pub fn reason(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    fallback: &Satisfy,
    budget: &mut Budget,
) -> Option<Reason> {
    if budget.left() == 0 {
        return None;
    }
    match answer {
        Answer::Yes { sets, .. } => fleets(rules, instance, sets, budget),
        Answer::No { lost } => fleets(rules, instance, &lost::kernel(lost, rules.misses), budget),
        Answer::NoFleet => {
            let placements = Placements::new(rules, instance.size);
            // Shrinking tries to drop parts in this order. Misses come first, because a reason that consists of hits is
            // easier to follow.
            let squares = [Square::Miss, Square::Hit];
            let squares = squares.into_iter().flat_map(|kind| instance.cells(kind)).map(Part::Square);
            let ships = 0..rules.fleet.ships.len();
            let parts: Vec<Part> = squares
                .chain(ships.clone().map(Part::AtLeastOnce))
                .chain(ships.map(Part::AtMostOnce))
                .chain([Part::Disjoint])
                .collect();
            let refutes = |parts: &[Part]| {
                if Count::of(rules, instance, parts).is_some_and(|count| !count.may_fit()) {
                    return Ok(true);
                }
                let found = match placements.satisfy(instance, parts, budget) {
                    Err(Limit::Work) if budget.left() > 0 => fallback(rules, instance, parts, budget),
                    found => found,
                };
                Ok(found?.is_none())
            };
            core(&parts, refutes).map(Reason::Core)
        }
        Answer::Verdict(_) => None,
    }
}

/// A fleet for each of the first [`MAX_FLEETS`] sets; `None` if one of these sets is covered by no fleet, or if a limit
/// is reached first.
fn fleets(rules: &Rules, instance: &Instance, sets: &[Vec<Cell>], budget: &mut Budget) -> Option<Reason> {
    let placements = Placements::new(rules, instance.size);
    let fleets = sets.iter().take(MAX_FLEETS).map(|set| placements.tiling(set, budget).ok()?);
    fleets.collect::<Option<_>>().map(Reason::Fleets)
}

/// A fleet that satisfies these parts, or `None` if there is none. A ship may occur several times or not at all unless
/// a part forbids it.
///
/// # Errors
/// Returns the limit of the budget that was reached, or `Limit::Work` after 2^14 nodes.
pub fn satisfy_parts(
    rules: &Rules,
    instance: &Instance,
    parts: &[Part],
    budget: &mut Budget,
) -> Result<Option<PlacedFleet>, Limit> {
    Placements::new(rules, instance.size).satisfy(instance, parts, budget)
}

/// The rules among the parts. Each ship is one bit.
struct ActiveRules {
    /// Ships that must be placed at least once.
    at_least_once: u32,
    /// Ships that may be placed at most once.
    at_most_once: u32,
    /// Whether ships must not overlap.
    disjoint: bool,
}

/// All placements on the empty board.
struct Placements {
    size: Size,
    n_ships: usize,
    /// For each placement, the ship and the indices of the covered cells.
    all: Vec<(usize, Vec<usize>)>,
    /// For each cell, the placements that cover it, as indices into `all`.
    at: Vec<Vec<usize>>,
    /// Number of cells of each ship.
    ship_cells: Vec<usize>,
}

impl Placements {
    fn new(rules: &Rules, size: Size) -> Self {
        let (mut all, mut at) = (Vec::new(), vec![Vec::new(); size.cells()]);
        for (ship, shape) in rules.fleet.ships.iter().enumerate() {
            for place in shape.placements(size) {
                let cells: Vec<usize> = place.cells.iter().map(|&cell| size.index(cell)).collect();
                cells.iter().for_each(|&cell| at[cell].push(all.len()));
                all.push((ship, cells));
            }
        }
        let ship_cells = rules.fleet.ships.iter().map(|ship| ship.cells.len()).collect();
        Placements { size, n_ships: rules.fleet.ships.len(), all, at, ship_cells }
    }

    /// The whole fleet, placed so that it covers exactly this set; `None` if that is impossible.
    fn tiling(&self, set: &[Cell], budget: &mut Budget) -> Result<Option<PlacedFleet>, Limit> {
        let mut uncovered =
            Bits::from_indices(self.size.cells(), set.iter().map(|&cell| self.size.index(cell)));
        let mut path = Vec::new();
        let found = self.tile(&mut uncovered, &mut path, budget)?;
        Ok(found.then(|| self.fleet_of(&path)))
    }

    /// True if the ships that are not on the path can tile the squares `uncovered`; the path then holds the whole
    /// fleet. Each step covers the lowest of these squares.
    fn tile(&self, uncovered: &mut Bits, path: &mut Vec<usize>, budget: &mut Budget) -> Result<bool, Limit> {
        budget.node()?;
        let Some(first) = uncovered.iter().next() else { return Ok(path.len() == self.n_ships) };
        for &place in &self.at[first] {
            let (ship, cells) = &self.all[place];
            if path.iter().any(|&other| self.all[other].0 == *ship)
                || !cells.iter().all(|&cell| uncovered.get(cell))
            {
                continue;
            }
            cells.iter().for_each(|&cell| uncovered.flip(cell));
            path.push(place);
            if self.tile(uncovered, path, budget)? {
                return Ok(true);
            }
            path.pop();
            cells.iter().for_each(|&cell| uncovered.flip(cell));
        }
        Ok(false)
    }

    fn fleet_of(&self, path: &[usize]) -> PlacedFleet {
        let cells = |&place: &usize| {
            let (ship, cells) = &self.all[place];
            PlacedShip { ship: *ship, cells: cells.iter().map(|&i| self.size.cell(i)).collect() }
        };
        path.iter().map(cells).collect()
    }

    /// A fleet that satisfies these parts, or `None` if there is none.
    fn satisfy(
        &self,
        instance: &Instance,
        parts: &[Part],
        budget: &mut Budget,
    ) -> Result<Option<PlacedFleet>, Limit> {
        let mut rules = ActiveRules { at_least_once: 0, at_most_once: 0, disjoint: false };
        let (mut hits, mut misses) = (Vec::new(), Vec::new());
        for &part in parts {
            match part {
                Part::Square(cell) if instance.at(cell) == Square::Hit => hits.push(cell),
                Part::Square(cell) if instance.at(cell) == Square::Miss => misses.push(cell),
                Part::Square(_) => {}
                Part::AtLeastOnce(ship) => rules.at_least_once |= 1 << ship,
                Part::AtMostOnce(ship) => rules.at_most_once |= 1 << ship,
                Part::Disjoint => rules.disjoint = true,
            }
        }
        hits.sort_unstable();
        self.fleet(&hits, &misses, &rules, budget)
    }

    fn fleet(
        &self,
        hits: &[Cell],
        misses: &[Cell],
        rules: &ActiveRules,
        budget: &mut Budget,
    ) -> Result<Option<PlacedFleet>, Limit> {
        budget.poll()?;
        let misses = Bits::from_indices(self.size.cells(), misses.iter().map(|&cell| self.size.index(cell)));
        let mut search = Search {
            placements: self,
            rules,
            hits: hits.iter().map(|&cell| self.size.index(cell)).collect(),
            avoids_misses: self
                .all
                .iter()
                .map(|(_, cells)| cells.iter().all(|&cell| !misses.get(cell)))
                .collect(),
            path: Vec::new(),
            expanded: FxHashSet::default(),
            coverable: FxHashMap::default(),
            budget: budget.part(budget.left().min(MAX_NODES)),
        };
        let found = search.expand(&Bits::zeros(self.size.cells()), 0);
        budget.work.nodes += search.budget.work.nodes;
        Ok(found?.then(|| self.fleet_of(&search.path)))
    }
}

struct Search<'a> {
    placements: &'a Placements,
    rules: &'a ActiveRules,
    /// Indices of the cells that are hits, ascending.
    hits: Vec<usize>,
    /// For each placement, whether it covers no miss.
    avoids_misses: Vec<bool>,
    /// The placements chosen so far.
    path: Vec<usize>,
    /// The transposition table: pairs (covered squares, ships placed) of the nodes expanded so far. No completion of
    /// these nodes has been found.
    expanded: FxHashSet<(Bits, u32)>,
    /// The memo table of the relaxation. A key has a bit for each pending hit and for each ship that may not be placed
    /// again. The value says whether the other ships can cover these hits if ships may overlap.
    coverable: FxHashMap<(u64, u32), bool>,
    budget: Budget,
}

impl Search<'_> {
    /// True if the node has a completion, which `path` then holds. `used` are the ships placed so far, one bit each.
    fn expand(&mut self, covered: &Bits, used: u32) -> Result<bool, Limit> {
        self.budget.node()?;
        if !self.expanded.insert((covered.clone(), used)) {
            return Ok(false);
        }
        let pending: Vec<usize> = (0..self.hits.len()).filter(|&h| !covered.get(self.hits[h])).collect();
        let missing = self.rules.at_least_once & !used;
        if pending.is_empty() && missing == 0 {
            return Ok(true);
        }
        if !self.has_enough_cells(pending.len(), used) || !self.can_cover(&pending, used)? {
            return Ok(false);
        }
        let free = |&place: &usize| self.is_available(place, covered, used);
        let at = |hit: &usize| -> Vec<usize> {
            self.placements.at[self.hits[*hit]].iter().copied().filter(free).collect()
        };
        let of = |ship: usize| -> Vec<usize> {
            let all = 0..self.placements.all.len();
            all.filter(|&place| self.placements.all[place].0 == ship && free(&place)).collect()
        };
        let ships = (0..self.placements.n_ships).filter(|ship| missing >> ship & 1 == 1);
        let branches = match &pending[..] {
            [] => ships.map(of).min_by_key(Vec::len),
            _ => pending.iter().map(at).min_by_key(Vec::len),
        };
        for place in branches.unwrap_or_default() {
            let (ship, cells) = &self.placements.all[place];
            let mut next = covered.clone();
            cells.iter().for_each(|&cell| next.set(cell));
            self.path.push(place);
            if self.expand(&next, used | 1 << ship)? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }

    /// True if a ship may be placed, or placed again.
    fn may_place(&self, ship: usize, used: u32) -> bool {
        (self.rules.at_most_once & used) >> ship & 1 == 0
    }

    /// True if a placement can be added to the path.
    fn is_available(&self, place: usize, covered: &Bits, used: u32) -> bool {
        let (ship, cells) = &self.placements.all[place];
        let overlaps = self.rules.disjoint && cells.iter().any(|&cell| covered.get(cell));
        self.avoids_misses[place] && self.may_place(*ship, used) && !overlaps
    }

    /// True if the ships that may still be placed have enough cells for this many pending hits.
    fn has_enough_cells(&self, hits: usize, used: u32) -> bool {
        let mut cells = 0;
        for ship in (0..self.placements.n_ships).filter(|&ship| self.may_place(ship, used)) {
            match self.rules.at_most_once >> ship & 1 {
                // It may be placed any number of times.
                0 => return true,
                _ => cells += self.placements.ship_cells[ship],
            }
        }
        hits <= cells
    }

    /// False only if ships cannot cover the hits `pending`, even with overlaps. Always true with more than 64 hits.
    fn can_cover(&mut self, pending: &[usize], used: u32) -> Result<bool, Limit> {
        if self.hits.len() > 64 {
            return Ok(true);
        }
        let pending = pending.iter().fold(0, |set, hit| set | 1 << hit);
        self.can_cover_set(pending, used & self.rules.at_most_once)
    }

    /// Decides `can_cover` for a bit set of hits, by branching on the lowest one. `used` are the ships that may not be
    /// placed again. Once the memo table is full, returns true for every pair that it lacks.
    fn can_cover_set(&mut self, pending: u64, used: u32) -> Result<bool, Limit> {
        if pending == 0 {
            return Ok(true);
        }
        if let Some(&known) = self.coverable.get(&(pending, used)) {
            return Ok(known);
        }
        if self.coverable.len() == MAX_KNOWN {
            return Ok(true);
        }
        self.budget.node()?;
        let first = self.hits[pending.trailing_zeros() as usize];
        let mut choices = FxHashSet::default();
        for &place in &self.placements.at[first] {
            let (ship, cells) = &self.placements.all[place];
            if self.avoids_misses[place] && self.may_place(*ship, used) {
                let hits = cells.iter().filter_map(|cell| self.hits.binary_search(cell).ok());
                choices.insert((*ship, pending & hits.fold(0u64, |set, hit| set | 1 << hit)));
            }
        }
        let mut choices: Vec<_> = choices.into_iter().collect();
        choices.sort_unstable_by_key(|&(ship, set)| (std::cmp::Reverse(set.count_ones()), ship, set));
        let mut can = false;
        for (ship, set) in choices {
            if self.can_cover_set(pending & !set, (used | 1 << ship) & self.rules.at_most_once)? {
                can = true;
                break;
            }
        }
        self.coverable.insert((pending, used), can);
        Ok(can)
    }
}
