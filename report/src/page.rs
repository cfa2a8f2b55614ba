//! The interactive page: one HTML file that contains the records and the statistics, and opens from disk.

use super::comparison::{Comparison, Crossing, Pair};
use super::dataset::Dataset;
use super::paired::Paired;
use super::sample::{MAX_SHOWN, totals};
use super::{Material, baseline, nodes, pack};
use crate::record::{Check, Row, Verdict, columns, disputes};
use crate::spec::Figure;
use counterpoint_statistics::Side;
use serde_json::{Map, Value, json};
use std::io;

/// The page without styles, scripts and data.
const TEMPLATE: &str = include_str!("page/page.html");
/// The style sheets in the order of their names.
const STYLES: &[&str] = &[
    include_str!("page/style/about.css"),
    include_str!("page/style/base.css"),
    include_str!("page/style/charts.css"),
    include_str!("page/style/dialog.css"),
    include_str!("page/style/filter.css"),
    include_str!("page/style/print.css"),
    include_str!("page/style/summary.css"),
    include_str!("page/style/table.css"),
];
/// The library d3 below its licence, then our scripts in the order of `js/order.txt`.
const SCRIPTS: &[&str] = &[
    concat!("/*\n", include_str!("page/vendor/d3.LICENSE"), "*/"),
    include_str!("page/vendor/d3.min.js"),
    include_str!("page/js/dom.js"),
    include_str!("page/js/format.js"),
    include_str!("page/js/data.js"),
    include_str!("page/js/terms.js"),
    include_str!("page/js/filter.js"),
    include_str!("page/js/address.js"),
    include_str!("page/js/views.js"),
    include_str!("page/js/plot.js"),
    include_str!("page/js/statistics.js"),
    include_str!("page/js/runs.js"),
    include_str!("page/js/crossover.js"),
    include_str!("page/js/chart-style.js"),
    include_str!("page/js/chart-axis.js"),
    include_str!("page/js/chart-layout.js"),
    include_str!("page/js/chart-marks.js"),
    include_str!("page/js/chart-cells.js"),
    include_str!("page/js/chart-figure.js"),
    include_str!("page/js/chart-legend.js"),
    include_str!("page/js/chart-export.js"),
    include_str!("page/js/chart-draw.js"),
    include_str!("page/js/view-common.js"),
    include_str!("page/js/view-quantile.js"),
    include_str!("page/js/view-scatter.js"),
    include_str!("page/js/view-crossover.js"),
    include_str!("page/js/view-encodings.js"),
    include_str!("page/js/view-heat.js"),
    include_str!("page/js/view-spread.js"),
    include_str!("page/js/filterbar.js"),
    include_str!("page/js/columns.js"),
    include_str!("page/js/record.js"),
    include_str!("page/js/markdown.js"),
    include_str!("page/js/tables.js"),
    include_str!("page/js/engines.js"),
    include_str!("page/js/pairwise.js"),
    include_str!("page/js/paired.js"),
    include_str!("page/js/builds.js"),
    include_str!("page/js/view-summary.js"),
    include_str!("page/js/view-table.js"),
    include_str!("page/js/view-baseline.js"),
    include_str!("page/js/view-about.js"),
    include_str!("page/js/main.js"),
];

/// The version of the data's format. The scripts compare it with the version that they support.
const FORMAT: u64 = 1;

/// The page of an experiment.
///
/// # Errors
/// If the records cannot be packed.
pub fn page(material: &Material<'_>, comparisons: &[Comparison]) -> io::Result<String> {
    let data = data(material, comparisons)?.to_string().replace('<', "\\u003c");
    let mut page = TEMPLATE.to_owned();
    for (mark, text) in
        [("/*STYLE*/", STYLES.join("\n")), ("/*SCRIPTS*/", SCRIPTS.join("\n")), ("/*DATA*/", data)]
    {
        page = page.replacen(mark, &text, 1);
    }
    Ok(page)
}

fn data(material: &Material<'_>, comparisons: &[Comparison]) -> io::Result<Value> {
    let Material { dataset: all, about, .. } = material;
    let sample = all.sampled(MAX_SHOWN);
    let dataset = sample.as_ref().unwrap_or(all);
    let packed = pack::pack(dataset)?;
    let figures: Vec<Value> = material.report_spec.figures.iter().map(|f| figure(f, all)).collect();
    let mut data = json!({
        "format": FORMAT,
        "program": format!("{} {}", material.program.name, material.program.version),
        "experiment": material.name,
        "set": material.set,
        "problem": material.problem,
        "about": {
            "title": about.title,
            "question": about.question,
            "method": about.method,
            "finding": about.finding,
        },
        "plan": material.plan,
        "planned": material.planned,
        "defaults": { "x": all.sizes(), "figures": figures },
        "engines": dataset.engines,
        "count": dataset.runs.len(),
        "columns": packed.columns,
        "payload": packed.payload,
        "statistics": comparisons.iter().map(|found| comparison(found, &dataset.engines)).collect::<Vec<_>>(),
        "paired": material.paired.iter().map(Paired::json).collect::<Vec<_>>(),
        "baseline": material.baseline.as_ref().map(|base| baseline::compare(all, material, base)),
        "surroundings": material.environment,
        "wrong": wrong(dataset),
        "pictures": material.pictures.iter().map(|picture| json!({
            "instance": picture.instance,
            "text": picture.text,
            "svg": picture.svg,
            "by": picture.by,
            "outcome": picture.outcome,
            "words": picture.words,
        })).collect::<Vec<_>>(),
        "command": material.command(),
        "nodes": nodes::check(all).filter(|found| !found.differing.is_empty()).map(|found| found.sentence()),
    });
    if let Some(sample) = &sample {
        data["sampled"] = totals(all, sample);
    }
    Ok(data)
}

/// A figure of the plan, with the full names of its columns.
fn figure(figure: &Figure, dataset: &Dataset<'_>) -> Value {
    let column = |name: &Option<String>| name.as_ref().and_then(|name| dataset.column(name).ok());
    let only = figure.only.iter().filter_map(|(name, values)| {
        let column = dataset.column(name).ok()?;
        let default = columns::default_rule(dataset.defaults, &column);
        let values: Vec<String> =
            values.iter().map(|value| columns::or_default(value.clone(), default)).collect();
        Some((column, values.into()))
    });
    let only: Map<String, Value> = only.collect();
    json!({
        "kind": figure.kind.name(),
        "x": column(&figure.x),
        "y": column(&figure.y),
        "facet": column(&figure.facet),
        "engines": figure.engines,
        "only": only,
        "caption": figure.caption,
    })
}

/// Runs that need attention, in this order: wrong answers; runs whose records name a run that they contradict; runs
/// that disagree according to [`disputes`]; open answers; and failures.
fn wrong(dataset: &Dataset<'_>) -> Vec<Value> {
    let mut found: Vec<(u8, Value)> = Vec::new();
    for (row, run) in dataset.runs.iter().enumerate() {
        let record = run.record;
        let reason = || record.reason().map(str::to_owned);
        let (rank, kind, words) = match (record.verdict(), record.check(), record.contradicts()) {
            (_, Some(Check::Wrong), _) => (0, "wrong", reason()),
            (_, _, Some(other)) => (1, "contradiction", Some(format!("contradicts run {other}"))),
            (Some(Verdict::Decided), Some(Check::Checked), _) => continue,
            (Some(Verdict::Decided), ..) => (3, "open", reason()),
            (Some(Verdict::Failed) | None, ..) => (4, "failed", reason()),
            _ => continue,
        };
        found.push((rank, json!({ "row": row, "kind": kind, "words": words.unwrap_or_default() })));
    }
    let rows = |record: Row<'_>| {
        dataset.runs.iter().position(|run| run.record.number_in_records() == record.number_in_records())
    };
    for (one, other) in disputes(dataset.runs.iter().map(|run| run.record)) {
        let said = |record: Row<'_>| record.outcome().unwrap_or_default().to_owned();
        let words = format!("{} says {}, {} says {}", one.engine(), said(one), other.engine(), said(other));
        found.push((2, json!({ "row": rows(one), "kind": "dispute", "words": words })));
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, value)| value).collect()
}

fn comparison(found: &Comparison, engines: &[String]) -> Value {
    let scope = found.family.as_ref().map_or(json!({}), |family| json!({ "family": family }));
    let contribution =
        |(marginal, shapley): &(Vec<f64>, Vec<f64>)| json!({ "marginal": marginal, "shapley": shapley });
    // An engine that supports no instance has no rank.
    let is_scored = |engine: &&usize| found.matrix.column(**engine).next().is_some();
    let ranking = found.ranking.groups.iter().map(|group| {
        let engines: Vec<&usize> = group.engines.iter().filter(is_scored).collect();
        json!({ "rank": group.rank, "engines": engines })
    });
    let ranking: Vec<Value> = ranking.collect();
    json!({
        "scope": scope,
        "engines": engines,
        "instances": found.instances,
        "solved_value": contribution(&found.solved),
        "seconds_value": contribution(&found.seconds),
        "single_best": found.single_best,
        "pairs": found.pairs.iter().map(|pair| tested(pair, found)).collect::<Vec<_>>(),
        "ranking": ranking,
        "crossover": found.crossover.as_ref().map(crossing),
    })
}

fn tested(pair: &Pair, found: &Comparison) -> Value {
    let met = found.ranking.matches[pair.a][pair.b];
    let (wins, losses, ties) = (met.wins, met.losses, met.ties);
    pair.difference.json(json!({ "a": pair.a, "b": pair.b, "wins": wins, "losses": losses, "ties": ties }))
}

fn crossing(crossing: &Crossing) -> Value {
    let Crossing { search, sat, x, found } = crossing;
    json!({
        "a": search,
        "b": sat,
        "x": x,
        "n": found.place().map(|(earliest, latest)| f64::midpoint(earliest, latest)),
        "low": found.interval.map(|(low, _)| low),
        "high": found.interval.map(|(_, high)| high),
        "share": found.crossing,
        "ahead": found.throughout.map(|side| if side == Side::First { "a" } else { "b" }),
        "changes": found.changes.iter().map(|change| json!({
            "after": change.after,
            "before": change.before,
            "at": change.at(),
            "ahead": if change.ahead == Side::First { "a" } else { "b" },
        })).collect::<Vec<_>>(),
        "words": crossing.words(),
    })
}

#[cfg(test)]
mod tests {
    use super::{SCRIPTS, STYLES, comparison};
    use crate::comparison::comparisons;
    use crate::dataset::Dataset;
    use crate::record::{Check, Findings, Limits, Record, Records, Verdict};
    use serde_json::json;
    use std::fs;
    use std::path::Path;

    #[test]
    fn an_engine_that_supports_no_instance_has_no_rank() {
        let record = |engine: &str, seed: u64, findings: Findings| Record {
            key: format!("{engine}{seed}"),
            engine: engine.to_owned(),
            instance_hash: seed.to_string(),
            seed,
            limits: Limits { cpu_s: Some(10.0), ..Limits::default() },
            findings,
            ..Record::default()
        };
        let solved = |cpu_s| Findings {
            verdict: Some(Verdict::Decided),
            check: Some(Check::Checked),
            cpu_s: Some(cpu_s),
            ..Findings::default()
        };
        let lacking = || Findings { verdict: Some(Verdict::Unsupported), ..Findings::default() };
        let of_seed = |seed| {
            [record("a", seed, lacking()), record("b", seed, solved(1.0)), record("c", seed, solved(3.0))]
        };
        let records: Vec<Record> = (1..=8).flat_map(of_seed).collect();
        let records = Records::from_iter(&records);
        let dataset = Dataset::new(records.iter(), &[]);
        let all = comparison(&comparisons(&dataset)[0], &dataset.engines);
        let engines = |rank: usize| all["ranking"][rank]["engines"].clone();
        assert_eq!(dataset.engines, ["a", "b", "c"]);
        assert!(!all["ranking"].to_string().contains("[0]"), "{}", all["ranking"]);
        assert!((0..3).any(|rank| engines(rank) == json!([1])), "{}", all["ranking"]);
    }

    #[test]
    fn styles_and_scripts_are_those_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        let order = read("js/order.txt");
        let scripts: Vec<_> = order.split_whitespace().map(|name| read(&format!("js/{name}"))).collect();
        assert_eq!(scripts, SCRIPTS[2..]);
        assert!(
            SCRIPTS[0].contains("this permission notice appear in all copies"),
            "d3's licence asks for it"
        );
        let mut styles: Vec<_> =
            fs::read_dir(folder.join("style")).unwrap().map(|f| f.unwrap().path()).collect();
        styles.sort();
        assert_eq!(styles.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<_>>(), STYLES);
    }
}
