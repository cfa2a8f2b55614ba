//! The capability "studies": questions beyond the judge's, and the certificates that they write.

use super::{Param, Params, Problem};
use crate::claim::Claim;
use crate::engine::Budget;
use crate::errors::FormatError;
use crate::study::{PositionInput, Row, StudyError, StudyOutput};
use serde_json::{Map, Value};

/// The studies of a problem.
pub struct Studies<P: Problem> {
    /// The questions that the studies answer.
    pub questions: &'static [Study<P>],
    /// Checks the certificates that the questions write; `None` if they write none.
    pub check: Option<CheckCertificate>,
    /// Summarises the rows of a question that was asked about several positions; `None` if there are no summaries.
    pub summarize: Option<Summarize>,
}

impl<P: Problem> Studies<P> {
    /// No questions.
    pub const NONE: Self = Studies { questions: &[], check: None, summarize: None };
}

/// Summarises the rows of the named question, which was asked about several positions.
pub type Summarize = fn(&str, &[Row], &mut dyn StudyOutput);

/// Checks a certificate of the named question: returns every claim of the certificate with the claim's status. The code
/// of the check is plain and shares nothing with the study.
///
/// # Errors
/// Returns an error if the question writes no certificates, or if the certificate is malformed.
pub type CheckCertificate = fn(&str, &Map<String, Value>, &mut Budget) -> Result<Vec<Claim>, FormatError>;

/// A question beyond the judge's.
pub struct Study<P: Problem> {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for `list questions`.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The keys of the rules on which the answer depends. All other rules must have the judge's values.
    pub rules: &'static [&'static str],
    /// Whether the study reads positions.
    pub position: PositionInput,
    /// The function that answers the question.
    pub run: StudyFn<P>,
}

/// The input of a study.
pub struct StudyRequest<'a, Rules, Instance> {
    /// The rules.
    pub rules: &'a Rules,
    /// The question's parameters.
    pub params: &'a Params,
    /// The position that the question is about, if there is one.
    pub instance: Option<&'a Instance>,
}

/// Answers a question. It outputs each row as soon as it is known.
pub type StudyFn<P> = fn(
    &StudyRequest<'_, <P as Problem>::Rules, <P as Problem>::Instance>,
    &mut Budget,
    &mut dyn StudyOutput,
) -> Result<(), StudyError>;
