//! The geometry of boards: cells, sizes, bit sets, digits, symmetries and drawings.

mod bits;
mod digits;
mod drawing;
mod sheet;
mod symmetry;

pub use bits::{Bits, ones};
pub use digits::Digits;
pub use drawing::Drawing;
pub use sheet::{Mark, Panel, Sheet, Tile};
pub use symmetry::{Group, Symmetry};

use std::fmt;

/// A square by row and column, both counted from 0. Row 0 is the top row. In text and JSON, both are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The row, counted from 0, from top to bottom.
    pub row: u32,
    /// The column, counted from 0, from left to right.
    pub col: u32,
}

impl Cell {
    /// The cell at `row`, `col`, both counted from 0.
    #[inline]
    pub const fn new(row: u32, col: u32) -> Self {
        Cell { row, col }
    }

    /// `[row, column]`, both counted from 1, as in answers.
    #[inline]
    pub fn one_based(self) -> [u32; 2] {
        [self.row + 1, self.col + 1]
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row + 1, self.col + 1)
    }
}

/// Width and height of a board in squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

impl Size {
    /// A board of `width` columns and `height` rows.
    #[inline]
    pub const fn new(width: u32, height: u32) -> Self {
        Size { width, height }
    }

    /// Number of squares.
    #[inline]
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The index of `cell` in row-major order, counted from 0.
    #[inline]
    pub const fn index(self, cell: Cell) -> usize {
        cell.row as usize * self.width as usize + cell.col as usize
    }

    /// The cell with this index in row-major order.
    #[inline]
    pub const fn cell(self, index: usize) -> Cell {
        Cell::new((index / self.width as usize) as u32, (index % self.width as usize) as u32)
    }

    /// True if `cell` lies on the board.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row < self.height && cell.col < self.width
    }

    /// The cell at a row and column counted from 1, if it lies on the board.
    #[inline]
    pub fn one_based(self, row: u64, col: u64) -> Option<Cell> {
        let index = |number: u64| u32::try_from(number).ok()?.checked_sub(1);
        let cell = Cell::new(index(row)?, index(col)?);
        self.contains(cell).then_some(cell)
    }

    /// All cells, row by row.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        (0..self.cells()).map(move |i| self.cell(i))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
