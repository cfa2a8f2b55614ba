//! Recognises files that every solver reads in the same way. A solver can get an exact copy of such a file instead
//! of a formula that is written anew.
//!
//! Solvers differ in what they accept: comments among the clauses, the line `%` of SATLIB's files, tabs, plus signs.
//! Some treat a comment such as `c p show 1 2 0` as an instruction. So a *plain* file consists of comments that no
//! solver treats as instructions, the header with single spaces, and then only digits, minus signs, spaces and ends of
//! lines.

/// The maximum length of a line before the clauses of a plain file.
const MAX_LINE: usize = 1 << 12;

/// Decides whether a text is plain. The text must be valid DIMACS.
#[derive(Default)]
pub(super) struct Plain {
    state: State,
    /// Before the clauses: the part of the current line that was read.
    line: Vec<u8>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    BeforeHeader,
    Clauses,
    NotPlain,
}

impl Plain {
    /// Examines the next bytes of the text.
    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        while self.state == State::BeforeHeader && !bytes.is_empty() {
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let (part, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
            self.line.extend_from_slice(part);
            bytes = rest;
            if self.line.len() > MAX_LINE {
                self.state = State::NotPlain;
            } else if end.is_some() {
                self.state = after(&self.line);
                self.line.clear();
            }
        }
        let is_usual = |byte: &u8| matches!(byte, b'0'..=b'9' | b' ' | b'\n' | b'-');
        // Without an early exit, the loop needs few instructions for each byte.
        if self.state == State::Clauses && !bytes.iter().fold(true, |all, byte| all & is_usual(byte)) {
            self.state = State::NotPlain;
        }
    }

    /// Whether the text that ends here is plain.
    pub(super) fn is_plain(&self) -> bool {
        self.state == State::Clauses
    }
}

/// The state after a line before the clauses.
fn after(line: &[u8]) -> State {
    let is_header = || {
        let counts = line.strip_prefix(b"p cnf ")?.strip_suffix(b"\n")?;
        let space = counts.iter().position(|&byte| byte == b' ')?;
        let [variables, clauses] = [&counts[..space], &counts[space + 1..]];
        let is_count = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        (is_count(variables) && is_count(clauses)).then_some(())
    };
    let is_instruction = || [&b"c p "[..], b"c ind ", b"c t "].iter().any(|start| line.starts_with(start));
    match line {
        b"c\n" => State::BeforeHeader,
        [b'c', b' ', ..] if !is_instruction() => State::BeforeHeader,
        _ if is_header().is_some() => State::Clauses,
        _ => State::NotPlain,
    }
}

#[cfg(test)]
mod tests {
    use super::Plain;

    fn is_plain(text: &str) -> bool {
        let whole = pieces(text, text.len().max(1));
        assert!([1, 2, 7].iter().all(|&length| pieces(text, length) == whole), "{text:?}");
        whole
    }

    fn pieces(text: &str, length: usize) -> bool {
        let mut plain = Plain::default();
        text.as_bytes().chunks(length).for_each(|piece| plain.update(piece));
        plain.is_plain()
    }

    #[test]
    fn files_that_some_solver_reads_differently_are_not_plain() {
        for text in [
            "p cnf 1 1\n1 0\n",
            "c a\nc\nc b\np cnf 3 2\n1 -2\n 0  3 0",
            "p cnf 0 0\n",
            "p cnf 1 1\n01 0\n\n",
        ] {
            assert!(is_plain(text), "{text:?}");
        }
        for text in [
            "",
            "p cnf 1 1",
            "c\n",
            "p  cnf 1 1\n1 0\n",
            "p cnf 1 1 \n1 0\n",
            "p cnf 1 +1\n1 0\n",
            " p cnf 1 1\n1 0\n",
            "p cnf 1 1\r\n1 0\r\n",
            "p cnf 1 1\n+1 0\n",
            "p cnf 1 1\n1\t0\n",
            "p cnf 1 1\nx1 0\n",
            "p cnf 1 1\n1 0\nc\n",
            "p cnf 1 1\n1 0\n%\n0\n",
            "c p show 1 0\np cnf 1 1\n1 0\n",
            "c ind 1 0\np cnf 1 1\n1 0\n",
            "ca\np cnf 1 1\n1 0\n",
            "\np cnf 1 1\n1 0\n",
        ] {
            assert!(!is_plain(text), "{text:?}");
        }
        assert!(!is_plain(&format!("c {}\np cnf 1 1\n1 0\n", "c".repeat(5000))));
    }
}
