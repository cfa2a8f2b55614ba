//! Files that come into their places when they are complete: what is refused leaves there what was there.

use super::exit::Failure;
use crate::process;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Where `--output` goes: into place when it is complete.
pub(super) enum Target {
    /// A file that is there or not.
    Staged { staging: Staging, file: File, name: PathBuf },
    /// A pipe or a device.
    Direct(File),
}

impl Target {
    /// Takes its place only when it is published.
    pub(super) fn new(path: &Path) -> Result<Target, Failure> {
        let failed = |e| unwritable(path, &e);
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return File::create(path).map(Target::Direct).map_err(failed);
        }
        // What a link points to is replaced, not the link.
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

    /// Puts what was written in its place.
    pub(super) fn publish(self) -> Result<(), Failure> {
        match self {
            Target::Staged { staging, name, .. } => staging.publish(&name),
            Target::Direct(_) => Ok(()),
        }
    }
}

/// Files that are not in their folder yet: a refusal leaves there what was there.
pub(super) struct Staging {
    folder: PathBuf,
    /// Inside of it, so that files only need new names.
    inside: TempDir,
}

impl Staging {
    /// For files of this folder.
    ///
    /// # Errors
    /// Nothing can be written there.
    pub(super) fn new(folder: &Path) -> io::Result<Staging> {
        let inside = process::folder_in(folder)?;
        Ok(Staging { folder: folder.to_owned(), inside })
    }

    /// A new file; what is written to it comes in large pieces.
    pub(super) fn create(&self, name: &Path) -> Result<File, Failure> {
        File::create(self.inside.path().join(name)).map_err(|e| unwritable(&self.folder.join(name), &e))
    }

    /// Puts a complete file in its place.
    pub(super) fn publish(&self, name: &Path) -> Result<(), Failure> {
        let target = self.folder.join(name);
        fs::rename(self.inside.path().join(name), &target).map_err(|e| unwritable(&target, &e))
    }
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("{}: cannot be written: {error}", path.display()))
}
