//! Hints for a misplaced word on the command line: the option, parameter or rule that was probably meant.

use super::help;
use crate::erased::DynProblem;
use crate::registry::Registry;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Names by which a user may mean an option that limits time.
const TIME: &[&str] = &["timeout", "time-limit", "time", "limit", "cpu", "cpu-time"];

/// The options that limit time.
const TIME_OPTIONS: &[&str] = &["cpu-limit", "time-limit"];

/// The options that name engines.
const ENGINES: &[&str] = &["engine", "engines"];

/// The arguments that take parameters as KEY=VALUE.
const PARAMETERS: &[&str] = &["params", "words", "keys"];

/// Adds a hint to an error if it is clear what was meant.
pub(super) fn with_hint(mut error: Error, registry: &Registry) -> Error {
    let words: Vec<String> = std::env::args().skip(1).take_while(|word| word != "--").collect();
    let mut program = help::command(registry);
    program.build();
    let command = words.iter().find_map(|word| program.find_subcommand(word)).cloned();
    let (ErrorKind::UnknownArgument, Some(mut command)) = (error.kind(), command) else { return error };
    let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidArg) else { return error };
    let line = Line { command: &command, registry, words: &words, found };
    if let Some(hint) = line.hint() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
        // clap suggests the argument with the most similar spelling, which is not the one that was meant.
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    error
}

/// A command line with a misplaced word.
struct Line<'a> {
    command: &'a clap::Command,
    registry: &'a Registry,
    words: &'a [String],
    /// The misplaced word.
    found: &'a str,
}

impl Line<'_> {
    fn hint(&self) -> Option<String> {
        match self.found.strip_prefix('-') {
            Some(rest) => self.option(rest.trim_start_matches('-')),
            None => self.word(),
        }
    }

    fn takes(&self, id: &str) -> bool {
        self.command.get_arguments().any(|arg| arg.get_id() == id)
    }

    /// The first of `options` that the command has as a long option.
    fn long(&self, options: &[&'static str]) -> Option<&'static str> {
        let known = |option: &str| self.command.get_arguments().any(|arg| arg.get_long() == Some(option));
        options.iter().copied().find(|option| known(option))
    }

    fn problem(&self) -> Option<&dyn DynProblem> {
        let mut after = self.words.iter().skip_while(|word| *word != self.command.get_name()).skip(1);
        after.find_map(|word| self.registry.find(word).ok())
    }

    /// The value that was given to the misplaced option.
    fn value(&self) -> Option<&str> {
        let with = format!("{}=", self.found);
        let at = self.words.iter().position(|word| word == self.found || word.starts_with(&with))?;
        let next = || self.words.get(at + 1).map(String::as_str).filter(|word| !word.starts_with('-'));
        self.words[at].strip_prefix(&with).or_else(next)
    }

    /// The hint for an option that the command does not have.
    fn option(&self, name: &str) -> Option<String> {
        let value = self.value();
        if TIME.contains(&name) {
            let time = value.unwrap_or("2s");
            if self.command.get_name() == "run" {
                return Some(format!("write limits into the plan: 'limits = {{ cpu = \"{time}\" }}'"));
            }
            return self.long(TIME_OPTIONS).map(|option| format!("the option is '--{option} {time}'"));
        }
        if name == "solver" && self.long(ENGINES).is_some() {
            let solver = value.unwrap_or("varisat");
            return Some(format!("the solver is part of the engine id: '-e sat@{solver}'"));
        }
        let problem = self.problem()?;
        if PARAMETERS.iter().any(|id| self.takes(id)) && has_parameter(problem, name) {
            let value = value.unwrap_or("VALUE");
            return Some(format!("parameters are written without dashes: '{name}={value}'"));
        }
        if self.takes("rule") && problem.rules().iter().any(|rule| rule.key == name) {
            let value = value.unwrap_or("VALUE");
            return Some(format!("set rules with '--rule {name}={value}'"));
        }
        None
    }

    /// The hint for a word that the command does not expect. If the word names engines, the hint says how to choose
    /// them.
    fn word(&self) -> Option<String> {
        self.long(ENGINES)?;
        let engines = self.problem()?.engines();
        let is_engine = |word: &&String| {
            let name = word.split(['/', '@']).next().unwrap_or_default();
            ["search", "sat", "exec"].contains(&name.split(':').next().unwrap_or_default())
                || engines.iter().any(|info| info.name == name)
        };
        if !is_engine(&&self.found.to_owned()) {
            return None;
        }
        let named: Vec<&str> = self.words.iter().filter(is_engine).map(String::as_str).collect();
        Some(format!("choose engines with '-e {}'", named.join(",")))
    }
}

/// Whether a family, a question or the game of a problem has a parameter of this name.
fn has_parameter(problem: &dyn DynProblem, name: &str) -> bool {
    let info = problem.info();
    let listed = info.families.iter().chain(&info.studies).flat_map(|listed| listed.params);
    listed.chain(info.play.into_iter().flatten()).any(|param| param.key == name)
}
