//! The job script of pilots.

use super::{Settings, Size};
use crate::shell::quoted;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A pilot gets SIGTERM this many seconds before its time is up. The pilot knows its time, so the signal is only a
/// fallback.
const NOTICE: u32 = 60;

/// The beginning of the line that a pilot prints if a module cannot be loaded.
const MODULE_FAILED: &str = "this pilot cannot start, because a command failed:";

/// The exit status of a script whose node does not see the tested folder.
pub const HIDDEN: u32 = 81;

/// The exit status of a script whose node sees the tested folder, but cannot write into it.
pub const READ_ONLY: u32 = 82;

/// What a job script needs to know.
#[derive(Clone, Copy)]
pub struct Pilots<'a> {
    /// The name of the jobs of this set.
    pub name: &'a str,
    /// The number of pilots, and the time and the memory of each.
    pub size: Size,
    /// The user's settings.
    pub settings: &'a Settings,
    /// The working directory.
    pub directory: &'a Path,
    /// The folder for the output of the pilots.
    pub log: &'a Path,
    /// If given, the script tests this folder before it opens the output there, and ends with [`HIDDEN`] or
    /// [`READ_ONLY`]. Otherwise Slurm opens the output; if it cannot, it does not say why.
    pub tested: Option<&'a Path>,
    /// The command of a pilot: the program and its arguments.
    pub command: &'a [String],
}

/// A path that an option of the job script cannot contain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path:?} contains {found}, which cannot stand in a job script for Slurm; rename the folder")]
pub struct PathError {
    path: PathBuf,
    found: &'static str,
}

/// A path as a job script can contain it. A line break would end a line `#SBATCH`, so the next one would be a command.
/// After a backslash, `sbatch` no longer replaces `%A` and `%a` in the path of the output.
fn path_text(path: &Path) -> Result<&str, PathError> {
    let error = |found| PathError { path: path.to_owned(), found };
    match path.to_str() {
        None => Err(error("bytes that are not UTF-8")),
        Some(text) if text.contains(char::is_control) => Err(error("a control character")),
        Some(text) if text.contains('\\') => Err(error("a backslash")),
        Some(text) => Ok(text),
    }
}

/// The job script. The shell replaces itself by the pilot, so that Slurm's signals reach the pilot.
///
/// # Errors
/// If a path contains what `sbatch` or the shell would take for something else.
pub fn script(pilots: &Pilots<'_>) -> Result<String, PathError> {
    let Pilots { name, size, settings, directory, log, tested, command } = pilots;
    let (directory, log) = (path_text(directory)?, path_text(log)?);
    let mut text = "#!/bin/bash\n".to_owned();
    let mut option = |option: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#SBATCH {option}");
    };
    option(format!("--job-name={name}"));
    option(format!("--array=1-{}", size.pilots));
    option("--ntasks=1".to_owned());
    option(format!("--cpus-per-task={}", settings.cpus));
    option(format!("--time={}", size.time.as_secs().div_ceil(60)));
    option(format!("--signal=B:TERM@{NOTICE}"));
    // If the node of a pilot fails, Slurm starts the pilot on another node, and its output is appended to that of its
    // first start.
    option("--requeue".to_owned());
    option("--open-mode=append".to_owned());
    option(format!("--chdir={}", quoted(directory)));
    option(match tested {
        // `sbatch` replaces `%%` by `%`.
        None => format!("--output={}", quoted(&format!("{}/%A_%a.txt", log.replace('%', "%%")))),
        Some(_) => "--output=/dev/null".to_owned(),
    });
    for (key, value) in [
        ("partition", &settings.partition),
        ("account", &settings.account),
        ("constraint", &settings.constraint),
    ] {
        if let Some(value) = value {
            option(format!("--{key}={}", quoted(value)));
        }
    }
    if let Some(bytes) = size.memory_bytes {
        option(format!("--mem={}M", bytes.div_ceil(1 << 20)));
    }
    if settings.exclusive {
        option("--exclusive".to_owned());
        // A core that two runs share makes both slow.
        option("--hint=nomultithread".to_owned());
    }
    settings.lines.iter().for_each(|line| option(line.clone()));
    text.push('\n');
    if let Some(folder) = tested {
        let (folder, log) = (quoted(path_text(folder)?), quoted(log));
        let _ = writeln!(text, "test -d {folder} || exit {HIDDEN}");
        let _ = writeln!(text, "(: >{folder}/writable-$SLURM_ARRAY_TASK_ID) 2>/dev/null || exit {READ_ONLY}");
        let _ = writeln!(text, "exec >>{log}/${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID.txt 2>&1");
    }
    for module in &settings.modules {
        // `module` is a shell function that reads unset variables and ignores failed commands, so neither `set -u` nor
        // `set -e` would do.
        let load = format!("module load {}", quoted(module));
        let complaint = format!("{MODULE_FAILED} `module load {module}`; correct `modules` in [slurm]");
        let _ = writeln!(text, "{load} || {{ echo {} >&2; exit 1; }}", quoted(&complaint));
    }
    let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    let _ = writeln!(text, "exec {}", words.join(" "));
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::time::Duration;

    #[test]
    fn a_script_with_all_settings() {
        let settings = Settings {
            partition: Some("main".to_owned()),
            account: Some("sat".to_owned()),
            constraint: Some("zen4|zen5".to_owned()),
            modules: vec!["gcc/12".to_owned()],
            lines: vec!["--qos=long".to_owned()],
            cpus: 2,
            exclusive: true,
            ..Settings::default()
        };
        let size = Size { pilots: 3, time: Duration::from_secs(600), memory_bytes: Some(3 << 30) };
        let words = ["/shared/a folder/program-12", "run", "x", "--pilot", "10m"].map(str::to_owned);
        let pilots = Pilots {
            name: "counterpoint-x-12",
            size,
            settings: &settings,
            directory: Path::new("/home/ada"),
            log: Path::new("/shared/it's/log"),
            tested: None,
            command: &words,
        };
        let expected = r"#!/bin/bash
#SBATCH --job-name=counterpoint-x-12
#SBATCH --array=1-3
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --time=10
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --chdir=/home/ada
#SBATCH --output='/shared/it'\''s/log/%A_%a.txt'
#SBATCH --partition=main
#SBATCH --account=sat
#SBATCH --constraint='zen4|zen5'
#SBATCH --mem=3072M
#SBATCH --exclusive
#SBATCH --hint=nomultithread
#SBATCH --qos=long

module load gcc/12 || { echo 'this pilot cannot start, because a command failed: `module load gcc/12`; correct `modules` in [slurm]' >&2; exit 1; }
exec '/shared/a folder/program-12' run x --pilot 10m
";
        assert_eq!(script(&pilots).unwrap(), expected);
        let text = script(&Pilots { tested: Some(Path::new("/shared/a folder")), ..pilots }).unwrap();
        assert!(text.contains("#SBATCH --output=/dev/null\n"), "{text}");
        assert!(text.contains("\ntest -d '/shared/a folder' || exit 81\n"), "{text}");
        // In the path of the output, `%` begins a pattern.
        let text = script(&Pilots { log: Path::new("/50%A/log"), ..pilots }).unwrap();
        assert!(text.contains("\n#SBATCH --output=/50%%A/log/%A_%a.txt\n"), "{text}");
        for (path, found) in [
            (&b"/d\ntouch x #"[..], "a control character"),
            (b"/a\\b", "a backslash"),
            (b"/a\xff", "bytes that are not UTF-8"),
        ] {
            let path = Path::new(OsStr::from_bytes(path));
            let rest =
                format!(" contains {found}, which cannot stand in a job script for Slurm; rename the folder");
            for pilots in [
                Pilots { directory: path, ..pilots },
                Pilots { log: path, ..pilots },
                Pilots { tested: Some(path), ..pilots },
            ] {
                assert_eq!(script(&pilots).unwrap_err().to_string(), format!("{path:?}{rest}"));
            }
        }
    }
}
