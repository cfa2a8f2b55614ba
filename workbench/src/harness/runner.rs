//! Carries out the runs of a plan that have no record yet: several at a time, one in each slot. Each run is recorded as
//! soon as it ends.

use super::agreement::Answers;
use super::attempt::{Launcher, StartError, attempt};
use super::cubes::Groups;
use super::observer::Observer;
use super::plan::Runs;
use super::queue::{Comparison, Disk, Holder, Idle, Queue};
use super::recorded::Recorded;
use super::request;
use super::segment::Segment;
use super::set::Set;
use super::slurm::{attempts_of, longest};
use crate::engine::Stop;
use crate::process::Identity;
use crate::record::{Run, Verdict};
use rustc_hash::FxHashSet;
use std::io;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the observer is called.
const TICK: Duration = Duration::from_millis(100);

/// How often records are flushed to disk.
const FLUSH: Duration = Duration::from_secs(1);

/// How long a slot without work waits before it looks for work again.
const IDLE: Duration = Duration::from_millis(100);

/// After a run of a pilot has failed, the pilot waits this long for a signal that ends the pilot itself.
/// Slurm signals the processes of a job one after the other, so on a busy node the signal that has ended a
/// worker may reach the pilot later.
const SIGNAL_GAP: Duration = Duration::from_secs(1);

/// How carrying out a plan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every run of the plan has its record.
    Complete,
    /// Some runs have no record, although they were queued again.
    Incomplete,
    /// No batch is left. Another runner compares the records with the plan.
    NoBatch,
    /// The user asked to stop.
    Stopped,
    /// No further run fits into the time of this process.
    OutOfTime,
}

/// The runs to carry out, and the set for their records.
pub struct Work<'a> {
    /// The runs of the plan.
    pub runs: &'a Runs,
    /// The records of these runs so far.
    pub set: Set,
    /// The names of attempts that do not count. If the record of a run comes from one of these attempts, the run is
    /// carried out again.
    pub repeat: FxHashSet<String>,
    /// The folder of the set.
    pub folder: &'a Path,
    /// The number of runs that are carried out at the same time.
    pub jobs: NonZero<usize>,
    /// How long the heartbeat of a runner may stop before others take its batches.
    pub lease: Duration,
    /// Says whether the user asked to stop.
    pub stop: Stop,
    /// When this process must have ended; `None` if its time is not limited. A run that may not be finished by then is
    /// not started.
    pub until: Option<Instant>,
    /// Whether the queue was filled by the process that started this one.
    pub is_queued: bool,
}

/// What all slots share.
struct Shared<'a> {
    launcher: &'a Launcher<'a>,
    observer: &'a dyn Observer,
    stop: Stop,
    until: Option<Instant>,
    /// Whether the queue was filled by the process that started this one.
    is_queued: bool,
    /// The beginning of the names of this process's attempts.
    name: String,
    state: Mutex<State<'a>>,
    /// The number of attempts that this process has begun; it is part of their names.
    attempts: AtomicU64,
    is_over: AtomicBool,
}

/// The queue and the records, used by one slot at a time.
struct State<'a> {
    holder: Holder<Run, Disk>,
    recorded: Recorded<'a>,
    answers: Answers,
    /// How the work ended, once that is known.
    completion: Option<Completion>,
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
    let me = Identity::this();
    let (name, mut set) = (attempts_of(&me), work.set);
    // Others may have added records since the caller read them.
    set.refresh()?;
    let mut answers = Answers::default();
    for record in set.iter() {
        answers.compare(launcher.registry, &mut record.record());
    }
    let groups = Groups::new(work.runs, &set);
    let recorded = Recorded {
        launcher,
        observer,
        runs: work.runs,
        set,
        segment,
        groups,
        repeat: work.repeat,
        attempts: name.clone(),
        aside: 0,
    };
    let queue = Queue::open(work.folder, me, work.lease)?;
    if !work.is_queued {
        queue.enqueue(recorded.missing())?;
    }
    let state = State { holder: Holder::new(queue), recorded, answers, completion: None };
    let shared = Shared {
        launcher,
        observer,
        stop: work.stop,
        until: work.until,
        is_queued: work.is_queued,
        name,
        state: Mutex::new(state),
        attempts: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
    };
    let result = run_slots(&shared, work.jobs, work.lease);
    let mut state = shared.state();
    let flushed = state.recorded.segment.sync();
    // Runs that have no record go back to the queue, even after an error.
    let released = state.holder.release();
    if work.is_queued {
        state.holder.queue.leave_to_others();
    } else {
        state.holder.queue.leave();
    }
    result.and_then(|completion| flushed.and(released).map(|()| completion))
}

/// Runs all slots until they end. Meanwhile, renews the lease, flushes records and calls the observer.
fn run_slots(shared: &Shared<'_>, jobs: NonZero<usize>, lease: Duration) -> io::Result<Completion> {
    let interval = Queue::<Run, Disk>::beat_interval(lease);
    thread::scope(|scope| {
        let slots: Vec<_> = (0..jobs.get()).map(|number| scope.spawn(move || slot(shared, number))).collect();
        let (mut flushed, mut beaten) = (Instant::now(), Instant::now());
        let mut result = Ok(());
        while slots.iter().any(|slot| !slot.is_finished()) {
            thread::park_timeout(TICK.min(interval));
            shared.observer.tick();
            let (is_flush, is_beat) = (flushed.elapsed() >= FLUSH, beaten.elapsed() >= interval);
            if !is_flush && !is_beat {
                continue;
            }
            let mut state = shared.state();
            let State { holder: Holder { queue, .. }, recorded, .. } = &mut *state;
            if is_flush {
                flushed = Instant::now();
                if queue.is_cancelled() {
                    shared.is_over.store(true, Relaxed);
                }
                result = result.and(recorded.segment.sync()).and(recorded.look_for_models());
            }
            if is_beat {
                beaten = Instant::now();
                // `reclaim` is called here, too, so that this runner begins to time the leases of others before a slot
                // needs their batches.
                result = result.and(queue.beat().and_then(|()| queue.reclaim()).map(drop));
            }
            if result.is_err() {
                shared.is_over.store(true, Relaxed);
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

/// A slot: carries out one run after another. An error or a panic ends all slots, because the others would wait for the
/// runs that this slot leaves.
fn slot(shared: &Shared<'_>, number: usize) -> io::Result<Completion> {
    let run = AssertUnwindSafe(|| run_until_complete(shared, number));
    let result = catch_unwind(run).unwrap_or_else(|_| Err(io::Error::other("a thread has panicked")));
    if result.is_err() {
        shared.is_over.store(true, Relaxed);
    }
    result
}

fn run_until_complete(shared: &Shared<'_>, slot: usize) -> io::Result<Completion> {
    while !shared.is_over() {
        let mut state = shared.state();
        if state.completion.is_none() {
            let State { holder, recorded, .. } = &mut *state;
            if let Some(run) = holder.next(recorded)? {
                if !recorded.is_due(&run)? {
                    holder.finish(&run, recorded)?;
                    continue;
                }
                if !shared.has_time_for(&run) {
                    // The run stays in its batch, which is given back before this process ends.
                    return Ok(Completion::OutOfTime);
                }
                drop(state);
                shared.execute(&run, slot)?;
                continue;
            }
            match holder.idle()? {
                Some(Idle::Others(held)) => shared.observer.waiting(&held),
                // Only the last pilot compares the records with the plan. If each of many pilots read all
                // records, they would overload the folder.
                Some(Idle::Empty) if shared.is_queued && !holder.queue.retire()? => {
                    state.completion = Some(Completion::NoBatch);
                }
                Some(Idle::Empty) => match holder.compare_with_plan(recorded)? {
                    Comparison::Complete => state.completion = Some(Completion::Complete),
                    Comparison::Incomplete => state.completion = Some(Completion::Incomplete),
                    Comparison::Requeued(_) => match recorded.lost() {
                        0 => (),
                        lost => shared.observer.requeued(lost),
                    },
                    Comparison::Unclear => (),
                },
                Some(Idle::OwnRuns) | None => (),
            }
        }
        if let Some(completion) = state.completion {
            return Ok(completion);
        }
        drop(state);
        thread::sleep(IDLE);
    }
    Ok(Completion::Stopped)
}

impl<'a> Shared<'a> {
    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Relaxed) || (self.stop)().is_some()
    }

    /// As [`is_over`](Self::is_over), after a run has failed. A pilot waits first, because the signal that
    /// ends its job may have reached the worker before the pilot.
    fn is_ending(&self) -> bool {
        let failed = Instant::now();
        while self.is_queued && !self.is_over() && failed.elapsed() < SIGNAL_GAP {
            thread::sleep(IDLE);
        }
        self.is_over()
    }

    /// Whether a run ends in time, even if it reaches its limits.
    fn has_time_for(&self, run: &Run) -> bool {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        left.is_none_or(|left| longest(&run.limits) <= left)
    }

    /// Carries out a run and records it, unless the run is stopped or another runner has recorded it.
    fn execute(&self, run: &Run, slot: usize) -> io::Result<()> {
        let id = format!("{}.{}", self.name, self.attempts.fetch_add(1, Relaxed));
        let (cubes, stop) = {
            let Recorded { groups, set, .. } = &self.state().recorded;
            (groups.request(run, set), groups.stop_of(run, &self.stop))
        };
        let record = attempt(self.launcher, (run, cubes), slot, id, &stop).map_err(StartError::wrap)?;
        let Some(mut record) = record else {
            let State { holder, recorded, .. } = &mut *self.state();
            let is_needless = recorded.groups.is_needless(run);
            return if is_needless { holder.finish(run, recorded) } else { Ok(()) };
        };
        if record.findings.verdict == Some(Verdict::Failed) && self.is_ending() {
            // The signal that ends this process may have ended the worker first; then the failure is not recorded.
            return Ok(());
        }
        let mut state = self.state();
        let State { holder, recorded, answers, .. } = &mut *state;
        if holder.has_lost(run, recorded)? {
            return holder.finish(run, recorded);
        }
        record.attempt_number = Some(recorded.set.next_attempt(&run.key));
        if !run.is_cube() {
            answers.compare(self.launcher.registry, &mut record);
        }
        recorded.groups.note(run, &record);
        let keep = run.keep || run.is_cube() || !record.is_solved();
        record.findings.answer = record.findings.answer.filter(|answer| keep && request::is_short(answer));
        if record.environment != self.launcher.environment {
            recorded.segment.write_environment(&self.launcher.uncontained)?;
        }
        recorded.segment.append(&record)?;
        let mut next = recorded.groups.halves_of(run, &record);
        next.extend(recorded.whole_after(run)?);
        holder.queue.add(&next)?;
        holder.finish(run, recorded)?;
        drop(state);
        self.observer.recorded(&record);
        Ok(())
    }
}
