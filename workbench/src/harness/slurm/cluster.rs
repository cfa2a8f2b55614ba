//! Communicates with Slurm through its own programs: `sinfo`, `sbatch`, `squeue` and `scancel`.
//!
//! `sinfo` and `squeue` print chosen fields as text. These fields have been the same for many versions, whereas the
//! form of their JSON output has changed several times. Fields beyond the expected ones are ignored.

use super::JobState;
use crate::engine::Stop;
use crate::process::{Children, Ending, Job as Child, Limits, reader};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long a command of Slurm may take. A command tries for about ten seconds to reach a controller that is down.
const PATIENCE: Duration = Duration::from_secs(30);

/// The maximum number of bytes that a command may print.
const MAX_OUTPUT: u64 = 64 << 20;

/// The cluster that Slurm's programs talk to.
pub struct Cluster {
    children: Arc<Children>,
    stop: Stop,
}

/// Why a command failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// The command does not exist.
    #[error(
        "there is no {0}; install Slurm's client programs (on Debian, the package slurm-client), or run the experiment on this machine alone"
    )]
    Missing(&'static str),
    /// This machine has the command, but does not belong to a cluster.
    #[error("{program} says: {words}; give the command on a machine of the cluster, or set SLURM_CONF")]
    Unconfigured {
        /// The command.
        program: &'static str,
        /// What it printed.
        words: String,
    },
    /// The controller does not answer.
    #[error("Slurm does not answer: {0}")]
    Silent(String),
    /// Slurm refuses what was asked.
    #[error("{program} says: {words}")]
    Refused {
        /// The command.
        program: &'static str,
        /// What it printed.
        words: String,
    },
}

/// A partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its name.
    pub name: String,
    /// Whether it is used if no partition is named.
    pub is_default: bool,
    /// The longest time of a job; `None` if there is no limit.
    pub limit: Option<Duration>,
    /// For each kind of node that can be used, the number of nodes and the number of processors of each.
    pub nodes: Vec<(u32, u32)>,
}

/// A job that Slurm knows, or a task of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The id of the job or, for a task of an array, of the array.
    pub job: String,
    /// The index of the task; `None` if the job is not an array.
    pub task: Option<u32>,
    /// Its state.
    pub state: JobState,
    /// The node on which it runs; empty if it waits.
    pub node: String,
}

impl Cluster {
    /// The cluster that the programs in `PATH` talk to. `stop` ends a command early.
    pub fn new(children: Arc<Children>, stop: Stop) -> Self {
        Cluster { children, stop }
    }

    /// The version of Slurm, such as `slurm-wlm 22.05.8`.
    ///
    /// # Errors
    /// If Slurm is missing.
    pub fn version(&self) -> Result<String, ClusterError> {
        Ok(self.ask("sinfo", &["--version"])?.trim().to_owned())
    }

    /// The partitions.
    ///
    /// # Errors
    /// If Slurm is missing or does not answer.
    pub fn partitions(&self) -> Result<Vec<Partition>, ClusterError> {
        Ok(partitions(&self.ask("sinfo", &["--noheader", "--format=%P|%l|%D|%c|%t"])?))
    }

    /// Submits a job script and returns the id of the job.
    ///
    /// # Errors
    /// If Slurm is missing, does not answer, or refuses the job.
    pub fn submit(&self, script: &Path) -> Result<String, ClusterError> {
        let printed = self.command("sbatch", &["--parsable".into(), script.into()])?;
        // If there are several clusters, the output is `ID;CLUSTER`.
        let id = printed.trim().split(';').next().unwrap_or_default().to_owned();
        is_id(&id).then_some(id).ok_or_else(|| {
            let words = printed.lines().map(str::trim).collect::<Vec<_>>().join("; ");
            ClusterError::Refused { program: "sbatch", words }
        })
    }

    /// Asks whether Slurm would accept a job script, and returns what it says.
    ///
    /// # Errors
    /// As for [`submit`](Self::submit).
    pub fn test(&self, script: &Path) -> Result<String, ClusterError> {
        self.command("sbatch", &["--test-only".into(), script.into()])
    }

    /// What Slurm says about a job on this partition that does nothing.
    ///
    /// # Errors
    /// As for [`submit`](Self::submit).
    pub fn test_partition(&self, partition: &str) -> Result<String, ClusterError> {
        self.command(
            "sbatch",
            &["--test-only".into(), format!("--partition={partition}").into(), "--wrap=true".into()],
        )
    }

    /// The user's jobs of this name that Slurm knows.
    ///
    /// # Errors
    /// If Slurm is missing or does not answer.
    pub fn jobs(&self, name: &str) -> Result<Vec<Job>, ClusterError> {
        let name = format!("--name={name}");
        let args = ["--me", "--array", "--noheader", "--states=all", "--format=%F|%K|%T|%r|%N", &name];
        Ok(jobs(&self.ask("squeue", &args)?))
    }

    /// For each task of the user's arrays of this name that has ended, its exit status; without those that Slurm does
    /// not tell.
    pub fn exit_codes(&self, name: &str) -> BTreeMap<u32, u32> {
        let name = format!("--name={name}");
        let format = "--Format=ArrayTaskID:30,exit_code:30";
        let told = self.ask("squeue", &["--me", "--array", "--noheader", "--states=all", format, &name]);
        told.map(|text| exit_codes(&text)).unwrap_or_default()
    }

    /// Cancels jobs. Slurm sends SIGTERM to their processes. A job that Slurm does not know is ignored.
    ///
    /// # Errors
    /// If Slurm is missing or does not answer.
    pub fn cancel(&self, ids: &[String]) -> Result<(), ClusterError> {
        let args: Vec<&str> = ids.iter().map(String::as_str).collect();
        self.ask("scancel", &args).map(drop)
    }

    fn ask(&self, program: &'static str, args: &[&str]) -> Result<String, ClusterError> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        self.command(program, &args)
    }

    fn command(&self, program: &'static str, args: &[OsString]) -> Result<String, ClusterError> {
        let limits = Limits { wall: Some(PATIENCE), ..Limits::default() };
        // A job inherits the environment of `sbatch`. If that contained the marker of our child processes,
        // this program would kill the job as an escaped process if it starts on this machine.
        let is_unmarked = true;
        let program_name = program.as_ref();
        let child = Child {
            program: program_name,
            args,
            limits,
            max_output: MAX_OUTPUT,
            is_unmarked,
            ..Child::default()
        };
        let mut run = self.children.run(child, &self.stop).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ClusterError::Missing(program),
            _ => ClusterError::Refused { program, words: error.to_string() },
        })?;
        let (mut printed, mut complaint) = (String::new(), String::new());
        // If the output cannot be read, the command counts as one that printed nothing.
        let _ = reader(&mut run.output).read_to_string(&mut printed);
        let _ = reader(&mut run.errors).read_to_string(&mut complaint);
        let prefix = format!("{program}: error: ");
        let lines = complaint.lines().map(|line| line.trim().trim_start_matches(&prefix));
        let words = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
        match run.ending {
            // `sbatch --test-only` answers on standard error.
            Ending::Ended(status) if status.success() && printed.is_empty() => Ok(words),
            Ending::Ended(status) if status.success() => Ok(printed),
            Ending::Ended(_) if is_silence(&words) => Err(ClusterError::Silent(words)),
            Ending::Ended(status) if words.is_empty() => {
                Err(ClusterError::Refused { program, words: status.to_string() })
            }
            Ending::Ended(_) if words.contains("configuration source") => {
                Err(ClusterError::Unconfigured { program, words })
            }
            Ending::Ended(_) => Err(ClusterError::Refused { program, words }),
            Ending::Stopped(limit) => Err(ClusterError::Silent(format!("{program}: {limit}"))),
            Ending::TooMuchOutput => {
                Err(ClusterError::Refused { program, words: format!("more than {MAX_OUTPUT} bytes") })
            }
        }
    }
}

/// Whether a complaint says that the controller cannot be reached.
fn is_silence(words: &str) -> bool {
    ["Unable to contact", "connect failure", "Connection refused", "timed out"]
        .iter()
        .any(|sign| words.contains(sign))
}

/// Reads lines `PARTITION[*]|LIMIT|NODES|CPUS[+]|STATE`.
fn partitions(text: &str) -> Vec<Partition> {
    let mut found: BTreeMap<&str, Partition> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.split('|').map(str::trim);
        let Some([name, limit, nodes, cpus, state]) = next5(&mut fields) else { continue };
        let plain = name.trim_end_matches('*');
        let partition = found.entry(plain).or_insert_with(|| Partition {
            name: plain.to_owned(),
            is_default: name.ends_with('*'),
            limit: time(limit),
            nodes: Vec::new(),
        });
        // `cpus` ends with '+' if the nodes differ. A state may end with a mark such as '*', which means that the node
        // does not respond.
        let cpus = cpus.trim_end_matches('+').parse();
        // States are unknown for a moment after the controller has started.
        let is_usable = ["idle", "mix", "alloc", "comp", "unk"].iter().any(|word| state.starts_with(word))
            && !state.ends_with('*');
        if let (Ok(nodes), Ok(cpus), true) = (nodes.parse(), cpus, is_usable) {
            partition.nodes.push((nodes, cpus));
        }
    }
    found.into_values().collect()
}

/// Whether a text is the number of a job. Anything else could be an option of `scancel`.
pub(super) fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads lines `JOB|TASK|STATE|REASON|NODES`. Lines without the number of a job are skipped.
fn jobs(text: &str) -> Vec<Job> {
    let job = |line: &str| {
        let mut fields = line.split('|').map(str::trim);
        let [job, task, state, reason, node] = next5(&mut fields)?;
        let state = JobState::of(state, reason);
        is_id(job).then(|| Job { job: job.to_owned(), task: task.parse().ok(), state, node: node.to_owned() })
    };
    text.lines().filter_map(job).collect()
}

/// Reads lines `TASK STATUS[:SIGNAL]`. Some versions print the status as `wait` returns it.
fn exit_codes(text: &str) -> BTreeMap<u32, u32> {
    let code = |line: &str| {
        let mut fields = line.split_whitespace();
        let (task, code) = (fields.next()?.parse().ok()?, fields.next()?);
        let code: u32 = match code.split_once(':') {
            Some((status, _)) => status.parse().ok()?,
            None => code.parse::<u32>().ok()? >> 8,
        };
        Some((task, code))
    };
    text.lines().filter_map(code).collect()
}

fn next5<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Option<[&'a str; 5]> {
    Some([fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?])
}

/// Reads a time as `sbatch --time` does: `MINUTES[:SECONDS]`, `HOURS:MINUTES:SECONDS`, or `DAYS-HOURS[:MINUTES[:SECONDS]]`.
pub fn time_of_option(text: &str) -> Option<Duration> {
    match (text.contains('-'), text.matches(':').count()) {
        (true, 2) | (false, 1 | 2) => time(text),
        (true, 1) | (false, 0) => time(&format!("{text}:00")),
        (true, 0) => time(&format!("{text}:00:00")),
        _ => None,
    }
}

/// Reads a time limit: `[DAYS-][[HOURS:]MINUTES:]SECONDS`. `infinite` and anything unknown mean no limit.
fn time(text: &str) -> Option<Duration> {
    let (days, clock) = text.split_once('-').unwrap_or(("0", text));
    let parts = clock.split(':').map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<_>>>()?;
    let seconds = parts.iter().try_fold(0u64, |sum, part| sum.checked_mul(60)?.checked_add(*part))?;
    Some(Duration::from_secs(days.parse::<u64>().ok()?.checked_mul(86_400)?.checked_add(seconds)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_read_leniently() {
        let text = "main*|1-12:00:00|2|64|idle\nmain*|1-12:00:00|1|64|mix\nmain*|1-12:00:00|3|64|down*\n\
                    fat|infinite|1|128+|alloc|more\nnonsense\n";
        let expected = [
            Partition { name: "fat".to_owned(), is_default: false, limit: None, nodes: vec![(1, 128)] },
            Partition {
                name: "main".to_owned(),
                is_default: true,
                limit: Some(Duration::from_secs(36 * 3600)),
                nodes: vec![(2, 64), (1, 64)],
            },
        ];
        assert_eq!(partitions(text), expected);
    }

    #[test]
    fn jobs_are_read_leniently() {
        let text = "14|3|RUNNING|None|n2\n14|4|PENDING|Resources|\n15|N/A|NODE_FAIL|None|n1|more\n\n\
                    --me|1|RUNNING|None|n1\n|1|RUNNING|None|n1\n";
        let found: Vec<_> =
            jobs(text).into_iter().map(|job| (job.job, job.task, job.state, job.node)).collect();
        let expected = [
            ("14", Some(3), JobState::Running, "n2"),
            ("14", Some(4), JobState::Waiting("Resources".to_owned()), ""),
            ("15", None, JobState::Ended("NODE_FAIL".to_owned()), "n1"),
        ];
        assert_eq!(
            found,
            expected.map(|(job, task, state, node)| (job.to_owned(), task, state, node.to_owned()))
        );
    }

    #[test]
    fn exit_codes_are_read_leniently() {
        let found = exit_codes("1                 0:0\n2                 82:0  \n3   20736\nN/A   1:0\n\n");
        assert_eq!(found, BTreeMap::from([(1, 0), (2, 82), (3, 81)]));
    }

    #[test]
    fn times_are_read_as_sbatch_reads_them() {
        let minutes = |text| time_of_option(text).map(|time| time.as_secs() / 60);
        assert_eq!(
            ["90", "90:00", "2:30:00", "1-12", "1-12:30", "1-12:30:00"].map(minutes),
            [90, 90, 150, 2160, 2190, 2190].map(Some)
        );
        assert_eq!(["", "2h", "1:2:3:4", "-5", "1-"].map(minutes), [None; 5]);
    }

    #[test]
    fn limits_of_partitions() {
        let seconds = |text| time(text).map(|time| time.as_secs());
        assert_eq!(
            ["30:00", "1:00:00", "2-00:00:00", "infinite", "n/a"].map(seconds),
            [Some(1800), Some(3600), Some(172_800), None, None]
        );
    }
}
