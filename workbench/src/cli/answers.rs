//! Iterates over the answers of a file, each with its position. A malformed answer does not hide later ones.
//!
//! An answer is one line, as `solve --json` writes it, or a line followed by indented lines, as `solve --save` writes
//! it. After an error, reading resumes at the next line that does not continue the malformed answer: a line that is
//! neither blank nor indented and does not begin with a closing bracket.

use serde_json::{Deserializer, Error, Map, Value};

/// The maximum nesting depth that is read. A plan of shots has up to one level for each square of a board.
const MAX_DEPTH: usize = 1 << 9;

/// The JSON member of an answer that names the limit at which its engine gave up.
pub(super) const GAVE_UP: &str = "gave_up";

/// The JSON object of an answer.
pub(super) struct Entry {
    /// Its position, as `name:line:column`.
    pub(super) place: String,
    pub(super) object: Map<String, Value>,
}

/// The answers of a text.
pub(super) struct Answers<'a> {
    name: &'a str,
    text: &'a str,
    /// The byte at which reading continues.
    offset: usize,
    /// The number of the line that contains `offset`, from 1.
    line: usize,
    /// The first byte of that line.
    line_start: usize,
    /// The end of the last line that can belong to an object that begins at `offset`.
    end: usize,
}

impl<'a> Answers<'a> {
    pub(super) fn new(name: &'a str, text: &'a str) -> Self {
        Answers { name, text, offset: 0, line: 1, line_start: 0, end: 0 }
    }

    /// Whether any line begins like an answer.
    pub(super) fn any(&self) -> bool {
        self.text.lines().any(|line| line.trim_start().starts_with('{'))
    }

    fn move_to(&mut self, offset: usize) {
        for (at, _) in self.text[self.offset..offset].match_indices('\n') {
            self.line += 1;
            self.line_start = self.offset + at + 1;
        }
        self.offset = offset;
    }

    /// The position `name:line:column` of a byte at or behind `offset`. Looks only at the bytes between the two, because
    /// a long line may contain many answers.
    fn place(&self, at: usize) -> String {
        let between = &self.text.as_bytes()[self.offset..at];
        let line = self.line + between.iter().filter(|&&byte| byte == b'\n').count();
        let last = between.iter().rposition(|&byte| byte == b'\n');
        let line_start = last.map_or(self.line_start, |last| self.offset + last + 1);
        format!("{}:{line}:{}", self.name, at - line_start + 1)
    }

    /// The end of the current line, including its LF.
    fn line_end(&self) -> usize {
        self.text[self.offset..].find('\n').map_or(self.text.len(), |at| self.offset + at + 1)
    }

    /// The end of the last line that can belong to an object that begins in the current line.
    fn object_end(&self) -> usize {
        let mut end = self.line_end();
        for line in self.text[end..].split_inclusive('\n') {
            if !line.starts_with(|c: char| c.is_whitespace() || c == '}' || c == ']') {
                break;
            }
            end += line.len();
        }
        end
    }

    /// The byte of the text at which the error in the current object occurs.
    fn at(&self, error: &Error) -> usize {
        let object = &self.text[self.offset..self.end];
        let above = error.line().saturating_sub(1);
        let line: usize = object.split_inclusive('\n').take(above).map(str::len).sum();
        self.offset + (line + error.column().saturating_sub(1)).min(object.len())
    }

    /// The current object with its length in bytes, or an error with its position.
    fn object(&self) -> Result<(Map<String, Value>, usize), BadAnswer> {
        let object = &self.text[self.offset..self.end];
        if depth(object) > MAX_DEPTH {
            let place = self.place(self.offset);
            return Err(format!("{place}: the JSON is nested more than {MAX_DEPTH} levels deep").into());
        }
        let mut reader = Deserializer::from_str(object);
        // The depth was checked above.
        reader.disable_recursion_limit();
        let mut values = reader.into_iter::<Map<String, Value>>();
        let found = values.next();
        if let Some(Ok(map)) = found {
            return Ok((map, values.byte_offset()));
        }
        let length = object.trim_end().len();
        match found {
            Some(Err(error)) if !error.is_eof() && self.at(&error) < self.offset + length => {
                let text = error.to_string();
                let what = text.split(" at line ").next().unwrap_or(&text);
                Err(format!("{}: {what}", self.place(self.at(&error))).into())
            }
            _ => self.longer_object(length),
        }
    }

    /// Like [`object`](Self::object), for an object that continues after `end` because its lines are not indented.
    fn longer_object(&self, length: usize) -> Result<(Map<String, Value>, usize), BadAnswer> {
        let mut values = Deserializer::from_str(&self.text[self.offset..]).into_iter::<Map<String, Value>>();
        match values.next() {
            Some(Ok(map)) => Ok((map, values.byte_offset())),
            _ => Err(format!("{}: the answer ends early", self.place(self.offset + length)).into()),
        }
    }
}

counterpoint_base::message_errors! {
    /// What is wrong with a file of answers. The message begins with the position of the error.
    pub(super) struct BadAnswer;
}

impl Iterator for Answers<'_> {
    /// An answer, or what is wrong with it.
    type Item = Result<Entry, BadAnswer>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.offset..];
        self.move_to(self.text.len() - rest.trim_start().len());
        if self.offset == self.text.len() {
            return None;
        }
        let place = self.place(self.offset);
        if !self.text[self.offset..].starts_with('{') {
            self.move_to(self.line_end());
            return Some(Err(format!("{place}: expected an answer as a JSON object").into()));
        }
        if self.end <= self.offset {
            self.end = self.object_end();
        }
        Some(match self.object() {
            Ok((object, length)) => {
                self.move_to(self.offset + length);
                Ok(Entry { place, object })
            }
            Err(error) => {
                self.move_to(self.end);
                Err(error)
            }
        })
    }
}

/// The nesting depth of brackets and braces outside strings, up to the end of the first object.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
        if depth == 0 {
            break;
        }
    }
    deepest
}
