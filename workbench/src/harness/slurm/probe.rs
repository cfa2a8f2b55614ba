//! Tests whether a folder is shared between machines as the queue needs it, by what they see of each other's files.
//!
//! The *members* of a test are the machine on which the user gave the command (member 0) and the tasks of a small
//! array, each on a node of its own. They meet only in the folder. Each member I
//!
//! 1. writes `hello-I` with what is known about its node, and waits for `start`; member 0 writes `start`;
//! 2. renames each of the files `token-K`, as all others do at the same time. Only one member may get each;
//! 3. tries to take a lock that member 0 holds (except member 0);
//! 4. writes `ready-I`. When all are ready, writes `ping-I` and waits until each other member J has answered
//!    with `pong-I-J`, which contains J's clock. New files become visible in at most this time;
//! 5. writes `report-I`.
//!
//! Folders are listed to find files, as the queue does, because network file systems remember for a while that a file
//! is absent.

use super::super::environment::{Environment, program_hash};
use super::super::tier::{Tier, best_tier};
use crate::process::memory_limit;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The number of files that members rename.
pub const TOKENS: usize = 50;

/// How often a folder is listed.
const PAUSE: Duration = Duration::from_millis(5);

/// How long members wait for each other once the test has started. Network file systems show new files within a minute.
const PATIENCE: Duration = Duration::from_secs(90);

/// A folder in which machines test each other.
pub struct Probe {
    folder: PathBuf,
    me: u32,
}

/// What a member knows about its node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// The host name.
    pub node: String,
    /// The processor's name.
    pub cpu_model: String,
    /// The number of processors that a pilot may use.
    pub cpus: usize,
    /// The SHA-256 of the program that runs there.
    pub program: String,
    /// How limits of runs are enforced.
    pub tier: Tier,
    /// The memory limit of the control group in which the job runs, in bytes.
    pub memory_limit: Option<u64>,
    /// The hashes of programs, in the order in which they were asked for.
    pub programs: Vec<String>,
}

/// What a member has found out about the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The files that this member has renamed.
    pub renamed: BTreeSet<usize>,
    /// How many renames succeeded and returned an error, or failed and returned none.
    pub misreported: usize,
    /// Whether a lock of another machine is respected.
    pub lock: Lock,
    /// By member, the seconds until its answer was seen.
    pub answers_s: BTreeMap<u32, f64>,
    /// By member, how many seconds its clock is ahead of ours, with an error of at most half the time of its answer.
    pub clocks_s: BTreeMap<u32, f64>,
}

/// What became of the lock that member 0 held.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lock {
    /// Not tried.
    #[default]
    Untried,
    /// It was refused to others.
    Shared,
    /// Others got it as well.
    Local,
    /// Locks are not supported; why.
    Unsupported(String),
}

impl Probe {
    /// Member `me` of the test in `folder`.
    pub fn new(folder: &Path, me: u32) -> Self {
        Probe { folder: folder.to_owned(), me }
    }

    /// For member 0: asks for the hashes of these programs, and makes the files that are renamed.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn prepare(&self, programs: &[String]) -> io::Result<()> {
        self.publish("programs", &programs)?;
        (0..TOKENS).try_for_each(|token| self.publish(&format!("token-{token}"), &token))?;
        File::create(self.folder.join("lock")).map(drop)
    }

    /// For member 0: the facts of the members that have begun.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn present(&self) -> io::Result<BTreeMap<u32, Facts>> {
        self.all("hello-")
    }

    /// For member 0: starts the test with these others, takes part, and returns all reports that come in time.
    /// `is_over` ends it early.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn lead(
        &self,
        others: &BTreeSet<u32>,
        is_over: &dyn Fn() -> bool,
    ) -> io::Result<BTreeMap<u32, Report>> {
        let lock = File::open(self.folder.join("lock"))?;
        // If locks are not supported, the others say so.
        let _ = lock.lock();
        let members: BTreeSet<u32> = others.iter().copied().chain([self.me]).collect();
        self.publish("start", &members)?;
        let own = self.take_part(&members, is_over)?;
        self.publish(&format!("report-{}", self.me), &own)?;
        let end = Instant::now() + PATIENCE;
        loop {
            let reports: BTreeMap<u32, Report> = self.all("report-")?;
            if reports.len() == members.len() || Instant::now() > end || is_over() {
                return Ok(reports);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// For the other members: the whole test. Waits at most this long for its start.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn follow(&self, wait: Duration) -> io::Result<()> {
        let programs: Vec<String> = self.read("programs")?.unwrap_or_default();
        self.publish(&format!("hello-{}", self.me), &self.facts(&programs)?)?;
        let end = Instant::now() + wait;
        let members: BTreeSet<u32> = loop {
            // The folder of a test that has ended is removed.
            if self.names()?.contains("start")
                && let Some(members) = self.read("start")?
            {
                break members;
            }
            if Instant::now() > end {
                return Err(io::Error::other("the test did not start in time"));
            }
            std::thread::sleep(PAUSE);
        };
        if !members.contains(&self.me) {
            return Ok(());
        }
        let report = self.take_part(&members, &|| false)?;
        self.publish(&format!("report-{}", self.me), &report)
    }

    fn facts(&self, programs: &[String]) -> io::Result<Facts> {
        let here = Environment::here(1, best_tier().tier, Vec::new())?;
        Ok(Facts {
            node: here.node,
            cpu_model: here.cpu_model,
            cpus: here.cpu_count,
            program: here.binary_hash,
            tier: here.limit_tier,
            memory_limit: memory_limit(),
            programs: programs.iter().map(|program| program_hash(program)).collect(),
        })
    }

    fn take_part(&self, members: &BTreeSet<u32>, is_over: &dyn Fn() -> bool) -> io::Result<Report> {
        let mut report = Report::default();
        for token in 0..TOKENS {
            let mine = self.folder.join(format!("token-{token}@{}", self.me));
            let renamed = fs::rename(self.folder.join(format!("token-{token}")), &mine).is_ok();
            let is_mine = File::open(&mine).is_ok();
            report.renamed.extend(is_mine.then_some(token));
            report.misreported += usize::from(renamed != is_mine);
        }
        if self.me != 0 {
            report.lock = self.try_lock();
        }
        self.publish(&format!("ready-{}", self.me), &())?;
        self.exchange(members, &mut report, is_over)?;
        Ok(report)
    }

    fn try_lock(&self) -> Lock {
        match File::open(self.folder.join("lock")).map(|file| file.try_lock()) {
            Ok(Ok(())) => Lock::Local,
            Ok(Err(TryLockError::WouldBlock)) => Lock::Shared,
            Ok(Err(TryLockError::Error(error))) | Err(error) => Lock::Unsupported(error.to_string()),
        }
    }

    /// Answers the others, and notes when they answer. A member asks when all are ready, so that it measures the folder
    /// and not how late the others begin.
    fn exchange(
        &self,
        members: &BTreeSet<u32>,
        report: &mut Report,
        is_over: &dyn Fn() -> bool,
    ) -> io::Result<()> {
        let (me, end) = (self.me, Instant::now() + PATIENCE);
        let others: Vec<u32> = members.iter().copied().filter(|&other| other != me).collect();
        let mut asked: Option<(SystemTime, Instant)> = None;
        let mut answered = BTreeSet::new();
        while (answered.len() < others.len() || report.answers_s.len() < others.len()) && !is_over() {
            if Instant::now() > end {
                break;
            }
            let names = self.names()?;
            if asked.is_none() && members.iter().all(|member| names.contains(&format!("ready-{member}"))) {
                asked = Some((SystemTime::now(), Instant::now()));
                self.publish(&format!("ping-{me}"), &())?;
            }
            for &other in &others {
                if names.contains(&format!("ping-{other}")) && answered.insert(other) {
                    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                    self.publish(&format!("pong-{other}-{me}"), &clock.as_secs_f64())?;
                }
                let Some((clock, start)) = asked.filter(|_| !report.answers_s.contains_key(&other)) else {
                    continue;
                };
                if names.contains(&format!("pong-{me}-{other}"))
                    && let Some(their_s) = self.read::<f64>(&format!("pong-{me}-{other}"))?
                {
                    let answer_s = start.elapsed().as_secs_f64();
                    let own = clock.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
                    report.answers_s.insert(other, answer_s);
                    report.clocks_s.insert(other, their_s - (own + answer_s / 2.0));
                }
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Writes a file so that others see all of it or nothing.
    fn publish(&self, name: &str, value: &impl Serialize) -> io::Result<()> {
        let new = self.folder.join(format!(".new-{name}-{}", self.me));
        let mut file = File::create(&new)?;
        file.write_all(&serde_json::to_vec(value)?)?;
        file.sync_all()?;
        fs::rename(&new, self.folder.join(name))
    }

    /// Reads a file; `None` if it cannot be read yet.
    fn read<T: DeserializeOwned>(&self, name: &str) -> io::Result<Option<T>> {
        match fs::read(self.folder.join(name)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn names(&self) -> io::Result<BTreeSet<String>> {
        let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        fs::read_dir(&self.folder)?.map(name).collect()
    }

    /// By member, the contents of the files whose names begin with `prefix`.
    fn all<T: DeserializeOwned>(&self, prefix: &str) -> io::Result<BTreeMap<u32, T>> {
        let mut found = BTreeMap::new();
        for name in self.names()? {
            let member = name.strip_prefix(prefix).and_then(|member| member.parse().ok());
            if let Some(member) = member
                && let Some(value) = self.read(&name)?
            {
                found.insert(member, value);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;

    #[test]
    fn members_find_each_other_and_share_the_files() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        let leader = Probe::new(folder, 0);
        leader.prepare(&["sh".to_owned(), "no-such-program".to_owned()]).unwrap();
        let reports = std::thread::scope(|scope| {
            for member in [1, 2] {
                scope.spawn(move || Probe::new(folder, member).follow(PATIENCE).unwrap());
            }
            while leader.present().unwrap().len() < 2 {
                std::thread::sleep(PAUSE);
            }
            leader.lead(&BTreeSet::from([1, 2]), &|| false).unwrap()
        });
        let facts = leader.present().unwrap();
        assert_eq!(facts[&1].programs.len(), 2);
        assert_eq!(facts[&1].programs[1], "unknown");
        let mut tokens: Vec<usize> = reports.values().flat_map(|report| report.renamed.clone()).collect();
        tokens.sort_unstable();
        assert!(tokens.iter().copied().eq(0..TOKENS), "each file is renamed once: {tokens:?}");
        for (member, report) in &reports {
            assert_eq!(report.misreported, 0);
            assert_eq!(report.answers_s.len(), 2, "member {member}");
            assert!(report.clocks_s.values().all(|s| s.abs() < 60.0), "{report:?}");
            assert_eq!(report.lock, if *member == 0 { Lock::Untried } else { Lock::Shared });
        }
    }

    #[test]
    fn a_member_that_is_not_in_the_test_leaves() {
        let home = tempfile::tempdir().unwrap();
        let leader = Probe::new(home.path(), 0);
        leader.prepare(&[]).unwrap();
        leader.lead(&BTreeSet::new(), &|| false).unwrap();
        Probe::new(home.path(), 7).follow(PATIENCE).unwrap();
        let late = Probe::new(tempfile::tempdir().unwrap().path(), 1).follow(Duration::ZERO);
        assert!(late.is_err(), "its folder is gone");
    }
}
