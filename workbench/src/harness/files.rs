//! Files that are instances of an experiment: finds them by patterns, hashes them, and opens them again.

use crate::errors::OpenError;
use crate::input::{FileReference, OnDisk, OpenedFile, Stamp};
use counterpoint_base::sha256;
use glob::{MatchOptions, Pattern, glob_with};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The maximum number of files that a pattern may match.
const MAX_FILES: usize = 100_000;

/// `*` and `?` do not match a slash. That they do not match a dot at the start of a name is [`is_hidden`]'s work, because
/// with `require_literal_leading_dot`, the crate `glob` panics at a name that is not UTF-8.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Why a pattern gives no files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// The pattern is not valid.
    #[error("'{pattern}' is not a valid pattern: {why}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with the pattern.
        why: &'static str,
    },
    /// The pattern matches no file.
    #[error("'{0}' matches no file")]
    NoFile(String),
    /// The pattern matches too many files.
    #[error("'{0}' matches more than {MAX_FILES} files")]
    TooMany(String),
    /// The path of the plan's folder is not UTF-8.
    #[error("{}: the path is not UTF-8", .0.display())]
    Folder(PathBuf),
    /// The name of a file is not UTF-8.
    #[error("{}: the name is not UTF-8", .0.display())]
    Name(PathBuf),
    /// A file or a folder cannot be read.
    #[error("{path}: cannot be read: {why}")]
    Unreadable {
        /// Its path.
        path: String,
        /// Why it cannot be read.
        why: String,
    },
    /// A file cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// Opens files whose paths are relative to a folder. Messages name a file by its relative path.
pub fn opener(folder: &Path) -> impl Fn(&str) -> Result<OpenedFile, OpenError> + '_ {
    move |path| {
        let place = folder.join(path);
        let file = regular(&place).map_err(|error| format!("{path}: cannot be read: {error}"))?;
        let stamp = file.metadata().ok().and_then(|found| Stamp::of(&found));
        let on_disk = stamp.map(|stamp| OnDisk { path: place, stamp });
        Ok(OpenedFile { name: path.to_owned(), reader: Box::new(file), on_disk })
    }
}

/// Opens a regular file. Anything else is refused, because a pipe may wait for a writer forever, and a device may have
/// no end.
fn regular(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

/// The files that a pattern matches, relative to a folder, in natural order, each with its hash.
///
/// # Errors
/// Returns an error if the pattern is not valid or matches no file, or a file cannot be read.
pub fn matching(folder: &Path, pattern: &str) -> Result<Vec<FileReference>, FilesError> {
    let absolute = match Path::new(pattern).is_absolute() {
        true => pattern.to_owned(),
        false => {
            let folder = folder.to_str().ok_or_else(|| FilesError::Folder(folder.to_owned()))?;
            format!("{}/{pattern}", Pattern::escape(folder))
        }
    };
    let found = glob_with(&absolute, OPTIONS)
        .map_err(|error| FilesError::Pattern { pattern: pattern.to_owned(), why: error.msg })?;
    let mut paths = Vec::new();
    for path in found {
        let path = match path {
            Ok(path) => path,
            Err(error) if is_hidden(folder, error.path(), pattern) => continue,
            Err(error) => {
                let (path, why) = (error.path().display().to_string(), error.error().to_string());
                return Err(FilesError::Unreadable { path, why });
            }
        };
        if path.is_dir() || is_hidden(folder, &path, pattern) {
            continue;
        }
        // Components `.` are dropped, so that a file has the same path for every pattern.
        let relative = path.strip_prefix(folder).unwrap_or(&path).components();
        let relative: PathBuf = relative.filter(|part| *part != Component::CurDir).collect();
        let relative = relative.to_str().ok_or_else(|| FilesError::Name(path.clone()))?;
        paths.push(relative.to_owned());
        if paths.len() > MAX_FILES {
            return Err(FilesError::TooMany(pattern.to_owned()));
        }
    }
    if paths.is_empty() {
        return Err(FilesError::NoFile(pattern.to_owned()));
    }
    // Symbolic links may lead to a file on several paths. The file counts once, under its shortest path.
    paths.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| natural(one, other)));
    let mut known = HashSet::new();
    paths.retain(|path| {
        let path = folder.join(path);
        known.insert(path.canonicalize().unwrap_or(path))
    });
    paths.sort_by(|one, other| natural(one, other));
    let open = opener(folder);
    let reference = |path: String| {
        let hash = sha256::of_reader(open(&path)?.reader);
        match hash {
            Ok(sha256) => Ok(FileReference { path: path.into(), sha256: sha256.into() }),
            Err(error) => Err(FilesError::Unreadable { path, why: error.to_string() }),
        }
    };
    paths.into_iter().map(reference).collect()
}

/// Whether a part of the path begins with a dot, but is not written like this in the pattern.
fn is_hidden(folder: &Path, path: &Path, pattern: &str) -> bool {
    path.strip_prefix(folder).unwrap_or(path).components().any(|part| match part {
        Component::Normal(name) => {
            name.as_bytes().starts_with(b".") && !pattern.split('/').any(|written| name == written)
        }
        _ => false,
    })
}

/// Compares names so that numbers in them are in numerical order: `f9` comes before `f10`.
fn natural(one: &str, other: &str) -> Ordering {
    let (mut a, mut b) = (one.as_bytes(), other.as_bytes());
    loop {
        let ((number, after), (other_number, other_after)) = (digits(a), digits(b));
        let order = match (number.is_empty(), other_number.is_empty()) {
            (false, false) => {
                let significant = |digits: &[u8]| digits.iter().skip_while(|&&b| b == b'0').count();
                let (n, m) = (significant(number), significant(other_number));
                (n, &number[number.len() - n..]).cmp(&(m, &other_number[other_number.len() - m..]))
            }
            _ => match (a.first(), b.first()) {
                (Some(x), Some(y)) if x == y => {
                    (a, b) = (&a[1..], &b[1..]);
                    continue;
                }
                (x, y) if x != y => x.cmp(&y),
                // Both names ended. Names that differ only in leading zeros still need an order.
                _ => return one.cmp(other),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (after, other_after);
    }
}

/// The digits at the start, and the rest.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn numbers_are_in_numerical_order() {
        let sorted = ["", "a", "a/1", "a0", "a00", "a1", "a01b", "a2", "a9.cnf", "a10.cnf", "a10.d", "b"];
        for (i, one) in sorted.iter().enumerate() {
            for (j, other) in sorted.iter().enumerate() {
                assert_eq!(natural(one, other), i.cmp(&j), "{one} {other}");
            }
        }
    }

    #[test]
    fn patterns_match_files_below_a_folder() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("ex[p]");
        let write = |name: &str| {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        };
        let names = ["f10.cnf", "f9.cnf", "a/b/f.cnf", "a/.hidden.cnf", "a/g.cnf.xz", "../beside.cnf"];
        names.into_iter().for_each(write);
        #[cfg(unix)]
        std::os::unix::fs::symlink("..", folder.join("a/up")).unwrap();
        let found = |pattern: &str| {
            let found = matching(&folder, pattern)?;
            found.iter().for_each(|file| assert_eq!(*file.sha256, sha256::of(&*file.path)));
            Ok::<_, FilesError>(found.into_iter().map(|file| file.path.to_string()).collect::<Vec<_>>())
        };
        assert_eq!(found("*.cnf").unwrap(), ["f9.cnf", "f10.cnf"]);
        assert_eq!(found("**/*.cnf").unwrap(), ["a/b/f.cnf", "f9.cnf", "f10.cnf"]);
        assert_eq!(found("./a/g.cnf.xz").unwrap().len(), 1);
        assert_eq!(found("../*.cnf").unwrap(), ["../beside.cnf"]);
        assert_eq!(found("*.xz").unwrap_err().to_string(), "'*.xz' matches no file");
        assert_eq!(found("a").unwrap_err(), FilesError::NoFile("a".to_owned()));
        // Hidden files and folders are found only by their names.
        ["a/.git/f.cnf", "a/.git/g.cnf"].into_iter().for_each(write);
        assert_eq!(found("**/f.cnf").unwrap(), ["a/b/f.cnf"]);
        assert_eq!(found("a/.git/*.cnf").unwrap(), ["a/.git/f.cnf", "a/.git/g.cnf"]);
        assert_eq!(found("a/.hidden.cnf").unwrap(), ["a/.hidden.cnf"]);
        let error = found("a/***").unwrap_err().to_string();
        assert!(error.starts_with("'a/***' is not a valid pattern: "), "{error}");
    }

    #[test]
    fn names_that_are_not_utf8_match_nothing_or_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let bad = home.path().join(OsStr::from_bytes(b"\xff"));
        std::fs::create_dir(&bad).unwrap();
        for path in [home.path().join("a.cnf"), home.path().join(OsStr::from_bytes(b"\xff.cnf"))] {
            std::fs::write(path, "p cnf 0 0\n").unwrap();
        }
        assert_eq!(matching(home.path(), "*.cnf").unwrap().len(), 1);
        assert_eq!(matching(home.path(), "**/a.cnf").unwrap().len(), 1);
        std::fs::write(bad.join("b.cnf"), "p cnf 0 0\n").unwrap();
        assert_eq!(matching(home.path(), "**/*.cnf").unwrap_err(), FilesError::Name(bad.join("b.cnf")));
    }
}
