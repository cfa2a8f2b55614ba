//! Writes formulas as DIMACS CNF, and reads them.

use crate::Formula;
use crate::dimacs::{Comments, Content, Error, MaxVariables, Options, Reader};
use std::fmt::Write;

impl Formula {
    /// The formula as a DIMACS file. The names of variables are comments above the header, because drat-trim, when it
    /// is given a binary proof, reads a comment below the header as an empty clause.
    pub fn to_dimacs(&self) -> String {
        let mut text = String::new();
        for (var, name) in self.names() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "c varname {var} {name}");
        }
        text.push_str(&self.header());
        self.append_clauses(&mut text);
        text
    }

    /// The formula as a DIMACS file without comments, because some checkers do not accept comments.
    pub fn to_bare_dimacs(&self) -> String {
        let mut text = self.header();
        self.append_clauses(&mut text);
        text
    }

    fn header(&self) -> String {
        format!("p cnf {} {}\n", self.n_vars(), self.clauses().len())
    }

    fn append_clauses(&self, text: &mut String) {
        for clause in self.clauses() {
            for lit in clause {
                // Writing to a String cannot fail.
                let _ = write!(text, "{lit} ");
            }
            text.push_str("0\n");
        }
    }

    /// Reads a formula from a DIMACS file and ignores its comments. The header's counts must be right.
    ///
    /// The number of variables may not exceed the number of bytes outside comments, so that memory for tables indexed
    /// by variable is proportional to the length of the file.
    ///
    /// # Errors
    /// The error names the first place where the file is not strict DIMACS CNF.
    pub fn from_dimacs(bytes: &[u8]) -> Result<Formula, Error> {
        let options = Options {
            comments: Comments::Skip,
            max_variables: MaxVariables::BytesOutsideComments,
            ..Options::default()
        };
        let mut reader = Reader::new(bytes, options);
        let mut formula = Formula::new();
        while let Some(item) = reader.next_item()? {
            match item.content {
                Content::Header { variables, .. } => formula.n_vars = variables as i32,
                Content::Clause(lits) => formula.clause(lits.iter().copied()),
                _ => {}
            }
        }
        Ok(formula)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::common::rounds;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn a_formula_reads_back() {
        let mut formula = Formula::new();
        formula.vars(3);
        for clause in [&[1, -2][..], &[], &[3]] {
            formula.clause(clause.iter().copied());
        }
        formula.name(2, "square r1c2");
        assert_eq!(formula.names().collect::<Vec<_>>(), [(2, "square r1c2")]);
        assert_eq!(formula.to_dimacs(), "c varname 2 square r1c2\np cnf 3 3\n1 -2 0\n0\n3 0\n");
        let read = |text: &str| Formula::from_dimacs(text.as_bytes()).map_err(|error| error.to_string());
        assert_eq!(read(&formula.to_dimacs()), Ok(formula.clone()));
        assert_eq!(read(&formula.to_bare_dimacs()), Ok(formula));
        // Any white space may separate literals, and comments may be anywhere.
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..rounds(500) {
            let mut formula = Formula::new();
            formula.vars(rng.random_range(1..=12));
            for _ in 0..rng.random_range(0..9) {
                let n = formula.n_vars();
                let lit = |_| rng.random_range(1..=n) * if rng.random() { 1 } else { -1 };
                let lits: Vec<i32> = (0..3).map(lit).collect();
                formula.clause(lits[rng.random_range(0..=3)..].iter().copied());
            }
            let text = formula.to_bare_dimacs();
            let (header, clauses) = text.split_once('\n').unwrap_or((&text, ""));
            let mut spaced = format!("{header}\r\n");
            for token in clauses.split_ascii_whitespace() {
                let space = [" ", "\t", "\n", "\r\n", "\n\n  ", "\nc 1 0\n"][rng.random_range(0..6)];
                let _ = write!(spaced, "{token}{space}");
            }
            assert_eq!(read(&spaced), Ok(formula), "{spaced}");
        }
        let long = format!("c{}\np cnf 0 0\n", "x".repeat(1 << 21));
        assert_eq!(read(&long), Ok(Formula::new()));
        let message =
            "1:1: the header declares 2000000000 variables; expected at most 24 in a file of this length";
        assert_eq!(read("p cnf 2000000000 1\n-1 0\n"), Err(message.to_owned()));
    }
}
