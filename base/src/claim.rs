//! Claims: the assertions of an answer, each with its status.
//!
//! A checker derives the list of claims from the instance and the outcome, never from what an answer says about itself.
//! The list is never empty. A claim is *closed* if it was replayed, recomputed or proved. An answer is *checked* if
//! every claim is closed.

use crate::budget::Limit;
use std::fmt;

/// The default limit on the nodes that a checker may use for an answer. Claims that need more stay open.
pub const CHECK_WORK: u64 = 50_000_000;

/// The work of checking a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Clauses of the refuted formula.
    pub clauses: u64,
    /// Proof steps read.
    pub steps: u64,
    /// DRAT: literals propagated. LRAT: hints followed.
    pub propagations: u64,
}

/// The status of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The answer contains a witness, and the checker replayed it.
    Witness,
    /// The checker's own plain code computed the same result within its budget.
    Recomputed,
    /// The checker verified a proof that derives the empty clause from the checker's plain formula.
    Proved(Checked),
    /// The proof refutes another formula, but not the checker's. The text says why it does not refute the checker's.
    /// The claim counts as open.
    ProvedElsewhere(String),
    /// Neither closed nor refuted; the text says why.
    Open(String),
    /// Refuted; the text says why.
    Failed(String),
}

impl Status {
    /// The status of a claim that there is no object of some kind. `found` says whether an enumeration found one.
    pub fn none_found(found: Result<bool, Limit>) -> Self {
        match found {
            Ok(false) => Status::Recomputed,
            Ok(true) => Status::Failed("plain enumeration finds one".to_owned()),
            Err(limit) => Status::Open(limit.to_string()),
        }
    }

    /// Combines this status with other evidence for the claim. If this status closes the claim, it stays.
    /// Otherwise, the status that `otherwise` returns replaces it if that status refutes the claim, or if it
    /// closes the claim and this status is not "failed", because a wrong proof is never ignored.
    #[must_use]
    pub fn or_else(self, otherwise: impl FnOnce() -> Status) -> Self {
        if self.is_closed() {
            return self;
        }
        match otherwise() {
            refuted if refuted.is_failed() => refuted,
            closed if closed.is_closed() && !self.is_failed() => closed,
            _ => self,
        }
    }

    /// Whether the claim is closed: replayed, recomputed or proved.
    pub fn is_closed(&self) -> bool {
        matches!(self, Status::Witness | Status::Recomputed | Status::Proved(_))
    }

    /// Whether the claim is refuted.
    pub fn is_failed(&self) -> bool {
        matches!(self, Status::Failed(_))
    }

    /// The status without its reason, for tables and JSON.
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

    /// The reason why the claim is not closed; `None` if it is closed.
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

crate::message_errors! {
    /// A witness does not show what an answer claims.
    pub struct WrongWitness;
}

/// An assertion with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A sentence about the instance, which is true or false.
    pub text: String,
    /// Its status.
    pub status: Status,
}

impl Claim {
    /// A claim with its status.
    pub fn new(text: impl Into<String>, status: Status) -> Self {
        Claim { text: text.into(), status }
    }

    /// A claim whose witness was replayed. `Err` says why the witness is wrong: a [`WrongWitness`] or its message.
    pub fn replayed(text: impl Into<String>, replay: Result<(), impl Into<WrongWitness>>) -> Self {
        let failed = |why| Status::Failed(String::from(Into::<WrongWitness>::into(why)));
        Claim::new(text, replay.map_or_else(failed, |()| Status::Witness))
    }
}

/// Whether there is at least one claim and every claim is closed.
pub fn all_closed(claims: &[Claim]) -> bool {
    !claims.is_empty() && claims.iter().all(|c| c.status.is_closed())
}

/// Whether at least one claim is refuted.
pub fn any_failed(claims: &[Claim]) -> bool {
    claims.iter().any(|c| c.status.is_failed())
}
