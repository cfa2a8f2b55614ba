//! The guard: a small process of this program that kills our external programs if we are killed.
//!
//! The guard reads a pipe whose other end only we have, so it reads the end of the file when we end, however that
//! happens. Until then, we send one line when a program is about to start, when it has started, and when its group has
//! been killed. At the end, the guard kills the groups that are left, and all processes that have the marker of a
//! program that is left. Usually none is left.
//!
//! Workers need no guard, because they end when their parent does. If the guard cannot be started, or does not read, we
//! go on without it.

use super::{Live, escaped};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};

/// The first word of the first line that a guard reads.
const GREETING: &str = "guard";

/// Whether there is a guard.
pub(super) enum Guarding {
    /// There is no guard, and none will be started. If this process was a guard, it has been killed, but we have not
    /// waited for it.
    Off(Option<Pid>),
    /// The first external program starts the guard by this command.
    Later(Command),
    /// This guard runs.
    On(Guard),
}

/// A running guard.
pub(super) struct Guard {
    process: Child,
    pipe: ChildStdin,
}

counterpoint_base::message_errors! {
    /// Why a guard does not understand what it reads.
    pub struct GuardError;
}

impl Default for Guarding {
    fn default() -> Self {
        Guarding::Off(None)
    }
}

impl Guarding {
    /// A guard that is started by this command when it is needed.
    pub(super) fn with(program: PathBuf, args: &[&str]) -> Self {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Neither Ctrl-C nor a signal to our group may end the guard before us.
        command.process_group(0);
        Guarding::Later(command)
    }

    /// A program has started: the leader of a group.
    pub(super) fn started(&mut self, marker: u64, leader: Pid) {
        self.tell(&format!("group {marker} {leader}\n"));
    }

    /// The group of a program has been killed, or the program could not be started.
    pub(super) fn ended(&mut self, marker: u64) {
        self.tell(&format!("end {marker}\n"));
    }

    /// The process that is or was the guard.
    pub(super) fn pid(&self) -> Option<Pid> {
        match self {
            Guarding::On(guard) => Some(Pid::from_child(&guard.process)),
            Guarding::Later(_) => None,
            Guarding::Off(guard) => *guard,
        }
    }

    /// Kills the guard. No other is started. On a busy machine, waiting for its end would take milliseconds.
    pub(super) fn dismiss(&mut self) {
        let pid = self.pid();
        if let Guarding::On(mut guard) = std::mem::replace(self, Guarding::Off(pid)) {
            // An error means that it has ended by itself.
            let _ = guard.process.kill();
        }
    }

    /// Sends a line. A guard that has missed a line could kill a group that is not ours, so it is dismissed.
    fn tell(&mut self, line: &str) {
        if let Guarding::On(guard) = self
            && guard.pipe.write_all(line.as_bytes()).is_err()
        {
            self.dismiss();
        }
    }
}

impl Live {
    /// Tells the guard that a program with this marker is about to start. Starts the guard if there is none yet.
    pub(super) fn announce(&mut self, marker: u64) {
        if let Guarding::Later(command) = &mut self.guard {
            let started = start(command);
            self.guard = started.map_or(Guarding::default(), Guarding::On);
            self.guard.tell(&format!("{GREETING} {}\n", self.markers.name()));
        }
        self.guard.tell(&format!("start {marker}\n"));
    }
}

fn start(command: &mut Command) -> Option<Guard> {
    let mut process = command.spawn().ok()?;
    let pipe = process.stdin.take()?;
    // A guard that does not read, because a signal has suspended it, must not suspend us, too.
    let _ = rustix::io::ioctl_fionbio(&pipe, true);
    Some(Guard { process, pipe })
}

/// What a guard knows: the name of the markers, and for each program that has not ended, the leader of its group if it
/// has started.
#[derive(Debug, Default, PartialEq, Eq)]
struct Left {
    name: String,
    programs: BTreeMap<u64, Option<Pid>>,
}

/// Reads about external programs until the process that has started them ends. Then kills those that are left.
///
/// # Errors
/// Returns an error if the input is malformed. Then no program is killed.
pub fn guard(input: impl BufRead) -> Result<(), GuardError> {
    let left = read(input)?;
    for group in left.programs.values().copied().flatten() {
        // An error means that the group has ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
    if !left.programs.is_empty() {
        let numbers: Vec<u64> = left.programs.into_keys().collect();
        escaped::kill_numbered(&left.name, &numbers);
    }
    Ok(())
}

fn read(input: impl BufRead) -> Result<Left, GuardError> {
    let mut left = Left::default();
    for (at, line) in input.lines().enumerate() {
        let line = line.map_err(|error| format!("line {}: {error}", at + 1))?;
        let wrong = || format!("line {}: unexpected '{}'", at + 1, line.escape_debug());
        let number = |word: &str| word.parse::<u64>().map_err(|_| wrong());
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [GREETING, name] if at == 0 && name.len() > 1 => name.clone_into(&mut left.name),
            ["start", marker] if at > 0 => drop(left.programs.insert(number(marker)?, None)),
            ["group", marker, leader] if at > 0 => {
                let leader = leader.parse().ok().filter(|&leader| leader > 1).and_then(Pid::from_raw);
                left.programs.insert(number(marker)?, Some(leader.ok_or_else(wrong)?));
            }
            ["end", marker] if at > 0 => drop(left.programs.remove(&number(marker)?)),
            _ => return Err(wrong().into()),
        }
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_have_not_ended_are_left() {
        let text = "guard ab-\nstart 1\ngroup 1 70\nstart 2\ngroup 2 71\nend 1\nstart 3\nend 9\n";
        let programs = BTreeMap::from([(2, Pid::from_raw(71)), (3, None)]);
        assert_eq!(read(text.as_bytes()).unwrap(), Left { name: "ab-".to_owned(), programs });
        assert_eq!(read(&b""[..]).unwrap(), Left::default());
    }

    #[test]
    fn malformed_lines_are_refused() {
        for (text, words) in [
            ("start 1\n", "line 1: unexpected 'start 1'"),
            ("guard \n", "line 1"),
            ("guard ab-\nguard ab-\n", "line 2"),
            ("guard ab-\nstart 1\ngroup 1 1\n", "line 3: unexpected 'group 1 1'"),
            ("guard ab-\nstart 1\ngroup 1 0\n", "line 3"),
            ("guard ab-\nstart 1\ngroup 1 -7\n", "line 3"),
            ("guard ab-\nstart -1\n", "line 2"),
            ("guard ab-\nstart 1\ngroup 1 7", ""),
        ] {
            match read(text.as_bytes()) {
                Ok(_) => assert_eq!(words, "", "{text}"),
                Err(error) => {
                    assert!(!words.is_empty() && error.to_string().contains(words), "{text}: {error}");
                }
            }
        }
    }
}
