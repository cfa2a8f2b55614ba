//! `compact`: merges the files of a set of records into one.

use super::args::Compact as Args;
use super::context::Context;
use super::exit::{Failure, Status};
use super::experiment::{Experiment, warn_rejected};
use super::print;
use crate::harness::{CompactError, compact};
use crate::study::plural;
use std::io::Write;

pub(super) fn run(context: &Context, args: &Args, out: &mut dyn Write) -> Result<Status, Failure> {
    let experiment = Experiment::open(context, &args.exp)?;
    let folder = experiment.set(&args.set)?;
    let (name, set) = (&experiment.name, &args.set);
    let no_records = || Failure::usage(format!("{name} set '{set}' has no records to compact"));
    if !folder.is_dir() {
        return Err(no_records());
    }
    let done = compact(&folder, &|_| ()).map_err(|error| match error {
        CompactError::InUse { .. } => Failure::usage(format!("{name} set '{set}' is in use: {error}")),
        CompactError::Future { .. } | CompactError::Recent { .. } | CompactError::Link { .. } => {
            Failure::usage(error.to_string())
        }
        CompactError::Io(error) => {
            Failure::usage(format!("{}: {error}; no record is lost", folder.display()))
        }
    })?;
    let records = experiment.records(&folder)?;
    warn_rejected(&records);
    if done.segments == 0 {
        return Err(no_records());
    }
    let Some(file) = &done.file else {
        writeln!(out, "{name} set '{set}' has {} already", plural(done.segments, "file", "files"))?;
        return Ok(Status::Done);
    };
    writeln!(
        out,
        "{name} set '{set}': {} became {}, with {} and records of {}",
        plural(done.segments, "file", "files"),
        file.file_name().unwrap_or_default().to_string_lossy(),
        plural(done.lines, "line", "lines"),
        plural(records.len() + records.cubes().count(), "run", "runs"),
    )?;
    let left_out = [
        (done.repeated, "repeated line", "repeated lines"),
        (done.incomplete, "incomplete last line", "incomplete last lines"),
    ];
    for (count, one, many) in left_out.into_iter().filter(|(count, ..)| *count > 0) {
        writeln!(out, "left out: {}", plural(count, one, many))?;
    }
    match records.duplicates() {
        0 => {}
        n => {
            writeln!(out, "kept, but not counted: {}", plural(n, "duplicate attempt", "duplicate attempts"))?
        }
    }
    for kept in &done.kept {
        print::warn(&format!("warning: {} has grown meanwhile, so it was kept", kept.display()));
    }
    Ok(Status::Done)
}
