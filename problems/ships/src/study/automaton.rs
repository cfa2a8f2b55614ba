//! The covering automaton: reads a board cell by cell and starts each ship at its first cell.
//!
//! A state at the cut before cell k is a pair (profile, tuple). The *profile* is the set of those cells from k on that
//! are already covered by ships that start before k. The *tuple* holds, for each shape, the number of ships used. If
//! cell k is covered, the automaton skips it. If it is free, it either stays empty or becomes the first cell of an
//! unused ship. The paths from the empty state to the state with the whole fleet used correspond one to one to the
//! placements, up to the order of equal ships, which share a shape. This is the transfer-matrix method, applied cell by
//! cell; D. Klarner and J. Pollack (*Domino tilings of rectangles with fixed width*, Discrete Mathematics 32, 1980)
//! apply it column by column.

use crate::{Fleet, Instance, Square};
use counterpoint_core::board::Cell;
use counterpoint_core::study::StudyError;

/// Maximum number of tuples.
const MAX_TUPLES: usize = 1 << 18;
/// Maximum distance between the first and the last cell of a ship in the scan. A profile has at most as many
/// bits. It is stored in 128 bits, because `merge.rs` computes with numbers of up to three more bits.
const MAX_REACH: u32 = 125;

/// The automaton of a board and a fleet.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The board's cells in the order in which they are read: along the shorter side, so that profiles are short.
    pub scan: Vec<Cell>,
    /// For each cell in that order, whether it must be covered.
    pub hit: Vec<bool>,
    /// For each cell in that order, the ways to start a ship there.
    pub starts: Vec<Vec<Start>>,
    /// The shapes of the fleet.
    pub shapes: Vec<Shape>,
    /// The greatest distance from the first cell of a ship to its last, which is also the number of bits of a profile.
    pub reach: u32,
    /// Number of cells that stay empty; negative if the fleet has more cells than the board.
    pub slack: i64,
    /// An upper bound on the product of [`Automaton::orders`] and the number of paths to any state.
    pub bound: u128,
    /// Number of placements for each path: the number of orders of equal ships.
    pub orders: u128,
}

/// A way to start a ship at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// Index into [`Automaton::shapes`].
    pub shape: usize,
    /// The cells of the ship: bit j stands for the cell j positions later in the scan. Bit 0 is set.
    pub cells: u128,
}

/// A group of equal ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The index of the first of them in the fleet.
    pub ship: usize,
    /// Number of these ships.
    pub copies: usize,
    /// Number of cells of each ship.
    pub cells: usize,
    /// The amount by which using one more of these ships increases the index of a tuple.
    pub stride: usize,
}

impl Automaton {
    /// The automaton of the fleets that fit `board`.
    ///
    /// # Errors
    /// Returns `Unsupported` if a ship spans too many cells, the fleet has too many different ships, or a number may
    /// exceed 2^128.
    pub fn new(board: &Instance, fleet: &Fleet) -> Result<Automaton, StudyError> {
        let size = board.size;
        let mut scan: Vec<Cell> = size.iter().collect();
        if size.width > size.height {
            scan.sort_by_key(|cell| (cell.col, cell.row));
        }
        let mut position = vec![0; scan.len()];
        scan.iter().zip(0..).for_each(|(&cell, i)| position[size.index(cell)] = i);

        let mut shapes: Vec<Shape> = Vec::new();
        let mut starts = vec![Vec::new(); scan.len()];
        let slack = size.cells() as i64 - fleet.cells() as i64;
        let open = board.squares.iter().filter(|&&square| square != Square::Miss).count();
        let spare = open.saturating_sub(fleet.cells()) as u128;
        // Two bounds: each ship has one of its placements; and the scan meets the ships and the unknown cells that stay empty in
        // some order, each ship in one of its shapes. A path to a state is the beginning of such an order. A number that
        // exceeds 2^128 is `None`.
        let (mut by_placements, mut by_order) = (Some(1u128), Some(1u128));
        let (mut reach, mut orders) = (0, 1u128);
        let too_many = || StudyError::unsupported("the number of placements may exceed 2^128");
        let mut shape_of: Vec<usize> = Vec::new();
        for (ship, twin) in fleet.twins().into_iter().enumerate() {
            let mut placements = fleet.ships[ship].placements(size);
            placements.retain(|placement| placement.cells.iter().all(|&cell| board.at(cell) != Square::Miss));
            // Even if this ship has no placement, there are paths that start only other ships, so its factor is at
            // least 1.
            by_placements = by_placements.and_then(|n| n.checked_mul(placements.len().max(1) as u128));
            let ways = (spare + ship as u128 + 1) * fleet.ships[ship].shapes().len() as u128;
            by_order = by_order.and_then(|n| n.checked_mul(ways));
            if let Some(twin) = twin {
                shape_of.push(shape_of[twin]);
                let copies = &mut shapes[shape_of[twin]].copies;
                *copies += 1;
                orders = orders.checked_mul(*copies as u128).ok_or_else(too_many)?;
                continue;
            }
            shape_of.push(shapes.len());
            let cells = fleet.ships[ship].cells.len();
            for placement in placements {
                let at = |cell: &Cell| position[size.index(*cell)];
                let first = placement.cells.iter().map(at).min().unwrap_or(0);
                let last = placement.cells.iter().map(at).max().unwrap_or(0);
                reach = reach.max((last - first) as u32);
                if reach > MAX_REACH {
                    return Err(StudyError::unsupported(format!(
                        "on {size} a ship has cells {reach} apart in reading order; the maximum is {MAX_REACH}"
                    )));
                }
                let mask = placement.cells.iter().fold(0, |mask, cell| mask | 1 << (at(cell) - first));
                starts[first].push(Start { shape: shapes.len(), cells: mask });
            }
            shapes.push(Shape { ship, copies: 1, cells, stride: 1 });
        }
        let mut tuples = 1usize;
        for shape in &mut shapes {
            shape.stride = tuples;
            tuples = tuples.saturating_mul(shape.copies + 1);
        }
        if tuples > MAX_TUPLES {
            return Err(StudyError::unsupported(format!(
                "the fleet has too many different ships ({})",
                shapes.len()
            )));
        }
        starts.iter_mut().for_each(|list| list.sort_unstable());
        let hit = scan.iter().map(|&cell| board.at(cell) == Square::Hit).collect();
        let bound = by_placements.into_iter().chain(by_order).min().ok_or_else(too_many)?;
        Ok(Automaton { scan, hit, starts, shapes, reach, slack, bound, orders })
    }

    /// Number of tuples. Tuple 0 uses no ship; the last one uses the whole fleet.
    pub fn tuples(&self) -> usize {
        self.shapes.iter().map(|shape| shape.copies + 1).product()
    }

    /// Number of ships of `shape` that a tuple uses.
    pub fn used(&self, tuple: usize, shape: &Shape) -> usize {
        tuple / shape.stride % (shape.copies + 1)
    }

    /// Number of cells of the ships that a tuple uses.
    pub fn area(&self, tuple: usize) -> usize {
        self.shapes.iter().map(|shape| self.used(tuple, shape) * shape.cells).sum()
    }

    /// The cells after `cell` that must be covered: bit j stands for the cell j positions after `cell`. `None` if one
    /// of them is more than [`Automaton::reach`] cells away.
    pub fn hits_after(&self, cell: usize) -> Option<u128> {
        let mut later = (1..).zip(&self.hit[cell + 1..]).filter(|(_, hit)| **hit).map(|(j, _)| j);
        later.try_fold(0, |mask, j: u32| (j <= self.reach).then(|| mask | 1 << j))
    }

    /// Maximum number of cells in a profile of `tuple` at the cut before cell `cut`. All other cells of its ships lie
    /// before the cut, where at most [`Automaton::slack`] cells are empty.
    pub fn max_overhang(&self, tuple: usize, cut: usize) -> i64 {
        self.area(tuple) as i64 + self.slack - cut as i64
    }
}
