//! What the lines of a smudged record say about squares. Rules are strict, so each move toggles its square.

use super::super::{Entry, Instance, Sign};
use counterpoint_core::board::{Bits, Cell};
use rustc_hash::{FxHashMap, FxHashSet};

/// The lines of a record, by whether their squares are known.
pub(super) struct KnownLines {
    /// For each line, the square if it is known.
    squares: Vec<Option<usize>>,
    /// The number of lines without a known square among the first k, for each k.
    open: Vec<usize>,
    /// The known squares, each with its lines, counted from 1, and their signs.
    by_square: Vec<(usize, Vec<(usize, Option<Sign>)>)>,
    is_named: Vec<bool>,
}

impl KnownLines {
    pub(super) fn new(instance: &Instance) -> Self {
        let size = instance.size();
        let square = |entry: &Entry| Some(size.index(Cell::new(entry.y()? - 1, entry.x()? - 1)));
        let squares: Vec<_> = instance.record.iter().map(square).collect();
        let mut open = vec![0];
        open.extend(squares.iter().scan(0, |count, square| {
            *count += usize::from(square.is_none());
            Some(*count)
        }));
        let mut by_square: Vec<(usize, Vec<_>)> = Vec::new();
        let mut index = FxHashMap::default();
        for (line, (square, entry)) in (1..).zip(squares.iter().zip(&instance.record)) {
            let Some(square) = *square else { continue };
            let at = *index.entry(square).or_insert(by_square.len());
            if at == by_square.len() {
                by_square.push((square, Vec::new()));
            }
            by_square[at].1.push((line, entry.sign()));
        }
        let mut is_named = vec![false; size.cells()];
        by_square.iter().for_each(|(square, _)| is_named[*square] = true);
        KnownLines { squares, open, by_square, is_named }
    }

    /// The known squares, each with its lines, counted from 1, and their signs.
    pub(super) fn by_square(&self) -> &[(usize, Vec<(usize, Option<Sign>)>)] {
        &self.by_square
    }

    /// Whether a line has this square.
    pub(super) fn is_named(&self, square: usize) -> bool {
        self.is_named[square]
    }

    /// How many of the lines after line `from` up to line `to` have no known square.
    pub(super) fn open_between(&self, from: usize, to: usize) -> usize {
        self.open[to] - self.open[from]
    }

    /// The lines after line `from` up to line `to` that have no known square.
    pub(super) fn open_lines(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        (from + 1..=to).filter(|line| self.squares[line - 1].is_none())
    }

    /// Calls `toggle` for each known square of the lines after line `from` up to line `to`.
    pub(super) fn toggled(&self, from: usize, to: usize, toggle: impl FnMut(usize)) {
        self.squares[from..to].iter().flatten().copied().for_each(toggle);
    }

    /// The first move that repeats a board, turned or not, in every completion, if the known squares show that: all
    /// moves since the earlier board are known, and together they change nothing. The earlier board is at least
    /// number `first`.
    pub(super) fn certain_repeat(&self, instance: &Instance, first: usize) -> Option<usize> {
        let mut board = Bits::zeros(instance.size().cells());
        let mut seen = FxHashSet::default();
        for (before, square) in self.squares.iter().enumerate() {
            match square {
                Some(square) => {
                    if before >= first {
                        seen.insert(board.clone());
                    }
                    board.flip(*square);
                    if seen.contains(&board) {
                        return Some(before + 1);
                    }
                }
                None => seen.clear(),
            }
        }
        None
    }
}

/// The indices of the bits that are set.
pub(super) fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(64 * i + bit)
        })
    })
}
