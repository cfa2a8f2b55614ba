//! Starts, watches and kills one process group as a whole.
//!
//! Polling the leader does not reap it. While it is a zombie, its number cannot name another group, so the group can be
//! killed safely. The leader is reaped only after its group was killed.

use super::alarm::Alarm;
use super::{Children, Ending, GRACE, Grouping, Limits, RunningGroup, StopSignal, Usage, escaped, usage};
use crate::engine::{Limit, Stop};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// How many pauses of maximum length lie between two samples of the group's resource usage.
const PAUSES_PER_SAMPLE: u32 = 4;

/// How much time a run may take to finish after [`Group::ask_to_end`] has returned.
const FINISH: Duration = Duration::from_millis(200);

/// A running group. If this value is dropped, the group is killed.
pub(super) struct Group<'a> {
    children: &'a Children,
    child: Option<Child>,
    leader: Pid,
    usage: Usage,
}

/// The files that a child writes, each with its maximum length in bytes.
#[derive(Clone, Copy)]
pub(super) struct Outputs<'a> {
    /// Open files.
    pub(super) files: [(&'a File, u64); 2],
    /// A file that the child opens by itself.
    pub(super) path: Option<(&'a Path, u64)>,
}

impl Outputs<'_> {
    fn are_too_long(&self) -> io::Result<bool> {
        for (file, max) in self.files {
            if file.metadata()?.len() > max {
                return Ok(true);
            }
        }
        // The child may have removed the file.
        Ok(self.path.is_some_and(|(path, max)| path.metadata().is_ok_and(|found| found.len() > max)))
    }
}

/// Kills a group, or only the child if it has no group of its own. Does nothing if the group or the child has ended.
pub(super) fn kill(leader: Pid, grouping: Grouping) {
    send(leader, grouping, Signal::KILL);
}

/// Sends a signal as [`kill`] does.
fn send(leader: Pid, grouping: Grouping, signal: Signal) {
    // An error means that the process has ended by itself.
    let _ = match grouping {
        Grouping::Own => kill_process_group(leader, signal),
        Grouping::Shared => kill_process(leader, signal),
    };
}

/// The pauses between two looks at a child. After every few pauses, the resource usage of the child's group is
/// measured.
struct Pauses {
    alarm: Alarm,
    until_sample: u32,
}

impl Pauses {
    fn new(leader: Pid) -> Self {
        Pauses { alarm: Alarm::new(leader), until_sample: PAUSES_PER_SAMPLE }
    }

    /// Waits. Returns whether it is time for a sample.
    fn wait(&mut self) -> bool {
        self.until_sample -= u32::from(self.alarm.wait());
        let is_due = self.until_sample == 0;
        if is_due {
            self.until_sample = PAUSES_PER_SAMPLE;
        }
        is_due
    }
}

impl<'a> Group<'a> {
    /// Starts a command. `is_worker` and `is_unmarked` are those of [`Job`](super::Job).
    pub(super) fn spawn(
        children: &'a Children,
        command: &mut Command,
        (is_worker, is_unmarked): (bool, bool),
    ) -> io::Result<Self> {
        // Hold the lock until the child is registered, so that `Children::end` cannot miss it.
        let mut live = children.live();
        if live.closed {
            return Err(io::Error::other("this program is about to end"));
        }
        // In a shared group, children inherit the marker that this process has from its parent.
        let marker = if is_unmarked {
            command.env_remove(escaped::VARIABLE);
            0
        } else if children.grouping == Grouping::Own {
            let (number, text) = live.markers.issue();
            command.env(escaped::VARIABLE, text);
            number
        } else {
            0
        };
        let is_guarded = marker > 0 && !is_worker;
        if is_guarded {
            live.announce(marker);
        }
        let child = command.spawn().inspect_err(|_| live.guard.ended(marker))?;
        let leader = Pid::from_child(&child);
        if is_guarded {
            live.guard.started(marker, leader);
        }
        live.groups.push(RunningGroup { leader, marker, is_worker });
        live.leaders.push(leader);
        Ok(Group { children, child: Some(child), leader, usage: Usage::default() })
    }

    pub(super) fn leader(&self) -> Pid {
        self.leader
    }

    /// Waits until the leader ends or until there is a reason to kill the group. Returns that reason, or `None` if the
    /// leader has ended.
    pub(super) fn watch(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        outputs: Outputs<'_>,
    ) -> io::Result<Option<Ending>> {
        let (mut pauses, start, wall) = (Pauses::new(self.leader), Instant::now(), limits.wall());
        while !self.has_ended()? {
            if let Some(limit) = stop() {
                return Ok(Some(Ending::Stopped(limit)));
            }
            if wall.is_some_and(|max| start.elapsed() > max) {
                return Ok(Some(Ending::Stopped(Limit::Wall)));
            }
            if pauses.wait()
                && let Some(ending) = self.sample(limits, outputs)?
            {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    /// Measures what the group uses, and returns the limit that it exceeds, if any.
    fn sample(&mut self, limits: &Limits, outputs: Outputs<'_>) -> io::Result<Option<Ending>> {
        self.children.kill_orphans_once();
        if outputs.are_too_long()? {
            return Ok(Some(Ending::TooMuchOutput));
        }
        let Some(now) = usage::of_group(self.leader, self.children.grouping, self.children.adopts) else {
            return Ok(None);
        };
        self.update_usage(now);
        if limits.cpu.is_some_and(|max| now.cpu > max) {
            return Ok(Some(Ending::Stopped(Limit::Cpu)));
        }
        Ok(limits.memory.is_some_and(|max| now.peak_bytes > max).then_some(Ending::Stopped(Limit::Memory)))
    }

    /// Asks the group to end, and waits until the leader has ended. Stops waiting after [`GRACE`], if the group exceeds
    /// a limit on memory or output, or if `stop` asks for an end immediately.
    pub(super) fn ask_to_end(
        &mut self,
        signal: StopSignal,
        limits: &Limits,
        stop: &Stop,
        outputs: Outputs<'_>,
    ) -> io::Result<()> {
        let (mut pauses, start) = (Pauses::new(self.leader), Instant::now());
        let limits = Limits { cpu: None, wall: None, ..*limits };
        self.children.live().grace = Some(start + GRACE + FINISH);
        self.signal(signal);
        while !self.has_ended()? && start.elapsed() < GRACE {
            if matches!(stop(), Some(Limit::Cancelled | Limit::Memory)) {
                break;
            }
            if pauses.wait() && self.sample(&limits, outputs)?.is_some() {
                break;
            }
        }
        self.children.live().grace = Some(Instant::now() + FINISH);
        Ok(())
    }

    /// Sends a signal to the group. In a shared group, only the child and its descendants receive it.
    fn signal(&self, signal: StopSignal) {
        let signal = match signal {
            StopSignal::Terminate => Signal::TERM,
            StopSignal::Interrupt => Signal::INT,
        };
        #[cfg(target_os = "linux")]
        if self.children.grouping == Grouping::Shared {
            for process in super::stat::descendants(self.leader) {
                let _ = kill_process(process, signal);
            }
        }
        send(self.leader, self.children.grouping, signal);
    }

    /// Whether the leader has ended. If a signal has stopped the leader, for example one from its own child, the group
    /// is continued, because a stopped process cannot end by itself.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::STOPPED;
        let status =
            waitid(WaitId::Pid(self.leader), options | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT)?;
        let is_stopped = status.as_ref().is_some_and(WaitIdStatus::stopped);
        if is_stopped {
            send(self.leader, self.children.grouping, Signal::CONT);
        }
        Ok(status.is_some() && !is_stopped)
    }

    /// Kills the rest of the group and waits for the leader.
    pub(super) fn end(mut self) -> io::Result<(ExitStatus, Usage)> {
        let status = self.reap()?;
        Ok((status, self.usage))
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        let Some(child) = self.child.take() else { return Err(io::ErrorKind::NotFound.into()) };
        kill(self.leader, self.children.grouping);
        {
            let mut live = self.children.live();
            let at = live.groups.iter().position(|group| group.leader == self.leader);
            if let Some(group) = at.map(|at| live.groups.remove(at)) {
                // The guard must know this before another group can get the same number.
                live.guard.ended(group.marker);
            }
        }
        let ended = child.wait4();
        self.children.live().leaders.retain(|&leader| leader != self.leader);
        let ended = ended?;
        let cpu = ended.rusage.utime + ended.rusage.stime;
        self.update_usage(Usage { cpu, peak_bytes: ended.rusage.maxrss });
        Ok(ended.status)
    }

    /// Adds a sample to the usage. Neither the CPU time nor the peak memory ever decreases.
    fn update_usage(&mut self, now: Usage) {
        let more = now.cpu.saturating_sub(self.usage.cpu);
        self.children.cpu_ns.fetch_add(more.as_nanos() as u64, Ordering::Relaxed);
        self.usage.cpu += more;
        self.usage.peak_bytes = self.usage.peak_bytes.max(now.peak_bytes);
        self.children.peak_bytes.fetch_max(self.usage.peak_bytes, Ordering::Relaxed);
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        if self.child.is_some() {
            // `end` was not called, because an error is being returned. An error of `reap` would hide that error.
            let _ = self.reap();
        }
    }
}
