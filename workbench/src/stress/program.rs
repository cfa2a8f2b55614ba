//! Runs the program under test on an input, within limits, and judges its output.

use super::error::StressError;
use super::input::Input;
use super::verdict::Verdict;
use crate::engine::{Limit, Stop};
use crate::erased::Trials;
use crate::problem::{Judgement, Printed};
use crate::process::{self, Children, Ending, ErrorLines, Job, Limits, reader};
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// The maximum number of bytes of an output is this plus four times the length of the right output.
const EXTRA_OUTPUT: u64 = 1 << 16;

/// The maximum number of lines that are kept from the start of standard error. As many are kept from its end.
const MAX_ERROR_LINES: usize = 5;

/// A program and its limits.
pub struct Program<'a> {
    /// The program and its arguments; never empty.
    pub command: &'a [OsString],
    /// The limits of each run.
    pub limits: Limits,
    /// The registry of child processes, which starts the program and kills what it leaves behind.
    pub children: &'a Children,
    /// Stops everything, for example on Ctrl-C.
    pub stop: Stop,
}

/// The result of one run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The verdict.
    pub verdict: Verdict,
    /// The standard output, up to its limit.
    pub output: Vec<u8>,
    /// The exit status; 0 if the program was killed.
    pub status: i32,
    /// Why the output is wrong, if the problem judges outputs.
    pub reason: Option<String>,
    /// The first and last lines of standard error.
    pub errors: ErrorLines,
    /// Whether it reached a limit on time although it used less than half of its limit on CPU time.
    pub idle: bool,
}

/// What a program wrote.
pub struct Written {
    /// The standard output, up to its limit.
    pub output: Vec<u8>,
    /// How the run failed; `None` if it did not.
    pub fault: Option<Verdict>,
    /// The exit status, if the program ended by itself and within its limits.
    pub status: Option<i32>,
    /// The first line of standard error, as the end of a message; empty if there is none.
    pub quote: String,
    /// As in [`Ran::errors`].
    pub errors: ErrorLines,
    /// As in [`Ran::idle`].
    pub idle: bool,
}

impl Program<'_> {
    /// Runs the program on an input, and judges its output. Returns `None` if the user asked to stop.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub fn run(&self, input: &Input, trials: &dyn Trials) -> Result<Option<Ran>, StressError> {
        let written = self.answer(&input.text, EXTRA_OUTPUT + 4 * input.expected.len() as u64)?;
        Ok(written.map(|Written { output, fault, status, errors, idle, .. }| {
            let judge = |status: i32| {
                let game = input.games.first()?;
                trials.judge(&*game.answer, Printed { output: &output, status })
            };
            let (verdict, reason) = match status.and_then(judge) {
                Some(Judgement::Right) => (Verdict::Accepted, None),
                Some(Judgement::Unknown) => (Verdict::Unknown, None),
                Some(Judgement::Wrong(reason)) => (Verdict::WrongAnswer, Some(reason)),
                Some(Judgement::Crashed) | None => {
                    (fault.unwrap_or_else(|| Verdict::of(&output, &input.expected)), None)
                }
            };
            Ran { verdict, output, status: status.unwrap_or(0), reason, errors, idle }
        }))
    }

    /// Runs the program on a text, with a limit on the bytes that it may write. Returns `None` if the user asked to
    /// stop.
    ///
    /// # Errors
    /// If the program cannot be run.
    pub fn answer(&self, text: &str, max_output: u64) -> Result<Option<Written>, StressError> {
        let Some((program, args)) = self.command.split_first() else {
            return Err(StressError::NoCommand);
        };
        let failure = |what, error| StressError::File { what, error };
        let mut file = process::file().map_err(|e| failure("a file for an input cannot be created", e))?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.rewind());
        written.map_err(|e| failure("an input cannot be written", e))?;
        let job = Job { program, args, input: Some(file), limits: self.limits, max_output, ..Job::default() };
        let name = program.to_string_lossy();
        let run = self.children.run(job, &self.stop);
        self.children.sweep();
        let mut run = run.map_err(|e| {
            let why = process::start_failure(&name, "the command line, after `--`", &e);
            StressError::NotStarted(why + hint(Path::new(program), &e))
        })?;
        let mut output = Vec::new();
        let read = reader(&mut run.output).take(max_output).read_to_end(&mut output);
        read.map_err(|e| failure("an output cannot be read", e))?;
        let over_memory = self.limits.memory.is_some_and(|max| run.usage.peak_bytes > max);
        let mut code = None;
        let fault = match run.ending {
            Ending::Stopped(Limit::Cancelled) => return Ok(None),
            Ending::Stopped(Limit::Memory) => Some(Verdict::Memory),
            Ending::Stopped(_) => Some(Verdict::Time),
            Ending::TooMuchOutput => Some(Verdict::TooLong),
            // The program may have noticed that an allocation failed, and may have exited by itself.
            Ending::Ended(_) if over_memory => Some(Verdict::Memory),
            Ending::Ended(status) => {
                // The program may have written more after its output was measured last.
                let size = run.output.metadata().map_err(|e| failure("an output cannot be read", e))?.len();
                let too_long = size > max_output && status.success();
                code = status.code().filter(|_| !too_long);
                match too_long {
                    true => Some(Verdict::TooLong),
                    false => (!status.success()).then(|| Verdict::RunTime(describe(status))),
                }
            }
        };
        let errors = run.error_lines(MAX_ERROR_LINES);
        let idle = fault == Some(Verdict::Time) && self.limits.cpu.is_some_and(|max| run.usage.cpu < max / 2);
        Ok(Some(Written { output, fault, status: code, quote: run.quote_errors(), errors, idle }))
    }
}

/// The remedy if a program cannot be started, as the end of a message.
fn hint(program: &Path, error: &std::io::Error) -> &'static str {
    let bare = program.components().count() == 1;
    match error.kind() {
        ErrorKind::NotFound if bare && program.is_file() => {
            "; write './' before the name of a file in this folder"
        }
        ErrorKind::NotFound if program.is_file() => {
            "; the file exists, but the interpreter in its first line does not"
        }
        ErrorKind::PermissionDenied if program.is_file() => {
            "; make it executable, or put its interpreter before it, as in `python3 FILE`"
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            "; put its interpreter before it, as in `python3 FILE`"
        }
        _ => "",
    }
}

/// The status as text, such as `exit status 1` or `signal 11, SIGSEGV`.
fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => {
            let names = [(4, "SIGILL"), (6, "SIGABRT"), (8, "SIGFPE"), (9, "SIGKILL"), (11, "SIGSEGV")];
            let name = names.iter().find(|(number, _)| *number == signal);
            name.map_or(format!("signal {signal}"), |(_, name)| format!("signal {signal}, {name}"))
        }
        (None, None) => status.to_string(),
    }
}
