//! Writes files to a temporary folder and moves them into place when they are complete. A command that fails leaves
//! existing files unchanged.

use super::exit::Failure;
use crate::process;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The destination of `--output`.
pub(super) enum Target {
    /// A regular file. If it exists, it is replaced.
    Staged { staging: Staging, file: File, name: PathBuf },
    /// A pipe or a device, which is written directly.
    Direct(File),
}

impl Target {
    /// Opens the destination. An existing regular file stays as it is until [`publish`](Self::publish) replaces it.
    pub(super) fn new(path: &Path) -> Result<Target, Failure> {
        let failed = |e| unwritable(path, &e);
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return File::create(path).map(Target::Direct).map_err(failed);
        }
        // The target of a link is replaced, not the link itself.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().ok_or_else(|| failed(io::ErrorKind::IsADirectory.into()))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let staging = Staging::new(folder.unwrap_or(Path::new("."))).map_err(failed)?;
        let file = staging.create(Path::new(name))?;
        if let Ok(found) = fs::metadata(&path) {
            file.set_permissions(found.permissions()).map_err(failed)?;
        }
        Ok(Target::Staged { staging, file, name: name.into() })
    }

    pub(super) fn file(&mut self) -> &mut dyn Write {
        match self {
            Target::Staged { file, .. } | Target::Direct(file) => file,
        }
    }

    /// Moves the complete file into place.
    pub(super) fn publish(self) -> Result<(), Failure> {
        match self {
            Target::Staged { staging, name, .. } => staging.publish(&name),
            Target::Direct(_) => Ok(()),
        }
    }
}

/// Fails if a file that is written would replace the file from which the game is read.
pub(super) fn refuse_own_input(path: &Path, option: &str, input: Option<&str>) -> Result<(), Failure> {
    let found = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    match input.and_then(|input| found(Path::new(input))) {
        Some(input) if found(path).is_some_and(|path| path == input) => Err(Failure::usage(format!(
            "{}: the game is read from this file, which {option} would replace; choose another file",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Files that have not been moved into their folder yet.
pub(super) struct Staging {
    folder: PathBuf,
    /// The temporary folder. It is inside `folder`, so moving a file is a rename.
    inside: TempDir,
}

impl Staging {
    /// Prepares for writing files to this folder.
    ///
    /// # Errors
    /// If the folder is not writable.
    pub(super) fn new(folder: &Path) -> io::Result<Staging> {
        let inside = process::folder_in(folder)?;
        Ok(Staging { folder: folder.to_owned(), inside })
    }

    /// Creates a file. Each write goes to the file without a buffer, so writes should be large.
    pub(super) fn create(&self, name: &Path) -> Result<File, Failure> {
        File::create(self.inside.path().join(name)).map_err(|e| unwritable(&self.folder.join(name), &e))
    }

    /// Moves a complete file into place.
    pub(super) fn publish(&self, name: &Path) -> Result<(), Failure> {
        let target = self.folder.join(name);
        fs::rename(self.inside.path().join(name), &target).map_err(|e| unwritable(&target, &e))
    }
}

/// Replaces a file when its new content is complete. If the name is that of a link, the link is replaced and not the file
/// to which it points, because others may have put it into the folder.
///
/// # Errors
/// If the folder is not writable, or the disk is full. Then the old file remains.
pub(super) fn replace(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The file is not private; the umask of the process applies.
    let mode = fs::Permissions::from_mode(0o666);
    let mut new = tempfile::Builder::new().permissions(mode).tempfile_in(folder)?;
    new.write_all(bytes.as_ref())?;
    new.persist(path).map(drop).map_err(|failed| failed.error)
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("{}: cannot be written: {error}", path.display()))
}
