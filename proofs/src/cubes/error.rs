//! Why literals are not a cube, and why a file of cubes is rejected.

use crate::dimacs;

/// Why literals are not a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CubeError {
    /// A cube without literals is the whole formula.
    #[error("the cube is empty, so it does not split the formula")]
    Empty,
    /// A literal of a variable that the formula does not have.
    #[error("unexpected literal {literal}; the formula has the variables 1 to {variables}")]
    Outside {
        /// The literal.
        literal: i32,
        /// The number of variables of the formula.
        variables: i32,
    },
    /// Two literals of the same variable.
    #[error("the cube has variable {variable} twice")]
    Twice {
        /// The variable.
        variable: i32,
    },
    /// The literals of an earlier cube.
    #[error("the cube repeats cube {earlier}")]
    Repeats {
        /// The number of the earlier cube, from 1.
        earlier: usize,
    },
}

/// Why a file of cubes is rejected. The text starts with `LINE:COLUMN: `, so `format!("{file}:{error}")` names the
/// file, too.
#[derive(Debug, thiserror::Error)]
pub enum IcnfError {
    /// The file is not in the format iCNF.
    #[error(transparent)]
    Syntax(#[from] dimacs::Error),
    /// A line of literals is not a cube of the formula.
    #[error("{line}:{column}: {error}")]
    Cube {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
        /// What is wrong.
        error: CubeError,
    },
    /// A clause that the formula does not have in this place.
    #[error("{line}:1: clause {number} of this file is not clause {number} of the formula")]
    OtherClause {
        /// The line, from 1.
        line: usize,
        /// The number of the clause, from 1.
        number: usize,
    },
    /// Some clauses of the formula, but not all.
    #[error("{line}:1: the file has {found} clauses, but the formula has {expected}; expected all or none")]
    MissingClauses {
        /// The last line, from 1.
        line: usize,
        /// The number of clauses in the file.
        found: usize,
        /// The number of clauses of the formula.
        expected: usize,
    },
    /// The file has no cube.
    #[error("{line}:1: the file has no cube; expected lines such as 'a 1 -2 0'")]
    NoCube {
        /// The last line, from 1.
        line: usize,
    },
}
