//! Warms up the engines that are compared: each engine solves a game once before its time on this game is measured.
//!
//! The first run of an engine on a game has extra costs: code pages are loaded, the allocator requests memory, and
//! tables for the size of the board are built. So each game is solved twice. The first run is not measured. It has
//! small limits on work and CPU time, because the extra costs hardly matter if a game takes longer than these limits.
//! If the first run reaches one of these limits or fails, a fresh session does the second run. The counters are those
//! of the second run. External solvers reject a work limit, so they are not warmed up; each of their calls starts a new
//! process anyway.

use super::args::Limits;
use super::context::Context;
use super::exit::Failure;
use super::interrupt;
use super::measure::{self, Run};
use crate::engine::Outcome;
use crate::erased::{DynInstance, DynProblem, DynSession};
use crate::errors::UnknownName;
use crate::spec::EngineSpec;
use std::time::Duration;

/// The work limit of a warm-up run, in nodes plus conflicts.
const MAX_WORK: u64 = 10_000;
/// The CPU time limit of a warm-up run.
const MAX_TIME: Duration = Duration::from_millis(20);

type Start<'a> = Box<dyn Fn() -> Result<Box<dyn DynSession>, UnknownName> + 'a>;

/// A started engine that is warmed up before each game.
pub(super) struct Warmed<'a> {
    engine: EngineSpec,
    start: Start<'a>,
    session: Box<dyn DynSession>,
}

impl<'a> Warmed<'a> {
    pub(super) fn start(problem: &'a dyn DynProblem, engine: &EngineSpec) -> Result<Self, Failure> {
        let spec = engine.clone();
        Self::by(engine.clone(), Box::new(move || problem.start(&spec)))
    }

    fn by(engine: EngineSpec, start: Start<'a>) -> Result<Self, Failure> {
        let session = start()?;
        Ok(Warmed { engine, start, session })
    }

    pub(super) fn engine(&self) -> &EngineSpec {
        &self.engine
    }

    /// Warms the engine up on this game, then measures it and checks the answer.
    pub(super) fn solve(
        &mut self,
        context: &Context,
        instance: &dyn DynInstance,
        limits: &Limits,
    ) -> Result<Run, Failure> {
        let warm_up = Limits {
            work_limit: Some(limits.work_limit.map_or(MAX_WORK, |limit| limit.min(MAX_WORK))),
            cpu_limit: Some(limits.cpu_limit.map_or(MAX_TIME, |limit| limit.min(MAX_TIME))),
            threads: limits.threads,
        };
        let mut budget = context.budget(&warm_up);
        let outcome = interrupt::interruptible(|| self.session.solve(instance, &mut budget));
        if !matches!(outcome, Outcome::Decided(_) | Outcome::Unsupported(_)) {
            self.session = (self.start)()?;
        }
        Ok(measure::solve(context, instance, &mut *self.session, limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::double::Parity;
    use crate::engine::{Budget, Limit};
    use crate::erased::DynAnswer;
    use crate::registry::Registry;
    use serde_json::json;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::Arc;

    /// The events, in order.
    type Log = Rc<RefCell<Vec<String>>>;

    /// Logs each run with its work limit, and gives up if the run has one.
    struct Fake(Log);

    impl DynSession for Fake {
        fn solve(&mut self, _: &dyn DynInstance, budget: &mut Budget) -> Outcome<Box<dyn DynAnswer>> {
            if budget.bounds_work() {
                self.0.borrow_mut().push(format!("run of {}", budget.left()));
                return Outcome::GaveUp(Limit::Work, None);
            }
            self.0.borrow_mut().push("run".to_owned());
            budget.work.nodes = 7;
            Outcome::Unsupported("it is a fake".into())
        }
    }

    #[test]
    fn a_bounded_run_precedes_the_measured_one_and_a_fresh_session_takes_over() {
        let registry = Registry::empty().with::<Parity>();
        let context = Context { registry, config: None, plan: None, children: Arc::default() };
        let parity = context.registry.find("parity").unwrap();
        let instance = parity.instance(&json!({}), parity.info().sample).unwrap();
        let log = Log::default();
        let start = || {
            log.borrow_mut().push("start".to_owned());
            Ok(Box::new(Fake(Rc::clone(&log))) as Box<dyn DynSession>)
        };
        let engine = context.engine(parity, "search").map_err(|failure| failure.message).unwrap();
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
