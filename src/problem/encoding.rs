//! Tests of encoders: small boards, the names of the variables of the cells, and drawings of their values.

use super::generate::MakeGame;
use crate::board::Sheet;

/// The parts of a test of encoders, for rules `R` and instances `I`.
#[derive(Debug)]
pub struct Encoding<R: 'static, I: 'static> {
    /// What the models of a right formula are, as the end of a sentence "its models are ...".
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
    /// Draws values of the cells, in the order of `cells`; `None` is an unknown value.
    pub draw: fn(&R, &I, &[Option<bool>]) -> Sheet,
}

/// A variable on which models are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCell {
    /// Its name, the same as in our formulas.
    pub name: String,
    /// Its value, if the board shows it.
    pub shown: Option<bool>,
}

impl<R, I> Clone for Encoding<R, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, I> Copy for Encoding<R, I> {}
