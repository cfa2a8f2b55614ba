//! What all commands share: exit status, input, rules, budgets.

use super::args::{Input, Limits, Rules};
use super::{config, interrupt};
use crate::claim::CHECK_WORK;
use crate::engine::{Budget, Limit};
use crate::erased::{DynInstance, DynProblem, JudgeError};
use crate::input::{InputError, Source, Warnings};
use crate::process::{self, Children};
use crate::registry::Registry;
use crate::rules::Settings;
use crate::solver::SolverRegistry;
use crate::spec::{self, EngineSpec};
use cpu_time::ProcessTime;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest file that a rule may name.
pub(super) const MAX_RULE_BYTES: u64 = 1 << 20;

pub(super) struct Context {
    pub(super) registry: Registry,
    /// The configuration that was named on the command line.
    pub(super) config: Option<PathBuf>,
    /// Outside programs that run.
    pub(super) children: Arc<Children>,
}

impl Context {
    /// All engines that the patterns name. The configuration is read only if they name a solver.
    pub(super) fn engines(
        &self,
        problem: &dyn DynProblem,
        patterns: &str,
    ) -> Result<Vec<EngineSpec>, Failure> {
        let solvers =
            if patterns.contains('@') { config::load(self)?.solvers } else { SolverRegistry::built_in() };
        Ok(spec::resolve(&problem.engines(), &solvers, patterns)?)
    }

    /// Exactly one engine.
    pub(super) fn engine(&self, problem: &dyn DynProblem, pattern: &str) -> Result<EngineSpec, Failure> {
        let mut found = self.engines(problem, pattern)?;
        match found.len() {
            1 => Ok(found.remove(0)),
            n => Err(Failure::usage(format!("'{pattern}' names {n} engines; name one"))),
        }
    }

    /// A fresh budget: the limits given, and Ctrl-C. CPU time is that of outside programs, too.
    pub(super) fn budget(&self, limits: &Limits) -> Budget {
        // The clock is only looked at if somebody set a limit by it.
        let clock = limits.cpu_limit.map(|most| (self.cpu_clock(), most));
        let (start, children) = (Instant::now(), Arc::clone(&self.children));
        let stop = move || match &clock {
            _ if interrupt::asked() => Some(Limit::Cancelled),
            Some((spent, most)) if spent() > *most => Some(Limit::Cpu),
            // A program that sleeps uses no CPU time.
            Some((_, most)) if start.elapsed() > process::patience(*most) && children.any() => {
                Some(Limit::Wall)
            }
            _ => None,
        };
        Budget::new(limits.work_limit, Arc::new(stop)).on_threads(limits.threads)
    }

    /// CPU time of this process and its outside programs that `run` takes, beside its result.
    pub(super) fn timed<T>(&self, run: impl FnOnce() -> T) -> (T, Duration) {
        let spent = self.cpu_clock();
        let result = run();
        (result, spent())
    }

    /// Tells the CPU time from now on.
    pub(super) fn cpu_clock(&self) -> impl Fn() -> Duration + Send + Sync + use<> {
        let children = Arc::clone(&self.children);
        let (start, before) = (ProcessTime::now(), children.cpu());
        move || start.elapsed() + children.cpu().saturating_sub(before)
    }
}

/// How a command ended. The worse of two is the one listed later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Done,
    /// A limit was met.
    Limit,
    /// Engines disagree or a claim failed.
    Wrong,
    /// Bad input or usage.
    Usage,
    /// Ctrl-C.
    Interrupted,
}

impl Status {
    pub(super) const fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Limit => 3,
            Status::Wrong => 1,
            Status::Usage => 2,
            Status::Interrupted => interrupt::STATUS as u8,
        }
    }

    /// The status of a run that met `limit`.
    pub(super) const fn of(limit: Limit) -> Self {
        match limit {
            Limit::Cancelled => Status::Interrupted,
            _ => Status::Limit,
        }
    }
}

/// Why a command ended early. An empty message ends it in silence.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: Status,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Failure { status: Status::Usage, message: message.into() }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::usage(message)
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Failure::usage(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Whoever reads our output has seen enough.
            io::ErrorKind::BrokenPipe => Failure { status: Status::Done, message: String::new() },
            _ => Failure::usage(format!("cannot write: {error}")),
        }
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        match error {
            JudgeError::Output(error) => error.into(),
            JudgeError::Limit { limit, .. } => {
                Failure { status: Status::of(limit), message: error.to_string() }
            }
            _ => Failure::usage(error.to_string()),
        }
    }
}

/// A result that has to do with a file or folder; an error names it.
pub(super) fn named<T>(path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// A line on standard error. If nobody can read it, there is nothing to be done.
pub(super) fn warn(message: &str) {
    let _ = writeln!(anstream::stderr(), "counterpoint: {message}");
}

/// Text that shall not be overlooked: red where colours are shown.
pub(super) fn loud(text: &str) -> String {
    format!("\x1b[1;31m{text}\x1b[0m")
}

/// The settings that the rule options give.
pub(super) fn settings(problem: &dyn DynProblem, rules: &Rules) -> Result<Settings, Failure> {
    let mut given = rules.rule.clone();
    given.extend(rules.dialect.iter().map(|d| ("dialect".to_owned(), d.clone())));
    given.extend(rules.lenient.then(|| ("lenient".to_owned(), "yes".to_owned())));
    for (i, (key, _)) in given.iter().enumerate() {
        if given[..i].iter().any(|(before, _)| before == key) {
            return Err(Failure::usage(format!("rule {key} is given twice")));
        }
    }
    for (key, flag) in [("dialect", "--dialect"), ("lenient", "--lenient")] {
        let asked = given.iter().any(|(k, _)| k == key);
        if asked && problem.rules().iter().all(|rule| rule.key != key) {
            return Err(Failure::usage(format!(
                "{} has no rule {key}, so {flag} is not for it",
                problem.name()
            )));
        }
    }
    let load = |name: &str| {
        let contents = open(name).and_then(|file| text(name, file, MAX_RULE_BYTES)).map_err(|e| e.message)?;
        Ok(contents.trim_start_matches('\u{feff}').to_owned())
    };
    Ok(Settings::new(problem.rules(), &given, &load)?)
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

/// The budget of a checker: bounded work, and Ctrl-C.
pub(super) fn check_budget() -> Budget {
    Budget::new(Some(CHECK_WORK), Arc::new(|| interrupt::asked().then_some(Limit::Cancelled)))
}

/// Is called with the number of a game, from 1, and the game.
pub(super) type Visit<'a> = &'a mut dyn FnMut(usize, &dyn DynInstance) -> Result<(), Failure>;

/// Calls `visit` with each game until Ctrl-C. An error in the input comes after the games before it.
pub(super) fn games(context: &Context, input: &Input, visit: Visit<'_>) -> Result<(), Failure> {
    let problem = context.registry.find(&input.problem)?;
    let settings = settings(problem, &input.rules)?;
    let warnings = Warnings::default();
    let tell = || warnings.take().iter().for_each(|w| warn(&format!("warning: {w}")));
    for (i, instance) in problem.open(&settings, source(input.file.as_deref())?, &warnings)?.enumerate() {
        tell();
        visit(i + 1, &*instance?)?;
        if interrupt::asked() {
            break;
        }
    }
    tell();
    Ok(())
}

/// Calls `visit` with each game; with an option that takes one game alone, with the only one.
pub(super) fn games_for(
    context: &Context,
    input: &Input,
    option: Option<&str>,
    visit: Visit<'_>,
) -> Result<(), Failure> {
    match option {
        Some(option) => single_game(context, input, option, visit),
        None => games(context, input, visit),
    }
}

/// Calls `visit` with the only game, for there is to be no other where this option is given.
fn single_game(context: &Context, input: &Input, option: &str, visit: Visit<'_>) -> Result<(), Failure> {
    let problem = context.registry.find(&input.problem)?;
    let settings = settings(problem, &input.rules)?;
    let warnings = Warnings::default();
    let mut instances = problem.open(&settings, source(input.file.as_deref())?, &warnings)?;
    let first = instances.next().transpose()?;
    let second = instances.next();
    warnings.take().iter().for_each(|w| warn(&format!("warning: {w}")));
    let Some(instance) = first else { return Ok(()) };
    match second {
        Some(Ok(_)) => Err(Failure::usage(format!("{option} takes one game; name it with --game"))),
        None => visit(1, &*instance),
        // The game is complete, so it is answered before the error behind it.
        Some(Err(error)) => visit(1, &*instance).and(Err(error.into())),
    }
}

/// That an input has fewer games than the one asked for.
pub(super) fn no_game(input: &Input, game: usize, games: usize) -> Failure {
    let name = input.file.as_deref().filter(|name| *name != "-").unwrap_or("standard input");
    let number = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    Failure::usage(format!("{name}: there is no game {game}, only {number}"))
}

/// Seconds, milliseconds or microseconds, with three digits.
pub(super) fn duration(time: Duration) -> String {
    seconds(time.as_secs_f64())
}

/// The same of a number of seconds, which may come from a file.
pub(super) fn seconds(s: f64) -> String {
    match s {
        _ if s >= 1.0 => format!("{s:.2} s"),
        _ if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        _ => format!("{:.0} µs", s * 1e6),
    }
}
