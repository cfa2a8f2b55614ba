//! Carries out the runs of a plan that have no record yet: several at a time, one in each slot. Each run is recorded as
//! soon as it ends.

use super::agreement::Answers;
use super::attempt::{Launcher, StartError, attempt};
use super::plan::{PlannedRun, Runs};
use super::planned::Planned;
use super::queue::{Claim, HeldBatches, Queue};
use super::request;
use super::segment::Segment;
use super::set::Set;
use super::slurm::longest;
use crate::engine::Stop;
use crate::process::Identity;
use crate::record::{Record, Row, Run, Verdict};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the observer is called.
const TICK: Duration = Duration::from_millis(100);

/// How often records are flushed to disk.
const FLUSH: Duration = Duration::from_secs(1);

/// How long a slot without work waits before it looks for work again.
const IDLE: Duration = Duration::from_millis(100);

/// Receives notifications of progress.
pub trait Observer: Sync {
    /// A run was recorded.
    fn recorded(&self, record: &Record);
    /// A short time has passed since the last call.
    fn tick(&self);
    /// Other runners hold all remaining runs.
    fn waiting(&self, held: &[HeldBatches]);
    /// `runs` runs have no record and were no longer in the queue, so they are queued again.
    fn requeued(&self, runs: usize);
}

/// How carrying out a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every run of the plan has its record.
    Complete,
    /// Some runs have no record, although they were queued again.
    Incomplete,
    /// The user asked to stop.
    Stopped,
    /// No further run fits into the time of this process.
    OutOfTime,
}

/// The runs to carry out, and the set for their records.
pub struct Work<'a> {
    /// The runs of the plan.
    pub runs: &'a Runs,
    /// The same runs in the form of records, for validation.
    pub planned: Arc<Planned>,
    /// The names of attempts that do not count. If the record of a run comes from one of these attempts, the run is
    /// carried out again.
    pub repeat: FxHashSet<String>,
    /// The folder of the set.
    pub folder: &'a Path,
    /// The number of runs that are carried out at the same time.
    pub jobs: NonZero<usize>,
    /// How long a runner may show no sign of life before others take its batches.
    pub lease: Duration,
    /// Says whether the user asked to stop.
    pub stop: Stop,
    /// When this process must have ended; `None` if its time is not limited. A run that may take longer is not started.
    pub until: Option<Instant>,
    /// Whether the queue was filled by the process that started this one.
    pub is_queued: bool,
}

/// What all slots share.
struct Shared<'a> {
    launcher: &'a Launcher<'a>,
    /// The runs of the plan.
    runs: &'a Runs,
    observer: &'a dyn Observer,
    stop: Stop,
    until: Option<Instant>,
    me: Identity,
    state: Mutex<State>,
    /// The number of attempts that this process has begun; it is part of their names.
    attempts: AtomicU64,
    is_over: AtomicBool,
}

/// The queue and the records, used by one slot at a time.
struct State {
    queue: Queue,
    set: Set,
    segment: Segment,
    answers: Answers,
    /// The names of attempts that do not count.
    repeat: FxHashSet<String>,
    /// The batches that this process holds.
    open: VecDeque<OpenBatch>,
    /// The number of missing runs when the records were last compared with the plan; `None` before the first time.
    last_missing: Option<usize>,
    /// How the work ended, once that is known.
    completion: Option<Completion>,
}

/// The runs without a record that counts. Records of the attempts in `repeat` do not count.
fn missing(runs: &Runs, set: &Set, repeat: &FxHashSet<String>) -> Vec<Run> {
    let counts = |record: Row<'_>| repeat.is_empty() || !repeat.contains(&record.attempt());
    let missing = runs.iter().filter(|run| !set.record_of(*run).is_some_and(counts));
    missing.map(PlannedRun::run).collect()
}

/// Whether a run has no record that counts.
fn is_missing(set: &Set, repeat: &FxHashSet<String>, run: &Run) -> bool {
    set.get(&run.key).is_none_or(|record| repeat.contains(&record.attempt()))
}

/// A batch that this process holds.
struct OpenBatch {
    /// The queue's claim on the batch. Its list of runs contains only those that have no record yet.
    claim: Claim,
    /// The runs of the batch that were not started, in reverse order, so that `pop` returns the next one.
    waiting: Vec<Run>,
}

impl OpenBatch {
    /// Drops the runs that were not started, because this process no longer holds the batch.
    fn drop_waiting(&mut self) {
        let dropped: FxHashSet<String> = self.waiting.drain(..).map(|run| run.key).collect();
        self.claim.runs.retain(|run| !dropped.contains(&run.key));
    }

    fn has(&self, run: &Run) -> bool {
        self.claim.runs.iter().any(|known| known.key == run.key)
    }
}

/// Carries out every run that has no record, or whose record comes from an attempt in [`Work::repeat`].
///
/// # Errors
/// Returns an error if records or the queue cannot be written or read, or a worker cannot be started. Records that were
/// written before the error are kept.
pub fn carry_out(
    launcher: &Launcher<'_>,
    work: Work<'_>,
    segment: Segment,
    observer: &dyn Observer,
) -> io::Result<Completion> {
    let (me, set) = (Identity::this(), Set::of(work.folder, work.planned)?);
    let mut answers = Answers::default();
    for record in set.iter() {
        answers.compare(launcher.registry, &mut record.record());
    }
    let queue = Queue::open(work.folder, me.clone(), work.lease)?;
    let repeat = work.repeat;
    if !work.is_queued {
        queue.enqueue(missing(work.runs, &set, &repeat))?;
    }
    let open = VecDeque::new();
    let state = State { queue, set, segment, answers, repeat, open, last_missing: None, completion: None };
    let shared = Shared {
        launcher,
        runs: work.runs,
        observer,
        stop: work.stop,
        until: work.until,
        me,
        state: Mutex::new(state),
        attempts: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
    };
    let result = run_slots(&shared, work.jobs, work.lease);
    let mut state = shared.state();
    let flushed = state.segment.sync();
    // Runs that have no record go back to the queue, even after an error.
    let released = state.release();
    state.queue.leave();
    result.and_then(|completion| flushed.and(released).map(|()| completion))
}

/// Runs all slots until they end. Meanwhile, renews the lease, flushes records and calls the observer.
fn run_slots(shared: &Shared<'_>, jobs: NonZero<usize>, lease: Duration) -> io::Result<Completion> {
    // Several beats must fit into a lease, or others would take our batches.
    let pause = FLUSH.min(lease / 4);
    thread::scope(|scope| {
        let slots: Vec<_> = (0..jobs.get()).map(|number| scope.spawn(move || slot(shared, number))).collect();
        let mut flushed = Instant::now();
        let mut result = Ok(());
        while slots.iter().any(|slot| !slot.is_finished()) {
            thread::park_timeout(TICK);
            shared.observer.tick();
            if flushed.elapsed() >= pause {
                flushed = Instant::now();
                let mut state = shared.state();
                let State { queue, segment, .. } = &mut *state;
                if queue.is_cancelled() {
                    shared.is_over.store(true, Relaxed);
                }
                // `reclaim` is called here, too, so that this runner begins to time the leases of others before a slot
                // needs their batches.
                let reclaimed = queue.beat().and_then(|()| queue.reclaim());
                result = result.and(segment.sync()).and(reclaimed.map(drop));
                if result.is_err() {
                    shared.is_over.store(true, Relaxed);
                }
            }
        }
        let mut completion = Completion::Complete;
        for slot in slots {
            match slot.join() {
                Ok(Ok(of_slot)) if of_slot != Completion::Complete => completion = of_slot,
                Ok(Ok(_)) => (),
                Ok(Err(error)) => result = result.and(Err(error)),
                Err(_) => result = result.and(Err(io::Error::other("a thread has panicked"))),
            }
        }
        result.map(|()| completion)
    })
}

/// A slot: carries out one run after another. An error ends all slots.
fn slot(shared: &Shared<'_>, number: usize) -> io::Result<Completion> {
    let result = run_until_complete(shared, number);
    if result.is_err() {
        shared.is_over.store(true, Relaxed);
    }
    result
}

fn run_until_complete(shared: &Shared<'_>, slot: usize) -> io::Result<Completion> {
    while !shared.is_over() {
        let mut state = shared.state();
        if let Some(run) = state.next()? {
            if !shared.has_time_for(&run) {
                // The run stays in its batch, which is given back in the end.
                return Ok(Completion::OutOfTime);
            }
            drop(state);
            shared.execute(&run, slot)?;
            continue;
        }
        let held = state.queue.reclaim()?;
        if !state.open.is_empty() {
            // Other slots of this process are busy; their runs may come back to the queue.
        } else if !held.is_empty() {
            shared.observer.waiting(&held);
        } else if state.queue.is_empty()?
            && let Some(completion) = state.compare_with_plan(shared)?
        {
            return Ok(completion);
        }
        drop(state);
        thread::sleep(IDLE);
    }
    Ok(Completion::Stopped)
}

impl Shared<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Relaxed) || (self.stop)().is_some()
    }

    /// Whether a run ends in time, even if it reaches its limits.
    fn has_time_for(&self, run: &Run) -> bool {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        left.is_none_or(|left| longest(&run.limits) <= left)
    }

    /// Carries out a run and records it, unless the user asked to stop or another runner has recorded it.
    fn execute(&self, run: &Run, slot: usize) -> io::Result<()> {
        let id = format!("{}.{}", self.me.name(), self.attempts.fetch_add(1, Relaxed));
        let record = attempt(self.launcher, run, slot, id, &self.stop).map_err(StartError::wrap)?;
        let Some(mut record) = record else { return Ok(()) };
        if record.findings.verdict == Some(Verdict::Failed) && self.is_over() {
            // The signal that ends this process may have ended the worker first.
            return Ok(());
        }
        let mut state = self.state();
        if state.has_lost(run)? {
            return state.finish(run);
        }
        record.attempt_number = Some(state.set.next_attempt(&run.key));
        state.answers.compare(self.launcher.registry, &mut record);
        let keep = run.keep || !record.is_solved();
        record.findings.answer = record.findings.answer.filter(|answer| keep && request::is_short(answer));
        if record.environment != self.launcher.environment {
            state.segment.write_environment(&self.launcher.uncontained)?;
        }
        state.segment.append(&record)?;
        state.finish(run)?;
        drop(state);
        self.observer.recorded(&record);
        Ok(())
    }
}

impl State {
    /// The next run that has no record; `None` if no batch is waiting in the queue.
    fn next(&mut self) -> io::Result<Option<Run>> {
        loop {
            for open in self.open.iter_mut().filter(|open| !open.waiting.is_empty()) {
                if !self.queue.holds(&open.claim) {
                    open.drop_waiting();
                } else if let Some(run) = open.waiting.pop() {
                    return Ok(Some(run));
                }
            }
            self.open.retain(|open| !open.claim.runs.is_empty());
            let Some(mut claim) = self.queue.claim()? else { return Ok(None) };
            // Some of these runs may have a record, for example because another runner held the batch before it died.
            self.set.refresh()?;
            claim.runs.retain(|run| is_missing(&self.set, &self.repeat, run));
            let mut waiting = claim.runs.clone();
            waiting.reverse();
            if waiting.is_empty() {
                self.queue.finish(&claim)?;
            } else {
                self.open.push_back(OpenBatch { claim, waiting });
            }
        }
    }

    /// Whether this process has lost the batch of a run and another runner has recorded the run.
    fn has_lost(&mut self, run: &Run) -> io::Result<bool> {
        if self.open.iter().any(|open| open.has(run) && self.queue.holds(&open.claim)) {
            return Ok(false);
        }
        self.set.refresh()?;
        Ok(!is_missing(&self.set, &self.repeat, run))
    }

    /// Notes that a run has its record. If this was the last run of its batch without a record, removes the batch from
    /// the queue.
    fn finish(&mut self, run: &Run) -> io::Result<()> {
        let Some(place) = self.open.iter().position(|open| open.has(run)) else { return Ok(()) };
        let open = &mut self.open[place];
        open.claim.runs.retain(|known| known.key != run.key);
        if open.claim.runs.is_empty() {
            self.segment.sync()?;
            self.queue.finish(&open.claim)?;
            self.open.remove(place);
        }
        Ok(())
    }

    /// Compares the records with the plan when the queue is empty. Runs can be missing because batches or records were
    /// deleted. `None` means that missing runs were queued again. If their number has not fallen since the last
    /// comparison, they are not queued, and the result is [`Completion::Incomplete`].
    fn compare_with_plan(&mut self, shared: &Shared<'_>) -> io::Result<Option<Completion>> {
        if self.completion.is_some() {
            return Ok(self.completion);
        }
        // Read from the start, because records that were read before may have been deleted.
        self.set = self.set.reopen()?;
        let missing = missing(shared.runs, &self.set, &self.repeat);
        let count = missing.len();
        if count == 0 {
            self.completion = Some(Completion::Complete);
        } else if self.last_missing.is_some_and(|last| last <= count) {
            self.completion = Some(Completion::Incomplete);
        } else {
            self.last_missing = Some(count);
            shared.observer.requeued(count);
            self.queue.enqueue(missing)?;
        }
        Ok(self.completion)
    }

    /// Gives back the runs that have no record.
    fn release(&mut self) -> io::Result<()> {
        for open in self.open.drain(..) {
            self.queue.release(&open.claim, &open.claim.runs)?;
        }
        Ok(())
    }
}
