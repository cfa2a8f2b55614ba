//! The reason for an answer: parts of the board and the rules that contradict each other, or a fleet for a covered set.

use crate::board::Cell;
use crate::engine::{Budget, Limit};
use crate::problem::Core;
use crate::problems::ships::{Instance, PlacedShip, Rules};

/// One of the constraints on a fleet that fits. Ships lie within the board in any case, so this is not a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// This square is covered or not covered, as the board shows it.
    Square(Cell),
    /// This ship, by number from 0, is placed at least once.
    AtLeastOnce(usize),
    /// This ship, by number from 0, is placed at most once.
    AtMostOnce(usize),
    /// Ships do not overlap.
    Disjoint,
}

/// The ships of a fleet that are placed. A ship may occur several times, or not at all, if no part forbids it.
pub type PlacedFleet = Vec<PlacedShip>;

/// What an explanation adds to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Parts that cannot all be satisfied.
    Core(Core<Part>),
    /// A fleet for each of the first sets. If the answer is "yes", these are the sets that fit; if it is "no", they are
    /// the kernel (`lost.rs`), which no plan wins against.
    Fleets(Vec<PlacedFleet>),
}

/// Returns a fleet that satisfies all given parts, or `None` if there is none.
pub type Satisfy = dyn Fn(&Rules, &Instance, &[Part], &mut Budget) -> Result<Option<PlacedFleet>, Limit>;
