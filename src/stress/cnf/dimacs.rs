//! A formula as somebody's program prints it: DIMACS CNF, with `c varname ID NAME` for the variables that have names.
//!
//! Clauses may go over several lines. What solvers would read in different ways is an error here: a literal beyond the
//! header's variables, another number of clauses, a clause without its 0.

use super::formula::{Formula, Place};
use counterpoint_encodings::{Lit, Sink, Var};
use rustc_hash::FxHashMap;

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFormula {
    /// From 1.
    pub line: usize,
    /// What stands there, and what would be right.
    pub message: String,
}

/// Reads a formula.
///
/// # Errors
/// The first line that does not belong.
pub(super) fn parse(bytes: &[u8]) -> Result<Formula, BadFormula> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        BadFormula { line, message: "this is no text".to_owned() }
    })?;
    let mut reader = Reader::default();
    let mut last = 1;
    for (line, text) in (1..).zip(text.lines()) {
        last = line;
        reader.line(line, text.trim()).map_err(|message| BadFormula { line, message })?;
    }
    reader.finish(text.len()).map_err(|message| BadFormula { line: last, message })
}

#[derive(Default)]
struct Reader {
    /// Variables and clauses.
    header: Option<(u32, u64)>,
    formula: Formula,
    names: FxHashMap<String, u32>,
    named: FxHashMap<u32, String>,
    /// The clause at which the reader is, and the line where it began.
    open: Vec<Lit>,
    began: usize,
    /// The clauses so far.
    clauses: u64,
}

impl Reader {
    fn line(&mut self, line: usize, text: &str) -> Result<(), String> {
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            None => Ok(()),
            Some("c") => match words.next() {
                Some("varname") => self.name(text),
                _ => Ok(()),
            },
            Some("p") => self.header(text),
            Some(word) if word.starts_with('c') && word.parse::<i64>().is_err() => Ok(()),
            Some(_) => text.split_ascii_whitespace().try_for_each(|word| self.literal(line, word)),
        }
    }

    fn header(&mut self, text: &str) -> Result<(), String> {
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        let numbers = match words[..] {
            ["p", "cnf", variables, clauses] => variables.parse().ok().zip(clauses.parse().ok()),
            _ => None,
        };
        let numbers = numbers.filter(|(variables, _)| *variables < Var::MAX_IDX);
        let numbers =
            numbers.ok_or_else(|| format!("'{text}' is no header; one is 'p cnf VARIABLES CLAUSES'"))?;
        match self.header.replace(numbers) {
            None => Ok(()),
            Some(_) => Err("a second header".to_owned()),
        }
    }

    fn name(&mut self, text: &str) -> Result<(), String> {
        let rest = text.trim_start_matches('c').trim_start().trim_start_matches("varname").trim();
        let (number, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (number, name) = match (number.parse::<u32>(), name.trim()) {
            (Ok(number), name) if number > 0 && !name.is_empty() => (number, name),
            _ => return Err(format!("'{text}' names no variable; 'c varname 7 NAME' names variable 7")),
        };
        let before = self.names.insert(name.to_owned(), number).filter(|&before| before != number);
        if let Some(before) = before {
            return Err(format!("'{name}' is variable {number} here, and variable {before} above"));
        }
        if let Some(before) = self.named.insert(number, name.to_owned()).filter(|before| before != name) {
            return Err(format!("variable {number} is called '{name}' here, and '{before}' above"));
        }
        Ok(())
    }

    fn literal(&mut self, line: usize, word: &str) -> Result<(), String> {
        let (variables, clauses) =
            self.header.ok_or("a clause before the header 'p cnf VARIABLES CLAUSES'")?;
        let number: i32 = word.parse().map_err(|_| format!("'{word}' is no literal"))?;
        if number == 0 {
            self.clauses += 1;
            if self.clauses > clauses {
                return Err(format!("the header has {clauses} clauses, and here ends one more"));
            }
            let began = if self.open.is_empty() { line } else { self.began };
            self.formula.clause_at(&self.open, Place::Line(began));
            self.open.clear();
            return Ok(());
        }
        if number.unsigned_abs() > variables {
            return Err(format!("literal {number}: the header has {variables} variables"));
        }
        if self.open.is_empty() {
            self.began = line;
        }
        self.open.push(Lit::from_ipasir(number).map_err(|_| format!("'{word}' is no literal"))?);
        Ok(())
    }

    fn finish(mut self, length: usize) -> Result<Formula, String> {
        let (variables, clauses) = self.header.ok_or("there is no header 'p cnf VARIABLES CLAUSES'")?;
        if !self.open.is_empty() {
            return Err("the last clause does not end with 0".to_owned());
        }
        if self.clauses != clauses {
            return Err(format!("the header has {clauses} clauses, and there are {}", self.clauses));
        }
        // Memory follows what was read, not what a header claims.
        if variables as usize > length {
            return Err(format!("{variables} variables do not occur in {length} bytes"));
        }
        for number in 1..=variables {
            self.formula.named_var(format_args!("{}", self.named.remove(&number).unwrap_or_default()));
        }
        match self.named.into_iter().min() {
            None => Ok(self.formula),
            Some((number, name)) => {
                Err(format!("'{name}' is variable {number}: the header has {variables} variables"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, message) in [
            ("", 1, "there is no header 'p cnf VARIABLES CLAUSES'"),
            ("1 0\n", 1, "a clause before the header 'p cnf VARIABLES CLAUSES'"),
            ("p cnf 1\n", 1, "'p cnf 1' is no header; one is 'p cnf VARIABLES CLAUSES'"),
            ("p cnf -1 0\n", 1, "'p cnf -1 0' is no header; one is 'p cnf VARIABLES CLAUSES'"),
            ("p cnf 1 0\np cnf 1 0\n", 2, "a second header"),
            ("p cnf 1 1\n2 0\n", 2, "literal 2: the header has 1 variables"),
            ("p cnf 1 1\nx 0\n", 2, "'x' is no literal"),
            ("p cnf 1 1\n99999999999 0\n", 2, "'99999999999' is no literal"),
            ("p cnf 1 1\n-2147483648 0\n", 2, "literal -2147483648: the header has 1 variables"),
            ("p cnf 1 1\n1\n", 2, "the last clause does not end with 0"),
            ("p cnf 1 2\n1 0\n", 2, "the header has 2 clauses, and there are 1"),
            ("p cnf 1 1\n1 0\n1 0\n", 3, "the header has 1 clauses, and here ends one more"),
            ("p cnf 2000000000 0\n", 1, "2000000000 variables do not occur in 19 bytes"),
            ("c varname 2 a\np cnf 1 0\n", 2, "'a' is variable 2: the header has 1 variables"),
            ("c varname 0 a\n", 1, "'c varname 0 a' names no variable; 'c varname 7 NAME' names variable 7"),
            ("c varname 1\n", 1, "'c varname 1' names no variable; 'c varname 7 NAME' names variable 7"),
            ("c varname 1 a\nc varname 2 a\n", 2, "'a' is variable 2 here, and variable 1 above"),
            ("c varname 1 a\nc varname 1 b\n", 2, "variable 1 is called 'b' here, and 'a' above"),
        ] {
            let error = parse(text.as_bytes()).err();
            assert_eq!(error, Some(BadFormula { line, message: message.to_owned() }), "{text:?}");
        }
        assert_eq!(parse(b"c\n\xff\n").err().map(|error| error.line), Some(2));
    }
}
