//! What the commands do if Slurm or the folder of the set has lost something.

use super::{Site, assert_has};
use std::fs::{self, File};
use std::process::Command;
use std::time::{Duration, SystemTime};

impl Site {
    /// Lets three pilots on other nodes hold all batches. They last showed that they are alive this long ago.
    fn hold_all(&self, silent: Duration) {
        let queue = self.results().join("queue");
        for (i, entry) in fs::read_dir(queue.join("todo")).unwrap().enumerate() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let owner = format!("n{}.1.2.3", i % 3);
            fs::rename(queue.join("todo").join(&name), queue.join("taken").join(format!("{name}@{owner}")))
                .unwrap();
        }
        for i in 0..3 {
            let counter = File::create(queue.join(format!("alive/n{i}.1.2.3"))).unwrap();
            counter.set_modified(SystemTime::now() - silent).unwrap();
        }
    }
}

const CONTRADICTION: &str = "squeue lists no job of this set, but 3 processes on other machines showed that they are alive within the last 3m";

#[test]
fn an_empty_answer_is_no_answer_while_pilots_are_alive() {
    let site = Site::new("no-answer", "");
    assert_eq!(site.submit().0, 0);
    site.hold_all(Duration::from_secs(20));
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(&said, &format!("{CONTRADICTION}, so they count as pilots"));
    assert_has(&said, "3 pilots carry them out, so no more are submitted");
    assert_eq!(site.calls("sbatch --parsable"), 1);
    let (status, said) = site.run(&["status", "x"]);
    assert_eq!(status, 0, "{said}");
    assert_has(&said, &format!("{CONTRADICTION}; ask again later\n"));
    assert!(!said.contains("no pilot is left"), "{said}");
    assert_has(&said, "n1.1.2.3 holds 3 batches\n");
    let (status, said) = site.run(&["cancel", "x"]);
    assert_eq!((status, site.calls("scancel 14")), (0, 1), "{said}");
    // Later they are silent, for a little more than ten minutes: the times of files lag behind the clock.
    site.hold_all(Duration::from_secs(605));
    let (_, said) = site.run(&["status", "x"]);
    assert_has(&said, "n1.1.2.3 has shown no sign of life for 10m");
    assert_has(&said, " and held 3 batches; other processes take over its work\n");
    assert_has(&said, "no pilot is left (last job: 14)\n");
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "0 batches wait, 8 are held\njob 14: 3 pilots");
}

#[test]
fn a_lost_list_of_jobs_is_restored() {
    let site = Site::new("lost-list", "");
    assert_eq!(site.submit().0, 0);
    let list = site.results().join("slurm/jobs");
    let before = fs::read_to_string(&list).unwrap();
    site.fake("squeue", "for i in 1 2 3; do echo \"14|$i|RUNNING|None|n$i\"; done");
    let commands: [(&[&str], &str); 3] = [
        (&["status", "x"], "job 14: 1 × runs on n1, 1 × runs on n2, 1 × runs on n3\n"),
        (&["run", "x", "--on", "slurm"], "3 pilots carry them out, so no more are submitted"),
        (&["cancel", "x"], "cancelled: job 14; `run` resumes the experiment"),
    ];
    for (command, words) in commands {
        let _ = fs::remove_file(site.results().join("slurm/squeue"));
        fs::remove_file(&list).unwrap();
        let (status, said) = site.run(command);
        assert_eq!(status, 0, "{said}");
        assert_has(&said, words);
        assert_eq!(fs::read_to_string(&list).unwrap(), before, "{command:?}");
    }
    assert_eq!(site.calls("scancel 14"), 1);
}

#[test]
fn only_numbers_of_jobs_reach_scancel() {
    let site = Site::new("options", "");
    assert_eq!(site.submit().0, 0);
    site.hold_all(Duration::from_secs(20));
    let list = site.results().join("slurm/jobs");
    let line = |job: &str| format!("{{\"job\":\"{job}\",\"pilots\":1,\"minutes\":1}}\n");
    fs::write(&list, ["--me", "14", "-f 15", ""].map(line).concat()).unwrap();
    let (status, said) = site.run(&["cancel", "x"]);
    assert_eq!((status, site.calls("scancel"), site.calls("scancel 14")), (0, 1, 1), "{said}");
    assert_has(&said, "cancelled: job 14; `run` resumes the experiment");
    fs::write(&list, line("--me")).unwrap();
    let (status, said) = site.run(&["cancel", "x"]);
    assert_eq!((status, site.calls("scancel")), (0, 1), "{said}");
    assert_has(&said, "the list of their jobs is missing or empty, so `scancel` was not called");
}

#[test]
fn batches_that_wait_in_vain_are_named() {
    let site = Site::new("in-vain", "");
    // Slurm accepts the test, but not the job.
    site.fake(
        "sbatch",
        "case $1 in --test-only) exit;; esac; echo 'sbatch: error: no more jobs' >&2; exit 1",
    );
    let (status, said) = site.submit();
    assert_eq!((status, site.queued()), (2, 8), "{said}");
    let words = "no pilot takes the batches that wait; `counterpoint run x --on slurm` submits pilots\n";
    let status = || {
        let _ = fs::remove_file(site.results().join("slurm/squeue"));
        let (status, said) = site.run(&["status", "x"]);
        assert_eq!(status, 0, "{said}");
        said
    };
    assert_has(&status(), &format!("8 batches wait in the queue\nno pilot is left\n{words}"));
    site.fake("squeue", "echo '14|1|COMPLETED|None|n1'");
    assert_has(&status(), words);
    site.fake("squeue", "echo '14|1|PENDING|None|'");
    assert!(!status().contains("no pilot takes"));
    // Without any trace of pilots.
    fs::remove_dir_all(site.results().join("slurm")).unwrap();
    let words = "8 batches wait in the queue, and no process takes them; `counterpoint run x --on slurm` submits pilots, and \
                 `counterpoint run x` carries out the runs here\n";
    assert_has(&status(), words);
}

#[test]
fn an_altered_copy_of_the_program_is_replaced() {
    let site = Site::new("altered", "");
    assert_eq!(site.submit().0, 0);
    let copy = || {
        let entries = fs::read_dir(site.results().join("slurm")).unwrap().map(|entry| entry.unwrap().path());
        let copies: Vec<_> = entries.filter(|path| path.to_string_lossy().contains("/program-")).collect();
        assert_eq!(copies.len(), 1);
        copies[0].clone()
    };
    let original = fs::read(copy()).unwrap();
    fs::write(copy(), "#!/bin/sh\nexit 0\n").unwrap();
    assert_eq!(site.submit().0, 0);
    assert!(fs::read(copy()).unwrap() == original, "the copy is as it was");
}

#[test]
fn holders_are_named_by_their_pilots() {
    let site = Site::new("holders", "");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(["run", "x"]).current_dir(&site.0);
    command.env("SLURM_JOB_ID", "17").env("SLURM_ARRAY_JOB_ID", "14").env("SLURM_ARRAY_TASK_ID", "3");
    assert!(command.output().unwrap().status.success());
    let names = fs::read_dir(site.results()).unwrap().map(|entry| entry.unwrap().file_name());
    let segment =
        names.map(|name| name.into_string().unwrap()).find(|name| name.ends_with(".jsonl")).unwrap();
    let worker = segment.strip_suffix(".jsonl").unwrap();
    let taken = site.results().join("queue/taken");
    fs::create_dir_all(&taken).unwrap();
    fs::write(taken.join(format!("000000-a@{worker}")), "[]").unwrap();
    let (status, said) = site.run(&["status", "x"]);
    assert_eq!(status, 0, "{said}");
    assert_has(
        &said,
        &format!("pilot 14_3r0 ({worker}) has ended and held 1 batch; the next `run` takes over its work\n"),
    );
}

#[test]
fn files_and_answers_of_others_do_no_harm() {
    let site = Site::new("hostile", "");
    assert_eq!(site.submit().0, 0);
    let slurm = site.results().join("slurm");
    fs::write(slurm.join("log/14_1.txt"), "hello\n\u{1b}]0;title\u{7}\u{1b}[1;31mred \u{9b}2J\n").unwrap();
    let (status, said) = site.run(&["status", "x"]);
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "the last line of 1 pilot: \\u{1b}]0;title\\u{7}\\u{1b}[1;31mred \\u{9b}2J\n");
    site.fake("squeue", "printf '14|3|RUNNING|None|a\\033]0;x\\007b\\n'");
    fs::remove_file(slurm.join("squeue")).unwrap();
    let (_, said) = site.run(&["status", "x"]);
    assert_has(&said, "1 × runs on a\\u{1b}]0;x\\u{7}b");
    assert!(!said.contains('\u{1b}'), "{said}");
    // Pipes that nobody writes to.
    for name in ["squeue", "jobs", "log/14_1.txt"] {
        let _ = fs::remove_file(slurm.join(name));
        assert!(Command::new("mkfifo").arg(slurm.join(name)).status().unwrap().success());
    }
    for args in [&["status", "x"][..], &["cancel", "x"], &["run", "x", "--on", "slurm"]] {
        let (status, said) = site.run(args);
        assert!([0, 2].contains(&status), "{status}: {said}");
    }
    // A link out of the folder.
    let before = site.calls("sbatch --parsable");
    let victim = site.0.join("victim");
    fs::write(&victim, "victim\n").unwrap();
    fs::remove_file(slurm.join("jobs")).unwrap();
    std::os::unix::fs::symlink(&victim, slurm.join("jobs")).unwrap();
    site.fake("squeue", "");
    let (status, said) = site.submit();
    assert_eq!(status, 2, "{said}");
    assert_has(&said, "slurm/jobs is not a regular file; remove it");
    assert_eq!(fs::read_to_string(victim).unwrap(), "victim\n");
    assert_eq!(site.calls("sbatch --parsable"), before, "jobs that cannot be noted were submitted");
}
