//! Numbers in prose: what stands in braces in a plan's texts is computed from the records, so that no sentence says
//! what they do not.
//!
//! ```text
//! {median cpu_s | engine=search:cover, n=16}     median, mean, least, most, total of a column
//! {count | n=16}  {solved | side=sat}            runs; runs solved; also unsolved
//! {solved share | side=sat}                      in percent of those served
//! {median work | side=sat / median work | side=search}     a ratio
//! {growth work over n | engine=sat:presses}      2^(1.1 n): least squares over the medians' logarithms
//! ```
//!
//! Conditions name columns as `status --by` does; a value may end in `*`. Runs that are not served are left out;
//! medians are those of [`median`], `work` is nodes plus conflicts. `{{` is a brace.

use super::dataset::{Dataset, Run};
use super::units::{Measure, shown};
use crate::record::median;
use crate::statistics::growth;
use itertools::Itertools;

/// A text with its numbers.
///
/// # Errors
/// What in a brace is not understood, and why.
pub fn filled(text: &str, dataset: &Dataset<'_>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out += before;
        if let Some(after) = after.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let Some((inside, after)) = after.split_once('}') else {
            return Err(format!(
                "the brace before '{}' is not closed",
                after.chars().take(30).collect::<String>()
            ));
        };
        out += &value(inside, dataset).map_err(|why| format!("{{{inside}}}: {why}"))?;
        rest = after;
    }
    Ok(out + rest)
}

/// The value of an expression as it is written.
fn value(inside: &str, dataset: &Dataset<'_>) -> Result<String, String> {
    match inside.split_once(" / ") {
        None => {
            let (number, measure) = term(inside, dataset)?;
            Ok(shown(number, measure))
        }
        Some((above, below)) => {
            let ((above, _), (below, _)) = (term(above, dataset)?, term(below, dataset)?);
            if below == 0.0 {
                return Err("that divides by zero".to_owned());
            }
            Ok(shown(above / below, Measure::Ratio))
        }
    }
}

/// A function of a column over the runs that meet the conditions.
fn term(text: &str, dataset: &Dataset<'_>) -> Result<(f64, Measure), String> {
    let (head, conditions) = text.split_once('|').unwrap_or((text, ""));
    let runs = chosen(conditions, dataset)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let solved = runs.iter().filter(|run| run.record.is_solved()).count();
    let count = |n: usize| Ok((n as f64, Measure::Count));
    match words[..] {
        ["count"] => count(runs.len()),
        ["instances"] => count(runs.iter().map(|run| run.instance).unique().count()),
        ["solved"] => count(solved),
        ["unsolved"] => count(runs.len() - solved),
        ["solved", "share"] => Ok((solved as f64 / runs.len() as f64, Measure::Share)),
        ["growth", column, "over", size] => {
            let (column, size) = (dataset.column(column)?, dataset.column(size)?);
            let reading = dataset.reading(&column);
            let number = |run: &&Run<'_>| Some((run.number(&size)?, reading.of(run)?));
            let sizes = runs.iter().filter_map(number).sorted_by(|a, b| a.0.total_cmp(&b.0));
            let medians = sizes.chunk_by(|(x, _)| *x);
            let points = medians.into_iter().filter_map(|(x, group)| {
                let values: Vec<f64> = group.map(|(_, y)| y).sorted_by(f64::total_cmp).collect();
                Some((x, median(&values)?))
            });
            let points: Vec<(f64, f64)> = points.filter(|(_, y)| *y > 0.0).collect();
            let found = growth(&points).ok_or("that takes two sizes with medians above zero")?;
            Ok((found.slope, Measure::Ratio))
        }
        [function, column] => {
            let column = dataset.column(column)?;
            let reading = dataset.reading(&column);
            let values = runs.iter().filter_map(|run| reading.of(run));
            let values: Vec<f64> = values.sorted_by(f64::total_cmp).collect();
            let total: f64 = values.iter().sum();
            let found = match function {
                "median" => median(&values),
                "least" => values.first().copied(),
                "most" => values.last().copied(),
                "total" => Some(total),
                "mean" => Some(total / values.len() as f64).filter(|mean| mean.is_finite()),
                _ => return Err(format!("there is no '{function}'; use median, mean, least, most or total")),
            };
            Ok((found.ok_or("no run has such a value")?, Measure::of(&column)))
        }
        _ => Err("a function and a column belong here, such as {median cpu_s | n=8}".to_owned()),
    }
}

/// The served runs that meet all conditions.
fn chosen<'d, 'a>(conditions: &str, dataset: &'d Dataset<'a>) -> Result<Vec<&'d Run<'a>>, String> {
    let mut runs: Vec<&Run<'_>> = dataset.served().collect();
    for condition in conditions.split(", ").map(str::trim).filter(|condition| !condition.is_empty()) {
        let (column, wanted) = condition.split_once('=').ok_or("a condition is COLUMN=VALUE")?;
        let column = dataset.column(column.trim())?;
        let meets = |word: &str| match wanted.strip_suffix('*') {
            Some(beginning) => word.starts_with(beginning),
            None => word == wanted,
        };
        runs.retain(|run| meets(&run.word(&column)));
    }
    if runs.is_empty() { Err("no run is like that".to_owned()) } else { Ok(runs) }
}

#[cfg(test)]
mod tests {
    use super::filled;
    use crate::record::{Check, Findings, Record, Verdict};
    use crate::report::dataset::Dataset;
    use serde_json::json;

    fn record(engine: &str, n: u64, seed: u64, cpu_s: f64) -> Record {
        let decided = n < 4;
        Record {
            key: format!("{engine}{n}{seed}"),
            engine: engine.to_owned(),
            side: engine.split(':').next().unwrap_or_default().to_owned(),
            family: "hard".to_owned(),
            params: [("n".to_owned(), json!(n))].into_iter().collect(),
            seed,
            findings: Findings {
                verdict: Some(if decided { Verdict::Decided } else { Verdict::Limit }),
                check: decided.then_some(Check::Checked),
                cpu_s: Some(cpu_s),
                work: [("conflicts".to_owned(), 1 << n)].into(),
                ..Findings::default()
            },
            ..Record::default()
        }
    }

    #[test]
    fn braces_are_computed() {
        let mut records = Vec::new();
        for n in 1..=4 {
            for seed in 1..=2 {
                records.push(record("search:a", n, seed, 0.001 * seed as f64));
                records.push(record("sat:b/amo=x", n, seed, 0.5 * n as f64));
            }
        }
        let all: Vec<&Record> = records.iter().collect();
        let dataset = Dataset::new(&all, &[]);
        let text = |text: &str| filled(text, &dataset);
        let cases = [
            ("of {count} runs {solved}, or {solved share}", "of 16 runs 12, or 75.0 %"),
            ("{instances} boards", "8 boards"),
            ("{median cpu_s | side=search, n=2}", "1.00 ms"),
            ("{most cpu_s | engine=sat:b*}", "2.00 s"),
            ("{most cpu_s | side=sat / most cpu_s | side=search} times", "1,000 times"),
            ("2^({growth work over n | side=sat} n)", "2^(1.00 n)"),
            ("{{n} is a set, {unsolved | n=4} is a number", "{n} is a set, 4 is a number"),
        ];
        for (plan, read) in cases {
            assert_eq!(text(plan).as_deref(), Ok(read));
        }
        let errors = [
            ("{median}", "a function and a column belong here"),
            ("{midian cpu_s}", "there is no 'midian'"),
            ("{median cqu_s}", "no record has a column 'cqu_s'"),
            ("{count | n=9}", "no run is like that"),
            ("{count | n}", "a condition is COLUMN=VALUE"),
            ("{count", "is not closed"),
        ];
        for (plan, why) in errors {
            let said = text(plan).unwrap_err();
            assert!(said.contains(why), "{plan}: {said}");
        }
    }
}
