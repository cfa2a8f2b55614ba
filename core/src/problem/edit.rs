//! The capability `EDIT`: boards that are changed by pointing at squares.

use super::{Param, Params, Problem};
use crate::board::{Cell, Panel};

/// The maximum number of squares, summed over all boards, that an editor shows.
pub const MAX_EDITED: usize = 2500;

/// Boards that show an instance and change it.
pub struct Edit<P: Problem> {
    /// What a click and a drag change, in a sentence or two.
    pub about: &'static str,
    /// The boards, from left to right. There are none if they would have more than [`MAX_EDITED`] squares.
    pub boards: fn(&P::Rules, &P::Instance) -> Vec<Panel>,
    /// The instance after a click or a drag on one of these boards. The squares are on the board.
    pub touch: fn(&P::Rules, &P::Instance, Touch) -> P::Instance,
    /// Empty boards to draw on.
    pub empty: Empty<P>,
}

/// An empty board of a size that the user chooses.
pub struct Empty<P: Problem> {
    /// The numbers that set the size.
    pub params: &'static [Param],
    /// The number of squares that an editor shows for such a board, which is compared with [`MAX_EDITED`] before the
    /// board is made.
    pub squares: fn(&Params) -> u64,
    /// The board.
    pub make: fn(&P::Rules, &Params) -> P::Instance,
}

/// A click on a square, or a drag from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The number of the board, from 0.
    pub board: usize,
    /// The square at which the drag began.
    pub from: Cell,
    /// The square at which it ended; the same square for a click.
    pub to: Cell,
}

impl Touch {
    /// Whether this is a click.
    pub fn is_click(self) -> bool {
        self.from == self.to
    }
}
