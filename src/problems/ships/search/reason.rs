//! Reasons for explanations: parts of a board and of the rules that no fleet keeps, and a fleet for a set.
//!
//! Rules may be dropped here, so this is a search of its own: a ship that may be laid often or left out,
//! ships that may overlap. Some ship covers the hit with the fewest places; without a hit left, the ships that
//! have to be laid follow. What is covered with the same ships laid is entered once, and the hits left must be
//! coverable by ships that may overlap. Squares are counted first; where the search gives up, somebody else settles it.

use super::super::answer::Answer;
use super::super::answer::count::Count;
use super::super::answer::lost;
use super::super::answer::reason::{Fleet, Part, Reason, Settle};
use super::super::{Instance, Rules, Square};
use crate::board::{Bits, Cell, Size};
use crate::engine::{Budget, Limit};
use crate::problem::core;
use rustc_hash::{FxHashMap, FxHashSet};

/// Nodes for one question, at the most.
const MAX_NODES: u64 = 1 << 14;
/// Pairs of hits and ships whose overlapping cover is remembered.
const MAX_KNOWN: usize = 1 << 16;
/// The most sets for which fleets are shown.
const MAX_FLEETS: usize = 12;

/// The reason for an answer; `None` where it needs none, or past the budget. What the search gives up on is
/// settled by `settle`.
pub fn reason(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    settle: &Settle,
    budget: &mut Budget,
) -> Option<Reason> {
    if budget.left() == 0 {
        return None;
    }
    match answer {
        Answer::Yes { sets, .. } => fleets(rules, instance, sets, budget),
        Answer::No { lost } => fleets(rules, instance, &lost::kernel(lost, rules.misses), budget),
        Answer::NoFleet => {
            let laid = Places::new(rules, instance.size);
            // Misses go first: hits tell more.
            let squares = [Square::Miss, Square::Hit];
            let squares = squares.into_iter().flat_map(|kind| instance.cells(kind)).map(Part::Square);
            let ships = 0..rules.fleet.ships.len();
            let parts: Vec<Part> = squares
                .chain(ships.clone().map(Part::Laid))
                .chain(ships.map(Part::Once))
                .chain([Part::Apart])
                .collect();
            let refutes = |parts: &[Part]| {
                if Count::of(rules, instance, parts).is_some_and(|count| !count.leaves_room()) {
                    return Ok(true);
                }
                let found = match laid.keep(instance, parts, budget) {
                    Err(Limit::Work) if budget.left() > 0 => settle(rules, instance, parts, budget),
                    found => found,
                };
                Ok(found?.is_none())
            };
            core(&parts, refutes).map(Reason::Core)
        }
    }
}

/// A fleet for each of the first sets.
fn fleets(rules: &Rules, instance: &Instance, sets: &[Vec<Cell>], budget: &mut Budget) -> Option<Reason> {
    let laid = Places::new(rules, instance.size);
    let fleets = sets.iter().take(MAX_FLEETS).map(|set| laid.on(set, budget).ok()?);
    fleets.collect::<Option<_>>().map(Reason::Fleets)
}

/// A fleet that keeps these parts, ships perhaps laid several times or not at all where no part forbids it.
///
/// # Errors
/// The budget's limits, or 2^14 nodes.
pub fn keeping(
    rules: &Rules,
    instance: &Instance,
    parts: &[Part],
    budget: &mut Budget,
) -> Result<Option<Fleet>, Limit> {
    Places::new(rules, instance.size).keep(instance, parts, budget)
}

/// Which rules hold.
struct Kept {
    /// Ships to be laid at least once, at most once: a bit each.
    laid: u32,
    once: u32,
    apart: bool,
}

/// Where ships can lie on an empty board.
struct Places {
    size: Size,
    n_ships: usize,
    /// The ship and the indices of its cells.
    all: Vec<(usize, Vec<usize>)>,
    /// For each cell, the places that cover it.
    at: Vec<Vec<usize>>,
    /// The most cells of a ship.
    largest: Vec<usize>,
}

impl Places {
    fn new(rules: &Rules, size: Size) -> Self {
        let (mut all, mut at) = (Vec::new(), vec![Vec::new(); size.cells()]);
        for (ship, shape) in rules.fleet.ships.iter().enumerate() {
            for place in shape.placements(size) {
                let cells: Vec<usize> = place.cells.iter().map(|&cell| size.index(cell)).collect();
                cells.iter().for_each(|&cell| at[cell].push(all.len()));
                all.push((ship, cells));
            }
        }
        let largest = rules.fleet.ships.iter().map(|ship| ship.cells.len()).collect();
        Places { size, n_ships: rules.fleet.ships.len(), all, at, largest }
    }

    /// The fleet, laid so that it covers just this set.
    fn on(&self, set: &[Cell], budget: &mut Budget) -> Result<Option<Fleet>, Limit> {
        let mut left = Bits::from_indices(self.size.cells(), set.iter().map(|&cell| self.size.index(cell)));
        let mut path = Vec::new();
        let found = self.exactly(&mut left, &mut path, budget)?;
        Ok(found.then(|| self.fleet_of(&path)))
    }

    /// Lays ships that are not on the path until nothing is left to be covered, the lowest square first.
    fn exactly(&self, left: &mut Bits, path: &mut Vec<usize>, budget: &mut Budget) -> Result<bool, Limit> {
        budget.node()?;
        let Some(first) = left.iter().next() else { return Ok(path.len() == self.n_ships) };
        for &place in &self.at[first] {
            let (ship, cells) = &self.all[place];
            if path.iter().any(|&other| self.all[other].0 == *ship)
                || !cells.iter().all(|&cell| left.get(cell))
            {
                continue;
            }
            cells.iter().for_each(|&cell| left.flip(cell));
            path.push(place);
            if self.exactly(left, path, budget)? {
                return Ok(true);
            }
            path.pop();
            cells.iter().for_each(|&cell| left.flip(cell));
        }
        Ok(false)
    }

    fn fleet_of(&self, path: &[usize]) -> Fleet {
        let cells = |&place: &usize| {
            let (ship, cells) = &self.all[place];
            (*ship, cells.iter().map(|&i| self.size.cell(i)).collect())
        };
        path.iter().map(cells).collect()
    }

    fn keep(&self, instance: &Instance, parts: &[Part], budget: &mut Budget) -> Result<Option<Fleet>, Limit> {
        let mut kept = Kept { laid: 0, once: 0, apart: false };
        let (mut hits, mut misses) = (Vec::new(), Vec::new());
        for &part in parts {
            match part {
                Part::Square(cell) if instance.at(cell) == Square::Hit => hits.push(cell),
                Part::Square(cell) if instance.at(cell) == Square::Miss => misses.push(cell),
                Part::Square(_) => {}
                Part::Laid(ship) => kept.laid |= 1 << ship,
                Part::Once(ship) => kept.once |= 1 << ship,
                Part::Apart => kept.apart = true,
            }
        }
        hits.sort_unstable();
        self.fleet(&hits, &misses, &kept, budget)
    }

    fn fleet(
        &self,
        hits: &[Cell],
        misses: &[Cell],
        kept: &Kept,
        budget: &mut Budget,
    ) -> Result<Option<Fleet>, Limit> {
        budget.poll()?;
        let misses = Bits::from_indices(self.size.cells(), misses.iter().map(|&cell| self.size.index(cell)));
        let mut search = Search {
            places: self,
            kept,
            hits: hits.iter().map(|&cell| self.size.index(cell)).collect(),
            open: self.all.iter().map(|(_, cells)| cells.iter().all(|&cell| !misses.get(cell))).collect(),
            path: Vec::new(),
            seen: FxHashSet::default(),
            known: FxHashMap::default(),
            budget: budget.part(budget.left().min(MAX_NODES)),
        };
        let found = search.go(&Bits::zeros(self.size.cells()), 0);
        budget.work.nodes += search.budget.work.nodes;
        Ok(found?.then(|| self.fleet_of(&search.path)))
    }
}

struct Search<'a> {
    places: &'a Places,
    kept: &'a Kept,
    hits: Vec<usize>,
    /// Places that cover no miss.
    open: Vec<bool>,
    /// Places taken.
    path: Vec<usize>,
    /// What was covered by which ships, without success.
    seen: FxHashSet<(Bits, u32)>,
    /// Whether ships can cover hits, a bit each, if they may overlap.
    known: FxHashMap<(u64, u32), bool>,
    budget: Budget,
}

impl Search<'_> {
    /// Whether a fleet follows. `used` has a bit for each ship laid.
    fn go(&mut self, covered: &Bits, used: u32) -> Result<bool, Limit> {
        self.budget.node()?;
        if !self.seen.insert((covered.clone(), used)) {
            return Ok(false);
        }
        let pending: Vec<usize> = (0..self.hits.len()).filter(|&h| !covered.get(self.hits[h])).collect();
        let missing = self.kept.laid & !used;
        if pending.is_empty() && missing == 0 {
            return Ok(true);
        }
        if !self.enough(pending.len(), used) || !self.covers(&pending, used)? {
            return Ok(false);
        }
        let free = |&place: &usize| self.free(place, covered, used);
        let at = |hit: &usize| -> Vec<usize> {
            self.places.at[self.hits[*hit]].iter().copied().filter(free).collect()
        };
        let of = |ship: usize| -> Vec<usize> {
            let all = 0..self.places.all.len();
            all.filter(|&place| self.places.all[place].0 == ship && free(&place)).collect()
        };
        let ships = (0..self.places.n_ships).filter(|ship| missing >> ship & 1 == 1);
        let branches = match &pending[..] {
            [] => ships.map(of).min_by_key(Vec::len),
            _ => pending.iter().map(at).min_by_key(Vec::len),
        };
        for place in branches.unwrap_or_default() {
            let (ship, cells) = &self.places.all[place];
            let mut next = covered.clone();
            cells.iter().for_each(|&cell| next.set(cell));
            self.path.push(place);
            if self.go(&next, used | 1 << ship)? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }

    /// Whether a ship may be laid (again).
    fn may(&self, ship: usize, used: u32) -> bool {
        (self.kept.once & used) >> ship & 1 == 0
    }

    fn free(&self, place: usize, covered: &Bits, used: u32) -> bool {
        let (ship, cells) = &self.places.all[place];
        let meets = self.kept.apart && cells.iter().any(|&cell| covered.get(cell));
        self.open[place] && self.may(*ship, used) && !meets
    }

    /// Whether the ships left have cells for so many hits.
    fn enough(&self, hits: usize, used: u32) -> bool {
        let mut left = 0;
        for ship in (0..self.places.n_ships).filter(|&ship| self.may(ship, used)) {
            match self.kept.once >> ship & 1 {
                0 => return true,
                _ => left += self.places.largest[ship],
            }
        }
        hits <= left
    }

    /// Whether ships that may overlap can cover the hits `pending`. Only few hits are looked at.
    fn covers(&mut self, pending: &[usize], used: u32) -> Result<bool, Limit> {
        if self.hits.len() > 64 {
            return Ok(true);
        }
        let pending = pending.iter().fold(0, |set, hit| set | 1 << hit);
        self.overlapping(pending, used & self.kept.once)
    }

    fn overlapping(&mut self, pending: u64, used: u32) -> Result<bool, Limit> {
        if pending == 0 {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(&(pending, used)) {
            return Ok(known);
        }
        if self.known.len() == MAX_KNOWN {
            return Ok(true);
        }
        self.budget.node()?;
        let first = self.hits[pending.trailing_zeros() as usize];
        let mut specs = FxHashSet::default();
        for &place in &self.places.at[first] {
            let (ship, cells) = &self.places.all[place];
            if self.open[place] && self.may(*ship, used) {
                // Hits are ascending.
                let hits = cells.iter().filter_map(|cell| self.hits.binary_search(cell).ok());
                specs.insert((*ship, pending & hits.fold(0u64, |set, hit| set | 1 << hit)));
            }
        }
        let mut specs: Vec<_> = specs.into_iter().collect();
        specs.sort_unstable_by_key(|&(ship, set)| (std::cmp::Reverse(set.count_ones()), ship, set));
        let mut can = false;
        for (ship, set) in specs {
            if self.overlapping(pending & !set, (used | 1 << ship) & self.kept.once)? {
                can = true;
                break;
            }
        }
        self.known.insert((pending, used), can);
        Ok(can)
    }
}
