//! Compacts a set: merges its segments into one file, byte for byte, without lines that occur twice.
//!
//! # Steps
//! 1. Refuse if a process may still write into the set, or if a segment is a link to another one.
//! 2. Copy the complete lines of all segments to a temporary file, and flush it to disk.
//! 3. Rename the file, so that it becomes a segment. From now on, each attempt is in the set twice, which readers do not
//!    count as a duplicate, because both have the same name.
//! 4. Remove the old segments, but none that has grown in the meantime. What a process wrote into one just before it was
//!    removed is appended to the new segment; what it writes later goes into a new file.
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
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
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
    /// An old segment has not grown and is about to be removed.
    Compared,
    /// An old segment is removed.
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
    let lengths = copy(&segments, &new, &mut done, reached).inspect_err(|_| drop(fs::remove_file(&new)))?;
    reached(Moment::Written);
    if segments.len() < 2 && done.repeated + done.incomplete == 0 {
        fs::remove_file(&new)?;
        return Ok(done);
    }
    let path = unused(folder, &me);
    fs::rename(&new, &path).inspect_err(|_| drop(fs::remove_file(&new)))?;
    File::open(folder)?.sync_all()?;
    reached(Moment::Renamed);
    for (segment, (complete, read)) in segments.iter().zip(lengths) {
        let mut old = File::open(segment)?;
        if old.metadata()?.len() != read {
            done.kept.push(segment.clone());
            continue;
        }
        reached(Moment::Compared);
        fs::remove_file(segment)?;
        reached(Moment::Removing);
        if old.metadata()?.len() > read {
            // A line that is still incomplete is written again by its process, which finds the file removed.
            let mut late = Vec::new();
            old.seek(SeekFrom::Start(complete))?;
            old.read_to_end(&mut late)?;
            late.truncate(memchr::memrchr(b'\n', &late).map_or(0, |end| end + 1));
            let mut new = File::options().append(true).open(&path)?;
            new.write_all(&late)?;
            new.sync_all()?;
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

/// Copies the complete lines of segments to a new file. Returns the length of the complete lines of each segment, and how
/// many bytes of it were read. A segment that is longer was written to after that.
fn copy(
    segments: &[PathBuf],
    new: &Path,
    done: &mut Compacted,
    reached: &dyn Fn(Moment),
) -> io::Result<Vec<(u64, u64)>> {
    let mut out = BufWriter::new(File::create(new)?);
    let mut known: KeyedSet<String> = KeyedSet::default();
    let mut lengths = Vec::new();
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
        // Not the size of the file now: a record that was appended after the last read was not copied.
        let read = file.stream_position().map_err(named)?;
        done.incomplete += usize::from(read > size);
        lengths.push((size, read));
        out.flush()?;
        reached(Moment::Writing);
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(lengths)
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
mod tests;
