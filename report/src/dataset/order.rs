//! The order of instances, and their labels.

use super::Run;
use crate::record::Row;
use crate::record::columns::{self, DefaultRules, Rank};
use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The order of instances. It is used before the instances are numbered, while the field `instance` of each
/// run holds the rank of its source; see `ranks`.
pub(super) fn instance_order(a: &Run<'_>, b: &Run<'_>) -> Ordering {
    let of = |run: &Run<'_>| (run.instance, run.record.seed());
    of(a).cmp(&of(b)).then_with(|| match a.record.hash_number() == b.record.hash_number() {
        true => Ordering::Equal,
        false => a.record.hash_bytes().cmp(&b.record.hash_bytes()),
    })
}

/// One record of each source.
fn of_each_source<'a>(records: &[Row<'a>]) -> Vec<Row<'a>> {
    let mut seen = FxHashSet::default();
    records.iter().copied().filter(|record| seen.insert(record.source_number())).collect()
}

/// The rules whose values differ between records.
pub(super) struct VariedRules<'a> {
    /// Their keys in ascending order, each with the rule's default value if it is known.
    rules: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> VariedRules<'a> {
    pub(super) fn new(records: &[Row<'a>], defaults: DefaultRules<'a>) -> Self {
        let sources = of_each_source(records);
        let keys: BTreeSet<&'a String> = sources.iter().flat_map(|record| record.rules().keys()).collect();
        let differs = |key: &&String| !sources.iter().map(|record| record.rules().get(*key)).all_equal();
        let with_default = |key: &'a String| (key.as_str(), columns::default_of(defaults, key));
        let rules = keys.into_iter().filter(differs).map(with_default).collect();
        VariedRules { rules }
    }

    /// Each rule with its value in a record; `null` if the value is absent and has no known default.
    fn of(&self, record: Row<'a>) -> impl Iterator<Item = (&'a str, Value)> {
        let value = move |(key, default): &(&'a str, Option<&'a str>)| {
            (*key, record.rules().get(*key).cloned().unwrap_or_else(|| (*default).into()))
        };
        self.rules.iter().map(value)
    }
}

pub(super) fn label<'a>(record: Row<'a>, varied: &VariedRules<'a>) -> String {
    let params = record.params().iter().map(|(key, value)| format!(" {key}={}", columns::text(Some(value))));
    let rules = varied.of(record).filter(|(_, value)| !value.is_null());
    let rules = rules.map(|(key, value)| format!(" [{key}={}]", columns::text(Some(&value))));
    format!("{}{} seed {}{}", record.family(), params.format(""), record.seed(), rules.format(""))
}

/// The sort key of sources. Equal keys mean the same family, parameters and rules.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    family: &'a str,
    /// The parameters, sorted by key.
    params: Vec<(&'a str, Rank)>,
    /// The values of the rules that vary.
    rules: Vec<Rank>,
}

impl<'a> Place<'a> {
    fn of(record: Row<'a>, varied: &VariedRules<'a>) -> Self {
        let params = record.params().iter().map(|(key, value)| (key.as_str(), columns::rank(value)));
        Place {
            family: record.family(),
            params: params.sorted().collect(),
            rules: varied.of(record).map(|(_, value)| columns::rank(&value)).collect(),
        }
    }
}

/// The rank of each source in the order of `Place`, by the number of the source. Sources with equal keys have
/// equal ranks.
pub(super) fn ranks<'a>(records: &[Row<'a>], varied: &VariedRules<'a>) -> FxHashMap<u32, usize> {
    let sources = of_each_source(records).into_iter();
    let mut places: Vec<(Place<'_>, u32)> =
        sources.map(|record| (Place::of(record, varied), record.source_number())).collect();
    places.sort();
    let groups = places.chunk_by(|(one, _), (other, _)| one == other);
    groups
        .enumerate()
        .flat_map(|(rank, group)| group.iter().map(move |(_, source)| (*source, rank)))
        .collect()
}
