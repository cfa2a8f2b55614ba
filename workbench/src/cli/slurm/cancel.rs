//! `cancel` for pilots.

use super::super::context::Context;
use super::super::exit::Failure;
use super::super::experiment::Experiment;
use super::super::{print, read};
use super::{cluster, lease};
use crate::harness::Queue;
use crate::harness::slurm::{Lately, Spool};
use itertools::Itertools;
use std::path::Path;

/// Asks the pilots of a set to end, first by the file in the queue, then by Slurm. Returns whether there were any.
pub(in crate::cli) fn cancel(
    context: &Context,
    experiment: &Experiment,
    folder: &Path,
) -> Result<bool, Failure> {
    let spool = Spool::of(folder);
    if !spool.is_used() {
        return Ok(false);
    }
    let cluster = cluster(context);
    let jobs = cluster.jobs(&spool.job_name(&experiment.name)?);
    Lately::forget(folder);
    if let Ok(jobs) = &jobs {
        read::named(folder, spool.recover(jobs))?;
        // An empty answer is no answer if pilots seem to be alive.
        let is_over = match jobs.is_empty() {
            true => {
                read::named(folder, Queue::heartbeats(folder))?.live_elsewhere(lease(experiment, folder)) == 0
            }
            false => !jobs.iter().any(|job| job.state.is_live()),
        };
        if is_over {
            return Ok(false);
        }
    }
    read::named(folder, Queue::cancel(folder))?;
    let live = jobs.iter().flatten().filter(|job| job.state.is_live());
    let mut ids: Vec<String> = live.map(|job| job.job.clone()).unique().collect();
    if ids.is_empty() {
        ids = spool.submitted().into_iter().map(|submitted| submitted.job).collect();
    }
    let ended = if ids.is_empty() { Ok(()) } else { jobs.map(drop).and_then(|()| cluster.cancel(&ids)) };
    let ids = ids.join(", ");
    match ended {
        Ok(()) if ids.is_empty() => {
            print::warn(
                "asked the pilots to stop; the list of their jobs is missing or empty, so `scancel` was not called",
            );
        }
        Ok(()) => print::warn(&format!("cancelled: job {ids}; `run` resumes the experiment")),
        Err(error) => print::warn(&format!(
            "warning: {error}; running pilots stop by themselves. Job {ids} may still start pilots; they stop at once"
        )),
    }
    Ok(true)
}
