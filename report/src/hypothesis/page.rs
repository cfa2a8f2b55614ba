//! Hypotheses with their verdicts as a page, as a table for programs, and as TeX macros for a paper.

use super::{Assumed, Estimate, Finding, Hypotheses, Hypothesis, Measured, Test, Than, Verdict};
use crate::section::filled;
use crate::table::{Cell, Table, latex as escaped};
use crate::units::{Measure, bounds, shown};
use counterpoint_statistics::{Bounds, Growth, MAX_PAIRS};
use itertools::Itertools;
use std::fmt::Write as _;

/// The page, without markers.
pub fn page(hypotheses: &Hypotheses, findings: &[Finding]) -> String {
    let Hypotheses { title, claim, level, .. } = hypotheses;
    let mut out = format!("# {}\n", if title.is_empty() { "Hypotheses" } else { title });
    if !claim.is_empty() {
        out += &format!("\n{}\n", filled(&format!("**Claim.** {claim}")));
    }
    out += &format!("\n{}\n", filled(&how_to_read(*level, findings.len())));
    out += &format!("\n{}", shown_table(findings, *level).markdown());
    let notes = notes(findings);
    if !notes.is_empty() {
        out += &format!("\n{}\n", filled(&notes.join(" ")));
    }
    for Finding { hypothesis, .. } in findings {
        let Hypothesis { name, text, experiment, .. } = hypothesis;
        let number = experiment.split('-').next().unwrap_or_default();
        let text = if text.is_empty() { String::new() } else { format!("{text} ") };
        let words =
            format!("**{name}.** {text}[{number}]({experiment}/README.md): {}.", sentence(hypothesis));
        out += &format!("\n{}\n", filled(&words));
    }
    out
}

/// What the columns of the table mean.
fn how_to_read(level: f64, count: usize) -> String {
    let tests = if count == 1 { "1 hypothesis".to_owned() } else { format!("{count} hypotheses") };
    format!(
        "{tests}, tested together at the level {level}. The column \"p, Holm\" is the p-value after Holm's correction for all \
         of them; a hypothesis without records counts as one whose p-value is 1. A hypothesis is supported if this value is at \
         most the level, refuted if the same holds for its opposite, and otherwise undecided. The intervals are not \
         corrected. The column \"needed\" is the number of instances that the test needs at the strictest level of Holm's \
         correction, {}, under the assumptions below.",
        shown(level / count as f64, Measure::Probability)
    )
}

/// What is tested, in words.
fn sentence(hypothesis: &Hypothesis) -> String {
    let mut out = match &hypothesis.test {
        Test::Faster { faster, slower, by, column } => {
            format!(
                "in the median over instances, `{column}` of `{slower}` divided by that of `{faster}` is above {by}"
            )
        }
        Test::Equal { engines: [a, b], within, column } => format!(
            "in the median over instances, `{column}` of `{a}` divided by that of `{b}` is below {within} and above 1/{within}"
        ),
        Test::Growth { engine, column, over, than } => {
            let than = match than {
                Than::Above(bound) => format!("above {bound}"),
                Than::Below(bound) => format!("below {bound}"),
            };
            format!("the median of `{column}` of `{engine}` is 2^(*a*·{over}), where *a* is {than}")
        }
        Test::Solved { more, less } => format!(
            "`{more}` solves more instances than `{less}`; the interval is that of its share of the instances that only one \
             of them solves"
        ),
    };
    if !hypothesis.only.is_empty() {
        let each = hypothesis.only.iter().map(|(name, values)| format!("`{name}` = {}", values.join(", ")));
        let _ = write!(out, "; only {}", each.collect::<Vec<_>>().join(" and "));
    }
    if let Some(Assumed { share, power }) = hypothesis.assumed {
        let share = percent(share);
        let counted = match hypothesis.test {
            Test::Faster { by, .. } => format!("{share} of the instances have a ratio above {by}"),
            Test::Equal { within, .. } => {
                format!(
                    "{share} of the instances have a ratio below {within}, and {share} one above 1/{within}"
                )
            }
            Test::Solved { .. } => {
                format!("{share} of the instances that only one solves are solved by the first")
            }
            Test::Growth { .. } => String::new(),
        };
        let _ = write!(out, "; assumed: {counted}; power {}", percent(power));
    }
    out
}

/// Sentences about incomplete and too small experiments.
fn notes(findings: &[Finding]) -> Vec<String> {
    let mut notes = Vec::new();
    let measured = findings.iter().filter_map(|finding| Some((finding, finding.measured.as_ref()?)));
    for (Finding { hypothesis: Hypothesis { name, test, .. }, planned, .. }, found) in measured {
        if found.instances < *planned {
            notes.push(format!("{name} counts {} of {planned} planned instances.", found.instances));
        }
        if found.interval.is_none() {
            notes.push(match test {
                Test::Growth { .. } => format!(
                    "{name} has no interval: that needs two sizes with a median in nearly all resamples, and six instances of \
                     each size."
                ),
                Test::Solved { .. } => format!("{name}: no instance is solved by only one of the two."),
                _ => format!("{name} has too few instances for an interval."),
            });
        }
    }
    for Finding { hypothesis, needed, .. } in findings {
        let needs = !matches!(hypothesis.test, Test::Growth { .. }) && hypothesis.assumed.is_some();
        if needs && needed.is_none() {
            notes.push(format!("{} needs more than {MAX_PAIRS} instances.", hypothesis.name));
        }
    }
    notes.extend(by_sizes(findings));
    notes
}

/// A sentence with a second interval for each slope.
fn by_sizes(findings: &[Finding]) -> Option<String> {
    let each = findings.iter().filter_map(|finding| {
        let line = line_interval(finding.measured.as_ref()?)?;
        Some(format!("{line} ({})", finding.hypothesis.name))
    });
    let each = each.collect_vec();
    (!each.is_empty()).then(|| {
        format!(
            "The tests of slopes take the sizes as fixed and draw instances again. If the deviations of the medians from \
             the line count as errors instead, the 95 % intervals of the slopes, not corrected, are {}.",
            each.join(", ")
        )
    })
}

/// The interval of a slope by the deviations of the medians from the line, and the number of sizes, in words.
fn line_interval(found: &Measured) -> Option<String> {
    let Some(Estimate::Slope(Growth { slope, margin: Some(margin), points, .. })) = found.estimate else {
        return None;
    };
    let interval = ends(Bounds { low: slope - margin, high: slope + margin }, Measure::Ratio);
    Some(format!("{interval} at {points} sizes"))
}

/// The estimate in words.
fn estimate(found: &Measured) -> String {
    match found.estimate {
        None => "unknown".to_owned(),
        Some(Estimate::Ratio(ratio)) => bounds(ratio, Measure::Ratio).unwrap_or_else(|| "unknown".to_owned()),
        Some(Estimate::Slope(line)) => shown(line.slope, Measure::Ratio),
        Some(Estimate::Solved([a, b], [only_a, only_b])) => {
            format!("{a} and {b} solved; only by one: {only_a} and {only_b}")
        }
    }
}

/// The interval in words; empty without one.
fn interval(found: &Measured, test: &Test) -> String {
    let Some(interval) = found.interval else { return String::new() };
    match test {
        Test::Solved { .. } => ends(interval, Measure::Share),
        Test::Growth { .. } => ends(interval, Measure::Ratio),
        _ => bounds(interval, Measure::Ratio).unwrap_or_else(|| "unknown".to_owned()),
    }
}

/// Both ends of an interval, even if the lower one is zero.
fn ends(Bounds { low, high }: Bounds, measure: Measure) -> String {
    format!("{} to {}", shown(low, measure), shown(high, measure))
}

/// The instances that the test counts and, if these are fewer, all of them.
fn counted(found: &Measured) -> String {
    let count = |n: usize| shown(n as f64, Measure::Count);
    match found.counted == found.instances {
        true => count(found.instances),
        false => format!("{} of {}", count(found.counted), count(found.instances)),
    }
}

/// The name of the column of intervals.
fn interval_column(level: f64) -> String {
    format!("{} interval", percent(1.0 - level))
}

/// A share in percent, without needless digits.
fn percent(share: f64) -> String {
    format!("{} %", (share * 1e4).round() / 1e2)
}

/// The table for readers.
fn shown_table(findings: &[Finding], level: f64) -> Table {
    let optional =
        |number: Option<f64>, measure| number.map_or(Cell::Empty, |number| Cell::Number(number, measure));
    let row = |finding: &Finding| {
        let Finding { hypothesis, needed, measured, adjusted, verdict, .. } = finding;
        let word = |of: &dyn Fn(&Measured) -> String| {
            measured.as_ref().map(of).filter(|text| !text.is_empty()).map_or(Cell::Empty, Cell::Word)
        };
        vec![
            Cell::Word(hypothesis.name.clone()),
            word(&estimate),
            word(&|found| interval(found, &hypothesis.test)),
            word(&counted),
            needed.map_or(Cell::Empty, Cell::count),
            optional(measured.as_ref().map(|found| found.p), Measure::Probability),
            optional(*adjusted, Measure::Probability),
            Cell::Word(verdict.name().to_owned()),
        ]
    };
    let interval = interval_column(level);
    let columns = ["", "estimate", &interval, "instances", "needed", "p", "p, Holm", "verdict"];
    Table {
        name: "hypotheses".to_owned(),
        caption: String::new(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: findings.iter().map(row).collect(),
    }
}

/// The table for programs, with unrounded numbers. The estimate of solved instances is the share of the first engine
/// among those that only one engine solves.
pub fn table(findings: &[Finding]) -> Table {
    let number =
        |number: Option<f64>| number.map_or(Cell::Empty, |number| Cell::Number(number, Measure::Ratio));
    let count = |count: Option<usize>| count.map_or(Cell::Empty, Cell::count);
    let row = |finding: &Finding| {
        let Finding { hypothesis, planned, needed, measured, adjusted, verdict } = finding;
        let found = measured.as_ref();
        let estimate = found.and_then(|found| match found.estimate? {
            Estimate::Ratio(ratio) => Some(ratio),
            Estimate::Slope(line) => Some(Bounds::exact(line.slope)),
            Estimate::Solved(_, [a, b]) => (a + b > 0).then(|| Bounds::exact(a as f64 / (a + b) as f64)),
        });
        let interval = found.and_then(|found| found.interval);
        vec![
            Cell::Word(hypothesis.name.clone()),
            Cell::Word(hypothesis.experiment.clone()),
            number(estimate.map(|bounds| bounds.low)),
            number(estimate.map(|bounds| bounds.high)),
            number(interval.map(|bounds| bounds.low)),
            number(interval.map(|bounds| bounds.high)),
            Cell::count(*planned),
            count(found.map(|found| found.instances)),
            count(found.map(|found| found.counted)),
            count(*needed),
            number(found.map(|found| found.p)),
            number(*adjusted),
            Cell::Word(verdict.name().to_owned()),
        ]
    };
    let columns = [
        "hypothesis",
        "experiment",
        "estimate from",
        "estimate to",
        "interval from",
        "interval to",
        "planned",
        "instances",
        "counted",
        "needed",
        "p",
        "p, Holm",
        "verdict",
    ];
    Table {
        name: "hypotheses".to_owned(),
        caption: String::new(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: findings.iter().map(row).collect(),
    }
}

/// TeX macros for a paper: the table as `\tableHypotheses`, and for each hypothesis its values, such as
/// `\hypothesisSOneVerdict` for the hypothesis `S1`. `command` turns a name into letters.
pub fn latex(findings: &[Finding], level: f64, command: impl Fn(&str) -> String) -> String {
    let table = shown_table(findings, level);
    let mut out = "% Hypotheses and their verdicts. Needs booktabs and textcomp.\n".to_owned();
    let _ = writeln!(out, "\\newcommand{{\\tableHypotheses}}{{%\n{}}}", table.latex());
    for (row, finding) in table.rows.iter().zip(findings) {
        let name = command(&finding.hypothesis.name);
        let parts = ["Estimate", "Interval", "Instances", "Needed", "P", "AdjustedP", "Verdict"];
        for (part, cell) in parts.iter().zip(&row[1..]) {
            let value = escaped(&cell.shown());
            let _ = writeln!(out, "\\newcommand{{\\hypothesis{name}{part}}}{{{value}}}");
        }
        if let Some(line) = finding.measured.as_ref().and_then(line_interval) {
            let _ = writeln!(out, "\\newcommand{{\\hypothesis{name}Line}}{{{}}}", escaped(&line));
        }
    }
    out
}

/// The number of hypotheses with each verdict, for the page of all experiments, which is in the folder of the page
/// `file`.
pub fn summary(findings: &[Finding], file: &str) -> String {
    let counts = Verdict::ALL.into_iter().filter_map(|verdict| {
        let count = findings.iter().filter(|finding| finding.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {}", verdict.name()))
    });
    format!("[Hypotheses that were stated before the runs]({file}): {}.\n", counts.format(", "))
}
