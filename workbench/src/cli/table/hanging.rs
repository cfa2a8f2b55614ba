//! Running text on a terminal: long lines are wrapped, with a hanging indentation.

use super::terminal_width;
use unicode_width::UnicodeWidthStr;

/// A line, wrapped at blanks to the width of the terminal. Further lines are indented by `indent` blanks. If standard
/// output is not a terminal, the line is left as it is.
pub(in crate::cli) fn hung(line: &str, indent: usize) -> String {
    hung_in(line, indent, terminal_width().unwrap_or(usize::MAX))
}

fn hung_in(line: &str, indent: usize, width: usize) -> String {
    let mut lines = vec![String::new()];
    for (i, word) in line.split(' ').enumerate() {
        let Some(last) = lines.last_mut() else { continue };
        if i == 0 {
            last.push_str(word);
        } else if word.is_empty() || last.width() + 1 + word.width() <= width || last.trim().is_empty() {
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
    use super::hung_in;

    #[test]
    fn long_lines_hang_below_their_first_word() {
        let line = "  witness     each listed set is covered by a fleet";
        assert_eq!(hung_in(line, 14, 51), line);
        let expected = "  witness     each listed set\n              is covered by a\n              fleet";
        assert_eq!(hung_in(line, 14, 30), expected);
        assert_eq!(hung_in("", 2, 30), "");
        assert_eq!(hung_in("a verylongword b", 2, 6), "a\n  verylongword\n  b");
    }
}
