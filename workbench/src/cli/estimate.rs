//! Estimates how long runs will take.

use crate::harness::Set;
use crate::harness::plan::PlannedRun;
use std::collections::BTreeMap;

/// Estimates from records how many seconds the missing runs will take, one after another. The estimate for a run is the
/// mean time of its engine on its instance or, without such a record, on all instances. `None` if an engine has no
/// record.
pub(super) fn likely_s(missing: &[PlannedRun<'_>], set: &Set) -> Option<f64> {
    let mut known: BTreeMap<(&str, String), (f64, usize)> = BTreeMap::new();
    for record in set.iter() {
        let (sum, n) = known.entry((record.engine(), record.instance_hash())).or_default();
        *sum += record.process_wall_s();
        *n += 1;
    }
    let mut by_engine: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for ((engine, _), (sum, n)) in &known {
        let (all, count) = by_engine.entry(engine).or_default();
        *all += sum;
        *count += n;
    }
    let mean = |(sum, n): &(f64, usize)| sum / *n as f64;
    missing
        .iter()
        .map(|run| {
            let same = known.get(&(run.engine(), run.instance_hash())).map(mean);
            same.or_else(|| by_engine.get(run.engine()).map(mean))
        })
        .sum()
}
