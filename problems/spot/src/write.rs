//! Writes answers in the judge's format, reads them back, and writes instances as input.

use super::answer::{Answer, Ending, Finding};
use super::{Instance, Rules};
use counterpoint_core::errors::FormatError;
use counterpoint_core::problem::Verdict;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes `Player P wins on move M` or `Draw`; for a smudged record, writes a line for each ending, with its status.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn write(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    match answer {
        Answer::Repeat { mv, .. } | Answer::RepeatAt(mv) => writeln!(out, "{}", Ending::Repeat(*mv)),
        Answer::Draw => writeln!(out, "{}", Ending::Draw),
        Answer::Smudged(findings) => {
            for (ending, finding) in Ending::all(findings.len().saturating_sub(1)).zip(findings) {
                writeln!(out, "{ending}: {}", finding.word())?;
            }
            Ok(())
        }
    }
}

/// Reads what a program for the judge prints about one game; for a smudged record, a line for each ending.
///
/// # Errors
/// Returns a message that says what was found and what the judge expects.
pub fn read_verdict(_: &Rules, instance: &Instance, output: &[u8]) -> Result<Answer, FormatError> {
    let mut verdict = Verdict::new(output);
    let answer = if instance.first_unknown().is_none() {
        let expected = "'Draw' or 'Player P wins on move M', where P did not make move M";
        verdict.line(expected, |line| match ending(line)? {
            Ending::Repeat(mv) => Some(Answer::RepeatAt(mv)),
            Ending::Draw => Some(Answer::Draw),
        })?
    } else {
        let endings = Ending::all(instance.record.len());
        let findings = endings.map(|ending| {
            let expected = format!("'{ending}: possible', '{ending}: refuted' or '{ending}: open'");
            verdict.line(&expected, |line| finding(line.strip_prefix(&format!("{ending}: "))?))
        });
        Answer::Smudged(findings.collect::<Result<_, _>>()?)
    };
    verdict.end()?;
    Ok(answer)
}

/// The ending that the judge writes as this line.
fn ending(line: &str) -> Option<Ending> {
    if line == "Draw" {
        return Some(Ending::Draw);
    }
    let (_, mv) = line.rsplit_once(' ')?;
    let mv = mv.parse().ok().filter(|mv| *mv > 0)?;
    Some(Ending::Repeat(mv)).filter(|ending| ending.to_string() == line)
}

fn finding(word: &str) -> Option<Finding> {
    [Finding::Unwitnessed, Finding::Refuted, Finding::Open].into_iter().find(|f| f.word() == word)
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
