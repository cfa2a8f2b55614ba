//! Verdicts in the judge's words: what a program printed against what is right.

use std::fmt;

/// What a judge says to one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Byte for byte.
    Accepted,
    /// Only white space differs.
    Presentation,
    /// Text, and not the right one.
    WrongAnswer,
    /// It ended with this status.
    RunTime(String),
    /// It used more CPU time, or let more time pass, than it may.
    Time,
    /// It used more memory than it may.
    Memory,
    /// It wrote more than any right answer.
    TooLong,
    /// What it wrote is no text.
    NoText,
}

impl Verdict {
    /// Of an output, where the program ended well.
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

    /// Whether both are of one kind, whatever the status.
    pub fn is_like(&self, other: &Verdict) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Whether it is anything but accepted.
    pub fn is_wrong(&self) -> bool {
        *self != Verdict::Accepted
    }

    /// Whether the program was ended by a limit, so that its answer is not known.
    pub const fn is_limit(&self) -> bool {
        matches!(self, Verdict::Time | Verdict::Memory)
    }

    /// Whether the program printed a whole answer, right or not.
    pub const fn has_answer(&self) -> bool {
        matches!(self, Verdict::Accepted | Verdict::Presentation | Verdict::WrongAnswer)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Accepted => "accepted",
            Verdict::Presentation => "presentation error",
            Verdict::WrongAnswer => "wrong answer",
            Verdict::RunTime(status) => return write!(f, "run-time error ({status})"),
            Verdict::Time => "time limit exceeded",
            Verdict::Memory => "memory limit exceeded",
            Verdict::TooLong => "output limit exceeded",
            Verdict::NoText => "output that is no text",
        })
    }
}

/// The first line, from 1, in which two texts differ, both without line ends; what one lacks is empty.
pub fn first_difference<'a>(output: &'a [u8], expected: &'a [u8]) -> Option<(usize, &'a [u8], &'a [u8])> {
    let lines = |text: &'a [u8]| text.split_inclusive(|&byte| byte == b'\n');
    let (mut a, mut b) = (lines(output), lines(expected));
    for line in 1.. {
        let (a, b) = (a.next(), b.next());
        if a.is_none() && b.is_none() {
            return None;
        }
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        if a != b {
            return Some((line, a, b));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_get_the_judges_words() {
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
        assert_eq!(first_difference(b"a\nb", b"a\nb\n"), Some((2, &b"b"[..], &b"b\n"[..])));
        assert_eq!(first_difference(b"a\n", b"a\nc\n"), Some((2, &b""[..], &b"c\n"[..])));
    }
}
