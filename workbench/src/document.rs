//! TOML documents with positions, so that each error message gives `FILE:LINE:COLUMN`.

use crate::spec::{nearest, suggestion};
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The maximum number of characters of a value that a message quotes.
const MAX_FOUND: usize = 40;

/// The longest limit on time, in years.
const MAX_YEARS: u64 = 10;

/// The seconds of a year as `humantime` counts them: 365.25 days.
const YEAR_S: u64 = 31_557_600;

/// The smallest limit on memory, in bytes: no process starts with less.
const MIN_MEMORY: u64 = 1 << 20;

/// A value with its position.
pub type Placed<'a> = Spanned<DeValue<'a>>;

/// An error in a document, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct DocumentError {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The number of the character within the line, from 1.
    pub column: usize,
    /// What was found, and what was expected.
    pub message: String,
}

/// The text of a TOML file.
pub struct Document<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> Document<'a> {
    /// A document from the name of its file and its text.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Document { name, text }
    }

    /// The name of the file.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Parses the text.
    ///
    /// # Errors
    /// The first syntax error.
    pub fn table(&self) -> Result<Spanned<DeTable<'a>>, DocumentError> {
        DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, error.message())
        })
    }

    /// The position of a byte as `FILE:LINE:COLUMN`.
    pub fn place(&self, at: usize) -> String {
        let (line, column) = self.line_and_column(at);
        format!("{}:{line}:{column}", self.name)
    }

    /// The line of a byte, and the character of this line, both from 1.
    fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (before.matches('\n').count() + 1, column)
    }

    /// An error about the value that starts at byte `at`.
    pub fn error(&self, at: usize, message: &str) -> DocumentError {
        let (line, column) = self.line_and_column(at);
        DocumentError { file: self.name.to_owned(), line, column, message: message.to_owned() }
    }

    /// Returns the error about the value that starts at byte `at`.
    ///
    /// # Errors
    /// Always.
    pub fn error_at<T>(&self, at: usize, message: &str) -> Result<T, DocumentError> {
        Err(self.error(at, message))
    }

    /// Checks that a table has no keys other than these.
    ///
    /// # Errors
    /// The first unknown key, with the nearest known one.
    pub fn check_keys(&self, table: &DeTable<'_>, keys: &[&str]) -> Result<(), DocumentError> {
        let unknown = table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref()));
        let Some(first) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let name = first.get_ref();
        let all: Vec<_> = keys.iter().map(|&key| key.to_owned()).collect();
        let hint = suggestion(nearest(name, keys.iter().copied()), &all);
        self.error_at(first.span().start, &format!("there is no key '{name}' here; {hint}"))
    }

    /// The value as a table.
    ///
    /// # Errors
    /// If it is something else.
    pub fn as_table<'v>(&self, value: &'v Placed<'_>) -> Result<&'v DeTable<'v>, DocumentError> {
        match value.get_ref().as_table() {
            Some(table) => Ok(table),
            None => self.mismatch(value, "a table"),
        }
    }

    /// The value as a string.
    ///
    /// # Errors
    /// If it is something else.
    pub fn as_str<'v>(&self, value: &'v Placed<'_>) -> Result<&'v str, DocumentError> {
        match value.get_ref().as_str() {
            Some(text) => Ok(text),
            None => self.mismatch(value, "a string"),
        }
    }

    /// The elements of a list, or the single value that stands in place of a list.
    pub fn one_or_many<'v, 'd>(&self, value: &'v Placed<'d>) -> Vec<&'v Placed<'d>> {
        match value.get_ref() {
            DeValue::Array(list) => list.iter().collect(),
            _ => vec![value],
        }
    }

    /// A string, a number or a boolean, as text in the form of the command line: `true` becomes `yes`.
    ///
    /// # Errors
    /// If the value is a list, a table, a date or an integer that is not decimal.
    pub fn as_scalar(&self, value: &Placed<'_>) -> Result<String, DocumentError> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            DeValue::Boolean(yes) => Ok(if *yes { "yes" } else { "no" }.to_owned()),
            _ => self.mismatch(value, "a string or a number"),
        }
    }

    /// The value as an integer of at least `min`.
    ///
    /// # Errors
    /// If it is something else.
    pub fn as_number(&self, value: &Placed<'_>, min: u64) -> Result<u64, DocumentError> {
        let number = value.get_ref().as_integer().filter(|number| number.radix() == 10);
        match number.and_then(|number| number.as_str().parse().ok()) {
            Some(number) if number >= min => Ok(number),
            _ => self.mismatch(value, &format!("a whole number of at least {min}")),
        }
    }

    /// The value as a decimal number, which may be whole, of which `is_valid` holds. `expected` says which numbers
    /// these are.
    ///
    /// # Errors
    /// If it is something else.
    pub fn as_decimal(
        &self,
        value: &Placed<'_>,
        expected: &str,
        is_valid: impl Fn(f64) -> bool,
    ) -> Result<f64, DocumentError> {
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str()),
            DeValue::Float(number) => Some(number.as_str()),
            _ => None,
        };
        match text.and_then(|text| text.parse::<f64>().ok()).filter(|number| is_valid(*number)) {
            Some(number) => Ok(number),
            None => self.mismatch(value, expected),
        }
    }

    /// The value as a boolean.
    ///
    /// # Errors
    /// If it is something else.
    pub fn as_bool(&self, value: &Placed<'_>) -> Result<bool, DocumentError> {
        match value.get_ref().as_bool() {
            Some(yes) => Ok(yes),
            None => self.mismatch(value, "true or false"),
        }
    }

    /// The value as a duration, which is a string with a unit.
    ///
    /// # Errors
    /// If it is something else.
    pub fn as_duration(&self, value: &Placed<'_>) -> Result<Duration, DocumentError> {
        const EXAMPLE: &str = "with a unit such as \"2s\"";
        let given = value.get_ref();
        match given.as_str().map(humantime::parse_duration) {
            Some(Ok(time)) => Ok(time),
            Some(Err(_)) => self.mismatch(value, &format!("a time {EXAMPLE}")),
            // Fractions are not accepted: a fraction of a second needs a smaller unit.
            None if given.as_float().is_some() => {
                self.mismatch(value, "a string with a unit such as \"500ms\"")
            }
            None => self.mismatch(value, &format!("a string {EXAMPLE}")),
        }
    }

    /// The value as a number of bytes, which is a string with a unit.
    ///
    /// # Errors
    /// If it is something else.
    pub fn as_bytes(&self, value: &Placed<'_>) -> Result<u64, DocumentError> {
        const EXAMPLE: &str = "with a unit such as \"512MiB\" or \"2GiB\"";
        match value.get_ref().as_str().map(counterpoint_base::bytes::parse) {
            Some(Some(bytes)) => Ok(bytes),
            Some(None) => self.mismatch(value, &format!("a size {EXAMPLE}")),
            None => self.mismatch(value, &format!("a string {EXAMPLE}")),
        }
    }

    /// The value as a limit on time.
    ///
    /// # Errors
    /// If it is something else, zero, or longer than ten years.
    pub fn as_time_limit(&self, value: &Placed<'_>) -> Result<Duration, DocumentError> {
        let time = self.as_duration(value)?;
        if time.is_zero() || time > Duration::from_secs(MAX_YEARS * YEAR_S) {
            return self.mismatch(value, &format!("a time above 0s and of at most {MAX_YEARS} years"));
        }
        Ok(time)
    }

    /// The value as a limit on memory, in bytes.
    ///
    /// # Errors
    /// If it is something else, or less than 1 MiB.
    pub fn as_memory_limit(&self, value: &Placed<'_>) -> Result<u64, DocumentError> {
        let bytes = self.as_bytes(value)?;
        if bytes < MIN_MEMORY {
            return self.mismatch(value, &format!("a size of at least {}MiB", MIN_MEMORY >> 20));
        }
        Ok(bytes)
    }

    /// Returns an error that says what was expected and what was found.
    fn mismatch<T>(&self, value: &Placed<'_>, expected: &str) -> Result<T, DocumentError> {
        let found = match value.get_ref() {
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            // The first line of the value as it is written.
            _ => {
                let written = self.text.get(value.span()).unwrap_or_default();
                let line = written.lines().next().unwrap_or_default();
                let start: String = line.chars().take(MAX_FOUND).collect();
                if start.len() < written.len() { start + "…" } else { start }
            }
        };
        self.error_at(value.span().start, &format!("expected {expected}, found {found}"))
    }
}
