//! What a test of a cluster has found, in lines: the fact, then what to do about it if something is wrong.

use super::super::super::print;
use super::Test;
use crate::harness::UNKNOWN;
use crate::harness::slurm::{Facts, HIDDEN, Job, JobState, Lock, READ_ONLY, TOKENS};
use crate::study::plural;
use humantime::format_duration;
use itertools::Itertools;
use std::time::Duration;

/// A lease must be at least this many times the longest delay until other nodes see a new file.
const LEASES: u32 = 3;

/// The lines of a test.
pub(super) struct Findings {
    /// Property, value, remark.
    pub(super) lines: Vec<[String; 3]>,
    /// Whether experiments can run on the cluster.
    pub(super) is_usable: bool,
}

impl Findings {
    fn say(&mut self, what: &str, is: impl Into<String>, remark: impl Into<String>) {
        self.lines.push([what.to_owned(), is.into(), remark.into()]);
    }

    /// Adds a line. A remark says what is wrong, and makes the cluster count as unusable.
    fn must(&mut self, what: &str, is: impl Into<String>, remark: Option<String>) {
        self.is_usable &= remark.is_none();
        self.say(what, is, remark.unwrap_or_default());
    }
}

pub(super) fn of(test: &Test) -> Findings {
    let mut found = Findings { lines: Vec::new(), is_usable: true };
    found.say("Slurm", test.version.clone(), "");
    partition(test, &mut found);
    start(test, &mut found);
    if test.facts.is_empty() {
        return found;
    }
    program(test, &mut found);
    folder(test, &mut found);
    clocks(test, &mut found);
    limits(test, &mut found);
    nodes(test, &mut found);
    found
}

fn partition(test: &Test, found: &mut Findings) {
    let partition = &test.partition;
    let usable: u32 = partition.nodes.iter().map(|(count, _)| count).sum();
    let cpus: u32 = partition.nodes.iter().map(|(count, cpus)| count * cpus).sum();
    let limit = partition
        .limit
        .map_or("no time limit".to_owned(), |limit| format!("jobs of at most {}", format_duration(limit)));
    found.say(
        "partition",
        format!(
            "{}: {} with {} can be used; {limit}",
            partition.name,
            plural(usable as usize, "node", "nodes"),
            plural(cpus as usize, "processor", "processors")
        ),
        "",
    );
    found.say(
        "time of jobs",
        "whole minutes",
        "--time is rounded up; Slurm may end a job half a minute late",
    );
}

/// Whether the tasks have begun, and if not, why.
fn start(test: &Test, found: &mut Findings) {
    let (begun, tasks) = (test.facts.len(), test.tasks as usize);
    let nodes = test.facts.values().map(|facts| facts.node.as_str()).sorted().dedup().join(", ");
    if begun == tasks {
        let value = format!(
            "job {}: {} on {nodes} after {}",
            test.job,
            plural(tasks, "task", "tasks"),
            print::duration(test.begun)
        );
        found.say("start", value, "");
        return;
    }
    let missing: Vec<&Job> = test.jobs.iter().filter(|job| is_missing(test, job)).collect();
    let states = missing.iter().map(|job| &job.state).filter(|state| **state != JobState::Running);
    // A task that waits says nothing about its node.
    let silent: Vec<&Job> =
        missing.iter().filter(|job| !matches!(job.state, JobState::Waiting(_))).copied().collect();
    let mut why: Vec<String> = silent.iter().map(|job| fault(test, job)).collect();
    let waiting = states.clone().filter(|state| state.is_live());
    why.extend(waiting.map(JobState::explanation));
    why.sort();
    why.dedup();
    let why = if why.is_empty() { String::new() } else { format!(": {}", why.join("; ")) };
    let value = format!(
        "job {}: {begun} of {tasks} tasks began within {}{why}",
        test.job,
        print::duration(test.begun)
    );
    let hopeless = states.clone().filter(|state| state.is_hopeless());
    let has_failed = states.clone().any(JobState::was_ended);
    let has_code = |code: u32| silent.iter().any(|job| exit_code(test, job) == Some(code));
    let remedy = match (&test.complaint, hopeless.filter_map(JobState::remedy).next()) {
        _ if has_code(HIDDEN) => format!(
            "use a folder on a file system that all nodes share, or {}",
            without(&silent)
        ),
        _ if has_code(READ_ONLY) => format!(
            "mount the file system there for writing, make space, or {}",
            without(&silent)
        ),
        (Some(text), _) => format!("a task says: {text}"),
        (None, Some(remedy)) => remedy.to_owned(),
        (None, None) if has_failed => {
            "the tasks have no output, so the nodes may not see this folder; use one on the shared file system".to_owned()
        }
        (None, None) if !silent.is_empty() => {
            format!("a node may see new files late; --wait waits longer; otherwise {}", without(&silent))
        }
        (None, None) => "each task needs a whole node; --wait waits longer, --nodes K tests fewer".to_owned(),
    };
    if begun == 0 || !silent.is_empty() {
        found.must("start", value, Some(remedy));
    } else {
        found.say("start", value, remedy);
    }
}

/// Whether a task has not shown that it began.
fn is_missing(test: &Test, job: &Job) -> bool {
    job.task.is_none_or(|task| !test.facts.contains_key(&task))
}

fn exit_code(test: &Test, job: &Job) -> Option<u32> {
    test.exit_codes.get(&job.task?).copied()
}

/// What is wrong with a node whose task has failed or has not answered.
fn fault(test: &Test, job: &Job) -> String {
    let node = if job.node.is_empty() { "an unknown node" } else { &job.node };
    match (exit_code(test, job), &job.state) {
        (Some(HIDDEN), _) => format!("{node} does not see the folder"),
        (Some(READ_ONLY), _) => format!("{node} cannot write into the folder"),
        (_, JobState::Running) => format!("{node} has not answered"),
        (_, state) => format!("{node}: {}", state.explanation()),
    }
}

/// How to leave out the nodes of these tasks.
fn without(jobs: &[&Job]) -> String {
    let nodes = jobs.iter().map(|job| job.node.as_str()).filter(|node| !node.is_empty()).sorted().dedup();
    format!("leave nodes out, with lines = [\"--exclude={}\"] in [slurm]", nodes.format(","))
}

fn program(test: &Test, found: &mut Findings) {
    let others =
        test.facts.values().filter(|facts| facts.program != test.program).map(|facts| facts.node.as_str());
    let others = others.sorted().join(", ");
    let remark =
        (!others.is_empty()).then(|| format!("{others} ran another file; the folder shows old contents"));
    let short = test.program.get(..12).unwrap_or(&test.program);
    found.must("program", format!("its copy {short} runs on the nodes"), remark);
}

/// What this machine and the tasks (the *members* of the test, see `harness/slurm/probe.rs`) saw of each other's files.
fn folder(test: &Test, found: &mut Findings) {
    let expected = test.facts.len() + 1;
    let silent = test.facts.iter().filter(|(member, _)| !test.reports.contains_key(member));
    let silent = silent.map(|(_, facts)| facts.node.as_str()).join(", ");
    if !silent.is_empty() {
        found.must(
            "shared folder",
            format!("no report from {silent}"),
            Some(
                "the folder is not shared in time, or the node failed; use one on the shared file system"
                    .to_owned(),
            ),
        );
        return;
    }
    let answers = test.reports.values().map(|report| report.answers_s.len()).sum::<usize>();
    let all = expected * (expected - 1);
    let longest =
        test.reports.values().flat_map(|report| report.answers_s.values()).copied().fold(0.0, f64::max);
    let lease = test.settings.lease;
    let remark = if answers < all {
        Some(format!("{} of {all} files were not seen at all; use another folder", all - answers))
    } else if Duration::try_from_secs_f64(longest).unwrap_or(Duration::MAX).saturating_mul(LEASES) > lease {
        let needed = Duration::from_secs((longest * f64::from(LEASES)).ceil() as u64);
        Some(format!(
            "a lease of {} is too short; set `lease` in [slurm] to at least {}",
            format_duration(lease),
            format_duration(needed)
        ))
    } else {
        None
    };
    found.must("new files", format!("visible on other nodes within {}", print::seconds(longest)), remark);
    let renamed = test.reports.values().flat_map(|report| &report.renamed).copied().collect_vec();
    let once = renamed.iter().unique().count();
    let misreported: usize = test.reports.values().map(|report| report.misreported).sum();
    let remark = match (renamed.len() == once && once == TOKENS, misreported) {
        (false, _) => Some(
            "two machines got the same file, or a file got lost; use a folder on another file system"
                .to_owned(),
        ),
        (true, _) => None,
    };
    let usual = if misreported == 0 {
        String::new()
    } else {
        format!("; {misreported} times the result was misreported, which does no harm")
    };
    found.must("rename", format!("{once} of {TOKENS} files got one owner each{usual}"), remark);
    let locks = test.reports.values().map(|report| &report.lock).filter(|lock| **lock != Lock::Untried);
    let (value, remark) = match locks.sorted_by_key(|lock| **lock == Lock::Shared).next() {
        None | Some(Lock::Untried) => ("not tested".to_owned(), ""),
        Some(Lock::Shared) => ("hold between machines".to_owned(), ""),
        Some(Lock::Local) => (
            "hold on each machine only".to_owned(),
            "two `run` at the same moment may queue runs twice, which does no harm",
        ),
        Some(Lock::Unsupported(why)) => (
            format!("are not supported: {why}"),
            "two `run` at the same moment may queue runs twice, which does no harm",
        ),
    };
    found.say("locks", value, remark);
}

fn clocks(test: &Test, found: &mut Findings) {
    let Some(own) = test.reports.get(&0) else { return };
    let largest = own.clocks_s.values().map(|s| s.abs()).fold(0.0, f64::max);
    let error = own.answers_s.values().copied().fold(0.0, f64::max) / 2.0;
    let value =
        format!("at most {} from this machine's (± {})", print::seconds(largest), print::seconds(error));
    found.say("clocks differ by", value, "for information: leases do not compare clocks");
}

fn limits(test: &Test, found: &mut Findings) {
    let tiers = by_node(test, |facts| facts.tier.to_string());
    found.say("limits of runs", tiers, "");
    let limited = |facts: &Facts| match facts.memory_limit {
        Some(bytes) if bytes < 2 * super::MEMORY_BYTES => "limited to what the job asked for".to_owned(),
        _ => "not limited".to_owned(),
    };
    let all = test.facts.values().all(|facts| limited(facts).starts_with("limited"));
    let remark = if all {
        "Slurm kills a pilot that uses more than `memory`"
    } else {
        "Slurm's --mem reserves memory but limits nothing here; only `memory` in the plan's `limits` does"
    };
    found.say("memory of jobs", by_node(test, limited), remark);
}

fn nodes(test: &Test, found: &mut Findings) {
    let models = test.facts.values().map(|facts| facts.cpu_model.as_str()).unique().count();
    let remark = if models > 1 { "times are not comparable; set `constraint` in [slurm]" } else { "" };
    found.say("processors", by_node(test, |facts| format!("{} × {}", facts.cpus, facts.cpu_model)), remark);
    for (at, program) in test.programs.iter().enumerate() {
        let hash = |facts: &Facts| facts.programs.get(at).cloned().unwrap_or_default();
        let missing =
            test.facts.values().filter(|facts| hash(facts) == UNKNOWN).map(|facts| facts.node.as_str());
        let missing = missing.sorted().dedup().join(", ");
        let kinds = test.facts.values().map(hash).filter(|hash| hash != UNKNOWN).unique().count();
        let what = format!("program {program}");
        match (missing.is_empty(), kinds) {
            (false, _) => found.must(&what, format!("missing on {missing}"), Some(MISSING.to_owned())),
            (true, 1) => found.say(&what, "the same on all nodes", ""),
            (true, _) => {
                found.say(&what, format!("{kinds} different files"), "records name the file by its hash")
            }
        }
    }
}

const MISSING: &str = "give its path in the shared folder, or load a module with `modules` in [slurm]";

/// Values with the nodes that have them, such as `cgroup v2 on n1, n2`.
fn by_node(test: &Test, of: impl Fn(&Facts) -> String) -> String {
    let values = test.facts.values().map(|facts| (of(facts), facts.node.clone())).into_group_map();
    let all = values
        .into_iter()
        .sorted()
        .map(|(value, nodes)| format!("{value} on {}", nodes.iter().sorted().dedup().join(", ")));
    all.collect_vec().join("; ")
}
