//! Proves lower bounds on the greatest value of spectra in two levels, for codes in which some character χ₀ is -1 on all
//! odd kinds and 1 on all even kinds. (An odd kind has an odd number of squares.)
//!
//! The characters come in pairs χ, χχ₀. Write e(t) = a(t)/2 for even kinds, and let ψ run through the characters of the
//! kernel K of χ₀, to which the even kinds belong. Let o(ψ) = Σ a(t) ψ(t - t₀) over the odd kinds, where t₀ is one of
//! them, and F(ψ) = c - Σ e(t) ψ(t). The spectrum is at most 2c iff |o| ≤ 2F everywhere.
//!
//! * **Even kinds.** F ≥ 0 has mean c, so |e(t)| ≤ c. For a subspace H of K, let F_H(ψ) = c - Σ e(t) ψ(t) over t in H.
//!   This is a mean of values of F, so F_H ≥ 0. If some coset of H contains an odd number of odd kinds, then the part of
//!   o that belongs to this coset is odd, so F_H ≥ 1/2; because F_H is an integer, F_H ≥ 1. The first level enumerates
//!   all e that satisfy these inequalities for all H that even kinds span.
//! * **Odd kinds.** For each e, the second level (`odd.rs`) shows that the odd kinds cannot be assigned.
//!
//! Multiplying a solution by a character of K changes signs of e and a. So e(t) ≥ 0 can be assumed for each even kind
//! that is independent of the kinds t' before it with e(t') ≠ 0. Symmetries of the board permute the kinds, so only one e
//! of each orbit is tried.
//!
//! The number of squares of a kind is used only modulo 2. So a bound holds for all codes with these kinds.

mod odd;
mod spaces;

use super::super::code::Code;
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::engine::{Budget, Limit};
use odd::Odd;
use spaces::{elements, minus, set, shifted, spans};
use std::collections::BTreeSet;

/// Kinds are elements of a space of at most this dimension, so that its subsets are masks of 128 bits.
const MAX_DIMENSIONS: usize = 7;

/// The kinds in coordinates of the kernel of χ₀.
pub(super) struct Levels {
    even: Vec<u32>,
    /// The odd kinds minus one of them.
    odd: Vec<u32>,
    /// For each symmetry of the board, the images of the even kinds, as indices in `even`.
    symmetries: Vec<Vec<usize>>,
}

/// A condition on even kinds: F_H ≥ `least` for the subspace H that contains exactly these even kinds.
struct Condition {
    kinds: Vec<usize>,
    least: i32,
    /// For each character of H, the signs of the kinds.
    signs: Vec<i32>,
}

impl Levels {
    /// The two levels of a code on a square board; `None` if there is no χ₀ or if the code is too large.
    pub(super) fn of(code: &Code, size: Size) -> Option<Levels> {
        if code.dimensions > MAX_DIMENSIONS + 1 {
            return None;
        }
        let separates = |chi: &u32| code.kinds.iter().all(|kind| minus(kind.key, *chi) == kind.is_odd());
        let chi = (1u32..1 << code.dimensions).find(separates)?;
        let mut coordinates = vec![0; 1 << code.dimensions];
        let mut span = vec![0u32];
        for key in (1u32..1 << code.dimensions).filter(|key| !minus(*key, chi)) {
            if span.contains(&key) {
                continue;
            }
            let old = span.len();
            for i in 0..old {
                coordinates[(span[i] ^ key) as usize] = coordinates[span[i] as usize] | old as u32;
                span.push(span[i] ^ key);
            }
        }
        let first = code.kinds.iter().find(|kind| kind.is_odd())?.key;
        let odd = code.kinds.iter().filter(|kind| kind.is_odd());
        let odd = odd.map(|kind| coordinates[(kind.key ^ first) as usize]).collect();
        let mut evens: Vec<usize> = (0..code.kinds.len()).filter(|&i| !code.kinds[i].is_odd()).collect();
        let place = |i: usize| coordinates[code.kinds[i].key as usize];
        let order = chain(&evens.iter().map(|&i| place(i)).collect::<Vec<_>>());
        evens.sort_by_key(|&i| order.iter().position(|&t| t == place(i)));
        let symmetries = symmetries(size).into_iter().map(|image| {
            let image = |&i: &usize| {
                let at = image(size.cell(code.kinds[i].squares[0]));
                evens.iter().position(|&j| code.kinds[j].squares.contains(&size.index(at)))
            };
            evens.iter().filter_map(image).collect()
        });
        let symmetries = symmetries.collect();
        Some(Levels { even: order, odd, symmetries })
    }

    /// Whether the cases show that some value of each spectrum exceeds `most`. Only even bounds are tried. Each case
    /// of either level counts as a node.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub(super) fn exclude(&self, most: i32, budget: &mut Budget) -> Result<bool, Limit> {
        if most % 2 != 0 {
            return Ok(false);
        }
        let c = most / 2;
        let lists = self.even_values(c, budget)?;
        let odd = Odd::new(&self.odd, &self.even, c);
        let mut tried = BTreeSet::new();
        for values in lists {
            if tried.contains(&values) {
                continue;
            }
            for image in &self.symmetries {
                let mut moved = vec![0; values.len()];
                image.iter().zip(&values).for_each(|(&to, &value)| moved[to] = value);
                tried.insert(self.with_signs(moved));
            }
            if odd.can_extend(&values, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All values e of the even kinds that satisfy the conditions, up to signs.
    fn even_values(&self, c: i32, budget: &mut Budget) -> Result<Vec<Vec<i32>>, Limit> {
        let odds = set(&self.odd);
        let mut conditions: Vec<Vec<Condition>> = self.even.iter().map(|_| Vec::new()).collect();
        for space in spans(&[0], &self.even).concat() {
            let inside = |&i: &usize| space >> self.even[i] & 1 == 1;
            let kinds: Vec<usize> = (0..self.even.len()).filter(inside).collect();
            let Some(&last) = kinds.last() else { continue };
            let uneven = |t: u32| (shifted(space, t) & odds).count_ones() % 2;
            let least = (0..1 << MAX_DIMENSIONS).map(uneven).max().unwrap_or(0) as i32;
            // Two characters with the same signs give the same inequality.
            let row =
                |c: u32| kinds.iter().fold(0u128, |row, &i| row << 1 | u128::from(minus(self.even[i], c)));
            let rows: BTreeSet<u128> = (0..1 << MAX_DIMENSIONS).map(row).collect();
            let sign =
                |row: u128| (0..kinds.len()).rev().map(move |k| if row >> k & 1 == 1 { -1 } else { 1 });
            let signs = rows.into_iter().flat_map(sign).collect();
            conditions[last].push(Condition { kinds, least, signs });
        }
        let mut search = EvenSearch { levels: self, c, conditions, values: Vec::new(), found: Vec::new() };
        search.assign(1, budget)?;
        Ok(search.found)
    }

    /// Multiplies the values by the character that makes the values of independent kinds positive.
    fn with_signs(&self, mut values: Vec<i32>) -> Vec<i32> {
        let mut signs = [0; 1 << MAX_DIMENSIONS];
        signs[0] = 1;
        let mut span = 1u128;
        for (value, &kind) in values.iter_mut().zip(&self.even).filter(|(value, _)| **value != 0) {
            if span >> kind & 1 == 0 {
                let sign = value.signum();
                elements(span).for_each(|t| signs[(t ^ kind) as usize] = sign * signs[t as usize]);
                span |= shifted(span, kind);
            }
            *value *= signs[kind as usize];
        }
        values
    }
}

struct EvenSearch<'a> {
    levels: &'a Levels,
    c: i32,
    /// The conditions whose last kind is this one.
    conditions: Vec<Vec<Condition>>,
    values: Vec<i32>,
    found: Vec<Vec<i32>>,
}

impl EvenSearch<'_> {
    /// Assigns a value to the next kind; `span` is spanned by the kinds whose value is not 0.
    fn assign(&mut self, span: u128, budget: &mut Budget) -> Result<(), Limit> {
        budget.node()?;
        let at = self.values.len();
        let Some(&kind) = self.levels.even.get(at) else {
            self.found.push(self.values.clone());
            return Ok(());
        };
        let free = span >> kind & 1 == 0;
        for value in if free { 0 } else { -self.c }..=self.c {
            self.values.push(value);
            if self.conditions[at].iter().all(|condition| condition.holds(self.c, &self.values)) {
                let span = if value == 0 { span } else { span | shifted(span, kind) };
                self.assign(span, budget)?;
            }
            self.values.pop();
        }
        Ok(())
    }
}

impl Condition {
    fn holds(&self, c: i32, values: &[i32]) -> bool {
        let sum =
            |signs: &[i32]| self.kinds.iter().zip(signs).map(|(&i, sign)| sign * values[i]).sum::<i32>();
        self.signs.chunks_exact(self.kinds.len()).all(|signs| c - sum(signs) >= self.least)
    }
}

/// Orders the even kinds along a chain of subspaces. Each step takes the kind that brings the most kinds into the span.
fn chain(kinds: &[u32]) -> Vec<u32> {
    let all = set(kinds);
    let (mut span, mut order) = (1u128, Vec::new());
    while let Some(best) =
        elements(all & !span).max_by_key(|&t| ((shifted(span, t) & all).count_ones(), u32::MAX - t))
    {
        order.extend(elements(shifted(span, best) & all));
        span |= shifted(span, best);
    }
    order
}

/// The eight symmetries of a square board.
fn symmetries(size: Size) -> Vec<impl Fn(Cell) -> Cell> {
    let last = size.width - 1;
    let image = move |which: u32| {
        move |Cell { row, col }: Cell| {
            let (row, col) = if which & 1 == 1 { (col, row) } else { (row, col) };
            let row = if which & 2 == 2 { last - row } else { row };
            Cell::new(row, if which & 4 == 4 { last - col } else { col })
        }
    };
    (0..8).map(image).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::code::code;
    use super::*;
    use crate::Stencil;
    use crate::search::elimination;
    use counterpoint_core::board::Bits;

    fn code_of(n: u32) -> (Code, Size) {
        let (size, squares) = (Size::new(n, n), (n * n) as usize);
        let solutions =
            elimination::solutions(Stencil::Plus, size, &Bits::ones(squares), &mut Budget::unlimited());
        (code(squares, &solutions.unwrap().null), size)
    }

    /// `.ci/run certificates` checks all cases of c = 3, by other code.
    #[test]
    fn the_kinds_of_9x9() {
        let budget = &mut Budget::unlimited();
        let (code, size) = code_of(9);
        let levels = Levels::of(&code, size).unwrap();
        assert_eq!((levels.odd.len(), levels.even.len()), (32, 23));
        let lists = |c, budget: &mut Budget| levels.even_values(c, budget).unwrap();
        assert_eq!(lists(2, budget).len(), 41);
        assert!(levels.exclude(4, budget).unwrap());
        let three = lists(3, budget);
        assert_eq!(three.len(), 1218);
        let odd = Odd::new(&levels.odd, &levels.even, 3);
        assert!(three.iter().step_by(60).all(|values| !odd.can_extend(values, budget).unwrap()));

        // Some board attains 8 with sums 0 of even kinds. So the odd kinds can be assigned for c = 4, but not for c = 3.
        let sums = super::super::signs::within(&code, &code.chain(), (8, 1), budget).unwrap().unwrap();
        assert_eq!(code.greatest(&sums), 8);
        let zeros = vec![0; 23];
        assert!(Odd::new(&levels.odd, &levels.even, 4).can_extend(&zeros, budget).unwrap());
        assert!(!odd.can_extend(&zeros, budget).unwrap());
    }

    /// Where both apply, the levels exclude what the cases along a chain exclude.
    #[test]
    fn levels_agree_with_chains() {
        let mut applied = 0;
        for n in 1..=17 {
            let (code, size) = code_of(n);
            let Some(levels) = Levels::of(&code, size) else { continue };
            for most in [0, 2] {
                let budget = &mut Budget::unlimited();
                let found = super::super::signs::within(&code, &code.chain(), (most, most), budget).unwrap();
                // The levels ignore multiplicities.
                assert!(!levels.exclude(most, budget).unwrap() || found.is_none(), "{n} {most}");
            }
            applied += 1;
        }
        assert!(applied > 0);
    }
}
