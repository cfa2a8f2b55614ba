//! Reads the rules that the command line sets, and separates its `KEY=VALUE` arguments into parameters and rules.

use super::args::Rules;
use super::exit::Failure;
use super::read::{open, text};
use crate::erased::DynProblem;
use crate::problem::{Param, SIZE, takes_size};
use crate::rules::Settings;
use crate::spec::{nearest, suggestion};

/// The maximum length of a file that a rule names, in bytes.
pub(super) const MAX_RULE_BYTES: u64 = 1 << 20;

/// The settings that `--rule`, `--dialect` and `--lenient` give.
pub(super) fn of(problem: &dyn DynProblem, rules: &Rules) -> Result<Settings, Failure> {
    let mut given = rules.rule.clone();
    given.extend(rules.dialect.iter().map(|d| ("dialect".to_owned(), d.clone())));
    given.extend(rules.lenient.then(|| ("lenient".to_owned(), "yes".to_owned())));
    for (i, (key, _)) in given.iter().enumerate() {
        if given[..i].iter().any(|(before, _)| before == key) {
            return Err(Failure::usage(format!("rule {key} is set twice")));
        }
    }
    for (key, flag) in [("dialect", "--dialect"), ("lenient", "--lenient")] {
        let is_given = given.iter().any(|(k, _)| k == key);
        if is_given && problem.rules().iter().all(|rule| rule.key != key) {
            return Err(Failure::usage(format!(
                "{flag} does not apply: {} has no rule called '{key}'",
                problem.name()
            )));
        }
    }
    let load = |name: &str| {
        let contents = open(name).and_then(|file| text(name, file, MAX_RULE_BYTES)).map_err(|e| e.message)?;
        Ok(contents.trim_start_matches('\u{feff}').to_owned())
    };
    Ok(Settings::new(problem.rules(), &given, &load)?)
}

/// Keys with their values.
pub(super) type Pairs = Vec<(String, String)>;

/// Separates the given keys into parameters of `target` and rules of the problem. A key that is both is a parameter.
///
/// # Errors
/// If a key is neither.
pub(super) fn split(
    problem: &dyn DynProblem,
    target: &str,
    params: &[Param],
    keys: &Pairs,
) -> Result<(Pairs, Pairs), Failure> {
    let mut params: Vec<&str> = params.iter().map(|param| param.key).collect();
    if takes_size(params.iter().copied()) {
        params.push(SIZE);
    }
    let rules = problem.rules().iter().map(|rule| rule.key).filter(|key| !params.contains(key));
    let all: Vec<String> = params.iter().copied().chain(rules).map(str::to_owned).collect();
    for (key, _) in keys {
        if !all.contains(key) {
            let hint = suggestion(nearest(key, all.iter().map(String::as_str)), &all);
            return Err(Failure::usage(format!(
                "'{key}' is neither a parameter of {target} nor a rule; {hint}"
            )));
        }
    }
    Ok(keys.iter().cloned().partition(|(key, _)| params.contains(&key.as_str())))
}
