//! The key of a run: a hash of everything that determines the run, and of nothing else.

use super::runs::{Instance, KEY, Key, Place, Runs};
use crate::declared::Declaration;
use crate::solver::external::{Program, Statistics};
use counterpoint_base::sha256;
use serde_json::{Value, json};

/// The identifier of a run: a hash of a JSON array. `parts` is the text of the array without its closing
/// bracket.
pub(super) fn key_of(parts: &str) -> Key {
    let mut key = Key::default();
    key.copy_from_slice(&sha256::Hash::hash(format!("{parts}]"))[..KEY]);
    key
}

/// The identifier of a run with one more part.
pub(super) fn key_with(parts: &str, part: &Value) -> Key {
    key_of(&format!("{parts},{part}"))
}

/// The first parts of the key of a run: problem, rules, origin and hash of the instance.
pub(super) fn start_of_key(runs: &Runs, instance: &Instance) -> String {
    let origin: Value = match &runs.places[instance.place as usize] {
        Place::Family { name, params } => json!([name, params, instance.seed]),
        // The position of a game in its file does not matter; the instance's hash identifies it.
        Place::File { .. } | Place::Found { .. } => Value::Null,
    };
    let rules = &runs.rules[instance.rules as usize];
    format!("[{},{rules},{origin},{}", json!(runs.problem), json!(instance.hash.text()))
}

/// The last parts of the key of a run, after engine, limits, repetition, shuffle, and whether obligations are proved.
pub(super) fn end_of_key(
    program: Option<&Program>,
    declared: Option<&Declaration>,
    (solver_seed, certify): (u32, bool),
) -> String {
    let mut text = String::new();
    let mut add = |part: Value| {
        text.push(',');
        text += &part.to_string();
    };
    // An external solver is identified by its command and limits, because its name can stand for any program.
    if let Some(program) = program {
        add(json!([program.command, program.limits]));
        // Keys did not always contain these parts. A part is added only if it is used, so that the keys of earlier
        // records do not change.
        if solver_seed > 0 {
            add(json!({ "solver_seed": solver_seed, "seed": program.seed }));
        }
        if let Some(proof) = program.proof.as_ref().filter(|_| certify) {
            add(json!({ "proof": proof }));
        }
        if program.statistics != Statistics::None {
            add(json!({ "statistics": program.statistics }));
        }
    }
    // A declared engine is identified by its declaration, for the same reason.
    if let Some(declared) = declared {
        add(json!({ "prints": declared.prints, "command": declared.command, "limits": declared.limits }));
    }
    text
}
