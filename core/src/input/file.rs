//! Instances that are whole files. Answers and records name such a file by its path and hash, because it may be large.

use crate::errors::OpenError;
use std::fmt;
use std::fs::Metadata;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// The number of hexadecimal digits of a SHA-256 hash.
const DIGITS: usize = 64;

/// Names a file and says what it must contain. Its text form stands for the instance in answers and records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    /// The path, as the user or the plan wrote it.
    pub path: Arc<str>,
    /// SHA-256 of the bytes of the file, in hexadecimal. If the file is compressed, these are the compressed bytes.
    pub sha256: Arc<str>,
}

impl FileReference {
    /// The reference that [`fmt::Display`] wrote; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let (sha256, path) = text.strip_prefix("sha256 ")?.split_at_checked(DIGITS)?;
        let path = path.strip_prefix(" file ")?;
        let path = path.strip_suffix('\n').unwrap_or(path);
        let is_hash = sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (is_hash && !path.is_empty()).then(|| FileReference { path: path.into(), sha256: sha256.into() })
    }
}

/// One line: `sha256 HASH file PATH`.
impl fmt::Display for FileReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sha256 {} file {}", self.sha256, self.path)
    }
}

/// A file that was opened because an instance refers to it.
pub struct OpenedFile {
    /// Its name in messages.
    pub name: String,
    /// Its bytes.
    pub reader: Box<dyn Read>,
    /// Where it is on the disk; `None` if it is not on a disk.
    pub on_disk: Option<OnDisk>,
}

/// A file on the disk, and what identified its contents before they were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnDisk {
    /// Its path.
    pub path: PathBuf,
    /// Its stamp when it was opened.
    pub stamp: Stamp,
}

/// Device, number, length and times of a file. A file that is written to gets another stamp, unless both stamps are
/// taken within the same tick of the system's clock, which lasts a few milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp([i64; 7]);

impl Stamp {
    /// The stamp of a file with this metadata; `None` on systems that do not record when a file was changed.
    #[cfg(unix)]
    pub fn of(file: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let place = [file.dev() as i64, file.ino() as i64, file.size() as i64];
        let [device, number, size] = place;
        Some(Stamp([device, number, size, file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()]))
    }

    /// The stamp of a file with this metadata; `None` on systems that do not record when a file was changed.
    #[cfg(not(unix))]
    pub fn of(_: &Metadata) -> Option<Self> {
        None
    }
}

/// Opens the file with this path.
pub type OpenFile<'a> = dyn Fn(&str) -> Result<OpenedFile, OpenError> + 'a;

/// Opens no file: for callers that must not read files.
///
/// # Errors
/// Always returns an error.
pub fn no_files(path: &str) -> Result<OpenedFile, OpenError> {
    Err(format!("{path}: no files can be read here").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_back() {
        let sha256 = "0123456789abcdef".repeat(4);
        for path in ["a.cnf", "a b\nc.cnf.xz", "ü/ file "] {
            let reference = FileReference { path: path.into(), sha256: sha256.as_str().into() };
            assert_eq!(FileReference::parse(&reference.to_string()), Some(reference));
        }
        for text in [
            String::new(),
            "p cnf 1 0\n".to_owned(),
            format!("sha256 {sha256} file "),
            format!("sha256 {sha256}"),
            format!("sha256 {}g file a", &sha256[1..]),
            format!("sha256 {} file a", sha256.to_uppercase()),
            format!("sha256 {}ü file a", &sha256[1..]),
        ] {
            assert_eq!(FileReference::parse(&text), None, "{text}");
        }
    }
}
