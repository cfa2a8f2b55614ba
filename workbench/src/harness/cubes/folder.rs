//! The files of a cut formula: its cubes, their proofs and the answer. Each is written under another name and then
//! renamed, so a file is complete or absent.

use crate::proof::{Cubes, Formula, Refutation};
use crate::record::ProofFile;
use counterpoint_base::claim::Checked;
use counterpoint_base::cube::CubeNumber;
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
pub const COVER: &str = "cover";

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
        self.read_cubes(CUBES, plain)
    }

    fn read_cubes(&self, name: &str, plain: &Formula) -> Result<Option<Cubes>, FolderError> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        // A formula that looking ahead refutes has no cubes.
        if bytes == Cubes::new().to_icnf().as_bytes() {
            return Ok(Some(Cubes::new()));
        }
        let found = Cubes::read(&bytes, plain);
        found.map(Some).map_err(|error| format!("{}:{error}", self.0.join(name).display()).into())
    }

    /// The literals of a cube or of a half of one; `None` if there is no such cube. `cubes` are the original cubes.
    /// `split` splits a cube whose halves are not in the folder yet; what it returns is written to the folder.
    ///
    /// # Errors
    /// A file cannot be read or written, has other cubes than two halves, or `split` has failed.
    pub(super) fn literals<E: From<FolderError>>(
        &self,
        number: &CubeNumber,
        cubes: &Cubes,
        plain: &Formula,
        mut split: impl FnMut(&CubeNumber, &[i32]) -> Result<Cubes, E>,
    ) -> Result<Option<Vec<i32>>, E> {
        let Some(cube) = cubes.get(number.index()) else { return Ok(None) };
        let (mut cube, mut at) = (cube.to_vec(), number.original());
        for &half in number.halves() {
            let name = halves_file(&at);
            let halves = match self.read_cubes(&name, plain)? {
                Some(halves) if !matches!(halves.len(), 0 | 2) => {
                    let why = format!("expected two cubes, found {}", halves.len());
                    return Err(self.error(&name, why).into());
                }
                Some(halves) => halves,
                None => {
                    let halves = split(&at, &cube)?;
                    self.write(&name, halves.to_icnf().as_bytes())?;
                    halves
                }
            };
            let Some(found) = halves.get(half as usize) else { return Ok(None) };
            (cube, at) = (found.to_vec(), at.half(half));
        }
        Ok(Some(cube))
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

    /// Writes the proof of a case, whose file has this name without extension. `checked` is the work of checking it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_proof(
        &self,
        stem: &str,
        refutation: &Refutation,
        checked: Checked,
    ) -> Result<ProofFile, FolderError> {
        let file = format!("{stem}.{}", refutation.format());
        let bytes = refutation.bytes();
        self.write(&file, bytes)?;
        let Checked { clauses, steps, propagations } = checked;
        let (sha256, bytes) = (sha256::of(bytes), bytes.len() as u64);
        Ok(ProofFile { file, sha256, bytes, clauses, steps, propagations })
    }

    /// The proofs of a case, at most one in each format, with the names of their files.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn proofs(&self, stem: &str) -> Result<Vec<(String, Refutation)>, FolderError> {
        let mut proofs = Vec::new();
        for format in Refutation::FORMATS {
            let name = format!("{stem}.{format}");
            if let Some(bytes) = self.read(&name)? {
                proofs.extend(Refutation::of_format(format, bytes).map(|refutation| (name, refutation)));
            }
        }
        Ok(proofs)
    }

    /// The names of proofs that belong to none of `n` original cubes, in order.
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
                stem.strip_prefix("cube-")?.split('.').next()?.parse::<usize>().ok()
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

/// The name, without extension, of the proof of the case with this index. The case after the last cube is the cover.
pub(super) fn stem(cubes: &Cubes, case: usize) -> String {
    cubes.number(case).map_or_else(|| COVER.to_owned(), |number| stem_of(&number))
}

/// The name, without extension, of the proof of a cube.
pub(super) fn stem_of(number: &CubeNumber) -> String {
    format!("cube-{}", number.short())
}

/// The file of the halves of a cube.
fn halves_file(number: &CubeNumber) -> String {
    format!("halves-{}.icnf", number.short())
}

/// The file that has a cube.
pub(super) fn file_of(number: &CubeNumber) -> String {
    number.parent().map_or_else(|| CUBES.to_owned(), |parent| halves_file(&parent))
}
