//! Counting arguments: ships that must not overlap cannot fit if there are too few squares, in total or of one
//! chessboard colour.

use super::reason::Part;
use crate::{Instance, Rules, Square};
use counterpoint_core::board::Cell;
use std::collections::BTreeSet;

/// The squares that ships need and the squares that are available, on a board coloured like a chessboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Number of squares of the ships that must be placed.
    pub needed: usize,
    /// Number of black and of white squares that may be covered: all squares except the known misses that are parts. A
    /// square is black if row plus column is even.
    pub free: [usize; 2],
    /// The possible numbers of black squares that these ships cover together if each ship has one of its placements on
    /// free squares. Empty if some ship has no such placement.
    pub black: BTreeSet<usize>,
}

impl Count {
    /// The count for a set of constraints on the fleet (parts of a reason); `None` if these constraints allow ships to
    /// overlap.
    pub fn of(rules: &Rules, instance: &Instance, parts: &[Part]) -> Option<Count> {
        if !parts.contains(&Part::Disjoint) {
            return None;
        }
        let forbidden: BTreeSet<Cell> = parts.iter().filter_map(|part| missed(instance, part)).collect();
        let mut count = Count { needed: 0, free: [0, 0], black: BTreeSet::from([0]) };
        for cell in instance.size.iter().filter(|cell| !forbidden.contains(cell)) {
            count.free[usize::from(!is_black(cell))] += 1;
        }
        for part in parts {
            let Part::AtLeastOnce(ship) = part else { continue };
            let Some(ship) = rules.fleet.ships.get(*ship) else { continue };
            let placements = ship.placements(instance.size);
            let open = placements.iter().filter(|p| !p.cells.iter().any(|cell| forbidden.contains(cell)));
            let black = open.map(|p| p.cells.iter().filter(|&&cell| is_black(cell)).count());
            let black: BTreeSet<usize> = black.collect();
            count.needed += ship.cells.len();
            count.black = count.black.iter().flat_map(|sum| black.iter().map(move |n| sum + n)).collect();
        }
        Some(count)
    }

    /// False if the numbers show that these ships cannot fit. If true, they may still not fit.
    pub fn may_fit(&self) -> bool {
        let [black, white] = self.free;
        self.black.iter().any(|&n| n <= black && self.needed - n <= white)
    }
}

/// The square of a part, if the part is a known miss.
fn missed(instance: &Instance, part: &Part) -> Option<Cell> {
    match part {
        Part::Square(cell) if instance.at(*cell) == Square::Miss => Some(*cell),
        _ => None,
    }
}

fn is_black(cell: Cell) -> bool {
    (cell.row + cell.col).is_multiple_of(2)
}
