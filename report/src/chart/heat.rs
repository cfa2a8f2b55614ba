//! A heat map: every engine on every instance.

use super::select::{Shown, at_limit, by_engine, by_instance, sentence};
use super::{Axis, Chart, Colour, End, Panel, Point, Series, Shape, Variant};
use crate::dataset::{Dataset, Run};
use crate::errors::ChartError;
use crate::spec::Figure;
use counterpoint_statistics::censored_median;
use itertools::Itertools;

pub(super) fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    if figure.facet.is_some() {
        return Err("a heat map has one panel; remove `facet`".into());
    }
    let shown = Shown::new(dataset, figure)?;
    let engines: Vec<usize> = by_engine(&shown.runs).iter().map(|(engine, _)| *engine).collect();
    let rows = by_instance(&shown.runs).into_iter().map(|(instance, runs)| {
        let cells: Vec<Point> = (0..)
            .zip(&engines)
            .filter_map(|(x, engine)| {
                let own: Vec<Run<'_>> = runs.iter().copied().filter(|run| run.engine == *engine).collect();
                cell(&shown, f64::from(x), &own)
            })
            .collect();
        let measured = cells.iter().filter(|cell| cell.end == End::Measured).filter_map(|cell| cell.value);
        (measured.fold(f64::INFINITY, f64::min), instance, cells)
    });
    let rows: Vec<(f64, usize, Vec<Point>)> = rows.sorted_by(|(a, ..), (b, ..)| a.total_cmp(b)).collect();
    let points: Vec<Point> = (0..)
        .zip(&rows)
        .flat_map(|(y, (_, _, cells))| {
            cells.iter().map(move |cell| Point { y: f64::from(y), ..cell.clone() })
        })
        .collect();
    if points.is_empty() {
        return Err(format!("no run has a value or a limit for {}", shown.measure.label).into());
    }
    let unsolved = rows.iter().filter(|(least, ..)| least.is_infinite()).count();
    let mut notes = match unsolved {
        0 => vec!["Every instance is solved by some engine.".to_owned()],
        n => vec![format!("{n} of {} instances are solved by no engine.", rows.len())],
    };
    notes.extend_from_slice(&shown.notes);
    let Shown { measure, .. } = &shown;
    let name = measure.label.clone();
    let panel = Panel {
        title: String::new(),
        x: Axis::bands("engine", engines.iter().map(|engine| shown.id(*engine).to_owned()).collect()),
        y: Axis::bands(
            "instance",
            rows.iter().map(|(_, i, _)| dataset.instances[*i].label.clone()).collect(),
        ),
        value: Some(Colour { label: measure.label.clone(), unit: measure.unit }),
        series: vec![Series { name, style: 0, shape: Shape::Cells, variant: Variant::First, points }],
        guides: Vec::new(),
    };
    let title = format!("{} of every engine on every instance", sentence(&measure.label));
    Ok(Chart { name: figure.kind.name().to_owned(), title, panels: vec![panel], notes })
}

/// The median of an engine's runs on an instance; their limit if the median is unknown.
fn cell(shown: &Shown<'_, '_>, x: f64, runs: &[Run<'_>]) -> Option<Point> {
    let (values, limit) = (shown.censored(runs), shown.limit(runs));
    let median = censored_median(&values);
    let end = if runs.iter().any(|run| run.record.is_wrong()) {
        End::Wrong
    } else if median.is_some() {
        End::Measured
    } else {
        End::Limit
    };
    let value = Some(median.or(limit)?);
    Some(Point { x, value, end, label: at_limit(&values), ..Point::default() })
}
