//! Why a proof is rejected, with the place.

use counterpoint_base::budget::Limit;
use std::fmt;

/// A place in a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// The offset of a step's first byte in a binary file, from 0.
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

/// Why a proof is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// Bytes that are not a step of the format.
    #[error("{place}: unexpected {found}; expected {expected}")]
    Syntax {
        /// The place of the step.
        place: Place,
        /// The token in quotes, the byte, or the end that was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A limit was reached first, so nothing is known about the proof.
    #[error("{0} before the proof was checked")]
    Stopped(Limit),
    /// An added clause that is neither RUP nor RAT.
    #[error("{0}: the clause does not follow by unit propagation, nor is it RAT on its first literal")]
    NotImplied(Place),
    /// A hint or a deletion with a number that no active clause has, or a negative hint for a clause that does not
    /// contain the negated pivot.
    #[error("{place}: there is no clause {id}")]
    UnknownClause {
        /// The place of the step.
        place: Place,
        /// The number.
        id: u64,
    },
    /// An added clause with the number of an active clause.
    #[error("{place}: there is already a clause {id}")]
    UsedNumber {
        /// The place of the step.
        place: Place,
        /// The number.
        id: u64,
    },
    /// A hint whose clause has two or more literals that are not false.
    #[error("{place}: clause {id} is not unit when its hint is reached")]
    NotUnit {
        /// The place of the step.
        place: Place,
        /// The hint.
        id: u64,
    },
    /// Hints that do not lead to a conflict, for the clause itself or for its resolvent with the clause `with`.
    #[error(
        "{place}: the hints{} end without a conflict",
        with.map_or(String::new(), |id| format!(" for the resolvent with clause {id}"))
    )]
    NoConflict {
        /// The place of the step.
        place: Place,
        /// The clause that contains the negated pivot; `None` if the hints for the added clause itself failed.
        with: Option<u64>,
    },
    /// The proof ends without a contradiction.
    #[error("the proof never reaches the empty clause")]
    NoEmptyClause,
}
