//! What Slurm said last about the jobs of a set. A user may call `status` every second, but the controller serves a
//! whole cluster, so it is asked at most every half minute, or every two seconds while a job is about to be scheduled
//! or, after it was cancelled, to end. The answer is kept in the folder `slurm/` of the set.

use super::super::folder::small_file;
use super::super::queue::Queue;
use super::{Cluster, ClusterError, Job, JobState};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long an answer is used again.
const FRESH: Duration = Duration::from_secs(30);

/// How long an answer is used again if a job is about to be scheduled, or was cancelled and is about to end.
const FRESH_AT_START: Duration = Duration::from_secs(2);

/// An answer of Slurm.
#[derive(Serialize, Deserialize)]
pub struct Lately {
    /// The jobs of the set.
    pub jobs: Vec<Job>,
    /// When Slurm said so.
    at: SystemTime,
}

impl Lately {
    /// The last answer, or a new one if that is too old. `set` is the folder of the set, `name` the name of its jobs.
    ///
    /// # Errors
    /// If Slurm is missing or does not answer.
    pub fn ask(cluster: &Cluster, set: &Path, name: &str) -> Result<Self, ClusterError> {
        if let Some(known) = Self::known(set) {
            return Ok(known);
        }
        let lately = Lately { jobs: cluster.jobs(name)?, at: SystemTime::now() };
        // If it cannot be kept, Slurm is asked again the next time.
        let _ = lately.keep(set);
        Ok(lately)
    }

    /// How long ago Slurm said so.
    pub fn age(&self) -> Duration {
        self.at.elapsed().unwrap_or_default()
    }

    /// Forgets the answer, because jobs were submitted or cancelled.
    pub fn forget(set: &Path) {
        // If the file cannot be removed, the answer in it expires after half a minute.
        let _ = fs::remove_file(file(set));
    }

    fn known(set: &Path) -> Option<Self> {
        let known: Lately = serde_json::from_slice(&small_file(&file(set)).ok()?).ok()?;
        let is_new = known.jobs.iter().any(|job| job.state == JobState::Waiting("None".to_owned()));
        let is_live = known.jobs.iter().any(|job| job.state.is_live());
        let is_ending = is_live && Queue::was_cancelled(set);
        let fresh = if is_new || is_ending { FRESH_AT_START } else { FRESH };
        // An answer from the future comes from a machine with another clock.
        known.at.elapsed().is_ok_and(|age| age < fresh).then_some(known)
    }

    fn keep(&self, set: &Path) -> io::Result<()> {
        let new = file(set).with_extension(format!("new-{}", std::process::id()));
        let written = fs::write(&new, serde_json::to_vec(self)?).and_then(|()| fs::rename(&new, file(set)));
        written.inspect_err(|_| drop(fs::remove_file(&new)))
    }
}

fn file(set: &Path) -> PathBuf {
    set.join("slurm").join("squeue")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;

    #[test]
    fn answers_are_used_for_half_a_minute() {
        let set = tempfile::tempdir().unwrap();
        fs::create_dir(set.path().join("slurm")).unwrap();
        assert!(Lately::known(set.path()).is_none());
        let kept_with = |jobs: Vec<Job>, at| {
            Lately { jobs, at }.keep(set.path()).unwrap();
            Lately::known(set.path()).is_some()
        };
        let kept = |at| kept_with(Vec::new(), at);
        let now = SystemTime::now();
        assert!(kept(now - Duration::from_secs(5)));
        assert!(!kept(now - Duration::from_secs(31)));
        assert!(!kept(now + Duration::from_secs(3600)));
        let state = JobState::of("PENDING", "None");
        let new = Job { job: "1".to_owned(), task: Some(1), state, node: String::new() };
        assert!(!kept_with(vec![new.clone()], now - Duration::from_secs(5)), "it is scheduled at once");
        assert!(kept_with(vec![new], now));
        let running =
            Job { job: "1".to_owned(), task: Some(1), state: JobState::Running, node: "n1".to_owned() };
        assert!(kept_with(vec![running.clone()], now - Duration::from_secs(5)));
        fs::create_dir(set.path().join("queue")).unwrap();
        fs::write(set.path().join("queue/cancel"), "").unwrap();
        assert!(!kept_with(vec![running], now - Duration::from_secs(5)), "it was cancelled, so it ends soon");
        Lately::forget(set.path());
        assert!(Lately::known(set.path()).is_none());
    }
}
