//! Information-set decoding: finds an upper bound on the weight of a coset leader without enumerating the
//! coset.
//!
//! Let the basis of the null space have d vectors. Each round brings it into systematic form: it chooses a
//! random square of each basis vector, and changes the basis until no other basis vector contains that
//! square. The d chosen squares are an *information set*. The round then weighs all vectors of the coset that
//! have at most two ones on the information set, because a light vector probably has few ones in d randomly
//! chosen squares. (Prange, *The use of information sets in decoding cyclic codes*, 1962; Lee and Brickell,
//! *An observation on the security of McEliece's public-key cryptosystem*, 1988.) The seed is fixed, so
//! results are reproducible.

use chacha20::ChaCha8Rng;
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Limit};
use rand::{RngExt, SeedableRng};

/// Replaces `best` by the lightest vector found in the cosets of `starts`, if that vector is lighter than `best`. Each
/// weighed vector counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
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

/// Chooses a random square of each null vector and clears this square in all other null vectors and in `starts`, which
/// contains a solution of each coset.
fn reduce(starts: &mut [Bits], null: &mut [Bits], rng: &mut ChaCha8Rng) {
    for i in 0..null.len() {
        let (before, from) = null.split_at_mut(i);
        let Some((pivot, after)) = from.split_first_mut() else { return };
        // A basis vector is not 0, so it has a one.
        let square = pivot.iter().nth(rng.random_range(0..pivot.count().max(1))).unwrap_or(0);
        for other in before.iter_mut().chain(after).chain(starts.iter_mut()) {
            if other.get(square) {
                other.xor(pivot);
            }
        }
    }
}
