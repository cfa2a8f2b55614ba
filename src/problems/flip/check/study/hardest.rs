//! Certificates of `hardest`: that a board needs so many presses, and that none needs more.
//!
//! The first by going through the board's solutions. The second: write presses as signs, -1 for a press, and let a(t)
//! be the sum over squares that the basis' vectors with numbers in t contain. A board needs half of n² less the
//! greatest Σ a(t) χ(t), over the characters χ. If that were less than M for some board, then so would be the mean
//! over all characters that agree on a subspace of the t, which is the sum over that subspace. So signs are put on one
//! subspace after another, each twice the one before, and given up where some sum is too great already.

use super::super::fewest;
use super::read::{kind, objects, rows, rules, whole};
use super::space::solutions;
use crate::board::{Bits, Size};
use crate::claim::{Claim, Status};
use crate::engine::{Budget, Limit};
use crate::problems::flip::Stencil;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The greatest side that is read, and the most dimensions whose characters are listed.
const MAX_SIDE: u32 = 128;
const MAX_DIMENSIONS: usize = 20;

/// The claims of a certificate, board by board.
///
/// # Errors
/// What is missing or of the wrong shape.
pub(super) fn check(certificate: &Map<String, Value>, budget: &mut Budget) -> Result<Vec<Claim>, String> {
    let (stencil, p) = rules(certificate)?;
    if p != 2 {
        return Err(format!("\"colours\" is {p}, not 2"));
    }
    let target = match certificate.get("target").and_then(Value::as_str) {
        Some(target @ ("either" | "one")) => target,
        _ => return Err("\"target\" is neither either nor one".to_owned()),
    };
    let mut claims = Vec::new();
    for (i, board) in objects(certificate, "boards")?.into_iter().enumerate() {
        let told = |why| format!("board {}: {why}", i + 1);
        claims.extend(claims_of(stencil, target, board, budget).map_err(told)?);
    }
    Ok(claims)
}

fn claims_of(
    stencil: Stencil,
    target: &str,
    board: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, String> {
    let n = whole(board, "n", 1..=MAX_SIDE)?;
    let size = Size::new(n, n);
    let total = whole(board, "presses", 0..=n * n)? as usize;
    let most = whole(board, "most", 0..=n * n)? as usize;
    let presses = bits(size, &rows(board, "rows", (size, n), 2)?);
    let chain = squares(board, "chain", size)?;
    let ends = if target == "one" { "one colour" } else { "either colour" };
    let of = format!("{size}, {}, target {target}", kind(stencil, 2));
    let needs = format!("{of}: a board needs {total} presses to {ends}");
    let none = format!("{of}: none needs more than {most}");
    let basis = match basis(stencil, size, target, budget) {
        Ok(basis) => basis,
        Err(why) => {
            return Ok([needs, none].map(|claim| Claim::new(claim, Status::Open(why.clone()))).into());
        }
    };
    let needed = match presses.count() {
        count if count != total => Status::Failed(format!("its presses are {count}")),
        _ if basis.len() > fewest::MAX_VECTORS => Status::Open("its solutions are too many".to_owned()),
        _ => match fewest::sums(size, basis.clone()).fewer(&presses, total, budget) {
            Ok(None) => Status::Recomputed,
            Ok(Some(fewer)) => Status::Failed(format!("{fewer} do")),
            Err(limit) => Status::Open(limit.to_string()),
        },
    };
    Ok(vec![Claim::new(needs, needed), Claim::new(none, no_harder(size, &basis, &chain, most, budget)?)])
}

fn bits(size: Size, numbers: &[u32]) -> Bits {
    Bits::from_indices(size.cells(), (0..size.cells()).filter(|&i| numbers[i] == 1))
}

/// Squares of the board, a row and a column each, counted from 1.
fn squares(board: &Map<String, Value>, key: &str, size: Size) -> Result<Vec<usize>, String> {
    let wrong = || format!("\"{key}\" is no list of squares [row, column] of {size}");
    let pairs = board.get(key).and_then(Value::as_array).ok_or_else(wrong)?;
    let square = |pair: &Value| {
        let [row, col] = pair.as_array()?.as_slice() else { return None };
        Some(size.index(size.one_based(row.as_u64()?, col.as_u64()?)?))
    };
    pairs.iter().map(|pair| square(pair).ok_or_else(wrong)).collect()
}

/// The presses that change nothing and, where either colour will do, some that change everything.
fn basis(stencil: Stencil, size: Size, target: &str, budget: &mut Budget) -> Result<Vec<Bits>, String> {
    let (over, null) = solutions(stencil, size, 2, budget)?;
    let mut basis: Vec<Bits> = null.iter().map(|vector| bits(size, vector)).collect();
    if target == "either" {
        basis.extend(over.map(|over| bits(size, &over)));
    }
    Ok(basis)
}

/// Whether no board needs more than `most`, by cases in the order of the chain.
fn no_harder(
    size: Size,
    basis: &[Bits],
    chain: &[usize],
    most: usize,
    budget: &mut Budget,
) -> Result<Status, String> {
    if basis.len() > MAX_DIMENSIONS {
        return Ok(Status::Open(format!("the characters of {} dimensions are too many", basis.len())));
    }
    let key =
        |square: usize| (0..basis.len()).filter(|&k| basis[k].get(square)).fold(0, |key, k| key | 1u32 << k);
    let mut counts: BTreeMap<u32, i64> = BTreeMap::new();
    (0..size.cells()).for_each(|square| *counts.entry(key(square)).or_default() += 1);
    let fixed = counts.remove(&0).unwrap_or(0);
    let length: i64 = counts.values().sum();
    // What a board would have to stay at or below: of the numbers below the bound the next that is even or odd
    // as all sums are.
    let bound = length - 2 * (most as i64 - fixed) - 2;
    if bound < 0 {
        // The mean over all characters is 0.
        return Ok(Status::Recomputed);
    }
    let mut place: BTreeMap<u32, usize> = BTreeMap::from([(0, 0)]);
    for (level, &square) in chain.iter().enumerate() {
        let grown: Vec<(u32, usize)> =
            place.iter().map(|(t, at)| (t ^ key(square), at + (1 << level))).collect();
        place.extend(grown);
        if place.len() != 2 << level {
            return Err(format!("square {} of \"chain\" depends on those before", level + 1));
        }
    }
    if chain.len() != basis.len() {
        return Err(format!("\"chain\" has {} squares, not {}", chain.len(), basis.len()));
    }
    let mut halves: Vec<Vec<(usize, i64)>> = vec![Vec::new(); chain.len()];
    for (t, &count) in &counts {
        let at = place[t];
        let level = at.ilog2() as usize;
        halves[level].push((at - (1 << level), count));
    }
    // Kinds with an odd number of squares first, since they cannot be 0.
    halves.iter_mut().for_each(|half| half.sort_by_key(|(at, count)| (1 - count % 2, *at)));
    Ok(match grow(&halves, bound, &[bound], budget) {
        Ok(false) => Status::Recomputed,
        Ok(true) => Status::Failed("signs of a harder board fit".to_owned()),
        Err(limit) => Status::Open(limit.to_string()),
    })
}

/// Whether signs of the halves left fit, given how much each character of the subspace has left to the bound.
fn grow(halves: &[Vec<(usize, i64)>], bound: i64, slack: &[i64], budget: &mut Budget) -> Result<bool, Limit> {
    let Some((half, later)) = halves.split_first() else { return Ok(true) };
    // Sums of squares over the characters: that of the new sums is at least their number times that of odd kinds.
    let odd = half.iter().filter(|(_, count)| count % 2 == 1).count();
    if slack.iter().map(|s| s * s).sum::<i64>() < (odd * slack.len()) as i64 {
        return Ok(false);
    }
    put((half, 0), later, bound, slack, &vec![0; slack.len()], budget)
}

/// Goes on with the kind of the half at that place.
fn put(
    (half, at): (&[(usize, i64)], usize),
    later: &[Vec<(usize, i64)>],
    bound: i64,
    slack: &[i64],
    sums: &[i64],
    budget: &mut Budget,
) -> Result<bool, Limit> {
    budget.node()?;
    let Some(&(place, count)) = half.get(at) else {
        let minus = slack.iter().zip(sums).map(|(s, g)| s - g);
        let plus = slack.iter().zip(sums).map(|(s, g)| s + g);
        return grow(later, bound, &minus.chain(plus).collect::<Vec<i64>>(), budget);
    };
    // No sum is greater than the bound: it is the difference of two halves of what sums to twice that.
    let reach = |count: i64| count.min(bound) - (count - count.min(bound)) % 2;
    let open: i64 = half[at + 1..].iter().map(|(_, count)| reach(*count)).sum();
    for size in (count % 2..=reach(count)).step_by(2) {
        for sign in [1, -1] {
            // A character that is -1 on all of this half changes all its signs and nothing else.
            if sign < 0 && (size == 0 || at == 0) {
                continue;
            }
            let term = |c: usize| {
                if (c & place).count_ones().is_multiple_of(2) { sign * size } else { -sign * size }
            };
            let next: Vec<i64> = sums.iter().enumerate().map(|(c, sum)| sum + term(c)).collect();
            let fits = next.iter().zip(slack).all(|(g, s)| g.abs() <= s + open);
            if fits && put((half, at + 1), later, bound, slack, &next, budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
