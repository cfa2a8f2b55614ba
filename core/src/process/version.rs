//! Finds programs, and asks a program for its version.

use super::output::{printable_prefix, reader};
use super::{Children, Ending, Job, Limits, start_failure};
use crate::engine::{Limit, Stop};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

/// The longest time that a program may take to print its version.
const MAX_WALL: Duration = Duration::from_secs(5);

/// The maximum number of bytes that it may print.
const MAX_OUTPUT: u64 = 1 << 20;

/// The maximum number of characters of a version.
const MAX_CHARS: usize = 100;

/// Why the version of a program is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// The command has no words.
    #[error("the command is empty")]
    NoCommand,
    /// The program cannot be started, for this reason.
    #[error("{0}")]
    NotStarted(String),
    /// The program was started, but did not print a version.
    #[error("{problem}; its version command is defined in {origin}")]
    NotPrinted {
        /// What it did instead.
        problem: VersionProblem,
        /// Where its command is defined.
        origin: String,
    },
}

/// What a program did instead of printing its version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionProblem {
    /// It ended with this status. The string quotes what it printed; it is empty or starts with a separator.
    #[error("ended with {0}{1}")]
    Failed(ExitStatus, String),
    /// It took longer than five seconds.
    #[error("printed no version within {} s", MAX_WALL.as_secs())]
    Slow,
    /// It was stopped at this limit.
    #[error("{0}")]
    Stopped(Limit),
    /// It printed too much.
    #[error("printed more than {MAX_OUTPUT} bytes")]
    TooMuchOutput,
    /// It printed nothing but white space.
    #[error("printed no version")]
    Nothing,
}

impl Children {
    /// Runs a command, such as `kissat --version`, and returns the first line of its standard output that is not blank.
    /// If there is none, returns the first such line of its standard error. The line is trimmed, without a `c ` at its
    /// beginning, and cut if it is long. The command runs in `directory`, or in the current directory if that is
    /// `None`. `origin` says where the command is defined.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, fails, prints nothing or too much, or takes longer than five
    /// seconds, or if `stop` returns a limit.
    pub fn version(
        &self,
        command: &[String],
        directory: Option<&Path>,
        origin: &str,
        stop: &Stop,
    ) -> Result<String, VersionError> {
        let Some((program, args)) = command.split_first() else {
            return Err(VersionError::NoCommand);
        };
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let limits = Limits { wall: Some(MAX_WALL), ..Limits::default() };
        let job = Job {
            program: program.as_ref(),
            args: &args,
            limits,
            max_output: MAX_OUTPUT,
            directory,
            ..Job::default()
        };
        let not_started = |error| VersionError::NotStarted(start_failure(program, origin, &error));
        let mut run = self.run(job, stop).map_err(not_started)?;
        let failed = |problem| VersionError::NotPrinted { problem, origin: origin.to_owned() };
        match run.ending {
            Ending::Ended(status) if status.success() => {}
            Ending::Ended(status) => {
                return Err(failed(VersionProblem::Failed(status, run.quote_output())));
            }
            Ending::Stopped(Limit::Wall) => return Err(failed(VersionProblem::Slow)),
            Ending::Stopped(limit) => return Err(failed(VersionProblem::Stopped(limit))),
            Ending::TooMuchOutput => return Err(failed(VersionProblem::TooMuchOutput)),
        }
        let version = first_line(&mut run.output).or_else(|| first_line(&mut run.errors));
        version.ok_or_else(|| failed(VersionProblem::Nothing))
    }
}

fn first_line(file: &mut File) -> Option<String> {
    let mut bytes = Vec::new();
    // After an error, use what could be read.
    let _ = reader(file).take(MAX_OUTPUT).read_to_end(&mut bytes);
    // Solvers may print their messages as comments, which start with `c `.
    let text = |line: &'_ [u8]| line.strip_prefix(b"c ").unwrap_or(line).trim_ascii().to_vec();
    let mut lines = bytes.split(|byte| b"\n\r".contains(byte)).map(|line| text(line.trim_ascii()));
    lines.find(|line| !line.is_empty()).map(|line| printable_prefix(&line, MAX_CHARS))
}

/// The absolute path of a program: of the file itself if `program` contains a slash, else of the first match in `PATH`.
/// `None` if there is no such program.
pub fn find(program: &str) -> Option<PathBuf> {
    which::which(program).ok()
}
