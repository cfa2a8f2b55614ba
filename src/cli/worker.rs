//! `worker`: the inner process of a run. Nobody but `run` calls it.

use super::context::Context;
use super::exit::{Failure, Status};
use crate::harness::{WorkerContext, receive, work};
use crate::process;
use std::sync::Arc;

pub(super) fn run(context: &Context) -> Result<Status, Failure> {
    let request = receive().map_err(|error| {
        Failure::usage(format!("'worker' is what 'run' calls; it takes a request ({error})"))
    })?;
    die_with(request.parent)?;
    process::enter();
    let clock = Arc::new(context.cpu_clock());
    work(&WorkerContext { registry: &context.registry, children: &context.children, clock }, &request)?;
    Ok(Status::Done)
}

/// Ends this process, and with it its outside programs, when the one that asked ends, even by a kill.
#[cfg(target_os = "linux")]
fn die_with(parent: u32) -> Result<(), Failure> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::TERM)).map_err(std::io::Error::from)?;
    // It may have ended before that.
    match getppid() {
        Some(now) if now.as_raw_nonzero().get() as u32 == parent => Ok(()),
        _ => Err(Failure::usage("whoever asked for this run is gone")),
    }
}

/// Elsewhere a worker ends at its limits at the latest.
#[cfg(not(target_os = "linux"))]
fn die_with(_: u32) -> Result<(), Failure> {
    Ok(())
}
