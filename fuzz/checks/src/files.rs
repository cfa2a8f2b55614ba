//! Plans, configurations and records: files that people write or edit.

use crate::input::Input;
use counterpoint::check_configuration;
use counterpoint::document::Document;
use counterpoint::harness::plan::{self, ReadContext};
use counterpoint::input::FileReference;
use counterpoint::record::{Line, Record, Records, read};
use counterpoint::registry::Registry;
use counterpoint::solver::SolverRegistry;
use serde_json::Value;
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(counterpoint::standard);

/// The most runs that a plan is expanded to. Generated instances of some families take long.
const MAX_RUNS: usize = 8;

/// Plans: errors name a place in the file, and the runs of a small plan have distinct keys.
pub(crate) fn plans(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let document = Document::new("plan.toml", &text);
    let file = |path: &str| FileReference { path: path.into(), sha256: "0".repeat(64).into() };
    let context = ReadContext {
        registry: &REGISTRY,
        load_rule: &|name| Ok(name.replace('/', "\n")),
        load_games: &|name| Ok(name.replace('/', "\n")),
        find_files: &|pattern| Ok(vec![file(pattern), file("second.cnf")]),
        read_programs: &|_, _| Ok(Vec::new()),
        solvers: &|_| SolverRegistry::built_in(),
        read_declared: &|_, _| Ok(Vec::new()),
        engines: &|problem, _| problem.engines().to_vec(),
    };
    let plan = match plan::read(&document, &context) {
        Ok(plan) => plan,
        Err(error) => return is_placed(&error.to_string(), &text),
    };
    let is_small = plan.families.iter().all(|family| match &family.source {
        plan::Source::Generated { params, seeds, .. } => {
            let values = params.iter().flatten().map(|(_, value)| value);
            params.len() * seeds.len() <= MAX_RUNS && values.clone().all(|value| value.len() == 1)
        }
        _ => true,
    });
    let settings = plan.rules.len() * plan.limits.len() * plan.families.len();
    let times = plan.repetitions.max(plan.shuffles).max(plan.solver_seeds) as usize;
    if !is_small || settings > MAX_RUNS || times > MAX_RUNS || plan.cubes.is_some_and(|cubes| cubes > 8) {
        return;
    }
    let problem = REGISTRY.find(&plan.problem).expect("the plan was read with this registry");
    if let Ok(expanded) = plan::expand(&plan, problem) {
        let mut keys: Vec<String> = expanded.runs.iter().map(|run| run.key()).collect();
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count, "{text}");
    }
}

/// Configurations: errors name a place in the file.
pub(crate) fn configurations(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let document = Document::new("plan.toml", &text);
    if let Err(error) = check_configuration(&document, &REGISTRY) {
        is_placed(&error.to_string(), &text);
    }
}

/// Whether a message begins with a line and a column of the text.
fn is_placed(message: &str, text: &str) {
    let place = message.strip_prefix("plan.toml:").and_then(|rest| {
        let mut numbers = rest.splitn(3, ':').map_while(|word| word.parse::<usize>().ok());
        numbers.next().zip(numbers.next())
    });
    let Some((line, column)) = place else { panic!("{message:?} names no place in {text:?}") };
    assert!(line >= 1 && line <= text.split('\n').count(), "{message:?} in {text:?}");
    let longest = text.split('\n').nth(line - 1).map_or(0, |line| line.chars().count());
    assert!(column >= 1 && column <= longest + 1, "{message:?} in {text:?}");
}

/// Records: a line that was read, stored and written again is the same record.
pub(crate) fn records(data: &[u8]) {
    let mut input = Input::new(data);
    let bytes = match input.flag() {
        true => structured(&mut input).into_bytes(),
        false => input.rest().to_vec(),
    };
    let line = match read(&bytes) {
        Ok(line) => line,
        Err(error) => {
            assert!(!error.reason.is_empty() && error.column != Some(0));
            return;
        }
    };
    let mut records = Records::default();
    let number = records.push_line(&line);
    let record = records.row(number).record();
    let text = serde_json::to_string(&record).expect("a record is JSON");
    let again = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error:?}: {text}"));
    let mut others = Records::default();
    let number = others.push_line(&again);
    assert_eq!(others.row(number).record(), record, "{text}");
    let of_record = records.push_line(&Line::of(&record));
    assert_eq!(records.row(of_record).record(), record, "{text}");
    assert_eq!(record.clone().counting(record.clone()), record);
}

/// The line of a record some of whose fields were changed.
fn structured(input: &mut Input<'_>) -> String {
    let mut record = serde_json::to_value(Record { repetition: 1, ..Record::default() }).unwrap_or_default();
    let words =
        ["spot", "sha256:00", "2026-01-31T12:00:00Z", "limit", "decided", "checked", "cpu", "3/64", "3.1/64"];
    record["start"] = "2026-01-31T12:00:00Z".into();
    record["verdict"] = "unsupported".into();
    let more = [
        "key",
        "attempt",
        "attempt_number",
        "build",
        "node",
        "params",
        "seed",
        "instance_hash",
        "rules",
        "axes",
        "solver",
        "tags",
        "repetition",
        "shuffle",
        "cube",
        "split_of",
        "cubes",
        "limits",
        "verdict",
        "limit",
        "outcome",
        "check",
        "reason",
        "remarks",
        "cpu_s",
        "wall_s",
        "proof_bytes",
        "peak_bytes",
        "literals",
        "proof",
        "work",
        "answer",
        "contradicts",
        "process_cpu_s",
        "start",
        "load",
        "core",
        "encoding",
        "environment",
    ];
    for _ in 0..input.number(0..=12) {
        let key = *input.choose(&more);
        let value: Value = match input.number(0..=6) {
            0 => (*input.choose(&words)).into(),
            1 => input.number(0..=u64::MAX).into(),
            2 => f64::from(input.number(0..=99_999)).sqrt().into(),
            3 => [(*input.choose(&words)).to_owned(), "1".to_owned()].into_iter().collect(),
            4 => serde_json::json!({ (*input.choose(&words)): input.number(0..=99) }),
            5 => Value::Null,
            _ => String::from_utf8_lossy(input.bytes(9)).into_owned().into(),
        };
        record[key] = value;
    }
    record.to_string()
}
