//! Lists the files of a queue and reads batches.

use crate::record::Run;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What was found at the path of a batch.
pub(super) enum Batch {
    /// A batch with these runs.
    Runs(Vec<Run>),
    /// A file that is not a complete batch.
    Unreadable,
    /// No file.
    Absent,
}

/// Reads a batch.
pub(super) fn read(path: &Path) -> io::Result<Batch> {
    match fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).map_or(Batch::Unreadable, Batch::Runs)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Batch::Absent),
        Err(error) => Err(error),
    }
}

/// The regular files of a folder with their names, in the order of names; none if the folder does not exist. The queue
/// writes only regular files, so anything else is ignored.
pub(super) fn batches(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// The runner that was writing the temporary file `name`. The runner's name is the last four parts of the file's name;
/// dots separate the parts. `None` if nothing precedes these four parts.
pub(super) fn writer(name: &str) -> Option<&str> {
    let (at, _) = name.rmatch_indices('.').nth(3)?;
    name.get(at + 1..)
}

/// Treats the error that a file does not exist as success.
pub(super) fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn files_name_their_writers() {
        let instances = [
            ("000001-ab.host.7.42.99", Some("host.7.42.99")),
            ("host.7.42.98.host.7.42.99", Some("host.7.42.99")),
            ("000001-ab", None),
        ];
        assert!(instances.iter().all(|&(name, writer)| super::writer(name) == writer));
    }
}
