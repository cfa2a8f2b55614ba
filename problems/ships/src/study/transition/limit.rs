//! The boards that random boards tend to as the side grows: the fleet is fixed, and so is the share of the squares that
//! is uncovered.
//!
//! On a large board, the ships of a random fleet almost surely lie far from each other and from the edge. If none of a
//! ship's squares is uncovered, the ship can lie at more places than any fixed number of misses allows for. Otherwise
//! its hits form a *cluster*. A placement that covers hits of two clusters would be too long, and there are as many
//! clusters as ships, so each ship covers all hits of one cluster and no others. The covered sets are therefore unions,
//! over all ways to assign the ships to the clusters, of the products of the *local lists*: the placements of the
//! assigned ship that cover all hits of the cluster and no uncovered miss. These lists depend only on the squares that
//! some placement shares with the ship, and in the limit these squares are uncovered independently. `paper-notes.md` has
//! the proof.

use crate::answer::family::{Family, Standing};
use crate::{Fleet, MAX_SIDE, Ship};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::study::StudyError;
use itertools::Itertools;
use rand::RngExt;
use std::collections::BTreeSet;

/// A set of squares around one ship: bit i stands for square i.
pub type Squares = u128;

/// One ship in one pose, with the squares around it that matter.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Number of squares that some placement shares with the ship. The first of them are the ship's own.
    pub squares: u32,
    /// The squares of the ship.
    pub ship: Squares,
    /// For each kind of ship, the placements that share a square with the ship.
    pub placements: Vec<Vec<Squares>>,
    /// Row and column of each square, relative to the top left corner of the ship's bounding box.
    pub cells: Vec<(i32, i32)>,
}

/// A fleet, prepared for drawing. Ships that are equal in some pose are of one *kind*.
#[derive(Clone, Debug)]
pub struct PreparedFleet {
    /// The kind of each ship.
    pub kinds: Vec<usize>,
    /// For each ship, its surroundings in each of its poses.
    pub poses: Vec<Vec<Surroundings>>,
}

impl PreparedFleet {
    /// Prepares a fleet.
    ///
    /// # Errors
    /// Returns `Unsupported` if too many squares lie around a ship or around all ships.
    pub fn new(fleet: &Fleet) -> Result<PreparedFleet, StudyError> {
        let mut kinds = Vec::new();
        let mut shapes = Vec::new();
        for (ship, twin) in fleet.ships.iter().zip(fleet.twins()) {
            kinds.push(twin.map_or(shapes.len(), |earlier: usize| kinds[earlier]));
            if twin.is_none() {
                shapes.push(offsets(ship.shapes()));
            }
        }
        let around = |ship: &Ship| {
            offsets(ship.shapes()).iter().map(|cells| Surroundings::new(cells, &shapes)).collect()
        };
        let poses: Vec<Vec<Surroundings>> = fleet.ships.iter().map(around).collect::<Result<_, _>>()?;
        let all: u32 = poses.iter().filter_map(|poses| poses.iter().map(|pose| pose.squares).max()).sum();
        if all > MAX_SIDE * MAX_SIDE {
            return Err(
                "the limit supports smaller fleets only: too many squares lie around the ships".into()
            );
        }
        Ok(PreparedFleet { kinds, poses })
    }

    /// A random pose for each ship.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> Board<'_> {
        let clusters = self.poses.iter().map(|poses| &poses[rng.random_range(0..poses.len())]).collect();
        Board { ships: self, clusters }
    }
}

/// The cells of each shape as rows and columns.
fn offsets(shapes: Vec<Vec<Cell>>) -> Vec<Vec<(i32, i32)>> {
    let offset = |cell: Cell| (cell.row as i32, cell.col as i32);
    shapes.into_iter().map(|shape| shape.into_iter().map(offset).collect()).collect()
}

impl Surroundings {
    fn new(ship: &[(i32, i32)], kinds: &[Vec<Vec<(i32, i32)>>]) -> Result<Surroundings, StudyError> {
        let touching = |shapes: &Vec<Vec<(i32, i32)>>| {
            let mut found = BTreeSet::new();
            for (shape, &(row, col)) in shapes.iter().cartesian_product(ship) {
                for &(y, x) in shape {
                    found.insert(shape.iter().map(|&(r, c)| (r + row - y, c + col - x)).collect_vec());
                }
            }
            found
        };
        let placements = kinds.iter().map(touching).collect_vec();
        let others: BTreeSet<(i32, i32)> = placements.iter().flatten().flatten().copied().collect();
        let others = others.into_iter().filter(|cell| !ship.contains(cell));
        let cells: Vec<(i32, i32)> = ship.iter().copied().chain(others).collect();
        if cells.len() > Squares::BITS as usize {
            return Err("the limit supports smaller ships only: too many squares lie around a ship".into());
        }
        let bits = |placement: &Vec<(i32, i32)>| {
            let inside = cells.iter().enumerate().filter(|(_, cell)| placement.contains(cell));
            inside.fold(0, |set, (i, _)| set | 1 << i)
        };
        Ok(Surroundings {
            squares: cells.len() as u32,
            ship: (1 << ship.len()) - 1,
            placements: placements.iter().map(|of| of.iter().map(bits).collect()).collect(),
            cells,
        })
    }

    /// For each kind of ship, the placements that cover all hits and no uncovered miss; `None` without a hit.
    pub fn local_lists(&self, uncovered: Squares) -> Option<Vec<Vec<Squares>>> {
        let (hits, misses) = (uncovered & self.ship, uncovered & !self.ship);
        let fits = |place: &Squares| place & hits == hits && place & misses == 0;
        let lists = self.placements.iter().map(|of| of.iter().copied().filter(fits).collect());
        (hits != 0).then(|| lists.collect())
    }
}

/// Ships that lie infinitely far apart, each in one pose.
#[derive(Clone, Debug)]
pub struct Board<'a> {
    ships: &'a PreparedFleet,
    /// The surroundings of each ship, in the order of the fleet.
    pub clusters: Vec<&'a Surroundings>,
}

impl Board<'_> {
    /// For each number of misses from 0 to `most`, the share at which that many misses begin to suffice if every square
    /// is uncovered at an independent uniform moment between 0 and 1; at the end of the list, the share at which every
    /// ship has a hit. It is the least share for any number of misses.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached, or `Limit::Memory` if there are too many covered sets.
    pub fn thresholds(
        &self,
        most: u32,
        rng: &mut ChaCha8Rng,
        budget: &mut Budget,
    ) -> Result<Vec<f64>, Limit> {
        let squares =
            self.clusters.iter().enumerate().flat_map(|(i, of)| (0..of.squares).map(move |s| (i, s)));
        let mut order: Vec<(f64, (usize, u32))> = squares.map(|square| (rng.random(), square)).collect();
        order.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let uncovered = |count: usize| {
            let mut uncovered = vec![0; self.clusters.len()];
            order[..count].iter().for_each(|&(_, (cluster, square))| uncovered[cluster] |= 1 << square);
            uncovered
        };
        let is_hit = |count: &usize| {
            let known = uncovered(*count);
            self.clusters.iter().zip(&known).all(|(cluster, known)| known & cluster.ship != 0)
        };
        let counts = (0..=order.len()).collect_vec();
        let least = counts.partition_point(|count| !is_hit(count));
        // The threshold does not increase with the number of misses.
        let mut high = order.len();
        let mut thresholds = Vec::new();
        for misses in 0..=most {
            let mut low = least;
            while low < high {
                let middle = low.midpoint(high);
                if self.is_won(&uncovered(middle), misses, budget)? {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            thresholds.push(high);
        }
        thresholds.push(least);
        Ok(thresholds.iter().map(|&count| if count == 0 { 0.0 } else { order[count - 1].0 }).collect())
    }

    /// True if `misses` misses suffice. `uncovered` has the uncovered squares around each ship.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached, or `Limit::Memory` if there are too many covered sets.
    pub fn is_won(&self, uncovered: &[Squares], misses: u32, budget: &mut Budget) -> Result<bool, Limit> {
        let lists = self.clusters.iter().zip(uncovered).map(|(of, &known)| of.local_lists(known));
        let Some(lists) = lists.collect::<Option<Vec<_>>>() else { return Ok(false) };
        let mut needs = Vec::new();
        for (cluster, lists) in self.clusters.iter().zip(&lists) {
            let needs_of = |list: &Vec<Squares>, budget: &mut Budget| {
                least_misses(cluster.squares, list, misses, budget)
            };
            needs.push(lists.iter().map(|list| needs_of(list, budget)).collect::<Result<Vec<u32>, _>>()?);
        }
        let mut left = vec![0; self.ships.kinds.iter().max().map_or(0, |last| last + 1)];
        self.ships.kinds.iter().for_each(|&kind| left[kind] += 1);
        let mut search = Assignments { own: &self.ships.kinds, lists: &lists, found: Vec::new() };
        let mut chosen = Vec::new();
        // A product of families needs the sum of what its factors need (`paper-notes.md`, products of sunflowers).
        let needs_at_most =
            |chosen: &[usize]| needs.iter().zip(chosen).map(|(of, &kind)| of[kind]).sum::<u32>() <= misses;
        if !search.extend(&mut chosen, &mut left, &needs_at_most) {
            return Ok(false);
        }
        let total: u32 = self.clusters.iter().map(|cluster| cluster.squares).sum();
        let mut family = Family::new(Size::new(total, 1), misses);
        for kinds in &search.found {
            let factors = lists.iter().zip(kinds).map(|(lists, &kind)| lists[kind].iter().copied());
            for places in factors.multi_cartesian_product() {
                if family.add(&self.joined(&places), budget)? == Standing::Lost {
                    return Ok(false);
                }
            }
        }
        family.is_won_now(budget)
    }

    /// The union of placements, one around each ship, as words of 64 bits.
    fn joined(&self, places: &[Squares]) -> Vec<u64> {
        let total: u32 = self.clusters.iter().map(|cluster| cluster.squares).sum();
        let mut words = vec![0; total.div_ceil(64) as usize];
        let mut first = 0;
        for (cluster, place) in self.clusters.iter().zip(places) {
            let squares =
                (0..cluster.squares).filter(|square| place >> square & 1 == 1).map(|square| first + square);
            squares.for_each(|bit| words[(bit / 64) as usize] |= 1 << (bit % 64));
            first += cluster.squares;
        }
        words
    }
}

/// The assignments of the kinds of ships to the clusters such that every local list has a placement.
struct Assignments<'a> {
    own: &'a [usize],
    lists: &'a [Vec<Vec<Squares>>],
    found: Vec<Vec<usize>>,
}

impl Assignments<'_> {
    /// Adds all assignments that extend `chosen`. False if `accept` rejects one of them; the search then ends.
    fn extend(
        &mut self,
        chosen: &mut Vec<usize>,
        left: &mut [usize],
        accept: &dyn Fn(&[usize]) -> bool,
    ) -> bool {
        let cluster = chosen.len();
        if cluster == self.lists.len() {
            self.found.push(chosen.clone());
            return accept(chosen);
        }
        // The true kind comes first, so that the first assignment is the true one.
        let own = self.own[cluster];
        for kind in [own].into_iter().chain((0..left.len()).filter(|&kind| kind != own)) {
            if left[kind] == 0 || self.lists[cluster][kind].is_empty() {
                continue;
            }
            left[kind] -= 1;
            chosen.push(kind);
            let accepted = self.extend(chosen, left, accept);
            chosen.pop();
            left[kind] += 1;
            if !accepted {
                return false;
            }
        }
        true
    }
}

/// The number of misses that a local list needs, or `most` + 1 if it needs more than `most`.
fn least_misses(squares: u32, list: &[Squares], most: u32, budget: &mut Budget) -> Result<u32, Limit> {
    if list.len() <= 1 {
        return Ok(0);
    }
    'next: for misses in 1..=most {
        let mut family = Family::new(Size::new(squares, 1), misses);
        for &set in list {
            if family.add(&[set as u64, (set >> 64) as u64], budget)? == Standing::Lost {
                continue 'next;
            }
        }
        if family.is_won_now(budget)? {
            return Ok(misses);
        }
    }
    Ok(most + 1)
}
