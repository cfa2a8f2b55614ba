//! Runs child processes within limits. Each child has its own process group, which is killed when the child's
//! run ends. The children of a worker are an exception: they share the worker's group.
//!
//! Input and output are files instead of pipes. So this process never waits for a pipe that a leftover process keeps
//! open, and needs no thread for reading. On Linux, `/proc` shows how much CPU time and memory a group uses while it
//! runs, and `prlimit` limits each process in case this process dies first. On other systems, a job with a limit on CPU
//! time or memory is rejected.

mod alarm;
mod cgroup;
mod counter;
mod escaped;
mod group;
mod guard;
mod identity;
mod limits;
#[cfg(target_os = "linux")]
mod orphans;
mod output;
mod refused;
mod scratch;
#[cfg(target_os = "linux")]
mod stat;
mod usage;
mod version;

pub use self::cgroup::{CgroupError, Cgroups, Version, enter, memory_kills, memory_limit};
pub use self::counter::Counter;
pub use self::guard::{GuardError, guard};
pub use self::identity::{Identity, Life};
pub use self::limits::{Limits, default_wall_limit};
pub use self::output::{ErrorLines, printable, reader, start_failure};
pub use self::scratch::{file, folder, folder_in};
pub use self::version::{VersionError, VersionProblem, find};

use self::group::{Group, Outputs};
use crate::engine::{Limit, Stop};
use rustix::process::Pid;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::{NamedTempFile, TempDir};

/// A program to run.
#[derive(Default)]
pub struct Job<'a> {
    /// The program: a path, or a name to look up in `PATH`.
    pub program: &'a OsStr,
    /// Its arguments; no shell interprets them.
    pub args: &'a [OsString],
    /// Standard input; `None` for an empty one.
    pub input: Option<File>,
    /// The file for its standard output, if the caller wants to read it while the program runs; `None` for a temporary
    /// file.
    pub output: Option<File>,
    /// Limits on CPU time, memory and wall time.
    pub limits: Limits,
    /// The signal that asks the program to end when a limit on time is reached. The program then has at most [`GRACE`]
    /// before it is killed. `None` if the program is killed immediately.
    pub stop_signal: Option<StopSignal>,
    /// The maximum number of bytes that it may write to standard output. The same number of bytes is allowed on
    /// standard error.
    pub max_output: u64,
    /// Another file that it writes, with the maximum number of bytes.
    pub file: Option<(&'a Path, u64)>,
    /// Whether the program is a worker of Counterpoint. A worker reads its own CPU clock, and `RLIMIT_CPU` would make
    /// that clock as coarse as the kernel's ticks. So a worker runs without that limit, and ends itself if its parent
    /// dies first. It also adopts the orphans of its own children.
    pub is_worker: bool,
    /// Whether processes that inherit its environment may outlive it, such as Slurm jobs that it submits. If
    /// so, it gets no marker by which they would be found and killed.
    pub is_unmarked: bool,
    /// If this is set and a control group can be made, the program runs in its own control group. The kernel then
    /// enforces the program's memory limit, and all its processes are killed even if they leave the process group.
    pub cgroups: Option<&'a Cgroups>,
    /// Its folder for temporary files (`TMPDIR`); `None` for the usual one.
    pub folder: Option<&'a Path>,
    /// Its working directory; `None` for ours.
    pub directory: Option<&'a Path>,
}

/// The longest time between the signal that asks a program to end and the one that kills it.
pub const GRACE: Duration = Duration::from_secs(1);

/// A signal that asks a program to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum StopSignal {
    /// SIGTERM.
    Terminate,
    /// SIGINT, as after Ctrl-C.
    Interrupt,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited, or was killed by a signal that this process did not send.
    Ended(ExitStatus),
    /// It reached a limit, or the stop closure returned one. It was killed, unless it had already ended by
    /// itself.
    Stopped(Limit),
    /// It wrote more than [`Job::max_output`] or [`Job::file`] allows, and we killed it.
    TooMuchOutput,
}

/// The resources that a child used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time of the group: the greatest sum over the group in a sample or, if that is greater, the time of
    /// the leader and of the processes that it waited for.
    pub cpu: Duration,
    /// Peak resident memory: the greatest sum over the group in a sample, or the peak of a single process if that is
    /// greater. On Linux it is at least the memory that this program had when it started the child.
    pub peak_bytes: u64,
}

/// The result of running a child.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// Its standard output.
    pub output: File,
    /// Its standard error.
    pub errors: File,
    /// The resources that it used.
    pub usage: Usage,
    /// Why a control group that was requested could not be used; otherwise `None`.
    pub no_cgroup: Option<String>,
}

/// The children of this program: their total CPU time, which of them are running, and their temporary files.
#[derive(Default)]
pub struct Children {
    grouping: Grouping,
    /// Whether this process adopts orphans. If so, every child of this process, adopted or not, belongs to a run.
    adopts: bool,
    cpu_ns: AtomicU64,
    /// The largest peak memory of a child so far, in bytes.
    peak_bytes: AtomicU64,
    live: Mutex<Live>,
}

/// The state that threads share.
#[derive(Default)]
struct Live {
    /// The running groups.
    groups: Vec<RunningGroup>,
    /// The leaders that have not been waited for: those of the running groups, and zombies.
    leaders: Vec<Pid>,
    markers: escaped::Markers,
    guard: guard::Guarding,
    folder: Option<TempDir>,
    /// For each counter that was looked for in the outputs of a program, whether it was ever found.
    counters: BTreeMap<(String, String), bool>,
    /// If a child was asked to end: the time by which its run should be finished.
    grace: Option<Instant>,
    /// Whether [`Children::end`] was called. No child starts afterwards.
    closed: bool,
}

/// A running process group.
struct RunningGroup {
    /// Its leader, which has not been waited for.
    leader: Pid,
    /// The number of its marker; 0 if it has none, as in a shared group.
    marker: u64,
    /// Whether it is a worker of ours, which ends its own orphans.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux has the search for orphans")
    )]
    is_worker: bool,
}

/// The process group that a child belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Grouping {
    /// A group of its own, which is killed at the end of its run.
    #[default]
    Own,
    /// The group of this program. Our parent kills it as a whole.
    Shared,
}

impl Children {
    /// Children that share this program's process group, so that killing the group also kills the children.
    pub fn in_shared_group() -> Self {
        Children { grouping: Grouping::Shared, ..Children::default() }
    }

    /// Starts a guard with the first external program: a process of this program, with these arguments, that must call
    /// [`guard`]. If this process is killed, the guard kills its external programs, but no workers.
    #[must_use]
    pub fn guarded_by(self, program: PathBuf, args: &'static [&'static str]) -> Self {
        self.live().guard = guard::Guarding::with(program, args);
        self
    }

    /// Makes this process adopt the orphans of its children, if possible. From then on, every child of this process
    /// that [`Children::run`] did not start is killed, so the program must not start processes in any other way. A
    /// process that already has children, or that is the first process of a container, does not adopt.
    #[must_use]
    pub fn adopting(self) -> Self {
        #[cfg(target_os = "linux")]
        return Children { adopts: orphans::adopt(), ..self };
        #[cfg(not(target_os = "linux"))]
        self
    }

    /// CPU time of all children so far, including those that are running.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed))
    }

    /// The largest peak memory of a child so far, in bytes; 0 if there was none.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes.load(Ordering::Relaxed)
    }

    /// Whether a child is running.
    pub fn any(&self) -> bool {
        !self.live().groups.is_empty()
    }

    /// Creates a file that a child can open by its path. The file is deleted when the returned value is dropped, or by
    /// [`Children::end`]. In a shared group, the file is in the temporary folder, which our parent has made for us.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn file(&self) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("");
        if self.grouping == Grouping::Shared {
            return builder.tempfile_in(std::env::temp_dir());
        }
        let mut live = self.live();
        if live.folder.is_none() {
            live.folder = Some(folder()?);
        }
        let folder = live.folder.as_ref().map_or(Path::new("."), TempDir::path);
        builder.tempfile_in(folder)
    }

    /// Runs a child until it ends, reaches a limit, or `stop` returns a limit. Then its process group is killed, or
    /// only the child if it shares our group. If this process adopts orphans, escaped processes are killed as well,
    /// except those that another running child may have started. Those are killed when that child ends, or by
    /// [`Children::sweep`] or [`Children::end`].
    ///
    /// # Errors
    /// Returns an error if the program cannot be started or watched, or if its limits are not supported on this system.
    pub fn run(&self, job: Job<'_>, stop: &Stop) -> io::Result<Run> {
        usage::check_supported(&job.limits)?;
        let (output, errors) = (job.output.map_or_else(file, Ok)?, file()?);
        let mut command = Command::new(job.program);
        command.args(job.args);
        if let Some(directory) = job.directory.filter(|directory| !directory.as_os_str().is_empty()) {
            command.current_dir(directory);
        }
        if self.grouping == Grouping::Own {
            command.process_group(0);
        }
        command.stdin(job.input.map_or_else(Stdio::null, Stdio::from));
        command.stdout(output.try_clone()?).stderr(errors.try_clone()?);
        // If the control group cannot be made, the other limits still hold.
        let cgroup = job.cgroups.map(|cgroups| cgroups.create(job.limits.memory)).transpose();
        let (cgroup, mut no_cgroup) =
            cgroup.map_or_else(|error| (None, Some(error)), |cgroup| (cgroup, None));
        if let Some(cgroup) = &cgroup {
            command.env(cgroup::ENTRY_VARIABLE, cgroup.procs_file());
        }
        command.envs(job.folder.map(|folder| ("TMPDIR", folder)));
        let mut group = Group::spawn(self, &mut command, (job.is_worker, job.is_unmarked))?;
        if let Some(Err(error)) = cgroup.as_ref().map(|cgroup| cgroup.add(group.leader())) {
            no_cgroup = Some(error);
        }
        let rlimits = Limits { cpu: job.limits.cpu.filter(|_| !job.is_worker), ..job.limits };
        usage::set_rlimits(group.leader(), &rlimits)?;
        let files = [(&output, job.max_output), (&errors, job.max_output)];
        let outputs = Outputs { files, path: job.file };
        let reason = group.watch(&job.limits, stop, outputs)?;
        if let (Some(signal), Some(Ending::Stopped(Limit::Cpu | Limit::Wall))) = (job.stop_signal, reason) {
            group.ask_to_end(signal, &job.limits, stop, outputs)?;
        }
        let (status, usage) = group.end()?;
        let oom_killed = cgroup.as_ref().is_some_and(|cgroup| {
            cgroup.kill();
            if let Err(error) = cgroup.verify_exists() {
                no_cgroup.get_or_insert(error);
            }
            cgroup.was_oom_killed()
        });
        self.kill_orphans();
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        let killed = signal.is_some();
        // In a worker, the watchdog may have killed the child at a limit before this thread noticed it. Then
        // `stop` returns this limit.
        let was_ours = reason.is_none() && signal == Some(rustix::process::Signal::KILL.as_raw());
        let reason = reason.or_else(|| stop().filter(|_| was_ours).map(Ending::Stopped));
        let ending = match reason {
            Some(ending) => ending,
            None if job.limits.cpu.is_some_and(|max| usage.cpu > max) => Ending::Stopped(Limit::Cpu),
            None if oom_killed => Ending::Stopped(Limit::Memory),
            None if killed && job.limits.memory.is_some_and(|max| usage.peak_bytes > max) => {
                Ending::Stopped(Limit::Memory)
            }
            None => Ending::Ended(status),
        };
        let no_cgroup = no_cgroup.map(|error| error.to_string());
        Ok(Run { ending, output, errors, usage, no_cgroup })
    }

    /// How much time is left for a child that was asked to end and for the rest of its run; `None` if no
    /// child was asked to end, or if that time is over.
    pub fn grace(&self) -> Option<Duration> {
        let left = self.live().grace?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Kills the adopted orphans of children that have ended, and waits until they are gone.
    fn kill_orphans(&self) {
        #[cfg(target_os = "linux")]
        if self.adopts {
            orphans::kill(self, orphans::Targets::Orphans);
        }
    }

    /// Like [`Children::kill_orphans`], but does not wait. It also reaps zombies, so that they do not accumulate while
    /// a child runs.
    fn kill_orphans_once(&self) {
        #[cfg(target_os = "linux")]
        if self.adopts {
            orphans::kill_once(self, orphans::Targets::Orphans);
        }
    }

    /// Kills escaped processes of children that have ended, unless the last search was recent. A search takes a while,
    /// so call this only when no time is being measured.
    pub fn sweep(&self) {
        let start = Instant::now();
        let (issued, running) = {
            let live = self.live();
            if !live.markers.is_due(start) {
                return;
            }
            (live.markers.issued(), live.groups.iter().map(|group| group.marker).collect::<Vec<_>>())
        };
        issued.kill_except(&running);
        self.live().markers.searched(start.elapsed());
    }

    /// Kills all children and their escaped processes, and deletes all their files. No child starts afterwards.
    pub fn end(&self) {
        self.live().closed = true;
        #[cfg(target_os = "linux")]
        if self.adopts {
            orphans::kill(self, orphans::Targets::AllChildren);
        }
        let issued = {
            let mut live = self.live();
            live.groups.drain(..).for_each(|group| group::kill(group.leader, self.grouping));
            live.guard.dismiss();
            live.folder = None;
            live.markers.issued()
        };
        issued.kill_all();
    }

    /// Kills all children because this program ends early. If they share this program's process group, processes that
    /// escaped from the group are killed, too; and if this process is the group's leader, the whole group is killed,
    /// including this process.
    pub fn abandon(&self) {
        self.end();
        if self.grouping == Grouping::Own {
            return;
        }
        escaped::kill_same_marker();
        if rustix::process::getpgrp() == rustix::process::getpid() {
            // An error means that the group has no other process.
            let _ = rustix::process::kill_current_process_group(rustix::process::Signal::KILL);
        }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
