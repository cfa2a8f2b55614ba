//! Formats diagnostics, times and counters.

use super::table::hung_on_stderr;
use super::{program, progress};
use crate::engine::Work;
use std::borrow::Cow;
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

/// The codes before and after an emphasized text: bold and red, and neither.
const EMPHASIS: [&str; 2] = ["\x1b[1;31m", "\x1b[0m"];

/// Emphasizes a text: bold and red if colours are shown.
pub(super) fn emphasized(text: &str) -> String {
    let [begin, end] = EMPHASIS;
    format!("{begin}{text}{end}")
}

/// A text as a terminal may show it: characters that would control the terminal or change the direction of the text are
/// escaped, except the ends of lines, tabs and what [`emphasized`] adds. Files of others may contain such characters.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || turns_text(c));
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let code = EMPHASIS.into_iter().find(|code| rest.starts_with(code));
        let length = code.map_or(c.len_utf8(), str::len);
        match code {
            Some(code) => shown.push_str(code),
            None if is_plain(c) => shown.push(c),
            None => shown.extend(c.escape_unicode()),
        }
        rest = &rest[length..];
    }
    Cow::Owned(shown)
}

/// Whether a character changes the direction of the text (Unicode Standard Annex 9, table 4).
fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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

/// A text on one line: control characters, and those that change the direction of the text, are escaped.
pub(super) fn one_line(text: &str) -> String {
    let is_special = |c: char| c.is_control() || turns_text(c);
    let shown = |c: char| if is_special(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
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

#[cfg(test)]
mod tests {
    use super::{emphasized, one_line, visible};

    #[test]
    fn a_text_controls_no_terminal() {
        let hostile = "a\u{1b}]0;title\u{7}\u{9b}31m\u{202e}b\r\tc\nd";
        assert_eq!(visible(hostile), "a\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{202e}b\\u{d}\tc\nd");
        assert_eq!(one_line(hostile), "a\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{202e}b\\r\\tc\\nd");
        // Our own emphasis remains.
        let text = format!("{}: \u{1b}[5m", emphasized("WRONG"));
        assert_eq!(visible(&text), format!("{}: \\u{{1b}}[5m", emphasized("WRONG")));
        assert_eq!(visible("½ µs, naïve, 船"), "½ µs, naïve, 船");
    }
}
