//! Text out: the judge's number, and a board as rows.

use super::answer::Answer;
use super::{Instance, Rules};
use std::io::{self, Write};

/// The number of presses or `Impossible`, on a line.
///
/// # Errors
/// Those of `out`.
pub fn write(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    match answer {
        Answer::Presses { cells, .. } => writeln!(out, "{}", cells.len()),
        Answer::Impossible(_) => writeln!(out, "Impossible"),
    }
}

/// The board as rows of `b` and `w`.
pub fn write_instance(_: &Rules, instance: &Instance) -> String {
    let width = instance.size.width as usize;
    let mut text = String::with_capacity(instance.size.cells() + instance.size.height as usize);
    for index in 0..instance.size.cells() {
        text.push(if instance.black.get(index) { 'b' } else { 'w' });
        if index % width == width - 1 {
            text.push('\n');
        }
    }
    text
}
