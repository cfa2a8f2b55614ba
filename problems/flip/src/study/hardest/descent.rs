//! Searches for sums of signs with a low spectrum by threshold accepting. Such sums belong to a board, which gives a
//! lower bound on the presses that the hardest board needs.
//!
//! The cost of a list of sums is Σ (value - aim)² over the values of the spectrum that exceed an aim. A move changes
//! one sum by 2 and is accepted if the cost grows by no more than a threshold that falls to 0. (Dueck, Scheuer,
//! *Threshold accepting*, Journal of Computational Physics 90, 1990.) The seed is fixed, so results are reproducible.

use crate::study::code::{Code, Kind};
use chacha20::ChaCha8Rng;
use counterpoint_core::engine::{Budget, Limit};
use rand::{RngExt, SeedableRng};

/// The greatest absolute value of the sums that are tried.
const MAX_SUM: i32 = 3;

/// Lowers the greatest value of the spectrum of `best`, but not below `least`. Stops after `rounds` rounds in a
/// row without an improvement. A round has at most `steps` moves, and each move counts as a node.
///
/// # Errors
/// Returns the limit that was reached; `best` keeps the best sums found.
pub(super) fn lower(
    code: &Code,
    (rounds, steps): (u32, u32),
    least: i32,
    best: &mut Vec<i32>,
    budget: &mut Budget,
) -> Result<(), Limit> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut failed = 0;
    while failed < rounds && code.greatest(best) > least {
        let aim = code.greatest(best) - 2;
        match round(code, steps, aim, &mut rng, budget)? {
            Some(sums) => (failed, *best) = (0, sums),
            None => failed += 1,
        }
    }
    Ok(())
}

/// Tries to find sums whose spectrum does not exceed `aim`, in at most `steps` moves.
fn round(
    code: &Code,
    steps: u32,
    aim: i32,
    rng: &mut ChaCha8Rng,
    budget: &mut Budget,
) -> Result<Option<Vec<i32>>, Limit> {
    let start = |kind: &Kind| match kind.is_odd() {
        true => 1 - 2 * rng.random_range(0..2),
        false => 0,
    };
    let mut sums: Vec<i32> = code.kinds.iter().map(start).collect();
    let mut spectrum = code.spectrum(&sums);
    let over = |value: i32| i64::from((value - aim).max(0)).pow(2);
    let mut cost: i64 = spectrum.iter().map(|&value| over(value)).sum();
    let hot = 4 * i64::from(aim.max(1));
    for step in 0..steps {
        budget.node()?;
        if cost == 0 {
            return Ok(Some(sums));
        }
        let i = rng.random_range(0..code.kinds.len());
        let (kind, sum) = (&code.kinds[i], sums[i]);
        let up =
            if sum.abs() == 1 && rng.random_range(0..8) > 0 { sum < 0 } else { rng.random_range(0..2) == 0 };
        let change = if up { 2 } else { -2 };
        if (sum + change).abs() > kind.cap(MAX_SUM) {
            continue;
        }
        let sign = |c: u32| if (c & kind.key).count_ones().is_multiple_of(2) { change } else { -change };
        let after: i64 = (0u32..).zip(&spectrum).map(|(c, &value)| over(value + sign(c))).sum();
        if after <= cost + hot * i64::from(steps - step) / i64::from(steps) {
            (0u32..).zip(&mut spectrum).for_each(|(c, value)| *value += sign(c));
            (cost, sums[i]) = (after, sum + change);
        }
    }
    Ok((cost == 0).then_some(sums))
}
