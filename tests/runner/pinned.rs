//! Pinned runs: each has its own processor core, which its external programs inherit and its record names.

use crate::experiment::{Experiment, said};
use counterpoint::harness::{Cores, Preview};
use counterpoint::record::Record;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;
use std::thread;
use std::time::Duration;

/// A solver that notes the processors that it may use. It is right if the number is even.
const SOLVER: &str = "#!/bin/sh
grep Cpus_allowed_list /proc/self/status >> \"$(dirname \"$0\")/allowed\"
echo 's SATISFIABLE'
echo 'v 1 0'
exit 10
";

fn pinned() -> Experiment {
    let plan = "problem = \"parity\"\nengines = [\"sat:unit@inner\"]\npin = true\n[solver.inner]\ncommand = [\"./solver\"]
[[family]]\nname = \"number\"\nn = [2, 4, 6, 8]\n";
    let experiment = Experiment::new(plan);
    let program = experiment.path().join("solver");
    fs::write(&program, SOLVER).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    experiment
}

/// Runs the experiment. Waits while other processes, such as another run of this test, hold all cores.
fn run(experiment: &Experiment, args: &[&str]) -> Output {
    for _ in 0..300 {
        let output = experiment.run(args);
        if !said(&output).contains("other pinned experiments") {
            return output;
        }
        thread::sleep(Duration::from_millis(200));
    }
    experiment.run(args)
}

pub(crate) fn runs_are_pinned_with_all_their_processes() {
    let experiment = pinned();
    let output = run(&experiment, &["-j", "4000"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let records = experiment.records();
    assert_eq!(records.len(), 4);
    if said(&output).contains("`pin` has no effect") {
        assert!(records.iter().all(|record| record.core.is_none()));
        return;
    }
    assert!(
        said(&output).contains(" instead of 4000 runs at a time: each has a processor core"),
        "{}",
        said(&output)
    );
    let mut cores: Vec<String> = records.iter().map(|record| record.core.unwrap().to_string()).collect();
    let allowed = fs::read_to_string(experiment.path().join("allowed")).unwrap();
    let mut used: Vec<&str> = allowed.lines().map(|line| line.split_whitespace().last().unwrap()).collect();
    cores.sort();
    used.sort();
    assert_eq!(cores, used);
    let jobs = experiment.environment()[0].1.jobs;
    assert!((1..4000).contains(&jobs), "{jobs}");
    // `pin` is not part of a run's identity.
    let plan = fs::read_to_string(experiment.path().join("plan.toml")).unwrap();
    fs::write(experiment.path().join("plan.toml"), plan.replace("pin = true\n", "")).unwrap();
    assert!(said(&experiment.run(&[])).contains("all 4 runs"));
}

pub(crate) fn a_core_is_used_by_one_experiment() {
    let Ok(held) = Cores::claim(usize::MAX) else { return };
    let experiment = pinned();
    // No core that this test holds is free.
    let Preview { cores: free, words } = Cores::preview(usize::MAX).unwrap();
    assert!(held.is_empty() || words.contains("other experiments use processor"), "{words}");
    let output = experiment.run(&["--dry-run", "-j", "4000"]);
    assert!(
        said(&output).contains("\npinned: ") && !said(&output).contains("at a time: 4000"),
        "{}",
        said(&output)
    );
    if free == 0 && output.status.code() == Some(2) {
        assert!(
            said(&output).contains("this command would fail: other pinned experiments"),
            "{}",
            said(&output)
        );
    }
    // If another process has released a core meanwhile, this succeeds.
    let output = experiment.run(&[]);
    if output.status.code() == Some(2) {
        assert!(
            said(&output).contains("other pinned experiments use all processor cores"),
            "{}",
            said(&output)
        );
        assert!(experiment.records().is_empty());
    }
    drop(held);
    let output = run(&experiment, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(experiment.records().iter().all(Record::is_solved));
}
