//! Checks the rule "two levels": a bound on the presses of all boards whose kinds have the same keys and parities.
//!
//! Call a kind odd if it has an odd number of squares. Suppose that a character χ₀ is -1 on all odd kinds and 1 on all
//! even kinds, and that all sums Σ a(t) χ(t) are at most 2c. Even kinds lie in the kernel of χ₀, and odd kinds in its
//! coset t₀ + kernel. For a character ψ of the kernel, let E(ψ) be the sum of a(t) ψ(t) / 2 over the even kinds, and o(ψ)
//! the sum of a(t) ψ(t - t₀) over the odd kinds. The two characters that extend ψ give |o(ψ)| ≤ 2 (c - E(ψ)).
//!
//! Let H be a subspace of the kernel. Means over the characters that agree on H give the same inequalities for parts: let
//! F(ψ) be c minus the sum of a(t) ψ(t) / 2 over the even kinds in H. For each coset of H, the sum of a(t) ψ(t) over its
//! odd kinds is at most 2 F(ψ) in absolute value. So F ≥ 0; and F ≥ 1 if some coset has an odd number of odd kinds.
//!
//! `halves` enumerates the numbers a(t) / 2 of the even kinds by the inequalities F ≥ 0 and F ≥ 1 for all H; |a(t) / 2| ≤ c
//! because F has mean c. `extend` then searches for the odd numbers of the odd kinds, by the other inequalities. Their
//! squares have at most the sum 4 (c² + Σ (a(t) / 2)²), by Parseval's identity for F.
//!
//! A character changes signs. So a(t) > 0 can be assumed if t is an even kind that is independent of the even kinds before
//! it with a ≠ 0. Then it can be assumed of an odd kind if its difference from the first one is independent of all these
//! and of the differences before. Symmetries of the board map solutions to solutions.

mod spaces;

use super::kinds::Kinds;
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit};
use spaces::{MAX_DIMENSION, Space, is_minus, join, spaces};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of odd kinds: they are bits of a `u64`.
const MAX_ODD_KINDS: usize = 64;

/// The maximum number of lists of halves that are remembered as images of earlier ones, so that memory is bounded. Images that
/// are not remembered are extended, too.
const MAX_TRIED: usize = 1 << 15;

/// The kinds, in coordinates of the kernel.
struct Levels {
    c: i32,
    even: Vec<u32>,
    odd: Vec<u32>,
    spaces: Vec<Space>,
}

/// Whether the rule shows that some sum of every board exceeds `bound`. The kinds belong to null vectors alone.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn excludes(kinds: &Kinds, bound: i64, budget: &mut Budget) -> Result<bool, Limit> {
    let parity = |t: &u32| kinds.counts[t] % 2 == 1;
    let odd_kinds = kinds.counts.keys().filter(|t| parity(t)).count();
    if bound % 2 != 0 || kinds.dimensions as u32 > MAX_DIMENSION + 1 || odd_kinds > MAX_ODD_KINDS {
        return Ok(false);
    }
    let separates = |chi: &u32| kinds.counts.keys().all(|t| is_minus(*t, *chi) == parity(t));
    let Some(chi) = (1..1u32 << kinds.dimensions).find(separates) else { return Ok(false) };
    // The kernel loses the highest bit of χ₀: the other bits determine it.
    let top = chi.ilog2();
    let squeeze = |t: u32| t & ((1 << top) - 1) | t >> (top + 1) << top;
    let Some(first) = kinds.counts.keys().copied().find(parity) else { return Ok(false) };
    // The order of the keys is that of a chain of subspaces, so subspaces are soon complete.
    let (odd, even): (Vec<u32>, Vec<u32>) = kinds.counts.keys().copied().partition(parity);
    let images: Vec<Vec<usize>> = images(kinds, &even);
    let even: Vec<u32> = even.into_iter().map(squeeze).collect();
    let odd: Vec<u32> = odd.into_iter().map(|t| squeeze(t ^ first)).collect();
    let dimension = kinds.dimensions as u32 - 1;
    let levels = Levels { c: (bound / 2) as i32, spaces: spaces(&even, &odd, dimension), even, odd };
    levels.fail(&images, budget)
}

/// For each symmetry of the board, the images of the even kinds.
fn images(kinds: &Kinds, even: &[u32]) -> Vec<Vec<usize>> {
    let last = kinds.size.width - 1;
    let turned = |Cell { row, col }: Cell| Cell::new(col, last - row);
    let mirrored = |Cell { row, col }: Cell| Cell::new(col, row);
    let square = |t: &u32| kinds.size.cell(kinds.keys.iter().position(|key| key == t).unwrap_or(0));
    let place = |cell: Cell| even.iter().position(|t| *t == kinds.keys[kinds.size.index(cell)]);
    let mut cells: Vec<Cell> = even.iter().map(square).collect();
    let mut images = Vec::new();
    for _ in 0..4 {
        cells = cells.into_iter().map(turned).collect();
        images.push(cells.iter().copied().filter_map(place).collect());
        images.push(cells.iter().copied().map(mirrored).filter_map(place).collect());
    }
    images
}

/// F ≥ `least` for the subspaces that contain these even kinds and no others.
struct Condition {
    even: Vec<usize>,
    least: i32,
    /// For each character, which even kinds have sign -1.
    minus: Vec<u128>,
}

/// The odd numbers assigned so far.
struct Assigned {
    /// Mask k contains the kinds whose number is at least 2k + 1 in absolute value.
    sizes: Vec<u64>,
    negative: u64,
    /// The sum of the absolute values of the numbers, less the number of kinds.
    surplus: i32,
}

/// A coset at the time when one of its kinds gets a number.
struct Entry<'a> {
    /// The kinds that have numbers then, as a mask.
    filled: u64,
    open: i32,
    /// For each character, the kinds with sign -1.
    signs: &'a [u64],
    /// The place of the subspace in `Levels::spaces`.
    space: usize,
}

/// Whether halves of the sums of the even kinds extend to a solution.
type Extends<'a> = dyn FnMut(&[i32], &mut Budget) -> Result<bool, Limit> + 'a;

impl Levels {
    /// Whether no solution exists.
    fn fail(&self, images: &[Vec<usize>], budget: &mut Budget) -> Result<bool, Limit> {
        let mut conditions: BTreeMap<(usize, Vec<usize>), (i32, BTreeSet<u128>)> = BTreeMap::new();
        for space in self.spaces.iter().filter(|space| !space.even.is_empty()) {
            let key = (space.even[space.even.len() - 1], space.even.clone());
            let (least, signs) = conditions.entry(key).or_default();
            *least = (*least).max(i32::from(space.is_uneven));
            signs.extend(&space.minus);
        }
        let mut at: Vec<Vec<Condition>> = self.even.iter().map(|_| Vec::new()).collect();
        for ((last, even), (least, minus)) in conditions {
            at[last].push(Condition { even, least, minus: minus.into_iter().collect() });
        }
        let order = self.order();
        let entries = self.entries(&order);
        let mut tried: BTreeSet<Vec<i32>> = BTreeSet::new();
        let mut extends = |halves: &[i32], budget: &mut Budget| {
            if tried.contains(halves) {
                return Ok(false);
            }
            let is_room = tried.len() < MAX_TRIED;
            for image in images.iter().filter(|image| is_room && image.len() == halves.len()) {
                let mut moved = vec![0; halves.len()];
                (0..halves.len()).for_each(|i| moved[image[i]] = halves[i]);
                tried.insert(self.normal(moved));
            }
            self.extend(halves, (&order, &entries), budget)
        };
        Ok(!self.halves(&mut Vec::new(), 1, &at, &mut extends, budget)?)
    }

    /// Enumerates the halves of the sums of the even kinds, and returns whether `extends` is true of some; `span` is spanned
    /// by the kinds whose sum is not 0.
    fn halves(
        &self,
        halves: &mut Vec<i32>,
        span: u128,
        conditions: &[Vec<Condition>],
        extends: &mut Extends<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let i = halves.len();
        if i == self.even.len() {
            return extends(halves, budget);
        }
        let sign_is_free = span >> self.even[i] & 1 == 0;
        for half in if sign_is_free { 0 } else { -self.c }..=self.c {
            budget.node()?;
            halves.push(half);
            if conditions[i].iter().all(|Condition { even, least, minus }| {
                minus.iter().all(|minus| self.slack(even, *minus, halves) >= *least)
            }) {
                let span = if half == 0 { span } else { join(span, self.even[i]) };
                if self.halves(halves, span, conditions, extends, budget)? {
                    return Ok(true);
                }
            }
            halves.pop();
        }
        Ok(false)
    }

    /// F for a subspace with these even kinds and a character with these signs.
    fn slack(&self, even: &[usize], minus: u128, halves: &[i32]) -> i32 {
        even.iter()
            .fold(self.c, |slack, &i| if minus >> i & 1 == 1 { slack + halves[i] } else { slack - halves[i] })
    }

    /// Applies the character that makes the numbers of independent kinds positive.
    fn normal(&self, mut halves: Vec<i32>) -> Vec<i32> {
        // The signs of the elements of the span so far.
        let mut signs: BTreeMap<u32, i32> = BTreeMap::from([(0, 1)]);
        for (i, half) in halves.iter_mut().enumerate().filter(|(_, half)| **half != 0) {
            let t = self.even[i];
            if !signs.contains_key(&t) {
                let more: Vec<(u32, i32)> = signs.iter().map(|(u, s)| (u ^ t, s * half.signum())).collect();
                signs.extend(more);
            }
            *half *= signs[&t];
        }
        halves
    }

    /// An order of the odd kinds: the next one completes the most cosets.
    fn order(&self) -> Vec<usize> {
        let cosets: Vec<u64> =
            self.spaces.iter().flat_map(|space| space.cosets.iter().map(|(members, _)| *members)).collect();
        let (mut order, mut chosen) = (Vec::new(), 0u64);
        while order.len() < self.odd.len() {
            let completed = |i: usize| {
                cosets.iter().filter(|m| **m & !chosen == 1 << i).map(|m| m.count_ones()).sum::<u32>()
            };
            let rest = (0..self.odd.len()).filter(|i| chosen >> i & 1 == 0);
            let best = rest.max_by_key(|&i| (completed(i), usize::MAX - i));
            order.extend(best);
            chosen |= best.map_or(0, |i| 1 << i);
        }
        order
    }

    /// For each place of the order, the cosets that contain its kind.
    fn entries(&self, order: &[usize]) -> Vec<Vec<Entry<'_>>> {
        let mut entries: Vec<Vec<Entry<'_>>> = order.iter().map(|_| Vec::new()).collect();
        for (space, list) in self.spaces.iter().map(|space| &space.cosets).enumerate() {
            for (members, signs) in list {
                let mut filled = 0;
                for (at, i) in order.iter().enumerate().filter(|(_, i)| members >> *i & 1 == 1) {
                    filled |= 1 << i;
                    let open = (members & !filled).count_ones() as i32;
                    entries[at].push(Entry { filled, open, signs, space });
                }
            }
        }
        entries
    }

    /// Whether odd numbers exist for the odd kinds.
    fn extend(
        &self,
        halves: &[i32],
        (order, entries): (&[usize], &[Vec<Entry<'_>>]),
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        // c is up to 32,512, so this sum exceeds 32 bits.
        let square = |number: i32| i64::from(number).pow(2);
        let squares = 4 * (square(self.c) + halves.iter().copied().map(square).sum::<i64>());
        if squares < self.odd.len() as i64 {
            return Ok(false);
        }
        let bounds_of = |space: &Space| {
            // Only subspaces with cosets in use have bounds.
            let used = if space.cosets.is_empty() { &[][..] } else { &space.minus };
            used.iter().map(|m| 2 * self.slack(&space.even, *m, halves)).collect::<Vec<i32>>()
        };
        let bounds: Vec<Vec<i32>> = self.spaces.iter().map(bounds_of).collect();
        let least = bounds.iter().map(|list| list.iter().copied().min().unwrap_or(0)).collect();
        let span = (0..halves.len()).filter(|&i| halves[i] != 0).fold(1, |span, i| join(span, self.even[i]));
        let mut assigned = Assigned { sizes: vec![0; self.c.max(1) as usize], negative: 0, surplus: 0 };
        let search = OddSearch { levels: self, order, entries, bounds, least };
        search.assign(0, squares - self.odd.len() as i64, span, &mut assigned, budget)
    }
}

struct OddSearch<'a> {
    levels: &'a Levels,
    order: &'a [usize],
    /// For each place of the order, the cosets that contain its kind.
    entries: &'a [Vec<Entry<'a>>],
    /// For each subspace, the bounds for all characters, and the least bound.
    bounds: Vec<Vec<i32>>,
    least: Vec<i32>,
}

impl OddSearch<'_> {
    /// Tries all odd numbers for the kind at place `at` of the order. The sum of a² - 1 over this and later kinds is at
    /// most `excess`; signs of kinds outside `span` are free.
    fn assign(
        &self,
        at: usize,
        excess: i64,
        span: u128,
        assigned: &mut Assigned,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        budget.node()?;
        let Some(&i) = self.order.get(at) else { return Ok(true) };
        let difference = self.levels.odd[i] ^ self.levels.odd[self.order[0]];
        let sign_is_free = at == 0 || span >> difference & 1 == 0;
        let span = if sign_is_free { join(span, difference) } else { span };
        for k in 0..self.levels.c as usize {
            let size = 2 * k as i32 + 1;
            let left = excess - (i64::from(size).pow(2) - 1);
            if left < 0 {
                break;
            }
            (0..=k).for_each(|k| assigned.sizes[k] |= 1 << i);
            assigned.surplus += size - 1;
            for negative in [false, true] {
                if negative && sign_is_free {
                    continue;
                }
                assigned.negative = assigned.negative & !(1 << i) | u64::from(negative) << i;
                if self.fits(at, left, assigned) && self.assign(at + 1, left, span, assigned, budget)? {
                    return Ok(true);
                }
            }
            (0..=k).for_each(|k| assigned.sizes[k] &= !(1 << i));
            assigned.surplus -= size - 1;
        }
        Ok(false)
    }

    /// Whether the open kinds of all cosets that contain the kind at place `at` can keep the sums within their bounds.
    fn fits(&self, at: usize, excess: i64, assigned: &Assigned) -> bool {
        self.entries[at].iter().all(|Entry { filled, open, signs, space }| {
            // A change of an open kind from ±1 to ±3 takes 8 from the excess.
            let rest = if *open == 0 { 0 } else { i64::from(*open) + 2 * (excess / 8) };
            if i64::from(filled.count_ones() as i32 + assigned.surplus)
                <= i64::from(self.least[*space]) + rest
            {
                return true;
            }
            let signs = signs.iter().zip(&self.bounds[*space]);
            signs.into_iter().all(|(minus, bound)| {
                let count = |mask: u64| mask.count_ones() as i32;
                // The first mask counts each kind once, the others add 2 each.
                let part = |mask: &u64| {
                    count(filled & mask) - 2 * count(filled & mask & (assigned.negative ^ minus))
                };
                let more: i32 = match assigned.surplus {
                    0 => 0,
                    _ => assigned.sizes[1..].iter().map(part).sum(),
                };
                i64::from((part(&assigned.sizes[0]) + 2 * more).abs()) <= i64::from(*bound) + rest
            })
        })
    }
}
