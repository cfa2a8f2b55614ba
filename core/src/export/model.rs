//! Reads the output of a solver: its verdict and, if there is one, a model.
//!
//! The parser supports the lines of the SAT, MaxSAT and pseudo-Boolean competitions (`s`, `o`, `v`), MaxSAT's newer `v`
//! line with a digit 0 or 1 for each variable, and MiniSat's result file (`SAT`, then literals).

use super::read::{File, LineError, literal};
use counterpoint_encodings::{Lit, Var};

/// The verdict of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The formula has a model.
    Satisfiable,
    /// The formula has a model, and the model in the output is one of least cost.
    Optimum,
    /// The formula has no model.
    Unsatisfiable,
    /// The solver did not decide the formula.
    Unknown,
}

/// A verdict with the values of variables.
#[derive(Clone, Debug)]
pub struct Model {
    /// The verdict. If the output has only a model, it is `Satisfiable`.
    pub verdict: Verdict,
    /// The last cost that the solver printed; `None` if it printed none.
    pub cost: Option<u64>,
    /// The value of each variable, by its index; `None` if the output has no value for it.
    values: Vec<Option<bool>>,
    /// Whether a 0 has ended the model.
    ended: bool,
}

impl File {
    /// Whether the formula has an objective.
    pub fn has_costs(&self) -> bool {
        self.soft.len() > 0
    }
}

/// Why the output of a solver is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ModelError {
    /// The line of the output, from 1; 1 if the error concerns the whole output.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl ModelError {
    /// An error that concerns the whole output.
    fn whole(message: impl Into<String>) -> Self {
        ModelError { line: 1, message: message.into() }
    }
}

impl Model {
    /// Parses the output of a solver for a formula of `n_vars` variables.
    ///
    /// # Errors
    /// Returns an error for the first line that is not valid: for example, it has an unknown verdict, a variable that
    /// the formula does not have, or a value that contradicts an earlier one. If all lines are valid, returns an error
    /// if the output has neither a verdict nor a model, or if it has a model although its verdict says that there is
    /// none, or the other way round.
    pub fn parse(text: &str, n_vars: u32) -> Result<Model, ModelError> {
        let values = vec![None; n_vars as usize];
        let mut model = Model { verdict: Verdict::Unknown, cost: None, values, ended: false };
        let (mut printed, mut any) = (None, false);
        for (number, line) in (1..).zip(text.lines()) {
            let at = |error: LineError| ModelError { line: number, message: error.into() };
            let (key, rest) = line.split_at(line.find([' ', '\t']).unwrap_or(line.len()));
            match key {
                "s" | "SAT" | "UNSAT" | "INDET" => {
                    let words = if key == "s" { rest.trim() } else { key };
                    let found = verdict(words).map_err(at)?;
                    if let Some((before, first)) = printed
                        && before != found
                    {
                        return Err(at(format!("contradictory verdicts: '{first}', then '{words}'").into()));
                    }
                    printed = Some((found, words));
                }
                "o" => {
                    let cost = rest.trim();
                    let parsed = cost
                        .parse()
                        .map_err(|_| at(format!("unexpected cost '{cost}'; expected a number").into()))?;
                    model.cost = Some(parsed);
                }
                "v" => any |= model.values(rest).map_err(at)?,
                _ if key.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                    any |= model.values(line).map_err(at)?;
                }
                _ => {}
            }
        }
        model.verdict = match printed {
            Some((Verdict::Unsatisfiable, words)) if any => {
                return Err(ModelError::whole(format!(
                    "the verdict is '{words}', but the output has a model"
                )));
            }
            Some((verdict, _)) => verdict,
            None if any => Verdict::Satisfiable,
            None => return Err(ModelError::whole("expected a line 's ...' or a line 'v ...'")),
        };
        if matches!(model.verdict, Verdict::Satisfiable | Verdict::Optimum) && !any && n_vars > 0 {
            return Err(ModelError::whole("the verdict says that there is a model; expected a line 'v ...'"));
        }
        Ok(model)
    }

    /// The value of a literal; `None` if the model has no value for it.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        let value = *self.values.get(lit.vidx())?;
        value.map(|value| value == lit.is_pos())
    }

    /// The number of variables that have no value.
    pub fn open(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// Reads the values of a line, and returns whether the line belongs to a model.
    fn values(&mut self, line: &str) -> Result<bool, LineError> {
        let digits = line.trim();
        let is_row = digits.len() == self.values.len() && digits.bytes().all(|b| b == b'0' || b == b'1');
        if is_row && digits.len() > 1 {
            for (var, digit) in (0..).map(Var::new).zip(digits.bytes()) {
                self.set(var.lit(digit == b'0'))?;
            }
            return Ok(true);
        }
        let mut any = false;
        let mut words = line.split_ascii_whitespace();
        for word in words.by_ref().take_while(|word| *word != "0") {
            let (sign, name) = word.strip_prefix('-').map_or(("", word), |name| ("-", name));
            let number = format!("{sign}{}", name.strip_prefix('x').unwrap_or(name));
            self.set(literal(&number)?)?;
            any = true;
        }
        let extra = words.next().or((self.ended && any).then_some(digits));
        if let Some(extra) = extra {
            return Err(format!("unexpected '{extra}' after the 0 that ends the model").into());
        }
        self.ended |= digits.split_ascii_whitespace().last() == Some("0");
        // A line that is only 0 is the model of a formula without variables.
        Ok(any || digits == "0")
    }

    fn set(&mut self, lit: Lit) -> Result<(), LineError> {
        let (shown, n_vars) = (lit.to_ipasir(), self.values.len());
        let slot = self.values.get_mut(lit.vidx());
        let slot = slot.ok_or_else(|| format!("literal {shown}: the formula has {n_vars} variables"))?;
        match slot.replace(lit.is_pos()) {
            Some(before) if before != lit.is_pos() => {
                Err(format!("{shown} and {} are both true", -shown).into())
            }
            _ => Ok(()),
        }
    }
}

fn verdict(words: &str) -> Result<Verdict, LineError> {
    match words {
        "SATISFIABLE" | "SAT" => Ok(Verdict::Satisfiable),
        "OPTIMUM FOUND" => Ok(Verdict::Optimum),
        "UNSATISFIABLE" | "UNSAT" => Ok(Verdict::Unsatisfiable),
        "UNKNOWN" | "INDET" | "INDETERMINATE" => Ok(Verdict::Unknown),
        _ => Err(format!(
            "unknown verdict '{words}'; expected SATISFIABLE, OPTIMUM FOUND, UNSATISFIABLE or UNKNOWN"
        )
        .into()),
    }
}
