//! What a problem brings so that foreign encodings of it can be held against its own: small boards, what the cells'
//! variables are called, and how their values look on a board.

use super::generate::MakeGame;
use crate::board::Sheet;

/// All of it, over the problem's rules `R` and instances `I`.
#[derive(Debug)]
pub struct Encoding<R: 'static, I: 'static> {
    /// What the models of a right formula are, as the end of "its models are ...".
    pub models: &'static str,
    /// Which boards count as tiny, in a few words.
    pub extent: fn(&R) -> String,
    /// All tiny boards, those of fewer squares first.
    pub tiny: fn(&R) -> Box<dyn Iterator<Item = I>>,
    /// A small random board.
    pub random: MakeGame<R, I>,
    /// Smaller or simpler boards, the smallest first. Whoever goes on with one of them comes to an end.
    pub smaller: fn(&I) -> Vec<I>,
    /// The cells.
    pub cells: fn(&I) -> Vec<NamedCell>,
    /// Values of the cells, in their order, on the board; `None` where a value is not known.
    pub draw: fn(&R, &I, &[Option<bool>]) -> Sheet,
}

/// A variable on which models are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCell {
    /// Its name, the same as in our formulas.
    pub name: String,
    /// Its value, where the board shows it.
    pub shown: Option<bool>,
}

impl<R, I> Clone for Encoding<R, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, I> Copy for Encoding<R, I> {}
