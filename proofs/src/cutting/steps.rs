//! Reads the statements of a proof and checks each of them.

use super::database::{Database, Refused};
use super::inequality::{Image, Inequality};
use super::names::Names;
use super::opb::{self, Opb, Relation};
use super::redundance::{self, NotRedundant, Substitution};
use super::scanner::{Scanner, Syntax, Token, number};
use crate::meter::Meter;
use crate::{Place, ProofError};
use counterpoint_base::budget::Stop;
use counterpoint_base::claim::Checked;

/// The number of terms that arithmetic may read between two calls of the stop closure.
const STOP_INTERVAL: usize = 1 << 16;

/// Checks a proof.
pub(super) fn run(proof: &[u8], formula: Opb, stop: &Stop) -> Result<Checked, ProofError> {
    let mut scanner = Scanner::new(proof, Syntax::Lines);
    let start = scanner.place();
    let numbers_formula = header(&mut scanner)?;
    let clauses = formula.inequalities.len() as u64;
    let too_large = |_| ProofError::too_large(start);
    let mut database =
        Database::new(formula.inequalities, proof.len(), Meter::new(stop)).map_err(too_large)?;
    if numbers_formula {
        (0..database.formula_len()).for_each(|at| _ = database.load(at));
    }
    let mut checker = Checker { names: formula.names, database, scanner, stop, work: 0 };
    let mut steps = 0;
    while checker.scanner.begin() {
        steps += 1;
        checker.spend(STOP_INTERVAL / 64)?;
        let step = checker.step();
        // After a limit, propagation misses conflicts, so an error does not show that the proof is wrong.
        if let Some(limit) = checker.database.propagator.limit() {
            return Err(ProofError::Stopped(limit));
        }
        if step? {
            let propagations = checker.database.propagator.propagations();
            return Ok(Checked { clauses, steps, propagations });
        }
    }
    Err(ProofError::NoContradiction)
}

/// Reads the header. Returns whether the formula's constraints have numbers from the beginning.
fn header(scanner: &mut Scanner<'_>) -> Result<bool, ProofError> {
    if !scanner.begin() {
        return scanner.reject(None, "pseudo-Boolean proof version");
    }
    for word in ["pseudo-Boolean", "proof", "version"] {
        scanner.expect(word)?;
    }
    let token = scanner.next();
    let version = token.map(|token| token.text);
    let numbers_formula = match version {
        Some(b"1.0" | b"1.1" | b"1.2") => false,
        Some(b"2.0") => true,
        Some(b"3.0") => {
            scanner.syntax = Syntax::Semicolons;
            true
        }
        _ => return scanner.reject(token, "version 1.1, 2.0 or 3.0"),
    };
    // In version 3, the semicolon after the header may be missing.
    if scanner.syntax == Syntax::Lines || scanner.peek().is_none() {
        scanner.end()?;
    }
    Ok(numbers_formula)
}

pub(super) struct Checker<'a> {
    pub(super) names: Names,
    pub(super) database: Database,
    pub(super) scanner: Scanner<'a>,
    stop: &'a Stop,
    /// The work since the last call of the stop closure.
    work: usize,
}

impl Checker<'_> {
    /// Counts work, and calls the stop closure from time to time.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), ProofError> {
        self.work += work;
        if self.work >= STOP_INTERVAL {
            self.work = 0;
            if let Some(limit) = (self.stop)() {
                return Err(ProofError::Stopped(limit));
            }
        }
        Ok(())
    }

    /// Checks a statement. Returns whether it completes the refutation.
    fn step(&mut self) -> Result<bool, ProofError> {
        let Some(rule) = self.scanner.next() else { return self.scanner.end().map(|()| false) };
        let place = rule.place;
        match rule.text {
            b"f" => self.formula(place)?,
            b"l" => self.load()?,
            b"p" | b"pol" => self.polish(place)?,
            b"u" | b"rup" => self.propagate(place)?,
            b"red" => self.redundance(place)?,
            b"e" | b"i" | b"ea" | b"ia" | b"j" => self.compare(rule)?,
            b"d" | b"del" | b"delc" | b"deld" => self.delete()?,
            b"core" | b"output" => self.ignore()?,
            // These delete constraints by level. Like any deletions, they may be ignored.
            b"#" | b"w" | b"setlvl" | b"wiplvl" => self.scanner.skip_rest()?,
            b"c" => {
                let number = self.scanner.number("the number of a constraint")?;
                self.contradiction(number, place)?;
                return Ok(true);
            }
            b"conclusion" => return self.conclusion(place).map(|()| true),
            b"a" => return rejected(place, "the step is an assumption, which proves nothing".to_owned()),
            b"end" => return Err(ProofError::NoContradiction),
            _ => {
                let known = ["v", "o", "ov", "sol", "soli", "solx", "obju", "obji", "dom", "pbc"];
                let others = ["pre_order", "def_order", "load_order", "strengthening_to_core", "proofgoal"];
                let is_known = |word: &&str| word.as_bytes() == rule.text;
                if rule.text.starts_with(b"@") || known.iter().chain(&others).any(is_known) {
                    return unsupported(rule, "the rule");
                }
                return self.scanner.reject(Some(rule), "a rule of a pseudo-Boolean proof");
            }
        }
        Ok(false)
    }

    /// `f N`: in version 1, gives numbers to all constraints of the formula.
    fn formula(&mut self, place: Place) -> Result<(), ProofError> {
        let count = self.database.formula_len();
        if self.scanner.peek().is_some() {
            let stated = self.scanner.number("the number of constraints of the formula")?;
            if stated != count as i128 {
                return rejected(place, format!("the formula has {count} constraints, not {stated}"));
            }
        }
        // Versions 2 and 3 have numbered them at the beginning.
        if self.database.last() == 0 {
            (0..count).for_each(|at| _ = self.database.load(at));
        }
        self.scanner.end()
    }

    /// `l K`: gives the next number to a constraint of the formula.
    fn load(&mut self) -> Result<(), ProofError> {
        let place = self.scanner.peek().map_or(self.scanner.place(), |token| token.place);
        let number = self.scanner.number("the position of a constraint in the formula")?;
        let index = number.checked_sub(1).and_then(|at| usize::try_from(at).ok());
        match index.is_some_and(|at| self.database.load(at)) {
            true => self.scanner.end(),
            false => {
                let count = self.database.formula_len();
                let why = format!("the formula has no constraint {number} left; it had {count}");
                rejected(place, why)
            }
        }
    }

    /// The constraint with a number.
    pub(super) fn get(&self, number: i128, place: Place) -> Result<&Inequality, ProofError> {
        self.database.get(number).ok_or(ProofError::UnknownConstraint { place, number })
    }

    pub(super) fn add(&mut self, inequality: Inequality, place: Place) -> Result<(), ProofError> {
        self.database.add(inequality).map_err(|refused| match refused {
            Refused::Overflow => ProofError::too_large(place),
            Refused::Memory => ProofError::Stopped(counterpoint_base::budget::Limit::Memory),
        })
    }

    /// Reads a constraint and, in versions 1 and 2, the semicolon after it.
    fn constraint(&mut self) -> Result<Inequality, ProofError> {
        let place = self.scanner.place();
        let (sum, relation) = opb::sum(&mut self.scanner, &mut self.names)?;
        if relation != Relation::AtLeast {
            return rejected(
                place,
                "the constraint is an equation; expected an inequality with '>='".to_owned(),
            );
        }
        let degree = self.scanner.number("the right side")?;
        self.scanner.next_if(b";");
        self.spend(sum.len())?;
        Inequality::new(sum, degree).map_err(|_| ProofError::too_large(place))
    }

    /// Whether optional arguments follow. In version 3, a colon precedes them.
    fn has_more(&mut self) -> bool {
        if self.scanner.syntax == Syntax::Semicolons {
            self.scanner.next_if(b":");
        }
        self.scanner.peek().is_some()
    }

    /// `rup`. Hints are ignored, because propagation over all constraints finds more.
    fn propagate(&mut self, place: Place) -> Result<(), ProofError> {
        let inequality = self.constraint()?;
        let follows = redundance::follows(&mut self.database, &inequality);
        if !follows.map_err(|_| ProofError::too_large(place))? {
            return rejected(place, "the constraint does not follow by unit propagation".to_owned());
        }
        self.scanner.skip_rest()?;
        self.add(inequality, place)
    }

    /// `red`.
    fn redundance(&mut self, place: Place) -> Result<(), ProofError> {
        let added = self.constraint()?;
        let mut witness = Substitution::default();
        if self.has_more() {
            while let Some(token) = self.scanner.peek() {
                if matches!(token.text, b";" | b":") {
                    self.scanner.next();
                    if let Some(subproof) = self.scanner.peek() {
                        return unsupported(subproof, "the subproof");
                    }
                    break;
                }
                let variable = self.names.variable(&mut self.scanner)?;
                self.scanner.next_if(b"->");
                let image = match self.scanner.peek().map(|token| token.text) {
                    Some(b"0") => Image::Value(false),
                    Some(b"1") => Image::Value(true),
                    _ => Image::Literal(self.names.literal(&mut self.scanner)?),
                };
                if let Image::Value(_) = image {
                    self.scanner.next();
                }
                if !witness.set(variable, image) {
                    return self.scanner.reject(Some(token), "a variable that has no image yet");
                }
            }
        }
        self.scanner.end()?;
        let why = match redundance::check(&mut self.database, &added, &witness, self.stop) {
            Ok(()) => return self.add(added, place),
            Err(NotRedundant::Overflow) => return Err(ProofError::too_large(place)),
            Err(NotRedundant::Stopped(limit)) => return Err(ProofError::Stopped(limit)),
            Err(NotRedundant::Itself) => "the witness does not satisfy the constraint",
            Err(NotRedundant::Changed) => "the witness may violate another constraint",
        };
        rejected(place, why.to_owned())
    }

    /// Compares a constraint of the database with a given one. For `e` and `ea`, the two must be equal. For `i`, `ia`
    /// and `j`, the constraint of the database must imply the given one. `ea`, `ia` and `j` also add the given one. In
    /// version 1, the number of the constraint of the database comes before the given one.
    fn compare(&mut self, rule: Token<'_>) -> Result<(), ProofError> {
        let mut ahead = self.scanner.clone();
        let mut is_number =
            |or: &[u8]| ahead.next().is_some_and(|t| t.text == or || number(t.text).is_some());
        let starts_with_number = is_number(b"") && is_number(b">=");
        let before = match starts_with_number {
            true => Some(self.scanner.number("the number of a constraint")?),
            false => None,
        };
        let given = self.constraint()?;
        let reference = match before {
            Some(number) => number,
            None if self.has_more() => self.scanner.number("the number of a constraint")?,
            None => return unsupported(rule, "without the number of a constraint, the rule"),
        };
        self.scanner.end()?;
        let length = self.get(reference, rule.place)?.terms().len();
        self.spend(length)?;
        let found = self.get(reference, rule.place)?;
        let holds = match rule.text {
            b"e" | b"ea" => *found == given,
            _ => found.implies(&given).map_err(|_| ProofError::too_large(rule.place))?,
        };
        if !holds {
            let what = if rule.text.starts_with(b"e") { "is not equal to" } else { "does not imply" };
            return rejected(rule.place, format!("constraint {reference} {what} the given one"));
        }
        match rule.text {
            b"e" | b"i" => Ok(()),
            _ => self.add(given, rule.place),
        }
    }

    /// Deletes constraints that are named by their numbers. Other deletions are ignored.
    fn delete(&mut self) -> Result<(), ProofError> {
        let mut range = false;
        match self.scanner.peek().map(|token| token.text) {
            Some(b"find" | b"spec") => return self.scanner.skip_rest(),
            Some(b"id") => _ = self.scanner.next(),
            Some(b"range") => {
                self.scanner.next();
                range = true;
            }
            _ => {}
        }
        if range {
            let first = self.scanner.number("the number of a constraint")?.max(1);
            let end = self.scanner.number("the number of a constraint")?.min(self.database.last() + 1);
            for number in first..end.max(first) {
                self.database.delete(number);
                // A short step may name many numbers, even if they were deleted before.
                self.spend(16)?;
            }
            return self.scanner.end();
        }
        while let Some(token) = self.scanner.peek().filter(|token| token.text != b";") {
            let number = self.scanner.number("the number of a constraint")?;
            if !self.database.delete(number) {
                return Err(ProofError::UnknownConstraint { place: token.place, number });
            }
        }
        self.scanner.next_if(b";");
        self.scanner.end()
    }

    /// Ignores a statement about the core or about the output.
    fn ignore(&mut self) -> Result<(), ProofError> {
        self.scanner.skip_rest()
    }

    /// `conclusion UNSAT : ID`, or without a number.
    fn conclusion(&mut self, place: Place) -> Result<(), ProofError> {
        let verdict = self.scanner.next();
        if verdict.is_none_or(|token| token.text != b"UNSAT") {
            return match verdict {
                Some(token)
                    if matches!(
                        token.text,
                        b"NONE" | b"SAT" | b"BOUNDS" | b"ENUMERATION_COMPLETE" | b"ENUMERATION_PARTIAL"
                    ) =>
                {
                    Err(ProofError::NoContradiction)
                }
                other => self.scanner.reject(other, "UNSAT"),
            };
        }
        if self.scanner.next_if(b":") {
            let number = self.scanner.number("the number of a constraint")?;
            return self.contradiction(number, place);
        }
        self.scanner.end()?;
        match self.database.propagator.refuted() {
            true => Ok(()),
            false => rejected(place, "unit propagation does not lead to a conflict".to_owned()),
        }
    }

    /// Checks that the constraint with this number cannot be satisfied.
    fn contradiction(&mut self, number: i128, place: Place) -> Result<(), ProofError> {
        match self.get(number, place)?.is_contradiction() {
            true => self.scanner.end(),
            false => rejected(place, format!("constraint {number} is not a contradiction")),
        }
    }
}

pub(super) fn rejected<T>(place: Place, why: String) -> Result<T, ProofError> {
    Err(ProofError::Rejected { place, why })
}

/// The error for something that this checker does not support. It does not show that the proof is wrong.
fn unsupported<T>(found: Token<'_>, what: &str) -> Result<T, ProofError> {
    let name = counterpoint_base::excerpt::excerpt(found.text);
    Err(ProofError::Unsupported { place: found.place, what: format!("{what} '{name}'") })
}
