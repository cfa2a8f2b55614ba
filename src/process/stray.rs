//! Strays: processes that have left the group of the child that started them (setsid(2)). A child bears a mark in
//! its environment, behind those that its ancestors bear, and what it starts inherits them all; proc(5) shows them.
//! One that clears its environment, too, is not found; `orphans.rs` finds that. This is for processes that cannot adopt.

use rustix::process::{Pid, Signal, getpid, kill_process};
use std::env;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// The variable that holds the marks, between spaces.
pub(super) const VARIABLE: &str = "COUNTERPOINT_RUN";

/// The shortest time between two looks, and how many times as long as a look it is at least.
const REST: (Duration, u32) = (Duration::from_millis(100), 50);

/// The most looks as all ends: what is found may just be starting others.
const LAST_LOOKS: usize = 50;

/// What children are marked with: a name, which no other program has, and a number.
pub(super) struct Marks {
    inherited: String,
    name: String,
    last: u64,
    /// The next look at what is left is not before.
    look: Instant,
}

impl Default for Marks {
    fn default() -> Self {
        // Each state is seeded anew.
        let name = format!("{:016x}-", RandomState::new().hash_one(()));
        Marks { inherited: inherited(), name, last: 0, look: Instant::now() }
    }
}

impl Marks {
    /// The next child's number, and what the variable is for it, of one length for all.
    pub(super) fn next(&mut self) -> (u64, String) {
        self.last += 1;
        let Marks { inherited, name, last, .. } = self;
        (*last, format!("{inherited} {name}{last:016x}").trim_start().to_owned())
    }

    /// Whether it is time for a look at what is left.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.last > 0 && now >= self.look
    }

    /// Notes a look.
    pub(super) fn looked(&mut self, took: Duration) {
        self.look = Instant::now() + REST.0.max(took * REST.1);
    }

    /// The marks given so far.
    pub(super) fn given(&self) -> Given {
        Given { name: self.name.clone(), last: self.last }
    }
}

/// Marks that were given to children.
pub(super) struct Given {
    name: String,
    last: u64,
}

impl Given {
    /// Ends what bears one of them, unless it is a living child's; returns how many it found.
    pub(super) fn end(&self, living: &[u64]) -> usize {
        end(|mark| {
            let number =
                mark.strip_prefix(&self.name).and_then(|number| u64::from_str_radix(number, 16).ok());
            number.is_some_and(|number| number <= self.last && !living.contains(&number))
        })
    }

    /// Ends what bears one of them.
    pub(super) fn end_all(&self) {
        for _ in 0..if self.last > 0 { LAST_LOOKS } else { 0 } {
            if self.end(&[]) == 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Ends all others that bear the mark that this process was started with, if it was.
pub(super) fn end_kin() {
    let marks = inherited();
    if let Some(own) = marks.split(' ').next_back().filter(|own| !own.is_empty()) {
        end(|mark| mark == own);
    }
}

fn inherited() -> String {
    env::var(VARIABLE).unwrap_or_default()
}

/// Ends each other process that bears such a mark; returns how many there were.
fn end(is_meant: impl Fn(&str) -> bool) -> usize {
    let mut found = 0;
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let process = entry.file_name().to_str().and_then(|name| Pid::from_raw(name.parse().ok()?));
        let Some(process) = process.filter(|process| *process != getpid()) else { continue };
        // Other users' cannot be read, and are not ours.
        let Ok(environment) = fs::read(entry.path().join("environ")) else { continue };
        if marks(&environment).is_some_and(|marks| marks.split(' ').any(&is_meant)) {
            found += 1;
            // It may have ended by itself.
            let _ = kill_process(process, Signal::KILL);
        }
    }
    found
}

fn marks(environment: &[u8]) -> Option<&str> {
    let mut entries = environment.split(|&byte| byte == 0);
    let value = entries.find_map(|entry| entry.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"="))?;
    std::str::from_utf8(value).ok()
}
