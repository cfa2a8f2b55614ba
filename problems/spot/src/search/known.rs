//! What the lines of a smudged record say about squares. Rules are strict, so each move toggles its square.

use super::super::{Entry, Instance, Sign};
use counterpoint_core::board::{Bits, Cell};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of moves, counted from 0, in records of up to [`MAX_STEPS`] moves. In longer records it stands for all moves
/// unless it is empty.
pub(super) type Steps = u128;
/// The maximum number of moves of a record for sets of moves.
pub(super) const MAX_STEPS: usize = 128;

/// The number of a line with a known square, counted from 1, and its sign.
type Line = (usize, Option<Sign>);

/// The lines of a record, by whether their squares are known.
pub(super) struct KnownLines {
    /// For each line, the square if it is known.
    squares: Vec<Option<usize>>,
    /// The number of lines without a known square among the first k, for each k.
    open: Vec<usize>,
    /// The known squares, each with its lines, counted from 1, and their signs.
    by_square: Vec<(usize, Vec<Line>)>,
    is_named: Vec<bool>,
    signs: Vec<Option<Sign>>,
    /// The lines without a known square, among the first `MAX_STEPS`.
    open_steps: Steps,
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
        let signs = instance.record.iter().map(Entry::sign).collect();
        let open_lines = squares.iter().take(MAX_STEPS).enumerate().filter(|(_, square)| square.is_none());
        let open_steps = open_lines.fold(0, |steps, (i, _)| steps | 1 << i);
        KnownLines { squares, open, by_square, is_named, signs, open_steps }
    }

    /// The known squares, each with its lines, counted from 1, and their signs.
    pub(super) fn by_square(&self) -> &[(usize, Vec<Line>)] {
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

    /// The open lines after line `from` up to line `to`, as moves.
    pub(super) fn steps(&self, from: usize, to: usize) -> Steps {
        let up_to = |line: usize| if line >= MAX_STEPS { Steps::MAX } else { (1 << line) - 1 };
        match self.squares.len() > MAX_STEPS {
            true => Steps::MAX,
            false => self.open_steps & (up_to(to) & !up_to(from)),
        }
    }

    /// The moves among the first `step` on which the state of a square depends: those that may have toggled
    /// it since the last line that gives the square and a sign.
    pub(super) fn since_sign(&self, instance: &Instance, square: usize, step: usize) -> Steps {
        let lines = self.by_square.iter().find(|(other, _)| *other == square);
        let signed = lines
            .into_iter()
            .flat_map(|(_, lines)| lines)
            .filter(|(line, sign)| *line <= step && sign.is_some());
        let from = signed.map(|(line, _)| *line).max().unwrap_or(0);
        let cell = instance.size().cell(square);
        let other = (from..step).filter(|&i| !instance.record[i].allows(cell) && i < MAX_STEPS);
        other.fold(self.steps(from, step), |steps, i| steps & !(1 << i))
    }

    /// Whether the square of these lines has a spot after move `mv`, if its lines after line `from` show that: one of
    /// them has a sign, and no line after this one is open.
    pub(super) fn state_after(&self, lines: &[Line], from: usize, mv: usize) -> Option<bool> {
        let mut state = None;
        for (line, sign) in lines.iter().filter(|(line, _)| *line > from && *line <= mv) {
            state = match sign {
                Some(sign) if self.open_between(*line, mv) == 0 => Some(*sign == Sign::Place),
                _ => state.map(|state: bool| !state),
            };
        }
        state
    }

    /// Whether the sign of a line, counted from 1, may be `+`, and whether it may be `-`.
    pub(super) fn signs(&self, line: usize) -> (bool, bool) {
        match self.signs[line - 1] {
            Some(Sign::Place) => (true, false),
            Some(Sign::Take) => (false, true),
            None => (true, true),
        }
    }

    /// A lower bound on the number of spots after move `earlier` if there are as many after move `mv`.
    pub(super) fn least_spots(&self, earlier: usize, mv: usize) -> i64 {
        // The most spots, relative to those after move `earlier`, that each board can have.
        let mut highest = vec![0i64];
        highest.extend((earlier + 1..=mv).scan(0, |high, line| {
            *high += if self.signs(line).0 { 1 } else { -1 };
            Some(*high)
        }));
        let (mut least, mut back) = (0, 0);
        for line in (earlier + 1..=mv).rev() {
            let (_, down) = self.signs(line);
            back += if down { 1 } else { -1 };
            least = least.max(-back.min(highest[line - 1 - earlier]));
        }
        least
    }

    /// Calls `toggle` for each known square of the lines after line `from` up to line `to`.
    pub(super) fn toggled(&self, from: usize, to: usize, toggle: impl FnMut(usize)) {
        self.squares[from..to].iter().flatten().copied().for_each(toggle);
    }

    /// The first move that repeats a board in every completion, as far as the known squares show this: the
    /// squares of all moves since the earlier board are known, and together these moves change nothing. The
    /// earlier board has number `first` or a higher one.
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
