//! Writes text: the answer that the judge expects, and a board as rows. Reads such an answer back.

use super::answer::Answer;
use super::{Goal, Instance, Rules};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::errors::FormatError;
use counterpoint_core::problem::Verdict;
use std::io::{self, Write};

/// Writes the number of presses, or `Impossible`, on a line.
///
/// # Errors
/// Returns any error of `out`.
pub fn write(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    match answer {
        Answer::Presses { presses, .. } => writeln!(out, "{}", presses.total()),
        Answer::Number { presses, .. } => writeln!(out, "{presses}"),
        Answer::Impossible(_) => out.write_all(b"Impossible\n"),
    }
}

/// Reads what a program for the judge prints about one board. The number counts as the fewest presses if the rules ask
/// for the fewest.
///
/// # Errors
/// Returns a message that says what was found and what the judge expects.
pub fn read_verdict(rules: &Rules, _: &Instance, output: &[u8]) -> Result<Answer, FormatError> {
    let mut verdict = Verdict::new(output);
    let answer = verdict.line("a number of presses or 'Impossible'", |line| {
        if line == "Impossible" {
            return Some(Answer::Impossible(None));
        }
        // `parse` accepts signs and leading zeros, but the judge does not.
        let presses = line.parse::<usize>().ok().filter(|number| number.to_string() == line)?;
        Some(Answer::Number { presses, optimal: rules.goal == Goal::Fewest })
    })?;
    verdict.end()?;
    Ok(answer)
}

/// Returns the board as rows of `b` and `w`, or as rows of digits if there are more than two colours.
pub fn write_instance(rules: &Rules, instance: &Instance) -> String {
    let Size { width, height } = instance.size;
    let mut text = String::with_capacity(instance.size.cells() + height as usize);
    for row in 0..height {
        for col in 0..width {
            let colour = instance.squares.get(instance.size.index(Cell::new(row, col)));
            text.push(match (rules.colours, colour) {
                (2, 0) => 'w',
                (2, _) => 'b',
                // Colours are below 10.
                (_, digit) => char::from_digit(digit, 10).unwrap_or('?'),
            });
        }
        text.push('\n');
    }
    text
}
