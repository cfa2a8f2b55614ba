//! Finds out which of two contradictory answers is wrong, if one of them is checked.
//!
//! If a run contradicts an earlier one, its record has a link to the earlier run, no matter which of the two is wrong.
//! If a checked answer to the same question is known, the answers that contradict it and are not checked count as
//! wrong, and no others.

use super::{Check, Record, Verdict};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// The key and the outcome of each checked answer to a question, and the keys of runs that contradict each other.
#[derive(Default)]
struct Question {
    /// The checked answers: their outcomes and keys.
    checked: Vec<(Option<String>, String)>,
    /// The outcomes that contradict a checked answer, each with the key of that answer.
    wrong: Vec<(Option<String>, String)>,
}

/// Moves each link between contradictory answers to the record of the wrong answer, if a checked answer decides which
/// of the two is wrong. An unchecked answer is also wrong if it has the same outcome as a wrong answer. An answer with
/// the same outcome as a checked answer is not wrong.
pub fn blame<'a>(records: impl Iterator<Item = &'a mut Record>) {
    let mut records: Vec<&mut Record> = records.collect();
    if records.iter().all(|record| record.contradicts.is_none()) {
        return;
    }
    // Records come in no particular order, but the result must not depend on it.
    records.sort_by(|a, b| a.key.cmp(&b.key));
    let linked = records.iter().filter(|record| record.contradicts.is_some()).map(|record| question(record));
    let mut questions: FxHashMap<_, Question> =
        linked.map(|question| (question, Question::default())).collect();
    let mut place: FxHashMap<String, usize> = FxHashMap::default();
    for (i, record) in records.iter().enumerate() {
        let Some(known) = questions.get_mut(&question(record)) else { continue };
        place.insert(record.key.clone(), i);
        if is_checked(record) {
            known.checked.push((record.findings.outcome.clone(), record.key.clone()));
        }
    }
    for record in &records {
        let Some(&other) = record.contradicts.as_ref().and_then(|key| place.get(key)) else { continue };
        let other = &records[other];
        let (right, wrong) = match (is_checked(record), is_checked(other)) {
            (true, false) => (record, other),
            (false, true) => (other, record),
            _ => continue,
        };
        if let Some(known) = questions.get_mut(&question(record)) {
            known.wrong.push((wrong.findings.outcome.clone(), right.key.clone()));
        }
    }
    for record in records {
        let Some(Question { checked, wrong }) = questions.get(&question(record)) else { continue };
        let outcome = &record.findings.outcome;
        let find = |list: &[(Option<String>, String)]| {
            list.iter().find(|(other, _)| other == outcome).map(|(_, key)| key.clone())
        };
        let is_open =
            record.findings.verdict == Some(Verdict::Decided) && record.findings.check == Some(Check::Open);
        let is_linked_to_open =
            record.contradicts.as_ref().is_some_and(|key| checked.iter().all(|(_, checked)| checked != key));
        if is_open && let Some(right) = find(wrong) {
            record.contradicts = Some(right);
        } else if find(checked).is_some() && is_linked_to_open {
            record.contradicts = None;
        }
    }
}

/// The hash of the instance, and the rules.
fn question(record: &Record) -> (String, String) {
    (record.instance_hash.clone(), Value::from(record.rules.clone()).to_string())
}

fn is_checked(record: &Record) -> bool {
    record.findings.verdict == Some(Verdict::Decided) && record.findings.check == Some(Check::Checked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Findings;

    /// A record whose text is `KEY OUTCOME CHECK`, or `KEY OUTCOME CHECK KEY` with the run that it contradicts.
    fn record(text: &str) -> Record {
        let words: Vec<&str> = text.split(' ').collect();
        let check = if words[2] == "checked" { Check::Checked } else { Check::Open };
        let findings = Findings {
            verdict: Some(Verdict::Decided),
            outcome: Some(words[1].to_owned()),
            check: Some(check),
            ..Findings::default()
        };
        let contradicts = words.get(3).map(|&key| key.to_owned());
        Record { key: words[0].to_owned(), findings, contradicts, ..Record::default() }
    }

    /// The keys of the wrong records, each with the key of a run that it contradicts.
    fn wrong(records: &[&str]) -> String {
        let mut found: Vec<Record> = records.iter().map(|text| record(text)).collect();
        // `blame` is called twice, because a set calls it again when records are added.
        blame(found.iter_mut());
        blame(found.iter_mut());
        let linked = found.iter().filter_map(|r| Some(format!("{}>{}", r.key, r.contradicts.as_ref()?)));
        linked.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn checked_answers_are_not_blamed() {
        assert_eq!(wrong(&["a no open", "b yes checked a"]), "a>b");
        assert_eq!(wrong(&["a yes checked", "b no open a"]), "b>a");
        // An open answer is right if it has the same outcome as a checked one.
        assert_eq!(wrong(&["a no open", "b yes open a", "c yes checked a"]), "a>c");
        // If an answer is wrong, other answers with the same outcome are wrong, too.
        assert_eq!(wrong(&["a no open", "b no open", "c yes checked a"]), "a>c b>c");
        assert_eq!(wrong(&["a 3 open", "b 4 open a", "c 5 checked a"]), "a>c b>a");
        // Without a checked answer, or with two that contradict each other, it is not known which answer is wrong.
        assert_eq!(wrong(&["a no open", "b yes open a"]), "b>a");
        assert_eq!(wrong(&["a no checked", "b yes checked a"]), "b>a");
    }
}
