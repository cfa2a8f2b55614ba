//! Formulas as files: writes DIMACS and related formats, and reads them back.
//!
//! Comments of a file declare its instance, rules and engine, so that a model from any solver can be turned into an
//! answer on the board. A formula is not stored: it is generated up to three times, to count its variables and
//! constraints, to write names and groups as comments above the header, and to write its clauses.
//!
//! | format | what it holds | reference |
//! |---|---|---|
//! | `cnf` | clauses; `c p show` lists the projection set | DIMACS 1993; Fichte, Hecher, *Model Counting Competition 2021*, section on the data format |
//! | `xcnf` | clauses, and parity constraints as `x` lines | CryptoMiniSat, Soos, Nohl, Castelluccia, SAT 2009 |
//! | `wcnf` | hard clauses marked `h`, soft ones with a weight; no header | MaxSAT Evaluation 2022 |
//! | `opb` | linear constraints, clauses as sums that must be at least 1, and an objective `min:` | Roussel, Manquinho, *Input/Output Format for the Pseudo-Boolean Competition* |
//! | `icnf` | clauses, then a line of assumptions for each question | Wieringa, Niemenmaa, Heljanko, PDMC 2009 |
//!
//! An `x` line requires that an odd number of its literals is true: `x1 2 -3 0` means x1 + x2 + (1 - x3) = 1 modulo
//! 2, so each negated literal inverts the parity. In `opb`, at-most-one constraints, counts and parities are linear
//! constraints, so a pseudo-Boolean solver can reason about sums; a parity is a sum that equals an odd or even number,
//! whose bits are new variables. In the other formats, such constraints become clauses.

mod dimacs;
mod measure;
mod model;
mod numbering;
mod opb;
mod read;
mod text;
mod verify;
mod words;

pub use model::{Model, ModelError, Verdict};
pub use numbering::Numbering;
pub use read::{File, FileError};
pub use verify::{Violation, first_difference, verify_model};
pub use words::{Names, at_most_one_sentence, parity_sentence, sentence, words};

use crate::errors::Unsupported;
use counterpoint_encodings::{Lit, Sink, SoftSink};
use measure::Measure;
use std::fmt;
use std::io::{self, Write};

/// A file format for formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// DIMACS CNF.
    Cnf,
    /// DIMACS CNF with parity constraints.
    Xcnf,
    /// Weighted clauses.
    Wcnf,
    /// Pseudo-Boolean constraints.
    Opb,
    /// Clauses, with assumptions for several questions.
    Icnf,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [Format::Cnf, Format::Xcnf, Format::Wcnf, Format::Opb, Format::Icnf];

    /// The name of the format, which is also the extension of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Cnf => "cnf",
            Format::Xcnf => "xcnf",
            Format::Wcnf => "wcnf",
            Format::Opb => "opb",
            Format::Icnf => "icnf",
        }
    }

    /// The first character of a comment.
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

/// A formula that can be generated several times, with the same result each time.
pub trait Formula {
    /// Writes the formula to a sink.
    ///
    /// # Errors
    /// Returns why no single formula represents the instance.
    fn clauses(&self, sink: &mut dyn Sink) -> Result<(), Unsupported>;

    /// Writes the formula with the objective as soft clauses; `None` if there is no objective.
    fn objective(&self, sink: &mut dyn SoftSink) -> Option<Result<(), Unsupported>> {
        let _ = sink;
        None
    }

    /// Writes the formula for several questions, and returns the literals to assume for each. `None` if there is a
    /// single question, without assumptions.
    fn questions(&self, sink: &mut dyn Sink) -> Option<Result<Vec<Vec<Lit>>, Unsupported>> {
        let _ = sink;
        None
    }
}

/// The head of a file: the origin of its formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The problem's name.
    pub problem: String,
    /// The engine's id.
    pub engine: String,
    /// The rules as JSON, on one line.
    pub rules: String,
    /// The instance as an input file; ends with a line break.
    pub instance: String,
}

/// The reason why a formula was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The encoding has no formula of this kind, or the format does not support a part of it.
    #[error(transparent)]
    Refused(#[from] Unsupported),
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// The size of a written formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of variables.
    pub variables: u64,
    /// Number of clauses, parity constraints, linear constraints and soft clauses.
    pub constraints: u64,
}

/// Writes a formula with its head.
///
/// With `wcnf`, the formula must have an objective; with `opb`, it may have one. With `icnf`, a formula without
/// questions counts as a single question.
///
/// # Errors
/// Returns an error if the encoding has no such formula, if the format does not support a part of it, or if `out`
/// cannot be written.
pub fn write(
    format: Format,
    head: &Head,
    formula: &dyn Formula,
    out: &mut dyn Write,
) -> Result<Size, ExportError> {
    let mut measure = Measure::new(format);
    replay(format, formula, &mut measure)?;
    let size = measure.finish()?;
    let mut text = text::Text::new(out);
    match format {
        Format::Opb => {
            let mut opb = opb::Opb::new(&mut text, head, &size);
            replay(format, formula, &mut opb)?;
        }
        _ => {
            let mut comments = dimacs::Comments::new(format, &mut text, head, &size);
            if size.has_labels {
                replay(format, formula, &mut comments)?;
            }
            let mut dimacs = dimacs::Dimacs::new(format, &mut text, &size);
            let questions = replay(format, formula, &mut dimacs)?;
            questions.iter().for_each(|lits| dimacs.question(lits));
        }
    }
    text.finish()?;
    Ok(Size { variables: u64::from(size.variables), constraints: size.hard + size.soft })
}

/// Writes the formula to the sink, with the objective or the questions if the format has them. Returns the assumptions
/// of each question. Only `icnf` has questions; a formula without any gets one question without assumptions.
fn replay(
    format: Format,
    formula: &dyn Formula,
    sink: &mut dyn SoftSink,
) -> Result<Vec<Vec<Lit>>, Unsupported> {
    match format {
        Format::Cnf | Format::Xcnf => {}
        Format::Wcnf => {
            let none = || Err("there is no objective; the format wcnf requires one".into());
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
