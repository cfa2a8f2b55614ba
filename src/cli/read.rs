//! Files and standard input: read within a bound, with errors that name the file.

use super::exit::Failure;
use super::print::warn;
use crate::input::Source;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// A result that has to do with a file or folder; an error names it.
pub(super) fn named<T>(path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// A file of a folder that somebody else filled: a pipe would wait for its other end, and a device has none.
pub(super) fn regular(name: &str) -> Result<File, Failure> {
    match std::fs::metadata(name) {
        Ok(found) if !found.is_file() => Err(Failure::usage(format!("{name}: is no regular file"))),
        _ => open(name),
    }
}

/// A file that can be read; a folder opens, but cannot be.
pub(super) fn open(name: &str) -> Result<File, Failure> {
    let open = || {
        let file = File::open(name)?;
        if file.metadata()?.is_dir() { Err(io::Error::from(io::ErrorKind::IsADirectory)) } else { Ok(file) }
    };
    open().map_err(|e| Failure::usage(format!("{name}: cannot be read: {e}")))
}

/// All that `reader` holds, if it is text of at most `most` bytes.
pub(super) fn text(name: &str, reader: impl Read, most: u64) -> Result<String, Failure> {
    let text = String::from_utf8(bytes(name, reader, most)?);
    text.map_err(|_| Failure::usage(format!("{name}: cannot be read: stream did not contain valid UTF-8")))
}

/// All that `reader` holds, if it is at most `most` bytes.
pub(super) fn bytes(name: &str, reader: impl Read, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = reader.take(most + 1).read_to_end(&mut bytes);
    let read = read.map_err(|e| Failure::usage(format!("{name}: cannot be read: {e}")))?;
    if read as u64 > most {
        return Err(Failure::usage(format!("{name}: is longer than {most} bytes")));
    }
    Ok(bytes)
}

/// All that a file holds, or standard input where it is `-`.
pub(super) fn whole(name: &str, most: u64) -> Result<String, Failure> {
    match name {
        "-" => {
            hint();
            text(name, io::stdin().lock(), most)
        }
        _ => text(name, open(name)?, most),
    }
}

/// Whoever sits before a terminal may wonder what is waited for.
fn hint() {
    if io::stdin().is_terminal() {
        warn("reading standard input; end it with Ctrl-D");
    }
}

/// The input as a stream of lines.
pub(super) fn source(file: Option<&str>) -> Result<Source<'static>, Failure> {
    match file {
        None | Some("-") => {
            hint();
            Ok(Source::new("-", io::stdin().lock()))
        }
        Some(name) => Ok(Source::new(name, open(name)?)),
    }
}
