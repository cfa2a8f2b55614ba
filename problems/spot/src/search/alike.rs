//! Squares that are interchangeable, given the moves so far.
//!
//! A permutation of the squares maps completions to completions with the same ending if it commutes with the
//! symmetry group, fixes every square that a line names or a move has toggled, and, if a line names only a
//! row or a column, does not move squares into it or out of it. So of the squares that such permutations map
//! to each other, one is enough to try (value symmetry; I. Gent, K. Petrie, J.-F. Puget, *Symmetry in
//! Constraint Programming*, 2006).
//!
//! Each square has a *label*: what the record says about it, which symmetries fix it, and at which steps it was
//! toggled. Two squares s and t are interchangeable if for every symmetry g, g(s) and g(t) have the same label. To see
//! this, exchange g(s) and g(t) for every g or, if t is an image of s, map g(s) to g(t). Because the same symmetries
//! fix s and t, this defines a permutation, and it commutes with the group.

use super::super::Instance;
use super::position::Position;

/// Longer records have no labels.
const MAX_MOVES: usize = 128;
/// The largest order of a symmetry group.
const MAX_ORDER: usize = 8;

/// What distinguishes a square from others: a number for what the record says about it and which symmetries
/// fix it, and a bit for each step that toggled it.
type Label = (u32, u128);
/// The labels of the images of a square.
pub(super) type Key = [Label; MAX_ORDER];

/// The labels of all squares.
pub(super) struct Labels {
    /// Empty if the record is too long.
    labels: Vec<Label>,
}

impl Labels {
    pub(super) fn new(instance: &Instance, position: &Position) -> Self {
        if instance.record.len() > MAX_MOVES {
            return Labels { labels: Vec::new() };
        }
        let (size, n) = (instance.size(), instance.n as usize);
        let [mut rows, mut cols, mut squares] = [vec![false; n], vec![false; n], vec![false; size.cells()]];
        for entry in &instance.record {
            let index = |number: Option<u32>| number.map(|number| number as usize - 1);
            match (index(entry.x()), index(entry.y())) {
                (Some(col), Some(row)) => squares[row * n + col] = true,
                (Some(col), None) => cols[col] = true,
                (None, Some(row)) => rows[row] = true,
                (None, None) => {}
            }
        }
        let label = |square: usize| {
            let (row, col) = (square / n, square % n);
            let stabilizer = (0..position.order()).filter(|&g| position.image_of(g, square) == square);
            let stabilizer: u32 = stabilizer.map(|g| 1 << g).sum();
            // Sides are at most 200, so a row or column fits into 8 bits, and the number of a square into 16.
            let named = if squares[square] {
                square + 1
            } else {
                let part = |named: bool, number: usize| if named { number + 1 } else { 0 };
                (part(rows[row], row) << 8 | part(cols[col], col)) + (1 << 16)
            };
            ((named as u32) << 8 | stabilizer, 0)
        };
        Labels { labels: (0..size.cells()).map(label).collect() }
    }

    /// Records that a step toggles a square, or takes that back.
    pub(super) fn toggle(&mut self, square: usize, step: usize) {
        if let Some((_, steps)) = self.labels.get_mut(square) {
            *steps ^= 1 << step;
        }
    }

    /// Squares with the same key are interchangeable; `None` if the record is too long for keys.
    pub(super) fn key(&self, square: usize, position: &Position) -> Option<Key> {
        let mut key = [(0, 0); MAX_ORDER];
        for (g, label) in (0..position.order()).zip(&mut key) {
            *label = *self.labels.get(position.image_of(g, square))?;
        }
        Some(key)
    }
}
