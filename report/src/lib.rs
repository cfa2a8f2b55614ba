//! Reports on the records of an experiment: figures, tables, an interactive page, and a section of a README.
//!
//! ```text
//! records ─► dataset ─┬─► chart ─► SVG, PDF, CSV
//!                     ├─► comparison, paired tests ─► table ─► CSV, LaTeX, Markdown
//!                     ├─► prose: the plan's sentences with their numbers ─► section
//!                     └─► page (records in columns, the same charts drawn by the reader's browser)
//! ```
//!
//! This crate reads no files and runs no engines: it turns records into texts.
//!
//! ```
//! use counterpoint_report::chart::chart;
//! use counterpoint_report::comparison::comparisons;
//! use counterpoint_report::dataset::Dataset;
//! use counterpoint_report::draw;
//! use counterpoint_report::record::{Check, Findings, Record, Records, Verdict};
//! use counterpoint_report::spec::{Figure, Kind};
//! use counterpoint_report::table;
//!
//! let record = |engine: &str, seed: u64, cpu_s: f64| Record {
//!     key: format!("{engine} {seed}"),
//!     family: "random".to_owned(),
//!     instance_hash: format!("instance {seed}"),
//!     seed,
//!     engine: engine.to_owned(),
//!     findings: Findings {
//!         verdict: Some(Verdict::Decided),
//!         check: Some(Check::Checked),
//!         cpu_s: Some(cpu_s),
//!         ..Findings::default()
//!     },
//!     ..Record::default()
//! };
//! let records = [
//!     record("search:cover", 1, 0.5),
//!     record("search:cover", 2, 0.7),
//!     record("sat:owner", 1, 2.5),
//!     record("sat:owner", 2, 4.0),
//! ];
//! let records = Records::from_iter(&records);
//! let dataset = Dataset::new(records.iter(), &[]);
//! let figure = chart(&dataset, &Figure::of(Kind::Quantile))?;
//! assert!(draw::thumbnail(&figure).starts_with("<svg"));
//! let comparison = &comparisons(&dataset)[0];
//! assert!(table::engines(&dataset, comparison).markdown().contains("search:cover"));
//! # Ok::<(), counterpoint_report::errors::ChartError>(())
//! ```

pub mod baseline;
pub mod builds;
pub mod chart;
pub mod comparison;
pub mod dataset;
pub mod draw;
pub mod errors;
pub mod hypothesis;
mod load;
mod middle;
pub mod nodes;
mod pack;
pub mod page;
pub mod paired;
pub mod prose;
pub mod record;
mod sample;
pub mod section;
pub mod spec;
pub mod table;
pub mod units;

use crate::record::Row;
use crate::spec::{About, ReportSpec};
use dataset::Dataset;
use errors::ExpressionError;
use paired::Paired;
use serde_json::{Map, Value};

/// Everything that is needed to make a report.
pub struct Material<'a> {
    /// The program that makes the report, for the commands in its text.
    pub program: Program<'a>,
    /// The experiment's folder, such as `003-ships-exactly-one`.
    pub name: &'a str,
    /// The name of the set of records.
    pub set: &'a str,
    /// The problem's name.
    pub problem: &'a str,
    /// The text of the plan.
    pub plan: &'a str,
    /// The number of runs in the plan.
    pub planned: usize,
    /// The plan's report spec.
    pub report_spec: &'a ReportSpec,
    /// The plan's texts, with all numbers computed.
    pub about: About,
    /// The records of the plan's runs.
    pub dataset: Dataset<'a>,
    /// The plan's comparisons.
    pub paired: Vec<Paired>,
    /// The environments in which the runs were made, by name.
    pub environment: Map<String, Value>,
    /// Pictures of boards and answers, for some instances.
    pub pictures: Vec<Picture>,
    /// The records to compare with, if there are any.
    pub baseline: Option<Baseline<'a>>,
}

/// A program that makes reports.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its name on the command line.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
}

impl Material<'_> {
    /// The command that repeats a run, without the run's key at its end.
    pub(crate) fn command(&self) -> String {
        let set = if self.set == "main" { String::new() } else { format!(" --set {}", self.set) };
        format!("{} run {}{set} --repeat", self.program.name, self.name)
    }
}

/// Other records of the same runs, to compare with.
pub struct Baseline<'a> {
    /// The names of the experiment and the set.
    pub name: String,
    /// The records.
    pub records: Vec<Row<'a>>,
    /// The environments in which they were made, by name.
    pub environment: Map<String, Value>,
}

/// An instance with an answer, as a picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The instance's label in the dataset.
    pub instance: String,
    /// The instance as input text.
    pub text: String,
    /// The picture.
    pub svg: String,
    /// The engine whose answer it shows.
    pub by: String,
    /// The answer in a word or two.
    pub outcome: String,
    /// An explanation of the answer.
    pub words: String,
}

/// The texts of a report spec, with the numbers that the records and the plan's comparisons give.
///
/// # Errors
/// If an expression in a text is invalid.
pub fn about(
    report_spec: &ReportSpec,
    dataset: &Dataset<'_>,
    paired: &[Paired],
) -> Result<About, ExpressionError> {
    let About { title, question, method, finding, summary, place } = &report_spec.about;
    let filled = |name: &str, text: &str| {
        let filled = prose::filled(text, dataset, paired);
        filled.map_err(|why| ExpressionError::from(format!("{place}: {name}: {why}")))
    };
    Ok(About {
        title: filled("title", title)?,
        question: filled("question", question)?,
        method: filled("method", method)?,
        finding: filled("finding", finding)?,
        summary: filled("summary", summary)?,
        place: place.clone(),
    })
}

/// The README's example, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
