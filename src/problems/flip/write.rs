//! Writes text: the answer that the judge expects, and a board as rows.

use super::answer::Answer;
use super::{Instance, Rules};
use crate::board::{Cell, Size};
use std::io::{self, Write};

/// Writes the number of presses, or `Impossible`, on a line.
///
/// # Errors
/// Returns any error of `out`.
pub fn write(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    match answer {
        Answer::Presses { presses, .. } => writeln!(out, "{}", presses.total()),
        Answer::Impossible(_) => out.write_all(b"Impossible\n"),
    }
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
