//! The records of an experiment in the form that all figures and tables use: engines and instances are numbered, and
//! runs are sorted.

use crate::errors::ColumnError;
use crate::record::columns::{self, DefaultRules, Rank};
use crate::record::{Record, Verdict, condition_column, condition_words};
use indexmap::IndexSet;
use itertools::Itertools;
use rustc_hash::FxHashSet;
use serde_json::Value;
use std::collections::BTreeSet;

/// The records of an experiment.
pub struct Dataset<'a> {
    /// The ids of the engines, in the order of the plan. An engine's index determines its colour and marker.
    pub engines: Vec<String>,
    /// The instances, sorted by family, parameters, rules and seed.
    pub instances: Vec<Instance>,
    /// The runs, sorted by instance, engine, repetition, shuffle and solver seed.
    pub runs: Vec<Run<'a>>,
    /// The default values of rules.
    pub(crate) defaults: DefaultRules<'a>,
}

/// An instance with the rules under which it is solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name, such as `hard n=16 hidden=0.3 seed 4`.
    pub label: String,
    /// The hash of the problem and the instance.
    pub hash: String,
}

/// A run with its record.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The record.
    pub record: &'a Record,
    /// The index of its engine in [`Dataset::engines`].
    pub engine: usize,
    /// The index of its instance in [`Dataset::instances`].
    pub instance: usize,
    /// The default values of rules.
    defaults: DefaultRules<'a>,
}

/// Reads a column as numbers.
pub(crate) struct Reading {
    column: String,
    /// If the column is a counter, the indices of the engines that report it in some record; otherwise `None`.
    counting: Option<FxHashSet<usize>>,
}

impl Reading {
    /// The value of a run in this column. Records contain only counters that are not zero, so a decided run without the
    /// counter has the value 0. If an engine never reports the counter, the values of its runs are unknown.
    pub(crate) fn of(&self, run: &Run<'_>) -> Option<f64> {
        let number = run.number(&self.column);
        match &self.counting {
            None => number,
            Some(counting) if !counting.contains(&run.engine) => None,
            Some(_) => {
                number.or_else(|| (run.record.findings.verdict == Some(Verdict::Decided)).then_some(0.0))
            }
        }
    }

    /// Whether the column is a counter. Searches and SAT engines count different things, such as nodes and conflicts.
    pub(crate) fn is_count(&self) -> bool {
        self.counting.is_some()
    }

    /// Whether the column is a counter that an engine never reports.
    pub(crate) fn is_uncounted(&self, engine: usize) -> bool {
        self.counting.as_ref().is_some_and(|counting| !counting.contains(&engine))
    }
}

impl Run<'_> {
    /// Whether the engine supports the instance. Unsupported runs are in no figure.
    pub(crate) fn is_supported(&self) -> bool {
        self.record.findings.verdict != Some(Verdict::Unsupported)
    }

    /// CPU time in seconds if the run is solved.
    pub(crate) fn solved_s(&self) -> Option<f64> {
        self.record.findings.cpu_s.filter(|_| self.record.is_solved())
    }

    /// The limit on CPU time, in seconds.
    pub(crate) fn limit_s(&self) -> Option<f64> {
        self.record.limits.cpu_s
    }

    /// The penalized time: the CPU time if the run is solved, otherwise `k` times the limit; `None` without a limit.
    pub(crate) fn par_s(&self, k: f64) -> Option<f64> {
        self.solved_s().or_else(|| Some(k * self.limit_s()?))
    }

    /// A number of the record by its column; `work` is nodes plus conflicts. The value of a rule is a number if its text
    /// is one.
    pub(crate) fn number(&self, column: &str) -> Option<f64> {
        match column {
            "cpu_s" => self.record.findings.cpu_s,
            "work" => self.record.work().map(|work| work as f64),
            name if name.starts_with("rules_") => self.word(name).parse().ok(),
            name => columns::value(self.record, name)?.as_f64(),
        }
    }

    /// The words that a condition on a column examines. The column comes from [`Dataset::condition`].
    pub(crate) fn words(&self, column: &str) -> Vec<String> {
        condition_words(self.record, column, self.defaults)
    }

    /// A value of the record by its column, as tables show it. For a rule that the record does not contain, this is the
    /// default value.
    pub(crate) fn word(&self, column: &str) -> String {
        let text = columns::text(columns::value(self.record, column).as_ref());
        columns::or_default(text, columns::default_rule(self.defaults, column))
    }
}

impl<'a> Dataset<'a> {
    /// The dataset of some records. Engines are in the given order; any others follow in the order of the records. A
    /// rule that a record does not contain has no value.
    pub fn new(records: impl IntoIterator<Item = &'a Record>, order: &[String]) -> Self {
        Dataset::with_default_rules(records, order, &[])
    }

    /// As [`Dataset::new`], but a rule that a record does not contain has its default value.
    pub fn with_default_rules(
        records: impl IntoIterator<Item = &'a Record>,
        order: &[String],
        defaults: DefaultRules<'a>,
    ) -> Self {
        let records: Vec<&'a Record> = records.into_iter().collect();
        let present: IndexSet<&str> = records.iter().map(|record| record.engine.as_str()).collect();
        let known = order.iter().map(String::as_str).filter(|engine| present.contains(engine));
        let engines: IndexSet<&str> = known.chain(present.iter().copied()).collect();
        let varied = VariedRules::new(&records, defaults);
        let place = |engine: &str| engines.get_index_of(engine).unwrap_or_default();
        let mut sorted: Vec<(Place<'a>, &'a Record)> =
            records.into_iter().map(|r| (Place::of(r, &varied), r)).collect();
        sorted.sort_by(|(at, a), (bt, b)| {
            at.cmp(bt).then_with(|| place(&a.engine).cmp(&place(&b.engine))).then_with(|| {
                (a.repetition, a.shuffle, a.solver_seed, &a.key).cmp(&(
                    b.repetition,
                    b.shuffle,
                    b.solver_seed,
                    &b.key,
                ))
            })
        });
        let (mut instances, mut runs): (Vec<Instance>, Vec<Run<'a>>) = (Vec::new(), Vec::new());
        let mut last = None;
        for (at, record) in sorted {
            if last.as_ref() != Some(&at) {
                let (label, hash) = (label(record, &varied), record.instance_hash.clone());
                instances.push(Instance { label, hash });
                last = Some(at);
            }
            runs.push(Run { record, engine: place(&record.engine), instance: instances.len() - 1, defaults });
        }
        Dataset { engines: engines.into_iter().map(str::to_owned).collect(), instances, runs, defaults }
    }

    /// The runs whose engine supports the instance.
    pub(crate) fn supported(&self) -> impl Iterator<Item = &Run<'a>> {
        self.runs.iter().filter(|run| run.is_supported())
    }

    /// The column that a name stands for. The prefixes `params_`, `axes_`, `rules_`, `limits_` and `work_` may be
    /// omitted.
    ///
    /// # Errors
    /// If no record has such a column. The message suggests the nearest name.
    pub(crate) fn column(&self, name: &str) -> Result<String, ColumnError> {
        if name == "work" {
            return Ok(name.to_owned());
        }
        let records: Vec<&Record> = self.runs.iter().map(|run| run.record).collect();
        columns::resolve(&records, name)
    }

    /// The column of a condition: as for [`Dataset::column`], or `tag`, which stands for all tags of a run.
    ///
    /// # Errors
    /// As for [`Dataset::column`].
    pub(crate) fn condition(&self, name: &str) -> Result<String, ColumnError> {
        let records: Vec<&Record> = self.runs.iter().map(|run| run.record).collect();
        condition_column(&records, name)
    }

    /// Reads a column, whose name comes from [`Dataset::column`], as numbers.
    pub(crate) fn reading(&self, column: &str) -> Reading {
        let has_count = |run: &&Run<'_>| match column {
            "work" => run.record.counts_work(),
            _ => run.number(column).is_some(),
        };
        let is_count = column == "work" || column.starts_with("work_");
        let counting = is_count.then(|| self.runs.iter().filter(has_count).map(|run| run.engine).collect());
        Reading { column: column.to_owned(), counting }
    }

    /// The default column of sizes: the numeric parameter or rule with the most values; among equals, the first one.
    /// `None` if no parameter or rule varies.
    pub(crate) fn sizes(&self) -> Option<String> {
        let names: IndexSet<String> = self
            .runs
            .iter()
            .flat_map(|run| {
                let params = run.record.params.keys().map(|key| format!("params_{key}"));
                params.chain(run.record.rules.keys().map(|key| format!("rules_{key}")))
            })
            .collect();
        let values = |name: &str| {
            let words: IndexSet<String> = self.supported().map(|run| run.word(name)).collect();
            let numbers = words.iter().all(|word| word.is_empty() || word.parse::<f64>().is_ok());
            if numbers { words.iter().filter(|word| !word.is_empty()).count() } else { 0 }
        };
        let counted = names.into_iter().map(|name| (values(&name), name)).filter(|(count, _)| *count > 1);
        counted.rev().max_by_key(|(count, _)| *count).map(|(_, name)| name)
    }
}

/// The rules whose values differ between records.
struct VariedRules<'a> {
    /// Their keys in ascending order, each with the rule's default value if it is known.
    rules: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> VariedRules<'a> {
    fn new(records: &[&'a Record], defaults: DefaultRules<'a>) -> Self {
        let keys: BTreeSet<&'a String> = records.iter().flat_map(|record| record.rules.keys()).collect();
        let differs = |key: &&String| !records.iter().map(|record| record.rules.get(*key)).all_equal();
        let with_default = |key: &'a String| (key.as_str(), columns::default_of(defaults, key));
        let rules = keys.into_iter().filter(differs).map(with_default).collect();
        VariedRules { rules }
    }

    /// Each rule with its value in a record; `null` if the value is absent and has no known default.
    fn of(&self, record: &Record) -> impl Iterator<Item = (&'a str, Value)> {
        let value = |(key, default): &(&'a str, Option<&'a str>)| {
            (*key, record.rules.get(*key).cloned().unwrap_or_else(|| (*default).into()))
        };
        self.rules.iter().map(value)
    }
}

fn label(record: &Record, varied: &VariedRules<'_>) -> String {
    let params = record.params.iter().map(|(key, value)| format!(" {key}={}", columns::text(Some(value))));
    let rules = varied.of(record).filter(|(_, value)| !value.is_null());
    let rules = rules.map(|(key, value)| format!(" [{key}={}]", columns::text(Some(&value))));
    format!("{}{} seed {}{}", record.family, params.format(""), record.seed, rules.format(""))
}

/// The sort key of instances. Equal keys mean the same instance under the same rules.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    family: &'a str,
    /// The parameters, sorted by key.
    params: Vec<(&'a str, Rank)>,
    /// The values of the rules that vary.
    rules: Vec<Rank>,
    seed: u64,
    hash: &'a str,
}

impl<'a> Place<'a> {
    fn of(record: &'a Record, varied: &VariedRules<'_>) -> Self {
        let params = record.params.iter().map(|(key, value)| (key.as_str(), columns::rank(value)));
        Place {
            family: &record.family,
            params: params.sorted().collect(),
            rules: varied.of(record).map(|(_, value)| columns::rank(&value)).collect(),
            seed: record.seed,
            hash: &record.instance_hash,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dataset;
    use crate::record::Record;
    use serde_json::{Value, json};

    fn record(params: &[(&str, Value)], seed: u64, engine: &str) -> Record {
        Record {
            key: format!("{params:?}{seed}{engine}"),
            family: "random".to_owned(),
            params: params.iter().map(|(key, value)| (key.to_string(), value.clone())).collect(),
            seed,
            instance_hash: format!("{params:?}{seed}"),
            engine: engine.to_owned(),
            ..Record::default()
        }
    }

    #[test]
    fn runs_of_an_instance_are_adjacent() {
        let sizes: [&[(&str, Value)]; 5] = [
            &[("n", json!(4))],
            &[("n", json!(5))],
            &[("w", json!(5)), ("h", json!(5))],
            &[("w", json!(6)), ("h", json!("plus"))],
            &[("w", json!(4)), ("h", json!(5))],
        ];
        let mut records = Vec::new();
        for seed in 1..=40 {
            for params in sizes {
                records.extend(["search:a", "sat:b"].map(|engine| record(params, seed, engine)));
            }
        }
        let dataset = Dataset::new(records.iter().rev(), &[]);
        assert_eq!(dataset.instances.len(), 200);
        for (instance, pair) in dataset.runs.chunks(2).enumerate() {
            assert!(pair.iter().all(|run| run.instance == instance), "{instance}");
            assert_ne!(pair[0].engine, pair[1].engine);
        }
    }

    #[test]
    fn absent_rules_have_their_default_values() {
        let with_rule = |value: &str| {
            let mut record = record(&[], 1, "search:a");
            record.rules.insert("misses".to_owned(), value.into());
            record
        };
        let records = [with_rule("2"), record(&[], 1, "search:a"), with_rule("0")];
        let labels = |dataset: &Dataset<'_>| -> Vec<String> {
            dataset.instances.iter().map(|instance| instance.label.clone()).collect()
        };
        let known = Dataset::with_default_rules(&records, &[], &[("size", "9"), ("misses", "1")]);
        assert_eq!(
            labels(&known),
            ["random seed 1 [misses=0]", "random seed 1 [misses=1]", "random seed 1 [misses=2]"]
        );
        let numbers: Vec<_> = known.runs.iter().map(|run| run.number("rules_misses")).collect();
        assert_eq!(numbers, [Some(0.0), Some(1.0), Some(2.0)]);
        assert_eq!(known.runs[1].words("rules_misses"), ["1", ""]);
        assert_eq!(known.sizes().as_deref(), Some("rules_misses"));
        // No record has this rule, so it is not a column.
        assert!(known.column("size").is_err());
        let unknown = Dataset::new(&records, &[]);
        assert_eq!(
            labels(&unknown),
            ["random seed 1", "random seed 1 [misses=0]", "random seed 1 [misses=2]"]
        );
        assert_eq!(unknown.runs[0].words("rules_misses"), [""]);
        // A rule that does not vary is not in the labels.
        let constant = Dataset::with_default_rules(&records[..1], &[], &[("misses", "1")]);
        assert_eq!(labels(&constant), ["random seed 1"]);
    }

    #[test]
    fn the_order_of_engines_is_kept() {
        let records = [record(&[], 1, "sat:b"), record(&[], 1, "search:c"), record(&[], 1, "search:a")];
        let order = ["search:a", "search:z", "sat:b"].map(str::to_owned);
        assert_eq!(Dataset::new(&records, &order).engines, ["search:a", "sat:b", "search:c"]);
    }
}
