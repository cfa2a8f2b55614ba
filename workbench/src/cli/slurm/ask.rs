//! Asks Slurm again if it does not answer, and says what to do about its refusals.

use super::super::exit::Failure;
use super::super::print;
use crate::harness::slurm::{Cluster, ClusterError, Partition, Settings};
use humantime::format_duration;
use itertools::Itertools;
use std::time::Duration;

/// The messages of Slurm that say that an array is too large for the site.
const TOO_MANY: [&str; 4] = [
    "Invalid job array specification",
    "QOSMaxSubmitJobPerUserLimit",
    "AssocMaxSubmitJobLimit",
    "job submit limit",
];

/// How long to wait before Slurm is asked again if it does not answer.
const PAUSES: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(20)];

/// Asks Slurm again, after growing pauses, while it does not answer.
pub(super) fn patiently<T>(ask: impl Fn() -> Result<T, ClusterError>) -> Result<T, ClusterError> {
    for pause in PAUSES {
        match ask() {
            Err(error @ ClusterError::Silent(_)) => {
                print::warn(&format!("{error}; asking again in {}", format_duration(pause)));
                std::thread::sleep(pause);
            }
            other => return other,
        }
    }
    ask()
}

/// Gives Slurm an array of this many tasks. If the site does not allow so many, gives it one of half as many, and says
/// so. All commands do this in the same way, so that `--dry-run` and `doctor` say what `run` would do.
pub(in crate::cli) fn halved<T>(
    tasks: u32,
    mut give: impl FnMut(u32) -> Result<Result<T, ClusterError>, Failure>,
) -> Result<Result<T, ClusterError>, Failure> {
    match give(tasks)? {
        Err(ClusterError::Refused { program, words }) if tasks > 1 && is_too_many(&words) => {
            let fewer = tasks.div_ceil(2);
            print::warn(&format!("{program} says: {words}; trying {fewer} pilots instead of {tasks}"));
            give(fewer)
        }
        given => Ok(given),
    }
}

/// Whether Slurm refuses an array because of its size.
fn is_too_many(words: &str) -> bool {
    TOO_MANY.iter().any(|sign| words.contains(sign))
}

/// The failure if Slurm does not accept the pilots. Their runs are in the queue by then, which does no harm.
pub(super) fn refused(error: ClusterError) -> Failure {
    let remedy = match &error {
        ClusterError::Refused { words, .. } => remedy(words),
        _ => "the runs are queued; the same command submits the pilots later",
    };
    Failure::usage(format!("{error}; {remedy}"))
}

/// What to do about Slurm's words, which are not always easy to understand.
pub(in crate::cli) fn remedy(words: &str) -> &'static str {
    let has = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
    if is_too_many(words) {
        "the site allows fewer jobs; use fewer --nodes, or wait until other jobs of yours have ended"
    } else if has(&["account", "Account"]) {
        "set `account` in [slurm] to an account that you may use"
    } else if has(&["Memory specification"]) {
        "no node has so much memory; lower `memory` in [slurm] or the memory limit of the runs"
    } else if has(&["node configuration"]) {
        "no node has what a pilot asks for: see `cpus`, `memory` and `constraint` in [slurm], and the memory limit of the runs"
    } else if has(&["feature specification"]) {
        "no node has the features in `constraint` in [slurm]; `sinfo -o '%N %f'` lists them"
    } else if has(&["time limit", "Time limit"]) {
        "set --time; `sinfo -o '%P %l'` shows what partitions allow"
    } else if has(&["QOS", "qos"]) {
        "correct the quality of service in `lines` in [slurm]"
    } else {
        "correct the table [slurm] or the options of this command"
    }
}

/// The partition that the settings name, or the default one.
pub(in crate::cli) fn chosen<'a>(
    cluster: &Cluster,
    partitions: &'a [Partition],
    settings: &Settings,
) -> Result<&'a Partition, Failure> {
    let names = || partitions.iter().map(|partition| partition.name.as_str()).join(", ");
    match &settings.partition {
        // As for `sbatch`, this may be a list of partitions. Pilots are sized for the first of them.
        Some(list) => {
            let first = list.split(',').next().unwrap_or_default();
            let found = partitions.iter().find(|partition| partition.name == first);
            found.ok_or_else(|| {
                let words = match cluster.test_partition(first) {
                    Err(error @ ClusterError::Refused { .. }) => format!("{error}; "),
                    _ => String::new(),
                };
                Failure::usage(format!("{words}Slurm has no partition '{first}'; it has: {}", names()))
            })
        }
        None => {
            let found = partitions.iter().find(|partition| partition.is_default);
            found.or_else(|| partitions.first().filter(|_| partitions.len() == 1)).ok_or_else(|| {
                Failure::usage(format!(
                    "Slurm has no default partition; name one in [slurm], for example partition = \"…\"; it has: {}",
                    names()
                ))
            })
        }
    }
}
