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
//! {growth interval work over n}                  95 % confidence interval of the slope; also `power interval`
//! {paired difference of direct and ladder}       a result of a `[[compare]]` of the plan, see [`paired::value`]
//! ```
//!
//! Conditions name columns as `status --by` does; a `*` at the end of a value stands for any ending. Unsupported runs
//! are left out; `work` is nodes plus conflicts. Medians are those of [`censored_median`]. If half or more of the runs
//! are unsolved, a median is given as "at least …" (a ratio with this median as divisor as "at most …"), and `growth`
//! leaves out the size. `{{` stands for an opening brace.

use super::dataset::{Dataset, Run};
use super::errors::ExpressionError;
use super::paired::{self, Paired};
use super::units::{Measure, shown};
use counterpoint_statistics::{Growth, ascending, censored_median, growth, median};
use itertools::Itertools;
use rustc_hash::FxHashSet;

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

/// Columns about the formula and its building instead of its solving. They are exact for unsolved runs, too.
const SIZES: [&str; 3] = ["work_clauses", "work_variables", "build_cpu_s"];

/// The text of an expression's value.
fn value(inside: &str, dataset: &Dataset<'_>) -> Result<String, ExpressionError> {
    let bounded = |bound, text: String| match bound {
        Bound::Exact => text,
        Bound::AtLeast => format!("at least {text}"),
    };
    if let Some((scale, rest)) = inside.split_once(" interval ") {
        return interval(scale, rest, dataset);
    }
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
            number(line(scale, column, size, &runs, dataset)?.slope, Measure::Ratio)
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

/// The line through the logarithms of the medians of `column`, against `size` (`growth`) or its logarithm (`power`).
fn line(
    scale: &str,
    column: &str,
    size: &str,
    runs: &[&Run<'_>],
    dataset: &Dataset<'_>,
) -> Result<Growth, ExpressionError> {
    let (column, size) = (dataset.column(column)?, dataset.column(size)?);
    let sized = runs.iter().filter_map(|&run| Some((run.number(&size)?, run)));
    let sizes = sized.sorted_by(|a, b| a.0.total_cmp(&b.0)).collect_vec();
    let points = sizes.chunk_by(|a, b| a.0 == b.0).filter_map(|group| {
        let own = group.iter().map(|(_, run)| *run).collect_vec();
        let found = middle(&own, &column, dataset)?;
        let x = if scale == "power" { group[0].0.log2() } else { group[0].0 };
        (found.bound == Bound::Exact && found.value > 0.0).then_some((x, found.value))
    });
    growth(&points.collect_vec()).ok_or_else(|| "expected at least two sizes with medians above zero".into())
}

/// The text of the confidence interval of a slope. `text` is what follows the word `interval`.
fn interval(scale: &str, text: &str, dataset: &Dataset<'_>) -> Result<String, ExpressionError> {
    let (head, conditions) = text.split_once('|').unwrap_or((text, ""));
    let (["growth" | "power"], [column, "over", size]) =
        (&[scale][..], &head.split_whitespace().collect_vec()[..])
    else {
        return Err("expected an interval such as {growth interval work over n | side=sat}".into());
    };
    let found = line(scale, column, size, &chosen(conditions, dataset)?, dataset)?;
    let margin = found.margin.ok_or("expected at least three sizes with medians above zero")?;
    let [from, to] = [-margin, margin].map(|margin| shown(found.slope + margin, Measure::Ratio));
    Ok(format!("{from} to {to}"))
}

/// The median of runs. An unsolved run counts as more than any solved one. If half of the runs or more are unsolved,
/// the result is a lower bound: the median of what all runs used until they ended.
fn middle(runs: &[&Run<'_>], column: &str, dataset: &Dataset<'_>) -> Option<Number> {
    let reading = dataset.reading(column);
    let used = ascending(runs.iter().filter_map(|run| reading.of(run)));
    let measured: FxHashSet<usize> =
        dataset.supported().filter(|run| reading.of(run).is_some()).map(|run| run.engine).collect();
    let is_size = SIZES.contains(&column) || column.starts_with("params_");
    let taken = |run: &&Run<'_>| {
        if is_size || run.record.is_solved() { reading.of(run) } else { Some(f64::INFINITY) }
    };
    let taken = ascending(runs.iter().filter(|run| measured.contains(&run.engine)).filter_map(taken));
    let (value, bound) = match censored_median(&taken) {
        Some(value) => (value, Bound::Exact),
        None => (median(&used)?, Bound::AtLeast),
    };
    Some(Number { value, measure: Measure::of(column), bound })
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
            ("{median cpu_s | side=search, n=4 / median cpu_s | side=sat, n=1}", "at least 0.0030"),
            ("{median cpu_s | side=sat, n=1 / median cpu_s | side=search, n=4}", "at most 333"),
            // Of two runs for each size, only those at n = 4 are unsolved, so the median is known.
            ("{median cpu_s | side=sat}", "1.25 s"),
            ("{most cpu_s | engine=sat:b*}", "2.00 s"),
            ("{most cpu_s | side=sat / most cpu_s | side=search} times", "1,000 times"),
            ("2^({growth work over n | side=sat} n)", "2^(1.00 n)"),
            ("{growth interval work over n | side=sat}", "1.00 to 1.00"),
            // The medians 2, 4 and 8 at n = 1, 2 and 3: log2(n) = 0, 1 and 1.585.
            ("n^{power work over n | side=sat}", "n^1.23"),
            ("n^({power interval work over n | side=sat})", "n^(-1.14 to 3.60)"),
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
            ("{growth interval work | n=2}", "expected an interval such as"),
            ("{growth interval work over seed | n=2}", "expected at least three sizes"),
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
