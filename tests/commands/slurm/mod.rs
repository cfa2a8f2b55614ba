//! `run --on slurm`, `status`, `cancel` and `doctor --on slurm` with fakes of Slurm's programs. `tests/slurm` tests
//! them on a real cluster.

mod doctor;
mod dry;
mod lost;
mod refused;

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

const PLAN: &str = "problem = \"flip\"\nengines = [\"search:algebra\"]\nlimits = { cpu = \"2s\" }\n\
                    [[family]]\nname = \"random\"\nn = 3\nseeds = \"1..=8\"\n";

/// A folder with an experiment `x` and fakes of Slurm's programs in `bin`. Each fake writes its arguments into `calls`.
struct Site(PathBuf);

impl Site {
    /// A cluster of three nodes that accepts jobs and knows none.
    fn new(name: &str, settings: &str) -> Self {
        let site = Site(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("slurm-{name}")));
        let _ = fs::remove_dir_all(&site.0);
        fs::create_dir_all(site.0.join("bin")).unwrap();
        fs::create_dir(site.0.join("x")).unwrap();
        fs::write(site.0.join("x/plan.toml"), format!("{PLAN}[slurm]\n{settings}\n")).unwrap();
        site.fake(
            "sinfo",
            "case $1 in --version) echo slurm-wlm 22.05.8;; *) echo 'main*|infinite|3|1|idle';; esac",
        );
        site.fake("sbatch", "case $1 in --parsable) echo 14;; *) echo sbatch: Job 14 to start >&2;; esac");
        site.fake("squeue", "");
        site.fake("scancel", "");
        site
    }

    fn fake(&self, name: &str, script: &str) {
        let path = self.0.join("bin").join(name);
        let text = format!("#!/bin/sh\necho {name} \"$@\" >> {}\n{script}\n", self.0.join("calls").display());
        // Renamed, because another thread that starts a process may hold the file open for writing.
        fs::write(path.with_extension("new"), text).unwrap();
        fs::set_permissions(path.with_extension("new"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(path.with_extension("new"), &path).unwrap();
    }

    /// Runs a command: exit status, and both outputs.
    fn run(&self, args: &[&str]) -> (i32, String) {
        let path = format!("{}:/usr/bin:/bin", self.0.join("bin").display());
        self.run_with(&path, args)
    }

    fn run_with(&self, path: &str, args: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
        command.args(args).current_dir(&self.0).env("PATH", path);
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    }

    fn submit(&self) -> (i32, String) {
        self.run(&["run", "x", "--on", "slurm"])
    }

    fn results(&self) -> PathBuf {
        self.0.join("x/results/main")
    }

    fn calls(&self, program: &str) -> usize {
        let calls = fs::read_to_string(self.0.join("calls")).unwrap_or_default();
        calls.lines().filter(|line| line.starts_with(program)).count()
    }

    fn queued(&self) -> usize {
        fs::read_dir(self.results().join("queue/todo")).map_or(0, Iterator::count)
    }
}

fn assert_has(text: &str, words: &str) {
    assert!(text.contains(words), "{words} is missing in: {text}");
}

#[test]
fn without_slurm_the_set_is_left_untouched() {
    let site = Site::new("missing", "");
    let nothing = site.0.join("empty").display().to_string();
    for args in [
        &["run", "x", "--on", "slurm"][..],
        &["run", "x", "--on", "slurm", "--dry-run"],
        &["doctor", "--on", "slurm"],
    ] {
        let (status, said) = site.run_with(&nothing, args);
        assert_eq!(status, 2, "{said}");
        assert_has(
            &said,
            "there is no sinfo; install Slurm's client programs (on Debian, the package slurm-client)",
        );
    }
    assert!(!site.results().exists());
}

#[test]
fn an_unknown_partition_is_named_by_slurm_and_by_us() {
    let site = Site::new("partition", "partition = \"nine\"");
    site.fake(
        "sbatch",
        "printf 'sbatch: error: invalid partition: nine\\nsbatch: error: no allocation\\n' >&2; exit 1",
    );
    let (status, said) = site.submit();
    assert_eq!(status, 2, "{said}");
    assert_has(
        &said,
        "sbatch says: invalid partition: nine; no allocation; Slurm has no partition 'nine'; it has: main",
    );
    assert!(!site.results().exists());
}

#[test]
fn requests_that_never_fit_are_refused_before_anything_is_queued() {
    let cases = [
        (
            "cpus = 4",
            "",
            "a pilot needs 4 processors (`cpus` in [slurm]), but the largest node of partition main that can",
        ),
        ("memory = \"9GiB\"", "Memory specification can not be satisfied", "lower `memory` in [slurm]"),
        (
            "constraint = \"x\"",
            "Invalid feature specification",
            "no node has the features in `constraint` in [slurm]",
        ),
        (
            "account = \"a\"",
            "Invalid account or account/partition combination specified",
            "set `account` in [slurm]",
        ),
        ("", "Requested time limit is invalid (missing or exceeds some limit)", "set --time; `sinfo"),
        (
            "",
            "Batch job submission failed: QOSMaxSubmitJobPerUserLimit",
            "wait until other jobs of yours have ended",
        ),
    ];
    for (i, (settings, words, ours)) in cases.into_iter().enumerate() {
        let site = Site::new(&format!("never-{i}"), settings);
        if !words.is_empty() {
            site.fake("sbatch", &format!("echo 'sbatch: error: {words}' >&2; exit 1"));
        }
        let (status, said) = site.submit();
        assert_eq!(status, 2, "{said}");
        assert_has(&said, words);
        assert_has(&said, ours);
        assert_eq!(site.queued(), 0);
    }
    let site = Site::new("overridden", "");
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(["run", "x", "--on", "slurm"]).current_dir(&site.0).env("SBATCH_TIMELIMIT", "1");
    let output = command.env("PATH", site.0.join("bin")).output().unwrap();
    assert_has(
        &String::from_utf8_lossy(&output.stderr),
        "the environment variable SBATCH_TIMELIMIT overrides an option of the job script; unset it",
    );
    let site = Site::new("no-limit", "");
    fs::write(site.0.join("x/plan.toml"), PLAN.replace("cpu = \"2s\"", "work = 1000")).unwrap();
    let (status, said) = site.submit();
    assert_eq!(status, 2);
    assert_has(
        &said,
        "which the plan must set itself (the default does not count here); add `cpu = \"…\"` to its `limits`",
    );
}

#[test]
fn pilots_are_submitted_once() {
    let site = Site::new("once", "lines = \"--qos=long\"");
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(
        &said,
        "x: 8 runs have no record; 8 batches wait, 0 are held\njob 14: 3 pilots of 5m on partition main\n",
    );
    let script = fs::read_to_string(site.results().join("slurm/pilot.sh")).unwrap();
    for line in
        ["--array=1-3", "--time=5", "--requeue", "--open-mode=append", "--signal=B:TERM@60", "--qos=long"]
    {
        assert_has(&script, &format!("#SBATCH {line}\n"));
    }
    site.fake("squeue", "for i in 1 2 3; do echo \"14|$i|RUNNING|None|n$i\"; done");
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "3 pilots carry them out, so no more are submitted");
    let (_, said) = site.run(&["status", "x"]);
    for node in ["n1", "n2", "n3"] {
        assert_has(&said, &format!("1 × runs on {node}"));
    }
    let before = site.calls("squeue");
    let (_, said) = site.run(&["status", "x"]);
    assert_eq!(site.calls("squeue"), before, "Slurm is asked at most every half minute");
    assert_has(&said, "1 × runs on n1");
    let (status, said) = site.run(&["cancel", "x"]);
    assert_eq!((status, site.calls("scancel 14")), (0, 1), "{said}");
    assert!(site.results().join("queue/cancel").exists());
}

#[test]
fn pilots_are_submitted_for_batches_of_dead_pilots() {
    let site = Site::new("dead", "");
    assert_eq!(site.submit().0, 0);
    // Pilots on other nodes hold all batches, and Slurm knows none of them any more.
    let queue = site.results().join("queue");
    for (i, entry) in fs::read_dir(queue.join("todo")).unwrap().enumerate() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let counter = File::create(queue.join("alive").join(format!("n{i}.1.2.3"))).unwrap();
        counter.set_modified(SystemTime::now() - Duration::from_secs(600)).unwrap();
        fs::rename(queue.join("todo").join(&name), queue.join("taken").join(format!("{name}@n{i}.1.2.3")))
            .unwrap();
    }
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "8 runs have no record; 0 batches wait, 8 are held\njob 14: 3 pilots");
}

#[test]
fn pilots_do_not_inherit_the_marker_of_our_processes() {
    let site = Site::new("marker", "");
    let environment = site.0.join("environment");
    site.fake("sbatch", &format!("env > {}; echo 14", environment.display()));
    assert_eq!(site.submit().0, 0);
    // Slurm starts jobs with the environment of `sbatch`. A job on this machine would be taken for an escaped process.
    let environment = fs::read_to_string(environment).unwrap();
    assert!(environment.contains("PATH=") && !environment.contains("COUNTERPOINT_RUN"), "{environment}");
}

#[test]
fn a_machine_outside_the_cluster_is_named() {
    let site = Site::new("outside", "");
    let words = "sinfo: fatal: Could not establish a configuration source";
    site.fake("sinfo", &format!("echo '{words}' >&2; exit 1"));
    let (status, said) = site.submit();
    assert_eq!(status, 2, "{said}");
    assert_has(&said, "give the command on a machine of the cluster, or set SLURM_CONF");
}

#[test]
fn an_array_that_is_too_large_is_halved_once() {
    let site = Site::new("halved", "");
    let refuse = "case $1 in --parsable) grep -q 'array=1-2$' $2 && echo 15 && exit;; *) exit;; esac\n\
                  echo 'sbatch: error: Batch job submission failed: Invalid job array specification' >&2; exit 1";
    site.fake("sbatch", refuse);
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "Invalid job array specification; trying 2 pilots instead of 3");
    assert_has(&said, "job 15: 2 pilots of 5m");
    site.fake("sbatch", &refuse.replace("array=1-2$", "array=1-1$"));
    let (status, said) = site.submit();
    assert_eq!(status, 2, "{said}");
    assert_has(&said, "Invalid job array specification; the site allows fewer jobs; use fewer");
}

#[test]
fn a_controller_that_falls_silent_is_asked_again() {
    let site = Site::new("silent", "");
    let mark = site.0.join("mark");
    // The first submission fails, although the controller has taken the job.
    let silent = format!(
        "case $1 in --parsable) touch {}; echo 'sbatch: error: Unable to contact slurm controller (connect \
                          failure)' >&2; exit 1;; esac",
        mark.display()
    );
    site.fake("sbatch", &silent);
    site.fake("squeue", &format!("[ -e {} ] && echo '16|1|PENDING|None|' || true", mark.display()));
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(
        &said,
        "Slurm does not answer: Unable to contact slurm controller (connect failure); asking again in 1s",
    );
    assert_has(&said, "job 16: 3 pilots");
    assert_eq!(site.calls("sbatch --parsable"), 1);
    site.fake(
        "squeue",
        "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1",
    );
    let (status, said) = site.run(&["status", "x"]);
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "Slurm does not answer");
    assert_has(&said, "the output above comes from the files of the set");
    let (status, said) = site.run(&["cancel", "x"]);
    assert_eq!(status, 0, "{said}");
    assert!(site.results().join("queue/cancel").exists(), "cancel works without Slurm");
}

#[test]
fn status_says_why_pilots_wait_and_how_they_ended() {
    let site = Site::new("reasons", "");
    assert_eq!(site.submit().0, 0);
    let status = |jobs: &str| {
        let _ = fs::remove_file(site.results().join("slurm/squeue"));
        site.fake("squeue", &format!("printf '{jobs}'"));
        let (status, said) = site.run(&["status", "x"]);
        assert_eq!(status, 0, "{said}");
        said
    };
    let said = status("14|1|PENDING|Resources|\\n14|2|PENDING|Resources|\\n");
    assert_has(&said, "8 batches wait in the queue\njob 14: 2 × waiting for free nodes (Resources)\n");
    assert!(!said.contains("have not started"), "{said}");
    let said = status("14|1|PENDING|PartitionConfig|\\n");
    assert_has(
        &said,
        "pilots have not started: waiting for ever: it asks for more than the partition has (PartitionConfig); cancel",
    );
    let script = File::options().write(true).open(site.results().join("slurm/pilot.sh")).unwrap();
    script.set_modified(SystemTime::now() - Duration::from_secs(750)).unwrap();
    let said = status("14|1|PENDING|Resources|\\n");
    assert_has(
        &said,
        "pilots have not started for 12 min: waiting for free nodes (Resources); fewer --nodes, a shorter --time",
    );
    let said = status("14|1|OUT_OF_MEMORY|None|n1\\n14|2|COMPLETED|None|n2\\n");
    assert_has(&said, "job 14: 1 × killed for memory (OUT_OF_MEMORY)\nno pilot is left (last job: 14)\n");
    assert_has(&said, "pilots were killed for memory; their runs go back to the queue");
    let said = status("14|1|FAILED|NonZeroExitCode|n1\\n");
    assert_has(&said, "pilots have failed; they have no output, so the nodes may not see this folder");
    fs::write(
        site.results().join("slurm/log/14_1.txt"),
        "slurmstepd: error: Detected 1 oom_kill event in StepId=14.batch. Some of the step tasks have been OOM Killed.\n",
    )
    .unwrap();
    // Slurm no longer knows the job, but its error message is in the output of the pilot.
    let said = status("");
    assert_has(
        &said,
        "job 14: 1 pilot was killed for memory (slurm/log/14_1.txt); their runs go back to the queue",
    );
    for task in [2, 3] {
        let log = site.results().join(format!("slurm/log/14_{task}.txt"));
        fs::write(log, "2 of 8 runs\nno further run fits into the time of this pilot\n").unwrap();
    }
    let said = status("");
    assert_has(&said, "the last line of 2 pilots: no further run fits into the time of this pilot\n");
    assert_has(&said, "the last line of 1 pilot: slurmstepd: error: Detected 1 oom_kill event");
}

#[test]
fn attempts_of_a_restarted_pilot_are_told_apart() {
    let site = Site::new("restarted", "");
    let plan = fs::read_to_string(site.0.join("x/plan.toml")).unwrap();
    for (seeds, restarts) in [("1..=3", None), ("1..=5", Some("1")), ("1..=8", Some("2"))] {
        fs::write(site.0.join("x/plan.toml"), plan.replace("1..=8", seeds)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
        command.args(["run", "x"]).current_dir(&site.0);
        // Slurm gives a task a job id of its own, and sets the count only after the first restart.
        command.env("SLURM_JOB_ID", "17").env("SLURM_ARRAY_JOB_ID", "14").env("SLURM_ARRAY_TASK_ID", "3");
        command.envs(restarts.map(|count| ("SLURM_RESTART_COUNT", count)));
        assert!(command.output().unwrap().status.success());
    }
    // A record from outside Slurm.
    fs::write(site.0.join("x/plan.toml"), plan.replace("1..=8", "1..=9")).unwrap();
    assert_eq!(site.run(&["run", "x"]).0, 0);
    let (status, said) = site.run(&["status", "x", "--by", "pilot"]);
    assert_eq!(status, 0, "{said}");
    let rows: Vec<Vec<&str>> = said.lines().map(|line| line.split_whitespace().take(3).collect()).collect();
    for (pilot, runs) in [("14_3r0", "3"), ("14_3r1", "2"), ("14_3r2", "3")] {
        assert!(rows.contains(&vec![pilot, "search:algebra", runs]), "{pilot}: {said}");
    }
    let (_, records) = site.run(&["status", "x", "--records", "jsonl"]);
    for (pilot, runs) in [(".14_3r0.", 3), (".14_3r1.", 2), (".14_3r2.", 3)] {
        let attempts = records.split("\"attempt\":\"").skip(1).filter_map(|rest| rest.split('"').next());
        assert_eq!(attempts.filter(|attempt| attempt.contains(pilot)).count(), runs, "{records}");
    }
    let (_, csv) = site.run(&["status", "x", "--records", "csv", "--only", "pilot=14_3r1"]);
    assert_eq!(csv.lines().count(), 3, "{csv}");
}
