//! Control groups: memory of a child and all that it starts, counted and bounded by the kernel.
//!
//! Version 2 if a group that we may divide has the memory controller (a delegated one), version 1 where we
//! may write below our own group of that controller, mostly as root. Sources: cgroups(7), the kernel's
//! `cgroup-v2.rst` and `cgroup-v1/memory.rst`.

use super::Identity;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Which version of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One tree for all controllers.
    V2,
    /// A tree a controller.
    V1,
}

/// A place under which control groups can be made.
#[derive(Clone, Debug)]
pub struct Cgroups {
    version: Version,
    parent: PathBuf,
}

/// Names the file by which a child enters its group itself: it is moved from outside, too, but may have started others by
/// then.
pub(super) const ENTRANCE: &str = "COUNTERPOINT_CGROUP";

/// Enters the control group that the parent process has made for this one, if it has. The parent moves it there, too, and
/// notices where that fails.
pub fn enter() {
    if let Some(entrance) = std::env::var_os(ENTRANCE) {
        let _ = put(Path::new(&entrance), "0");
    }
}

/// Writes to a file of a control group. It is not made where the group is gone.
fn put(file: &Path, text: &str) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes())
}

/// The most looks at the processes of a group, where the kernel does not kill a group as a whole.
const MAX_LOOKS: usize = 1000;

/// Numbers the groups of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Cgroups {
    /// The place of a version, tried out.
    ///
    /// # Errors
    /// Why there is none.
    pub fn new(version: Version) -> Result<Self, String> {
        let parent = match version {
            Version::V2 => delegated()?,
            Version::V1 => own("memory").ok_or("there is no memory controller of version 1")?,
        };
        let cgroups = Cgroups { version, parent };
        cgroups.sweep();
        let tried =
            cgroups.make(Some(1 << 30)).map_err(|error| format!("{}: {error}", cgroups.parent.display()))?;
        drop(tried);
        Ok(cgroups)
    }

    /// Ends what is left in groups whose owners were killed, and removes them. Owners in another PID namespace cannot be
    /// seen from here, so their groups stay.
    fn sweep(&self) {
        let this = Identity::this();
        for entry in fs::read_dir(&self.parent).into_iter().flatten().flatten() {
            if this.is_abandoned(&entry.file_name().to_string_lossy()) {
                Cgroup::kill(&ManuallyDrop::new(Cgroup { version: self.version, path: entry.path() }));
                // One that is not empty stays.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }

    /// A new group, which may hold so many bytes.
    pub(super) fn make(&self, memory: Option<u64>) -> io::Result<Cgroup> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = self.parent.join(format!("{}{number}", Identity::this().prefix()));
        fs::create_dir(&path)?;
        let group = Cgroup { version: self.version, path };
        let Some(memory) = memory else { return Ok(group) };
        match self.version {
            Version::V2 => {
                put(&group.path.join("memory.max"), &memory.to_string())?;
                // Whole or not at all; older kernels lack it.
                let _ = put(&group.path.join("memory.swap.max"), "0");
            }
            Version::V1 => put(&group.path.join("memory.limit_in_bytes"), &memory.to_string())?,
        }
        Ok(group)
    }
}

/// A control group; dropping it removes it, once nothing is in it.
#[derive(Debug)]
pub(super) struct Cgroup {
    version: Version,
    path: PathBuf,
}

impl Cgroup {
    /// The file that takes the number of a process to be moved here.
    pub(super) fn entrance(&self) -> PathBuf {
        self.path.join("cgroup.procs")
    }

    /// Moves a process, and so all that it will start, into the group.
    pub(super) fn add(&self, process: Pid) -> io::Result<()> {
        match put(&self.entrance(), &process.as_raw_nonzero().to_string()) {
            // It has ended already.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => Ok(()),
            other => other,
        }
    }

    /// Whether it is still there.
    pub(super) fn look(&self) -> io::Result<()> {
        fs::metadata(&self.path).map(drop)
    }

    /// Ends whatever is in it, also what has left its process group.
    pub(super) fn kill(&self) {
        if put(&self.path.join("cgroup.kill"), "1").is_ok() {
            return;
        }
        // One may start another while we read, and whoever was killed may need a moment to leave.
        for _ in 0..MAX_LOOKS {
            let processes = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
            // Processes of other PID namespaces are shown as 0.
            let mut killed =
                processes.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).peekable();
            if killed.peek().is_none() {
                return;
            }
            for process in killed {
                // It may have ended by itself.
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    /// Whether the kernel ended a process of it for want of memory.
    pub(super) fn ran_out(&self) -> bool {
        let name = match self.version {
            Version::V2 => "memory.events",
            Version::V1 => "memory.oom_control",
        };
        let text = fs::read_to_string(self.path.join(name)).unwrap_or_default();
        let killed = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        killed.is_some_and(|count| count.trim() != "0")
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Whoever was killed may need a moment to leave.
        for _ in 0..50 {
            if fs::remove_dir(&self.path).is_ok() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// This process's group of a controller of version 1, or of version 2 for an empty name, where it is mounted.
fn own(controller: &str) -> Option<PathBuf> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = text.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (names, path) = rest.split_once(':')?;
        names.split(',').any(|name| name == controller).then_some(path)
    })?;
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mount = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ');
        let (_, place, kind, options) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let meant = match controller {
            "" => kind == "cgroup2",
            _ => kind == "cgroup" && options.split(',').any(|option| option == controller),
        };
        meant.then(|| PathBuf::from(place))
    })?;
    let below = mount.join(group.trim_start_matches('/'));
    // In a container the path may be the host's.
    Some(if below.is_dir() { below } else { mount })
}

/// A group of version 2 whose memory controller can be divided. Since a group that is divided may hold no
/// process, this one moves into a leaf of it.
fn delegated() -> Result<PathBuf, String> {
    let own = own("").ok_or("there is no control group of version 2")?;
    let controllers = fs::read_to_string(own.join("cgroup.controllers")).unwrap_or_default();
    if !controllers.split_whitespace().any(|name| name == "memory") {
        return Err(format!("{} has no memory controller", own.display()));
    }
    // A sibling process of ours may have moved us there before.
    let parent = match own.file_name() {
        Some(name) if name == LEAF => own.parent().unwrap_or(&own).to_owned(),
        _ => own,
    };
    let denied = |what: &str, error: io::Error| format!("{}: {what}: {error}", parent.display());
    if !divides(&parent) {
        let leaf = parent.join(LEAF);
        fs::create_dir_all(&leaf).map_err(|e| denied("it is not delegated to us", e))?;
        let me = std::process::id().to_string();
        put(&leaf.join("cgroup.procs"), &me).map_err(|e| denied("we cannot move", e))?;
        let divided = put(&parent.join("cgroup.subtree_control"), "+memory");
        divided.map_err(|e| denied("it cannot be divided, since other processes are in it", e))?;
    }
    Ok(parent)
}

/// Where this process moves in a delegated group.
const LEAF: &str = "counterpoint";

fn divides(group: &Path) -> bool {
    let control = fs::read_to_string(group.join("cgroup.subtree_control")).unwrap_or_default();
    control.split_whitespace().any(|name| name == "memory")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_groups_of_processes_known_to_have_ended_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let cgroups = Cgroups { version: Version::V2, parent: folder.path().to_owned() };
        let this = Identity::this();
        let [host, space, pid, start]: [&str; 4] =
            this.name().split('.').collect::<Vec<_>>().try_into().unwrap();
        let own = cgroups.make(None).unwrap();
        let name =
            |space: &str, pid: &str, start: &str| format!("counterpoint-{host}.{space}.{pid}.{start}-0");
        let gone = [name(space, pid, "1"), name(space, "4194305", start)];
        let kept = [
            // Its owner may live in another namespace or on another machine.
            name("1", pid, "1"),
            format!("counterpoint-elsewhere.{space}.{pid}.1-0"),
            // An earlier release, somebody else.
            "counterpoint-4194305-0".to_owned(),
            "counterpoint".to_owned(),
            "system.slice".to_owned(),
        ];
        gone.iter().chain(&kept).for_each(|name| fs::create_dir(folder.path().join(name)).unwrap());
        cgroups.sweep();
        for name in gone {
            assert!(!folder.path().join(&name).exists(), "{name}");
        }
        for name in kept {
            assert!(folder.path().join(&name).exists(), "{name}");
        }
        own.look().unwrap();
    }

    #[test]
    fn a_group_that_is_gone_is_an_error_and_not_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let cgroups = Cgroups { version: Version::V1, parent: folder.path().to_owned() };
        // Where there are no control groups, the files of one do not come into being.
        assert_eq!(cgroups.make(Some(1)).unwrap_err().kind(), io::ErrorKind::NotFound);
        let group = cgroups.make(None).unwrap();
        assert_eq!(group.add(rustix::process::getpid()).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::remove_dir(&group.path).unwrap();
        assert_eq!(group.look().unwrap_err().kind(), io::ErrorKind::NotFound);
        group.kill();
        assert!(!group.ran_out() && !group.path.exists());
    }
}
