//! The records of a plan's runs, as a runner reads and writes them.

use super::attempt::{Launcher, failed};
use super::cubes::Groups;
use super::observer::Observer;
use super::plan::{PlannedRun, Runs};
use super::queue::Records;
use super::segment::Segment;
use super::set::Set;
use crate::record::{Row, Run};
use rustc_hash::FxHashSet;
use std::io;

/// The set of a plan and the segment of this process.
pub(super) struct Recorded<'a> {
    pub(super) launcher: &'a Launcher<'a>,
    pub(super) observer: &'a dyn Observer,
    /// The runs of the plan.
    pub(super) runs: &'a Runs,
    pub(super) set: Set,
    pub(super) segment: Segment,
    /// The cubes of each cut run.
    pub(super) groups: Groups,
    /// The names of attempts that do not count.
    pub(super) repeat: FxHashSet<String>,
    /// The beginning of the names of this process's attempts.
    pub(super) attempts: String,
    /// The number of runs that this process has set aside; it is part of the names of these attempts.
    pub(super) aside: u64,
}

impl Recorded<'_> {
    /// The runs without a record that counts, except cubes that are no longer needed. Records of the attempts in
    /// `repeat` do not count.
    pub(super) fn missing(&self) -> Vec<Run> {
        let planned = self.all_without_record().map(PlannedRun::run);
        planned.chain(self.groups.missing_halves(self.runs, &|key| self.counting(key))).collect()
    }

    fn all_without_record(&self) -> impl Iterator<Item = PlannedRun<'_>> {
        let missing = move |run: &PlannedRun<'_>| {
            !self.set.record_of(*run).is_some_and(|record| self.counts(record))
                && !self.groups.is_needless_planned(*run)
        };
        self.runs.iter().filter(missing)
    }

    /// The number of missing runs of the plan that were lost. A run that puts cubes together is not lost: it is queued
    /// again as planned, when no cube is left.
    pub(super) fn lost(&self) -> usize {
        self.all_without_record().filter(|run| run.cubes().is_none()).count()
    }

    /// Whether a run can and should be made now: it is not a cube that is no longer needed, nor a whole that waits for
    /// its cubes. Such a whole is queued again when the queue is empty.
    pub(super) fn is_due(&mut self, run: &Run) -> io::Result<bool> {
        if run.cut.is_none() {
            return Ok(true);
        }
        self.look_for_models()?;
        Ok(!self.groups.is_needless(run) && self.groups.is_ready(run, &|key| self.counting(key)))
    }

    /// Reads the records of other runners, because one of them may have found a model in a cube.
    pub(super) fn look_for_models(&mut self) -> io::Result<()> {
        if self.groups.is_empty() { Ok(()) } else { self.refresh() }
    }

    /// The record that counts for the run with a key.
    fn counting(&self, key: &str) -> Option<Row<'_>> {
        self.set.get(key).filter(|record| self.counts(*record))
    }

    fn counts(&self, record: Row<'_>) -> bool {
        self.repeat.is_empty() || !self.repeat.contains(&record.attempt())
    }
}

impl Records<Run> for Recorded<'_> {
    fn refresh(&mut self) -> io::Result<()> {
        self.set.refresh()?;
        self.groups.refresh(&self.set);
        Ok(())
    }

    fn refresh_of(&mut self, runners: &[String]) -> io::Result<()> {
        self.set.refresh_of(|segment| runners.iter().any(|runner| segment.starts_with(runner.as_str())))?;
        self.groups.refresh(&self.set);
        Ok(())
    }

    fn is_missing(&self, run: &Run) -> bool {
        self.counting(&run.key).is_none() && !self.groups.is_needless(run)
    }

    fn all_missing(&mut self) -> io::Result<Vec<Run>> {
        // Read from the start, because records that were read before may have been deleted.
        self.set = self.set.reopen()?;
        self.groups.refresh(&self.set);
        Ok(self.missing())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.segment.sync()
    }

    fn set_aside(&mut self, run: &Run, deaths: &[String]) -> io::Result<()> {
        let name = format!("{}.aside-{}", self.attempts, self.aside);
        self.aside += 1;
        let mut record = failed(self.launcher, run, name, blame(deaths))?;
        record.attempt_number = Some(self.set.next_attempt(&run.key));
        self.segment.append(&record)?;
        self.observer.recorded(&record);
        Ok(())
    }
}

/// Says that these processes died while they held a run.
fn blame(deaths: &[String]) -> String {
    let processes: Vec<String> = deaths.iter().map(|name| process(name)).collect();
    format!("{} processes died while they held this run: {}", deaths.len(), processes.join(", "))
}

/// The process of that name, `HOST.NAMESPACE.PID.START`.
fn process(name: &str) -> String {
    let mut parts = name.rsplitn(4, '.').skip(1);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(pid), Some(_), Some(host)) => format!("{pid} on {host}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn dead_processes_are_named() {
        let deaths = ["n1.4026531836.17.99".to_owned(), "n2.1.18.99".to_owned(), "other".to_owned()];
        assert_eq!(
            super::blame(&deaths),
            "3 processes died while they held this run: 17 on n1, 18 on n2, other"
        );
    }
}
