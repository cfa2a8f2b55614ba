//! Inputs as files: `NAME.in` with the right output beside it, `NAME.ans`.

use super::super::{print, read};
use super::MAX_INPUT;
use crate::cli::exit::Failure;
use crate::stress::{Input, Origin, Outcome};
use std::fs;
use std::path::Path;

/// Writes an input and its answer.
pub(super) fn write(folder: &Path, name: &str, input: &Input) -> Result<(), Failure> {
    write_parts(folder, name, &[("in", input.text.as_bytes()), ("ans", &input.expected)])
}

/// Writes `NAME.END` for each end.
pub(super) fn write_parts(folder: &Path, name: &str, parts: &[(&str, &[u8])]) -> Result<(), Failure> {
    read::named(folder, fs::create_dir_all(folder))?;
    parts.iter().try_for_each(|(end, bytes)| {
        let file = folder.join(format!("{name}.{end}"));
        read::named(&file, fs::write(&file, bytes))
    })
}

/// The name under which what came from a file is kept.
pub(super) fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    stem.strip_suffix("-small").map_or(stem.clone(), str::to_owned)
}

/// That a folder can take files, or be made, as far as that can be told before.
pub(super) fn takes(folder: &Path) -> Result<(), Failure> {
    match fs::metadata(folder) {
        Ok(kind) if kind.is_dir() => read::named(folder, tempfile::tempfile_in(folder)).map(drop),
        Ok(_) => Err(Failure::usage(format!("{}: is no folder", folder.display()))),
        Err(_) => Ok(()),
    }
}

/// Keeps what failed, as it was found and made small.
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

/// Tells where the output kept beside an input is not the reference's.
pub(super) fn compare_answer(name: &str, input: &Input) {
    let kept = Path::new(name).with_extension("ans");
    if fs::read(&kept).is_ok_and(|kept| kept != input.expected) {
        print::warn(&format!("warning: {}: is not what the reference prints, which counts", kept.display()));
    }
}

/// The inputs of a folder by name, each with its text.
pub(super) fn replay(folder: &Path) -> Result<Vec<(String, String)>, Failure> {
    let mut paths = Vec::new();
    for entry in read::named(folder, fs::read_dir(folder))? {
        let path = read::named(folder, entry)?.path();
        if path.extension().is_some_and(|end| end == "in") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Failure::usage(format!("{}: holds no file NAME.in", folder.display())));
    }
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.display().to_string();
        let text = read::text(&name, read::regular(&name)?, MAX_INPUT)?;
        Ok((name, text))
    };
    paths.iter().map(read).collect()
}
