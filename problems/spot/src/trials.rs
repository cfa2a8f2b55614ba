//! Test inputs on which wrong programs fail (each rotation, mirror images, late repeats, repeats by removal, draws, the
//! largest boards), and ways to simplify a game.

use super::answer::Answer;
use super::{Entry, Instance, JUDGE_SIDE, Move, Rules, Sign, families};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Bits, Cell, Size, Symmetry};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Effort, Param, Params, Promise, Trial};
use rand::RngExt;
use rand::seq::SliceRandom;

/// All trials of Spot.
pub const TRIALS: &[Trial<Rules, Instance>] = &[
    promised("tiny", "boards of 2 squares a side", |rules, _, rng| side(families::random, 2, rules, rng)),
    promised("mirror", "a mirror image occurs that is not a rotation", |rules, round, rng| {
        let n = rng.random_range(3..=up_to(3, 8, round));
        let game = side(families::mirror, n, rules, rng)?;
        // The family reflects left to right. A quarter turn of the whole game makes this a reflection top to bottom.
        let turns = u8::from(rng.random::<bool>());
        let turn = Symmetry { turns, mirrored: false };
        let turned: Vec<_> = toggles(&game).iter().map(|&cell| turn.apply(n, cell)).collect();
        Ok(if turns == 0 { game } else { record(n, &turned) })
    }),
    promised("quarter", "a pattern recurs, rotated by 90 degrees", |rules, round, rng| {
        turned(rules, 1, round, rng)
    }),
    promised("half", "a pattern recurs, rotated by 180 degrees", |rules, round, rng| {
        turned(rules, 2, round, rng)
    }),
    promised("three-quarters", "a pattern recurs, rotated by 270 degrees", |rules, round, rng| {
        turned(rules, 3, round, rng)
    }),
    promised("shifted", "a pattern recurs, one column to the right", shifted),
    promised("late", "no repeat before the last move", |rules, round, rng| {
        let n = rng.random_range(2..=up_to(2, 12, round));
        side(families::late, n, rules, rng)
    }),
    promised("removal", "the repeat removes a spot", removal),
    promised("draw", "no repeat", |rules, round, rng| {
        let n = rng.random_range(2..=up_to(2, 12, round));
        Ok(families::fresh(rules, n, rng))
    }),
    promised("random", "each move toggles a random square", |rules, round, rng| {
        let n = rng.random_range(2..=up_to(2, 9, round));
        side(families::random, n, rules, rng)
    }),
    heavy("far", "boards of 33 to 50 squares a side, with spots 32 rows or columns apart", far),
    heavy("largest", "the largest boards, with a late repeat or no repeat", |rules, round, rng| {
        if round % 2 == 0 {
            side(families::late, JUDGE_SIDE, rules, rng)
        } else {
            Ok(families::fresh(rules, JUDGE_SIDE, rng))
        }
    }),
    beyond("emptied", "a removal empties the board", emptied),
    beyond("single", "boards of a single square", |rules, _, rng| side(families::random, 1, rules, rng)),
];

type Make = counterpoint_core::problem::MakeGame<Rules, Instance>;

const fn promised(name: &'static str, about: &'static str, make: Make) -> Trial<Rules, Instance> {
    Trial { name, about, promise: Promise::Promised, effort: Effort::Quick, make }
}

const fn heavy(name: &'static str, about: &'static str, make: Make) -> Trial<Rules, Instance> {
    Trial { effort: Effort::Heavy, ..promised(name, about, make) }
}

const fn beyond(name: &'static str, about: &'static str, make: Make) -> Trial<Rules, Instance> {
    Trial { promise: Promise::Beyond, ..promised(name, about, make) }
}

/// A family's game on an n×n board.
fn side(
    make: fn(&Rules, &Params, &mut ChaCha8Rng) -> Result<Instance, GenerateError>,
    n: u32,
    rules: &Rules,
    rng: &mut ChaCha8Rng,
) -> Result<Instance, GenerateError> {
    make(rules, &Params::new(&[Param::number("n", f64::from(n), 1.0, 50.0)], &[])?, rng)
}

/// The largest side in round `round`, where the first round is 0. It grows from `least` to `most`, so that small boards
/// come first.
fn up_to(least: u32, most: u32, round: u64) -> u32 {
    most.min(least.saturating_add(u32::try_from(round).unwrap_or(most)))
}

fn turned(rules: &Rules, turns: u8, round: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = rng.random_range(2..=up_to(2, 9, round));
    families::turned_by(rules, n, &[Symmetry { turns, mirrored: false }], rng)
}

/// A pattern that leaves the last column empty is placed, then moved one column to the right, spot by spot.
fn shifted(_: &Rules, round: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = rng.random_range(3..=up_to(3, 8, round));
    let mut cells: Vec<_> = Size::new(n, n).iter().filter(|cell| cell.col + 1 < n).collect();
    cells.shuffle(rng);
    cells.truncate(rng.random_range(1..=2 * n as usize / 3));
    let image: Vec<_> = cells.iter().map(|cell| Cell::new(cell.row, cell.col + 1)).collect();
    let added = image.iter().filter(|cell| !cells.contains(cell));
    let taken = cells.iter().filter(|cell| !image.contains(cell));
    Ok(record(n, &cells.iter().chain(added).chain(taken).copied().collect::<Vec<_>>()))
}

/// Spots are placed in pairs: the two spots of a pair are 32 columns or 32 rows apart. There is no repeat.
fn far(_: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    const APART: u32 = 32;
    let n = rng.random_range(APART + 1..=JUDGE_SIDE);
    let in_rows = rng.random::<bool>();
    let cell = |at: u32, along: u32| if in_rows { Cell::new(along, at) } else { Cell::new(at, along) };
    let mut toggles = Vec::new();
    while toggles.len() < n as usize {
        let (at, along) = (rng.random_range(0..n), rng.random_range(0..n - APART));
        let pair = [cell(at, along), cell(at, along + APART)];
        if pair.iter().all(|cell| !toggles.contains(cell)) {
            toggles.extend(pair);
        }
    }
    Ok(record(n, &toggles))
}

/// Places spots, then places one more and removes it again. Random moves follow.
fn removal(_: &Rules, round: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = rng.random_range(2..=up_to(2, 9, round));
    let mut cells: Vec<_> = Size::new(n, n).iter().collect();
    cells.shuffle(rng);
    let placed = rng.random_range(1..=(2 * n as usize - 2).min(cells.len() - 1));
    let mut toggles = cells[..=placed].to_vec();
    toggles.push(cells[placed]);
    while toggles.len() < 2 * n as usize {
        toggles.push(Cell::new(rng.random_range(0..n), rng.random_range(0..n)));
    }
    Ok(record(n, &toggles))
}

/// Removes the first spot immediately, so that the board is empty again.
fn emptied(_: &Rules, _: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = rng.random_range(2..=6);
    let mut cells: Vec<_> = Size::new(n, n).iter().collect();
    cells.shuffle(rng);
    let mut toggles = vec![cells[0], cells[0]];
    toggles.extend(&cells[1..]);
    Ok(record(n, &toggles))
}

/// A record of 2N moves that begins by toggling these squares. If there are fewer than 2N of them, each further move
/// places a spot on the first empty square, or toggles the first square if none is empty. If there are more, the rest
/// is ignored.
fn record(n: u32, toggles: &[Cell]) -> Instance {
    let size = Size::new(n, n);
    let (mut board, mut record) = (Bits::zeros(size.cells()), Vec::new());
    for i in 0..2 * n as usize {
        let empty = || (0..size.cells()).find(|&i| !board.get(i)).unwrap_or(0);
        let cell = toggles.get(i).copied().unwrap_or_else(|| size.cell(empty()));
        let mv = Move::toggle(n, &board, cell);
        mv.apply(n, &mut board);
        record.push(Entry::from(mv));
    }
    Instance { n, record }
}

/// Why the problem statement does not define the outcome of a game; `None` if it does. There are two cases. The board
/// may be smaller than the statement allows. Or the board becomes empty again before the game is over; the statement
/// does not say whether the empty board of the start counts as a pattern.
pub fn silent(instance: &Instance, answer: &Answer) -> Option<&'static str> {
    if instance.n < 2 {
        return Some("its boards have sides of at least 2 squares");
    }
    let last = match answer {
        Answer::Repeat { mv, .. } => *mv,
        _ => instance.record.len(),
    };
    let mut spots = 0i64;
    let empties = instance.record.iter().take(last).any(|entry| {
        spots += if entry.sign() == Some(Sign::Take) { -1 } else { 1 };
        spots == 0
    });
    empties.then_some("it does not say whether the empty board of the start counts as a pattern")
}

/// The squares that a record toggles.
fn toggles(instance: &Instance) -> Vec<Cell> {
    instance.record.iter().filter_map(|entry| entry.known()).map(|mv| mv.cell).collect()
}

/// The order of shrinking: smaller boards first, then records whose squares are nearer to the top left corner.
fn weight(instance: &Instance) -> (u32, u32, Vec<Cell>) {
    let toggles = toggles(instance);
    (instance.n, toggles.iter().map(|cell| cell.row + cell.col).sum(), toggles)
}

/// Simpler games: those on a smaller board, those without one or two of the moves, those with the last moves replaced
/// by spots on the first empty squares, and those with one toggle moved nearer to the top left corner.
pub fn smaller(instance: &Instance) -> Vec<Instance> {
    let (n, old) = (instance.n, toggles(instance));
    let mut found = Vec::new();
    for side in 2..n {
        // Cut the board on all sides, or only at the right and the bottom.
        for margin in [(n - side) / 2, 0] {
            let inside = |cell: &Cell| {
                let shifted = Cell::new(cell.row.checked_sub(margin)?, cell.col.checked_sub(margin)?);
                (shifted.row < side && shifted.col < side).then_some(shifted)
            };
            found.push(record(side, &old.iter().filter_map(inside).collect::<Vec<_>>()));
        }
    }
    // Remove a middle row and column, so that symmetric patterns stay symmetric.
    if n > 2 {
        let middle = n / 2;
        let close = |at: u32| if at == middle { None } else { Some(at - u32::from(at > middle)) };
        let moved = |cell: &Cell| Some(Cell::new(close(cell.row)?, close(cell.col)?));
        found.push(record(n - 1, &old.iter().filter_map(moved).collect::<Vec<_>>()));
    }
    let without = |dropped: &[usize]| {
        let kept = old.iter().enumerate().filter(|(i, _)| !dropped.contains(i));
        record(n, &kept.map(|(_, &cell)| cell).collect::<Vec<_>>())
    };
    found.extend((0..old.len()).map(|kept| record(n, &old[..kept])));
    found.extend((0..old.len()).map(|i| without(&[i])));
    if n <= 8 {
        found.extend((0..old.len()).flat_map(|j| (0..j).map(move |i| [i, j])).map(|pair| without(&pair)));
    }
    if n <= 5 {
        for (i, &cell) in old.iter().enumerate() {
            let nearer = Size::new(n, n).iter().filter(|c| c.row + c.col < cell.row + cell.col);
            found.extend(nearer.map(|nearer| {
                let mut new = old.clone();
                new[i] = nearer;
                record(n, &new)
            }));
        }
    }
    let own = weight(instance);
    found.retain(|game| weight(game) < own);
    found
}
