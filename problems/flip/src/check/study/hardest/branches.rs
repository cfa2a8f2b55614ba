//! Excludes all sums by a tree of cases. Each case ends with a linear combination of the conditions.
//!
//! The conditions say that Σ a(t) χ(t) is at most `bound` for every character χ. So |a(t)| ≤ `bound`: this is the mean
//! of the conditions with the weights 1 ± χ(t). Further, a(t) has the parity of the number of squares of its kind.
//! Characters can change the signs of independent kinds at will. The first squares of the list are independent, so
//! their sums may be assumed to be at least 0.
//!
//! A node of the tree either distinguishes a(t) ≤ v from a(t) ≥ v + 2, or lists characters with weights w(χ) ≥ 0. There,
//! Σ w(χ) (`bound` - Σ a(t) χ(t)) must be negative for all sums in their ranges, although no condition allows this.

use super::kinds::Kinds;
use super::squares;
use counterpoint_core::board::Size;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// The tree of a certificate.
pub(super) struct Branches {
    /// The member "squares", which says which squares the nodes name.
    squares: Map<String, Value>,
    /// The nodes in preorder.
    tree: Vec<Node>,
}

enum Node {
    /// The sum of the kind of a square, given by its index in the list, is at most this number, or greater.
    Split(usize, i64),
    /// Characters with weights. Bit k of a character says whether it is -1 at the kind of square k.
    Leaf(Vec<(u32, i64)>),
}

/// A kind: which of the first squares' kinds it is the sum of, whether it has an odd number of squares, and the range of
/// its sum.
struct Range {
    coordinates: u32,
    odd: i64,
    low: i64,
    high: i64,
}

/// A node whose second case is not yet finished.
struct Open {
    kind: usize,
    /// The range before the node.
    before: (i64, i64),
    at_most: i64,
    /// Whether the first case is excluded.
    second: bool,
}

impl Branches {
    /// Reads the member "branches"; `None` if there is none.
    ///
    /// # Errors
    /// Returns a message about the first malformed node.
    pub(super) fn read(certificate: &Map<String, Value>) -> Result<Option<Branches>, FormatError> {
        let Some(member) = certificate.get("branches") else { return Ok(None) };
        let member = member.as_object().ok_or("\"branches\" is not an object")?;
        let tree = member.get("tree").and_then(Value::as_array).ok_or("\"tree\" is not a list")?;
        let node = |(i, node)| {
            Node::read(node).ok_or_else(|| {
                format!(
                    "node {} of \"tree\" is neither [square, sum] nor a list of [character, weight]",
                    i + 1
                )
            })
        };
        let tree = tree.iter().enumerate().map(node).collect::<Result<_, _>>()?;
        let squares = member.iter().filter(|(key, _)| *key == "squares");
        let squares = squares.map(|(key, list)| (key.clone(), list.clone())).collect();
        Ok(Some(Branches { squares, tree }))
    }

    /// The kinds of the listed squares on a board of this size.
    ///
    /// # Errors
    /// Returns a message if the list is malformed.
    pub(super) fn listed(&self, size: Size, kinds: &Kinds) -> Result<Vec<u32>, FormatError> {
        Ok(squares(&self.squares, "squares", size)?.into_iter().map(|square| kinds.keys[square]).collect())
    }

    /// Whether the tree shows that no sums have a spectrum of at most `bound`, and if not, why. Each weight counts as
    /// a node of the budget for each kind.
    pub(super) fn exclude(
        &self,
        kinds: &Kinds,
        listed: &[u32],
        bound: i64,
        budget: &mut Budget,
    ) -> Result<Result<(), String>, Limit> {
        let Some(mut ranges) = ranges(kinds, listed, bound) else {
            return Ok(Err("the first squares are not independent".to_owned()));
        };
        let keys: Vec<u32> = kinds.counts.keys().copied().collect();
        let mut open: Vec<Open> = Vec::new();
        let mut is_over = false;
        for (i, node) in self.tree.iter().enumerate() {
            let failed = |why: &str| Ok(Err(format!("node {}: {why}", i + 1)));
            if is_over {
                return failed("no case is left for it");
            }
            match node {
                Node::Split(square, at_most) => {
                    let kind = listed.get(*square).and_then(|key| keys.binary_search(key).ok());
                    let Some(kind) = kind else {
                        return failed("its square is not listed, or lies in no basis vector");
                    };
                    let range = &mut ranges[kind];
                    if (at_most - range.odd) % 2 != 0 {
                        return failed("its sum has the wrong parity");
                    }
                    open.push(Open {
                        kind,
                        before: (range.low, range.high),
                        at_most: *at_most,
                        second: false,
                    });
                    range.high = range.high.min(*at_most);
                }
                Node::Leaf(weights) => {
                    if !contradict(&ranges, weights, bound, budget)? {
                        return failed("its weights contradict nothing");
                    }
                    is_over = !next_case(&mut open, &mut ranges);
                }
            }
        }
        Ok(if is_over { Ok(()) } else { Err("the tree ends before its last case".to_owned()) })
    }
}

impl Node {
    fn read(node: &Value) -> Option<Node> {
        let node = node.as_array()?;
        if let [square, at_most] = node.as_slice()
            && let (Some(square), Some(at_most)) = (square.as_u64(), at_most.as_i64())
        {
            // No sum is that large.
            let at_most = i64::from(i32::try_from(at_most).ok()?);
            return Some(Node::Split(usize::try_from(square).ok()?, at_most));
        }
        let weight = |pair: &Value| match pair.as_array()?.as_slice() {
            [chi, weight] => {
                Some((u32::try_from(chi.as_u64()?).ok()?, i64::from(u32::try_from(weight.as_u64()?).ok()?)))
            }
            _ => None,
        };
        node.iter().map(weight).collect::<Option<_>>().map(Node::Leaf)
    }
}

/// The kinds with the ranges of their sums before any case; `None` if the kinds of the first squares are not independent.
fn ranges(kinds: &Kinds, listed: &[u32], bound: i64) -> Option<Vec<Range>> {
    // Each pivot has a highest bit that no other one has as its highest, and the squares whose kinds sum to it.
    let mut pivots: Vec<(u32, u32)> = Vec::new();
    let reduce = |pivots: &[(u32, u32)], key: u32| {
        pivots.iter().fold((key, 0), |(key, of), pivot| {
            if key ^ pivot.0 < key { (key ^ pivot.0, of ^ pivot.1) } else { (key, of) }
        })
    };
    let first = listed.get(..kinds.dimensions)?;
    for (k, &key) in first.iter().enumerate() {
        let (rest, of) = reduce(&pivots, key);
        if rest == 0 {
            return None;
        }
        pivots.push((rest, of ^ 1 << k));
        pivots.sort_unstable_by(|a, b| b.cmp(a));
    }
    let range = |(&key, &count): (&u32, &i64)| {
        let odd = count % 2;
        let high = bound - (bound - odd).rem_euclid(2);
        let low = if first.contains(&key) { odd } else { -high };
        Range { coordinates: reduce(&pivots, key).1, odd, low, high }
    };
    Some(kinds.counts.iter().map(range).collect())
}

/// Whether these weights contradict the conditions for all sums in their ranges.
///
/// # Errors
/// The limit that was reached.
fn contradict(
    ranges: &[Range],
    weights: &[(u32, i64)],
    bound: i64,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    let all: i128 = weights.iter().map(|(_, weight)| i128::from(*weight)).sum();
    let mut greatest = all * i128::from(bound);
    for Range { coordinates, low, high, .. } in ranges {
        if low > high {
            return Ok(true);
        }
        let mut sum = 0;
        for (chi, weight) in weights {
            budget.node()?;
            let is_plus = (chi & coordinates).count_ones().is_multiple_of(2);
            sum += if is_plus { i128::from(*weight) } else { -i128::from(*weight) };
        }
        greatest += (-sum * i128::from(*low)).max(-sum * i128::from(*high));
    }
    Ok(greatest < 0)
}

/// Goes to the second case of the last node that has one left; false if there is none.
fn next_case(open: &mut Vec<Open>, ranges: &mut [Range]) -> bool {
    while let Some(last) = open.last_mut() {
        let range = &mut ranges[last.kind];
        (range.low, range.high) = last.before;
        if !last.second {
            last.second = true;
            range.low = range.low.max(last.at_most + 2);
            return true;
        }
        open.pop();
    }
    false
}
