//! Boards that expose faulty programs, and ways to simplify a board.
//!
//! These include boards that need presses on edges and in corners, boards that are already solved, and boards without a
//! solution.

use super::{Instance, Rules, Stencil, Target};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Bits, Digits, Group, Size, Symmetry};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Effort, MakeGame, Promise, Trial};
use rand::RngExt;

/// All kinds of boards.
pub const TRIALS: &[Trial<Rules, Instance>] = &[
    promised(
        "patterns",
        "all boards in which one colour has at most three squares, fewest squares first",
        |rules, round, _| {
            let size = size(rules)?;
            board(size, pattern(size.cells(), round))
        },
    ),
    promised("few", "up to four presses away from a solved board", |rules, _, rng| {
        let presses = rng.random_range(1..=4);
        pressed(rules, presses, |_, _, _| true, rng)
    }),
    promised("many", "up to ten presses away from a solved board", |rules, _, rng| {
        let presses = rng.random_range(5..=10);
        pressed(rules, presses, |_, _, _| true, rng)
    }),
    promised("any", "random colours; most of these boards cannot be solved", |rules, _, rng| {
        let size = size(rules)?;
        let black: Vec<_> = (0..size.cells()).filter(|_| rng.random()).collect();
        board(size, black)
    }),
    promised("done", "boards that are already solved", |rules, round, _| {
        let size = size(rules)?;
        Ok(Instance { size, squares: solved(rules, size, round % 2 == 1).into() })
    }),
    promised("edges", "presses on the edges only", |rules, _, rng| {
        let presses = rng.random_range(1..=5);
        pressed(
            rules,
            presses,
            |size, row, col| row == 0 || col == 0 || row + 1 == size.height || col + 1 == size.width,
            rng,
        )
    }),
    promised("last-column", "presses in the last column only", |rules, _, rng| {
        let presses = rng.random_range(1..=3);
        pressed(rules, presses, |size, _, col| col + 1 == size.width, rng)
    }),
    promised("last-row", "presses in the last row only", |rules, _, rng| {
        let presses = rng.random_range(1..=3);
        pressed(rules, presses, |size, row, _| row + 1 == size.height, rng)
    }),
];

const fn promised(
    name: &'static str,
    about: &'static str,
    make: MakeGame<Rules, Instance>,
) -> Trial<Rules, Instance> {
    Trial { name, about, promise: Promise::Promised, effort: Effort::Quick, make }
}

/// The size that the rules name, or else the judge's.
fn size(rules: &Rules) -> Result<Size, GenerateError> {
    if rules.colours != 2 {
        return Err("programs are tested with two colours only".into());
    }
    Ok(rules.size.unwrap_or(Size::new(4, 4)))
}

fn board(size: Size, black: Vec<usize>) -> Result<Instance, GenerateError> {
    Ok(Instance { size, squares: Bits::from_indices(size.cells(), black).into() })
}

/// The black squares of pattern number `round`: no square, then each single square, each pair and each triple of
/// squares, then the same again. After each pattern comes its complement.
fn pattern(cells: usize, round: u64) -> Vec<usize> {
    let mut left = (round / 2) as usize;
    let mut marked: Vec<usize> = Vec::new();
    let sizes = [1, cells, cells * cells.saturating_sub(1) / 2];
    let triples = sizes[2] * cells.saturating_sub(2) / 3;
    left %= sizes.iter().sum::<usize>() + triples;
    let mut wanted = 0;
    for size in sizes {
        if left < size {
            break;
        }
        left -= size;
        wanted += 1;
    }
    // Unrank the combination in colexicographic order (the combinatorial number system).
    for k in (1..=wanted).rev() {
        let choose = |n: usize| (0..k).fold(1, |c, i| c * n.saturating_sub(i) / (i + 1));
        let greatest = (0..cells).rev().find(|&n| choose(n) <= left).unwrap_or(0);
        left -= choose(greatest);
        marked.push(greatest);
    }
    (0..cells).filter(|i| marked.contains(i) == round.is_multiple_of(2)).collect()
}

/// The target board or, if the target is a colour, a white or black board. From both, boards of the other colour can be
/// reached (Sutner 1989), so presses on either make boards that can be solved.
fn solved(rules: &Rules, size: Size, is_black: bool) -> Bits {
    match &rules.target {
        Target::Board(board) => board.squares.odd().clone(),
        _ if is_black => Bits::ones(size.cells()),
        _ => Bits::zeros(size.cells()),
    }
}

/// A solved board after `presses` presses, each on a random square for which `may` holds.
fn pressed(
    rules: &Rules,
    presses: usize,
    may: fn(Size, u32, u32) -> bool,
    rng: &mut ChaCha8Rng,
) -> Result<Instance, GenerateError> {
    let size = size(rules)?;
    let may: Vec<_> = size.iter().filter(|cell| may(size, cell.row, cell.col)).collect();
    let mut black = solved(rules, size, rng.random());
    for _ in 0..presses {
        let cell = may[rng.random_range(0..may.len())];
        rules.stencil.squares(size, cell).into_iter().for_each(|cell| black.flip(size.index(cell)));
    }
    Ok(Instance { size, squares: black.into() })
}

/// The maximum number of squares of a board for which [`smaller`] tries all boards with two black squares.
const FEW_CELLS: usize = 25;
/// The maximum number of squares of a board for which [`smaller`] replaces two black squares by one and, on n×n, tries
/// all boards with three or four black squares up to symmetry.
const TINY_CELLS: usize = 16;

/// Returns simpler boards: those with up to two black squares (on small boards, up to four), the complement, the boards
/// after one press, those with one or two black squares turned white, and those in which one black square replaces two.
/// Only boards with fewer black squares than `instance` are returned.
pub fn smaller(instance: &Instance) -> Vec<Instance> {
    let (size, cells) = (instance.size, instance.size.cells());
    let black: Vec<_> = instance.squares.odd().iter().collect();
    let with = |black: Vec<usize>| Instance { size, squares: Digits::from(Bits::from_indices(cells, black)) };
    let without = |gone: &[usize]| black.iter().filter(|i| !gone.contains(i)).copied().collect::<Vec<_>>();
    let mut found = vec![Vec::new()];
    found.extend((0..cells).map(|i| vec![i]));
    if cells <= FEW_CELLS {
        found.extend((0..cells).flat_map(|j| (0..j).map(move |i| vec![i, j])));
    }
    if cells <= TINY_CELLS && size.width == size.height {
        found.extend((3..5).filter(|&count| count < black.len()).flat_map(|count| unlike(size, count)));
    }
    found.push((0..cells).filter(|i| !black.contains(i)).collect());
    found.extend(size.iter().map(|cell| {
        let turned: Vec<_> =
            Stencil::Plus.squares(size, cell).into_iter().map(|cell| size.index(cell)).collect();
        let added = turned.iter().filter(|i| !black.contains(i)).copied();
        without(&turned).into_iter().chain(added).collect()
    }));
    found.extend(black.iter().map(|&i| without(&[i])));
    let pairs = || black.iter().flat_map(|&j| black.iter().filter(move |&&i| i < j).map(move |&i| [i, j]));
    found.extend(pairs().map(|pair| without(&pair)));
    if cells <= TINY_CELLS {
        let others =
            |pair: [usize; 2]| (0..cells).map(move |i| (pair, i)).filter(|(_, i)| !black.contains(i));
        found.extend(pairs().flat_map(others).map(|(pair, i)| [without(&pair), vec![i]].concat()));
    }
    found.retain(|left| left.len() < black.len());
    found.into_iter().map(with).collect()
}

/// All sets of `count` squares of an n×n board up to symmetry: one representative of each orbit of D4.
fn unlike(size: Size, count: usize) -> Vec<Vec<usize>> {
    let image = |set: &[usize], symmetry: &Symmetry| {
        let moved = set.iter().map(|&i| size.index(symmetry.apply(size.width, size.cell(i))));
        moved.fold(0u32, |mask, i| mask | 1 << i)
    };
    let set = |mask: u32| (0..size.cells()).filter(|i| mask >> i & 1 == 1).collect::<Vec<_>>();
    let masks = (0..1u32 << size.cells()).filter(|mask| mask.count_ones() as usize == count);
    let sets = masks.map(|mask| (mask, set(mask)));
    let first = |(mask, set): &(u32, Vec<usize>)| Group::D4.elements().iter().all(|s| image(set, s) >= *mask);
    sets.filter(first).map(|(_, set)| set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;
    use rand::SeedableRng;
    use std::sync::Arc;

    #[test]
    fn each_orbit_has_one_representative() {
        // Burnside's lemma gives these numbers for 4x4.
        let size = Size::new(4, 4);
        assert_eq!([1, 2, 3, 4].map(|count| unlike(size, count).len()), [3, 21, 77, 252]);
    }

    #[test]
    fn pressed_boards_can_be_solved_for_a_target() {
        let size = Size::new(3, 2);
        let target = Instance { size, squares: Bits::from_indices(6, [0, 4]).into() };
        for stencil in [Stencil::Plus, Stencil::King, Stencil::Cross, Stencil::Torus] {
            let target = Target::Board(Arc::new(target.clone()));
            let rules =
                Rules { size: Some(size), colours: 2, stencil, target, goal: Goal::Fewest, within: None };
            // The boards from which presses lead to the target.
            let reached = (0..1u32 << 6).map(|presses| {
                let mut black = Bits::from_indices(6, [0, 4]);
                for cell in size.iter().filter(|&cell| presses >> size.index(cell) & 1 == 1) {
                    stencil.squares(size, cell).into_iter().for_each(|cell| black.flip(size.index(cell)));
                }
                Instance { size, squares: black.into() }
            });
            let reached: Vec<Instance> = reached.collect();
            for trial in TRIALS.iter().filter(|trial| !["patterns", "any"].contains(&trial.name)) {
                for round in 0..20 {
                    let mut rng = ChaCha8Rng::seed_from_u64(round);
                    let board = (trial.make)(&rules, round, &mut rng).unwrap();
                    assert!(reached.contains(&board), "{} {stencil:?} {round}", trial.name);
                }
            }
        }
    }

    #[test]
    fn smaller_boards_have_fewer_black_squares() {
        let size = Size::new(4, 4);
        for mask in (0..1u32 << 16).step_by(257) {
            let black: Vec<_> = (0..16).filter(|i| mask >> i & 1 == 1).collect();
            let board = Instance { size, squares: Digits::from(Bits::from_indices(16, black.clone())) };
            let counts = smaller(&board).into_iter().map(|board| board.squares.odd().iter().count());
            assert!(counts.clone().all(|count| count < black.len()), "{mask:b}");
            assert_eq!(counts.count() == 0, black.is_empty());
        }
    }
}
