//! Charts on paper: SVG, PDF, small pictures. Layout first makes a list of what stands where, and then that is written.

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

pub use svg::Look;

use super::chart::Chart;

/// Sizes of letters at ticks and in legends, and of names of axes and panels, in points.
const TICK: f64 = 6.5;
const LABEL: f64 = 7.0;

/// The size of a small picture, in points: 240 by 150 pixels.
const THUMBNAIL: (f64, f64) = (180.0, 112.5);

fn points(millimetres: f64) -> f64 {
    millimetres * 72.0 / 25.4
}

/// The chart as an SVG file, laid out for a width in millimetres; no letter is smaller than 6.5 pt. The same bytes for
/// the same chart. Its title and notes are for those who do not see it; on paper a caption says them.
pub fn svg(chart: &Chart, width_mm: f64, look: Look) -> String {
    svg::svg(&layout::picture(chart, points(width_mm)), look)
}

/// The chart as a PDF page with its font embedded; the same bytes for the same chart.
///
/// # Errors
/// The font cannot be cut down to the letters that the chart uses.
pub fn pdf(chart: &Chart, width_mm: f64) -> Result<Vec<u8>, String> {
    pdf::pdf(&layout::picture(chart, points(width_mm)))
}

/// The first panel as a small SVG without legend and names of axes, which follows the reader's theme.
pub fn thumbnail(chart: &Chart) -> String {
    svg::small(&layout::thumbnail(chart, THUMBNAIL))
}
