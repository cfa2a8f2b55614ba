//! Compares the statistics with SciPy, NumPy and plain definitions. `by_scipy.py` wrote `scipy.json`, which has the
//! data, the expected values and the source of each value.
//!
//! Deterministic values must agree to 1e-9. Random values must lie within bounds that `by_scipy.py` derives from the
//! distribution: five standard errors for the number of resamples used here.

#![allow(clippy::unwrap_used, reason = "a failing test should panic")]

use counterpoint_statistics::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

fn expected() -> Value {
    serde_json::from_str(&fs::read_to_string("tests/scipy.json").unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}

#[track_caller]
fn close(found: f64, wanted: &Value, what: &str) {
    let wanted = number(wanted);
    let near = (found - wanted).abs() <= 1e-9 * wanted.abs().max(1e-3);
    assert!(found == wanted || near, "{what}: {found}, should be {wanted}");
}

#[track_caller]
fn all_close(found: &[f64], wanted: &Value, what: &str) {
    assert_eq!(found.len(), list(wanted).len(), "{what}");
    found.iter().zip(list(wanted)).for_each(|(found, wanted)| close(*found, wanted, what));
}

/// Compares two optional values.
#[track_caller]
fn close_or_none(found: Option<f64>, wanted: &Value, what: &str) {
    assert_eq!(found.is_none(), wanted.is_null(), "{what}: {found:?}, should be {wanted}");
    found.iter().for_each(|found| close(*found, wanted, what));
}

#[track_caller]
fn within(found: f64, bounds: &Value, what: &str) {
    let slack = 1e-9 * found.abs();
    let (low, high) = (number(&bounds[0]) - slack, number(&bounds[1]) + slack);
    assert!(low <= found && found <= high, "{what}: {found}, should be in {low} … {high}");
}

fn score(limit_s: f64, value: &Value) -> Option<Score> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some(Score { solved: false, time_s: limit_s, limit_s }),
        time => Some(Score { solved: true, time_s: number(time), limit_s }),
    }
}

/// The data sets: name, scores, expected values.
fn sets(all: &Value) -> Vec<(&str, Matrix, &Value)> {
    let read = |set: &Value| {
        let rows = list(&set["rows"]).iter().map(|row| {
            let (limit, scores) = list(row).split_first().unwrap();
            scores.iter().map(|value| score(number(limit), value)).collect::<Vec<_>>()
        });
        let rows: Vec<_> = rows.collect();
        let mut matrix = Matrix::new(rows[0].len());
        rows.into_iter().for_each(|row| matrix.push(row).unwrap());
        matrix
    };
    list(&all["sets"]).iter().map(|set| (set["name"].as_str().unwrap(), read(set), set)).collect()
}

/// PAR-2 of the first engine minus that of the second.
fn differences(matrix: &Matrix) -> Vec<f64> {
    matrix.pairs(0, 1).map(|(a, b)| a.par(2.0) - b.par(2.0)).collect()
}

#[test]
fn there_are_sets_of_all_kinds() {
    let all = expected();
    let sets = sets(&all);
    assert!(sets.len() >= 20);
    assert_eq!(all["versions"][0]["scipy"], "1.17.1");
    let by: BTreeSet<&str> = sets.iter().map(|set| set.2["wilcoxon"]["by"].as_str().unwrap()).collect();
    let ways = ["generating function", "nothing", "scipy asymptotic", "scipy exact", "scipy permutation"];
    assert_eq!(by, ways.into());
    let sizes: BTreeSet<usize> = sets.iter().map(|set| set.1.instances()).collect();
    assert!([1, 2, 3, 5, 8, 20, 60, 300].iter().all(|n| sizes.contains(n)));
    assert!(sets.iter().any(|set| count(&set.2["wilcoxon"]["zeros"]) > 1));
}

#[test]
fn signed_ranks() {
    for (name, matrix, set) in sets(&expected()) {
        let (found, wanted) = (wilcoxon(&differences(&matrix)), &set["wilcoxon"]);
        assert_eq!((found.n, found.zeros), (count(&wanted["n"]), count(&wanted["zeros"])), "{name}");
        assert_eq!(found.w_plus, number(&wanted["w_plus"]), "{name}");
        assert_eq!(found.w_minus, number(&wanted["w_minus"]), "{name}");
        assert_eq!(found.method == Method::Exact, wanted["exact"].as_bool().unwrap(), "{name}");
        // The tolerance is relative, so that small p-values are tested, too.
        let p = number(&wanted["p"]);
        assert!((found.p / p - 1.0).abs() < 1e-9, "{name}: {}, should be {p}", found.p);
    }
}

#[test]
fn holm_adjusts() {
    for instance in list(&expected()["holm"]) {
        all_close(&holm(&numbers(&instance["p"])), &instance["adjusted"], "holm");
    }
}

#[test]
fn bootstrap_intervals() {
    let all = expected();
    let resamples = count(&all["resamples"][0]);
    for (name, matrix, set) in sets(&all) {
        for seed in [1, 2] {
            let resampling = Resampling { level: 0.95, resamples, seed };
            let (found, wanted) = (bootstrap(&differences(&matrix), &resampling), &set["bootstrap"]);
            assert_eq!(found.is_none(), wanted.is_null(), "{name}");
            let Some(found) = found else { continue };
            close(found.mean, &wanted["mean"], name);
            within(found.low, &wanted["low"], &format!("{name}, low"));
            within(found.high, &wanted["high"], &format!("{name}, high"));
            assert_eq!(found.kind == IntervalKind::Bca, wanted["bca"].as_bool().unwrap(), "{name}");
        }
    }
}

#[test]
fn quantiles_and_intervals_of_the_median() {
    for (name, matrix, set) in sets(&expected()) {
        let sorted = ascending(differences(&matrix));
        for wanted in list(&set["quantiles"]) {
            close(quantile(&sorted, number(&wanted[0])).unwrap(), &wanted[1], name);
        }
        for wanted in list(&set["medians"]) {
            let found = median_interval(&sorted, number(&wanted["level"])).unwrap();
            close(found.low, &wanted["low"], name);
            close(found.high, &wanted["high"], name);
            close(found.coverage, &wanted["coverage"], name);
        }
    }
}

#[test]
fn engines_and_portfolios() {
    for (name, matrix, set) in sets(&expected()) {
        for (engine, wanted) in list(&set["engines"]).iter().enumerate() {
            let scores = || matrix.column(engine);
            assert_eq!(solved(scores()), count(&wanted["solved"]), "{name}");
            close_or_none(par(scores(), 2.0), &wanted["par2"], name);
            close_or_none(par(scores(), 10.0), &wanted["par10"], name);
            close_or_none(median_time(scores()), &wanted["median"], name);
        }
        let virtual_best = virtual_best(&matrix);
        for (found, wanted) in virtual_best.iter().zip(list(&set["bests"]["virtual"])) {
            assert_eq!(found.is_none(), wanted.is_null(), "{name}");
            let time = found.filter(|score| score.solved).map(|score| score.time_s);
            assert_eq!(time, wanted.as_f64(), "{name}");
        }
        assert_eq!(virtual_best.len(), list(&set["bests"]["virtual"]).len());
        assert_eq!(single_best(&matrix), Some(count(&set["bests"]["single"])), "{name}");
        for (worth, key) in [(Worth::Solved, "solved"), (Worth::Saved, "saved")] {
            close(value(&matrix, worth), &set[key]["value"], name);
            all_close(&marginal(&matrix, worth), &set[key]["marginal"], name);
            all_close(&shapley(&matrix, worth), &set[key]["shapley"], name);
        }
    }
}

#[test]
fn rankings() {
    for (name, matrix, set) in sets(&expected()) {
        for wanted in list(&set["rankings"]) {
            let margin = numbers(&wanted["margin"]);
            let margin = Margin { absolute_s: margin[0], relative: margin[1], noise_s: margin[2] };
            let found = careful_ranking(&matrix, &margin);
            let groups = list(&wanted["groups"]).iter().map(|group| Group {
                rank: count(&group[0]),
                engines: list(&group[1]).iter().map(count).collect(),
            });
            assert_eq!(found.groups, groups.collect::<Vec<_>>(), "{name} {margin:?}");
            for (a, row) in found.matches.iter().enumerate() {
                for (b, found) in row.iter().enumerate() {
                    let counts = [found.wins, found.losses, found.ties].map(Value::from);
                    assert_eq!(counts, list(&wanted["matches"][a][b]), "{name} {margin:?}");
                    close(found.p(), &wanted["p"][a][b], name);
                }
            }
        }
    }
}

#[test]
fn growth_is_a_line_through_logarithms() {
    for instance in list(&expected()["growth"]) {
        let points = list(&instance["points"]).iter().map(|point| (number(&point[0]), number(&point[1])));
        let found = growth(&points.collect::<Vec<_>>()).unwrap();
        close(found.slope, &instance["slope"], "slope");
        close(found.intercept, &instance["intercept"], "intercept");
        close(found.r_squared.unwrap(), &instance["r_squared"], "R²");
    }
}

#[test]
fn crossovers() {
    let all = expected();
    let resampling = Resampling { level: 0.95, resamples: count(&all["resamples"][1]), seed: 1 };
    for instance in list(&all["crossover"]) {
        let name = instance["name"].as_str().unwrap();
        let pair = |pair: &Value| {
            let read = |i: usize| score(number(&pair[0]), &pair[i]).unwrap();
            (read(1), read(2))
        };
        let sizes = list(&instance["sizes"]).iter().map(|size| Size {
            x: number(&size["x"]),
            pairs: list(&size["pairs"]).iter().map(pair).collect(),
        });
        let found = crossover(&sizes.collect::<Vec<_>>(), &resampling);
        for (point, wanted) in found.points.iter().zip(list(&instance["points"])) {
            close_or_none(point.least, &wanted[0], name);
            close_or_none(point.greatest, &wanted[1], name);
        }
        assert_eq!(found.changes.len(), list(&instance["changes"]).len(), "{name}");
        for (change, wanted) in found.changes.iter().zip(list(&instance["changes"])) {
            assert_eq!((change.after, change.before), (number(&wanted[0]), number(&wanted[1])), "{name}");
            close(change.earliest, &wanted[2], name);
            close(change.latest, &wanted[3], name);
            assert_eq!(change.ahead == Side::First, number(&wanted[4]) < 0.0, "{name}");
        }
        within(found.crossing, &instance["crossing"], name);
        if let Some(wanted) = instance["interval"].as_array() {
            let (low, high) = found.interval.unwrap();
            within(low, &wanted[0], &format!("{name}, low"));
            within(high, &wanted[1], &format!("{name}, high"));
        }
    }
}
