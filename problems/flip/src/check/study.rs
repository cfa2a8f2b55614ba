//! The checker of study certificates: it derives the claims from the question and its parameters, and recomputes each.

mod all_ones;
mod hardest;
mod read;
mod space;

use counterpoint_core::claim::Claim;
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// Returns the claims of a certificate, each with its status.
///
/// # Errors
/// Returns a message if the question has no certificates, or if a member is missing or malformed.
pub(crate) fn check(
    question: &str,
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    match question {
        "all-ones" => all_ones::check(certificate, budget),
        "hardest" => hardest::check(certificate, budget),
        _ => Err(format!("flip has no certificates for '{question}'; expected all-ones or hardest").into()),
    }
}
