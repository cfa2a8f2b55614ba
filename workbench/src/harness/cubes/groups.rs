//! Which runs belong to the same formula, which of them are ready, and which are no longer needed.
//!
//! The run that puts the results together is ready when no cube is left. Cubes are no longer needed as soon as one of
//! them has a model, or when the whole has its record.

use super::{CubeRequest, FOLDER};
use crate::engine::{Limit, Stop};
use crate::harness::plan::{PlannedRun, Runs};
use crate::harness::set::Set;
use crate::record::{Record, Row, Run};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, PoisonError, RwLock};

/// The cubes of each cut run of a plan.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// For the key of each whole, the keys of its cubes.
    cubes: FxHashMap<String, Vec<String>>,
    /// The wholes whose cubes are no longer needed. It is shared with the functions that stop runs.
    over: Arc<RwLock<FxHashSet<String>>>,
}

impl Groups {
    /// The groups of a plan's runs, with what the records of a set say about them.
    pub fn new(runs: &Runs, set: &Set) -> Self {
        let mut groups = Groups::default();
        for run in runs.iter() {
            let Some(cut) = run.cut().filter(|cut| cut.number.is_some()) else { continue };
            groups.cubes.entry(cut.whole).or_default().push(run.key());
        }
        groups.refresh(set);
        groups
    }

    /// Notes the records that were added to the set.
    pub fn refresh(&mut self, set: &Set) {
        let ends = |key: &String| set.get(key).is_some_and(Row::ends_other_cubes);
        let is_over = |(whole, cubes): &(&String, &Vec<String>)| {
            set.get(whole).is_some_and(|record| !record.has_failed()) || cubes.iter().any(ends)
        };
        let found: Vec<String> = self.cubes.iter().filter(is_over).map(|(whole, _)| whole.clone()).collect();
        self.over.write().unwrap_or_else(PoisonError::into_inner).extend(found);
    }

    /// Whether there are no cubes.
    pub fn is_empty(&self) -> bool {
        self.cubes.is_empty()
    }

    /// Notes a new record of a run.
    pub fn note(&mut self, run: &Run, record: &Record) {
        if let Some(cut) = run.cut.as_ref().filter(|_| record.ends_other_cubes()) {
            self.over.write().unwrap_or_else(PoisonError::into_inner).insert(cut.whole.clone());
        }
    }

    /// Whether a run is a cube that is no longer needed.
    pub fn is_needless(&self, run: &Run) -> bool {
        run.is_cube() && run.cut.as_ref().is_some_and(|cut| self.is_over(&cut.whole))
    }

    /// As [`is_needless`](Self::is_needless), for a run of the plan.
    pub fn is_needless_planned(&self, run: PlannedRun<'_>) -> bool {
        run.cut().is_some_and(|cut| cut.number.is_some() && self.is_over(&cut.whole))
    }

    fn is_over(&self, whole: &str) -> bool {
        self.over.read().unwrap_or_else(PoisonError::into_inner).contains(whole)
    }

    /// A function that stops a run if `stop` says so, or if the run is a cube that is no longer needed.
    pub fn stop_of(&self, run: &Run, stop: &Stop) -> Stop {
        let Some(cut) = run.cut.clone().filter(|cut| cut.number.is_some()) else { return Arc::clone(stop) };
        let (stop, over) = (Arc::clone(stop), Arc::clone(&self.over));
        let is_over = move || over.read().unwrap_or_else(PoisonError::into_inner).contains(&cut.whole);
        Arc::new(move || stop().or_else(|| is_over().then_some(Limit::Cancelled)))
    }

    /// What a worker needs for a part of a cut run; `None` for other runs.
    pub fn request(&self, run: &Run, set: &Set) -> Option<CubeRequest> {
        let cut = run.cut.as_ref()?;
        let records = if cut.number.is_none() { self.records(run, set) } else { Vec::new() };
        // The worker has another working directory.
        let folder = std::path::absolute(set.folder()).unwrap_or_else(|_| set.folder().to_owned());
        Some(CubeRequest { folder: folder.join(FOLDER).join(&cut.whole), records })
    }

    /// Whether a run can be made: it is not a whole that waits for its cubes. `is_missing` says whether a run, given by
    /// its key, must still be made.
    pub fn is_ready(&self, run: &Run, is_missing: impl Fn(&str) -> bool) -> bool {
        let Some(cut) = run.cut.as_ref().filter(|cut| cut.number.is_none()) else { return true };
        self.is_over(&cut.whole)
            || self.cubes.get(&cut.whole).is_some_and(|cubes| !cubes.iter().any(|key| is_missing(key)))
    }

    /// The records of the cubes of a whole, in order of their numbers.
    fn records(&self, whole: &Run, set: &Set) -> Vec<Record> {
        let keys = self.cubes.get(&whole.key).into_iter().flatten();
        let mut records: Vec<Record> = keys.filter_map(|key| set.get(key).map(Row::record)).collect();
        records.sort_by_key(Record::cube_number);
        records
    }
}
