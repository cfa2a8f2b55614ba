//! `worker`: the process that carries out one run. Only `run` starts it. With the option `--guard`, it is the process
//! that ends external programs if the process that has started them is killed.

use super::context::Context;
use super::exit::{Failure, Status};
use crate::harness::{WorkerContext, pin, receive, work};
use crate::process;
use std::sync::Arc;

/// Whether `worker` is the only argument. Each run of an experiment starts a worker, and building and using the parser
/// of the command line would take a tenth of its start-up time.
pub(super) fn is_wanted() -> bool {
    let mut args = std::env::args_os().skip(1);
    args.next().is_some_and(|arg| arg == "worker") && args.next().is_none()
}

/// The arguments that start this program as a guard.
pub(super) const GUARD: &[&str] = &["worker", "--guard"];

/// Whether the arguments are [`GUARD`].
pub(super) fn is_guard() -> bool {
    std::env::args_os().skip(1).eq(GUARD.iter().copied())
}

/// Guards external programs until the process that has started them ends.
pub(super) fn guard() -> Result<Status, Failure> {
    let refused = |error| Failure::usage(format!("'worker --guard' is started by this program ({error})"));
    process::guard(std::io::stdin().lock()).map_err(refused)?;
    Ok(Status::Done)
}

pub(super) fn run(context: &Context) -> Result<Status, Failure> {
    let request = receive().map_err(|error| {
        Failure::usage(format!("'worker' is started by 'run' and expects a request ({error})"))
    })?;
    die_with(request.parent)?;
    process::enter();
    if let Some(core) = request.core {
        // The worker is pinned before it starts threads or processes that take part in the run, because they inherit
        // the pinning.
        pin(core)
            .map_err(|error| Failure::usage(format!("run cannot be pinned to processor {core}: {error}")))?;
    }
    let clock = Arc::new(context.cpu_clock());
    work(&WorkerContext { registry: &context.registry, children: &context.children, clock }, &request)?;
    Ok(Status::Done)
}

/// Makes the kernel send this process a signal when its parent exits or is killed. The signal ends this process and its
/// external programs.
#[cfg(target_os = "linux")]
fn die_with(parent: u32) -> Result<(), Failure> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::TERM)).map_err(std::io::Error::from)?;
    // The parent may have exited before this call.
    match getppid() {
        Some(now) if now.as_raw_nonzero().get() as u32 == parent => Ok(()),
        _ => Err(Failure::usage("parent process exited")),
    }
}

/// On other systems, a worker whose parent has exited runs until it is done or reaches a limit.
#[cfg(not(target_os = "linux"))]
fn die_with(_: u32) -> Result<(), Failure> {
    Ok(())
}
