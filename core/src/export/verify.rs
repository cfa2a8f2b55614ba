//! Tests a model on the constraints of a file, and compares a file with the formula that its head declares.

use super::read::{Constraint, File, Kind};
use super::words::{Names, parity_sentence, sentence, sum_sentence};
use super::{ExportError, Formula, Head, Model};
use counterpoint_encodings::Lit;
use std::io::{self, Write};

/// A hard constraint that a model violates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {constraint}")]
pub struct Violation {
    /// The line of the constraint in the file, from 1.
    pub line: u32,
    /// The constraint in words.
    pub constraint: String,
}

/// Tests whether a model satisfies all hard constraints of a file, and returns the cost of the violated soft ones.
///
/// # Errors
/// Returns the first hard constraint that is violated.
pub fn verify_model(file: &File, model: &Model) -> Result<u64, Violation> {
    if let Some(constraint) = file.hard.iter().find(|c| !holds(c, model)) {
        let names = Names::new(file.n_vars, &file.names);
        let Constraint { line, kind, lits, .. } = constraint;
        let sum = || constraint.linear(|linear| sum_sentence(linear, &names));
        let demand = match kind {
            Kind::Odd => parity_sentence(lits, true, &names),
            _ => sum().unwrap_or_else(|| sentence(lits, &names)),
        };
        let unassigned = lits.iter().find(|&&lit| model.value(lit).is_none());
        let partial = match unassigned {
            Some(lit) => format!("; {} has no value", sentence(&[lit.var().pos_lit()], &names)),
            None => String::new(),
        };
        return Err(Violation { line, constraint: demand + &partial });
    }
    let violated = file.soft.iter().filter(|c| !holds(c, model));
    // The sum saturates, because the weights in a file may be of any size.
    let weights = violated.map(|c| if let Kind::Soft(weight) = c.kind { weight } else { 0 });
    Ok(weights.fold(0, u64::saturating_add))
}

/// Whether the model satisfies a constraint. If a variable has no value, its literals are not true, and a parity
/// constraint or linear constraint that contains it is not satisfied.
fn holds(constraint: &Constraint<'_>, model: &Model) -> bool {
    let is_true = |lit: &&Lit| model.value(**lit) == Some(true);
    let known = || constraint.lits.iter().all(|&lit| model.value(lit).is_some());
    match constraint.kind {
        Kind::Sum { .. } => {
            known() && constraint.linear(|linear| linear.holds(|lit| is_true(&&lit))) == Some(true)
        }
        Kind::Odd => known() && constraint.lits.iter().filter(is_true).count() % 2 == 1,
        _ => constraint.lits.iter().any(|lit| is_true(&lit)),
    }
}

/// Writes a formula again and describes the first line in which the file differs from it; `None` if there is none.
/// Blank lines and spaces at the ends of lines are ignored. `head` must be made from the instance that was read from
/// the file, and not be copied from the file. Otherwise, additions to the file's head that the reader ignored would go
/// unnoticed.
///
/// Comments are compared with comments and constraints with constraints, because earlier versions wrote the comments
/// for names and groups between the clauses.
///
/// # Errors
/// Returns why the formula cannot be written.
pub fn first_difference(
    file: &File,
    head: &Head,
    formula: &dyn Formula,
) -> Result<Option<String>, ExportError> {
    let (comments, constraints) =
        (file.lines().filter(is_comment), file.lines().filter(|line| !is_comment(line)));
    let mut compare = Compare { comments, constraints, begun: Vec::new(), difference: None };
    super::write(file.format, head, formula, &mut compare)?;
    let Compare { mut comments, mut constraints, difference, .. } = compare;
    Ok(difference.or_else(|| {
        let extra = [comments.next(), constraints.next()].into_iter().flatten().min()?;
        Some(format!("line {}: the formula ends before this line", extra.0))
    }))
}

fn is_comment((_, line): &(usize, &str)) -> bool {
    super::read::comment(line).is_some()
}

/// Whether a line of a file is the expected one. In files of earlier versions, a group's comment has no number:
/// `c group LABEL`.
fn is_same(expected: &[u8], found: &str) -> bool {
    let found = found.trim_ascii_end();
    let unnumbered = || {
        let label = std::str::from_utf8(expected).ok()?.strip_prefix("c group ")?.split_once(' ')?.1;
        Some(found.strip_prefix("c group ")? == label)
    };
    found.as_bytes() == expected || unnumbered() == Some(true)
}

/// The maximum number of bytes of a line in a message.
const MAX_SHOWN: usize = 200;

/// A writer that compares each written line with the next line of the same kind (comment or constraint) in the file.
struct Compare<C, D> {
    comments: C,
    constraints: D,
    /// The part of the current line that has been written so far.
    begun: Vec<u8>,
    difference: Option<String>,
}

impl<'a, C, D> Compare<C, D>
where
    C: Iterator<Item = (usize, &'a str)>,
    D: Iterator<Item = (usize, &'a str)>,
{
    fn compare_line(&mut self) {
        let line = self.begun.trim_ascii_end();
        let shown = || match line.get(..MAX_SHOWN) {
            Some(start) => format!("{}...", String::from_utf8_lossy(start)),
            None => String::from_utf8_lossy(line).into_owned(),
        };
        let is_comment = super::read::comment(&String::from_utf8_lossy(line)).is_some();
        let found = if is_comment { self.comments.next() } else { self.constraints.next() };
        self.difference = match found {
            Some((_, found)) if is_same(line, found) => None,
            Some((number, _)) => Some(format!("line {number}: expected {}", shown())),
            None => Some(format!("the file ends before the line {}", shown())),
        };
        self.begun.clear();
    }
}

impl<'a, C, D> Write for Compare<C, D>
where
    C: Iterator<Item = (usize, &'a str)>,
    D: Iterator<Item = (usize, &'a str)>,
{
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.difference.is_some() {
                break;
            }
            self.begun.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.compare_line();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
