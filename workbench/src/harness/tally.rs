//! Counts the results of an experiment's runs by engine.

use super::set::Set;
use crate::record::{Run, Tally};
use indexmap::IndexMap;

/// Counts the results of a plan's runs by engine. The engines are in the order of `engines`.
pub fn tally<'a>(
    engines: impl IntoIterator<Item = String>,
    runs: impl IntoIterator<Item = &'a Run>,
    set: &Set,
) -> IndexMap<String, Tally> {
    let mut tallies: IndexMap<String, Tally> =
        engines.into_iter().map(|engine| (engine, Tally::default())).collect();
    for run in runs {
        let tally = tallies.entry(run.engine.clone()).or_default();
        tally.planned += 1;
        if let Some(record) = set.get(&run.key) {
            tally.add(record);
        }
    }
    tallies
}
