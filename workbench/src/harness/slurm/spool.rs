//! The folder `slurm/` of a set: a copy of the program, named after its hash; the job script; the list of submitted
//! jobs; and the output of pilots.

use super::super::environment::hash;
use super::super::folder::small_file;
use super::Job;
use super::cluster::is_id;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The prefix of the names of copies of the program. The SHA-256 of the program follows it.
const PROGRAM: &str = "program-";

/// The number of digits of the hash that names the jobs of a set.
const DIGITS: usize = 12;

/// The folder `slurm/` of a set.
pub struct Spool {
    set: PathBuf,
}

/// An array of pilots that was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submitted {
    /// The id of the array.
    pub job: String,
    /// The number of pilots.
    pub pilots: u32,
    /// The time of each in minutes.
    pub minutes: u64,
}

impl Spool {
    /// The folder of the set in `set`, which need not exist.
    pub fn of(set: &Path) -> Self {
        Spool { set: set.to_owned() }
    }

    fn folder(&self) -> PathBuf {
        self.set.join("slurm")
    }

    /// The folder for the output of pilots.
    pub fn log(&self) -> PathBuf {
        self.folder().join("log")
    }

    /// The job script.
    pub fn script(&self) -> PathBuf {
        self.folder().join("pilot.sh")
    }

    /// The name of the jobs of this set. It contains a hash of the set's path, so other sets have other names. With
    /// this name, a job whose id was lost can be found again. Characters of the experiment's name that mean something
    /// to `sbatch` or `squeue`, such as a space or a comma, become `_`.
    pub fn job_name(&self, experiment: &str) -> io::Result<String> {
        let path = std::path::absolute(&self.set)?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let experiment: String = experiment.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        Ok(format!("counterpoint-{experiment}-{}", &hash(path.as_os_str().as_encoded_bytes())[..DIGITS]))
    }

    /// Copies this program into the folder, under its hash, and returns the path of the copy. A copy that is there
    /// already is used, unless its contents no longer have this hash.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn copy_program(&self, program: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(self.log())?;
        let bytes = fs::read(program)?;
        let path = self.folder().join(format!("{PROGRAM}{}", hash(&bytes)));
        // A pilot that runs an altered copy keeps it, because a renaming replaces the name and not the file.
        let is_copy = path.is_file() && fs::read(&path).is_ok_and(|copy| copy == bytes);
        if !is_copy || !is_executable(&path) {
            self.write(&path, &bytes, 0o755)?;
        }
        Ok(path)
    }

    /// Writes the job script.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_script(&self, text: &str) -> io::Result<()> {
        fs::create_dir_all(self.log())?;
        self.write(&self.script(), text.as_bytes(), 0o755)
    }

    /// Writes a file atomically: its contents are on the disk before the file gets its name.
    fn write(&self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        let new = path.with_extension(format!("new-{}", std::process::id()));
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(bytes)?;
            file.set_permissions(Permissions::from_mode(mode))?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&new, path)).inspect_err(|_| drop(fs::remove_file(&new)))
    }

    /// The list of jobs.
    ///
    /// # Errors
    /// If it is not a regular file: a link would lead out of the folder, and a pipe may never be read.
    pub fn list(&self) -> io::Result<PathBuf> {
        let path = self.folder().join("jobs");
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            let what = format!("{} is not a regular file; remove it", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(path)
    }

    /// Notes an array that was submitted.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn note(&self, submitted: &Submitted) -> io::Result<()> {
        let path = self.list()?;
        // A torn last line must not spoil the new one.
        let is_torn = small_file(&path).is_ok_and(|text| text.last().is_some_and(|&last| last != b'\n'));
        let mut line = if is_torn { vec![b'\n'] } else { Vec::new() };
        serde_json::to_writer(&mut line, submitted)?;
        line.push(b'\n');
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(&line)?;
        file.sync_all()
    }

    /// Whether pilots were submitted for this set, even if the list of jobs was lost.
    pub fn is_used(&self) -> bool {
        self.script().exists() || !self.submitted().is_empty()
    }

    /// Notes the live ones of these jobs if the list of jobs has lost them. They were found by their name.
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn recover(&self, jobs: &[Job]) -> io::Result<()> {
        let known: BTreeSet<String> = self.submitted().into_iter().map(|submitted| submitted.job).collect();
        let mut tasks: BTreeMap<&str, u32> = BTreeMap::new();
        for job in jobs.iter().filter(|job| job.state.is_live() && !known.contains(&job.job)) {
            *tasks.entry(&job.job).or_default() += 1;
        }
        if tasks.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(self.log())?;
        let script = small_text(&self.script());
        let time = script.lines().find_map(|line| line.strip_prefix("#SBATCH --time=")?.parse().ok());
        tasks.into_iter().try_for_each(|(job, pilots)| {
            self.note(&Submitted { job: job.to_owned(), pilots, minutes: time.unwrap_or_default() })
        })
    }

    /// The arrays that were submitted. A line that cannot be read, or whose job is not a number, is left out. Its jobs
    /// can still be found by their name.
    pub fn submitted(&self) -> Vec<Submitted> {
        let text = self.list().map_or(String::new(), |path| small_text(&path));
        let listed = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        listed.filter(|submitted: &Submitted| is_id(&submitted.job)).collect()
    }
}

/// The text of a small file; empty if it cannot be read.
fn small_text(path: &Path) -> String {
    small_file(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.permissions().mode() & 0o111 == 0o111)
}

/// If a program is a copy that [`Spool::copy_program`] made, but its contents no longer have the hash in its name,
/// returns the hash of its contents.
///
/// # Errors
/// If it cannot be read.
pub fn altered_program(program: &Path) -> io::Result<Option<String>> {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let Some(expected) = name.strip_prefix(PROGRAM) else { return Ok(None) };
    let found = hash(&fs::read(program)?);
    Ok((found != expected).then_some(found))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::super::JobState;
    use super::*;

    #[test]
    fn the_program_is_copied_once_and_its_copy_is_verified() {
        let home = tempfile::tempdir().unwrap();
        let original = home.path().join("original");
        fs::write(&original, "one").unwrap();
        let spool = Spool::of(&home.path().join("set"));
        let copy = spool.copy_program(&original).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"one");
        assert_eq!(altered_program(&copy).unwrap(), None);
        assert_eq!(spool.copy_program(&original).unwrap(), copy);
        fs::write(&original, "two").unwrap();
        assert_ne!(spool.copy_program(&original).unwrap(), copy, "another build has another copy");
        fs::write(&copy, "altered").unwrap();
        assert!(altered_program(&copy).unwrap().is_some());
        fs::write(&original, "one").unwrap();
        let mut open = File::open(&copy).unwrap();
        assert_eq!(spool.copy_program(&original).unwrap(), copy);
        assert_eq!((fs::read(&copy).unwrap(), altered_program(&copy).unwrap()), (b"one".to_vec(), None));
        let mut old = String::new();
        io::Read::read_to_string(&mut open, &mut old).unwrap();
        assert_eq!(old, "altered", "whoever runs the altered copy keeps it");
        fs::set_permissions(&copy, Permissions::from_mode(0o644)).unwrap();
        spool.copy_program(&original).unwrap();
        assert!(is_executable(&copy));
        assert_eq!(altered_program(&original).unwrap(), None, "not a copy");
    }

    #[test]
    fn submitted_jobs_are_listed_despite_a_torn_line() {
        let home = tempfile::tempdir().unwrap();
        let spool = Spool::of(home.path());
        assert_eq!(spool.submitted(), []);
        fs::create_dir_all(spool.folder()).unwrap();
        let jobs = [1, 2].map(|n| Submitted { job: n.to_string(), pilots: n, minutes: 5 });
        jobs.iter().for_each(|job| spool.note(job).unwrap());
        let mut file = OpenOptions::new().append(true).open(spool.folder().join("jobs")).unwrap();
        file.write_all(b"{\"job\":\"3\",\"pil").unwrap();
        assert_eq!(spool.submitted(), jobs);
        // Another text than a number would be an option of `scancel`.
        file.write_all(b"\n{\"job\":\"--me\",\"pilots\":1,\"minutes\":1}\n").unwrap();
        assert_eq!(spool.submitted(), jobs);
        // Job 3 can be found by its name.
        fs::write(spool.script(), "#!/bin/bash\n#SBATCH --time=7\n").unwrap();
        let job = |job: &str, task, state| Job {
            job: job.to_owned(),
            task: Some(task),
            state: JobState::of(state, ""),
            node: String::new(),
        };
        let found =
            [job("2", 1, "RUNNING"), job("3", 1, "RUNNING"), job("3", 2, "PENDING"), job("4", 1, "FAILED")];
        spool.recover(&found).unwrap();
        spool.recover(&found).unwrap();
        let third = Submitted { job: "3".to_owned(), pilots: 2, minutes: 7 };
        assert_eq!(spool.submitted(), [&jobs[..], &[third]].concat());
    }

    #[test]
    fn sets_have_jobs_of_different_names() {
        let name = |set: &str| Spool::of(Path::new(set)).job_name("x").unwrap();
        assert!(name("/a/main").starts_with("counterpoint-x-"));
        assert_eq!(name("/a/main"), name("/a/main"));
        assert_ne!(name("/a/main"), name("/b/main"));
        let strange = Spool::of(Path::new("/a/main")).job_name("a b,c\nd%").unwrap();
        assert!(strange.starts_with("counterpoint-a_b_c_d_-"), "{strange}");
    }
}
