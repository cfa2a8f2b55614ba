//! Whether engines agree: every decided answer is held against the first one to the same instance.

use crate::problem::Agreement;
use crate::record::{Check, Record, Verdict};
use crate::registry::Registry;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// The longest answer, in bytes of JSON, that is remembered to compare others with.
const MAX_REMEMBERED: usize = 1 << 14;

/// The first answer to each instance.
#[derive(Default)]
pub(super) struct Answers(FxHashMap<(String, String), First>);

struct First {
    key: String,
    outcome: Option<String>,
    /// As it stands in an answer file, if it was kept and is short.
    json: Option<String>,
}

impl Answers {
    /// Marks the record of an answer that contradicts an earlier one to the same instance, if it does.
    /// Equal outcomes agree; others are compared by the problem itself, where both answers are known.
    pub(super) fn compare(&mut self, registry: &Registry, record: &mut Record) {
        // What the checker refutes is wrong by itself, and no measure for others.
        if record.findings.verdict != Some(Verdict::Decided) || record.findings.check == Some(Check::Wrong) {
            return;
        }
        let question = (record.instance_hash.clone(), Value::Object(record.rules.clone()).to_string());
        let json = record.findings.answer.as_ref().map(Value::to_string);
        let json = json.filter(|text| text.len() <= MAX_REMEMBERED);
        let Some(first) = self.0.get_mut(&question) else {
            let (key, outcome) = (record.key.clone(), record.findings.outcome.clone());
            self.0.insert(question, First { key, outcome, json });
            return;
        };
        if first.outcome == record.findings.outcome {
            // A record that was read may have come without its answer.
            first.json = first.json.take().or(json);
            return;
        }
        let restore = |text: &Option<String>| {
            let Value::Object(answer) = serde_json::from_str(text.as_ref()?).ok()? else { return None };
            registry.find(&record.problem).ok()?.restore(&answer).ok()
        };
        let (one, other) = (restore(&first.json), restore(&json));
        if let Some((one, other)) = one.zip(other)
            && one.agree(&*other) == Agreement::Contradict
        {
            record.contradicts = Some(first.key.clone());
        }
    }
}
