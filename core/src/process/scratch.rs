//! Temporary files and folders. A folder's name contains the identity of the process that made the folder. So the next
//! process that makes a folder in the same place can remove the folders of a killed process.

use super::Identity;
use std::env;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Once;
use tempfile::{Builder, TempDir};

/// Creates an unnamed file in the temporary folder.
///
/// # Errors
/// Returns an error if the temporary folder cannot be used.
pub fn file() -> io::Result<File> {
    tempfile::tempfile().map_err(unusable)
}

/// Creates a folder in the temporary folder. The folder is removed when the returned value is dropped.
///
/// # Errors
/// Returns an error if the temporary folder cannot be used.
pub fn folder() -> io::Result<TempDir> {
    static SWEPT: Once = Once::new();
    let parent = env::temp_dir();
    SWEPT.call_once(|| sweep(&parent));
    Builder::new().prefix(&Identity::this().prefix()).tempdir_in(parent).map_err(unusable)
}

/// Creates a hidden folder in `parent`. The folder is removed when the returned value is dropped.
///
/// # Errors
/// Returns an error if the folder cannot be created.
pub fn folder_in(parent: &Path) -> io::Result<TempDir> {
    sweep(parent);
    Builder::new().prefix(&format!(".{}", Identity::this().prefix())).tempdir_in(parent)
}

fn unusable(error: io::Error) -> io::Error {
    let (parent, remedy) = (env::temp_dir(), "set TMPDIR to a writable folder");
    let named = if env::var_os("TMPDIR").is_some() { " (from TMPDIR)" } else { "" };
    // The kind is `Other`, because callers take `NotFound` for a program that was not found.
    io::Error::other(format!(
        "the temporary folder {}{named} cannot be used: {error}; {remedy}",
        parent.display()
    ))
}

/// Removes the folders of processes that have ended, if they belong to this user. Follows no links.
fn sweep(parent: &Path) {
    let this = Identity::this();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = || entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user());
        if this.is_abandoned(name.strip_prefix('.').unwrap_or(&name)) && is_ours() {
            // Another process may remove it at the same time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_folders_of_processes_that_have_ended_are_swept() {
        let parent = tempfile::tempdir().unwrap();
        let own = folder_in(parent.path()).unwrap();
        let this = Identity::this();
        let (place, _) = this.name().rsplit_once('.').unwrap();
        let dead = |suffix: &str| parent.path().join(format!("counterpoint-{place}.1-{suffix}"));
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("file"), "kept").unwrap();
        // A folder with a link in it is removed, but not the target of the link.
        fs::create_dir_all(dead("a/b")).unwrap();
        std::os::unix::fs::symlink(outside.path(), dead("a").join("link")).unwrap();
        fs::create_dir(parent.path().join(format!(".counterpoint-{place}.1-b"))).unwrap();
        // Links, files, and folders of processes elsewhere stay.
        std::os::unix::fs::symlink(outside.path(), dead("link")).unwrap();
        fs::write(dead("file"), "").unwrap();
        fs::create_dir(parent.path().join("counterpoint-elsewhere.1.1.1-c")).unwrap();
        fs::create_dir(parent.path().join("counterpoint-notes")).unwrap();
        // The folder of another user stays, too.
        let others = dead("others");
        fs::create_dir(&others).unwrap();
        let is_others = std::os::unix::fs::chown(&others, Some(user() + 1), None).is_ok();
        sweep(parent.path());
        let mut left: Vec<_> =
            fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.retain(|path| is_others || *path != others);
        left.sort();
        let mut kept = vec![own.path().to_owned(), dead("link"), dead("file")];
        kept.extend(
            ["counterpoint-elsewhere.1.1.1-c", "counterpoint-notes"].map(|name| parent.path().join(name)),
        );
        kept.extend(is_others.then_some(others));
        kept.sort();
        assert_eq!(left, kept);
        assert_eq!(fs::read(outside.path().join("file")).unwrap(), b"kept");
    }
}
