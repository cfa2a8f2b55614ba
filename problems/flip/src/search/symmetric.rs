//! Finds the solutions that a group of symmetries leaves unchanged: a coset of far lower dimension.
//!
//! If a symmetry g maps the board to itself, it maps solutions to solutions. If g fixes any solutions, these form a
//! coset of the space of null vectors that g fixes. The lightest solution that g fixes need not be the lightest
//! solution of all, so its weight is only an upper bound.

use counterpoint_core::board::{Bits, Size, Symmetry};

const MIRROR: Symmetry = Symmetry { turns: 0, mirrored: true };
const DIAGONAL: Symmetry = Symmetry { turns: 1, mirrored: true };
const QUARTER: Symmetry = Symmetry { turns: 1, mirrored: false };
const HALF: Symmetry = Symmetry { turns: 2, mirrored: false };

/// Groups of symmetries, each given by its generators: D4, the rotations, and the half turn with the identity.
pub(super) const TURNS: &[&[Symmetry]] = &[&[QUARTER, MIRROR], &[QUARTER], &[HALF]];

/// The subgroups of order two of D4 up to conjugacy, each given by its generator. Solutions fixed by a larger group are
/// among those fixed by one of these. One mirror stands for both mirrors, and one diagonal for both diagonals.
pub(crate) const PAIRS: &[&[Symmetry]] = &[&[HALF], &[MIRROR], &[DIAGONAL]];

/// Returns a solution that the symmetries fix, and a basis of the null vectors that they fix. Returns `None` if the
/// board is not square or if no such solution exists.
pub(super) fn fixed(
    size: Size,
    start: &Bits,
    null: &[Bits],
    generators: &[Symmetry],
) -> Option<(Bits, Vec<Bits>)> {
    if size.width != size.height {
        return None;
    }
    let (mut start, mut null) = (start.clone(), null.to_vec());
    for &symmetry in generators {
        // `moved(x)` is x + g(x), which is 0 iff g fixes x. The elimination below finds the kernel of this map.
        let moved = |bits: &Bits| {
            let image = bits.iter().map(|i| size.index(symmetry.apply(size.width, size.cell(i))));
            let mut moved = Bits::from_indices(size.cells(), image);
            moved.xor(bits);
            moved
        };
        let mut rest = moved(&start);
        let mut pairs: Vec<(Bits, Bits)> =
            null.iter().map(|vector| (moved(vector), vector.clone())).collect();
        null.clear();
        while let Some((moves, vector)) = pairs.pop() {
            let Some(lead) = moves.first() else {
                null.push(vector);
                continue;
            };
            for other in pairs.iter_mut().filter(|other| other.0.get(lead)) {
                other.0.xor(&moves);
                other.1.xor(&vector);
            }
            if rest.get(lead) {
                rest.xor(&moves);
                start.xor(&vector);
            }
        }
        if rest.first().is_some() {
            return None;
        }
    }
    Some((start, null))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stencil;
    use crate::search::plus::congruence;
    use counterpoint_core::engine::Budget;

    #[test]
    fn fixed_finds_all_symmetric_solutions() {
        for n in [4, 5, 9, 11, 14] {
            let size = Size::new(n, n);
            let all = Bits::ones(size.cells());
            let system = congruence(size, &mut Budget::unlimited()).unwrap();
            let (start, null) = (system.solve(&all).unwrap(), system.null().collect::<Vec<_>>());
            let turned = |presses: &Bits| {
                let mut board = Bits::zeros(size.cells());
                for i in presses.iter() {
                    Stencil::Plus
                        .squares(size, size.cell(i))
                        .into_iter()
                        .for_each(|c| board.flip(size.index(c)));
                }
                board
            };
            let keeps = |generators: &[Symmetry], presses: &Bits| {
                generators.iter().all(|symmetry| {
                    let image = presses.iter().map(|i| size.index(symmetry.apply(n, size.cell(i))));
                    Bits::from_indices(size.cells(), image) == *presses
                })
            };
            for &group in TURNS.iter().chain(PAIRS) {
                // Enumerate all solutions in Gray code order.
                let (mut solution, mut symmetric) = (start.clone(), 0);
                for step in 1u32..=1 << null.len() {
                    symmetric += u32::from(keeps(group, &solution));
                    null.get(step.trailing_zeros() as usize).into_iter().for_each(|v| solution.xor(v));
                }
                let Some((start, fixed_null)) = fixed(size, &start, &null, group) else {
                    assert_eq!(symmetric, 0, "{n} {group:?}");
                    continue;
                };
                assert_eq!(symmetric, 1 << fixed_null.len(), "{n} {group:?}");
                assert!(turned(&start) == all && keeps(group, &start));
                assert!(fixed_null.iter().all(|vector| turned(vector).count() == 0 && keeps(group, vector)));
            }
            assert_eq!(fixed(size, &start, &null, &[]), Some((start, null)));
        }
        assert_eq!(fixed(Size::new(2, 3), &Bits::zeros(6), &[], &[HALF]), None);
    }
}
