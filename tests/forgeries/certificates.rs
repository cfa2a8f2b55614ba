//! Certificates of studies: how they are made and altered, and that none is left out.

use crate::bench::Bench;
use crate::samples::samples;
use crate::tally::Tally;
use chacha20::ChaCha8Rng;
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::erased::DynInstance;
use counterpoint::study::{Row, StudyOutput};
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};

pub(crate) type Certificate = Map<String, Value>;

/// Keeps the certificate of a study, if there is one.
#[derive(Default)]
struct Kept(Option<Certificate>);

impl StudyOutput for Kept {
    fn row(&mut self, _: Row) {}

    fn file(&mut self, name: &str, contents: &dyn Fn() -> Vec<u8>) {
        if name == "certificate.json" {
            self.0 = Some(serde_json::from_slice(&contents()).unwrap());
        }
    }
}

/// The certificate that a study writes; `None` if it writes none for these rules and parameters.
pub(crate) fn study(
    problem: &'static str,
    question: &str,
    rules: &[(&str, &str)],
    params: &[(&str, &str)],
    position: Option<&dyn DynInstance>,
) -> Option<Certificate> {
    let bench = Bench::new(problem, rules);
    let params: Vec<_> = params.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    let mut kept = Kept::default();
    let budget = &mut Budget::unlimited();
    bench.problem().study(&bench.settings, question, &params, position, budget, &mut kept).unwrap();
    kept.0
}

pub(crate) fn check(problem: &'static str, certificate: &Certificate) -> Result<Vec<Claim>, String> {
    check_within(300_000, problem, certificate)
}

/// Checks a certificate with at most this number of nodes.
pub(crate) fn check_within(
    nodes: u64,
    problem: &'static str,
    certificate: &Certificate,
) -> Result<Vec<Claim>, String> {
    let bench = Bench::new(problem, &[]);
    Ok(bench.problem().check_study(certificate, &mut Budget::of_work(nodes))?)
}

/// The certificate in this file of the repository.
pub(crate) fn committed(name: &str) -> Certificate {
    let path = format!("{}/experiments/certificates/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

pub(crate) fn text<'a>(certificate: &'a Certificate, key: &str) -> Option<&'a str> {
    certificate.get(key)?.as_str()
}

pub(crate) fn number(certificate: &Certificate, key: &str) -> Option<u64> {
    certificate.get(key)?.as_u64()
}

/// Words that may be exchanged for each other.
const WORDS: [&[&str]; 8] = [
    &["c4", "d4", "c2", "trivial"],
    &["counted", "uncounted"],
    &["player 1 wins", "player 2 wins", "draw"],
    &["plus", "king", "cross", "torus"],
    &["either", "one"],
    &["yes", "no"],
    &["none", "diagonal", "mirror"],
    &["d4, start uncounted", "c2, start counted", "c4, start uncounted", "rotations and one mirror"],
];

/// Changes one value of a certificate a little: a number, a word, a character, or an entry of a list.
pub(crate) fn alter(certificate: &mut Certificate, rng: &mut ChaCha8Rng) {
    let keys: Vec<String> = certificate.keys().cloned().collect();
    let fixed = ["problem", "question", "version"];
    let keys: Vec<String> = keys.into_iter().filter(|key| !fixed.contains(&key.as_str())).collect();
    let key = &keys[rng.random_range(0..keys.len())];
    alter_value(&mut certificate[key], rng);
}

fn alter_value(value: &mut Value, rng: &mut ChaCha8Rng) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let at = rng.random_range(0..map.len());
            alter_value(map.values_mut().nth(at).unwrap(), rng);
        }
        Value::Array(list) if list.is_empty() => list.push(json!(0)),
        Value::Array(list) => {
            let (at, other) = (rng.random_range(0..list.len()), rng.random_range(0..list.len()));
            match rng.random_range(0..8) {
                0 => drop(list.remove(at)),
                1 => list.swap(at, other),
                2 => list[at] = list[other].clone(),
                3 => list.insert(at, list[other].clone()),
                _ => alter_value(&mut list[at], rng),
            }
        }
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or(0);
            *value = match rng.random_range(0..6) {
                0 => json!(number + 1),
                1 => json!(number - 1),
                2 => json!(number + 2),
                3 => json!(number - 2),
                _ => json!(rng.random_range(0..=number.max(3))),
            };
        }
        Value::String(text) => *text = other_text(text, rng),
        Value::Bool(flag) => *flag = !*flag,
        _ => *value = json!(0),
    }
}

fn other_text(text: &str, rng: &mut ChaCha8Rng) -> String {
    if let Some(words) = WORDS.iter().find(|words| words.contains(&text)) {
        return words[rng.random_range(0..words.len())].to_owned();
    }
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return "0".to_owned();
    }
    let (at, other) = (rng.random_range(0..chars.len()), rng.random_range(0..chars.len()));
    match rng.random_range(0..8) {
        0 => drop(chars.remove(at)),
        1 => chars.insert(at, chars[other]),
        2 => chars.swap(at, other),
        3 => chars[at] = ['0', '1', '2', 'x', '.', 'o'][rng.random_range(0..6)],
        _ => chars[at] = chars[other],
    }
    chars.into_iter().collect()
}

/// Alters genuine certificates until enough of them state a false claim of this kind. `false_claims` returns patterns
/// of all claims of an altered certificate that brute force refutes, each with its kind.
pub(crate) fn forge(
    (problem, place): (&'static str, &'static str),
    kind: &'static str,
    bases: &[Certificate],
    mut false_claims: impl FnMut(&Certificate) -> Vec<(&'static str, String)>,
) {
    let mut tally = Tally::new(place, kind);
    while tally.wants_more() {
        let mut forged = bases[tally.rng.random_range(0..bases.len())].clone();
        (0..tally.rng.random_range(1..=2)).for_each(|_| alter(&mut forged, &mut tally.rng));
        let mut found = false_claims(&forged);
        found.retain(|(of_kind, _)| *of_kind == kind);
        match found.first() {
            None => tally.still_true(),
            Some((_, claim)) => {
                let shown = Value::Object(forged.clone()).to_string();
                tally.text_is_false(claim, &shown, || check(problem, &forged));
            }
        }
    }
}

/// Numbers at which types or limits end.
const EXTREME: [i128; 12] = [
    -1,
    0,
    1,
    255,
    257,
    1 << 16,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    i64::MAX as i128,
    u64::MAX as i128,
];

/// The places of all numbers in a value, as JSON pointers.
fn numbers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(at.to_owned()),
        Value::Array(list) => {
            (0..).zip(list).for_each(|(i, each)| numbers(each, &format!("{at}/{i}"), found))
        }
        Value::Object(map) => map.iter().for_each(|(key, each)| numbers(each, &format!("{at}/{key}"), found)),
        _ => {}
    }
}

/// Whatever a number of a certificate is, its check ends without a panic.
#[test]
fn extreme_numbers() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let folder = format!("{}/experiments/certificates", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let certificates =
        files.iter().map(|path| std::fs::read(path).unwrap()).filter(|bytes| bytes.len() < 6_000);
    let certificates: Vec<Value> =
        certificates.map(|bytes| serde_json::from_slice(&bytes).unwrap()).collect();
    assert!(certificates.len() > 20);
    for _ in 0..samples(60) {
        let mut forged = certificates[rng.random_range(0..certificates.len())].clone();
        let mut places = Vec::new();
        numbers(&forged, "", &mut places);
        let place = &places[rng.random_range(0..places.len())];
        let number = EXTREME[rng.random_range(0..EXTREME.len())];
        let number = if number < 0 { json!(number as i64) } else { json!(number as u64) };
        *forged.pointer_mut(place).unwrap() = number;
        let bench = Bench::new(
            ["spot", "ships", "flip"].into_iter().find(|name| forged["problem"] == *name).unwrap(),
            &[],
        );
        let _ = bench.problem().check_study(forged.as_object().unwrap(), &mut Budget::of_work(2_000));
    }
}

/// The questions that have certificates.
const FORGED: [(&str, &str); 8] = [
    ("spot", "value"),
    ("spot", "forcing-limit"),
    ("spot", "longest"),
    ("spot", "rules"),
    ("ships", "misses"),
    ("ships", "families"),
    ("flip", "all-ones"),
    ("flip", "hardest"),
];

#[test]
fn every_question_with_certificates_is_forged() {
    for problem in ["spot", "ships", "flip", "cnf"] {
        let bench = Bench::new(problem, &[]);
        for study in &bench.problem().info().studies {
            let empty = json!({ "question": study.name, "version": 1 });
            let read = bench.problem().check_study(empty.as_object().unwrap(), &mut Budget::unlimited());
            let has_none = read.unwrap_err().to_string().contains("has no certificates");
            assert_eq!(!has_none, FORGED.contains(&(problem, study.name)), "{problem} {}", study.name);
        }
    }
}
