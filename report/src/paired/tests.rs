//! Tests of paired comparisons on made-up records.

use super::{Paired, paired, value};
use crate::dataset::Dataset;
use crate::errors::ComparisonError;
use crate::record::{Check, Findings, Limits, Record, Records, Verdict};
use crate::spec::{Compare, Pairs};

/// Runs of two encodings of at-most-one with two solvers. `ladder` takes 1 s longer with each of them.
fn records() -> Vec<Record> {
    let mut records = Vec::new();
    for seed in 1..=8 {
        for (amo, more) in [("pairwise", 0.0), ("ladder", 1.0)] {
            for (solver, base) in [("varisat", 1.0), ("kissat", 5.0)] {
                records.push(Record {
                    key: format!("{amo}{solver}{seed}"),
                    engine: format!("sat:owner/amo={amo}@{solver}"),
                    side: "sat".to_owned(),
                    encoding: "owner".to_owned(),
                    axes: [("amo".to_owned(), amo.to_owned())].into(),
                    solver: Some(solver.to_owned()),
                    instance_hash: format!("{seed}"),
                    seed,
                    limits: Limits { cpu_s: Some(100.0), ..Limits::default() },
                    findings: Findings {
                        verdict: Some(Verdict::Decided),
                        check: Some(Check::Checked),
                        cpu_s: Some(base + more + 0.01 * seed as f64),
                        ..Findings::default()
                    },
                    ..Record::default()
                });
            }
        }
    }
    records
}

fn compare(records: &[Record], pairs: Pairs, only: &[(&str, &str)]) -> Result<Paired, ComparisonError> {
    let only = only.iter().map(|(name, value)| (name.to_string(), vec![value.to_string()])).collect();
    let compare = Compare { pairs, y: None, only, caption: String::new(), place: String::new() };
    paired(&Dataset::new(Records::from_iter(records).iter(), &[]), &compare)
}

#[test]
fn engines_that_differ_only_on_the_axis_are_matched() {
    let records = records();
    let found = compare(&records, Pairs::Along("amo".to_owned()), &[]).unwrap();
    let row = &found.rows[0];
    assert_eq!((found.rows.len(), row.a.as_str(), row.b.as_str()), (1, "pairwise", "ladder"));
    assert_eq!((row.engines, row.difference.instances), (2, 8));
    assert_eq!((row.met.wins, row.met.losses, row.met.ties), (16, 0, 0));
    assert!((row.difference.delta_s + 1.0).abs() < 1e-9, "{}", row.difference.delta_s);
    // Eight equal signs: the exact two-sided p-value over instances is 2/2^8, however many solvers there are.
    assert!((row.difference.p - 2.0 / 256.0).abs() < 1e-9, "{}", row.difference.p);
    let within = compare(&records, Pairs::Along("axes_amo".to_owned()), &[("solver", "kissat")]).unwrap();
    assert_eq!((within.rows[0].engines, within.rows[0].difference.instances), (1, 8));
    let solvers = compare(&records, Pairs::Along("solver".to_owned()), &[]).unwrap();
    assert!((solvers.rows[0].difference.delta_s + 4.0).abs() < 1e-9);
}

/// Like [`records`], with an additional encoding `mine`. The only axis of `mine` is `amo`, whereas `owner` also has an
/// axis `idle`.
#[test]
fn encodings_are_matched_on_the_axes_that_both_have() {
    let mut all = records();
    for mut record in records() {
        record.engine = record.engine.replace("owner", "mine");
        record.key = format!("mine{}", record.key);
        "mine".clone_into(&mut record.encoding);
        record.findings.cpu_s = record.findings.cpu_s.map(|cpu_s| cpu_s + 2.0);
        record.findings.solve_cpu_s = Some(1.0);
        all.push(record);
    }
    let along = || Pairs::Along("encoding".to_owned());
    let pairs = |records: &[Record]| compare(records, along(), &[]).map(|found| found.rows[0].engines);
    assert_eq!(pairs(&all), Ok(4));
    let set = |records: &mut [Record], id: &str| {
        for record in records.iter_mut().filter(|record| record.encoding == "owner") {
            record.axes.insert("idle".to_owned(), "later".to_owned());
            record.engine = record.engine.replace("/amo", &format!("{id}/amo"));
        }
    };
    // The id does not name the default of an axis.
    set(&mut all, "");
    let found = compare(&all, along(), &[]).unwrap();
    assert_eq!((found.rows[0].engines, found.rows[0].difference.instances), (4, 8));
    assert!((found.rows[0].difference.delta_s + 2.0).abs() < 1e-9);
    set(&mut all, "/idle=later");
    assert_eq!(
        pairs(&all).unwrap_err(),
        "no two engines differ only in encoding and have runs on a common instance"
    );
    // Only runs with such a time are compared.
    all.iter_mut().for_each(|record| {
        record.findings.solve_cpu_s = (record.axes["amo"] == "ladder").then_some(1.0);
    });
    let y = Compare {
        pairs: Pairs::Along("solver".to_owned()),
        y: Some("solve_cpu_s".to_owned()),
        only: Vec::new(),
        caption: String::new(),
        place: String::new(),
    };
    let found = paired(&Dataset::new(Records::from_iter(&all).iter(), &[]), &y).unwrap();
    assert_eq!(
        (found.rows[0].engines, found.rows[0].difference.delta_s, found.caption.as_str()),
        (2, 0.0, "Times are `solve_cpu_s`.")
    );
}

#[test]
fn instances_without_a_match_are_left_out() {
    let mut records = records();
    records.retain(|record| record.seed > 2 || record.solver.as_deref() != Some("kissat"));
    records.retain(|record| record.seed != 1 || record.axes["amo"] == "ladder");
    let found = compare(&records, Pairs::Along("amo".to_owned()), &[]).unwrap();
    let row = &found.rows[0];
    assert_eq!((row.a.as_str(), row.difference.instances, row.met.losses), ("ladder", 7, 13));
    records
        .iter_mut()
        .for_each(|record| record.axes.insert("x".to_owned(), record.key.clone()).map_or((), drop));
    let why = compare(&records, Pairs::Along("amo".to_owned()), &[]).err().unwrap();
    assert_eq!(why, "no two engines differ only in amo and have runs on a common instance");
}

#[test]
fn chosen_pairs_are_corrected_among_themselves() {
    let records = records();
    let id = |amo: &str, solver: &str| format!("sat:owner/amo={amo}@{solver}");
    let pairs = vec![
        (id("pairwise", "varisat"), id("ladder", "kissat")),
        (id("ladder", "varisat"), id("pairwise", "varisat")),
    ];
    let found = compare(&records, Pairs::Chosen(pairs), &[]).unwrap();
    assert_eq!(found.rows.len(), 2);
    assert!(found.rows.iter().all(|row| (row.difference.holm - 2.0 * row.difference.p).abs() < 1e-9));
    assert!((found.rows[1].difference.delta_s - 1.0).abs() < 1e-9);
    let table = found.table("compare-1".to_owned());
    assert_eq!(table.columns[..3], ["a", "b", "pairs of engines"]);
    assert!(table.markdown().contains("| 1.00 s |"), "{}", table.markdown());
    let unknown = Pairs::Chosen(vec![(id("pairwise", "varisat"), "sat:ownr".to_owned())]);
    assert!(
        compare(&records, unknown, &[])
            .err()
            .unwrap()
            .message()
            .contains("no record is of engine 'sat:ownr'")
    );
    let axis = compare(&records, Pairs::Along("amp".to_owned()), &[]).err().unwrap();
    assert_eq!(axis, "no engine has an axis 'amp'; did you mean 'amo'?");
}

#[test]
fn texts_quote_results() {
    let records = records();
    let along = || compare(&records, Pairs::Along("amo".to_owned()), &[]).unwrap();
    let mut one = [along()];
    one[0].rows[0].difference.interval_s = Some((-1.25, -0.75));
    for (expression, expected) in [
        ("difference of pairwise and ladder", "−1.00 s"),
        ("difference of ladder and pairwise", "1.00 s"),
        ("interval of ladder and pairwise in 1", "750 ms to 1.25 s"),
        ("interval of pairwise and ladder", "−1.25 s to −750 ms"),
        ("p of ladder and pairwise", "0.0078"),
        ("instances of ladder and pairwise", "8"),
        ("ahead of pairwise and ladder", "16"),
        ("behind of pairwise and ladder", "0"),
        ("ties of pairwise and ladder", "0"),
    ] {
        assert_eq!(value(expression, &one).as_deref(), Ok(expected), "{expression}");
    }
    let two = [along(), along()];
    for (expression, why) in [
        ("difference pairwise ladder", "expected an expression such as"),
        ("difference of pairwise and product", "no comparison of the plan has this pair"),
        ("difference of pairwise and ladder in 3", "no comparison of the plan has this pair"),
        ("difference of pairwise and ladder", "several comparisons of the plan have this pair"),
        ("mean of pairwise and ladder in 2", "unknown value 'mean'"),
    ] {
        let found = value(expression, &two).unwrap_err();
        assert!(found.message().contains(why), "{expression}: {found}");
    }
}

#[test]
fn too_few_instances_are_named() {
    use super::too_few;
    assert_eq!(too_few(6, 1), None);
    assert_eq!(too_few(10, 15), None);
    assert_eq!(
        too_few(5, 1).as_deref(),
        Some(
            "Too few instances: with 5 instances, no p-value can be below 0.05, whatever the times; use at least 6 instances."
        )
    );
    assert_eq!(
        too_few(6, 15).as_deref(),
        Some(
            "Too few instances for so many pairs: with 6 instances and 15 pairs, no p-value can be below 0.05 after Holm's \
             correction, whatever the times; use at least 10 instances."
        )
    );
}
