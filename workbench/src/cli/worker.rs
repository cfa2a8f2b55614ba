//! `worker`: the process that carries out one run. Only `run` starts it.

use super::context::Context;
use super::exit::{Failure, Status};
use crate::harness::{WorkerContext, pin, receive, work};
use crate::process;
use std::sync::Arc;

/// Whether the command line consists of `worker`. A worker starts for each run of an experiment, and to build and parse
/// the whole command line would take a tenth of its start.
pub(super) fn is_wanted() -> bool {
    let mut args = std::env::args_os().skip(1);
    args.next().is_some_and(|arg| arg == "worker") && args.next().is_none()
}

pub(super) fn run(context: &Context) -> Result<Status, Failure> {
    let request = receive().map_err(|error| {
        Failure::usage(format!("'worker' is started by 'run' and expects a request ({error})"))
    })?;
    die_with(request.parent)?;
    process::enter();
    if let Some(core) = request.core {
        // Before any thread or process is started that takes part in the run, because these inherit it.
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

/// On other systems, a worker whose parent has exited ends at its limits at the latest.
#[cfg(not(target_os = "linux"))]
fn die_with(_: u32) -> Result<(), Failure> {
    Ok(())
}
