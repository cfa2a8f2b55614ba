//! Reads the one instance of a text or of a file, and ends `judge` at a limit.

use crate::engine::Limit;
use crate::erased::JudgeError;
use crate::errors::FormatError;
use crate::input::{FileReference, OpenFile, OpenedFile, Source, Warnings};
use crate::problem::{JudgeStatus, Problem, Scope, instances};
use counterpoint_base::sha256;
use std::io::Write;

/// The only instance of a text; `what` names the text in messages.
pub(super) fn only<P: Problem>(
    rules: &P::Rules,
    source: Source<'_>,
    what: &str,
) -> Result<P::Instance, FormatError> {
    let warnings = Warnings::default();
    let mut instances = instances(P::read(rules.clone(), Scope::Open, source, &warnings));
    let first = instances.next().ok_or_else(|| format!("{what} contains no instance"))?;
    let instance = first.map_err(|error| error.to_string())?;
    match instances.next() {
        None => Ok(instance),
        Some(Ok(_)) => Err(format!("{what} contains more than one instance").into()),
        Some(Err(error)) => Err(error.to_string().into()),
    }
}

/// The instance that is the named file. A file that cannot be read as an instance is read a second time, to find out
/// whether it has changed.
pub(super) fn of_file<P: Problem>(
    rules: &P::Rules,
    reference: &FileReference,
    open: &OpenFile<'_>,
) -> Result<P::Instance, FormatError> {
    let OpenedFile { name, reader, on_disk } = open(&reference.path)?;
    let source = Source::of_file(&name, &reference.path, reader).on_disk(on_disk);
    let read = only::<P>(rules, source, &name);
    let hash = match &read {
        Ok(instance) => {
            let found = P::FILE.and_then(|file| (file.reference)(instance));
            found
                .map(|found| found.sha256.to_string())
                .ok_or_else(|| format!("{name}: is not an instance"))?
        }
        Err(_) => sha256::of_reader(open(&reference.path)?.reader)
            .map_err(|error| format!("{name}: cannot be read: {error}"))?,
    };
    if hash != *reference.sha256 {
        let expected = &reference.sha256;
        return Err(
            format!("{name}: is not the same file: its SHA-256 is {hash}; expected {expected}").into()
        );
    }
    read
}

/// Returns the error of `judge` at a limit. First writes what the problem prints for an unknown answer, unless the user
/// has cancelled the run.
pub(super) fn at_limit<P: Problem>(game: usize, limit: Limit, out: &mut dyn Write) -> JudgeError {
    let unknown = P::JUDGE_STATUS
        .filter(|_| limit != Limit::Cancelled)
        .map_or("", |JudgeStatus { unknown, .. }| unknown);
    match out.write_all(unknown.as_bytes()) {
        Ok(()) => JudgeError::Limit { game, limit },
        Err(error) => error.into(),
    }
}
