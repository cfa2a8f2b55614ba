//! Certificates of studies: their claims, derived from the question and the parameters, each worked out anew.

mod all_ones;
mod hardest;
mod read;
mod space;

use crate::claim::Claim;
use crate::engine::Budget;
use serde_json::{Map, Value};

/// The claims of a certificate with their status.
///
/// # Errors
/// No certificates are known of the question, or what is missing or of the wrong shape.
pub(in crate::problems::flip) fn check(
    question: &str,
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, String> {
    match question {
        "all-ones" => all_ones::check(certificate, budget),
        "hardest" => hardest::check(certificate, budget),
        _ => Err(format!("flip knows no certificates of '{question}', but of all-ones and hardest")),
    }
}
