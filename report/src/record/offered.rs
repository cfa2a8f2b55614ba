//! What a user may choose: the columns of some records, and the values in a column.

use super::Row;
use super::columns::{Column, choose, of};
use super::condition::{column, words};

/// The names of the columns of some records, without a prefix if `resolve` in `columns` finds the column without it.
pub fn names(rows: &[Row<'_>]) -> Vec<String> {
    let columns = of(rows);
    let is_own = |short: &str, column: &Column| {
        choose(&columns, short).is_ok_and(|found| found.name() == column.name())
    };
    let short = |column: &Column| column.inner().filter(|short| is_own(short, column)).map(str::to_owned);
    columns.iter().map(|column| short(column).unwrap_or_else(|| column.name())).collect()
}

/// The values by which a condition on a column can select some of these records: numbers by size, then words in the order
/// of the records. Absent values and values after the first `max` ones are left out. If there is no such column, it has no
/// values.
pub fn values_in(records: &[Row<'_>], name: &str, max: usize) -> Vec<String> {
    let Ok(column) = column(records, name) else { return Vec::new() };
    let mut values: Vec<String> = Vec::new();
    for value in records.iter().flat_map(|record| words(*record, &column, &[])) {
        if values.len() == max {
            break;
        }
        if !value.is_empty() && !values.contains(&value) {
            values.push(value);
        }
    }
    values.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        (a, b) => a.is_err().cmp(&b.is_err()),
    });
    values
}

#[cfg(test)]
mod tests {
    use super::{names, values_in};
    use crate::record::columns::{full, resolve};
    use crate::record::{Record, Records, Row, Tags};

    #[test]
    fn short_names_stand_for_their_columns() {
        let records = Records::from_iter([&full()]);
        let rows: Vec<Row<'_>> = records.iter().collect();
        let names = names(&rows);
        for name in ["n", "amo", "family", "encoding", "rules_n", "nodes"] {
            assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
        }
        assert!(!names.iter().any(|name| name == "params_n"), "{names:?}");
        let mut whole: Vec<String> = names.iter().map(|name| resolve(&rows, name).unwrap()).collect();
        whole.sort();
        whole.dedup();
        assert_eq!(whole.len(), names.len());
    }

    #[test]
    fn values_are_listed_once() {
        let record = |engine: &str, family: &[&str], tags: &[&str]| {
            let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
            let tags = Tags { family: owned(family), engine: owned(tags) };
            Record { engine: engine.to_owned(), tags, ..Record::default() }
        };
        let all = [record("b", &["hard"], &[]), record("a", &[], &["new"]), record("b", &["hard"], &[])];
        let all = Records::from_iter(&all);
        let rows: Vec<Row<'_>> = all.iter().collect();
        assert_eq!(values_in(&rows, "engine", 9), ["b", "a"]);
        assert_eq!(values_in(&rows, "engine", 1), ["b"]);
        assert_eq!(values_in(&rows, "tag", 9), ["hard", "new"]);
        assert!(values_in(&rows, "no such column", 9).is_empty());
    }
}
