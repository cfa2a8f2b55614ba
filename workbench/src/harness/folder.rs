//! Reads the files in the folder of a set.

use super::environment::{Environment, FILE_PREFIX};
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The maximum length of a record in bytes. The answers that records keep are much shorter.
pub(super) const MAX_LINE: u64 = 1 << 24;

/// How many bytes are read from a file at once.
pub(super) const BUFFER: usize = 1 << 18;

/// Reads the next complete line and returns its length; `None` if no complete line is left. If the line is longer than
/// [`MAX_LINE`] bytes, only its first [`MAX_LINE`] + 1 bytes are kept.
pub(super) fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    line.clear();
    let mut length = file.take(MAX_LINE + 1).read_until(b'\n', line)? as u64;
    let mut rest = Vec::new();
    while line.len() as u64 > MAX_LINE && line.last() != Some(&b'\n') && rest.last() != Some(&b'\n') {
        rest.clear();
        match file.take(MAX_LINE).read_until(b'\n', &mut rest)? {
            0 => return Ok(None),
            more => length += more as u64,
        }
    }
    Ok([&*line, &rest].iter().any(|part| part.last() == Some(&b'\n')).then_some(length))
}

/// The metadata of a file. Links are followed.
pub(super) fn metadata(path: &Path) -> io::Result<fs::Metadata> {
    fs::metadata(path).map_err(|error| read_error(path, &error))
}

/// The bytes of a small file beside the records. It must be a regular file, because a pipe may never end.
pub(super) fn small_file(path: &Path) -> io::Result<Vec<u8>> {
    let invalid =
        |what: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", path.display()));
    if !metadata(path)?.is_file() {
        return Err(invalid("not a regular file; remove it".to_owned()));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_LINE + 1).read_to_end(&mut bytes));
    read.map_err(|error| read_error(path, &error))?;
    if bytes.len() as u64 > MAX_LINE {
        return Err(invalid(format!("longer than {MAX_LINE} bytes")));
    }
    Ok(bytes)
}

pub(super) fn read_error(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be read: {error}", path.display()))
}

/// The entries of a folder whose names `wanted` accepts, in the order of their names; none if the folder does not
/// exist.
pub(super) fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if wanted(&entry.file_name().to_string_lossy()) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The environments that have a file in the folder, each with its name.
pub(super) fn environments(folder: &Path) -> io::Result<Vec<(String, Environment)>> {
    let is_environment = |name: &str| name.starts_with(FILE_PREFIX) && name.ends_with(".json");
    let mut found = Vec::new();
    for path in files(folder, is_environment)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let hash = name.strip_prefix(FILE_PREFIX).unwrap_or_default().to_owned();
        let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let text = small_file(&path)?;
        let environment =
            serde_json::from_slice(&text).map_err(|error| invalid(format!("{}: {error}", path.display())))?;
        found.push((hash, environment));
    }
    Ok(found)
}

/// The time of the file system's clock, because the clocks of machines can differ. `new` is a temporary file, which
/// `sweep` removes if the process is killed here.
pub(super) fn now(new: &Path) -> io::Result<SystemTime> {
    let time = File::create(new)?.metadata()?.modified()?;
    fs::remove_file(new)?;
    Ok(time)
}

/// The time from the last writing of a file to `now`; `None` if it is unknown or negative.
pub(super) fn age(path: &Path, now: SystemTime) -> Option<Duration> {
    now.duration_since(path.metadata().ok()?.modified().ok()?).ok()
}
