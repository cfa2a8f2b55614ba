//! Claims: what an answer asserts, one by one, and how each was closed.
//!
//! A checker derives the list from the instance and the outcome, never from the answer's own word,
//! and it is never empty. An answer is *checked* when nothing is open or failed.

use crate::budget::Limit;
use std::fmt;

/// Nodes that a checker is given for an answer, as a rule, before a claim stays open.
pub const CHECK_WORK: u64 = 50_000_000;

/// What checking a proof took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Clauses of the formula that it refutes.
    pub clauses: u64,
    /// Steps of the proof that were read.
    pub steps: u64,
    /// Literals that were propagated, or hints that were followed.
    pub propagations: u64,
}

/// How a claim stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The answer carries an object that was replayed and fits.
    Witness,
    /// The checker's own plain code found the same, within its budget.
    Recomputed,
    /// A proof of the checker's own plain formula was checked to the empty clause.
    Proved(Checked),
    /// A proof was checked, but of another formula than the checker's: counts as open.
    ProvedElsewhere(String),
    /// Not closed, with the reason.
    Open(String),
    /// Refuted, with the reason.
    Failed(String),
}

impl Status {
    /// The status of "there is none" after a plain enumeration that says whether it found one.
    pub fn none_found(found: Result<bool, Limit>) -> Self {
        match found {
            Ok(false) => Status::Recomputed,
            Ok(true) => Status::Failed("plain enumeration finds one".to_owned()),
            Err(limit) => Status::Open(limit.to_string()),
        }
    }

    /// True if the claim stands without reserve.
    pub fn is_closed(&self) -> bool {
        matches!(self, Status::Witness | Status::Recomputed | Status::Proved(_))
    }

    /// True if the claim is wrong.
    pub fn is_failed(&self) -> bool {
        matches!(self, Status::Failed(_))
    }

    /// One word, as tables and JSON use it.
    pub const fn word(&self) -> &'static str {
        match self {
            Status::Witness => "witness",
            Status::Recomputed => "recomputed",
            Status::Proved(_) => "proved",
            Status::ProvedElsewhere(_) => "proved for another formula",
            Status::Open(_) => "open",
            Status::Failed(_) => "failed",
        }
    }

    /// The reason of a claim that is not closed.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Status::ProvedElsewhere(why) | Status::Open(why) | Status::Failed(why) => Some(why),
            _ => None,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            Some(why) => write!(f, "{}: {why}", self.word()),
            None => f.write_str(self.word()),
        }
    }
}

/// One assertion with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A sentence that is true or false of the instance.
    pub text: String,
    /// How it stands.
    pub status: Status,
}

impl Claim {
    /// A claim with its status.
    pub fn new(text: impl Into<String>, status: Status) -> Self {
        Claim { text: text.into(), status }
    }

    /// A claim whose evidence was replayed: `Err` says what did not fit.
    pub fn replayed(text: impl Into<String>, replay: Result<(), String>) -> Self {
        Claim::new(text, replay.map_or_else(Status::Failed, |()| Status::Witness))
    }
}

/// Nothing open, nothing failed, and something claimed at all.
pub fn all_closed(claims: &[Claim]) -> bool {
    !claims.is_empty() && claims.iter().all(|c| c.status.is_closed())
}

/// Something is wrong.
pub fn any_failed(claims: &[Claim]) -> bool {
    claims.iter().any(|c| c.status.is_failed())
}
