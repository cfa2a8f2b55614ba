//! The branches of a node of the search through completions.

use super::super::Entry;
use super::alike::Key;
use super::known::Steps;
use counterpoint_core::board::{Cell, Size};
use rustc_hash::FxHashSet;

/// The branches of a node: the squares that its line of the record allows. These squares form a rectangle. They are
/// tried in index order or, if there is an `order`, in the order of this list.
pub(super) struct Frame {
    size: Size,
    /// The top left square of the rectangle.
    first: Cell,
    width: usize,
    pub(super) squares: usize,
    /// The squares that are tried, by index, if they are not all squares of the rectangle in index order.
    pub(super) order: Option<Vec<u32>>,
    next: usize,
    /// The keys of the squares that were tried.
    pub(super) seen: FxHashSet<Key>,
    /// The square that the move into this node toggled; `None` at the root and if the move changed nothing.
    pub(super) toggled: Option<usize>,
    /// The moves before this node that rule out the branches tried so far.
    pub(super) conflict: Steps,
}

/// Why a move leads to no node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rejected {
    /// The record or the rules do not allow it.
    Illegal,
    /// It is a repeat.
    Repeats,
}

impl Frame {
    pub(super) fn new(size: Size, entry: &Entry, toggled: Option<usize>) -> Self {
        let range = |known: Option<u32>, all: u32| match known {
            Some(number) => (number.saturating_sub(1), 1),
            None => (0, all as usize),
        };
        let ((row, height), (col, width)) = (range(entry.y(), size.height), range(entry.x(), size.width));
        Frame {
            size,
            first: Cell::new(row, col),
            width,
            squares: width * height,
            order: None,
            next: 0,
            seen: FxHashSet::default(),
            toggled,
            conflict: 0,
        }
    }

    /// Notes that the moves in `reason` rule out the branch tried last. If they do not include the move of
    /// this branch, which is move `step` counted from 0, they rule out the other branches, too.
    pub(super) fn fail(&mut self, reason: Steps, step: usize) {
        let Some(own) = Steps::checked_shl(1, step as u32) else { return self.conflict = Steps::MAX };
        if reason & own == 0 {
            (self.conflict, self.order) = (reason, Some(Vec::new()));
        } else {
            self.conflict |= reason & !own;
        }
    }

    /// The next square, by index.
    pub(super) fn next(&mut self) -> Option<Cell> {
        let number = self.next;
        self.next += 1;
        match &self.order {
            None => (number < self.squares).then(|| self.square(number)),
            Some(order) => order.get(number).map(|&square| self.size.cell(square as usize)),
        }
    }

    pub(super) fn square(&self, number: usize) -> Cell {
        let (row, col) = (number / self.width, number % self.width);
        Cell::new(self.first.row + row as u32, self.first.col + col as u32)
    }
}
