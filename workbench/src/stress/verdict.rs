//! Compares what a program printed with what it should have printed. Verdicts have the names that judges use.

use std::fmt;

/// The verdict on one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The output is right, byte for byte.
    Accepted,
    /// Only white space differs.
    Presentation,
    /// The program says that it does not know the answer.
    Unknown,
    /// The output is text, but wrong.
    WrongAnswer,
    /// The program failed, with this status.
    RunTime(String),
    /// It exceeded its limit on CPU time or wall time.
    Time,
    /// It exceeded its limit on memory.
    Memory,
    /// It wrote more than the limit on its output allows.
    TooLong,
    /// The output is not text.
    NoText,
}

impl Verdict {
    /// The verdict on an output, if the program ended with status 0.
    pub fn of(output: &[u8], expected: &[u8]) -> Verdict {
        let words = |bytes: &[u8]| -> Vec<Vec<u8>> {
            bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect()
        };
        let is_text = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
        if output == expected {
            Verdict::Accepted
        } else if std::str::from_utf8(output).is_err() || !output.iter().all(is_text) {
            Verdict::NoText
        } else if words(output) == words(expected) {
            Verdict::Presentation
        } else {
            Verdict::WrongAnswer
        }
    }

    /// Whether both verdicts are of the same kind, regardless of the exit status.
    pub fn is_like(&self, other: &Verdict) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Whether it is any verdict but "accepted" and "no answer".
    pub fn is_wrong(&self) -> bool {
        !matches!(self, Verdict::Accepted | Verdict::Unknown)
    }

    /// Whether a limit on time or memory stopped the program, so that its answer is unknown.
    pub const fn is_limit(&self) -> bool {
        matches!(self, Verdict::Time | Verdict::Memory)
    }

    /// Whether the program printed a complete answer, right or wrong.
    pub const fn has_answer(&self) -> bool {
        matches!(self, Verdict::Accepted | Verdict::Presentation | Verdict::WrongAnswer)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Accepted => "accepted",
            Verdict::Presentation => "presentation error",
            Verdict::Unknown => "no answer",
            Verdict::WrongAnswer => "wrong answer",
            Verdict::RunTime(status) => return write!(f, "run-time error ({status})"),
            Verdict::Time => "time limit exceeded",
            Verdict::Memory => "memory limit exceeded",
            Verdict::TooLong => "output limit exceeded",
            Verdict::NoText => "output is not text",
        })
    }
}

/// A line in which an output differs from the expected one. If one of the two outputs has fewer lines, its missing
/// lines count as empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineDifference<'a> {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line of the output, with its line end.
    pub printed: &'a [u8],
    /// The expected line, with its line end.
    pub expected: &'a [u8],
}

/// The first line in which an output differs from the expected one.
pub fn first_difference<'a>(output: &'a [u8], expected: &'a [u8]) -> Option<LineDifference<'a>> {
    let lines = |text: &'a [u8]| text.split_inclusive(|&byte| byte == b'\n');
    let (mut a, mut b) = (lines(output), lines(expected));
    for line in 1.. {
        let (a, b) = (a.next(), b.next());
        if a.is_none() && b.is_none() {
            return None;
        }
        let (printed, expected) = (a.unwrap_or_default(), b.unwrap_or_default());
        if printed != expected {
            return Some(LineDifference { line, printed, expected });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_output_gets_its_verdict() {
        for (output, verdict) in [
            (&b"Game #1\nyes.\n\n"[..], Verdict::Accepted),
            (b"Game #1\nyes.\n", Verdict::Presentation),
            (b"Game  #1\r\nyes.\r\n\r\n", Verdict::Presentation),
            (b"Game #1\nno.\n\n", Verdict::WrongAnswer),
            (b"Game #1 yes .\n", Verdict::WrongAnswer),
            (b"", Verdict::WrongAnswer),
            (b"Game #1\nyes.\n\0", Verdict::NoText),
            (b"Game #1\nyes.\n\xff\n", Verdict::NoText),
        ] {
            assert_eq!(Verdict::of(output, b"Game #1\nyes.\n\n"), verdict, "{output:?}");
        }
    }

    #[test]
    fn the_first_difference_is_found_by_line() {
        assert_eq!(first_difference(b"a\nb\n", b"a\nb\n"), None);
        let difference = |printed, expected| Some(LineDifference { line: 2, printed, expected });
        assert_eq!(first_difference(b"a\nb", b"a\nb\n"), difference(b"b", b"b\n"));
        assert_eq!(first_difference(b"a\n", b"a\nc\n"), difference(b"", b"c\n"));
    }
}
