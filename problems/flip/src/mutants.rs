//! Programs for the Flip Game with one fault each.
//!
//! They list all solutions of a board of up to 16 squares by elimination, and choose what to print.

use super::{Goal, Instance, Rules, Stencil, Target};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::problem::{Mutant, MutantOutput};

/// All faulty programs.
pub const MUTANTS: &[Mutant<Rules, Instance>] = &[
    mutant("white-only", "looks for white boards only", |r, g| {
        output(r, g, &Program { colours: Colours::These(&[0]), ..RIGHT })
    }),
    mutant("black-only", "looks for black boards only", |r, g| {
        output(r, g, &Program { colours: Colours::These(&[1]), ..RIGHT })
    }),
    mutant("done-impossible", "says Impossible if no press is needed", |r, g| {
        output(r, g, &Program { done: "Impossible", ..RIGHT })
    }),
    mutant("no-first-row", "presses nothing in the first row", |r, g| {
        output(r, g, &Program { may: |size, presses| presses & row(size, 0) == 0, ..RIGHT })
    }),
    mutant(
        "no-last-row",
        "presses nothing in the last row, or stores its presses in bits beyond the board",
        |r, g| {
            output(r, g, &Program { may: |size, presses| presses & row(size, size.height - 1) == 0, ..RIGHT })
        },
    ),
    mutant("no-first-column", "presses nothing in the first column", |r, g| {
        output(r, g, &Program { may: |size, presses| presses & column(size, 0) == 0, ..RIGHT })
    }),
    mutant("no-last-column", "presses nothing in the last column", |r, g| {
        output(r, g, &Program { may: |size, presses| presses & column(size, size.width - 1) == 0, ..RIGHT })
    }),
    mutant("most", "takes the most presses instead of the fewest", |r, g| {
        output(r, g, &Program { chosen: Chosen::Most, ..RIGHT })
    }),
    mutant(
        "first",
        "tries first rows in order and takes the first solution, not the fewest presses",
        |r, g| output(r, g, &Program { chosen: Chosen::First, ..RIGHT }),
    ),
    mutant("up-to-five", "looks no further than five presses", |r, g| {
        output(r, g, &Program { may: |_, presses| presses.count_ones() <= 5, ..RIGHT })
    }),
    mutant("up-to-four", "looks no further than four presses", |r, g| {
        output(r, g, &Program { may: |_, presses| presses.count_ones() <= 4, ..RIGHT })
    }),
    mutant("up-to-three", "looks no further than three presses", |r, g| {
        output(r, g, &Program { may: |_, presses| presses.count_ones() <= 3, ..RIGHT })
    }),
    mutant(
        "first-mask",
        "takes the first solution in the order of bit masks, not the fewest presses",
        |r, g| output(r, g, &Program { chosen: Chosen::FirstMask, ..RIGHT }),
    ),
    mutant("count", "prints the number of solutions instead of the fewest presses", |r, g| {
        output(r, g, &Program { chosen: Chosen::Count, ..RIGHT })
    }),
    mutant("one-more", "prints one press too many", |r, g| {
        output(r, g, &Program { chosen: Chosen::OneMore, ..RIGHT })
    }),
    mutant("one-press", "presses at least once", |r, g| {
        output(r, g, &Program { may: |_, presses| presses != 0, ..RIGHT })
    }),
    mutant("majority", "tries only the colour that most squares have, or black if both have half", |r, g| {
        output(r, g, &Program { colours: Colours::Most, ..RIGHT })
    }),
    mutant("not-itself", "turns over the neighbours of a square, but not the square itself", |r, g| {
        output(r, g, &Program { turned: &[(-1, 0), (0, -1), (0, 1), (1, 0)], ..RIGHT })
    }),
    mutant("diagonals", "turns over the diagonal neighbours, too", |r, g| {
        let turned = &[(0, 0), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        output(r, g, &Program { turned, ..RIGHT })
    }),
    mutant("only-diagonals", "turns over the diagonal neighbours instead of the orthogonal ones", |r, g| {
        output(r, g, &Program { turned: &[(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)], ..RIGHT })
    }),
    mutant("not-above", "does not turn over the square above", |r, g| {
        output(r, g, &Program { turned: &[(0, 0), (0, -1), (0, 1), (1, 0)], ..RIGHT })
    }),
    mutant("not-left", "does not turn over the square to the left", |r, g| {
        output(r, g, &Program { turned: &[(0, 0), (-1, 0), (0, 1), (1, 0)], ..RIGHT })
    }),
    mutant("not-below", "does not turn over the square below", |r, g| {
        output(r, g, &Program { turned: &[(0, 0), (-1, 0), (0, -1), (0, 1)], ..RIGHT })
    }),
    mutant("not-right", "does not turn over the square to the right", |r, g| {
        output(r, g, &Program { turned: &[(0, 0), (-1, 0), (0, -1), (1, 0)], ..RIGHT })
    }),
    mutant("not-left-right", "does not turn over the squares to the left and to the right", |r, g| {
        output(r, g, &Program { turned: &[(0, 0), (-1, 0), (1, 0)], ..RIGHT })
    }),
    mutant("not-above-below", "does not turn over the squares above and below", |r, g| {
        output(r, g, &Program { turned: &[(0, 0), (0, -1), (0, 1)], ..RIGHT })
    }),
    mutant("torus-rows", "turns over the square at the other end of the row", |r, g| {
        output(r, g, &Program { edges: Edges::RowsClose, ..RIGHT })
    }),
    mutant("torus-columns", "turns over the square at the other end of the column", |r, g| {
        output(r, g, &Program { edges: Edges::ColumnsClose, ..RIGHT })
    }),
    mutant("whole-lines", "turns over the whole row and column of a square", |r, g| {
        let turned = &[
            (0, 0),
            (-3, 0),
            (-2, 0),
            (-1, 0),
            (1, 0),
            (2, 0),
            (3, 0),
            (0, -3),
            (0, -2),
            (0, -1),
            (0, 1),
            (0, 2),
            (0, 3),
        ];
        output(r, g, &Program { turned, ..RIGHT })
    }),
    mutant("torus", "turns over squares on the opposite edge", |r, g| {
        output(r, g, &Program { edges: Edges::Meet, ..RIGHT })
    }),
    mutant(
        "row-ends",
        "treats the last square of a row and the first square of the next row as neighbours",
        |r, g| output(r, g, &Program { edges: Edges::RowsFollow, ..RIGHT }),
    ),
    mutant(
        "last-column-unguarded",
        "treats the first square of the next row as the right neighbour of a row's last square",
        |r, g| output(r, g, &Program { edges: Edges::RightFollows, ..RIGHT }),
    ),
    mutant(
        "last-column-spills",
        "treats the first square of the next row as the right neighbour of a row's last square, and never presses the \
         board's last square",
        |r, g| {
            let may = |size: Size, presses: u32| presses >> (size.cells() - 1) & 1 == 0;
            output(r, g, &Program { edges: Edges::RightFollows, may, ..RIGHT })
        },
    ),
    mutant(
        "first-column-unguarded",
        "treats the last square of the previous row as the left neighbour of a row's first square",
        |r, g| output(r, g, &Program { edges: Edges::LeftFollows, ..RIGHT }),
    ),
    mutant("zero-impossible", "prints 0 instead of Impossible", |r, g| {
        output(r, g, &Program { impossible: "0", ..RIGHT })
    }),
    mutant("minus-one", "prints -1 instead of Impossible", |r, g| {
        output(r, g, &Program { impossible: "-1", ..RIGHT })
    }),
    mutant("always-impossible", "says Impossible to every board", |r, g| {
        output(r, g, &Program { may: |_, _| false, ..RIGHT })
    }),
];

const fn mutant(
    name: &'static str,
    fault: &'static str,
    output: MutantOutput<Rules, Instance>,
) -> Mutant<Rules, Instance> {
    Mutant { name, fault, output }
}

/// How a program solves a board.
struct Program {
    /// The squares that a press turns over, as offsets (rows down, columns right) from the square pressed.
    turned: &'static [(i64, i64)],
    edges: Edges,
    /// The colours that the program accepts at the end.
    colours: Colours,
    /// Whether the program considers a set of presses.
    may: fn(Size, u32) -> bool,
    chosen: Chosen,
    /// What the program prints if it finds no solution.
    impossible: &'static str,
    /// What the program prints if no press is needed.
    done: &'static str,
}

/// The colours that a program accepts at the end: 0 for white, 1 for black.
enum Colours {
    These(&'static [u32]),
    /// The colour of most squares; black if both colours have half.
    Most,
}

/// What lies beyond an edge of the board.
#[derive(PartialEq)]
enum Edges {
    Nothing,
    /// The opposite edge.
    Meet,
    /// Beyond the end of a row lies its other end.
    RowsClose,
    /// Beyond the end of a column lies its other end.
    ColumnsClose,
    /// Beyond the end of a row lies the next row; before its beginning lies the previous row.
    RowsFollow,
    /// To the right of the last square of a row lies the first square of the next row.
    RightFollows,
    /// To the left of the first square of a row lies the last square of the previous row.
    LeftFollows,
}

/// Which solution the program reports.
enum Chosen {
    Fewest,
    Most,
    /// The one whose first row has the smallest bit mask; among equals, one that leads to white.
    First,
    /// The first one in the order of bit masks.
    FirstMask,
    /// None: the program reports the number of solutions.
    Count,
    /// None: the program reports one press more than the fewest.
    OneMore,
}

/// The program without a fault.
const RIGHT: Program = Program {
    turned: &[(0, 0), (-1, 0), (0, -1), (0, 1), (1, 0)],
    edges: Edges::Nothing,
    colours: Colours::These(&[0, 1]),
    may: |_, _| true,
    chosen: Chosen::Fewest,
    impossible: "Impossible",
    done: "0",
};

/// The maximum number of squares of a board.
const MAX_CELLS: usize = 16;

fn row(size: Size, row: u32) -> u32 {
    mask(size, |cell| cell.row == row)
}

fn column(size: Size, col: u32) -> u32 {
    mask(size, |cell| cell.col == col)
}

fn mask(size: Size, has: impl Fn(Cell) -> bool) -> u32 {
    size.iter().filter(|&cell| has(cell)).fold(0, |mask, cell| mask | 1 << size.index(cell))
}

/// The output of the program from which each mutant differs in one place. It has no known bug. `None` where a mutant
/// prints nothing either: under other rules than the judge's, or if a board is too large.
pub fn faultless(rules: &Rules, games: &[&Instance]) -> Option<String> {
    output(rules, games, &RIGHT)
}

/// What the program prints for the boards; `None` under other rules than the judge's, or if a board is too large.
fn output(rules: &Rules, games: &[&Instance], program: &Program) -> Option<String> {
    let judged = rules.colours == 2
        && rules.stencil == Stencil::Plus
        && rules.target == Target::Either
        && rules.goal == Goal::Fewest;
    if !judged {
        return None;
    }
    games.iter().map(|game| presses(game, program)).collect()
}

/// The line that the program prints for a board; `None` if the board has more than [`MAX_CELLS`] squares.
fn presses(game: &Instance, program: &Program) -> Option<String> {
    let (size, cells) = (game.size, game.size.cells());
    if cells > MAX_CELLS {
        return None;
    }
    let board = game.squares.odd().iter().fold(0u32, |board, i| board | 1 << i);
    let full = (1u32 << cells) - 1;
    let single: Vec<u32> = size.iter().map(|cell| turned(size, cell, program)).collect();
    let colours = match program.colours {
        Colours::These(colours) => colours,
        Colours::Most if 2 * board.count_ones() as usize >= cells => &[1],
        Colours::Most => &[0],
    };
    // Whether a solution ends with black squares, and its presses.
    let ends = colours.iter().map(|&colour| (colour == 1, board ^ (colour * full)));
    let all = ends
        .flat_map(|(black, wanted)| presses_that_turn(&single, wanted).into_iter().map(move |x| (black, x)));
    let mut solutions: Vec<(bool, u32)> = all.filter(|&(_, presses)| (program.may)(size, presses)).collect();
    let least = solutions.iter().map(|(_, presses)| presses.count_ones()).min();
    let number = match program.chosen {
        Chosen::Fewest => least,
        Chosen::Most => solutions.iter().map(|(_, presses)| presses.count_ones()).max(),
        Chosen::FirstMask => solutions.iter().map(|&(_, presses)| presses).min().map(u32::count_ones),
        Chosen::Count => u32::try_from(solutions.len()).ok().filter(|&count| count > 0),
        Chosen::OneMore => least.map(|least| least + 1),
        Chosen::First => {
            solutions.sort_by_key(|&(black, presses)| (presses & row(size, 0), black, presses));
            solutions.first().map(|(_, presses)| presses.count_ones())
        }
    };
    Some(match number {
        None => format!("{}\n", program.impossible),
        Some(0) => format!("{}\n", program.done),
        Some(number) => format!("{number}\n"),
    })
}

/// All sets of presses that turn over the squares `wanted` and no others, if a press of square `i` turns over `single[i]`.
/// By elimination over GF(2): the sets are one solution plus all sums of presses that cancel each other.
fn presses_that_turn(single: &[u32], wanted: u32) -> Vec<u32> {
    // Sets of squares with different leading squares, each with presses that turn it over.
    let mut basis: Vec<(u32, u32)> = Vec::new();
    let reduced = |basis: &[(u32, u32)], squares: u32, presses: u32| {
        basis.iter().fold((squares, presses), |(squares, presses), &(others, by)| {
            if squares ^ others < squares { (squares ^ others, presses ^ by) } else { (squares, presses) }
        })
    };
    let mut cancelling = Vec::new();
    for (i, &squares) in single.iter().enumerate() {
        match reduced(&basis, squares, 1 << i) {
            (0, presses) => cancelling.push(presses),
            rest => basis.push(rest),
        }
    }
    let (0, first) = reduced(&basis, wanted, 0) else { return Vec::new() };
    let mut sets = vec![first];
    for presses in cancelling {
        sets.extend_from_within(..);
        let half = sets.len() / 2;
        sets[half..].iter_mut().for_each(|set| *set ^= presses);
    }
    sets
}

/// The mask of the squares that a press of `at` turns over.
fn turned(size: Size, at: Cell, program: &Program) -> u32 {
    let (w, h) = (i64::from(size.width), i64::from(size.height));
    let mut mask = 0;
    for (down, right) in program.turned {
        let (row, col) = (i64::from(at.row) + down, i64::from(at.col) + right);
        let (in_rows, in_columns) = ((0..h).contains(&row), (0..w).contains(&col));
        let inside = match program.edges {
            Edges::Nothing => in_rows && in_columns,
            Edges::Meet => true,
            Edges::RowsClose => in_rows,
            Edges::ColumnsClose => in_columns,
            Edges::RowsFollow => (0..w * h).contains(&(row * w + col)),
            Edges::RightFollows => col >= 0 && in_rows && row * w + col < w * h,
            Edges::LeftFollows => col < w && in_rows && row * w + col >= 0,
        };
        if inside {
            mask ^= 1
                << match program.edges {
                    Edges::RowsFollow | Edges::RightFollows | Edges::LeftFollows => row * w + col,
                    _ => row.rem_euclid(h) * w + col.rem_euclid(w),
                };
        }
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
    use rand::RngExt;

    #[test]
    fn all_sets_of_presses_are_listed() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..1000 {
            // Few squares, so that many presses cancel each other.
            let single: Vec<u32> = (0..6).map(|_| rng.random_range(0..16)).collect();
            let wanted = rng.random_range(0..16);
            let turned =
                |presses: u32| (0..6).filter(|i| presses >> i & 1 == 1).fold(0, |all, i| all ^ single[i]);
            let expected: Vec<u32> = (0..1 << 6).filter(|&presses| turned(presses) == wanted).collect();
            let mut listed = presses_that_turn(&single, wanted);
            listed.sort_unstable();
            assert_eq!(listed, expected, "{single:?}, {wanted}");
        }
    }
}
