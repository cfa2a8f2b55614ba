//! How long ago runners last showed that they are alive, for commands that look at a queue only once, such as `status`.
//! They cannot wait until a counter changes, so they compare the times of files, by the file system's clock. Runners
//! never do this (`deaths.rs`).

use super::Queue;
use crate::harness::folder::{age, files, now};
use crate::harness::segment::NEW;
use crate::process::{Identity, Life};
use rustc_hash::FxHashMap;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// For each runner of a set, how long ago its counter was written.
pub struct Heartbeats(FxHashMap<String, Duration>);

impl Queue {
    /// The heartbeats of the runners of the set in `folder`.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn heartbeats(folder: &Path) -> io::Result<Heartbeats> {
        let counters = files(&folder.join("queue").join("alive"), |name| !name.starts_with('.'))?;
        if counters.is_empty() {
            return Ok(Heartbeats(FxHashMap::default()));
        }
        // A process that can only read the folder has no better clock than that of this machine.
        let clock = folder.join(format!("{NEW}{}", Identity::this().name()));
        let now = now(&clock).unwrap_or_else(|_| SystemTime::now());
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The time of a file in the future is as good as now.
        Ok(Heartbeats(counters.iter().map(|path| (name(path), age(path, now).unwrap_or_default())).collect()))
    }
}

impl Heartbeats {
    /// How long ago the counter of a runner was written; `None` if it has none.
    pub fn age(&self, runner: &str) -> Option<Duration> {
        self.0.get(runner).copied()
    }

    /// The number of runners on other machines whose counters were written within the lease.
    pub fn live_elsewhere(&self, lease: Duration) -> usize {
        self.live(lease).filter(|runner| Identity::this().life(runner) == Life::Elsewhere).count()
    }

    /// Whether some runner may be alive.
    pub fn any_live(&self, lease: Duration) -> bool {
        self.live(lease).any(|runner| Identity::this().life(runner) != Life::Ended)
    }

    fn live(&self, lease: Duration) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(_, age)| **age <= lease).map(|(runner, _)| runner.as_str())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;
    use std::fs::{self, File};

    #[test]
    fn only_recent_counters_of_other_machines_count() {
        let home = tempfile::tempdir().unwrap();
        let alive = home.path().join("queue/alive");
        let lease = Duration::from_secs(180);
        assert_eq!(Queue::heartbeats(home.path()).unwrap().live_elsewhere(lease), 0);
        fs::create_dir_all(&alive).unwrap();
        let me = Identity::this();
        let ended = format!("{}.1", me.name().rsplit_once('.').unwrap().0);
        for (name, age) in [("n1.1.2.3", 5), ("n2.1.2.3", 400), (me.name(), 1), (&ended, 1)] {
            let file = File::create(alive.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        let found = Queue::heartbeats(home.path()).unwrap();
        assert_eq!((found.live_elsewhere(lease), found.any_live(lease)), (1, true));
        assert!(found.age("n2.1.2.3").unwrap() >= Duration::from_secs(399));
        assert_eq!(found.age("n3.1.2.3"), None);
        [me.name(), "n1.1.2.3"].iter().for_each(|name| fs::remove_file(alive.join(name)).unwrap());
        assert!(!Queue::heartbeats(home.path()).unwrap().any_live(lease));
        let left = files(home.path(), |name| name.starts_with(NEW)).unwrap();
        assert_eq!(left, [] as [std::path::PathBuf; 0], "nothing is left behind");
    }
}
