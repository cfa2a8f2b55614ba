//! The progress of a run, which the watchdog's thread can read. So when the watchdog ends a run, it can report the
//! run's times, the size of its formula and everything that the run has found.

use super::request::{Phase, announce};
use crate::engine::{Limit, Stop, Work};
use crate::record::Findings;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Reads the CPU time of this process and of all programs that it runs.
pub type CpuClock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Progress, shared by the run, its solver and the watchdog.
pub(super) struct RunProgress {
    clock: CpuClock,
    /// The limit because of which the watchdog asks the run to stop, as an index into [`LIMITS`] plus 1. 0 if
    /// the run may continue.
    stop: AtomicU8,
    variables: AtomicU64,
    clauses: AtomicU64,
    state: Mutex<State>,
}

struct State {
    /// The CPU time and the moment at which the watched phase began.
    start: (Duration, Instant),
    /// The CPU time of building the first formula; `None` while it is not built.
    built: Option<Duration>,
    /// Everything else that is known.
    findings: Findings,
}

/// The limits that the watchdog enforces.
const LIMITS: [Limit; 3] = [Limit::Cpu, Limit::Wall, Limit::Memory];

impl RunProgress {
    /// Progress of a run that has not begun, with this CPU clock.
    pub(super) fn new(clock: CpuClock) -> Arc<Self> {
        let start = (clock(), Instant::now());
        let state = Mutex::new(State { start, built: None, findings: Findings::default() });
        let (stop, variables, clauses) = Default::default();
        Arc::new(RunProgress { clock, stop, variables, clauses, state })
    }

    /// Begins a watched phase: restarts the clocks and withdraws any request to stop.
    pub(super) fn begin(&self) {
        self.stop.store(0, Relaxed);
        self.with(|state| state.start = ((self.clock)(), Instant::now()));
    }

    /// CPU and wall time since the phase began.
    pub(super) fn spent(&self) -> (Duration, Duration) {
        let start = self.with(|state| state.start);
        ((self.clock)().saturating_sub(start.0), start.1.elapsed())
    }

    /// Notes the present size of the formula.
    pub(super) fn set_size(&self, variables: u32, clauses: u64) {
        self.variables.store(variables.into(), Relaxed);
        self.clauses.store(clauses, Relaxed);
    }

    /// Must be called before each call of a solver. At the first call, notes that the formula is built and announces
    /// this to the parent. The time of the announcement is not counted.
    pub(super) fn note_built(&self) {
        let (cpu, wall) = self.spent();
        let first = self.with(|state| state.built.replace(state.built.unwrap_or(cpu)).is_none());
        if first {
            // If this line cannot be written, the findings cannot be written either, and the error about the findings
            // is reported.
            let _ = announce(Phase::Solving);
            let (cpu_then, wall_then) = self.spent();
            self.with(|state| {
                state.start.0 += cpu_then.saturating_sub(cpu);
                state.start.1 += wall_then.saturating_sub(wall);
            });
        }
    }

    /// Asks the run to stop, because this limit was reached.
    pub(super) fn request_stop(&self, limit: Limit) {
        let index = LIMITS.iter().position(|&known| known == limit).unwrap_or(0);
        self.stop.store(index as u8 + 1, Relaxed);
    }

    /// The limit because of which the run is asked to stop; `None` if the run may continue.
    pub(super) fn requested_stop(&self) -> Option<Limit> {
        LIMITS.get(usize::from(self.stop.load(Relaxed)).checked_sub(1)?).copied()
    }

    /// A function with which a budget polls for the request to stop.
    pub(super) fn stop(self: &Arc<Self>) -> Stop {
        let progress = Arc::clone(self);
        Arc::new(move || progress.requested_stop())
    }

    /// Changes the findings. `change` must not call methods of this progress, because the progress is locked while
    /// `change` runs.
    pub(super) fn note(&self, change: impl FnOnce(&mut Findings)) {
        self.with(|state| change(&mut state.findings));
    }

    /// Notes that the engine has returned, with its times and its work.
    pub(super) fn end(&self, work: &Work) {
        let (cpu, wall) = self.spent();
        // An engine that is stopped while it builds its formula reports no variables.
        if work.variables > 0 {
            self.set_size(u32::try_from(work.variables).unwrap_or(u32::MAX), work.clauses);
        }
        self.with(|state| {
            state.findings.cpu_s = Some(cpu.as_secs_f64());
            state.findings.wall_s = Some(wall.as_secs_f64());
            state.findings.work = counters(work);
        });
    }

    /// Everything that is known at this moment.
    pub(super) fn findings(&self) -> Findings {
        let (cpu, wall) = self.spent();
        let size = [("variables", &self.variables), ("clauses", &self.clauses)];
        self.with(|state| {
            let mut findings = state.findings.clone();
            let cpu_s = *findings.cpu_s.get_or_insert(cpu.as_secs_f64());
            findings.wall_s.get_or_insert(wall.as_secs_f64());
            for (name, count) in size {
                let count = count.load(Relaxed);
                if count > 0 {
                    findings.work.entry(name.to_owned()).or_insert(count);
                }
            }
            match state.built {
                Some(built) => {
                    let built = built.as_secs_f64();
                    findings.build_cpu_s = Some(built);
                    findings.solve_cpu_s = Some((cpu_s - built).max(0.0));
                }
                // The run of a whole sums up the times of its cubes.
                None if findings.build_cpu_s.is_some() => {}
                // The engine was stopped while it built its formula.
                None if findings.work.contains_key("variables") => findings.build_cpu_s = Some(cpu_s),
                None => {}
            }
            findings
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The counters that are not zero.
fn counters(work: &Work) -> BTreeMap<String, u64> {
    let Work { nodes, conflicts, decisions, propagations, restarts, solves, variables, clauses } = *work;
    let all = [
        ("nodes", nodes),
        ("conflicts", conflicts),
        ("decisions", decisions),
        ("propagations", propagations),
        ("restarts", restarts),
        ("solves", solves),
        ("variables", variables),
        ("clauses", clauses),
    ];
    all.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), n)).collect()
}
