//! The records of an experiment in the form that all figures and tables use: engines and instances are numbered, and
//! runs are sorted.

mod order;

use crate::errors::ColumnError;
use crate::record::columns::{self, Column, DefaultRules};
use crate::record::{Row, Verdict, condition_column, condition_words};
use crate::spec::{Figure, Kind, ReportSpec};
use indexmap::{IndexMap, IndexSet};
use order::{VariedRules, instance_order, label, ranks};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

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
    columns: OnceCell<Vec<Column>>,
    sizes: OnceCell<Option<String>>,
    /// The column of sizes that the plan names.
    planned_sizes: Option<String>,
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
    pub record: Row<'a>,
    /// The index of its engine in [`Dataset::engines`].
    pub engine: usize,
    /// The index of its instance in [`Dataset::instances`].
    pub instance: usize,
    /// The default values of rules.
    pub(crate) defaults: DefaultRules<'a>,
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
            Some(_) => number.or_else(|| (run.record.verdict() == Some(Verdict::Decided)).then_some(0.0)),
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
        self.record.verdict() != Some(Verdict::Unsupported)
    }

    /// CPU time in seconds if the run is solved.
    pub(crate) fn solved_s(&self) -> Option<f64> {
        self.record.cpu_s().filter(|_| self.record.is_solved())
    }

    /// The limit on CPU time, in seconds.
    pub(crate) fn limit_s(&self) -> Option<f64> {
        self.record.limits().cpu_s
    }

    /// The penalized time: the CPU time if the run is solved, otherwise `k` times the limit; `None` without a limit.
    pub(crate) fn par_s(&self, k: f64) -> Option<f64> {
        self.solved_s().or_else(|| Some(k * self.limit_s()?))
    }

    /// A number of the record by its column; `work` is nodes plus conflicts. The value of a rule is a number if its
    /// text is one.
    pub(crate) fn number(&self, column: &str) -> Option<f64> {
        match column {
            "cpu_s" => self.record.cpu_s(),
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
    pub fn new(records: impl IntoIterator<Item = Row<'a>>, order: &[String]) -> Self {
        Dataset::with_default_rules(records, order, &[])
    }

    /// As [`Dataset::new`], but a rule that a record does not contain has its default value.
    pub fn with_default_rules(
        records: impl IntoIterator<Item = Row<'a>>,
        order: &[String],
        defaults: DefaultRules<'a>,
    ) -> Self {
        let records: Vec<Row<'a>> = records.into_iter().collect();
        let present: IndexSet<&str> = records.iter().map(|record| record.engine()).collect();
        let known = order.iter().map(String::as_str).filter(|engine| present.contains(engine));
        let engines: IndexSet<&str> = known.chain(present.iter().copied()).collect();
        let varied = VariedRules::new(&records, defaults);
        let ranks = ranks(&records, &varied);
        let rank = |record: &Row<'_>| ranks.get(&record.source_number()).copied().unwrap_or_default();
        let mut sorted: Vec<Run<'a>> = records
            .into_iter()
            .map(|record| Run {
                engine: engines.get_index_of(record.engine()).unwrap_or_default(),
                instance: rank(&record),
                record,
                defaults,
            })
            .collect();
        sorted.sort_by(|a, b| {
            let last = |run: &Run<'a>| {
                let record = run.record;
                (run.engine, record.repetition(), record.shuffle(), record.solver_seed(), record.key_bytes())
            };
            instance_order(a, b).then_with(|| last(a).cmp(&last(b)))
        });
        let mut instances: Vec<Instance> = Vec::new();
        let mut last: Option<Run<'a>> = None;
        for run in &mut sorted {
            let now = *run;
            if last.is_none_or(|last| instance_order(&last, &now).is_ne()) {
                let (label, hash) = (label(now.record, &varied), now.record.instance_hash());
                instances.push(Instance { label, hash });
            }
            last = Some(now);
            run.instance = instances.len() - 1;
        }
        let engines = engines.into_iter().map(str::to_owned).collect();
        let (columns, sizes) = (OnceCell::new(), OnceCell::new());
        Dataset { engines, instances, runs: sorted, defaults, columns, sizes, planned_sizes: None }
    }

    /// The dataset with the sizes of a plan: those of its first crossover figure with a column `x`, or else of its first
    /// figure with one. Unchanged if no figure has one, or if the column has no numbers.
    pub fn with_sizes_of(self, plan: &ReportSpec) -> Self {
        let mut figures: Vec<&Figure> = plan.figures.iter().filter(|figure| figure.x.is_some()).collect();
        figures.sort_by_key(|figure| figure.kind != Kind::Crossover);
        let named = figures.first().and_then(|figure| self.column(figure.x.as_deref()?).ok());
        let named = named.filter(|column| self.runs.iter().any(|run| run.number(column).is_some()));
        Dataset { planned_sizes: named, ..self }
    }

    /// A dataset with the same engines and other instances.
    pub(crate) fn with(&self, instances: Vec<Instance>, runs: Vec<Run<'a>>) -> Self {
        let (engines, defaults, planned_sizes) =
            (self.engines.clone(), self.defaults, self.planned_sizes.clone());
        let (columns, sizes) = (OnceCell::new(), OnceCell::new());
        Dataset { engines, instances, runs, defaults, columns, sizes, planned_sizes }
    }

    /// The records, in the order of the runs.
    pub(crate) fn records(&self) -> Vec<Row<'a>> {
        self.runs.iter().map(|run| run.record).collect()
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
        let columns = self.columns.get_or_init(|| columns::of(&self.records()));
        columns::choose(columns, name).map(Column::name)
    }

    /// The column of a condition: as for [`Dataset::column`], or `tag`, which stands for all tags of a run.
    ///
    /// # Errors
    /// As for [`Dataset::column`].
    pub(crate) fn condition(&self, name: &str) -> Result<String, ColumnError> {
        match name {
            "tag" => condition_column(&self.records(), name),
            _ => {
                let columns = self.columns.get_or_init(|| columns::of(&self.records()));
                columns::choose(columns, name).map(Column::name)
            }
        }
    }

    /// Checks that a name stands for a column, as for `Dataset::column`, or for all tags.
    ///
    /// # Errors
    /// If no record has such a column, or if no record has a tag.
    pub fn check_column(&self, name: &str) -> Result<(), ColumnError> {
        if name == "work" { Ok(()) } else { self.condition(name).map(drop) }
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

    /// The default column of sizes: the one of the plan, if [`Dataset::with_sizes_of`] found one, or else the numeric
    /// parameter or rule with the most values; among equals, the first one. `None` if no parameter or rule varies.
    pub(crate) fn sizes(&self) -> Option<String> {
        self.sizes.get_or_init(|| self.planned_sizes.clone().or_else(|| self.most_varied())).clone()
    }

    fn most_varied(&self) -> Option<String> {
        let first_of = |runs: &mut dyn Iterator<Item = &Run<'a>>| -> Vec<Run<'a>> {
            let sources: IndexMap<u32, Run<'a>> = runs.fold(IndexMap::new(), |mut sources, run| {
                sources.entry(run.record.source_number()).or_insert(*run);
                sources
            });
            sources.into_values().collect()
        };
        let all = first_of(&mut self.runs.iter());
        let supported = first_of(&mut self.supported());
        let names: IndexSet<String> = all
            .iter()
            .flat_map(|run| {
                let params = run.record.params().keys().map(|key| format!("params_{key}"));
                params.chain(run.record.rules().keys().map(|key| format!("rules_{key}")))
            })
            .collect();
        let values = |name: &str| {
            let words: IndexSet<String> = supported.iter().map(|run| run.word(name)).collect();
            let numbers = words.iter().all(|word| word.is_empty() || word.parse::<f64>().is_ok());
            if numbers { words.iter().filter(|word| !word.is_empty()).count() } else { 0 }
        };
        let counted = names.into_iter().map(|name| (values(&name), name)).filter(|(count, _)| *count > 1);
        counted.rev().max_by_key(|(count, _)| *count).map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::Dataset;
    use crate::record::{Record, Records};
    use crate::spec::{Figure, Kind, ReportSpec};
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
        let records = Records::from_iter(records.iter().rev());
        let dataset = Dataset::new(records.iter(), &[]);
        assert_eq!(dataset.instances.len(), 200);
        for (instance, pair) in dataset.runs.chunks(2).enumerate() {
            assert!(pair.iter().all(|run| run.instance == instance), "{instance}");
            assert_ne!(pair[0].engine, pair[1].engine);
        }
    }

    #[test]
    fn sizes_are_those_of_the_plan() {
        let records = (1..=4).map(|n| record(&[("n", json!(n)), ("hits", json!(n % 2))], 1, "search:a"));
        let records = Records::from_iter(&records.collect::<Vec<_>>());
        let figure = |kind, x: &str| Figure { x: Some(x.to_owned()), ..Figure::of(kind) };
        let sizes = |figures| {
            let plan = ReportSpec { figures, ..ReportSpec::default() };
            Dataset::new(records.iter(), &[]).with_sizes_of(&plan).sizes()
        };
        assert_eq!(sizes(vec![]).as_deref(), Some("params_n"));
        let crossover = figure(Kind::Crossover, "hits");
        assert_eq!(sizes(vec![figure(Kind::Spread, "n"), crossover]).as_deref(), Some("params_hits"));
        assert_eq!(sizes(vec![figure(Kind::Spread, "engine")]).as_deref(), Some("params_n"));
    }

    #[test]
    fn absent_rules_have_their_default_values() {
        let with_rule = |value: &str| {
            let mut record = record(&[], 1, "search:a");
            record.rules.insert("misses".to_owned(), value.into());
            record
        };
        let records = [with_rule("2"), record(&[], 1, "search:a"), with_rule("0")];
        let records = Records::from_iter(&records);
        let labels = |dataset: &Dataset<'_>| -> Vec<String> {
            dataset.instances.iter().map(|instance| instance.label.clone()).collect()
        };
        let known = Dataset::with_default_rules(records.iter(), &[], &[("size", "9"), ("misses", "1")]);
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
        let unknown = Dataset::new(records.iter(), &[]);
        assert_eq!(
            labels(&unknown),
            ["random seed 1", "random seed 1 [misses=0]", "random seed 1 [misses=2]"]
        );
        assert_eq!(unknown.runs[0].words("rules_misses"), [""]);
        // A rule that does not vary is not in the labels.
        let constant = Dataset::with_default_rules([records.row(0)], &[], &[("misses", "1")]);
        assert_eq!(labels(&constant), ["random seed 1"]);
    }

    #[test]
    fn the_order_of_engines_is_kept() {
        let records = [record(&[], 1, "sat:b"), record(&[], 1, "search:c"), record(&[], 1, "search:a")];
        let records = Records::from_iter(&records);
        let order = ["search:a", "search:z", "sat:b"].map(str::to_owned);
        assert_eq!(Dataset::new(records.iter(), &order).engines, ["search:a", "sat:b", "search:c"]);
    }
}
