//! Boards on which programs fail, and ways to make a board smaller. The boards have, for example, many placements of
//! one covered set, very few rows, hits without misses, or headers that can be read in both orders.

use super::answer::Answer;
use super::families::fill::{fill, tight};
use super::{Dialect, Fleet, Instance, JUDGE_SIDE, MIN_SIDE, Poses, Rules, Ship, Square, families, write};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Cell, Size, Symmetry};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Effort, MakeGame, Param, Params, Promise, Trial};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Number of rounds at the start of the trial `small` in which every square is uncovered.
const ROUNDS_UNCOVERED: u64 = 5;

/// All trials.
pub const TRIALS: &[Trial<Rules, Instance>] = &[
    promised(
        "small",
        "small boards full of ships, with all squares uncovered, or all but a few",
        |rules, round, rng| match round {
            // Few fleets fit, so even a slow program answers these boards, and the shape of each ship matters.
            0..ROUNDS_UNCOVERED => random(rules, scaled(rules, (6, 6)), (1.0, 1.0), rng),
            _ => {
                let sides = [(6, 5), (5, 6), (6, 6)][rng.random_range(0..3)];
                tight(rules, scaled(rules, sides), up_to(8, round - ROUNDS_UNCOVERED), rng)
            }
        },
    ),
    promised("packed", "ships close together: many placements, but few covered sets", |rules, _, rng| {
        let sides = [(6, 5), (5, 6), (6, 6), (7, 5), (8, 4), (4, 8)][rng.random_range(0..6)];
        tight(rules, scaled(rules, sides), 8, rng)
    }),
    promised("cluster", "ships close together on a larger board of misses", |rules, _, rng| {
        let sides = [(6, 5), (5, 6), (6, 6), (8, 4), (4, 8)][rng.random_range(0..5)];
        Ok(framed(&tight(rules, scaled(rules, sides), 2, rng)?, 4, rng))
    }),
    promised("judge", "boards like the judge's: 10x10, with most squares uncovered", |rules, _, rng| {
        random(rules, scaled(rules, (10, 10)), (0.8, 0.98), rng)
    }),
    promised("thin", "boards of two or three rows or columns", |rules, _, rng| {
        let (short, long) = [(2, 16), (3, 10), (3, 11), (3, 13), (3, 16)][rng.random_range(0..5)];
        let sides = if rng.random() { (short, long) } else { (long, short) };
        tight(rules, scaled(rules, sides), 8, rng)
    }),
    promised("wide", "boards wider than high", |rules, _, rng| {
        let sides = (rng.random_range(9..=16), rng.random_range(5..=8));
        random(rules, scaled(rules, sides), (0.75, 0.97), rng)
    }),
    promised("high", "boards taller than wide", |rules, _, rng| {
        let sides = (rng.random_range(5..=8), rng.random_range(9..=16));
        random(rules, scaled(rules, sides), (0.75, 0.97), rng)
    }),
    heavy("hard", "hits and no misses", |rules, _, rng| {
        let size = scaled(rules, (rng.random_range(6..=12), rng.random_range(6..=12)));
        make(families::hard, families::HARD, rules, size, &[("hidden", rng.random_range(0.0..0.2))], rng)
    }),
    heavy("open", "few squares uncovered", |rules, _, rng| {
        let sides = (rng.random_range(7..=16), rng.random_range(7..=16));
        random(rules, scaled(rules, sides), (0.0, 0.5), rng)
    }),
    promised("uncovered", "all squares uncovered, or all but one or two", |rules, _, rng| {
        let sides = (rng.random_range(7..=16), rng.random_range(7..=16));
        let mut board = random(rules, scaled(rules, sides), (1.0, 1.0), rng)?;
        for _ in 0..rng.random_range(0..3) {
            let i = rng.random_range(0..board.squares.len());
            board.squares[i] = Square::Unknown;
        }
        Ok(board)
    }),
    promised("unmet", "one or two ships not hit yet, all other ships uncovered", unmet),
    promised("apart", "ships in the poses of the statement's drawing, none touching another", apart),
    promised(
        "astray",
        "a shot at the square that the fewest placements leave empty is not safe, but another shot is",
        misleading,
    ),
    promised("one-miss", "no square missed yet; every plan that wins may miss once", one_miss),
    heavy("largest", "boards of 16x16", |rules, _, rng| {
        random(rules, Size::new(JUDGE_SIDE, JUDGE_SIDE), (0.8, 0.99), rng)
    }),
    beyond("contradictory", "boards that often no fleet fits", |rules, _, rng| {
        let size = scaled(rules, (rng.random_range(7..=10), rng.random_range(7..=10)));
        let hits = [("hits", rules.fleet.ships.len() as f64 + 4.0)];
        make(families::contradictory, families::CONTRADICTORY, rules, size, &hits, rng)
    }),
    beyond("cramped", "boards too small for a fleet", |_, _, rng| {
        let size = Size::new(rng.random_range(MIN_SIDE..=5), rng.random_range(MIN_SIDE..=5));
        let square = |_| [Square::Unknown, Square::Hit, Square::Miss][rng.random_range(0..3)];
        Ok(Instance { size, squares: (0..size.cells()).map(square).collect() })
    }),
];

const fn promised(
    name: &'static str,
    about: &'static str,
    make: MakeGame<Rules, Instance>,
) -> Trial<Rules, Instance> {
    Trial { name, about, promise: Promise::Promised, effort: Effort::Quick, make }
}

const fn heavy(
    name: &'static str,
    about: &'static str,
    make: MakeGame<Rules, Instance>,
) -> Trial<Rules, Instance> {
    Trial { effort: Effort::Heavy, ..promised(name, about, make) }
}

const fn beyond(
    name: &'static str,
    about: &'static str,
    make: MakeGame<Rules, Instance>,
) -> Trial<Rules, Instance> {
    Trial { promise: Promise::Beyond, ..promised(name, about, make) }
}

/// Makes a board of a family.
type Make = fn(&Rules, &Params, &mut ChaCha8Rng) -> Result<Instance, GenerateError>;

/// The size of a board for the fleet: `sides` for the standard fleet. For another fleet, a board of similar proportions
/// that leaves at least as many squares empty, but with sides of at most [`JUDGE_SIDE`].
fn scaled(rules: &Rules, sides: (u32, u32)) -> Size {
    let (width, height) = sides;
    let standard = Fleet::standard().cells() as u32;
    let cells = width * height - standard + rules.fleet.cells() as u32;
    if cells == width * height {
        return Size::new(width, height);
    }
    // The random search of `fill` seldom fills a board for a larger fleet, so a few more squares stay empty.
    let cells = cells + (rules.fleet.cells() as u32).saturating_sub(standard) / 4;
    let factor = (f64::from(cells) / f64::from(width * height)).sqrt();
    let height = (f64::from(height) * factor).round() as u32;
    let height = height.max(cells.div_ceil(JUDGE_SIDE)).clamp(MIN_SIDE, JUDGE_SIDE);
    Size::new(cells.div_ceil(height).clamp(MIN_SIDE, JUDGE_SIDE), height)
}

/// A board of a family.
fn make(
    family: Make,
    params: &[Param],
    rules: &Rules,
    size: Size,
    others: &[(&str, f64)],
    rng: &mut ChaCha8Rng,
) -> Result<Instance, GenerateError> {
    let sides = [("w", f64::from(size.width)), ("h", f64::from(size.height))];
    let given = sides.iter().chain(others).map(|&(key, value)| (key.to_owned(), value.to_string()));
    family(rules, &Params::new(params, &given.collect::<Vec<_>>())?, rng)
}

/// A board with a random fleet. Each square is uncovered with the same probability, which is drawn between `min` and
/// `max`.
fn random(
    rules: &Rules,
    size: Size,
    (min, max): (f64, f64),
    rng: &mut ChaCha8Rng,
) -> Result<Instance, GenerateError> {
    let reveal = if min < max { rng.random_range(min..max) } else { min };
    make(families::random, families::RANDOM, rules, size, &[("reveal", reveal)], rng)
}

/// A board on which each ship lies as it is drawn, in a box of 4x4 squares of its own. No two boxes touch. At most two
/// squares are unknown.
fn apart(rules: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    const BOX: u32 = 4;
    let ships = &rules.fleet.ships;
    let size = Size::new(3 * (BOX + 1), 3 * (BOX + 1));
    let mut boxes: Vec<u32> = (0..9).collect();
    boxes.shuffle(rng);
    let extent = |along: fn(&Cell) -> u32, ship: &Ship| ship.cells.iter().map(along).max().unwrap_or(0) + 1;
    let mut board = Instance { size, squares: vec![Square::Miss; size.cells()] };
    for (ship, at) in ships.iter().zip(&boxes) {
        let (height, width) = (extent(|cell| cell.row, ship), extent(|cell| cell.col, ship));
        if height.max(width) > BOX || ships.len() > boxes.len() {
            return Err(format!(
                "the fleet has more than {} ships, or a ship larger than {BOX}x{BOX}",
                boxes.len()
            )
            .into());
        }
        let row = at / 3 * (BOX + 1) + rng.random_range(0..=BOX - height);
        let col = at % 3 * (BOX + 1) + rng.random_range(0..=BOX - width);
        for cell in &ship.cells {
            board.squares[size.index(Cell::new(row + cell.row, col + cell.col))] = Square::Hit;
        }
    }
    for _ in 0..rng.random_range(0..=2) {
        board.squares[rng.random_range(0..size.cells())] = Square::Unknown;
    }
    Ok(board)
}

/// A board made from two random fleets. Squares that both cover are hits; all other squares are unknown.
///
/// The standard fleet leaves two squares of a 6x5 board empty, both of the same colour of the chessboard because T
/// covers three squares of one colour and one of the other. If the two fleets leave different colours empty, then only
/// these two sets fit, and any shot that distinguishes them may miss. So the answer is "yes" if one miss is allowed and
/// "no" otherwise. No square of the board is a known miss. So a program is wrong here if it allows no miss,
/// but not if it counts the misses on the board towards the one that is allowed.
fn one_miss(rules: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    const MAX_DRAWS: usize = 20;
    let size = scaled(rules, if rng.random() { (6, 5) } else { (5, 6) });
    let mut draw = || fill(rules, size, rng);
    let black_cells = |fleet: &[Option<usize>]| {
        fleet
            .iter()
            .zip(size.iter())
            .filter(|(ship, at)| ship.is_some() && (at.row + at.col) % 2 == 0)
            .count()
    };
    let (first, mut second) = (draw()?, draw()?);
    for _ in 0..MAX_DRAWS {
        if black_cells(&first) != black_cells(&second) {
            break;
        }
        second = draw()?;
    }
    let square = |(a, b): (&Option<_>, &Option<_>)| {
        if a.is_some() && b.is_some() { Square::Hit } else { Square::Unknown }
    };
    Ok(Instance { size, squares: first.iter().zip(&second).map(square).collect() })
}

/// A board on which four sets fit, some of them with more placements than others.
const MISLEADING: [&str; 6] = ["oxxxo.", "xxx.o.", "oxxxox", "oxxxxx", "xxxxxx", "x..xxx"];

/// The board [`MISLEADING`], turned or mirrored at random, with missed squares around it. The mirror image of the
/// judge's fleet is that fleet itself, so the image of the board has the same answer.
fn misleading(_: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let symmetry = Symmetry { turns: rng.random_range(0..4), mirrored: rng.random() };
    let side = MISLEADING.len() as u32;
    let size = Size::new(side, side);
    let mut board = Instance { size, squares: vec![Square::Miss; size.cells()] };
    for (row, marks) in (0..).zip(MISLEADING) {
        for (col, mark) in (0..).zip(marks.chars()) {
            board.squares[size.index(symmetry.apply(side, Cell::new(row, col)))] = match mark {
                'x' => Square::Hit,
                'o' => Square::Miss,
                _ => Square::Unknown,
            };
        }
    }
    Ok(framed(&board, 3, rng))
}

/// Surrounds a board with up to `margin` rows or columns of misses on each side; fewer if the sides would exceed
/// [`JUDGE_SIDE`].
fn framed(board: &Instance, margin: u32, rng: &mut ChaCha8Rng) -> Instance {
    let margin = margin.min(JUDGE_SIDE.saturating_sub(board.size.width.max(board.size.height)) / 2);
    let [left, right, above, below] = std::array::from_fn(|_| rng.random_range(0..=margin));
    let size = Size::new(left + board.size.width + right, above + board.size.height + below);
    let mut larger = Instance { size, squares: vec![Square::Miss; size.cells()] };
    for cell in board.size.iter() {
        larger.squares[size.index(Cell::new(above + cell.row, left + cell.col))] = board.at(cell);
    }
    larger
}

/// Maximum number of hidden squares in a round: the number of the round, but at most `max`.
fn up_to(max: usize, round: u64) -> usize {
    max.min(usize::try_from(round).unwrap_or(max))
}

/// A board on which the squares of one or two ships are unknown. At most two other squares are unknown.
///
/// In the first round, the ships that are mirror images of an earlier ship are hidden, because only such a board shows
/// that a program does not distinguish a ship from its mirror image.
fn unmet(rules: &Rules, round: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = scaled(rules, [(6, 6), (7, 6), (6, 7), (8, 8)][rng.random_range(0..4)]);
    let covered = fill(rules, size, rng)?;
    let twins = rules.fleet.clone().posed(Poses::TurnedMirrored).twins();
    let mirrors: Vec<_> = (0..twins.len()).filter(|&ship| twins[ship].is_some()).collect();
    let mut hidden = || rng.random_range(0..rules.fleet.ships.len());
    let hidden = if round == 0 && !mirrors.is_empty() { mirrors } else { vec![hidden(), hidden()] };
    let squares = covered.iter().map(|ship| match ship {
        Some(ship) if hidden.contains(ship) => Square::Unknown,
        Some(_) => Square::Hit,
        None => Square::Miss,
    });
    let mut board = Instance { size, squares: squares.collect() };
    for _ in 0..rng.random_range(0..=2) {
        let i = rng.random_range(0..size.cells());
        board.squares[i] = Square::Unknown;
    }
    Ok(board)
}

/// The reason why the problem statement does not specify the output for a board; `None` if it does.
pub fn silent(instance: &Instance, answer: &Answer) -> Option<&'static str> {
    let Size { width, height } = instance.size;
    match answer {
        Answer::NoFleet => {
            Some("no fleet fits this board, and the statement does not say what to print then")
        }
        _ if width.max(height) > JUDGE_SIDE => {
            Some("the boards in the statement have at most 16 rows and columns")
        }
        _ => None,
    }
}

/// The input for a program: a board with a header in the rules' dialect.
pub fn input(rules: &Rules, instance: &Instance) -> String {
    let text = write::write_instance(instance);
    let Size { width, height } = instance.size;
    match (rules.dialect, text.split_once('\n')) {
        (Dialect::Poj, Some((_, rows))) => format!("{height} {width}\n{rows}"),
        _ => text,
    }
}

/// Boards with one row or column removed, and boards with one further square uncovered.
pub fn smaller(instance: &Instance) -> Vec<Instance> {
    let Size { width, height } = instance.size;
    let copied = |size: Size, from: &dyn Fn(Cell) -> Cell| Instance {
        size,
        squares: size.iter().map(|cell| instance.at(from(cell))).collect(),
    };
    let skip = |at: u32, removed: u32| at + u32::from(at >= removed);
    let mut found = Vec::new();
    if height > MIN_SIDE {
        let without = |removed| {
            copied(Size::new(width, height - 1), &|cell| Cell::new(skip(cell.row, removed), cell.col))
        };
        found.extend((0..height).rev().map(without));
    }
    if width > MIN_SIDE {
        let without = |removed| {
            copied(Size::new(width - 1, height), &|cell| Cell::new(cell.row, skip(cell.col, removed)))
        };
        found.extend((0..width).rev().map(without));
    }
    for kind in [Square::Miss, Square::Hit] {
        for i in (0..instance.squares.len()).filter(|&i| instance.squares[i] == Square::Unknown) {
            let mut board = instance.clone();
            board.squares[i] = kind;
            found.push(board);
        }
    }
    found
}
