//! The first step of all charts: selects the runs of a figure, its measure and its groups.

use super::{Axis, Better, Panel, Scale, Unit};
use crate::dataset::{Dataset, Reading, Run};
use crate::errors::ChartError;
use crate::spec::Figure;
use counterpoint_base::suggest::{nearest, suggestion};
use counterpoint_statistics::{Score, ascending, censored_median, par, solved};
use indexmap::{IndexMap, IndexSet};
use itertools::Itertools;

/// The runs that a figure shows, without unsupported ones.
pub(super) struct Shown<'d, 'a> {
    pub(super) dataset: &'d Dataset<'a>,
    pub(super) runs: Vec<Run<'a>>,
    pub(super) measure: Measure,
    facet: Option<String>,
    /// Sentences about runs that are left out.
    pub(super) notes: Vec<String>,
}

/// The measured quantity.
pub(super) struct Measure {
    column: String,
    reading: Reading,
    pub(super) label: String,
    pub(super) unit: Unit,
}

impl<'d, 'a> Shown<'d, 'a> {
    /// The runs that a figure shows.
    ///
    /// # Errors
    /// If a column, a value or an engine of the figure is in no record, or if no run is left.
    pub(super) fn new(dataset: &'d Dataset<'a>, figure: &Figure) -> Result<Self, ChartError> {
        let unknown = figure.engines.iter().find(|id| !dataset.engines.contains(id));
        if let Some(id) = unknown {
            let near = nearest(id, dataset.engines.iter().map(String::as_str));
            return Err(
                format!("no record is of engine '{id}'; {}", suggestion(near, &dataset.engines)).into()
            );
        }
        let shown = |run: &Run<'_>| {
            figure.engines.is_empty() || figure.engines.contains(&dataset.engines[run.engine])
        };
        let mut runs: Vec<Run<'a>> = dataset.runs.iter().copied().filter(shown).collect();
        for (name, values) in &figure.only {
            let column = dataset.condition(name)?;
            runs.retain(|run| run.words(&column).iter().any(|word| values.contains(word)));
            if runs.is_empty() {
                return Err(format!("no run of the figure has {name} = {}", values.join(" or ")).into());
            }
        }
        let all = runs.len();
        runs.retain(Run::is_supported);
        if runs.is_empty() {
            return Err("no run is left to show".into());
        }
        let left = all - runs.len();
        let mut notes = match left {
            0 => Vec::new(),
            1 => vec!["1 run is left out: its engine does not support the instance.".to_owned()],
            _ => vec![format!("{left} runs are left out: their engines do not support the instances.")],
        };
        let measure =
            Measure::new(dataset, figure.y.as_deref().map_or(Ok("cpu_s".to_owned()), |y| dataset.column(y))?);
        // An engine that does not count its work still does some work, so it must not appear with 0.
        let silent: IndexSet<usize> = runs
            .iter()
            .map(|run| run.engine)
            .filter(|&engine| measure.reading.is_uncounted(engine))
            .collect();
        runs.retain(|run| !silent.contains(&run.engine));
        if runs.is_empty() {
            return Err(format!("no engine counts {}", measure.label).into());
        }
        if !silent.is_empty() {
            let names = silent.iter().sorted().map(|&engine| &*dataset.engines[engine]).join(", ");
            notes.push(format!("Left out because they do not count {}: {names}.", measure.label));
        }
        let facet = figure.facet.as_deref().map(|facet| dataset.column(facet)).transpose()?;
        Ok(Shown { dataset, runs, measure, facet, notes })
    }

    /// The runs of each panel, with the panel's title. There is a panel for each value of the facet: first the numbers
    /// in ascending order, then words alphabetically, then the runs without a value.
    pub(super) fn parts(&self) -> Vec<(String, Vec<Run<'a>>)> {
        let Some(column) = &self.facet else { return vec![(String::new(), self.runs.clone())] };
        let label = column_label(column);
        let mut parts: Vec<(String, Vec<Run<'a>>)> =
            grouped(&self.runs, |run| run.word(column)).into_iter().collect();
        let place = |word: &str| (word.is_empty(), word.parse::<f64>().unwrap_or(f64::INFINITY));
        parts.sort_by(|(a, _), (b, _)| {
            let ((e, x), (f, y)) = (place(a), place(b));
            e.cmp(&f).then(x.total_cmp(&y)).then_with(|| a.cmp(b))
        });
        let title = |word: &str| match word {
            // The record lacks this rule, so the rule has its default value, which is not known here.
            "" if column.starts_with("rules_") => format!("judge's {label}"),
            "" => format!("no {label}"),
            word => format!("{label} {word}"),
        };
        parts.into_iter().map(|(word, runs)| (title(&word), runs)).collect()
    }

    /// The engine's id.
    pub(super) fn id(&self, engine: usize) -> &'d str {
        &self.dataset.engines[engine]
    }

    /// The axis of the measure. Smaller values are better.
    pub(super) fn axis(&self) -> Axis {
        Axis::of(&self.measure.label, self.measure.unit, Scale::Log).better(Better::Low)
    }

    /// The values of runs in ascending order. An unsolved run counts as infinite.
    pub(super) fn censored(&self, runs: &[Run<'_>]) -> Vec<f64> {
        ascending(runs.iter().map(|run| self.measure.solved(run).unwrap_or(f64::INFINITY)))
    }

    /// The greatest limit of the runs, as given by [`Measure::limit`]; `None` if no run has one.
    pub(super) fn limit(&self, runs: &[Run<'_>]) -> Option<f64> {
        runs.iter().filter_map(|run| self.measure.limit(run)).max_by(f64::total_cmp)
    }

    /// The score of an engine on an instance, from its runs there: their median or, if it is unknown, their limit.
    /// The score is in the unit of the measure, even if that is not seconds.
    pub(super) fn score(&self, runs: &[Run<'_>]) -> Option<Score> {
        let (median, limit) = (censored_median(&self.censored(runs)), self.limit(runs));
        let limit_s = limit.or(median)?;
        Some(Score { solved: median.is_some(), time_s: median.unwrap_or(limit_s), limit_s })
    }

    /// The engines of some runs, in descending order of the number of solved runs, then in ascending order of PAR-2.
    pub(super) fn ranked(&self, runs: &[Run<'_>]) -> Vec<usize> {
        let worth = |runs: &[Run<'_>]| {
            let scores: Vec<Score> =
                runs.iter().filter_map(|run| self.score(std::slice::from_ref(run))).collect();
            (solved(scores.iter().copied()), par(scores, 2.0).unwrap_or(f64::INFINITY))
        };
        let engines = by_engine(runs).into_iter().map(|(engine, own)| (worth(&own), engine));
        let better = |((n, a), _): &((usize, f64), usize), ((m, b), _): &((usize, f64), usize)| {
            m.cmp(n).then(a.total_cmp(b))
        };
        engines.sorted_by(better).map(|(_, engine)| engine).collect()
    }

    /// The best search and the best SAT engine of some runs; `None` unless there are both.
    pub(super) fn sides(&self, runs: &[Run<'_>]) -> Option<(usize, usize)> {
        let ranked = self.ranked(runs);
        let best = |side: &str| ranked.iter().copied().find(|engine| self.id(*engine).starts_with(side));
        best("search:").zip(best("sat:"))
    }

    /// The column of sizes.
    ///
    /// # Errors
    /// If no column is named and no parameter varies, or if the column holds no numbers.
    pub(super) fn size(&self, figure: &Figure) -> Result<Sizes, ChartError> {
        let column = match &figure.x {
            Some(name) => self.dataset.column(name)?,
            None => self
                .dataset
                .sizes()
                .ok_or("no parameter varies, so there are no sizes; name a column as `x`")?,
        };
        if self.runs.iter().all(|run| run.number(&column).is_none()) {
            return Err(format!("'{column}' has no numbers, so it gives no sizes").into());
        }
        let label = column_label(&column);
        Ok(Sizes { column, label })
    }
}

/// The column of sizes.
pub(super) struct Sizes {
    pub(super) column: String,
    pub(super) label: String,
}

impl Sizes {
    /// The runs grouped by size, ascending. Runs without a size are left out.
    pub(super) fn groups<'a>(&self, runs: &[Run<'a>]) -> Vec<(f64, Vec<Run<'a>>)> {
        let sized = runs.iter().filter_map(|run| Some((run.number(&self.column)?, *run)));
        let mut groups: Vec<(f64, Vec<Run<'a>>)> = Vec::new();
        for (size, run) in sized.sorted_by(|(a, _), (b, _)| a.total_cmp(b)) {
            match groups.last_mut() {
                Some((last, group)) if *last == size => group.push(run),
                _ => groups.push((size, vec![run])),
            }
        }
        groups
    }

    /// The axis of sizes, logarithmic if they span more than a factor of 40.
    pub(super) fn axis(&self, panels: &[Panel]) -> Axis {
        let points = || panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
        let wide = match points().map(|point| point.x).minmax().into_option() {
            Some((least, most)) => least > 0.0 && most / least > 40.0,
            None => false,
        };
        Axis::of(&self.label, Unit::Plain, if wide { Scale::Log } else { Scale::Linear })
    }
}

impl Measure {
    fn new(dataset: &Dataset<'_>, column: String) -> Self {
        let (label, unit) = match column.as_str() {
            "cpu_s" => ("CPU time".to_owned(), Unit::Seconds),
            "work" => ("nodes and conflicts".to_owned(), Unit::Count),
            "peak_bytes" => ("memory".to_owned(), Unit::Bytes),
            name => {
                let unit = if name.ends_with("_s") {
                    Unit::Seconds
                } else if name.ends_with("_bytes") {
                    Unit::Bytes
                } else {
                    Unit::Count
                };
                (column_label(name.trim_end_matches("_s").trim_end_matches("_bytes")), unit)
            }
        };
        Measure { reading: dataset.reading(&column), column, label, unit }
    }

    /// Whether the measure is a counter. Searches and SAT engines count different things, such as nodes and conflicts.
    pub(super) fn is_counter(&self) -> bool {
        self.reading.is_count()
    }

    /// Checks that an engine counts this measure.
    ///
    /// # Errors
    /// If no record of the engine contains the counter.
    pub(super) fn check_counted(&self, engine: usize, id: &str) -> Result<(), ChartError> {
        if self.reading.is_uncounted(engine) {
            Err(format!("{id} does not count {}", self.label).into())
        } else {
            Ok(())
        }
    }

    /// The value of a run, solved or not.
    pub(super) fn value(&self, run: &Run<'_>) -> Option<f64> {
        self.reading.of(run)
    }

    /// The value of a solved run.
    pub(super) fn solved(&self, run: &Run<'_>) -> Option<f64> {
        self.value(run).filter(|_| run.record.is_solved())
    }

    /// A lower bound on what an unsolved run needs: its limit on this measure or, if the run has no such limit, what it
    /// used until it ended.
    pub(super) fn limit(&self, run: &Run<'_>) -> Option<f64> {
        let limit = match self.column.as_str() {
            "cpu_s" => run.limit_s(),
            "work" => run.record.limits().work.map(|limit| limit as f64),
            _ => None,
        };
        limit.or_else(|| self.value(run))
    }
}

/// The name of a column for readers.
fn column_label(column: &str) -> String {
    if let Some(source) = column.strip_prefix("tags_") {
        return format!("{source} tags");
    }
    let inner =
        ["params_", "axes_", "rules_", "work_", "limits_"].iter().find_map(|p| column.strip_prefix(p));
    inner.unwrap_or(column).replace('_', " ")
}

/// `3 of 8 reached a limit`; empty if none did.
pub(super) fn at_limit(ascending: &[f64]) -> String {
    match ascending.iter().filter(|value| value.is_infinite()).count() {
        0 => String::new(),
        unsolved => format!("{unsolved} of {} reached a limit", ascending.len()),
    }
}

/// The runs grouped by a key, in the order of first appearance.
pub(super) fn grouped<'a, K: std::hash::Hash + Eq>(
    runs: &[Run<'a>],
    key: impl Fn(&Run<'a>) -> K,
) -> IndexMap<K, Vec<Run<'a>>> {
    let mut groups: IndexMap<K, Vec<Run<'a>>> = IndexMap::new();
    for run in runs {
        groups.entry(key(run)).or_default().push(*run);
    }
    groups
}

/// The runs of each engine, in the order of engines.
pub(super) fn by_engine<'a>(runs: &[Run<'a>]) -> Vec<(usize, Vec<Run<'a>>)> {
    grouped(runs, |run| run.engine).into_iter().sorted_by_key(|(engine, _)| *engine).collect()
}

/// The runs of each instance, in the order of instances.
pub(super) fn by_instance<'a>(runs: &[Run<'a>]) -> Vec<(usize, Vec<Run<'a>>)> {
    grouped(runs, |run| run.instance).into_iter().sorted_by_key(|(instance, _)| *instance).collect()
}

/// A number to three digits, for sentences.
pub(super) fn digits(number: f64) -> String {
    let whole = if number == 0.0 { 0 } else { number.abs().log10().floor() as i32 };
    let places = usize::try_from(2 - whole).unwrap_or(0).min(12);
    let text = format!("{number:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A text with its first letter capitalized.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
