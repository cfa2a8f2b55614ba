//! The parts of stress tests, type-erased.

use super::{DynAnswer, DynInstance};
use crate::board::Sheet;
use crate::errors::{GenerateError, RulesError};
use crate::problem::{Effort, NamedCell, Package, Promise};
use crate::rules::Settings;

/// A source of games. Its number is its index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialInfo {
    /// Its name.
    pub name: &'static str,
    /// A description, one line long.
    pub about: &'static str,
    /// Whether the statement promises such games.
    pub promise: Promise,
    /// How long right programs take for its games.
    pub effort: Effort,
}

/// A known bug. The number of its mutant is its index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutantInfo {
    /// Its name.
    pub name: &'static str,
    /// The bug, as the end of a sentence "the program ...".
    pub fault: &'static str,
}

/// A description of the formulas with which encoders are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingInfo {
    /// What the models are, as the end of a sentence "its models are ...".
    pub models: &'static str,
    /// Which boards are tiny.
    pub extent: String,
}

/// The stress tests of one problem. Instances of other problems are ignored.
pub trait Trials: Send + Sync {
    /// The sources of games.
    fn trials(&self) -> Vec<TrialInfo>;
    /// The maximum number of games in one input.
    fn games(&self) -> usize;
    /// Makes a game of trial number `trial`, from 0.
    ///
    /// # Errors
    /// If there is no such trial, or why it cannot make a game.
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
    /// If the statement does not say what the right answer is: the reason.
    fn silent(&self, answer: &dyn DynAnswer) -> Option<&'static str>;
    /// The known bugs.
    fn mutants(&self) -> Vec<MutantInfo>;
    /// The output of mutant number `mutant`, from 0, for an input with these instances; `None` if it cannot handle
    /// them.
    fn mutant_output(&self, mutant: usize, instances: &[&dyn DynInstance]) -> Option<String>;
    /// Describes the formulas with which encoders are compared.
    ///
    /// # Errors
    /// If the rules contradict each other.
    fn encoding(&self, settings: &Settings) -> Result<EncodingInfo, RulesError>;
    /// All tiny boards, in ascending order of the number of squares.
    ///
    /// # Errors
    /// If the rules contradict each other.
    fn tiny<'a>(
        &'a self,
        settings: &Settings,
    ) -> Result<Box<dyn Iterator<Item = Box<dyn DynInstance>> + 'a>, RulesError>;
    /// Makes a small random board.
    ///
    /// # Errors
    /// Why there is no such board.
    fn small(
        &self,
        settings: &Settings,
        round: u64,
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError>;
    /// Smaller or simpler boards for an encoding, the smallest first.
    fn simpler(&self, instance: &dyn DynInstance) -> Vec<Box<dyn DynInstance>>;
    /// The cells on which models are compared.
    fn cells(&self, instance: &dyn DynInstance) -> Vec<NamedCell>;
    /// Draws values of the cells, in the order of `cells`.
    fn draw(&self, instance: &dyn DynInstance, values: &[Option<bool>]) -> Sheet;
    /// The texts of a problem package for contests.
    fn package(&self) -> Package;
}
