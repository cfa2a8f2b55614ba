//! The verdict of the checker on an answer, and its claims with their status.

use super::exit::Failure;
use super::interrupt;
use super::table::hung;
use super::texts::{emphasized, one_line};
use crate::claim::{self, CHECK_WORK, Claim};
use crate::engine::{Budget, Limit};
use std::io::Write;
use std::sync::Arc;

/// The budget of a checker: its work is bounded, and Ctrl-C ends it.
pub(super) fn check_budget() -> Budget {
    Budget::new(Some(CHECK_WORK), Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled)))
}

/// The verdict on an answer whose claims are all closed.
pub(super) const CHECKED: &str = "checked";

/// The verdict on an answer that has a failed claim or contradicts a checked answer.
pub(super) const WRONG: &str = "WRONG";

/// A verdict for printing; WRONG is emphasized.
pub(super) fn shown(verdict: &str) -> String {
    if verdict == WRONG { emphasized(verdict) } else { verdict.to_owned() }
}

/// Whether the engine settled the question or gave up at a limit.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ended {
    Settled,
    GaveUp,
}

/// `checked`, or the reason why the answer is not checked.
pub(super) fn verdict(claims: &[Claim], ended: Ended) -> &'static str {
    match ended {
        _ if claim::any_failed(claims) => WRONG,
        Ended::GaveUp => "not settled",
        Ended::Settled if claim::all_closed(claims) => CHECKED,
        Ended::Settled => "not checked: a claim is open",
    }
}

/// The column in which the text of a claim begins, counted from 0.
const CLAIM_INDENT: usize = 14;

/// Prints one line per claim.
pub(super) fn print_claims(claims: &[Claim], out: &mut dyn Write) -> Result<(), Failure> {
    print_with_remedies(claims, &|_| None, out)
}

/// Prints one line per claim. If `remedy` says how a claim might be closed, its line ends with that text.
pub(super) fn print_with_remedies(
    claims: &[Claim],
    remedy: &dyn Fn(&Claim) -> Option<&'static str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for claim in claims {
        let why: Vec<&str> = claim.status.reason().into_iter().chain(remedy(claim)).collect();
        let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join("; ")) };
        let claimed = one_line(&format!("{}{why}", claim.text));
        writeln!(out, "{}", hung(&format!("  {:<11} {claimed}", claim.status.word()), CLAIM_INDENT))?;
    }
    Ok(())
}
