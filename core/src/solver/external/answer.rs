//! A strict reader of solver output: the verdict and the model.
//!
//! In the format of the SAT competitions, a line `s SATISFIABLE` is followed by lines that begin with `v`. These
//! contain a literal for each variable and, after the last one, 0. Other lines are ignored. A file that MiniSat writes
//! begins with `SAT`, `UNSAT` or `INDET`. After `SAT`, the literals follow.
//!
//! Pseudo-Boolean and MaxSAT solvers may also answer `s OPTIMUM FOUND`, and print costs in lines that begin
//! with `o`; the last one counts. A pseudo-Boolean solver writes its variables as `x1` and no final 0. A
//! MaxSAT solver may write its model as one digit, 0 or 1, for each variable. If a model of a pseudo-Boolean
//! or MaxSAT solver leaves out variables, these are false.

use std::fmt;
use std::io::BufRead;

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Lines that begin with `s` or `v`, among other lines.
    Competition,
    /// A verdict, then literals, and nothing else.
    MiniSat,
    /// Lines that begin with `s`, `o` or `v`, with literals such as `-x1`.
    PseudoBoolean,
    /// Lines that begin with `s`, `o` or `v`, with literals as in DIMACS or with one digit for each variable.
    MaxSat,
}

/// A solver's answer. A model must contain exactly one of the two literals of each variable; repetitions are allowed.
/// It may leave out variables that the formula does not mention, whose values are then false: MiniSat ignores the
/// number of variables in the header, so it does not know of variables after the last one that occurs in a clause.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Sat(Vec<bool>),
    /// An optimal model, with the last cost that was printed.
    Optimum(Vec<bool>, Option<i128>),
    Unsat,
    Unknown,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Sat(_) => "satisfiable",
            Answer::Optimum(..) => "optimum found",
            Answer::Unsat => "unsatisfiable",
            Answer::Unknown => "unknown",
        })
    }
}

counterpoint_base::message_errors! {
    /// What is wrong with the output of a solver: it is malformed, or its model does not satisfy the formula.
    pub(super) struct AnswerError;
}

/// The part of a model that was read so far.
struct Values {
    /// For each variable, its value; `None` if no value was read yet.
    values: Vec<Option<bool>>,
    /// Whether a literal or the final 0 was read.
    any: bool,
    /// Whether the final 0 was read.
    ended: bool,
}

/// Reads an answer about `n_vars` variables. `mentioned` says for each of them whether the formula mentions it; it is
/// called only if the model leaves out a variable.
///
/// # Errors
/// Returns an error if the answer is incomplete, contradictory or malformed.
pub(super) fn read(
    text: impl BufRead,
    format: Format,
    n_vars: u32,
    mentioned: impl FnOnce() -> Vec<bool>,
) -> Result<Answer, AnswerError> {
    let mut verdict: Option<String> = None;
    let is_weighted = matches!(format, Format::PseudoBoolean | Format::MaxSat);
    // A file in OPB declares at least one variable.
    let n_declared = if format == Format::PseudoBoolean { n_vars.max(1) } else { n_vars };
    let mut values = Values { values: vec![None; n_declared as usize], any: false, ended: false };
    let mut cost = None;
    for line in text.split(b'\n') {
        let line = line.map_err(|e| format!("its answer cannot be read: {e}"))?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        let (status, literals) = match format {
            Format::Competition | Format::PseudoBoolean | Format::MaxSat => {
                (line.strip_prefix("s "), line.strip_prefix("v "))
            }
            Format::MiniSat if verdict.is_none() => (Some(line), None),
            Format::MiniSat => (None, Some(line)),
        };
        if let Some(status) = status {
            if let Some(before) = &verdict {
                return Err(format!("printed '{before}', then '{status}'").into());
            }
            verdict = Some(status.trim().to_owned());
        }
        if let Some(number) = line.strip_prefix("o ").filter(|_| is_weighted) {
            let number = number.trim();
            let parsed = number.parse::<i128>();
            let why = |_| format!("printed the cost '{}', which is not a number", number.escape_debug());
            cost = Some(parsed.map_err(why)?);
        }
        let literals = literals.unwrap_or_default().trim();
        if format == Format::MaxSat && values.are_digits(literals) {
            values.add_digits(literals)?;
            continue;
        }
        for literal in literals.split_whitespace() {
            match format {
                Format::PseudoBoolean => values.add(&without_x(literal)?)?,
                _ => values.add(literal)?,
            }
        }
    }
    let verdict = verdict.ok_or("printed no line 's SATISFIABLE' or 's UNSATISFIABLE'")?;
    match verdict.as_str() {
        "SATISFIABLE" | "SAT" if is_weighted => Ok(Answer::Sat(values.filled(n_vars))),
        "OPTIMUM FOUND" if is_weighted => Ok(Answer::Optimum(values.filled(n_vars), cost)),
        "SATISFIABLE" | "SAT" => values.complete(mentioned).map(Answer::Sat),
        _ if values.any => Err(format!("printed '{verdict}' and a model").into()),
        "UNSATISFIABLE" | "UNSAT" => Ok(Answer::Unsat),
        "UNKNOWN" | "INDETERMINATE" | "INDET" => Ok(Answer::Unknown),
        other => Err(format!("printed the unknown verdict '{}'", other.escape_debug()).into()),
    }
}

/// A literal such as `-x1` as in DIMACS, here `-1`.
fn without_x(literal: &str) -> Result<String, AnswerError> {
    let (sign, name) = literal.strip_prefix('-').map_or(("", literal), |name| ("-", name));
    let number = name.strip_prefix('x').filter(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    let wrong = || format!("'{}' in its model is not a literal such as x1 or -x1", literal.escape_debug());
    Ok(format!("{sign}{}", number.ok_or_else(wrong)?))
}

impl Values {
    /// Whether a line has one digit for each variable, up to the last one that the file mentions.
    fn are_digits(&self, line: &str) -> bool {
        let n = self.values.len();
        let is_literal = || line.parse::<usize>().is_ok_and(|number| number <= n);
        let digits = line.len() > 1 && line.len() <= n && line.bytes().all(|b| b == b'0' || b == b'1');
        digits && (line.len() == n || !is_literal())
    }

    fn add_digits(&mut self, line: &str) -> Result<(), AnswerError> {
        for (i, digit) in (1..).zip(line.bytes()) {
            self.add(&if digit == b'1' { i } else { -i }.to_string())?;
        }
        self.ended = true;
        Ok(())
    }

    /// The values of the first `n` variables; those that were not read are false.
    fn filled(self, n: u32) -> Vec<bool> {
        self.values.into_iter().take(n as usize).map(Option::unwrap_or_default).collect()
    }

    fn add(&mut self, text: &str) -> Result<(), AnswerError> {
        let escaped = text.escape_debug();
        if self.ended {
            return Err(format!("printed '{escaped}' after the 0 that ends its model").into());
        }
        self.any = true;
        let literal: i32 = text.parse().map_err(|_| format!("'{escaped}' in its model is not a literal"))?;
        if literal == 0 {
            self.ended = true;
            return Ok(());
        }
        let n = self.values.len();
        let slot = self.values.get_mut(literal.unsigned_abs() as usize - 1);
        let slot = slot.ok_or_else(|| {
            format!("its model contains literal {literal}, but the formula has only {n} variables")
        })?;
        match slot.replace(literal > 0) {
            Some(before) if before != (literal > 0) => {
                Err(format!("its model contains variable {} with both signs", literal.unsigned_abs()).into())
            }
            _ => Ok(()),
        }
    }

    fn complete(self, mentioned: impl FnOnce() -> Vec<bool>) -> Result<Vec<bool>, AnswerError> {
        if !self.ended {
            return Err("its model does not end with 0".into());
        }
        if self.values.contains(&None) {
            let needed = |(value, mentioned): (&Option<bool>, bool)| value.is_none() && mentioned;
            if let Some(missing) = self.values.iter().zip(mentioned()).position(needed) {
                return Err(format!("its model does not contain variable {}", missing + 1).into());
            }
        }
        Ok(self.values.into_iter().map(Option::unwrap_or_default).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, n_vars: u32) -> Result<Answer, AnswerError> {
        read(text.as_bytes(), Format::Competition, n_vars, || vec![true; n_vars as usize])
    }

    #[test]
    fn a_model_may_leave_out_variables_that_the_formula_does_not_mention() {
        let answer = |text: &str| read(text.as_bytes(), Format::MiniSat, 3, || vec![false, true, false]);
        assert_eq!(answer("SAT\n2 0\n"), Ok(Answer::Sat(vec![false, true, false])));
        assert_eq!(answer("SAT\n1 2 0\n"), Ok(Answer::Sat(vec![true, true, false])));
        assert_eq!(answer("SAT\n1 3 0\n").unwrap_err(), "its model does not contain variable 2");
    }

    #[test]
    fn malformed_answers_are_errors() {
        let model = vec![true, false, true];
        assert_eq!(answer("c x\ns SATISFIABLE\nv 1 -2\nv 3 0\n", 3), Ok(Answer::Sat(model)));
        assert_eq!(answer("s UNSATISFIABLE\n", 3), Ok(Answer::Unsat));
        assert_eq!(answer("s UNKNOWN", 3), Ok(Answer::Unknown));
        assert_eq!(answer("s SATISFIABLE\nv 0\n", 0), Ok(Answer::Sat(Vec::new())));
        for (text, words) in [
            ("", "printed no line 's SATISFIABLE'"),
            ("SATISFIABLE\n", "printed no line"),
            ("s MAYBE\n", "printed the unknown verdict 'MAYBE'"),
            ("s SATISFIABLE\ns UNSATISFIABLE\n", "printed 'SATISFIABLE', then 'UNSATISFIABLE'"),
            ("s SATISFIABLE\nv 1 2\n", "its model does not end with 0"),
            ("s SATISFIABLE\nv 1 0\n", "its model does not contain variable 2"),
            ("s SATISFIABLE\nv 1 -1 2 0\n", "its model contains variable 1 with both signs"),
            ("s SATISFIABLE\nv 1 2 3 0\n", "contains literal 3, but the formula has only 2 variables"),
            ("s SATISFIABLE\nv 1 2 0\nv 1\n", "after the 0"),
            ("s SATISFIABLE\nv 1 two 0\n", "'two' in its model is not a literal"),
            ("s UNSATISFIABLE\nv 1 2 0\n", "printed 'UNSATISFIABLE' and a model"),
        ] {
            let error = answer(text, 2).unwrap_err();
            assert!(error.message().contains(words), "{text:?}: {error}");
        }
    }

    #[test]
    fn optima_are_read_in_both_formats() {
        let opb = |text: &str| read(text.as_bytes(), Format::PseudoBoolean, 3, Vec::new);
        let wcnf = |text: &str| read(text.as_bytes(), Format::MaxSat, 3, Vec::new);
        let model = vec![true, false, true];
        let text = "c x\no 9\no -4\nv x1 -x2\nv x3\ns OPTIMUM FOUND\n";
        assert_eq!(opb(text), Ok(Answer::Optimum(model.clone(), Some(-4))));
        assert_eq!(opb("s SATISFIABLE\nv x3 x1\n"), Ok(Answer::Sat(model.clone())));
        assert_eq!(opb("s UNSATISFIABLE\n"), Ok(Answer::Unsat));
        for text in ["v 1 -2 3 0", "v 1 -2\nv 3", "v 101", "v 3 1"] {
            let text = format!("o 2\ns OPTIMUM FOUND\n{text}\n");
            assert_eq!(wcnf(&text), Ok(Answer::Optimum(model.clone(), Some(2))), "{text}");
        }
        // The file mentions only the first two of the three variables.
        assert_eq!(wcnf("s SATISFIABLE\nv 10\n"), Ok(Answer::Sat(vec![true, false, false])));
        let nothing = read("s SATISFIABLE\nv -x1\n".as_bytes(), Format::PseudoBoolean, 0, Vec::new);
        assert_eq!(nothing, Ok(Answer::Sat(Vec::new())));
        for (text, words) in [
            ("s OPTIMUM FOUND\nv 1 -2 3\n", "'1' in its model is not a literal such as x1 or -x1"),
            ("s OPTIMUM FOUND\nv x-1\n", "'x-1' in its model is not a literal"),
            ("s OPTIMUM FOUND\nv x4\n", "contains literal 4, but the formula has only 3 variables"),
            ("s OPTIMUM FOUND\nv x1 -x1\n", "variable 1 with both signs"),
            ("o many\ns OPTIMUM FOUND\nv x1\n", "the cost 'many', which is not a number"),
            ("s UNSATISFIABLE\nv x1\n", "printed 'UNSATISFIABLE' and a model"),
        ] {
            let error = opb(text).unwrap_err();
            assert!(error.message().contains(words), "{text:?}: {error}");
        }
        let error = answer("s OPTIMUM FOUND\nv 1 2 0\n", 2).unwrap_err();
        assert!(error.message().contains("printed 'OPTIMUM FOUND' and a model"), "{error}");
    }

    #[test]
    fn minisat_writes_its_verdict_first() {
        let answer = |text: &str| read(text.as_bytes(), Format::MiniSat, 2, || vec![true; 2]);
        assert_eq!(answer("SAT\n1 -2 0\n"), Ok(Answer::Sat(vec![true, false])));
        assert_eq!(answer("UNSAT\n"), Ok(Answer::Unsat));
        assert_eq!(answer("INDET\n"), Ok(Answer::Unknown));
        assert!(answer("1 2 0\n").is_err());
    }
}
