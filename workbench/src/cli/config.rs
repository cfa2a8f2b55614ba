//! Reads `counterpoint.toml`. It gives names to external solvers, to proof checkers, and to programs and encoders that
//! act as engines, so that engine ids need no paths.
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
//!
//! [engine.mine]
//! problem = "ships"
//! command = ["python3", "mine.py"]
//!
//! [encoding.mine]
//! problem = "ships"
//! command = ["python3", "encode.py", "--amo={amo}"]
//! axes = { amo = ["pairwise", "ladder"] }
//! ```

mod outside;
mod solver;

pub(super) use outside::declarations;

use super::context::Context;
use super::exit::Failure;
use super::plan_file::PlanFile;
use super::{interrupt, print, read};
use crate::checker::{self, PROOF};
use crate::declared::Declaration;
use crate::document::{Document, DocumentError, Placed};
use crate::engine::{EngineInfo, Limit, Stop};
use crate::erased::DynProblem;
use crate::harness::{plan, slurm};
use crate::process::Limits;
use crate::proof::Refutation;
use crate::registry::Registry;
use crate::solver::SolverRegistry;
use crate::solver::external::{self, ANSWER, FORMULA, Program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::DeTable;

/// The default configuration file.
const FILE: &str = "counterpoint.toml";

/// The environment variable that names another configuration file.
const VARIABLE: &str = "COUNTERPOINT_CONFIG";

/// The maximum length of a configuration file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The solvers, checkers and declared engines that are available.
pub(super) struct Config {
    /// All solvers, built-in and external.
    pub(super) solvers: SolverRegistry,
    /// The external solvers.
    pub(super) programs: Vec<Program>,
    /// The external proof checkers: first those that the configuration names, then those that need no configuration.
    pub(super) checkers: Vec<checker::Program>,
    /// The programs and encoders that act as engines.
    pub(super) declared: Vec<Declaration>,
    /// The settings of pilots on a Slurm cluster; `None` if the file has none.
    pub(super) slurm: Option<slurm::Settings>,
    /// Says which file was read, or where a file was looked for. Messages about unknown names contain this text.
    pub(super) origin: String,
}

/// Reads the configuration that the command line or the environment names, or the one in the working directory. An
/// empty environment variable is ignored. If the command line names an experiment, reads the configuration of its plan
/// instead (see [`beside_plan`]), and adds what the plan itself declares.
pub(super) fn load(context: &Context) -> Result<Config, Failure> {
    let Some(exp) = &context.plan else { return load_from(context, &[Path::new("")]) };
    let PlanFile { folder, file, text } = PlanFile::open(exp)?;
    let known = beside_plan(context, &folder)?;
    let document = Document::new(&file, &text);
    let root = document.table()?;
    let programs = known.with_programs(&document, root.get_ref().get("solver"))?;
    let declared = known.with_declared(&document, &context.registry, root.get_ref())?;
    let origin = format!("{file}; {}", known.origin);
    let solvers = registry(context, &programs).configured(&origin);
    Ok(Config { solvers, programs, declared, origin, ..known })
}

/// Reads the configuration of a plan. This is the file that the command line or the environment names; if they name
/// none, the file in the plan's folder; if that does not exist, the file in the working directory.
pub(super) fn beside_plan(context: &Context, folder: &Path) -> Result<Config, Failure> {
    let folder = if folder == Path::new(".") { Path::new("") } else { folder };
    load_from(context, &[folder, Path::new("")])
}

/// Reads the configuration that the command line or the environment names, otherwise the first one found in `folders`.
fn load_from(context: &Context, folders: &[&Path]) -> Result<Config, Failure> {
    let variable = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    let nearby = || folders.iter().map(|folder| folder.join(FILE)).find(|path| path.exists());
    let named = context.config.clone().or_else(variable);
    let is_named = named.is_some();
    let Some(path) = named.or_else(nearby) else {
        let place = |folder: &&Path| match folder.as_os_str().is_empty() {
            true => "the working directory".to_owned(),
            false => folder.display().to_string(),
        };
        let mut places: Vec<_> = folders.iter().map(place).collect();
        places.dedup();
        let origin = format!("no configuration: there is no {FILE} in {}", places.join(" or "));
        let solvers = SolverRegistry::built_in().configured(&origin);
        return Ok(Config {
            solvers,
            programs: Vec::new(),
            checkers: checker::known(),
            declared: Vec::new(),
            slurm: None,
            origin,
        });
    };
    let name = path.display().to_string();
    // A file that the user has not named may be in a folder of others.
    let file = if is_named { read::open(&name)? } else { read::regular(&name)? };
    let text = read::text(&name, file, MAX_BYTES)?;
    let document = Document::new(&name, &text);
    let File { programs, mut checkers, declared, slurm } = read(&document, &context.registry)?;
    let unnamed = |known: &checker::Program| checkers.iter().all(|checker| checker.name != known.name);
    let known: Vec<_> = checker::known().into_iter().filter(unnamed).collect();
    checkers.extend(known);
    let origin = format!("configuration: {name}");
    let solvers = registry(context, &programs).configured(&origin);
    Ok(Config { solvers, programs, checkers, declared, slurm, origin })
}

/// Checks a configuration file as every command does that reads one. Nothing that it names is started or opened.
///
/// # Errors
/// Returns the first error.
pub fn check_configuration(document: &Document<'_>, registry: &Registry) -> Result<(), DocumentError> {
    read(document, registry).map(drop)
}

impl Config {
    /// The external solvers that a plan's table declares, then those of the configuration with other names.
    pub(super) fn with_programs(
        &self,
        document: &Document<'_>,
        value: Option<&Placed<'_>>,
    ) -> Result<Vec<Program>, DocumentError> {
        let mut programs = solvers(document, value)?;
        let unnamed = |known: &&Program| programs.iter().all(|named| named.name != known.name);
        let others: Vec<Program> = self.programs.iter().filter(unnamed).cloned().collect();
        programs.extend(others);
        Ok(programs)
    }

    /// The engines that a plan declares, then those of the configuration with other names.
    pub(super) fn with_declared(
        &self,
        document: &Document<'_>,
        registry: &Registry,
        table: &DeTable<'_>,
    ) -> Result<Vec<Declaration>, DocumentError> {
        let mut declared = declarations(document, registry, table)?;
        let ids: Vec<String> = declared.iter().map(Declaration::id).collect();
        declared.extend(self.declared.iter().filter(|d| !ids.contains(&d.id())).cloned());
        Ok(declared)
    }
}

/// The external solvers that a plan's table declares.
fn solvers(document: &Document<'_>, value: Option<&Placed<'_>>) -> Result<Vec<Program>, DocumentError> {
    entries(document, "solver", value, solver::read)
}

/// The built-in solvers and these external ones.
pub(super) fn registry(context: &Context, programs: &[Program]) -> SolverRegistry {
    programs.iter().fold(SolverRegistry::built_in(), |solvers, program| {
        solvers.with(external::factory(program.clone(), Arc::clone(&context.children)))
    })
}

/// Asks programs for their versions and returns these by the names of the programs. A program without a version command
/// is left out. If the command fails, the program is left out, too, and a warning says why.
pub(super) fn versions<'a>(
    context: &Context,
    programs: impl IntoIterator<Item = &'a Program>,
) -> BTreeMap<String, String> {
    let stop: Stop = Arc::new(|| interrupt::is_requested().then_some(Limit::Cancelled));
    let ask = |program: &Program| {
        let asked = || context.children.version(&program.version, None, &program.origin, &stop);
        match interrupt::interruptible(asked) {
            Ok(version) => Some((program.name.clone(), version)),
            Err(why) => {
                print::warn(&format!("warning: the version of solver {} is not known: {why}", program.name));
                None
            }
        }
    };
    programs.into_iter().filter(|program| !program.version.is_empty()).filter_map(ask).collect()
}

/// The engines of a problem: its own, and those that are declared for it.
pub(super) fn engines(
    context: &Context,
    problem: &dyn DynProblem,
    declared: &[Declaration],
) -> Vec<EngineInfo> {
    let declared = declared.iter().filter(|declared| declared.problem == problem.name());
    let declared = declared.map(|declared| declared.engine(&context.children));
    problem.engines().iter().copied().chain(declared).collect()
}

/// What a configuration file declares. Solvers and checkers are in the order of the file.
struct File {
    programs: Vec<Program>,
    checkers: Vec<checker::Program>,
    declared: Vec<Declaration>,
    slurm: Option<slurm::Settings>,
}

fn read(document: &Document<'_>, registry: &Registry) -> Result<File, DocumentError> {
    let root = document.table()?;
    let table = root.get_ref();
    document.check_keys(table, &["solver", "checker", "engine", "encoding", "slurm"])?;
    Ok(File {
        programs: entries(document, "solver", table.get("solver"), solver::read)?,
        checkers: entries(document, "checker", table.get("checker"), checker)?,
        declared: declarations(document, registry, table)?,
        slurm: table.get("slurm").map(|value| plan::slurm(document, value)).transpose()?,
    })
}

/// The entries of one kind. `each` reads an entry, given its name.
fn entries<T>(
    document: &Document<'_>,
    kind: &str,
    table: Option<&Placed<'_>>,
    each: impl Fn(&Document<'_>, &str, &Placed<'_>) -> Result<T, DocumentError>,
) -> Result<Vec<T>, DocumentError> {
    let Some(table) = table else { return Ok(Vec::new()) };
    let mut found = document.as_table(table)?.iter().map(|(name, value)| {
        let (at, name) = (name.span().start, name.get_ref().as_ref());
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
        if name.is_empty() || !name.chars().all(plain) {
            let article = if kind.starts_with('e') { "an" } else { "a" };
            return document.error_at(
                at,
                &format!("{article} {kind}'s name may contain only letters, digits, '-', '_' and '.'"),
            );
        }
        let is_built_in = SolverRegistry::built_in().iter().any(|built_in| built_in.name() == name);
        if kind == "solver" && is_built_in {
            return document
                .error_at(at, &format!("'{name}' is the name of a built-in solver; use another name"));
        }
        Ok((at, each(document, name, value)?))
    });
    let mut entries = found.by_ref().collect::<Result<Vec<_>, DocumentError>>()?;
    entries.sort_by_key(|(at, _)| *at);
    Ok(entries.into_iter().map(|(_, entry)| entry).collect())
}

/// The byte position of the entry `command` of a table, and the program with its arguments.
fn command(
    document: &Document<'_>,
    what: &str,
    value: &Placed<'_>,
) -> Result<(usize, Vec<String>), DocumentError> {
    let Some(given) = document.as_table(value)?.get("command") else {
        return document.error_at(value.span().start, &format!("{what} has no command"));
    };
    let at = given.span().start;
    let mut command = strings(document, given)?;
    match command.first_mut() {
        None => return document.error_at(at, "expected a list: the program and its arguments"),
        Some(first) => *first = relative(document, first),
    }
    if [FORMULA, ANSWER, PROOF].iter().any(|place| command[0].contains(place)) {
        return document.error_at(at, "the name of the program cannot contain a placeholder");
    }
    Ok((at, command))
}

/// The command that prints a program's version: the entry `version` of its table. Empty if there is no such entry.
fn version_command(document: &Document<'_>, entry: &DeTable<'_>) -> Result<Vec<String>, DocumentError> {
    let Some(list) = entry.get("version") else { return Ok(Vec::new()) };
    let command = strings(document, list)?;
    if command.is_empty() {
        return document.error_at(list.span().start, "expected a list: the program and its arguments");
    }
    Ok(command)
}

/// A program's path. It is relative to the folder of the document, which is a configuration file or a plan. A name
/// without `/` stays as it is.
fn relative(document: &Document<'_>, program: &str) -> String {
    if !program.contains('/') {
        return program.to_owned();
    }
    let folder = Path::new(document.name()).parent().unwrap_or(Path::new(""));
    folder.join(program).to_string_lossy().into_owned()
}

/// The strings of a list; empty if the value is not a list.
fn strings(document: &Document<'_>, list: &Placed<'_>) -> Result<Vec<String>, DocumentError> {
    let parts = list.get_ref().as_array().into_iter().flat_map(|array| array.iter());
    parts.map(|part| document.as_str(part).map(str::to_owned)).collect()
}

fn checker(
    document: &Document<'_>,
    name: &str,
    value: &Placed<'_>,
) -> Result<checker::Program, DocumentError> {
    let entry = document.as_table(value)?;
    document.check_keys(entry, &["command", "reads", "limits"])?;
    let (at, command) = command(document, &format!("checker {name}"), value)?;
    let reads = match entry.get("reads") {
        None => checker::reads(name),
        Some(list) => {
            let reads = strings(document, list)?;
            let known = Refutation::FORMATS;
            if reads.is_empty() || reads.iter().any(|format| !known.contains(&format.as_str())) {
                let [first, second, third] = known.map(|format| format!("\"{format}\""));
                let why = format!("expected a list of {first}, {second} or {third}");
                return document.error_at(list.span().start, &why);
            }
            reads
        }
    };
    let limits = entry.get("limits").map_or(Ok(Limits::default()), |value| limits(document, value))?;
    Ok(checker::Program { name: name.to_owned(), command, reads, limits, origin: document.place(at) })
}

fn limits(document: &Document<'_>, value: &Placed<'_>) -> Result<Limits, DocumentError> {
    let table = document.as_table(value)?;
    document.check_keys(table, &["cpu", "memory", "wall"])?;
    Ok(Limits {
        cpu: table.get("cpu").map(|value| document.as_time_limit(value)).transpose()?,
        wall: table.get("wall").map(|value| document.as_time_limit(value)).transpose()?,
        memory: table.get("memory").map(|value| document.as_memory_limit(value)).transpose()?,
    })
}
