//! Gauss–Jordan elimination over GF(2) with two right-hand sides, by the method of the four Russians.
//!
//! Sixteen columns are cleared at once. Their pivot rows are found by looking only at these 16 bits of each row (the
//! *panel*). One table then holds all sums of the first eight pivot rows, another all sums of the last eight. All other
//! rows are cleared in these columns by adding one entry of each table. (Arlazarov, Dinic, Kronrod, Faradžev 1970;
//! Albrecht, Bard, Hart, *Algorithm 898: Efficient multiplication of dense matrices over GF(2)*, 2010.)

use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit};

/// All solutions of M x = b, for two right-hand sides b.
pub(crate) struct Solutions {
    /// For each right-hand side, one solution, or `None` if there is none.
    pub(crate) particular: [Option<Bits>; 2],
    /// A basis of the null space of M; vector k has a one in the k-th free unknown and zeros in the other free
    /// unknowns.
    pub(crate) null: Vec<Bits>,
}

/// The number of columns of a panel.
const PANEL: usize = 16;
/// The number of pivot rows that a table combines.
const TABLE: usize = 8;

/// A bit matrix, stored row by row. Each row starts at a word.
struct Matrix {
    words: Vec<u64>,
    /// Words per row.
    stride: usize,
}

impl Matrix {
    fn rows(&self) -> usize {
        self.words.len() / self.stride
    }

    fn row(&mut self, r: usize) -> &mut [u64] {
        &mut self.words[r * self.stride..][..self.stride]
    }

    fn get(&self, r: usize, column: usize) -> bool {
        self.words[r * self.stride + column / 64] >> (column % 64) & 1 == 1
    }

    /// The panel of row `r` from `column` on; `column` is a multiple of 16, so the panel lies in one word.
    fn panel(&self, r: usize, column: usize) -> u16 {
        (self.words[r * self.stride + column / 64] >> (column % 64)) as u16
    }

    /// Adds row `from` to row `to`; the two must differ.
    fn add(&mut self, to: usize, from: usize) {
        let (low, high) = self.words.split_at_mut(to.max(from) * self.stride);
        let (low, high) = (&mut low[to.min(from) * self.stride..][..self.stride], &mut high[..self.stride]);
        let (to, from) = if to < from { (low, high) } else { (high, low) };
        to.iter_mut().zip(from).for_each(|(a, b)| *a ^= *b);
    }

    fn swap(&mut self, r: usize, s: usize) {
        if r != s {
            self.add(r, s);
            self.add(s, r);
            self.add(r, s);
        }
    }
}

/// Solves the system whose rows hold `n` coefficients, followed by two right-hand sides.
///
/// Takes O(rows · n² / (64 · 8)) word operations. Each addition of a row or of a table's entry to a row counts as a
/// node.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn eliminate(rows: Vec<Bits>, n: usize, budget: &mut Budget) -> Result<Solutions, Limit> {
    let mut words = Vec::with_capacity(rows.len() * (n + 2).div_ceil(64));
    rows.into_iter().for_each(|row| words.extend_from_slice(row.words()));
    let mut matrix = Matrix { words, stride: (n + 2).div_ceil(64) };
    // `pivots[i]` is the unknown that row i determines.
    let mut pivots: Vec<usize> = Vec::new();
    let mut table = Vec::new();
    for column in (0..n).step_by(PANEL) {
        let rank = pivots.len();
        pivot_rows(&mut matrix, column, PANEL.min(n - column), &mut pivots, budget)?;
        for (k, new) in pivots[rank..].chunks(TABLE).enumerate() {
            let first = rank + k * TABLE;
            sums(&mut matrix, first, new.len(), column / 64, &mut table);
            clear(&mut matrix, rank..pivots.len(), new, column / 64, &table, budget)?;
        }
    }
    Ok(read_off(&matrix, &pivots, n))
}

/// Finds pivots for as many as possible of the `width` unknowns from `column` on. Moves the new pivot rows after those
/// of earlier panels, clears each new pivot's unknown from the other new pivot rows, and appends these unknowns to
/// `pivots`.
fn pivot_rows(
    matrix: &mut Matrix,
    column: usize,
    width: usize,
    pivots: &mut Vec<usize>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    let rank = pivots.len();
    // For each new pivot row: the bit of its pivot in the panel, and its panel, in which the bits of the other new
    // pivots are 0.
    let mut new: Vec<(usize, u16)> = Vec::new();
    for place in 0..width {
        let reduced = |panel: u16| {
            new.iter().filter(|(at, _)| panel >> at & 1 == 1).fold(panel, |sum, (_, pivot)| sum ^ pivot)
        };
        let next = rank + new.len();
        let found = (next..matrix.rows()).find(|&r| reduced(matrix.panel(r, column)) >> place & 1 == 1);
        let Some(found) = found else { continue };
        matrix.swap(next, found);
        let panel = matrix.panel(next, column);
        for (k, (at, _)) in new.iter().enumerate() {
            if panel >> at & 1 == 1 {
                budget.node()?;
                matrix.add(next, rank + k);
            }
        }
        let panel = matrix.panel(next, column);
        for (k, (_, other)) in new.iter_mut().enumerate() {
            if *other >> place & 1 == 1 {
                budget.node()?;
                matrix.add(rank + k, next);
                *other ^= panel;
            }
        }
        new.push((place, panel));
        pivots.push(column + place);
    }
    Ok(())
}

/// Tabulates all sums of the `count` rows from row `first` on, without their words before `from`. Entry i is the sum of
/// the rows `first + k` for which bit k of i is set.
fn sums(matrix: &mut Matrix, first: usize, count: usize, from: usize, table: &mut Vec<u64>) {
    let length = matrix.stride - from;
    table.clear();
    table.resize(length << count, 0);
    for k in 0..count {
        let (known, new) = table.split_at_mut(length << k);
        let row = &matrix.row(first + k)[from..];
        for (old, new) in known.chunks(length).zip(new.chunks_mut(length)) {
            for ((sum, old), add) in new.iter_mut().zip(old).zip(row) {
                *sum = old ^ add;
            }
        }
    }
}

/// Clears the unknowns `new` from all rows but the pivot rows of this panel, by adding an entry of `table` to each row.
/// The entries of `table` are the sums of the pivot rows of `new`. Words before `from` do not change.
fn clear(
    matrix: &mut Matrix,
    panel_rows: std::ops::Range<usize>,
    new: &[usize],
    from: usize,
    table: &[u64],
    budget: &mut Budget,
) -> Result<(), Limit> {
    let length = matrix.stride - from;
    for r in (0..matrix.rows()).filter(|r| !panel_rows.contains(r)) {
        let entry =
            new.iter().rev().fold(0, |entry, &unknown| entry << 1 | usize::from(matrix.get(r, unknown)));
        if entry > 0 {
            budget.node()?;
            let sum = &table[entry * length..][..length];
            matrix.row(r)[from..].iter_mut().zip(sum).for_each(|(a, b)| *a ^= b);
        }
    }
    Ok(())
}

/// Reads the solutions off a reduced system, in which row i contains pivot i and no other pivot.
fn read_off(matrix: &Matrix, pivots: &[usize], n: usize) -> Solutions {
    let rank = pivots.len();
    let ones = |column| {
        let rows = pivots.iter().enumerate().filter(move |&(r, _)| matrix.get(r, column));
        rows.map(|(_, &unknown)| unknown)
    };
    let particular = [n, n + 1].map(|side| {
        let solvable = (rank..matrix.rows()).all(|r| !matrix.get(r, side));
        solvable.then(|| Bits::from_indices(n, ones(side)))
    });
    let determined = Bits::from_indices(n, pivots.iter().copied());
    let free = (0..n).filter(|&unknown| !determined.get(unknown));
    let null = free.map(|unknown| Bits::from_indices(n, ones(unknown).chain([unknown])));
    Solutions { particular, null: null.collect() }
}
