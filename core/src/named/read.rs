//! Reads the formula that an encoder prints: strict DIMACS CNF, with `c varname NUMBER NAME` for named variables.
//!
//! A clause may span several lines. Files that solvers would read in different ways are rejected: files with a literal
//! beyond the header's variables, with a wrong number of clauses, or with a clause that does not end with 0.

use super::{NamedFormula, Place};
use crate::proof::dimacs::{self, Comments, Content, MaxVariables, Options, Reader};
use counterpoint_base::keyed::KeyedMap;
use counterpoint_encodings::{Lit, Sink};
use std::fmt;

/// Why the output of an encoder is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFormula {
    /// The line of the output, from 1.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
}

impl fmt::Display for BadFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl From<dimacs::Error> for BadFormula {
    fn from(error: dimacs::Error) -> Self {
        BadFormula { line: error.line, message: error.kind.to_string() }
    }
}

/// Reads a formula.
///
/// # Errors
/// Returns the first line that breaks the format, or that names variables inconsistently.
pub fn parse(bytes: &[u8]) -> Result<NamedFormula, BadFormula> {
    let options = Options {
        max_variables: MaxVariables::Bytes,
        comments: Comments::Keep { max_len: usize::MAX },
        ..Options::default()
    };
    let mut reader = Reader::new(bytes, options);
    let (mut formula, mut names, mut n_vars) = (NamedFormula::default(), Names::default(), 0);
    let mut clause = Vec::new();
    while let Some(item) = reader.next_item()? {
        let bad = |message| BadFormula { line: item.line, message };
        match item.content {
            Content::Header { variables, .. } => n_vars = variables,
            Content::Comment(text) => {
                let text =
                    std::str::from_utf8(text).map_err(|_| bad("the comment is not UTF-8".to_owned()))?;
                names.read(item.line, text)?;
            }
            Content::Clause(lits) => {
                clause.clear();
                for &lit in lits {
                    clause.push(Lit::from_ipasir(lit).map_err(|error| bad(error.to_string()))?);
                }
                formula.clause_at(&clause, Place::Line(item.line));
            }
            _ => {}
        }
    }
    for number in 1..=n_vars {
        let name = names.of_variable.remove(&number).map(|(name, _)| name).unwrap_or_default();
        formula.named_var(format_args!("{name}"));
    }
    match names.of_variable.into_iter().min() {
        None => Ok(formula),
        Some((number, (name, line))) => {
            let message =
                format!("'{name}' is variable {number}, but the header allows only numbers up to {n_vars}");
            Err(BadFormula { line, message })
        }
    }
}

/// The names of variables. A variable may be named twice, but only by the same name, and a name belongs to only one
/// variable.
#[derive(Default)]
struct Names {
    variable_of: KeyedMap<String, u32>,
    /// The name of each variable, with its line.
    of_variable: KeyedMap<u32, (String, usize)>,
}

impl Names {
    /// Reads a comment, without its `c`. Comments other than ` varname` are ignored.
    fn read(&mut self, line: usize, text: &str) -> Result<(), BadFormula> {
        let bad = |message| Err(BadFormula { line, message });
        let Some(rest) = text.trim_start().strip_prefix("varname").filter(|_| text.starts_with([' ', '\t']))
        else {
            return Ok(());
        };
        if rest.starts_with(|c: char| !c.is_ascii_whitespace()) {
            return Ok(());
        }
        let (number, name) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
        let (number, name) = match (number.parse::<u32>(), name.trim()) {
            (Ok(number), name) if number > 0 && !name.is_empty() => (number, name),
            _ => return bad(format!("unexpected 'c{text}'; expected 'c varname NUMBER NAME'")),
        };
        let before = self.variable_of.insert(name.to_owned(), number).filter(|&before| before != number);
        if let Some(before) = before {
            return bad(format!("'{name}' is variable {number} here, but variable {before} above"));
        }
        let before = self.of_variable.insert(number, (name.to_owned(), line));
        match before.filter(|(before, _)| before != name) {
            Some((before, _)) => {
                bad(format!("variable {number} is called '{name}' here, but '{before}' above"))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_encodings::Var;

    #[test]
    fn clauses_and_names_are_read() {
        let text = "c hello\nc varname 2 press r1c1\np cnf 3 3\n1 -2\n 0 3 0\n0\n";
        let formula = parse(text.as_bytes()).map_err(|error| error.message);
        let formula = formula.unwrap_or_else(|message| panic!("{message}"));
        assert_eq!((formula.n_vars(), formula.clauses().len()), (3, 3));
        assert_eq!(formula.named("press r1c1"), Some(Var::new(1).pos_lit()));
        assert_eq!(
            (0..3).map(|i| formula.place(i).to_string()).collect::<Vec<_>>(),
            ["line 4", "line 5", "line 6"]
        );
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line, message) in [
            ("1 0\n", 1, "unexpected '1'; expected the header 'p cnf VARIABLES CLAUSES' before it"),
            ("p cnf 1 1\n2 0\n", 2, "unexpected literal 2; the header declares 1 variable"),
            ("p cnf 2 1\n1 0\nc x\n1\n2 0\n", 4, "unexpected clause; the header declares 1 clause"),
            (
                "p cnf 2000000000 0\n",
                1,
                "the header declares 2000000000 variables; expected at most 19 in a file of this length",
            ),
            (
                "c varname 2 a\np cnf 1 0\n",
                1,
                "'a' is variable 2, but the header allows only numbers up to 1",
            ),
            ("c varname 0 a\n", 1, "unexpected 'c varname 0 a'; expected 'c varname NUMBER NAME'"),
            ("c varname 1\n", 1, "unexpected 'c varname 1'; expected 'c varname NUMBER NAME'"),
            ("c varname 1 a\nc varname 2 a\n", 2, "'a' is variable 2 here, but variable 1 above"),
            ("c varname 1 a\nc varname 1 b\n", 2, "variable 1 is called 'b' here, but 'a' above"),
            (
                "c\nc \u{fffd}\n",
                3,
                "unexpected end of file; expected the header 'p cnf VARIABLES CLAUSES' before it",
            ),
        ] {
            let error = parse(text.as_bytes()).err();
            assert_eq!(error, Some(BadFormula { line, message: message.to_owned() }), "{text:?}");
        }
        assert_eq!(parse(b"c\nc \xff\n").err().map(|error| error.line), Some(2));
    }
}
