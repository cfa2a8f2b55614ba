//! The batches that a runner holds, and which run it carries out next.

use super::deaths::{MAX_DEATHS, MAX_DEATHS_TOGETHER};
use super::{Claim, HeldBatches, Item, Queue, Storage};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// The shortest pause of a runner that finds no work, before it looks again.
const MIN_PAUSE: Duration = Duration::from_millis(100);

/// The records of a set.
pub trait Records<R> {
    /// Reads the records that others have added.
    ///
    /// # Errors
    /// If they cannot be read.
    fn refresh(&mut self) -> io::Result<()>;

    /// Reads the records that these runners have added.
    ///
    /// # Errors
    /// If they cannot be read.
    fn refresh_of(&mut self, runners: &[String]) -> io::Result<()>;

    /// Whether a run has no record that counts.
    fn is_missing(&self, run: &R) -> bool;

    /// The runs of the plan without a record that counts, after all records were read anew.
    ///
    /// # Errors
    /// If the records cannot be read.
    fn all_missing(&mut self) -> io::Result<Vec<R>>;

    /// Flushes this runner's records to disk.
    ///
    /// # Errors
    /// If they cannot be flushed.
    fn sync(&mut self) -> io::Result<()>;

    /// Records that a run failed, because these runners died while they held it.
    ///
    /// # Errors
    /// If it cannot be recorded.
    fn set_aside(&mut self, run: &R, deaths: &[String]) -> io::Result<()>;
}

/// A queue with the batches that this runner holds.
pub struct Holder<R, S> {
    /// The queue.
    pub queue: Queue<R, S>,
    open: VecDeque<OpenBatch<R>>,
    /// When this runner looks for work again, and the pause after that.
    pause: (Duration, Duration),
    /// Since when runs have been missing although the queue is empty.
    missing_since: Option<Duration>,
    /// The number of runs that were missing when they were last queued again; `None` before the first time.
    last_missing: Option<usize>,
}

/// A batch that this runner holds.
struct OpenBatch<R> {
    /// The queue's claim on the batch. Its list of runs contains only those that have no record yet.
    claim: Claim<R>,
    /// The runs of the batch that were not started, in reverse order, so that `pop` returns the next one.
    waiting: Vec<R>,
}

/// Why a runner has no run to start.
#[derive(Debug, PartialEq, Eq)]
pub enum Idle {
    /// This runner holds batches all of whose runs were started; they may come back to the queue.
    OwnRuns,
    /// Other runners hold all remaining batches.
    Others(Vec<HeldBatches>),
    /// The queue is empty.
    Empty,
}

/// The result of comparing the records with the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Every run has a record.
    Complete,
    /// Runs are missing. They were queued again before, and their number has not fallen since.
    Incomplete,
    /// This many runs were missing, and were queued again.
    Requeued(usize),
    /// Runs are missing, but they may have records that are not visible yet.
    Unclear,
}

impl<R: Item> OpenBatch<R> {
    fn has(&self, run: &R) -> bool {
        self.claim.runs.iter().any(|known| known.is(run))
    }

    /// Drops the runs that were not started, because this process no longer holds the batch.
    fn drop_waiting(&mut self) {
        let dropped: FxHashSet<String> = self.waiting.drain(..).map(|run| run.key()).collect();
        self.claim.runs.retain(|run| !dropped.contains(&run.key()));
    }
}

impl<R: Item, S: Storage> Holder<R, S> {
    /// Creates a holder without batches.
    pub fn new(queue: Queue<R, S>) -> Self {
        let (open, pause, missing_since, last_missing) = Default::default();
        Holder { queue, open, pause, missing_since, last_missing }
    }

    /// The next run that has no record; `None` if no batch could be claimed.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn next(&mut self, records: &mut impl Records<R>) -> io::Result<Option<R>> {
        loop {
            for open in self.open.iter_mut().filter(|open| !open.waiting.is_empty()) {
                if !self.queue.holds(&open.claim) {
                    open.drop_waiting();
                    self.queue.deny_death(&open.claim)?;
                } else if let Some(run) = open.waiting.pop() {
                    return Ok(Some(run));
                }
            }
            self.open.retain(|open| !open.claim.runs.is_empty());
            if self.queue.storage.now() < self.pause.0 {
                return Ok(None);
            }
            let Some(claim) = self.queue.claim()? else { return Ok(None) };
            self.pause = Default::default();
            self.take(claim, records)?;
        }
    }

    /// Opens a claimed batch, unless it is done, or its runs are suspected of killing their runners.
    fn take(&mut self, mut claim: Claim<R>, records: &mut impl Records<R>) -> io::Result<()> {
        let deaths = if claim.is_suspect() { self.queue.deaths(&claim)? } else { Vec::new() };
        if claim.is_unsure() {
            records.refresh()?;
        } else if !deaths.is_empty() {
            records.refresh_of(&deaths)?;
        }
        // A run that puts cubes together may be queued a second time while its first batch waits.
        let is_held = |run: &R| self.open.iter().any(|open| open.has(run));
        claim.runs.retain(|run| records.is_missing(run) && !is_held(run));
        if deaths.len() >= MAX_DEATHS_TOGETHER && claim.runs.len() > 1 {
            return self.queue.divide(&claim);
        }
        if deaths.len() >= MAX_DEATHS && !claim.runs.is_empty() {
            for run in &claim.runs {
                records.set_aside(run, &deaths)?;
            }
            records.sync()?;
            return self.queue.set_aside(&claim, &deaths);
        }
        if claim.runs.is_empty() {
            return self.queue.finish(&claim);
        }
        let mut waiting = claim.runs.clone();
        waiting.reverse();
        self.open.push_back(OpenBatch { claim, waiting });
        Ok(())
    }

    /// Whether this process has lost the batch of a run and another runner has recorded the run.
    ///
    /// # Errors
    /// If the records cannot be read.
    pub fn has_lost(&mut self, run: &R, records: &mut impl Records<R>) -> io::Result<bool> {
        let own = self.open.iter().find(|open| open.has(run));
        if own.is_some_and(|own| self.queue.holds(&own.claim)) {
            return Ok(false);
        }
        records.refresh()?;
        Ok(!records.is_missing(run))
    }

    /// Notes that a run has its record. If this was the last run of its batch without a record, removes the batch from
    /// the queue.
    ///
    /// # Errors
    /// If the records cannot be flushed, or the batch cannot be removed.
    pub fn finish(&mut self, run: &R, records: &mut impl Records<R>) -> io::Result<()> {
        let Some(place) = self.open.iter().position(|open| open.has(run)) else { return Ok(()) };
        let open = &mut self.open[place];
        open.claim.runs.retain(|known| !known.is(run));
        if open.claim.runs.is_empty() {
            records.sync()?;
            self.queue.finish(&open.claim)?;
            self.open.remove(place);
        }
        Ok(())
    }

    /// Finds out why [`next`](Self::next) has returned nothing. The pauses between two looks at the folder grow, so that
    /// many idle runners do not burden it; `None` if it is too early for another look.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn idle(&mut self) -> io::Result<Option<Idle>> {
        let now = self.queue.storage.now();
        if now < self.pause.0 {
            return Ok(None);
        }
        let most = Queue::<R, S>::beat_interval(self.queue.lease).max(MIN_PAUSE);
        let pause = self.pause.1.clamp(MIN_PAUSE, most);
        self.pause = (now + pause, pause * 2);
        let held = self.queue.reclaim()?;
        if !self.open.is_empty() {
            return Ok(Some(Idle::OwnRuns));
        }
        if !held.is_empty() {
            return Ok(Some(Idle::Others(held)));
        }
        Ok(self.queue.is_empty()?.then_some(Idle::Empty))
    }

    /// Compares the records with the plan when the queue is empty. Runs can be missing because batches or records were
    /// deleted; they are queued again.
    ///
    /// # Errors
    /// If the records cannot be read, or the queue cannot be written.
    pub fn compare_with_plan(&mut self, records: &mut impl Records<R>) -> io::Result<Comparison> {
        let missing = records.all_missing()?;
        let count = missing.len();
        if count == 0 {
            return Ok(Comparison::Complete);
        }
        let now = self.queue.storage.now();
        if self.queue.is_remote
            && now.saturating_sub(*self.missing_since.get_or_insert(now)) < self.queue.lease
        {
            // This machine may see the records of another one late.
            return Ok(Comparison::Unclear);
        }
        self.missing_since = None;
        if self.last_missing.is_some_and(|last| last <= count) {
            return Ok(Comparison::Incomplete);
        }
        self.last_missing = Some(count);
        // This runner may have retired, which removed its counter.
        self.queue.beat()?;
        self.queue.enqueue(missing)?;
        Ok(Comparison::Requeued(count))
    }

    /// Gives back the runs that have no record.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn release(&mut self) -> io::Result<()> {
        for open in self.open.drain(..) {
            self.queue.release(&open.claim, &open.claim.runs)?;
        }
        Ok(())
    }
}
