//! Shortest games that distinguish two programs, by iterative deepening over all games.
//!
//! A program is described by the symmetries under which it considers boards equal, and by whether the start counts for
//! it. The set of these symmetries is closed under inverses but need not be a group. A game distinguishes two programs
//! at a move if exactly one of them calls this move a repeat and neither calls an earlier move a repeat.

use super::super::Start;
use counterpoint_core::board::{Group, Size, Symmetry};
use counterpoint_core::engine::{Budget, Limit};

/// The largest supported side.
pub const MAX_SIDE: u32 = 8;
/// The number of symmetries of a square.
const SYMMETRIES: usize = 8;

/// A program, described by the boards that it considers equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A short description.
    pub name: String,
    /// Bit i is set if the program uses the symmetry with index i in [`Group::D4`].
    pub maps: u8,
    /// Whether the start counts.
    pub start: Start,
}

impl Program {
    /// A program that uses the symmetries of a group.
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

/// The images of a board of up to 8×8 squares under the elements of [`Group::D4`], in the order of the group. The first
/// image is the board itself. Bit i of an image is set if the square with row-major index i has a spot.
pub type Images = [u64; SYMMETRIES];

/// For each square, by row-major index, the images of the board that has a spot on this square alone.
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

/// The images of a board after toggling the square whose images are `toggle`.
pub fn toggled(board: &Images, toggle: &Images) -> Images {
    std::array::from_fn(|g| board[g] ^ toggle[g])
}

/// The squares that are toggled in a shortest game that distinguishes the two programs at its last move; `None` if no
/// such game has at most `most` moves. Each move that is tried counts as one node of work; O(squares^length), where
/// length is the greatest number of moves that is tried.
///
/// # Errors
/// Returns the limit that was reached.
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
    /// Whether some game of the current length has no repeat for either program.
    goes_on: bool,
}

impl Search<'_> {
    /// Whether the game can be extended by `left` moves such that exactly one program calls the last move a repeat, and
    /// neither calls an earlier one a repeat. If so, `squares` is then such a game.
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
