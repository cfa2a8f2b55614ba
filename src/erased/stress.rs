//! What a problem brings for stress tests, without its types.

use super::{Case, Reply};
use crate::problem::{Package, Promise};
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
}

/// A known fault, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutantInfo {
    /// Its name.
    pub name: &'static str,
    /// The end of "the program ...".
    pub fault: &'static str,
}

/// Games that hurt, smaller games, and mutants of one problem. Cases of other problems are taken for none.
pub trait Trials: Send + Sync {
    /// The sources of games.
    fn trials(&self) -> Vec<TrialInfo>;
    /// The most games of one input.
    fn games(&self) -> usize;
    /// A game of trial number `trial`, from 0.
    ///
    /// # Errors
    /// No such trial, or why it has no such game.
    fn make(&self, settings: &Settings, trial: usize, round: u64, seed: u64)
    -> Result<Box<dyn Case>, String>;
    /// A case as programs read it, behind it the end mark.
    fn input(&self, case: &dyn Case) -> String;
    /// Smaller or simpler cases, the smallest first.
    fn smaller(&self, case: &dyn Case) -> Vec<Box<dyn Case>>;
    /// Why the statement does not say what the answer is, where it does not.
    fn silent(&self, reply: &dyn Reply) -> Option<&'static str>;
    /// The known faults.
    fn mutants(&self) -> Vec<MutantInfo>;
    /// What mutant number `mutant`, from 0, prints for an input of these cases; `None` where it cannot say.
    fn tell(&self, mutant: usize, cases: &[&dyn Case]) -> Option<String>;
    /// What else a problem package for contests holds.
    fn package(&self) -> Package;
}
