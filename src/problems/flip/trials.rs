//! Boards that hurt programs: both colours, edges and corners, boards that are done, boards that nothing solves; and
//! ways to make a board simpler.

use super::{Instance, Rules};
use crate::board::{Bits, Digits, Size};
use crate::problem::{MakeGame, Promise, Trial};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// All of them.
pub const TRIALS: &[Trial<Rules, Instance>] = &[
    promised(
        "patterns",
        "all boards with up to three squares of a colour, those with fewest first",
        |rules, round, _| {
            let size = size(rules)?;
            board(size, pattern(size.cells(), round))
        },
    ),
    promised("few", "up to four presses away from white or black", |rules, _, rng| {
        let presses = rng.random_range(1..=4);
        pressed(rules, presses, |_, _, _| true, rng)
    }),
    promised("many", "any number of presses away from white or black", |rules, _, rng| {
        let presses = rng.random_range(5..=10);
        pressed(rules, presses, |_, _, _| true, rng)
    }),
    promised("any", "each square of a random colour; most cannot be solved", |rules, _, rng| {
        let size = size(rules)?;
        let black: Vec<_> = (0..size.cells()).filter(|_| rng.random()).collect();
        board(size, black)
    }),
    promised("done", "boards of one colour already", |rules, round, _| {
        let size = size(rules)?;
        board(size, (0..size.cells()).filter(|_| round % 2 == 1).collect())
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
    Trial { name, about, promise: Promise::Promised, make }
}

/// The judge's size, unless the rules name one.
fn size(rules: &Rules) -> Result<Size, String> {
    if rules.colours != 2 {
        return Err("programs are put under stress with two colours only".to_owned());
    }
    Ok(rules.size.unwrap_or(Size::new(4, 4)))
}

fn board(size: Size, black: Vec<usize>) -> Result<Instance, String> {
    Ok(Instance { size, squares: Bits::from_indices(size.cells(), black).into() })
}

/// The squares of pattern number `round`: none, each single one, all pairs, all triples, and then again; of each
/// also the complement.
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
    // The combination of that number, in the order of its greatest square, then of the next one.
    for k in (1..=wanted).rev() {
        let choose = |n: usize| (0..k).fold(1, |c, i| c * n.saturating_sub(i) / (i + 1));
        let greatest = (0..cells).rev().find(|&n| choose(n) <= left).unwrap_or(0);
        left -= choose(greatest);
        marked.push(greatest);
    }
    (0..cells).filter(|i| marked.contains(i) == round.is_multiple_of(2)).collect()
}

/// A board of one colour, pressed on so many random squares of those that may be.
fn pressed(
    rules: &Rules,
    presses: usize,
    may: fn(Size, u32, u32) -> bool,
    rng: &mut ChaCha8Rng,
) -> Result<Instance, String> {
    let size = size(rules)?;
    let may: Vec<_> = size.iter().filter(|cell| may(size, cell.row, cell.col)).collect();
    let mut black = if rng.random() { Bits::ones(size.cells()) } else { Bits::zeros(size.cells()) };
    for _ in 0..presses {
        let cell = may[rng.random_range(0..may.len())];
        rules.stencil.squares(size, cell).into_iter().for_each(|cell| black.flip(size.index(cell)));
    }
    Ok(Instance { size, squares: black.into() })
}

/// Boards with fewer black squares: one or two of them turned white, or all squares turned over.
pub fn smaller(instance: &Instance) -> Vec<Instance> {
    let (size, cells) = (instance.size, instance.size.cells());
    let black: Vec<_> = instance.squares.odd().iter().collect();
    let with = |black: Vec<usize>| Instance { size, squares: Digits::from(Bits::from_indices(cells, black)) };
    let without = |gone: &[usize]| with(black.iter().filter(|i| !gone.contains(i)).copied().collect());
    let mut found = Vec::new();
    if 2 * black.len() > cells {
        found.push(with((0..cells).filter(|i| !black.contains(i)).collect()));
    }
    found.extend(black.iter().map(|&i| without(&[i])));
    found.extend(
        black
            .iter()
            .flat_map(|&j| black.iter().filter(move |&&i| i < j).map(move |&i| [i, j]))
            .map(|p| without(&p)),
    );
    found
}
