//! Expressions for estimates and their uncertainty: ratios paired by instance, intervals, and the number of instances
//! that a test needs.
//!
//! Intervals are those of the level 95 %. Runs on one instance are not independent, so in ratios and intervals each
//! instance counts once.

use crate::comparison::{MIN_RESAMPLED, resampling};
use crate::dataset::{Dataset, Run};
use crate::errors::ExpressionError;
use crate::middle::{self, Values};
use crate::units::{Measure, bounds as shown_bounds, shown};
use counterpoint_base::suggest::{nearest, suggestion};
use counterpoint_statistics::{
    Bounds, MAX_PAIRS, SizeRuns, growth, growth_interval, growth_points, median_bounds,
};

/// The level of confidence of intervals in texts.
const LEVEL: f64 = 0.95;

/// The text of an expression that begins with `interval` or `ratio`, over the runs that meet its conditions.
pub(super) fn estimate(
    head: &str,
    runs: &[&Run<'_>],
    dataset: &Dataset<'_>,
) -> Result<String, ExpressionError> {
    let words: Vec<&str> = head.split_whitespace().collect();
    match words[..] {
        ["ratio", column, "of", above, "over", below] => {
            let ratio = median_bounds(&ratios(dataset, runs, column, [above, below])?);
            shown_bounds(ratio.ok_or(NOT_PAIRED)?, Measure::Ratio).ok_or_else(|| UNKNOWN.into())
        }
        ["interval", "ratio", column, "of", above, "over", below] => {
            interval(&ratios(dataset, runs, column, [above, below])?, Measure::Ratio)
        }
        ["interval", "median", column] => {
            let column = dataset.column(column)?;
            interval(&Values::new(dataset, &column).of_instances(runs), Measure::of(&column))
        }
        ["interval", scale @ ("growth" | "power"), column, "over", size] => {
            slope(&sizes(scale, column, size, runs, dataset)?)
        }
        _ => Err("expected an expression such as {interval median cpu_s}, {interval growth work over n}, \
                  {ratio cpu_s of A over B} or {interval ratio cpu_s of A over B}"
            .into()),
    }
}

/// The instances of each size, for `growth`; for `power`, with the logarithms of the sizes.
pub(super) fn sizes(
    scale: &str,
    column: &str,
    size: &str,
    runs: &[&Run<'_>],
    dataset: &Dataset<'_>,
) -> Result<Vec<SizeRuns>, ExpressionError> {
    let (column, size) = (dataset.column(column)?, dataset.column(size)?);
    let mut sizes = Values::new(dataset, &column).sizes(runs, &size);
    if scale == "power" {
        for size in &mut sizes {
            size.x = size.x.log2();
        }
    }
    Ok(sizes)
}

/// The interval of a slope as text: by the bootstrap if all sizes have enough instances, and otherwise from the distances of the
/// medians to the line.
fn slope(sizes: &[SizeRuns]) -> Result<String, ExpressionError> {
    let line = growth(&growth_points(sizes)).ok_or("expected at least two sizes with medians above zero")?;
    let ends = if sizes.iter().all(|size| size.instances.len() >= MIN_RESAMPLED) {
        let count = sizes.iter().map(|size| size.instances.len()).sum();
        let found = growth_interval(sizes, &resampling(count)).ok_or("no resample has two sizes")?;
        [found.low, found.high]
    } else {
        let margin = line.margin.ok_or_else(|| {
            format!(
                "the slope has no interval: expected three sizes, or {MIN_RESAMPLED} instances of each size"
            )
        })?;
        [line.slope - margin, line.slope + margin]
    };
    if ends.iter().any(|end| end.is_infinite()) {
        return Err("too many resamples have no slope, because too few runs are solved".into());
    }
    Ok(ends.map(|end| shown(end, Measure::Ratio)).join(" to "))
}

const NOT_PAIRED: &str = "the two engines have no runs on a common instance";
const UNKNOWN: &str = "too many runs are unsolved, so nothing is known about this value";

/// The ratios of two engines on the instances that both ran.
fn ratios(
    dataset: &Dataset<'_>,
    runs: &[&Run<'_>],
    column: &str,
    engines: [&str; 2],
) -> Result<Vec<Bounds>, ExpressionError> {
    let values = Values::new(dataset, &dataset.column(column)?);
    let index = |id: &str| {
        let Some(index) = dataset.engines.iter().position(|known| known == id) else {
            let near = nearest(id, dataset.engines.iter().map(String::as_str));
            let hint = suggestion(near, &dataset.engines);
            return Err(ExpressionError::from(format!("no record is of engine '{id}'; {hint}")));
        };
        match values.is_measured(index) {
            true => Ok(index),
            false => Err(format!("no run of {id} has a value in the column {column}").into()),
        }
    };
    let [above, below] = engines;
    Ok(values.ratios(runs, index(above)?, index(below)?))
}

/// The interval of a median as text.
fn interval(numbers: &[Bounds], measure: Measure) -> Result<String, ExpressionError> {
    let found = middle::interval(numbers, LEVEL).ok_or_else(|| {
        let n = numbers.len();
        format!(
            "an interval needs at least six instances; there {}",
            if n == 1 { "is 1".to_owned() } else { format!("are {n}") }
        )
    })?;
    shown_bounds(found, measure).ok_or_else(|| UNKNOWN.into())
}

/// The text of `needed share=… power=… level=…`: the number of instances that the sign test needs.
pub(super) fn needed(words: &str) -> Result<String, ExpressionError> {
    let expected = || "expected an expression such as {needed share=0.75 power=0.9 level=0.05/12}".to_owned();
    let number = |text: &str| text.parse::<f64>().ok();
    let value = |text: &str| match text.split_once('/') {
        None => number(text),
        Some((above, below)) => Some(number(above)? / number(below)?),
    };
    let (mut share, mut power, mut level) = (None, None, None);
    for word in words.split_whitespace() {
        let (name, text) = word.split_once('=').ok_or_else(expected)?;
        let place = match name {
            "share" => &mut share,
            "power" => &mut power,
            "level" => &mut level,
            _ => return Err(format!("unknown value '{name}'; {}", expected()).into()),
        };
        *place = Some(value(text).ok_or_else(|| format!("'{text}' is not a number; {}", expected()))?);
    }
    let (share, power, level) = share
        .zip(power)
        .zip(level)
        .map(|((share, power), level)| (share, power, level))
        .ok_or_else(expected)?;
    let inside = |p: f64| p > 0.0 && p < 1.0;
    if !(share > 0.5 && share <= 1.0 && inside(power) && inside(level)) {
        return Err("share must be above 0.5 and at most 1; power and level must be between 0 and 1".into());
    }
    match counterpoint_statistics::needed(share, power, level) {
        Some(pairs) => Ok(shown(pairs as f64, Measure::Count)),
        None => Err(format!("more than {MAX_PAIRS} instances would be needed").into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::dataset::Dataset;
    use crate::prose::filled;
    use crate::prose::tests::record;
    use crate::record::{Record, Records, Verdict};

    /// `sat:b` takes `seed` times as long as `search:a`. At n = 1, it does not solve the instance with seed 8.
    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for n in 1..=2 {
            for seed in 1..=8 {
                let time = 0.1 * seed as f64;
                records.push(record("search:a", n, seed, time));
                // Several runs on an instance count once, with their median.
                for (repetition, times) in [(1, 1.0), (2, 1.0), (3, 100.0)] {
                    let one = record("sat:b", n, seed, time * seed as f64 * times);
                    records.push(Record { repetition, key: format!("{}.{repetition}", one.key), ..one });
                }
            }
        }
        for record in
            records.iter_mut().filter(|one| one.side == "sat" && one.seed == 8 && one.params["n"] == 1)
        {
            record.findings.verdict = Some(Verdict::Limit);
            record.findings.check = None;
            record.findings.cpu_s = Some(9.0);
        }
        records
    }

    #[test]
    fn ratios_and_intervals() {
        let records = records();
        let records = Records::from_iter(&records);
        let dataset = Dataset::new(records.iter(), &[]);
        for (plan, read) in [
            // Two instances for each of the ratios 1 to 8, one of which is only known to be at least 11.
            ("{ratio cpu_s of sat:b over search:a}", "4.50"),
            // From the 4th of 16 ratios to the 13th.
            ("{interval ratio cpu_s of sat:b over search:a}", "2.00 to 7.00"),
            // With eight ratios, only their range reaches 95 %, and the greatest is not known.
            ("{interval ratio cpu_s of sat:b over search:a | n=1}", "at least 1.00"),
            ("{interval ratio cpu_s of search:a over sat:b | n=1}", "at most 1.00"),
            ("{interval ratio cpu_s of search:a over sat:b | n=2}", "0.125 to 1.00"),
            ("{ratio cpu_s of sat:b over search:a | n=1, seed=8}", "at least 11.3"),
            ("{ratio cpu_s of search:a over sat:b | n=1, seed=8}", "at most 0.0889"),
            ("{interval median cpu_s | engine=search:a}", "200 ms to 700 ms"),
            ("{interval median cpu_s | engine=sat:b, n=1}", "at least 100 ms"),
            ("{interval growth work over n | engine=search:a}", "1.00 to 1.00"),
            ("{needed share=0.75 power=0.9 level=0.05/12}", "62"),
            ("{needed level=0.05 power=0.9 share=1}", "5"),
        ] {
            assert_eq!(filled(plan, &dataset, &[]).as_deref(), Ok(read), "{plan}");
        }
        for (plan, why) in [
            ("{ratio cpu_s of sat:c over search:a}", "no record is of engine 'sat:c'; did you mean 'sat:b'?"),
            ("{ratio wall_s of sat:b over search:a}", "no run of sat:b has a value in the column wall_s"),
            ("{ratio cpu_s of sat:b over search:a | engine=sat:b}", "no runs on a common instance"),
            ("{ratio cpu_s of sat:b over sat:b | n=1, seed=8}", "nothing is known about this value"),
            ("{interval cpu_s}", "expected an expression such as {interval median cpu_s}"),
            ("{interval median cpu_s | n=1, seed=1}", "needs at least six instances; there is 1"),
            (
                "{interval growth work over n | engine=search:a, seed=1}",
                "expected three sizes, or 6 instances",
            ),
            ("{interval growth work over n | n=1}", "expected at least two sizes"),
            ("{needed share=0.4 power=0.9 level=0.05}", "share must be above 0.5"),
            ("{needed share=0.501 power=0.9 level=0.05}", "more than 10000 instances would be needed"),
            ("{needed share=0.7 power=0.9}", "expected an expression such as {needed share=0.75"),
            ("{needed share=0.7 power=0.9 levl=0.05}", "unknown value 'levl'"),
            ("{needed share=x power=0.9 level=0.05}", "'x' is not a number"),
        ] {
            let said = filled(plan, &dataset, &[]).unwrap_err();
            assert!(said.message().contains(why), "{plan}: {said}");
        }
    }
}
