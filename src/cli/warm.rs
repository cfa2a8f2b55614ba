//! Engines that are measured side by side: each is warmed up on a game before it is timed on it.
//!
//! The first run of an engine on a game pays for more than its own work: pages of code that are read for the first
//! time, memory that the allocator has to fetch, tables for a size of board. Whichever engine came first would pay for
//! the others. So a game is solved twice, the first time without a clock and within a small bound of work; what takes
//! longer than that is hardly changed by such costs. Counters are those of the second run alone. If the bound ends the
//! first run, a fresh session takes over, which knows nothing of it. Outside programs take no bound of work and are
//! not warmed up: each call is a new process anyway.

use super::args::Limits;
use super::context::Context;
use super::exit::Failure;
use super::interrupt;
use super::measure::{self, Run};
use crate::engine::Outcome;
use crate::erased::{DynInstance, DynProblem, DynSession};
use crate::spec::EngineSpec;
use std::time::Duration;

/// Nodes plus conflicts of a run without a clock.
const WORK: u64 = 10_000;
/// Its CPU time.
const TIME: Duration = Duration::from_millis(20);

type Start<'a> = Box<dyn Fn() -> Result<Box<dyn DynSession>, String> + 'a>;

/// A started engine that is warmed up before each game.
pub(super) struct Warmed<'a> {
    engine: EngineSpec,
    start: Start<'a>,
    runner: Box<dyn DynSession>,
}

impl<'a> Warmed<'a> {
    pub(super) fn start(problem: &'a dyn DynProblem, engine: &EngineSpec) -> Result<Self, Failure> {
        let spec = engine.clone();
        Self::by(engine.clone(), Box::new(move || problem.start(&spec)))
    }

    fn by(engine: EngineSpec, start: Start<'a>) -> Result<Self, Failure> {
        let runner = start()?;
        Ok(Warmed { engine, start, runner })
    }

    pub(super) fn engine(&self) -> &EngineSpec {
        &self.engine
    }

    /// Warms the engine up on this game, then solves it on the clock and checks the answer.
    pub(super) fn solve(
        &mut self,
        context: &Context,
        instance: &dyn DynInstance,
        limits: &Limits,
    ) -> Result<Run, Failure> {
        let most = Limits {
            work_limit: Some(limits.work_limit.map_or(WORK, |limit| limit.min(WORK))),
            cpu_limit: Some(limits.cpu_limit.map_or(TIME, |limit| limit.min(TIME))),
            threads: limits.threads,
        };
        let mut budget = context.budget(&most);
        let outcome = interrupt::listening(|| self.runner.solve(instance, &mut budget));
        if !matches!(outcome, Outcome::Decided(_) | Outcome::Unsupported(_)) {
            self.runner = (self.start)()?;
        }
        Ok(measure::solve(context, instance, &mut *self.runner, limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Budget, Limit};
    use crate::erased::DynAnswer;
    use crate::input::{Source, Warnings};
    use crate::registry::Registry;
    use crate::rules::Settings;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::Arc;

    /// What happened, in order.
    type Log = Rc<RefCell<Vec<String>>>;

    /// Says how much work each of its runs may do, and uses it up if that is bounded.
    struct Fake(Log);

    impl DynSession for Fake {
        fn solve(&mut self, _: &dyn DynInstance, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>> {
            if budget.bounds_work() {
                self.0.borrow_mut().push(format!("run of {}", budget.left()));
                return Outcome::GaveUp(Limit::Work, None);
            }
            self.0.borrow_mut().push("run".to_owned());
            budget.work.nodes = 7;
            Outcome::Unsupported("it is a fake".to_owned())
        }
    }

    #[test]
    fn a_bounded_run_precedes_the_measured_one_and_a_fresh_session_takes_over() {
        let context = Context { registry: Registry::standard(), config: None, children: Arc::default() };
        let flip = context.registry.find("flip").unwrap();
        let settings = Settings::new(flip.rules(), &[], &|_| Err("no files".to_owned())).unwrap();
        let warnings = Warnings::default();
        let source = Source::from_text("sample", flip.info().sample);
        let instance = flip.open(&settings, source, &warnings).unwrap().next().unwrap().unwrap();
        let log = Log::default();
        let start = || {
            log.borrow_mut().push("start".to_owned());
            Ok(Box::new(Fake(Rc::clone(&log))) as Box<dyn DynSession>)
        };
        let engine = context.engine(flip, "search:algebra").map_err(|failure| failure.message).unwrap();
        let mut warmed = Warmed::by(engine, Box::new(start)).map_err(|failure| failure.message).unwrap();
        for _game in 0..2 {
            let limits = Limits { work_limit: None, cpu_limit: None, threads: None };
            let run = warmed.solve(&context, &*instance, &limits).map_err(|failure| failure.message).unwrap();
            // Counters are those of the second run.
            assert_eq!(run.work.nodes, 7);
        }
        let game = ["run of 10000", "start", "run"];
        assert_eq!(*log.borrow(), [&["start"][..], &game, &game].concat());
    }
}
