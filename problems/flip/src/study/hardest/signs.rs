//! Finds sums of signs whose spectrum is at most M everywhere, or proves by case distinction that there are none.
//!
//! Let a(t) be the sum of signs of kind t (`code.rs`). For a subspace H of the kinds, let b(χ) = M - Σ a(t) χ(t),
//! summed over t in H. In a solution, b ≥ 0 if H is the space of all kinds. For a smaller H, each value of b is a mean
//! of values for all kinds, so b ≥ 0 for every H. The search extends H by one kind at a time, which doubles H. Let g be
//! the sum of a(t) χ(t) over the new half. Then b becomes b - g for half of the characters and b + g for the others, so
//! |g| ≤ b.
//!
//! A case is pruned if
//! * for some χ, |g| over the kinds assigned so far exceeds b by more than the remaining kinds of the half can
//!   compensate;
//! * Σ b² is less than |H| times the number of kinds in the new half with an odd number of squares. By Parseval's
//!   equation, Σ g² is at least that much, because an odd sum is not 0.
//!
//! Two facts limit the cases. Because b ≥ 0, its greatest Fourier coefficient is the one at 0, so |a(t)| ≤ M.
//! Multiplying all sums by a character permutes the spectrum, so the sum of the first odd kind (a kind with an odd
//! number of squares) of each half can be assumed to be positive.

use crate::study::code::Code;
use counterpoint_core::engine::{Budget, Limit};

/// A kind in the half by which the subspace H grows.
struct Item {
    /// Its index in `Code::kinds`.
    kind: usize,
    /// Its place in the new half: its coordinates along the earlier kinds of the chain, as a bit mask.
    place: u32,
    /// Whether it has an odd number of squares.
    odd: bool,
    /// The greatest sum of signs that is tried.
    cap: i32,
}

/// Whether the character that is 1 on H and -1 on the new half can still be applied to fix a sign.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Free,
    Chosen,
}

struct Search {
    /// For each kind of the chain, the kinds of the half that it adds to H.
    levels: Vec<Vec<Item>>,
    /// For each kind, the sum that is assigned to it.
    sums: Vec<i32>,
}

/// Returns sums of signs of all kinds, each with an absolute value of at most `reach`, whose spectrum is at most
/// `most`; `None` if there are none. Each assigned sum counts as a node.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn within(
    code: &Code,
    chain: &[usize],
    (most, reach): (i32, i32),
    budget: &mut Budget,
) -> Result<Option<Vec<i32>>, Limit> {
    let mut search = Search { levels: levels(code, chain, reach), sums: vec![0; code.kinds.len()] };
    let found = search.level(0, &[most], budget)?;
    Ok(found.then_some(search.sums))
}

fn levels(code: &Code, chain: &[usize], reach: i32) -> Vec<Vec<Item>> {
    // For each key that the chain spans, its coordinates along the chain.
    let mut place = vec![0u32; 1 << code.dimensions];
    let mut span = vec![0u32];
    for (level, &kind) in chain.iter().enumerate() {
        for i in 0..span.len() {
            let key = span[i] ^ code.kinds[kind].key;
            place[key as usize] = place[span[i] as usize] | 1 << level;
            span.push(key);
        }
    }
    let mut levels: Vec<Vec<Item>> = chain.iter().map(|_| Vec::new()).collect();
    for (i, kind) in code.kinds.iter().enumerate() {
        let place = place[kind.key as usize];
        // The chain spans all kinds, and no kind is 0.
        let level = 31 - place.leading_zeros();
        let item = Item { kind: i, place: place ^ 1 << level, odd: kind.is_odd(), cap: kind.cap(reach) };
        levels[level as usize].push(item);
    }
    levels.iter_mut().for_each(|items| items.sort_by_key(|item| !item.odd));
    levels
}

impl Search {
    fn level(&mut self, level: usize, b: &[i32], budget: &mut Budget) -> Result<bool, Limit> {
        let Some(items) = self.levels.get(level) else { return Ok(b.iter().all(|&b| b >= 0)) };
        let odd = items.iter().filter(|item| item.odd).count();
        let rest = items.iter().map(|item| item.cap).sum();
        let squares: i64 = b.iter().map(|&b| i64::from(b) * i64::from(b)).sum();
        if (odd * b.len()) as i64 > squares {
            return Ok(false);
        }
        self.item((level, 0), b, &vec![0; b.len()], (rest, Turn::Free), budget)
    }

    /// Assigns a sum to item `at` of a level; `g` holds the sums assigned so far, and `rest` is the greatest possible
    /// sum of this item and the remaining ones.
    fn item(
        &mut self,
        (level, at): (usize, usize),
        b: &[i32],
        g: &[i32],
        (rest, turn): (i32, Turn),
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        budget.node()?;
        let Some(&Item { kind, place, odd, cap }) = self.levels[level].get(at) else {
            let minus = b.iter().zip(g).map(|(b, g)| b - g);
            let both: Vec<i32> = minus.chain(b.iter().zip(g).map(|(b, g)| b + g)).collect();
            return self.level(level + 1, &both, budget);
        };
        let rest = rest - cap;
        let signs: &[i32] = if odd && turn == Turn::Free { &[1] } else { &[1, -1] };
        let mut next = vec![0; g.len()];
        for size in (i32::from(odd)..=cap).step_by(2) {
            for &sign in if size == 0 { &[1][..] } else { signs } {
                let sum = sign * size;
                for (c, (next, g)) in (0u32..).zip(next.iter_mut().zip(g)) {
                    *next = g + if (c & place).count_ones().is_multiple_of(2) { sum } else { -sum };
                }
                if next.iter().zip(b).any(|(next, b)| next.abs() > b + rest) {
                    continue;
                }
                self.sums[kind] = sum;
                let turn = if odd { Turn::Chosen } else { turn };
                if self.item((level, at + 1), b, &next, (rest, turn), budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::basis;
    use super::*;
    use crate::Stencil;
    use crate::study::code::{Kind, code};
    use counterpoint_core::board::Size;

    /// The bound of `paper-notes.md` for n = 5k - 1 to either colour: with the parities of 4×4, no spectrum is at most 2, even
    /// if each kind with an even number of squares, which may be none, has at least two of them.
    #[test]
    fn the_bound_for_5k_minus_1_depends_only_on_parities() {
        let size = Size::new(4, 4);
        let vectors = basis(Stencil::Plus, (size, None), "either", &mut Budget::unlimited()).unwrap();
        let mut code = code(size.cells(), &vectors);
        let odd: Vec<u32> = code.kinds.iter().filter(|kind| kind.is_odd()).map(|kind| kind.key).collect();
        assert_eq!((code.dimensions, odd.len()), (5, 8));
        let squares = |key| if odd.contains(&key) { vec![0; 3] } else { vec![0; 2] };
        code.kinds = (1..32).map(|key| Kind { key, squares: squares(key) }).collect();
        let chain = code.chain();
        let within = |most| within(&code, &chain, (most, most), &mut Budget::unlimited()).unwrap();
        assert_eq!(within(2), None);
        assert!(within(4).is_some());
    }
}
