//! Compares two sets of records of the same runs: lists results that changed, times, and differences between the
//! environments. "Before" is the baseline, and "after" is the dataset of the report.

mod drift;

use super::comparison::{Difference, adjust, difference, score};
use super::dataset::{Dataset, Run};
use super::{Baseline, Material};
use crate::record::{Check, Row, Verdict, columns};
pub use drift::{Drift, drifts};
use indexmap::IndexMap;
use itertools::Itertools;
use serde_json::{Map, Value, json};

/// Two runs in different sets count as the same run if these are equal: problem, rules, family and parameters; seed;
/// instance; engine; repetition; shuffle; the solver's seed.
type Identity = (String, u64, String, String, u32, u32, u32);

/// Compares a dataset (`here`) with a baseline (`there`).
pub(super) fn compare(here: &Dataset<'_>, material: &Material<'_>, base: &Baseline<'_>) -> Value {
    let there = Dataset::new(base.records.iter().copied(), &here.engines);
    let both = pairs(here, &there);
    let environment = [limits(&both), differences(&material.environment, &base.environment)].concat();
    json!({
        "name": base.name,
        "pairs": both.len(),
        "only_here": here.runs.len() - both.len(),
        "only_there": there.runs.len() - both.len(),
        "changed": changed(here, &both),
        "deltas": deltas(here, &both),
        "environment": environment,
    })
}

/// The runs that both datasets contain, each with the baseline's run first, in the order of `here`.
fn pairs<'r, 'a>(here: &'r Dataset<'a>, there: &'r Dataset<'a>) -> Vec<(&'r Run<'a>, &'r Run<'a>)> {
    let mut old: IndexMap<Identity, &Run<'_>> =
        there.runs.iter().map(|run| (identity(run.record), run)).collect();
    let paired = here.runs.iter().filter_map(|run| Some((old.swap_remove(&identity(run.record))?, run)));
    paired.collect()
}

fn identity(record: Row<'_>) -> Identity {
    let sorted =
        |map: &Map<String, Value>| map.iter().map(|(key, value)| format!("{key}={value}")).sorted().join(" ");
    let (problem, family) = (record.problem(), record.family());
    let question = format!("{problem} {} {family} {}", sorted(record.rules()), sorted(record.params()));
    let (hash, engine) = (record.instance_hash(), record.engine().to_owned());
    (question, record.seed(), hash, engine, record.repetition(), record.shuffle(), record.solver_seed())
}

/// Runs whose results differ; those with a wrong answer before or after come first.
fn changed(here: &Dataset<'_>, both: &[(&Run<'_>, &Run<'_>)]) -> Vec<Value> {
    let differ = both.iter().filter(|(old, new)| ended(old.record) != ended(new.record));
    let is_minor = |(old, new): &&(&Run<'_>, &Run<'_>)| !(old.record.is_wrong() || new.record.is_wrong());
    let row = |(old, new): &(&Run<'_>, &Run<'_>)| {
        json!({
            "engine": here.engines[new.engine],
            "instance": here.instances[new.instance].label,
            "before": ended(old.record),
            "after": ended(new.record),
            "key": new.record.key(),
        })
    };
    differ.sorted_by_key(is_minor).map(row).collect()
}

/// How a run ended, in words.
fn ended(record: Row<'_>) -> String {
    let outcome = record.outcome().unwrap_or("no outcome");
    match (record.verdict(), record.check()) {
        (Some(Verdict::Decided), Some(Check::Checked)) => format!("checked: {outcome}"),
        (Some(Verdict::Decided), Some(Check::Wrong)) => format!("wrong: {outcome}"),
        (Some(Verdict::Decided), _) => format!("open: {outcome}"),
        (Some(Verdict::Limit), _) => format!("limit: {}", record.limit().unwrap_or("some")),
        (Some(Verdict::Unsupported), _) => "unsupported".to_owned(),
        (Some(Verdict::Failed) | None, _) => "failed".to_owned(),
    }
}

/// PAR-2 and the largest peak memory of each engine before and after, over runs that are supported in both sets and
/// have the same limit on CPU time. With different limits, values of PAR-2 cannot be compared.
fn deltas(here: &Dataset<'_>, both: &[(&Run<'_>, &Run<'_>)]) -> Vec<Value> {
    let alike = |(old, new): &&(&Run<'_>, &Run<'_>)| {
        old.is_supported() && new.is_supported() && old.limit_s() == new.limit_s()
    };
    let comparable = both.iter().filter(alike);
    let by_engine = comparable.into_group_map_by(|(_, new)| new.engine);
    let mut rows: Vec<(Difference, Value)> = Vec::new();
    for (engine, runs) in by_engine.into_iter().sorted_by_key(|(engine, _)| *engine) {
        let by_instance = runs.iter().chunk_by(|(_, new)| new.instance);
        let scores = by_instance.into_iter().filter_map(|(_, group)| {
            let (old, new): (Vec<&Run<'_>>, Vec<&Run<'_>>) = group.map(|(old, new)| (*old, *new)).unzip();
            Some((score(&new)?, score(&old)?))
        });
        let scores: Vec<_> = scores.collect();
        let mean = |of: f64| of / scores.len() as f64;
        let peak = |run: &Run<'_>| run.record.peak_bytes();
        let others = json!({
            "engine": here.engines[engine],
            "par2_before": mean(scores.iter().map(|(_, old)| old.par(2.0)).sum()),
            "par2_after": mean(scores.iter().map(|(new, _)| new.par(2.0)).sum()),
            "memory_before": runs.iter().filter_map(|(old, _)| peak(old)).max(),
            "memory_after": runs.iter().filter_map(|(_, new)| peak(new)).max(),
        });
        rows.extend(difference(&scores).map(|difference| (difference, others)));
    }
    adjust(rows.iter_mut().map(|(difference, _)| difference));
    rows.into_iter().map(|(difference, others)| difference.json(others)).collect()
}

/// A row with the limits on CPU time before and after, if they differ for some run.
fn limits(both: &[(&Run<'_>, &Run<'_>)]) -> Vec<Value> {
    let shown = |limit: Option<f64>| limit.map_or("none".to_owned(), |s| format!("{s} s"));
    let differ = both.iter().filter(|(old, new)| old.limit_s() != new.limit_s());
    let (before, after): (Vec<String>, Vec<String>) =
        differ.map(|(old, new)| (shown(old.limit_s()), shown(new.limit_s()))).unzip();
    if before.is_empty() {
        return Vec::new();
    }
    let words = |of: Vec<String>| of.into_iter().unique().sorted().join(", ");
    let field = format!("limit on CPU time of the {} runs that PAR-2 leaves out", before.len());
    vec![json!({ "field": field, "before": words(before), "after": words(after) })]
}

/// The fields of the environments that differ.
fn differences(here: &Map<String, Value>, there: &Map<String, Value>) -> Vec<Value> {
    let values = |of: &Map<String, Value>, field: &str| {
        of.values().filter_map(|one| Some(text(one.get(field)?))).unique().sorted().join(", ")
    };
    let fields = here.values().chain(there.values()).filter_map(Value::as_object);
    let fields: Vec<String> = fields.flat_map(|fields| fields.keys().cloned()).unique().collect();
    let differ = fields.iter().filter_map(|field| {
        let (before, after) = (values(there, field), values(here, field));
        (before != after).then(|| json!({ "field": field, "before": before, "after": after }))
    });
    differ.collect()
}

/// A value of an environment as text.
fn text(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => value.to_string(),
        plain => columns::text(Some(plain)),
    }
}
