//! The candidates for commands, options, and the values of each argument.

use super::cursor::{self, Cursor};
use super::{Candidate, Context, config, engines, experiments, keys};
use crate::engine::Side;
use crate::erased::DynProblem;
use clap::Arg;

/// The commands that a program offers at the cursor.
pub(super) fn commands(cursor: &Cursor<'_>) -> Vec<Candidate> {
    let shown = cursor.command.get_subcommands().filter(|command| !command.is_hide_set());
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    shown.map(|command| Candidate::word(command.get_name(), about(command))).collect()
}

/// The options of the command that may still be given, by their long names. Options that stand for a rule are offered
/// only for problems with this rule.
pub(super) fn options(context: &Context, cursor: &Cursor<'_>) -> Vec<Candidate> {
    let problem = problem_of(context, cursor);
    let is_meant = |argument: &&Arg| {
        let name = argument.get_id().as_str();
        !["dialect", "lenient"].contains(&name) || problem.is_none_or(|problem| has_rule(problem, name))
    };
    let is_open = |argument: &&Arg| {
        !argument.is_hide_set()
            && (cursor::is_repeatable(argument) || cursor.value(argument.get_id().as_str()).is_none())
    };
    let shown = cursor.command.get_arguments().filter(is_open).filter(is_meant);
    let candidate = |argument: &Arg| {
        let about = argument.get_help().map(ToString::to_string).unwrap_or_default();
        Some(Candidate::word(format!("--{}", argument.get_long()?), about))
    };
    shown.filter_map(candidate).collect()
}

/// The values of an argument.
pub(super) fn values(context: &Context, cursor: &Cursor<'_>, argument: &Arg) -> Vec<Candidate> {
    let problem = problem_of(context, cursor);
    let about = |problem: &dyn DynProblem| Candidate::word(problem.name(), problem.info().about);
    let command = cursor.command.get_name();
    match (argument.get_id().as_str(), problem) {
        ("problem", _) => context.registry.iter().map(about).collect(),
        ("engine" | "engines", Some(problem)) => {
            let needs_formula = ["encode", "cube", "generate"].contains(&command);
            let side = needs_formula.then_some(Side::Sat);
            engines::candidates(context, problem, side, &cursor.word)
        }
        ("rule", Some(problem)) => keys::candidates(&keys::rules(problem), cursor, &["rule"]),
        ("dialect", Some(problem)) => keys::values_of_rule(problem, "dialect"),
        ("family", Some(problem)) => listed(problem.info().families.iter().map(|l| (l.name, l.about))),
        ("families", Some(problem)) => {
            let trials = problem.info().stress.as_ref().map(|stress| stress.trials()).unwrap_or_default();
            let is_open = |name: &str| cursor.values("families").all(|given| given != name);
            listed(trials.iter().map(|trial| (trial.name, trial.about)).filter(|(name, _)| is_open(name)))
        }
        ("params", Some(problem)) => {
            let families = &problem.info().families;
            let family = families.iter().find(|family| Some(family.name) == cursor.value("family"));
            keys::candidates(&keys::params(family.map_or(&[], |family| family.params)), cursor, &["params"])
        }
        ("question", Some(problem)) => listed(problem.info().studies.iter().map(|l| (l.name, l.about))),
        ("words", Some(problem)) => keys::of_question(problem, cursor),
        ("keys", Some(problem)) => {
            let mut known = keys::params(problem.info().play.unwrap_or_default());
            known.extend(keys::rules(problem));
            keys::candidates(&known, cursor, &["keys", "rule"])
        }
        ("exp", _) if command != "new" => experiments::all(&cursor.word),
        ("plan", _) => experiments::all(&cursor.word),
        ("set", _) => experiments::sets(cursor.value("exp").unwrap_or_default()),
        ("baseline", _) => {
            let mut found = experiments::sets(cursor.value("exp").unwrap_or_default());
            found.extend(experiments::all(&cursor.word));
            found
        }
        ("by", _) => experiments::columns(context, cursor.value("exp").unwrap_or_default(), &cursor.word),
        ("only", _) => {
            experiments::conditions(context, cursor.value("exp").unwrap_or_default(), &cursor.word)
        }
        ("checker", _) => {
            let checkers = config::load(context).map(|config| config.checkers).unwrap_or_default();
            checkers
                .into_iter()
                .map(|checker| Candidate::word(checker.name, checker.reads.join(", ")))
                .collect()
        }
        ("command", _) if command == "man" => named_commands(context),
        ("command", _) => match cursor.value("command") {
            None => vec![Candidate::Commands],
            Some(_) => vec![Candidate::Files],
        },
        _ => by_kind(argument),
    }
}

/// The values of an argument that its type determines: the words of a list, or the paths of files or folders.
fn by_kind(argument: &Arg) -> Vec<Candidate> {
    let words = argument.get_possible_values();
    if !words.is_empty() {
        let about = |value: &clap::builder::PossibleValue| {
            value.get_help().map(ToString::to_string).unwrap_or_default()
        };
        return words.iter().map(|value| Candidate::word(value.get_name(), about(value))).collect();
    }
    let names: Vec<String> = match argument.get_value_names() {
        Some(names) => names.iter().map(ToString::to_string).collect(),
        None => vec![argument.get_id().as_str().to_uppercase()],
    };
    let is_named =
        |words: &[&str]| names.iter().any(|name| name.split('|').any(|part| words.contains(&part)));
    if is_named(&["FILE", "OUT", "ANSWER", "FORMULA"]) {
        vec![Candidate::Files]
    } else if is_named(&["DIR", "FOLDER"]) {
        vec![Candidate::Folders]
    } else {
        Vec::new()
    }
}

fn listed<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Candidate> {
    entries.map(|(name, about)| Candidate::word(name, about)).collect()
}

fn has_rule(problem: &dyn DynProblem, name: &str) -> bool {
    problem.rules().iter().any(|rule| rule.key == name)
}

/// The problem that the line names.
fn problem_of<'a>(context: &'a Context, cursor: &Cursor<'_>) -> Option<&'a dyn DynProblem> {
    cursor.value("problem").and_then(|name| context.registry.find(name).ok())
}

/// The commands of the whole program.
fn named_commands(context: &Context) -> Vec<Candidate> {
    let mut command = super::help::plain(&context.registry).disable_help_subcommand(true);
    command.build();
    commands(&Cursor::find(&command, &[], ""))
}
