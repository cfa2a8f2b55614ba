//! Games against a player of ours: what a problem brings so that one can play it.

use super::{Param, Params, Problem};
use crate::errors::{IllegalMove, Unsupported};

/// A game for two.
pub struct Play<P: Problem> {
    /// Its parameters.
    pub params: &'static [Param],
    /// Starts a game.
    pub start: Start<P>,
}

/// Starts a game, or says why these rules and parameters have none.
pub type Start<P> = fn(&<P as Problem>::Rules, &Params) -> Result<Box<dyn Opponent>, Unsupported>;

/// Whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The person's.
    Yours,
    /// The opponent's.
    Mine,
    /// Nobody's, with the outcome in words.
    Over(String),
}

/// A player who answers moves, with the board and the rules in hand.
pub trait Opponent {
    /// The rules in a few sentences, and which side the person has.
    fn intro(&self) -> String;

    /// The board, as a person sees it.
    fn show(&self) -> String;

    /// Who moves next.
    fn turn(&self) -> Turn;

    /// A good move, and how good it is.
    fn hint(&self) -> String;

    /// Makes the person's move.
    ///
    /// # Errors
    /// Why it is none, and what would be right; nothing has changed.
    fn your_move(&mut self, text: &str) -> Result<(), IllegalMove>;

    /// Makes a move of its own where it is its turn; tells it as the person would write it.
    fn my_move(&mut self) -> String;
}
