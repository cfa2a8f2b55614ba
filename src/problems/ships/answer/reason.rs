//! Why no fleet fits, and how a fleet lies that covers a set.

use crate::board::Cell;
use crate::engine::{Budget, Limit};
use crate::problem::Core;
use crate::problems::ships::{Instance, Rules};

/// What a fleet that fits has to keep, part by part. Ships are laid within the board in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// This square is as the board says: covered, or not covered.
    Square(Cell),
    /// This ship, by number from 0, is laid at least once.
    Laid(usize),
    /// It is laid at most once.
    Once(usize),
    /// Ships do not overlap.
    Apart,
}

/// Ships with the cells that they cover.
pub type Fleet = Vec<(usize, Vec<Cell>)>;

/// What an explanation adds to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Parts that cannot all be kept.
    Core(Core<Part>),
    /// A fleet for each of the first sets: of all that fit where the answer is yes, else of the kernel (`lost.rs`) that
    /// no plan wins against.
    Fleets(Vec<Fleet>),
}

/// Says whether parts can be kept, with a fleet that does.
pub type Settle = dyn Fn(&Rules, &Instance, &[Part], &mut Budget) -> Result<Option<Fleet>, Limit>;
