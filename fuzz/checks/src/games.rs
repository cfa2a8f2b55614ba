//! Rules chosen by an input, and the readers of judge input under these rules.

use crate::input::Input;
use counterpoint::engine::Budget;
use counterpoint::erased::{DynInstance, DynProblem, JudgeError, JudgeJob};
use counterpoint::input::{Source, Warnings};
use counterpoint::registry::Registry;
use counterpoint::rules::{Rule, Settings, Values};
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{self, EngineSpec};
use std::cell::Cell;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(counterpoint::standard);

/// The limit on nodes plus conflicts for each game.
const MAX_WORK: u64 = 500;

/// The most games of one input that are read.
const MAX_GAMES: usize = 20;

pub(crate) fn problem(name: &str) -> &'static dyn DynProblem {
    REGISTRY.find(name).expect("the problem is one of the standard ones")
}

pub(crate) fn engines(problem: &dyn DynProblem, patterns: &str) -> Vec<EngineSpec> {
    let found = spec::resolve(problem.engines(), &SolverRegistry::built_in(), patterns);
    found.expect("the patterns match engines")
}

/// A value for each rule; `files` are the texts that a rule with a file may have.
pub(crate) fn settings(
    problem: &dyn DynProblem,
    files: &[String],
    input: &mut Input<'_>,
) -> Option<Settings> {
    let mut given = Vec::new();
    for rule in problem.rules() {
        if input.flag() {
            given.push((rule.key.to_owned(), value(rule, files, input)));
        }
    }
    let load = |text: &str| Ok(text.to_owned());
    Settings::new(problem.rules(), &given, &load).ok()
}

fn value(rule: &Rule, files: &[String], input: &mut Input<'_>) -> String {
    let words: &[&str] = match rule.values {
        Values::OneOf(or) | Values::Number { or, .. } | Values::Size { or, .. } | Values::File { or } => or,
    };
    if !words.is_empty() && input.flag() {
        return (*input.choose(words)).to_owned();
    }
    match rule.values {
        Values::OneOf(words) => (*input.choose(words)).to_owned(),
        Values::Number { min, max, .. } if input.flag() => input.number(min..=max.min(min + 9)).to_string(),
        Values::Number { min, max, .. } => input.number(min..=max).to_string(),
        Values::Size { max, .. } => {
            format!("{}x{}", input.number(1..=max.min(6)), input.number(1..=max.min(6)))
        }
        Values::File { or } if files.is_empty() => or.first().copied().unwrap_or_default().to_owned(),
        Values::File { .. } => input.choose(files).clone(),
    }
}

pub(crate) fn spot(data: &[u8]) {
    judge(problem("spot"), "zobrist", data);
}

pub(crate) fn ships(data: &[u8]) {
    judge(problem("ships"), "cover", data);
}

pub(crate) fn flip(data: &[u8]) {
    judge(problem("flip"), "algebra", data);
}

pub(crate) fn cnf(data: &[u8]) {
    judge(problem("cnf"), "dpll", data);
}

/// Judge input: reading and judging do not panic, and every instance that was read is the same after it was written
/// and read again. The bytes after the rules are the text of a file and the games, with a byte 1 in between.
fn judge(problem: &'static dyn DynProblem, engine: &str, data: &[u8]) {
    let input = &mut Input::new(data);
    // The text of a rule's file comes from the end of the input, so the choices come first.
    let mut choices = Input::new(input.bytes(16));
    let (file, text) = match input.bytes(usize::MAX) {
        rest if rest.contains(&1) => {
            let at = rest.iter().position(|&byte| byte == 1).unwrap_or(0);
            (&rest[..at], &rest[at + 1..])
        }
        rest => (&rest[..0], rest),
    };
    let files = [String::from_utf8_lossy(file).into_owned()];
    let Some(settings) = settings(problem, if file.is_empty() { &[] } else { &files }, &mut choices) else {
        return;
    };
    let warnings = Warnings::default();
    if let Ok(instances) = problem.open(&settings, Source::new("games", text), &warnings) {
        for instance in instances.take(MAX_GAMES).filter_map(Result::ok) {
            reads_back(problem, &*instance);
        }
    }
    let engine = &engines(problem, &format!("search:{engine}"))[0];
    let (running, mut out) = (Cell::new(0), Vec::new());
    let job = JudgeJob {
        settings: &settings,
        engine,
        source: Source::new("games", text),
        budget: &|| Budget::of_work(MAX_WORK),
        warn: &|_| {},
        running: &|_| running.set(running.get() + 1),
    };
    match problem.judge(job, &mut out) {
        Ok(_) => {}
        Err(JudgeError::Wrong { game, reason, .. }) => panic!("game {game}: {reason}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// An instance is the same after it was written and read again.
pub(crate) fn reads_back(problem: &dyn DynProblem, instance: &dyn DynInstance) {
    let (rules, text) = (instance.rules(), instance.text());
    let again = problem.instance(&rules, &text).map_err(String::from);
    let again = again.unwrap_or_else(|why| panic!("{why}: {rules} {text}"));
    assert_eq!(again.text(), text, "{rules}");
    assert_eq!(again.rules(), rules, "{text}");
    assert_eq!(again.hash(), instance.hash(), "{rules} {text}");
}
