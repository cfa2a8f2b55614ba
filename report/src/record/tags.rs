//! Tags: words that a plan attaches to families and engines. They do not identify a run, so a plan may change them
//! without repeating anything.

use crate::errors::{InvalidTag, RecordError};
use serde::{Deserialize, Serialize};

/// The maximum number of words of a family or an engine in a plan, and the maximum length of a word in bytes.
pub const MAX_TAGS: usize = 64;

/// The maximum number of words in each field of a record. An instance can be in several families.
const MAX_RECORDED: usize = 4096;

/// The tags of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tags {
    /// The words of the instance's family.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub family: Vec<String>,
    /// The words of the engine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engine: Vec<String>,
}

impl Tags {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.family.is_empty() && self.engine.is_empty()
    }

    /// All words: those of the family, then those of the engine.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.family.iter().chain(&self.engine).map(String::as_str)
    }

    /// Adds the words of other tags that these lack.
    pub fn merge(&mut self, other: Tags) {
        for (own, others) in [(&mut self.family, other.family), (&mut self.engine, other.engine)] {
            for word in others {
                if !own.contains(&word) && own.len() < MAX_RECORDED {
                    own.push(word);
                }
            }
        }
    }

    /// Checks that all words can be tags, and that there are not too many.
    ///
    /// # Errors
    /// The first field with a fault.
    pub(super) fn validate(&self) -> Result<(), RecordError> {
        for (field, words) in [("tags.family", &self.family), ("tags.engine", &self.engine)] {
            if words.len() > MAX_RECORDED {
                return Err(
                    format!("{field} has {} words; expected at most {MAX_RECORDED}", words.len()).into()
                );
            }
            let valid = words.iter().try_for_each(|word| validate_tag(word));
            valid.map_err(|error| format!("{field}: {error}"))?;
        }
        Ok(())
    }
}

/// Checks that a word can be a tag: letters, digits, `-`, `_`, `.` and `+`. So a cell of a table can contain several
/// tags, separated by spaces.
///
/// # Errors
/// If the word is empty, too long, or has another character.
pub fn validate_tag(word: &str) -> Result<(), InvalidTag> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if word.is_empty() || word.len() > MAX_TAGS || !word.chars().all(plain) {
        let shown: String = word.chars().take(MAX_TAGS).collect();
        return Err(InvalidTag { shown, max: MAX_TAGS });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Tags;

    #[test]
    fn impossible_tags_are_rejected() {
        let with = |words: Vec<String>| Tags { family: words, engine: Vec::new() }.validate();
        assert_eq!(with(vec!["hard".to_owned(), "α-2".to_owned(), "C++17".to_owned()]), Ok(()));
        for word in ["", "two words", "a,b", "a=b", "a\u{1b}[31m", &"x".repeat(65)] {
            assert!(
                with(vec![word.to_owned()]).unwrap_err().message().starts_with("tags.family: "),
                "{word}"
            );
        }
        assert!(with(vec!["x".to_owned(); 5000]).is_err());
    }
}
