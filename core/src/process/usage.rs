//! Measures the resource usage of a running process group, and sets limits that the kernel enforces even if this
//! process dies (Linux).
//!
//! Usage is a sum over the group's processes in `/proc`. This sum is compared with the requested limits. In addition,
//! prlimit(2) limits each process by itself. The limit on the data segment is twice the requested limit on memory,
//! because it only has to stop a process that grows fast between two samples.

use super::{Grouping, Limits, Usage};
use rustix::process::Pid;
use std::io;

/// Returns an error if these limits cannot be enforced on this system.
#[cfg(target_os = "linux")]
pub(super) fn check_supported(_: &Limits) -> io::Result<()> {
    Ok(())
}

/// Returns an error if these limits cannot be enforced on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn check_supported(limits: &Limits) -> io::Result<()> {
    if limits.cpu.is_none() && limits.memory.is_none() {
        return Ok(());
    }
    Err(io::Error::other("limits on the CPU time and memory of a program need Linux"))
}

/// Limits a process and the processes that it will start.
#[cfg(target_os = "linux")]
pub(super) fn set_rlimits(leader: Pid, limits: &Limits) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let set = |resource, max| {
        // The child has inherited our own limit, which may not be raised.
        let max = getrlimit(resource).maximum.map_or(max, |ours| ours.min(max));
        let limit = Rlimit { current: Some(max), maximum: Some(max) };
        match prlimit(Some(leader), resource, limit) {
            // The process has already ended.
            Err(rustix::io::Errno::SRCH) => Ok(()),
            other => other.map(drop),
        }
    };
    set(Resource::Core, 0)?;
    if let Some(cpu) = limits.cpu {
        set(Resource::Cpu, cpu.as_secs().saturating_add(2))?;
    }
    if let Some(memory) = limits.memory {
        set(Resource::Data, memory.saturating_mul(2))?;
    }
    Ok(())
}

/// Does nothing on other systems.
#[cfg(not(target_os = "linux"))]
pub(super) fn set_rlimits(_: Pid, _: &Limits) -> io::Result<()> {
    Ok(())
}

/// CPU time and resident memory of all processes of a group. The time includes that of children that have
/// ended and that a process of the group has waited for. If this process adopts orphans, every process that
/// the child has started is a descendant of this process. Then only descendants of this process are examined,
/// and those that have left the group count, too. Otherwise, all processes of the machine are examined.
#[cfg(target_os = "linux")]
pub(super) fn of_group(leader: Pid, grouping: Grouping, adopts: bool) -> Option<Usage> {
    use super::stat;
    use rustix::process::{getpgrp, getpid};
    use std::collections::HashSet;
    use std::time::Duration;
    // In a shared group, all processes but this one belong to the child.
    let (group, except) = match grouping {
        Grouping::Own => (leader, None),
        Grouping::Shared => (getpgrp(), Some(getpid())),
    };
    let (page, tick) = (rustix::param::page_size() as u64, rustix::param::clock_ticks_per_second());
    let processes = if adopts { stat::descendants(getpid()) } else { stat::processes().collect() };
    // Among descendants, parents come before their children.
    let mut members: HashSet<i32> = HashSet::new();
    let (mut ticks, mut pages) = (0, 0);
    for process in processes.into_iter().filter(|process| Some(*process) != except) {
        // A process that has ended meanwhile is not counted.
        let Some(stat) = stat::of(process) else { continue };
        let is_inside = stat.group == group.as_raw_nonzero().get();
        let has_left = || adopts && (grouping == Grouping::Shared || members.contains(&stat.parent));
        if is_inside || has_left() {
            members.insert(process.as_raw_nonzero().get());
            ticks += stat.ticks;
            pages += stat.pages;
        }
    }
    Some(Usage { cpu: Duration::from_millis(ticks * 1000 / tick.max(1)), peak_bytes: pages * page })
}

/// Unknown on other systems.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_group(_: Pid, _: Grouping, _: bool) -> Option<Usage> {
    None
}
