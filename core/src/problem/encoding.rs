//! What a test of an encoder needs from a problem: small boards, names for the variables of their cells, and drawings
//! of the cells' values.

use super::generate::MakeGame;
use crate::board::Sheet;

/// The parts of a test of encoders, for rules `R` and instances `I`.
#[derive(Debug)]
pub struct Encoding<R: 'static, I: 'static> {
    /// What the models of a correct formula are, as the end of a sentence "its models are ...".
    pub models: &'static str,
    /// Which boards are tiny, in a few words.
    pub extent: fn(&R) -> String,
    /// All tiny boards, in ascending order of the number of squares.
    pub tiny: fn(&R) -> Box<dyn Iterator<Item = I>>,
    /// A small random board.
    pub random: MakeGame<R, I>,
    /// Smaller or simpler boards, the smallest first. Repeated shrinking must terminate.
    pub smaller: fn(&I) -> Vec<I>,
    /// The cells on which models are compared.
    pub cells: fn(&I) -> Vec<NamedCell>,
    /// Draws the board with these values of its cells, in the order of `cells`; `None` is an unknown value.
    pub draw: fn(&R, &I, &[Option<bool>]) -> Sheet,
}

/// A cell on which models are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCell {
    /// The name of its variable in our formulas. The program's formula must use the same name.
    pub name: String,
    /// Its value, if the board shows it; otherwise `None`.
    pub shown: Option<bool>,
}

impl<R, I> Clone for Encoding<R, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, I> Copy for Encoding<R, I> {}
