//! A model against a file, and a file against the formula that it says it holds.

use super::read::{Constraint, File, Kind};
use super::words::{Names, parity_sentence, sentence};
use super::{Formula, Head, Model};
use counterpoint_encodings::Lit;
use std::io::{self, Write};

/// The first constraint of the file that must hold and that the model does not satisfy: its line, and why.
/// `None` if there is none; then the cost of the broken soft ones comes back.
///
/// # Errors
/// The constraint, in words.
pub fn first_false(file: &File, model: &Model) -> Result<u64, String> {
    if let Some(constraint) = file.hard.iter().find(|c| !holds(c, model)) {
        let names = Names::new(file.n_vars, &file.names);
        let Constraint { line, kind, lits } = constraint;
        let demand = match kind {
            Kind::Odd => parity_sentence(lits, true, &names),
            _ => sentence(lits, &names),
        };
        let open: Vec<Lit> = lits.iter().copied().filter(|&lit| model.value(lit).is_none()).collect();
        let partial = match open.first() {
            Some(&lit) => format!("; {} has no value", sentence(&[lit.var().pos_lit()], &names)),
            None => String::new(),
        };
        return Err(format!("line {line}: {demand}{partial}"));
    }
    let broken = file.soft.iter().filter(|c| !holds(c, model));
    // A file may say any weights.
    let weights = broken.map(|c| if let Kind::Soft(weight) = c.kind { weight } else { 0 });
    Ok(weights.fold(0, u64::saturating_add))
}

/// Whether the values that there are suffice.
fn holds(constraint: &Constraint<'_>, model: &Model) -> bool {
    let is_true = |lit: &&Lit| model.value(**lit) == Some(true);
    match constraint.kind {
        Kind::Odd => {
            let known = constraint.lits.iter().all(|&lit| model.value(lit).is_some());
            known && constraint.lits.iter().filter(is_true).count() % 2 == 1
        }
        _ => constraint.lits.iter().any(|lit| is_true(&lit)),
    }
}

/// Where the file first departs from what is written anew with this head, line by line; how a line ends does
/// not matter, and neither do empty ones. The head is that of what was read, since a reader may overlook what
/// somebody added.
///
/// Comments are held against comments and constraints against constraints, because earlier versions wrote
/// names and groups between the clauses and did not number the groups.
///
/// # Errors
/// Why there is no such formula.
pub fn first_difference(file: &File, head: &Head, formula: &dyn Formula) -> Result<Option<String>, String> {
    let (comments, constraints) =
        (file.lines().filter(is_comment), file.lines().filter(|line| !is_comment(line)));
    let mut compare = Compare { comments, constraints, begun: Vec::new(), difference: None };
    super::write(file.format, head, formula, &mut compare).map_err(|error| error.to_string())?;
    let Compare { mut comments, mut constraints, difference, .. } = compare;
    Ok(difference.or_else(|| {
        let extra = [comments.next(), constraints.next()].into_iter().flatten().min()?;
        Some(format!("line {}: the formula has ended before", extra.0))
    }))
}

fn is_comment((_, line): &(usize, &str)) -> bool {
    super::read::comment(line).is_some()
}

/// A line of ours and one of a file, or of an earlier version's file: `c group LABEL` where ours has the
/// group's first constraint, too.
fn is_same(ours: &[u8], found: &str) -> bool {
    let found = found.trim_ascii_end();
    let unnumbered = || {
        let label = std::str::from_utf8(ours).ok()?.strip_prefix("c group ")?.split_once(' ')?.1;
        Some(found.strip_prefix("c group ")? == label)
    };
    found.as_bytes() == ours || unnumbered() == Some(true)
}

/// The longest part of a line that is shown.
const MAX_SHOWN: usize = 200;

/// Meets each line that is written with the file's next of its kind.
struct Compare<C, D> {
    comments: C,
    constraints: D,
    /// A line whose end is still to come.
    begun: Vec<u8>,
    difference: Option<String>,
}

impl<'a, C, D> Compare<C, D>
where
    C: Iterator<Item = (usize, &'a str)>,
    D: Iterator<Item = (usize, &'a str)>,
{
    fn meet(&mut self) {
        let line = self.begun.trim_ascii_end();
        let shown = || match line.get(..MAX_SHOWN) {
            Some(start) => format!("{}...", String::from_utf8_lossy(start)),
            None => String::from_utf8_lossy(line).into_owned(),
        };
        let ours = super::read::comment(&String::from_utf8_lossy(line)).is_some();
        let found = if ours { self.comments.next() } else { self.constraints.next() };
        self.difference = match found {
            Some((_, found)) if is_same(line, found) => None,
            Some((number, _)) => Some(format!("line {number}: the formula has {} there", shown())),
            None => Some(format!("the file ends before {}", shown())),
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
                self.meet();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
