//! Commands that are refused before anything is written, and pilots that Slurm or the site did not let work.

use super::{Site, assert_has};
use std::fs;
use std::process::Command;

#[test]
fn without_sbatch_the_set_is_left_untouched() {
    let site = Site::new("no-sbatch", "");
    fs::remove_file(site.0.join("bin/sbatch")).unwrap();
    // This machine may have Slurm's programs, so only the fakes are in the path.
    let path = site.0.join("bin").display().to_string();
    for args in [&["run", "x", "--on", "slurm"][..], &["run", "x", "--on", "slurm", "--dry-run"]] {
        let (status, said) = site.run_with(&path, args);
        assert_eq!(status, 2, "{said}");
        assert_has(&said, "there is no sbatch; install Slurm's client programs");
        assert!(!site.results().exists());
    }
}

#[test]
fn runs_at_a_time_are_not_for_pilots() {
    let site = Site::new("jobs", "");
    for args in
        [&["run", "x", "--on", "slurm", "-j", "2"][..], &["run", "x", "--on", "slurm", "-j1", "--dry-run"]]
    {
        let (status, said) = site.run(args);
        assert_eq!(status, 2, "{said}");
        assert_has(
            &said,
            "--jobs is for --on local: a pilot makes one run at a time; --nodes limits the number of pilots",
        );
    }
    assert!(!site.results().exists());
}

#[test]
fn folders_whose_names_sbatch_would_misread_are_refused() {
    let site = Site::new("names", "");
    for (name, found) in [("x\ntouch PWNED #", "a control character"), ("x\\", "a backslash")] {
        fs::rename(site.0.join("x"), site.0.join(name)).unwrap();
        for args in [
            &["run", name, "--on", "slurm"][..],
            &["run", name, "--on", "slurm", "--dry-run"],
            &["doctor", name, "--on", "slurm", "--wait", "1s"],
        ] {
            let (status, said) = site.run(args);
            assert_eq!(status, 2, "{said}");
            assert_has(
                &said,
                &format!(
                    " contains {found}, which cannot stand in a job script for Slurm; rename the folder\n"
                ),
            );
        }
        assert_eq!((site.0.join(name).join("results").exists(), site.calls("sbatch")), (false, 0));
        fs::rename(site.0.join(name), site.0.join("x")).unwrap();
    }
    // A percent sign would begin a pattern, and a comma would part two names of jobs.
    fs::rename(site.0.join("x"), site.0.join("x%A,y z")).unwrap();
    let (status, said) = site.run(&["run", "x%A,y z", "--on", "slurm", "--dry-run"]);
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "#SBATCH --job-name=counterpoint-x_A_y_z-");
    assert_has(&said, "/x%%A,y z/results/main/slurm/log/%A_%a.txt'\n");
}

#[test]
fn a_dry_run_halves_arrays_as_a_run_does() {
    let site = Site::new("dry-halved", "");
    site.fake(
        "sbatch",
        "grep -q 'array=1-[12]$' $2 && echo 15 && exit\n\
         echo 'sbatch: error: Batch job submission failed: Invalid job array specification' >&2; exit 1",
    );
    let (status, said) = site.run(&["run", "x", "--on", "slurm", "--dry-run"]);
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "Invalid job array specification; trying 2 pilots instead of 3");
    assert_has(&said, "Slurm: 2 pilots of 5m on partition main");
    assert_has(&said, "#SBATCH --array=1-2\n");
    let (status, said) = site.submit();
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "trying 2 pilots instead of 3");
    assert_has(&said, "job 15: 2 pilots of 5m");
}

#[test]
fn pilots_that_slurm_killed_for_memory_are_named() {
    let site = Site::new("memory", "");
    assert_eq!(site.submit().0, 0);
    site.fake("squeue", "printf '14|1|FAILED|NonZeroExitCode|n1\\n14|2|FAILED|NonZeroExitCode|n2\\n'");
    let log = site.results().join("slurm/log");
    let words = "slurmstepd-n1: error: StepId=13.batch exceeded memory limit (23846912 > 5242880), being killed\n\
                 slurmstepd-n1: error: Exceeded job memory limit\n\
                 slurmstepd-n1: error: *** JOB 13 ON n1 CANCELLED AT 2026-11-27T17:26:00 ***\n";
    for task in [1, 2] {
        fs::write(log.join(format!("14_{task}.txt")), words).unwrap();
    }
    let (status, said) = site.run(&["status", "x"]);
    assert_eq!(status, 0, "{said}");
    assert_has(&said, "job 14: 2 × killed for memory (FAILED)\n");
    assert_has(
        &said,
        "job 14: 2 pilots were killed for memory (slurm/log/14_1.txt); their runs go back to the queue; give",
    );
    assert!(!said.contains("pilots have failed"), "{said}");
}

#[test]
fn a_pilot_whose_module_is_missing_ends_and_says_so() {
    let site = Site::new("module", "modules = [\"no such/1\"]");
    assert_eq!(site.submit().0, 0);
    let script = site.results().join("slurm/pilot.sh");
    // The function of some versions reads unset variables, and commands in it fail.
    let function =
        "module() { false; echo $unset_variable; test \"$2\" = good; }; export -f module; exec bash \"$0\"";
    for (setup, module) in [("exec bash \"$0\"", "no such/1"), (function, "no such/1")] {
        let output = Command::new("bash").args(["-c", setup]).arg(&script).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_has(
            &said,
            &format!(
                "this pilot cannot start, because a command failed: `module load {module}`; correct `modules`"
            ),
        );
        fs::write(site.results().join("slurm/log/14_1.txt"), &said).unwrap();
    }
    assert_eq!(site.queued(), 8, "no pilot has worked");
    for live in ["", "14|2|RUNNING|None|n2\\n"] {
        let _ = fs::remove_file(site.results().join("slurm/squeue"));
        site.fake("squeue", &format!("printf '14|1|FAILED|NonZeroExitCode|n1\\n{live}'"));
        let (status, said) = site.run(&["status", "x"]);
        assert_eq!(status, 0, "{said}");
        assert_has(&said, "because a command failed: `module load no such/1`; correct `modules` in [slurm]");
    }
}

#[test]
fn nodes_are_counted_under_the_conditions() {
    let site = Site::new("only", "");
    assert_eq!(site.submit().0, 0);
    assert_eq!(site.run(&["run", "x"]).0, 0);
    let runs = |args: &[&str]| {
        let (status, said) = site.run(&[&["status", "x"], args].concat());
        assert_eq!(status, 0, "{said}");
        let mut lines = said.lines().skip_while(|line| !line.trim_start().starts_with("node "));
        lines.nth(2).unwrap().split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!(runs(&[]), "8");
    assert_eq!(runs(&["--only", "seed=1,2"]), "2");
}
