//! Reads a file of hypotheses. Every name is checked against the plan of the experiment, so that a misspelt one is
//! found before the runs.

use super::super::super::experiment::Experiment;
use super::super::cache::Cache;
use super::super::written::command;
use crate::document::{Document, DocumentError, Placed};
use crate::harness::plan::all_values;
use crate::report::hypothesis::{Assumed, Hypotheses, Hypothesis, Test, Than};
use crate::spec::{nearest, suggestion};
use std::collections::BTreeMap;
use std::rc::Rc;
use toml::de::DeTable;

/// The keys of all hypotheses.
const COMMON: [&str; 4] = ["name", "text", "experiment", "only"];

/// The keys of each kind of hypothesis. The first key decides the kind.
const KINDS: [&[&str]; 4] = [
    &["faster", "slower", "by", "column", "share", "power"],
    &["equal", "within", "column", "share", "power"],
    &["growth", "engine", "over", "above", "below"],
    &["solved", "more-than", "share", "power"],
];

/// The column of values if a hypothesis names none.
const DEFAULT_COLUMN: &str = "cpu_s";

/// The power if a hypothesis names none.
const DEFAULT_POWER: f64 = 0.9;

/// A hypothesis that was read, with the positions of its keys.
pub(super) struct Read {
    pub(super) hypothesis: Hypothesis,
    /// The index of its experiment.
    pub(super) experiment: usize,
    /// The offset of its table.
    pub(super) at: usize,
    /// The offsets of columns: in `column`, `growth`, `over` or `only`.
    pub(super) columns: Vec<(String, usize)>,
}

/// A file of hypotheses that was read.
pub(super) struct File {
    /// Its contents.
    pub(super) hypotheses: Hypotheses,
    /// The hypotheses with their positions.
    pub(super) read: Vec<Read>,
    /// The experiments that they name.
    pub(super) experiments: Vec<Rc<Experiment>>,
}

struct Reader<'a> {
    cache: &'a Cache<'a>,
    document: &'a Document<'a>,
    experiments: Vec<Rc<Experiment>>,
    /// The indices of the experiments by the names in the file.
    named: BTreeMap<String, usize>,
}

/// Reads the file.
pub(super) fn file(cache: &Cache<'_>, document: &Document<'_>) -> Result<File, DocumentError> {
    let root = document.table()?;
    let table = root.get_ref();
    document.check_keys(table, &["title", "claim", "level", "hypothesis"])?;
    let level = match table.get("level") {
        None => 0.05,
        Some(level) => document.as_decimal(level, "a level above 0 and below 0.5", |p| p > 0.0 && p < 0.5)?,
    };
    let mut reader = Reader { cache, document, experiments: Vec::new(), named: BTreeMap::new() };
    let mut read: Vec<Read> = Vec::new();
    for value in table.get("hypothesis").map_or(Vec::new(), |value| document.one_or_many(value)) {
        let next = reader.hypothesis(value)?;
        let name = &next.hypothesis.name;
        let alike = read.iter().find(|other| command(&other.hypothesis.name) == command(name));
        if let Some(other) = alike {
            let other = &other.hypothesis.name;
            let why = if other == name {
                format!("there are two hypotheses '{name}'")
            } else {
                format!("'{name}' and '{other}' would have the same TeX macros; use other letters or digits")
            };
            return document.error_at(next.at, &why);
        }
        read.push(next);
    }
    if read.is_empty() {
        return document.error_at(0, "expected a [[hypothesis]] with a name, an experiment and a test");
    }
    let hypotheses = Hypotheses {
        title: text(document, table, "title")?,
        claim: text(document, table, "claim")?,
        level,
        all: read.iter().map(|one| one.hypothesis.clone()).collect(),
    };
    Ok(File { hypotheses, read, experiments: reader.experiments })
}

fn text(document: &Document<'_>, table: &DeTable<'_>, key: &str) -> Result<String, DocumentError> {
    let text = table.get(key).map_or(Ok(""), |value| document.as_str(value))?;
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl Reader<'_> {
    fn hypothesis(&mut self, value: &Placed<'_>) -> Result<Read, DocumentError> {
        let (document, at) = (self.document, value.span().start);
        let table = document.as_table(value)?;
        let kinds: Vec<&[&str]> = KINDS.into_iter().filter(|keys| table.contains_key(keys[0])).collect();
        let [keys] = kinds[..] else {
            // An unknown key may be a misspelt one.
            let all: Vec<&str> = COMMON.iter().chain(KINDS.into_iter().flatten()).copied().collect();
            document.check_keys(table, &all)?;
            let why = "a hypothesis needs exactly one of the keys faster, equal, growth and solved";
            return document.error_at(at, why);
        };
        document.check_keys(table, &[&COMMON, keys].concat())?;
        let name = document.as_str(self.needed(value, table, "name")?)?.trim();
        if command(name).is_empty() {
            return document.error_at(at, "the name of a hypothesis needs a letter or a digit, as in \"S1\"");
        }
        let experiment = self.experiment(self.needed(value, table, "experiment")?)?;
        let engine = |key: &str| self.engine(self.needed(value, table, key)?, experiment);
        let column = || table.get("column").map_or(Ok(DEFAULT_COLUMN), |column| document.as_str(column));
        let factor = |value, least: f64| {
            let expected = format!("a number above {least}");
            document.as_decimal(value, &expected, |factor| factor > least && factor.is_finite())
        };
        let test = match keys[0] {
            "faster" => Test::Faster {
                faster: engine("faster")?,
                slower: engine("slower")?,
                by: table.get("by").map_or(Ok(1.0), |by| factor(by, 0.0))?,
                column: column()?.to_owned(),
            },
            "equal" => {
                let pair = self.needed(value, table, "equal")?;
                let list = document.one_or_many(pair);
                let [a, b] = list[..] else {
                    return document.error_at(pair.span().start, "expected a list of two engines");
                };
                Test::Equal {
                    engines: [self.engine(a, experiment)?, self.engine(b, experiment)?],
                    within: factor(self.needed(value, table, "within")?, 1.0)?,
                    column: column()?.to_owned(),
                }
            }
            "growth" => Test::Growth {
                engine: engine("engine")?,
                column: document.as_str(self.needed(value, table, "growth")?)?.to_owned(),
                over: document.as_str(self.needed(value, table, "over")?)?.to_owned(),
                than: self.than(value, table)?,
            },
            _ => Test::Solved { more: engine("solved")?, less: engine("more-than")? },
        };
        if let [a, b] = test.engines()[..]
            && a == b
        {
            return document.error_at(at, &format!("both engines are {a}"));
        }
        let mut columns = Vec::new();
        for key in ["column", "growth", "over"] {
            if let Some(value) = table.get(key) {
                columns.push((document.as_str(value)?.to_owned(), value.span().start));
            }
        }
        let mut only = Vec::new();
        if let Some(value) = table.get("only") {
            for (key, values) in document.as_table(value)? {
                only.push((key.get_ref().to_string(), all_values(document, values)?));
                columns.push((key.get_ref().to_string(), key.span().start));
            }
        }
        let hypothesis = Hypothesis {
            name: name.to_owned(),
            text: text(document, table, "text")?,
            experiment: self.experiments[experiment].name.clone(),
            test,
            only,
            assumed: self.assumed(table)?,
        };
        Ok(Read { hypothesis, experiment, at, columns })
    }

    /// The value of a key that must be present.
    fn needed<'v, 'd>(
        &self,
        value: &Placed<'_>,
        table: &'v DeTable<'d>,
        key: &str,
    ) -> Result<&'v Placed<'d>, DocumentError> {
        let missing =
            || self.document.error(value.span().start, &format!("this hypothesis lacks the key '{key}'"));
        table.get(key).ok_or_else(missing)
    }

    /// The index of an experiment.
    fn experiment(&mut self, value: &Placed<'_>) -> Result<usize, DocumentError> {
        let name = self.document.as_str(value)?;
        if let Some(known) = self.named.get(name) {
            return Ok(*known);
        }
        let opened = self.cache.experiment(name);
        let experiment =
            opened.map_err(|failure| self.document.error(value.span().start, &failure.message))?;
        let known = self.experiments.iter().position(|known| known.name == experiment.name);
        let index = known.unwrap_or(self.experiments.len());
        if known.is_none() {
            self.experiments.push(experiment);
        }
        self.named.insert(name.to_owned(), index);
        Ok(index)
    }

    /// The id of an engine of an experiment's plan.
    fn engine(&self, value: &Placed<'_>, experiment: usize) -> Result<String, DocumentError> {
        let id = self.document.as_str(value)?;
        let experiment = &self.experiments[experiment];
        let engines = experiment.engines();
        if engines.iter().any(|known| known == id) {
            return Ok(id.to_owned());
        }
        let hint = suggestion(nearest(id, engines.iter().map(String::as_str)), &engines);
        let why = format!("the plan of {} has no engine '{id}'; {hint}", experiment.name);
        self.document.error_at(value.span().start, &why)
    }

    /// The bound of a slope.
    fn than(&self, value: &Placed<'_>, table: &DeTable<'_>) -> Result<Than, DocumentError> {
        let number = |value| self.document.as_decimal(value, "a number", f64::is_finite);
        match (table.get("above"), table.get("below")) {
            (Some(bound), None) => Ok(Than::Above(number(bound)?)),
            (None, Some(bound)) => Ok(Than::Below(number(bound)?)),
            _ => self
                .document
                .error_at(value.span().start, "a hypothesis about growth has either `above` or `below`"),
        }
    }

    /// What the power calculation assumes.
    fn assumed(&self, table: &DeTable<'_>) -> Result<Option<Assumed>, DocumentError> {
        let power = table.get("power").map(|power| {
            self.document.as_decimal(power, "a power above 0 and below 1", |power| power > 0.0 && power < 1.0)
        });
        let power = power.transpose()?;
        let Some(share) = table.get("share") else {
            return match table.get("power") {
                None => Ok(None),
                Some(power) => self
                    .document
                    .error_at(power.span().start, "`power` needs `share`, the share that is assumed"),
            };
        };
        let expected = "a share above 0.5 and at most 1";
        let share = self.document.as_decimal(share, expected, |share| share > 0.5 && share <= 1.0)?;
        Ok(Some(Assumed { share, power: power.unwrap_or(DEFAULT_POWER) }))
    }
}
