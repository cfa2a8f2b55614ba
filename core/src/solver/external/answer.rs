//! A strict reader of solver output: the verdict and the model.
//!
//! In the format of the SAT competitions, a line `s SATISFIABLE` is followed by lines that begin with `v`. These
//! contain a literal for each variable and, after the last one, 0. Other lines are ignored. A file that MiniSat writes
//! begins with `SAT`, `UNSAT` or `INDET`. After `SAT`, the literals follow.

use std::fmt;
use std::io::BufRead;

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Lines that begin with `s` or `v`, among other lines.
    Competition,
    /// A verdict, then literals, and nothing else.
    MiniSat,
}

/// A solver's answer. A model must contain exactly one of the two literals of each variable; repetitions are allowed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Sat(Vec<bool>),
    Unsat,
    Unknown,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Sat(_) => "satisfiable",
            Answer::Unsat => "unsatisfiable",
            Answer::Unknown => "unknown",
        })
    }
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

/// Reads an answer about `n_vars` variables.
///
/// # Errors
/// If the answer is incomplete, contradictory or malformed.
pub(super) fn read(text: impl BufRead, format: Format, n_vars: u32) -> Result<Answer, String> {
    let mut verdict: Option<String> = None;
    let mut values = Values { values: vec![None; n_vars as usize], any: false, ended: false };
    for line in text.split(b'\n') {
        let line = line.map_err(|e| format!("its answer cannot be read: {e}"))?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        let (status, literals) = match format {
            Format::Competition => (line.strip_prefix("s "), line.strip_prefix("v ")),
            Format::MiniSat if verdict.is_none() => (Some(line), None),
            Format::MiniSat => (None, Some(line)),
        };
        if let Some(status) = status {
            if let Some(before) = &verdict {
                return Err(format!("printed '{before}', then '{status}'"));
            }
            verdict = Some(status.trim().to_owned());
        }
        for literal in literals.unwrap_or_default().split_whitespace() {
            values.add(literal)?;
        }
    }
    let verdict = verdict.ok_or("printed no line 's SATISFIABLE' or 's UNSATISFIABLE'")?;
    match verdict.as_str() {
        "SATISFIABLE" | "SAT" => values.complete().map(Answer::Sat),
        _ if values.any => Err(format!("printed '{verdict}' and a model")),
        "UNSATISFIABLE" | "UNSAT" => Ok(Answer::Unsat),
        "UNKNOWN" | "INDETERMINATE" | "INDET" => Ok(Answer::Unknown),
        other => Err(format!("printed the unknown verdict '{}'", other.escape_debug())),
    }
}

impl Values {
    fn add(&mut self, text: &str) -> Result<(), String> {
        let escaped = text.escape_debug();
        if self.ended {
            return Err(format!("printed '{escaped}' after the 0 that ends its model"));
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
                Err(format!("its model contains variable {} with both signs", literal.unsigned_abs()))
            }
            _ => Ok(()),
        }
    }

    fn complete(self) -> Result<Vec<bool>, String> {
        if !self.ended {
            return Err("its model does not end with 0".to_owned());
        }
        if let Some(missing) = self.values.iter().position(Option::is_none) {
            return Err(format!("its model does not contain variable {}", missing + 1));
        }
        Ok(self.values.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, n_vars: u32) -> Result<Answer, String> {
        read(text.as_bytes(), Format::Competition, n_vars)
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
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }

    #[test]
    fn minisat_writes_its_verdict_first() {
        let answer = |text: &str| read(text.as_bytes(), Format::MiniSat, 2);
        assert_eq!(answer("SAT\n1 -2 0\n"), Ok(Answer::Sat(vec![true, false])));
        assert_eq!(answer("UNSAT\n"), Ok(Answer::Unsat));
        assert_eq!(answer("INDET\n"), Ok(Answer::Unknown));
        assert!(answer("1 2 0\n").is_err());
    }
}
