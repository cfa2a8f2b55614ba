//! Rows of residues modulo a small prime, one byte per residue, and Gauss–Jordan elimination on them.

use counterpoint_core::engine::{Budget, Limit};

/// `to` += `times` · `row`, for p ≤ 7, so that a product plus a residue stays below 256.
pub(crate) fn scaled_add(p: u8, to: &mut [u8], times: u8, row: &[u8]) {
    // If the compiler knows the prime, it replaces the division by a multiplication.
    fn by<const P: u8>(to: &mut [u8], times: u8, row: &[u8]) {
        to.iter_mut().zip(row).for_each(|(a, b)| *a = (*a + times * b) % P);
    }
    match p {
        3 => by::<3>(to, times, row),
        5 => by::<5>(to, times, row),
        7 => by::<7>(to, times, row),
        _ => to.iter_mut().zip(row).for_each(|(a, b)| *a = (*a + times * b) % p),
    }
}

/// `to` += `row`.
pub(super) fn add(p: u8, to: &mut [u8], row: &[u8]) {
    // The sum minus p wraps around to a large number iff the sum is below p, so the smaller of the two is the residue.
    to.iter_mut().zip(row).for_each(|(a, b)| *a = (*a + b).min((*a + b).wrapping_sub(p)));
}

/// Negates every residue.
pub(super) fn negate(p: u8, row: &mut [u8]) {
    row.iter_mut().for_each(|a| *a = (p - *a) % p);
}

/// A system after elimination: row i determines unknown `pivots[i]`, which no other row contains. The rows after these
/// contain no unknown.
pub(crate) struct Residues {
    p: u8,
    rows: Vec<Vec<u8>>,
    pivots: Vec<usize>,
    unknowns: usize,
}

/// Reduces rows of `unknowns` coefficients and two right-hand sides. Takes O(rows · n²) for n unknowns. Each addition
/// of a multiple of a row counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
pub(crate) fn eliminate(
    p: u8,
    mut rows: Vec<Vec<u8>>,
    unknowns: usize,
    budget: &mut Budget,
) -> Result<Residues, Limit> {
    let mut pivots = Vec::new();
    for unknown in 0..unknowns {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&r| rows[r][unknown] > 0) else { continue };
        rows.swap(rank, found);
        let mut pivot = std::mem::take(&mut rows[rank]);
        // Every nonzero residue has an inverse modulo a prime.
        let inverse = (1..p).find(|k| k * pivot[unknown] % p == 1).unwrap_or(1);
        pivot.iter_mut().for_each(|a| *a = *a * inverse % p);
        for row in rows.iter_mut().filter(|row| !row.is_empty() && row[unknown] > 0) {
            budget.node()?;
            let times = p - row[unknown];
            scaled_add(p, row, times, &pivot);
        }
        rows[rank] = pivot;
        pivots.push(unknown);
    }
    Ok(Residues { p, rows, pivots, unknowns })
}

impl Residues {
    /// A solution for the first right-hand side plus `k` times the second, if one exists.
    pub(crate) fn solution(&self, k: u8) -> Option<Vec<u8>> {
        let n = self.unknowns;
        let side = |row: &Vec<u8>| (row[n] + k * row[n + 1]) % self.p;
        let mut solution = vec![0; n];
        self.pivots.iter().zip(&self.rows).for_each(|(&unknown, row)| solution[unknown] = side(row));
        self.rows[self.pivots.len()..].iter().all(|row| side(row) == 0).then_some(solution)
    }

    /// The dimension of the null space.
    pub(super) fn nullity(&self) -> usize {
        self.unknowns - self.pivots.len()
    }

    /// A basis of the null space.
    pub(super) fn null(&self) -> Vec<Vec<u8>> {
        let free = (0..self.unknowns).filter(|unknown| !self.pivots.contains(unknown));
        let vector = |unknown: usize| {
            let mut vector = vec![0; self.unknowns];
            vector[unknown] = 1;
            for (&pivot, row) in self.pivots.iter().zip(&self.rows) {
                vector[pivot] = (self.p - row[unknown]) % self.p;
            }
            vector
        };
        free.map(vector).collect()
    }
}
