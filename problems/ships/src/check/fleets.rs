//! Enumerates the sets of squares that fleets can cover, with the simplest search that is fast enough for the checker.
//!
//! A hit is *pending* until a placement covers it. While a hit is pending, branch on the pending hit with the fewest
//! available placements; otherwise on the remaining ship with the fewest. Nodes are pruned by three rules. First, a
//! transposition table ensures that each pair (covered squares, remaining ships) is expanded once. Second, a node has
//! no completion if the remaining ships cannot cover the pending hits even when ships may *overlap*. This relaxation
//! has a memo table. The relaxation is tested only in long searches, because with many adjacent hits it is expensive and
//! seldom prunes. Third, if all ships have g cells, each connected part of the free squares that are left holds whole
//! ships only, so the remainder of its size modulo g stays empty. A node has no completion if these remainders add up
//! to more squares than the fleet leaves empty. This is tested on boards with few squares to spare, where it replaces
//! the second rule.
//!
//! If the fleet has as many cells as there are free squares, all free squares are treated as hits. If the fleet has as
//! many cells as there are hits, it covers exactly the hits, so the search ends with the first fleet.

use crate::{Fleet, Poses, Ship};
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::engine::{Budget, Limit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The usual maximum number of nodes, regardless of the budget.
pub(super) const MAX_NODES: u64 = 1 << 19;

/// The relaxation is tested after this many nodes.
const OVERLAP_AT: u64 = 1 << 10;
/// Maximum number of entries in the memo table of the relaxation.
const MAX_KNOWN: usize = 1 << 16;
/// With more hits than this, the relaxation is not tested.
const MAX_HITS: usize = 64;
/// The parts of the free squares are tested if the fleet leaves at most this many squares empty.
const MAX_SPARE: usize = 32;

/// Why a walk ended early.
pub(super) enum Stop {
    Limit(Limit),
    /// The visitor needs no further sets.
    Enough,
}

/// Receives the covered cells of a fleet, ascending.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Vec<Cell>) -> Result<(), Stop>;

/// Visits the covered sets of the fleets that lie on `free` cells and cover all `hits`, each set once.
///
/// # Errors
/// Returns `Stop::Enough` if the visitor returns it, or the limit that was reached: one of the budget, or 2^19 nodes.
pub(super) fn walk(
    fleet: &Fleet,
    size: Size,
    hits: &[Cell],
    free: &[Cell],
    budget: &mut Budget,
    visit: Visit<'_>,
) -> Result<(), Stop> {
    walk_within(MAX_NODES, fleet, size, hits, free, budget, visit)
}

/// Like [`walk`], with another limit on nodes.
pub(super) fn walk_within(
    max_nodes: u64,
    fleet: &Fleet,
    size: Size,
    hits: &[Cell],
    free: &[Cell],
    budget: &mut Budget,
    visit: Visit<'_>,
) -> Result<(), Stop> {
    let all = (0..fleet.ships.len()).fold(0, |all, ship| all | 1 << ship);
    let hits = if free.len() == fleet.cells() { free } else { hits };
    let walk = Walk::new(&placements(fleet, size), fleet, size, hits, free, OVERLAP_AT);
    Walk { max_nodes, ..walk }.go(all, budget, visit)
}

/// For each ship, its placements on an empty board, each as ascending cell indices.
pub(super) struct Placements(Vec<Vec<Vec<usize>>>);

pub(super) fn placements(fleet: &Fleet, size: Size) -> Placements {
    let index = |place: Vec<Cell>| place.iter().map(|&cell| size.index(cell)).collect();
    Placements(fleet.ships.iter().map(|ship| places(ship, size).into_iter().map(index).collect()).collect())
}

/// Whether a fleet covers exactly the cells of `set`, which must be as many as the fleet has. A list may have many sets,
/// so the placements are given, and the limits are tested for each set.
///
/// # Errors
/// Returns the limit that was reached: one of the budget, or 2^19 nodes.
pub(super) fn is_covered(
    set: &[Cell],
    placements: &Placements,
    fleet: &Fleet,
    size: Size,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    budget.poll()?;
    let all = (0..fleet.ships.len()).fold(0, |all, ship| all | 1 << ship);
    // Only the cells of the set are free, so the walk tiles the set.
    let mut walk = Walk::new(placements, fleet, size, set, set, OVERLAP_AT);
    match walk.go(all, budget, &mut |_| Err(Stop::Enough)) {
        Err(Stop::Enough) => Ok(true),
        Err(Stop::Limit(limit)) => Err(limit),
        Ok(()) => Ok(false),
    }
}

struct Walk {
    size: Size,
    /// For each ship, its placements on free cells, each as ascending cell indices.
    places: Vec<Vec<Vec<usize>>>,
    /// For each cell, the placements in `places` that cover it, as pairs (ship, index).
    at: Vec<Vec<(usize, usize)>>,
    hits: Vec<usize>,
    covered: Bits,
    free: Bits,
    /// Number of free squares that stay empty, if they are few and all ships have the same number of cells.
    spare: Option<usize>,
    /// Number of cells of the first ship.
    ship_cells: usize,
    /// True if only one set can fit.
    single: bool,
    /// True if no further set can fit.
    done: bool,
    /// The transposition table: pairs (covered squares, remaining ships) of the nodes expanded so far.
    walked: FxHashSet<(Bits, u32)>,
    /// The memo table of the relaxation: whether the remaining ships can cover the pending hits. In the key, each hit
    /// and each ship is one bit.
    known: FxHashMap<(u64, u32), bool>,
    /// The node after which the relaxation is tested.
    overlap_at: u64,
    max_nodes: u64,
    nodes: u64,
}

impl Walk {
    fn new(
        placements: &Placements,
        fleet: &Fleet,
        size: Size,
        hits: &[Cell],
        free: &[Cell],
        overlap_at: u64,
    ) -> Walk {
        let free = Bits::from_indices(size.cells(), free.iter().map(|&cell| size.index(cell)));
        let is_free = |place: &&Vec<usize>| place.iter().all(|&i| free.get(i));
        let open = |places: &Vec<Vec<usize>>| places.iter().filter(is_free).cloned().collect();
        let places: Vec<Vec<Vec<usize>>> = placements.0.iter().map(open).collect();
        let mut at = vec![Vec::new(); size.cells()];
        for (ship, places) in places.iter().enumerate() {
            for (number, i) in
                places.iter().enumerate().flat_map(|(n, place)| place.iter().map(move |&i| (n, i)))
            {
                at[i].push((ship, number));
            }
        }
        let ship_cells = fleet.ships.first().map_or(1, |ship| ship.cells.len());
        let spare = free.count().checked_sub(fleet.cells()).filter(|&spare| spare <= MAX_SPARE);
        Walk {
            spare: spare.filter(|_| fleet.ships.iter().all(|ship| ship.cells.len() == ship_cells)),
            ship_cells,
            single: hits.len() == fleet.cells(),
            done: false,
            size,
            places,
            at,
            hits: hits.iter().map(|&cell| size.index(cell)).collect(),
            covered: Bits::zeros(size.cells()),
            free,
            walked: FxHashSet::default(),
            known: FxHashMap::default(),
            overlap_at,
            max_nodes: MAX_NODES,
            nodes: 0,
        }
    }

    /// Expands the node of `covered` and `remaining`, which has a bit for each ship that is not yet placed.
    fn go(&mut self, remaining: u32, budget: &mut Budget, visit: Visit<'_>) -> Result<(), Stop> {
        if self.done {
            return Ok(());
        }
        self.count(budget)?;
        if !self.walked.insert((self.covered.clone(), remaining)) {
            return Ok(());
        }
        let pending: Vec<usize> = (0..self.hits.len()).filter(|&h| !self.covered.get(self.hits[h])).collect();
        if remaining == 0 {
            let cells = self.covered.iter().map(|i| self.size.cell(i)).collect();
            self.done = self.single && pending.is_empty();
            return if pending.is_empty() { visit(cells) } else { Ok(()) };
        }
        if self.spare.is_some_and(|spare| self.lost_in_parts() > spare) {
            return Ok(());
        }
        if self.nodes > self.overlap_at
            && self.spare.is_none()
            && self.hits.len() <= MAX_HITS
            && !self.can_cover(pending.iter().fold(0, |set, h| set | 1 << h), remaining, budget)?
        {
            return Ok(());
        }
        let branches = (pending
            .iter()
            .map(|&h| self.available(&self.at[self.hits[h]], remaining))
            .min_by_key(Vec::len))
        .or_else(|| {
            let ships = (0..self.places.len()).filter(|&ship| remaining >> ship & 1 == 1);
            let all = |ship: usize| (0..self.places[ship].len()).map(move |n| (ship, n)).collect::<Vec<_>>();
            ships.map(|ship| self.available(&all(ship), remaining)).min_by_key(Vec::len)
        });
        for (ship, number) in branches.unwrap_or_default() {
            self.toggle(ship, number);
            self.go(remaining & !(1 << ship), budget, visit)?;
            self.toggle(ship, number);
        }
        Ok(())
    }

    fn count(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return Err(Stop::Limit(Limit::Work));
        }
        budget.node().map_err(Stop::Limit)
    }

    /// A lower bound on the number of free squares that stay empty: each connected part of the squares that are free
    /// and not covered holds only whole ships.
    fn lost_in_parts(&self) -> usize {
        let mut seen = self.covered.clone();
        let mut lost = 0;
        for first in self.free.iter() {
            if seen.get(first) {
                continue;
            }
            seen.set(first);
            let mut part = vec![first];
            let mut next = 0;
            while let Some(&at) = part.get(next) {
                next += 1;
                let Cell { row, col } = self.size.cell(at);
                let (above, left) = (row.wrapping_sub(1), col.wrapping_sub(1));
                for (row, col) in [(above, col), (row + 1, col), (row, left), (row, col + 1)] {
                    let cell = Cell::new(row, col);
                    if !self.size.contains(cell) {
                        continue;
                    }
                    let i = self.size.index(cell);
                    if self.free.get(i) && !seen.get(i) {
                        seen.set(i);
                        part.push(i);
                    }
                }
            }
            lost += part.len() % self.ship_cells;
        }
        lost
    }

    /// The placements among `places` that are available to a ship of `remaining`.
    fn available(&self, places: &[(usize, usize)], remaining: u32) -> Vec<(usize, usize)> {
        let is_free = |place: &[usize]| place.iter().all(|&i| !self.covered.get(i));
        let is_available =
            |&&(ship, n): &&(usize, usize)| remaining >> ship & 1 == 1 && is_free(&self.places[ship][n]);
        places.iter().filter(is_available).copied().collect()
    }

    /// Places a ship, or removes it.
    fn toggle(&mut self, ship: usize, number: usize) {
        self.places[ship][number].iter().for_each(|&i| self.covered.flip(i));
    }

    /// False only if the ships `remaining` cannot cover the hits `pending`, even with overlaps. Branches on the lowest
    /// hit. Once the memo table is full, returns true for every pair that it lacks.
    fn can_cover(&mut self, pending: u64, remaining: u32, budget: &mut Budget) -> Result<bool, Stop> {
        if pending == 0 || remaining == 0 {
            return Ok(pending == 0);
        }
        if let Some(&known) = self.known.get(&(pending, remaining)) {
            return Ok(known);
        }
        if self.known.len() == MAX_KNOWN {
            return Ok(true);
        }
        self.count(budget)?;
        let first = self.hits[pending.trailing_zeros() as usize];
        let covers = |&(ship, n): &(usize, usize)| {
            let place = &self.places[ship][n];
            let hits = self.hits.iter().enumerate().filter(|(_, hit)| place.contains(hit));
            (ship, hits.fold(0u64, |set, (h, _)| set | 1 << h) & pending)
        };
        let branches: BTreeSet<(usize, u64)> = self.at[first].iter().map(covers).collect();
        let mut can = false;
        for (ship, set) in branches.into_iter().filter(|(ship, _)| remaining >> ship & 1 == 1) {
            if self.can_cover(pending & !set, remaining & !(1 << ship), budget)? {
                can = true;
                break;
            }
        }
        self.known.insert((pending, remaining), can);
        Ok(can)
    }
}

/// All placements of a ship on an empty board: every shift of every pose.
pub(super) fn places(ship: &Ship, size: Size) -> BTreeSet<Vec<Cell>> {
    let drawn = ship.cells.iter().map(|cell| (i64::from(cell.row), i64::from(cell.col)));
    let mut shapes: Vec<Vec<(i64, i64)>> = vec![drawn.collect()];
    if matches!(ship.poses, Poses::Mirrored | Poses::TurnedMirrored) {
        shapes.push(shapes[0].iter().map(|&(row, col)| (row, -col)).collect());
    }
    if matches!(ship.poses, Poses::Turned | Poses::TurnedMirrored) {
        for i in 0..3 * shapes.len() {
            shapes.push(shapes[i].iter().map(|&(row, col)| (col, -row)).collect());
        }
    }
    let mut places = BTreeSet::new();
    for shape in shapes {
        let (top, left) = (shape.iter().map(|c| c.0).min(), shape.iter().map(|c| c.1).min());
        for corner in size.iter() {
            let moved = shape.iter().map(|&(row, col)| {
                let row = row - top.unwrap_or(0) + i64::from(corner.row);
                let col = col - left.unwrap_or(0) + i64::from(corner.col);
                Cell::new(row as u32, col as u32)
            });
            let mut cells: Vec<_> = moved.collect();
            cells.sort_unstable();
            if cells.iter().all(|&cell| size.contains(cell)) {
                places.insert(cells);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_relaxation_loses_no_set() {
        let mut rng = ChaCha8Rng::seed_from_u64(28);
        let (fleet, size) = (Fleet::standard(), Size::new(6, 5));
        let sets = |hits: &[Cell], free: &[Cell], overlap_at| {
            let mut sets = BTreeSet::new();
            let mut visit = |set| {
                sets.insert(set);
                Ok(())
            };
            let mut walk = Walk::new(&placements(&fleet, size), &fleet, size, hits, free, overlap_at);
            let walked = walk.go(127, &mut Budget::unlimited(), &mut visit);
            assert!(walked.is_ok());
            sets
        };
        let all: Vec<Cell> = size.iter().collect();
        let every: Vec<_> = sets(&[], &all, u64::MAX).into_iter().collect();
        assert_eq!(every.len(), 202);
        for _ in 0..30 {
            let set = &every[rng.random_range(0..every.len())];
            let mut hits = set.clone();
            hits.retain(|_| rng.random_bool(0.6));
            let found = sets(&hits, &all, 0);
            let fits = |set: &&Vec<Cell>| hits.iter().all(|hit| set.contains(hit));
            assert!(found.iter().eq(every.iter().filter(fits)), "{hits:?}");
        }
    }

    #[test]
    fn the_limits_are_tested_for_each_set() {
        let (fleet, size) = (Fleet::standard(), Size::new(6, 5));
        let placements = placements(&fleet, size);
        let mut sets = Vec::new();
        let mut visit = |set| {
            sets.push(set);
            Ok(())
        };
        let all: Vec<Cell> = size.iter().collect();
        assert!(walk(&fleet, size, &[], &all, &mut Budget::unlimited(), &mut visit).is_ok());
        let calls = AtomicUsize::new(0);
        let stop = move || (calls.fetch_add(1, Ordering::Relaxed) >= 9).then_some(Limit::Cancelled);
        let mut budget = Budget::new(None, Arc::new(stop));
        let covered: Vec<_> =
            sets.iter().map(|set| is_covered(set, &placements, &fleet, size, &mut budget)).collect();
        assert!(covered[..9].iter().all(|covered| *covered == Ok(true)));
        assert_eq!(covered[9], Err(Limit::Cancelled));
        let corner = &all[..fleet.cells()];
        let is_listed = sets.iter().any(|set| set == corner);
        let found = is_covered(corner, &placements, &fleet, size, &mut Budget::unlimited());
        assert_eq!(found, Ok(is_listed));
    }
}
