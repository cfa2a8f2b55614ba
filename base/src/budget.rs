//! Budgets: how much work a computation may do, how much it has done, and why it had to stop.
//!
//! Work is counted in nodes and conflicts. Nothing here reads a clock: the caller passes a closure, [`Stop`], that says
//! when to stop. A spent budget is never an answer.

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

/// Why a run ended without a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The limit on nodes or conflicts.
    Work,
    /// The limit on CPU time.
    Cpu,
    /// The limit on the time that passes, busy or not.
    Wall,
    /// The engine's own bound on memory.
    Memory,
    /// A limit that an outside solver set itself.
    Solver,
    /// Somebody asked to stop.
    Cancelled,
}

impl Limit {
    /// One word, as records have it.
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

/// What an engine did. Search counts nodes; SAT counts conflicts and the size of its formula. What a
/// solver does not tell stays zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes of a search tree, or positions looked at.
    pub nodes: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Decisions of the SAT solver.
    pub decisions: u64,
    /// Literals that the SAT solver propagated.
    pub propagations: u64,
    /// Calls of the SAT solver.
    pub solves: u64,
    /// Variables of the formula, the last one if several were built.
    pub variables: u64,
    /// Clauses of the formula, with those added between calls.
    pub clauses: u64,
}

/// Says whether to stop, and why. Called often, so it should be cheap.
pub type Stop = Arc<dyn Fn() -> Option<Limit> + Send + Sync>;

/// How much work is left, and how much was done.
#[derive(Clone)]
pub struct Budget {
    /// What was done so far.
    pub work: Work,
    most: u64,
    stop: Stop,
    threads: Option<NonZero<usize>>,
}

/// Nodes between two looks at the stop closure.
const POLL_EVERY: u64 = 1 << 10;

impl Budget {
    /// At most `most` nodes plus conflicts, and until `stop` speaks.
    #[inline]
    pub fn new(most: Option<u64>, stop: Stop) -> Self {
        Budget { work: Work::default(), most: most.unwrap_or(u64::MAX), stop, threads: None }
    }

    /// The same on at most `threads` threads, where `None` stands for one a processor. Answers and
    /// counters do not depend on it.
    #[inline]
    pub fn on_threads(self, threads: Option<NonZero<usize>>) -> Self {
        Budget { threads, ..self }
    }

    /// A budget of its own for a piece of work: at most `most` nodes plus conflicts, the rest as here.
    pub fn part(&self, most: u64) -> Self {
        Self::new(Some(most), self.stop()).on_threads(self.threads)
    }

    /// Threads that may run at a time. A browser knows of no processors.
    pub fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }

    /// At most `most` nodes plus conflicts.
    pub fn of_work(most: u64) -> Self {
        Self::new(Some(most), Arc::new(|| None))
    }

    /// No bound at all.
    #[inline]
    pub fn unlimited() -> Self {
        Self::new(None, Arc::new(|| None))
    }

    /// Counts one node, and with it as many of the next `more` as need no look at the limits: says how
    /// many. Who stops before them takes the rest off again.
    ///
    /// # Errors
    /// The limit that is spent.
    #[inline]
    pub fn nodes(&mut self, more: u64) -> Result<u64, Limit> {
        self.node()?;
        let until_look = POLL_EVERY - 1 - self.work.nodes % POLL_EVERY;
        let more = more.min(until_look).min(self.left().saturating_sub(1));
        self.work.nodes += more;
        Ok(more)
    }

    /// Counts one node.
    ///
    /// # Errors
    /// The limit that is spent.
    #[inline]
    pub fn node(&mut self) -> Result<(), Limit> {
        self.work.nodes += 1;
        if self.work.nodes.is_multiple_of(POLL_EVERY) || self.left() == 0 {
            return self.poll();
        }
        Ok(())
    }

    /// Looks at the limits without counting anything.
    ///
    /// # Errors
    /// The limit that is spent.
    #[cold]
    pub fn poll(&self) -> Result<(), Limit> {
        match (self.stop)() {
            Some(limit) => Err(limit),
            None if self.work.nodes.saturating_add(self.work.conflicts) > self.most => Err(Limit::Work),
            None => Ok(()),
        }
    }

    /// Nodes plus conflicts that are still allowed.
    #[inline]
    pub fn left(&self) -> u64 {
        self.most.saturating_sub(self.work.nodes.saturating_add(self.work.conflicts))
    }

    /// Whether nodes and conflicts are bounded at all.
    pub fn bounds_work(&self) -> bool {
        self.most != u64::MAX
    }

    /// The stop closure, for solvers that poll it themselves.
    pub fn stop(&self) -> Stop {
        Arc::clone(&self.stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Nodes that come through, those counted, and how often somebody looked whether to stop.
    fn spent(most: Option<u64>, block: u64) -> (u64, u64, u64) {
        let looks = Arc::new(AtomicU64::new(0));
        let told = Arc::clone(&looks);
        let stop: Stop =
            Arc::new(move || (told.fetch_add(1, Ordering::Relaxed) == 3).then_some(Limit::Cancelled));
        let mut budget = Budget::new(most, stop);
        let mut through = 0;
        while let Ok(more) = budget.nodes(block - 1) {
            assert!(more < block);
            through += 1 + more;
        }
        (through, budget.work.nodes, looks.load(Ordering::Relaxed))
    }

    #[test]
    fn nodes_counted_together_end_where_single_ones_do() {
        for most in [None, Some(0), Some(1), Some(5), Some(1023), Some(1024), Some(1025), Some(3000)] {
            let single = spent(most, 1);
            assert_eq!(single.0, single.1 - 1);
            for block in [2, 3, 64, 1000, 5000] {
                assert_eq!(spent(most, block), single, "{most:?} {block}");
            }
        }
    }
}
