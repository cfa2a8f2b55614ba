//! Orphans: processes that children left behind, found by parentage (Linux).
//!
//! A process that adopts orphans (`PR_SET_CHILD_SUBREAPER`, prctl(2)) becomes the parent of every descendant whose own
//! parent ends. So whatever a child starts stays below this process, even if it leaves its process group and session
//! and clears its environment, and a child of this process that is not one of [`Children`] is such an orphan.
//!
//! Orphans are stopped before they are killed, with all that descends from them. So none of them can react to the death
//! of another by starting a third.

use super::{Children, stat};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, waitid};
use std::thread;
use std::time::{Duration, Instant};

/// How long orphans may take to die. Only one that waits for a device takes long.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time after which looks at orphans that start others become less frequent.
const HASTE: Duration = Duration::from_millis(20);

/// Makes this process adopt orphans, if that can be done and if no others can be mistaken for them: a process that was
/// started with children or is the first of its PID namespace has children that are not ours. Returns whether it was.
pub(super) fn adopt() -> bool {
    getpid() != Pid::INIT
        && has_no_children()
        && stat::is_of_our_namespace()
        && rustix::process::set_child_subreaper(Some(getpid())).is_ok()
}

/// Which children of this process are to be killed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// Those that no running child can have left behind.
    Orphans,
    /// All of them.
    All,
}

/// Kills and reaps what is meant, and all that descends from it, until nothing of it is left.
pub(super) fn end(children: &Children, meant: Meant) {
    let start = Instant::now();
    while end_once(children, meant) && start.elapsed() < PATIENCE {
        if start.elapsed() < HASTE {
            thread::yield_now();
        } else {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Kills what is found in one look, and reaps what has ended; returns whether another look is needed.
pub(super) fn end_once(children: &Children, meant: Meant) -> bool {
    if has_no_children() {
        return false;
    }
    let found = stat::children(getpid());
    // After that look, so that each child that was found is known here. Our workers adopt their own orphans.
    let (leaders, programs) = {
        let live = children.live();
        let programs: Vec<Pid> =
            live.groups.iter().filter(|group| !group.is_worker).map(|group| group.leader).collect();
        (live.leaders.clone(), programs)
    };
    let mut oldest = None;
    let mut is_left = false;
    for process in found {
        let is_leader = leaders.contains(&process);
        if is_leader && meant == Meant::Orphans {
            continue;
        }
        let Some(stat) = stat::of(process).filter(|stat| stat.parent == getpid().as_raw_pid()) else {
            continue;
        };
        // A program that runs may need what it has left behind, but has left nothing that is older than itself.
        let start_of_oldest =
            || programs.iter().filter_map(|&leader| stat::of(leader)).map(|stat| stat.start).min();
        let mut may_be_needed =
            || oldest.get_or_insert_with(start_of_oldest).is_some_and(|start| start <= stat.start);
        is_left |= match stat.state {
            // Whoever watches a leader waits for it.
            'Z' if is_leader => false,
            'Z' => reap(process),
            _ if meant == Meant::Orphans && may_be_needed() => false,
            _ => kill_tree(process),
        };
    }
    is_left
}

fn has_no_children() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, options).err() == Some(Errno::CHILD)
}

/// Takes note of the end of an orphan, which may have left its children to us.
fn reap(orphan: Pid) -> bool {
    waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG).is_ok()
}

/// Kills a process and all that descends from it; returns whether the process itself may be killed.
fn kill_tree(root: Pid) -> bool {
    let mut tree = vec![root];
    let mut at = 0;
    while let Some(&process) = tree.get(at) {
        // It may have ended by itself, or become another user's.
        let _ = kill_process(process, Signal::STOP);
        tree.extend(stat::children(process));
        at += 1;
    }
    let mut killed = tree.into_iter().map(|process| kill_process(process, Signal::KILL));
    let root_killed = killed.next() != Some(Err(Errno::PERM));
    killed.for_each(drop);
    root_killed
}
