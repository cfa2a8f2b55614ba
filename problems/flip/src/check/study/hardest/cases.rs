//! The case distinction of an upper bound: no values of the kinds keep all slacks nonnegative. The documentation of
//! `hardest.rs` defines these words.
//!
//! The search changes one list of sums in place. It does not recurse from kind to kind, because a half may have thousands
//! of kinds, each with up to 2^19 sums.

use super::kinds::Kinds;
use counterpoint_core::claim::Status;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::FormatError;
use std::collections::BTreeMap;

/// A try counts as one more node for each so many sums.
const SUMS_PER_NODE: usize = 256;

/// Checks that not all sums are at most `bound`, by case distinction in the order of the chain.
///
/// # Errors
/// Returns a message if the chain is not a basis of the kinds.
pub(super) fn exclude(
    kinds: &Kinds,
    chain: &[usize],
    bound: i64,
    budget: &mut Budget,
) -> Result<Status, FormatError> {
    // The coordinates of each kind with respect to the chain: bit k for its k-th square.
    let mut coordinates: BTreeMap<u32, usize> = BTreeMap::from([(0, 0)]);
    for (level, &square) in chain.iter().enumerate() {
        let new_half: Vec<(u32, usize)> =
            coordinates.iter().map(|(t, at)| (t ^ kinds.keys[square], at + (1 << level))).collect();
        coordinates.extend(new_half);
        if coordinates.len() != 2 << level {
            return Err(format!("square {} of \"chain\" depends on earlier ones", level + 1).into());
        }
    }
    if chain.len() != kinds.dimensions {
        return Err(format!("\"chain\" has {} squares, not {}", chain.len(), kinds.dimensions).into());
    }
    let mut halves: Vec<Vec<(usize, i64)>> = vec![Vec::new(); chain.len()];
    for (t, &count) in &kinds.counts {
        let at = coordinates[t];
        let level = at.ilog2() as usize;
        halves[level].push((at - (1 << level), count));
    }
    // Kinds with an odd number of squares come first, because their values cannot be 0.
    halves.iter_mut().for_each(|half| half.sort_by_key(|(at, count)| (1 - count % 2, *at)));
    Ok(match extend(&halves, bound, &[bound], budget) {
        Ok(false) => Status::Recomputed,
        Ok(true) => Status::Failed("the case distinction finds a harder board".to_owned()),
        Err(limit) => Status::Open(limit.to_string()),
    })
}

/// Whether the kinds of the remaining halves can be given values that keep all slacks nonnegative. A half lists its
/// kinds, each with its coordinates within the half and its number of squares. `slack` belongs to the current subspace
/// and has one number per character.
fn extend(
    halves: &[Vec<(usize, i64)>],
    bound: i64,
    slack: &[i64],
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let Some((half, later)) = halves.split_first() else { return Ok(true) };
    // Parseval's identity, see the documentation of `hardest.rs`.
    let odd = half.iter().filter(|(_, count)| count % 2 == 1).count();
    if slack.iter().map(|s| s * s).sum::<i64>() < (odd * slack.len()) as i64 {
        return Ok(false);
    }
    // |a(t)| is at most M, because s is nonnegative with mean M, and a(t) is the mean of -s(χ) χ(t). Also, |a(t)| is at
    // most the number of squares of the kind, and is congruent to this number modulo 2.
    let max_value = |count: i64| count.min(bound) - (count - count.min(bound)) % 2;
    // For each kind, how much the later kinds of the half can compensate.
    let mut open: Vec<i64> = vec![0; half.len()];
    for at in (1..half.len()).rev() {
        open[at - 1] = open[at] + max_value(half[at].1);
    }
    // The values of the first kinds, the sums g over these kinds, and the value that the next kind tries.
    let (mut values, mut sums): (Vec<i64>, _) = (Vec::new(), vec![0; slack.len()]);
    let first = |at: usize| half.get(at).map_or(0, |(_, count)| count % 2);
    let mut value = first(0);
    budget.node()?;
    loop {
        let at = values.len();
        let is_exhausted = match half.get(at) {
            Some((_, count)) => value.abs() > max_value(*count),
            None => {
                let minus = slack.iter().zip(&sums).map(|(s, g)| s - g);
                let plus = slack.iter().zip(&sums).map(|(s, g)| s + g);
                if extend(later, bound, &minus.chain(plus).collect::<Vec<i64>>(), budget)? {
                    return Ok(true);
                }
                true
            }
        };
        if is_exhausted {
            let Some(last) = values.pop() else { return Ok(false) };
            add(&mut sums, half[at - 1].0, -last);
            value = after(last, at - 1);
            continue;
        }
        (0..slack.len() / SUMS_PER_NODE).try_for_each(|_| budget.node())?;
        add(&mut sums, half[at].0, value);
        if sums.iter().zip(slack).all(|(g, s)| g.abs() <= s + open[at]) {
            budget.node()?;
            values.push(value);
            value = first(at + 1);
        } else {
            add(&mut sums, half[at].0, -value);
            value = after(value, at);
        }
    }
}

/// The value that the kind at index `at` of a half tries after `value`. By symmetry the first value of a half is not
/// negative: the character that is -1 on this whole half and 1 on the current subspace changes all signs of the half.
fn after(value: i64, at: usize) -> i64 {
    if value > 0 && at > 0 { -value } else { value.abs() + 2 }
}

/// Adds the term of a kind with these coordinates to the sums.
fn add(sums: &mut [i64], coordinates: usize, value: i64) {
    for (c, sum) in sums.iter_mut().enumerate() {
        *sum += if (c & coordinates).count_ones().is_multiple_of(2) { value } else { -value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A half of 2^16 kinds of two squares each.
    fn half(sums: usize) -> Vec<(usize, i64)> {
        (0..1 << 16).map(|at| (at % sums, 2)).collect()
    }

    #[test]
    fn a_try_counts_nodes_for_its_sums() {
        for sums in [128, 256, 512, 1 << 16] {
            // Each try counts a node for each 256 sums, and one more because it fits. The entry counts one, too.
            let max_work = 10 * (sums / SUMS_PER_NODE + 1) as u64;
            let mut budget = Budget::of_work(max_work);
            assert_eq!(extend(&[half(sums)], 100, &vec![100; sums], &mut budget), Err(Limit::Work));
            assert_eq!(budget.work.nodes, max_work + 1);
        }
    }

    #[test]
    fn a_half_of_many_kinds_needs_neither_stack_nor_memory_for_each() {
        // The first try, all values 0, succeeds.
        let mut budget = Budget::unlimited();
        assert_eq!(extend(&[half(512)], 100, &[100; 512], &mut budget), Ok(true));
        assert_eq!(budget.work.nodes, 1 + (1 << 16) * (512 / SUMS_PER_NODE + 1) as u64);
    }
}
