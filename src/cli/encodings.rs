//! `list encodings`: the catalogue by numbers, and below it by formula, since formulas are long.

use super::exit::{Failure, Status};
use super::table::{Table, table, wrapped};
use counterpoint_encodings::{Entry, ModelCount, catalogue};
use std::io::Write;

const HEAD: &[&str] =
    &["constraint", "encoding", "bounds", ">variables", ">clauses", "models", "propagation", "reference"];

const LEGEND: &str = "\
Variables (new ones) and clauses: those of n = 64 literals, counted to k = 8; formulas, where one is closed, \
stand below.
Models: alone, one to one with those of the constraint; projected, one to one on the literals alone; exactly, \
alone where = 1 is demanded, else projected.
Propagation: complete, unit propagation finds each literal that follows.
";

pub(super) fn run(out: &mut dyn Write) -> Result<Status, Failure> {
    writeln!(out, "{}\n\n{}\n{}", sizes(), wrapped(LEGEND), formulas())?;
    Ok(Status::Done)
}

/// The catalogue by numbers.
pub(super) fn sizes() -> Table {
    table(HEAD, catalogue().map(row).collect())
}

/// The catalogue by formula, where one is closed.
pub(super) fn formulas() -> Table {
    let closed = |entry: &Entry| entry.clauses.contains(|c: char| c.is_ascii_digit());
    let row = |entry: Entry| {
        // What its letters mean is said with the clauses, too.
        let vars = entry.vars.split(", ").next().unwrap_or_default();
        vec![
            format!("{} {}", entry.name, entry.constraint.bounds()),
            vars.to_owned(),
            entry.clauses.to_owned(),
        ]
    };
    table(&["encoding, bounds", "variables", "clauses"], catalogue().filter(closed).map(row).collect())
}

/// A row with the sizes for 64 literals, counted to 8.
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

/// Large powers of two as such.
fn short(n: u64) -> String {
    if n > 1 << 32 && n.is_power_of_two() { format!("2^{}", n.ilog2()) } else { n.to_string() }
}
