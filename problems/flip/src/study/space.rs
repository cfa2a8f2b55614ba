//! The null space modulo p, for generators of boards: sums that contradict a board, and boards whose fewest presses are
//! many.
//!
//! A sum of squares is a vector y over GF(p): it weighs the colour of each square. If y is in the null space, no press
//! changes the weighted sum. So the board is impossible if the sum over the turns that the squares need is not 0. If
//! any colour may be reached, y must also be orthogonal to the ones, because every colour has its own turns. The matrix
//! is symmetric, so each impossible board has such a contradiction (Sutner, *Linear cellular automata and the
//! Garden-of-Eden*, Mathematical Intelligencer 11, 1989).
//!
//! Small spaces are enumerated. Vector c is the combination of the basis whose coefficients are the digits of c to the
//! base p, least significant first.

use crate::search::{elimination, modular, residues};
use crate::{Instance, Rules, Stencil, Target};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Bits, Digits, Size};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::GenerateError;
use rand::RngExt;
use rand::seq::SliceRandom;
use std::cmp::Reverse;

/// The maximum number of squares.
const MAX_SQUARES: usize = 1 << 18;
/// The maximum number of vectors of an enumerated space times the number of squares.
const MAX_VALUES: u64 = 1 << 26;
/// The climb ends after this many passes over the board in a row that do not raise the fewest presses.
const PATIENCE: u32 = 8;
/// The number of climbs, if each needs little work: at most this many, as long as together they compute at most so many
/// values in each pass.
const MAX_CLIMBS: u64 = 64;
const VALUES_PER_PASS: u64 = 1 << 22;

/// The null space of a stencil and a size, and the presses that lead from one colour to the next.
pub(crate) struct Space {
    p: u8,
    size: Size,
    /// Whether any colour may be reached.
    either: bool,
    /// A basis of the null space.
    null: Vec<Vec<u8>>,
    /// Presses that turn every square once, if there are any.
    over: Option<Vec<u8>>,
}

/// Solves the equations of a stencil and a size.
///
/// # Errors
/// Returns that the board is too large.
pub(crate) fn space(rules: &Rules, size: Size) -> Result<Space, GenerateError> {
    if size.cells() > MAX_SQUARES {
        return Err(format!("{size} has more than {MAX_SQUARES} squares").into());
    }
    let (p, budget) = (rules.colours as u8, &mut Budget::unlimited());
    let (over, null) = if p == 2 {
        if rules.stencil != Stencil::Plus {
            elimination::few_enough(size, size.cells()).map_err(String::from)?;
        }
        let found = elimination::solutions(rules.stencil, size, &Bits::ones(size.cells()), budget);
        let found = found.map_err(|limit| limit.to_string())?;
        let numbers = |bits: Bits| (0..size.cells()).map(|i| u8::from(bits.get(i))).collect::<Vec<u8>>();
        let [over, _] = found.particular;
        (over.map(numbers), found.null.into_iter().map(numbers).collect())
    } else {
        modular::supports(rules.stencil, size).map_err(String::from)?;
        // On a board of the last colour, every square needs one turn to become colour 0.
        let board = Instance { size, squares: Digits::all(size.cells(), rules.colours - 1) };
        let to_white = Rules { target: Target::White, ..rules.clone() };
        let found = modular::solutions(&to_white, &board, budget).map_err(|limit| limit.to_string())?;
        (found.starts.into_iter().next(), found.null)
    };
    Ok(Space { p, size, either: rules.target == Target::Either, null, over })
}

/// The sum of the products of two vectors, modulo p.
fn inner(p: u8, a: &[u8], b: &[u8]) -> u8 {
    (a.iter().zip(b).map(|(a, b)| u64::from(a * b)).sum::<u64>() % u64::from(p)) as u8
}

impl Space {
    /// A basis of the sums that can contradict a board; empty if every board can be solved.
    pub(crate) fn contradictions(&self) -> Vec<Vec<u8>> {
        if self.either { modular::orthogonal_to_ones(self.p, self.null.clone()) } else { self.null.clone() }
    }

    /// Whether some presses make these turns or, if any colour may be reached, the same number of further turns of
    /// each square.
    pub(crate) fn is_solvable(&self, contradictions: &[Vec<u8>], turns: &[u8]) -> bool {
        contradictions.iter().all(|sum| inner(self.p, sum, turns) == 0)
    }

    /// The changes of `turns` that leave only long contradictions: every sum that contradicts the board has at least as
    /// many squares as the longest sum of the lightest basis. No board has contradictions that are all longer than
    /// that, because the shorter sums of the basis span all shorter sums. The longest sum of the basis becomes `rest`,
    /// which must not be 0.
    ///
    /// # Errors
    /// Returns that the sums are too many to enumerate.
    pub(crate) fn lengthen(
        &self,
        contradictions: &[Vec<u8>],
        turns: &[u8],
        rest: u8,
    ) -> Result<Vec<u8>, GenerateError> {
        let p = self.p;
        let basis = self.lightest_basis(contradictions)?;
        let last = basis.len().saturating_sub(1);
        let rows = basis.iter().enumerate().map(|(i, sum)| {
            let wanted = if i == last { rest } else { 0 };
            let change = (wanted + p - inner(p, sum, turns)) % p;
            sum.iter().copied().chain([change, 0]).collect()
        });
        let budget = &mut Budget::unlimited();
        let solved = residues::eliminate(p, rows.collect(), self.size.cells(), budget);
        let solved = solved.map_err(|limit| limit.to_string())?;
        solved.solution(0).ok_or_else(|| "the sums depend on one another".into())
    }

    /// A basis of the same space with the fewest squares in its longest sum, shortest first: the greedy choice, which
    /// is optimal in a matroid.
    fn lightest_basis(&self, basis: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, GenerateError> {
        let vectors: Vec<&[u8]> = basis.iter().map(Vec::as_slice).collect();
        let mut lengths = vec![0u32; self.count(vectors.len())?];
        let mut values = Vec::new();
        for square in 0..self.size.cells() {
            self.values(&vectors, square, &mut values);
            lengths.iter_mut().zip(&values).for_each(|(length, &value)| *length += u32::from(value > 0));
        }
        let mut order: Vec<u32> = (1..lengths.len() as u32).collect();
        order.sort_unstable_by_key(|&c| (lengths[c as usize], c));
        // The chosen coefficients, reduced: each has a 1 at its leading place.
        let mut reduced: Vec<(usize, Vec<u8>)> = Vec::new();
        let mut chosen = Vec::new();
        for c in order {
            if chosen.len() == vectors.len() {
                break;
            }
            let digits = self.digits(c, vectors.len());
            let mut rest = digits.clone();
            for (place, row) in &reduced {
                let times = (self.p - rest[*place]) % self.p;
                residues::scaled_add(self.p, &mut rest, times, row);
            }
            let Some(place) = rest.iter().position(|&digit| digit > 0) else { continue };
            // Every number but 0 has an inverse modulo a prime.
            let inverse = (1..self.p).find(|k| k * rest[place] % self.p == 1).unwrap_or(1);
            rest.iter_mut().for_each(|digit| *digit = *digit * inverse % self.p);
            reduced.push((place, rest));
            let mut sum = vec![0; self.size.cells()];
            digits.iter().zip(&vectors).for_each(|(&digit, vector)| {
                residues::scaled_add(self.p, &mut sum, digit, vector);
            });
            chosen.push(sum);
        }
        Ok(chosen)
    }

    /// Presses that solve a board whose fewest presses are `wanted` or, if that is `None`, as many as climbing finds.
    /// Every second climb starts from random presses, the others from none. A step adds a press of one square. It is
    /// taken if the fewest presses grow, or if they stay the same and no more solutions attain them. A step raises the
    /// fewest presses by at most one, so a climb from no presses passes through every number.
    ///
    /// # Errors
    /// Returns that there are too many solutions to weigh, or that no climb reaches the number.
    pub(crate) fn deep(&self, wanted: Option<u32>, rng: &mut ChaCha8Rng) -> Result<Vec<u8>, GenerateError> {
        let over = self.over.as_ref().filter(|_| self.either);
        let vectors: Vec<&[u8]> = self.null.iter().chain(over).map(Vec::as_slice).collect();
        let values = self.count(vectors.len())? as u64 * self.size.cells() as u64;
        let mut best: Option<(u32, Vec<u8>)> = None;
        for climb in 0..(VALUES_PER_PASS / values).clamp(2, MAX_CLIMBS) {
            let mut start = vec![0; self.size.cells()];
            if climb % 2 == 1 {
                start.iter_mut().for_each(|presses| *presses = rng.random_range(0..self.p));
            }
            let found = self.climb(&vectors, start, wanted, rng)?;
            if wanted == Some(found.0) {
                return Ok(found.1);
            }
            if best.as_ref().is_none_or(|best| found.0 > best.0) {
                best = Some(found);
            }
        }
        let (most, presses) = best.unwrap_or_default();
        match wanted {
            None => Ok(presses),
            Some(wanted) => Err(format!(
                "found no board of {} whose fewest presses are {wanted}; the most found are {most}",
                self.size
            )
            .into()),
        }
    }

    /// Climbs from `presses`. Returns the fewest presses of the board that the result solves, and the result.
    fn climb(
        &self,
        vectors: &[&[u8]],
        mut presses: Vec<u8>,
        wanted: Option<u32>,
        rng: &mut ChaCha8Rng,
    ) -> Result<(u32, Vec<u8>), GenerateError> {
        let p = self.p;
        let mut weights = vec![0u32; self.count(vectors.len())?];
        let mut values = Vec::new();
        for (square, &pressed) in presses.iter().enumerate() {
            self.values(vectors, square, &mut values);
            let weight = |&value: &u8| u32::from((value + pressed) % p);
            weights.iter_mut().zip(&values).for_each(|(sum, value)| *sum += weight(value));
        }
        let mut order: Vec<usize> = (0..presses.len()).collect();
        let mut best = least(weights.iter().copied());
        let mut failed = 0;
        while failed < PATIENCE {
            order.shuffle(rng);
            let before = best.0;
            for &square in &order {
                if wanted == Some(best.0) {
                    return Ok((best.0, presses));
                }
                self.values(vectors, square, &mut values);
                let (old, new) = (presses[square], (presses[square] + 1) % p);
                let change = |value: u8| i32::from((value + new) % p) - i32::from((value + old) % p);
                let changes: Vec<i32> = (0..p).map(change).collect();
                let changed =
                    |weight: u32, value: u8| weight.wrapping_add_signed(changes[usize::from(value)]);
                let found =
                    least(weights.iter().zip(&values).map(|(&weight, &value)| changed(weight, value)));
                if found >= best {
                    weights.iter_mut().zip(&values).for_each(|(sum, &value)| *sum = changed(*sum, value));
                    (presses[square], best) = (new, found);
                }
            }
            failed = if best.0 > before { 0 } else { failed + 1 };
        }
        Ok((best.0, presses))
    }

    /// The number of vectors of a space of so many dimensions.
    fn count(&self, dimensions: usize) -> Result<usize, GenerateError> {
        let count = u64::from(self.p).saturating_pow(dimensions as u32);
        if count.saturating_mul(self.size.cells() as u64) > MAX_VALUES {
            return Err(format!(
                "on {}, {}^{dimensions} vectors are too many to enumerate; the families `few` and `random` enumerate \
                 none",
                self.size, self.p
            )
            .into());
        }
        Ok(count as usize)
    }

    /// The number of presses of `square` in each vector of the space that `vectors` span.
    fn values(&self, vectors: &[&[u8]], square: usize, values: &mut Vec<u8>) {
        values.clear();
        values.push(0);
        for vector in vectors {
            let known = values.len();
            for _ in 1..self.p {
                let from = values.len() - known;
                values.extend_from_within(from..);
                let added = &mut values[from + known..];
                added.iter_mut().for_each(|value| *value = (*value + vector[square]) % self.p);
            }
        }
    }

    /// The digits of `number` to the base p.
    fn digits(&self, number: u32, count: usize) -> Vec<u8> {
        let p = u32::from(self.p);
        let powers = std::iter::successors(Some(number), |rest| Some(rest / p));
        powers.take(count).map(|rest| (rest % p) as u8).collect()
    }
}

/// The least weight, and how few vectors have it.
fn least(weights: impl Iterator<Item = u32>) -> (u32, Reverse<u32>) {
    weights.fold((u32::MAX, Reverse(0)), |(best, Reverse(count)), weight| match weight.cmp(&best) {
        std::cmp::Ordering::Less => (weight, Reverse(1)),
        std::cmp::Ordering::Equal => (best, Reverse(count + 1)),
        std::cmp::Ordering::Greater => (best, Reverse(count)),
    })
}
