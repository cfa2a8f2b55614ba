//! Records as a table: CSV with a column for each field. Nested fields are joined by an underscore (`params_n`,
//! `axes_amo`, `work_conflicts`). Answers are left out (`status --records jsonl` has them), and so are records of
//! cubes, which only the set's files have. An absent value is an empty cell. pandas, R and DuckDB can read the table
//! directly.

use super::row::Row;
use super::values::{field, keys, keys_of, member};
use crate::errors::ColumnError;
use counterpoint_base::keyed::KeyedSet;
use counterpoint_base::suggest::{nearest, suggestion};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The fields of a record that become columns, in this order. A field that is an object becomes one column for each
/// key.
const FIELDS: &[&str] = &[
    "key",
    "attempt",
    "problem",
    "family",
    "params",
    "seed",
    "instance_hash",
    "rules",
    "engine",
    "side",
    "encoding",
    "axes",
    "solver",
    "tags",
    "repetition",
    "shuffle",
    "solver_seed",
    "cubes",
    "limits",
    "verdict",
    "limit",
    "outcome",
    "check",
    "reason",
    "remarks",
    "contradicts",
    "cpu_s",
    "wall_s",
    "build_cpu_s",
    "solve_cpu_s",
    "check_cpu_s",
    "prove_cpu_s",
    "proof_bytes",
    "peak_bytes",
    "work",
    "process_cpu_s",
    "process_wall_s",
    "attempt_number",
    "start",
    "load",
    "pressure_percent",
    "core",
    "build",
    "node",
    "cpu_model",
    "pilot",
    "startup_cpu_s",
    "programs",
    "surroundings",
];

/// Fields that become columns only if some record has them, because most experiments do not use them.
const OPTIONAL: &[&str] =
    &["solver_seed", "cubes", "remarks", "programs", "startup_cpu_s", "node", "cpu_model", "pilot"];

/// Fields that are objects: each of their keys becomes a column.
const OBJECTS: &[&str] = &["params", "rules", "axes", "tags", "limits", "work", "programs"];

/// A column: a field of a record, or one key of a field that is an object.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    field: &'static str,
    inner: Option<String>,
}

impl Column {
    /// The column's name.
    pub(crate) fn name(&self) -> String {
        self.inner.as_ref().map_or(self.field.to_owned(), |inner| format!("{}_{inner}", self.field))
    }

    /// The column of the rule `name`, which may have the prefix `rules_`; `None` if the rule has no known
    /// default value.
    pub(crate) fn rule(defaults: DefaultRules<'_>, name: &str) -> Option<Self> {
        let key = name.strip_prefix("rules_").unwrap_or(name);
        default_of(defaults, key).map(|_| Column { field: "rules", inner: Some(key.to_owned()) })
    }

    /// The key within the field, if the field is an object.
    pub(crate) fn inner(&self) -> Option<&str> {
        self.inner.as_deref()
    }

    /// The column's value in a record.
    pub(crate) fn of(&self, row: Row<'_>) -> Option<Value> {
        match &self.inner {
            None => field(row, self.field),
            Some(inner) => member(row, self.field, inner),
        }
    }

    /// The column's cell in a record.
    pub(crate) fn cell(&self, row: Row<'_>) -> String {
        text(self.of(row).as_ref())
    }
}

/// The columns of some records.
pub(crate) fn of(rows: &[Row<'_>]) -> Vec<Column> {
    let mut columns = Vec::new();
    for &name in FIELDS {
        let mut inner: BTreeSet<String> = BTreeSet::new();
        if OBJECTS.contains(&name) {
            let mut known: KeyedSet<u64> = KeyedSet::default();
            let mut last = None;
            for row in rows {
                let kind = keys_of(*row, name);
                if kind != last && kind.is_some_and(|kind| known.insert(kind)) {
                    inner.extend(keys(*row, name));
                }
                last = kind;
            }
        }
        let is_needed = || !OPTIONAL.contains(&name) || rows.iter().any(|row| field(*row, name).is_some());
        if inner.is_empty() && is_needed() {
            columns.push(Column { field: name, inner: None });
        }
        columns.extend(inner.into_iter().map(|key| Column { field: name, inner: Some(key) }));
    }
    columns
}

/// Writes records as CSV with a header.
///
/// # Errors
/// If they cannot be written.
pub fn csv(rows: &[Row<'_>], out: &mut dyn Write) -> io::Result<()> {
    let columns = of(rows);
    let mut table = ::csv::Writer::from_writer(out);
    table.write_record(columns.iter().map(Column::name)).map_err(unwrapped)?;
    for row in rows {
        table.write_record(columns.iter().map(|column| column.cell(*row))).map_err(unwrapped)?;
    }
    table.flush()
}

/// The I/O error inside an error of the CSV writer, so that a closed pipe is recognized.
fn unwrapped(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The default values of a problem's rules, by key. A record contains only the rules that have other values.
pub type DefaultRules<'a> = &'a [(&'a str, &'a str)];

/// The default value in a column of a rule. `None` for other columns, and for rules whose default is unknown.
pub(crate) fn default_rule<'a>(defaults: DefaultRules<'a>, column: &str) -> Option<&'a str> {
    default_of(defaults, column.strip_prefix("rules_")?)
}

/// The default value of a rule; `None` if it is unknown.
pub(crate) fn default_of<'a>(defaults: DefaultRules<'a>, key: &str) -> Option<&'a str> {
    defaults.iter().find(|(rule, _)| *rule == key).map(|(_, value)| *value)
}

/// The text of a cell, or the default value if the cell is empty.
pub(crate) fn or_default(text: String, default: Option<&str>) -> String {
    if text.is_empty() { default.unwrap_or_default().to_owned() } else { text }
}

/// Former names of columns, each with the present name. Plans and addresses of pages may still use former names.
const RENAMED: &[(&str, &str)] = &[("model", "encoding")];

/// The present name of a column.
fn current(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// The value of a record in a column, which is given by its present or a former name.
pub(crate) fn value(row: Row<'_>, name: &str) -> Option<Value> {
    let name = current(name);
    match name.split_once('_') {
        Some(("tags", "family")) => Some(row.tags().family.join(" ").into()),
        Some(("tags", "engine")) => Some(row.tags().engine.join(" ").into()),
        Some((object @ ("params" | "rules" | "axes" | "work" | "limits"), key)) => member(row, object, key),
        _ => field(row, name),
    }
}

/// The name of the column that `name` stands for. The prefixes `params_`, `axes_`, `rules_`, `limits_`, `work_` and
/// `tags_` may be omitted, and earlier names are accepted.
///
/// # Errors
/// If no record has such a column. The message suggests the nearest name.
pub fn resolve(rows: &[Row<'_>], name: &str) -> Result<String, ColumnError> {
    choose(&of(rows), name).map(Column::name)
}

/// Finds a column like [`resolve`], but among given columns.
pub(crate) fn choose<'a>(columns: &'a [Column], name: &str) -> Result<&'a Column, ColumnError> {
    let exact = columns.iter().find(|column| column.name() == current(name));
    let found = exact.or_else(|| columns.iter().find(|column| column.inner() == Some(name)));
    found.ok_or_else(|| {
        let names: Vec<String> = columns.iter().map(Column::name).collect();
        let inner = columns.iter().filter_map(Column::inner);
        let near = nearest(name, names.iter().map(String::as_str).chain(inner));
        ColumnError::Unknown { name: name.to_owned(), suggestion: suggestion(near, &names) }
    })
}

/// The text of a cell.
pub(crate) fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null | Value::Object(_)) => String::new(),
        Some(Value::String(text)) => text.clone(),
        // Tags.
        Some(Value::Array(words)) => words.iter().map(|word| text(Some(word))).collect::<Vec<_>>().join(" "),
        Some(value) => value.to_string(),
    }
}

/// The sort key of values: absent values first, then numbers by size, then words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// No value.
    Absent,
    /// A number, as an integer that has the order of [`f64::total_cmp`].
    Number(i64),
    /// Any other value, as its cell.
    Word(String),
}

/// The sort key of a value.
pub(crate) fn rank(value: &Value) -> Rank {
    match (value, value.as_f64()) {
        (Value::Null, _) => Rank::Absent,
        (_, Some(number)) => {
            let bits = number.to_bits() as i64;
            Rank::Number(bits ^ ((bits >> 63) as u64 >> 1) as i64)
        }
        (other, None) => Rank::Word(text(Some(other))),
    }
}

/// A record in which no field is absent.
#[cfg(test)]
pub(super) fn full() -> super::Record {
    let some = || Some(1.0);
    let one = || serde_json::Map::from_iter([("n".to_owned(), 1.into())]);
    super::Record {
        rules: one(),
        attempt_number: Some(1),
        params: one(),
        axes: [("amo".to_owned(), "ladder".to_owned())].into(),
        build: Some("6c8f1ee8".to_owned()),
        node: Some("n1".to_owned()),
        cpu_model: Some("EPYC".to_owned()),
        pilot: Some("14_3r1".to_owned()),
        solver: Some("varisat".to_owned()),
        solver_seed: 1,
        programs: [("kissat".to_owned(), "4.0.4".to_owned())].into(),
        startup_cpu_s: some(),
        tags: super::Tags { family: vec!["hard".to_owned()], engine: vec!["new".to_owned()] },
        cube: Some("3.1/64".to_owned()),
        split_of: Some("k".to_owned()),
        cubes: Some(64),
        limits: super::Limits {
            cpu_s: some(),
            wall_s: some(),
            proof_s: some(),
            memory_bytes: Some(1),
            work: Some(1),
        },
        findings: super::Findings {
            verdict: Some(crate::record::Verdict::Decided),
            limit: Some("cpu".to_owned()),
            outcome: Some("yes, \"indeed\"".to_owned()),
            check: Some(crate::record::Check::Open),
            reason: Some("a\nb".to_owned()),
            remarks: vec!["c".to_owned()],
            cpu_s: some(),
            wall_s: some(),
            build_cpu_s: some(),
            solve_cpu_s: some(),
            check_cpu_s: some(),
            prove_cpu_s: some(),
            proof_bytes: Some(1),
            peak_bytes: Some(1),
            literals: Some("1 -2".to_owned()),
            proof: Some(super::ProofFile {
                file: "cube-3.drat".to_owned(),
                sha256: "00".to_owned(),
                bytes: 1,
                clauses: 2,
                steps: 3,
                propagations: 4,
            }),
            work: [("nodes".to_owned(), 7)].into(),
            answer: Some(1.into()),
        },
        contradicts: Some("k".to_owned()),
        load: some(),
        pressure_percent: some(),
        core: Some(1),
        ..super::Record::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELDS, full};
    use crate::record::{Record, Records, Row};

    #[test]
    fn every_field_but_the_answer_is_a_column() {
        let value = serde_json::to_value(full()).unwrap();
        // The records of cubes are in no table.
        let is_shown =
            |key: &&String| !["answer", "cube", "split_of", "literals", "proof"].contains(&key.as_str());
        let fields: Vec<&String> = value.as_object().unwrap().keys().filter(is_shown).collect();
        assert!(fields.iter().all(|field| FIELDS.contains(&field.as_str())), "{fields:?}");
        assert_eq!(fields.len(), FIELDS.len());
    }

    #[test]
    fn columns_may_be_chosen_by_earlier_names() {
        let record = |encoding: &str| Record { encoding: encoding.to_owned(), ..Record::default() };
        let records = [record("owner"), record("placement")];
        let records = Records::from_iter(&records);
        let rows: Vec<Row<'_>> = records.iter().collect();
        for name in ["encoding", "model"] {
            assert_eq!(super::resolve(&rows, name).as_deref(), Ok("encoding"));
            assert_eq!(super::value(rows[1], name), Some("placement".into()), "{name}");
        }
        let mut table = Vec::new();
        super::csv(&rows, &mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        assert!(head.contains(&"encoding") && !head.contains(&"model"), "{head:?}");
    }

    #[test]
    fn csv_cells_have_the_values_of_the_records() {
        let (all, none) = (full(), Record::default());
        let mut bytes = Vec::new();
        let records = Records::from_iter([&all, &none]);
        super::csv(&[records.row(0), records.row(1)], &mut bytes).unwrap();
        let mut table = csv::Reader::from_reader(&bytes[..]);
        let head: Vec<String> = table.headers().unwrap().iter().map(str::to_owned).collect();
        let rows: Vec<_> = table.records().map(Result::unwrap).collect();
        let cell =
            |row: usize, name: &str| rows[row][head.iter().position(|h| h == name).unwrap()].to_owned();
        assert_eq!(rows.len(), 2);
        assert_eq!(cell(0, "outcome"), "yes, \"indeed\"");
        assert_eq!(cell(0, "reason"), "a\nb");
        assert_eq!(cell(0, "work_nodes"), "7");
        assert_eq!(cell(0, "limits_memory_bytes"), "1");
        assert_eq!(cell(1, "work_nodes"), "");
        assert_eq!(cell(0, "programs_kissat"), "4.0.4");
        let mut bytes = Vec::new();
        super::csv(&[records.row(1)], &mut bytes).unwrap();
        let head = String::from_utf8(bytes).unwrap();
        assert!(head.contains("work,") && !head.contains("programs"), "{head}");
        assert_eq!(serde_json::from_value::<Record>(serde_json::to_value(&all).unwrap()).unwrap(), all);
    }

    #[test]
    fn records_may_use_earlier_names() {
        let all = Record { encoding: "owner".to_owned(), ..full() };
        let line = serde_json::to_string(&all).unwrap();
        let earlier = line.replace(r#""encoding":"#, r#""model":"#);
        assert_ne!(line, earlier);
        for text in [&line, &earlier] {
            assert_eq!(serde_json::from_str::<Record>(text).unwrap(), all, "{text}");
        }
        let both = line.replace(r#""encoding":"#, r#""model":"placement","encoding":"#);
        assert!(
            serde_json::from_str::<Record>(&both).is_err(),
            "a record that uses both names of a field was accepted"
        );
    }
}
