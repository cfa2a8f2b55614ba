//! Draws charts as SVG, PDF and thumbnails. A chart is first laid out as a list of texts and paths with their
//! positions; then the list is written.

mod axes;
mod cells;
mod font;
mod guides;
mod labels;
mod layout;
mod legend;
mod margins;
mod marks;
mod names;
mod paint;
mod pdf;
mod scene;
mod series;
mod svg;
mod ticks;
mod view;

#[cfg(test)]
mod tests;

pub use pdf::FontError;
pub use svg::Look;

use super::chart::Chart;

/// Sizes of letters, in points: those at ticks and in legends, and those in the names of axes and panels.
const TICK: f64 = 6.5;
const LABEL: f64 = 7.0;

/// The size of a thumbnail, in points: 240 by 150 pixels.
const THUMBNAIL: (f64, f64) = (180.0, 112.5);

fn points(millimetres: f64) -> f64 {
    millimetres * 72.0 / 25.4
}

/// The chart as an SVG file, laid out for a width in millimetres. No letter is smaller than 6.5 pt. The same chart
/// always gives the same bytes. The title and the notes become the alternative text; on paper, they belong in a
/// caption.
pub fn svg(chart: &Chart, width_mm: f64, look: Look) -> String {
    svg::svg(&layout::picture(chart, points(width_mm)), look)
}

/// The chart as a PDF page with its font embedded. The same chart always gives the same bytes.
///
/// # Errors
/// If the font cannot be reduced to the letters that the chart uses.
pub fn pdf(chart: &Chart, width_mm: f64) -> Result<Vec<u8>, FontError> {
    pdf::pdf(&layout::picture(chart, points(width_mm)))
}

/// The first panel as a small SVG without a legend and names of axes. It follows the reader's theme.
pub fn thumbnail(chart: &Chart) -> String {
    svg::small(&layout::thumbnail(chart, THUMBNAIL))
}
