//! The figure of the benchmark.

use super::{Row, WORK_S};
use counterpoint::report::chart::{Axis, Better, Chart, Panel, Point, Scale, Series, Shape, Unit, Variant};
use counterpoint::report::draw::{self, Look};

const WIDTH_MM: f64 = 170.0;

fn axis(label: &str, unit: Unit, scale: Scale, better: Option<Better>) -> Axis {
    Axis { label: label.to_owned(), unit, scale, bands: Vec::new(), better }
}

fn series(name: String, style: usize, points: Vec<(f64, f64)>) -> Series {
    let points = points.into_iter().map(|(x, y)| Point { x, y, ..Point::default() }).collect();
    Series { name, style, shape: Shape::Line, variant: Variant::First, points }
}

fn panel(title: &str, x: &str, y: Axis, series: Vec<Series>) -> Panel {
    let x = axis(x, Unit::Count, Scale::Log, None);
    Panel { title: title.to_owned(), x, y, value: None, series, guides: Vec::new() }
}

/// Draws the rows as SVG.
pub(crate) fn figure(rows: &[Row]) -> String {
    // The rows with growing numbers of pilots come first, then those with batches of growing sizes.
    let is_sweep = |row: &&Row| (row.runs as f64 * row.run_s / row.pilots as f64 - WORK_S).abs() < 1.0;
    let of_time = |value: fn(&Row) -> f64| {
        let times = [1.0, 10.0, 100.0].into_iter().enumerate();
        let points = |time: f64| {
            let rows = rows.iter().filter(is_sweep).filter(|row| row.run_s == time);
            rows.map(|row| (row.pilots as f64, value(row))).collect()
        };
        times.map(|(style, time)| series(format!("runs of {time} s"), style, points(time))).collect()
    };
    let batches = rows.iter().filter(|row| row.runs == 1_000_000);
    let batches = batches.map(|row| (row.batch as f64, row.last_s / row.ideal_s)).collect();
    let delay = |row: &Row| row.last_s / row.ideal_s;
    let chart = Chart {
        name: "scale".to_owned(),
        title: "The queue on a simulated cluster".to_owned(),
        panels: vec![
            panel(
                "load",
                "pilots",
                axis("operations in a second", Unit::Plain, Scale::Log, Some(Better::Low)),
                of_time(|row| row.operations),
            ),
            panel(
                "time to the last run",
                "pilots",
                axis("multiple of the ideal time", Unit::Plain, Scale::Linear, Some(Better::Low)),
                of_time(delay),
            ),
            panel(
                "1000 pilots, 1,000,000 runs",
                "runs of a batch",
                axis("multiple of the ideal time", Unit::Plain, Scale::Linear, Some(Better::Low)),
                vec![series("runs of 1 s".to_owned(), 0, batches)],
            ),
        ],
        notes: Vec::new(),
    };
    draw::svg(&chart, WIDTH_MM, Look::Paper)
}
