//! The settings of pilots that a user can choose: the table `[slurm]` of a plan or a configuration.

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
    /// Whether other jobs are kept off the pilots' nodes, so that measured times are reliable.
    pub exclusive: bool,
    /// How long the heartbeat of a pilot may stop before others take its batches.
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

/// The options of `sbatch` that the job script sets itself, each with what to do instead.
const RESERVED: &[(&str, &str)] = &[
    ("--account", "use the key `account`"),
    ("-A", "use the key `account`"),
    ("--array", "use --nodes of this program"),
    ("-a", "use --nodes of this program"),
    ("--chdir", "pilots run in the directory in which the command is given"),
    ("-D", "pilots run in the directory in which the command is given"),
    ("--constraint", "use the key `constraint`"),
    ("-C", "use the key `constraint`"),
    ("--cpus-per-task", "use the key `cpus`"),
    ("-c", "use the key `cpus`"),
    ("--error", "the output is in the folder slurm/log of the set"),
    ("-e", "the output is in the folder slurm/log of the set"),
    ("--exclusive", "use the key `exclusive`"),
    ("--job-name", "the name identifies the set"),
    ("-J", "the name identifies the set"),
    ("--mem", "use the key `memory`"),
    ("--mem-per-cpu", "use the key `memory`"),
    ("--mem-per-gpu", "use the key `memory`"),
    ("--nodes", "use --nodes of this program"),
    ("-N", "use --nodes of this program"),
    ("--ntasks", "use the key `cpus`"),
    ("-n", "use the key `cpus`"),
    ("--open-mode", "the output is in the folder slurm/log of the set"),
    ("--parsable", "this program asks for the id of the job itself"),
    ("--test-only", "use --dry-run of this program"),
    ("--wait", "`status` shows the progress"),
    ("-W", "`status` shows the progress"),
    ("--output", "the output is in the folder slurm/log of the set"),
    ("-o", "the output is in the folder slurm/log of the set"),
    ("--partition", "use the key `partition`"),
    ("-p", "use the key `partition`"),
    ("--requeue", "pilots are always started again"),
    ("--no-requeue", "pilots are always started again"),
    ("--signal", "pilots know their time"),
    ("--time", "use --time of this program"),
    ("-t", "use --time of this program"),
    ("--wrap", "use the key `modules`"),
];

/// The short options of `sbatch` that take an argument and are not reserved: the rest of the word is the argument.
const WITH_ARGUMENT: &str = "bBdFGiLmMqSwx";

/// If this line of the user sets an option that the job script also sets, says which one, and what to do instead. A
/// line may contain several options, separated by any white space.
///
/// `sbatch` also accepts a long option that is abbreviated, several short options in one word, and quotation marks and
/// backslashes anywhere. Letters that may not be options of `sbatch` count as options without an argument.
pub fn reserved(line: &str) -> Option<String> {
    let plain = line.replace(['"', '\'', '\\'], "");
    plain.split_whitespace().find_map(|word| match word.strip_prefix("--") {
        Some(long) => {
            let name = long.split('=').next().filter(|name| !name.is_empty())?;
            // `--mem` is an option, and not only the beginning of `--mem-per-cpu`.
            let whole = |option: &&(&str, &str)| option.0.strip_prefix("--") == Some(name);
            let begun = |option: &&(&str, &str)| {
                option.0.strip_prefix("--").is_some_and(|option| option.starts_with(name))
            };
            let (option, instead) =
                RESERVED.iter().find(whole).or_else(|| RESERVED.iter().find(begun))?;
            Some(format!("the job script sets {option} itself; {instead}"))
        }
        None => {
            let letters = word.strip_prefix('-')?;
            let end = letters.find(|c| WITH_ARGUMENT.contains(c)).unwrap_or(letters.len());
            let short = |c: char| {
                let is_it = |option: &&(&str, &str)| option.0.strip_prefix('-') == Some(c.encode_utf8(&mut [0; 4]));
                RESERVED.iter().find(is_it)
            };
            let (at, (option, instead)) =
                letters[..end].char_indices().find_map(|(at, c)| Some((at, short(c)?)))?;
            Some(match at {
                0 => format!("the job script sets {option} itself; {instead}"),
                _ => format!(
                    "the job script sets {option} itself, which '{word}' contains; {instead}, and write other \
                     options in their long form"
                ),
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_script_are_reserved() {
        for line in [
            "--time=5",
            "--time 5",
            "--time\t5",
            "-t5",
            "-t 5",
            "-t\u{b}5",
            "--qos=long\t--time=5",
            "--array=1-3",
            "-N2",
            "--exclusive",
            "--out=/x",
            "--me=1",
            "--no-req",
            "--o /x",
            "--qos=long '--output=/x'",
            "--ou\"t\"put=/x",
            "-\\-output=/x",
            "-Qt5",
            "-Ht5",
            "-sOvW",
        ] {
            assert!(reserved(line).is_some(), "{line}");
        }
        for line in [
            "--qos=long",
            "--reservation=sat",
            "--mail-type=END",
            "--nice=10",
            "--mem-bind=local",
            "-q long",
            "-qnot",
            "-Qsqnot",
            "-w node1",
            "--time-min=5",
            "--wait-all-nodes=1",
            "--ntasks-per-core=1",
        ] {
            assert_eq!(reserved(line), None, "{line}");
        }
    }
}
