//! `counterpoint.toml`: outside solvers and proof checkers by name, so that no path stands in an engine id.
//!
//! ```toml
//! [solver.kissat]
//! command = ["kissat", "-q"]
//! input = "file"
//! limits = { cpu = "20s", memory = "2GiB", wall = "60s" }
//!
//! [checker.drat-trim]
//! command = ["/opt/drat-trim", "{}", "{proof}", "-w"]
//! reads = ["drat"]
//! ```

use super::context::Context;
use super::exit::Failure;
use super::proofs::FORMATS;
use super::read;
use crate::checker::{self, PROOF};
use crate::document::{Document, Placed};
use crate::process::Limits;
use crate::solver::SolverRegistry;
use crate::solver::external::{self, ANSWER, FORMULA, Input, ParityInput, Program};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file that is read if none is named.
const FILE: &str = "counterpoint.toml";

/// Names another.
const VARIABLE: &str = "COUNTERPOINT_CONFIG";

/// The longest configuration.
const MAX_BYTES: u64 = 1 << 20;

/// What the configuration adds to what is built in.
pub(super) struct Config {
    /// All solvers.
    pub(super) solvers: SolverRegistry,
    /// The outside ones among them.
    pub(super) programs: Vec<Program>,
    /// Outside proof checkers, those that need no configuration behind those that have one.
    pub(super) checkers: Vec<checker::Program>,
    /// Which file was read, or where there is none, for messages about a name that is unknown.
    pub(super) origin: String,
}

/// Reads the configuration that was named, or the one in the working directory if there is one. An empty
/// variable names nothing.
pub(super) fn load(context: &Context) -> Result<Config, Failure> {
    load_from(context, &[Path::new("")])
}

/// Reads the configuration of a plan: the one that was named, else the one in the plan's folder, else the one
/// in the working directory. One file is read, not several.
pub(super) fn beside_plan(context: &Context, folder: &Path) -> Result<Config, Failure> {
    let folder = if folder == Path::new(".") { Path::new("") } else { folder };
    load_from(context, &[folder, Path::new("")])
}

/// Reads the configuration that was named, else the first that one of these folders has.
fn load_from(context: &Context, folders: &[&Path]) -> Result<Config, Failure> {
    let variable = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    let nearby = || folders.iter().map(|folder| folder.join(FILE)).find(|path| path.exists());
    let Some(path) = context.config.clone().or_else(variable).or_else(nearby) else {
        let place = |folder: &&Path| match folder.as_os_str().is_empty() {
            true => "the working directory".to_owned(),
            false => folder.display().to_string(),
        };
        let mut places: Vec<_> = folders.iter().map(place).collect();
        places.dedup();
        let origin = format!("no configuration: there is no {FILE} in {}", places.join(" or "));
        let solvers = SolverRegistry::built_in().configured(&origin);
        return Ok(Config { solvers, programs: Vec::new(), checkers: checker::known(), origin });
    };
    let name = path.display().to_string();
    let text = read::text(&name, read::open(&name)?, MAX_BYTES)?;
    let (programs, mut checkers) = read(&Document::new(&name, &text))?;
    let unnamed = |known: &checker::Program| checkers.iter().all(|checker| checker.name != known.name);
    let known: Vec<_> = checker::known().into_iter().filter(unnamed).collect();
    checkers.extend(known);
    let origin = format!("configuration: {name}");
    let solvers = registry(context, &programs).configured(&origin);
    Ok(Config { solvers, programs, checkers, origin })
}

/// The solvers of a plan's table.
pub(super) fn solvers(document: &Document<'_>, value: Option<&Placed<'_>>) -> Result<Vec<Program>, String> {
    entries(document, "solver", value, program)
}

/// The solvers of our own and these.
pub(super) fn registry(context: &Context, programs: &[Program]) -> SolverRegistry {
    programs.iter().fold(SolverRegistry::built_in(), |solvers, program| {
        solvers.with(external::factory(program.clone(), Arc::clone(&context.children)))
    })
}

/// Solvers and checkers, each in the order in which they stand.
fn read(document: &Document<'_>) -> Result<(Vec<Program>, Vec<checker::Program>), String> {
    let root = document.table()?;
    document.check_keys(root.get_ref(), &["solver", "checker"])?;
    Ok((
        entries(document, "solver", root.get_ref().get("solver"), program)?,
        entries(document, "checker", root.get_ref().get("checker"), checker)?,
    ))
}

/// The entries of one kind, each read by `each` with its name.
fn entries<T>(
    document: &Document<'_>,
    kind: &str,
    table: Option<&Placed<'_>>,
    each: fn(&Document<'_>, &str, &Placed<'_>) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let Some(table) = table else { return Ok(Vec::new()) };
    let mut found = document.as_table(table)?.iter().map(|(name, value)| {
        let (at, name) = (name.span().start, name.get_ref().as_ref());
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
        if name.is_empty() || !name.chars().all(plain) {
            return document
                .error_at(at, &format!("a {kind}'s name has letters, digits, '-', '_' and '.' only"));
        }
        let of_our_own = SolverRegistry::built_in().iter().any(|own| own.name() == name);
        if kind == "solver" && of_our_own {
            return document
                .error_at(at, &format!("'{name}' is the name of a solver of our own; take another"));
        }
        Ok((at, each(document, name, value)?))
    });
    let mut entries = found.by_ref().collect::<Result<Vec<_>, String>>()?;
    entries.sort_by_key(|(at, _)| *at);
    Ok(entries.into_iter().map(|(_, entry)| entry).collect())
}

/// The command of a table, with its byte.
fn command(document: &Document<'_>, what: &str, value: &Placed<'_>) -> Result<(usize, Vec<String>), String> {
    let Some(given) = document.as_table(value)?.get("command") else {
        return document.error_at(value.span().start, &format!("{what} has no command"));
    };
    let at = given.span().start;
    let mut command = strings(document, given)?;
    match command.first_mut() {
        None => return document.error_at(at, "a command is a list: the program and its arguments"),
        // A path is meant from where it is written.
        Some(first) if first.contains('/') => {
            let folder = Path::new(document.name()).parent().unwrap_or(Path::new(""));
            *first = folder.join(&*first).to_string_lossy().into_owned();
        }
        Some(_) => {}
    }
    if [FORMULA, ANSWER, PROOF].iter().any(|place| command[0].contains(place)) {
        return document.error_at(at, "the program itself cannot be put in");
    }
    Ok((at, command))
}

/// The strings of a list; none if it is no list.
fn strings(document: &Document<'_>, list: &Placed<'_>) -> Result<Vec<String>, String> {
    let parts = list.get_ref().as_array().into_iter().flat_map(|array| array.iter());
    parts.map(|part| document.as_str(part).map(str::to_owned)).collect()
}

fn checker(document: &Document<'_>, name: &str, value: &Placed<'_>) -> Result<checker::Program, String> {
    let entry = document.as_table(value)?;
    document.check_keys(entry, &["command", "reads", "limits"])?;
    let (at, command) = command(document, &format!("checker {name}"), value)?;
    let reads = match entry.get("reads") {
        None => checker::reads(name),
        Some(list) => {
            let reads = strings(document, list)?;
            if reads.is_empty() || reads.iter().any(|format| !FORMATS.contains(&format.as_str())) {
                let formats = FORMATS.map(|format| format!("\"{format}\"")).join(" or ");
                return document.error_at(list.span().start, &format!("'reads' is a list of {formats}"));
            }
            reads
        }
    };
    let limits = entry.get("limits").map_or(Ok(Limits::default()), |value| limits(document, value))?;
    Ok(checker::Program { name: name.to_owned(), command, reads, limits, origin: document.place(at) })
}

fn program(document: &Document<'_>, name: &str, value: &Placed<'_>) -> Result<Program, String> {
    let entry = document.as_table(value)?;
    document.check_keys(entry, &["command", "input", "parity", "limits"])?;
    let (at, command) = command(document, &format!("solver {name}"), value)?;
    let input = match entry.get("input").map(|input| (input, document.as_str(input))) {
        None => Input::File,
        Some((_, Ok("file"))) => Input::File,
        Some((input, Ok("stdin"))) if command.iter().any(|arg| arg.contains(FORMULA)) => {
            let why = format!("the command names the formula by '{FORMULA}', so it is no standard input");
            return document.error_at(input.span().start, &why);
        }
        Some((_, Ok("stdin"))) => Input::Stdin,
        Some((input, other)) => {
            let why = format!("input is 'file' or 'stdin', not '{}'", other?);
            return document.error_at(input.span().start, &why);
        }
    };
    let parity = match entry.get("parity").map(|parity| (parity, document.as_str(parity))) {
        None | Some((_, Ok("clauses"))) => ParityInput::Clauses,
        Some((_, Ok("lines"))) => ParityInput::Lines,
        Some((parity, other)) => {
            let why = format!("parity is 'clauses' or 'lines', not '{}'", other?);
            return document.error_at(parity.span().start, &why);
        }
    };
    let limits = entry.get("limits").map_or(Ok(Limits::default()), |value| limits(document, value))?;
    Ok(Program { name: name.to_owned(), command, input, parity, limits, origin: document.place(at) })
}

fn limits(document: &Document<'_>, value: &Placed<'_>) -> Result<Limits, String> {
    let table = document.as_table(value)?;
    document.check_keys(table, &["cpu", "memory", "wall"])?;
    Ok(Limits {
        cpu: table.get("cpu").map(|value| document.as_duration(value)).transpose()?,
        wall: table.get("wall").map(|value| document.as_duration(value)).transpose()?,
        memory: table.get("memory").map(|value| document.as_bytes(value)).transpose()?,
    })
}
