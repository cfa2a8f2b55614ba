//! The queue on a simulated cluster: nodes die and are suspended, the folder shows old states and gives wrong answers.
//! Whatever happens, every run gets a record.

#[path = "../../benches/scale/simulation/mod.rs"]
mod simulation;

use crate::samples::samples;
use simulation::{Locks, SECOND, Setup, World, round};

/// How much may go wrong in a history.
#[derive(Clone, Copy)]
struct Allowed {
    /// The maximum number of submissions until every run has a record.
    rounds: usize,
    /// How often runs may be begun again, over all runs.
    again: u64,
}

/// Simulates one history, and returns what went wrong.
fn fault(setup: &Setup, allowed: Allowed) -> Option<String> {
    let world = World::new(setup.clone());
    let (mut begin, mut missing) = (0, setup.runs);
    for _ in 0..allowed.rounds {
        round(&world, begin);
        missing = setup.runs - world.now(|server| server.recorded.0);
        if missing == 0 {
            break;
        }
        // The user looks again after an hour.
        begin = world.now(|server| server.end()) + (3600.0 * SECOND) as u64;
    }
    if missing > 0 {
        return Some(format!("{missing} runs have no record"));
    }
    let (robbed, aside) = world.now(|server| (server.measured.robbed.clone(), server.aside()));
    if !robbed.is_empty() {
        return Some(format!("taken from live pilots: {robbed:?}"));
    }
    if aside != setup.killers {
        return Some(format!("set aside: {aside:?}"));
    }
    let again = world.now(|server| server.measured.begun) - u64::from(setup.runs);
    (again > allowed.again).then(|| format!("{again} runs were begun again"))
}

fn small(seed: u64) -> Setup {
    Setup { seed, ..Setup::sound(20, 2000, 13, 20.0) }
}

fn assert_sound(what: &str, (rounds, again): (usize, u64), setup: impl Fn(u64) -> Setup) {
    for seed in 0..samples(8) {
        assert_eq!(fault(&setup(seed), Allowed { rounds, again }), None, "{what}, seed {seed}");
    }
}

pub(crate) fn no_run_is_lost_on_a_sound_cluster() {
    assert_sound("sound", (1, 0), small);
}

pub(crate) fn no_run_is_lost_when_nodes_die() {
    assert_sound("dying", (1, 30), |seed| Setup { life_s: 8000.0, requeue_s: 3000.0, ..small(seed) });
}

pub(crate) fn no_run_is_lost_when_pilots_are_suspended() {
    assert_sound("suspended", (1, 150), |seed| Setup { freeze_s: 1000.0, lost_beat: 0.2, ..small(seed) });
}

pub(crate) fn no_run_is_lost_when_the_folder_misbehaves() {
    assert_sound("folder", (3, 100), |seed| Setup {
        wrong_answer: 0.05,
        failure: 0.0003,
        outage_s: 900.0,
        locks: if seed % 2 == 0 { Locks::Work } else { Locks::DoNothing },
        ..small(seed)
    });
}

pub(crate) fn no_run_is_lost_when_everything_goes_wrong() {
    assert_sound("everything", (3, 100), |seed| Setup {
        life_s: 20_000.0,
        requeue_s: 5000.0,
        freeze_s: 10_000.0,
        lost_beat: 0.1,
        wrong_answer: 0.05,
        failure: 0.0001,
        outage_s: 3000.0,
        locks: Locks::DoNothing,
        ..small(seed)
    });
}

pub(crate) fn only_runs_that_kill_their_pilots_are_set_aside() {
    assert_sound("killers", (1, 20), |seed| Setup { killers: vec![7, 1003], ..small(seed) });
}
