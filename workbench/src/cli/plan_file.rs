//! Finds the plan of an experiment by the name that the command line gives.

use super::exit::Failure;
use super::{program, read};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of numbered experiments.
pub(super) const HOME: &str = "experiments";

/// The file that makes a folder an experiment.
pub(super) const PLAN: &str = "plan.toml";

/// The maximum length of a plan, in bytes.
const MAX_PLAN_BYTES: u64 = 1 << 20;

/// The file of a plan.
pub(super) struct PlanFile {
    /// The folder of the plan.
    pub(super) folder: PathBuf,
    /// The path of the plan.
    pub(super) file: String,
    /// The text of the plan.
    pub(super) text: String,
}

impl PlanFile {
    /// Reads the plan that EXP names: a plan, its folder, or a folder under `experiments/` by a unique prefix of its
    /// name or by its name without the number.
    pub(super) fn open(exp: &str) -> Result<Self, Failure> {
        let path = find(exp)?;
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let file = path.display().to_string();
        let text = read::text(&file, read::regular(&file)?, MAX_PLAN_BYTES)?;
        Ok(PlanFile { folder, file, text })
    }
}

/// The path of the plan that EXP names.
pub(super) fn find(exp: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(exp);
    if path.is_file() {
        return Ok(path.to_owned());
    }
    if path.is_dir() {
        let plan = path.join(PLAN);
        let missing = || Failure::usage(format!("{exp} has no {PLAN}; `{} new` writes one", program::name()));
        return if plan.is_file() { Ok(plan) } else { Err(missing()) };
    }
    let names = names();
    // A name that was given to `new` is found without the number that `new` put in front of it.
    let plain = |name: &str| name.split_once('-').is_some_and(|(_, plain)| plain == exp);
    let found: Vec<&String> = names.iter().filter(|name| name.starts_with(exp) || plain(name)).collect();
    match found[..] {
        [name] => Ok(Path::new(HOME).join(name).join(PLAN)),
        [] => Err(Failure::usage(format!(
            "there is no experiment '{exp}': no such folder or plan, and {HOME}/ contains {}",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        ))),
        _ => {
            let all: Vec<&str> = found.iter().map(|name| name.as_str()).collect();
            Err(Failure::usage(format!("'{exp}' matches several experiments: {}", all.join(", "))))
        }
    }
}

/// The names of the experiments under `experiments/` in the working directory.
pub(super) fn names() -> Vec<String> {
    let entries = fs::read_dir(HOME).into_iter().flatten().flatten();
    let plans = entries.filter(|entry| entry.path().join(PLAN).is_file());
    let mut names: Vec<String> =
        plans.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
