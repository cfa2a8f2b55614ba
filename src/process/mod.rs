//! Child processes: each in a group of its own, bounded, and gone with its group when it ends.
//!
//! Input and output are files, so that nobody waits for a pipe and no thread is needed. On Linux `/proc`
//! tells what a group uses while it runs, and `prlimit` bounds each process should we die first;
//! elsewhere only the stop closure ends a child early.

mod alarm;
mod cgroup;
mod group;
mod stray;
mod usage;

pub use self::cgroup::{Cgroups, Version, enter};

use self::group::Group;
use crate::engine::{Limit, Stop};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
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
    /// Bounds on what it uses.
    pub limits: Limits,
    /// The most bytes that it may write to either output.
    pub most_output: u64,
    /// Whether it reads its own CPU clock. `RLIMIT_CPU` would make that as coarse as the kernel's ticks, so
    /// such a child goes without it, and must end by itself should we die first.
    pub keeps_time: bool,
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
}

impl Run {
    /// The first line that the program wrote, to standard error or output, for a message.
    pub fn first_words(&mut self) -> String {
        let said = self.complaint();
        if !said.is_empty() {
            return said;
        }
        let said = first_line("standard output", &mut self.output);
        if said.is_empty() { "; it wrote nothing".to_owned() } else { said }
    }

    /// The first line that the program wrote to standard error, for a message; empty if there is none.
    pub fn complaint(&mut self) -> String {
        first_line("standard error", &mut self.errors)
    }

    /// The lines of standard error that hold something: the first ones, how many lie between, the last ones, `most`
    /// of each kind.
    pub fn error_lines(&mut self, most: usize) -> (Vec<String>, usize, Vec<String>) {
        let mut bytes = Vec::new();
        // What cannot be read is not shown.
        let _ = reader(&mut self.errors).take(1 << 20).read_to_end(&mut bytes);
        ends_of(&bytes, most)
    }
}

/// Characters of a line of several that are shown.
const LONG_LINE: usize = 200;

/// The first and the last lines that hold something, so many each, with the number of those between.
fn ends_of(text: &[u8], most: usize) -> (Vec<String>, usize, Vec<String>) {
    let lines = text.split(|byte| b"\n\r".contains(byte)).map(<[u8]>::trim_ascii_end);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let (first, rest) = lines.split_at(most.min(lines.len()));
    let (between, last) = rest.split_at(rest.len().saturating_sub(most));
    let spaced =
        |line: &&[u8]| line.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }).collect::<Vec<_>>();
    let told = |lines: &[&[u8]]| lines.iter().map(|line| shown_to(&spaced(line), LONG_LINE)).collect();
    (told(first), between.len(), told(last))
}

fn first_line(name: &str, file: &mut File) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is not shown.
    let _ = reader(file).take(1 << 12).read_to_end(&mut bytes);
    let mut lines = bytes.split(|byte| b"\n\r".contains(byte)).map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty()) else { return String::new() };
    // The last character may be cut.
    let broken = std::str::from_utf8(line).err().and_then(|error| error.error_len());
    let no_text = if broken.is_some() || line.contains(&0) { " no text," } else { "" };
    format!("; the first line on {name} is{no_text} '{}'", shown(line))
}

/// A file from its start.
pub fn reader(file: &mut File) -> BufReader<&mut File> {
    // A file that cannot be rewound reads as empty, and nothing is made of that.
    let _ = file.rewind();
    BufReader::new(file)
}

/// What a program wrote, as a terminal may be shown it.
pub fn shown(line: &[u8]) -> String {
    shown_to(line, 80)
}

fn shown_to(line: &[u8], most: usize) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    String::from_utf8_lossy(line).chars().take(most).map(plain).collect()
}

/// Why a program whose command stands in `origin` could not be run, in words.
pub fn not_run(program: &str, origin: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!("the program '{program}' is not found; its command stands in {origin}")
        }
        _ => format!("the program '{program}' cannot be run: {error}; its command stands in {origin}"),
    }
}

/// The children of this program: what they have cost, which live, and the files made for them.
#[derive(Default)]
pub struct Children {
    grouping: Grouping,
    cpu_ns: AtomicU64,
    live: Mutex<Live>,
}

#[derive(Default)]
struct Live {
    /// Process groups, each named by a leader that nobody has waited for, with its number among the marks.
    groups: Vec<(rustix::process::Pid, u64)>,
    marks: stray::Marks,
    folder: Option<TempDir>,
    /// Nothing starts any more.
    ended: bool,
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
            live.folder = Some(tempfile::Builder::new().prefix("counterpoint-").tempdir()?);
        }
        let folder = live.folder.as_ref().map_or(Path::new("."), TempDir::path);
        tempfile::Builder::new().prefix("").tempfile_in(folder)
    }

    /// Runs a child to its end, or until a limit is met or `stop` speaks. Its group is gone afterwards; what has
    /// left that goes with [`Children::sweep`] or [`Children::end`].
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn run(&self, job: Job<'_>, stop: &Stop) -> io::Result<Run> {
        usage::serves(&job.limits)?;
        let (output, errors) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let mut command = Command::new(job.program);
        command.args(job.args);
        if self.grouping == Grouping::Own {
            command.process_group(0);
        }
        command.stdin(job.input.map_or_else(Stdio::null, Stdio::from));
        command.stdout(output.try_clone()?).stderr(errors.try_clone()?);
        let cgroup = job.cgroups.map(|cgroups| cgroups.make(job.limits.memory)).transpose()?;
        if let Some(cgroup) = &cgroup {
            command.env(cgroup::ENTRANCE, cgroup.entrance());
        }
        command.envs(job.folder.map(|folder| ("TMPDIR", folder)));
        let mut group = Group::spawn(self, &mut command)?;
        cgroup.as_ref().map_or(Ok(()), |cgroup| cgroup.add(group.leader()))?;
        let bounds = Limits { cpu: job.limits.cpu.filter(|_| !job.keeps_time), ..job.limits };
        usage::bound(group.leader(), &bounds)?;
        let met = group.watch(&job.limits, stop, [(&output, job.most_output), (&errors, job.most_output)])?;
        let (status, usage) = group.end()?;
        let ran_out = cgroup.as_ref().is_some_and(|cgroup| {
            cgroup.kill();
            cgroup.ran_out()
        });
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
        Ok(Run { ending, output, errors, usage })
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
            (live.marks.given(), live.groups.iter().map(|&(_, number)| number).collect::<Vec<_>>())
        };
        given.end(&living);
        self.live().marks.looked(start.elapsed());
    }

    /// Kills whatever lives, and what has left its group, and removes all files. Nothing starts afterwards.
    pub fn end(&self) {
        let given = {
            let mut live = self.live();
            live.ended = true;
            live.groups.drain(..).for_each(|(leader, _)| group::kill(leader, self.grouping));
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
