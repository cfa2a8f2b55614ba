//! Repeat detection by Zobrist hashing: one incremental hash per image of the board; the smallest is canonical.
//!
//! # Hashing
//! The hash of a board is the exclusive-or of the keys of its occupied squares (A. Zobrist, *A New Hashing Method with
//! Application for Game Playing*, 1970). For each element g of the symmetry group, the search keeps the hash of the
//! image of the board under g. A move at a square changes this hash by the key of the square's image under g.
//! The *canonical hash* is the smallest of these |G| hashes, so boards that are equal up to symmetry have the same
//! canonical hash.
//!
//! The key of a square is the product of a random number for its row and one for its column. A rotation or reflection
//! exchanges or reverses coordinates. So the key of each image of a square is the product of two of eight numbers, four
//! for each coordinate (`Factors`). Hashing needs only these numbers: there is no table with an entry for each square,
//! and images of squares are not computed.
//!
//! # Steps for each block of at most `BLOCK` moves
//! 1. `canonical_hashes` computes the canonical hash after each move.
//! 2. `History::add_until_hit` adds these boards to the hash table, up to but excluding the first board whose hash is
//!    already there.
//! 3. That board is a *hit*: a repeat or a collision of hashes. To decide which, `History::find_or_add`
//!    replays this board and each earlier board with its hash, and compares them under every symmetry
//!    (`equality`). A collision costs time, but cannot change an answer. After a collision the board is
//!    added, and step 2 continues with the next board.
//! # Invariants
//! * `hashes[g]` is the hash of the image under g of the board after the last move that was hashed. The table may lag
//!   behind this board by up to one block.
//! * The table contains the boards of this game before the current one (board 0 only if the start counts).
//!   No two of them are equal up to symmetry, so the board that is repeated is unique.
//! * Boards are numbered over all games of a session. A slot with a number below the first number of the current game
//!   counts as empty, so starting a game does not clear the table. Numbers have 64 bits and do not overflow.
//! * At least three quarters of a game's slots are empty, so every probe sequence ends.
//! * Each move up to the decisive one counts as one node of work. A whole block is counted before it is hashed, so the
//!   moves of the block after a repeat are subtracted again.
//!
//! # Complexity
//! Expected O(|G|) per move, whatever the size of the board, and O(M + |G| N²) per hit at move M. The table has fewer
//! than 8 (L + 1) slots of 16 bytes, where L is the length of the longest record of the session.

use super::super::answer::Answer;
use super::super::{Entry, Instance, Legality, Move, Rules, Start};
use counterpoint_core::board::{Bits, Group, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit, Outcome};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::keyed::Keys;
use counterpoint_core::spec::EngineSpec;
use std::ops::Range;

/// Supports complete records.
///
/// # Errors
/// Returns a message that names the first unknown move.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), Unsupported> {
    super::complete(instance)
}

/// Decides a complete record; each move is a node.
pub fn solve(
    rules: &Rules,
    instance: &Instance,
    session: &mut Session,
    budget: &mut Budget,
) -> Outcome<Answer> {
    session.factors.set_side(instance.n);
    match rules.group {
        Group::C4 => play(keys_c4, rules, instance, session, budget),
        Group::D4 => play(keys_d4, rules, instance, session, budget),
        Group::C2 => play(keys_c2, rules, instance, session, budget),
        Group::Trivial => play(keys_trivial, rules, instance, session, budget),
    }
    .into()
}

/// Buffers reused from game to game. No answer depends on earlier games.
pub struct Session {
    factors: FactorTable,
    history: History,
    boards: Boards,
}

impl Default for Session {
    fn default() -> Self {
        // Other numbers in each process, so that no record can be made in which many boards have the same hash.
        Session::with_numbers(|i| Keys::default().of_number(i.into()))
    }
}

impl Session {
    /// Uses other random numbers: number 2i for row i and number 2i + 1 for column i. Tests use this function to force
    /// collisions.
    pub fn with_numbers(numbers: fn(u32) -> u64) -> Self {
        let factors = FactorTable { numbers, n: 0, factors: Box::new([Factors::default(); 1 << 8]) };
        Session { factors, history: History::default(), boards: Boards::default() }
    }
}

#[derive(Default)]
struct Boards {
    /// The board after the last move that was hashed; up to date under lenient rules only.
    current: Bits,
    /// The two boards that a hit compares.
    earlier: Bits,
    later: Bits,
}

/// The factors of keys that a coordinate i contributes: those of row i, of column i, and of their mirror images, row
/// and column n - 1 - i.
#[derive(Clone, Copy, Default)]
struct Factors {
    row: u64,
    col: u64,
    mirrored_row: u64,
    mirrored_col: u64,
}

/// The factors of all coordinates of boards with one side length.
struct FactorTable {
    numbers: fn(u32) -> u64,
    /// The board side for which `factors` is valid.
    n: u32,
    /// Indexed by coordinate, from 0.
    factors: Box<[Factors; 1 << 8]>,
}

impl FactorTable {
    /// Recomputes the table if the side has changed.
    fn set_side(&mut self, n: u32) {
        if self.n == n {
            return;
        }
        self.n = n;
        let numbers = self.numbers;
        let (row, col) = (|i| numbers(2 * i), |i| numbers(2 * i + 1));
        for (i, factors) in (0..n).zip(self.factors.iter_mut()) {
            let mirrored = n - 1 - i;
            *factors = Factors {
                row: row(i),
                col: col(i),
                mirrored_row: row(mirrored),
                mirrored_col: col(mirrored),
            };
        }
    }
}

/// The keys of the images, under the rotations, of the square in row y and column x. A quarter turn maps this square to
/// row x and column n - 1 - y.
fn keys_c4(x: &Factors, y: &Factors) -> [u64; 4] {
    let images =
        [(y.row, x.col), (x.row, y.mirrored_col), (y.mirrored_row, x.mirrored_col), (x.mirrored_row, y.col)];
    images.map(|(row, col)| row.wrapping_mul(col))
}

/// The keys of the images under rotations and reflections: first the keys of the rotations of the square, then
/// those of the rotations of its mirror image.
fn keys_d4(x: &Factors, y: &Factors) -> [u64; 8] {
    let mirrored =
        Factors { row: x.mirrored_row, col: x.mirrored_col, mirrored_row: x.row, mirrored_col: x.col };
    let ([a, b, c, d], [e, f, g, h]) = (keys_c4(x, y), keys_c4(&mirrored, y));
    [a, b, c, d, e, f, g, h]
}

/// The keys of the square and of its image under the half turn.
fn keys_c2(x: &Factors, y: &Factors) -> [u64; 2] {
    let [identity, _, half, _] = keys_c4(x, y);
    [identity, half]
}

/// The key of the square alone.
fn keys_trivial(x: &Factors, y: &Factors) -> [u64; 1] {
    let [identity, ..] = keys_c4(x, y);
    [identity]
}

/// Plays the record up to the first repeat. `keys` returns the keys of the images of the square at a column
/// and a row.
#[inline(never)]
fn play<const G: usize>(
    keys: impl Fn(&Factors, &Factors) -> [u64; G],
    rules: &Rules,
    instance: &Instance,
    session: &mut Session,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    let Session { factors, history, boards } = session;
    boards.current.reset(instance.size().cells());
    let start = history.start_game(instance.record.len() as u64);
    if rules.start == Start::Counted {
        history.find_or_add(0, start, |_| None::<Symmetry>);
    }
    // Number of moves whose boards were looked up.
    let mut moves = 0;
    let (mut hashes, mut canonical) = ([0; G], [0; BLOCK]);
    let mut rest = instance.record.as_slice();
    while let Some(more) = rest.len().checked_sub(1) {
        let (block, later) = rest.split_at(1 + budget.nodes(more.min(BLOCK - 1) as u64)? as usize);
        rest = later;
        let factors = &factors.factors;
        let keys = |mv: Move| {
            keys(&factors[usize::from(mv.cell.col as u8)], &factors[usize::from(mv.cell.row as u8)])
        };
        let known = match rules.legality {
            // The moves up to the decisive one are legal, so each of them toggles its square. Boards after the decisive
            // move are not looked up.
            Legality::Strict => canonical_hashes(block, keys, |_| true, &mut hashes, &mut canonical),
            Legality::Lenient => {
                let toggles = |mv: Move| mv.apply(instance.n, &mut boards.current);
                canonical_hashes(block, keys, toggles, &mut hashes, &mut canonical)
            }
        };
        let mut new = &canonical[..known];
        loop {
            let added = history.add_until_hit(new, start + moves + 1);
            moves += added as u64;
            let Some((&hash, after)) = new[added..].split_first() else { break };
            moves += 1;
            let equality =
                |board| equality(rules.group, instance, [board - start, moves].map(|m| m as usize), boards);
            if let Some((board, symmetry)) = history.find_or_add(hash, start + moves, equality) {
                budget.work.nodes -= (block.len() - known + after.len()) as u64;
                let [mv, earlier] = [moves, board - start].map(|m| m as usize);
                return Ok(Answer::Repeat { mv, earlier, symmetry });
            }
            new = after;
        }
    }
    Ok(Answer::Draw)
}

/// The maximum number of moves that are hashed before their boards are looked up. A single loop for hashing and look-up
/// would need more registers than there are; two short loops do not.
const BLOCK: usize = 64;

/// Writes the canonical hash after each known move to `canonical`, and returns the number of known moves.
/// `toggles` plays a move and returns whether it changes the board.
#[inline(never)]
fn canonical_hashes<const G: usize>(
    block: &[Entry],
    keys: impl Fn(Move) -> [u64; G],
    mut toggles: impl FnMut(Move) -> bool,
    hashes: &mut [u64; G],
    canonical: &mut [u64; BLOCK],
) -> usize {
    let (mut now, mut known) = (*hashes, 0);
    for mv in block.iter().filter_map(Entry::known) {
        // `known` counts the moves and is the index into `canonical`: a second counter would not fit into a register.
        let Some(canonical) = canonical.get_mut(known) else { break };
        if toggles(mv) {
            now.iter_mut().zip(keys(mv)).for_each(|(hash, key)| *hash ^= key);
        }
        *canonical = now.iter().fold(u64::MAX, |least, hash| least.min(*hash));
        known += 1;
    }
    *hashes = now;
    known
}

/// A symmetry that maps the board after `moves[0]` moves to the board after `moves[1]` moves, if there is one.
#[cold]
#[inline(never)]
fn equality(group: Group, instance: &Instance, moves: [usize; 2], boards: &mut Boards) -> Option<Symmetry> {
    let Boards { earlier, later, .. } = boards;
    replay(instance, moves[0], earlier);
    replay(instance, moves[1], later);
    group.iter().find(|g| is_image(instance.size(), earlier, *g, later))
}

/// Sets `board` to the board after the first `moves` moves.
fn replay(instance: &Instance, moves: usize, board: &mut Bits) {
    board.reset(instance.size().cells());
    for mv in instance.record.iter().filter_map(|entry| entry.known()).take(moves) {
        mv.apply(instance.n, board);
    }
}

/// Whether `symmetry` maps `before` to `after`. O(N²).
fn is_image(size: Size, before: &Bits, symmetry: Symmetry, after: &Bits) -> bool {
    before.count() == after.count()
        && before.iter().all(|i| after.get(size.index(symmetry.apply(size.width, size.cell(i)))))
}

/// The boards produced in the current game, by canonical hash: a hash table with linear probing.
#[derive(Default)]
struct History {
    /// The number of slots is 0 or a power of two, and never decreases.
    slots: Vec<Slot>,
    /// Number of slots for this game, minus one; a bit mask. At most a quarter of these slots are occupied.
    mask: usize,
    /// The board numbers of the current game: the empty board's, then one for each move.
    boards: Range<u64>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    /// The number of a board, counted from 1 over all games. The slot counts as empty if this number is below the first
    /// number of the current game.
    board: u64,
}

impl History {
    /// Empties the table for a game of `moves` moves, and returns the number of the game's empty board. O(1) unless the
    /// table grows.
    fn start_game(&mut self, moves: u64) -> u64 {
        let start = self.boards.end.max(1);
        self.boards = start..start + moves + 1;
        let slots = (4 * (moves as usize + 1)).next_power_of_two();
        self.mask = slots - 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, Slot::default());
        }
        start
    }

    /// Adds boards with these hashes, numbered from `first`, until one of the hashes is in the table already.
    /// Returns the number of boards added.
    #[inline(never)]
    fn add_until_hit(&mut self, hashes: &[u64], first: u64) -> usize {
        let start = self.boards.start;
        let slots = &mut self.slots[..=self.mask];
        for (i, (&hash, board)) in hashes.iter().zip(first..).enumerate() {
            let mut at = (hash >> 32) as usize;
            loop {
                let slot = &mut slots[at & self.mask];
                if slot.board < start {
                    *slot = Slot { hash, board };
                    break;
                }
                if slot.hash == hash {
                    return i;
                }
                at += 1;
            }
        }
        hashes.len()
    }

    /// Finds the first board with this hash for which `equality` returns `Some`. If there is none, adds
    /// `board`.
    #[inline(always)]
    fn find_or_add<T>(
        &mut self,
        hash: u64,
        board: u64,
        mut equality: impl FnMut(u64) -> Option<T>,
    ) -> Option<(u64, T)> {
        let History { slots, mask, boards } = self;
        // The index comes from the middle bits, because the high bits of a minimum of several hashes and the low
        // bits of a product tend to be 0.
        let mut at = (hash >> 32) as usize & *mask;
        loop {
            let slot = &mut slots[at];
            if slot.board < boards.start {
                *slot = Slot { hash, board };
                return None;
            }
            if slot.hash == hash
                && let Some(found) = equality(slot.board)
            {
                return Some((slot.board, found));
            }
            at = (at + 1) & *mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_game_starts_with_an_empty_table() {
        let mut history = History::default();
        let start = history.start_game(3);
        history.find_or_add(7, start, |_| None::<()>);
        assert_eq!(history.find_or_add(7, start + 1, Some), Some((start, start)));
        for moves in [3, 30, 0] {
            let next = history.start_game(moves);
            assert_eq!(history.find_or_add(7, next, Some), None);
            assert_eq!(history.find_or_add(7, next + moves, Some), Some((next, next)));
        }
    }
}
