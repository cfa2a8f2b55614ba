//! Asks a program for its version.

use super::output::{printable_prefix, reader};
use super::{Children, Ending, Job, Limits, start_failure};
use crate::engine::{Limit, Stop};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The longest time that a program may take to print its version.
const MAX_WALL: Duration = Duration::from_secs(5);

/// The maximum number of bytes that it may print.
const MAX_OUTPUT: u64 = 1 << 20;

/// The maximum number of characters of a version.
const MAX_CHARS: usize = 100;

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
    ) -> Result<String, String> {
        let Some((program, args)) = command.split_first() else {
            return Err("the command is empty".to_owned());
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
        let mut run = self.run(job, stop).map_err(|error| start_failure(program, origin, &error))?;
        let defined = format!("its version command is defined in {origin}");
        match run.ending {
            Ending::Ended(status) if status.success() => {}
            Ending::Ended(status) => {
                return Err(format!("ended with {status}{}; {defined}", run.quote_output()));
            }
            Ending::Stopped(Limit::Wall) => {
                return Err(format!("printed no version within {} s; {defined}", MAX_WALL.as_secs()));
            }
            Ending::Stopped(limit) => return Err(format!("{limit}; {defined}")),
            Ending::TooMuchOutput => return Err(format!("printed more than {MAX_OUTPUT} bytes; {defined}")),
        }
        let version = first_line(&mut run.output).or_else(|| first_line(&mut run.errors));
        version.ok_or_else(|| format!("printed no version; {defined}"))
    }
}

fn first_line(file: &mut File) -> Option<String> {
    let mut bytes = Vec::new();
    // After an error, use what could be read.
    let _ = reader(file).take(MAX_OUTPUT).read_to_end(&mut bytes);
    // Solvers mark their messages as comments of their answers.
    let text = |line: &'_ [u8]| line.strip_prefix(b"c ").unwrap_or(line).trim_ascii().to_vec();
    let mut lines = bytes.split(|byte| b"\n\r".contains(byte)).map(|line| text(line.trim_ascii()));
    lines.find(|line| !line.is_empty()).map(|line| printable_prefix(&line, MAX_CHARS))
}
