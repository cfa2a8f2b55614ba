//! Reads files and standard input, up to a maximum size, with errors that name the file.

use super::exit::Failure;
use super::print::warn;
use crate::document::Document;
use crate::errors::OpenError;
use crate::harness::opener;
use crate::input::{OpenedFile, Source};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// Adds the path of a file or folder to an I/O error.
pub(super) fn named<T>(path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// Opens a file in a folder that is not trusted. Anything but a regular file is refused, because a pipe may wait for a
/// writer forever, and a device may have no end.
pub(super) fn regular(path: impl AsRef<Path>) -> Result<File, Failure> {
    let path = path.as_ref();
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(Failure::usage(format!("{}: is not a regular file", path.display())))
        }
        _ => open(path),
    }
}

/// Opens a file for reading. Unlike `File::open`, it refuses a folder.
pub(super) fn open(path: impl AsRef<Path>) -> Result<File, Failure> {
    let path = path.as_ref();
    let open = || {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() { Err(io::Error::from(io::ErrorKind::IsADirectory)) } else { Ok(file) }
    };
    open().map_err(|e| Failure::usage(format!("{}: cannot be read: {e}", path.display())))
}

/// Reads a UTF-8 text of at most `max_bytes` bytes.
pub(super) fn text(name: &str, reader: impl Read, max_bytes: u64) -> Result<String, Failure> {
    String::from_utf8(bytes(name, reader, max_bytes)?).map_err(|error| {
        let (valid, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let found = match (error.utf8_error().error_len(), rest) {
            (Some(_), [byte, ..]) => format!("the byte 0x{byte:02x}"),
            _ => "the end of the file within a character".to_owned(),
        };
        let place = Document::new(name, &String::from_utf8_lossy(valid)).place(valid.len());
        Failure::usage(format!("{place}: expected a text in UTF-8, found {found}"))
    })
}

/// Reads at most `max_bytes` bytes; a longer file is an error.
pub(super) fn bytes(name: &str, reader: impl Read, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = reader.take(max_bytes + 1).read_to_end(&mut bytes);
    let read = read.map_err(|e| Failure::usage(format!("{name}: cannot be read: {e}")))?;
    if read as u64 > max_bytes {
        return Err(Failure::usage(format!("{name}: is longer than {max_bytes} bytes")));
    }
    Ok(bytes)
}

/// Reads a whole file, or standard input if the name is `-`.
pub(super) fn whole(name: &str, max_bytes: u64) -> Result<String, Failure> {
    match name {
        "-" => {
            hint();
            text(name, io::stdin().lock(), max_bytes)
        }
        _ => text(name, open(name)?, max_bytes),
    }
}

/// Opens the file to which an answer or a formula refers, at the path that it contains.
pub(super) fn referenced(path: &str) -> Result<OpenedFile, OpenError> {
    opener(Path::new(""))(path)
}

/// Tells a user at a terminal that the program waits for input.
fn hint() {
    if io::stdin().is_terminal() {
        warn("reading standard input; end it with Ctrl-D");
    }
}

/// Opens a file as a stream of lines, or standard input if there is no name or the name is `-`.
pub(super) fn source(file: Option<&str>) -> Result<Source<'static>, Failure> {
    match file {
        None | Some("-") => {
            hint();
            Ok(Source::new("-", io::stdin().lock()))
        }
        Some(name) => {
            let file = open(name)?;
            // A pipe cannot be read again, so answers cannot refer to it.
            let is_file = file.metadata().is_ok_and(|found| found.is_file());
            Ok(if is_file { Source::of_file(name, name, file) } else { Source::new(name, file) })
        }
    }
}
