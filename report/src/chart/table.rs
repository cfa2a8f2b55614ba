//! The points of a chart as CSV, unrounded.

use super::{Chart, End};
use std::io;

const COLUMNS: [&str; 9] = ["panel", "series", "x", "y", "low", "high", "value", "end", "label"];

/// Writes the points of a chart, with a header. Positions in bands are written as the names of the bands.
///
/// # Errors
/// If they cannot be written.
pub fn csv(chart: &Chart, out: &mut dyn io::Write) -> io::Result<()> {
    let mut table = ::csv::Writer::from_writer(out);
    table.write_record(COLUMNS)?;
    for panel in &chart.panels {
        for series in &panel.series {
            for point in &series.points {
                let place = |bands: &[String], at: f64| {
                    bands.get(at as usize).cloned().unwrap_or_else(|| at.to_string())
                };
                let maybe = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
                let end = match point.end {
                    End::Measured => "measured",
                    End::Limit => "limit",
                    End::Wrong => "wrong",
                };
                table.write_record([
                    panel.title.as_str(),
                    &series.name,
                    &place(&panel.x.bands, point.x),
                    &place(&panel.y.bands, point.y),
                    &maybe(point.low),
                    &maybe(point.high),
                    &maybe(point.value),
                    end,
                    &point.label,
                ])?;
            }
        }
    }
    table.flush()
}
