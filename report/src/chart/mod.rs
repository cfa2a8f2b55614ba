//! Charts: the contents of figures, before they are drawn. A chart is drawn for a paper, or its points are written as a
//! table. The page builds charts of the same form with its own scripts, each time its filter changes.
//!
//! Values are in seconds, bytes or counts, never scaled for display.

mod crossover;
mod encodings;
mod heat;
pub mod overview;
mod quantile;
mod scatter;
mod select;
mod spread;
mod table;
#[cfg(test)]
mod tests;

pub use table::csv;

use super::dataset::Dataset;
use super::sample::{MAX_MARKED, MAX_SHOWN};
use crate::errors::ChartError;
use crate::spec::{Figure, Kind};
use serde::Serialize;

/// Builds the chart of a figure.
///
/// # Errors
/// If a column or an engine of the figure is in no record, if no run is left, if nothing varies, or if the kind of
/// figure does not support a setting.
pub fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    let sizeless = matches!(figure.kind, Kind::Quantile | Kind::Scatter | Kind::Heat);
    if sizeless && figure.x.is_some() {
        return Err("this kind of figure has no sizes; remove `x`".into());
    }
    if figure.kind == Kind::Encodings && figure.y.is_some() {
        return Err("this kind of figure shows times of building and solving; remove `y`".into());
    }
    // These kinds have a mark for each run or instance.
    let has_many_marks = matches!(figure.kind, Kind::Scatter | Kind::Heat | Kind::Spread);
    if has_many_marks
        && dataset.runs.len() > MAX_SHOWN
        && let Some(sample) = dataset.sampled(MAX_MARKED)
    {
        let mut chart = chart(&sample, figure)?;
        chart.notes.push(format!(
            "Drawn from {} of {} runs: those on {} of {} instances, chosen by their hashes.",
            sample.runs.len(),
            dataset.runs.len(),
            sample.instances.len(),
            dataset.instances.len()
        ));
        return Ok(chart);
    }
    match figure.kind {
        Kind::Quantile => quantile::chart(dataset, figure),
        Kind::Scatter => scatter::chart(dataset, figure),
        Kind::Crossover => crossover::chart(dataset, figure),
        Kind::Encodings => encodings::chart(dataset, figure),
        Kind::Heat => heat::chart(dataset, figure),
        Kind::Spread => spread::chart(dataset, figure),
        Kind::Overview => overview::chart(dataset, figure),
    }
}

/// A chart of each kind that the records allow, with default settings. An overview combines several experiments, so it
/// is not included.
pub fn all(dataset: &Dataset<'_>) -> Vec<(Figure, Chart)> {
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Overview);
    let figures = kinds.map(Figure::of);
    figures.filter_map(|figure| chart(dataset, &figure).ok().map(|chart| (figure, chart))).collect()
}

/// A chart: panels side by side with one legend.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// The name of its files, such as `crossover`.
    pub name: String,
    /// One line above the chart.
    pub title: String,
    /// The panels, in reading order.
    pub panels: Vec<Panel>,
    /// Sentences below the chart, such as how many runs were left out.
    pub notes: Vec<String>,
}

/// Two axes with series and guides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// One line above the panel; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What the colours of cells measure; `None` if the panel has no cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Colour>,
    /// The series; later ones are drawn on top.
    pub series: Vec<Series>,
    /// Auxiliary lines.
    pub guides: Vec<Guide>,
}

/// An axis of a panel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What the axis measures, without the unit.
    pub label: String,
    /// The unit of the values.
    pub unit: Unit,
    /// The scale.
    pub scale: Scale,
    /// Names of the bands; empty for other scales. Band `i`, from 0, is at the value `i`.
    pub bands: Vec<String>,
    /// The better direction, if there is one.
    pub better: Option<Better>,
}

/// What the colours of cells measure, on a logarithmic scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Colour {
    /// What the colours measure, without the unit.
    pub label: String,
    /// The unit of the values.
    pub unit: Unit,
}

/// The unit of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// A number of things.
    Count,
    /// Bytes.
    Bytes,
    /// A ratio, or a parameter without a unit.
    Plain,
}

/// How values are mapped to positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Proportionally.
    Linear,
    /// By their logarithms; values up to zero are at the lower end.
    Log,
    /// In bands of equal width.
    Band,
}

/// The better direction of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Small values.
    Low,
    /// Large values.
    High,
}

impl Axis {
    /// An axis without bands.
    pub(super) fn of(label: impl Into<String>, unit: Unit, scale: Scale) -> Self {
        Axis { label: label.into(), unit, scale, bands: Vec::new(), better: None }
    }

    /// An axis with a band for each name.
    pub(super) fn bands(label: impl Into<String>, bands: Vec<String>) -> Self {
        Axis { bands, ..Axis::of(label, Unit::Plain, Scale::Band) }
    }

    /// This axis with a better direction.
    pub(super) fn better(self, better: Better) -> Self {
        Axis { better: Some(better), ..self }
    }
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The name in the legend; series of one name share an entry.
    pub name: String,
    /// Determines colour, marker and dash. An engine has the same style in every chart of an experiment.
    pub style: usize,
    /// How the points are drawn.
    pub shape: Shape,
    /// Distinguishes two series of one engine, such as solving and building.
    pub variant: Variant,
    /// The points, in the order in which they are joined.
    pub points: Vec<Point>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Markers joined by straight lines, with a band between `low` and `high` if these are known.
    Line,
    /// A staircase: horizontal up to each point, then vertical to the point's height.
    Step,
    /// Markers alone.
    Points,
    /// Filled rectangles, coloured by `value`.
    Cells,
    /// Boxes from `low` to `high` with a line at `y`.
    Boxes,
}

/// Distinguishes two series of one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Filled markers, solid lines.
    First,
    /// Hollow markers, dashed lines.
    Second,
}

/// A value of a series.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Point {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// The lower end of its interval, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end of its interval, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The value that determines the colour of a cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// How the runs behind the point ended.
    pub end: End,
    /// Which of its values are limits in a scatter plot. `None` if neither is a limit. Always `None` in other charts,
    /// where only `y` can be a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rim: Option<Rim>,
    /// The text of its tooltip, and of the last column of the table of points.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// How the runs behind a point ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The value was measured.
    #[default]
    Measured,
    /// A limit was reached, so a value of the point is a lower bound. A marker becomes an open triangle, and a cell
    /// gets a line through it.
    Limit,
    /// A wrong or contradicted answer.
    Wrong,
}

/// Which values of a point are limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rim {
    /// The horizontal one.
    X,
    /// The vertical one.
    Y,
    /// Both.
    Xy,
}

/// An auxiliary line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guide {
    /// The position of the line.
    pub line: Line,
    /// The text at the line; may be empty.
    pub label: String,
}

/// The position of a guide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// A vertical line with a band around it.
    Upright {
        /// The position on the horizontal axis.
        at: f64,
        /// The lower end of its interval.
        low: f64,
        /// The upper end of its interval.
        high: f64,
    },
    /// A horizontal line at this height.
    Level(f64),
    /// `y = factor · x`.
    Diagonal(f64),
}
