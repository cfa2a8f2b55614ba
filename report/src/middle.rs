//! The median of runs, some of which are unsolved. All medians and ratios in texts and of hypotheses are computed here.
//!
//! An unsolved run counts as more than any solved one. If half of the runs or more are unsolved, only a lower bound is
//! known: the median of what all runs used until they ended.

use super::dataset::{Dataset, Reading, Run};
use counterpoint_statistics::{Bounds, SizeRuns, ascending, bounds_interval, censored_median, median};
use itertools::Itertools;
use rustc_hash::FxHashSet;

/// Columns about the formula and its building instead of its solving. They are exact for unsolved runs, too.
const SIZES: [&str; 3] = ["work_clauses", "work_variables", "build_cpu_s"];

/// A confidence interval for the median; `None` if there are too few numbers for this level.
pub(crate) fn interval(numbers: &[Bounds], level: f64) -> Option<Bounds> {
    let found = bounds_interval(numbers, level).filter(|found| found.coverage + 1e-12 >= level);
    found.map(|found| found.bounds)
}

/// The values of runs in a column.
pub(crate) struct Values {
    reading: Reading,
    /// Whether the values of unsolved runs are exact.
    is_size: bool,
    /// The engines with a value in some run.
    measured: FxHashSet<usize>,
    /// The engines that solve nothing. They may have no value, for example if they report counters only at the end.
    unsolving: FxHashSet<usize>,
}

impl Values {
    /// The values in a column, whose name comes from [`Dataset::column`].
    pub(crate) fn new(dataset: &Dataset<'_>, column: &str) -> Self {
        let reading = dataset.reading(column);
        let (mut measured, mut unsolving) = (FxHashSet::default(), FxHashSet::default());
        measured.extend(dataset.supported().filter(|run| reading.of(run).is_some()).map(|run| run.engine));
        unsolving.extend(dataset.supported().map(|run| run.engine));
        for run in dataset.supported().filter(|run| run.record.is_solved()) {
            unsolving.remove(&run.engine);
        }
        let is_size = SIZES.contains(&column) || column.starts_with("params_");
        Values { reading, is_size, measured, unsolving }
    }

    /// Whether an engine has a value in some run, or solves nothing.
    pub(crate) fn is_measured(&self, engine: usize) -> bool {
        self.measured.contains(&engine) || self.unsolving.contains(&engine)
    }

    /// The value of a run, which is infinite if the run is unsolved. `None` if the run is solved without a value, or if
    /// the engine is not measured.
    fn value(&self, run: &Run<'_>) -> Option<f64> {
        match () {
            () if !self.is_measured(run.engine) => None,
            () if self.is_size || run.record.is_solved() => self.reading.of(run),
            () => Some(f64::INFINITY),
        }
    }

    /// As [`Self::value`], but without the engines that have no value in any run.
    fn censored(&self, run: &Run<'_>) -> Option<f64> {
        self.value(run).filter(|_| self.measured.contains(&run.engine))
    }

    /// The median of runs, or its lower bound; `None` if no run has a value.
    pub(crate) fn median(&self, runs: &[&Run<'_>]) -> Option<Bounds> {
        let known = censored_median(&ascending(runs.iter().filter_map(|run| self.censored(run))));
        let used = || median(&ascending(runs.iter().filter_map(|run| self.reading.of(run))));
        known.map(Bounds::exact).or_else(|| used().map(Bounds::at_least))
    }

    /// The median of an engine's runs on one instance. As [`Self::median`], but an unsolved run without a value, for
    /// example without a counter, counts as at least zero, so that the instance is not left out.
    fn on_instance(&self, runs: &[&Run<'_>]) -> Option<Bounds> {
        let values =
            runs.iter().filter_map(|run| Some((self.value(run)?, self.reading.of(run)))).collect_vec();
        if let Some(known) = censored_median(&ascending(values.iter().map(|(value, _)| *value))) {
            return Some(Bounds::exact(known));
        }
        median(&ascending(values.iter().map(|(_, used)| used.unwrap_or(0.0)))).map(Bounds::at_least)
    }

    /// The median of each instance, over all of the given runs on it. The runs are in the order of the dataset.
    pub(crate) fn of_instances(&self, runs: &[&Run<'_>]) -> Vec<Bounds> {
        let runs = runs.iter().copied().filter(|run| self.measured.contains(&run.engine)).collect_vec();
        by_instance(&runs).filter_map(|own| self.on_instance(own)).collect()
    }

    /// For each instance on which both engines have runs, the value of `above` divided by that of `below`. Each engine
    /// counts with its median. The runs are in the order of the dataset.
    pub(crate) fn ratios(&self, runs: &[&Run<'_>], above: usize, below: usize) -> Vec<Bounds> {
        let of = |own: &[&Run<'_>], engine: usize| {
            self.on_instance(&own.iter().copied().filter(|run| run.engine == engine).collect_vec())
        };
        by_instance(runs).filter_map(|own| Some(of(own, above)?.over(of(own, below)?))).collect()
    }

    /// The runs by size and instance, in ascending order of the size. Runs without a size are left out. The runs are in
    /// the order of the dataset.
    pub(crate) fn sizes(&self, runs: &[&Run<'_>], size: &str) -> Vec<SizeRuns> {
        let sized = runs
            .iter()
            .filter_map(|run| Some((run.number(size)?, run.instance, self.censored(run)?)))
            .sorted_by(|a, b| a.0.total_cmp(&b.0))
            .collect_vec();
        let values = |runs: &[(f64, usize, f64)]| runs.iter().map(|(_, _, value)| *value).collect_vec();
        let of = |group: &[(f64, usize, f64)]| SizeRuns {
            x: group[0].0,
            instances: group.chunk_by(|a, b| a.1 == b.1).map(values).collect(),
        };
        sized.chunk_by(|a, b| a.0 == b.0).map(of).collect()
    }
}

/// The runs of each instance.
fn by_instance<'r, 'd, 'a>(runs: &'r [&'d Run<'a>]) -> impl Iterator<Item = &'r [&'d Run<'a>]> {
    runs.chunk_by(|a, b| a.instance == b.instance)
}

#[cfg(test)]
mod tests {
    use super::Values;
    use crate::dataset::Dataset;
    use crate::record::{Check, Findings, Record, Records, Verdict};
    use counterpoint_statistics::Bounds;

    /// A run on an instance; `conflicts` are what its record counts.
    fn record(engine: &str, seed: u64, is_solved: bool, conflicts: Option<u64>) -> Record {
        Record {
            key: format!("{engine}{seed}"),
            engine: engine.to_owned(),
            seed,
            findings: Findings {
                verdict: Some(if is_solved { Verdict::Decided } else { Verdict::Limit }),
                check: is_solved.then_some(Check::Checked),
                work: conflicts.map(|count| ("conflicts".to_owned(), count)).into_iter().collect(),
                ..Findings::default()
            },
            ..Record::default()
        }
    }

    #[test]
    fn an_unsolved_run_without_a_value_is_not_left_out() {
        let records = [
            record("sat:a", 1, true, Some(4)),
            record("sat:a", 2, true, None),
            record("sat:b", 1, false, None),
            record("sat:b", 2, false, None),
            record("search:c", 1, true, None),
            record("search:c", 2, true, None),
        ];
        let records = Records::from_iter(&records);
        let dataset = Dataset::new(records.iter(), &[]);
        let values = Values::new(&dataset, "work_conflicts");
        let index = |id: &str| dataset.engines.iter().position(|engine| engine == id).unwrap();
        let (a, b, c) = (index("sat:a"), index("sat:b"), index("search:c"));
        // `sat:b` solves nothing, so its conflicts may be any number. `search:c` counts something else.
        assert_eq!([a, b, c].map(|engine| values.is_measured(engine)), [true, true, false]);
        let runs: Vec<_> = dataset.supported().collect();
        assert_eq!(values.ratios(&runs, b, a), [Bounds::at_least(0.0), Bounds::at_least(0.0)]);
        assert_eq!(values.ratios(&runs, a, b), [Bounds::at_least(0.0), Bounds::at_least(0.0)]);
        assert_eq!(values.ratios(&runs, c, a), []);
        // Medians and intervals of all runs leave out engines without any value.
        assert_eq!(values.of_instances(&runs), [Bounds::exact(4.0), Bounds::exact(0.0)]);
        assert_eq!(values.median(&runs), Some(Bounds::exact(2.0)));
    }
}
