//! Formulas as files: DIMACS and its relatives, written as the clauses come and read back exactly.
//!
//! A file says in comments which instance, rules and engine it was made from, so that a model of it can
//! be turned back into an answer on the board, by whoever found the model. Numbers of clauses, names and groups
//! stand above the clauses, so a formula is made up to three times: for a counter, for its comments, and for
//! its clauses.
//!
//! | format | what it holds | reference |
//! |---|---|---|
//! | `cnf` | clauses; `c p show` names the question's own variables | DIMACS 1993; Fichte, Hecher, *Model Counting Competition 2021*, section on the data format |
//! | `xcnf` | and parities: `x` lines | CryptoMiniSat, Soos, Nohl, Castelluccia, SAT 2009 |
//! | `wcnf` | hard clauses marked `h`, soft ones with a weight; no header | MaxSAT Evaluation 2022 |
//! | `opb` | clauses as sums, and `min:` | Roussel, Manquinho, *Input/Output Format for the Pseudo-Boolean Competition* |
//! | `icnf` | clauses, then a line of assumptions a question | Wieringa, Niemenmaa, Heljanko, PDMC 2009 |
//!
//! An `x` line demands that an odd number of its literals is true: `x1 2 -3 0` says x1 + x2 + (1 - x3) = 1
//! modulo 2, so each negated literal turns the demand over. The other formats get the clauses of cuts at
//! four literals in its place.

mod dimacs;
mod measure;
mod model;
mod numbering;
mod opb;
mod read;
mod text;
mod verify;
mod words;

pub use model::{Model, Verdict};
pub use numbering::Numbering;
pub use read::{File, FileError};
pub use verify::{first_difference, first_false};
pub use words::{Names, at_most_one_sentence, parity_sentence, sentence, words};

use counterpoint_encodings::{Lit, Sink, SoftSink};
use measure::Measure;
use std::fmt;
use std::io::{self, Write};

/// How a formula is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// DIMACS CNF.
    Cnf,
    /// DIMACS CNF with parities.
    Xcnf,
    /// Weighted clauses.
    Wcnf,
    /// Pseudo-Boolean constraints.
    Opb,
    /// Clauses with questions under assumptions.
    Icnf,
}

impl Format {
    /// All formats, in the order in which they are listed.
    pub const ALL: [Format; 5] = [Format::Cnf, Format::Xcnf, Format::Wcnf, Format::Opb, Format::Icnf];

    /// The name, which is what a file's name ends with, too.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Cnf => "cnf",
            Format::Xcnf => "xcnf",
            Format::Wcnf => "wcnf",
            Format::Opb => "opb",
            Format::Icnf => "icnf",
        }
    }

    /// What a comment begins with.
    const fn comment(self) -> &'static str {
        match self {
            Format::Opb => "*",
            _ => "c",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A formula that can be written any number of times, each time the same.
pub trait Formula {
    /// The clauses.
    ///
    /// # Errors
    /// Why there is no single formula.
    fn clauses(&self, sink: &mut dyn Sink) -> Result<(), String>;

    /// The clauses with what is to be made least as soft ones; `None` where nothing is.
    fn objective(&self, sink: &mut dyn SoftSink) -> Option<Result<(), String>> {
        let _ = sink;
        None
    }

    /// The clauses with several questions, each the literals to assume; `None` if there is only one,
    /// without any.
    fn questions(&self, sink: &mut dyn Sink) -> Option<Result<Vec<Vec<Lit>>, String>> {
        let _ = sink;
        None
    }
}

/// What a formula was made from, as its file says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The problem's name.
    pub problem: String,
    /// The engine's id.
    pub engine: String,
    /// The rules, on one line.
    pub rules: String,
    /// The instance as an input of its own; ends with a line break.
    pub instance: String,
}

/// Why a formula was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The model has no such formula, or the format does not hold it.
    #[error("{0}")]
    Refused(String),
    /// The output takes no more.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Variables.
    pub variables: u64,
    /// Constraints: clauses, parities and soft clauses.
    pub constraints: u64,
}

/// Writes a formula with its head.
///
/// # Errors
/// What the format cannot hold, and those of `out`. Nothing is dropped in silence: `wcnf` is refused where
/// nothing is to be made least; `opb` and `icnf` do without an objective and with a single question.
pub fn write(
    format: Format,
    head: &Head,
    formula: &dyn Formula,
    out: &mut dyn Write,
) -> Result<Size, ExportError> {
    let mut measure = Measure::new(format);
    let refused = |e| ExportError::Refused(e);
    replay(format, formula, &mut measure).map_err(refused)?;
    let size = measure.finish().map_err(refused)?;
    let mut text = text::Text::new(out);
    match format {
        Format::Opb => {
            let mut opb = opb::Opb::new(&mut text, head, &size);
            replay(format, formula, &mut opb).map_err(refused)?;
        }
        _ => {
            let mut comments = dimacs::Comments::new(format, &mut text, head, &size);
            if size.has_labels {
                replay(format, formula, &mut comments).map_err(refused)?;
            }
            let mut dimacs = dimacs::Dimacs::new(format, &mut text, &size);
            let questions = replay(format, formula, &mut dimacs).map_err(refused)?;
            questions.iter().for_each(|lits| dimacs.question(lits));
        }
    }
    text.finish()?;
    Ok(Size { variables: u64::from(size.variables), constraints: size.hard + size.soft })
}

/// What a format holds of a formula goes into the sink; the questions come back.
fn replay(format: Format, formula: &dyn Formula, sink: &mut dyn SoftSink) -> Result<Vec<Vec<Lit>>, String> {
    match format {
        Format::Cnf | Format::Xcnf => {}
        Format::Wcnf => {
            let none = || Err("nothing is to be made least here, so there is nothing for wcnf".to_owned());
            return formula.objective(sink).unwrap_or_else(none).map(|()| Vec::new());
        }
        Format::Opb => {
            if let Some(written) = formula.objective(sink) {
                return written.map(|()| Vec::new());
            }
        }
        Format::Icnf => {
            let only = |sink: &mut dyn SoftSink| formula.clauses(sink).map(|()| vec![Vec::new()]);
            return formula.questions(sink).unwrap_or_else(|| only(sink));
        }
    }
    formula.clauses(sink).map(|()| Vec::new())
}
