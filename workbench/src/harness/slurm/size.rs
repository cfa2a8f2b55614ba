//! How many pilots there are, and how much time and memory each gets.

use super::{Partition, Settings};
use crate::record::Limits;
use std::time::Duration;

/// The part at the end of its time in which a pilot starts no run, so that it ends before Slurm kills it. Slurm sends
/// its signal up to a minute early and, by default, kills the pilot half a minute after the signal.
pub const MARGIN: Duration = Duration::from_secs(90);

/// Within this time after its start, a pilot can still begin the longest run.
const START: Duration = Duration::from_secs(30);

/// The minimum of the time that is computed for a pilot, unless the partition allows less. Slurm checks time
/// limits only about every half minute, and starting a job costs Slurm some work.
const MIN_TIME: Duration = Duration::from_secs(300);

/// The time of a pilot is this factor times the time that follows from the limits on CPU time.
const SLACK: f64 = 1.3;

/// The memory of a pilot beyond that of its run, in bytes.
const OWN_MEMORY: u64 = 256 << 20;

/// The pilots of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of pilots.
    pub pilots: u32,
    /// The time of each: whole minutes.
    pub time: Duration,
    /// The memory of each in bytes; `None` if the runs have no limit on memory.
    pub memory_bytes: Option<u64>,
}

/// Why no pilots can carry out the runs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// There are no nodes.
    #[error("no node of partition {0} can be used now; `sinfo` says why")]
    NoNodes(String),
    /// No node has enough processors for a pilot.
    #[error(
        "a pilot needs {cpus} processors (`cpus` in [slurm]), but the largest node of partition {partition} that can be \
         used now has {most}"
    )]
    TooWide {
        /// The partition.
        partition: String,
        /// The processors of a pilot.
        cpus: u32,
        /// The processors of the largest node.
        most: u32,
    },
    /// A run may use more memory than its pilot gets.
    #[error(
        "a pilot gets {given} MiB (`memory` in [slurm]), but a run may use {needed} MiB, so Slurm might kill the pilot; \
         raise `memory`, or leave it out"
    )]
    TooLittleMemory {
        /// The memory of a pilot, in MiB.
        given: u64,
        /// The limit of the run on memory, in MiB.
        needed: u64,
    },
    /// A run may take longer than a pilot.
    #[error(
        "a run may take {run} s, so a pilot needs {needed} min, but {limit}; give the plan a lower limit on wall time{or}"
    )]
    TooShort {
        /// The limit of the run on wall time, in seconds.
        run: u64,
        /// The time that a pilot needs, in minutes.
        needed: u64,
        /// What limits the pilot.
        limit: String,
        /// Another remedy.
        or: &'static str,
    },
}

impl Size {
    /// The pilots for runs with these limits, which are in `batches` batches. `nodes` and `time` come from the command
    /// line.
    ///
    /// # Errors
    /// If no pilot can carry out the longest run.
    pub fn of(
        (runs, batches): (&[Limits], usize),
        partition: &Partition,
        settings: &Settings,
        (nodes, time): (Option<u32>, Option<Duration>),
    ) -> Result<Size, SizeError> {
        let slots = slots(partition, settings, nodes);
        let most = partition.nodes.iter().filter(|(count, _)| *count > 0).map(|&(_, cpus)| cpus).max();
        match most {
            Some(most) if slots == 0 => {
                return Err(SizeError::TooWide {
                    partition: partition.name.clone(),
                    cpus: settings.cpus,
                    most,
                });
            }
            None => return Err(SizeError::NoNodes(partition.name.clone())),
            Some(_) => (),
        }
        let pilots = slots.min(u32::try_from(batches.max(1)).unwrap_or(u32::MAX));
        let longest = runs.iter().map(longest).max().unwrap_or_default();
        let needed = minutes(longest.saturating_add(MARGIN + START));
        let work: f64 = runs.iter().filter_map(|limits| limits.cpu_s).sum();
        let chosen = time.map(minutes).unwrap_or_else(|| {
            let likely = duration(work / f64::from(pilots) * SLACK).saturating_add(MARGIN);
            let wished = minutes(likely.max(longest.saturating_mul(2).saturating_add(MARGIN)).max(MIN_TIME));
            partition.limit.map_or(wished, |limit| wished.min(limit))
        });
        if chosen < needed {
            let (limit, or) = match time {
                Some(_) => (format!("--time gives it {} min", chosen.as_secs() / 60), ", or raise --time"),
                None => (
                    format!("partition {} allows {} min", partition.name, chosen.as_secs() / 60),
                    ", or name another partition",
                ),
            };
            let (run, needed) = (longest.as_secs(), needed.as_secs() / 60);
            return Err(SizeError::TooShort { run, needed, limit, or });
        }
        let memory = runs.iter().filter_map(|limits| limits.memory_bytes).max();
        if let (Some(given), Some(needed)) = (settings.memory_bytes, memory)
            && given < needed
        {
            return Err(SizeError::TooLittleMemory { given: given >> 20, needed: needed.div_ceil(1 << 20) });
        }
        let memory = memory.map(|bytes| bytes.saturating_add(bytes / 10).saturating_add(OWN_MEMORY));
        Ok(Size { pilots, time: chosen, memory_bytes: settings.memory_bytes.or(memory) })
    }
}

/// How long a run with these limits may take.
pub fn longest(limits: &Limits) -> Duration {
    duration(limits.wall_s.or(limits.cpu_s).unwrap_or(0.0) + limits.proof_s.unwrap_or(0.0))
}

/// The number of pilots that fit on the nodes of a partition at the same time.
fn slots(partition: &Partition, settings: &Settings, nodes: Option<u32>) -> u32 {
    let mut left = nodes.unwrap_or(u32::MAX);
    let mut kinds = partition.nodes.clone();
    // The largest nodes first.
    kinds.sort_by_key(|(_, cpus)| std::cmp::Reverse(*cpus));
    let mut slots = 0u32;
    for (count, cpus) in kinds {
        let used = count.min(left);
        left -= used;
        let each =
            if settings.exclusive { u32::from(cpus >= settings.cpus) } else { cpus / settings.cpus.max(1) };
        slots = slots.saturating_add(used.saturating_mul(each));
    }
    slots
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX / 4)
}

/// Rounded up to whole minutes, because Slurm counts in minutes.
fn minutes(time: Duration) -> Duration {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    Duration::from_secs(seconds.div_ceil(60).saturating_mul(60))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partition(limit: Option<u64>) -> Partition {
        let limit = limit.map(|minutes| Duration::from_secs(60 * minutes));
        Partition { name: "main".to_owned(), is_default: true, limit, nodes: vec![(3, 2), (1, 8)] }
    }

    fn runs(count: usize, cpu_s: f64, wall_s: f64) -> Vec<Limits> {
        vec![Limits { cpu_s: Some(cpu_s), wall_s: Some(wall_s), ..Limits::default() }; count]
    }

    #[test]
    fn pilots_fill_the_nodes_but_no_more_than_there_are_batches() {
        let pilots = |batches, nodes, settings: &Settings| {
            let runs = runs(10, 1.0, 2.0);
            Size::of((&runs, batches), &partition(None), settings, (nodes, None)).map(|size| size.pilots)
        };
        let plain = Settings::default();
        assert_eq!(pilots(100, None, &plain), Ok(14));
        assert_eq!(pilots(100, Some(2), &plain), Ok(10), "the largest node and one of the others");
        assert_eq!(pilots(5, None, &plain), Ok(5));
        assert_eq!(pilots(100, None, &Settings { cpus: 4, ..plain.clone() }), Ok(2));
        assert_eq!(pilots(100, None, &Settings { exclusive: true, ..plain.clone() }), Ok(4));
        let none = pilots(100, None, &Settings { cpus: 16, ..plain });
        assert_eq!(none, Err(SizeError::TooWide { partition: "main".to_owned(), cpus: 16, most: 8 }));
        let down = Partition { nodes: Vec::new(), ..partition(None) };
        let none = Size::of((&runs(1, 1.0, 2.0), 1), &down, &Settings::default(), (None, None));
        assert_eq!(none, Err(SizeError::NoNodes("main".to_owned())));
    }

    #[test]
    fn times_are_whole_minutes_that_hold_the_longest_run() {
        let time = |runs: &[Limits], limit, given: Option<u64>| {
            let given = given.map(|minutes| Duration::from_secs(60 * minutes));
            let size = Size::of((runs, 100), &partition(limit), &Settings::default(), (Some(1), given));
            size.map(|size| size.time.as_secs() / 60)
        };
        assert_eq!(time(&runs(10, 1.0, 2.0), None, None), Ok(5), "the least");
        assert_eq!(time(&runs(1, 60.0, 610.0), None, None), Ok(22), "twice the longest run");
        assert_eq!(
            time(&runs(8000, 10.0, 20.0), None, None),
            Ok(219),
            "the sum of the limits and some slack"
        );
        assert_eq!(time(&runs(8000, 10.0, 20.0), Some(60), None), Ok(60), "the partition's limit");
        assert_eq!(time(&runs(1, 60.0, 610.0), None, Some(13)), Ok(13));
        let error = |result: Result<u64, SizeError>| result.unwrap_err().to_string();
        assert_eq!(
            error(time(&runs(1, 60.0, 610.0), None, Some(5))),
            "a run may take 610 s, so a pilot needs 13 min, but --time gives it 5 min; give the plan a lower limit on wall \
             time, or raise --time"
        );
        assert_eq!(
            error(time(&runs(1, 60.0, 610.0), Some(10), None)),
            "a run may take 610 s, so a pilot needs 13 min, but partition main allows 10 min; give the plan a lower limit \
             on wall time, or name another partition"
        );
    }

    #[test]
    fn memory_follows_from_the_limits_of_the_runs() {
        let mut runs = runs(2, 1.0, 2.0);
        let memory = |runs: &[Limits], settings: &Settings| {
            Size::of((runs, 1), &partition(None), settings, (None, None)).map(|size| size.memory_bytes)
        };
        assert_eq!(memory(&runs, &Settings::default()), Ok(None));
        runs[1].memory_bytes = Some(1000 << 20);
        assert_eq!(memory(&runs, &Settings::default()), Ok(Some((1100 << 20) + OWN_MEMORY)));
        let given = |mib: u64| Settings { memory_bytes: Some(mib << 20), ..Settings::default() };
        assert_eq!(memory(&runs, &given(5000)), Ok(Some(5000 << 20)));
        let less = memory(&runs, &given(700));
        assert_eq!(less, Err(SizeError::TooLittleMemory { given: 700, needed: 1000 }));
    }
}
