//! Gauss–Jordan elimination over GF(2) with two right-hand sides.

use crate::board::Bits;
use crate::engine::{Budget, Limit};

/// All x with M x = b, for two b at once.
pub(super) struct Solutions {
    /// One solution for each right-hand side, if there is any.
    pub(super) particular: [Option<Bits>; 2],
    /// A basis of the null space of M, echelon in its free unknowns.
    pub(super) null: Vec<Bits>,
}

/// Solves the system whose rows hold `n` coefficients and then two right-hand sides.
///
/// O(rows² · n / 64) word operations; a node a row operation.
///
/// # Errors
/// The limit that was met.
pub(super) fn eliminate(mut rows: Vec<Bits>, n: usize, budget: &mut Budget) -> Result<Solutions, Limit> {
    // `pivots[i]` is the unknown that row i was made to determine.
    let mut pivots: Vec<usize> = Vec::new();
    for unknown in 0..n {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&r| rows[r].get(unknown)) else { continue };
        rows.swap(rank, found);
        let pivot = std::mem::take(&mut rows[rank]);
        for row in rows.iter_mut().filter(|row| !row.is_empty() && row.get(unknown)) {
            budget.node()?;
            row.xor(&pivot);
        }
        rows[rank] = pivot;
        pivots.push(unknown);
    }
    let rank = pivots.len();
    let particular = [n, n + 1].map(|side| {
        let solvable = rows[rank..].iter().all(|row| !row.get(side));
        let ones = pivots.iter().zip(&rows).filter(|(_, row)| row.get(side)).map(|(&unknown, _)| unknown);
        solvable.then(|| Bits::from_indices(n, ones))
    });
    let determined = Bits::from_indices(n, pivots.iter().copied());
    let free = (0..n).filter(|&unknown| !determined.get(unknown));
    let null = free.map(|unknown| {
        let follow = pivots.iter().zip(&rows).filter(|(_, row)| row.get(unknown)).map(|(&pivot, _)| pivot);
        Bits::from_indices(n, follow.chain([unknown]))
    });
    Ok(Solutions { particular, null: null.collect() })
}
