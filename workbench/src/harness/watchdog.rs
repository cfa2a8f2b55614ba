//! Enforces limits from within the worker: a thread watches the CPU time of this process and the programs that it runs,
//! the wall time, and the memory of this process. When a limit is reached, an engine that polls its budget ends with
//! its best answer. If the engine does not poll its budget in time, the process reports the findings so far and exits.
//!
//! On each processor, CPU time passes at most as fast as wall time. So the thread sleeps until the earliest moment at
//! which a limit could be reached, and limits far below a second cost almost nothing.

use super::cores;
use super::progress::RunProgress;
use crate::engine::Limit;
use crate::process::Children;
use crate::record;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};
use std::{fs, io};

/// How long a run may take to stop after it was asked to.
const GRACE: Duration = Duration::from_millis(100);

/// How long a run that exceeds its memory limit may take to stop after it was asked to.
const MEMORY_GRACE: Duration = Duration::from_millis(30);

/// The longest further time that a run may take to stop while it waits for a child that was asked to end.
const MAX_GRACE: Duration = Duration::from_millis(1500);

/// The pause between two looks at the memory.
const MEMORY_PAUSE: Duration = Duration::from_millis(5);

/// The shortest and the longest pause between two looks at the limits on time.
const MIN_PAUSE: Duration = Duration::from_micros(200);
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// Limits on a phase. Times are counted from its beginning.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    cpu: Option<Duration>,
    wall: Option<Duration>,
    memory: Option<u64>,
}

impl Bounds {
    /// The limits of a run.
    pub(super) fn of(limits: &record::Limits) -> Self {
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Bounds { cpu: limits.cpu_s.map(time), wall: limits.wall_s.map(time), memory: limits.memory_bytes }
    }

    /// Raises the limits on time to at least this much.
    pub(super) fn at_least(self, time: Duration) -> Self {
        Bounds { cpu: self.cpu.map(|cpu| cpu.max(time)), wall: self.wall.map(|wall| wall.max(time)), ..self }
    }
}

/// Watches a phase until this value is dropped.
pub(super) struct Watch {
    is_over: Arc<AtomicBool>,
    thread: Thread,
}

/// Begins a phase and watches it. When a limit is reached, the phase is asked to stop. If it does not stop in
/// time, `end` is called, which must not return. While one of `children` prints its counters, the phase has
/// more time.
///
/// # Errors
/// Returns an error if the thread cannot be started.
pub(super) fn watch(
    progress: &Arc<RunProgress>,
    bounds: Bounds,
    children: &Arc<Children>,
    end: impl Fn() + Send + 'static,
) -> io::Result<Watch> {
    progress.begin();
    let (progress, children) = (Arc::clone(progress), Arc::clone(children));
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    let is_over = move || shared.load(Relaxed);
    let watch = move || {
        while !is_over() {
            let (pause, reached) = look(&progress, &bounds);
            let Some(limit) = reached else {
                thread::park_timeout(pause);
                continue;
            };
            if is_over() {
                return;
            }
            progress.request_stop(limit);
            thread::park_timeout(if limit == Limit::Memory { MEMORY_GRACE } else { GRACE });
            let start = Instant::now();
            while !is_over() {
                match children.grace() {
                    Some(left) if limit != Limit::Memory && start.elapsed() < MAX_GRACE => {
                        thread::park_timeout(left);
                    }
                    _ => end(),
                }
            }
        }
    };
    let thread = thread::Builder::new().name("watchdog".to_owned()).spawn(watch)?.thread().clone();
    Ok(Watch { is_over: flag, thread })
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        self.thread.unpark();
    }
}

/// Returns how long the thread can sleep before a limit could be reached, and the limit that has been reached, if any.
fn look(progress: &RunProgress, bounds: &Bounds) -> (Duration, Option<Limit>) {
    let (cpu, wall) = progress.spent();
    let processors = cores::n_allowed();
    let mut pause = MAX_PAUSE;
    if let Some(max) = bounds.memory {
        pause = MEMORY_PAUSE;
        if resident().is_some_and(|bytes| bytes > max) {
            return (pause, Some(Limit::Memory));
        }
    }
    for (max, spent, rate, limit) in
        [(bounds.cpu, cpu, processors, Limit::Cpu), (bounds.wall, wall, 1, Limit::Wall)]
    {
        let Some(max) = max else { continue };
        if spent >= max {
            return (pause, Some(limit));
        }
        pause = pause.min((max - spent) / rate);
    }
    (pause.max(MIN_PAUSE), None)
}

/// The resident memory of this process in bytes; `None` if the system does not say.
fn resident() -> Option<u64> {
    let pages =
        fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse::<u64>().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The largest resident memory that this process has had, in bytes; `None` if the system does not say.
pub(super) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}
