//! Reads and writes inputs as files: `NAME.in`, with the right output in `NAME.ans`.

use super::super::{print, read};
use super::MAX_INPUT;
use crate::cli::exit::Failure;
use crate::cli::staging::replace;
use crate::stress::{Input, Origin, Outcome};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes an input and the right output.
pub(super) fn write(folder: &Path, name: &str, input: &Input) -> Result<(), Failure> {
    write_parts(folder, name, &[("in", input.text.as_bytes()), ("ans", &input.expected)])
}

/// Writes `NAME.EXTENSION` for each extension.
pub(super) fn write_parts(folder: &Path, name: &str, parts: &[(&str, &[u8])]) -> Result<(), Failure> {
    read::named(folder, fs::create_dir_all(folder))?;
    parts.iter().try_for_each(|(extension, bytes)| {
        let file = folder.join(format!("{name}.{extension}"));
        read::named(&file, replace(&file, bytes))
    })
}

/// The name, without extension, under which an input from a file is saved. A suffix `-small` is removed.
pub(super) fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    stem.strip_suffix("-small").map_or(stem.clone(), str::to_owned)
}

/// Checks, before the test, that a folder is writable if it exists.
pub(super) fn check_writable(folder: &Path) -> Result<(), Failure> {
    match fs::metadata(folder) {
        Ok(kind) if kind.is_dir() => read::named(folder, tempfile::tempfile_in(folder)).map(drop),
        Ok(_) => Err(Failure::usage(format!("{}: is not a folder", folder.display()))),
        Err(_) => Ok(()),
    }
}

/// Saves the input on which the program fails. Also saves the input on which the outputs differ although the statement
/// does not define the answer. Each is saved twice: as it was found, and shrunk.
pub(super) fn save(folder: &Path, outcome: &Outcome) -> Result<(), Failure> {
    for finding in outcome.wrong.iter().chain(&outcome.silent) {
        let name = match &finding.first.input.origin {
            Origin::Generated(number, trial) => format!("{number:04}-{trial}"),
            Origin::File(name) => stem(name),
            Origin::Shrunk => "input".to_owned(),
        };
        write(folder, &name, &finding.first.input)?;
        write(folder, &format!("{name}-small"), &finding.smallest.input)?;
    }
    Ok(())
}

/// Warns if the output that was saved with an input differs from that of the reference.
pub(super) fn compare_answer(path: &Path, input: &Input) {
    let saved = path.with_extension("ans");
    if !input.has_other_outputs && fs::read(&saved).is_ok_and(|saved| saved != input.expected) {
        print::warn(&format!(
            "warning: {}: differs from the output of the reference, which is used instead",
            saved.display()
        ));
    }
}

/// The input files of a folder, sorted by name, each with its text.
pub(super) fn replay(folder: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut paths = Vec::new();
    for entry in read::named(folder, fs::read_dir(folder))? {
        let path = read::named(folder, entry)?.path();
        if path.extension().is_some_and(|end| end == "in") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Failure::usage(format!("{}: contains no file NAME.in", folder.display())));
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = read::text(&path.display().to_string(), read::regular(&path)?, MAX_INPUT)?;
        Ok((path, text))
    };
    paths.into_iter().map(read).collect()
}
