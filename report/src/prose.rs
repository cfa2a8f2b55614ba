//! Numbers in texts: expressions in braces in a plan's texts are computed from the records, so that the texts cannot
//! contradict the records.
//!
//! ```text
//! {median cpu_s | engine=search:cover, n=16}     of a column: median, mean, least, most or total
//! {count | n=16}  {solved | side=sat}            number of runs; number of solved runs; also `unsolved`
//! {solved share | side=sat}                      solved runs in percent
//! {median work | side=sat / median work | side=search}     a ratio
//! {growth work over n | engine=sat:presses}      doublings per unit of n: slope of log2(median) by least squares
//! {power work over n | engine=search}            exponent of n: slope of log2(median) against log2(n)
//! {paired difference of direct and ladder}       a result of a `[[compare]]` of the plan, see [`paired::value`]
//! {interval median cpu_s | n=16}                 a 95 % interval; also of `growth`, `power` and `ratio`
//! {ratio cpu_s of sat:b over search:a | n=16}    the median over instances of the ratio of two engines
//! {needed share=0.75 power=0.9 level=0.05/12}    the number of instances that a sign test needs
//! ```
//!
//! Conditions name columns as `status --by` does; a `*` at the end of a value stands for any ending. Unsupported runs
//! are left out; `work` is nodes plus conflicts. Medians are those of the module `middle`. If half or more of the runs are
//! unsolved, a median is given as "at least …" (a ratio with this median as divisor as "at most …"), and `growth`
//! leaves out the size. `{{` stands for an opening brace.

mod estimate;

use super::dataset::{Dataset, Run};
use super::errors::ExpressionError;
use super::middle::Values;
use super::paired::{self, Paired};
use super::units::{Measure, shown};
use counterpoint_statistics::{ascending, growth, growth_points};
use itertools::Itertools;

/// Replaces the expressions of a text by their values. `compared` has the comparisons that the plan asks for.
///
/// # Errors
/// If an expression is invalid.
pub fn filled(text: &str, dataset: &Dataset<'_>, compared: &[Paired]) -> Result<String, ExpressionError> {
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
            )
            .into());
        };
        let value = match inside.strip_prefix("paired ") {
            Some(words) => paired::value(words, compared),
            None => value(inside, dataset),
        };
        out += &value.map_err(|why| format!("{{{inside}}}: {why}"))?;
        rest = after;
    }
    Ok(out + rest)
}

/// The value of an expression.
struct Number {
    value: f64,
    measure: Measure,
    bound: Bound,
}

/// Whether a value is exact.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    /// A lower bound for a median that lies among unsolved runs: the median of what the runs used until they ended.
    AtLeast,
}

/// The text of an expression's value.
fn value(inside: &str, dataset: &Dataset<'_>) -> Result<String, ExpressionError> {
    match inside.split_whitespace().next() {
        Some("needed") => return estimate::needed(inside.trim_start().trim_start_matches("needed")),
        Some("interval" | "ratio") => {
            let (head, conditions) = inside.split_once('|').unwrap_or((inside, ""));
            return estimate::estimate(head, &chosen(conditions, dataset)?, dataset);
        }
        _ => {}
    }
    let bounded = |bound, text: String| match bound {
        Bound::Exact => text,
        Bound::AtLeast => format!("at least {text}"),
    };
    match inside.split_once(" / ") {
        None => {
            let found = term(inside, dataset)?;
            Ok(bounded(found.bound, shown(found.value, found.measure)))
        }
        Some((above, below)) => {
            let (above, below) = (term(above, dataset)?, term(below, dataset)?);
            if below.value == 0.0 {
                return Err("division by zero".into());
            }
            let text = shown(above.value / below.value, Measure::Ratio);
            match (above.bound, below.bound) {
                (bound, Bound::Exact) => Ok(bounded(bound, text)),
                (Bound::Exact, Bound::AtLeast) => Ok(format!("at most {text}")),
                _ => Err("both medians lie among unsolved runs, so their ratio is unknown".into()),
            }
        }
    }
}

/// The value of a term such as `median cpu_s | n=16`: a function of the runs that meet the conditions.
fn term(text: &str, dataset: &Dataset<'_>) -> Result<Number, ExpressionError> {
    let (head, conditions) = text.split_once('|').unwrap_or((text, ""));
    let runs = chosen(conditions, dataset)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let solved = runs.iter().filter(|run| run.record.is_solved()).count();
    let number = |value: f64, measure| Ok(Number { value, measure, bound: Bound::Exact });
    let count = |n: usize| number(n as f64, Measure::Count);
    match words[..] {
        ["count"] => count(runs.len()),
        ["instances"] => count(runs.iter().map(|run| run.instance).unique().count()),
        ["solved"] => count(solved),
        ["unsolved"] => count(runs.len() - solved),
        ["solved", "share"] => number(solved as f64 / runs.len() as f64, Measure::Share),
        [scale @ ("growth" | "power"), column, "over", size] => {
            let points = growth_points(&estimate::sizes(scale, column, size, &runs, dataset)?);
            let found = growth(&points).ok_or("expected at least two sizes with medians above zero")?;
            number(found.slope, Measure::Ratio)
        }
        [function, column] => {
            let column = dataset.column(column)?;
            if function == "median" {
                return middle(&runs, &column, dataset)
                    .ok_or_else(|| "no run has a value in this column".into());
            }
            let reading = dataset.reading(&column);
            let values = ascending(runs.iter().filter_map(|run| reading.of(run)));
            let total: f64 = values.iter().sum();
            let found = match function {
                "least" => values.first().copied(),
                "most" => values.last().copied(),
                "total" => Some(total),
                "mean" => Some(total / values.len() as f64).filter(|mean| mean.is_finite()),
                _ => {
                    let expected = "median, mean, least, most or total";
                    return Err(format!("unknown function '{function}'; expected {expected}").into());
                }
            };
            number(found.ok_or("no run has a value in this column")?, Measure::of(&column))
        }
        _ => Err("expected a function and a column, such as {median cpu_s | n=8}".into()),
    }
}

/// The median of runs, or its lower bound.
fn middle(runs: &[&Run<'_>], column: &str, dataset: &Dataset<'_>) -> Option<Number> {
    let found = Values::new(dataset, column).median(runs)?;
    let bound = if found.is_exact() { Bound::Exact } else { Bound::AtLeast };
    Some(Number { value: found.low, measure: Measure::of(column), bound })
}

/// The supported runs that meet all conditions.
fn chosen<'d, 'a>(conditions: &str, dataset: &'d Dataset<'a>) -> Result<Vec<&'d Run<'a>>, ExpressionError> {
    let mut runs: Vec<&Run<'_>> = dataset.supported().collect();
    for condition in conditions.split(", ").map(str::trim).filter(|condition| !condition.is_empty()) {
        let (column, wanted) = condition.split_once('=').ok_or("expected a condition COLUMN=VALUE")?;
        let column = dataset.condition(column.trim())?;
        let meets = |word: &str| match wanted.strip_suffix('*') {
            Some(beginning) => word.starts_with(beginning),
            None => word == wanted,
        };
        runs.retain(|run| run.words(&column).iter().any(|word| meets(word)));
    }
    if runs.is_empty() { Err("no run meets the conditions".into()) } else { Ok(runs) }
}

#[cfg(test)]
mod tests {
    use super::filled;
    use crate::dataset::Dataset;
    use crate::record::{Check, Findings, Record, Records, Verdict};
    use serde_json::json;

    pub(super) fn record(engine: &str, n: u64, seed: u64, cpu_s: f64) -> Record {
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
    fn conditions_may_use_earlier_names_of_columns() {
        let mut records = vec![record("sat:b", 1, 1, 0.5), record("sat:c", 1, 1, 1.5)];
        for (record, name) in records.iter_mut().zip(["b", "c"]) {
            record.encoding = name.to_owned();
        }
        let records = Records::from_iter(&records);
        let dataset = Dataset::new(records.iter(), &[]);
        for name in ["encoding", "model"] {
            let text = format!("{{median cpu_s | {name}=c}} in {{count | {name}=b}} run");
            assert_eq!(filled(&text, &dataset, &[]).as_deref(), Ok("1.50 s in 1 run"));
        }
    }

    #[test]
    fn expressions_in_braces_are_computed() {
        let mut records = Vec::new();
        for n in 1..=4 {
            for seed in 1..=2 {
                records.push(record("search:a", n, seed, 0.001 * seed as f64));
                records.push(record("sat:b/amo=x", n, seed, 0.5 * n as f64));
            }
        }
        let records = Records::from_iter(&records);
        let dataset = Dataset::new(records.iter(), &[]);
        let text = |text: &str| filled(text, &dataset, &[]);
        let instances = [
            ("of {count} runs {solved}, or {solved share}", "of 16 runs 12, or 75.0 %"),
            ("{instances} boards", "8 boards"),
            ("{median cpu_s | side=search, n=2}", "1.50 ms"),
            // At n = 4 no run is solved, so the median is beyond the limit.
            ("{median cpu_s | side=sat, n=4}", "at least 2.00 s"),
            ("{median cpu_s | side=search, n=4 / median cpu_s | side=sat, n=1}", "at least 0.00300"),
            ("{median cpu_s | side=sat, n=1 / median cpu_s | side=search, n=4}", "at most 333"),
            // Of two runs for each size, only those at n = 4 are unsolved, so the median is known.
            ("{median cpu_s | side=sat}", "1.25 s"),
            ("{most cpu_s | engine=sat:b*}", "2.00 s"),
            ("{most cpu_s | side=sat / most cpu_s | side=search} times", "1,000 times"),
            ("2^({growth work over n | side=sat} n)", "2^(1.00 n)"),
            ("{interval growth work over n | side=sat}", "1.00 to 1.00"),
            // The medians 2, 4 and 8 at n = 1, 2 and 3: log2(n) = 0, 1 and 1.585.
            ("n^{power work over n | side=sat}", "n^1.23"),
            ("n^({interval power work over n | side=sat})", "n^(-1.14 to 3.60)"),
            ("{{n} is a set, {unsolved | n=4} is a number", "{n} is a set, 4 is a number"),
        ];
        for (plan, read) in instances {
            assert_eq!(text(plan).as_deref(), Ok(read));
        }
        let errors = [
            ("{median}", "expected a function and a column"),
            ("{midian cpu_s}", "unknown function 'midian'"),
            ("{median cqu_s}", "no record has a column 'cqu_s'"),
            ("{count | n=9}", "no run meets the conditions"),
            ("{count | n}", "expected a condition COLUMN=VALUE"),
            ("{interval growth work | n=2}", "expected an expression such as {interval median cpu_s}"),
            ("{interval growth work over seed | n=2}", "expected three sizes, or 6 instances"),
            ("{count", "is not closed"),
            (
                "{median cpu_s | side=sat, n=4 / median cpu_s | side=search, n=4}",
                "both medians lie among unsolved",
            ),
        ];
        for (plan, why) in errors {
            let said = text(plan).unwrap_err();
            assert!(said.message().contains(why), "{plan}: {said}");
        }
    }
}
