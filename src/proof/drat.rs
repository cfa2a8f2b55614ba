//! A forward DRAT checker for clausal proofs whose additions follow by unit propagation (RUP).
//!
//! Each added clause must yield a conflict when its negation is propagated over the clauses alive;
//! with the empty clause the formula is refuted. Deletions of unit clauses are ignored, as in
//! drat-trim. varisat's proofs never need the RAT rule, so a clause that only RAT would admit is
//! refused. Two watched literals; linear in the propagations. E. Goldberg and Y. Novikov,
//! *Verification of Proofs of Unsatisfiability for CNF Formulas*, DATE 2003.

use super::Formula;
use crate::engine::{Budget, Limit, Stop};
use rustc_hash::FxHashMap;

/// Proof steps between two looks at the stop closure.
const STEPS_A_LOOK: usize = 64;

/// A proof in the textual DRAT format, a step a line: `1 -2 0` adds a clause, `d 1 -2 0` deletes one.
/// Nothing is read behind the step that reaches the contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drat(pub String);

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// A line that is no proof step.
    #[error("proof line {line}: '{found}' is no literal; a step is 'LIT ... 0' or 'd LIT ... 0'")]
    Syntax {
        /// From 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A limit came first, so nothing is said of the proof.
    #[error("{0} before the proof was checked")]
    Stopped(Limit),
    /// A literal over a variable that the formula does not have.
    #[error("proof line {line}: {found} is no variable of the formula")]
    UnknownVariable {
        /// From 1.
        line: usize,
        /// What stands there.
        found: i32,
    },
    /// A clause that does not follow by unit propagation.
    #[error("proof line {line}: the clause does not follow by unit propagation")]
    NotImplied {
        /// From 1.
        line: usize,
    },
    /// The proof ends without a contradiction.
    #[error("the proof never reaches the empty clause")]
    NoEmptyClause,
}

impl Drat {
    /// Checks that this proof refutes `formula`.
    ///
    /// # Errors
    /// The first step that fails, or that the empty clause was not reached.
    pub fn check(&self, formula: &Formula) -> Result<(), ProofError> {
        self.check_until(formula, &Budget::unlimited().stop())
    }

    /// As [`Drat::check`], until `stop` speaks.
    ///
    /// # Errors
    /// Those of [`Drat::check`], and the limit that was met.
    pub fn check_until(&self, formula: &Formula, stop: &Stop) -> Result<(), ProofError> {
        let mut checker = Checker::default();
        for clause in formula.clauses() {
            checker.add(clause);
        }
        for (i, text) in self.0.lines().enumerate() {
            if checker.refuted {
                return Ok(());
            }
            let line = i + 1;
            if let (true, Some(limit)) = (line.is_multiple_of(STEPS_A_LOOK), stop()) {
                return Err(ProofError::Stopped(limit));
            }
            let (deletes, body) = match text.trim().strip_prefix("d ") {
                Some(rest) => (true, rest),
                None => (false, text.trim()),
            };
            if body.is_empty() || body.starts_with('c') {
                continue;
            }
            let clause = literals(body).map_err(|found| ProofError::Syntax { line, found })?;
            if let Some(&found) = clause.iter().find(|lit| lit.unsigned_abs() > formula.n_vars() as u32) {
                return Err(ProofError::UnknownVariable { line, found });
            }
            if deletes {
                checker.delete(&clause);
            } else if checker.implies(&clause) {
                checker.add(&clause);
            } else {
                return Err(ProofError::NotImplied { line });
            }
        }
        if checker.refuted { Ok(()) } else { Err(ProofError::NoEmptyClause) }
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }
}

fn literals(body: &str) -> Result<Vec<i32>, String> {
    let mut clause = Vec::new();
    let mut tokens = body.split_ascii_whitespace();
    for token in tokens.by_ref() {
        match token.parse::<i32>() {
            Ok(0) => return tokens.next().map_or(Ok(clause), |extra| Err(extra.to_owned())),
            // The least number has no negation.
            Ok(lit) if lit > i32::MIN => clause.push(lit),
            _ => return Err(token.to_owned()),
        }
    }
    Err("end of line".to_owned())
}

/// A literal as an index: variable v is 2v, its negation 2v + 1.
fn code(lit: i32) -> usize {
    lit.unsigned_abs() as usize * 2 + usize::from(lit < 0)
}

#[derive(Default)]
struct Checker {
    /// Clauses by number; a deleted one is empty. The first two literals are watched.
    clauses: Vec<Vec<i32>>,
    /// For each literal, the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// Clause numbers by sorted literals, for deletion.
    numbers: FxHashMap<Vec<i32>, Vec<u32>>,
    /// True literals by code.
    holds: Vec<bool>,
    trail: Vec<i32>,
    /// How much of the trail was propagated.
    head: usize,
    /// The clauses alive are contradictory by unit propagation.
    refuted: bool,
}

impl Checker {
    fn reserve(&mut self, clause: &[i32]) {
        let most = clause.iter().map(|l| l.unsigned_abs() as usize).max().unwrap_or(0) * 2 + 2;
        if self.holds.len() < most {
            self.holds.resize(most, false);
            self.watches.resize(most, Vec::new());
        }
    }

    fn is_true(&self, lit: i32) -> bool {
        self.holds[code(lit)]
    }

    fn assign(&mut self, lit: i32) {
        self.holds[code(lit)] = true;
        self.trail.push(lit);
    }

    /// Adds a clause for good and propagates what follows.
    fn add(&mut self, clause: &[i32]) {
        if self.refuted {
            return;
        }
        self.reserve(clause);
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.iter().any(|&l| lits.binary_search(&-l).is_ok()) {
            return;
        }
        let number = self.clauses.len() as u32;
        self.numbers.entry(lits.clone()).or_default().push(number);
        // Literals that are not false come first, so that the watches are sound at the top level.
        lits.sort_by_key(|&l| self.is_true(-l));
        let free = lits.iter().filter(|&&l| !self.is_true(-l)).count();
        if lits.len() >= 2 {
            self.watches[code(lits[0])].push(number);
            self.watches[code(lits[1])].push(number);
        }
        match (free, lits.first()) {
            (0, _) | (_, None) => self.refuted = true,
            (1, Some(&unit)) if !self.is_true(unit) => self.assign(unit),
            _ => {}
        }
        self.clauses.push(lits);
        if !self.refuted && self.propagate() {
            self.refuted = true;
        }
    }

    /// Removes one copy of a clause, unless it is the reason of a literal that holds.
    fn delete(&mut self, clause: &[i32]) {
        let mut key = clause.to_vec();
        key.sort_unstable();
        key.dedup();
        let Some(numbers) = self.numbers.get_mut(&key) else { return };
        let Some(&number) = numbers.last() else { return };
        let lits = &self.clauses[number as usize];
        let unit = lits.iter().filter(|&&l| !self.holds[code(-l)]).count() <= 1;
        if unit {
            return;
        }
        numbers.pop();
        // Lists of watches drop the number when they next come to it.
        self.clauses[number as usize] = Vec::new();
    }

    /// True if assuming the clause false leads to a conflict by unit propagation.
    fn implies(&mut self, clause: &[i32]) -> bool {
        self.reserve(clause);
        let mark = self.trail.len();
        let mut conflict = false;
        for &lit in clause {
            if self.is_true(lit) {
                conflict = true;
                break;
            }
            if !self.is_true(-lit) {
                self.assign(-lit);
            }
        }
        conflict = conflict || self.propagate();
        for lit in self.trail.drain(mark..) {
            self.holds[code(lit)] = false;
        }
        self.head = mark;
        conflict
    }

    /// Propagates the trail to its end; true on a conflict.
    fn propagate(&mut self) -> bool {
        while self.head < self.trail.len() {
            let falsified = -self.trail[self.head];
            self.head += 1;
            let mut watching = std::mem::take(&mut self.watches[code(falsified)]);
            let mut kept = 0;
            let mut conflict = false;
            for i in 0..watching.len() {
                let number = watching[i];
                if conflict || !self.visit(number, falsified, &mut conflict) {
                    watching[kept] = number;
                    kept += 1;
                }
            }
            watching.truncate(kept);
            // A visit never adds to the list taken out: no clause watches a false literal anew.
            self.watches[code(falsified)] = watching;
            if conflict {
                return true;
            }
        }
        false
    }

    /// Looks at a clause one of whose watches became false; true if it now watches another literal or
    /// was deleted.
    fn visit(&mut self, number: u32, falsified: i32, conflict: &mut bool) -> bool {
        let clause = &mut self.clauses[number as usize];
        if clause.is_empty() {
            return true;
        }
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let other = clause[0];
        if self.holds[code(other)] {
            return false;
        }
        for k in 2..clause.len() {
            if !self.holds[code(-clause[k])] {
                clause.swap(1, k);
                self.watches[code(clause[1])].push(number);
                return true;
            }
        }
        if self.holds[code(-other)] {
            *conflict = true;
        } else {
            self.assign(other);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(clauses: &[&[i32]]) -> Formula {
        let mut f = Formula::new();
        f.vars(9);
        clauses.iter().for_each(|c| f.clause(c.iter().copied()));
        f
    }

    #[test]
    fn a_refutation_needs_the_empty_clause() {
        let f = formula(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
        let unknown = ProofError::UnknownVariable { line: 2, found: -10 };
        assert_eq!(Drat("1 2 0\n-10 0\n".into()).check(&f), Err(unknown));
        assert_eq!(Drat("1 0\n0\n".into()).check(&f), Ok(()));
        assert_eq!(Drat("1 0\n".into()).check(&f), Ok(()), "unit propagation alone finishes it");
        assert_eq!(Drat(String::new()).check(&f), Err(ProofError::NoEmptyClause));
        assert_eq!(Drat("3 0\n".into()).check(&f), Err(ProofError::NotImplied { line: 1 }));
        assert_eq!(Drat("0\n".into()).check(&f), Err(ProofError::NotImplied { line: 1 }));
        assert_eq!(Drat("d 1 2 0\n1 0\n".into()).check(&f), Err(ProofError::NotImplied { line: 2 }));
        let syntax = |text: &str, found: &str| {
            let error = ProofError::Syntax { line: 1, found: found.into() };
            assert_eq!(Drat(text.into()).check(&f), Err(error));
        };
        syntax("1 x 0\n", "x");
        syntax("1 2\n", "end of line");
        syntax("1 0 2\n", "2");
        syntax("99999999999 0\n", "99999999999");
    }

    #[test]
    fn a_satisfiable_formula_is_never_refuted() {
        let f = formula(&[&[1, 2], &[-1, 2], &[3]]);
        for text in ["2 0\n", "0\n", "d 3 0\n-3 0\n", "-2 0\n0\n"] {
            assert!(Drat(text.into()).check(&f).is_err(), "{text}");
        }
    }

    #[test]
    fn an_empty_clause_in_the_formula_needs_no_proof() {
        assert_eq!(Drat(String::new()).check(&formula(&[&[]])), Ok(()));
        assert_eq!(Drat(String::new()).check(&formula(&[&[4], &[-4]])), Ok(()));
    }
}
