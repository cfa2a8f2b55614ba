//! Compacts a set: merges its segments into one file, byte for byte, without lines that occur twice.
//!
//! # Steps
//! 1. Refuse if a process may still write into the set, or if a segment is a link to another one.
//! 2. Copy the complete lines of all segments to a temporary file, and flush it to disk.
//! 3. Rename the file, so that it becomes a segment. From now on, each attempt is in the set twice, which readers do not
//!    count as a duplicate, because both have the same name.
//! 4. Remove the old segments, but none that has grown in the meantime.
//!
//! If the process is killed at any moment, no record is lost: before step 3, readers ignore the temporary file, and
//! after it, the old segments are no longer needed. Compacting again completes the work. Lines that readers reject are
//! kept, so that they are still reported.

mod error;

pub use error::CompactError;

use super::environment::hash;
use super::folder::{BUFFER, age, files, next_line, now};
use super::segment::{NEW, sweep};
use crate::process::{Identity, Life};
use counterpoint_base::keyed::KeyedSet;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A process on another machine counts as working if it has written one of its files within this time.
const PATIENCE: Duration = Duration::from_secs(600);

/// The name of a compacted segment begins with this.
const COMPACTED: &str = "compacted-";

/// What compacting has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// The new segment; `None` if the set has at most one segment, and nothing can be left out of it.
    pub file: Option<PathBuf>,
    /// How many segments became one.
    pub segments: usize,
    /// How many lines the new segment has.
    pub lines: usize,
    /// How many lines were left out because they occur twice.
    pub repeated: usize,
    /// How many segments ended with an incomplete line, which was left out.
    pub incomplete: usize,
    /// The segments that were kept because they have grown.
    pub kept: Vec<PathBuf>,
}

/// A moment between two steps. Tests end the process there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Some lines of the temporary file are written.
    Writing,
    /// The temporary file is complete.
    Written,
    /// The temporary file has become a segment.
    Renamed,
    /// The first of the old segments is removed.
    Removing,
}

/// Compacts the set in a folder. `reached` is called at each [`Moment`].
///
/// # Errors
/// Returns an error if a process works on the set, if a segment is a link to another one, or if a file cannot be read or
/// written. Then the set is unchanged, or some of its records occur twice; readers count each of them once.
pub fn compact(folder: &Path, reached: &dyn Fn(Moment)) -> Result<Compacted, CompactError> {
    let me = Identity::this();
    refuse_if_in_use(folder, &me)?;
    let segments = files(folder, |name| name.ends_with(".jsonl"))?;
    let segments: Vec<PathBuf> = segments.into_iter().filter(|path| path.is_file()).collect();
    refuse_links(&segments)?;
    sweep(folder)?;
    let new = folder.join(format!("{NEW}{}", me.name()));
    let mut done = Compacted { segments: segments.len(), ..Compacted::default() };
    let sizes = copy(&segments, &new, &mut done, reached).inspect_err(|_| drop(fs::remove_file(&new)))?;
    reached(Moment::Written);
    if segments.len() < 2 && done.repeated + done.incomplete == 0 {
        fs::remove_file(&new)?;
        return Ok(done);
    }
    let path = unused(folder, &me);
    fs::rename(&new, &path).inspect_err(|_| drop(fs::remove_file(&new)))?;
    File::open(folder)?.sync_all()?;
    reached(Moment::Renamed);
    for (segment, size) in segments.iter().zip(sizes) {
        if fs::metadata(segment)?.len() == size {
            fs::remove_file(segment)?;
            reached(Moment::Removing);
        } else {
            done.kept.push(segment.clone());
        }
    }
    File::open(folder)?.sync_all()?;
    done.file = Some(path);
    Ok(done)
}

/// A name for the new segment that no file has had, because readers remember by name how far they have read.
fn unused(folder: &Path, me: &Identity) -> PathBuf {
    let path = |i: u32| folder.join(format!("{COMPACTED}{}-{i}.jsonl", me.name()));
    (1..).map(path).find(|path| !path.exists()).unwrap_or_else(|| path(0))
}

/// Copies the complete lines of segments to a new file. Returns the sizes of the segments.
fn copy(
    segments: &[PathBuf],
    new: &Path,
    done: &mut Compacted,
    reached: &dyn Fn(Moment),
) -> io::Result<Vec<u64>> {
    let mut out = BufWriter::new(File::create(new)?);
    let mut known: KeyedSet<String> = KeyedSet::default();
    let mut sizes = Vec::new();
    for segment in segments {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("{} cannot be read: {error}", segment.display()))
        };
        let (mut size, mut line) = (0, Vec::new());
        let mut file = BufReader::with_capacity(BUFFER, File::open(segment).map_err(named)?);
        while let Some(length) = next_line(&mut file, &mut line).map_err(named)? {
            size += length;
            if line.trim_ascii().is_empty() {
                continue;
            }
            if line.len() as u64 != length {
                let what = "it has a line that is too long to be a record; remove the line";
                return Err(io::Error::other(format!("{}: {what}", segment.display())));
            }
            // Not by key and attempt: of two different lines with both, one may be damaged.
            if known.insert(hash(&line)) {
                out.write_all(&line)?;
                done.lines += 1;
            } else {
                done.repeated += 1;
            }
        }
        let all = fs::metadata(segment).map_err(named)?.len();
        done.incomplete += usize::from(all > size);
        sizes.push(all);
        out.flush()?;
        reached(Moment::Writing);
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(sizes)
}

/// Fails if a process may still write into the set: it is in the queue, or one of the segments is its own.
fn refuse_if_in_use(folder: &Path, me: &Identity) -> Result<(), CompactError> {
    let queue = folder.join("queue");
    let mut named: Vec<(String, PathBuf)> = Vec::new();
    for path in files(&queue.join("alive"), |_| true)? {
        named.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path));
    }
    for path in files(&queue.join("taken"), |name| name.contains('@'))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        named.extend(name.rsplit_once('@').map(|(_, owner)| (owner.to_owned(), path.clone())));
    }
    for path in files(folder, |name| name.ends_with(".jsonl"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // A process whose file was deleted adds a number to the name of its next file.
        let writer = name.rsplit_once('-').filter(|(_, number)| number.parse::<u32>().is_ok());
        named.push((writer.map_or(name.as_str(), |(writer, _)| writer).to_owned(), path));
    }
    let now = now(&folder.join(format!("{NEW}{}", me.name())))?;
    // The file that was written last says how long to wait.
    named.sort_by_cached_key(|(_, path)| age(path, now));
    for (name, path) in named {
        let state = match me.life(&name) {
            Life::Ended => continue,
            _ if name == me.name() => continue,
            Life::Running => "works on this set",
            Life::Stopped => "is stopped, but has not finished its work on this set",
            Life::Elsewhere if age(&path, now).is_some_and(|age| age > PATIENCE) => continue,
            // Not a segment that a process writes.
            Life::Elsewhere if name.matches('.').count() < 3 || name.starts_with(COMPACTED) => continue,
            Life::Elsewhere if is_in_the_future(&path, now) => {
                return Err(CompactError::Future { file: path, name });
            }
            Life::Elsewhere => {
                let age = age(&path, now).unwrap_or_default();
                return Err(CompactError::Recent { name, age, wait: PATIENCE.saturating_sub(age) });
            }
        };
        return Err(CompactError::InUse { name, state });
    }
    Ok(())
}

/// Fails if a segment is a symbolic link to another segment. Once that one was removed, the link would lead nowhere.
fn refuse_links(segments: &[PathBuf]) -> Result<(), CompactError> {
    let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    let (links, plain): (Vec<&PathBuf>, Vec<&PathBuf>) = segments.iter().partition(|path| is_link(path));
    if links.is_empty() {
        return Ok(());
    }
    let mut places: HashMap<PathBuf, &PathBuf> = HashMap::new();
    for segment in plain {
        places.insert(fs::canonicalize(segment)?, segment);
    }
    for link in links {
        if let Some(&target) = places.get(&fs::canonicalize(link)?) {
            return Err(CompactError::Link { link: link.clone(), target: target.clone() });
        }
    }
    Ok(())
}

/// Whether a file was written so long after `now` that the clocks of a sound cluster do not explain it.
fn is_in_the_future(path: &Path, now: SystemTime) -> bool {
    let written = path.metadata().and_then(|metadata| metadata.modified());
    written.is_ok_and(|written| written.duration_since(now).is_ok_and(|ahead| ahead > PATIENCE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::Set;
    use crate::record::Record;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// A record of an attempt at run `key`.
    fn line(key: &str, attempt: &str, verdict: &str) -> String {
        let mut record = Record { key: key.to_owned(), attempt: attempt.to_owned(), ..Record::default() };
        record.repetition = 1;
        record.start = "2026-01-02T03:04:05.000006Z".to_owned();
        record.findings.verdict = serde_json::from_str(&format!("\"{verdict}\"")).unwrap();
        serde_json::to_string(&record).unwrap() + "\n"
    }

    /// A set with two attempts at one run, a failed one, a damaged line, a repeated line, and an incomplete line.
    fn set() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        let write = |name: &str, text: String| fs::write(home.path().join(name), text).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|key| line(key, &format!("{key}.1"), "unsupported"));
        write("x.4026531836.1.1.jsonl", format!("{a}{b}not a record\n\n"));
        write(
            "y.4026531836.1.1.jsonl",
            format!("{}{}", line("a", "a.2", "unsupported"), line("c", "c.0", "failed")),
        );
        write("z.4026531836.1.1.jsonl", format!("{c}{b}{}", &c[..20]));
        for file in files(home.path(), |_| true).unwrap() {
            let old = SystemTime::now() - 2 * PATIENCE;
            File::options().append(true).open(file).unwrap().set_modified(old).unwrap();
        }
        home
    }

    /// Everything that readers see.
    fn seen(folder: &Path) -> (Vec<Record>, usize, Vec<String>) {
        let set = Set::open(folder).unwrap();
        let mut records: Vec<Record> = set.iter().map(|record| record.record()).collect();
        records.sort_by(|a, b| a.key.cmp(&b.key));
        let mut reasons: Vec<String> = set.rejected().iter().map(|found| found.reason.clone()).collect();
        reasons.dedup();
        (records, set.duplicates(), reasons)
    }

    #[test]
    fn one_file_has_everything_that_readers_see() {
        let home = set();
        let before = seen(home.path());
        assert_eq!((before.0.len(), before.1, before.2.len()), (3, 1, 1));
        let done = compact(home.path(), &|_| ()).unwrap();
        assert_eq!((done.segments, done.lines, done.repeated, done.incomplete), (3, 6, 1, 1));
        assert_eq!(files(home.path(), |_| true).unwrap(), [done.file.unwrap()]);
        assert_eq!(seen(home.path()), before);
        let again = compact(home.path(), &|_| ()).unwrap();
        assert_eq!((again.file, again.segments, again.lines), (None, 1, 6));
        assert_eq!(seen(home.path()), before);
    }

    #[test]
    fn a_kill_at_any_moment_loses_and_doubles_nothing() {
        for moment in [Moment::Writing, Moment::Written, Moment::Renamed, Moment::Removing] {
            let home = set();
            let before = seen(home.path());
            let kill = |reached: Moment| assert_ne!(reached, moment, "killed");
            let ended = catch_unwind(AssertUnwindSafe(|| compact(home.path(), &kill).map(drop)));
            assert!(ended.is_err(), "{moment:?}");
            assert_eq!(seen(home.path()), before, "{moment:?}");
            compact(home.path(), &|_| ()).unwrap();
            assert_eq!(seen(home.path()), before, "{moment:?}");
            let left = files(home.path(), |name| name.ends_with(".jsonl")).unwrap();
            assert_eq!(left.len(), 1, "{moment:?}: {left:?}");
        }
    }

    #[test]
    fn a_segment_that_has_grown_is_kept() {
        let home = set();
        let path = home.path().join("y.4026531836.1.1.jsonl");
        let grow = |reached: Moment| {
            if reached == Moment::Renamed {
                let mut file = File::options().append(true).open(&path).unwrap();
                file.write_all(line("d", "d.1", "unsupported").as_bytes()).unwrap();
            }
        };
        let before = seen(home.path());
        let done = compact(home.path(), &grow).unwrap();
        assert_eq!(done.kept, std::slice::from_ref(&path));
        let after = seen(home.path());
        assert_eq!((after.0.len(), after.1), (before.0.len() + 1, before.1));
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_hide_a_process() {
        let home = set();
        let path = home.path().join("y.4026531836.1.1.jsonl");
        let before = seen(home.path());
        let set_time = |time: SystemTime| {
            File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
            compact(home.path(), &|_| ())
        };
        let now = SystemTime::now();
        // The process wrote shortly before the clock was set back by a year, or by five minutes.
        let error = set_time(now + Duration::from_secs(31_536_000)).unwrap_err().to_string();
        let expected = format!(
            "{} is dated in the future, so a clock was set back, and y.4026531836.1.1 on",
            path.display()
        );
        assert!(error.starts_with(&expected), "{error}");
        let error = set_time(now + PATIENCE / 2).unwrap_err().to_string();
        assert!(error.starts_with("y.4026531836.1.1 on another machine wrote into this set "), "{error}");
        assert_eq!(seen(home.path()), before);
        // The clock was set forward by a year, so the file seems to be old. The process goes on.
        let grow = |reached: Moment| {
            if reached == Moment::Writing {
                let mut file = File::options().append(true).open(&path).unwrap();
                file.write_all(line("d", "d.1", "unsupported").as_bytes()).unwrap();
            }
        };
        File::options()
            .append(true)
            .open(&path)
            .unwrap()
            .set_modified(now - Duration::from_secs(31_536_000))
            .unwrap();
        compact(home.path(), &grow).unwrap();
        let after = seen(home.path());
        assert_eq!((after.0.len(), after.1), (before.0.len() + 1, before.1));
    }

    #[test]
    fn a_set_in_use_is_refused() {
        let home = set();
        let name = "elsewhere.4026531836.1.1";
        let alive = home.path().join("queue/alive");
        fs::create_dir_all(&alive).unwrap();
        fs::write(alive.join(name), "1").unwrap();
        let error = compact(home.path(), &|_| ()).unwrap_err().to_string();
        let expected = "on another machine wrote into this set 0s ago; if it has ended, compact the set in 10m; if it \
                        still works, end it first, for example by `cancel`";
        assert_eq!(error, format!("{name} {expected}"));
        // The segments are older than the heartbeat, which was written a while ago, too.
        let file = File::options().write(true).open(alive.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(185)).unwrap();
        let error = compact(home.path(), &|_| ()).unwrap_err().to_string();
        assert!(
            error.contains("wrote into this set 3m ago; if it has ended, compact the set in 7m;"),
            "{error}"
        );
        assert_eq!(files(home.path(), |name| name.ends_with(".jsonl")).unwrap().len(), 3);
    }
}
