//! Certificates of questions beyond the judge's: claims from the question and its parameters, by plain code.

mod forcing;
mod longest;
mod patterns;
mod rivals;
mod tree;
mod value;

use super::super::Start;
use crate::board::Group;
use crate::claim::Claim;
use crate::engine::Budget;
use serde_json::{Map, Value};

/// Every claim of a certificate with its status.
///
/// # Errors
/// No certificates are known of this question, or what is missing or of the wrong shape.
pub fn check(
    question: &str,
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, String> {
    if certificate.get("version").and_then(Value::as_u64) != Some(1) {
        return Err("\"version\" is not 1".to_owned());
    }
    let claims = match question {
        "value" => value::check(certificate, budget),
        "forcing-limit" => forcing::check(certificate, budget),
        "longest" => longest::check(certificate, budget),
        "rules" => rivals::check(certificate, budget),
        _ => Err(format!(
            "spot knows no certificates of '{question}'; it does of 'value', 'forcing-limit', 'longest' and 'rules'"
        )),
    }?;
    let n = certificate.get("n").and_then(Value::as_u64).unwrap_or_default();
    let (group, start) = rules(certificate)?;
    let start = if start == Start::Counted { "counted" } else { "uncounted" };
    let told = |text: String| format!("{n}x{n}, symmetry {}, start {start}: {text}", group.name());
    Ok(claims.into_iter().map(|claim| Claim { text: told(claim.text), ..claim }).collect())
}

/// The group and the start that a certificate names.
fn rules(certificate: &Map<String, Value>) -> Result<(Group, Start), String> {
    let text = |key: &str| certificate.get(key).and_then(Value::as_str);
    let group = text("symmetry").and_then(Group::from_name);
    let group = group.ok_or("\"symmetry\" is none of \"c4\", \"d4\", \"c2\" and \"trivial\"")?;
    let start = match text("start") {
        Some("counted") => Start::Counted,
        Some("uncounted") => Start::Uncounted,
        _ => return Err("\"start\" is neither \"counted\" nor \"uncounted\"".to_owned()),
    };
    Ok((group, start))
}

/// A whole number from `least` to `most`.
fn number(certificate: &Map<String, Value>, key: &str, least: u64, most: u64) -> Result<usize, String> {
    let number = certificate.get(key).and_then(Value::as_u64).filter(|n| (least..=most).contains(n));
    let number = number.ok_or_else(|| format!("\"{key}\" is no whole number from {least} to {most}"))?;
    Ok(number as usize)
}
