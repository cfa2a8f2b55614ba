//! Why a DIMACS file is rejected, with the place.

use std::io;

/// An error with its place. Its text starts with `LINE:COLUMN: `, so `format!("{file}:{error}")` names the file, too.
#[derive(Debug, thiserror::Error)]
#[error("{line}:{column}: {kind}")]
pub struct Error {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// What was found there, and what was expected.
    #[source]
    pub kind: ErrorKind,
}

/// What is wrong with a DIMACS file. Texts from the file are excerpts: short, and without unprintable characters.
#[derive(Debug, thiserror::Error)]
pub enum ErrorKind {
    /// The input cannot be read.
    #[error("cannot read: {0}")]
    Io(#[source] io::Error),
    /// Something other than a number where a literal must be.
    #[error("unexpected '{found}'; expected a literal, or 0 after the last one")]
    NotALiteral {
        /// The token.
        found: String,
    },
    /// A number beyond the range of variables.
    #[error("variable {found} is too large; expected at most {}", i32::MAX)]
    VariableTooLarge {
        /// The number, possibly shortened.
        found: String,
    },
    /// A literal of a variable that the header does not declare.
    #[error("unexpected literal {literal}; the header declares {}", counted(u64::from(*.variables), "variable"))]
    UndeclaredVariable {
        /// The literal.
        literal: i32,
        /// The header's number of variables.
        variables: u32,
    },
    /// A constraint, or the end of the file, before the header.
    #[error("unexpected {found}; expected the header {expected} before it")]
    NoHeader {
        /// The first token in quotes, or "end of file".
        found: String,
        /// The form of the header.
        expected: &'static str,
    },
    /// A line `p` that is not a header of the dialect.
    #[error("unexpected '{found}'; expected {expected}")]
    BadHeader {
        /// The line.
        found: String,
        /// The form of the header.
        expected: &'static str,
    },
    /// A second header.
    #[error("unexpected second header; the first one is on line {first}")]
    SecondHeader {
        /// The line of the first header.
        first: usize,
    },
    /// The header declares more variables than a file of this length may have; see [`super::MaxVariables`].
    #[error(
        "the header declares {}; expected at most {bytes} in a file of this length",
        counted(u64::from(*.variables), "variable")
    )]
    TooManyVariables {
        /// The header's number of variables.
        variables: u32,
        /// The number of bytes, which is the bound.
        bytes: u64,
    },
    /// More clauses than the header declares.
    #[error("unexpected clause; the header declares {}", counted(*.declared, "clause"))]
    TooManyClauses {
        /// The header's number of clauses.
        declared: u64,
    },
    /// Fewer clauses than the header declares.
    #[error("the header declares {}; found {found}", counted(*.declared, "clause"))]
    TooFewClauses {
        /// The header's number of clauses.
        declared: u64,
        /// The number of clauses in the file.
        found: u64,
    },
    /// A constraint that begins here and has no 0.
    #[error("unexpected end of {end} in the constraint that begins here; expected 0 after its last literal")]
    Unfinished {
        /// "file" or "line".
        end: &'static str,
    },
    /// Another token after the 0 of a constraint that must be a line of its own.
    #[error("unexpected '{found}' after 0; expected the end of the line")]
    AfterEnd {
        /// The token.
        found: String,
    },
    /// Something other than `h` or a weight at the beginning of a clause.
    #[error("unexpected '{found}'; expected 'h' or a weight")]
    BadWeight {
        /// The token.
        found: String,
    },
    /// A comment that is too long for [`super::Comments::Keep`].
    #[error("the comment is too long; expected at most {}", counted(*.max_len as u64, "byte"))]
    CommentTooLong {
        /// The largest number of bytes after the `c`.
        max_len: usize,
    },
}

/// A number with its noun: "1 clause", "2 clauses".
fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
