//! The key of a run: a hash of everything that determines the run, and of nothing else.

use crate::declared::Declaration;
use crate::record::{Origin, Run};
use crate::solver::external::{Program, Statistics};
use counterpoint_base::sha256;
use serde_json::{Value, json};

/// The number of hexadecimal digits of a key.
const KEY_DIGITS: usize = 24;

/// The identifier of a run: a hash of these parts.
pub(super) fn key_of(parts: &[Value]) -> String {
    let mut key = sha256::of(json!(parts).to_string());
    key.truncate(KEY_DIGITS);
    key
}

/// The identifier of a run with one more part.
pub(super) fn key_with(parts: &[Value], part: Value) -> String {
    key_of(&[parts, &[part]].concat())
}

/// The parts of the identifier of a run: everything that determines the run, and nothing else.
pub(super) fn key_parts(run: &Run, program: Option<&Program>, declared: Option<&Declaration>) -> Vec<Value> {
    let origin: Value = match &run.origin {
        Origin::Family { name, params, seed } => json!([name, params, seed]),
        // The position of a game in its file does not matter; the instance's hash identifies it.
        Origin::File { .. } | Origin::Found { .. } => Value::Null,
    };
    let mut list = vec![
        json!(run.problem),
        json!(run.rules),
        origin,
        json!(run.instance_hash),
        json!(run.engine),
        json!(run.limits),
        json!(run.repetition),
        json!(run.shuffle),
        json!(run.certify),
    ];
    // An external solver is identified by its command and limits, because its name can stand for any program.
    if let Some(program) = program {
        list.push(json!([program.command, program.limits]));
        // Keys did not always contain these parts. A part is added only if it is used, so that the keys of earlier
        // records do not change.
        if run.solver_seed > 0 {
            list.push(json!({ "solver_seed": run.solver_seed, "seed": program.seed }));
        }
        if let Some(proof) = program.proof.as_ref().filter(|_| run.certify) {
            list.push(json!({ "proof": proof }));
        }
        if program.statistics != Statistics::None {
            list.push(json!({ "statistics": program.statistics }));
        }
    }
    // A declared engine is identified by its declaration, for the same reason.
    if let Some(declared) = declared {
        list.push(
            json!({ "prints": declared.prints, "command": declared.command, "limits": declared.limits }),
        );
    }
    list
}
