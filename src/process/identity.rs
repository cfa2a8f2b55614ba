//! Names for processes by which what they leave behind is known to be theirs: files, folders and control groups.
//!
//! A process number alone is not enough. Numbers are reused, each PID namespace has its own, and a folder may be shared
//! with other machines. So a name has the machine, the namespace, the number and the start time.

use rustix::process::Pid;
use std::sync::OnceLock;

/// The name of a process, different from that of any other at any time: `HOST.NAMESPACE.PID.START`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(String);

/// What a process is doing, as far as can be seen from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It has not ended.
    Running,
    /// It was stopped by a signal, such as by Ctrl-Z.
    Stopped,
    /// There is no such process any more.
    Ended,
    /// It belongs to another machine or to another PID namespace.
    Elsewhere,
}

/// Names of what belongs to a process begin so; its identity and something more follow.
const PREFIX: &str = "counterpoint-";

impl Identity {
    /// The identity of this process.
    pub fn this() -> Self {
        static THIS: OnceLock<Identity> = OnceLock::new();
        THIS.get_or_init(Identity::look).clone()
    }

    fn look() -> Self {
        let host = rustix::system::uname().nodename().to_string_lossy().replace(['.', '/'], "-");
        let (pid, start) = (rustix::process::getpid(), started(rustix::process::getpid()));
        Identity(format!("{host}.{}.{pid}.{}", namespace(), start.unwrap_or(0)))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Whether the process of that name has ended; `None` if it cannot be seen from here, because it belongs to another
    /// machine or to another PID namespace.
    pub fn has_ended(&self, name: &str) -> Option<bool> {
        let (place, own) = (place(name)?, place(&self.0)?);
        if place != own || own.ends_with(UNSEEN) {
            return None;
        }
        let mut parts = name.rsplit('.');
        let (start, pid) = (parts.next()?.parse::<u64>().ok()?, parts.next()?.parse::<i32>().ok()?);
        Some(started(Pid::from_raw(pid)?) != Some(start))
    }

    /// What the process of that name is doing.
    pub fn life(&self, name: &str) -> Life {
        match self.has_ended(name) {
            None => Life::Elsewhere,
            Some(true) => Life::Ended,
            Some(false) if is_stopped(name) => Life::Stopped,
            Some(false) => Life::Running,
        }
    }

    /// What the names of this process's folders and control groups begin with. They end with something that has no
    /// hyphen.
    pub(super) fn prefix(&self) -> String {
        format!("{PREFIX}{}-", self.0)
    }

    /// Whether such a name belongs to a process that is known to have ended.
    pub(super) fn is_abandoned(&self, name: &str) -> bool {
        let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.rsplit_once('-'));
        owner.is_some_and(|(owner, _)| self.has_ended(owner) == Some(true))
    }
}

/// The machine and the PID namespace in a name.
fn place(name: &str) -> Option<&str> {
    name.rsplitn(3, '.').nth(2)
}

/// How a place ends where `/proc` does not show our own namespace, so that no process can be looked up.
const UNSEEN: &str = ".0";

/// When a process started, in clock ticks since the machine did; `None` if it has ended.
#[cfg(target_os = "linux")]
fn started(process: Pid) -> Option<u64> {
    // A zombie has ended.
    super::stat::of(process).filter(|stat| stat.state != 'Z').map(|stat| stat.start)
}

/// Elsewhere only whether there is such a process.
#[cfg(not(target_os = "linux"))]
fn started(process: Pid) -> Option<u64> {
    rustix::process::test_kill_process(process).ok().map(|()| 0)
}

/// Whether the process of a name, which has not ended, is stopped.
#[cfg(target_os = "linux")]
fn is_stopped(name: &str) -> bool {
    let process = name.rsplit('.').nth(1).and_then(|pid| Pid::from_raw(pid.parse().ok()?));
    process.and_then(super::stat::of).is_some_and(|stat| stat.state == 'T')
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
fn is_stopped(_: &str) -> bool {
    false
}

/// The PID namespace of this process; 0 if `/proc` shows another one.
#[cfg(target_os = "linux")]
fn namespace() -> u64 {
    use std::os::unix::fs::MetadataExt;
    let space = std::fs::metadata("/proc/self/ns/pid").ok().filter(|_| super::stat::is_of_our_namespace());
    space.map_or(0, |space| space.ino())
}

/// Elsewhere there is only one.
#[cfg(not(target_os = "linux"))]
fn namespace() -> u64 {
    1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_a_process_of_this_namespace_is_known_to_have_ended() {
        let this = Identity::this();
        let [host, space, pid, start]: [&str; 4] =
            this.name().split('.').collect::<Vec<_>>().try_into().unwrap();
        let other = |host: &str, space: &str, pid: &str, start: &str| format!("{host}.{space}.{pid}.{start}");
        for (name, ended) in [
            (this.name().to_owned(), Some(false)),
            // Another process had this number before.
            (other(host, space, pid, "1"), Some(true)),
            // Beyond the largest number that Linux gives.
            (other(host, space, "4194305", start), Some(true)),
            (other(host, "1", pid, "1"), None),
            (other("elsewhere", space, pid, "1"), None),
            (other(host, space, "no number", "1"), None),
            (pid.to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(this.has_ended(&name), ended, "{name}");
            let folder = format!("counterpoint-{name}-aB3");
            assert_eq!(this.is_abandoned(&folder), ended == Some(true), "{folder}");
        }
        assert!(!this.is_abandoned(&format!("counterpoint-{pid}-0")), "a name of an earlier release");
        assert!(this.prefix().starts_with("counterpoint-") && !this.is_abandoned(&(this.prefix() + "0")));
    }
}
