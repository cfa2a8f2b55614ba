//! Ships (UVa 322, POJ 1138): can the hidden rest of a fleet be uncovered with few misses?
//!
//! Some squares of the board are uncovered: `x` belongs to a ship, `o` does not. The squares `.` are unknown. A fleet
//! *fits* if every ship is placed once, in one of its poses (the judge's ships are turned but not mirrored), so that no
//! two ships overlap and together they cover every `x` and no `o`. Shots can only reveal the set of squares that the
//! fleet covers. So the answer depends on the family of distinct *covered sets*, not on the number of placements.
//!
//! A family is *won* with m misses if some plan of shots, with at most m misses, identifies the set that the fleet
//! covers, whichever set that is. W(m) is the class of all families that are won with m misses. All sets have equal
//! size, so none contains another. So every shot that distinguishes two sets may miss, and W(0) contains only the
//! families of at most one set. For m > 0, a family of at least two sets is in W(m) iff some cell splits it into two
//! nonempty parts: the sets that lack the cell, which must form a family in W(m - 1), and the sets that contain the
//! cell, which must form a family in W(m). Every engine relies on two facts:
//! * *Size*: if a family is in W(m) and each of its sets has k unknown cells, it has at most C(k + m, m) members (the
//!   skew form of Bollobás's inequality). So an enumeration can stop early.
//! * *Safe choice*: every subfamily of a family in W(m) is in W(m). So if the sets that lack a cell form a family in
//!   W(m - 1), a shot at this cell does no harm: if the whole family is in W(m), so is the family that is left after a
//!   hit. So a search never has to backtrack over such a shot.

pub mod answer;
pub mod check;
pub mod edit;
pub mod entry;
pub mod explain;
pub mod families;
pub mod formula;
pub mod lesson;
pub mod model;
pub mod mutants;
pub mod picture;
pub mod read;
pub mod sat;
pub mod search;
pub mod study;
pub mod tiny;
pub mod trials;
pub mod write;

use counterpoint_core::board::{Cell, Size, Symmetry};
use counterpoint_core::erased::{DynProblem, Erased};
use std::borrow::Cow;

/// The problem: UVa 322 = POJ 1138, *Ships*.
pub struct Ships;

/// The problem as a trait object, for a registry. The conversion is in this crate, so that the compiler instantiates
/// the generic code of the commands here, together with the functions of the problem that this code calls.
pub fn problem() -> Box<dyn DynProblem> {
    Box::new(Erased::<Ships>::new())
}

/// Minimum width and height.
pub const MIN_SIDE: u32 = 2;
/// Maximum width and height of the judge's boards.
pub const JUDGE_SIDE: u32 = 16;
/// Maximum width and height.
pub const MAX_SIDE: u32 = 32;
/// With fewer unknown squares than this, a board that the fleet fills is solved like any other.
const MIN_FILLED: usize = 20;
/// Maximum number of misses that the rules may allow.
pub const MAX_MISSES: u32 = 8;

/// What is known of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// `.`: not yet uncovered.
    Unknown,
    /// `x`: part of a ship.
    Hit,
    /// `o`: not part of a ship.
    Miss,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// On a board that was read or generated, each side is from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub size: Size,
    /// The squares, row by row.
    pub squares: Vec<Square>,
}

/// The rules of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Misses allowed, at most [`MAX_MISSES`].
    pub misses: u32,
    /// The ships. Each is placed exactly once.
    pub fleet: Fleet,
    /// How headers are read.
    pub dialect: Dialect,
}

/// The order of the two numbers in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Inferred from the rows.
    Auto,
    /// `w h`.
    Uva,
    /// `h w`.
    Poj,
}

/// The ships to be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    /// At most 32 ships.
    pub ships: Vec<Ship>,
}

/// A polyomino.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    /// Unique in its fleet.
    pub name: String,
    /// Its cells as drawn, ascending, touching row 0 and column 0.
    pub cells: Vec<Cell>,
    /// How it may lie.
    pub poses: Poses,
}

/// The symmetries that may be applied to a ship before it is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poses {
    /// As it is drawn.
    Drawn,
    /// As it is drawn, or turned by quarter turns.
    Turned,
    /// As it is drawn, or mirrored left to right.
    Mirrored,
    /// As it is drawn or mirrored, and then turned by quarter turns.
    TurnedMirrored,
}

/// A ship in one pose at one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Index into [`Ship::shapes`]. The drawn ship and its clockwise quarter turns come first, then its mirror image
    /// and the quarter turns of that.
    pub pose: u32,
    /// The top left corner of its bounding box.
    pub corner: Cell,
    /// Ascending.
    pub cells: Vec<Cell>,
}

/// A ship of a fleet and the cells that it covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlacedShip {
    /// Its index in the fleet.
    pub ship: usize,
    /// The cells that it covers, ascending.
    pub cells: Vec<Cell>,
}

impl Instance {
    /// The board with all unknown squares as hits, if the fleet has as many cells as the board has squares that are not
    /// misses. Then the same sets fit both boards, but the engines find them faster with the hits, as an exact cover of
    /// these squares. The same board if it has few unknown squares, or more squares than the fleet has cells.
    pub fn filled(&self, fleet: &Fleet) -> Cow<'_, Instance> {
        let count = |kind| self.squares.iter().filter(|&&square| square == kind).count();
        let unknown = count(Square::Unknown);
        if unknown < MIN_FILLED || unknown + count(Square::Hit) != fleet.cells() {
            return Cow::Borrowed(self);
        }
        let covered = |&square| if square == Square::Miss { Square::Miss } else { Square::Hit };
        Cow::Owned(Instance { size: self.size, squares: self.squares.iter().map(covered).collect() })
    }

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
    /// The fleet in which every ship has these poses.
    pub fn posed(mut self, poses: Poses) -> Fleet {
        self.ships.iter_mut().for_each(|ship| ship.poses = poses);
        self
    }

    /// Number of cells of all ships.
    pub fn cells(&self) -> usize {
        self.ships.iter().map(|ship| ship.cells.len()).sum()
    }

    /// For each ship, the index of the nearest earlier ship that has the same shape in some pose; `None` if there is
    /// none.
    pub fn twins(&self) -> Vec<Option<usize>> {
        let shapes: Vec<_> = self.ships.iter().map(|ship| ship.shapes().into_iter().min()).collect();
        (0..shapes.len()).map(|s| (0..s).rev().find(|&earlier| shapes[earlier] == shapes[s])).collect()
    }
}

impl Poses {
    /// The symmetries that the rules `turn` and `mirror` allow.
    pub fn allowing(turn: bool, mirror: bool) -> Poses {
        match (turn, mirror) {
            (false, false) => Poses::Drawn,
            (true, false) => Poses::Turned,
            (false, true) => Poses::Mirrored,
            (true, true) => Poses::TurnedMirrored,
        }
    }

    /// The symmetries, the identity first; they form a group.
    pub fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        let (turns, mirrors): (u8, &[bool]) = match self {
            Poses::Drawn => (1, &[false]),
            Poses::Turned => (4, &[false]),
            Poses::Mirrored => (1, &[false, true]),
            Poses::TurnedMirrored => (4, &[false, true]),
        };
        mirrors.iter().flat_map(move |&mirrored| (0..turns).map(move |turns| Symmetry { turns, mirrored }))
    }
}

impl Ship {
    /// Its distinct shapes, in the order of [`Poses::symmetries`]. The cells of each are ascending and touch row 0 and
    /// column 0.
    pub fn shapes(&self) -> Vec<Vec<Cell>> {
        let side = self.cells.iter().map(|cell| cell.row.max(cell.col) + 1).max().unwrap_or(0);
        let mut shapes: Vec<Vec<Cell>> = Vec::new();
        for symmetry in self.poses.symmetries() {
            let moved: Vec<_> = self.cells.iter().map(|&cell| symmetry.apply(side, cell)).collect();
            let top = moved.iter().map(|cell| cell.row).min().unwrap_or(0);
            let left = moved.iter().map(|cell| cell.col).min().unwrap_or(0);
            let mut shape: Vec<_> = moved.iter().map(|c| Cell::new(c.row - top, c.col - left)).collect();
            shape.sort_unstable();
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        shapes
    }

    /// Its placements on an empty board, by pose and then by corner.
    pub fn placements(&self, size: Size) -> Vec<Placement> {
        let mut placements = Vec::new();
        for (pose, shape) in (0..).zip(self.shapes()) {
            for corner in size.iter() {
                let moved = shape.iter().map(|cell| Cell::new(cell.row + corner.row, cell.col + corner.col));
                let cells: Vec<_> = moved.collect();
                if cells.iter().all(|&cell| size.contains(cell)) {
                    placements.push(Placement { pose, corner, cells });
                }
            }
        }
        placements
    }
}
