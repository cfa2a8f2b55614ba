//! Control groups, in which the kernel limits the memory of a child together with all processes that it starts.
//!
//! Version 2 needs a delegated group, that is, one that has the memory controller and in which we may create groups.
//! Version 1 needs write access below our own group of the memory controller; usually, only root has this access.
//! Sources: cgroups(7), the kernel's `cgroup-v2.rst` and `cgroup-v1/memory.rst`.

use super::Identity;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A version of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One hierarchy for all controllers.
    V2,
    /// One hierarchy for each controller.
    V1,
}

/// Why control groups of a version cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CgroupError {
    /// There is no hierarchy of version 2.
    #[error("there is no control group of version 2")]
    NoHierarchy,
    /// There is no hierarchy of version 1 for memory.
    #[error("there is no memory controller of version 1")]
    NoMemoryHierarchy,
    /// The group of this process has no memory controller.
    #[error("{} has no memory controller", .0.display())]
    NoMemoryController(PathBuf),
    /// The group of this process may not be changed.
    #[error("{}: {what}: {error}", group.display())]
    NotDelegated {
        /// The group.
        group: PathBuf,
        /// What failed.
        what: &'static str,
        /// Why it failed.
        error: io::Error,
    },
    /// No group can be created below this one.
    #[error("{}: {error}", parent.display())]
    NotCreated {
        /// The group.
        parent: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// A group below which control groups can be created.
#[derive(Clone, Debug)]
pub struct Cgroups {
    version: Version,
    parent: PathBuf,
}

/// The environment variable with the path of a file. A child enters its control group by writing to this file. The
/// parent also moves the child, but perhaps only after the child has started other processes.
pub(super) const ENTRY_VARIABLE: &str = "COUNTERPOINT_CGROUP";

/// Enters the control group that the parent process has created for this one, if any. Errors are ignored, because the
/// parent also moves this process and reports a failure.
pub fn enter() {
    if let Some(procs_file) = std::env::var_os(ENTRY_VARIABLE) {
        let _ = write_existing(Path::new(&procs_file), "0");
    }
}

/// Writes to a file of a control group. If the group no longer exists, this is an error, and the file is not created.
fn write_existing(file: &Path, text: &str) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes())
}

/// The maximum number of rounds that kill the processes of a group one by one, if the kernel cannot kill the group as a
/// whole.
const MAX_KILL_ROUNDS: usize = 1000;

/// The maximum number of attempts to remove a group. A pause of a millisecond follows each failed attempt.
const MAX_REMOVALS: usize = 50;

/// The number of the next group of this process.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

impl Cgroups {
    /// Finds a group below which groups can be created, and tests it by creating one.
    ///
    /// # Errors
    /// Returns why this version cannot be used here.
    pub fn new(version: Version) -> Result<Self, CgroupError> {
        let parent = match version {
            Version::V2 => delegated_group()?,
            Version::V1 => own_group("memory").ok_or(CgroupError::NoMemoryHierarchy)?,
        };
        let cgroups = Cgroups { version, parent };
        cgroups.sweep();
        let trial = cgroups.create(Some(1 << 30));
        match trial {
            Ok(_) => Ok(cgroups),
            Err(error) => Err(CgroupError::NotCreated { parent: cgroups.parent, error }),
        }
    }

    /// Kills the processes in groups whose owners have ended, and removes these groups. An owner on another machine or
    /// in another PID namespace cannot be seen from here, so its groups stay.
    fn sweep(&self) {
        let this = Identity::this();
        for entry in fs::read_dir(&self.parent).into_iter().flatten().flatten() {
            if this.is_abandoned(&entry.file_name().to_string_lossy()) {
                Cgroup::kill(&ManuallyDrop::new(Cgroup { version: self.version, path: entry.path() }));
                // A group that is not empty stays.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }

    /// Creates a group with a limit on its memory, in bytes; `None` for no limit.
    pub(super) fn create(&self, memory: Option<u64>) -> io::Result<Cgroup> {
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = self.parent.join(format!("{}{number}", Identity::this().prefix()));
        fs::create_dir(&path)?;
        let group = Cgroup { version: self.version, path };
        let Some(memory) = memory else { return Ok(group) };
        match self.version {
            Version::V2 => {
                write_existing(&group.path.join("memory.max"), &memory.to_string())?;
                // Without swap, the limit covers all memory. Older kernels do not have this file.
                let _ = write_existing(&group.path.join("memory.swap.max"), "0");
            }
            Version::V1 => write_existing(&group.path.join("memory.limit_in_bytes"), &memory.to_string())?,
        }
        Ok(group)
    }
}

/// A control group. Dropping this value removes the group if it is empty.
#[derive(Debug)]
pub(super) struct Cgroup {
    version: Version,
    path: PathBuf,
}

impl Cgroup {
    /// The file to which the number of a process is written in order to move the process into this group.
    pub(super) fn procs_file(&self) -> PathBuf {
        self.path.join("cgroup.procs")
    }

    /// Moves a process into the group. Processes that it starts afterwards will also belong to the group.
    pub(super) fn add(&self, process: Pid) -> io::Result<()> {
        match write_existing(&self.procs_file(), &process.as_raw_nonzero().to_string()) {
            // The process has already ended.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => Ok(()),
            other => other,
        }
    }

    /// Returns an error if the group no longer exists.
    pub(super) fn verify_exists(&self) -> io::Result<()> {
        fs::metadata(&self.path).map(drop)
    }

    /// Kills all processes in the group, including those that have left their process group.
    pub(super) fn kill(&self) {
        if write_existing(&self.path.join("cgroup.kill"), "1").is_ok() {
            return;
        }
        // Repeat: a process may start another while we read, and a killed process may need a moment to leave.
        for _ in 0..MAX_KILL_ROUNDS {
            let processes = fs::read_to_string(self.procs_file()).unwrap_or_default();
            // Processes of other PID namespaces are shown as 0, which is not a valid `Pid`.
            let mut found = processes.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).peekable();
            if found.peek().is_none() {
                return;
            }
            for process in found {
                // It may have ended by itself.
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    /// Whether the kernel killed a process of the group because the group ran out of memory.
    pub(super) fn was_oom_killed(&self) -> bool {
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
        // Processes that were killed may need a moment to leave.
        for _ in 0..MAX_REMOVALS {
            if fs::remove_dir(&self.path).is_ok() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// The folder of this process's group. The group belongs to the hierarchy of the version 1 controller of this name or,
/// if `controller` is empty, to the hierarchy of version 2. `None` if there is no such hierarchy.
fn own_group(controller: &str) -> Option<PathBuf> {
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
        let matches = match controller {
            "" => kind == "cgroup2",
            _ => kind == "cgroup" && options.split(',').any(|option| option == controller),
        };
        matches.then(|| PathBuf::from(place))
    })?;
    let below = mount.join(group.trim_start_matches('/'));
    // In a container, the path may be the one that the host sees, which does not exist here.
    Some(if below.is_dir() { below } else { mount })
}

/// A version 2 group that distributes memory among its subgroups. Such a group may not contain processes, so this
/// process moves into a subgroup.
fn delegated_group() -> Result<PathBuf, CgroupError> {
    let own = own_group("").ok_or(CgroupError::NoHierarchy)?;
    let controllers = fs::read_to_string(own.join("cgroup.controllers")).unwrap_or_default();
    if !controllers.split_whitespace().any(|name| name == "memory") {
        return Err(CgroupError::NoMemoryController(own));
    }
    // Another process of ours may have been here before and started us in the subgroup.
    let parent = match own.file_name() {
        Some(name) if name == LEAF => own.parent().unwrap_or(&own).to_owned(),
        _ => own,
    };
    let failure = |what, error| CgroupError::NotDelegated { group: parent.clone(), what, error };
    if !distributes_memory(&parent) {
        let leaf = parent.join(LEAF);
        fs::create_dir_all(&leaf).map_err(|e| failure("not delegated to this user", e))?;
        let me = std::process::id().to_string();
        write_existing(&leaf.join("cgroup.procs"), &me)
            .map_err(|e| failure("cannot move this process into a subgroup", e))?;
        write_existing(&parent.join("cgroup.subtree_control"), "+memory")
            .map_err(|e| failure("cannot enable the memory controller; the group has other processes", e))?;
    }
    Ok(parent)
}

/// The least memory limit of the control groups that contain this process, in bytes; `None` if there is none, or if
/// this cannot be determined.
pub fn memory_limit() -> Option<u64> {
    let limits = [("", "memory.max"), ("memory", "memory.limit_in_bytes")].into_iter().flat_map(
        |(controller, file)| {
            let groups = own_group(controller);
            let groups = groups.iter().flat_map(|group| group.ancestors());
            groups
                .filter_map(|group| fs::read_to_string(group.join(file)).ok()?.trim().parse().ok())
                .collect::<Vec<u64>>()
        },
    );
    // Version 1 writes a number close to 2^63 if there is no limit.
    limits.filter(|&bytes| bytes < 1 << 60).min()
}

/// How often the kernel has killed a process in the control group of this process, or in a group below it, because the
/// group had no memory left. `None` if this cannot be determined.
pub fn memory_kills() -> Option<u64> {
    let count = |controller: &str, file: &str| {
        let text = fs::read_to_string(own_group(controller)?.join(file)).ok()?;
        text.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse::<u64>().ok()
    };
    count("", "memory.events").or_else(|| count("memory", "memory.oom_control"))
}

/// The subgroup of a delegated group into which this process moves.
const LEAF: &str = "counterpoint";

/// Whether the memory controller is enabled for the subgroups of a group.
fn distributes_memory(group: &Path) -> bool {
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
        let own = cgroups.create(None).unwrap();
        let name =
            |space: &str, pid: &str, start: &str| format!("counterpoint-{host}.{space}.{pid}.{start}-0");
        let gone = [name(space, pid, "1"), name(space, "4194305", start)];
        let kept = [
            // The owner may run in another namespace or on another machine.
            name("1", pid, "1"),
            format!("counterpoint-elsewhere.{space}.{pid}.1-0"),
            // Names of an earlier release and of other programs.
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
        own.verify_exists().unwrap();
    }

    #[test]
    fn a_removed_group_is_an_error_and_is_not_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let cgroups = Cgroups { version: Version::V1, parent: folder.path().to_owned() };
        // In an ordinary folder, the files of a control group do not exist, and they are not created.
        assert_eq!(cgroups.create(Some(1)).unwrap_err().kind(), io::ErrorKind::NotFound);
        let group = cgroups.create(None).unwrap();
        assert_eq!(group.add(rustix::process::getpid()).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::remove_dir(&group.path).unwrap();
        assert_eq!(group.verify_exists().unwrap_err().kind(), io::ErrorKind::NotFound);
        group.kill();
        assert!(!group.was_oom_killed() && !group.path.exists());
    }
}
