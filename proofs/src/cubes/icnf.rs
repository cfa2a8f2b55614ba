//! Reads and writes cubes as lines `a 1 -2 0` of the format iCNF (S. Wieringa, M. Niemenmaa, K. Heljanko, PDMC 2009).

use super::{CubeError, Cubes, IcnfError};
use crate::Formula;
use crate::dimacs::{Comments, Content, Dialect, Options, Reader};
use std::fmt::Write;

impl Cubes {
    /// The cubes as a file without the clauses of the formula.
    pub fn to_icnf(&self) -> String {
        let mut text = "p inccnf\n".to_owned();
        for cube in self.iter() {
            text.push_str("a ");
            for lit in cube {
                // Writing to a String cannot fail.
                let _ = write!(text, "{lit} ");
            }
            text.push_str("0\n");
        }
        text
    }

    /// Reads the cubes of a formula from a file. Programs that split formulas differ: the header `p inccnf` may be
    /// missing, and the clauses may be missing. If there are clauses, they must be those of the formula, in the same
    /// order.
    ///
    /// # Errors
    /// The error names the first place where the file is not a list of cubes of this formula.
    pub fn read(bytes: &[u8], formula: &Formula) -> Result<Cubes, IcnfError> {
        let options = Options {
            dialect: Dialect::Icnf,
            require_header: false,
            comments: Comments::Skip,
            ..Options::default()
        };
        let mut reader = Reader::new(bytes, options);
        let (mut cubes, mut clauses, mut found) = (Cubes::new(), formula.clauses(), 0);
        while let Some(item) = reader.next_item()? {
            match item.content {
                Content::Assumptions(lits) => cubes.push(lits, formula.n_vars()).map_err(|error| {
                    let (line, column) = place(bytes, item.line, lits, error);
                    IcnfError::Cube { line, column, error }
                })?,
                Content::Clause(lits) => {
                    found += 1;
                    if clauses.next() != Some(lits) {
                        return Err(IcnfError::OtherClause { line: item.line, number: found });
                    }
                }
                _ => {}
            }
        }
        let line = bytes.split(|&byte| byte == b'\n').count().max(1);
        if found > 0 && clauses.len() > 0 {
            return Err(IcnfError::MissingClauses { line, found, expected: formula.clauses().len() });
        }
        if cubes.is_empty() {
            return Err(IcnfError::NoCube { line });
        }
        Ok(cubes)
    }
}

/// Line and column of an error in the cube that begins on a line: those of the wrong literal or, if the error is about
/// the cube as a whole, those of its `a`.
fn place(bytes: &[u8], line: usize, lits: &[i32], error: CubeError) -> (usize, usize) {
    let wrong = match error {
        CubeError::Outside { literal, .. } => lits.iter().position(|&lit| lit == literal),
        // The second literal of the variable.
        CubeError::Twice { variable } => lits.iter().rposition(|lit| lit.abs() == variable),
        CubeError::Empty | CubeError::Repeats { .. } => None,
    };
    // The token `a` comes first. A line that begins with `c` is a comment, even inside a cube.
    let tokens = bytes.split(|&byte| byte == b'\n').enumerate().skip(line - 1).flat_map(|(i, text)| {
        let is_comment = i >= line && text.trim_ascii_start().starts_with(b"c");
        let text = if is_comment { &[][..] } else { text };
        let start = move |at: &usize| {
            !text[*at].is_ascii_whitespace() && (*at == 0 || text[at - 1].is_ascii_whitespace())
        };
        (0..text.len()).filter(start).map(move |column| (i + 1, column + 1))
    });
    let at = wrong.map_or(0, |wrong| wrong + 1);
    tokens.into_iter().nth(at).unwrap_or((line, 1))
}
