//! One process group: started, watched, and killed as a whole.
//!
//! The leader is looked at without being waited for: while it is a zombie its number names no other
//! group, so the rest can be killed safely. Only then is it reaped.

use super::alarm::Alarm;
use super::{Children, Ending, Grouping, Limits, Member, Usage, stray, usage};
use crate::engine::{Limit, Stop};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process, kill_process_group, waitid,
};
use std::fs::File;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::Ordering;
use std::time::Instant;
use wait4::Wait4;

/// How many of the longest pauses lie between two looks at what the group uses.
const LOOK_EVERY: u32 = 4;

/// A group that lives; dropping it kills it.
pub(super) struct Group<'a> {
    children: &'a Children,
    child: Option<Child>,
    leader: Pid,
    usage: Usage,
}

/// Kills a group, or the child alone where it has none of its own. One that has ended is none to kill.
pub(super) fn kill(leader: Pid, grouping: Grouping) {
    let _ = match grouping {
        Grouping::Own => kill_process_group(leader, Signal::KILL),
        Grouping::Within => kill_process(leader, Signal::KILL),
    };
}

impl<'a> Group<'a> {
    /// Starts a command that makes a group of its own.
    pub(super) fn spawn(children: &'a Children, command: &mut Command, is_worker: bool) -> io::Result<Self> {
        // Under the lock, so that no child starts behind the back of `Children::end`.
        let mut live = children.live();
        if live.ended {
            return Err(io::Error::other("this program is about to end"));
        }
        // Within our own group, whoever started us has marked us all.
        let mark = if children.grouping == Grouping::Own {
            let (number, text) = live.marks.next();
            command.env(stray::VARIABLE, text);
            number
        } else {
            0
        };
        let child = command.spawn()?;
        let leader = Pid::from_child(&child);
        live.groups.push(Member { leader, mark, is_worker });
        live.leaders.push(leader);
        Ok(Group { children, child: Some(child), leader, usage: Usage::default() })
    }

    pub(super) fn leader(&self) -> Pid {
        self.leader
    }

    /// Waits for the leader's end, `None`, or for a reason to end it. The outputs are bounded in bytes.
    pub(super) fn watch(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        outputs: [(&File, u64); 2],
    ) -> io::Result<Option<Ending>> {
        let (mut alarm, mut until_look) = (Alarm::of(self.leader), LOOK_EVERY);
        let (start, wall) = (Instant::now(), limits.wall());
        while !self.has_ended()? {
            if let Some(limit) = stop() {
                return Ok(Some(Ending::Stopped(limit)));
            }
            if wall.is_some_and(|most| start.elapsed() > most) {
                return Ok(Some(Ending::Stopped(Limit::Wall)));
            }
            until_look -= u32::from(alarm.wait());
            if until_look > 0 {
                continue;
            }
            until_look = LOOK_EVERY;
            self.children.tend_orphans();
            for (file, most) in outputs {
                if file.metadata()?.len() > most {
                    return Ok(Some(Ending::TooMuchOutput));
                }
            }
            let Some(now) = usage::of_group(self.leader, self.children.grouping) else { continue };
            self.note(now);
            if limits.cpu.is_some_and(|most| now.cpu > most) {
                return Ok(Some(Ending::Stopped(Limit::Cpu)));
            }
            if limits.memory.is_some_and(|most| now.peak_bytes > most) {
                return Ok(Some(Ending::Stopped(Limit::Memory)));
            }
        }
        Ok(None)
    }

    /// Whether the leader has ended. One that was stopped, say by what it started, continues: it could not keep its limits.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::STOPPED;
        let status =
            waitid(WaitId::Pid(self.leader), options | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT)?;
        let is_stopped = status.as_ref().is_some_and(WaitIdStatus::stopped);
        if is_stopped {
            // It may have been continued by now.
            let _ = match self.children.grouping {
                Grouping::Own => kill_process_group(self.leader, Signal::CONT),
                Grouping::Within => kill_process(self.leader, Signal::CONT),
            };
        }
        Ok(status.is_some() && !is_stopped)
    }

    /// Kills what is left and waits for the leader.
    pub(super) fn end(mut self) -> io::Result<(ExitStatus, Usage)> {
        let status = self.reap()?;
        Ok((status, self.usage))
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        let Some(child) = self.child.take() else { return Err(io::ErrorKind::NotFound.into()) };
        kill(self.leader, self.children.grouping);
        self.children.live().groups.retain(|group| group.leader != self.leader);
        let ended = child.wait4();
        self.children.live().leaders.retain(|&leader| leader != self.leader);
        let ended = ended?;
        let cpu = ended.rusage.utime + ended.rusage.stime;
        self.note(Usage { cpu, peak_bytes: ended.rusage.maxrss });
        Ok(ended.status)
    }

    /// What was used by now; neither number falls.
    fn note(&mut self, now: Usage) {
        let more = now.cpu.saturating_sub(self.usage.cpu);
        self.children.cpu_ns.fetch_add(more.as_nanos() as u64, Ordering::Relaxed);
        self.usage.cpu += more;
        self.usage.peak_bytes = self.usage.peak_bytes.max(now.peak_bytes);
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        if self.child.is_some() {
            // Whoever drops it unwaited is already on the way out with an error.
            let _ = self.reap();
        }
    }
}
