//! Agreement of engines: each decided answer is compared with the first one to the same instance.

use crate::problem::Agreement;
use crate::record::{Check, Record, Verdict};
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// The longest answer, in bytes of JSON, that is kept for comparison with later ones.
const MAX_ANSWER: usize = 1 << 14;

/// The first answer to each instance.
#[derive(Default)]
pub(super) struct Answers(FxHashMap<(String, String), First>);

struct First {
    key: String,
    outcome: Option<String>,
    /// The answer as in an answer file, if the record has it and it is short.
    json: Option<String>,
}

impl Answers {
    /// If the record's answer contradicts the first one to the same instance, notes that in the record. Equal outcomes
    /// agree. Different ones are compared by the problem, if both answers are known.
    pub(super) fn compare(&mut self, registry: &Registry, record: &mut Record) {
        // An answer that the checker refutes is already known to be wrong, so others are not compared with it.
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
