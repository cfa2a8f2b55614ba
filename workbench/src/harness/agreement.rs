//! Finds contradictions between engines: compares each decided answer with the first decided answer to the same
//! instance under the same rules.

use crate::problem::Agreement;
use crate::record::{Check, Record, Verdict};
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// The longest answer, in bytes of JSON, that is kept for comparison with later ones.
const MAX_ANSWER: usize = 1 << 14;

/// The first decided answer to each question. A question is a pair of an instance's hash and the rules as JSON.
#[derive(Default)]
pub(super) struct Answers(FxHashMap<(String, String), First>);

struct First {
    key: String,
    outcome: Option<String>,
    /// The answer as in an answer file; `None` if the record contains no answer, or one that is longer than
    /// [`MAX_ANSWER`].
    json: Option<String>,
}

impl Answers {
    /// If the record's answer contradicts the first one to the same question, notes that in the record. Answers with
    /// equal outcomes agree. If the outcomes differ and both answers are known, the problem decides whether they
    /// contradict each other.
    pub(super) fn compare(&mut self, registry: &Registry, record: &mut Record) {
        // An answer that the checker refutes is already known to be wrong, so it is not compared with others.
        if record.findings.verdict != Some(Verdict::Decided) || record.findings.check == Some(Check::Wrong) {
            return;
        }
        let question = (record.instance_hash.clone(), Value::Object(record.rules.clone()).to_string());
        let json = record.findings.answer.as_ref().map(Value::to_string);
        let json = json.filter(|text| text.len() <= MAX_ANSWER);
        let Some(first) = self.0.get_mut(&question) else {
            let (key, outcome) = (record.key.clone(), record.findings.outcome.clone());
            self.0.insert(question, First { key, outcome, json });
            return;
        };
        if first.outcome == record.findings.outcome {
            // The first answer may have been read from a record that does not contain it.
            first.json = first.json.take().or(json);
            return;
        }
        let restore = |text: &Option<String>| {
            let Value::Object(answer) = serde_json::from_str(text.as_ref()?).ok()? else { return None };
            registry.find(&record.problem).ok()?.restore(&answer).ok()
        };
        let (earlier, later) = (restore(&first.json), restore(&json));
        if let Some((earlier, later)) = earlier.zip(later)
            && earlier.agree(&*later) == Agreement::Contradict
        {
            record.contradicts = Some(first.key.clone());
        }
    }
}
