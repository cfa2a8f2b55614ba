//! `new`: writes a commented plan for a new experiment.

use super::args::New;
use super::context::Context;
use super::exit::{Failure, Status};
use super::plan_file::{HOME, PLAN};
use super::print;
use super::program;
use crate::harness::plan::template;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(super) fn run(context: &Context, args: &New) -> Result<Status, Failure> {
    let problem = context.registry.find(&args.problem)?;
    if let Some(plan) = existing(&args.exp) {
        return Err(Failure::usage(format!(
            "experiment '{}' already exists: {}; edit that plan or use another name",
            args.exp,
            plan.display()
        )));
    }
    let folder = folder(&args.exp);
    let plan = folder.join(PLAN);
    let failed = |error| Failure::usage(format!("{}: cannot be created: {error}", plan.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&plan);
    file.and_then(|mut file| file.write_all(program::own(&template(problem)).as_bytes())).map_err(failed)?;
    let name = folder.display();
    print::warn(&format!(
        "wrote {}; `{} run {name} --dry-run` shows its runs",
        plan.display(),
        program::name()
    ));
    Ok(Status::Done)
}

/// The plan of an existing experiment with this name, with or without its number.
fn existing(exp: &str) -> Option<PathBuf> {
    let numbered = fs::read_dir(HOME).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_named = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.as_deref().unwrap_or_default();
        let (number, rest) = name.split_once('-').unwrap_or_default();
        name == exp || (rest == exp && number.parse::<u32>().is_ok())
    };
    let folders = numbered.filter(is_named).chain([PathBuf::from(exp)]);
    folders.map(|folder| folder.join(PLAN)).find(|plan| plan.exists())
}

/// The folder to create. If `experiments/` exists, a name without a slash becomes a folder there, with the next number
/// in front unless the name begins with a number. Otherwise, the folder is `exp` itself.
fn folder(exp: &str) -> PathBuf {
    if exp.contains('/') || !Path::new(HOME).is_dir() {
        return PathBuf::from(exp);
    }
    let number = |name: &str| name.split('-').next()?.parse::<u32>().ok();
    let entries = fs::read_dir(HOME).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let next = names.filter_map(|name| number(&name)).max().unwrap_or(0) + 1;
    let numbered = exp.split('-').next().is_some_and(|start| start.parse::<u32>().is_ok());
    Path::new(HOME).join(if numbered { exp.to_owned() } else { format!("{next:03}-{exp}") })
}
