//! The values of a record by the names of its fields.

use super::row::{Row, Time};
use serde_json::Value;

/// The value of one key of a field that is an object.
pub(super) fn member(row: Row<'_>, field: &str, key: &str) -> Option<Value> {
    let tags = |words: &[String]| (!words.is_empty()).then(|| words.into());
    match field {
        "params" => row.params().get(key).cloned(),
        "rules" => row.rules().get(key).cloned(),
        "axes" => row.setup().axes.get(key).map(|value| value.as_str().into()),
        "work" => row.count(key).map(Value::from),
        "programs" => row.programs()?.get(key).map(|version| version.as_str().into()),
        "tags" if key == "family" => tags(&row.tags().family),
        "tags" if key == "engine" => tags(&row.tags().engine),
        "limits" => match key {
            "cpu_s" => row.limits().cpu_s.map(Value::from),
            "wall_s" => row.limits().wall_s.map(Value::from),
            "proof_s" => row.limits().proof_s.map(Value::from),
            "memory_bytes" => row.limits().memory_bytes.map(Value::from),
            "work" => row.limits().work.map(Value::from),
            _ => None,
        },
        _ => None,
    }
}

/// The keys of a field that is an object.
pub(super) fn keys(row: Row<'_>, field: &str) -> Vec<String> {
    let limits = ["cpu_s", "wall_s", "proof_s", "memory_bytes", "work"].map(str::to_owned);
    let tags = ["family", "engine"].map(str::to_owned);
    let present =
        |names: Vec<String>| names.into_iter().filter(|key| member(row, field, key).is_some()).collect();
    match field {
        "params" => row.params().keys().cloned().collect(),
        "rules" => row.rules().keys().cloned().collect(),
        "axes" => row.setup().axes.keys().cloned().collect(),
        "work" => row.counts().map(|(name, _)| name.to_owned()).collect(),
        "programs" => row.programs().into_iter().flat_map(|programs| programs.keys().cloned()).collect(),
        "tags" => present(tags.to_vec()),
        "limits" => present(limits.to_vec()),
        _ => Vec::new(),
    }
}

/// A number for the set of keys of a field that is an object. Records with equal numbers have equal keys.
pub(super) fn keys_of(row: Row<'_>, field: &str) -> Option<u64> {
    match field {
        "params" | "rules" => Some(row.source_number().into()),
        "axes" | "tags" | "limits" => Some(row.setup_number().into()),
        "work" => row.shape_number().map(u64::from),
        "programs" => row.programs_number().map(u64::from),
        _ => None,
    }
}

/// The value of a field that is not an object; `None` if it is absent.
pub(super) fn field(row: Row<'_>, name: &str) -> Option<Value> {
    let word = |word: Option<&str>| word.map(Value::from);
    let name_of = |value: Result<Value, serde_json::Error>| value.ok().filter(|value| !value.is_null());
    match name {
        "key" => Some(row.key().into()),
        "attempt" => Some(row.attempt().into()),
        "problem" => word(Some(row.problem())),
        "family" => word(Some(row.family())),
        "seed" => Some(row.seed().into()),
        "instance_hash" => Some(row.instance_hash().into()),
        "engine" => word(Some(row.engine())),
        "side" => word(Some(&row.setup().side)),
        "encoding" => word(Some(&row.setup().encoding)),
        "solver" => word(row.setup().solver.as_deref()),
        "repetition" => Some(row.repetition().into()),
        "shuffle" => Some(row.shuffle().into()),
        "solver_seed" => Some(row.solver_seed()).filter(|&seed| seed > 0).map(Value::from),
        "cubes" => row.cubes().map(Value::from),
        "limits" => serde_json::to_value(row.limits()).ok(),
        "verdict" => name_of(serde_json::to_value(row.verdict())),
        "limit" => word(row.limit()),
        "outcome" => word(row.outcome()),
        "check" => name_of(serde_json::to_value(row.check())),
        "reason" => word(row.reason()),
        "remarks" => Some(row.remarks()).filter(|remarks| !remarks.is_empty()).map(Value::from),
        "contradicts" => word(row.contradicts()),
        "cpu_s" => row.time(Time::Cpu).map(Value::from),
        "wall_s" => row.time(Time::Wall).map(Value::from),
        "build_cpu_s" => row.time(Time::Build).map(Value::from),
        "solve_cpu_s" => row.time(Time::Solve).map(Value::from),
        "check_cpu_s" => row.time(Time::Check).map(Value::from),
        "prove_cpu_s" => row.time(Time::Prove).map(Value::from),
        "proof_bytes" => row.proof_bytes().map(Value::from),
        "peak_bytes" => row.peak_bytes().map(Value::from),
        "process_cpu_s" => Some(row.process_cpu_s().into()),
        "process_wall_s" => Some(row.process_wall_s().into()),
        "attempt_number" => row.given_attempt_number().map(Value::from),
        "start" => Some(row.start().into()),
        "load" => row.load().map(Value::from),
        "pressure_percent" => row.pressure_percent().map(Value::from),
        "core" => row.core().map(Value::from),
        "build" => word(row.build()),
        "node" => word(row.node()),
        "cpu_model" => word(row.cpu_model()),
        "pilot" => word(row.pilot()),
        "startup_cpu_s" => row.startup_cpu_s().map(Value::from),
        "surroundings" => word(Some(row.environment())),
        _ => None,
    }
}
