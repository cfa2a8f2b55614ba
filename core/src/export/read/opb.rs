//! Reads files of the format `opb`: clauses as sums of literals, and an objective.

use super::{File, FileError, Kind, at, comment, literal};
use crate::export::opb::FALSE;
use counterpoint_encodings::Lit;

impl File {
    pub(super) fn read_opb(&mut self, text: &str) -> Result<(), FileError> {
        let mut lits = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            match comment(text) {
                Some(comment) => self.comment(comment).map_err(at(line))?,
                None if text.trim().is_empty() => {}
                None => {
                    lits.clear();
                    self.constraint(line as u32, text.trim_end(), &mut lits).map_err(at(line))?;
                }
            }
        }
        Ok(())
    }

    /// Reads a line that is the objective or a clause. The terms of the objective become soft clauses.
    fn constraint(&mut self, line: u32, text: &str, lits: &mut Vec<Lit>) -> Result<(), String> {
        let body = text.strip_suffix(';').ok_or("expected ';' at the end of the line")?;
        if let Some(objective) = body.strip_prefix("min:") {
            let mut words = objective.split_ascii_whitespace();
            while let Some(factor) = words.next() {
                let (cost, lit) = term(factor, words.next().unwrap_or_default())?;
                self.add(line, Kind::Soft(cost), &[!lit]);
            }
            return Ok(());
        }
        if text.as_bytes() == FALSE.trim_ascii_end() {
            self.add(line, Kind::Clause, &[]);
            return Ok(());
        }
        let (sum, bound) = body.split_once(">=").ok_or("expected '>='")?;
        let mut words = sum.split_ascii_whitespace();
        while let Some(factor) = words.next() {
            let (1, lit) = term(factor, words.next().unwrap_or_default())? else {
                return Err(format!("'{factor}' is not a coefficient of a clause; expected +1 or -1"));
            };
            lits.push(lit);
        }
        let negated = lits.iter().filter(|lit| lit.is_neg()).count() as i64;
        if bound.trim().parse() != Ok(1 - negated) {
            let (found, expected) = (bound.trim(), 1 - negated);
            return Err(format!(
                "unexpected bound '{found}'; expected {expected}, since the line is a clause"
            ));
        }
        self.add(line, Kind::Clause, lits);
        Ok(())
    }
}

/// A term such as `-2 x7`: the absolute value of its coefficient, and the literal, which is negated if the coefficient
/// is negative.
fn term(factor: &str, name: &str) -> Result<(u64, Lit), String> {
    let digits = factor.trim_start_matches(['+', '-']);
    let size = digits.parse().map_err(|_| format!("'{digits}' is not a weight"))?;
    let lit = literal(name.strip_prefix('x').ok_or_else(|| format!("'{name}' is not a variable"))?)?;
    Ok((size, if factor.starts_with('-') { !lit } else { lit }))
}
