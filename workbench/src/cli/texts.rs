//! Texts on a terminal: emphasis, and texts of others, which may contain characters that would control the terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// The codes before and after an emphasized text: bold and red, and neither.
const EMPHASIS: [&str; 2] = ["\x1b[1;31m", "\x1b[0m"];

/// The emphasized texts that [`visible`] leaves as they are. A file of others can repeat one of these, but cannot emphasize
/// anything else.
const LABELS: [&str; 4] = ["ALTERED", "DIFFERENT ANSWERS", "DISAGREEMENT", "WRONG"];

/// Emphasizes a text: bold and red if colours are shown.
pub(super) fn emphasized(text: &str) -> String {
    let [begin, end] = EMPHASIS;
    format!("{begin}{text}{end}")
}

/// A text as a terminal may show it: characters that would control the terminal or change the direction of the text are
/// escaped, except the ends of lines, tabs and the emphasis of [`LABELS`]. Files of others may contain such characters.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || turns_text(c));
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        if let Some(label) = LABELS.into_iter().find(|label| begins_emphasized(rest, label)) {
            let length = EMPHASIS[0].len() + label.len() + EMPHASIS[1].len();
            shown.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        if is_plain(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_unicode());
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(shown)
}

/// Whether a text begins with this label, emphasized.
fn begins_emphasized(text: &str, label: &str) -> bool {
    let [begin, end] = EMPHASIS;
    let after = text.strip_prefix(begin).and_then(|text| text.strip_prefix(label));
    after.is_some_and(|text| text.starts_with(end))
}

/// Writes what `write` writes. If standard output is a terminal, characters that would control it are escaped; otherwise the
/// bytes remain as they are, because a program reads them.
pub(super) fn harmless(
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return write(out);
    }
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    out.write_all(visible(&String::from_utf8_lossy(&bytes)).as_bytes())
}

/// An output on which each text is [`visible`], for texts of other programs.
pub(super) struct Visible<'a>(pub(super) &'a mut dyn Write);

impl Write for Visible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether a character changes the direction of the text (Unicode Standard Annex 9, table 4).
fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text on one line: control characters, and those that change the direction of the text, are escaped.
pub(super) fn one_line(text: &str) -> String {
    let is_special = |c: char| c.is_control() || turns_text(c);
    let shown = |c: char| if is_special(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::{emphasized, one_line, visible};

    #[test]
    fn a_text_controls_no_terminal() {
        let hostile = "a\u{1b}]0;title\u{7}\u{9b}31m\u{202e}b\r\tc\nd";
        assert_eq!(visible(hostile), "a\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{202e}b\\u{d}\tc\nd");
        assert_eq!(one_line(hostile), "a\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{202e}b\\r\\tc\\nd");
        // Our own emphasis remains.
        let text = format!("{}: \u{1b}[5m", emphasized("WRONG"));
        assert_eq!(visible(&text), format!("{}: \\u{{1b}}[5m", emphasized("WRONG")));
        assert_eq!(visible(&emphasized("others")), "\\u{1b}[1;31mothers\\u{1b}[0m");
        assert_eq!(visible("\u{1b}[1;31mWRONG, but not ended"), "\\u{1b}[1;31mWRONG, but not ended");
        assert_eq!(visible("½ µs, naïve, 船"), "½ µs, naïve, 船");
    }
}
