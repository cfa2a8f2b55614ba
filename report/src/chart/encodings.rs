//! The time to build and to solve formulas against the number of their clauses: a line for each engine, a point for
//! each size.

use super::select::{Shown, at_limit, by_engine, digits};
use super::{Axis, Better, Chart, End, Panel, Point, Scale, Series, Shape, Unit, Variant};
use crate::dataset::{Dataset, Run};
use crate::errors::ChartError;
use crate::spec::Figure;
use counterpoint_statistics::{ascending, censored_median, median};

/// The titles of the panels, with their columns.
const STAGES: [(&str, &str); 2] = [("building", "build_cpu_s"), ("solving", "solve_cpu_s")];

pub(super) fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    let shown = Shown::new(dataset, figure)?;
    let sizes = shown.size(figure)?;
    let mut panels = Vec::new();
    for (part, runs) in shown.parts() {
        let runs: Vec<Run<'_>> = runs.into_iter().filter(|run| clauses(run).is_some()).collect();
        for (stage, column) in STAGES {
            let lines = by_engine(&runs).into_iter().map(|(engine, own)| {
                let groups = sizes.groups(&own);
                let points = groups.iter().filter_map(|(size, group)| {
                    let label = format!("{} {}", sizes.label, digits(*size));
                    point(&shown, label, column, group)
                });
                let (name, points) = (shown.id(engine).to_owned(), points.collect());
                Series { name, style: engine, shape: Shape::Line, variant: Variant::First, points }
            });
            let series: Vec<Series> = lines.filter(|series: &Series| !series.points.is_empty()).collect();
            let title = if part.is_empty() { stage.to_owned() } else { format!("{part}, {stage}") };
            let x = Axis::of("clauses", Unit::Count, Scale::Log);
            let y = Axis::of("CPU time", Unit::Seconds, Scale::Log).better(Better::Low);
            panels.push(Panel { title, x, y, value: None, series, guides: Vec::new() });
        }
    }
    if panels.iter().all(|panel| panel.series.is_empty()) {
        return Err("no run with a size has a formula".into());
    }
    let title = "Clauses against time".to_owned();
    Ok(Chart { name: figure.kind.name().to_owned(), title, panels, notes: shown.notes })
}

fn clauses(run: &Run<'_>) -> Option<f64> {
    run.number("work_clauses").filter(|clauses| *clauses > 0.0)
}

/// The medians of a group. Building time is known even for runs that were not solved.
fn point(shown: &Shown<'_, '_>, label: String, column: &str, runs: &[Run<'_>]) -> Option<Point> {
    let known: Vec<Run<'_>> = runs.iter().copied().filter(|run| run.number(column).is_some()).collect();
    let middle = |values: Vec<f64>| median(&ascending(values));
    let size = |runs: &[Run<'_>]| middle(runs.iter().filter_map(clauses).collect());
    if column == STAGES[0].1 {
        let y = middle(known.iter().filter_map(|run| run.number(column)).collect())?;
        return Some(Point { x: size(&known)?, y, label, ..Point::default() });
    }
    let time = |run: &Run<'_>| run.number(column).filter(|_| run.record.is_solved());
    let values = ascending(runs.iter().map(|run| time(run).unwrap_or(f64::INFINITY)));
    let ends = at_limit(&values);
    let label = if ends.is_empty() { label } else { format!("{label}, {ends}") };
    match censored_median(&values) {
        Some(y) => Some(Point { x: size(&known)?, y, label, ..Point::default() }),
        None => {
            Some(Point { x: size(runs)?, y: shown.limit(runs)?, end: End::Limit, label, ..Point::default() })
        }
    }
}
