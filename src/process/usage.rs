//! What a process group uses while it runs, and limits that hold even without us.
//!
//! Linux only: proc(5) for the sums over a group, prlimit(2) for each process. The limit on data is
//! twice what was asked for, since the sums are what counts; it stops what grows between two looks.

use super::{Grouping, Limits, Usage};
use rustix::process::Pid;
use std::io;

/// Whether such limits can be held here.
#[cfg(target_os = "linux")]
pub(super) fn serves(_: &Limits) -> io::Result<()> {
    Ok(())
}

/// Whether such limits can be held here.
#[cfg(not(target_os = "linux"))]
pub(super) fn serves(limits: &Limits) -> io::Result<()> {
    if limits.cpu.is_none() && limits.memory.is_none() {
        return Ok(());
    }
    Err(io::Error::other("limits on the CPU time and memory of a program need Linux"))
}

/// Bounds a process and what it will start.
#[cfg(target_os = "linux")]
pub(super) fn bound(leader: Pid, limits: &Limits) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let set = |resource, most| {
        // What bounds us bounds the child already, and may not be raised.
        let most = getrlimit(resource).maximum.map_or(most, |ours| ours.min(most));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        match prlimit(Some(leader), resource, limit) {
            // It has ended already.
            Err(rustix::io::Errno::SRCH) => Ok(()),
            other => other.map(drop),
        }
    };
    set(Resource::Core, 0)?;
    if let Some(cpu) = limits.cpu {
        set(Resource::Cpu, cpu.as_secs() + 2)?;
    }
    if let Some(memory) = limits.memory {
        set(Resource::Data, memory.saturating_mul(2))?;
    }
    Ok(())
}

/// Bounds a process and what it will start.
#[cfg(not(target_os = "linux"))]
pub(super) fn bound(_: Pid, _: &Limits) -> io::Result<()> {
    Ok(())
}

/// CPU time and resident bytes of all processes of a group, with the time of those they waited for.
#[cfg(target_os = "linux")]
pub(super) fn of_group(leader: Pid, grouping: Grouping) -> Option<Usage> {
    use super::stat;
    use rustix::process::{getpgrp, getpid};
    use std::time::Duration;
    // Within our own group, all but we ourselves are the child's.
    let (meant, but) = match grouping {
        Grouping::Own => (leader, None),
        Grouping::Within => (getpgrp(), Some(getpid())),
    };
    let (page, tick) = (rustix::param::page_size() as u64, rustix::param::clock_ticks_per_second());
    // One that has ended by now counts no more.
    let members = stat::processes().filter(|process| Some(*process) != but).filter_map(stat::of);
    let members = members.filter(|stat| stat.group == meant.as_raw_nonzero().get());
    let sum = |(ticks, pages), stat: stat::Stat| (ticks + stat.ticks, pages + stat.pages);
    let (ticks, pages): (u64, u64) = members.fold((0, 0), sum);
    Some(Usage { cpu: Duration::from_millis(ticks * 1000 / tick.max(1)), peak_bytes: pages * page })
}

/// Nothing is known while a child runs.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_group(_: Pid, _: Grouping) -> Option<Usage> {
    None
}
