//! Shortest games that distinguish two programs, by iterative deepening over all games.
//!
//! A program is described by the boards that it considers equal: a set of symmetries, closed under inverses but not
//! necessarily a group, and whether the start counts. A game distinguishes two programs at its first move that exactly
//! one of them calls a repeat, if neither calls an earlier move a repeat.

use super::super::Start;
use crate::board::{Group, Size, Symmetry};
use crate::engine::{Budget, Limit};

/// The largest supported side.
pub const MAX_SIDE: u32 = 8;
/// The symmetries of a square.
const SYMMETRIES: usize = 8;

/// The boards that a program considers equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A short description.
    pub name: String,
    /// Bit i for the i-th element of [`Group::D4`].
    pub maps: u8,
    /// Whether the start counts.
    pub start: Start,
}

impl Program {
    /// A program that uses a group.
    pub fn of(group: Group, start: Start, name: String) -> Program {
        let is_in = |g: &Symmetry| group.iter().any(|other| other == *g);
        Program { name, maps: bits(is_in), start }
    }

    /// A common wrong program: four rotations and one reflection, which are not a group.
    pub fn with_one_mirror(start: Start) -> Program {
        let maps = bits(|g| !g.mirrored || g.turns == 0);
        Program { name: "rotations and one mirror".to_owned(), maps, start }
    }

    /// Whether the program considers the last of these boards equal to an earlier one.
    pub fn repeats(&self, boards: &[Images]) -> bool {
        let Some((last, before)) = boards.split_last() else { return false };
        let first = usize::from(self.start == Start::Uncounted);
        let equal = |board: &Images| (0..SYMMETRIES).any(|g| self.maps >> g & 1 == 1 && last[g] == board[0]);
        before.iter().skip(first).any(equal)
    }
}

fn bits(chosen: impl Fn(&Symmetry) -> bool) -> u8 {
    let bits = Group::D4.iter().enumerate().filter(|(_, g)| chosen(g)).map(|(i, _)| 1u8 << i);
    bits.sum()
}

/// A board of up to 8×8 under each symmetry of a square, bit i for the square of row-major index i; itself first.
pub type Images = [u64; SYMMETRIES];

/// What toggling each square does to the images.
pub fn toggles(n: u32) -> Vec<Images> {
    let size = Size::new(n, n);
    let image = |cell| {
        let mut images = [0; SYMMETRIES];
        for (image, g) in images.iter_mut().zip(Group::D4.iter()) {
            *image = 1 << size.index(g.apply(n, cell));
        }
        images
    };
    size.iter().map(image).collect()
}

/// Images after a toggle.
pub fn toggled(board: &Images, toggle: &Images) -> Images {
    std::array::from_fn(|g| board[g] ^ toggle[g])
}

/// The squares of a shortest game of at most `most` moves whose last move exactly one of two programs calls a repeat;
/// `None` if there is no such game. O(squares^length), a node each.
///
/// # Errors
/// The limit that was met.
pub fn shortest(
    n: u32,
    programs: [&Program; 2],
    most: usize,
    budget: &mut Budget,
) -> Result<Option<Vec<usize>>, Limit> {
    let toggles = toggles(n);
    for length in 1..=most {
        let mut search = Search {
            toggles: &toggles,
            programs,
            boards: vec![[0; SYMMETRIES]],
            squares: Vec::new(),
            goes_on: false,
        };
        if search.extend(length, budget)? {
            return Ok(Some(search.squares));
        }
        if !search.goes_on {
            break;
        }
    }
    Ok(None)
}

struct Search<'a> {
    toggles: &'a [Images],
    programs: [&'a Program; 2],
    boards: Vec<Images>,
    squares: Vec<usize>,
    /// Whether some game of the length is still on for both.
    goes_on: bool,
}

impl Search<'_> {
    /// Whether `left` more moves can lead to a difference at the last; if so it stays on the path.
    fn extend(&mut self, left: usize, budget: &mut Budget) -> Result<bool, Limit> {
        for square in 0..self.toggles.len() {
            budget.node()?;
            let next =
                self.boards.last().map_or([0; SYMMETRIES], |last| toggled(last, &self.toggles[square]));
            self.boards.push(next);
            self.squares.push(square);
            let found = match self.programs.map(|program| program.repeats(&self.boards)) {
                [false, false] if left == 1 => {
                    self.goes_on = true;
                    false
                }
                [false, false] => self.extend(left - 1, budget)?,
                [one, other] => left == 1 && one != other,
            };
            if found {
                return Ok(true);
            }
            self.boards.pop();
            self.squares.pop();
        }
        Ok(false)
    }
}
