//! Output: the judge's lines for a game, and a board with its header.

use super::answer::Answer;
use super::{Instance, Square};
use std::io::{self, Write};

/// `Game #k`, then `yes.` or `no.`, then a blank line. If no fleet fits, the answer is `no.`.
///
/// # Errors
/// Those of `out`.
pub fn write(index: usize, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let word = match answer {
        Answer::Yes { .. } => "yes",
        Answer::No { .. } | Answer::NoFleet => "no",
    };
    writeln!(out, "Game #{index}\n{word}.\n")
}

/// A remark on what the judge's output does not show.
pub fn remark(answer: &Answer) -> Option<String> {
    (*answer == Answer::NoFleet).then(|| "no fleet fits this board".to_owned())
}

/// The board after a `w h` header, followed by the end mark. The order is always UVa's; a reader infers it from the
/// rows.
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
