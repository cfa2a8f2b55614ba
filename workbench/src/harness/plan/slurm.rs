//! Reads the table `[slurm]` of a plan or a configuration.

use super::super::slurm::{Settings, reserved};
use crate::document::{Document, DocumentError, Placed};
use std::time::Duration;

/// The keys of the table.
const KEYS: &[&str] =
    &["partition", "account", "constraint", "modules", "lines", "cpus", "memory", "exclusive", "lease"];

/// The shortest lease. A pilot beats ten times within a lease, and each beat is a write to the shared folder.
const MIN_LEASE: Duration = Duration::from_secs(1);

/// What a pilot needs for itself, in bytes.
const MIN_MEMORY: u64 = 64 << 20;

/// Reads the settings of pilots.
///
/// # Errors
/// If a key or a value is not valid. The message says where, what was found, and what was expected.
pub fn slurm(document: &Document<'_>, value: &Placed<'_>) -> Result<Settings, DocumentError> {
    let table = document.as_table(value)?;
    document.check_keys(table, KEYS)?;
    let word = |key: &str| table.get(key).map(|value| one_line(document, value)).transpose();
    let words = |key: &str| {
        let values = table.get(key).map_or_else(Vec::new, |value| document.one_or_many(value));
        values
            .into_iter()
            .map(|value| Ok((one_line(document, value)?, value)))
            .collect::<Result<Vec<_>, DocumentError>>()
    };
    let without_place = |words: Vec<(String, &Placed<'_>)>| words.into_iter().map(|(word, _)| word).collect();
    let lines = words("lines")?;
    for (line, value) in &lines {
        let at = value.span().start;
        if !line.starts_with('-') {
            return document.error_at(
                at,
                &format!("expected an option of sbatch such as \"--qos=long\", found '{line}'"),
            );
        }
        if let Some(why) = reserved(line) {
            return document.error_at(at, &why);
        }
    }
    let plain = Settings::default();
    let cpus = table.get("cpus").map_or(Ok(1), |value| {
        let cpus = document.as_number(value, 1)?;
        u32::try_from(cpus).or_else(|_| document.error_at(value.span().start, "the number is too large"))
    })?;
    Ok(Settings {
        partition: word("partition")?,
        account: word("account")?,
        constraint: word("constraint")?,
        modules: without_place(words("modules")?),
        lines: without_place(lines),
        cpus,
        memory_bytes: table.get("memory").map(|value| memory(document, value)).transpose()?,
        exclusive: table.get("exclusive").map_or(Ok(false), |value| document.as_bool(value))?,
        lease: table.get("lease").map_or(Ok(plain.lease), |value| lease(document, value))?,
    })
}

fn lease(document: &Document<'_>, value: &Placed<'_>) -> Result<Duration, DocumentError> {
    let lease = document.as_time_limit(value)?;
    if lease >= MIN_LEASE {
        return Ok(lease);
    }
    let why = "in a shorter time, a live pilot may not get its heartbeat to the other nodes, and would lose its batches";
    let found = humantime::format_duration(lease);
    document.error_at(value.span().start, &format!("expected a lease of at least 1s, found {found}; {why}"))
}

fn memory(document: &Document<'_>, value: &Placed<'_>) -> Result<u64, DocumentError> {
    let bytes = document.as_bytes(value)?;
    if bytes >= MIN_MEMORY {
        return Ok(bytes);
    }
    let why = "a pilot needs so much for itself, besides the memory of its run";
    document.error_at(value.span().start, &format!("expected at least {}MiB; {why}", MIN_MEMORY >> 20))
}

/// A string that fits on a line of the job script.
fn one_line(document: &Document<'_>, value: &Placed<'_>) -> Result<String, DocumentError> {
    let text = document.as_str(value)?;
    if text.trim().is_empty() || text.contains(['\n', '\r', '\0']) {
        return document.error_at(value.span().start, "expected a line of text that is not blank");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;

    fn read(text: &str) -> Result<Settings, DocumentError> {
        let document = Document::new("plan.toml", text);
        let table = document.table().unwrap();
        slurm(&document, table.get_ref().get("slurm").unwrap())
    }

    #[test]
    fn all_keys() {
        let text = "[slurm]\npartition = \"main\"\naccount = \"sat\"\nconstraint = \"zen4\"\nmodules = \"gcc\"\n\
                    lines = [\"--qos=long\", \"--nice=5\"]\ncpus = 2\nmemory = \"4GiB\"\nexclusive = true\nlease = \"15s\"\n";
        let settings = read(text).unwrap();
        assert_eq!(settings.lines, ["--qos=long", "--nice=5"]);
        assert_eq!((settings.cpus, settings.memory_bytes, settings.exclusive), (2, Some(4 << 30), true));
        assert_eq!((settings.modules, settings.lease), (vec!["gcc".to_owned()], Duration::from_secs(15)));
        assert_eq!(read("[slurm]\n").unwrap(), Settings::default());
    }

    #[test]
    fn faults_have_their_places() {
        for (text, expected) in [
            (
                "[slurm]\npartitio = \"x\"\n",
                "plan.toml:2:1: there is no key 'partitio' here; did you mean 'partition'?",
            ),
            (
                "[slurm]\nlines = [\"--time=5\"]\n",
                "plan.toml:2:10: the job script sets --time itself; use --time of this program",
            ),
            (
                "[slurm]\nlines = \"qos=long\"\n",
                "plan.toml:2:9: expected an option of sbatch such as \"--qos=long\", found 'qos=long'",
            ),
            ("[slurm]\naccount = \"a\\nb\"\n", "plan.toml:2:11: expected a line of text that is not blank"),
            (
                "[slurm]\nlines = [\"--qos=long\\t-t5\"]\n",
                "plan.toml:2:10: the job script sets -t itself; use --time of this program",
            ),
            (
                "[slurm]\nlines = \"--out=/x\"\n",
                "plan.toml:2:9: the job script sets --output itself; the output is in the folder slurm/log of the set",
            ),
            (
                "[slurm]\nlines = \"-Qt5\"\n",
                "plan.toml:2:9: the job script sets -t itself, which '-Qt5' contains; use --time of this program, and \
                 write other options in their long form",
            ),
            (
                "[slurm]\nlease = \"20ms\"\n",
                "plan.toml:2:9: expected a lease of at least 1s, found 20ms; in a shorter time, a live pilot may not get \
                 its heartbeat to the other nodes, and would lose its batches",
            ),
            (
                "[slurm]\nlease = \"18446744073709551615s\"\n",
                "plan.toml:2:9: expected a time above 0s and of at most 10 years, found \"18446744073709551615s\"",
            ),
            (
                "[slurm]\nmemory = \"5MiB\"\n",
                "plan.toml:2:10: expected at least 64MiB; a pilot needs so much for itself, besides the memory of its run",
            ),
            ("[slurm]\ncpus = 0\n", "plan.toml:2:8: expected a whole number of at least 1, found 0"),
        ] {
            let found = read(text).unwrap_err().to_string();
            assert_eq!(found, expected);
        }
    }
}
