//! Generators of seeded records: random, with a late repeat, with a rotated repeat, mirrored; and smudged ones, whose
//! unknown moves are scattered, in a block, or after known moves that they can undo.

use super::{Entry, Instance, Move, Rules, Start};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Bits, Cell, Group, Size, Symmetry};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use std::collections::HashSet;

/// Parameters of [`random`] and [`late`].
pub const SIDE: &[Param] = &[Param::number("n", 4.0, 1.0, 50.0)];
/// Parameters of [`turned`]. On a board of a single square, every rotation of a pattern is the pattern itself.
pub const TURNED: &[Param] = &[Param::number("n", 4.0, 2.0, 50.0)];
/// Parameters of [`mirror`]. Boards of 1 or 2 squares a side have no chiral pattern, that is, no pattern whose mirror
/// image is not one of its rotations.
pub const MIRROR: &[Param] = &[Param::number("n", 4.0, 3.0, 50.0)];
/// Parameters of [`smudged`]: `unknown` is the number of unknown moves.
pub const SMUDGED: &[Param] = &[Param::number("n", 3.0, 1.0, 50.0), UNKNOWN];
/// Parameters of [`block`]: `at` is the position of the block, from 0 at the start of the record to 1 at its end.
pub const BLOCK: &[Param] =
    &[Param::number("n", 3.0, 1.0, 50.0), UNKNOWN, Param::number("at", 0.5, 0.0, 1.0)];
/// Parameters of [`undo`].
pub const UNDO: &[Param] = &[Param::number("n", 3.0, 1.0, 50.0), UNKNOWN];

/// The number of unknown moves. If the record has fewer moves, all of them are unknown.
const UNKNOWN: Param = Param::number("unknown", 3.0, 1.0, 400.0);

/// The maximum number of moves of a record, if the rules have no smaller limit.
const MAX_MOVES: usize = 400;

/// A game that is being generated.
struct Game<'a> {
    rules: &'a Rules,
    n: u32,
    board: Bits,
    produced: HashSet<Bits>,
    moves: Vec<Move>,
}

impl Game<'_> {
    fn new(rules: &Rules, n: u32) -> Game<'_> {
        let board = Bits::zeros((n * n) as usize);
        let produced =
            if rules.start == Start::Counted { HashSet::from([board.clone()]) } else { HashSet::new() };
        Game { rules, n, board, produced, moves: Vec::new() }
    }

    /// The canonical form of the board after toggling `cell`.
    fn class_after(&self, cell: Cell) -> Bits {
        let mut next = self.board.clone();
        next.flip(Size::new(self.n, self.n).index(cell));
        least(self.n, &next, self.rules.group)
    }

    fn toggle(&mut self, cell: Cell) {
        self.produced.insert(self.class_after(cell));
        let mv = Move::toggle(self.n, &self.board, cell);
        mv.apply(self.n, &mut self.board);
        self.moves.push(mv);
    }

    fn any(&self, rng: &mut ChaCha8Rng) -> Cell {
        Cell::new(rng.random_range(0..self.n), rng.random_range(0..self.n))
    }

    /// A random square for which `wanted` returns true, if there is one. The argument of `wanted` is whether toggling
    /// the square repeats an earlier pattern.
    fn choose(&self, rng: &mut ChaCha8Rng, wanted: impl Fn(bool) -> bool) -> Option<Cell> {
        let mut cells: Vec<_> = Size::new(self.n, self.n).iter().collect();
        cells.shuffle(rng);
        cells.into_iter().find(|&cell| wanted(self.produced.contains(&self.class_after(cell))))
    }

    fn instance(self) -> Instance {
        Instance { n: self.n, record: self.moves.into_iter().map(Entry::from).collect() }
    }
}

/// The canonical form of a board: its smallest image, the same for all boards of a class.
fn least(n: u32, board: &Bits, group: Group) -> Bits {
    let images = group.elements().into_iter().map(|symmetry| image(n, board, symmetry));
    images.min().unwrap_or_default()
}

fn image(n: u32, board: &Bits, symmetry: Symmetry) -> Bits {
    let size = Size::new(n, n);
    Bits::from_indices(size.cells(), board.iter().map(|i| size.index(symmetry.apply(n, size.cell(i)))))
}

fn length(rules: &Rules, n: u32) -> usize {
    rules.moves(n).unwrap_or(2 * n as usize).min(MAX_MOVES)
}

/// Every move toggles a random square.
///
/// # Errors
/// Never returns an error.
pub fn random(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = params.whole("n");
    let mut game = Game::new(rules, n);
    for _ in 0..length(rules, n) {
        let cell = game.any(rng);
        game.toggle(cell);
    }
    Ok(game.instance())
}

/// The last move is the first repeat, if that is possible. On tiny boards the first repeat may have to come earlier.
///
/// # Errors
/// Never returns an error.
pub fn late(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = params.whole("n");
    let mut game = Game::new(rules, n);
    let moves = length(rules, n);
    for mv in 1..=moves {
        let chosen = game.choose(rng, |repeats| repeats == (mv == moves));
        let cell = chosen.unwrap_or_else(|| game.any(rng));
        game.toggle(cell);
    }
    Ok(game.instance())
}

/// No move is a repeat, if that is possible.
pub fn fresh(rules: &Rules, n: u32, rng: &mut ChaCha8Rng) -> Instance {
    let mut game = Game::new(rules, n);
    for _ in 0..length(rules, n) {
        let cell = game.choose(rng, |repeats| !repeats).unwrap_or_else(|| game.any(rng));
        game.toggle(cell);
    }
    game.instance()
}

/// A random pattern is placed spot by spot. Then the missing spots of one of its images are placed, and the spots that
/// this image does not have are removed. The last of these moves is the first repeat; the moves after it are random.
///
/// # Errors
/// Returns an error if no such game was found, for example because the limit is too small.
pub fn turned(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    turned_by(rules, params.whole("n"), &rules.group.elements()[1..], rng)
}

/// Like [`turned`], but with an image under one of `symmetries`.
///
/// # Errors
/// Returns the errors of [`turned`].
pub fn turned_by(
    rules: &Rules,
    n: u32,
    symmetries: &[Symmetry],
    rng: &mut ChaCha8Rng,
) -> Result<Instance, GenerateError> {
    let (size, moves) = (Size::new(n, n), length(rules, n));
    for _ in 0..1_000 {
        let mut game = Game::new(rules, n);
        let mut cells: Vec<_> = size.iter().collect();
        cells.shuffle(rng);
        cells.truncate(rng.random_range(1..=moves.div_ceil(3).min(cells.len())));
        let Some(&symmetry) = symmetries.choose(rng) else { break };
        let mut image: Vec<_> = cells.iter().map(|&cell| symmetry.apply(n, cell)).collect();
        image.shuffle(rng);
        let added = image.iter().filter(|cell| !cells.contains(cell));
        let taken = cells.iter().filter(|cell| !image.contains(cell));
        let path: Vec<_> = cells.iter().chain(added).chain(taken).copied().collect();
        let fresh = path.iter().all(|&cell| {
            let fresh = !game.produced.contains(&game.class_after(cell));
            game.toggle(cell);
            fresh || game.moves.len() == path.len()
        });
        if fresh && path.len() > cells.len() && path.len() <= moves {
            for _ in path.len()..moves {
                let cell = game.any(rng);
                game.toggle(cell);
            }
            return Ok(game.instance());
        }
    }
    Err(format!("found no game of {moves} moves in which a pattern recurs under {}", rules.group.name())
        .into())
}

/// The fifth board is the left-right mirror image of the third, but not a rotation of it. A program that treats mirror
/// images as equal ends the game there. The moves after the fifth are random.
///
/// # Errors
/// Returns an error if no chiral pattern was found, or the limit is less than five moves.
pub fn mirror(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let n = params.whole("n");
    let moves = length(rules, n);
    if moves < 5 {
        return Err(format!("a mirror image needs 5 moves; the limit is {moves}").into());
    }
    let mirrored = |cell: Cell| Cell::new(cell.row, n - 1 - cell.col);
    for _ in 0..1_000 {
        let mut game = Game::new(rules, n);
        let (pair, single) = (game.any(rng), game.any(rng));
        let squares = [pair, mirrored(pair), single, mirrored(single)];
        let distinct = squares.iter().collect::<HashSet<_>>().len() == squares.len();
        if !distinct {
            continue;
        }
        // Place a mirrored pair and a third spot. Then replace the third spot by its mirror image.
        squares[..3].iter().for_each(|&cell| game.toggle(cell));
        let third = game.board.clone();
        game.toggle(squares[3]);
        game.toggle(single);
        if least(n, &third, Group::C4) == least(n, &game.board, Group::C4) {
            continue;
        }
        for _ in 5..moves {
            let cell = game.any(rng);
            game.toggle(cell);
        }
        return Ok(game.instance());
    }
    Err("found no chiral pattern".into())
}

/// A random record in which some moves are partly or entirely unknown.
///
/// # Errors
/// Never returns an error.
pub fn smudged(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let mut instance = random(rules, params, rng)?;
    let mut order: Vec<usize> = (0..instance.record.len()).collect();
    order.shuffle(rng);
    for &i in order.iter().take(params.whole("unknown") as usize) {
        let entry = instance.record[i];
        let (x, y, sign) = (entry.x(), entry.y(), entry.sign());
        let ways = [
            Entry::UNKNOWN,
            Entry::UNKNOWN,
            Entry::new(None, None, sign),
            Entry::new(x, y, None),
            Entry::new(None, y, sign),
        ];
        instance.record[i] = *ways.choose(rng).unwrap_or(&Entry::UNKNOWN);
    }
    Ok(instance)
}

/// A record in which consecutive moves are entirely unknown. No move of the original record is a repeat, if that is
/// possible.
///
/// # Errors
/// Never returns an error.
pub fn block(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let mut instance = fresh(rules, params.whole("n"), rng);
    let moves = instance.record.len();
    let unknown = (params.whole("unknown") as usize).min(moves);
    let start = (params.real("at") * (moves - unknown) as f64).round() as usize;
    instance.record[start..start + unknown].fill(Entry::UNKNOWN);
    Ok(instance)
}

/// A record in which the last move, the last but two and so on are entirely unknown. Each of them is a repeat
/// if it undoes the known move before it, so many endings are possible. No move of the original record is a
/// repeat, if that is possible.
///
/// # Errors
/// Never returns an error.
pub fn undo(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let mut instance = fresh(rules, params.whole("n"), rng);
    let unknown = instance.record.iter_mut().rev().step_by(2).take(params.whole("unknown") as usize);
    unknown.for_each(|entry| *entry = Entry::UNKNOWN);
    Ok(instance)
}
