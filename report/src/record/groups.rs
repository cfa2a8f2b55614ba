//! Groups of records by any columns, and by engine.

use super::columns::{self, DefaultRules};
use super::tally::Tally;
use super::{Row, Verdict};
use crate::errors::ColumnError;
use counterpoint_base::keyed::{KeyedMap, KeyedSet};
use counterpoint_statistics::{ascending, censored_median};
use indexmap::IndexSet;
use std::cmp::Ordering;

/// The runs of one engine that have the same values in the chosen columns.
#[derive(Clone, Debug)]
pub struct Group {
    /// The value in each of the chosen columns.
    pub values: Vec<String>,
    /// The engine's id.
    pub engine: String,
    /// The results of the runs.
    pub tally: Tally,
    /// CPU time of building and solving, in seconds, ascending. A run that reached a limit has the time that it used.
    /// Unsupported runs are in none of the lists of a group.
    pub cpu_s: Vec<f64>,
    /// Nodes plus conflicts, ascending; empty for an engine that does not count its work in any record.
    pub work: Vec<u64>,
    /// Clauses, ascending; empty for searches.
    pub clauses: Vec<u64>,
    /// The largest peak memory of a run, in bytes.
    pub peak_bytes: Option<u64>,
    /// Calls of the solver, ascending; empty for searches.
    pub calls: Vec<u64>,
    /// The values of `cpu_s`, but infinity for unsolved runs.
    solved_cpu_s: Vec<f64>,
    /// The values of `work`, but infinity for unsolved runs.
    solved_work: Vec<f64>,
}

/// Groups records by the columns `names`, in ascending order of their values, and by engine, in the order of the
/// records. The prefixes `params_`, `axes_`, `rules_`, `limits_`, `work_` and `tags_` of a column's name may be
/// omitted. The value of a rule that a record does not contain is its default.
///
/// # Errors
/// If no record has such a column. The message suggests the nearest name.
pub fn groups(
    records: &[Row<'_>],
    names: &[String],
    defaults: DefaultRules<'_>,
) -> Result<Vec<Group>, ColumnError> {
    let columns = columns::of(records);
    let choose = |name: &String| match columns::choose(&columns, name) {
        // No record has this column. If it is a rule, all these records have its default value.
        Err(error) => columns::Column::rule(defaults, name).ok_or(error),
        Ok(column) => Ok(column.clone()),
    };
    let chosen = names.iter().map(choose).collect::<Result<Vec<_>, _>>()?;
    let default = |column: &columns::Column| columns::default_rule(defaults, &column.name());
    let chosen: Vec<_> = chosen.iter().map(|column| (column, default(column))).collect();
    let counting: KeyedSet<&str> =
        records.iter().filter(|record| record.counts_work()).map(|record| record.engine()).collect();
    let mut groups: Vec<Group> = Vec::new();
    let mut places: KeyedMap<(&str, Vec<String>), usize> = KeyedMap::default();
    for record in records {
        let value = |(column, default): &(&columns::Column, Option<&str>)| {
            columns::or_default(column.cell(*record), *default)
        };
        let values: Vec<String> = chosen.iter().map(value).collect();
        let place = *places.entry((record.engine(), values)).or_insert_with_key(|(engine, values)| {
            let (values, engine, tally) = (values.clone(), (*engine).to_owned(), Tally::default());
            groups.push(Group {
                values,
                engine,
                tally,
                cpu_s: Vec::new(),
                work: Vec::new(),
                clauses: Vec::new(),
                peak_bytes: None,
                calls: Vec::new(),
                solved_cpu_s: Vec::new(),
                solved_work: Vec::new(),
            });
            groups.len() - 1
        });
        groups[place].add(*record);
    }
    drop(places);
    let engines: IndexSet<String> = groups.iter().map(|group| group.engine.clone()).collect();
    let place = |group: &Group| engines.get_index_of(&group.engine);
    groups.sort_by(|a, b| compare(&a.values, &b.values).then(place(a).cmp(&place(b))));
    for group in &mut groups {
        if !counting.contains(group.engine.as_str()) {
            group.work.clear();
            group.solved_work.clear();
        }
        group.cpu_s.sort_by(f64::total_cmp);
        group.work.sort_unstable();
        group.clauses.sort_unstable();
        group.calls.sort_unstable();
        group.solved_cpu_s.sort_by(f64::total_cmp);
        group.solved_work.sort_by(f64::total_cmp);
    }
    Ok(groups)
}

impl Group {
    fn add(&mut self, record: Row<'_>) {
        self.tally.planned += 1;
        self.tally.add(record);
        if record.verdict() == Some(Verdict::Unsupported) {
            return;
        }
        self.cpu_s.extend(record.cpu_s());
        self.work.extend(record.work());
        self.clauses.extend(record.count("clauses"));
        self.peak_bytes = self.peak_bytes.max(record.peak_bytes());
        self.calls.extend(record.calls());
        let known = |value: Option<f64>| if record.is_solved() { value } else { Some(f64::INFINITY) };
        self.solved_cpu_s.extend(known(record.cpu_s()));
        self.solved_work.extend(known(record.work().map(|work| work as f64)));
    }

    /// The median CPU time in seconds. Unsolved runs count as more than any solved one, so there is a median only if
    /// more than half of the runs are solved.
    pub fn median_cpu_s(&self) -> Option<f64> {
        censored_median(&self.solved_cpu_s)
    }

    /// The median of nodes plus conflicts, with unsolved runs as in [`median_cpu_s`](Self::median_cpu_s).
    pub fn median_work(&self) -> Option<f64> {
        censored_median(&self.solved_work)
    }

    /// The median number of solver calls, of solved and unsolved runs alike.
    pub fn median_calls(&self) -> Option<f64> {
        censored_median(&ascending(self.calls.iter().map(|&calls| calls as f64)))
    }

    /// The median number of clauses, of solved and unsolved runs alike.
    pub fn median_clauses(&self) -> Option<f64> {
        censored_median(&ascending(self.clauses.iter().map(|&clauses| clauses as f64)))
    }
}

/// Compares cells: numbers by size, other texts alphabetically.
fn compare(a: &[String], b: &[String]) -> Ordering {
    let one = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    };
    a.iter().zip(b).map(one).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::groups;
    use crate::record::{Findings, Record, Records, Verdict};

    #[test]
    fn work_that_was_not_counted_is_not_zero() {
        let record = |engine: &str, seed: u64, work: &[(&str, u64)]| Record {
            engine: engine.to_owned(),
            side: engine.split(':').next().unwrap().to_owned(),
            seed,
            findings: Findings {
                verdict: Some(Verdict::Decided),
                work: work.iter().map(|&(name, count)| (name.to_owned(), count)).collect(),
                ..Findings::default()
            },
            ..Record::default()
        };
        let records = [
            record("search:a", 1, &[]),
            record("sat:b", 1, &[("solves", 1)]),
            record("sat:b@outside", 1, &[("solves", 1)]),
            record("sat:b", 2, &[("conflicts", 3)]),
        ];
        let records = Records::from_iter(&records);
        let found = groups(&records.iter().collect::<Vec<_>>(), &["seed".to_owned()], &[]).unwrap();
        let work: Vec<(&str, &[u64])> = found.iter().map(|g| (g.engine.as_str(), &g.work[..])).collect();
        let expected: [(&str, &[u64]); 4] =
            [("search:a", &[0]), ("sat:b", &[0]), ("sat:b@outside", &[]), ("sat:b", &[3])];
        assert_eq!(work, expected);
    }
}
