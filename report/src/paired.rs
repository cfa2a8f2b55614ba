//! Paired tests that a plan asks for. A comparison "along" a part of the engines' ids, such as an axis, tests each pair
//! of values of this part. Other comparisons test chosen pairs of engines.
//!
//! Along an axis, two engines are matched if they differ only on this axis. Encodings rarely have the same axes. So
//! along `encoding`, only the axes that both engines have must be equal, and every other axis must have its default
//! value. For a pair of values, an instance can have several matched pairs of engines, for example one for each solver.
//! These pairs are not independent, so the instance counts once, with the mean of their differences: the test and the
//! interval are over instances.

use super::comparison::{CPU, Difference, MARGIN, adjust, rows};
use super::dataset::{Dataset, Run};
use super::errors::{ComparisonError, ExpressionError};
use super::table::{COMPARED, Cell, Table, compared};
use super::units::{Measure, shown};
use crate::record::Setup;
use crate::spec::{Compare, Pairs};
use counterpoint_base::suggest::{nearest, suggestion};
use counterpoint_statistics::{Match, Matrix, Score, careful_ranking};
use indexmap::IndexSet;
use itertools::Itertools;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The maximum number of values of an axis that are compared.
const MAX_VALUES: usize = 32;

/// The results of a comparison.
pub struct Paired {
    /// The name of the axis, `encoding` or `solver`; `None` for chosen pairs.
    pub along: Option<String>,
    /// The text above the table.
    pub caption: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Two values or two engines, compared on all instances on which they are matched.
pub struct Row {
    /// One value or engine.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The number of matched pairs of engines.
    pub engines: usize,
    /// The numbers of matched pairs of runs on which `a` is ahead, `b` is ahead, or neither is ahead.
    pub met: Match,
    /// The difference, `a` minus `b`.
    pub difference: Difference,
}

/// The parts of an engine's id.
#[derive(Clone, PartialEq, Eq)]
struct Parts {
    side: String,
    encoding: String,
    axes: BTreeMap<String, String>,
    solver: Option<String>,
}

/// An engine of a comparison along a part of the ids.
struct Engine<'d> {
    index: usize,
    id: &'d str,
    /// The value of the part.
    value: String,
    /// The other parts.
    others: Parts,
}

impl Parts {
    fn of(setup: &Setup) -> Self {
        let Setup { side, encoding, axes, solver, .. } = setup;
        Parts { side: side.clone(), encoding: encoding.clone(), axes: axes.clone(), solver: solver.clone() }
    }

    /// Takes the part that a column contains, so that engines that differ only there become equal.
    fn take(&mut self, column: &str) -> Option<String> {
        match column {
            "encoding" => Some(std::mem::take(&mut self.encoding)),
            "solver" => self.solver.take(),
            _ => self.axes.remove(column.strip_prefix("axes_")?),
        }
    }
}

impl Engine<'_> {
    /// Whether the other engine has the same side, the same solver, and the same value on each axis of this engine. If
    /// the other engine lacks an axis, this engine must have the default value on it. An id does not name default
    /// values.
    fn is_alike(&self, other: &Engine<'_>) -> bool {
        let (own, others) = (&self.others, &other.others);
        let is_equal = |(axis, value)| match others.axes.get(axis) {
            Some(other) => other == value,
            None => !self.id.contains(&format!("/{axis}=")),
        };
        own.side == others.side && own.solver == others.solver && own.axes.iter().all(is_equal)
    }
}

/// Makes a comparison.
///
/// # Errors
/// If the axis or a condition is in no record, an engine has no records, or no two engines are matched.
pub fn paired(dataset: &Dataset<'_>, compare: &Compare) -> Result<Paired, ComparisonError> {
    let only = compare.only.iter().map(|(name, values)| Ok((dataset.condition(name)?, values)));
    let only = only.collect::<Result<Vec<_>, ComparisonError>>()?;
    let y = compare.y.as_deref().unwrap_or(CPU);
    let wanted = |run: &Run<'_>| {
        // A solved run without such a time, for example a search without a formula, cannot be compared.
        (run.number(y).is_some() || !run.record.is_solved())
            && only.iter().all(|(column, values)| run.words(column).iter().any(|word| values.contains(word)))
    };
    let scores: Vec<Vec<Option<Score>>> = rows(dataset, wanted, y).collect();
    let (along, found) = match &compare.pairs {
        Pairs::Along(name) => {
            let column = part(dataset, name)?;
            let name = column.strip_prefix("axes_").unwrap_or(&column).to_owned();
            (Some(name), along(dataset, &column)?)
        }
        Pairs::Chosen(pairs) => (None, chosen(dataset, pairs)?),
    };
    let left_out = unmatched(dataset, &found);
    let mut rows: Vec<Row> =
        found.into_iter().filter_map(|(a, b, matched)| row((a, b), &matched, &scores)).collect();
    if rows.is_empty() {
        return Err(match along {
            Some(name) => {
                format!("no two engines differ only in {name} and have runs on a common instance").into()
            }
            None => "no two of these engines have runs on a common instance".into(),
        });
    }
    adjust(rows.iter_mut().map(|row| &mut row.difference));
    let mut caption = compare.caption.clone();
    if let Some(y) = &compare.y {
        let space = if caption.is_empty() { "" } else { " " };
        caption += &format!("{space}Times are `{y}`.");
    }
    if let Some(name) = along.as_ref().filter(|_| !left_out.is_empty()) {
        let space = if caption.is_empty() { "" } else { " " };
        let values = left_out.iter().map(|value| format!("`{value}`")).join(", ");
        caption += &format!(
            "{space}Not compared: {values}, because no engine has a counterpart that differs only in `{name}`."
        );
    }
    let most = rows.iter().map(|row| row.difference.instances).max().unwrap_or(0);
    if let Some(words) = too_few(most, rows.len()) {
        let space = if caption.is_empty() { "" } else { " " };
        caption += &format!("{space}{words}");
    }
    Ok(Paired { along, caption, rows })
}

/// The level of significance.
const LEVEL: f64 = 0.05;

/// A warning if no pair can be significant after Holm's correction: on `n` instances, Wilcoxon's test gives at least
/// `2 / 2^n`, and the correction multiplies the least p-value by the number of pairs.
fn too_few(instances: usize, pairs: usize) -> Option<String> {
    let least = |n: usize| pairs as f64 * 2f64.powi(1 - n.min(1000) as i32);
    if pairs == 0 || least(instances) <= LEVEL {
        return None;
    }
    let enough = (instances..).find(|&n| least(n) <= LEVEL)?;
    let noun = if instances == 1 { "instance" } else { "instances" };
    let (so_many, of, corrected) = match pairs {
        1 => ("", String::new(), ""),
        _ => (" for so many pairs", format!(" and {pairs} pairs"), " after Holm's correction"),
    };
    Some(format!(
        "Too few instances{so_many}: with {instances} {noun}{of}, no p-value can be below {LEVEL}{corrected}, whatever the \
         times; use at least {enough} instances."
    ))
}

/// The column of a part of the engines' ids.
fn part(dataset: &Dataset<'_>, name: &str) -> Result<String, ComparisonError> {
    let mut seen = FxHashSet::default();
    let first = dataset.runs.iter().map(|run| run.record).filter(|record| seen.insert(record.setup_number()));
    let axes = first.flat_map(|record| record.setup().axes.keys());
    let known: IndexSet<&str> = axes.map(String::as_str).chain(["encoding", "solver"]).collect();
    match name.strip_prefix("axes_").unwrap_or(name) {
        plain @ ("encoding" | "solver") => Ok(plain.to_owned()),
        plain if known.contains(plain) => Ok(format!("axes_{plain}")),
        plain => {
            let all: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
            let near = nearest(plain, known.iter().copied());
            Err(format!("no engine has an axis '{plain}'; {}", suggestion(near, &all)).into())
        }
    }
}

/// Two values or engines, with the indices of the matched engines.
type Found = (String, String, Vec<(usize, usize)>);

/// The pairs of values of a part, each with the engines that differ only there. Values are in the order of the engines.
fn along(dataset: &Dataset<'_>, column: &str) -> Result<Vec<Found>, ComparisonError> {
    let part = |index: usize| {
        let record = dataset.runs.iter().find(|run| run.engine == index)?.record;
        let mut others = Parts::of(record.setup());
        let value = others.take(column)?;
        Some(Engine { index, id: &dataset.engines[index], value, others })
    };
    let engines: Vec<Engine<'_>> = (0..dataset.engines.len()).filter_map(part).collect();
    let values: IndexSet<&String> = engines.iter().map(|engine| &engine.value).collect();
    if values.len() > MAX_VALUES {
        return Err(format!("there are {} values; at most {MAX_VALUES} can be compared", values.len()).into());
    }
    let of = |value: &String| engines.iter().filter(move |engine| engine.value == *value).collect_vec();
    let is_match = |one: &Engine<'_>, other: &Engine<'_>| match column {
        "encoding" => one.is_alike(other) && other.is_alike(one),
        _ => one.others == other.others,
    };
    let matched = |[a, b]: [&&String; 2]| {
        let pairs = of(a).into_iter().cartesian_product(of(b)).filter(|(one, other)| is_match(one, other));
        let pairs = pairs.map(|(one, other)| (one.index, other.index)).collect();
        ((*a).clone(), (*b).clone(), pairs)
    };
    Ok(values.iter().array_combinations().map(matched).collect())
}

/// The values that no pair of engines has. Searches and programs do not count, because they have no counterparts.
fn unmatched(dataset: &Dataset<'_>, found: &[Found]) -> Vec<String> {
    let both = |(a, b, _): &Found| [a.clone(), b.clone()];
    let matched: IndexSet<String> =
        found.iter().filter(|(_, _, engines)| !engines.is_empty()).flat_map(both).collect();
    let is_search = |value: &String| {
        let mut setups = dataset.runs.iter().map(|run| run.record.setup());
        setups.any(|setup| setup.side != "sat" && setup.encoding == *value)
    };
    let values: IndexSet<String> = found.iter().flat_map(both).collect();
    values.into_iter().filter(|value| !matched.contains(value) && !is_search(value)).collect()
}

/// The chosen pairs of engines.
fn chosen(dataset: &Dataset<'_>, pairs: &[(String, String)]) -> Result<Vec<Found>, ComparisonError> {
    let index = |id: &String| {
        dataset.engines.iter().position(|known| known == id).ok_or_else(|| {
            let near = nearest(id, dataset.engines.iter().map(String::as_str));
            let suggestion = suggestion(near, &dataset.engines);
            ComparisonError::from(format!("no record is of engine '{id}'; {suggestion}"))
        })
    };
    pairs.iter().map(|(a, b)| Ok((a.clone(), b.clone(), vec![(index(a)?, index(b)?)]))).collect()
}

/// Compares two values on the instances with matched engines; `None` if there are none. `scores` has a row for each
/// instance.
fn row((a, b): (String, String), matched: &[(usize, usize)], scores: &[Vec<Option<Score>>]) -> Option<Row> {
    let mut differences = Vec::new();
    let mut runs = Matrix::new(2);
    let mut met_engines = IndexSet::new();
    for row in scores {
        let both = matched.iter().filter_map(|&(a, b)| Some(((a, b), row[a].zip(row[b])?)));
        let both: Vec<((usize, usize), (Score, Score))> = both.collect();
        if both.is_empty() {
            continue;
        }
        let sum: f64 = both.iter().map(|(_, (a, b))| a.par(2.0) - b.par(2.0)).sum();
        differences.push(sum / both.len() as f64);
        for (engines, (a, b)) in both {
            met_engines.insert(engines);
            // Each row has two entries, so this cannot fail.
            let _ = runs.push(vec![Some(a), Some(b)]);
        }
    }
    let mean_s = differences.iter().sum::<f64>() / differences.len() as f64;
    Some(Row {
        a,
        b,
        engines: met_engines.len(),
        met: careful_ranking(&runs, &MARGIN).matches[0][1],
        difference: Difference::new(&differences, mean_s)?,
    })
}

/// The value of an expression in a text: `VALUE of A and B`, where a row compares A with B or B with A. If several
/// comparisons have such a row, ` in 2` at the end chooses the second one.
///
/// # Errors
/// If the expression is malformed, or there is not exactly one such row.
pub fn value(expression: &str, all: &[Paired]) -> Result<String, ExpressionError> {
    let (what, a, b, number) = match expression.split_whitespace().collect_vec()[..] {
        [what, "of", a, "and", b] => (what, a, b, None),
        [what, "of", a, "and", b, "in", number] => (what, a, b, Some(number)),
        _ => return Err("expected an expression such as {paired difference of A and B}".into()),
    };
    let chosen = (1..).zip(all).filter(|(i, _)| number.is_none_or(|number| number == i.to_string()));
    let rows = chosen.flat_map(|(_, paired)| &paired.rows);
    let of = |row: &&Row| [(a, b), (b, a)].contains(&(row.a.as_str(), row.b.as_str()));
    let row = rows
        .filter(of)
        .at_most_one()
        .map_err(|_| "several comparisons of the plan have this pair; add `in 1` for the first one")?;
    let row = row.ok_or("no comparison of the plan has this pair")?;
    let Row { met, difference: Difference { instances, delta_s, interval_s, holm, .. }, .. } = row;
    let (sign, ahead, behind) =
        if row.a == a { (1.0, met.wins, met.losses) } else { (-1.0, met.losses, met.wins) };
    let count = |n: usize| shown(n as f64, Measure::Count);
    let seconds = |seconds: f64| shown(sign * seconds, Measure::Seconds);
    match what {
        "difference" => Ok(seconds(*delta_s)),
        "interval" => match interval_s.ok_or("fewer than six instances have no interval")? {
            (low, high) if row.a == a => Ok(format!("{} to {}", seconds(low), seconds(high))),
            (low, high) => Ok(format!("{} to {}", seconds(high), seconds(low))),
        },
        "p" => Ok(shown(*holm, Measure::Probability)),
        "instances" => Ok(count(*instances)),
        "ahead" => Ok(count(ahead)),
        "behind" => Ok(count(behind)),
        "ties" => Ok(count(met.ties)),
        _ => Err(format!(
            "unknown value '{what}'; expected difference, interval, p, instances, ahead, behind or ties"
        )
        .into()),
    }
}

impl Paired {
    /// The comparison as a table.
    pub fn table(&self, name: String) -> Table {
        let head =
            |side: &str| self.along.as_ref().map_or(side.to_owned(), |along| format!("{along} {side}"));
        let columns = [head("a"), head("b"), "pairs of engines".to_owned()];
        let rows = self.rows.iter().map(|row| {
            let words = [&row.a, &row.b].map(|word| Cell::Word(word.clone()));
            words
                .into_iter()
                .chain([Cell::count(row.engines)])
                .chain(compared(&row.difference, row.met))
                .collect()
        });
        Table {
            name,
            caption: self.caption.clone(),
            columns: columns.into_iter().chain(COMPARED.map(str::to_owned)).collect(),
            rows: rows.collect(),
        }
    }

    /// The comparison as the page shows it.
    pub(crate) fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            row.difference.json(json!({
                "a": row.a,
                "b": row.b,
                "engines": row.engines,
                "wins": row.met.wins,
                "losses": row.met.losses,
                "ties": row.met.ties,
            }))
        });
        json!({ "along": self.along, "caption": self.caption, "rows": rows.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests;
