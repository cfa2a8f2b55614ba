//! Answers and certificates: altered ones are refused or checked without a panic, and the checker never closes all
//! claims of a wrong answer.

use crate::games::{engines, problem};
use crate::input::Input;
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::DynProblem;
use counterpoint::input::{Source, Warnings};
use counterpoint::problem::Agreement;
use counterpoint::rules::Settings;
use serde_json::{Map, Value};

/// The limit on the work of a checker or an engine.
const MAX_WORK: u64 = 20_000;

/// The engines whose answers are altered, and those that find the true answers.
const ENGINES: [(&str, &str, &str); 4] = [
    ("spot", "search:zobrist,search:fill,sat:toggles", "search:fill"),
    ("ships", "search:cover,sat:*", "search:cover"),
    ("flip", "search:*,sat:presses", "search:algebra"),
    ("cnf", "search:dpll,sat:*", "search:dpll"),
];

/// Small games for each problem.
fn game(name: &str, input: &mut Input<'_>) -> String {
    match name {
        "spot" => {
            let n = input.number(1..=2);
            let mut text = format!("{n}\n");
            for _ in 0..2 * n {
                let part = |input: &mut Input<'_>| match input.number(0..=n) {
                    0 => "?".to_owned(),
                    number => number.to_string(),
                };
                let (x, y) = (part(input), part(input));
                text += &format!("{x} {y} {}\n", *input.choose(&["?", "+", "-"]));
            }
            text + "0\n"
        }
        "ships" => {
            let (w, h) = (input.number(4..=6), input.number(6..=7));
            let mut text = format!("{w} {h}\n");
            for _ in 0..h {
                text.extend((0..w).map(|_| *input.choose(&['x', 'x', 'x', 'o', '.'])));
                text.push('\n');
            }
            text + "0 0\n"
        }
        "flip" => {
            let w = input.number(1..=3);
            let row = |input: &mut Input<'_>| (0..w).map(|_| *input.choose(&['w', 'b'])).collect::<String>();
            (0..input.number(1..=3)).map(|_| row(input) + "\n").collect()
        }
        _ => {
            let n = input.number(1..=4);
            let clauses: Vec<Vec<i32>> = (0..input.number(0..=9)).map(|_| input.clause(n, 3)).collect();
            let mut text = format!("p cnf {n} {}\n", clauses.len());
            for clause in clauses {
                clause.iter().for_each(|lit| text += &format!("{lit} "));
                text += "0\n";
            }
            text
        }
    }
}

/// Settings for a game: those of the judge, except for the fleet, which would not fit, and the length of a record.
fn settings(problem: &dyn DynProblem, input: &mut Input<'_>) -> Option<Settings> {
    let rules: &[(&str, &[&str])] = match problem.name() {
        "spot" => &[
            ("symmetry", &["c4", "d4", "trivial"]),
            ("start", &["uncounted", "counted"]),
            ("lenient", &["no", "yes"]),
        ],
        "ships" => &[("misses", &["1", "0", "2"]), ("fleet", &["xx\n", "xx\n\nxxx\n", "xx\nx.\n\nxx\n"])],
        "flip" => &[
            ("stencil", &["plus", "king", "torus"]),
            ("target", &["either", "white"]),
            ("goal", &["least", "any"]),
        ],
        _ => &[],
    };
    let given: Vec<_> =
        rules.iter().map(|(key, values)| ((*key).to_owned(), (*input.choose(values)).to_owned())).collect();
    Settings::new(problem.rules(), &given, &|text| Ok(text.to_owned())).ok()
}

/// Altered answers of engines.
pub(crate) fn answers(data: &[u8]) {
    let input = &mut Input::new(data);
    let (name, patterns, _) = *input.choose(&ENGINES);
    let problem = problem(name);
    let Some(settings) = settings(problem, input) else { return };
    let engines = engines(problem, patterns);
    let engine = input.choose(&engines).clone();
    let text = game(name, input);
    let warnings = Warnings::default();
    let Ok(mut instances) = problem.open(&settings, Source::from_text("game", &text), &warnings) else {
        return;
    };
    let Some(Ok(instance)) = instances.next() else { return };
    if instance.supports(&engine).is_err() {
        return;
    }
    let Outcome::Decided(answer) = instance.solve(&engine, &mut Budget::of_work(MAX_WORK)) else { return };
    let claims = answer.check(&[], &mut Budget::of_work(MAX_WORK));
    assert!(!claims.iter().any(|claim| claim.status.is_failed()), "{engine} on {text}: {claims:?}");
    let mut json = answer.to_json(&engine.to_string(), &claims);
    for _ in 0..input.number(0..=3) {
        alter(&mut json, input);
    }
    let Value::Object(json) = json else { return };
    restored(problem, &json);
}

/// Arbitrary JSON as an answer to each problem, and as a certificate.
pub(crate) fn answer_files(data: &[u8]) {
    let Ok(json) = serde_json::from_slice::<Map<String, Value>>(data) else { return };
    for (name, ..) in ENGINES {
        restored(problem(name), &json);
        if json.contains_key("study") || json.contains_key("question") {
            let checked = problem(name).check_study(&json, &mut Budget::of_work(MAX_WORK));
            drop(checked);
        }
    }
}

/// Checks an answer from a stranger. If all claims are closed, the answer must agree with a search.
fn restored(problem: &dyn DynProblem, json: &Map<String, Value>) {
    let Ok(answer) = problem.restore(json) else { return };
    // What is printed about an answer must not panic either.
    let _ = (answer.outcome(), answer.size(), answer.remark(), answer.judge_text(1), answer.is_partial());
    let claims = answer.check(&[], &mut Budget::of_work(MAX_WORK));
    let again = answer.to_json("again", &claims);
    let Value::Object(again) = again else { panic!("an answer is an object") };
    let read = problem.restore(&again).map_err(String::from);
    let read = read.unwrap_or_else(|why| panic!("{why}: {again:?}"));
    assert_eq!(answer.agree(&*read), Agreement::Same, "{again:?}");
    if !all_closed(&claims) {
        return;
    }
    let rules = json.get("rules").cloned().unwrap_or_default();
    let instance = problem.instance(&rules, &answer.instance_text()).map_err(String::from);
    let instance = instance.unwrap_or_else(|why| panic!("{why}: {json:?}"));
    let of_problem = ENGINES.iter().find(|(name, ..)| *name == problem.name());
    for engine in engines(problem, of_problem.map_or("search", |(.., search)| search)) {
        if instance.supports(&engine).is_err() {
            continue;
        }
        if let Outcome::Decided(truth) = instance.solve(&engine, &mut Budget::of_work(MAX_WORK)) {
            let agreement = truth.agree(&*answer);
            assert_ne!(
                agreement,
                Agreement::Contradict,
                "{} {}: {json:?}",
                truth.outcome(),
                answer.outcome()
            );
        }
    }
}

/// Changes one value somewhere inside a JSON value.
fn alter(json: &mut Value, input: &mut Input<'_>) {
    let descends = input.number(0..=5) > 0;
    match json {
        Value::Object(map) if descends && !map.is_empty() => {
            // The instance, its hash and the format's version are changed less often: such answers are refused early.
            let keys: Vec<String> = map.keys().cloned().collect();
            let mut key = input.choose(&keys).clone();
            if ["hash", "format", "version", "problem"].contains(&key.as_str()) {
                key.clone_from(input.choose(&keys));
            }
            if input.rarely(8) {
                map.remove(&key);
            } else if let Some(value) = map.get_mut(&key) {
                alter(value, input);
            }
        }
        Value::Array(items) if descends && !items.is_empty() => {
            let at = input.number(0..=items.len() - 1);
            match input.number(0..=7) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                2 => items.swap(0, at),
                _ => alter(&mut items[at], input),
            }
        }
        _ => *json = replaced(json, input),
    }
}

fn replaced(json: &Value, input: &mut Input<'_>) -> Value {
    match (json, input.number(0..=7)) {
        (Value::Number(number), 0..=5) => {
            let number = number.as_i64().unwrap_or_default();
            let near = [
                number.wrapping_add(1),
                number.wrapping_sub(1),
                number.wrapping_neg(),
                0,
                i64::from(u32::MAX),
                i64::MAX,
            ];
            (*input.choose(&near)).into()
        }
        (Value::Bool(value), 0..=5) => (!value).into(),
        (Value::String(text), 0..=5) => {
            let mut chars: Vec<char> = text.chars().collect();
            let at = input.number(0..=chars.len());
            let other = *input.choose(&['b', 'w', 'x', 'o', '.', '0', '1', '2', '+', '-', '?', '\n', ' ']);
            match chars.get_mut(at) {
                Some(char) => *char = other,
                None => chars.push(other),
            }
            chars.into_iter().collect::<String>().into()
        }
        (_, choice) => {
            let others = [Value::Null, true.into(), 1.into(), "win".into(), Value::Array(vec![]), 7.5.into()];
            others[choice % others.len()].clone()
        }
    }
}
