//! What a child wrote, as messages show it: the lines that say something, without what would disturb a terminal.

use super::Run;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

impl Run {
    /// The first line that the program wrote, to standard error or output, for a message.
    pub fn first_words(&mut self) -> String {
        let said = self.complaint();
        if !said.is_empty() {
            return said;
        }
        let said = first_line("standard output", &mut self.output);
        if said.is_empty() { "; it wrote nothing".to_owned() } else { said }
    }

    /// The first line that the program wrote to standard error, for a message; empty if there is none.
    pub fn complaint(&mut self) -> String {
        first_line("standard error", &mut self.errors)
    }

    /// The lines of standard error that hold something: the first ones, how many lie between, the last ones, `most`
    /// of each kind.
    pub fn error_lines(&mut self, most: usize) -> (Vec<String>, usize, Vec<String>) {
        let mut bytes = Vec::new();
        // What cannot be read is not shown.
        let _ = reader(&mut self.errors).take(1 << 20).read_to_end(&mut bytes);
        ends_of(&bytes, most)
    }
}

/// Characters of a line of several that are shown.
const LONG_LINE: usize = 200;

/// The first and the last lines that hold something, so many each, with the number of those between.
fn ends_of(text: &[u8], most: usize) -> (Vec<String>, usize, Vec<String>) {
    let lines = text.split(|byte| b"\n\r".contains(byte)).map(<[u8]>::trim_ascii_end);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let (first, rest) = lines.split_at(most.min(lines.len()));
    let (between, last) = rest.split_at(rest.len().saturating_sub(most));
    let spaced =
        |line: &&[u8]| line.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }).collect::<Vec<_>>();
    let told = |lines: &[&[u8]]| lines.iter().map(|line| shown_to(&spaced(line), LONG_LINE)).collect();
    (told(first), between.len(), told(last))
}

fn first_line(name: &str, file: &mut File) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is not shown.
    let _ = reader(file).take(1 << 12).read_to_end(&mut bytes);
    let mut lines = bytes.split(|byte| b"\n\r".contains(byte)).map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty()) else { return String::new() };
    // The last character may be cut.
    let broken = std::str::from_utf8(line).err().and_then(|error| error.error_len());
    let no_text = if broken.is_some() || line.contains(&0) { " no text," } else { "" };
    format!("; the first line on {name} is{no_text} '{}'", shown(line))
}

/// A file from its start.
pub fn reader(file: &mut File) -> BufReader<&mut File> {
    // A file that cannot be rewound reads as empty, and nothing is made of that.
    let _ = file.rewind();
    BufReader::new(file)
}

/// What a program wrote, as a terminal may be shown it.
pub fn shown(line: &[u8]) -> String {
    shown_to(line, 80)
}

fn shown_to(line: &[u8], most: usize) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    String::from_utf8_lossy(line).chars().take(most).map(plain).collect()
}

/// Why a program whose command stands in `origin` could not be run, in words.
pub fn not_run(program: &str, origin: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!("the program '{program}' is not found; its command stands in {origin}")
        }
        _ => format!("the program '{program}' cannot be run: {error}; its command stands in {origin}"),
    }
}
