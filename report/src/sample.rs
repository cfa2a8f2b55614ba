//! A sample of the runs, for pages and figures that would be too large with all of them.
//!
//! Whole instances are chosen: first those with a wrong or contradicted answer, then others in a
//! pseudo-random order, which is that of a second hash of their hashes. So the sample is the same each time,
//! and a figure compares the same engines on each instance.

use super::dataset::{Dataset, Run};
use crate::record::{Check, Tally, Verdict};
use serde_json::{Value, json};

/// A page shows at most this many runs. It then opens within three seconds.
pub(super) const MAX_SHOWN: usize = 100_000;

/// If there are more runs than [`MAX_SHOWN`], a figure with a mark for each run or instance is drawn from at
/// most this many.
pub(super) const MAX_MARKED: usize = 20_000;

/// Instances with wrong answers fill at most one part in this many of the sample; further ones are left out.
const MAX_WRONG: usize = 4;

impl<'a> Dataset<'a> {
    /// The dataset with a sample of at most `most` runs; `None` if it has no more than that.
    pub(crate) fn sampled(&self, most: usize) -> Option<Dataset<'a>> {
        if self.runs.len() <= most {
            return None;
        }
        let own: Vec<&[Run<'a>]> = self.runs.chunk_by(|a, b| a.instance == b.instance).collect();
        let is_wrong = |runs: &[Run<'_>]| runs.iter().any(|run| run.record.is_wrong());
        let mut order: Vec<(bool, u64, usize)> = (0..)
            .zip(&own)
            .map(|(i, runs)| (!is_wrong(runs), scattered(&self.instances[i].hash), i))
            .collect();
        order.sort_unstable();
        let (mut chosen, mut runs) = (Vec::new(), 0);
        for (is_right, _, i) in order {
            let count = own[i].len();
            if runs + count > most && !chosen.is_empty() {
                break;
            }
            if is_right || runs + count <= most / MAX_WRONG {
                chosen.push(i);
                runs += count;
            }
        }
        chosen.sort_unstable();
        let instances = chosen.iter().map(|&i| self.instances[i].clone()).collect();
        let renumbered =
            |(instance, i): (usize, usize)| own[i].iter().map(move |run| Run { instance, ..*run });
        let runs = chosen.into_iter().enumerate().flat_map(renumbered).collect();
        Some(self.with(instances, runs))
    }
}

/// A number that depends on all characters of a text (FNV-1a).
fn scattered(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// What the page says about the runs that it does not contain: how many there are, and the exact results of each engine.
pub(super) fn totals(all: &Dataset<'_>, shown: &Dataset<'_>) -> Value {
    let mut tallies = vec![Tally::default(); all.engines.len()];
    for run in &all.runs {
        tallies[run.engine].add(run.record);
    }
    let count = |holds: &dyn Fn(&Run<'_>) -> bool| all.runs.iter().filter(|run| holds(run)).count();
    let is_decided = |run: &Run<'_>| run.record.verdict() == Some(Verdict::Decided);
    json!({
        "all": all.runs.len(),
        "instances": [shown.instances.len(), all.instances.len()],
        "engines": tallies.iter().map(|tally| json!({
            "runs": tally.supported(),
            "solved": tally.solved,
            "open": tally.open,
            "wrong": tally.wrong,
            "limit": tally.limits.values().sum::<usize>(),
            "failed": tally.failed,
            "unsupported": tally.unsupported,
            "mean_s": tally.mean_cpu_s(),
        })).collect::<Vec<_>>(),
        "trouble": {
            "wrong": count(&|run| run.record.check() == Some(Check::Wrong)),
            "contradiction": count(&|run| run.record.check() != Some(Check::Wrong) && run.record.contradicts().is_some()),
            "failed": count(&|run| run.record.contradicts().is_none() && run.record.has_failed()),
            "open": count(&|run| is_decided(run) && run.record.contradicts().is_none() && run.record.check() == Some(Check::Open)),
        },
    })
}

#[cfg(test)]
mod tests {
    use crate::dataset::Dataset;
    use crate::record::{Check, Findings, Record, Records, Verdict};

    #[test]
    fn whole_instances_are_chosen_and_wrong_answers_come_first() {
        let record = |i: u64| Record {
            key: format!("{i}"),
            instance_hash: format!("instance {}", i / 2),
            seed: i / 2,
            engine: format!("search:{}", i % 2),
            findings: Findings {
                verdict: Some(Verdict::Decided),
                check: Some(if i == 777 { Check::Wrong } else { Check::Checked }),
                ..Findings::default()
            },
            ..Record::default()
        };
        let records: Vec<Record> = (0..1000).map(record).collect();
        let records = Records::from_iter(&records);
        let all = Dataset::new(records.iter(), &[]);
        assert!(all.sampled(1000).is_none());
        let shown = all.sampled(101).unwrap();
        assert_eq!((shown.instances.len(), shown.runs.len()), (50, 100));
        assert!(shown.runs.iter().any(|run| run.record.key() == "777"));
        for (i, pair) in shown.runs.chunks(2).enumerate() {
            assert!(pair.iter().all(|run| run.instance == i));
            assert_eq!(shown.instances[i].hash, pair[0].record.instance_hash());
        }
        let totals = super::totals(&all, &shown);
        assert_eq!(totals["all"], 1000);
        assert_eq!(totals["engines"][1]["wrong"], 1);
        assert_eq!(totals["trouble"]["wrong"], 1);
    }
}
