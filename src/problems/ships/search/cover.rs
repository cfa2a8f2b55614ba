//! `cover`: exact cover that stops at the first proof of yes or no.
//!
//! Branch on the hit that the fewest placements can cover or, once all hits are covered, on the ship
//! with the fewest placements (most constrained first; Knuth, TAOCP 7.2.2.1). Ties go to the lower
//! hit or ship, so node counts repeat. Placements that cover most hits are tried first. Cuts:
//! * the hits left cannot outnumber the cells of the ships left;
//! * hits pairwise out of one ship's reach need a ship each;
//! * the completions of a node depend only on the covered set and the ships left: each such pair is
//!   explored once, since what it gave has already joined the family.
//!
//! A new covered set joins the family, and once that is lost the answer is "no".

use super::mask::Mask;
use super::relaxed::Relaxed;
use crate::board::{Cell, Size};
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::ships::answer::{Answer, Family, Standing};
use crate::problems::ships::{Fleet, Instance, Rules, Square};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// No more explored nodes than this are remembered.
const MOST_SEEN: usize = 1 << 20;

/// A search of fewer nodes is over before the bound by overlapping ships pays for its tables.
const RELAX_AT: u64 = 256;

/// What a session keeps: the placements of the last size and fleet, by the words of a mask.
#[derive(Default)]
pub struct Memory {
    one: Option<Tables<1>>,
    two: Option<Tables<2>>,
    four: Option<Tables<4>>,
    eight: Option<Tables<8>>,
    sixteen: Option<Tables<16>>,
}

/// Solves one board.
pub fn solve(
    memory: &mut Memory,
    rules: &Rules,
    instance: &Instance,
    budget: &mut Budget,
) -> Outcome<Answer> {
    match instance.size.cells() {
        0..=64 => solve_in(&mut memory.one, rules, instance, budget),
        65..=128 => solve_in(&mut memory.two, rules, instance, budget),
        129..=256 => solve_in(&mut memory.four, rules, instance, budget),
        257..=512 => solve_in(&mut memory.eight, rules, instance, budget),
        513..=1024 => solve_in(&mut memory.sixteen, rules, instance, budget),
        _ => Outcome::Unsupported(format!("{} has more than 1024 squares", instance.size)),
    }
}

fn solve_in<const W: usize>(
    tables: &mut Option<Tables<W>>,
    rules: &Rules,
    instance: &Instance,
    budget: &mut Budget,
) -> Outcome<Answer> {
    let known = tables.take().filter(|known| known.size == instance.size && known.fleet == rules.fleet);
    let tables = tables.insert(known.unwrap_or_else(|| Tables::new(instance.size, &rules.fleet)));
    let mut search = Search::new(tables, rules.misses, instance);
    match search.explore(Mask::EMPTY, tables.all, budget) {
        Ok(()) | Err(Halt::Lost) => Outcome::Decided(search.family.answer()),
        Err(Halt::Limit(limit)) => Outcome::GaveUp(limit, None),
    }
}

/// What depends on size and fleet alone.
struct Tables<const W: usize> {
    size: Size,
    fleet: Fleet,
    /// Every ship, a bit each.
    all: u32,
    /// Cells of each ship.
    cells: Vec<usize>,
    /// For each ship the one of the same shape that is placed before it.
    twins: Vec<Option<usize>>,
    /// The placements of each ship.
    placements: Vec<Vec<Mask<W>>>,
    /// For each cell and ship, the placements that cover the cell.
    at: Vec<Vec<Vec<Mask<W>>>>,
}

impl<const W: usize> Tables<W> {
    fn new(size: Size, fleet: &Fleet) -> Self {
        let n_ships = fleet.ships.len();
        let mut placements = vec![Vec::new(); n_ships];
        let mut at = vec![vec![Vec::new(); n_ships]; size.cells()];
        for (s, ship) in fleet.ships.iter().enumerate() {
            for placement in ship.placements(size) {
                let mask = Mask::of(placement.cells.iter().map(|&cell| size.index(cell)));
                placements[s].push(mask);
                mask.iter().for_each(|i| at[i][s].push(mask));
            }
        }
        Tables {
            size,
            fleet: fleet.clone(),
            all: (0..n_ships).fold(0, |all, s| all | 1 << s),
            cells: fleet.ships.iter().map(|ship| ship.cells.len()).collect(),
            twins: fleet.twins(),
            placements,
            at,
        }
    }

    /// The ships of `left` that may be placed next: of equal ships only the first.
    fn ready(&self, left: u32) -> impl Iterator<Item = usize> {
        (0..self.twins.len())
            .filter(move |&s| left >> s & 1 == 1)
            .filter(move |&s| self.twins[s].is_none_or(|twin| left >> twin & 1 == 0))
    }

    /// The bound by overlapping ships, if there are not too many hits for it.
    fn relax(&self, hits: Mask<W>, misses: Mask<W>) -> Option<Relaxed> {
        if hits.len() as usize > Relaxed::MOST_HITS {
            return None;
        }
        let mut sets = Vec::new();
        for hit in hits.iter() {
            for (ship, places) in self.at[hit].iter().enumerate() {
                let clear = places.iter().filter(|place| place.is_disjoint(misses));
                sets.extend(clear.map(|place| (ship, place.and(hits))));
            }
        }
        Some(Relaxed::new(hits.iter().collect(), sets.iter().map(|(ship, set)| (*ship, set.iter()))))
    }
}

/// Why a search ends early.
enum Halt {
    Limit(Limit),
    Lost,
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Self {
        Halt::Limit(limit)
    }
}

/// A ship to be placed on a branch.
#[derive(Clone, Copy)]
struct Try<const W: usize> {
    ship: usize,
    place: Mask<W>,
    /// Hits that it covers for the first time.
    hits: u32,
}

struct Search<'a, const W: usize> {
    tables: &'a Tables<W>,
    hits: Mask<W>,
    misses: Mask<W>,
    /// For each cell that is a hit, all that one ship can cover together with it.
    reach: Vec<Mask<W>>,
    /// Made at node number [`RELAX_AT`].
    relaxed: Option<Relaxed>,
    nodes: u64,
    /// Nodes that were explored.
    seen: FxHashSet<(Mask<W>, u32)>,
    found: FxHashSet<Mask<W>>,
    family: Family,
    /// The branches open at the nodes from the root to here.
    tries: Vec<Try<W>>,
}

impl<'a, const W: usize> Search<'a, W> {
    fn new(tables: &'a Tables<W>, misses_allowed: u32, instance: &Instance) -> Self {
        let mask = |kind| Mask::of(instance.cells(kind).map(|cell: Cell| tables.size.index(cell)));
        let (hits, misses) = (mask(Square::Hit), mask(Square::Miss));
        let mut reach = vec![Mask::EMPTY; tables.size.cells()];
        for hit in hits.iter() {
            let places = tables.at[hit].iter().flatten().filter(|place| place.is_disjoint(misses));
            reach[hit] = places.fold(Mask::EMPTY, |all, &place| all.or(place));
        }
        let (seen, found) = (FxHashSet::default(), FxHashSet::default());
        Search {
            tables,
            hits,
            misses,
            reach,
            relaxed: None,
            nodes: 0,
            seen,
            found,
            family: Family::new(misses_allowed),
            tries: Vec::new(),
        }
    }

    /// Adds all completions of a node to the family: `covered` is taken, the ships `left` are not
    /// placed.
    fn explore(&mut self, covered: Mask<W>, left: u32, budget: &mut Budget) -> Result<(), Halt> {
        budget.node()?;
        self.nodes += 1;
        if self.nodes == RELAX_AT {
            self.relaxed = self.tables.relax(self.hits, self.misses);
        }
        let pending = self.hits.without(covered);
        if left == 0 {
            return if pending.is_empty() { self.add(covered) } else { Ok(()) };
        }
        if self.is_hopeless(pending, left) || !self.is_new(covered, left) {
            return Ok(());
        }
        let base = self.tries.len();
        let blocked = covered.or(self.misses);
        if pending.is_empty() {
            self.branch_on_ship(blocked, left);
        } else {
            self.branch_on_hit(blocked, pending, left);
        }
        for next in base..self.tries.len() {
            let Try { ship, place, .. } = self.tries[next];
            self.explore(covered.or(place), left & !(1 << ship), budget)?;
        }
        self.tries.truncate(base);
        Ok(())
    }

    fn add(&mut self, covered: Mask<W>) -> Result<(), Halt> {
        if !self.found.insert(covered) {
            return Ok(());
        }
        match self.family.add(covered.iter().map(|i| self.tables.size.cell(i)).collect()) {
            Standing::Winnable => Ok(()),
            Standing::Lost => Err(Halt::Lost),
        }
    }

    fn is_new(&mut self, covered: Mask<W>, left: u32) -> bool {
        if self.seen.len() < MOST_SEEN {
            self.seen.insert((covered, left))
        } else {
            !self.seen.contains(&(covered, left))
        }
    }

    /// True if the ships left cannot cover the pending hits, by the two counts.
    fn is_hopeless(&mut self, pending: Mask<W>, left: u32) -> bool {
        let cells = (0..self.tables.cells.len()).filter(|s| left >> s & 1 == 1).map(|s| self.tables.cells[s]);
        if pending.len() as usize > cells.sum() {
            return true;
        }
        let mut ships = left.count_ones();
        let mut apart = pending;
        while let Some(hit) = apart.first() {
            if ships == 0 {
                return true;
            }
            ships -= 1;
            // A hit that no ship reaches does not reach itself either.
            apart = apart.without(self.reach[hit]).without(Mask::of([hit]));
        }
        let tables = self.tables;
        let ready = |left| tables.ready(left).fold(0, |ready, s| ready | 1 << s);
        let relaxed = self.relaxed.as_mut();
        relaxed.is_some_and(|relaxed| !relaxed.may_cover(pending.iter(), left, &ready))
    }

    /// Pushes every way to cover the pending hit that has the fewest, those that cover most hits
    /// first.
    fn branch_on_hit(&mut self, blocked: Mask<W>, pending: Mask<W>, left: u32) {
        let tables = self.tables;
        let places = |hit: usize| {
            let ships = tables.ready(left).flat_map(move |s| tables.at[hit][s].iter().map(move |&p| (s, p)));
            ships.filter(move |(_, place)| place.is_disjoint(blocked))
        };
        let mut best = (usize::MAX, 0);
        for hit in pending.iter() {
            // Counting stops where the hit can no longer be the best.
            let count = places(hit).take(best.0).count();
            if count < best.0 {
                best = (count, hit);
            }
        }
        let base = self.tries.len();
        let tries = places(best.1).map(|(ship, place)| Try { ship, place, hits: place.and(pending).len() });
        self.tries.extend(tries);
        self.tries[base..].sort_by_key(|branch| Reverse(branch.hits));
    }

    /// Pushes every placement of the ship that has the fewest.
    fn branch_on_ship(&mut self, blocked: Mask<W>, left: u32) {
        let tables = self.tables;
        let places = |s: usize| tables.placements[s].iter().filter(move |place| place.is_disjoint(blocked));
        let mut best = (usize::MAX, 0);
        for ship in tables.ready(left) {
            let count = places(ship).take(best.0).count();
            if count < best.0 {
                best = (count, ship);
            }
        }
        self.tries.extend(places(best.1).map(|&place| Try { ship: best.1, place, hits: 0 }));
    }
}
