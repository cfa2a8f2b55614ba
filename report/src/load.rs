//! Whether the runs had a processor to themselves. If not, their CPU times are too long, because programs on the same
//! processor take the caches from each other, and not equally too long for all engines.

use super::dataset::{Dataset, Run};
use super::units::{Measure, shown};
use crate::record::Time;
use counterpoint_statistics::{ascending, median};

/// Shorter runs are not counted: much of their wall-clock time is that of starting a process.
const MIN_CPU_S: f64 = 0.05;

/// A larger median means that other programs used the same processors.
const MAX_STRETCH: f64 = 1.2;

/// The median of wall-clock time over CPU time, over runs of at least 50 ms; `None` if there are none. It is 1 if a
/// single-threaded run has a processor to itself.
pub(crate) fn stretch(dataset: &Dataset<'_>) -> Option<f64> {
    let one = |run: &Run<'_>| {
        let cpu_s = run.record.cpu_s().filter(|&cpu_s| cpu_s >= MIN_CPU_S)?;
        Some(run.record.time(Time::Wall)? / cpu_s)
    };
    median(&ascending(dataset.runs.iter().filter_map(one)))
}

/// A warning without a full stop if the runs shared their processors with other programs.
pub(crate) fn warning(dataset: &Dataset<'_>) -> Option<String> {
    let stretch = stretch(dataset).filter(|&stretch| stretch > MAX_STRETCH)?;
    Some(format!(
        "the median of wall-clock time over CPU time is {}, so other programs used the same processors, or the runs \
         waited for something else. Then CPU times are too long, and not equally for all engines",
        shown(stretch, Measure::Ratio)
    ))
}

#[cfg(test)]
mod tests {
    use super::{stretch, warning};
    use crate::dataset::Dataset;
    use crate::record::{Findings, Record, Records};

    fn of(times: &[(f64, f64)]) -> (Option<f64>, Option<String>) {
        let records: Vec<Record> = times
            .iter()
            .enumerate()
            .map(|(seed, &(cpu_s, wall_s))| Record {
                key: seed.to_string(),
                seed: seed as u64,
                instance_hash: seed.to_string(),
                engine: "x".to_owned(),
                findings: Findings { cpu_s: Some(cpu_s), wall_s: Some(wall_s), ..Findings::default() },
                ..Record::default()
            })
            .collect();
        let records = Records::from_iter(&records);
        let dataset = Dataset::new(records.iter(), &[]);
        (stretch(&dataset), warning(&dataset))
    }

    #[test]
    fn shared_processors_give_a_warning() {
        assert_eq!(of(&[(1.0, 1.0), (2.0, 2.2), (1.0, 9.0)]), (Some(1.1), None));
        let (stretch, warning) = of(&[(1.0, 1.0), (2.0, 6.0), (0.1, 0.9)]);
        assert_eq!(stretch, Some(3.0));
        assert!(warning.unwrap().contains("CPU time is 3.00,"));
    }

    #[test]
    fn short_runs_are_not_counted() {
        assert_eq!(of(&[(0.001, 0.1)]), (None, None));
        assert_eq!(of(&[(0.001, 0.1), (0.05, 0.05)]), (Some(1.0), None));
    }
}
