//! How to win without a move limit, on boards of any side: pairs of classes that one toggle joins.
//!
//! Whoever can always answer a class with its partner never has to repeat. Where a square lies still under the group (the
//! centre of an odd board, any square if nothing counts as equal), toggling it pairs all classes: the player to
//! move at the empty board wins. Else the board is even, and each class with an odd number of spots has a partner
//! of its own, never the empty board, so the second player wins, whether the start counts or not: a corner is
//! toggled, and the rest of the board stays. The rest's least image is the frame; of the group only what leaves
//! the frame alone, S, still acts on the corners. The patterns of corners up to S with an odd board in all are
//! matched with those with an even one. That such a matching exists is a matter of the ten subgroups S of D4, not of
//! the side: the test below goes through them. (An odd rest lies still under diagonal mirrors alone, since every
//! other symmetry moves each square of an even board.)

use super::super::Start;
use crate::board::{Bits, Cell, Group, Size, Symmetry};

/// The corners in the order in which a quarter turn takes them.
const CORNERS: usize = 4;
/// A permutation of the corners.
type Turn = [usize; CORNERS];

/// The winner's answers on boards of one side.
#[derive(Clone, Debug)]
pub struct Strategy {
    size: Size,
    group: Group,
    corners: [Cell; CORNERS],
}

impl Strategy {
    /// For an `n`×`n` board.
    pub fn new(n: u32, group: Group) -> Strategy {
        let last = n.saturating_sub(1);
        let corners = [Cell::new(0, 0), Cell::new(0, last), Cell::new(last, last), Cell::new(last, 0)];
        Strategy { size: Size::new(n, n), group, corners }
    }

    /// A square that every symmetry leaves where it is.
    fn still(&self) -> Option<Cell> {
        let n = self.size.width;
        let middle = Cell::new(n / 2, n / 2);
        [self.corners[0], middle]
            .into_iter()
            .find(|&cell| self.group.iter().all(|g| g.apply(n, cell) == cell))
    }

    /// How classes are paired, in a few words.
    pub fn rule(&self) -> &'static str {
        match self.still() {
            Some(cell) if cell == self.corners[0] => "toggle the top left corner",
            Some(_) => "toggle the centre",
            None => "toggle a corner",
        }
    }

    /// Whether only boards with an odd number of spots have a partner by this rule.
    pub fn is_for_odd_boards(&self) -> bool {
        self.still().is_none()
    }

    /// The player who wins from the empty board.
    pub fn winner(&self, start: Start) -> u8 {
        if self.still().is_some() && start == Start::Counted { 1 } else { 2 }
    }

    /// The square that the winner toggles, by its index, where it is the winner's turn in a game that the winner played by
    /// these answers; O(N² |G|). Where toggling a corner is the rule, boards have an odd number of spots.
    pub fn answer(&self, board: &Bits) -> usize {
        let cell = self.still().unwrap_or_else(|| self.corners[self.corner(board)]);
        self.size.index(cell)
    }

    fn corner(&self, board: &Bits) -> usize {
        let mut rest = board.clone();
        self.corners.iter().for_each(|&corner| rest.clear(self.size.index(corner)));
        let framed = self.group.iter().map(|g| (self.image(&rest, g), g)).min_by(|a, b| a.0.cmp(&b.0));
        // A group has an element.
        let Some((frame, to_frame)) = framed else { return 0 };
        let turn = self.turn(to_frame);
        let still: Vec<Turn> =
            self.group.iter().filter(|&g| self.image(&frame, g) == frame).map(|g| self.turn(g)).collect();
        let spots = (0..CORNERS).filter(|&corner| board.get(self.size.index(self.corners[corner])));
        let pattern = spots.map(|corner| 1 << turn[corner]).sum();
        let chosen = partner(&still, pattern, rest.count() == 0).unwrap_or(0);
        turn.iter().position(|&to| to == chosen).unwrap_or(0)
    }

    fn image(&self, board: &Bits, g: Symmetry) -> Bits {
        let size = self.size;
        let spots = board.iter().map(|square| size.index(g.apply(size.width, size.cell(square))));
        Bits::from_indices(size.cells(), spots)
    }

    /// What a symmetry does with the corners.
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

/// The corner to toggle in a pattern of corners, bit i for corner i: patterns of its parity, up to the group `still`, are
/// matched with those of the other, without that of no corner if the rest is empty. `None` if that cannot be.
fn partner(still: &[Turn], pattern: usize, is_rest_empty: bool) -> Option<usize> {
    let class = |pattern: usize| still.iter().map(|turn| image(turn, pattern)).min().unwrap_or(pattern);
    let parity = |pattern: usize| pattern.count_ones() % 2;
    let mut holder = [None; 1 << CORNERS];
    let asking = (0..1 << CORNERS).filter(|&p| parity(p) == parity(pattern) && class(p) == p);
    for asking in asking {
        let mut tried = [false; 1 << CORNERS];
        tried[0] = is_rest_empty;
        if !augment(asking, &class, &mut tried, &mut holder) {
            return None;
        }
    }
    let home = class(pattern);
    let mate = (0..1 << CORNERS).find(|&mate| holder[mate] == Some(home))?;
    (0..CORNERS).find(|corner| class(pattern ^ 1 << corner) == mate)
}

/// An augmenting path from a pattern to one that nobody holds.
fn augment(
    asking: usize,
    class: &dyn Fn(usize) -> usize,
    tried: &mut [bool; 1 << CORNERS],
    holder: &mut [Option<usize>; 1 << CORNERS],
) -> bool {
    for corner in 0..CORNERS {
        let mate = class(asking ^ 1 << corner);
        if !std::mem::replace(&mut tried[mate], true)
            && holder[mate].is_none_or(|other| augment(other, class, tried, holder))
        {
            holder[mate] = Some(asking);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that the rule needs of the group on an even board, whatever its side.
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
            // A diagonal mirror leaves two corners alone, every other symmetry none or all.
            let fixed = |turn: &Turn| (0..CORNERS).filter(|&corner| turn[corner] == corner).count();
            let may_be_odd = subgroup.iter().all(|turn| fixed(turn) > 0);
            for pattern in 0..1usize << CORNERS {
                let is_rest_odd = pattern.count_ones() % 2 == 0;
                // An empty rest lies still under the whole group, which has the half turn.
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
