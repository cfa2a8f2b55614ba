//! `list encodings`: a table of the sizes for a given number of literals, and a table of the sizes in closed form.

use super::exit::{Failure, Status};
use super::table::{Table, table, wrapped};
use counterpoint_encodings::{Entry, ModelCount, catalogue};
use std::io::Write;

const HEAD: &[&str] =
    &["constraint", "encoding", "bounds", ">variables", ">clauses", "models", "propagation", "reference"];

const LEGEND: &str = "\
Variables: auxiliary variables only. The table above is for n = 64 literals and the bound k = 8. The table below gives \
the numbers of variables and clauses in closed form.
Models: 'alone' means that the formula has exactly one model for each solution of the constraint; 'projected' means \
that it may have several, which differ in auxiliary variables; 'exactly' means 'alone' for the bound = 1 and \
'projected' for the bound <= 1.
Propagation: 'complete' means that unit propagation derives every implied literal.
";

pub(super) fn run(out: &mut dyn Write) -> Result<Status, Failure> {
    writeln!(out, "{}\n\n{}\n{}", sizes(), wrapped(LEGEND), formulas())?;
    Ok(Status::Done)
}

/// The catalogue with sizes for 64 literals.
pub(super) fn sizes() -> Table {
    table(HEAD, catalogue().map(row).collect())
}

/// The sizes in closed form. Encodings whose number of clauses has no closed form are left out.
pub(super) fn formulas() -> Table {
    let closed = |entry: &Entry| entry.clauses.contains(|c: char| c.is_ascii_digit());
    let row = |entry: Entry| {
        // Explanations of letters follow a comma. They are omitted here, because the column of clauses repeats them.
        let vars = entry.vars.split(", ").next().unwrap_or_default();
        vec![
            format!("{} {}", entry.name, entry.constraint.bounds()),
            vars.to_owned(),
            entry.clauses.to_owned(),
        ]
    };
    table(&["encoding, bounds", "variables", "clauses"], catalogue().filter(closed).map(row).collect())
}

/// The row of an encoding, with the sizes for 64 literals and the bound 8.
fn row(entry: Entry) -> Vec<String> {
    let (vars, clauses) = match entry.constraint.size(64, 8) {
        Some(size) => (size.vars.to_string(), short(size.clauses)),
        None => ("–".to_owned(), "–".to_owned()),
    };
    let counts = match entry.models {
        ModelCount::Exact => "alone",
        ModelCount::ExactIfExactlyOne => "exactly",
        ModelCount::Projected => "projected",
    };
    let propagation = if entry.propagates { "complete" } else { "incomplete" };
    let words = [entry.constraint.family(), entry.name, entry.constraint.bounds(), &vars, &clauses];
    words.into_iter().chain([counts, propagation, entry.reference]).map(str::to_owned).collect()
}

/// A count; a large power of two is written as a power.
fn short(n: u64) -> String {
    if n > 1 << 32 && n.is_power_of_two() { format!("2^{}", n.ilog2()) } else { n.to_string() }
}
