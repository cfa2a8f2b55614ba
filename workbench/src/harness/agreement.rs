//! Finds contradictions between engines: compares each decided answer with earlier ones to the same instance under the
//! same rules.

use crate::problem::Agreement;
use crate::record::{Check, Record, Verdict};
use crate::registry::Registry;
use counterpoint_base::keyed::KeyedMap;
use serde_json::Value;

/// The longest answer, in bytes of JSON, that is kept for comparison with later ones.
const MAX_ANSWER: usize = 1 << 14;

/// Decided answers to each question, at most one for each outcome. A question is a pair of an instance's hash and the
/// rules as JSON.
#[derive(Default)]
pub(super) struct Answers(KeyedMap<(String, String), Vec<Known>>);

/// An answer to a question.
struct Known {
    key: String,
    outcome: Option<String>,
    /// Whether every claim of an answer with this outcome was verified.
    is_checked: bool,
    /// The answer as in an answer file; `None` if the record contains no answer, or one that is longer than
    /// [`MAX_ANSWER`].
    json: Option<String>,
}

impl Answers {
    /// If the record's answer contradicts an earlier one to the same question, notes that in the record. The answer is
    /// first compared with checked answers, then with the others in the order of their arrival. Answers with equal
    /// outcomes agree. If the outcomes differ and both answers are known, the problem decides whether they contradict
    /// each other. Instances that are files are not read again; for them, different outcomes contradict each other.
    pub(super) fn compare(&mut self, registry: &Registry, record: &mut Record) {
        // An answer that the checker refutes is already known to be wrong, so it is not compared with others.
        if record.findings.verdict != Some(Verdict::Decided) || record.findings.check == Some(Check::Wrong) {
            return;
        }
        let question = (record.instance_hash.clone(), Value::Object(record.rules.clone()).to_string());
        let json = record.findings.answer.as_ref().map(Value::to_string);
        let json = json.filter(|text| text.len() <= MAX_ANSWER);
        let is_checked = record.findings.check == Some(Check::Checked);
        let known = self.0.entry(question).or_default();
        let restore = |text: &Option<String>| {
            let Value::Object(answer) = serde_json::from_str(text.as_ref()?).ok()? else { return None };
            registry.find(&record.problem).ok()?.restore(&answer).ok()
        };
        let may_differ = known.iter().any(|known| known.outcome != record.findings.outcome);
        let has_files = registry.find(&record.problem).is_ok_and(|problem| problem.info().has_files);
        let later = if may_differ && !has_files { restore(&json) } else { None };
        if has_files || later.is_some() {
            let contradicts = |known: &&Known| {
                let agrees = |earlier: &Option<String>| Some(restore(earlier)?.agree(&**later.as_ref()?));
                known.outcome != record.findings.outcome
                    && (has_files || agrees(&known.json) == Some(Agreement::Contradict))
            };
            let mut checked_first: Vec<&Known> = known.iter().collect();
            checked_first.sort_by_key(|known| !known.is_checked);
            let found = checked_first.into_iter().find(contradicts).map(|known| known.key.clone());
            record.contradicts = found.or(record.contradicts.take());
        }
        match known.iter_mut().find(|known| known.outcome == record.findings.outcome) {
            Some(same) => {
                // If the record of the earlier answer does not contain the answer itself, this answer is kept in its
                // place.
                same.json = same.json.take().or(json);
                same.is_checked |= is_checked;
            }
            None => {
                let (key, outcome) = (record.key.clone(), record.findings.outcome.clone());
                known.push(Known { key, outcome, is_checked, json });
            }
        }
    }
}
