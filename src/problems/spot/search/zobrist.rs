//! Referee by hashing: one incremental hash for each image of the board, the least is canonical.
//!
//! A move changes the hash of the image under g by the key of the square's image, so a move costs
//! O(|G|) whatever the board's size (A. Zobrist, *A New Hashing Method with Application for Game
//! Playing*, 1970). A square's key is the product of a row's and a column's number, so that those of all
//! images are products of what is known of two coordinates. Equal boards have equal canonical hashes; the
//! converse is checked exactly on every hit by playing the earlier board again, so a collision costs time
//! and never an answer. The table belongs to the session: boards are numbered over all games, so a new
//! game begins with no cleared table.

use super::super::answer::Answer;
use super::super::{Entry, Instance, Legality, Move, Rules, Start};
use crate::board::{Bits, Group, Size, Symmetry};
use crate::engine::{Budget, Limit, Outcome};
use crate::spec::EngineSpec;
use std::ops::Range;

/// Complete records.
///
/// # Errors
/// That the record is smudged.
pub fn supports(_: &Rules, instance: &Instance, _: &EngineSpec) -> Result<(), String> {
    super::complete(instance)
}

/// Decides a complete record; each move is a node.
pub fn solve(
    rules: &Rules,
    instance: &Instance,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Outcome<Answer> {
    memory.coordinates.fill(instance.n);
    match rules.group {
        Group::C4 => play(keys_c4, rules, instance, memory, budget),
        Group::D4 => play(keys_d4, rules, instance, memory, budget),
        Group::C2 => play(keys_c2, rules, instance, memory, budget),
        Group::Trivial => play(keys_trivial, rules, instance, memory, budget),
    }
    .into()
}

/// What is kept from one game to the next: nothing but room and numbers.
pub struct Memory {
    coordinates: Coordinates,
    seen: Seen,
    boards: Boards,
}

impl Default for Memory {
    fn default() -> Self {
        // splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
        Memory::with_numbers(|i| {
            let z = u64::from(i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        })
    }
}

impl Memory {
    /// With other numbers, of which those of rows are even-numbered and those of columns odd-numbered.
    pub fn with_numbers(numbers: fn(u32) -> u64) -> Self {
        let of = Box::new([Coordinate::default(); 1 << 8]);
        let coordinates = Coordinates { numbers, n: 0, of };
        Memory { coordinates, seen: Seen::default(), boards: Boards::default() }
    }
}

#[derive(Default)]
struct Boards {
    /// The current one, kept under lenient rules.
    now: Bits,
    before: Bits,
    after: Bits,
}

/// The numbers of a coordinate as a row and as a column, and those of its image on the far side.
#[derive(Clone, Copy, Default)]
struct Coordinate {
    row: u64,
    col: u64,
    far_row: u64,
    far_col: u64,
}

struct Coordinates {
    numbers: fn(u32) -> u64,
    /// The side of the board that they are for.
    n: u32,
    of: Box<[Coordinate; 1 << 8]>,
}

impl Coordinates {
    /// Makes them those of a side, unless they are.
    fn fill(&mut self, n: u32) {
        if self.n == n {
            return;
        }
        self.n = n;
        let [row, col] = [|i| 2 * i, |i| 2 * i + 1].map(|place: fn(u32) -> u32| {
            let numbers = self.numbers;
            move |i| numbers(place(i))
        });
        for (i, at) in (0..n).zip(self.of.iter_mut()) {
            let far = n - 1 - i;
            *at = Coordinate { row: row(i), col: col(i), far_row: row(far), far_col: col(far) };
        }
    }
}

/// The keys of a square's images under the rotations: (row, column) goes to (column, far row) and on.
fn keys_c4(x: &Coordinate, y: &Coordinate) -> [u64; 4] {
    let images = [(y.row, x.col), (x.row, y.far_col), (y.far_row, x.far_col), (x.far_row, y.col)];
    images.map(|(row, col)| row.wrapping_mul(col))
}

/// Under rotations and reflections: those of the square and of its mirror image.
fn keys_d4(x: &Coordinate, y: &Coordinate) -> [u64; 8] {
    let far = Coordinate { row: x.far_row, col: x.far_col, far_row: x.row, far_col: x.col };
    let ([a, b, c, d], [e, f, g, h]) = (keys_c4(x, y), keys_c4(&far, y));
    [a, b, c, d, e, f, g, h]
}

/// Under the half turn.
fn keys_c2(x: &Coordinate, y: &Coordinate) -> [u64; 2] {
    let [unturned, _, half, _] = keys_c4(x, y);
    [unturned, half]
}

/// The square's own.
fn keys_trivial(x: &Coordinate, y: &Coordinate) -> [u64; 1] {
    let [unturned, ..] = keys_c4(x, y);
    [unturned]
}

/// The game under a group; `keys` are those of the images of the square at column and row.
#[inline(never)]
fn play<const G: usize>(
    keys: impl Fn(&Coordinate, &Coordinate) -> [u64; G],
    rules: &Rules,
    instance: &Instance,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    let Memory { coordinates, seen, boards } = memory;
    boards.now.reset(instance.size().cells());
    let start = seen.begin(instance.record.len() as u64);
    if rules.start == Start::Counted {
        seen.find_or_add(0, start, |_| None::<Symmetry>);
    }
    let (mut moves, mut hashes, mut least) = (0, [0; G], [0; BLOCK]);
    let mut rest = instance.record.as_slice();
    while let Some(more) = rest.len().checked_sub(1) {
        let (block, later) = rest.split_at(1 + budget.nodes(more.min(BLOCK - 1) as u64)? as usize);
        rest = later;
        let of = &coordinates.of;
        let keys = |mv: Move| keys(&of[usize::from(mv.cell.col as u8)], &of[usize::from(mv.cell.row as u8)]);
        let known = match rules.legality {
            // They let no move come here that changes nothing.
            Legality::Strict => least_hashes(block, keys, |_| true, &mut hashes, &mut least),
            Legality::Lenient => {
                let changes = |mv: Move| mv.apply(instance.n, &mut boards.now);
                least_hashes(block, keys, changes, &mut hashes, &mut least)
            }
        };
        let mut new = &least[..known];
        loop {
            let added = seen.add(new, start + moves + 1);
            moves += added as u64;
            let Some((&hash, after)) = new[added..].split_first() else { break };
            moves += 1;
            let equal =
                |before| equal(rules.group, instance, [before - start, moves].map(|m| m as usize), boards);
            if let Some((before, symmetry)) = seen.find_or_add(hash, start + moves, equal) {
                budget.work.nodes -= (block.len() - known + after.len()) as u64;
                let [mv, earlier] = [moves, before - start].map(|m| m as usize);
                return Ok(Answer::Repeat { mv, earlier, symmetry });
            }
            new = after;
        }
    }
    Ok(Answer::Draw)
}

/// Moves that are hashed before their boards are looked up: two short loops keep in registers what one
/// cannot.
const BLOCK: usize = 64;

/// The least of the hashes after each known move, and how many of these there are.
#[inline(never)]
fn least_hashes<const G: usize>(
    block: &[Entry],
    keys: impl Fn(Move) -> [u64; G],
    mut changes: impl FnMut(Move) -> bool,
    hashes: &mut [u64; G],
    least: &mut [u64; BLOCK],
) -> usize {
    let (mut now, mut known) = (*hashes, 0);
    for mv in block.iter().filter_map(Entry::known) {
        // One counter, not two: every register of the loop is taken.
        let Some(least) = least.get_mut(known) else { break };
        if changes(mv) {
            now.iter_mut().zip(keys(mv)).for_each(|(hash, key)| *hash ^= key);
        }
        *least = now.iter().fold(u64::MAX, |least, hash| least.min(*hash));
        known += 1;
    }
    *hashes = now;
    known
}

/// What takes the board after the first of two numbers of moves to that after the second.
#[cold]
#[inline(never)]
fn equal(group: Group, instance: &Instance, moves: [usize; 2], boards: &mut Boards) -> Option<Symmetry> {
    let Boards { before, after, .. } = boards;
    replay(instance, moves[0], before);
    replay(instance, moves[1], after);
    group.iter().find(|g| is_image(instance.size(), before, *g, after))
}

/// Makes `board` that after the first `moves` moves.
fn replay(instance: &Instance, moves: usize, board: &mut Bits) {
    board.reset(instance.size().cells());
    for mv in instance.record.iter().filter_map(|entry| entry.known()).take(moves) {
        mv.apply(instance.n, board);
    }
}

/// Whether `symmetry` takes `before` to `after`. O(N²).
fn is_image(size: Size, before: &Bits, symmetry: Symmetry, after: &Bits) -> bool {
    before.count() == after.count()
        && before.iter().all(|i| after.get(size.index(symmetry.apply(size.width, size.cell(i)))))
}

/// The boards of one game by hash: open addressing, at most a quarter full.
#[derive(Default)]
struct Seen {
    /// A power of two.
    slots: Vec<Slot>,
    /// Of these serve this game, less one.
    mask: usize,
    /// The number of this game's first board, and of the first one that comes after all of it.
    numbers: Range<u64>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    /// Counted over all games, from 1, so that earlier games' boards have lower numbers.
    board: u64,
}

impl Seen {
    /// Forgets everything and makes room for `moves` boards and the one before them: for their numbers
    /// from the one given back on.
    fn begin(&mut self, moves: u64) -> u64 {
        let start = self.numbers.end.max(1);
        self.numbers = start..start + moves + 1;
        let room = (4 * (moves as usize + 1)).next_power_of_two();
        self.mask = room - 1;
        if self.slots.len() < room {
            self.slots.resize(room, Slot::default());
        }
        start
    }

    /// Adds boards, the first of that number, up to one whose hash is there already; says how many.
    #[inline(never)]
    fn add(&mut self, hashes: &[u64], first: u64) -> usize {
        let start = self.numbers.start;
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

    /// The first board of that hash of which `equal` knows something; if there is none, this one is
    /// added.
    #[inline(always)]
    fn find_or_add<T>(
        &mut self,
        hash: u64,
        board: u64,
        mut equal: impl FnMut(u64) -> Option<T>,
    ) -> Option<(u64, T)> {
        let Seen { slots, mask, numbers } = self;
        // The least of several hashes has small high bits, and a product's low bits are few values.
        let mut at = (hash >> 32) as usize & *mask;
        loop {
            let slot = &mut slots[at];
            if slot.board < numbers.start {
                *slot = Slot { hash, board };
                return None;
            }
            if slot.hash == hash
                && let Some(found) = equal(slot.board)
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
    fn a_new_game_finds_no_old_board() {
        let mut seen = Seen::default();
        let start = seen.begin(3);
        seen.find_or_add(7, start, |_| None::<()>);
        assert_eq!(seen.find_or_add(7, start + 1, Some), Some((start, start)));
        for moves in [3, 30, 0] {
            let next = seen.begin(moves);
            assert_eq!(seen.find_or_add(7, next, Some), None);
            assert_eq!(seen.find_or_add(7, next + moves, Some), Some((next, next)));
        }
    }
}
