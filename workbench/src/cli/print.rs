//! Formats diagnostics, times and counters.

use super::table::hung_on_stderr;
use super::texts::visible;
use super::{program, progress};
use crate::engine::Work;
use std::fmt;
use std::io::Write;
use std::time::Duration;

/// Prints a line on standard error, wrapped at the width of the terminal. An error is ignored, because it could not be
/// reported.
pub(super) fn warn(message: &str) {
    progress::suspended(|| {
        let line = hung_on_stderr(&format!("{}: {}", program::name(), visible(message)), 2);
        let _ = writeln!(anstream::stderr(), "{line}");
    });
}

/// Prints an error in the arguments on standard error, wrapped at the width of the terminal. An error is ignored, because
/// it could not be reported.
pub(super) fn argument_error(error: &clap::Error) {
    let _ = write!(anstream::stderr(), "{}", hung_on_stderr(&error.render().ansi().to_string(), 4));
}

/// A duration in seconds, milliseconds or microseconds.
pub(super) fn duration(time: Duration) -> String {
    seconds(time.as_secs_f64())
}

/// Like [`duration`], for a number of seconds.
pub(super) fn seconds(s: f64) -> String {
    match s {
        _ if s >= 1.0 => format!("{s:.2} s"),
        _ if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        _ => format!("{:.0} µs", s * 1e6),
    }
}

/// A number of bytes in mebibytes, or in gibibytes from 1 GiB on.
pub(super) fn bytes(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 1024.0 { format!("{mebibytes:.1} MiB") } else { format!("{:.2} GiB", mebibytes / 1024.0) }
}

/// A count with its noun: `1 game`, `2 games`.
pub(super) fn plural(n: impl fmt::Display, one: &str) -> String {
    let n = n.to_string();
    if n == "1" { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// The nonzero counters in words.
pub(super) fn describe(work: &Work) -> String {
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
    if parts.is_empty() { "no search needed".to_owned() } else { parts.join(", ") }
}
