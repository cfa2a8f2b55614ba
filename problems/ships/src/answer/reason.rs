//! The reason for an answer: squares and rules that contradict each other, or fleets for covered sets.

use crate::{Instance, PlacedShip, Rules};
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::Core;

/// One of the constraints on a fleet that fits. There is no part for the constraint that ships lie within the board,
/// because it can never be dropped.
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

/// The placed ships of a fleet. A ship may occur several times, or not at all, unless a part forbids this.
pub type PlacedFleet = Vec<PlacedShip>;

/// What an explanation adds to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Parts that cannot all be satisfied.
    Core(Core<Part>),
    /// Fleets for the first few of some sets. If the answer is "yes", these are all sets that fit; if it is "no", they
    /// are the kernel (`lost.rs`), against which no plan wins.
    Fleets(Vec<PlacedFleet>),
}

/// Returns a fleet that satisfies all given parts, or `None` if there is none.
pub type Satisfy = dyn Fn(&Rules, &Instance, &[Part], &mut Budget) -> Result<Option<PlacedFleet>, Limit>;
