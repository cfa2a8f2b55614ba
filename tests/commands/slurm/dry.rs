//! `run --on slurm --dry-run`.

use super::{Site, assert_has};
use std::fs;

const DRY: [&str; 5] = ["run", "x", "--on", "slurm", "--dry-run"];

#[test]
fn pilots_that_are_alive_are_not_counted_again() {
    let site = Site::new("dry", "");
    assert_eq!(site.submit().0, 0);
    site.fake("squeue", "for i in 1 2 3; do echo \"14|$i|RUNNING|None|n$i\"; done");
    assert_has(
        &site.run(&DRY).1,
        "Slurm: 3 pilots are alive and can do all runs, so no more would be submitted\n",
    );
    site.fake("squeue", "echo '14|1|RUNNING|None|n1'");
    assert_has(
        &site.run(&DRY).1,
        "Slurm: 1 pilot is alive, and these would be added:\nSlurm: 2 pilots of 5m on",
    );
}

#[test]
fn a_dry_run_estimates_from_records() {
    let site = Site::new("estimate", "exclusive = true");
    assert_eq!(site.run(&["run", "x"]).0, 0);
    let plan = fs::read_to_string(site.0.join("x/plan.toml")).unwrap();
    fs::write(site.0.join("x/plan.toml"), plan.replace("1..=8", "1..=900")).unwrap();
    let (status, said) = site.run(&["run", "x", "--on", "slurm", "--dry-run", "--time", "1h"]);
    assert_eq!(status, 0, "{said}");
    assert_has(
        &said,
        "3 pilots of 1h on partition main: at most 3.0 node-hours; the limits of the runs add up to 0.50; about 0.00",
    );
    assert_has(&said, "sbatch --test-only: Job 14 to start\n");
    assert_has(&said, "#SBATCH --exclusive\n#SBATCH --hint=nomultithread\n");
    site.fake("sbatch", "echo 'sbatch: error: Memory specification can not be satisfied' >&2; exit 1");
    let (status, said) = site.run(&["run", "x", "--on", "slurm", "--dry-run"]);
    assert_eq!(status, 2, "{said}");
    assert_has(&said, "#SBATCH --exclusive\n");
    assert_has(&said, "Slurm refuses the script; no node has so much memory; lower `memory` in [slurm]");
}
