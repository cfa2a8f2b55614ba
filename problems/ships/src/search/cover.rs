//! Exact cover search for all sets of squares that a fleet can occupy. It stops as soon as the answer is known.
//!
//! # Branching
//! A node is a pair (covered squares, remaining ships). A hit is *pending* until a placement covers it. While some hit
//! is pending, branch on the pending hit with the fewest available placements; when all hits are covered, branch on the
//! remaining ship with the fewest (minimum remaining values; Knuth, TAOCP 7.2.2.1). Ties go to the lowest index, so
//! node counts are reproducible. Placements that cover the most pending hits are tried first. Equal ships are placed in
//! their order in the fleet.
//!
//! # Pruning, in the order in which it is tested
//! 1. `bounds::are_apart`: a greedy choice of pending hits, no two of which fit under one ship, outnumbers the
//!    remaining ships. This test needs no anchors, so it comes first.
//! 2. Transposition table: the completions of a node depend on (covered, remaining) alone. If a pair occurs again, its
//!    completed sets have already joined the family, so the pair is not expanded again. The table stores at most
//!    `MAX_STORED_NODES` pairs. When the table is full, a pair that is not in it may be expanded more than once.
//! 3. `find_anchors`: some remaining ship has no placement on free squares.
//! 4. `is_hopeless`, a sequence of bounds:
//!    * `bounds::is_cramped`, only where free squares are scarce: some pending hit is out of reach of all remaining
//!      ships, or the squares that these ships can cover are too few, in total or of one chessboard colour. From node
//!      `LONG_AT` on, only as many squares of each connected part of them count as whole ships can cover.
//!    * `bounds::reach_all`, only with more pending hits than remaining ships: the ships cannot cover that many hits
//!      even if they overlap. This bound also discards anchors at which a ship covers too few hits.
//!    * `Relaxed`, from node `RELAX_AT` on, only on boards of at most 64 hits and where free squares are not scarce: a
//!      set cover problem asks whether the ships could cover the pending hits if overlaps were allowed. Where free
//!      squares are scarce, most nodes fail because ships overlap, so this test would seldom prune.
//!
//! # Ending early
//! Each new completed set joins the [`Family`]. The answer is "no" as soon as the family is lost. A family is lost
//! after fewer sets if these share few squares, so the last ship prefers placements disjoint from all sets found so
//! far. With many misses, `sunflowers.rs` looks for a lost family in another way, each time the number of sets has
//! doubled. The answers "yes" and "no fleet fits" require an exhausted search, with two exceptions in long
//! searches. If there are as many hits as the fleet has cells, only one set can fit, and the search ends with it. At
//! node `LONG_AT`, the search also ends if the relaxation shows that no fleet fits.
//!
//! # Invariants
//! * On entry to `expand`, `covered` is the union of the placements on the path. It contains no known miss.
//! * In `expand_branches`, `branches[base..]` belong to the current node and `branches[..base]` to its ancestors.
//!   `expand_branches` removes its own branches before it returns, but an early end leaves all branches, so
//!   `Search::new` clears them.
//! * `anchors` and `available` are valid from `find_anchors` until a child is expanded, because the child overwrites
//!   them. So a node stores all its branches before it expands the first.

mod branching;

use super::bounds;
use super::mask::{Mask, members};
use super::relaxed::Relaxed;
use super::sunflowers::Sunflowers;
use super::tables::Tables;
use crate::answer::Answer;
use crate::answer::family::{Family, MAX_SETS, Standing};
use crate::{Fleet, Instance, MAX_MISSES, Rules, Square};
use branching::Branch;
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit, Outcome};
use rustc_hash::FxHashSet;

/// Maximum number of nodes in the transposition table.
const MAX_STORED_NODES: usize = 1 << 20;

/// Node at which [`Relaxed`] is built. In a search with fewer nodes, building it takes more time than it saves.
const RELAX_AT: u64 = 256;

/// The numbers of allowed misses with which the search looks for lost products of sunflowers (`sunflowers.rs`). With
/// fewer misses, it seldom needs them.
const MANY_MISSES: std::ops::RangeInclusive<u32> = 6..=MAX_MISSES;

/// Number of steps of [`Sunflowers`] for each completed set.
const STEPS: usize = 4;

/// Node from which on a search is long: [`bounds::is_cramped`] looks at connected squares, and the search ends if no
/// other set can fit. At this node, the relaxation is asked whether any fleet fits. In a search with fewer nodes, these
/// tests take more time than they save.
const LONG_AT: u64 = 1 << 12;

/// If the tables of more board sizes than this are cached, all tables are dropped before the next board.
const MAX_SIZES: usize = 64;

/// If the capacity of the transposition table is larger than this, the hash tables `expanded` and `found` are released
/// before the next board, because clearing a hash table takes time in proportion to its capacity.
const MAX_KEPT_CAPACITY: usize = 1 << 12;

/// Tables and buffers that are reused from board to board, one workspace for each number of words in a mask.
#[derive(Default)]
pub struct Workspaces {
    one: Workspace<1>,
    two: Workspace<2>,
    four: Workspace<4>,
    eight: Workspace<8>,
    sixteen: Workspace<16>,
}

/// Tables and buffers for boards of at most 64 W squares.
struct Workspace<const W: usize> {
    /// The fleet for which all `tables` were computed.
    fleet: Fleet,
    /// One for each board size so far.
    tables: Vec<Tables<W>>,
    scratch: Scratch<W>,
}

impl<const W: usize> Default for Workspace<W> {
    fn default() -> Self {
        Workspace { fleet: Fleet { ships: Vec::new() }, tables: Vec::new(), scratch: Scratch::default() }
    }
}

/// Solves one board.
pub fn solve(
    workspaces: &mut Workspaces,
    rules: &Rules,
    instance: &Instance,
    budget: &mut Budget,
) -> Outcome<Answer> {
    match instance.size.cells() {
        0..=64 => workspaces.one.solve(rules, instance, budget),
        65..=128 => workspaces.two.solve(rules, instance, budget),
        129..=256 => workspaces.four.solve(rules, instance, budget),
        257..=512 => workspaces.eight.solve(rules, instance, budget),
        513..=1024 => workspaces.sixteen.solve(rules, instance, budget),
        _ => Outcome::Unsupported(format!("{} has more than 1024 squares", instance.size).into()),
    }
}

/// All distinct sets of squares that the fleet can occupy on this board, sorted; the squares of each are sorted, too.
///
/// # Errors
/// Returns the limit of the budget that was reached, or `Limit::Memory` if there are more than 2^18 sets or 1024
/// squares.
pub fn sets(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Vec<Vec<Cell>>, Limit> {
    // A family with n sets is won with n misses, and `MAX_SETS` misses are allowed here, so the search never ends
    // because a family is lost.
    let rules = Rules { misses: MAX_SETS as u32, ..rules.clone() };
    let family = match instance.size.cells() {
        0..=64 => Workspace::<1>::default().family(&rules, instance, budget),
        65..=128 => Workspace::<2>::default().family(&rules, instance, budget),
        129..=256 => Workspace::<4>::default().family(&rules, instance, budget),
        257..=512 => Workspace::<8>::default().family(&rules, instance, budget),
        513..=1024 => Workspace::<16>::default().family(&rules, instance, budget),
        _ => Err(Limit::Memory),
    };
    Ok(family?.into_sets())
}

impl<const W: usize> Workspace<W> {
    fn solve(&mut self, rules: &Rules, instance: &Instance, budget: &mut Budget) -> Outcome<Answer> {
        match self.family(rules, instance, budget) {
            Ok(family) => family.answer(budget).into(),
            Err(limit) => Outcome::GaveUp(limit, None),
        }
    }

    /// The family of all sets that fit, or a lost part of it.
    fn family(&mut self, rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Family, Limit> {
        if self.fleet != rules.fleet || self.tables.len() > MAX_SIZES {
            self.fleet = rules.fleet.clone();
            self.tables.clear();
        }
        let cached = self.tables.iter().position(|tables| tables.size == instance.size);
        let index = cached.unwrap_or_else(|| {
            self.tables.push(Tables::new(instance.size, &self.fleet));
            self.tables.len() - 1
        });
        let tables = &self.tables[index];
        let instance = instance.filled(&self.fleet);
        let mut search = Search::new(tables, &mut self.scratch, rules.misses, &instance);
        match search.expand(Mask::EMPTY, tables.all, budget) {
            Ok(()) | Err(EarlyEnd::Lost | EarlyEnd::Complete) => Ok(search.family),
            Err(EarlyEnd::Limit(limit)) => Err(limit),
        }
    }
}

/// Why a search ends early.
enum EarlyEnd {
    /// A limit of the budget was reached.
    Limit(Limit),
    /// The family is lost, so the answer is "no".
    Lost,
    /// No other set can fit, so the family is complete.
    Complete,
}

impl From<Limit> for EarlyEnd {
    fn from(limit: Limit) -> Self {
        EarlyEnd::Limit(limit)
    }
}

/// Buffers that are reused from board to board.
struct Scratch<const W: usize> {
    /// For each offset of [`Tables::shifts`], a copy of one mask, with each square's index lowered by that offset.
    /// Several steps reuse this buffer, each for a different mask.
    shifted: Vec<Mask<W>>,
    /// For each shape of a remaining ship, the anchors at which the shape fits, except those that a bound has
    /// discarded. The index is that of [`Tables::shapes`]; entries of other ships are stale. See also the file's
    /// invariants.
    anchors: Vec<Mask<W>>,
    /// The shapes of remaining ships for which `find_anchors` found an anchor, ascending. `branch_on_hit` removes the
    /// shapes of ships that must wait for an equal ship.
    available: Vec<usize>,
    /// The transposition table: pairs (covered squares, remaining ships) of the nodes entered so far.
    expanded: FxHashSet<(Mask<W>, u32)>,
    /// The completed sets, which are those of the family.
    found: FxHashSet<Mask<W>>,
    /// A stack of the branches of all nodes on the path.
    branches: Vec<Branch>,
}

impl<const W: usize> Default for Scratch<W> {
    fn default() -> Self {
        let (expanded, found) = (FxHashSet::default(), FxHashSet::default());
        let (shifted, anchors, available) = (Vec::new(), Vec::new(), Vec::new());
        Scratch { shifted, anchors, available, expanded, found, branches: Vec::new() }
    }
}

struct Search<'a, const W: usize> {
    tables: &'a Tables<W>,
    scratch: &'a mut Scratch<W>,
    hits: Mask<W>,
    misses: Mask<W>,
    /// Number of squares that are not known misses.
    open_squares: u32,
    nodes: u64,
    /// The relaxation. It is built at node `RELAX_AT` if the board has squares to spare and at most 64 hits; `None`
    /// until then, and on other boards.
    relaxed: Option<Relaxed>,
    /// The local search for a lost product of sunflowers; `None` with few misses.
    sunflowers: Option<Sunflowers<W>>,
    /// The union of the completed sets.
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
        scratch.branches.clear();
        if scratch.expanded.capacity() > MAX_KEPT_CAPACITY {
            (scratch.expanded, scratch.found) = (FxHashSet::default(), FxHashSet::default());
        }
        scratch.expanded.clear();
        scratch.found.clear();
        scratch.anchors.clear();
        scratch.anchors.resize(tables.shapes.len(), Mask::EMPTY);
        Search {
            tables,
            scratch,
            hits,
            misses,
            open_squares: instance.squares.len() as u32 - misses.len(),
            nodes: 0,
            relaxed: None,
            sunflowers: MANY_MISSES
                .contains(&misses_allowed)
                .then(|| Sunflowers::new(tables, hits, misses, misses_allowed)),
            union: Mask::EMPTY,
            family: Family::new(tables.size, misses_allowed),
        }
    }

    /// Adds all completions of a node to the family. The squares `covered` are occupied, and the ships `remaining`,
    /// one bit each, are not yet placed.
    fn expand(&mut self, covered: Mask<W>, remaining: u32, budget: &mut Budget) -> Result<(), EarlyEnd> {
        budget.node()?;
        self.nodes += 1;
        if self.nodes == RELAX_AT && bounds::is_roomy(self.open_squares, self.tables.fleet_cells) {
            self.relaxed = self.tables.relax(self.hits, self.misses);
        }
        // If there are as many hits as the fleet has cells, it covers exactly these.
        let single = self.hits.len() == self.tables.fleet_cells;
        if self.nodes >= LONG_AT && single && !self.scratch.found.is_empty() {
            return Err(EarlyEnd::Complete);
        }
        if self.nodes == LONG_AT && self.relaxed.is_some() && !self.may_fit() {
            return Err(EarlyEnd::Complete);
        }
        let pending = self.hits.without(covered);
        if remaining == 0 {
            return if pending.is_empty() { self.add_set(covered, budget) } else { Ok(()) };
        }
        let tables = self.tables;
        if bounds::are_apart(tables, pending, remaining) || !self.is_first_visit(covered, remaining) {
            return Ok(());
        }
        if !self.find_anchors(covered.or(self.misses), remaining) || self.is_hopeless(pending, remaining) {
            return Ok(());
        }
        if pending.is_empty() && remaining.is_power_of_two() {
            return self.place_last_ship(covered, remaining.trailing_zeros() as usize, budget);
        }
        let base = self.scratch.branches.len();
        if pending.is_empty() {
            self.branch_on_ship(remaining);
        } else {
            self.branch_on_hit(pending, remaining);
        }
        self.expand_branches(base, covered, remaining, budget)
    }

    /// False if the relaxation shows that no fleet fits. This tests the
    /// root, which was expanded before the relaxation was built.
    fn may_fit(&self) -> bool {
        let relaxed = self.tables.relax(self.hits, self.misses);
        relaxed.is_none_or(|mut relaxed| {
            relaxed.may_cover(self.hits.iter(), self.tables.all, &|ships| self.tables.ready(ships))
        })
    }

    /// True if a bound shows that the node has no completion. May discard anchors that no completion uses.
    fn is_hopeless(&mut self, pending: Mask<W>, remaining: u32) -> bool {
        let tables = self.tables;
        let Scratch { shifted, anchors, available, .. } = &mut *self.scratch;
        let cells = members(remaining).map(|s| tables.cells[s]).sum();
        let free = self.open_squares - (tables.fleet_cells - cells);
        let roomy = bounds::is_roomy(free, cells);
        let pockets = self.nodes >= LONG_AT;
        if !roomy && bounds::is_cramped(tables, anchors, available, remaining, cells, pending, pockets) {
            return true;
        }
        let hits = pending.len();
        if hits > remaining.count_ones() {
            tables.shifted(pending, shifted);
            if !bounds::reach_all(tables, shifted, anchors, available, hits) {
                return true;
            }
        }
        let relaxed = self.relaxed.as_mut().filter(|_| roomy);
        relaxed.is_some_and(|relaxed| {
            !relaxed.may_cover(pending.iter(), remaining, &|ships| tables.ready(ships))
        })
    }

    /// Expands the branches from index `base` on, then removes them.
    fn expand_branches(
        &mut self,
        base: usize,
        covered: Mask<W>,
        remaining: u32,
        budget: &mut Budget,
    ) -> Result<(), EarlyEnd> {
        for next in base..self.scratch.branches.len() {
            let Branch { shape, anchor, .. } = self.scratch.branches[next];
            let shape = &self.tables.shapes[usize::from(shape)];
            let placement = shape.mask.up(usize::from(anchor));
            self.expand(covered.or(placement), remaining & !(1 << shape.ship), budget)?;
        }
        self.scratch.branches.truncate(base);
        Ok(())
    }

    /// Adds a completed set to the family unless it was found before.
    fn add_set(&mut self, covered: Mask<W>, budget: &mut Budget) -> Result<(), EarlyEnd> {
        if !self.scratch.found.insert(covered) {
            return Ok(());
        }
        self.union = self.union.or(covered);
        let found = self.scratch.found.len();
        if found.is_power_of_two()
            && let Some(sunflowers) = &mut self.sunflowers
            && let Some(sets) = sunflowers.find(self.tables, covered, found * STEPS, budget)?
        {
            self.family.become_lost(sets.iter().map(Mask::words));
            return Err(EarlyEnd::Lost);
        }
        match self.family.add(covered.words(), budget)? {
            Standing::Open => Ok(()),
            Standing::Lost => Err(EarlyEnd::Lost),
        }
    }

    /// True if the transposition table does not contain this node. Stores the node while there is space.
    fn is_first_visit(&mut self, covered: Mask<W>, remaining: u32) -> bool {
        let expanded = &mut self.scratch.expanded;
        if expanded.len() < MAX_STORED_NODES {
            expanded.insert((covered, remaining))
        } else {
            !expanded.contains(&(covered, remaining))
        }
    }
}
