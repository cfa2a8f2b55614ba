//! Finds out which of two contradictory answers is wrong, if one of them is checked.
//!
//! If a run contradicts an earlier one, its record has a link to the earlier run, no matter which of the two is wrong.
//! If a checked answer to the same question is known, the answers that contradict it and are not checked count as
//! wrong, and no others.

use super::{Check, Records, Verdict};
use counterpoint_base::keyed::{KeyedMap, KeyedSet};

/// What is known about a question: its checked answers, and the outcomes that contradict one of them.
#[derive(Default)]
struct Question {
    /// The outcomes of the checked answers.
    right: KeyedSet<Option<u32>>,
    /// The keys of the checked answers.
    checked: KeyedSet<String>,
    /// The outcomes that contradict a checked answer, with the key of the first such answer.
    wrong: KeyedMap<Option<u32>, String>,
}

/// If one of two contradictory answers is checked and the other is open, moves the link between them into the
/// record of the open answer, which is wrong. Open answers with the same outcome as a wrong one are wrong,
/// too; answers with the same outcome as a checked one are not.
pub fn blame(records: &mut Records, chosen: impl Iterator<Item = u32>) {
    if records.contradicts.is_empty() {
        return;
    }
    let mut chosen: Vec<u32> = chosen.collect();
    let row = |at: u32| records.row(at as usize);
    let linked = chosen.iter().map(|&at| row(at)).filter(|record| record.contradicts().is_some());
    let mut questions: KeyedMap<(u32, u32), Question> =
        linked.map(|record| (record.question(), Question::default())).collect();
    chosen.retain(|&at| questions.contains_key(&row(at).question()));
    // Records come in no particular order, but the result must not depend on it.
    chosen.sort_by_key(|&at| row(at).key_bytes());
    let mut place: KeyedMap<String, u32> = KeyedMap::default();
    for &at in &chosen {
        let record = row(at);
        place.insert(record.key(), at);
        if record.is_checked()
            && let Some(known) = questions.get_mut(&record.question())
        {
            known.right.insert(record.outcome_number());
            known.checked.insert(record.key());
        }
    }
    for &at in &chosen {
        let record = row(at);
        let Some(&other) = record.contradicts().and_then(|key| place.get(key)) else { continue };
        let other = row(other);
        let (right, wrong) = match (record.is_checked(), other.is_checked()) {
            (true, false) => (record, other),
            (false, true) => (other, record),
            _ => continue,
        };
        if let Some(known) = questions.get_mut(&record.question()) {
            known.wrong.entry(wrong.outcome_number()).or_insert_with(|| right.key());
        }
    }
    let mut changes: Vec<(u32, Option<String>)> = Vec::new();
    for &at in &chosen {
        let record = row(at);
        let Some(Question { right, checked, wrong }) = questions.get(&record.question()) else { continue };
        let outcome = record.outcome_number();
        let is_open = record.verdict() == Some(Verdict::Decided) && record.check() == Some(Check::Open);
        let is_linked_to_open = record.contradicts().is_some_and(|key| !checked.contains(key));
        if is_open && let Some(right) = wrong.get(&outcome) {
            changes.push((at, Some(right.clone())));
        } else if right.contains(&outcome) && is_linked_to_open {
            changes.push((at, None));
        }
    }
    changes.into_iter().for_each(|(at, other)| records.set_contradicts(at, other));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Findings, Record};

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
        let found: Vec<Record> = records.iter().map(|text| record(text)).collect();
        let mut found = Records::from_iter(&found);
        // Twice, because a set calls this again when records are added.
        blame(&mut found, 0..records.len() as u32);
        blame(&mut found, 0..records.len() as u32);
        let linked = found.iter().filter_map(|r| Some(format!("{}>{}", r.key(), r.contradicts()?)));
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
