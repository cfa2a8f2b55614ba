//! The pairing strategy: how to win without a limit on moves, on boards of any side.
//!
//! Classes are paired such that one toggle leads from each class of a pair to the other. A player who can always answer
//! a class with its partner never has to repeat.
//!
//! # A square that the group fixes
//! If some square is fixed by every symmetry of the group (the centre of a board of odd side, or any square under the
//! trivial group), toggling this square pairs all classes. Then player 1 wins if the start counts; otherwise player 2
//! wins.
//!
//! # Other boards
//! Their side is even. Each class with an odd number of spots gets a partner of its own, and this partner is
//! never the empty board. So player 2 wins, whether the start counts or not. Toggling a corner leads to the
//! partner. The corner is found as follows:
//! 1. Remove the spots on the corners. The *frame* is the smallest image of the remaining board.
//! 2. The subgroup S of symmetries that fix the frame still acts on the corners.
//! 3. Patterns of corners are considered up to S. Those that give the whole board an odd number of spots are matched
//!    with those that give it an even number.
//!
//! Such a matching exists for each of the ten subgroups S of D4, whatever the side; the test below verifies this. (Only
//! the identity and reflections in diagonals can fix a frame with an odd number of spots, because every other symmetry
//! moves each square of a board of even side.)

use super::super::Start;
use counterpoint_core::board::{Bits, Cell, Group, Size, Symmetry};

/// The number of corners. They are numbered in the order in which a quarter turn visits them.
const CORNERS: usize = 4;
/// A permutation of the corners: element i is the image of corner i.
type Turn = [usize; CORNERS];

/// The pairing strategy on boards of a given side under a given group.
#[derive(Clone, Debug)]
pub struct Strategy {
    size: Size,
    group: Group,
    corners: [Cell; CORNERS],
}

impl Strategy {
    /// The strategy on `n`×`n` boards.
    pub fn new(n: u32, group: Group) -> Strategy {
        let last = n.saturating_sub(1);
        let corners = [Cell::new(0, 0), Cell::new(0, last), Cell::new(last, last), Cell::new(last, 0)];
        Strategy { size: Size::new(n, n), group, corners }
    }

    /// A square that every symmetry of the group fixes; `None` if there is none.
    fn fixed_square(&self) -> Option<Cell> {
        let n = self.size.width;
        let middle = Cell::new(n / 2, n / 2);
        [self.corners[0], middle]
            .into_iter()
            .find(|&cell| self.group.iter().all(|g| g.apply(n, cell) == cell))
    }

    /// The strategy in a few words.
    pub fn rule(&self) -> &'static str {
        match self.fixed_square() {
            Some(cell) if cell == self.corners[0] => "toggle the top left corner",
            Some(_) => "toggle the centre",
            None => "toggle a corner",
        }
    }

    /// Whether only boards with an odd number of spots have a partner.
    pub fn is_for_odd_boards(&self) -> bool {
        self.fixed_square().is_none()
    }

    /// The player who wins from the empty board, 1 or 2.
    pub fn winner(&self, start: Start) -> u8 {
        if self.fixed_square().is_some() && start == Start::Counted { 1 } else { 2 }
    }

    /// The row-major index of the square whose toggle leads to the partner of the board's class; O(n² |G|). If
    /// [`Strategy::is_for_odd_boards`] is true, the board must have an odd number of spots.
    pub fn answer(&self, board: &Bits) -> usize {
        let cell = self.fixed_square().unwrap_or_else(|| self.corners[self.corner(board)]);
        self.size.index(cell)
    }

    /// The number of the corner to toggle on a board that has an odd number of spots and an even side.
    fn corner(&self, board: &Bits) -> usize {
        let mut rest = board.clone();
        self.corners.iter().for_each(|&corner| rest.clear(self.size.index(corner)));
        let framed = self.group.iter().map(|g| (self.image(&rest, g), g)).min_by(|a, b| a.0.cmp(&b.0));
        // Every group has an element, so there is a smallest image.
        let Some((frame, to_frame)) = framed else { return 0 };
        let turn = self.turn(to_frame);
        let fixing: Vec<Turn> =
            self.group.iter().filter(|&g| self.image(&frame, g) == frame).map(|g| self.turn(g)).collect();
        let spots = (0..CORNERS).filter(|&corner| board.get(self.size.index(self.corners[corner])));
        let pattern = spots.map(|corner| 1 << turn[corner]).sum();
        let chosen = partner(&fixing, pattern, rest.count() == 0).unwrap_or(0);
        turn.iter().position(|&to| to == chosen).unwrap_or(0)
    }

    fn image(&self, board: &Bits, g: Symmetry) -> Bits {
        let size = self.size;
        let spots = board.iter().map(|square| size.index(g.apply(size.width, size.cell(square))));
        Bits::from_indices(size.cells(), spots)
    }

    /// How a symmetry permutes the corners.
    fn turn(&self, g: Symmetry) -> Turn {
        let to = |corner: Cell| {
            let image = g.apply(self.size.width, corner);
            self.corners.iter().position(|&other| other == image).unwrap_or(0)
        };
        self.corners.map(to)
    }
}

fn image(turn: &Turn, pattern: usize) -> usize {
    (0..CORNERS).filter(|corner| pattern >> corner & 1 == 1).map(|corner| 1 << turn[corner]).sum()
}

/// The corner to toggle in a pattern of corners, in which bit i is set if corner i has a spot. To find it, the patterns
/// with the parity of `pattern` are matched with those of the other parity. Patterns that `fixing` maps to each other
/// count as one. If the rest of the board is empty, the empty pattern is not matched. Returns `None` if there is no
/// such matching.
fn partner(fixing: &[Turn], pattern: usize, is_rest_empty: bool) -> Option<usize> {
    let class = |pattern: usize| fixing.iter().map(|turn| image(turn, pattern)).min().unwrap_or(pattern);
    let parity = |pattern: usize| pattern.count_ones() % 2;
    let mut holder = [None; 1 << CORNERS];
    let classes = (0..1 << CORNERS).filter(|&p| parity(p) == parity(pattern) && class(p) == p);
    for from in classes {
        let mut tried = [false; 1 << CORNERS];
        tried[0] = is_rest_empty;
        if !augment(from, &class, &mut tried, &mut holder) {
            return None;
        }
    }
    let own = class(pattern);
    let mate = (0..1 << CORNERS).find(|&mate| holder[mate] == Some(own))?;
    (0..CORNERS).find(|corner| class(pattern ^ 1 << corner) == mate)
}

/// Augments the matching by a path that begins at the pattern `from`. Returns false if there is no such path. `holder`
/// has the partner of each pattern of the other parity, or `None`.
fn augment(
    from: usize,
    class: &dyn Fn(usize) -> usize,
    tried: &mut [bool; 1 << CORNERS],
    holder: &mut [Option<usize>; 1 << CORNERS],
) -> bool {
    for corner in 0..CORNERS {
        let mate = class(from ^ 1 << corner);
        if !std::mem::replace(&mut tried[mate], true)
            && holder[mate].is_none_or(|other| augment(other, class, tried, holder))
        {
            holder[mate] = Some(from);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On boards of even side, the strategy needs a matching for every subgroup that can fix a frame.
    #[test]
    fn corners_can_be_matched_under_every_subgroup() {
        let strategy = Strategy::new(2, Group::D4);
        let d4: Vec<Turn> = Group::D4.iter().map(|g| strategy.turn(g)).collect();
        let times = |a: &Turn, b: &Turn| b.map(|corner| a[corner]);
        let mut subgroups = 0;
        for chosen in 1u32..1 << d4.len() {
            let subgroup: Vec<Turn> = (0..d4.len()).filter(|i| chosen >> i & 1 == 1).map(|i| d4[i]).collect();
            let product = |a: &Turn| subgroup.iter().all(|b| subgroup.contains(&times(a, b)));
            if !subgroup.iter().all(product) {
                continue;
            }
            subgroups += 1;
            // The identity fixes all corners, and a reflection in a diagonal two; every other symmetry fixes none.
            let fixed = |turn: &Turn| (0..CORNERS).filter(|&corner| turn[corner] == corner).count();
            let may_be_odd = subgroup.iter().all(|turn| fixed(turn) > 0);
            for pattern in 0..1usize << CORNERS {
                let is_rest_odd = pattern.count_ones() % 2 == 0;
                // If the rest of the board is empty, the whole group fixes it, and this group contains the half turn.
                let is_rest_empty = !is_rest_odd && subgroup.contains(&[2, 3, 0, 1]);
                if is_rest_odd && !may_be_odd {
                    continue;
                }
                assert!(partner(&subgroup, pattern, is_rest_empty).is_some(), "{subgroup:?} {pattern:b}");
            }
        }
        assert_eq!(subgroups, 10);
    }
}
