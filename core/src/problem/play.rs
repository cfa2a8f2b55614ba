//! The capability `PLAY`: a game for a person against an engine.

use super::{Param, Params, Problem};
use crate::errors::{IllegalMove, Unsupported};

/// A game for two.
pub struct Play<P: Problem> {
    /// Its parameters.
    pub params: &'static [Param],
    /// Starts a game.
    pub start: Start<P>,
}

/// Starts a game.
///
/// # Errors
/// Returns an error if there is no game with these rules and parameters.
pub type Start<P> = fn(&<P as Problem>::Rules, &Params) -> Result<Box<dyn Opponent>, Unsupported>;

/// Whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The person moves.
    Yours,
    /// The opponent moves.
    Mine,
    /// The game is over, with this outcome.
    Over(String),
}

/// The person's opponent in a running game.
pub trait Opponent {
    /// The rules in a few sentences, and the side of the person.
    fn intro(&self) -> String;

    /// The board as text.
    fn show(&self) -> String;

    /// Who moves next.
    fn turn(&self) -> Turn;

    /// A good move for the person, and its value.
    fn hint(&self) -> String;

    /// Makes the person's move.
    ///
    /// # Errors
    /// Returns an error if the move is not legal. The message says what is expected, and the game is unchanged.
    fn your_move(&mut self, text: &str) -> Result<(), IllegalMove>;

    /// Makes the opponent's move, and returns it as the person would write it. It must be the opponent's turn.
    fn my_move(&mut self) -> String;
}
