//! Ships (UVa 322, POJ 1138): can the hidden rest of a fleet be uncovered with few misses?
//!
//! Squares of the board are uncovered: `x` belongs to a ship, `o` does not, `.` is still covered. A
//! fleet that *fits* places every ship once, turned but not mirrored, without overlap, over every `x`
//! and no `o`. All that can ever be learnt of it is the set of its squares, so what counts is the
//! family of distinct *covered sets*, never the number of placements.
//!
//! W(m) is the class of families that can be won with m misses. All sets have one size, so W(0) holds
//! just the single sets. A family is in W(m) iff some cell splits it into a part without the cell
//! that is in W(m - 1) and a part with it that is in W(m). Two facts carry every engine:
//! * *Size*: a family in W(m) whose sets have k unknown cells has at most C(k + m, m) members (the
//!   skew form of Bollobás's inequality), so an enumeration may stop soon.
//! * *Safe choice*: subfamilies of winnable families are winnable, so a cell whose part without it is
//!   in W(m - 1) can be shot at once. There is nothing to backtrack over.

pub mod answer;
pub mod check;
pub mod entry;
pub mod explain;
pub mod families;
pub mod formula;
pub mod picture;
pub mod read;
pub mod sat;
pub mod search;
pub mod study;
pub mod write;

use crate::board::{Cell, Size};

/// The least width and height.
pub const MIN_SIDE: u32 = 2;
/// The greatest width and height.
pub const MAX_SIDE: u32 = 16;

/// What is known of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// `.`: still covered.
    Unknown,
    /// `x`: part of a ship.
    Hit,
    /// `o`: no ship.
    Miss,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Each side is from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub size: Size,
    /// Row by row.
    pub squares: Vec<Square>,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Misses allowed.
    pub misses: u32,
    /// The ships, each to be placed once.
    pub fleet: Fleet,
    /// How headers are read.
    pub dialect: Dialect,
}

/// The order of the two numbers in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Whichever the rows show.
    Auto,
    /// `w h`.
    Uva,
    /// `h w`.
    Poj,
}

/// The ships to be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    /// At most 32.
    pub ships: Vec<Ship>,
}

/// A polyomino; it may be turned, not mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    /// Unique in its fleet.
    pub name: String,
    /// Its cells in one orientation, ascending, touching row 0 and column 0.
    pub cells: Vec<Cell>,
}

/// A ship at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Quarter turns clockwise; the least number that gives these cells.
    pub turns: u32,
    /// The top left corner of the box around it.
    pub corner: Cell,
    /// Ascending.
    pub cells: Vec<Cell>,
}

impl Instance {
    /// What is known of `cell`, which lies on the board.
    pub fn at(&self, cell: Cell) -> Square {
        self.squares[self.size.index(cell)]
    }

    /// The cells of one kind, ascending.
    pub fn cells(&self, kind: Square) -> impl Iterator<Item = Cell> {
        self.size.iter().zip(&self.squares).filter(move |(_, square)| **square == kind).map(|(cell, _)| cell)
    }
}

impl Fleet {
    /// The seven one-sided tetrominoes.
    pub fn standard() -> Fleet {
        let shapes = [
            ("O", [(0, 0), (0, 1), (1, 0), (1, 1)]),
            ("S", [(0, 1), (0, 2), (1, 0), (1, 1)]),
            ("Z", [(0, 0), (0, 1), (1, 1), (1, 2)]),
            ("J", [(0, 0), (1, 0), (1, 1), (1, 2)]),
            ("T", [(0, 1), (1, 0), (1, 1), (1, 2)]),
            ("L", [(0, 2), (1, 0), (1, 1), (1, 2)]),
            ("I", [(0, 0), (0, 1), (0, 2), (0, 3)]),
        ];
        let ship = |(name, cells): (&str, [(u32, u32); 4])| Ship {
            name: name.to_owned(),
            cells: cells.map(|(row, col)| Cell::new(row, col)).to_vec(),
        };
        Fleet { ships: shapes.into_iter().map(ship).collect() }
    }

    /// Number of cells that a fleet covers.
    pub fn cells(&self) -> usize {
        self.ships.iter().map(|ship| ship.cells.len()).sum()
    }

    /// For each ship the nearest one before it that has the same shape, turned or not.
    pub fn twins(&self) -> Vec<Option<usize>> {
        let shapes: Vec<_> = self.ships.iter().map(|ship| ship.orientations().into_iter().min()).collect();
        (0..shapes.len()).map(|s| (0..s).rev().find(|&earlier| shapes[earlier] == shapes[s])).collect()
    }
}

impl Ship {
    /// Its distinct orientations, each ascending and touching row 0 and column 0, by quarter turns.
    fn orientations(&self) -> Vec<Vec<Cell>> {
        let mut all: Vec<Vec<Cell>> = vec![self.cells.clone()];
        for turns in 1..4 {
            let last = &all[turns - 1];
            let bottom = last.iter().map(|cell| cell.row).max().unwrap_or(0);
            let mut turned: Vec<_> = last.iter().map(|cell| Cell::new(cell.col, bottom - cell.row)).collect();
            turned.sort_unstable();
            all.push(turned);
            // A shape that comes back does so for good.
            if all[turns] == all[0] {
                all.pop();
                break;
            }
        }
        all
    }

    /// Where it can lie on an empty board, by orientation and then by corner.
    pub fn placements(&self, size: Size) -> Vec<Placement> {
        let mut placements = Vec::new();
        for (turns, shape) in (0..).zip(self.orientations()) {
            for corner in size.iter() {
                let moved = shape.iter().map(|cell| Cell::new(cell.row + corner.row, cell.col + corner.col));
                let cells: Vec<_> = moved.collect();
                if cells.iter().all(|&cell| size.contains(cell)) {
                    placements.push(Placement { turns, corner, cells });
                }
            }
        }
        placements
    }
}
