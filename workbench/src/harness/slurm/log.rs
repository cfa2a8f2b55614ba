//! Reads the output of pilots for what Slurm has written into it.

use super::super::folder::metadata;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// How much of the end of an output is read, in bytes. Slurm writes its words there.
const TAIL: u64 = 4096;

/// Slurm's words for a task that was killed because its job used too much memory; in lower case.
const MEMORY: [&str; 6] = [
    "oom_kill",
    "oom-kill",
    "out of memory",
    "exceeded job memory limit",
    "exceeded step memory limit",
    "exceeded memory limit",
];

/// The names of the output files in `folder` in which Slurm or the kernel says that it killed a task of the
/// job for memory. Slurm itself forgets this after minutes.
pub fn killed_for_memory(folder: &Path, job: &str) -> Vec<String> {
    let prefix = format!("{job}_");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut found: Vec<String> = names
        .filter(|name| name.starts_with(&prefix))
        // An output that cannot be read is skipped.
        .filter(|name| tail(&folder.join(name)).is_ok_and(|text| says_so(&text)))
        .collect();
    found.sort();
    found
}

/// The last line that each task of the job has written to its output in `folder`, sorted.
pub fn last_lines(folder: &Path, job: &str) -> Vec<String> {
    let prefix = format!("{job}_");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let outputs = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix));
    // An output that cannot be read is skipped.
    let mut lines: Vec<String> = outputs.filter_map(|entry| last_line(&entry.path())).collect();
    lines.sort();
    lines
}

/// The last line of an output that is not blank; `None` if there is none.
pub fn last_line(output: &Path) -> Option<String> {
    let text = tail(output).ok()?;
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
}

fn says_so(text: &str) -> bool {
    // Only Slurm's own lines count: a solver may print such words, too.
    let is_slurms = |line: &&str| line.split_once(": ").is_some_and(|(speaker, _)| is_speaker(speaker));
    let lines = text.lines().filter(is_slurms);
    lines.map(str::to_lowercase).any(|line| MEMORY.iter().any(|words| line.contains(words)))
}

/// Whether lines that begin with this word come from Slurm. Some versions add the node: `slurmstepd-n1`.
fn is_speaker(word: &str) -> bool {
    word == "slurmstepd" || word == "srun" || word.starts_with("slurmstepd-") && !word.contains(' ')
}

fn tail(path: &Path) -> io::Result<String> {
    // A pipe may never be written to.
    if !metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"));
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;

    #[test]
    fn slurms_words_about_memory_are_found() {
        let home = tempfile::tempdir().unwrap();
        let killed = "slurmstepd: error: Detected 1 oom_kill event in StepId=14.batch. Some of the step tasks have been \
                      OOM Killed.\n";
        let long = "x".repeat(9000) + "\nslurmstepd: error: Exceeded job memory limit\n";
        for (name, text) in [
            ("14_1.txt", killed),
            ("14_2.txt", long.as_str()),
            ("14_3.txt", "the solver ran out of memory\n"),
            ("15_1.txt", killed),
            ("14_4.txt", ""),
            (
                "14_5.txt",
                "slurmstepd-n1: error: StepId=9.batch exceeded memory limit (23 > 5), being killed\n",
            ),
            ("14_6.txt", "slurmstepd-n1: error: Exceeded step memory limit at some point.\n"),
            ("14_7.txt", "slurmstepd-n1: error: *** JOB 9 ON n1 CANCELLED AT 2026-11-27T17:26:00 ***\n"),
            ("14_8.txt", "slurmstepd-like solver: exceeded memory limit\n"),
        ] {
            fs::write(home.path().join(name), text).unwrap();
        }
        let expected = ["14_1.txt", "14_2.txt", "14_5.txt", "14_6.txt"];
        assert_eq!(killed_for_memory(home.path(), "14"), expected);
        assert_eq!(killed_for_memory(&home.path().join("absent"), "14"), [""; 0]);
    }

    #[test]
    fn the_last_line_of_each_task_is_found() {
        let home = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("14_1.txt", "10 runs\nout of time\n\n"),
            ("14_2.txt", "all runs have records"),
            ("14_3.txt", "\n"),
            ("15_1.txt", "cancelled\n"),
        ] {
            fs::write(home.path().join(name), text).unwrap();
        }
        assert_eq!(last_lines(home.path(), "14"), ["all runs have records", "out of time"]);
    }
}
