//! The spread of runs that should be alike: runs of one instance or, if each instance has one run, runs on the
//! instances of one size.

use super::select::{Shown, by_engine, by_instance, digits, sentence};
use super::{Axis, Chart, End, Guide, Line, Panel, Point, Scale, Series, Shape, Unit, Variant};
use crate::dataset::{Dataset, Run};
use crate::errors::ChartError;
use crate::spec::Figure;
use counterpoint_statistics::{ascending, censored_median, quantile};
use itertools::Itertools;

/// The minimum number of runs for a box.
const MIN_BOXED: usize = 4;

/// The points of an engine, in clusters of runs that should be alike.
type Clusters = Vec<Vec<Point>>;

pub(super) fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    let mut shown = Shown::new(dataset, figure)?;
    let is_repeated =
        |run: &Run<'_>| run.record.shuffle().max(run.record.solver_seed()) > 0 || run.record.repetition() > 1;
    let repeated = shown.runs.iter().any(is_repeated);
    let (y, title) = if repeated {
        let label = format!("{} relative to the instance's median", shown.measure.label);
        (Axis::of(&label, Unit::Plain, Scale::Log), label)
    } else {
        let size = largest(&mut shown, figure)?;
        (shown.axis(), format!("{}{size}", shown.measure.label))
    };
    let engines: Vec<usize> = by_engine(&shown.runs).iter().map(|(engine, _)| *engine).collect();
    let bands = engines.iter().map(|engine| shown.id(*engine).to_owned()).collect();
    let x = Axis::bands("engine", bands);
    let guides =
        if repeated { vec![Guide { line: Line::Level(1.0), label: String::new() }] } else { Vec::new() };
    let mut panels = Vec::new();
    let mut widest: Option<(f64, usize, String)> = None;
    for (title, runs) in shown.parts() {
        let mut series = Vec::new();
        for (engine, own) in by_engine(&runs) {
            let clusters = if repeated { of_instances(&shown, &own) } else { vec![of_size(&shown, &own)] };
            for (factor, label) in clusters.iter().filter_map(|cluster| factor(cluster)) {
                if widest.as_ref().is_none_or(|(most, ..)| factor > *most) {
                    widest = Some((factor, engine, label));
                }
            }
            let place = engines.iter().position(|other| *other == engine).unwrap_or_default() as f64;
            let points: Vec<Point> =
                clusters.into_iter().flatten().map(|point| Point { x: place, ..point }).collect();
            let (name, variant, style) = (shown.id(engine).to_owned(), Variant::First, engine);
            let boxes: Vec<Point> = quartiles(place, &points).into_iter().collect();
            series.push(Series { name: name.clone(), style, shape: Shape::Points, variant, points });
            series.push(Series { name, style, shape: Shape::Boxes, variant, points: boxes });
        }
        series.retain(|series: &Series| !series.points.is_empty());
        if !series.is_empty() {
            let (x, y) = (x.clone(), y.clone());
            panels.push(Panel { title, x, y, value: None, series, guides: guides.clone() });
        }
    }
    if panels.is_empty() {
        return Err(
            "no engine has two runs of one instance with a known median, so there is nothing to compare"
                .into(),
        );
    }
    let mut notes = Vec::new();
    notes.extend(widest.map(|(factor, engine, label)| {
        let (factor, id) = (digits(factor), shown.id(engine));
        if repeated {
            format!("The largest factor between two runs of one instance is {factor} ({id}, {label}).")
        } else {
            format!("The largest factor between two instances for one engine is {factor} ({id}).")
        }
    }));
    let idle = if repeated { of_idle_instances(&shown) } else { 0 };
    if idle > 0 {
        notes.push(format!("Left out because the median of their instance is 0: {idle} runs."));
    }
    notes.extend_from_slice(&shown.notes);
    Ok(Chart { name: figure.kind.name().to_owned(), title: sentence(&title), panels, notes })
}

/// Keeps only the runs of the largest size, and returns words that name this size. If there are no sizes, keeps all
/// runs and returns an empty text.
fn largest(shown: &mut Shown<'_, '_>, figure: &Figure) -> Result<String, ChartError> {
    if figure.x.is_none() && shown.dataset.sizes().is_none() {
        return Ok(String::new());
    }
    let sizes = shown.size(figure)?;
    let Some((size, runs)) = sizes.groups(&shown.runs).pop() else { return Ok(String::new()) };
    shown.runs = runs;
    Ok(format!(" at {} {}", sizes.label, digits(size)))
}

/// For each instance with at least two runs, the values of its runs divided by their median. Instances without a
/// median, or with the median 0, are left out.
fn of_instances(shown: &Shown<'_, '_>, runs: &[Run<'_>]) -> Clusters {
    let cluster = |(_, own): (usize, Vec<Run<'_>>)| {
        let median =
            censored_median(&shown.censored(&own)).filter(|median| own.len() > 1 && *median > 0.0)?;
        Some(own.iter().filter_map(|run| point(shown, run, median)).collect())
    };
    by_instance(runs).into_iter().filter_map(cluster).collect()
}

/// The number of runs on instances whose median is 0.
fn of_idle_instances(shown: &Shown<'_, '_>) -> usize {
    let clusters = by_engine(&shown.runs).into_iter().flat_map(|(_, own)| by_instance(&own));
    let idle =
        clusters.filter(|(_, own)| own.len() > 1 && censored_median(&shown.censored(own)) == Some(0.0));
    idle.map(|(_, own)| own.len()).sum()
}

fn of_size(shown: &Shown<'_, '_>, runs: &[Run<'_>]) -> Vec<Point> {
    runs.iter().filter_map(|run| point(shown, run, 1.0)).collect()
}

fn point(shown: &Shown<'_, '_>, run: &Run<'_>, unit: f64) -> Option<Point> {
    let Shown { measure, dataset, .. } = shown;
    let label = dataset.instances[run.instance].label.clone();
    let (value, end) = match measure.solved(run) {
        Some(value) => (value, End::Measured),
        None => (measure.limit(run).filter(|limit| *limit > 0.0)?, End::Limit),
    };
    Some(Point { y: value / unit, end, label, ..Point::default() })
}

fn measured(points: &[Point]) -> impl Iterator<Item = &Point> {
    points.iter().filter(|point| point.end == End::Measured)
}

/// The largest measured value of a cluster divided by the smallest, and the label of the largest; `None` if the
/// smallest is 0.
fn factor(cluster: &[Point]) -> Option<(f64, String)> {
    let (least, most) = measured(cluster).minmax_by(|a, b| a.y.total_cmp(&b.y)).into_option()?;
    (least.y > 0.0).then(|| (most.y / least.y, most.label.clone()))
}

/// The quartiles of all runs (type 7), with unsolved runs above all others. `None` if a quartile lies among the
/// unsolved runs, or if there are fewer than [`MIN_BOXED`] runs.
fn quartiles(x: f64, points: &[Point]) -> Option<Point> {
    let value = |point: &Point| if point.end == End::Measured { point.y } else { f64::INFINITY };
    let values = ascending(points.iter().map(value));
    let [low, y, high] =
        [0.25, 0.5, 0.75].map(|p| quantile(&values, p).filter(|quartile| quartile.is_finite()));
    let label = format!("quartiles of {} runs", values.len());
    let (low, high) = (Some(low?), Some(high?));
    (values.len() >= MIN_BOXED).then_some(Point { x, y: y?, low, high, label, ..Point::default() })
}
