//! The lines that a program for the judge prints, and messages about lines that the judge does not expect.

use crate::errors::FormatError;

/// The maximum number of bytes of a line that a message quotes.
const MAX_QUOTED: usize = 60;

/// The lines of a verdict, without white space at the ends of lines and without empty lines at the end.
pub struct Verdict<'a> {
    lines: Vec<&'a [u8]>,
    /// How many of the lines were read.
    read: usize,
}

impl<'a> Verdict<'a> {
    /// The lines of a program's output.
    pub fn new(output: &'a [u8]) -> Self {
        let output = output.trim_ascii_end();
        let lines = if output.is_empty() {
            Vec::new()
        } else {
            output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect()
        };
        Verdict { lines, read: 0 }
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Reads the next line with `read`, which returns `None` for any other line than the expected ones.
    ///
    /// # Errors
    /// Returns an error if there are no more lines, or if the line is not an expected one. The message gives the number
    /// of the line, what was found and `expected`.
    pub fn line<T>(
        &mut self,
        expected: &str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, FormatError> {
        let Some(line) = self.lines.get(self.read) else {
            return Err(match self.read {
                0 => format!("its output is empty; expected {expected}"),
                1 => format!("its output ends after 1 line; expected {expected}"),
                n => format!("its output ends after {n} lines; expected {expected}"),
            }
            .into());
        };
        self.read += 1;
        let value = std::str::from_utf8(line).ok().and_then(read);
        value.ok_or_else(|| self.unexpected(line, expected))
    }

    /// Tests that all lines were read.
    ///
    /// # Errors
    /// Returns a message about the next line, with its number, if there is one.
    pub fn end(mut self) -> Result<(), FormatError> {
        match self.lines.get(self.read) {
            None => Ok(()),
            Some(line) => {
                self.read += 1;
                Err(self.unexpected(line, "nothing more"))
            }
        }
    }

    /// The message for the line that was read last.
    fn unexpected(&self, line: &[u8], expected: &str) -> FormatError {
        let shown = &line[..line.len().min(MAX_QUOTED)];
        let dots = if line.len() > MAX_QUOTED { "…" } else { "" };
        format!("its output, line {}: found '{}{dots}'; expected {expected}", self.read, shown.escape_ascii())
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_order() -> Result<(), FormatError> {
        let mut verdict = Verdict::new(b"1 \r\n\n2\n \n\t\n");
        assert_eq!((verdict.len(), verdict.is_empty()), (3, false));
        assert_eq!(verdict.line("a number", |line| line.parse().ok()), Ok(1));
        assert_eq!(verdict.line("an empty line", |line| line.is_empty().then_some(())), Ok(()));
        assert_eq!(verdict.line("a number", |line| line.parse().ok()), Ok(2));
        verdict.end()
    }

    #[test]
    fn messages_name_the_line_and_what_is_expected() {
        let number = |output: &[u8]| {
            let mut verdict = Verdict::new(output);
            let first: u8 = verdict.line("a number", |line| line.parse().ok())?;
            verdict.line("another number", |line| line.parse().ok()).map(|second| (first, second))
        };
        assert_eq!(number(b"1\n2"), Ok((1, 2)));
        assert_eq!(number(b" \n").unwrap_err(), "its output is empty; expected a number");
        assert_eq!(number(b"1\n").unwrap_err(), "its output ends after 1 line; expected another number");
        assert_eq!(number(b"1\n\xff\x1b\n").unwrap_err(), {
            "its output, line 2: found '\\xff\\x1b'; expected another number"
        });
        let long = "9".repeat(1000);
        let quoted = format!("its output, line 1: found '{}…'; expected a number", "9".repeat(60));
        assert_eq!(number(long.as_bytes()).unwrap_err().message(), quoted);
        let more = Verdict::new(b"x").end().unwrap_err();
        assert_eq!(more, "its output, line 1: found 'x'; expected nothing more");
    }
}
