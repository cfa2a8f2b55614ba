//! Referee by hashing: one incremental hash for each image of the board, the least is canonical.
//!
//! A move changes the hash of the image under g by the key of the square's image, so a move costs
//! O(|G|) whatever the board's size (A. Zobrist, *A New Hashing Method with Application for Game
//! Playing*, 1970). Equal boards have equal canonical hashes; the converse is checked exactly on every
//! hit by playing the earlier board again, so a collision costs time and never an answer. The table
//! belongs to the session: a new game begins with a new stamp, not with a cleared table.

use super::super::answer::Answer;
use super::super::{Instance, Legality, MAX_SIDE, Rules, Start};
use crate::board::{Bits, Cell, Group, Size, Symmetry};
use crate::choice::Choice;
use crate::engine::{Budget, Limit, Outcome};

/// Complete records.
///
/// # Errors
/// That the record is smudged.
pub fn supports(_: &Rules, instance: &Instance, _: &Choice) -> Result<(), String> {
    super::complete(instance)
}

/// Decides a complete record.
pub fn solve(
    rules: &Rules,
    instance: &Instance,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Outcome<Answer> {
    decide(rules, instance, key, memory, budget).into()
}

/// What is kept from one game to the next: nothing but room.
#[derive(Default)]
pub struct Memory {
    seen: Seen,
    boards: Boards,
}

#[derive(Default)]
struct Boards {
    /// The current one, kept under lenient rules.
    now: Bits,
    before: Bits,
    after: Bits,
}

/// The key of a square: the product of a row's and a column's number, its halves added over GF(2).
/// (The product is that of Y. Wang's wyhash; 4 KB of numbers serve all sizes of board.)
fn key(square: Cell) -> u64 {
    const SIDE: usize = (MAX_SIDE as usize).next_power_of_two();
    const ROWS: [u64; SIDE] = numbers(0);
    const COLUMNS: [u64; SIDE] = numbers(SIDE as u64);
    let product =
        u128::from(ROWS[square.row as usize % SIDE]) * u128::from(COLUMNS[square.col as usize % SIDE]);
    (product >> 64) as u64 ^ product as u64
}

/// splitmix64 of the numbers from `first` on (Steele, Lea, Flood, OOPSLA 2014).
const fn numbers<const N: usize>(first: u64) -> [u64; N] {
    let mut list = [0; N];
    let mut i = 0;
    while i < N {
        let z = (first + i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        list[i] = z ^ (z >> 31);
        i += 1;
    }
    list
}

/// The same with any keys; moves that are unknown in part are skipped.
///
/// # Errors
/// The limit that was met; each move is a node.
pub fn decide(
    rules: &Rules,
    instance: &Instance,
    key: impl Fn(Cell) -> u64,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    match rules.group {
        Group::C4 => {
            play(&C4, |n, square| C4.map(|g| g.apply(n, square)), rules, instance, key, memory, budget)
        }
        Group::D4 => {
            play(&D4, |n, square| D4.map(|g| g.apply(n, square)), rules, instance, key, memory, budget)
        }
        Group::C2 => {
            play(&C2, |n, square| C2.map(|g| g.apply(n, square)), rules, instance, key, memory, budget)
        }
        Group::Trivial => play(&C2[..1], |_, square| [square], rules, instance, key, memory, budget),
    }
}

const fn turned(turns: u8) -> Symmetry {
    Symmetry { turns, mirrored: false }
}
const fn mirrored(turns: u8) -> Symmetry {
    Symmetry { turns, mirrored: true }
}
const C2: [Symmetry; 2] = [turned(0), turned(2)];
const C4: [Symmetry; 4] = [turned(0), turned(1), turned(2), turned(3)];
const D4: [Symmetry; 8] = [C4[0], C4[1], C4[2], C4[3], mirrored(0), mirrored(1), mirrored(2), mirrored(3)];

/// The game under `group`; `images` are a square's under each of its elements.
#[inline(never)]
fn play<const G: usize>(
    group: &[Symmetry],
    images: impl Fn(u32, Cell) -> [Cell; G],
    rules: &Rules,
    instance: &Instance,
    key: impl Fn(Cell) -> u64,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Result<Answer, Limit> {
    let n = instance.n;
    let Memory { seen, boards } = memory;
    let mut hashes = [0; G];
    boards.now.reset(instance.size().cells());
    seen.begin(instance.record.len() + 1);
    if rules.start == Start::Counted {
        seen.find_or_add(0, 0, |_| None::<Symmetry>);
    }
    for (i, mv) in instance.record.iter().filter_map(|entry| entry.known()).enumerate() {
        budget.node()?;
        // Strict rules let no move come here that changes nothing.
        if rules.legality == Legality::Strict || mv.apply(n, &mut boards.now) {
            for (hash, image) in hashes.iter_mut().zip(images(n, mv.cell)) {
                *hash ^= key(image);
            }
        }
        let canonical = hashes.iter().fold(u64::MAX, |least, hash| least.min(*hash));
        let equal = |earlier| equal(instance, group, [earlier, i + 1], boards);
        if let Some((earlier, symmetry)) = seen.find_or_add(canonical, i + 1, equal) {
            return Ok(Answer::Repeat { mv: i + 1, earlier, symmetry });
        }
    }
    Ok(Answer::Draw)
}

/// What takes the board after the first of two numbers of moves to that after the second.
#[cold]
#[inline(never)]
fn equal(
    instance: &Instance,
    group: &[Symmetry],
    moves: [usize; 2],
    boards: &mut Boards,
) -> Option<Symmetry> {
    let Boards { before, after, .. } = boards;
    replay(instance, moves[0], before);
    replay(instance, moves[1], after);
    group.iter().copied().find(|g| is_image(instance.size(), before, *g, after))
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

/// The boards of one game by hash: open addressing, at most half full.
#[derive(Default)]
struct Seen {
    /// Of these, the first `mask + 1` serve this game, a power of two.
    slots: Vec<Slot>,
    mask: usize,
    /// Marks the slots of this game; those with another are empty.
    game: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    game: u32,
    mv: u32,
}

impl Seen {
    /// Forgets everything and makes room for `boards` boards.
    fn begin(&mut self, boards: usize) {
        let room = (2 * boards).next_power_of_two();
        self.mask = room - 1;
        self.game = self.game.wrapping_add(1);
        if self.slots.len() < room || self.game == 0 {
            self.slots.clear();
            self.slots.resize(room, Slot::default());
            self.game = 1;
        }
    }

    /// The first board of that hash of which `equal` knows something; if there is none, move `mv` is
    /// added.
    #[inline(always)]
    fn find_or_add<T>(
        &mut self,
        hash: u64,
        mv: usize,
        mut equal: impl FnMut(usize) -> Option<T>,
    ) -> Option<(usize, T)> {
        let Seen { slots, mask, game } = self;
        let mut at = hash as usize & *mask;
        loop {
            let slot = &mut slots[at];
            if slot.game != *game {
                *slot = Slot { hash, game: *game, mv: mv as u32 };
                return None;
            }
            if slot.hash == hash
                && let Some(found) = equal(slot.mv as usize)
            {
                return Some((slot.mv as usize, found));
            }
            at = (at + 1) & *mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_that_comes_round_finds_no_old_board() {
        let mut seen = Seen::default();
        seen.begin(3);
        seen.find_or_add(7, 1, |_| None::<()>);
        assert_eq!(seen.find_or_add(7, 2, Some), Some((1, 1)));
        seen.game = u32::MAX;
        seen.begin(3);
        // The game that follows has the first one's number.
        assert_eq!((seen.game, seen.find_or_add(7, 1, Some)), (1, None));
        seen.begin(30);
        assert_eq!(seen.find_or_add(7, 1, Some), None);
    }
}
