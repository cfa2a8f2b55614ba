//! The overview figure: one panel per experiment of `experiments/overview.toml`.
//!
//! ```toml
//! title = "Search against SAT"
//!
//! [[panel]]
//! experiment = "014"
//! title = "Spot"
//! ```

use super::super::exit::Failure;
use super::super::plan_file::HOME;
use super::super::read;
use super::cache::Cache;
use super::written::{Files, README_MM};
use super::{MAIN, at};
use crate::document::{Document, DocumentError};
use crate::report::chart::{self, overview};
use crate::report::dataset::Dataset;
use crate::report::draw::{self, Look};
use crate::report_spec::{Figure, Kind};
use std::path::Path;

/// The file that lists the panels of the overview.
const FILE: &str = "overview.toml";

/// The maximum length of that file, in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// The width of the overview on paper, in millimetres.
const WIDE_MM: f64 = 174.0;

/// The contents of [`FILE`].
struct OverviewSpec {
    title: String,
    panels: Vec<Panel>,
}

/// A panel of the overview.
struct Panel {
    experiment: String,
    title: String,
}

/// Adds the overview as SVG and PDF, and its points as CSV, to `files`. Does nothing if [`FILE`] does not exist.
pub(super) fn write(cache: &Cache<'_>, files: &mut Files) -> Result<(), Failure> {
    let path = Path::new(HOME).join(FILE);
    if !path.is_file() {
        return Ok(());
    }
    let name = path.display().to_string();
    let text = read::text(&name, read::regular(&name)?, MAX_BYTES)?;
    let spec = overview_spec(&Document::new(&name, &text))?;
    let mut loaded = Vec::new();
    for Panel { experiment, title } in spec.panels {
        let experiment = cache.experiment(&experiment)?;
        let records = cache.records(&experiment, MAIN)?;
        loaded.push((experiment, records, title));
    }
    let datasets =
        loaded.iter().map(|(experiment, records, title)| (title.clone(), records.dataset(experiment)));
    let datasets: Vec<(String, Dataset<'_>)> = datasets.collect();
    let panels: Vec<(String, &Dataset<'_>)> =
        datasets.iter().map(|(title, dataset)| (title.clone(), dataset)).collect();
    let figure = Figure { width_mm: WIDE_MM, ..Figure::of(Kind::Overview) };
    let mut chart = overview::of(&panels, &figure).map_err(|why| at(&path, why))?;
    chart.title = spec.title;
    let beside = |extension: &str| path.with_extension(extension);
    let paper = draw::pdf(&chart, figure.width_mm);
    files.add_committed(beside("pdf"), paper.map_err(|why| at(&beside("pdf"), why))?);
    files.add_committed(beside("svg"), draw::svg(&chart, README_MM, Look::Repository));
    let mut points = Vec::new();
    chart::csv(&chart, &mut points)?;
    files.add_committed(beside("csv"), points);
    Ok(())
}

fn overview_spec(document: &Document<'_>) -> Result<OverviewSpec, DocumentError> {
    let root = document.table()?;
    let table = root.get_ref();
    document.check_keys(table, &["title", "panel"])?;
    let text = |table: &toml::de::DeTable<'_>, key: &str| {
        table.get(key).map_or(Ok(String::new()), |value| document.as_str(value).map(str::to_owned))
    };
    let panels = table.get("panel").map_or(Vec::new(), |value| document.one_or_many(value));
    let panel = |value| {
        let table = document.as_table(value)?;
        document.check_keys(table, &["experiment", "title"])?;
        Ok(Panel { experiment: text(table, "experiment")?, title: text(table, "title")? })
    };
    let panels = panels.into_iter().map(panel).collect::<Result<Vec<_>, DocumentError>>()?;
    if panels.is_empty() {
        return document.error_at(0, "expected a [[panel]] with an experiment and a title");
    }
    Ok(OverviewSpec { title: text(table, "title")?, panels })
}
