//! TOML with places: what was written where, so that whatever is wrong is told with its line and column.

use crate::spec::{nearest, suggestion};
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The most characters of a value that a message repeats.
const MAX_FOUND: usize = 40;

/// A value with its place.
pub type Placed<'a> = Spanned<DeValue<'a>>;

/// A text that is TOML, by the name of its file.
pub struct Document<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> Document<'a> {
    /// A text with the name of its file.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Document { name, text }
    }

    /// The name of its file.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The table that the text is.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn table(&self) -> Result<Spanned<DeTable<'a>>, String> {
        DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            format!("{}: {}", self.place(at), error.message())
        })
    }

    /// File, line and column of a byte.
    pub fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.name)
    }

    /// An error at a byte.
    ///
    /// # Errors
    /// Always.
    pub fn wrong<T>(&self, at: usize, message: &str) -> Result<T, String> {
        Err(format!("{}: {message}", self.place(at)))
    }

    /// That a table has no other keys.
    ///
    /// # Errors
    /// The first other key, with the nearest that there is.
    pub fn only(&self, table: &DeTable<'_>, keys: &[&str]) -> Result<(), String> {
        let strangers = table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref()));
        let Some(other) = strangers.min_by_key(|key| key.span().start) else { return Ok(()) };
        let name = other.get_ref();
        let all: Vec<_> = keys.iter().map(|&key| key.to_owned()).collect();
        let hint = suggestion(nearest(name, keys.iter().copied()), &all);
        self.wrong(other.span().start, &format!("there is no key '{name}' here; {hint}"))
    }

    /// A value that is a table.
    ///
    /// # Errors
    /// If it is none.
    pub fn as_table<'v>(&self, value: &'v Placed<'_>) -> Result<&'v DeTable<'v>, String> {
        match value.get_ref().as_table() {
            Some(table) => Ok(table),
            None => self.mismatch(value, "a table"),
        }
    }

    /// A value that is a string.
    ///
    /// # Errors
    /// If it is none.
    pub fn as_str<'v>(&self, value: &'v Placed<'_>) -> Result<&'v str, String> {
        match value.get_ref().as_str() {
            Some(text) => Ok(text),
            None => self.mismatch(value, "a string"),
        }
    }

    /// The values of a list, or the value itself.
    pub fn one_or_many<'v, 'd>(&self, value: &'v Placed<'d>) -> Vec<&'v Placed<'d>> {
        match value.get_ref() {
            DeValue::Array(list) => list.iter().collect(),
            _ => vec![value],
        }
    }

    /// A string, a number or a truth value, as it is written on the command line.
    ///
    /// # Errors
    /// If it is a list, a table or a date.
    pub fn as_word(&self, value: &Placed<'_>) -> Result<String, String> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            DeValue::Boolean(yes) => Ok(if *yes { "yes" } else { "no" }.to_owned()),
            _ => self.mismatch(value, "a string or a number"),
        }
    }

    /// A whole number of at least `least`.
    ///
    /// # Errors
    /// If it is none.
    pub fn as_number(&self, value: &Placed<'_>, least: u64) -> Result<u64, String> {
        let number = value.get_ref().as_integer().filter(|number| number.radix() == 10);
        match number.and_then(|number| number.as_str().parse().ok()) {
            Some(number) if number >= least => Ok(number),
            _ => self.mismatch(value, &format!("a whole number of at least {least}")),
        }
    }

    /// A truth value.
    ///
    /// # Errors
    /// If it is none.
    pub fn as_bool(&self, value: &Placed<'_>) -> Result<bool, String> {
        match value.get_ref().as_bool() {
            Some(yes) => Ok(yes),
            None => self.mismatch(value, "true or false"),
        }
    }

    /// A time with its unit.
    ///
    /// # Errors
    /// If it is none.
    pub fn as_duration(&self, value: &Placed<'_>) -> Result<Duration, String> {
        const EXAMPLE: &str = "with a unit such as \"2s\"";
        let given = value.get_ref();
        match given.as_str().map(humantime::parse_duration) {
            Some(Ok(time)) => Ok(time),
            Some(Err(_)) => self.mismatch(value, &format!("a time {EXAMPLE}")),
            // Below a second there is a smaller unit.
            None if given.as_float().is_some() => {
                self.mismatch(value, "a string with a unit such as \"500ms\"")
            }
            None => self.mismatch(value, &format!("a string {EXAMPLE}")),
        }
    }

    /// A number of bytes with its unit.
    ///
    /// # Errors
    /// If it is none.
    pub fn as_bytes(&self, value: &Placed<'_>) -> Result<u64, String> {
        const EXAMPLE: &str = "with a unit such as \"512MiB\" or \"2GiB\"";
        match value.get_ref().as_str().map(counterpoint_base::bytes::parse) {
            Some(Some(bytes)) => Ok(bytes),
            Some(None) => self.mismatch(value, &format!("a size {EXAMPLE}")),
            None => self.mismatch(value, &format!("a string {EXAMPLE}")),
        }
    }

    /// The error that something else stands where `expected` should.
    fn mismatch<T>(&self, value: &Placed<'_>, expected: &str) -> Result<T, String> {
        let found = match value.get_ref() {
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            // As it is written.
            _ => {
                let written = self.text.get(value.span()).unwrap_or_default();
                let line = written.lines().next().unwrap_or_default();
                let start: String = line.chars().take(MAX_FOUND).collect();
                if start.len() < written.len() { start + "…" } else { start }
            }
        };
        self.wrong(value.span().start, &format!("expected {expected}, found {found}"))
    }
}
