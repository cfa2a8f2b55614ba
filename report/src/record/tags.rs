//! Tags: words that a plan attaches to families and engines. They do not identify a run, so a plan may change them
//! without repeating anything.

use super::{Row, columns};
use crate::errors::{ColumnError, InvalidTag, RecordError};
use counterpoint_base::suggest::{nearest, suggestion};
use serde::{Deserialize, Serialize};

/// The maximum number of words of a family or an engine in a plan, and the maximum length of a word in bytes.
pub const MAX_TAGS: usize = 64;

/// The maximum number of words in each field of a record. An instance can be in several families.
const MAX_RECORDED: usize = 4096;

/// The condition `tag=WORD`, which holds if the word is attached to the family or to the engine.
const TAG: &str = "tag";

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

/// A condition on records: the value in a column is one of some words.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The name as it was given.
    name: String,
    column: String,
    values: Vec<String>,
}

impl Condition {
    /// The condition that the value in the column `name` is one of `values`. The prefixes of columns may be omitted.
    /// `tag` stands for the tags of family and engine: the condition holds if one of them is one of the values.
    ///
    /// # Errors
    /// If no record has such a column, or no record has a tag. The message suggests the nearest name.
    pub fn new(records: &[Row<'_>], name: &str, values: Vec<String>) -> Result<Self, ColumnError> {
        let column = column(records, name)?;
        Ok(Condition { name: name.to_owned(), column, values })
    }

    /// Whether a record meets the condition.
    pub fn holds(&self, record: Row<'_>) -> bool {
        words(record, &self.column).iter().any(|word| self.values.contains(word))
    }

    /// Checks that each value occurs in some record.
    ///
    /// # Errors
    /// The first value that does not occur, with the nearest one that does.
    pub fn check_values(&self, records: &[Row<'_>]) -> Result<(), ColumnError> {
        let known: std::collections::BTreeSet<String> =
            records.iter().flat_map(|record| words(*record, &self.column)).collect();
        let Some(value) = self.values.iter().find(|value| !known.contains(*value)) else { return Ok(()) };
        let known: Vec<String> = known.into_iter().filter(|word| !word.is_empty()).collect();
        let near = nearest(value, known.iter().map(String::as_str));
        Err(ColumnError::UnknownValue {
            name: self.name.clone(),
            value: value.clone(),
            suggestion: suggestion(near, &known),
        })
    }
}

/// The column of a condition; `tag` stands for all tags.
///
/// # Errors
/// If no record has such a column, or no record has a tag.
pub(crate) fn column(records: &[Row<'_>], name: &str) -> Result<String, ColumnError> {
    if name != TAG {
        return columns::resolve(records, name);
    }
    if records.iter().all(|record| record.tags().is_empty()) {
        return Err(ColumnError::NoTags);
    }
    Ok(TAG.to_owned())
}

/// The words of a record that a condition on a column examines: all tags for `tag`, otherwise the text of the cell.
/// For a column with the tags of family or engine, these are the words and the whole cell.
pub(crate) fn words(record: Row<'_>, column: &str) -> Vec<String> {
    let owned = |words: &[String]| words.to_vec();
    match column {
        TAG => record.tags().words().map(str::to_owned).collect(),
        "tags_family" => [owned(&record.tags().family), vec![record.tags().family.join(" ")]].concat(),
        "tags_engine" => [owned(&record.tags().engine), vec![record.tags().engine.join(" ")]].concat(),
        _ => vec![columns::text(columns::value(record, column).as_ref())],
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Tags};
    use crate::errors::ColumnError;
    use crate::record::{Record, Records, Row, columns, groups};

    fn record(engine: &str, family: &[&str], tags: &[&str]) -> Record {
        let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        let tags = Tags { family: owned(family), engine: owned(tags) };
        Record { engine: engine.to_owned(), family: "random".to_owned(), tags, ..Record::default() }
    }

    fn holds(records: &[Row<'_>], name: &str, value: &str) -> Result<Vec<bool>, ColumnError> {
        let condition = Condition::new(records, name, vec![value.to_owned()])?;
        condition.check_values(records)?;
        Ok(records.iter().map(|record| condition.holds(*record)).collect())
    }

    #[test]
    fn conditions_examine_each_tag() {
        let all =
            [record("a", &["hard", "big"], &["new"]), record("b", &["hard"], &[]), record("c", &[], &[])];
        let all = Records::from_iter(&all);
        let all: Vec<Row<'_>> = all.iter().collect();
        assert_eq!(holds(&all, "tag", "hard"), Ok(vec![true, true, false]));
        assert_eq!(holds(&all, "tag", "new"), Ok(vec![true, false, false]));
        assert_eq!(holds(&all, "tags_family", "big"), Ok(vec![true, false, false]));
        assert_eq!(holds(&all, "tags_family", "hard big"), Ok(vec![true, false, false]));
        assert_eq!(holds(&all, "tags_engine", ""), Ok(vec![false, true, true]));
        assert_eq!(holds(&all, "engine", "b"), Ok(vec![false, true, false]));
        let unknown = holds(&all, "tag", "hart").unwrap_err().to_string();
        assert_eq!(unknown, "no run has tag = hart; did you mean 'hard'?");
        let none = Records::from_iter([&Record::default()]);
        assert_eq!(holds(&none.iter().collect::<Vec<_>>(), "tag", "x"), Err(ColumnError::NoTags));
    }

    #[test]
    fn tags_are_two_columns() {
        let all = [record("a", &["hard", "big"], &["new"]), record("b", &["hard"], &[])];
        let all = Records::from_iter(&all);
        let all: Vec<Row<'_>> = all.iter().collect();
        let found = groups(&all, &["tags_family".to_owned()]).unwrap();
        let values: Vec<&str> = found.iter().map(|group| group.values[0].as_str()).collect();
        assert_eq!(values, ["hard", "hard big"]);
        let mut table = Vec::new();
        columns::csv(&all, &mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert!(table.lines().next().unwrap().contains(",tags_engine,tags_family,"), "{table}");
        assert!(table.lines().nth(1).unwrap().contains(",new,hard big,"), "{table}");
    }

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
