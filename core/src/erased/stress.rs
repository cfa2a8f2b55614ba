//! The parts of stress tests, type-erased.

use super::{DynAnswer, DynInstance};
use crate::board::Sheet;
use crate::errors::{GenerateError, RulesError};
use crate::problem::{Effort, Judgement, NamedCell, Package, Printed, Promise};
use crate::rules::Settings;

/// A source of games. Its number is its index in [`Trials::trials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialInfo {
    /// Its name.
    pub name: &'static str,
    /// A description, one line long.
    pub about: &'static str,
    /// Whether the problem statement promises such games.
    pub promise: Promise,
    /// How long correct programs take for its games.
    pub effort: Effort,
}

/// A known bug. The number of its mutant is its index in [`Trials::mutants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutantInfo {
    /// Its name.
    pub name: &'static str,
    /// The bug, as the end of a sentence "the program ...".
    pub fault: &'static str,
}

/// Describes the formulas with which an encoder's formulas are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingInfo {
    /// What the models are, as the end of a sentence "its models are ...".
    pub models: &'static str,
    /// Which boards count as tiny, in a few words.
    pub extent: String,
}

/// The stress tests of one problem. Instances of other problems are ignored.
pub trait Trials: Send + Sync {
    /// The sources of games.
    fn trials(&self) -> Vec<TrialInfo>;
    /// The number of inputs of the first quick trial that come before the inputs of the other trials.
    fn first_inputs(&self) -> u64;
    /// The maximum number of games in one input.
    fn games(&self) -> usize;
    /// Makes a game of trial number `trial` for round number `round`, both counted from 0.
    ///
    /// # Errors
    /// Returns an error if the rules contradict each other, there is no such trial, or the trial cannot make a game.
    fn make(
        &self,
        settings: &Settings,
        trial: usize,
        round: u64,
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError>;
    /// An instance as programs read it, followed by the end mark.
    fn input(&self, instance: &dyn DynInstance) -> String;
    /// Smaller or simpler instances, the smallest first.
    fn smaller(&self, instance: &dyn DynInstance) -> Vec<Box<dyn DynInstance>>;
    /// Why the problem statement does not define the right answer; `None` if it defines one.
    fn silent(&self, answer: &dyn DynAnswer) -> Option<&'static str>;
    /// The known bugs.
    fn mutants(&self) -> Vec<MutantInfo>;
    /// The output of mutant number `mutant`, counted from 0, for an input with these instances; `None` if the mutant
    /// cannot handle them.
    fn mutant_output(&self, mutant: usize, instances: &[&dyn DynInstance]) -> Option<String>;
    /// Whether the program with bug number `mutant`, counted from 0, may print this for an input with these
    /// instances. Differences in white space do not count. `None` if the bug cannot be tested on these
    /// instances.
    fn may_print(&self, mutant: usize, instances: &[&dyn DynInstance], printed: Printed<'_>) -> Option<bool>;
    /// Whether a game can have several right outputs, so that [`Trials::judge`] judges them.
    fn has_judge(&self) -> bool;
    /// Judges an output for the instance of an answer; `None` if outputs are compared with that of the reference.
    fn judge(&self, answer: &dyn DynAnswer, printed: Printed<'_>) -> Option<Judgement>;
    /// Describes the formulas with which an encoder's formulas are compared; `None` if encoders cannot be tested.
    ///
    /// # Errors
    /// Returns an error if the rules contradict each other.
    fn encoding(&self, settings: &Settings) -> Result<Option<EncodingInfo>, RulesError>;
    /// All tiny boards, in ascending order of the number of squares.
    ///
    /// # Errors
    /// Returns an error if the rules contradict each other.
    fn tiny<'a>(
        &'a self,
        settings: &Settings,
    ) -> Result<Box<dyn Iterator<Item = Box<dyn DynInstance>> + 'a>, RulesError>;
    /// Makes a small random board for round number `round`, counted from 0.
    ///
    /// # Errors
    /// Returns why there is no such board.
    fn small(
        &self,
        settings: &Settings,
        round: u64,
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError>;
    /// Smaller or simpler boards for tests of encoders, the smallest first.
    fn simpler(&self, instance: &dyn DynInstance) -> Vec<Box<dyn DynInstance>>;
    /// The cells on which models are compared.
    fn cells(&self, instance: &dyn DynInstance) -> Vec<NamedCell>;
    /// Draws the board with these values of its cells, in the order of [`Trials::cells`]; `None` is an unknown value.
    fn draw(&self, instance: &dyn DynInstance, values: &[Option<bool>]) -> Sheet;
    /// The texts of a problem package for contests; `None` if there is no package.
    fn package(&self) -> Option<Package>;
}
