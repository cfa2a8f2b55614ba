//! Somebody's program: one run on one input, bounded, with its verdict.

use super::input::Input;
use super::verdict::Verdict;
use crate::engine::{Limit, Stop};
use crate::process::{self, Children, Ending, ErrorLines, Job, Limits, reader};
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// Bytes that an output may have beside four times those of the right one.
const SPARE_OUTPUT: u64 = 1 << 16;

/// So many first and so many last lines of standard error are kept.
const SHOWN_LINES: usize = 5;

/// A program and its limits.
pub struct Program<'a> {
    /// The program and its arguments; never empty.
    pub command: &'a [OsString],
    /// Bounds on each run.
    pub limits: Limits,
    /// Those that run.
    pub children: &'a Children,
    /// Speaks when somebody wants to end it all.
    pub stop: Stop,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What the judge says.
    pub verdict: Verdict,
    /// What was written to standard output, as far as it was read.
    pub output: Vec<u8>,
    /// The first and last lines of standard error.
    pub errors: ErrorLines,
    /// Whether it used little of its CPU time by a limit on time.
    pub idle: bool,
}

/// What a program wrote.
pub struct Written {
    /// To standard output, as far as it was read.
    pub output: Vec<u8>,
    /// What went wrong while it ran, if anything did.
    pub fault: Option<Verdict>,
    /// The first line of standard error, for a message; empty if there is none.
    pub quote: String,
    /// As in [`Ran::errors`].
    pub errors: ErrorLines,
    /// As in [`Ran::idle`].
    pub idle: bool,
}

impl Program<'_> {
    /// Runs it on an input, and judges what it prints; `None` if somebody asked to stop.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn run(&self, input: &Input) -> Result<Option<Ran>, String> {
        let written = self.answer(&input.text, SPARE_OUTPUT + 4 * input.expected.len() as u64)?;
        Ok(written.map(|Written { output, fault, errors, idle, .. }| {
            let verdict = fault.unwrap_or_else(|| Verdict::of(&output, &input.expected));
            Ran { verdict, output, errors, idle }
        }))
    }

    /// Runs it on a text; it may write so many bytes. `None` if somebody asked to stop.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn answer(&self, text: &str, max_output: u64) -> Result<Option<Written>, String> {
        let Some((program, args)) = self.command.split_first() else {
            return Err("no command is given".to_owned());
        };
        let trouble = |what: &str, error: &std::io::Error| format!("{what}: {error}");
        let mut file = process::file().map_err(|e| trouble("no file for an input", &e))?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.rewind());
        written.map_err(|e| trouble("an input cannot be written", &e))?;
        let job = Job {
            program,
            args,
            input: Some(file),
            output: None,
            limits: self.limits,
            max_output,
            is_worker: false,
            cgroups: None,
            folder: None,
        };
        let name = program.to_string_lossy();
        let run = self.children.run(job, &self.stop);
        self.children.sweep();
        let mut run = run.map_err(|e| {
            process::start_failure(&name, "the command line, behind `--`", &e) + hint(Path::new(program), &e)
        })?;
        let mut output = Vec::new();
        let read = reader(&mut run.output).take(max_output).read_to_end(&mut output);
        read.map_err(|e| trouble("an output cannot be read", &e))?;
        let over = self.limits.memory.is_some_and(|most| run.usage.peak_bytes > most);
        let fault = match run.ending {
            Ending::Stopped(Limit::Cancelled) => return Ok(None),
            Ending::Stopped(Limit::Memory) => Some(Verdict::Memory),
            Ending::Stopped(_) => Some(Verdict::Time),
            Ending::TooMuchOutput => Some(Verdict::TooLong),
            // It may have noticed that no memory was left, and said so in its own way.
            Ending::Ended(_) if over => Some(Verdict::Memory),
            Ending::Ended(status) if status.success() => {
                // What was written between the last look and the end counts, too.
                let size = run.output.metadata().map_err(|e| trouble("an output cannot be read", &e))?.len();
                (size > max_output).then_some(Verdict::TooLong)
            }
            Ending::Ended(status) => Some(Verdict::RunTime(told(status))),
        };
        let errors = run.error_lines(SHOWN_LINES);
        let idle =
            fault == Some(Verdict::Time) && self.limits.cpu.is_some_and(|most| run.usage.cpu < most / 2);
        Ok(Some(Written { output, fault, quote: run.quote_errors(), errors, idle }))
    }
}

/// What helps if a program cannot be started.
fn hint(program: &Path, error: &std::io::Error) -> &'static str {
    let bare = program.components().count() == 1;
    match error.kind() {
        ErrorKind::NotFound if bare && program.is_file() => {
            "; the file of that name here is found with './' before it"
        }
        ErrorKind::NotFound if program.is_file() => "; it lies there, but what its first line names does not",
        ErrorKind::PermissionDenied if program.is_file() => {
            "; make it executable, or name what runs it before it, as in `python3 FILE`"
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            "; name what runs it before it, as in `python3 FILE`"
        }
        _ => "",
    }
}

/// A status in words.
fn told(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => {
            let known = [(4, "SIGILL"), (6, "SIGABRT"), (8, "SIGFPE"), (9, "SIGKILL"), (11, "SIGSEGV")];
            let name = known.iter().find(|(number, _)| *number == signal);
            name.map_or(format!("signal {signal}"), |(_, name)| format!("signal {signal}, {name}"))
        }
        (None, None) => status.to_string(),
    }
}
