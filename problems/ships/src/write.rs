//! Writes the judge's lines for a game, reads those of other programs, and writes a board with its header.

use super::answer::{Answer, Verdict};
use super::{Instance, Rules, Square};
use counterpoint_core::errors::FormatError;
use counterpoint_core::problem;
use std::io::{self, Write};

/// Writes `Game #` and `index`, then `yes.` or `no.`, then a blank line. If no fleet fits, the answer is `no.`.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write(index: usize, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let word = match answer {
        Answer::Yes { .. } | Answer::Verdict(Verdict::Yes) => "yes",
        Answer::No { .. } | Answer::NoFleet | Answer::Verdict(Verdict::No) => "no",
    };
    writeln!(out, "Game #{index}\n{word}.\n")
}

/// Reads what a program for the judge prints about one game: the lines of [`write()`] for game 1.
///
/// # Errors
/// Returns a message that says what was found and what the judge expects.
pub fn read_verdict(_: &Rules, _: &Instance, printed: &[u8]) -> Result<Answer, FormatError> {
    let mut lines = problem::Verdict::new(printed);
    lines.line("'Game #1'", |line| (line == "Game #1").then_some(()))?;
    let verdict = lines.line("'yes.' or 'no.'", |line| match line {
        "yes." => Some(Verdict::Yes),
        "no." => Some(Verdict::No),
        _ => None,
    })?;
    lines.end()?;
    Ok(Answer::Verdict(verdict))
}

/// A remark if no fleet fits; `None` for other answers. The judge's output does not show that no fleet fits.
pub fn remark(answer: &Answer) -> Option<String> {
    (*answer == Answer::NoFleet).then(|| "no fleet fits this board".to_owned())
}

/// A header, the board, and the end mark. The header is always `w h`, in the order of UVa. A reader with `dialect=auto`
/// infers this order from the rows.
pub fn write_instance(instance: &Instance) -> String {
    let mut text = format!("{} {}\n", instance.size.width, instance.size.height);
    for row in instance.squares.chunks(instance.size.width as usize) {
        text.extend(row.iter().map(|&square| symbol(square)));
        text.push('\n');
    }
    text.push_str("0 0\n");
    text
}

/// The character for a square.
pub fn symbol(square: Square) -> char {
    match square {
        Square::Unknown => '.',
        Square::Hit => 'x',
        Square::Miss => 'o',
    }
}
