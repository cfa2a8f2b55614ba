//! The second level: assigns odd sums to the odd kinds, depth first.
//!
//! Let A be an affine subspace of odd and other elements, and H its direction. The part of o that belongs to A is a mean
//! of values of ±o, so its absolute value is at most 2 F_H. A case is pruned if, for some A and some character, the sum
//! over the assigned kinds of A exceeds 2 F_H by more than the other kinds of A can compensate. Only such A are used as
//! contain many odd kinds.
//!
//! By Parseval's equation, Σ a(t)² is the mean of o², which is at most the mean of 4F², which is 4 (c² + Σ e(t)²). So
//! few a(t) differ from ±1: the excess of Σ a(t)² over the number of kinds is bounded, and a change from ±1 to ±3 costs 8.
//!
//! Characters that are 1 on all even kinds with e(t) ≠ 0 leave e unchanged. So the first odd kind is assumed to be
//! positive, and so is each one whose difference from it is independent of these even kinds and of the differences before.

use super::spaces::{elements, minus, set, shifted, spans};
use counterpoint_core::engine::{Budget, Limit};

/// An affine subspace of dimension d is used if it contains at least `RICH[d]` odd kinds. With fewer subspaces, there
/// are more cases; with more of them, a case takes longer.
const RICH: [u32; 8] = [u32::MAX, 2, 4, 5, 8, 10, 12, 14];

/// An affine subspace with a sum for each character of its direction.
struct Flat {
    /// Its dimension, and the place of its sums in a list of the sums of all subspaces.
    dimension: usize,
    start: usize,
    odd_kinds: i16,
    /// The even kinds in its direction, each with its coordinates in the direction.
    even: Vec<(usize, usize)>,
}

/// What does not depend on the values of the even kinds.
pub(super) struct Odd {
    c: i32,
    /// The odd kinds in the order in which they are assigned.
    kinds: Vec<u32>,
    even: Vec<u32>,
    flats: Vec<Flat>,
    /// For each odd kind, the subspaces that contain it, each with the coordinates of the kind in the subspace.
    containing: Vec<Vec<(usize, usize)>>,
    /// For each dimension and each element, the signs of all characters.
    signs: Vec<Vec<Vec<i16>>>,
    sums: usize,
}

/// A partial assignment. All numbers are far below 2^15. They are added without checks for overflow, because a compiler
/// turns only such loops into vector instructions.
struct State {
    /// For each subspace and character, 2 F_H.
    bounds: Vec<i16>,
    sums: Vec<i16>,
    /// For each subspace, the number of kinds that have no value.
    open: Vec<i16>,
}

impl Odd {
    pub(super) fn new(odd: &[u32], even: &[u32], c: i32) -> Odd {
        let all = set(odd);
        let layers = spans(odd, odd).into_iter().enumerate();
        let rich = |(d, layer): (usize, Vec<u128>)| {
            let rich = layer.into_iter().filter(move |flat| (flat & all).count_ones() >= RICH[d]);
            rich.map(move |flat| (d, flat))
        };
        let sets: Vec<(usize, u128)> = layers.flat_map(rich).collect();
        let kinds = order(all, &sets);
        let sign = |t: u32, chi: u32| if minus(t, chi) { -1 } else { 1 };
        let signs = (0..RICH.len()).map(|d| {
            let all = 0..1u32 << d;
            all.clone().map(|t| all.clone().map(|chi| sign(t, chi)).collect()).collect()
        });
        let mut flats = Vec::new();
        let mut containing = vec![Vec::new(); kinds.len()];
        let mut sums = 0;
        for (dimension, flat) in sets {
            let base = flat.trailing_zeros();
            let coordinates = coordinates(shifted(flat, base));
            let inside = |t: u32| (flat >> t & 1 == 1).then(|| coordinates[(t ^ base) as usize]);
            for (list, &kind) in containing.iter_mut().zip(&kinds) {
                list.extend(inside(kind).map(|at| (flats.len(), at)));
            }
            let even = even.iter().enumerate();
            let even = even.filter_map(|(i, &t)| Some((i, inside(t ^ base)?))).collect();
            let odd_kinds = (flat & all).count_ones() as i16;
            flats.push(Flat { dimension, start: sums, odd_kinds, even });
            sums += 1 << dimension;
        }
        Odd { c, kinds, even: even.to_vec(), flats, containing, signs: signs.collect(), sums }
    }

    /// Whether the odd kinds can be assigned if the even kinds have these values.
    pub(super) fn can_extend(&self, values: &[i32], budget: &mut Budget) -> Result<bool, Limit> {
        let excess =
            4 * (self.c.pow(2) + values.iter().map(|e| e * e).sum::<i32>()) - self.kinds.len() as i32;
        if excess < 0 {
            return Ok(false);
        }
        let mut bounds = vec![2 * self.c as i16; self.sums];
        for flat in &self.flats {
            for &(i, at) in flat.even.iter().filter(|(i, _)| values[*i] != 0) {
                let signs = &self.signs[flat.dimension][at];
                let bounds = &mut bounds[flat.start..][..signs.len()];
                let twice = 2 * values[i] as i16;
                let less =
                    |(bound, sign): (&mut i16, &i16)| *bound = bound.wrapping_sub(twice.wrapping_mul(*sign));
                bounds.iter_mut().zip(signs).for_each(less);
            }
        }
        let span = values.iter().zip(&self.even).filter(|(e, _)| **e != 0);
        let span = span.fold(1u128, |span, (_, &t)| span | shifted(span, t));
        let open = self.flats.iter().map(|flat| flat.odd_kinds).collect();
        let mut state = State { bounds, sums: vec![0; self.sums], open };
        self.assign(0, excess, span, &mut state, budget)
    }

    /// Assigns a value to kind `at`. `excess` bounds the sum of a(t)² - 1 over the open kinds. Signs are free outside
    /// `span`.
    fn assign(
        &self,
        at: usize,
        excess: i32,
        span: u128,
        state: &mut State,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        budget.node()?;
        let Some(kind) = self.kinds.get(at) else { return Ok(true) };
        let difference = kind ^ self.kinds[0];
        let free = at == 0 || span >> difference & 1 == 0;
        let span = if free { span | shifted(span, difference) } else { span };
        for size in (1..2 * self.c).step_by(2).take_while(|size| size * size - 1 <= excess) {
            let excess = excess - (size * size - 1);
            for value in [size, -size] {
                if free && value < 0 {
                    continue;
                }
                let (added, fits) = self.add(at, value as i16, 2 * (excess / 8) as i16, state);
                let found = fits && self.assign(at + 1, excess, span, state, budget)?;
                self.remove(at, value as i16, added, state);
                if found {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Adds a value to the sums of the subspaces that contain the kind, up to the first subspace whose other kinds cannot
    /// compensate. `more` bounds the sum of |a(t)| - 1 over the open kinds. Returns the number of subspaces, and whether
    /// all can compensate.
    fn add(&self, at: usize, value: i16, more: i16, state: &mut State) -> (usize, bool) {
        for (done, &(flat, place)) in (1..).zip(&self.containing[at]) {
            let Flat { dimension, start, .. } = self.flats[flat];
            let signs = &self.signs[dimension][place];
            state.open[flat] -= 1;
            let rest = if state.open[flat] == 0 { 0 } else { state.open[flat] + more };
            let (sums, bounds) =
                (&mut state.sums[start..][..signs.len()], &state.bounds[start..][..signs.len()]);
            let mut exceeded = 0;
            for ((sum, bound), sign) in sums.iter_mut().zip(bounds).zip(signs) {
                *sum = sum.wrapping_add(value.wrapping_mul(*sign));
                exceeded |= i16::from(sum.wrapping_abs() > bound.wrapping_add(rest));
            }
            if exceeded != 0 {
                return (done, false);
            }
        }
        (self.containing[at].len(), true)
    }

    /// Undoes [`Self::add`].
    fn remove(&self, at: usize, value: i16, added: usize, state: &mut State) {
        for &(flat, place) in &self.containing[at][..added] {
            let Flat { dimension, start, .. } = self.flats[flat];
            let signs = &self.signs[dimension][place];
            state.open[flat] += 1;
            let sums = &mut state.sums[start..][..signs.len()];
            sums.iter_mut()
                .zip(signs)
                .for_each(|(sum, sign)| *sum = sum.wrapping_sub(value.wrapping_mul(*sign)));
        }
    }
}

/// An order in which the assigned kinds soon fill subspaces. Each step takes the kind that fills subspaces with the most
/// odd kinds.
fn order(all: u128, sets: &[(usize, u128)]) -> Vec<u32> {
    let (mut open, mut order) = (all, Vec::new());
    while let Some(best) = elements(open).max_by_key(|&t| {
        let filled = sets.iter().filter(|(_, flat)| flat & open == 1 << t);
        (filled.map(|(_, flat)| (flat & all).count_ones()).sum::<u32>(), u32::MAX - t)
    }) {
        open &= !(1 << best);
        order.push(best);
    }
    order
}

/// For each element of a subspace, its coordinates along a basis.
fn coordinates(space: u128) -> [usize; 128] {
    let mut coordinates = [0; 128];
    let (mut span, mut dimension) = (1u128, 0);
    while let Some(t) = elements(space & !span).next() {
        elements(span).for_each(|u| coordinates[(u ^ t) as usize] = coordinates[u as usize] | 1 << dimension);
        (span, dimension) = (span | shifted(span, t), dimension + 1);
    }
    coordinates
}
