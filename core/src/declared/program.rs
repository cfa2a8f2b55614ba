//! Declarations as a configuration or a plan states them, and the programs that they name.
//!
//! A program starts without a shell, once for each instance. It reads the instance on standard input or, if its command
//! contains `{}`, from a file whose path replaces `{}`. `{NAME}` stands for the value of a rule or of an axis. Values
//! are inserted as they are: braces in a value are not placeholders.

use super::quote;
use crate::engine::{Budget, Declared, EngineInfo, Limit, Printed, Prints, Run, Stop, Unfinished};
use crate::process::{self, Children, Ending, Job, Limits, reader};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The placeholder for the path of a file that contains the instance.
pub const FILE: &str = "{}";

/// How often [`Declaration::startup`] runs a program.
const STARTS: usize = 3;

/// The limits on CPU time and wall time of each of these runs.
const STARTUP_LIMITS: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(4));

/// The declaration of a program or an encoder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declaration {
    /// Its name in engine ids.
    pub name: String,
    /// The name of its problem.
    pub problem: String,
    /// What it prints.
    pub prints: Prints,
    /// Program and arguments, with placeholders in the arguments.
    pub command: Vec<String>,
    /// The folder of the file that declares it. The program runs in this folder, and its path is relative to it.
    pub folder: PathBuf,
    /// The keys of the rules for which it supports values other than the judge's. The command has a
    /// placeholder for each of them, unless the program is an encoder and its formula does not depend on the
    /// rule.
    pub rules: Vec<String>,
    /// Its axes with their values; the first value is the default. The command has a placeholder for each
    /// axis.
    pub axes: Vec<(String, Vec<String>)>,
    /// The exit statuses besides 0 with which the program may end.
    #[serde(default)]
    pub statuses: Vec<u8>,
    /// The limits of each run of the program.
    pub limits: Limits,
    /// The command that prints its version; empty if there is none.
    pub version: Vec<String>,
    /// Where the command is defined, for messages.
    pub origin: String,
}

/// The result of running a program: its output with its status, and the CPU time that it used.
struct Ran {
    printed: Printed,
    cpu: Duration,
}

/// A declared program. Each of its runs is one of `children`.
struct Program {
    declaration: Declaration,
    children: Arc<Children>,
}

impl Declaration {
    /// Its id without axes and solver.
    pub fn id(&self) -> String {
        let side = if self.prints == Prints::Formula { "sat" } else { "exec" };
        format!("{side}:{}", self.name)
    }

    /// The path of its program, or the program's name, which is looked up in `PATH`.
    pub fn program(&self) -> PathBuf {
        self.locate(self.command.first().map_or("", String::as_str))
    }

    /// The command that prints its version; empty if there is none.
    pub fn version_command(&self) -> Vec<String> {
        let mut command = self.version.clone();
        if let Some(program) = command.first_mut() {
            *program = self.locate(program).to_string_lossy().into_owned();
        }
        command
    }

    /// The path of a program. A path with a slash is relative to the declaration's folder. It is made
    /// absolute, because the program runs in that folder.
    fn locate(&self, program: &str) -> PathBuf {
        if !program.contains('/') {
            return PathBuf::from(program);
        }
        let path = self.folder.join(program);
        std::path::absolute(&path).unwrap_or(path)
    }

    /// An [`EngineInfo`] for this program, so that engine ids can name it. The program runs as one of
    /// `children`. The result is never freed.
    pub fn engine(&self, children: &Arc<Children>) -> EngineInfo {
        let program = Program { declaration: self.clone(), children: Arc::clone(children) };
        let declared = Declared {
            name: self.name.clone(),
            problem: self.problem.clone(),
            prints: self.prints,
            rules: self.rules.clone(),
            command: Box::new(program),
        };
        let info = declared.into_engine(self.command.join(" "), self.axes.clone());
        EngineInfo { source: self.origin.clone().leak(), ..info }
    }

    /// The CPU time that the program needs to start: the minimum over a few runs on a small input, with these values of
    /// its placeholders. `limits` apply as well as its own limits. `None` if a run fails, reaches a limit, or takes more
    /// than a few seconds.
    pub fn startup(
        &self,
        input: &str,
        values: &[(&str, &str)],
        limits: &Limits,
        children: &Children,
        stop: &Stop,
    ) -> Option<Duration> {
        let (cpu, wall) = STARTUP_LIMITS;
        let of_startup = Limits { cpu: Some(cpu), wall: Some(wall), memory: None };
        let limits = self.limits.and(limits).and(&of_startup);
        let limited = Declaration { limits, ..self.clone() };
        let times = (0..STARTS).map(|_| limited.execute(input, values, children, stop).map(|ran| ran.cpu));
        times.collect::<Result<Vec<_>, _>>().ok()?.into_iter().min()
    }

    /// The arguments, with the values of the placeholders.
    fn args(&self, file: &str, values: &[(&str, &str)]) -> Vec<String> {
        let value = |name: &str| match name {
            "" => Some(file),
            _ => values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value),
        };
        self.command.iter().skip(1).map(|arg| fill(arg, value)).collect()
    }

    fn may_end_with(&self, code: i32) -> bool {
        code == 0 || self.statuses.iter().any(|&status| i32::from(status) == code)
    }

    /// Whether a program that failed exceeded its limit on memory, or was refused memory because of a limit.
    fn ran_out_of_memory(&self, run: &mut process::Run) -> bool {
        let is_over = self.limits.memory.is_some_and(|max| run.usage.peak_bytes > max);
        is_over || run.was_refused_memory(&self.limits)
    }

    fn execute(
        &self,
        input: &str,
        values: &[(&str, &str)],
        children: &Children,
        stop: &Stop,
    ) -> Result<Ran, Unfinished> {
        let failed = |what: &str, error: &io::Error| Unfinished::Failed(format!("{what}: {error}"));
        let written = |e: io::Error| failed("the input of the program cannot be written", &e);
        let (mut file, mut stdin) = (None, None);
        if self.command.iter().any(|arg| arg.contains(FILE)) {
            let mut named = children.file().map_err(written)?;
            named.write_all(input.as_bytes()).map_err(written)?;
            file = Some(named);
        } else {
            let mut unnamed = process::file().map_err(written)?;
            unnamed.write_all(input.as_bytes()).and_then(|()| unnamed.rewind()).map_err(written)?;
            stdin = Some(unnamed);
        }
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or(path.to_owned());
        let path = file.as_ref().map_or(PathBuf::new(), |file| absolute(file.path()));
        let program = self.program();
        let path = path.to_string_lossy();
        let args: Vec<OsString> = self.args(&path, values).into_iter().map(OsString::from).collect();
        let max_output = self.prints.max_output(input.len());
        let job = Job {
            program: program.as_os_str(),
            args: &args,
            input: stdin,
            limits: self.limits,
            max_output,
            directory: Some(&self.folder),
            ..Job::default()
        };
        let name = self.command.first().map_or("", String::as_str);
        let run = children.run(job, stop);
        let mut run = run.map_err(|e| Unfinished::Failed(process::start_failure(name, &self.origin, &e)))?;
        let ending = run.ending;
        let fault = match ending {
            Ending::Stopped(limit) => return Err(limit.into()),
            Ending::TooMuchOutput => format!("wrote more than {max_output} bytes"),
            Ending::Ended(status) if status.code().is_some_and(|code| self.may_end_with(code)) => {
                let mut printed = Vec::new();
                let read = reader(&mut run.output).take(max_output + 1).read_to_end(&mut printed);
                read.map_err(|e| failed("the output of the program cannot be read", &e))?;
                // The program may have written more after its output was measured last.
                if printed.len() as u64 <= max_output {
                    let printed = Printed { bytes: printed, status: status.code().unwrap_or_default() };
                    return Ok(Ran { printed, cpu: run.usage.cpu });
                }
                format!("wrote more than {max_output} bytes")
            }
            // A program that notices a failed allocation may end with any status.
            Ending::Ended(_) if self.ran_out_of_memory(&mut run) => return Err(Limit::Memory.into()),
            Ending::Ended(status) => match status.signal() {
                Some(signal) => format!("was killed by signal {signal} ({status})"),
                None => format!("ended with {status}"),
            },
        };
        let said = said(&mut run);
        Err(Unfinished::Failed(format!("{fault}{said}; its command is defined in {}", self.origin)))
    }
}

impl Run for Program {
    fn run(&self, input: &str, values: &[(&str, &str)], budget: &mut Budget) -> Result<Printed, Unfinished> {
        let Program { declaration, children } = self;
        if declaration.prints != Prints::Formula && budget.bounds_work() {
            let why = "a work limit cannot stop a program, because it does not report its work";
            return Err(Unfinished::Failed(format!("{why}; limit CPU time instead")));
        }
        declaration.execute(input, values, children, &budget.stop()).map(|ran| ran.printed)
    }

    fn command(&self, values: &[(&str, &str)]) -> Vec<String> {
        let args = self.declaration.args("FILE", values);
        self.declaration.command.iter().take(1).cloned().chain(args).collect()
    }

    fn folder(&self) -> &Path {
        &self.declaration.folder
    }
}

/// The end of a message: what a program wrote on standard error or, if that is empty, the start of its standard output.
fn said(run: &mut process::Run) -> String {
    let errors = run.error_lines(2);
    let omitted = (errors.omitted > 0).then(|| "…".to_owned());
    let lines: Vec<String> = errors.first.iter().chain(&omitted).chain(&errors.last).cloned().collect();
    if !lines.is_empty() {
        return format!("; standard error: {}", lines.join(" | "));
    }
    let mut start = Vec::new();
    // After an error, show what could be read.
    let _ = reader(&mut run.output).take(1 << 12).read_to_end(&mut start);
    quote(&start)
}

/// The names of the placeholders in an argument; empty for [`FILE`].
pub fn placeholders(arg: &str) -> impl Iterator<Item = &str> {
    parts(arg).filter_map(|part| if let Part::Place(name) = part { Some(name) } else { None })
}

/// An argument whose placeholders are replaced by their values. Placeholders without a value remain.
fn fill<'v>(arg: &str, value: impl Fn(&str) -> Option<&'v str>) -> String {
    let text = |part: Part<'_>| match part {
        Part::Text(text) => text.to_owned(),
        Part::Place(name) => value(name).map_or_else(|| format!("{{{name}}}"), str::to_owned),
    };
    parts(arg).map(text).collect()
}

/// A part of an argument.
enum Part<'a> {
    Text(&'a str),
    /// The name of a placeholder, without its braces.
    Place(&'a str),
}

/// Cuts an argument into parts. Braces around anything but a name, such as those of `{print $1}`, are text.
fn parts(arg: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = arg;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let place = |at: usize| {
            let end = rest[at..].find('}')? + at;
            let name = &rest[at + 1..end];
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let is_name = name.chars().all(plain) && !name.starts_with(|c: char| !c.is_ascii_alphabetic());
            is_name.then_some((at, end + 1))
        };
        let (part, next) = match rest.match_indices('{').find_map(|(at, _)| place(at)) {
            Some((0, end)) => (Part::Place(&rest[1..end - 1]), end),
            Some((start, _)) => (Part::Text(&rest[..start]), start),
            None => (Part::Text(rest), rest.len()),
        };
        rest = &rest[next..];
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_once() {
        let value = |name: &str| match name {
            "" => Some("/tmp/a"),
            "amo" => Some("{ladder}"),
            "ladder" => Some("no"),
            _ => None,
        };
        for (arg, filled) in [
            ("{}", "/tmp/a"),
            ("--amo={amo},{amo}.", "--amo={ladder},{ladder}."),
            ("{print $1} {1} {-} {é} {", "{print $1} {1} {-} {é} {"),
            ("{{amo}}", "{{ladder}}"),
            ("{other}", "{other}"),
            ("", ""),
        ] {
            assert_eq!(fill(arg, value), filled, "{arg}");
        }
        assert_eq!(placeholders("a{x}{}b{y-1}{z z}").collect::<Vec<_>>(), ["x", "", "y-1"]);
    }
}
