//! What a problem brings so that foreign judge programs can be put under stress: inputs made to hurt, ways to make
//! a game smaller, and mutants, each the judge with one fault that programs have.

use super::Encoding;
use super::generate::MakeGame;

/// All of it, over the problem's rules `R`, instances `I` and answers `A`.
#[derive(Debug)]
pub struct Stress<R: 'static, I: 'static, A: 'static> {
    /// Sources of games.
    pub trials: &'static [Trial<R, I>],
    /// The most games that one input shall have.
    pub games: usize,
    /// A game as programs read it, behind it the end mark.
    pub input: fn(&R, &I) -> String,
    /// Smaller or simpler games, the smallest first. Whoever goes on with one of them comes to an end.
    pub smaller: fn(&I) -> Vec<I>,
    /// Why the statement does not say what the answer to a game is, where it does not.
    pub silent: fn(&I, &A) -> Option<&'static str>,
    /// Known faults.
    pub mutants: &'static [Mutant<R, I>],
    /// What foreign encodings are held against.
    pub encoding: Encoding<R, I>,
    /// What else a problem package for contests holds.
    pub package: Package,
}

/// Texts of a problem package, all of them files as they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Package {
    /// The problem's title.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The statement, as the body of a LaTeX document.
    pub statement: &'static str,
    /// A Python program that ends with status 42 if its input is one of the problem, with 43 if not.
    pub validator: &'static str,
    /// A right program, by its file name.
    pub accepted: (&'static str, &'static str),
}

impl<R, I, A> Clone for Stress<R, I, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, I, A> Copy for Stress<R, I, A> {}

/// A source of games.
#[derive(Debug)]
pub struct Trial<R: 'static, I: 'static> {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is good for, in a line.
    pub about: &'static str,
    /// Whether the statement says what is right.
    pub promise: Promise,
    /// How long right programs may take over its games.
    pub effort: Effort,
    /// Makes a game.
    pub make: MakeGame<R, I>,
}

/// How long right programs may take over the games of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A plain program answers within a fraction of a second.
    Quick,
    /// The games are made to be slow, so they come last.
    Heavy,
}

/// Whether a statement promises that such games come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Judges may ask it.
    Promised,
    /// It lies beyond what the statement says.
    Beyond,
}

/// What a program with a certain fault prints for the games of an input; `None` where the mutant cannot say.
pub type Tell<R, I> = fn(&R, &[&I]) -> Option<String>;

/// The judge with one fault.
#[derive(Debug)]
pub struct Mutant<R: 'static, I: 'static> {
    /// Its name.
    pub name: &'static str,
    /// The fault, as the end of "the program ...".
    pub fault: &'static str,
    /// What it prints.
    pub tell: Tell<R, I>,
}
