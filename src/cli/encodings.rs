//! `list encodings`: a table of the sizes for a given number of literals, and one of the formulas for these sizes.

use super::exit::{Failure, Status};
use super::table::{Table, table, wrapped};
use counterpoint_encodings::{Entry, ModelCount, catalogue};
use std::io::Write;

const HEAD: &[&str] =
    &["constraint", "encoding", "bounds", ">variables", ">clauses", "models", "propagation", "reference"];

const LEGEND: &str = "\
Variables: the number of auxiliary variables. Variables and clauses are those for n = 64 literals and the bound k = 8. \
The table below gives formulas in closed form.
Models: alone, the formula has one model for each solution of the constraint; projected, only its projection to \
the literals does; exactly, alone if the bound is = 1, otherwise projected.
Propagation: complete, unit propagation derives every implied literal.
";

pub(super) fn run(out: &mut dyn Write) -> Result<Status, Failure> {
    writeln!(out, "{}\n\n{}\n{}", sizes(), wrapped(LEGEND), formulas())?;
    Ok(Status::Done)
}

/// The catalogue with sizes for 64 literals.
pub(super) fn sizes() -> Table {
    table(HEAD, catalogue().map(row).collect())
}

/// The formulas for the sizes, where there is one in closed form.
pub(super) fn formulas() -> Table {
    let closed = |entry: &Entry| entry.clauses.contains(|c: char| c.is_ascii_digit());
    let row = |entry: Entry| {
        // The part after the comma, which explains letters, is repeated in the formula for the clauses.
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
        Some((vars, clauses)) => (vars.to_string(), short(clauses)),
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
