//! Reports: what the records of an experiment say, as figures, tables, a page and a section for the repository.
//!
//! ```text
//! records ─► dataset ─┬─► chart ─► SVG, PDF, CSV
//!                     ├─► comparison ─► table ─► CSV, LaTeX, Markdown
//!                     ├─► prose: the plan's sentences with their numbers ─► section
//!                     └─► page (records in columns, the same charts drawn by the reader's browser)
//! ```
//!
//! Nothing here reads a file or runs an engine: records come in, texts go out.
//!
//! ```
//! use counterpoint_report::chart::chart;
//! use counterpoint_report::comparison::comparisons;
//! use counterpoint_report::dataset::Dataset;
//! use counterpoint_report::draw;
//! use counterpoint_report::record::{Check, Findings, Record, Verdict};
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
//! let dataset = Dataset::new(&records, &[]);
//! let figure = chart(&dataset, &Figure::of(Kind::Quantile))?;
//! assert!(draw::thumbnail(&figure).starts_with("<svg"));
//! let comparison = &comparisons(&dataset)[0];
//! assert!(table::engines(&dataset, comparison).markdown().contains("search:cover"));
//! # Ok::<(), String>(())
//! ```

mod baseline;
pub mod builds;
pub mod chart;
pub mod comparison;
pub mod dataset;
pub mod draw;
mod pack;
pub mod page;
pub mod prose;
pub mod record;
pub mod section;
pub mod spec;
pub mod table;
pub mod units;

use crate::record::Record;
use crate::spec::{About, ReportSpec};
use dataset::Dataset;
use serde_json::{Map, Value};

/// All that a report is made from.
pub struct Material<'a> {
    /// The experiment's folder, such as `003-ships-exactly-one`.
    pub name: &'a str,
    /// The set of records.
    pub set: &'a str,
    /// The problem's name.
    pub problem: &'a str,
    /// The plan as it is written.
    pub plan: &'a str,
    /// How many runs it has.
    pub planned: usize,
    /// What it asks to be shown.
    pub report_spec: &'a ReportSpec,
    /// What it is about, with all numbers in place.
    pub about: About,
    /// Those of its runs that have records.
    pub dataset: Dataset<'a>,
    /// Where the runs were made, by name.
    pub environment: Map<String, Value>,
    /// Boards and answers, of a few instances.
    pub pictures: Vec<Picture>,
    /// What to compare with.
    pub baseline: Option<Baseline<'a>>,
}

impl Material<'_> {
    /// The command that repeats a run, up to the run's key.
    pub fn command(&self) -> String {
        let set = if self.set == "main" { String::new() } else { format!(" --set {}", self.set) };
        format!("counterpoint run {}{set} --repeat", self.name)
    }
}

/// Other records of the same runs.
pub struct Baseline<'a> {
    /// Experiment and set.
    pub name: String,
    /// Its records.
    pub records: Vec<&'a Record>,
    /// Where they were made, by name.
    pub environment: Map<String, Value>,
}

/// An instance with an answer, as a picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its label in the dataset.
    pub instance: String,
    /// The instance as an input.
    pub text: String,
    /// The picture.
    pub svg: String,
    /// The engine whose answer it shows.
    pub by: String,
    /// The answer in a word or two.
    pub outcome: String,
    /// The answer explained.
    pub words: String,
}

/// What an experiment is about, with the numbers that its records give.
///
/// # Errors
/// What in a text is not understood.
pub fn about(report_spec: &ReportSpec, dataset: &Dataset<'_>) -> Result<About, String> {
    let About { title, question, method, finding, summary, place } = &report_spec.about;
    let filled = |name: &str, text: &str| {
        prose::filled(text, dataset).map_err(|why| format!("{place}: {name}: {why}"))
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

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
