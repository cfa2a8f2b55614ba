//! Why a proof is rejected, with the place.

use counterpoint_base::budget::Limit;
use std::fmt;

/// A place in a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// A line of a text and a byte of that line, both from 1.
    Column {
        /// The line.
        line: usize,
        /// The byte.
        column: usize,
    },
    /// The offset of a step's first byte in a binary file, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "proof line {line}"),
            Place::Column { line, column } => write!(f, "proof line {line}, column {column}"),
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
    /// A pseudo-Boolean proof that ends without the conclusion that the formula has no solution.
    #[error("the proof does not conclude that the formula is unsatisfiable")]
    NoContradiction,
    /// A number that no constraint of a pseudo-Boolean proof has, or one whose constraint was deleted.
    #[error("{place}: there is no constraint {number}")]
    UnknownConstraint {
        /// The place of the step or of the number.
        place: Place,
        /// The number.
        number: i128,
    },
    /// A wrong step of a pseudo-Boolean proof.
    #[error("{place}: {why}")]
    Rejected {
        /// The place of the step.
        place: Place,
        /// What is wrong.
        why: String,
    },
    /// A step that this checker does not support. The proof may be correct.
    #[error("{place}: {what} is not supported")]
    Unsupported {
        /// The place of the step.
        place: Place,
        /// What is not supported.
        what: String,
    },
}

impl ProofError {
    pub(crate) fn too_large(place: Place) -> Self {
        ProofError::Unsupported { place, what: "a number of more than 127 bits".to_owned() }
    }

    /// Whether this error shows that the proof is wrong. Otherwise, the check was not completed.
    pub fn is_rejection(&self) -> bool {
        !matches!(self, ProofError::Stopped(_) | ProofError::Unsupported { .. })
    }
}
