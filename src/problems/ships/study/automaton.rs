//! The covering automaton: a board read cell by cell, ships begun at their first cells.
//!
//! A state at the cut before cell k is a *profile*, the set of cells from k on that ships begun before k already cover,
//! together with the number of ships of each shape that were used. If cell k is covered, the automaton skips it; if it is
//! free, it stays empty, or an unused ship begins whose first cell it is. Paths from the empty state to the
//! one with the whole fleet used are the placements, one path each (a transfer matrix, cell by cell;
//! D. Klarner, J. Pollack, *Domino tilings of rectangles with fixed width*, Discrete Mathematics 32,
//! 1980, have it column by column). Equal ships share a shape, so a path stands for all their orders.

use crate::board::Cell;
use crate::problems::ships::{Fleet, Instance, Square};
use crate::study::StudyError;

/// The most tuples "how many of each shape are used" that are told apart.
const MAX_TUPLES: usize = 1 << 16;
/// The most cells between the first and the last of a ship: profiles are made of at most 128 bits, and
/// twice the sum of two of them shall not overflow.
const MAX_REACH: u32 = 125;

/// The automaton of a board and a fleet.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The board's cells in the order of reading: along the shorter side, so that profiles are short.
    pub scan: Vec<Cell>,
    /// For each cell in that order whether it has to be covered.
    pub hit: Vec<bool>,
    /// For each cell the ways to begin a ship there.
    pub starts: Vec<Vec<Start>>,
    /// The shapes of the fleet.
    pub shapes: Vec<Shape>,
    /// The greatest distance from a ship's first cell to its last; profiles have as many bits.
    pub reach: u32,
    /// Cells that stay empty; negative if the fleet has more cells than the board.
    pub slack: i64,
    /// No less than the number of paths to any state, times [`Automaton::orders`].
    pub bound: u128,
    /// In how many orders equal ships take the places of one path.
    pub orders: u128,
}

/// A way to begin a ship at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// Index into [`Automaton::shapes`].
    pub shape: usize,
    /// Bit j for the j-th cell from this one on; bit 0 is set.
    pub cells: u128,
}

/// Ships that are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The first of these ships in the fleet.
    pub ship: usize,
    /// How many they are.
    pub copies: usize,
    /// Cells of one.
    pub cells: usize,
    /// What one of them adds to the number of a tuple.
    pub stride: usize,
}

impl Automaton {
    /// The automaton of the fleets that fit `board`.
    ///
    /// # Errors
    /// `Refused`: ships that reach too far, too many distinct ones, or numbers past 2^128.
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
        let (mut reach, mut bound, mut orders) = (0, 1u128, 1u128);
        let too_many = || StudyError::Unsupported("the number of placements may pass 2^128".to_owned());
        let mut shape_of: Vec<usize> = Vec::new();
        for (ship, twin) in fleet.twins().into_iter().enumerate() {
            let places = fleet.ships[ship].placements(size);
            // A ship without a place does not take the paths of the others away.
            bound = bound.checked_mul(places.len().max(1) as u128).ok_or_else(too_many)?;
            if let Some(twin) = twin {
                shape_of.push(shape_of[twin]);
                let copies = &mut shapes[shape_of[twin]].copies;
                *copies += 1;
                orders = orders.checked_mul(*copies as u128).ok_or_else(too_many)?;
                continue;
            }
            shape_of.push(shapes.len());
            let cells = fleet.ships[ship].cells.len();
            for place in places {
                if place.cells.iter().any(|&cell| board.at(cell) == Square::Miss) {
                    continue;
                }
                let at = |cell: &Cell| position[size.index(*cell)];
                let first = place.cells.iter().map(at).min().unwrap_or(0);
                let last = place.cells.iter().map(at).max().unwrap_or(0);
                reach = reach.max((last - first) as u32);
                if reach > MAX_REACH {
                    return Err(StudyError::Unsupported(format!(
                        "a ship reaches over {reach} cells of {size}"
                    )));
                }
                let mask = place.cells.iter().fold(0, |mask, cell| mask | 1 << (at(cell) - first));
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
            return Err(StudyError::Unsupported(format!(
                "a fleet of {} different ships is too mixed",
                shapes.len()
            )));
        }
        starts.iter_mut().for_each(|list| list.sort_unstable());
        let hit = scan.iter().map(|&cell| board.at(cell) == Square::Hit).collect();
        let slack = size.cells() as i64 - fleet.cells() as i64;
        Ok(Automaton { scan, hit, starts, shapes, reach, slack, bound, orders })
    }

    /// How many tuples there are; the last stands for the whole fleet, 0 for no ship.
    pub fn tuples(&self) -> usize {
        self.shapes.iter().map(|shape| shape.copies + 1).product()
    }

    /// How many ships of `shape` a tuple uses.
    pub fn used(&self, tuple: usize, shape: &Shape) -> usize {
        tuple / shape.stride % (shape.copies + 1)
    }

    /// The cells of the ships that a tuple uses.
    pub fn area(&self, tuple: usize) -> usize {
        self.shapes.iter().map(|shape| self.used(tuple, shape) * shape.cells).sum()
    }

    /// The cells after `cell` that have to be covered, bit j for the j-th cell from `cell` on; `None` if
    /// one of them lies out of reach.
    pub fn hits_after(&self, cell: usize) -> Option<u128> {
        let mut later = (1..).zip(&self.hit[cell + 1..]).filter(|(_, hit)| **hit).map(|(j, _)| j);
        later.try_fold(0, |mask, j: u32| (j <= self.reach).then(|| mask | 1 << j))
    }

    /// The most bits that a profile of `tuple` can have at the cut before cell `cut`: all other cells
    /// of its ships lie before the cut, where at most [`Automaton::slack`] cells are empty.
    pub fn most_overhang(&self, tuple: usize, cut: usize) -> i64 {
        self.area(tuple) as i64 + self.slack - cut as i64
    }
}
