//! Child processes: each in a group of its own, bounded, and gone with its group when it ends.
//!
//! Input and output are files, so that nobody waits for a pipe and no thread is needed. On Linux `/proc`
//! tells what a group uses while it runs, and `prlimit` bounds each process should we die first;
//! elsewhere only the stop closure ends a child early.

mod alarm;
mod cgroup;
mod group;
mod identity;
#[cfg(target_os = "linux")]
mod orphans;
mod output;
mod scratch;
#[cfg(target_os = "linux")]
mod stat;
mod stray;
mod usage;

pub use self::cgroup::{Cgroups, Version, enter};
pub use self::identity::{Identity, Life};
pub use self::output::{not_run, reader, shown};
pub use self::scratch::{file, folder, folder_in};

use self::group::Group;
use crate::engine::{Limit, Stop};
use rustix::process::Pid;
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

/// What to run.
pub struct Job<'a> {
    /// The program: a path, or a name to be looked for along `PATH`.
    pub program: &'a OsStr,
    /// Its arguments, as they are.
    pub args: &'a [OsString],
    /// Standard input; empty if there is none.
    pub input: Option<File>,
    /// Where its standard output goes, if the caller wants to look at it meanwhile.
    pub output: Option<File>,
    /// Bounds on what it uses.
    pub limits: Limits,
    /// The most bytes that it may write to either output.
    pub most_output: u64,
    /// Whether it is this program as a worker. A worker reads its own CPU clock; `RLIMIT_CPU` would make that as coarse
    /// as the kernel's ticks, so it goes without that limit and ends by itself should we die first. It also adopts what
    /// its own children leave behind.
    pub is_worker: bool,
    /// Where it gets a control group of its own, if it does; the kernel then holds its memory limit, and nothing
    /// of it is left behind even if it leaves its process group.
    pub cgroups: Option<&'a Cgroups>,
    /// Where it makes temporary files, if not where everybody does.
    pub folder: Option<&'a Path>,
}

/// Bounds on what a process group uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// CPU time.
    pub cpu: Option<Duration>,
    /// Resident bytes.
    pub memory: Option<u64>,
    /// Time that passes, for one that sleeps; unless it is set, what [`patience`] has with its CPU time.
    pub wall: Option<Duration>,
}

impl Limits {
    /// Time that may pass.
    fn wall(&self) -> Option<Duration> {
        self.wall.or_else(|| self.cpu.map(patience))
    }
}

/// The time after which a program that has not used up its CPU time is taken to hang: ten times as much, since
/// others may use the processors too, and a second for its start.
pub fn patience(cpu: Duration) -> Duration {
    cpu.saturating_mul(10).saturating_add(Duration::from_secs(1))
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself or by somebody else's signal.
    Ended(ExitStatus),
    /// A limit was met.
    Stopped(Limit),
    /// It wrote more than it may.
    TooMuchOutput,
}

/// What a child used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time of the group, as far as it was seen or waited for.
    pub cpu: Duration,
    /// Most resident bytes. Linux counts in what this program held when it started the child.
    pub peak_bytes: u64,
}

/// What became of a child.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard output, from the start.
    pub output: File,
    /// What it wrote to standard error, from the start.
    pub errors: File,
    /// What it used.
    pub usage: Usage,
    /// Why it was not in the control group that it should have had, if it was not.
    pub no_cgroup: Option<String>,
}

/// The children of this program: what they have cost, which live, and the files made for them.
#[derive(Default)]
pub struct Children {
    grouping: Grouping,
    /// Whether this process adopts orphans, and all its children are therefore ours.
    adopts: bool,
    cpu_ns: AtomicU64,
    live: Mutex<Live>,
}

#[derive(Default)]
struct Live {
    /// Those that run.
    groups: Vec<Member>,
    /// Their leaders, and those of groups that have ended until somebody has waited for them.
    leaders: Vec<Pid>,
    marks: stray::Marks,
    folder: Option<TempDir>,
    /// Nothing starts any more.
    ended: bool,
}

/// A process group.
struct Member {
    /// A process that nobody has waited for.
    leader: Pid,
    /// Its number among the marks.
    mark: u64,
    is_worker: bool,
}

/// Which process group a child belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Grouping {
    /// One of its own, ended with it.
    #[default]
    Own,
    /// That of this program, which somebody else ends as a whole.
    Within,
}

impl Children {
    /// Children that stay in this program's group, so that whoever ends it ends them all.
    pub fn within_group() -> Self {
        Children { grouping: Grouping::Within, ..Children::default() }
    }

    /// The same children, in a process that adopts what they leave behind, if it can: it then kills every child of this
    /// process that is not one of them. So they are for a program that starts no other processes meanwhile, and one
    /// that has children already, or is the first process of a container, goes without.
    #[must_use]
    pub fn adopting(self) -> Self {
        #[cfg(target_os = "linux")]
        return Children { adopts: orphans::adopt(), ..self };
        #[cfg(not(target_os = "linux"))]
        self
    }

    /// CPU time of all children so far, those that run included.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed))
    }

    /// Whether a child runs.
    pub fn any(&self) -> bool {
        !self.live().groups.is_empty()
    }

    /// A file that a child can open by its path; it goes when it is dropped or all children end.
    ///
    /// # Errors
    /// Why there is none.
    pub fn file(&self) -> io::Result<NamedTempFile> {
        let mut live = self.live();
        if live.folder.is_none() {
            live.folder = Some(folder()?);
        }
        let folder = live.folder.as_ref().map_or(Path::new("."), TempDir::path);
        tempfile::Builder::new().prefix("").tempfile_in(folder)
    }

    /// Runs a child to its end, or until a limit is met or `stop` speaks. Its group is gone afterwards, and so is what
    /// has left that, if this process adopts it and no other child that runs can have started it. The rest goes when that
    /// child ends, or with [`Children::sweep`] or [`Children::end`].
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn run(&self, job: Job<'_>, stop: &Stop) -> io::Result<Run> {
        usage::serves(&job.limits)?;
        let (output, errors) = (job.output.map_or_else(file, Ok)?, file()?);
        let mut command = Command::new(job.program);
        command.args(job.args);
        if self.grouping == Grouping::Own {
            command.process_group(0);
        }
        command.stdin(job.input.map_or_else(Stdio::null, Stdio::from));
        command.stdout(output.try_clone()?).stderr(errors.try_clone()?);
        // Without its group it is limited as it would be elsewhere.
        let cgroup = job.cgroups.map(|cgroups| cgroups.make(job.limits.memory)).transpose();
        let (cgroup, mut no_cgroup) =
            cgroup.map_or_else(|error| (None, Some(error)), |cgroup| (cgroup, None));
        if let Some(cgroup) = &cgroup {
            command.env(cgroup::ENTRANCE, cgroup.entrance());
        }
        command.envs(job.folder.map(|folder| ("TMPDIR", folder)));
        let mut group = Group::spawn(self, &mut command, job.is_worker)?;
        if let Some(Err(error)) = cgroup.as_ref().map(|cgroup| cgroup.add(group.leader())) {
            no_cgroup = Some(error);
        }
        let bounds = Limits { cpu: job.limits.cpu.filter(|_| !job.is_worker), ..job.limits };
        usage::bound(group.leader(), &bounds)?;
        let met = group.watch(&job.limits, stop, [(&output, job.most_output), (&errors, job.most_output)])?;
        let (status, usage) = group.end()?;
        let ran_out = cgroup.as_ref().is_some_and(|cgroup| {
            cgroup.kill();
            if let Err(error) = cgroup.look() {
                no_cgroup.get_or_insert(error);
            }
            cgroup.ran_out()
        });
        self.end_orphans();
        let killed = std::os::unix::process::ExitStatusExt::signal(&status).is_some();
        let ending = match met {
            Some(ending) => ending,
            None if job.limits.cpu.is_some_and(|most| usage.cpu > most) => Ending::Stopped(Limit::Cpu),
            None if ran_out => Ending::Stopped(Limit::Memory),
            None if killed && job.limits.memory.is_some_and(|most| usage.peak_bytes > most) => {
                Ending::Stopped(Limit::Memory)
            }
            None => Ending::Ended(status),
        };
        let no_cgroup = no_cgroup.map(|error| error.to_string());
        Ok(Run { ending, output, errors, usage, no_cgroup })
    }

    /// Kills what children that have ended left behind, where this process has adopted it.
    fn end_orphans(&self) {
        #[cfg(target_os = "linux")]
        if self.adopts {
            orphans::end(self, orphans::Meant::Orphans);
        }
    }

    /// The same without waiting for it. Those that end by themselves must not pile up while a child runs.
    fn tend_orphans(&self) {
        #[cfg(target_os = "linux")]
        if self.adopts {
            orphans::end_once(self, orphans::Meant::Orphans);
        }
    }

    /// Now and then, ends what children that have ended left behind outside their groups. That takes a while, so it is for
    /// callers that measure no time meanwhile.
    pub fn sweep(&self) {
        let start = Instant::now();
        let (given, living) = {
            let live = self.live();
            if !live.marks.is_due(start) {
                return;
            }
            (live.marks.given(), live.groups.iter().map(|group| group.mark).collect::<Vec<_>>())
        };
        given.end(&living);
        self.live().marks.looked(start.elapsed());
    }

    /// Kills whatever lives, and what has left its group, and removes all files. Nothing starts afterwards.
    pub fn end(&self) {
        self.live().ended = true;
        #[cfg(target_os = "linux")]
        if self.adopts {
            orphans::end(self, orphans::Meant::All);
        }
        let given = {
            let mut live = self.live();
            live.groups.drain(..).for_each(|group| group::kill(group.leader, self.grouping));
            live.folder = None;
            live.marks.given()
        };
        given.end_all();
    }

    /// Kills whatever lives as this program ends early. Where children stay within its group, what has left it
    /// is killed, too, and a leader of the group goes down with all of it.
    pub fn abandon(&self) {
        self.end();
        if self.grouping == Grouping::Own {
            return;
        }
        stray::end_kin();
        if rustix::process::getpgrp() == rustix::process::getpid() {
            // Without a group there is nobody else.
            let _ = rustix::process::kill_current_process_group(rustix::process::Signal::KILL);
        }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a program is: the path itself if it has a slash, else the first along `PATH`.
pub fn find(program: &str) -> Option<PathBuf> {
    let runs =
        |path: &PathBuf| path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(runs);
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(program)).find(runs)
}
