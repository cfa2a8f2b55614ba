//! Checks certificates of studies. A study answers a question that the judge does not ask.
//!
//! The claims are derived from the question, its parameters and the stated result. The evidence is checked by
//! plain code that shares nothing with `spot/study`.

mod forcing;
mod longest;
mod patterns;
mod rivals;
mod tree;
mod value;

use super::super::Start;
use counterpoint_core::board::Group;
use counterpoint_core::claim::Claim;
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// The claims of a certificate, each with its status.
///
/// # Errors
/// Returns an error if the question has no certificates, or a member of the certificate is missing or malformed.
pub fn check(
    question: &str,
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    if certificate.get("version").and_then(Value::as_u64) != Some(1) {
        return Err("\"version\" is not 1".into());
    }
    let claims = match question {
        "value" => value::check(certificate, budget),
        "forcing-limit" => forcing::check(certificate, budget),
        "longest" => longest::check(certificate, budget),
        "rules" => rivals::check(certificate, budget),
        _ => Err(format!(
            "spot has no certificates for '{question}'; expected 'value', 'forcing-limit', 'longest' or 'rules'"
        ).into()),
    }?;
    let n = certificate.get("n").and_then(Value::as_u64).unwrap_or_default();
    let (group, start) = rules(certificate)?;
    let with_rules =
        |text: String| format!("{n}x{n}, symmetry {}, start {}: {text}", group.name(), start.name());
    Ok(claims.into_iter().map(|claim| Claim { text: with_rules(claim.text), ..claim }).collect())
}

/// The rules `symmetry` and `start` of a certificate.
fn rules(certificate: &Map<String, Value>) -> Result<(Group, Start), FormatError> {
    let text = |key: &str| certificate.get(key).and_then(Value::as_str);
    let group = text("symmetry").and_then(Group::from_name);
    let group = group.ok_or("\"symmetry\" is not \"c4\", \"d4\", \"c2\" or \"trivial\"")?;
    let start = text("start").and_then(Start::from_name);
    Ok((group, start.ok_or("\"start\" is not \"counted\" or \"uncounted\"")?))
}

/// An integer member from `min` to `max`.
fn number(certificate: &Map<String, Value>, key: &str, min: u64, max: u64) -> Result<usize, FormatError> {
    let number = certificate.get(key).and_then(Value::as_u64).filter(|n| (min..=max).contains(n));
    let number = number.ok_or_else(|| format!("\"{key}\" is not an integer from {min} to {max}"))?;
    Ok(number as usize)
}
