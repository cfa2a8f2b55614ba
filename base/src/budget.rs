//! Budgets: a limit on the work of a computation, and counters of the work done.
//!
//! Work is counted in nodes and conflicts. Nothing here reads a clock: the caller passes a closure, [`Stop`], that says
//! when to stop. A search that reaches a limit stops without a definite answer.

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The limit that ended a run before its answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The limit on nodes plus conflicts.
    Work,
    /// The limit on CPU time.
    Cpu,
    /// The limit on wall-clock time.
    Wall,
    /// The limit on memory.
    Memory,
    /// A limit that an external solver or a local search sets for itself.
    Solver,
    /// The user cancelled the run.
    Cancelled,
}

impl Limit {
    /// The limit in one word, for records.
    pub const fn word(self) -> &'static str {
        match self {
            Limit::Work => "work",
            Limit::Cpu => "cpu",
            Limit::Wall => "wall",
            Limit::Memory => "memory",
            Limit::Solver => "solver",
            Limit::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Work => "work limit",
            Limit::Cpu => "CPU limit",
            Limit::Wall => "time limit",
            Limit::Memory => "memory limit",
            Limit::Solver => "the solver's own limit",
            Limit::Cancelled => "cancelled",
        })
    }
}

/// Counters of an engine's work. A search counts nodes; a SAT engine counts conflicts and the size of its formula.
/// A counter that a solver does not report stays zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes of the search tree, or positions examined.
    pub nodes: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Decisions of the SAT solver.
    pub decisions: u64,
    /// Literals that the SAT solver propagated.
    pub propagations: u64,
    /// Restarts of the SAT solver. No built-in solver reports them.
    pub restarts: u64,
    /// Calls of the SAT solver.
    pub solves: u64,
    /// Variables of the formula; of the last formula if there were several.
    pub variables: u64,
    /// Clauses of the formula, including those added between calls.
    pub clauses: u64,
}

/// A closure that returns a limit when the computation should stop. It is called often, so it should be cheap.
pub type Stop = Arc<dyn Fn() -> Option<Limit> + Send + Sync>;

/// A limit on work, and the work done so far.
#[derive(Clone)]
pub struct Budget {
    /// The work done so far.
    pub work: Work,
    max_work: u64,
    stop: Stop,
    threads: Option<NonZero<usize>>,
    meter: Option<Arc<AtomicU64>>,
}

/// Number of nodes from one call of the stop closure to the next. When no work is left, the closure is called at each
/// node.
const POLL_EVERY: u64 = 1 << 10;

impl Budget {
    /// A budget of at most `max_work` nodes plus conflicts; `None` means no such limit. The budget also ends when
    /// `stop` returns a limit.
    #[inline]
    pub fn new(max_work: Option<u64>, stop: Stop) -> Self {
        Budget {
            work: Work::default(),
            max_work: max_work.unwrap_or(u64::MAX),
            stop,
            threads: None,
            meter: None,
        }
    }

    /// Adds the nodes that this budget and its parts count to `meter`, about a thousand at a time, so that another thread
    /// can show the progress. The loops that count nodes do not become slower.
    #[inline]
    #[must_use]
    pub fn metered(self, meter: Arc<AtomicU64>) -> Self {
        Budget { meter: Some(meter), ..self }
    }

    /// Sets the maximum number of threads; `None` means one per processor. Answers and counters do not depend on this
    /// number.
    #[inline]
    pub fn on_threads(self, threads: Option<NonZero<usize>>) -> Self {
        Budget { threads, ..self }
    }

    /// A separate budget for a part of the work: `max_work` nodes plus conflicts, with the same stop closure, number of
    /// threads and meter.
    #[inline]
    pub fn part(&self, max_work: u64) -> Self {
        let part = Self::new(Some(max_work), self.stop()).on_threads(self.threads);
        Budget { meter: self.meter.clone(), ..part }
    }

    /// The maximum number of threads. If none was set, it is the number of processors, or 1 if that is unknown, as in a
    /// browser.
    pub fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }

    /// A budget of `max_work` nodes plus conflicts.
    pub fn of_work(max_work: u64) -> Self {
        Self::new(Some(max_work), Arc::new(|| None))
    }

    /// A budget without limits.
    #[inline]
    pub fn unlimited() -> Self {
        Self::new(None, Arc::new(|| None))
    }

    /// Counts one node. Also counts, in advance, up to `more` of the following nodes, but stops before the next node at
    /// which a limit must be tested. Returns the number of nodes counted in advance. A caller that then visits fewer
    /// nodes subtracts the difference from `work.nodes`.
    ///
    /// # Errors
    /// The limit that was reached.
    #[inline]
    pub fn nodes(&mut self, more: u64) -> Result<u64, Limit> {
        self.node()?;
        let until_poll = POLL_EVERY - 1 - self.work.nodes % POLL_EVERY;
        let more = more.min(until_poll).min(self.left().saturating_sub(1));
        self.work.nodes += more;
        Ok(more)
    }

    /// Counts one node.
    ///
    /// # Errors
    /// The limit that was reached.
    #[inline]
    pub fn node(&mut self) -> Result<(), Limit> {
        self.work.nodes += 1;
        if self.work.nodes.is_multiple_of(POLL_EVERY) || self.left() == 0 {
            return self.metered_poll();
        }
        Ok(())
    }

    /// Adds the nodes since the last call to the meter, and tests the limits.
    #[cold]
    fn metered_poll(&self) -> Result<(), Limit> {
        if let Some(meter) = self.meter.as_ref().filter(|_| self.work.nodes.is_multiple_of(POLL_EVERY)) {
            meter.fetch_add(POLL_EVERY, Ordering::Relaxed);
        }
        self.poll()
    }

    /// Tests the limits without counting a node.
    ///
    /// # Errors
    /// The limit that was reached.
    #[inline]
    #[cold]
    pub fn poll(&self) -> Result<(), Limit> {
        match (self.stop)() {
            Some(limit) => Err(limit),
            None if self.work.nodes.saturating_add(self.work.conflicts) > self.max_work => Err(Limit::Work),
            None => Ok(()),
        }
    }

    /// Number of nodes plus conflicts that are left.
    #[inline]
    pub fn left(&self) -> u64 {
        self.max_work.saturating_sub(self.work.nodes.saturating_add(self.work.conflicts))
    }

    /// Whether there is a limit on nodes plus conflicts.
    #[inline]
    pub fn bounds_work(&self) -> bool {
        self.max_work != u64::MAX
    }

    /// The stop closure, for solvers that poll it themselves.
    #[inline]
    pub fn stop(&self) -> Stop {
        Arc::clone(&self.stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_counts_the_nodes_of_a_budget_and_its_parts() {
        let meter = Arc::new(AtomicU64::new(0));
        let mut budget = Budget::of_work(5 * POLL_EVERY).metered(Arc::clone(&meter));
        for _ in 0..POLL_EVERY {
            budget.node().unwrap();
        }
        let mut part = budget.part(3 * POLL_EVERY);
        let mut visited = 0;
        while visited < 2 * POLL_EVERY {
            visited += 1 + part.nodes(99).unwrap();
        }
        // Nodes that were counted in advance are added when they are passed.
        assert_eq!(meter.load(Ordering::Relaxed) / POLL_EVERY, 1 + part.work.nodes / POLL_EVERY);
        assert_eq!(part.work.nodes / POLL_EVERY, 2);
    }

    /// Spends a budget in blocks of `block` nodes. Returns the number of nodes before the limit, the number of nodes
    /// counted, and the number of calls of the stop closure.
    fn spent(max_work: Option<u64>, block: u64) -> (u64, u64, u64) {
        let polls = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&polls);
        let stop: Stop =
            Arc::new(move || (counter.fetch_add(1, Ordering::Relaxed) == 3).then_some(Limit::Cancelled));
        let mut budget = Budget::new(max_work, stop);
        let mut allowed = 0;
        while let Ok(more) = budget.nodes(block - 1) {
            assert!(more < block);
            allowed += 1 + more;
        }
        (allowed, budget.work.nodes, polls.load(Ordering::Relaxed))
    }

    #[test]
    fn counting_nodes_in_advance_stops_at_the_same_node() {
        for max_work in [None, Some(0), Some(1), Some(5), Some(1023), Some(1024), Some(1025), Some(3000)] {
            let single = spent(max_work, 1);
            assert_eq!(single.0, single.1 - 1);
            for block in [2, 3, 64, 1000, 5000] {
                assert_eq!(spent(max_work, block), single, "{max_work:?} {block}");
            }
        }
    }
}
