//! Charts: what a figure shows, before anybody draws it. The drawing for papers, the table of points and the page
//! all start from this one shape; the page builds its own after every filter.
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
use crate::spec::{Figure, Kind};
use serde::Serialize;

/// What a figure shows.
///
/// # Errors
/// Why there is no such figure: columns or engines that no record has, nothing that varies, nothing left.
pub fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, String> {
    let sizeless = matches!(figure.kind, Kind::Quantile | Kind::Scatter | Kind::Heat);
    if sizeless && figure.x.is_some() {
        return Err("it has no sizes; leave `x` out".to_owned());
    }
    if figure.kind == Kind::Encodings && figure.y.is_some() {
        return Err("it shows times of building and solving; leave `y` out".to_owned());
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

/// A figure of each kind that the records allow if nothing is chosen. An overview is of several experiments and is not
/// among them.
pub fn all(dataset: &Dataset<'_>) -> Vec<(Figure, Chart)> {
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Overview);
    let figures = kinds.map(Figure::of);
    figures.filter_map(|figure| chart(dataset, &figure).ok().map(|chart| (figure, chart))).collect()
}

/// A figure: panels side by side with one legend.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// What it is called in files, such as `crossover`.
    pub name: String,
    /// One line above it.
    pub title: String,
    /// In reading order.
    pub panels: Vec<Panel>,
    /// What is to be said below it, such as how many runs were left out.
    pub notes: Vec<String>,
}

/// Axes with what stands between them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// One line above it; empty if the chart's says all.
    pub title: String,
    /// Horizontal.
    pub x: Axis,
    /// Vertical.
    pub y: Axis,
    /// What the colours of cells measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Colour>,
    /// What is drawn, later ones on top.
    pub series: Vec<Series>,
    /// Lines that help the eye.
    pub guides: Vec<Guide>,
}

/// One direction of a panel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What it measures, without the unit.
    pub label: String,
    /// Its unit.
    pub unit: Unit,
    /// How values become places.
    pub scale: Scale,
    /// Names of the bands; empty for other scales. Band `i` is the value `i`.
    pub bands: Vec<String>,
    /// Which way is better, if one is.
    pub better: Option<Better>,
}

/// What the colours of cells measure, by their logarithms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Colour {
    /// What it is.
    pub label: String,
    /// Its unit.
    pub unit: Unit,
}

/// What the values of an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// How many.
    Count,
    /// Bytes.
    Bytes,
    /// A ratio, or a parameter without a unit.
    Plain,
}

/// How values become places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Proportionally.
    Linear,
    /// By their logarithms; zero and less stand at the lower rim.
    Log,
    /// In bands of equal width.
    Band,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Small values.
    Low,
    /// Large values.
    High,
}

impl Axis {
    /// Values of a unit.
    pub(super) fn of(label: impl Into<String>, unit: Unit, scale: Scale) -> Self {
        Axis { label: label.into(), unit, scale, bands: Vec::new(), better: None }
    }

    /// A band for each name.
    pub(super) fn bands(label: impl Into<String>, bands: Vec<String>) -> Self {
        Axis { bands, ..Axis::of(label, Unit::Plain, Scale::Band) }
    }

    /// The same, of which one way is better.
    pub(super) fn better(self, better: Better) -> Self {
        Axis { better: Some(better), ..self }
    }
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Its name in the legend; series of one name share an entry.
    pub name: String,
    /// Chooses colour, marker and dash: an engine has the same one in every chart of an experiment.
    pub style: usize,
    /// How its points are drawn.
    pub shape: Shape,
    /// Which of two kinds of one engine's points these are, such as solving and building.
    pub voice: Voice,
    /// In the order in which they are joined.
    pub points: Vec<Point>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Markers joined by straight lines, with a band between `low` and `high` where there is one.
    Line,
    /// A staircase: up to each point's height at the point.
    Step,
    /// Markers alone.
    Points,
    /// Filled squares, coloured by `value`.
    Cells,
    /// Boxes from `low` to `high` with a line at `y`.
    Boxes,
}

/// Which of two kinds of points a series shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
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
    /// Lower end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// What colours a cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What became of it.
    pub end: End,
    /// Which of its values are limits, where that need not be `y` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rim: Option<Rim>,
    /// What a reader who points at it is told, and the last column of the table of points.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// What became of the runs behind a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The value was measured.
    #[default]
    Measured,
    /// At least this: a limit was met. `x` or `y` is the limit, drawn on the rim as an open triangle.
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

/// A line that helps the eye.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guide {
    /// Where it goes.
    pub line: Line,
    /// What is written at it.
    pub label: String,
}

/// Where a guide goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// Upright at `at`, with a band around it.
    Upright {
        /// Where on the horizontal axis.
        at: f64,
        /// Lower end of its interval.
        low: f64,
        /// Upper end of its interval.
        high: f64,
    },
    /// Level at a height.
    Level(f64),
    /// `y = factor · x`.
    Diagonal(f64),
}
