//! Reads files of the format `opb`: linear constraints, clauses as sums of literals, and an objective.

use super::{File, FileError, Kind, LineError, at, comment, literal};
use crate::export::opb::FALSE;
use counterpoint_encodings::{Lit, Relation};

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

    /// Reads a line that is the objective or a constraint. The terms of the objective become soft clauses.
    fn constraint(&mut self, line: u32, text: &str, lits: &mut Vec<Lit>) -> Result<(), LineError> {
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
        let (sum, relation, bound) = split(body)?;
        let mut words = sum.split_ascii_whitespace();
        let mut weights = Vec::new();
        while let Some(factor) = words.next() {
            let lit = variable(words.next().unwrap_or_default())?;
            let weight: i64 = factor.parse().map_err(|_| format!("'{factor}' is not a coefficient"))?;
            weights.push(weight);
            lits.push(lit);
        }
        let bound: i64 = bound.parse().map_err(|_| format!("'{bound}' is not a bound"))?;
        // A sum of literals that is at least 1 is a clause.
        let negated = weights.iter().filter(|weight| **weight == -1).count() as i64;
        if relation == Relation::AtLeast
            && bound == 1 - negated
            && weights.iter().all(|w| w.unsigned_abs() == 1)
        {
            for (lit, weight) in lits.iter_mut().zip(&weights) {
                *lit = lit.var().lit(*weight < 0);
            }
            self.add(line, Kind::Clause, lits);
        } else {
            let first = self.hard.weights.len();
            self.hard.weights.append(&mut weights);
            self.add(line, Kind::Sum { relation, bound, first }, lits);
        }
        Ok(())
    }
}

/// The sum, the relation and the bound of a constraint.
fn split(body: &str) -> Result<(&str, Relation, &str), LineError> {
    let relations = [(">=", Relation::AtLeast), ("=", Relation::Equal)];
    let found = relations.into_iter().find_map(|(sign, relation)| {
        let (sum, bound) = body.split_once(sign)?;
        Some((sum, relation, bound.trim()))
    });
    found.ok_or_else(|| "expected '>=' or '='".into())
}

/// A term such as `-2 x7`: the absolute value of its coefficient, and the literal, which is negated if the coefficient
/// is negative.
fn term(factor: &str, name: &str) -> Result<(u64, Lit), LineError> {
    let digits = factor.trim_start_matches(['+', '-']);
    let size = digits.parse().map_err(|_| format!("'{digits}' is not a weight"))?;
    let lit = variable(name)?;
    Ok((size, if factor.starts_with('-') { !lit } else { lit }))
}

/// The positive literal of a variable such as `x7`.
fn variable(name: &str) -> Result<Lit, LineError> {
    let number = name.strip_prefix('x').ok_or_else(|| format!("'{name}' is not a variable"))?;
    literal(number).and_then(|lit| {
        lit.is_pos()
            .then_some(lit)
            .ok_or_else(|| format!("'{name}' is not a variable; expected a positive number").into())
    })
}
