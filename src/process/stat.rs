//! Processes as proc(5) shows them. Without that file system, no process is found.

use rustix::process::{Pid, getpid};
use std::fs;

/// Fields of `/proc/PID/stat`.
pub(super) struct Stat {
    /// `Z` for a zombie: it has ended, but its parent has not waited for it.
    pub(super) state: char,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// CPU time in clock ticks, including the children that it has waited for.
    pub(super) ticks: u64,
    /// When it started, in clock ticks since boot.
    pub(super) start: u64,
    /// Resident pages.
    pub(super) pages: u64,
}

/// Reads the fields of a process, if it exists.
pub(super) fn of(process: Pid) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The fields follow the name in parentheses, which may contain any character.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        ticks: (11..=14).filter_map(number).sum(),
        start: number(19)?,
        pages: number(21)?,
    })
}

/// All processes.
pub(super) fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

/// The children of a process. A child that starts or ends during the call may be missing.
pub(super) fn children(parent: Pid) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for thread in threads {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(text) => {
                found.extend(text.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)));
            }
            // Some kernels do not have this file. If this one does, the thread has ended.
            Err(_) if !fs::exists("/proc/thread-self/children").unwrap_or(false) => {
                let is_child = |process: &Pid| {
                    of(*process).is_some_and(|stat| stat.parent == parent.as_raw_nonzero().get())
                };
                return processes().filter(is_child).collect();
            }
            Err(_) => {}
        }
    }
    found
}

/// Whether `/proc` shows the process numbers of our PID namespace. It may have been mounted in another one.
pub(super) fn is_of_our_namespace() -> bool {
    fs::read_link("/proc/self").is_ok_and(|target| target.as_os_str() == getpid().to_string().as_str())
}
