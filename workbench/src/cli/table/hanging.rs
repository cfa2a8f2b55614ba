//! Running text on a terminal: long lines are wrapped, with a hanging indentation.

use super::terminal_width;
use anstream::adapter::strip_str;
use rustix::termios::tcgetwinsize;
use std::io::{self, IsTerminal, Write};
use unicode_width::UnicodeWidthStr;

/// A line, wrapped at blanks to the width of the terminal. Further lines are indented by `indent` blanks. If standard
/// output is not a terminal, the line is left as it is.
pub(in crate::cli) fn hung(line: &str, indent: usize) -> String {
    hung_in(line, indent, terminal_width().unwrap_or(usize::MAX))
}

/// Like [`hung`], for each line of a message on standard error.
pub(in crate::cli) fn hung_on_stderr(message: &str, indent: usize) -> String {
    let size = io::stderr().is_terminal().then(|| tcgetwinsize(io::stderr()).ok()).flatten();
    let width = size.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0);
    let lines = message.split('\n').map(|line| hung_in(line, indent, width.unwrap_or(usize::MAX)));
    lines.collect::<Vec<_>>().join("\n")
}

/// A writer that wraps the lines of a text like [`hung`].
pub(in crate::cli) struct Hanging<'a> {
    out: &'a mut dyn Write,
    indent: usize,
    width: usize,
    /// The line that has not ended yet.
    line: Vec<u8>,
}

impl<'a> Hanging<'a> {
    /// Writes to standard output.
    pub(in crate::cli) fn new(out: &'a mut dyn Write, indent: usize) -> Self {
        Hanging { out, indent, width: terminal_width().unwrap_or(usize::MAX), line: Vec::new() }
    }
}

impl Write for Hanging<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.width == usize::MAX {
            return self.out.write(bytes);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if let Some(line) = self.line.strip_suffix(b"\n") {
                let line = hung_in(&String::from_utf8_lossy(line), self.indent, self.width);
                writeln!(self.out, "{line}")?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The number of columns of a text. The codes of colours take no space.
fn across(text: &str) -> usize {
    strip_str(text).to_string().width()
}

fn hung_in(line: &str, indent: usize, width: usize) -> String {
    if line.len() <= width || across(line) <= width {
        return line.to_owned();
    }
    let mut lines = vec![String::new()];
    for (i, word) in line.split(' ').enumerate() {
        let Some(last) = lines.last_mut() else { continue };
        if i == 0 {
            last.push_str(word);
        } else if word.is_empty() || across(last) + 1 + across(word) <= width || last.trim().is_empty() {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(" ".repeat(indent) + word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{Hanging, Write, hung_in};

    #[test]
    fn long_lines_hang_below_their_first_word() {
        let line = "  witness     each listed set is covered by a fleet";
        assert_eq!(hung_in(line, 14, 51), line);
        let expected = "  witness     each listed set\n              is covered by a\n              fleet";
        assert_eq!(hung_in(line, 14, 30), expected);
        assert_eq!(hung_in("", 2, 30), "");
        assert_eq!(hung_in("a verylongword b", 2, 6), "a\n  verylongword\n  b");
        assert_eq!(hung_in("\u{1b}[1mone\u{1b}[0m two three", 2, 9), "\u{1b}[1mone\u{1b}[0m two\n  three");
    }

    #[test]
    fn a_writer_wraps_whole_lines() {
        let mut text = Vec::new();
        let mut out = Hanging { out: &mut text, indent: 4, width: 12, line: Vec::new() };
        for part in ["group:\n  not bo", "th a and b\n", "  a\n"] {
            out.write_all(part.as_bytes()).unwrap();
        }
        assert_eq!(String::from_utf8(text).unwrap(), "group:\n  not both a\n    and b\n  a\n");
    }
}
