//! Carries out what is missing of a plan: some runs side by side, each recorded as soon as it has ended.

use super::agreement::Answers;
use super::attempt::{Outer, Unstarted, attempt};
use super::planned::Planned;
use super::queue::{Claim, Held, Queue};
use super::segment::Segment;
use super::set::Set;
use crate::engine::Stop;
use crate::process::Identity;
use crate::record::{Record, Run, Verdict};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest answer, in bytes of JSON, that a record keeps.
const MAX_KEPT: usize = 1 << 16;

/// How often the watcher hears, and what is recorded is flushed to disk.
const TICK: Duration = Duration::from_millis(100);
const FLUSH: Duration = Duration::from_secs(1);

/// How long a slot without work waits before it looks again.
const IDLE: Duration = Duration::from_millis(100);

/// Hears how it goes.
pub trait Watcher: Sync {
    /// A run was recorded.
    fn recorded(&self, record: &Record);
    /// Some time has passed.
    fn tick(&self);
    /// Nothing is left but what others do.
    fn waiting(&self, held: &[Held]);
    /// So many runs had neither a record nor a place in the queue; they are queued again.
    fn requeued(&self, runs: usize);
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every run of the plan has its record.
    Complete,
    /// Some runs have none, and queueing them again has not helped.
    Incomplete,
    /// Somebody asked to stop.
    Stopped,
}

/// What is to be done, and where its records go.
pub struct Work<'a> {
    /// The runs of the plan.
    pub runs: &'a [Run],
    /// What their records must agree with.
    pub planned: Arc<Planned>,
    /// Attempts that do not count: their runs are carried out again.
    pub again: FxHashSet<String>,
    /// The folder of the set.
    pub folder: &'a Path,
    /// Runs side by side.
    pub jobs: NonZero<usize>,
    /// How long a worker may be silent before others take over its batches.
    pub lease: Duration,
    /// Says when to stop.
    pub stop: Stop,
}

/// What all slots share.
struct Shared<'a> {
    outer: &'a Outer<'a>,
    /// The runs of the plan.
    runs: &'a [Run],
    watcher: &'a dyn Watcher,
    stop: Stop,
    me: Identity,
    desk: Mutex<Desk>,
    attempts: AtomicU64,
    over: AtomicBool,
}

/// Queue and records: whoever has work to give or to hand in stands here.
struct Desk {
    queue: Queue,
    set: Set,
    segment: Segment,
    answers: Answers,
    /// Attempts that do not count.
    again: FxHashSet<String>,
    /// Batches of ours.
    open: VecDeque<Open>,
    /// What the records lacked when they were last held against the plan.
    lacked: Option<usize>,
    /// How it ended, once that is known.
    end: Option<End>,
}

/// The runs without a record that counts.
fn missing(runs: &[Run], set: &Set, again: &FxHashSet<String>) -> Vec<Run> {
    runs.iter().filter(|run| is_missing(set, again, run)).cloned().collect()
}

/// Whether a run has no record that counts.
fn is_missing(set: &Set, again: &FxHashSet<String>, run: &Run) -> bool {
    set.get(&run.key).is_none_or(|record| again.contains(&record.attempt))
}

/// A batch of ours.
struct Open {
    /// Its runs are those without a record.
    claim: Claim,
    /// Those of them that nobody has begun, the next one last.
    waiting: Vec<Run>,
}

impl Open {
    /// Leaves what nobody has begun to whoever has the batch now.
    fn drop_waiting(&mut self) {
        let dropped: FxHashSet<String> = self.waiting.drain(..).map(|run| run.key).collect();
        self.claim.runs.retain(|run| !dropped.contains(&run.key));
    }

    fn has(&self, run: &Run) -> bool {
        self.claim.runs.iter().any(|known| known.key == run.key)
    }
}

/// Carries out all runs that have no record yet.
///
/// # Errors
/// If records or the queue cannot be written or read, or no process can be had. What was recorded stands.
pub fn carry_out(
    outer: &Outer<'_>,
    work: Work<'_>,
    segment: Segment,
    watcher: &dyn Watcher,
) -> io::Result<End> {
    let (me, set) = (Identity::this(), Set::of(work.folder, work.planned)?);
    let mut answers = Answers::default();
    for record in set.iter() {
        answers.compare(outer.registry, &mut record.clone());
    }
    let queue = Queue::open(work.folder, me.clone(), work.lease)?;
    let again = work.again;
    queue.enqueue(missing(work.runs, &set, &again))?;
    let open = VecDeque::new();
    let desk = Desk { queue, set, segment, answers, again, open, lacked: None, end: None };
    let shared = Shared {
        outer,
        runs: work.runs,
        watcher,
        stop: work.stop,
        me,
        desk: Mutex::new(desk),
        attempts: AtomicU64::new(0),
        over: AtomicBool::new(false),
    };
    let ended = slots(&shared, work.jobs, work.lease);
    let mut desk = shared.desk();
    let flushed = desk.segment.sync();
    // What was begun and not recorded goes back, whatever happened.
    let released = desk.release();
    desk.queue.leave();
    ended.and_then(|end| flushed.and(released).map(|()| end))
}

/// Runs all slots to their ends.
fn slots(shared: &Shared<'_>, jobs: NonZero<usize>, lease: Duration) -> io::Result<End> {
    // Some beats fit into a lease, or others would take over what we are doing.
    let pause = FLUSH.min(lease / 4);
    thread::scope(|scope| {
        let slots: Vec<_> = (0..jobs.get()).map(|_| scope.spawn(|| slot(shared))).collect();
        let mut flushed = Instant::now();
        let mut wrong = Ok(());
        while slots.iter().any(|slot| !slot.is_finished()) {
            thread::park_timeout(TICK);
            shared.watcher.tick();
            if flushed.elapsed() >= pause {
                flushed = Instant::now();
                let mut desk = shared.desk();
                let Desk { queue, segment, .. } = &mut *desk;
                if queue.is_cancelled() {
                    shared.over.store(true, Relaxed);
                }
                // Leases of others run from now on, whether or not their batches are wanted yet.
                let looked = queue.beat().and_then(|()| queue.reclaim());
                wrong = wrong.and(segment.sync()).and(looked.map(drop));
                if wrong.is_err() {
                    shared.over.store(true, Relaxed);
                }
            }
        }
        let mut ended = End::Complete;
        for slot in slots {
            match slot.join() {
                Ok(Ok(end)) if end != End::Complete => ended = end,
                Ok(Ok(_)) => (),
                Ok(Err(error)) => wrong = wrong.and(Err(error)),
                Err(_) => wrong = wrong.and(Err(io::Error::other("a thread has panicked"))),
            }
        }
        wrong.map(|()| ended)
    })
}

/// Takes one run after another until there is none.
fn slot(shared: &Shared<'_>) -> io::Result<End> {
    let result = serve(shared);
    if result.is_err() {
        shared.over.store(true, Relaxed);
    }
    result
}

fn serve(shared: &Shared<'_>) -> io::Result<End> {
    while !shared.is_over() {
        let mut desk = shared.desk();
        if let Some(run) = desk.next()? {
            drop(desk);
            shared.perform(&run)?;
            continue;
        }
        let held = desk.queue.reclaim()?;
        if !desk.open.is_empty() {
            // Other slots of ours are at work, and may yet give something back.
        } else if !held.is_empty() {
            shared.watcher.waiting(&held);
        } else if desk.queue.is_empty()?
            && let Some(end) = desk.settle(shared)?
        {
            return Ok(end);
        }
        drop(desk);
        thread::sleep(IDLE);
    }
    Ok(End::Stopped)
}

impl Shared<'_> {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.over.load(Relaxed) || (self.stop)().is_some()
    }

    /// Carries out a run and records it.
    fn perform(&self, run: &Run) -> io::Result<()> {
        let id = format!("{}.{}", self.me.name(), self.attempts.fetch_add(1, Relaxed));
        let asked = Arc::clone(&self.stop);
        let record = attempt(self.outer, run, id, &asked).map_err(Unstarted::because)?;
        let Some(mut record) = record else { return Ok(()) };
        if record.findings.verdict == Some(Verdict::Failed) && self.is_over() {
            // What ended us may have ended its worker first.
            return Ok(());
        }
        let mut desk = self.desk();
        if desk.has_lost(run)? {
            return desk.ended(run);
        }
        record.attempt_number = Some(desk.set.next_attempt(&run.key));
        desk.answers.compare(self.outer.registry, &mut record);
        let keep = run.keep || !record.is_solved();
        let short = |text: &serde_json::Value| text.to_string().len() <= MAX_KEPT;
        record.findings.answer = record.findings.answer.filter(|answer| keep && short(answer));
        if record.environment != self.outer.environment {
            desk.segment.describe(&self.outer.uncontained)?;
        }
        desk.segment.append(&record)?;
        desk.ended(run)?;
        drop(desk);
        self.watcher.recorded(&record);
        Ok(())
    }
}

impl Desk {
    /// The next run that nobody has done.
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
            // Somebody may have done part of it and died, or all of it before it was queued.
            self.set.refresh()?;
            claim.runs.retain(|run| is_missing(&self.set, &self.again, run));
            let mut waiting = claim.runs.clone();
            waiting.reverse();
            if waiting.is_empty() {
                self.queue.finish(&claim)?;
            } else {
                self.open.push_back(Open { claim, waiting });
            }
        }
    }

    /// Whether others took over the batch of a run, and have recorded it.
    fn has_lost(&mut self, run: &Run) -> io::Result<bool> {
        if self.open.iter().any(|open| open.has(run) && self.queue.holds(&open.claim)) {
            return Ok(false);
        }
        self.set.refresh()?;
        Ok(!is_missing(&self.set, &self.again, run))
    }

    /// A run has its record.
    fn ended(&mut self, run: &Run) -> io::Result<()> {
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

    /// Nothing is queued any more: holds the records against the plan. What they lack, because batches or records were
    /// deleted, is queued again; `None` then. If that has brought no record since the last time, it is the end.
    fn settle(&mut self, shared: &Shared<'_>) -> io::Result<Option<End>> {
        if self.end.is_some() {
            return Ok(self.end);
        }
        // Afresh, since records may be gone that were read before.
        self.set = self.set.anew()?;
        let missing = missing(shared.runs, &self.set, &self.again);
        let lacks = missing.len();
        if lacks == 0 {
            self.end = Some(End::Complete);
        } else if self.lacked.is_some_and(|lacked| lacked <= lacks) {
            self.end = Some(End::Incomplete);
        } else {
            self.lacked = Some(lacks);
            shared.watcher.requeued(lacks);
            self.queue.enqueue(missing)?;
        }
        Ok(self.end)
    }

    /// Gives back what has no record.
    fn release(&mut self) -> io::Result<()> {
        for open in self.open.drain(..) {
            self.queue.release(&open.claim, &open.claim.runs)?;
        }
        Ok(())
    }
}
