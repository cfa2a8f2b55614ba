//! Which runs belong to the same formula, which of them are ready, and which are no longer needed.
//!
//! The *whole* is the run that puts the results together. It is ready when all cubes have records or are no
//! longer needed. Cubes are no longer needed as soon as one of them is unsupported or has a model that the
//! checker does not reject, or when the whole has a record and did not fail.

use super::halves::{Node, walk};
use super::{CubeRequest, FOLDER};
use crate::engine::{Limit, Stop};
use crate::harness::plan::{PlannedRun, Runs};
use crate::harness::set::Set;
use crate::record::{Record, Records, Row, Run};
use counterpoint_base::cube::CubeNumber;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, PoisonError, RwLock};

/// The cubes of each cut run of a plan.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// For the key of each whole, the keys and the numbers of its cubes.
    cubes: FxHashMap<String, Vec<(String, CubeNumber)>>,
    /// The wholes whose cubes are no longer needed. It is shared with the functions that stop runs.
    over: Arc<RwLock<FxHashSet<String>>>,
}

impl Groups {
    /// The groups of a plan's runs, with what the records of a set say about them.
    pub fn new(runs: &Runs, set: &Set) -> Self {
        let mut groups = Groups::default();
        for run in runs.iter() {
            let (Some(number), Some(cut)) = (run.cube_number(), run.cut()) else { continue };
            groups.cubes.entry(cut.whole).or_default().push((run.key(), number));
        }
        groups.refresh(set);
        groups
    }

    /// Notes the records that were added to the set.
    pub fn refresh(&mut self, set: &Set) {
        let is_over = |whole: &&String| {
            let mut ends = false;
            let mut look = |node: Node<'_>| ends = ends || node.record.is_some_and(Row::ends_other_cubes);
            set.get(whole).is_some_and(|record| !record.has_failed()) || {
                self.walk(whole, &|key| set.get(key), &mut look);
                ends
            }
        };
        let found: Vec<String> = self.cubes.keys().filter(is_over).cloned().collect();
        self.over.write().unwrap_or_else(PoisonError::into_inner).extend(found);
    }

    /// Visits all cubes of a whole with their halves.
    fn walk<'a>(&self, whole: &str, get: &dyn Fn(&str) -> Option<Row<'a>>, visit: &mut dyn FnMut(Node<'a>)) {
        for (key, number) in self.cubes.get(whole).into_iter().flatten() {
            walk((key, number.clone()), get, visit);
        }
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
        run.cut().is_some_and(|cut| cut.cube.is_some() && self.is_over(&cut.whole))
    }

    fn is_over(&self, whole: &str) -> bool {
        self.over.read().unwrap_or_else(PoisonError::into_inner).contains(whole)
    }

    /// A function that stops a run if `stop` says so, or if the run is a cube that is no longer needed.
    pub fn stop_of(&self, run: &Run, stop: &Stop) -> Stop {
        let Some(cut) = run.cut.clone().filter(|cut| cut.cube.is_some()) else { return Arc::clone(stop) };
        let (stop, over) = (Arc::clone(stop), Arc::clone(&self.over));
        let is_over = move || over.read().unwrap_or_else(PoisonError::into_inner).contains(&cut.whole);
        Arc::new(move || stop().or_else(|| is_over().then_some(Limit::Cancelled)))
    }

    /// What a worker needs for a part of a cut run; `None` for other runs.
    pub fn request(&self, run: &Run, set: &Set) -> Option<CubeRequest> {
        let cut = run.cut.as_ref()?;
        let records = if cut.cube.is_none() { self.records(run, set) } else { Vec::new() };
        // The worker has another working directory.
        let folder = std::path::absolute(set.folder()).unwrap_or_else(|_| set.folder().to_owned());
        Some(CubeRequest { folder: folder.join(FOLDER).join(&cut.whole), records })
    }

    /// Whether a run can be made: it is not a whole that waits for its cubes. `get` returns the record of a key, unless
    /// the run must be made again.
    pub fn is_ready<'a>(&self, run: &Run, get: &dyn Fn(&str) -> Option<Row<'a>>) -> bool {
        let Some(cut) = run.cut.as_ref().filter(|cut| cut.cube.is_none()) else { return true };
        let mut is_complete = self.cubes.contains_key(&cut.whole);
        self.is_over(&cut.whole) || {
            self.walk(&cut.whole, get, &mut |node| is_complete = is_complete && node.record.is_some());
            is_complete
        }
    }

    /// The halves of a plan's cubes that must still be made. `get` returns the record of a key, unless the run must be
    /// made again.
    pub fn missing_halves<'a>(&self, runs: &Runs, get: &dyn Fn(&str) -> Option<Row<'a>>) -> Vec<Run> {
        let mut missing = Vec::new();
        for run in runs.iter().filter(|run| run.is_cube() && !self.is_needless_planned(*run)) {
            let Some(number) = run.cube_number() else { continue };
            walk((&run.key(), number), get, &mut |node| {
                if node.record.is_none() && node.number.parent().is_some() {
                    missing.push(node.run(&run.run()));
                }
            });
        }
        missing
    }

    /// The halves into which this record splits its cube, as runs; none if the cube is not split.
    pub fn halves_of(&self, run: &Run, record: &Record) -> Vec<Run> {
        let number = run.cut.as_ref().and_then(|cut| cut.number().ok().flatten());
        let (Some(number), false) = (number, self.is_needless(run)) else { return Vec::new() };
        let original = run.cut.as_ref().and_then(|cut| cut.split_of.as_deref()).unwrap_or(&run.key);
        let original = Run { key: original.to_owned(), ..run.clone() };
        let (records, mut halves) = (Records::from_iter([record]), Vec::new());
        let get = |key: &str| (key == run.key).then(|| records.row(0));
        walk((&original.key, number.clone()), &get, &mut |node| {
            if node.number != number {
                halves.push(node.run(&original));
            }
        });
        halves
    }

    /// The records of the cubes of a whole and of their halves, in order of their numbers.
    fn records(&self, whole: &Run, set: &Set) -> Vec<Record> {
        let mut records: Vec<Record> = Vec::new();
        let get = |key: &str| set.get(key);
        self.walk(&whole.key, &get, &mut |node| records.extend(node.record.map(Row::record)));
        records.sort_by_key(Record::cube_number);
        records
    }
}
