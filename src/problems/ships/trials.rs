//! Boards that hurt programs: many placements of one covered set, thin boards, hits without misses, headers that can be
//! read both ways; and ways to make a board smaller.

mod fill;

use super::answer::Answer;
use super::{Dialect, Instance, JUDGE_SIDE, MIN_SIDE, Rules, Ship, Square, families, write};
use crate::board::{Cell, Size, Symmetry};
use crate::problem::{Effort, MakeGame, Param, Params, Promise, Trial};
use fill::fill;
pub(super) use fill::tight;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Rounds of the first family in which every square is uncovered.
const ROUNDS_UNCOVERED: u64 = 5;

/// All of them.
pub const TRIALS: &[Trial<Rules, Instance>] = &[
    promised(
        "small",
        "small boards full of ships, every square uncovered, or all but a few",
        |rules, round, rng| match round {
            // Few fleets fit, so even a slow program answers these, and each ship's shape matters.
            0..ROUNDS_UNCOVERED => random(rules, Size::new(6, 6), (1.0, 1.0), rng),
            _ => {
                let (w, h) = [(6, 5), (5, 6), (6, 6)][rng.random_range(0..3)];
                tight(rules, Size::new(w, h), up_to(8, round - ROUNDS_UNCOVERED), rng)
            }
        },
    ),
    promised("packed", "ships close together: many placements of few covered sets", |rules, _, rng| {
        let (w, h) = [(6, 5), (5, 6), (6, 6), (7, 5), (8, 4), (4, 8)][rng.random_range(0..6)];
        tight(rules, Size::new(w, h), 8, rng)
    }),
    promised("cluster", "ships close together on a larger board of misses", |rules, _, rng| {
        let (w, h) = [(6, 5), (5, 6), (6, 6), (8, 4), (4, 8)][rng.random_range(0..5)];
        Ok(framed(&tight(rules, Size::new(w, h), 2, rng)?, 4, rng))
    }),
    promised("judge", "boards as the judge's: 10x10, most squares uncovered", |rules, _, rng| {
        random(rules, Size::new(10, 10), (0.8, 0.98), rng)
    }),
    promised("thin", "boards of two or three rows or columns", |rules, _, rng| {
        let (short, long) = [(2, 16), (3, 10), (3, 11), (3, 13), (3, 16)][rng.random_range(0..5)];
        let (w, h) = if rng.random() { (short, long) } else { (long, short) };
        tight(rules, Size::new(w, h), 8, rng)
    }),
    promised("wide", "boards wider than high", |rules, _, rng| {
        let (w, h) = (rng.random_range(9..=16), rng.random_range(5..=8));
        random(rules, Size::new(w, h), (0.75, 0.97), rng)
    }),
    promised("high", "boards higher than wide", |rules, _, rng| {
        let (w, h) = (rng.random_range(5..=8), rng.random_range(9..=16));
        random(rules, Size::new(w, h), (0.75, 0.97), rng)
    }),
    heavy("hard", "hits and no misses", |rules, _, rng| {
        let (w, h) = (rng.random_range(6..=12), rng.random_range(6..=12));
        make(families::hard, families::HARD, rules, (w, h), &[("hidden", rng.random_range(0.0..0.2))], rng)
    }),
    heavy("open", "few squares uncovered", |rules, _, rng| {
        let (w, h) = (rng.random_range(7..=16), rng.random_range(7..=16));
        random(rules, Size::new(w, h), (0.0, 0.5), rng)
    }),
    promised("uncovered", "every square uncovered, or all but one or two", |rules, _, rng| {
        let (w, h) = (rng.random_range(7..=16), rng.random_range(7..=16));
        let mut board = random(rules, Size::new(w, h), (1.0, 1.0), rng)?;
        for _ in 0..rng.random_range(0..3) {
            let i = rng.random_range(0..board.squares.len());
            board.squares[i] = Square::Unknown;
        }
        Ok(board)
    }),
    promised("unmet", "one or two ships not hit yet, all else uncovered", unmet),
    promised("apart", "ships lie as the statement draws them, none touches another", apart),
    promised("astray", "the shot that fewest placements miss is not safe, another one is", astray),
    promised("one-miss", "no square missed yet, and no plan is safe that never misses", one_miss),
    heavy("largest", "boards of 16x16", |rules, _, rng| {
        random(rules, Size::new(JUDGE_SIDE, JUDGE_SIDE), (0.8, 0.99), rng)
    }),
    beyond("contradictory", "often no fleet fits", |rules, _, rng| {
        let (w, h) = (rng.random_range(7..=10), rng.random_range(7..=10));
        make(families::contradictory, families::CONTRADICTORY, rules, (w, h), &[("hits", 11.0)], rng)
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

/// The maker of a family.
type Make = fn(&Rules, &Params, &mut ChaCha8Rng) -> Result<Instance, String>;

/// A family's board of w×h.
fn make(
    family: Make,
    params: &[Param],
    rules: &Rules,
    (w, h): (u32, u32),
    others: &[(&str, f64)],
    rng: &mut ChaCha8Rng,
) -> Result<Instance, String> {
    let sides = [("w", f64::from(w)), ("h", f64::from(h))];
    let given = sides.iter().chain(others).map(|&(key, value)| (key.to_owned(), value.to_string()));
    family(rules, &Params::new(params, &given.collect::<Vec<_>>())?, rng)
}

/// A random fleet with as many squares uncovered as a number between two bounds says.
fn random(
    rules: &Rules,
    size: Size,
    (least, most): (f64, f64),
    rng: &mut ChaCha8Rng,
) -> Result<Instance, String> {
    let reveal = if least < most { rng.random_range(least..most) } else { least };
    make(families::random, families::RANDOM, rules, (size.width, size.height), &[("reveal", reveal)], rng)
}

/// Ships of up to 4x4 squares, each in a box of its own, and a square or two still covered.
fn apart(rules: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, String> {
    const ROOM: u32 = 4;
    let ships = &rules.fleet.ships;
    let size = Size::new(3 * (ROOM + 1), 3 * (ROOM + 1));
    let mut boxes: Vec<u32> = (0..9).collect();
    boxes.shuffle(rng);
    let extent = |along: fn(&Cell) -> u32, ship: &Ship| ship.cells.iter().map(along).max().unwrap_or(0) + 1;
    let mut board = Instance { size, squares: vec![Square::Miss; size.cells()] };
    for (ship, at) in ships.iter().zip(&boxes) {
        let (height, width) = (extent(|cell| cell.row, ship), extent(|cell| cell.col, ship));
        if height.max(width) > ROOM || ships.len() > boxes.len() {
            return Err(format!(
                "there are more ships than {}, or larger ones than {ROOM}x{ROOM}",
                boxes.len()
            ));
        }
        let row = at / 3 * (ROOM + 1) + rng.random_range(0..=ROOM - height);
        let col = at % 3 * (ROOM + 1) + rng.random_range(0..=ROOM - width);
        for cell in &ship.cells {
            board.squares[size.index(Cell::new(row + cell.row, col + cell.col))] = Square::Hit;
        }
    }
    for _ in 0..rng.random_range(0..=2) {
        board.squares[rng.random_range(0..size.cells())] = Square::Unknown;
    }
    Ok(board)
}

/// Two random fleets: a hit where both cover a square; every other square is unknown.
///
/// The standard fleet leaves two squares of a 6x5 board empty, both of the same colour of the chessboard because T
/// covers three squares of one colour and one of the other. If the two fleets leave different colours empty, then only
/// these two sets fit: any shot that tells them apart may miss. So the answer is "yes" with one miss and "no" without
/// one, and since no square has been missed, these boards distinguish a program that allows no miss from one that
/// counts old misses.
fn one_miss(rules: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, String> {
    const MAX_DRAWS: usize = 20;
    let size = if rng.random() { Size::new(6, 5) } else { Size::new(5, 6) };
    let mut draw = || fill(rules, size, rng).ok_or_else(|| format!("found no fleet that fits {size}"));
    let black = |fleet: &[Option<usize>]| {
        fleet
            .iter()
            .zip(size.iter())
            .filter(|(ship, at)| ship.is_some() && (at.row + at.col) % 2 == 0)
            .count()
    };
    let (first, mut second) = (draw()?, draw()?);
    for _ in 0..MAX_DRAWS {
        if black(&first) != black(&second) {
            break;
        }
        second = draw()?;
    }
    let square = |(a, b): (&Option<_>, &Option<_>)| match a.is_some() && b.is_some() {
        true => Square::Hit,
        false => Square::Unknown,
    };
    Ok(Instance { size, squares: first.iter().zip(&second).map(square).collect() })
}

/// Four sets fit, some of them by more placements than others.
const ASTRAY: [&str; 6] = ["oxxxo.", "xxx.o.", "oxxxox", "oxxxxx", "xxxxxx", "x..xxx"];

/// That board turned and mirrored, which makes the judge's fleet itself, with missed squares around it.
fn astray(_: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, String> {
    let symmetry = Symmetry { turns: rng.random_range(0..4), mirrored: rng.random() };
    let side = ASTRAY.len() as u32;
    let size = Size::new(side, side);
    let mut board = Instance { size, squares: vec![Square::Miss; size.cells()] };
    for (row, marks) in (0..).zip(ASTRAY) {
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

/// A board within a larger one: up to `margin` rows or columns of misses on each side.
fn framed(board: &Instance, margin: u32, rng: &mut ChaCha8Rng) -> Instance {
    let [left, right, above, below] = std::array::from_fn(|_| rng.random_range(0..=margin));
    let size = Size::new(left + board.size.width + right, above + board.size.height + below);
    let mut larger = Instance { size, squares: vec![Square::Miss; size.cells()] };
    for cell in board.size.iter() {
        larger.squares[size.index(Cell::new(above + cell.row, left + cell.col))] = board.at(cell);
    }
    larger
}

/// The most squares that are hidden in a round: few in the first ones.
fn up_to(most: usize, round: u64) -> usize {
    most.min(usize::try_from(round).unwrap_or(most))
}

/// A fleet of which one or two ships lie under unknown squares, and few other squares do.
fn unmet(rules: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, String> {
    let (w, h) = [(6, 6), (7, 6), (6, 7), (8, 8)][rng.random_range(0..4)];
    let size = Size::new(w, h);
    let covered = fill(rules, size, rng).ok_or_else(|| format!("no fleet was met on {size}"))?;
    let mut hidden = || rng.random_range(0..rules.fleet.ships.len());
    let hidden = [hidden(), hidden()];
    let kinds = covered.iter().map(|ship| match ship {
        Some(ship) if hidden.contains(ship) => Square::Unknown,
        Some(_) => Square::Hit,
        None => Square::Miss,
    });
    let mut board = Instance { size, squares: kinds.collect() };
    for _ in 0..rng.random_range(0..=2) {
        let i = rng.random_range(0..size.cells());
        board.squares[i] = Square::Unknown;
    }
    Ok(board)
}

/// Why the statement does not say what to print.
pub fn silent(instance: &Instance, answer: &Answer) -> Option<&'static str> {
    let Size { width, height } = instance.size;
    match answer {
        Answer::NoFleet => Some("no fleet fits this board, and it does not say what becomes of such boards"),
        _ if width.max(height) > JUDGE_SIDE => Some("its boards have at most 16 rows and columns"),
        _ => None,
    }
}

/// A board as programs read it, with the header of the rules' dialect.
pub fn input(rules: &Rules, instance: &Instance) -> String {
    let text = write::write_instance(instance);
    let Size { width, height } = instance.size;
    match (rules.dialect, text.split_once('\n')) {
        (Dialect::Poj, Some((_, rows))) => format!("{height} {width}\n{rows}"),
        _ => text,
    }
}

/// Boards with a row or column less, and boards with a square more uncovered.
pub fn smaller(instance: &Instance) -> Vec<Instance> {
    let Size { width, height } = instance.size;
    let kept = |size: Size, from: &dyn Fn(Cell) -> Cell| Instance {
        size,
        squares: size.iter().map(|cell| instance.at(from(cell))).collect(),
    };
    let skip = |at: u32, gone: u32| at + u32::from(at >= gone);
    let mut found = Vec::new();
    if height > MIN_SIDE {
        let without =
            |gone| kept(Size::new(width, height - 1), &|cell| Cell::new(skip(cell.row, gone), cell.col));
        found.extend((0..height).rev().map(without));
    }
    if width > MIN_SIDE {
        let without =
            |gone| kept(Size::new(width - 1, height), &|cell| Cell::new(cell.row, skip(cell.col, gone)));
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
