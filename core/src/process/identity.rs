//! Unique names of processes, which become part of the names of their files, folders and control groups.
//!
//! From such a name, another process can tell whether the owner has ended. If so, the owner's file, folder or group can
//! be removed. A process number alone does not suffice: numbers are reused, each PID namespace has its own numbers, and
//! a folder may be shared with other machines. So a name contains the machine, the namespace, the number and the start
//! time. Machines may have the same host name, and the first namespace has the same number on all of them. So on Linux, a
//! name also contains the beginning of the machine's boot id, a random number that the kernel chooses when it starts.

use rustix::process::Pid;
use std::sync::OnceLock;

/// The name of a process: `HOST.NAMESPACE.PID.START`, where `NAMESPACE` on Linux ends with a hyphen and the boot id. On
/// Linux, the name is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(String);

/// The state of a process, as far as this process can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It has not ended, and no signal has stopped it.
    Running,
    /// A signal has stopped it, for example Ctrl-Z.
    Stopped,
    /// It no longer exists, or is a zombie.
    Ended,
    /// Its state is unknown, usually because it belongs to another machine or to another PID namespace.
    Elsewhere,
}

/// The name of a folder or control group consists of this prefix, the owner's identity, a hyphen and a suffix.
const PREFIX: &str = "counterpoint-";

impl Identity {
    /// The identity of this process.
    pub fn this() -> Self {
        static THIS: OnceLock<Identity> = OnceLock::new();
        THIS.get_or_init(Identity::determine).clone()
    }

    fn determine() -> Self {
        let host = rustix::system::uname().nodename().to_string_lossy().replace(['.', '/'], "-");
        let (pid, start) = (rustix::process::getpid(), started(rustix::process::getpid()));
        Identity(format!("{host}.{}.{pid}.{}", namespace(), start.unwrap_or(0)))
    }

    /// The name as text.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Whether the process of that name has ended. `None` if this cannot be determined: the process belongs to another
    /// machine, to this machine before it was restarted, or to another PID namespace, `/proc` shows another namespace than
    /// ours, or the name is not valid.
    pub fn has_ended(&self, name: &str) -> Option<bool> {
        let (place, own) = (place(name)?, place(&self.0)?);
        if place != own || own.ends_with(UNSEEN) {
            return None;
        }
        let mut parts = name.rsplit('.');
        let (start, pid) = (parts.next()?.parse::<u64>().ok()?, parts.next()?.parse::<i32>().ok()?);
        Some(started(Pid::from_raw(pid)?) != Some(start))
    }

    /// The state of the process of that name.
    pub fn life(&self, name: &str) -> Life {
        match self.has_ended(name) {
            None => Life::Elsewhere,
            Some(true) => Life::Ended,
            Some(false) if is_stopped(name) => Life::Stopped,
            Some(false) => Life::Running,
        }
    }

    /// The prefix of the names of this process's folders and control groups. The suffix contains no hyphen.
    pub(super) fn prefix(&self) -> String {
        format!("{PREFIX}{}-", self.0)
    }

    /// Whether the name of a folder or control group belongs to a process that is known to have ended.
    pub(super) fn is_abandoned(&self, name: &str) -> bool {
        let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.rsplit_once('-'));
        owner.is_some_and(|(owner, _)| self.has_ended(owner) == Some(true))
    }
}

/// The part of a name that says where the process runs: `HOST.NAMESPACE`.
fn place(name: &str) -> Option<&str> {
    name.rsplitn(3, '.').nth(2)
}

/// The end of a [`place`] if `/proc` does not show the process's own namespace. Then no process can be looked up.
const UNSEEN: &str = ".0";

/// When a process started, in clock ticks since boot; `None` if it has ended.
#[cfg(target_os = "linux")]
fn started(process: Pid) -> Option<u64> {
    // A zombie counts as ended.
    super::stat::of(process).filter(|stat| stat.state != 'Z').map(|stat| stat.start)
}

/// On other systems, the start time is unknown, so the result is 0 if the process exists; otherwise `None`.
#[cfg(not(target_os = "linux"))]
fn started(process: Pid) -> Option<u64> {
    rustix::process::test_kill_process(process).ok().map(|()| 0)
}

/// Whether a signal has stopped the process of that name. The process must not have ended.
#[cfg(target_os = "linux")]
fn is_stopped(name: &str) -> bool {
    let process = name.rsplit('.').nth(1).and_then(|pid| Pid::from_raw(pid.parse().ok()?));
    process.and_then(super::stat::of).is_some_and(|stat| stat.state == 'T')
}

/// On other systems, this is unknown, so the result is `false`.
#[cfg(not(target_os = "linux"))]
fn is_stopped(_: &str) -> bool {
    false
}

/// The number of this process's PID namespace, with the first digits of the boot id; `0` if `/proc` shows another
/// namespace.
#[cfg(target_os = "linux")]
fn namespace() -> String {
    use std::os::unix::fs::MetadataExt;
    let space = std::fs::metadata("/proc/self/ns/pid").ok().filter(|_| super::stat::is_of_our_namespace());
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    space.map_or_else(|| "0".to_owned(), |space| format!("{}-{:.8}", space.ino(), boot.trim_end()))
}

/// Other systems have only one namespace.
#[cfg(not(target_os = "linux"))]
fn namespace() -> String {
    "1".to_owned()
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
        let (number, boot) = space.split_once('-').unwrap();
        assert!(boot.len() == 8 && boot.bytes().all(|digit| digit.is_ascii_hexdigit()), "{boot}");
        let other = |host: &str, space: &str, pid: &str, start: &str| format!("{host}.{space}.{pid}.{start}");
        for (name, ended) in [
            (this.name().to_owned(), Some(false)),
            // An earlier process with the same number.
            (other(host, space, pid, "1"), Some(true)),
            // Linux never assigns a number this large.
            (other(host, space, "4194305", start), Some(true)),
            (other(host, "1", pid, "1"), None),
            // Another machine with the same name, and a name of an earlier release.
            (other(host, &format!("{number}-00000000"), pid, "1"), None),
            (other(host, number, pid, "1"), None),
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
