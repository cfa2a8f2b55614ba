//! Strays: processes that have left the group of the child that started them (setsid(2)). A child bears a mark in
//! its environment, and what it starts inherits that; proc(5) shows it. One that clears its environment, too, is
//! not found.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// The variable that holds a mark.
pub(super) const VARIABLE: &str = "COUNTERPOINT_RUN";

/// The shortest time between two looks, and how many times as long as a look it is at least.
const REST: (Duration, u32) = (Duration::from_millis(100), 50);

/// The most looks as all ends: what is found may just be starting others.
const LAST_LOOKS: usize = 50;

/// What children are marked with: a name, which no other program has, and a number.
pub(super) struct Marks {
    name: String,
    last: u64,
    /// The next look at what is left is not before.
    look: Instant,
}

impl Default for Marks {
    fn default() -> Self {
        // Each state is seeded anew.
        let name = format!("{:016x}-", RandomState::new().hash_one(()));
        Marks { name, last: 0, look: Instant::now() }
    }
}

impl Marks {
    /// The next child's number, and its mark.
    pub(super) fn next(&mut self) -> (u64, String) {
        self.last += 1;
        (self.last, format!("{}{}", self.name, self.last))
    }

    /// Now and then, ends what children have left that live no more.
    pub(super) fn sweep(&mut self, living: impl Fn(u64) -> bool) {
        let start = Instant::now();
        if start >= self.look {
            self.end(living);
            self.look = Instant::now() + REST.0.max(start.elapsed() * REST.1);
        }
    }

    /// Ends what any child has left.
    pub(super) fn end_all(&self) {
        for _ in 0..if self.last > 0 { LAST_LOOKS } else { 0 } {
            if self.end(|_| false) == 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends what bears one of these marks, unless it is a living child's; returns how many it found.
    fn end(&self, living: impl Fn(u64) -> bool) -> usize {
        let mut found = 0;
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let process = entry.file_name().to_str().and_then(|name| Pid::from_raw(name.parse().ok()?));
            // Other users' cannot be read, and are not ours.
            let environment = process.and_then(|_| fs::read(entry.path().join("environ")).ok());
            let mark = environment.and_then(|environment| self.mark_in(&environment));
            if let (Some(process), Some(mark)) = (process, mark)
                && !living(mark)
            {
                found += 1;
                // It may have ended by itself.
                let _ = kill_process(process, Signal::KILL);
            }
        }
        found
    }

    fn mark_in(&self, environment: &[u8]) -> Option<u64> {
        let of = |entry: &[u8]| {
            let value = entry.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"=")?;
            std::str::from_utf8(value.strip_prefix(self.name.as_bytes())?).ok()?.parse().ok()
        };
        environment.split(|&byte| byte == 0).find_map(of)
    }
}
