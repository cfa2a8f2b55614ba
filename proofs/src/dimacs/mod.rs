//! A streaming reader for DIMACS CNF and its relatives, with errors that name their place.
//!
//! [`Reader`] takes any `BufRead` and returns one [`Item`] at a time: the header, a constraint or a comment. It opens
//! no files. Its memory is proportional to the longest constraint plus the longest comment, whatever the header
//! declares.
//!
//! | dialect | a line holds | header |
//! |---|---|---|
//! | [`Dialect::Cnf`] | `1 -2 0`: a clause | `p cnf VARIABLES CLAUSES` |
//! | [`Dialect::Xcnf`] | a clause, or `x1 -2 3 0`: an odd number of these literals is true | as `Cnf` |
//! | [`Dialect::Wcnf`] | `h 1 -2 0`: a hard clause; `5 1 -2 0`: a soft clause of weight 5 | none |
//! | [`Dialect::Icnf`] | a clause, or `a 1 -2 0`: a query under these assumptions | `p inccnf` |
//!
//! The `x` lines are those of CryptoMiniSat, and the weights are those of the MaxSAT Evaluation 2022.
//!
//! A line whose first visible character is `c` is a comment, even inside a clause. Tokens are separated by ASCII white
//! space, so lines may end in CRLF; the last line may lack its end. Numbers may have leading zeros and a plus sign.
//!
//! ```
//! use counterpoint_proofs::dimacs::{Content, Options, Reader};
//!
//! let mut reader = Reader::new(&b"c p show 1 0\np cnf 2 2\n1 2 0 -1\n-2 0\n"[..], Options::default());
//! let mut clauses = Vec::new();
//! while let Some(item) = reader.next_item()? {
//!     if let Content::Clause(lits) = item.content {
//!         clauses.push((item.line, lits.to_vec()));
//!     }
//! }
//! assert_eq!(clauses, [(3, vec![1, 2]), (3, vec![-1, -2])]);
//!
//! let mut reader = Reader::new(&b"p cnf 2 1\n1 3 0\n"[..], Options::default());
//! assert!(reader.next_item().is_ok());
//! let error = reader.next_item().unwrap_err();
//! assert_eq!(format!("f.cnf:{error}"), "f.cnf:2:3: unexpected literal 3; the header declares 2 variables");
//! # Ok::<(), counterpoint_proofs::dimacs::Error>(())
//! ```

mod error;
mod reader;
mod scanner;
#[cfg(test)]
mod tests;

pub use error::{Error, ErrorKind};
pub use reader::Reader;

/// The kinds of lines that a file may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Clauses and comments.
    Cnf,
    /// Clauses, parity constraints and comments.
    Xcnf,
    /// Hard and soft clauses, and comments. Every clause begins with `h` or with its weight.
    Wcnf,
    /// Clauses, queries under assumptions, and comments.
    Icnf,
}

/// What happens to comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// They are skipped, so their length does not matter.
    Skip,
    /// They are returned. A comment of more than `max_len` bytes is an error.
    Keep {
        /// The largest number of bytes after the `c`.
        max_len: usize,
    },
}

/// How many variables a header may declare. A consumer whose memory grows with the number of variables needs a bound,
/// because a header of a few bytes can declare two billion variables. The bound is tested at the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxVariables {
    /// Up to `i32::MAX`.
    Unbounded,
    /// At most as many as the file has bytes.
    Bytes,
    /// At most as many as the file has bytes outside the texts of comments.
    BytesOutsideComments,
}

/// What a file must look like. The default is strict DIMACS CNF: a header whose counts are right, clauses that may span
/// several lines, comments of up to 1 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The kinds of lines.
    pub dialect: Dialect,
    /// Whether a header must come before the first constraint.
    pub require_header: bool,
    /// Whether the counts of a header, if there is one, must be right: the exact number of clauses, and no variable
    /// above the declared number.
    pub check_counts: bool,
    /// Whether each constraint must be a line of its own.
    pub one_per_line: bool,
    /// Whether a line that starts with `%` ends the file, as in SATLIB's uniform random instances.
    pub percent_ends_file: bool,
    /// A bound on the number of variables that the header declares.
    pub max_variables: MaxVariables,
    /// What happens to comments.
    pub comments: Comments,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: Dialect::Cnf,
            require_header: true,
            check_counts: true,
            one_per_line: false,
            percent_ends_file: false,
            max_variables: MaxVariables::Unbounded,
            comments: Comments::Keep { max_len: 1 << 20 },
        }
    }
}

/// A header, constraint or comment of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<'a> {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// What it is.
    pub content: Content<'a>,
}

/// What an item is. Literals are DIMACS numbers: never 0, and at most `i32::MAX` in absolute value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// `p cnf VARIABLES CLAUSES`. The counts are only a claim: do not allocate memory for them. (`p inccnf` has no
    /// counts, and there is no item for it.)
    Header {
        /// The declared number of variables, at most `i32::MAX`.
        variables: u32,
        /// The declared number of clauses. Parity constraints count as clauses.
        clauses: u64,
    },
    /// A clause. In [`Dialect::Wcnf`], a hard clause.
    Clause(&'a [i32]),
    /// A soft clause.
    Soft {
        /// The cost of not satisfying it.
        weight: u64,
        /// The clause.
        lits: &'a [i32],
    },
    /// An odd number of these literals is true.
    Parity(&'a [i32]),
    /// The literals to assume in one query.
    Assumptions(&'a [i32]),
    /// The text of a comment after its `c`, without the end of the line. For `c p show 1 2 0`, it is
    /// ` p show 1 2 0`.
    Comment(&'a [u8]),
}
