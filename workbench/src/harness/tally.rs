//! Counts the results of an experiment's runs by engine.

use super::plan::PlannedRun;
use super::set::Set;
use crate::record::Tally;
use indexmap::IndexMap;

/// Counts the results of a plan's runs by engine. The engines are in the order of `engines`.
pub fn tally<'a>(
    engines: impl IntoIterator<Item = String>,
    runs: impl IntoIterator<Item = PlannedRun<'a>>,
    set: &Set,
) -> IndexMap<String, Tally> {
    let mut tallies: IndexMap<String, Tally> =
        engines.into_iter().map(|engine| (engine, Tally::default())).collect();
    for run in runs {
        if !tallies.contains_key(run.engine()) {
            tallies.insert(run.engine().to_owned(), Tally::default());
        }
        let Some(tally) = tallies.get_mut(run.engine()) else { continue };
        tally.planned += 1;
        if let Some(record) = set.record_of(run) {
            tally.add(record);
        }
    }
    tallies
}
