//! The candidates for parameters and rules, which are written as KEY=VALUE.

use super::Candidate;
use super::cursor::Cursor;
use crate::erased::DynProblem;
use crate::problem::{Param, SIZE, takes_size};
use crate::rules::Values;
use crate::study::PositionInput;

/// A key with its values.
pub(super) struct Key {
    name: &'static str,
    about: String,
    default: String,
    /// The words that are values, among others.
    words: &'static [&'static str],
    /// Whether the name of a file is a value.
    takes_file: bool,
}

/// The rules of a problem.
pub(super) fn rules(problem: &dyn DynProblem) -> Vec<Key> {
    let key = |rule: &crate::rules::Rule| {
        let (words, takes_file) = match rule.values {
            Values::OneOf(words) => (words, false),
            Values::Number { or, .. } | Values::Size { or, .. } => (or, false),
            Values::File { or } => (or, true),
        };
        let default = rule.default.to_owned();
        Key { name: rule.key, about: rule.about.to_owned(), default, words, takes_file }
    };
    problem.rules().iter().map(key).collect()
}

/// Parameters. If the size of a board is among them, `size` is a key, too.
pub(super) fn params(params: &[Param]) -> Vec<Key> {
    let key = |param: &Param| {
        let default = param.default_text();
        let about = match param.words() {
            [] => format!("a number, by default {default}"),
            words => words.join(", "),
        };
        Key { name: param.key, about, default, words: param.words(), takes_file: false }
    };
    let size = takes_size(params.iter().map(|param| param.key)).then(|| Key {
        name: SIZE,
        about: "the size of the board, such as 4x6".to_owned(),
        default: String::new(),
        words: &[],
        takes_file: false,
    });
    params.iter().map(key).chain(size).collect()
}

/// The values of a rule.
pub(super) fn values_of_rule(problem: &dyn DynProblem, name: &str) -> Vec<Candidate> {
    let rule = rules(problem).into_iter().find(|rule| rule.name == name);
    rule.map(|rule| values(&rule, "")).unwrap_or_default()
}

/// The words of a question: parameters, rules, and a file if the question is about a position.
pub(super) fn of_question(problem: &dyn DynProblem, cursor: &Cursor<'_>) -> Vec<Candidate> {
    let question = cursor.value("question").unwrap_or_default();
    let studies = &problem.info().studies;
    let study = studies.iter().find(|study| study.name == question);
    let mut known = params(study.map_or(&[], |study| study.params));
    let params: Vec<&str> = known.iter().map(|key| key.name).collect();
    known.extend(rules(problem).into_iter().filter(|rule| !params.contains(&rule.name)).collect::<Vec<_>>());
    let mut found = candidates(&known, cursor, &["words", "rule"]);
    let has_file = cursor.values("words").any(|word| !word.contains('='));
    if problem.position(question) != PositionInput::None && !has_file && !cursor.word.contains('=') {
        found.push(Candidate::Files);
    }
    found
}

/// The keys that were not given before, or the values of the key at the cursor. `arguments` are the arguments that take
/// these keys.
pub(super) fn candidates(known: &[Key], cursor: &Cursor<'_>, arguments: &[&str]) -> Vec<Candidate> {
    if let Some((key, _)) = cursor.word.split_once('=') {
        let key = known.iter().find(|known| known.name == key);
        return key.map(|key| values(key, &format!("{}=", key.name))).unwrap_or_default();
    }
    let given = || arguments.iter().flat_map(|argument| cursor.values(argument));
    let is_open = |key: &&Key| given().all(|word| word.split('=').next() != Some(key.name));
    let part = |key: &Key| Candidate::part(format!("{}=", key.name), &key.about);
    known.iter().filter(is_open).map(part).collect()
}

/// The values of a key, each after `prefix`.
fn values(key: &Key, prefix: &str) -> Vec<Candidate> {
    let about = |word: &str| if word == key.default { "default" } else { "" };
    let mut found: Vec<Candidate> =
        key.words.iter().map(|word| Candidate::word(format!("{prefix}{word}"), about(word))).collect();
    if !key.default.is_empty() && !key.words.contains(&key.default.as_str()) {
        found.insert(0, Candidate::word(format!("{prefix}{}", key.default), "default"));
    }
    if key.takes_file {
        found.push(Candidate::Files);
    }
    found
}
