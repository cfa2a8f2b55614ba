//! The hypotheses of `experiments/hypotheses.toml`, which are stated before the runs, with what the records say about
//! them.
//!
//! ```toml
//! title = "Counting ships"
//! level = 0.05
//!
//! [[hypothesis]]
//! name = "S1"
//! experiment = "004"
//! faster = "sat:owner/leaders=ships"
//! slower = "sat:owner/leaders=none"
//! by = 10
//! ```

mod read;

use super::super::exit::Failure;
use super::super::experiment::Experiment;
use super::super::plan_file::HOME;
use super::super::{program, read as input};
use super::cache::Cache;
use super::written::{Files, command};
use super::{MAIN, at, read as read_or_empty};
use crate::document::{Document, DocumentError};
use crate::record::Records;
use crate::report::dataset::Dataset;
use crate::report::hypothesis::{self, Finding, Measured};
use crate::report::section::replaced;
use read::{File, Read};
use std::path::Path;

/// The file of hypotheses.
const FILE: &str = "hypotheses.toml";

/// The maximum length of that file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The prefix of counters. A plan does not say which counters the records of its engines will have.
const COUNTERS: &str = "work_";

/// Adds the page of hypotheses, their CSV and their TeX macros to `files`. Returns a summary for the page of all
/// experiments; `None` if [`FILE`] does not exist.
pub(super) fn write(cache: &Cache<'_>, files: &mut Files) -> Result<Option<String>, Failure> {
    let path = Path::new(HOME).join(FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let name = path.display().to_string();
    let text = input::text(&name, input::open(&name)?, MAX_BYTES)?;
    let document = Document::new(&name, &text);
    let file = read::file(cache, &document)?;
    let mut loaded = Vec::new();
    for experiment in &file.experiments {
        loaded.push(cache.records(experiment, MAIN)?);
    }
    let mut results = vec![(0, None); file.read.len()];
    for (number, (experiment, loaded)) in file.experiments.iter().zip(&loaded).enumerate() {
        let planned: Vec<_> =
            experiment.whole_runs().map(|run| experiment.planned.without_findings(run)).collect();
        let planned = Records::from_iter(&planned);
        let order = experiment.engines();
        let planned = Dataset::with_default_rules(planned.iter(), &order, &loaded.default_rules);
        let records = loaded.dataset(experiment);
        for (read, result) in file.read.iter().zip(&mut results).filter(|(read, _)| read.experiment == number)
        {
            *result = tested(&document, &file, read, (&planned, &records))?;
        }
    }
    let findings = hypothesis::judge(&file.hypotheses, results);
    Ok(Some(add(&path, &file, &findings, files)?))
}

/// The number of planned instances of a hypothesis, and its results.
fn tested(
    document: &Document<'_>,
    file: &File,
    read: &Read,
    (planned, records): (&Dataset<'_>, &Dataset<'_>),
) -> Result<(usize, Option<Measured>), DocumentError> {
    let Read { hypothesis, at, columns, .. } = read;
    let Experiment { name, .. } = &*file.experiments[read.experiment];
    // Some names of `only` may be in the plan, but not yet in the records.
    let is_measured = hypothesis::instances(hypothesis, records).is_ok_and(|instances| instances > 0);
    for (column, at) in columns {
        let known = planned.check_column(column).or_else(|why| match is_measured {
            true => records.check_column(column),
            false if column.starts_with(COUNTERS) => Ok(()),
            false => Err(why),
        });
        known.or_else(|why| document.error_at(*at, &format!("{name}: {why}")))?;
    }
    let failed =
        |why: hypothesis::HypothesisError| document.error(*at, &format!("{}: {why}", hypothesis.name));
    let instances = hypothesis::instances(hypothesis, planned).map_err(failed)?;
    if instances == 0 {
        let why =
            format!("the plan of {name} has no instance with runs of all engines that meet the conditions");
        return document.error_at(*at, &format!("{}: {why}", hypothesis.name));
    }
    if !is_measured {
        return Ok((instances, None));
    }
    let level = file.hypotheses.level;
    Ok((instances, hypothesis::measure(hypothesis, records, level).map_err(failed)?))
}

/// Adds the files of the findings. Returns the summary.
fn add(path: &Path, file: &File, findings: &[Finding], files: &mut Files) -> Result<String, Failure> {
    let beside = |extension: &str| path.with_extension(extension);
    let page = beside("md");
    let text = hypothesis::page(&file.hypotheses, findings);
    let text = replaced(&read_or_empty(&page)?, &text, program::name()).map_err(|why| at(&page, why))?;
    files.add_committed(page.clone(), text);
    let csv = hypothesis::table(findings).csv().map_err(|error| at(&beside("csv"), error))?;
    files.add_committed(beside("csv"), csv);
    files.add_committed(beside("tex"), hypothesis::latex(findings, file.hypotheses.level, command));
    let name = page.file_name().unwrap_or_default().to_string_lossy();
    Ok(hypothesis::summary(findings, &name))
}
