//! Quotes lines of a child's output in messages. Blank lines are omitted, and control characters are replaced.

use super::Run;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

/// The first and the last lines on standard error that are not blank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorLines {
    /// The first lines.
    pub first: Vec<String>,
    /// How many lines between the first and the last ones are left out.
    pub omitted: usize,
    /// The last lines, none of which is among the first.
    pub last: Vec<String>,
}

impl Run {
    /// The end of a message: the first line on standard error or, if that is empty, on standard output.
    pub fn quote_output(&mut self) -> String {
        let quote = self.quote_errors();
        if !quote.is_empty() {
            return quote;
        }
        let quote = quote_first_line("standard output", &mut self.output);
        if quote.is_empty() { "; it wrote nothing".to_owned() } else { quote }
    }

    /// The end of a message: the first line on standard error; empty if there is none.
    pub fn quote_errors(&mut self) -> String {
        quote_first_line("standard error", &mut self.errors)
    }

    /// The first `max` lines of standard error, and the last `max` of the remaining lines. Only the first MiB is read.
    pub fn error_lines(&mut self, max: usize) -> ErrorLines {
        let mut bytes = Vec::new();
        // After an error, show what could be read.
        let _ = reader(&mut self.errors).take(1 << 20).read_to_end(&mut bytes);
        first_and_last_lines(&bytes, max)
    }
}

/// The number of characters after which [`ErrorLines`] cuts a line.
const MAX_LINE_CHARS: usize = 200;

fn first_and_last_lines(text: &[u8], max: usize) -> ErrorLines {
    let lines = text.split(|byte| b"\n\r".contains(byte)).map(<[u8]>::trim_ascii_end);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let (first, rest) = lines.split_at(max.min(lines.len()));
    let (omitted, last) = rest.split_at(rest.len().saturating_sub(max));
    let without_tabs =
        |line: &&[u8]| line.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }).collect::<Vec<_>>();
    let texts = |lines: &[&[u8]]| {
        lines.iter().map(|line| printable_prefix(&without_tabs(line), MAX_LINE_CHARS)).collect()
    };
    ErrorLines { first: texts(first), omitted: omitted.len(), last: texts(last) }
}

fn quote_first_line(name: &str, file: &mut File) -> String {
    let mut bytes = Vec::new();
    // After an error, show what could be read.
    let _ = reader(file).take(1 << 12).read_to_end(&mut bytes);
    let mut lines = bytes.split(|byte| b"\n\r".contains(byte)).map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty()) else { return String::new() };
    // An incomplete last character is not an error, because reading may have stopped inside it.
    let invalid = std::str::from_utf8(line).err().and_then(|error| error.error_len());
    let not_text = if invalid.is_some() || line.contains(&0) { " not text:" } else { "" };
    format!("; the first line on {name} is{not_text} '{}'", printable(line))
}

/// Reads a file from its start.
pub fn reader(file: &mut File) -> BufReader<&mut File> {
    // If the file cannot be rewound, reading continues at its current position.
    let _ = file.rewind();
    BufReader::new(file)
}

/// The first 80 characters of a line, with control characters replaced, so that a terminal can show them.
pub fn printable(line: &[u8]) -> String {
    printable_prefix(line, 80)
}

pub(super) fn printable_prefix(line: &[u8], max: usize) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    String::from_utf8_lossy(line).chars().take(max).map(plain).collect()
}

/// The message for a program that could not be started; `origin` says where its command is defined.
pub fn start_failure(program: &str, origin: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!("program '{program}' not found; its command is defined in {origin}")
        }
        _ => format!("program '{program}' cannot be run: {error}; its command is defined in {origin}"),
    }
}
