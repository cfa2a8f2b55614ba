//! Finds and kills orphans, that is, processes whose parent has ended and which this process has adopted (Linux).
//!
//! A process that adopts orphans (`PR_SET_CHILD_SUBREAPER`, prctl(2)) becomes the parent of every descendant whose own
//! parent ends. So the descendants of our children stay our descendants, even if they leave their process group and
//! session and clear their environment. Therefore, a child of this process is an orphan if it is not in [`Children`].
//!
//! An orphan and all its descendants are stopped before any of them is killed, so that none can react to the death of
//! another by starting a third.

use super::{Children, stat};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, waitid};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for orphans to end after they were killed. Only an orphan that waits for a device takes long.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// How long to search without pauses. The first searches are fast, because orphans may be starting other processes.
const BUSY_WAIT: Duration = Duration::from_millis(20);

/// Makes this process adopt orphans, and returns whether it does. A process that was started with children, or that is
/// the first of its PID namespace, does not adopt, because it can have children that are not orphans of ours. Neither
/// does a process for which `/proc` shows another namespace.
pub(super) fn adopt() -> bool {
    getpid() != Pid::INIT
        && has_no_children()
        && stat::is_of_our_namespace()
        && rustix::process::set_child_subreaper(Some(getpid())).is_ok()
}

/// Which children of this process to kill.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Targets {
    /// Orphans that no running child can have started.
    Orphans,
    /// All children, except the guard.
    AllChildren,
}

/// Kills and reaps the targets and all their descendants, until none is left or [`MAX_WAIT`] has passed.
pub(super) fn kill(children: &Children, targets: Targets) {
    let start = Instant::now();
    while kill_once(children, targets) && start.elapsed() < MAX_WAIT {
        if start.elapsed() < BUSY_WAIT {
            thread::yield_now();
        } else {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Searches once: kills the targets that are found and reaps those that have ended. Returns whether another search is
/// needed.
pub(super) fn kill_once(children: &Children, targets: Targets) -> bool {
    if has_no_children() {
        return false;
    }
    let found = stat::children(getpid());
    // The registered children are read after the search, so each child that was found is among them unless it
    // is an orphan. Workers do not count as programs, because they adopt their own orphans.
    let (leaders, programs, guard) = {
        let live = children.live();
        let programs: Vec<Pid> =
            live.groups.iter().filter(|group| !group.is_worker).map(|group| group.leader).collect();
        (live.leaders.clone(), programs, live.guard.pid())
    };
    let mut oldest = None;
    let mut is_left = false;
    for process in found {
        let is_leader = leaders.contains(&process);
        if is_leader && targets == Targets::Orphans || guard == Some(process) {
            continue;
        }
        let Some(stat) = stat::of(process).filter(|stat| stat.parent == getpid().as_raw_pid()) else {
            continue;
        };
        // A running program may still need its escaped processes, none of which is older than the program. So an orphan
        // is spared if it is not older than the oldest running program.
        let start_of_oldest =
            || programs.iter().filter_map(|&leader| stat::of(leader)).map(|stat| stat.start).min();
        let mut may_be_needed =
            || oldest.get_or_insert_with(start_of_oldest).is_some_and(|start| start <= stat.start);
        is_left |= match stat.state {
            // `Group` reaps leaders.
            'Z' if is_leader => false,
            'Z' => reap(process),
            _ if targets == Targets::Orphans && may_be_needed() => false,
            _ => kill_tree(process),
        };
    }
    is_left
}

fn has_no_children() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, options).err() == Some(Errno::CHILD)
}

/// Reaps a zombie. Returns true on success; then we may have adopted its children, so another search is needed.
fn reap(orphan: Pid) -> bool {
    waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG).is_ok()
}

/// Kills a process and all its descendants. Returns whether we have permission to kill the process itself.
fn kill_tree(root: Pid) -> bool {
    let mut tree = vec![root];
    let mut at = 0;
    while let Some(&process) = tree.get(at) {
        // It may have ended by itself, or may now belong to another user.
        let _ = kill_process(process, Signal::STOP);
        tree.extend(stat::children(process));
        at += 1;
    }
    let mut killed = tree.into_iter().map(|process| kill_process(process, Signal::KILL));
    let root_killed = killed.next() != Some(Err(Errno::PERM));
    killed.for_each(drop);
    root_killed
}
