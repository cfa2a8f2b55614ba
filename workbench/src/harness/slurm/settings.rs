//! What a user may say about pilots: the table `[slurm]` of a plan or a configuration.

use std::time::Duration;

/// The settings of pilots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The partition; `None` for the default one.
    pub partition: Option<String>,
    /// The account that pays.
    pub account: Option<String>,
    /// The features that nodes must have.
    pub constraint: Option<String>,
    /// The modules that are loaded before a pilot starts.
    pub modules: Vec<String>,
    /// Further options of `sbatch`, one for each line `#SBATCH`.
    pub lines: Vec<String>,
    /// The processors of a pilot. A pilot carries out one run at a time.
    pub cpus: u32,
    /// The memory of a pilot in bytes; `None` if it follows from the limits of the runs.
    pub memory_bytes: Option<u64>,
    /// Whether no other job may use the pilots' nodes, so that times can be quoted.
    pub exclusive: bool,
    /// How long a pilot may show no sign of life before others take its batches.
    pub lease: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            partition: None,
            account: None,
            constraint: None,
            modules: Vec::new(),
            lines: Vec::new(),
            cpus: 1,
            memory_bytes: None,
            exclusive: false,
            lease: Duration::from_secs(180),
        }
    }
}

/// The options of `sbatch` that the job script sets itself, each with what to use instead.
const RESERVED: &[(&str, &str)] = &[
    ("--account", "the key `account`"),
    ("-A", "the key `account`"),
    ("--array", "--nodes"),
    ("-a", "--nodes"),
    ("--chdir", "the directory in which the command is given"),
    ("-D", "the directory in which the command is given"),
    ("--constraint", "the key `constraint`"),
    ("-C", "the key `constraint`"),
    ("--cpus-per-task", "the key `cpus`"),
    ("-c", "the key `cpus`"),
    ("--error", "the folder slurm/log of the set"),
    ("-e", "the folder slurm/log of the set"),
    ("--exclusive", "the key `exclusive`"),
    ("--job-name", "the name that the set has"),
    ("-J", "the name that the set has"),
    ("--mem", "the key `memory`"),
    ("--nodes", "--nodes of this program"),
    ("-N", "--nodes of this program"),
    ("--ntasks", "the key `cpus`"),
    ("-n", "the key `cpus`"),
    ("--open-mode", "the folder slurm/log of the set"),
    ("--output", "the folder slurm/log of the set"),
    ("-o", "the folder slurm/log of the set"),
    ("--partition", "the key `partition`"),
    ("-p", "the key `partition`"),
    ("--requeue", "nothing; pilots are always started again"),
    ("--no-requeue", "nothing; pilots are always started again"),
    ("--signal", "nothing; pilots know their time"),
    ("--time", "--time of this program"),
    ("-t", "--time of this program"),
    ("--wrap", "the key `modules`"),
];

/// If a line of the user sets an option that the job script sets, that option and what to use instead.
pub fn reserved(line: &str) -> Option<(&'static str, &'static str)> {
    let option = line.split(['=', ' ']).next().unwrap_or_default();
    // A short option may be followed by its value without a space.
    let is_same = |name: &str| {
        option == name || name.len() == 2 && !option.starts_with("--") && option.starts_with(name)
    };
    RESERVED.iter().copied().find(|(name, _)| is_same(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_script_are_reserved() {
        for line in ["--time=5", "--time 5", "-t5", "-t 5", "--array=1-3", "-N2", "--exclusive"] {
            assert!(reserved(line).is_some(), "{line}");
        }
        for line in
            ["--qos=long", "--reservation=sat", "--mail-type=END", "--nice=10", "--mem-bind=local", "-q long"]
        {
            assert_eq!(reserved(line), None, "{line}");
        }
    }
}
