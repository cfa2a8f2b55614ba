//! Processor cores for pinned runs (`pin = true`): each slot gets a core of its own, and only one of the core's
//! hardware threads is used, because the threads of a core share its caches and execution units. Linux calls each
//! hardware thread a processor and numbers them.
//!
//! Several experiments may run on one machine, so a process *claims* the cores that it uses. To claim a core, it holds
//! a socket whose name contains the number of the core's first processor. The kernel releases the name when the process
//! ends, even if it is killed, so nothing can be left behind. Each network namespace has its own names, so processes in
//! different containers do not see each other's claims.

use itertools::Itertools;
use std::io;

/// The cores that this process holds. They are released when the value is dropped.
#[derive(Debug, Default)]
pub struct Cores {
    held: Vec<(Core, claim::Claim)>,
}

/// Why the cores of this machine are not known, or processes cannot be pinned to them.
#[derive(Debug, thiserror::Error)]
pub enum CoresError {
    /// The system does not say which processors this process may use.
    #[error("the allowed processors are not known: {0}")]
    NotAllowed(io::Error),
    /// A file that says which processors belong to one core cannot be read.
    #[error("{path} cannot be read: {error}")]
    Unreadable {
        /// The path of the file.
        path: String,
        /// Why it cannot be read.
        error: io::Error,
    },
    /// The processors of a core are given in an unknown form.
    #[error("the siblings of processor {processor} are given as {found:?}")]
    Siblings {
        /// A processor of the core.
        processor: u32,
        /// The text that should be a list of processors.
        found: String,
    },
}

/// What [`Cores::claim`] would claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The number of cores.
    pub cores: usize,
    /// Which processors runs would get, in words.
    pub words: String,
}

/// A core that this process may use.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Core {
    /// All processors of the core, in ascending order.
    all: Vec<u32>,
    /// The lowest processor of the core that this process may use.
    processor: u32,
}

impl Core {
    /// The name of the socket that claims the core.
    fn name(&self) -> String {
        format!("counterpoint-core-{}", self.all.first().unwrap_or(&self.processor))
    }
}

impl Cores {
    /// Claims up to `wanted` cores. Fewer cores are claimed if this process may use fewer, or if other processes hold
    /// some of them.
    ///
    /// # Errors
    /// Returns an error if this system cannot pin processes, or its cores are not known.
    pub fn claim(wanted: usize) -> Result<Self, CoresError> {
        let mut held = Vec::new();
        for core in cores()? {
            if held.len() < wanted
                && let Some(claim) = claim::take(&core.name())
            {
                held.push((core, claim));
            }
        }
        Ok(Cores { held })
    }

    /// Says which cores [`Cores::claim`] would claim.
    ///
    /// # Errors
    /// Returns the errors of [`Cores::claim`].
    pub fn preview(wanted: usize) -> Result<Preview, CoresError> {
        let taken = claim::taken();
        let (held, mut free): (Vec<Core>, Vec<Core>) =
            cores()?.into_iter().partition(|core| taken.contains(&core.name()));
        free.truncate(wanted);
        let siblings = free.iter().flat_map(|core| core.all.iter().filter(|&&other| other != core.processor));
        let groups = [
            ("runs get", free.iter().map(|core| core.processor).collect_vec()),
            ("their siblings stay idle:", siblings.copied().collect()),
            ("other experiments use", held.iter().map(|core| core.processor).collect()),
        ];
        let groups = groups.iter().filter(|(_, processors)| !processors.is_empty());
        let words = groups.map(|(what, processors)| match &processors[..] {
            [one] => format!("{what} processor {one}"),
            all => format!("{what} processors {}", all.iter().join(", ")),
        });
        Ok(Preview { cores: free.len(), words: words.collect_vec().join("; ") })
    }

    /// The number of cores.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether there are no cores.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The processor of a slot; `None` if runs are not pinned.
    pub(super) fn of_slot(&self, slot: usize) -> Option<u32> {
        self.held.get(slot).map(|(core, _)| core.processor)
    }
}

/// The cores that this process may use, in the order in which runs get them. The core of processor 0 is the last in
/// this order, because processor 0 handles most interrupts and the runner itself needs a processor.
fn cores() -> Result<Vec<Core>, CoresError> {
    let allowed = affinity::allowed().map_err(CoresError::NotAllowed)?;
    let mut cores = one_per_core(&allowed, |processor| {
        let path = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
        std::fs::read_to_string(&path).map_err(|error| CoresError::Unreadable { path, error })
    })?;
    cores.reverse();
    Ok(cores)
}

/// The cores of the allowed processors. `siblings` returns the list of the processors of a processor's core.
fn one_per_core(
    allowed: &[u32],
    siblings: impl Fn(u32) -> Result<String, CoresError>,
) -> Result<Vec<Core>, CoresError> {
    let (mut chosen, mut covered) = (Vec::new(), Vec::new());
    for &processor in allowed {
        if covered.contains(&processor) {
            continue;
        }
        let list = siblings(processor)?;
        let mut all = processors(list.trim())
            .filter(|all| all.contains(&processor))
            .ok_or_else(|| CoresError::Siblings { processor, found: list.trim().to_owned() })?;
        all.sort_unstable();
        covered.extend(&all);
        chosen.push(Core { all, processor });
    }
    Ok(chosen)
}

/// The processors in a list such as `0-3,8`; `None` if it is not such a list.
fn processors(list: &str) -> Option<Vec<u32>> {
    /// Processor numbers must be below this. No machine has more processors.
    const MAX: u32 = 1 << 16;
    let mut found = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
        if first > last || last >= MAX {
            return None;
        }
        found.extend(first..=last);
    }
    Some(found)
}

/// Pins this thread, and all threads and processes that it starts from now on, to a processor.
///
/// # Errors
/// Returns an error if this process must not use the processor, or this system cannot pin processes.
pub fn pin(processor: u32) -> io::Result<()> {
    affinity::pin(processor)
}

/// The number of processors that this process may use. Limits of control groups are ignored, because the
/// standard library would have to read several files to find them.
pub(super) fn n_allowed() -> u32 {
    let allowed = affinity::allowed().map(|allowed| allowed.len());
    let count = allowed.or_else(|_| std::thread::available_parallelism().map(std::num::NonZero::get));
    count.map_or(1, |count| count.max(1) as u32)
}

#[cfg(target_os = "linux")]
mod affinity {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::io;

    pub(super) fn allowed() -> io::Result<Vec<u32>> {
        let set = sched_getaffinity(None)?;
        Ok((0..CpuSet::MAX_CPU).filter(|&i| set.is_set(i)).map(|i| i as u32).collect())
    }

    pub(super) fn pin(processor: u32) -> io::Result<()> {
        let processor = processor as usize;
        if processor >= CpuSet::MAX_CPU {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut set = CpuSet::new();
        set.set(processor);
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod affinity {
    use std::io;

    pub(super) fn allowed() -> io::Result<Vec<u32>> {
        Err(io::Error::other("this system cannot pin processes"))
    }

    pub(super) fn pin(_: u32) -> io::Result<()> {
        Err(io::Error::other("this system cannot pin processes"))
    }
}

#[cfg(target_os = "linux")]
mod claim {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};

    /// A bound name in the abstract namespace of sockets. Child processes do not inherit it.
    pub(super) type Claim = UnixListener;

    /// Claims the core of this name; `None` if another process holds it.
    pub(super) fn take(name: &str) -> Option<Claim> {
        UnixListener::bind_addr(&SocketAddr::from_abstract_name(name).ok()?).ok()
    }

    /// The names of all sockets, which include those of all claimed cores.
    pub(super) fn taken() -> Vec<String> {
        let sockets = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
        sockets.lines().filter_map(|line| Some(line.rsplit_once('@')?.1.to_owned())).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod claim {
    /// On other systems, there are no claims.
    #[derive(Debug)]
    pub(super) struct Claim;

    pub(super) fn take(_: &str) -> Option<Claim> {
        None
    }

    pub(super) fn taken() -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{CoresError, one_per_core, processors};

    #[test]
    fn lists_of_processors_are_numbers_and_ranges() {
        assert_eq!(processors("0"), Some(vec![0]));
        assert_eq!(processors("0-2,8"), Some(vec![0, 1, 2, 8]));
        for list in ["", "a", "3-1", "0-4000000000", "1,", "-1"] {
            assert_eq!(processors(list), None, "{list}");
        }
    }

    #[test]
    fn siblings_are_avoided() {
        // Processors 0 to 3 are the first threads of four cores, and 4 to 7 are their second threads.
        let paired = |processor: u32| Ok(format!("{},{}\n", processor % 4, processor % 4 + 4));
        let found = |allowed: &[u32]| {
            let cores = one_per_core(allowed, paired).unwrap();
            cores.into_iter().map(|core| (core.all[0], core.processor)).collect::<Vec<_>>()
        };
        assert_eq!(found(&[0, 1, 2, 3, 4, 5, 6, 7]), [(0, 0), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(found(&[2, 5, 6, 7]), [(2, 2), (1, 5), (3, 7)]);
        assert!(one_per_core(&[3], |_| Ok("0-2".to_owned())).is_err());
        let unreadable = |_| Err(CoresError::NotAllowed(std::io::Error::other("unreadable")));
        assert!(one_per_core(&[3], unreadable).is_err());
    }
}
