//! The capability `STRESS`: stress tests of programs that were written for a judge. A stress test needs sources of
//! games that reveal bugs, ways to shrink a game, and mutants (programs with one known bug each).
//!
//! The output of a program is compared with that of the reference. If a game can have several right outputs, the
//! problem provides a [`Judge`], which judges outputs and recognises bugs.

use super::Encoding;
use super::generate::MakeGame;

/// The parts of a stress test, for rules `R`, instances `I` and answers `A`.
#[derive(Debug)]
pub struct Stress<R: 'static, I: 'static, A: 'static> {
    /// Sources of games.
    pub trials: &'static [Trial<R, I>],
    /// The number of inputs of the first quick trial that come before the inputs of the other trials. The games of this
    /// trial are the smallest, so failures on them shrink quickly.
    pub first_inputs: u64,
    /// The maximum number of games in one input; 1 if there is a [`Judge`].
    pub games: usize,
    /// A game as programs read it, followed by the end mark.
    pub input: fn(&R, &I) -> String,
    /// Smaller or simpler games, the smallest first. Repeated shrinking must terminate.
    pub smaller: fn(&I) -> Vec<I>,
    /// Why the problem statement does not define the right answer to a game; `None` if it defines one.
    pub silent: fn(&I, &A) -> Option<&'static str>,
    /// The known bugs, if there is no judge.
    pub mutants: &'static [Mutant<R, I>],
    /// Judges outputs; `None` if a game has only one right output.
    pub judge: Option<Judge<I, A>>,
    /// How to test encoders; `None` if the problem has no encoders.
    pub encoding: Option<Encoding<R, I>>,
    /// The texts of a problem package for contests; `None` if there is no package.
    pub package: Option<Package>,
}

/// Judges the outputs of programs if a game can have several right outputs, for instances `I` and answers `A`.
#[derive(Debug)]
pub struct Judge<I: 'static, A: 'static> {
    /// Judges an output for a game. The answer is the reference's; all its claims are closed.
    pub judge: fn(&I, &A, Printed<'_>) -> Judgement,
    /// Name and description of each known bug, as in [`Mutant`].
    pub bugs: fn() -> Vec<[&'static str; 2]>,
    /// Whether a program with the bug of this index may print this for a game; `None` if that cannot be decided.
    pub may_print: fn(usize, &I, Printed<'_>) -> Option<bool>,
}

/// What a program printed, and how it ended.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'p> {
    /// Its standard output.
    pub output: &'p [u8],
    /// Its exit status.
    pub status: i32,
}

/// A judgement on what a program printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The output is right.
    Right,
    /// The program says that it does not know the answer.
    Unknown,
    /// The output is wrong, for this reason.
    Wrong(String),
    /// The program printed no answer, and its exit status says that it failed.
    Crashed,
}

impl<I, A> Clone for Judge<I, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, A> Copy for Judge<I, A> {}

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
