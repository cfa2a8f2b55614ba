//! The state that all commands share: registry, configuration, child processes, budgets.

use super::args::Limits;
use super::{interrupt, progress};
use crate::engine::{Budget, Limit};
use crate::process::{self, Children};
use crate::registry::Registry;
use cpu_time::ProcessTime;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) struct Context {
    pub(super) registry: Registry,
    /// The configuration file that the command line names; `None` if it names none.
    pub(super) config: Option<PathBuf>,
    /// The experiment that `--plan` names. Its declarations are used, too.
    pub(super) plan: Option<String>,
    /// The child processes of this process: external programs, and the workers of `run`.
    pub(super) children: Arc<Children>,
}

impl Context {
    /// A fresh budget with these limits. Ctrl-C ends it, too. CPU time includes that of external programs.
    pub(super) fn budget(&self, limits: &Limits) -> Budget {
        // The clock is read only if CPU time is limited.
        let clock = limits.cpu_limit.map(|limit| (self.cpu_clock(), limit));
        let (start, children) = (Instant::now(), Arc::clone(&self.children));
        let stop = move || match &clock {
            _ if interrupt::is_requested() => Some(Limit::Cancelled),
            Some((spent, limit)) if spent() > *limit => Some(Limit::Cpu),
            // An external program that sleeps uses no CPU time, so wall time is limited, too.
            Some((_, limit)) if start.elapsed() > process::default_wall_limit(*limit) && children.any() => {
                Some(Limit::Wall)
            }
            _ => None,
        };
        let budget = Budget::new(limits.work_limit, Arc::new(stop)).on_threads(limits.threads);
        match progress::meter() {
            Some(meter) => budget.metered(meter),
            None => budget,
        }
    }

    /// The result of `run`, with the CPU time that this process and its external programs spent on it.
    pub(super) fn timed<T>(&self, run: impl FnOnce() -> T) -> (T, Duration) {
        let spent = self.cpu_clock();
        let result = run();
        (result, spent())
    }

    /// A clock of the CPU time that this process and its external programs use from now on.
    pub(super) fn cpu_clock(&self) -> impl Fn() -> Duration + Send + Sync + use<> {
        let children = Arc::clone(&self.children);
        let (start, before) = (ProcessTime::now(), children.cpu());
        move || start.elapsed() + children.cpu().saturating_sub(before)
    }
}
