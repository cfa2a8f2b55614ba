//! The files of a cut formula: its cubes, their proofs and the answer. Each is written under another name and then
//! renamed, so a file is complete or absent.

use crate::proof::{Cubes, Formula, Refutation};
use crate::record::ProofFile;
use counterpoint_base::claim::Checked;
use counterpoint_base::sha256;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The file of the cubes.
pub const CUBES: &str = "cubes.icnf";

/// The file of the answer.
pub const ANSWER: &str = "answer.json";

/// The name, without extension, of the proof that the cubes cover all cases.
const COVER: &str = "cover";

/// The maximum length of a file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

counterpoint_base::message_errors! {
    /// A file of the folder cannot be used. The message names the file.
    pub struct FolderError;
}

/// The folder of a cut formula.
#[derive(Clone, Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    fn error(&self, name: &str, why: impl ToString) -> FolderError {
        format!("{}: {}", self.0.join(name).display(), why.to_string()).into()
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The cubes; `None` if the file does not exist.
    ///
    /// # Errors
    /// The file cannot be read, or its cubes are not those of this formula.
    pub fn cubes(&self, plain: &Formula) -> Result<Option<Cubes>, FolderError> {
        let Some(bytes) = self.read(CUBES)? else { return Ok(None) };
        // A formula that looking ahead refutes has no cubes.
        if bytes == Cubes::new().to_icnf().as_bytes() {
            return Ok(Some(Cubes::new()));
        }
        let found = Cubes::read(&bytes, plain);
        found.map(Some).map_err(|error| format!("{}:{error}", self.0.join(CUBES).display()).into())
    }

    /// Writes the cubes, unless another process has done that.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_cubes(&self, cubes: &Cubes) -> Result<(), FolderError> {
        match self.0.join(CUBES).exists() {
            true => Ok(()),
            false => self.write(CUBES, cubes.to_icnf().as_bytes()),
        }
    }

    /// Writes the proof of the case with this index, counted from 0, among the `n` cubes and the cover, which is the
    /// last case. `checked` is the work of checking it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_proof(
        &self,
        case: usize,
        n: usize,
        refutation: &Refutation,
        checked: Checked,
    ) -> Result<ProofFile, FolderError> {
        let file = format!("{}.{}", stem(case, n), refutation.format());
        let bytes = refutation.bytes();
        self.write(&file, bytes)?;
        let Checked { clauses, steps, propagations } = checked;
        let (sha256, bytes) = (sha256::of(bytes), bytes.len() as u64);
        Ok(ProofFile { file, sha256, bytes, clauses, steps, propagations })
    }

    /// The proof of a case in any format, with the name of its file; `None` if there is no such file.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn proof(&self, case: usize, n: usize) -> Result<Option<(String, Refutation)>, FolderError> {
        for format in Refutation::FORMATS {
            let name = format!("{}.{format}", stem(case, n));
            if let Some(bytes) = self.read(&name)? {
                return Ok(Refutation::of_format(format, bytes).map(|refutation| (name, refutation)));
            }
        }
        Ok(None)
    }

    /// The names of proofs that belong to no case, in order.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn unused_proofs(&self, n: usize) -> Result<Vec<String>, FolderError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(|error| self.error("", error))? {
            let name =
                entry.map_err(|error| self.error("", error))?.file_name().to_string_lossy().into_owned();
            let is_proof = |name: &str| {
                let (stem, format) = name.rsplit_once('.')?;
                Refutation::FORMATS.contains(&format).then_some(())?;
                stem.strip_prefix("cube-")?.parse::<usize>().ok()
            };
            if is_proof(&name).is_some_and(|number| number == 0 || number > n) {
                found.push(name);
            }
        }
        found.sort();
        Ok(found)
    }

    /// The contents of a regular file; `None` if it does not exist.
    ///
    /// # Errors
    /// The file cannot be read, or is too long.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, FolderError> {
        let path = self.0.join(name);
        let failed = |error: io::Error| self.error(name, format!("cannot be read: {error}"));
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Ok(found) if !found.is_file() => return Err(self.error(name, "is not a regular file")),
            _ => {}
        }
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(failed)?;
        let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if read as u64 > MAX_BYTES {
            return Err(self.error(name, format!("is longer than {MAX_BYTES} bytes")));
        }
        Ok(Some(bytes))
    }

    /// Writes a file. A reader sees the whole file or none.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let written = || {
            fs::create_dir_all(&self.0)?;
            // Temporary files are private by default, but others may check the proofs.
            let permissions = fs::Permissions::from_mode(0o666);
            let mut new =
                tempfile::Builder::new().prefix(".new-").permissions(permissions).tempfile_in(&self.0)?;
            new.write_all(bytes)?;
            new.as_file().sync_all()?;
            new.persist(self.0.join(name)).map_err(|error| error.error).map(drop)
        };
        written().map_err(|error: io::Error| self.error(name, format!("cannot be written: {error}")))
    }
}

/// The name of a case's proof without its extension.
pub(super) fn stem(case: usize, n: usize) -> String {
    if case == n { COVER.to_owned() } else { format!("cube-{}", case + 1) }
}
