//! The exit status of a command, and the failure that ends it early.

use super::interrupt;
use super::size::BadValue;
use crate::document::DocumentError;
use crate::engine::Limit;
use crate::erased::JudgeError;
use crate::errors::{FormatError, GenerateError, RulesError, UnknownName, Unsupported};
use crate::export::ExportError;
use crate::harness::plan::{ExpandError, PlanError};
use crate::harness::slurm::PathError;
use crate::input::InputError;
use crate::report::errors::{ColumnError, ExpressionError};
use crate::stress::{GivenError, StressError};
use std::io;

/// How a command ended. The variants are sorted by severity, so a command with several parts ends with the maximum of
/// the statuses of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// Success, or the reader of standard output closed the pipe.
    Done,
    /// `judge` succeeded, and the problem has a status of its own for the answer.
    Answered(u8),
    /// A limit was reached, or a solver's result is unknown.
    Limit,
    /// A check found a fault: engines disagree, a claim failed, a tested program is wrong, or a file is out of date.
    Wrong,
    /// The input or the usage is bad, a file cannot be read or written, or a run failed.
    Usage,
    /// Ctrl-C was pressed.
    Interrupted,
}

impl Status {
    pub(super) const fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Answered(code) => code,
            Status::Limit => 3,
            Status::Wrong => 1,
            Status::Usage => 2,
            Status::Interrupted => interrupt::STATUS as u8,
        }
    }

    /// The status of a run that reached `limit`.
    pub(super) const fn of(limit: Limit) -> Self {
        match limit {
            Limit::Cancelled => Status::Interrupted,
            _ => Status::Limit,
        }
    }
}

/// Why a command ended early. An empty message is not printed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: Status,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Failure { status: Status::Usage, message: message.into() }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::usage(message)
    }
}

macro_rules! usage {
    ($($error:ident),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::usage(error.to_string())
            }
        }
    )*};
}

usage!(
    RulesError,
    GenerateError,
    FormatError,
    UnknownName,
    BadValue,
    Unsupported,
    InputError,
    ColumnError,
    ExpressionError,
    DocumentError,
    PlanError,
    ExpandError,
    StressError,
    GivenError,
    PathError
);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // The program that reads our output has closed the pipe.
            io::ErrorKind::BrokenPipe => Failure { status: Status::Done, message: String::new() },
            _ => Failure::usage(format!("cannot write: {error}")),
        }
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        match error {
            JudgeError::Output(error) => error.into(),
            JudgeError::Limit { limit, .. } => {
                Failure { status: Status::of(limit), message: error.to_string() }
            }
            JudgeError::Wrong { .. } => Failure { status: Status::Wrong, message: error.to_string() },
            _ => Failure::usage(error.to_string()),
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Refused(why) => Failure::usage(why),
            ExportError::Output(error) => error.into(),
        }
    }
}
