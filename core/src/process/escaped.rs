//! Finds and kills escaped processes, that is, descendants of a child that have left its process group, for example by
//! setsid(2).
//!
//! Each child gets a marker in an environment variable, after the markers of its ancestors. Its descendants inherit the
//! variable, and proc(5) shows it. An escaped process that has cleared its environment cannot be found in this way;
//! `orphans.rs` finds it if our process adopts orphans.

use rustix::process::{Pid, Signal, getpid, kill_process};
use std::env;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// The environment variable that contains the markers, separated by spaces.
pub(super) const VARIABLE: &str = "COUNTERPOINT_RUN";

/// The minimum time between two searches.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// The minimum time between two searches, as a multiple of the time that the earlier search took.
const MIN_INTERVAL_FACTOR: u32 = 50;

/// The maximum number of searches by [`kill_until_gone`]. One search is not enough, because a process that was found
/// may start another one before it is killed.
const MAX_FINAL_SEARCHES: usize = 50;

/// Issues markers. A marker is a random name, which this process has chosen, followed by a number.
pub(super) struct Markers {
    inherited: String,
    name: String,
    last: u64,
    /// The earliest time of the next search.
    next_search: Instant,
}

impl Default for Markers {
    fn default() -> Self {
        // Each `RandomState` has a fresh seed.
        let name = format!("{:016x}-", RandomState::new().hash_one(()));
        Markers { inherited: inherited(), name, last: 0, next_search: Instant::now() }
    }
}

impl Markers {
    /// The number of the next child, and the value of its environment variable. This value has the same length for all
    /// children.
    pub(super) fn issue(&mut self) -> (u64, String) {
        self.last += 1;
        let Markers { inherited, name, last, .. } = self;
        (*last, format!("{inherited} {name}{last:016x}").trim_start().to_owned())
    }

    /// Whether it is time for a search.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.last > 0 && now >= self.next_search
    }

    /// Schedules the next search. `took` is the duration of the last search.
    pub(super) fn searched(&mut self, took: Duration) {
        self.next_search = Instant::now() + MIN_INTERVAL.max(took * MIN_INTERVAL_FACTOR);
    }

    /// The beginning of the markers of our children.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The markers issued so far.
    pub(super) fn issued(&self) -> Issued {
        Issued { name: self.name.clone(), last: self.last }
    }
}

/// The markers that were issued to children: all numbers from 1 to `last`.
pub(super) struct Issued {
    name: String,
    last: u64,
}

impl Issued {
    /// Kills all processes with one of these markers, unless the marker belongs to a running child. `running` lists the
    /// numbers of the running children. Returns the number of processes found.
    pub(super) fn kill_except(&self, running: &[u64]) -> usize {
        kill(|marker| {
            let number =
                marker.strip_prefix(&self.name).and_then(|number| u64::from_str_radix(number, 16).ok());
            number.is_some_and(|number| number <= self.last && !running.contains(&number))
        })
    }

    /// Kills all processes with one of these markers.
    pub(super) fn kill_all(&self) {
        if self.last > 0 {
            kill_until_gone(|| self.kill_except(&[]));
        }
    }
}

/// Kills all processes whose marker consists of this name and one of these numbers.
pub(super) fn kill_numbered(name: &str, numbers: &[u64]) {
    let is_target = |marker: &str| {
        let number = marker.strip_prefix(name).and_then(|number| u64::from_str_radix(number, 16).ok());
        number.is_some_and(|number| numbers.contains(&number))
    };
    kill_until_gone(|| kill(is_target));
}

/// Repeats a search until it finds no process, at most [`MAX_FINAL_SEARCHES`] times.
fn kill_until_gone(search: impl Fn() -> usize) {
    for _ in 0..MAX_FINAL_SEARCHES {
        if search() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills all other processes that have this process's last marker, if this process has a marker.
pub(super) fn kill_same_marker() {
    let markers = inherited();
    if let Some(own) = markers.split(' ').next_back().filter(|own| !own.is_empty()) {
        kill(|marker| marker == own);
    }
}

fn inherited() -> String {
    env::var(VARIABLE).unwrap_or_default()
}

/// Kills all other processes that have a marker which `is_target` accepts, and returns their number.
fn kill(is_target: impl Fn(&str) -> bool) -> usize {
    let mut found = 0;
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let process = entry.file_name().to_str().and_then(|name| Pid::from_raw(name.parse().ok()?));
        let Some(process) = process.filter(|process| *process != getpid()) else { continue };
        // If the environment cannot be read, the process belongs to another user or has ended.
        let Ok(environment) = fs::read(entry.path().join("environ")) else { continue };
        if markers_in(&environment).is_some_and(|markers| markers.split(' ').any(&is_target)) {
            found += 1;
            // It may have ended by itself.
            let _ = kill_process(process, Signal::KILL);
        }
    }
    found
}

fn markers_in(environment: &[u8]) -> Option<&str> {
    let mut entries = environment.split(|&byte| byte == 0);
    let value = entries.find_map(|entry| entry.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"="))?;
    std::str::from_utf8(value).ok()
}
