//! Engines with runs on instances that they do not support. Such runs are in no figure, so reports say how many there
//! are, and why.

use super::{Row, Verdict};
use indexmap::IndexMap;

/// An engine with unsupported runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The engine's id.
    pub engine: String,
    /// The number of its unsupported runs.
    pub runs: usize,
    /// The number of all its runs that have records.
    pub all: usize,
    /// Why the first of these runs is unsupported.
    pub reason: String,
}

impl Unsupported {
    /// `3 of 8 runs of sat:mine are unsupported: REASON`.
    pub fn sentence(&self) -> String {
        let Unsupported { engine, runs, all, reason } = self;
        let are = if *runs == 1 { "is" } else { "are" };
        let noun = if *all == 1 { "run" } else { "runs" };
        let reason = reason.lines().next().unwrap_or_default().trim_end_matches('.');
        let reason = if reason.is_empty() { "no reason was recorded" } else { reason };
        format!("{runs} of {all} {noun} of {engine} {are} unsupported: {reason}")
    }
}

/// The engines with unsupported runs, in the order in which the records name them.
pub fn unsupported<'a>(records: impl IntoIterator<Item = Row<'a>>) -> Vec<Unsupported> {
    let mut engines: IndexMap<&str, Unsupported> = IndexMap::new();
    for record in records {
        let engine = engines.entry(record.engine()).or_insert_with(|| Unsupported {
            engine: record.engine().to_owned(),
            runs: 0,
            all: 0,
            reason: String::new(),
        });
        engine.all += 1;
        if record.verdict() == Some(Verdict::Unsupported) {
            engine.runs += 1;
            if engine.reason.is_empty() {
                engine.reason = record.reason().unwrap_or_default().to_owned();
            }
        }
    }
    engines.into_values().filter(|engine| engine.runs > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::unsupported;
    use crate::record::{Findings, Record, Records, Verdict};

    #[test]
    fn the_first_reason_of_each_engine_counts() {
        let record = |engine: &str, verdict, reason: &str| {
            let reason = Some(reason.to_owned());
            let findings = Findings { verdict: Some(verdict), reason, ..Findings::default() };
            Record { engine: engine.to_owned(), findings, ..Record::default() }
        };
        let records = [
            record("a", Verdict::Decided, "not this one"),
            record("b", Verdict::Unsupported, "too large.\nAnd more."),
            record("a", Verdict::Unsupported, "first"),
            record("a", Verdict::Unsupported, "second"),
            record("c", Verdict::Failed, "failed"),
        ];
        let sentences: Vec<String> =
            unsupported(Records::from_iter(&records).iter()).iter().map(|found| found.sentence()).collect();
        assert_eq!(
            sentences,
            ["2 of 3 runs of a are unsupported: first", "1 of 1 run of b is unsupported: too large"]
        );
    }
}
