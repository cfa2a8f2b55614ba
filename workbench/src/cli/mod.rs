//! The command line, for the problems of a registry.
//!
//! Answers go to standard output, diagnostics to standard error. `exit::Status` lists the exit statuses.

mod against;
mod answers;
mod args;
mod benchexec;
mod certify;
mod check;
mod compact;
mod compare;
mod complete;
mod config;
mod context;
mod cube;
mod cubes;
mod doctor;
mod encode;
mod encoding;
mod encodings;
mod engines;
mod estimate;
mod exit;
mod expected;
mod experiment;
mod explain;
mod external_checkers;
mod formulas;
mod games;
mod generate;
mod help;
mod hints;
mod interrupt;
mod judge;
mod lesson;
mod list;
mod measure;
mod model;
mod new;
mod output;
mod outside;
mod plan_file;
mod play;
mod playground;
mod print;
mod program;
mod progress;
mod proofs;
mod read;
mod repeat;
mod report;
mod run;
mod settings;
mod size;
mod slurm;
mod solve;
mod staging;
mod status;
mod stress;
mod study;
mod subject;
mod summary;
mod table;
mod texts;
mod tour;
mod verdict;
mod verify;

mod warm;
mod worker;

pub use config::check_configuration;

use crate::harness::own_program;
use crate::process::Children;
use crate::registry::Registry;
use args::{Args, Command};
use clap::FromArgMatches;
use context::Context;
use exit::{Failure, Status};
use itertools::Itertools;
use output::Output;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the command line of this process with the problems of `registry`.
pub fn app(registry: Registry) -> ExitCode {
    program::set(registry.program());
    if worker::is_wanted() {
        return execute(registry, (None, None), Some(Command::Worker));
    }
    if worker::is_guard() {
        return end(worker::guard());
    }
    if complete::is_wanted() {
        return end(complete::run(registry, &mut Output));
    }
    let parsed = |command: clap::Command| {
        command.try_get_matches().and_then(|matches| Args::from_arg_matches(&matches))
    };
    // The texts of help are built only if the arguments ask for help or have an error.
    let args = match parsed(help::plain(&registry)).or_else(|_| parsed(help::command(&registry))) {
        Ok(args) => args,
        // clap returns the texts of --help and --version as errors, too.
        Err(error) if !error.use_stderr() => return end(help::print(&error, &mut Output)),
        Err(error) => {
            print::argument_error(&hints::with_hint(error, &registry));
            return ExitCode::from(Status::Usage.code());
        }
    };
    args.color.write_global();
    execute(registry, (args.config, args.plan), args.command)
}

/// Carries out a command, and returns the exit status of this process.
fn execute(
    registry: Registry,
    (config, plan): (Option<PathBuf>, Option<String>),
    command: Option<Command>,
) -> ExitCode {
    let children = match command {
        Some(Command::Worker) => Children::in_shared_group(),
        _ => {
            let children = Children::default();
            match own_program() {
                Ok(program) => children.guarded_by(program, worker::GUARD),
                // Only `run` needs the path of this program, and reports the error.
                Err(_) => children,
            }
        }
    };
    let children = Arc::new(children.adopting());
    interrupt::install(Arc::clone(&children));
    let context = Context { registry, config, plan, children };
    let mut out = Output;
    let result = dispatch(&context, command, &mut out);
    context.children.end();
    warn_missing_counters(&context.children);
    end(result)
}

/// Warns of each solver whose output never contained a counter that the configuration describes.
fn warn_missing_counters(children: &Children) {
    let missing = children.take_counters().into_iter().filter(|counter| !counter.is_found);
    for (program, counters) in &missing.chunk_by(|counter| counter.program.clone()) {
        let names = counters.map(|counter| counter.name).join(", ");
        print::warn(&format!(
            "warning: no line that solver {program} printed matches its statistics for {names}; does its command \
             make it print them?"
        ));
    }
}

/// Flushes standard output, prints the error, if any, and returns the exit status.
fn end(result: Result<Status, Failure>) -> ExitCode {
    let flushed = Output.flush().map_err(Failure::from);
    let status = match result.and_then(|status| flushed.map(|()| status)) {
        Ok(status) => status,
        Err(failure) => {
            if !failure.message.is_empty() {
                print::warn(&format!("error: {}", failure.message));
            }
            failure.status
        }
    };
    ExitCode::from(status.code())
}

fn dispatch(context: &Context, command: Option<Command>, out: &mut dyn Write) -> Result<Status, Failure> {
    if context.plan.is_some()
        && let Some(
            Command::Run(_) | Command::Status(_) | Command::Report(_) | Command::Cancel(_) | Command::New(_),
        ) = command
    {
        let why = "--plan is for commands without an experiment; this one uses the plan of its experiment";
        return Err(Failure::usage(why));
    }
    if context.config.is_some() || context.plan.is_some() {
        // A file that the command line names must be valid even if the command does not need it.
        config::load(context)?;
    }
    match command {
        None => tour::run(context, out),
        Some(Command::Judge(args)) => judge::run(context, &args, out),
        Some(Command::Solve(args)) => solve::run(context, &args, out),
        Some(Command::Check(args)) => check::run(context, &args, out),
        Some(Command::Compare(args)) => compare::run(context, &args, out),
        Some(Command::Encode(args)) => encode::run(context, &args, out),
        Some(Command::Cube(args)) => cube::run(context, &args, out),
        Some(Command::Generate(args)) => generate::run(context, &args, out),
        Some(Command::Study(args)) => study::run(context, &args, out),
        Some(Command::Play(args)) => play::run(context, &args, out),
        Some(Command::Playground(args)) => playground::run(context, &args),
        Some(Command::List(args)) => list::run(context, &args, out),
        Some(Command::Stress(args)) => stress::run(context, &args, out),
        Some(Command::New(args)) => new::run(context, &args),
        Some(Command::Run(args)) => run::run(context, &args, out),
        Some(Command::Status(args)) => status::run(context, &args, out),
        Some(Command::Report(args)) => report::run(context, &args, out),
        Some(Command::Compact(args)) => compact::run(context, &args, out),
        Some(Command::Cancel(args)) => status::cancel(context, &args),
        Some(Command::Doctor(args)) => doctor::run(context, &args, out),
        Some(Command::Worker) => worker::run(context),
        Some(Command::Man(args)) => help::man(&context.registry, &args, out),
        Some(Command::Completions { shell }) => {
            let script = complete::script(shell, help::command(&context.registry));
            out.write_all(&script)?;
            Ok(Status::Done)
        }
    }
}
