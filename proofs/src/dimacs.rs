//! DIMACS CNF in and out.

use crate::Formula;
use crate::text::{literal, number, tokens};
use counterpoint_base::excerpt::excerpt;
use std::fmt::Write;

impl Formula {
    /// The formula as a DIMACS file. Names stand above the header: with a binary proof, drat-trim reads a
    /// comment below it as an empty clause.
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

    /// The same without remarks, for programs that read no more than they must.
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

    /// The formula of a DIMACS file. What the header counts must be there; a clause may go over lines.
    ///
    /// # Errors
    /// What stands there instead. A variable whose number exceeds the file's length, remarks counted as
    /// a byte each, is refused: memory follows what was read.
    pub fn from_dimacs(bytes: &[u8]) -> Result<Formula, String> {
        let mut formula = Formula::new();
        let (mut header, mut clause) = (None, Vec::new());
        let worth = |line: &[u8]| if line.starts_with(b"c") { 1 } else { line.len() + 1 };
        let most_vars: usize = bytes.split(|&byte| byte == b'\n').map(worth).sum();
        for (line, at) in bytes.split(|&byte| byte == b'\n').zip(1..) {
            let shown = |token: &[u8]| format!("line {at}: '{}'", excerpt(token));
            let mut tokens = tokens(line).peekable();
            match tokens.peek() {
                Some(&b"p") => {
                    let mut words = tokens.skip(1);
                    let cnf = words.next() == Some(b"cnf");
                    let mut count = || words.next().and_then(number).and_then(|n| usize::try_from(n).ok());
                    let (Some(vars), Some(clauses), true, None) = (count(), count(), cnf, header) else {
                        return Err(format!("{} is no header 'p cnf VARIABLES CLAUSES'", shown(line)));
                    };
                    if vars > most_vars {
                        return Err(format!(
                            "line {at}: {vars} variables are more than the file has room for"
                        ));
                    }
                    formula.vars(vars);
                    header = Some(clauses);
                }
                Some(word) if word.starts_with(b"c") => {}
                _ => {
                    for token in tokens {
                        match number(token).and_then(literal) {
                            Some(0) => formula.clause(clause.drain(..)),
                            Some(lit) if lit.unsigned_abs() <= formula.n_vars().unsigned_abs() => {
                                clause.push(lit);
                            }
                            _ => return Err(format!("{} is no literal", shown(token))),
                        }
                    }
                }
            }
        }
        let there = formula.clauses().len();
        match header {
            None => Err("there is no header 'p cnf VARIABLES CLAUSES'".to_owned()),
            Some(_) if !clause.is_empty() => Err("the last clause has no end".to_owned()),
            Some(told) if told != there => Err(format!("the header tells of {told} clauses, not {there}")),
            Some(_) => Ok(formula),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_reads_back() {
        let mut formula = Formula::new();
        formula.vars(3);
        for clause in [&[1, -2][..], &[], &[3]] {
            formula.clause(clause.iter().copied());
        }
        assert_eq!(Formula::from_dimacs(formula.to_dimacs().as_bytes()), Ok(formula));
        for (text, why) in [
            ("", "there is no header 'p cnf VARIABLES CLAUSES'"),
            ("1 0\n", "line 1: '1' is no literal"),
            ("p cnf 1 1\n2 0\n", "line 2: '2' is no literal"),
            ("p cnf 1 1\n-1\n", "the last clause has no end"),
            ("p cnf 1 2\n-1 0\n", "the header tells of 2 clauses, not 1"),
            ("p cnf 2000000000 1\n", "line 1: 2000000000 variables are more than the file has room for"),
            ("p cnf -1 1\n", "line 1: 'p cnf -1 1' is no header 'p cnf VARIABLES CLAUSES'"),
        ] {
            assert_eq!(Formula::from_dimacs(text.as_bytes()), Err(why.to_owned()), "{text}");
        }
    }
}
