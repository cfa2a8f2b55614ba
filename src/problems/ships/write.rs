//! Text out: the judge's two lines and a blank one, and a board with its header.

use super::answer::Answer;
use super::{Instance, Square};
use std::io::{self, Write};

/// `Game #k`, then `yes.` or `no.`, then a blank line. Where no fleet fits, nothing can be won.
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

/// What the judge's words do not say.
pub fn remark(answer: &Answer) -> Option<String> {
    (*answer == Answer::NoFleet).then(|| "no fleet fits this board".to_owned())
}

/// The board behind a `w h` header, with the end mark. Always UVa's order: the rows tell it to
/// whoever reads it back.
pub fn write_instance(instance: &Instance) -> String {
    let mut text = format!("{} {}\n", instance.size.width, instance.size.height);
    for row in instance.squares.chunks(instance.size.width as usize) {
        text.extend(row.iter().map(|&square| symbol(square)));
        text.push('\n');
    }
    text.push_str("0 0\n");
    text
}

/// How a square is written.
pub fn symbol(square: Square) -> char {
    match square {
        Square::Unknown => '.',
        Square::Hit => 'x',
        Square::Miss => 'o',
    }
}
