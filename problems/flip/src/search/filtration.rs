//! Splits a null space into stages of few dimensions each, where the board allows it.
//!
//! Each stage takes a line (row or column) on which the remaining null space has the least positive rank. The stage
//! consists of as many null vectors as are independent on that line; the remaining vectors are changed to vanish there.
//!
//! For example, the null space of 39×39 has 32 dimensions, and its restriction to the middle row has rank 16. A null
//! vector that vanishes on the middle row is symmetric about it. Such vectors turn out to consist of four copies of a
//! null vector of 19×19, and the null space of 19×19 splits in the same way. So 39×39 has stages of 16, 8, 4 and 4
//! dimensions. In general, the Fibonacci polynomials F in y of `plus.rs` satisfy F(2n) = y F(n)², so F(2^k n) contains
//! the factor F(n)^(2^k). The null vectors that vanish on a middle line correspond to a lower power of F(n).

use counterpoint_core::board::{Bits, Size};

/// Returns a basis of the same space in stages. The vectors after the first k stages vanish on at least k lines.
pub(super) fn stages(size: Size, null: &[Bits]) -> Vec<Vec<Bits>> {
    let mut left = null.to_vec();
    let mut stages = Vec::new();
    while !left.is_empty() {
        // Every nonzero vector has a one on some line, so some line has positive rank.
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

/// Removes and returns as many vectors as are independent on the line. Changes the remaining vectors to vanish on it.
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
