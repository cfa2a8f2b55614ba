//! Counting squares: whether ships that may not overlap have room at all, by number and by colour.

use super::reason::Part;
use crate::board::Cell;
use crate::problems::ships::{Instance, Rules, Square};
use std::collections::BTreeSet;

/// What ships need and what there is, on a board that is coloured as for chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Squares of the ships that have to be laid.
    pub needed: usize,
    /// Squares that no miss forbids: black ones, whose row and column add up to an even number, and white ones.
    pub room: [usize; 2],
    /// How many black squares these ships can cover together, each at one of its places. Empty if one has none.
    pub black: BTreeSet<usize>,
}

impl Count {
    /// What some parts say; `None` where ships may overlap.
    pub fn of(rules: &Rules, instance: &Instance, parts: &[Part]) -> Option<Count> {
        if !parts.contains(&Part::Apart) {
            return None;
        }
        let forbidden: BTreeSet<Cell> = parts.iter().filter_map(|part| missed(instance, part)).collect();
        let mut count = Count { needed: 0, room: [0, 0], black: BTreeSet::from([0]) };
        for cell in instance.size.iter().filter(|cell| !forbidden.contains(cell)) {
            count.room[usize::from(!is_black(cell))] += 1;
        }
        for part in parts {
            let Part::Laid(ship) = part else { continue };
            let Some(ship) = rules.fleet.ships.get(*ship) else { continue };
            let places = ship.placements(instance.size);
            let open = places.iter().filter(|place| !place.cells.iter().any(|cell| forbidden.contains(cell)));
            let black = open.map(|place| place.cells.iter().filter(|&&cell| is_black(cell)).count());
            let black: BTreeSet<usize> = black.collect();
            count.needed += ship.cells.len();
            count.black = count.black.iter().flat_map(|sum| black.iter().map(move |n| sum + n)).collect();
        }
        Some(count)
    }

    /// Whether the numbers leave it open that these ships have room; else they have none.
    pub fn leaves_room(&self) -> bool {
        let [black, white] = self.room;
        self.black.iter().any(|&n| n <= black && self.needed - n <= white)
    }
}

/// The square that a part says to be no ship's.
fn missed(instance: &Instance, part: &Part) -> Option<Cell> {
    match part {
        Part::Square(cell) if instance.at(*cell) == Square::Miss => Some(*cell),
        _ => None,
    }
}

fn is_black(cell: Cell) -> bool {
    (cell.row + cell.col).is_multiple_of(2)
}
