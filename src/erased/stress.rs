//! What a problem brings for stress tests, without its types.

use super::{DynAnswer, DynInstance};
use crate::board::Sheet;
use crate::errors::{GenerateError, RulesError};
use crate::problem::{Effort, NamedCell, Package, Promise};
use crate::rules::Settings;

/// A source of games, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialInfo {
    /// Its name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// Whether the statement says what is right.
    pub promise: Promise,
    /// How long right programs may take over its games.
    pub effort: Effort,
}

/// A known fault, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutantInfo {
    /// Its name.
    pub name: &'static str,
    /// The end of "the program ...".
    pub fault: &'static str,
}

/// What a formula of a problem says, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingInfo {
    /// The end of "its models are ...".
    pub models: &'static str,
    /// Which boards count as tiny.
    pub extent: String,
}

/// Games that hurt, smaller games, and mutants of one problem. DynInstances of other problems are taken for none.
pub trait Trials: Send + Sync {
    /// The sources of games.
    fn trials(&self) -> Vec<TrialInfo>;
    /// The most games of one input.
    fn games(&self) -> usize;
    /// A game of trial number `trial`, from 0.
    ///
    /// # Errors
    /// No such trial, or why it has no such game.
    fn make(
        &self,
        settings: &Settings,
        trial: usize,
        round: u64,
        seed: u64,
    ) -> Result<Box<dyn DynInstance>, GenerateError>;
    /// A case as programs read it, behind it the end mark.
    fn input(&self, instance: &dyn DynInstance) -> String;
    /// Smaller or simpler cases, the smallest first.
    fn smaller(&self, instance: &dyn DynInstance) -> Vec<Box<dyn DynInstance>>;
    /// Why the statement does not say what the answer is, where it does not.
    fn silent(&self, answer: &dyn DynAnswer) -> Option<&'static str>;
    /// The known faults.
    fn mutants(&self) -> Vec<MutantInfo>;
    /// What mutant number `mutant`, from 0, prints for an input of these cases; `None` where it cannot say.
    fn tell(&self, mutant: usize, instances: &[&dyn DynInstance]) -> Option<String>;
    /// What foreign encodings are held against.
    ///
    /// # Errors
    /// That the rules do not go together.
    fn encoding(&self, settings: &Settings) -> Result<EncodingInfo, RulesError>;
    /// All tiny boards, those of fewer squares first.
    ///
    /// # Errors
    /// That the rules do not go together.
    fn tiny<'a>(
        &'a self,
        settings: &Settings,
    ) -> Result<Box<dyn Iterator<Item = Box<dyn DynInstance>> + 'a>, RulesError>;
    /// A small random board.
    ///
    /// # Errors
    /// Why there is none.
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
    /// Values of the cells, in their order, on the board.
    fn draw(&self, instance: &dyn DynInstance, values: &[Option<bool>]) -> Sheet;
    /// What else a problem package for contests holds.
    fn package(&self) -> Package;
}
