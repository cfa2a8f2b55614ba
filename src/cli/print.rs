//! Texts that several commands print: diagnostics, times, counters.

use super::program;
use crate::engine::Work;
use std::io::Write;
use std::time::Duration;

/// A line on standard error. If nobody can read it, there is nothing to be done.
pub(super) fn warn(message: &str) {
    let _ = writeln!(anstream::stderr(), "{}: {message}", program::name());
}

/// Text that shall not be overlooked: red where colours are shown.
pub(super) fn loud(text: &str) -> String {
    format!("\x1b[1;31m{text}\x1b[0m")
}

/// Seconds, milliseconds or microseconds, with three digits.
pub(super) fn duration(time: Duration) -> String {
    seconds(time.as_secs_f64())
}

/// The same of a number of seconds, which may come from a file.
pub(super) fn seconds(s: f64) -> String {
    match s {
        _ if s >= 1.0 => format!("{s:.2} s"),
        _ if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        _ => format!("{:.0} µs", s * 1e6),
    }
}

/// A text in one line, whatever came into it from a file.
pub(super) fn one_line(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// The counters that are not zero.
pub(super) fn describe(work: &Work) -> String {
    let plural = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let counted = [
        (work.nodes, "node"),
        (work.solves, "call"),
        (work.conflicts, "conflict"),
        (work.decisions, "decision"),
        (work.propagations, "propagation"),
        (work.variables, "variable"),
        (work.clauses, "clause"),
    ];
    let parts: Vec<_> = counted.iter().filter(|(n, _)| *n > 0).map(|&(n, one)| plural(n, one)).collect();
    if parts.is_empty() { "nothing to search".to_owned() } else { parts.join(", ") }
}
