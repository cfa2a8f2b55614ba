//! Why a proof is refused, with the place.

use counterpoint_base::budget::Limit;
use std::fmt;

/// Where in a proof something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a binary file, from 0: the first one of its step.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "proof line {line}"),
            Place::Byte(byte) => write!(f, "proof byte {byte}"),
        }
    }
}

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// What is no proof step.
    #[error("{place}: '{found}' is no {expected}")]
    Syntax {
        /// Where.
        place: Place,
        /// What stands there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A limit came first, so nothing is said of the proof.
    #[error("{0} before the proof was checked")]
    Stopped(Limit),
    /// A clause that may not be added.
    #[error("{0}: the clause does not follow by unit propagation, nor is it RAT on its first literal")]
    NotImplied(Place),
    /// A hint or deletion that names no clause alive.
    #[error("{place}: there is no clause {id}")]
    UnknownClause {
        /// Where.
        place: Place,
        /// The number given.
        id: u64,
    },
    /// An addition under a number that a clause alive has.
    #[error("{place}: there is a clause {id} already")]
    UsedNumber {
        /// Where.
        place: Place,
        /// The number given.
        id: u64,
    },
    /// A hint that leaves two literals or more.
    #[error("{place}: clause {id} is not unit there")]
    NotUnit {
        /// Where.
        place: Place,
        /// The hint.
        id: u64,
    },
    /// Hints that end without a conflict, for the clause or for its resolvent with clause `with`.
    #[error("{place}: the hints end without a conflict{}", with.map_or(String::new(), |id| format!(" with clause {id}")))]
    NoConflict {
        /// Where.
        place: Place,
        /// The clause with the negated pivot.
        with: Option<u64>,
    },
    /// The proof ends without a contradiction.
    #[error("the proof never reaches the empty clause")]
    NoEmptyClause,
}
