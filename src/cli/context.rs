//! What all commands share: the registry, the configuration named, running programs, budgets.

use super::args::Limits;
use super::interrupt;
use crate::engine::{Budget, Limit};
use crate::process::{self, Children};
use crate::registry::Registry;
use cpu_time::ProcessTime;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) struct Context {
    pub(super) registry: Registry,
    /// The configuration that was named on the command line.
    pub(super) config: Option<PathBuf>,
    /// Outside programs that run.
    pub(super) children: Arc<Children>,
}

impl Context {
    /// A fresh budget: the limits given, and Ctrl-C. CPU time is that of outside programs, too.
    pub(super) fn budget(&self, limits: &Limits) -> Budget {
        // The clock is only looked at if somebody set a limit by it.
        let clock = limits.cpu_limit.map(|most| (self.cpu_clock(), most));
        let (start, children) = (Instant::now(), Arc::clone(&self.children));
        let stop = move || match &clock {
            _ if interrupt::asked() => Some(Limit::Cancelled),
            Some((spent, most)) if spent() > *most => Some(Limit::Cpu),
            // A program that sleeps uses no CPU time.
            Some((_, most)) if start.elapsed() > process::default_wall_limit(*most) && children.any() => {
                Some(Limit::Wall)
            }
            _ => None,
        };
        Budget::new(limits.work_limit, Arc::new(stop)).on_threads(limits.threads)
    }

    /// CPU time of this process and its outside programs that `run` takes, beside its result.
    pub(super) fn timed<T>(&self, run: impl FnOnce() -> T) -> (T, Duration) {
        let spent = self.cpu_clock();
        let result = run();
        (result, spent())
    }

    /// Tells the CPU time from now on.
    pub(super) fn cpu_clock(&self) -> impl Fn() -> Duration + Send + Sync + use<> {
        let children = Arc::clone(&self.children);
        let (start, before) = (ProcessTime::now(), children.cpu());
        move || start.elapsed() + children.cpu().saturating_sub(before)
    }
}
