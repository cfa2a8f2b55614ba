//! Formulas of linear inequalities, from OPB files or from the formulas of a checker.

use super::inequality::Inequality;
use super::names::Names;
use super::scanner::{Scanner, Syntax};
use crate::formula::Constraint;
use crate::variables::Code;
use crate::{Formula, ProofError};
use std::fmt::Write;

/// A formula of linear inequalities over variables that are 0 or 1. An equation consists of two inequalities: first
/// "at least", then "at most".
#[derive(Clone, Debug)]
pub struct Opb {
    pub(super) names: Names,
    pub(super) inequalities: Vec<Inequality>,
}

/// Reads a sum of literals times factors, and the relation after it.
pub(super) fn sum(
    scanner: &mut Scanner<'_>,
    names: &mut Names,
) -> Result<(Vec<(i128, Code)>, Relation), ProofError> {
    let mut sum = Vec::new();
    loop {
        match scanner.peek() {
            Some(token) if token.text == b">=" => {
                scanner.next();
                return Ok((sum, Relation::AtLeast));
            }
            Some(token) if token.text == b"=" => {
                scanner.next();
                return Ok((sum, Relation::Equal));
            }
            _ => {}
        }
        let factor = scanner.number("a factor, '>=' or '='")?;
        sum.push((factor, names.literal(scanner)?));
    }
}

/// The relation of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    AtLeast,
    Equal,
}

impl Opb {
    /// Reads an OPB file with linear constraints. The objective is ignored. A variable may have any name
    /// that has at least two characters and begins with a letter or `_`.
    ///
    /// # Errors
    /// The error names the first place where the file is not OPB or a number needs more than 127 bits.
    pub fn read(bytes: &[u8]) -> Result<Opb, ProofError> {
        let mut opb = Opb { names: Names::default(), inequalities: Vec::new() };
        let mut scanner = Scanner::new(bytes, Syntax::Opb);
        while scanner.begin() {
            if scanner.next_if(b"min") {
                scanner.skip_rest()?;
                continue;
            }
            let place = scanner.place();
            let (sum, relation) = sum(&mut scanner, &mut opb.names)?;
            let degree = scanner.number("the right side")?;
            scanner.end()?;
            opb.add(sum, relation, degree).ok_or(ProofError::too_large(place))?;
        }
        Ok(opb)
    }

    /// Adds a constraint. Returns `None` if a number becomes too large.
    fn add(&mut self, sum: Vec<(i128, Code)>, relation: Relation, degree: i128) -> Option<()> {
        if relation == Relation::Equal {
            let negated: Option<Vec<_>> =
                sum.iter().map(|&(factor, lit)| Some((factor.checked_neg()?, lit))).collect();
            self.inequalities.push(Inequality::new(sum, degree).ok()?);
            self.inequalities.push(Inequality::new(negated?, degree.checked_neg()?).ok()?);
        } else {
            self.inequalities.push(Inequality::new(sum, degree).ok()?);
        }
        Some(())
    }

    /// The linear form of a formula, in which variable v has the name `xv`: each clause requires that at least one of
    /// its literals is true, and each count of [`Formula::at_most`] is one inequality instead of clauses.
    ///
    /// If the result has no solution, then the formula has no model, because every model satisfies every inequality:
    /// the clauses that stand for a count imply the inequality of the count.
    pub fn of(formula: &Formula) -> Opb {
        let code = |lit: i32| (lit.unsigned_abs() - 1) * 2 + u32::from(lit < 0);
        let mut inequalities = Vec::new();
        for constraint in formula.constraints() {
            let (lits, factor, degree) = match constraint {
                Constraint::Clause(lits) => (lits, 1, 1),
                Constraint::AtMost(max, lits) => (lits, -1, -(max as i128)),
            };
            let sum = lits.iter().map(|&lit| (factor, code(lit))).collect();
            // The numbers are small, so they do not overflow.
            inequalities.extend(Inequality::new(sum, degree));
        }
        Opb { names: Names::numbered(formula.n_vars().unsigned_abs()), inequalities }
    }

    /// The number of inequalities.
    pub fn len(&self) -> usize {
        self.inequalities.len()
    }

    /// Whether there are no inequalities.
    pub fn is_empty(&self) -> bool {
        self.inequalities.is_empty()
    }
}

impl Formula {
    /// The linear form of this formula ([`Opb::of`]) as an OPB file.
    pub fn to_opb(&self) -> String {
        let constraints = self.constraints().count();
        let mut text = format!("* #variable= {} #constraint= {constraints}\n", self.n_vars().max(1));
        for (var, name) in self.names() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "* varname x{var} {name}");
        }
        for constraint in self.constraints() {
            let (lits, factor, mut degree) = match constraint {
                Constraint::Clause(lits) => (lits, 1, 1),
                Constraint::AtMost(max, lits) => (lits, -1, -(max as i64)),
            };
            for &lit in lits {
                // Not every reader supports negated literals. A negated literal is 1 minus its variable.
                let factor = if lit > 0 { factor } else { -factor };
                if lit < 0 {
                    degree += factor;
                }
                let _ = write!(text, "{factor:+} x{} ", lit.abs());
            }
            if lits.is_empty() {
                text.push_str("+0 x1 ");
            }
            let _ = writeln!(text, ">= {degree} ;");
        }
        text
    }
}
