//! `cover`: exact cover that stops at the first proof of yes or no.
//!
//! Branch on the hit with the fewest placements or, once all hits are covered, on the ship with the
//! fewest (most constrained first; Knuth, TAOCP 7.2.2.1). Ties go to the lower hit or ship, so node
//! counts repeat. Placements that cover most hits are tried first. `bounds.rs` has the cuts. A node's
//! completions depend only on the covered set and the ships left: each such pair is explored once,
//! since what it gave has already joined the family.
//!
//! A new covered set joins the family, and once that is lost the answer is "no". Sets that differ
//! lose it soonest: the last ship goes first where it meets no set found so far.

use super::bounds;
use super::mask::Mask;
use super::relaxed::Relaxed;
use super::tables::{Tables, members};
use crate::board::Cell;
use crate::engine::{Budget, Limit, Outcome};
use crate::problems::ships::answer::Answer;
use crate::problems::ships::answer::family::{Family, MAX_SETS, Standing};
use crate::problems::ships::{Fleet, Instance, Rules, Square};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// No more explored nodes than this are remembered.
const MAX_SEEN: usize = 1 << 20;

/// A search of fewer nodes is over before the bound by overlapping ships pays for its tables.
const RELAX_AT: u64 = 256;

/// Tables of so many sizes are kept.
const MAX_SIZES: usize = 64;

/// What a session keeps, by the words of a mask.
#[derive(Default)]
pub struct Memory {
    one: Kept<1>,
    two: Kept<2>,
    four: Kept<4>,
    eight: Kept<8>,
    sixteen: Kept<16>,
}

/// Tables and working memory for boards of at most 64 W squares.
struct Kept<const W: usize> {
    fleet: Fleet,
    tables: Vec<Tables<W>>,
    scratch: Scratch<W>,
}

impl<const W: usize> Default for Kept<W> {
    fn default() -> Self {
        Kept { fleet: Fleet { ships: Vec::new() }, tables: Vec::new(), scratch: Scratch::default() }
    }
}

/// Solves one board.
pub fn solve(
    memory: &mut Memory,
    rules: &Rules,
    instance: &Instance,
    budget: &mut Budget,
) -> Outcome<Answer> {
    match instance.size.cells() {
        0..=64 => memory.one.solve(rules, instance, budget),
        65..=128 => memory.two.solve(rules, instance, budget),
        129..=256 => memory.four.solve(rules, instance, budget),
        257..=512 => memory.eight.solve(rules, instance, budget),
        513..=1024 => memory.sixteen.solve(rules, instance, budget),
        _ => Outcome::Unsupported(format!("{} has more than 1024 squares", instance.size)),
    }
}

/// All covered sets that fit, each ascending, in ascending order.
///
/// # Errors
/// The budget's limits; `Limit::Memory` past 2^18 sets or 1024 squares.
pub fn sets(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Vec<Vec<Cell>>, Limit> {
    // With as many misses as sets no family is lost, so none ends the search.
    let rules = Rules { misses: MAX_SETS as u32, ..rules.clone() };
    let family = match instance.size.cells() {
        0..=64 => Kept::<1>::default().family(&rules, instance, budget),
        65..=128 => Kept::<2>::default().family(&rules, instance, budget),
        129..=256 => Kept::<4>::default().family(&rules, instance, budget),
        257..=512 => Kept::<8>::default().family(&rules, instance, budget),
        513..=1024 => Kept::<16>::default().family(&rules, instance, budget),
        _ => Err(Limit::Memory),
    };
    Ok(family?.into_sets())
}

impl<const W: usize> Kept<W> {
    fn solve(&mut self, rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
        match self.family(rules, instance, budget) {
            Ok(family) => family.answer(budget).into(),
            Err(limit) => Outcome::GaveUp(limit, None),
        }
    }

    /// The sets that fit, until they are lost.
    fn family(&mut self, rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Family, Limit> {
        if self.fleet != rules.fleet || self.tables.len() > MAX_SIZES {
            self.fleet = rules.fleet.clone();
            self.tables.clear();
        }
        let known = self.tables.iter().position(|tables| tables.size == instance.size);
        let known = known.unwrap_or_else(|| {
            self.tables.push(Tables::new(instance.size, &self.fleet));
            self.tables.len() - 1
        });
        let tables = &self.tables[known];
        let mut search = Search::new(tables, &mut self.scratch, rules.misses, instance);
        match search.explore(Mask::EMPTY, tables.all, budget) {
            Ok(()) | Err(Halt::Lost) => Ok(search.family),
            Err(Halt::Limit(limit)) => Err(limit),
        }
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

/// A ship to be placed on a branch: its shape, the corner, the hits that it covers for the first time.
#[derive(Clone, Copy)]
struct Try {
    shape: u16,
    corner: u16,
    hits: u16,
}

/// Memory that is used again from board to board.
struct Scratch<const W: usize> {
    /// A mask by every shift.
    moved: Vec<Mask<W>>,
    /// For each shape, the corners at which it may lie; good until the next node is entered.
    corners: Vec<Mask<W>>,
    /// The shapes of ships left that had any, ascending.
    live: Vec<usize>,
    /// Nodes that were explored.
    seen: FxHashSet<(Mask<W>, u32)>,
    found: FxHashSet<Mask<W>>,
    /// The branches open at the nodes from the root to here.
    tries: Vec<Try>,
}

impl<const W: usize> Default for Scratch<W> {
    fn default() -> Self {
        let (seen, found) = (FxHashSet::default(), FxHashSet::default());
        let (moved, corners, live) = (Vec::new(), Vec::new(), Vec::new());
        Scratch { moved, corners, live, seen, found, tries: Vec::new() }
    }
}

struct Search<'a, const W: usize> {
    tables: &'a Tables<W>,
    scratch: &'a mut Scratch<W>,
    hits: Mask<W>,
    misses: Mask<W>,
    /// Squares that are no misses.
    room: u32,
    nodes: u64,
    /// Made at node number [`RELAX_AT`].
    relaxed: Option<Relaxed>,
    /// All cells of the sets found.
    union: Mask<W>,
    family: Family,
}

impl<'a, const W: usize> Search<'a, W> {
    fn new(
        tables: &'a Tables<W>,
        scratch: &'a mut Scratch<W>,
        misses_allowed: u32,
        instance: &Instance,
    ) -> Self {
        let (mut hits, mut misses) = (Mask::EMPTY, Mask::EMPTY);
        for (i, square) in instance.squares.iter().enumerate() {
            match square {
                Square::Hit => hits.insert(i),
                Square::Miss => misses.insert(i),
                Square::Unknown => {}
            }
        }
        scratch.tries.clear();
        if scratch.seen.capacity() > 1 << 12 {
            (scratch.seen, scratch.found) = (FxHashSet::default(), FxHashSet::default());
        }
        scratch.seen.clear();
        scratch.found.clear();
        scratch.corners.clear();
        scratch.corners.resize(tables.shapes.len(), Mask::EMPTY);
        let room = instance.squares.len() as u32 - misses.len();
        let family = Family::new(tables.size, misses_allowed);
        Search { tables, scratch, hits, misses, room, nodes: 0, relaxed: None, union: Mask::EMPTY, family }
    }

    /// Adds all completions of a node to the family: `covered` is taken, the ships `left` are not
    /// placed.
    fn explore(&mut self, covered: Mask<W>, left: u32, budget: &mut Budget) -> Result<(), Halt> {
        budget.node()?;
        self.nodes += 1;
        if self.nodes == RELAX_AT && bounds::is_roomy(self.room, self.tables.fleet_cells) {
            self.relaxed = self.tables.relax(self.hits, self.misses);
        }
        let pending = self.hits.without(covered);
        if left == 0 {
            return if pending.is_empty() { self.add(covered, budget) } else { Ok(()) };
        }
        let tables = self.tables;
        if bounds::are_apart(tables, pending, left) || !self.is_new(covered, left) {
            return Ok(());
        }
        if !self.lay_out(covered.or(self.misses), left) || self.is_hopeless(pending, left) {
            return Ok(());
        }
        if pending.is_empty() && left.is_power_of_two() {
            return self.place_last(covered, left.trailing_zeros() as usize, budget);
        }
        let base = self.scratch.tries.len();
        if pending.is_empty() {
            self.branch_on_ship(left);
        } else {
            self.branch_on_hit(pending, left);
        }
        self.follow(base, covered, left, budget)
    }

    /// True if the ships left, at the corners laid out, cannot do it. May take corners away.
    fn is_hopeless(&mut self, pending: Mask<W>, left: u32) -> bool {
        let tables = self.tables;
        let Scratch { moved, corners, live, .. } = &mut *self.scratch;
        let cells = members(left).map(|s| tables.cells[s]).sum();
        let free = self.room - (tables.fleet_cells - cells);
        let roomy = bounds::is_roomy(free, cells);
        if !roomy && bounds::is_cramped(tables, corners, live, left, cells, pending) {
            return true;
        }
        let hits = pending.len();
        if hits > left.count_ones() {
            tables.shifted(pending, moved);
            if !bounds::reach_all(tables, moved, corners, live, hits) {
                return true;
            }
        }
        // Where room is scarce, that ships may not overlap is the whole difficulty.
        let relaxed = self.relaxed.as_mut().filter(|_| roomy);
        relaxed.is_some_and(|relaxed| !relaxed.may_cover(pending.iter(), left, &|left| tables.ready(left)))
    }

    /// Explores the branches from number `base` on and drops them.
    fn follow(&mut self, base: usize, covered: Mask<W>, left: u32, budget: &mut Budget) -> Result<(), Halt> {
        for next in base..self.scratch.tries.len() {
            let Try { shape, corner, .. } = self.scratch.tries[next];
            let shape = &self.tables.shapes[usize::from(shape)];
            let place = shape.mask.up(usize::from(corner));
            self.explore(covered.or(place), left & !(1 << shape.ship), budget)?;
        }
        self.scratch.tries.truncate(base);
        Ok(())
    }

    fn add(&mut self, covered: Mask<W>, budget: &mut Budget) -> Result<(), Halt> {
        if !self.scratch.found.insert(covered) {
            return Ok(());
        }
        self.union = self.union.or(covered);
        match self.family.add(covered.words(), budget)? {
            Standing::Open => Ok(()),
            Standing::Lost => Err(Halt::Lost),
        }
    }

    fn is_new(&mut self, covered: Mask<W>, left: u32) -> bool {
        let seen = &mut self.scratch.seen;
        if seen.len() < MAX_SEEN { seen.insert((covered, left)) } else { !seen.contains(&(covered, left)) }
    }

    /// Finds the corners of the ships `left` off `blocked` cells; false if some ship has none.
    fn lay_out(&mut self, blocked: Mask<W>, left: u32) -> bool {
        let tables = self.tables;
        let Scratch { moved, corners, live, .. } = &mut *self.scratch;
        tables.shifted(Mask::FULL.without(blocked), moved);
        live.clear();
        members(left).all(|ship| {
            let before = live.len();
            for shape in tables.of_ship[ship].clone() {
                corners[shape] = tables.corners(shape, moved);
                if !corners[shape].is_empty() {
                    live.push(shape);
                }
            }
            live.len() > before
        })
    }

    /// Pushes every way to cover the pending hit that has the fewest, those that cover most hits first.
    fn branch_on_hit(&mut self, pending: Mask<W>, left: u32) {
        let tables = self.tables;
        let Scratch { corners, live, tries, .. } = &mut *self.scratch;
        let ready = tables.ready(left);
        live.retain(|&shape| ready >> tables.shapes[shape].ship & 1 == 1);
        let Some(hit) = tables.scarcest(pending, corners, live) else { return };
        let base = tries.len();
        for &shape in &*live {
            for corner in tables.shapes[shape].covering(&corners[shape], hit) {
                let hits = tables.shapes[shape].by.iter().map(|by| u16::from(pending.has(corner + by))).sum();
                tries.push(Try { shape: shape as u16, corner: corner as u16, hits });
            }
        }
        tries[base..].sort_by_key(|next| Reverse(next.hits));
    }

    /// Pushes every placement of the ship that has the fewest.
    fn branch_on_ship(&mut self, left: u32) {
        let tables = self.tables;
        let Scratch { corners, tries, .. } = &mut *self.scratch;
        let count =
            |&ship: &usize| tables.of_ship[ship].clone().map(|shape| corners[shape].len()).sum::<u32>();
        let Some(ship) = members(tables.ready(left)).min_by_key(count) else { return };
        for shape in tables.of_ship[ship].clone() {
            let at = |corner| Try { shape: shape as u16, corner: corner as u16, hits: 0 };
            tries.extend(corners[shape].iter().map(at));
        }
    }

    /// All sets that the last ship gives, no hit being left: places off all sets found first.
    fn place_last(&mut self, covered: Mask<W>, ship: usize, budget: &mut Budget) -> Result<(), Halt> {
        let tables = self.tables;
        let shapes = tables.of_ship[ship].clone();
        while let Some((shape, corner)) = self.next_place(shapes.clone()) {
            budget.node()?;
            self.scratch.corners[shape].remove(corner);
            self.add(covered.or(tables.shapes[shape].mask.up(corner)), budget)?;
        }
        Ok(())
    }

    /// A corner that is left to the last ship, off all sets found if there is one.
    fn next_place(&mut self, mut shapes: std::ops::Range<usize>) -> Option<(usize, usize)> {
        let tables = self.tables;
        let Scratch { moved, corners, .. } = &mut *self.scratch;
        tables.shifted(Mask::FULL.without(self.union), moved);
        let off = shapes.clone().find_map(|shape| {
            let corners = tables.corners(shape, moved).and(corners[shape]);
            corners.first().map(|corner| (shape, corner))
        });
        off.or_else(|| shapes.find_map(|shape| corners[shape].first().map(|corner| (shape, corner))))
    }
}
