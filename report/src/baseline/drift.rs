//! How much the times of the same runs differ between two sets, for example of two builds, or of a quiet and a busy
//! machine.

use super::pairs;
use crate::dataset::{Dataset, Run};
use crate::middle;
use crate::record::Verdict;
use crate::units::{Measure, bounds, shown};
use counterpoint_statistics::{Bounds, ascending, median_bounds, quantile};
use itertools::Itertools;

/// The level of confidence of intervals.
const LEVEL: f64 = 0.95;

/// The differences between the runs of an engine in two sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The engine.
    pub engine: String,
    /// The number of runs in both sets.
    pub runs: usize,
    /// The number of runs that are decided in both sets.
    pub decided: usize,
    /// The number of these whose outcome and counters are equal.
    pub equal: usize,
    /// The median ratio of CPU times, the other set over the baseline, over instances.
    pub ratio: Option<String>,
    /// Its 95 % interval; `None` with fewer than six instances.
    pub interval: Option<String>,
    /// The ratios of the runs that are solved in both sets, from the 5 % to the 95 % quantile.
    pub spread: Option<String>,
}

/// The differences of each engine, for the runs that both sets contain. An unsolved run needed at least the time that
/// it used.
pub fn drifts<'a>(here: &Dataset<'a>, there: &Dataset<'a>) -> Vec<Drift> {
    let both = pairs(here, there).into_iter().filter(|(old, new)| old.is_supported() && new.is_supported());
    let by_engine = both.into_group_map_by(|(_, new)| new.engine);
    let sorted = by_engine.into_iter().sorted_by_key(|(engine, _)| *engine);
    sorted.map(|(engine, runs)| drift(&here.engines[engine], &runs)).collect()
}

fn drift(engine: &str, runs: &[(&Run<'_>, &Run<'_>)]) -> Drift {
    let by_instance = runs.chunk_by(|(_, a), (_, b)| a.instance == b.instance);
    let ratios: Vec<Bounds> = by_instance.filter_map(on_instance).collect();
    let solved = runs.iter().filter_map(|(old, new)| Some(new.solved_s()? / old.solved_s()?));
    let solved = ascending(solved.filter(|ratio| ratio.is_finite()));
    let decided = runs.iter().filter(|(old, new)| is_decided(old) && is_decided(new)).collect_vec();
    let end = |p: f64| Some(shown(quantile(&solved, p)?, Measure::Ratio));
    Drift {
        engine: engine.to_owned(),
        runs: runs.len(),
        decided: decided.len(),
        equal: decided.iter().filter(|(old, new)| are_equal(old, new)).count(),
        ratio: median_bounds(&ratios).and_then(|ratio| bounds(ratio, Measure::Ratio)),
        interval: middle::interval(&ratios, LEVEL).and_then(|found| bounds(found, Measure::Ratio)),
        spread: end(0.05).zip(end(0.95)).map(|(low, high)| format!("{low} to {high}")),
    }
}

/// The ratio on one instance, of the medians of the runs before and after.
fn on_instance(runs: &[(&Run<'_>, &Run<'_>)]) -> Option<Bounds> {
    let time = |run: &Run<'_>| {
        let used = run.record.cpu_s()?;
        Some(if run.record.is_solved() { Bounds::exact(used) } else { Bounds::at_least(used) })
    };
    let times = runs.iter().filter_map(|(old, new)| Some((time(old)?, time(new)?)));
    let (old, new): (Vec<Bounds>, Vec<Bounds>) = times.unzip();
    Some(median_bounds(&new)?.over(median_bounds(&old)?))
}

fn is_decided(run: &Run<'_>) -> bool {
    run.record.verdict() == Some(Verdict::Decided)
}

fn are_equal(old: &Run<'_>, new: &Run<'_>) -> bool {
    old.record.outcome() == new.record.outcome() && old.record.counts().eq(new.record.counts())
}

#[cfg(test)]
mod tests {
    use super::{Drift, drifts};
    use crate::dataset::Dataset;
    use crate::record::{Check, Findings, Record, Records, Verdict};

    fn record(seed: u64, cpu_s: f64, is_solved: bool, conflicts: u64) -> Record {
        Record {
            key: format!("{seed}"),
            seed,
            instance_hash: seed.to_string(),
            engine: "sat:a".to_owned(),
            findings: Findings {
                verdict: Some(if is_solved { Verdict::Decided } else { Verdict::Limit }),
                check: is_solved.then_some(Check::Checked),
                outcome: is_solved.then(|| "yes".to_owned()),
                cpu_s: Some(cpu_s),
                work: [("conflicts".to_owned(), conflicts)].into(),
                ..Findings::default()
            },
            ..Record::default()
        }
    }

    #[test]
    fn ratios_counters_and_runs_without_a_partner() {
        // The first seven are 1.0 to 1.6 times as long; the eighth is unsolved now; the ninth has no partner.
        let before = (1..=8).map(|seed| record(seed, 1.0, true, seed)).collect::<Vec<_>>();
        let mut after =
            (1..=7).map(|seed| record(seed, 0.9 + seed as f64 / 10.0, true, seed)).collect::<Vec<_>>();
        after[2].findings.work.insert("conflicts".to_owned(), 100);
        after.push(record(8, 4.0, false, 8));
        after.push(record(9, 1.0, true, 9));
        let (before, after) = (Records::from_iter(&before), Records::from_iter(&after));
        let (there, here) = (Dataset::new(before.iter(), &[]), Dataset::new(after.iter(), &[]));
        let text = |text: &str| Some(text.to_owned());
        let expected = Drift {
            engine: "sat:a".to_owned(),
            runs: 8,
            decided: 7,
            equal: 6,
            ratio: text("1.35"),
            interval: text("at least 1.00"),
            spread: text("1.03 to 1.57"),
        };
        assert_eq!(drifts(&here, &there), [expected]);
    }

    #[test]
    fn few_instances_have_no_interval() {
        let records = [record(1, 0.0, true, 1), record(2, 2.0, true, 1)];
        let records = Records::from_iter(&records);
        let same = Dataset::new(records.iter(), &[]);
        let found = &drifts(&same, &same)[0];
        assert_eq!((found.interval.as_deref(), found.ratio.as_deref()), (None, Some("1.00")));
        assert_eq!(found.spread.as_deref(), Some("1.00 to 1.00"), "0/0 is left out");
        assert!(drifts(&same, &Dataset::new([], &[])).is_empty());
    }
}
