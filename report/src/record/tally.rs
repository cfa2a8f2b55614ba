//! Counts the results of runs, and finds answers that differ.

use super::{Check, Row, Verdict};
use counterpoint_base::keyed::KeyedMap;
use indexmap::IndexMap;

/// The results of the runs of an engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Runs of the plan, counted by the caller.
    pub planned: usize,
    /// Runs with a record.
    pub done: usize,
    /// Runs with a checked answer.
    pub solved: usize,
    /// Runs whose answer has an open claim.
    pub open: usize,
    /// Runs whose answer is wrong or contradicts another.
    pub wrong: usize,
    /// Runs that reached a limit, by the name of the limit.
    pub limits: IndexMap<String, usize>,
    /// Runs on instances that the engine does not support.
    pub unsupported: usize,
    /// Runs that failed.
    pub failed: usize,
    /// Total CPU time of building and solving, in seconds, without unsupported runs.
    pub cpu_s: f64,
    /// The largest peak memory of a run, in bytes, without unsupported runs.
    pub peak_bytes: Option<u64>,
    /// CPU time of all processes.
    pub process_cpu_s: f64,
    /// Wall time of all processes.
    pub process_wall_s: f64,
}

impl Tally {
    /// Runs with a record, without unsupported ones.
    pub fn supported(&self) -> usize {
        self.done - self.unsupported
    }

    /// The mean CPU time of the [supported](Self::supported) runs, in seconds; `None` if there are none.
    pub fn mean_cpu_s(&self) -> Option<f64> {
        (self.supported() > 0).then(|| self.cpu_s / self.supported() as f64)
    }

    /// Counts a record.
    pub fn add(&mut self, record: Row<'_>) {
        self.done += 1;
        self.process_cpu_s += record.process_cpu_s();
        self.process_wall_s += record.process_wall_s();
        let verdict = record.verdict();
        if verdict != Some(Verdict::Unsupported) {
            self.cpu_s += record.cpu_s().unwrap_or(0.0);
            self.peak_bytes = self.peak_bytes.max(record.peak_bytes());
        }
        match verdict {
            _ if record.is_solved() => self.solved += 1,
            _ if record.is_wrong() => self.wrong += 1,
            Some(Verdict::Decided) => self.open += 1,
            Some(Verdict::Limit) => {
                let limit = record.limit().unwrap_or_default();
                match self.limits.get_mut(limit) {
                    Some(count) => *count += 1,
                    None => drop(self.limits.insert(limit.to_owned(), 1)),
                }
            }
            Some(Verdict::Unsupported) => self.unsupported += 1,
            Some(Verdict::Failed) | None => self.failed += 1,
        }
    }
}

/// Pairs of records with different answers to the same question. Each record is compared with the first one for its
/// question. If both answers are checked, both are right (for example, because any solution is accepted), so such pairs
/// are left out. Wrong answers are left out, too, because they are reported elsewhere.
pub fn disputes<'a>(records: impl Iterator<Item = Row<'a>> + Clone) -> Vec<(Row<'a>, Row<'a>)> {
    let stands =
        |record: &Row<'_>| record.verdict() == Some(Verdict::Decided) && record.check() != Some(Check::Wrong);
    // A question is disputed only if its answers differ and one of them is not checked. That is rare.
    struct Answers {
        outcome: Option<u32>,
        differ: bool,
        is_open: bool,
    }
    let mut questions: KeyedMap<(u32, u32), Answers> = KeyedMap::default();
    for record in records.clone().filter(stands) {
        let outcome = record.outcome_number();
        let known =
            questions.entry(record.question()).or_insert(Answers { outcome, differ: false, is_open: false });
        known.differ |= known.outcome != outcome;
        known.is_open |= record.check() != Some(Check::Checked);
    }
    questions.retain(|_, answers| answers.differ && answers.is_open);
    let mut records: Vec<Row<'a>> =
        records.filter(stands).filter(|record| questions.contains_key(&record.question())).collect();
    records.sort_by_key(|record| (record.hash_bytes(), record.key_bytes()));
    let mut first: KeyedMap<(u32, u32), Row<'a>> = KeyedMap::default();
    let mut found = Vec::new();
    for record in records {
        let one = *first.entry(record.question()).or_insert(record);
        let closed = [one, record].iter().all(|record| record.check() == Some(Check::Checked));
        if one.outcome() != record.outcome() && !closed {
            found.push((one, record));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::record::{Findings, Record, Records, Verdict};

    #[test]
    fn unsupported_runs_do_not_count_in_the_mean() {
        let mut tally = Tally::default();
        let mut add = |verdict, cpu_s| {
            let findings = Findings { verdict: Some(verdict), cpu_s: Some(cpu_s), ..Findings::default() };
            let record = Records::from_iter([&Record { findings, ..Record::default() }]);
            tally.add(record.row(0));
            (tally.supported(), tally.mean_cpu_s())
        };
        assert_eq!(add(Verdict::Unsupported, 0.25), (0, None));
        assert_eq!(add(Verdict::Decided, 2.0), (1, Some(2.0)));
        assert_eq!(add(Verdict::Limit, 4.0), (2, Some(3.0)));
        assert_eq!(add(Verdict::Unsupported, 0.25), (2, Some(3.0)));
    }
}
