//! Writes answers in the judge's format, and instances as input.

use super::answer::{Answer, Ending};
use super::{Instance, Rules};
use std::fmt::Write as _;
use std::io::{self, Write};

/// `Player P wins on move M` or `Draw`; for a smudged record one line per ending, with its status.
///
/// # Errors
/// `out` cannot be written.
pub fn write(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    match answer {
        Answer::Repeat { mv, .. } => writeln!(out, "{}", Ending::Repeat(*mv)),
        Answer::Draw => writeln!(out, "{}", Ending::Draw),
        Answer::Smudged(findings) => {
            for (ending, finding) in Ending::all(findings.len().saturating_sub(1)).zip(findings) {
                writeln!(out, "{ending}: {}", finding.word())?;
            }
            Ok(())
        }
    }
}

/// The record as a complete input, with the end mark.
pub fn write_instance(_: &Rules, instance: &Instance) -> String {
    let mut text = format!("{}\n", instance.n);
    for entry in &instance.record {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{entry}");
    }
    text + "0\n"
}
