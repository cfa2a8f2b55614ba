//! The width of help. clap wraps everything but the usage, and examples would not work if they were broken as text is.

use anstream::adapter::strip_str;
use rustix::termios::tcgetwinsize;
use std::io;
use unicode_width::UnicodeWidthStr;

/// What the line with the usage begins with.
const USAGE: &str = "Usage: ";

/// The maximum width of help, in columns.
const MAX_WIDTH: usize = 100;

/// The width of help in columns, as clap determines it.
pub(super) fn columns() -> usize {
    let size = [tcgetwinsize(io::stdout()), tcgetwinsize(io::stderr()), tcgetwinsize(io::stdin())];
    let size = size.into_iter().flatten().find(|size| size.ws_col > 0 && size.ws_row > 0);
    let size = size.map(|size| usize::from(size.ws_col));
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    size.or_else(variable).unwrap_or(MAX_WIDTH).min(MAX_WIDTH)
}

/// A line, broken at blanks to at most `width` columns. Every part but the last one ends with `mark`; every part but the
/// first one is indented.
pub(super) fn broken(line: &str, width: usize, mark: &str, indent: usize) -> String {
    let across = |text: &str| strip_str(text).to_string().trim_end().width();
    if across(line) <= width {
        return line.to_owned();
    }
    let (mut lines, mut last) = (String::new(), String::new());
    for word in line.split(' ') {
        if !last.is_empty() && across(&last) + 1 + across(word) + mark.len() > width {
            lines += &format!("{last}{mark}\n");
            last = " ".repeat(indent) + word;
        } else if last.is_empty() && lines.is_empty() {
            last = word.to_owned();
        } else {
            last += &format!(" {word}");
        }
    }
    lines + &last
}

/// A help text with its usage broken to the width of the terminal.
pub(super) fn with_broken_usage(text: &str) -> String {
    let line = |line: &str| match strip_str(line).to_string().starts_with(USAGE) {
        true => broken(line, columns(), "", USAGE.len()),
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(broken("one two three", 20, " \\", 4), "one two three");
        assert_eq!(broken("one two three four", 12, " \\", 4), "one two \\\n    three \\\n    four");
        // The codes of colours take no space.
        let usage = "\u{1b}[1mUsage:\u{1b}[0m run <A> <B>\n";
        assert_eq!(broken(usage, 18, "", 7), usage);
        assert_eq!(broken(usage, 14, "", 7), "\u{1b}[1mUsage:\u{1b}[0m run <A>\n       <B>\n");
    }
}
