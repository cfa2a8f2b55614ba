//! A null space in stages, so that few dimensions are left where the board falls apart.
//!
//! A stage takes the null vectors that are told apart by one line (row or column) of the board, a line
//! on which the null space has least rank; those left vanish there. On 39×39 the whole null space has
//! 32 dimensions and its middle row 16. What vanishes on the middle row is mirrored on it, and turns
//! out to be four copies of the null space of 19×19, which falls apart in the same way: stages of 16, 8,
//! 4 and 4 dimensions. In general F(2n) = y F(n)², so F(2^k n) holds F(n) to the power 2^k, and the null
//! vectors that vanish on a line are the multiples of a power.

use crate::board::{Bits, Size};

/// A basis of the same space in stages: those after the first k stages vanish on k lines.
pub(super) fn stages(size: Size, null: &[Bits]) -> Vec<Vec<Bits>> {
    let mut left = null.to_vec();
    let mut stages = Vec::new();
    while !left.is_empty() {
        // Every vector but 0 has a one on some line, so there is one of positive rank.
        let ranks = lines(size).map(|line| (rank(&restrict(&left, &line)), line));
        let Some((_, line)) = ranks.filter(|(rank, _)| *rank > 0).min_by_key(|(rank, _)| *rank) else {
            break;
        };
        stages.push(split(&mut left, &line));
    }
    stages
}

/// The squares of each row, and of each column.
fn lines(size: Size) -> impl Iterator<Item = Vec<usize>> {
    let (w, h) = (size.width as usize, size.height as usize);
    let rows = (0..h).map(move |r| (r * w..(r + 1) * w).collect());
    rows.chain((0..w).map(move |c| (c..w * h).step_by(w).collect()))
}

fn restrict(vectors: &[Bits], line: &[usize]) -> Vec<Bits> {
    let on = |v: &Bits| Bits::from_indices(line.len(), (0..line.len()).filter(|&k| v.get(line[k])));
    vectors.iter().map(on).collect()
}

fn rank(rows: &[Bits]) -> usize {
    let mut rows = rows.to_vec();
    let mut rank = 0;
    while let Some(pivot) = rows.pop() {
        let Some(lead) = pivot.first() else { continue };
        rank += 1;
        rows.iter_mut().filter(|row| row.get(lead)).for_each(|row| row.xor(&pivot));
    }
    rank
}

/// Takes out vectors that are independent on the line, and changes those left to vanish on it.
fn split(left: &mut Vec<Bits>, line: &[usize]) -> Vec<Bits> {
    let mut taken = Vec::new();
    for &square in line {
        let Some(found) = left.iter().position(|v| v.get(square)) else { continue };
        let pivot = left.swap_remove(found);
        left.iter_mut().filter(|v| v.get(square)).for_each(|v| v.xor(&pivot));
        taken.push(pivot);
    }
    taken
}
