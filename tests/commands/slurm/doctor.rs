//! `doctor --on slurm`.

use super::{Site, assert_has};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The entries of a folder whose names begin with `counterpoint-doctor`.
fn leftovers(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    entries.filter(|name| name.to_string_lossy().starts_with("counterpoint-doctor")).count()
}

/// A test of a sound cluster with this script as `scancel`: exit status and output.
fn sound(name: &str, scancel: &str) -> (Site, i32, String) {
    let site = Site::new(name, "");
    site.fake("scancel", scancel);
    let script = site.0.join("script");
    site.fake("sbatch", &format!("echo $2 > {0}.new; mv {0}.new {0}; echo 9", script.display()));
    // The test itself starts the tasks on this machine. The fake `sbatch` cannot start them, because a
    // command kills all processes that it has started.
    let (status, said) = std::thread::scope(|scope| {
        let doctor = scope.spawn(|| site.run(&["doctor", "x", "--on", "slurm"]));
        while !script.exists() && !doctor.is_finished() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let script = fs::read_to_string(&script).unwrap_or_default();
        let task = |number: u32| {
            let mut task = Command::new("sh");
            task.arg(script.trim())
                .env("SLURM_ARRAY_JOB_ID", "9")
                .env("SLURM_ARRAY_TASK_ID", number.to_string());
            task.spawn().unwrap()
        };
        let tasks: Vec<_> = (1..=3).map(task).collect();
        tasks.into_iter().for_each(|mut task| assert!(task.wait().unwrap().success()));
        doctor.join().unwrap()
    });
    (site, status, said)
}

/// A `scancel` that refuses.
const REFUSES: &str = "echo 'scancel: error: busy' >&2; exit 1";

#[test]
fn doctor_tests_a_cluster() {
    let (site, status, said) = sound("doctor", "");
    assert_eq!(status, 0, "{said}");
    for words in [
        "slurm-wlm 22.05.8",
        "main: 3 nodes with 3 processors can be used; no time limit",
        "job 9: 3 tasks on ",
        "runs on the nodes",
        "visible on other nodes within ",
        "50 of 50 files got one owner each",
        "hold between machines",
        "leases do not compare clocks",
        "limits of runs",
        "memory of jobs",
        "processors",
    ] {
        assert_has(&said, words);
    }
    assert_eq!(site.calls("scancel 9"), 1);
    assert_eq!(leftovers(&site.0.join("x")), 0);
}

#[test]
fn a_cluster_whose_jobs_cannot_be_cancelled_is_not_sound() {
    let (_, status, said) = sound("doctor-refuses", REFUSES);
    assert_eq!(status, 2, "{said}");
    assert_has(&said, "limits of runs");
    assert_has(&said, "scancel says: busy; job 9 may still wait or run. `scancel 9` cancels it");
}

/// A cluster on which tasks fail at once.
fn failing(name: &str) -> Site {
    let site = Site::new(name, "");
    site.fake("squeue", "echo '14|1|FAILED|NonZeroExitCode|n1'");
    site
}

#[test]
fn doctor_gives_up_on_a_job_that_does_not_start() {
    let does_not_start = || {
        let site = Site::new("doctor-waits", "");
        site.fake("squeue", "echo '14|1|PENDING|Resources|'");
        let (status, said) = site.run(&["doctor", "--on", "slurm", "--wait", "1s", "--nodes", "1"]);
        assert_eq!(status, 2, "{said}");
        assert_has(&said, "job 14: 0 of 1 tasks began within");
        assert_has(&said, "waiting for free nodes (Resources)");
        assert_eq!((site.calls("scancel 14"), leftovers(&site.0)), (1, 0));
    };
    let is_not_cancelled = || {
        let site = Site::new("doctor-stays", "");
        site.fake("squeue", "echo '14|1|PENDING|Resources|'");
        site.fake("scancel", REFUSES);
        let (status, said) = site.run(&["doctor", "--on", "slurm", "--wait", "1s", "--nodes", "1"]);
        assert_eq!(status, 2, "{said}");
        assert_has(&said, "job 14: 0 of 1 tasks began within");
        assert_has(&said, "scancel says: busy; job 14 may still wait or run. `scancel 14` cancels it");
    };
    let says_nothing = || {
        let (status, said) = failing("doctor-silent").run(&["doctor", "--on", "slurm"]);
        assert_eq!(status, 2, "{said}");
        assert_has(&said, "the tasks have no output, so the nodes may not see this folder");
    };
    let says_why = || {
        let site = failing("doctor-says");
        site.fake("sbatch", "dir=$(dirname $2); echo 'libc.so.6: not found' > $dir/log/14_1.txt; echo 14");
        let (status, said) = site.run(&["doctor", "--on", "slurm"]);
        assert_eq!(status, 2, "{said}");
        assert_has(&said, "a task says: libc.so.6: not found");
    };
    // Together, because each waits for seconds.
    std::thread::scope(|scope| {
        scope.spawn(does_not_start);
        scope.spawn(is_not_cancelled);
        scope.spawn(says_nothing);
        scope.spawn(says_why);
    });
}

#[test]
fn doctor_names_what_run_would_refuse() {
    let site = failing("doctor-refuses");
    let plan = fs::read_to_string(site.0.join("x/plan.toml")).unwrap();
    fs::write(site.0.join("x/plan.toml"), plan.replace("cpu = \"2s\"", "work = 1000")).unwrap();
    let (status, said) = site.run(&["doctor", "x", "--on", "slurm"]);
    assert_eq!(status, 2, "{said}");
    assert_has(
        &said,
        "`run --on slurm` would refuse the plan: the time of pilots follows from the limit on CPU time",
    );
    let (status, said) = site.run(&["doctor", "x"]);
    assert_eq!(status, 2);
    assert_has(&said, "FOLDER and --nodes are for --on slurm");
}

#[test]
fn doctor_names_the_node_that_does_not_see_the_folder() {
    let site = Site::new("doctor-hidden", "");
    let script = site.0.join("script");
    site.fake(
        "sbatch",
        &format!("cat $2 > {0}.copy; echo $2 > {0}.new; mv {0}.new {0}; echo 9", script.display()),
    );
    // The tasks run until they are cancelled.
    let jobs = "9|1|RUNNING|None|n1\\n9|2|FAILED|NonZeroExitCode|n2\\n9|3|RUNNING|None|n3\\n";
    site.fake(
        "squeue",
        &format!(
            "case \"$*\" in *--Format=*) echo '2  81:0';; *) grep -q ^scancel calls || printf '{jobs}';; esac"
        ),
    );
    let task = |script: &Path, number: u32| {
        let mut task = Command::new("sh");
        task.arg(script).env("SLURM_ARRAY_JOB_ID", "9").env("SLURM_ARRAY_TASK_ID", number.to_string());
        task.spawn().unwrap()
    };
    let (status, said) = std::thread::scope(|scope| {
        // If the command waited although task 2 has failed, it would wait for an hour.
        let doctor = scope.spawn(|| site.run(&["doctor", "x", "--on", "slurm", "--wait", "1h"]));
        while !script.exists() && !doctor.is_finished() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let path = fs::read_to_string(&script).unwrap_or_default();
        let tasks = [1, 3].map(|number| task(Path::new(path.trim()), number));
        for mut task in tasks {
            assert!(task.wait().unwrap().success());
        }
        doctor.join().unwrap()
    });
    assert_eq!(status, 2, "{said}");
    assert_has(&said, "2 of 3 tasks began within ");
    assert_has(&said, "n2 does not see the folder");
    assert_has(&said, "--exclude=n2");
    assert_has(&said, "50 of 50 files got one owner each");
    // The folder of the test is gone, as on a node that does not see it.
    let copy = script.with_extension("copy");
    assert_eq!(task(&copy, 1).wait().unwrap().code(), Some(81));
    // A file at the place of the output's folder lets nobody write there.
    let text = fs::read_to_string(&copy).unwrap();
    let folder = text.lines().find_map(|line| line.strip_prefix("test -d ")?.split(' ').next()).unwrap();
    fs::create_dir(folder).unwrap();
    fs::create_dir(Path::new(folder).join("writable-1")).unwrap();
    assert_eq!(task(&copy, 1).wait().unwrap().code(), Some(82));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn doctor_names_nodes_that_cannot_write_and_tries_smaller_arrays() {
    let site = Site::new("doctor-read-only", "");
    let refuse = "grep -q 'array=1-2$' $2 && echo 9 && exit\n\
                  echo 'sbatch: error: Batch job submission failed: Invalid job array specification' >&2; exit 1";
    site.fake("sbatch", refuse);
    site.fake(
        "squeue",
        "case \"$*\" in *--Format=*) printf '1 20992\\n2 1:0\\n';; *) printf '9|1|FAILED|None|n1\\n9|2|FAILED|None|n2\\n';; esac",
    );
    let (status, said) = site.run(&["doctor", "--on", "slurm"]);
    assert_eq!(status, 2, "{said}");
    assert_has(&said, "Invalid job array specification; trying 2 pilots instead of 3");
    assert_has(&said, "0 of 2 tasks began within ");
    assert_has(&said, "n1 cannot write into the folder");
    assert_has(&said, "n2: failed (FAILED)");
}
