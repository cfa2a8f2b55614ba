//! Reads what proc(5) shows of processes. Without that file system, no process is found.

use rustix::process::{Pid, getpid};
use std::fs::{self, File};
use std::io::Read;

/// Fields of `/proc/PID/stat`.
pub(super) struct Stat {
    /// `T` for a stopped process; `Z` for a zombie, that is, a process that has ended but that its parent has not
    /// waited for.
    pub(super) state: char,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// CPU time in clock ticks, including that of the children that the process has waited for.
    pub(super) ticks: u64,
    /// When it started, in clock ticks since boot.
    pub(super) start: u64,
    /// Resident pages.
    pub(super) pages: u64,
}

/// More than the longest line of `/proc/PID/stat`: 52 numbers of at most 20 digits, and a name of at most 64 bytes.
const MAX_LINE: usize = 2048;

/// Reads the fields of a process; `None` if it does not exist.
pub(super) fn of(process: Pid) -> Option<Stat> {
    // The kernel gives the whole line to a single read. `fs::read` would need several calls, because it cannot know the
    // length in advance, and this function is called often while a program runs.
    let mut line = [0; MAX_LINE];
    let length = File::open(format!("/proc/{process}/stat")).ok()?.read(&mut line).ok()?;
    // The fields follow the name, which is in parentheses and may contain any byte.
    let end_of_name = line[..length].iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(&line[end_of_name + 1..length]).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
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
            // Some kernels do not have this file. If this kernel has it, the thread has ended.
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

/// The descendants of a process, children before their own children.
pub(super) fn descendants(root: Pid) -> Vec<Pid> {
    let (mut found, mut at) = (children(root), 0);
    while let Some(&process) = found.get(at) {
        found.extend(children(process));
        at += 1;
    }
    found
}

/// Whether `/proc` shows the process numbers of our PID namespace. It may have been mounted in another namespace.
pub(super) fn is_of_our_namespace() -> bool {
    fs::read_link("/proc/self").is_ok_and(|target| target.as_os_str() == getpid().to_string().as_str())
}
