//! The capability `STRESS`: stress tests of programs that were written for a judge. A stress test needs sources of
//! games that reveal bugs, ways to shrink a game, and mutants (programs with one known bug each).

use super::Encoding;
use super::generate::MakeGame;

/// The parts of a stress test, for rules `R`, instances `I` and answers `A`.
#[derive(Debug)]
pub struct Stress<R: 'static, I: 'static, A: 'static> {
    /// Sources of games.
    pub trials: &'static [Trial<R, I>],
    /// The maximum number of games in one input.
    pub games: usize,
    /// A game as programs read it, followed by the end mark.
    pub input: fn(&R, &I) -> String,
    /// Smaller or simpler games, the smallest first. Repeated shrinking must terminate.
    pub smaller: fn(&I) -> Vec<I>,
    /// Why the problem statement does not define the right answer to a game; `None` if it defines one.
    pub silent: fn(&I, &A) -> Option<&'static str>,
    /// The known bugs.
    pub mutants: &'static [Mutant<R, I>],
    /// How to test encoders.
    pub encoding: Encoding<R, I>,
    /// The texts of a problem package for contests.
    pub package: Package,
}

/// The texts of a problem package. The title and the source are one line each; each other text is a whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Package {
    /// The problem's title.
    pub title: &'static str,
    /// The problem's source, such as a contest.
    pub source: &'static str,
    /// The statement, as the body of a LaTeX document.
    pub statement: &'static str,
    /// A Python program that ends with status 42 if its input is valid, and with 43 otherwise.
    pub validator: &'static str,
    /// A correct program.
    pub accepted: AcceptedProgram,
}

/// A program that the judge would accept, as a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedProgram {
    /// The name of the file; its extension says which language it is.
    pub file_name: &'static str,
    /// The text of the program.
    pub text: &'static str,
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
    /// A description, one line long.
    pub about: &'static str,
    /// Whether the problem statement promises such games.
    pub promise: Promise,
    /// How long correct programs take for its games.
    pub effort: Effort,
    /// Makes a game.
    pub make: MakeGame<R, I>,
}

/// How long correct programs take for the games of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A simple program answers within a fraction of a second.
    Quick,
    /// The games are designed to be slow, so they come last.
    Heavy,
}

/// Whether the statement of a problem covers the games of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The judge may use such games.
    Promised,
    /// The problem statement does not cover such games.
    Beyond,
}

/// The output of a mutant for the games of an input; `None` if the mutant's plain code cannot handle these games.
pub type MutantOutput<R, I> = fn(&R, &[&I]) -> Option<String>;

/// A program with one known bug.
#[derive(Debug)]
pub struct Mutant<R: 'static, I: 'static> {
    /// Its name.
    pub name: &'static str,
    /// The bug, as the end of a sentence "the program ...".
    pub fault: &'static str,
    /// Its output.
    pub output: MutantOutput<R, I>,
}
