//! Conditions on records: the value in a column is one of some words.

use super::Row;
use super::columns::{self, DefaultRules};
use crate::errors::ColumnError;
use counterpoint_base::suggest::{nearest, suggestion};

/// The condition `tag=WORD`, which holds if the word is attached to the family or to the engine.
const TAG: &str = "tag";

/// A condition on records: the value in a column is one of some words.
#[derive(Clone, Debug)]
pub struct Condition<'a> {
    /// The name as it was given.
    name: String,
    column: String,
    values: Vec<String>,
    defaults: DefaultRules<'a>,
}

impl<'a> Condition<'a> {
    /// The condition that the value in the column `name` is one of `values`. The prefixes of columns may be omitted.
    /// `tag` stands for the tags of family and engine: the condition holds if one of them is one of the values. A rule
    /// that a record does not contain has its default value; an empty value also selects such records.
    ///
    /// # Errors
    /// If no record has such a column, or no record has a tag. The message suggests the nearest name.
    pub fn new(
        records: &[Row<'_>],
        name: &str,
        values: Vec<String>,
        defaults: DefaultRules<'a>,
    ) -> Result<Self, ColumnError> {
        let column = column(records, name)?;
        Ok(Condition { name: name.to_owned(), column, values, defaults })
    }

    /// Whether a record meets the condition.
    pub fn holds(&self, record: Row<'_>) -> bool {
        words(record, &self.column, self.defaults).iter().any(|word| self.values.contains(word))
    }

    /// Checks that each value occurs in some record.
    ///
    /// # Errors
    /// The first value that does not occur, with the nearest one that does.
    pub fn check_values(&self, records: &[Row<'_>]) -> Result<(), ColumnError> {
        let known: std::collections::BTreeSet<String> =
            records.iter().flat_map(|record| words(*record, &self.column, self.defaults)).collect();
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
/// For a column with the tags of family or engine, these are the words and the whole cell. For a rule that the record
/// does not contain, these are its default value and the empty cell.
pub(crate) fn words(record: Row<'_>, column: &str, defaults: DefaultRules<'_>) -> Vec<String> {
    let owned = |words: &[String]| words.to_vec();
    match column {
        TAG => record.tags().words().map(str::to_owned).collect(),
        "tags_family" => [owned(&record.tags().family), vec![record.tags().family.join(" ")]].concat(),
        "tags_engine" => [owned(&record.tags().engine), vec![record.tags().engine.join(" ")]].concat(),
        _ => {
            let cell = columns::text(columns::value(record, column).as_ref());
            let default = columns::default_rule(defaults, column).filter(|_| cell.is_empty());
            default.map(str::to_owned).into_iter().chain([cell]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Condition;
    use crate::errors::ColumnError;
    use crate::record::{Record, Records, Row, Tags, columns, groups};

    const DEFAULTS: &[(&str, &str)] = &[("misses", "1")];

    fn record(engine: &str, family: &[&str], tags: &[&str]) -> Record {
        let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        let tags = Tags { family: owned(family), engine: owned(tags) };
        Record { engine: engine.to_owned(), family: "random".to_owned(), tags, ..Record::default() }
    }

    fn holds(records: &[Row<'_>], name: &str, value: &str) -> Result<Vec<bool>, ColumnError> {
        let condition = Condition::new(records, name, vec![value.to_owned()], DEFAULTS)?;
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
        let found = groups(&all, &["tags_family".to_owned()], &[]).unwrap();
        let values: Vec<&str> = found.iter().map(|group| group.values[0].as_str()).collect();
        assert_eq!(values, ["hard", "hard big"]);
        let mut table = Vec::new();
        columns::csv(&all, &mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert!(table.lines().next().unwrap().contains(",tags_engine,tags_family,"), "{table}");
        assert!(table.lines().nth(1).unwrap().contains(",new,hard big,"), "{table}");
    }
    #[test]
    fn absent_rules_have_their_default_values() {
        let rules = |misses: &str| [("misses".to_owned(), misses.into())].into_iter().collect();
        let [mut none, two, mut three] =
            [record("a", &[], &[]), record("a", &[], &[]), record("a", &[], &[])];
        (none.rules, three.rules) = (rules("0"), rules("3"));
        let all = Records::from_iter([&two, &none, &three]);
        let all: Vec<Row<'_>> = all.iter().collect();
        for value in ["1", ""] {
            assert_eq!(holds(&all, "misses", value), Ok(vec![true, false, false]), "{value}");
        }
        assert_eq!(holds(&all, "misses", "0"), Ok(vec![false, true, false]));
        let unknown = holds(&all, "misses", "2").unwrap_err().to_string();
        assert_eq!(unknown, "no run has misses = 2; there are 0, 1, 3");
        let found = groups(&all, &["misses".to_owned()], DEFAULTS).unwrap();
        let values: Vec<&str> = found.iter().map(|group| group.values[0].as_str()).collect();
        assert_eq!(values, ["0", "1", "3"]);
    }
}
