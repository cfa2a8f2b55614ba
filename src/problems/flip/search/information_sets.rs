//! Light vectors of a coset by information sets: an upper bound, in time that does not grow with 2^d.
//!
//! A basis of the null space is brought into a form where each vector alone has a one in one of d chosen
//! squares. The vector of the coset without ones there, and those with one or two ones, are weighed; a
//! light vector is likely to have few ones in d squares chosen at random. (Prange, *The use of
//! information sets in decoding cyclic codes*, 1962; Lee and Brickell, *An observation on the security of
//! McEliece's public-key cryptosystem*, 1988.) The seed is fixed.

use crate::board::Bits;
use crate::engine::{Budget, Limit};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Leaves the lightest vector that is found in `best`; a node a vector that is weighed.
///
/// # Errors
/// The limit that was met.
pub(super) fn improve(
    starts: &[Bits],
    null: &[Bits],
    rounds: usize,
    best: &mut Bits,
    budget: &mut Budget,
) -> Result<(), Limit> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let (mut starts, mut null) = (starts.to_vec(), null.to_vec());
    let mut least = best.count();
    let mut weigh = |vector: &Bits, budget: &mut Budget| {
        budget.node()?;
        let weight = vector.count();
        if weight < least {
            (least, *best) = (weight, vector.clone());
        }
        Ok(())
    };
    for _ in 0..rounds {
        reduce(&mut starts, &mut null, &mut rng);
        for start in &starts {
            weigh(start, budget)?;
            for (i, first) in null.iter().enumerate() {
                let mut vector = start.clone();
                vector.xor(first);
                weigh(&vector, budget)?;
                for second in &null[..i] {
                    vector.xor(second);
                    weigh(&vector, budget)?;
                    vector.xor(second);
                }
            }
        }
    }
    Ok(())
}

/// Chooses a square for each null vector and clears it everywhere else.
fn reduce(starts: &mut [Bits], null: &mut [Bits], rng: &mut ChaCha8Rng) {
    for i in 0..null.len() {
        let (before, from) = null.split_at_mut(i);
        let Some((pivot, after)) = from.split_first_mut() else { return };
        // A vector of a basis has a one.
        let square = pivot.iter().nth(rng.random_range(0..pivot.count().max(1))).unwrap_or(0);
        for other in before.iter_mut().chain(after).chain(starts.iter_mut()) {
            if other.get(square) {
                other.xor(pivot);
            }
        }
    }
}
