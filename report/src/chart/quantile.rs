//! A cactus plot: the times of solved runs in ascending order. At height t, the plot shows how many runs an engine
//! solves within t.

use super::select::{Shown, by_engine, by_instance};
use super::{Axis, Better, Chart, Panel, Point, Scale, Series, Shape, Unit, Variant};
use crate::dataset::{Dataset, Run};
use crate::errors::ChartError;
use crate::sample::MAX_SHOWN;
use crate::spec::Figure;
use itertools::Itertools;

/// If the dataset has more runs than a page shows, a curve keeps at most about this many of its steps.
/// They are evenly spaced, and none is moved.
const MAX_STEPS: usize = 10_000;

pub(super) fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    let shown = Shown::new(dataset, figure)?;
    let panels: Vec<Panel> =
        shown.parts().into_iter().filter_map(|(title, runs)| panel(&shown, title, &runs)).collect();
    if panels.is_empty() {
        return Err("no run is solved, so there are no times to sort".into());
    }
    let mut notes = vec![counts(&shown)];
    notes.extend_from_slice(&shown.notes);
    let title = format!("Runs solved against {}", shown.measure.label);
    Ok(Chart { name: figure.kind.name().to_owned(), title, panels, notes })
}

fn panel(shown: &Shown<'_, '_>, title: String, runs: &[Run<'_>]) -> Option<Panel> {
    let label = |run: &Run<'_>| shown.dataset.instances[run.instance].label.clone();
    let engines = by_engine(runs).into_iter().map(|(engine, own)| {
        let times = own.iter().filter_map(|run| Some((shown.measure.solved(run)?, label(run))));
        let (name, points) = (shown.id(engine).to_owned(), ascending(times, has_all(shown)));
        Series { name, style: engine, shape: Shape::Step, variant: Variant::First, points }
    });
    let mut series: Vec<Series> = engines.filter(|series| !series.points.is_empty()).collect();
    if series.is_empty() {
        return None;
    }
    series.extend(virtual_best(shown, runs));
    let x = Axis::of("runs solved", Unit::Count, Scale::Linear).better(Better::High);
    Some(Panel { title, x, y: shown.axis(), value: None, series, guides: Vec::new() })
}

/// The points of a staircase: the k-th smallest time, for k from 1, is at x = k.
fn ascending(times: impl Iterator<Item = (f64, String)>, has_all: bool) -> Vec<Point> {
    let sorted = times.sorted_by(|(a, _), (b, _)| a.total_cmp(b));
    let count = sorted.len();
    let every = if has_all { 1 } else { count.div_ceil(MAX_STEPS).max(1) };
    let is_kept = |k: usize| k.is_multiple_of(every) || k == 1 || k == count;
    let point = |(k, (y, label))| Point { x: k as f64, y, label, ..Point::default() };
    (1..).zip(sorted).filter(|(k, _)| is_kept(*k)).map(point).collect()
}

/// The virtual best: the smallest time on each instance. `None` if there is only one engine. Also `None` if an engine
/// has several runs of an instance: the horizontal axis counts runs, but the virtual best has one time per instance.
fn virtual_best(shown: &Shown<'_, '_>, runs: &[Run<'_>]) -> Option<Series> {
    let instances = by_instance(runs);
    let several = by_engine(runs).len() > 1;
    let single = instances.iter().all(|(_, own)| own.iter().map(|run| run.engine).all_unique());
    if !several || !single {
        return None;
    }
    let best = instances.iter().filter_map(|(instance, own)| {
        let solved = own.iter().filter_map(|run| Some((shown.measure.solved(run)?, run.engine)));
        let (time, engine) = solved.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        Some((time, format!("{}: {}", shown.dataset.instances[*instance].label, shown.id(engine))))
    });
    let (name, style) = ("virtual best".to_owned(), shown.dataset.engines.len());
    Some(Series {
        name,
        style,
        shape: Shape::Step,
        variant: Variant::Second,
        points: ascending(best, has_all(shown)),
    })
}

/// A sentence about the engine that solves the largest share of its runs.
fn counts(shown: &Shown<'_, '_>) -> String {
    let solved = |runs: &[Run<'_>]| runs.iter().filter(|run| shown.measure.solved(run).is_some()).count();
    let engines = by_engine(&shown.runs);
    if engines.iter().all(|(_, own)| solved(own) == own.len()) {
        return "Every engine solves all its runs.".to_owned();
    }
    let share = |own: &[Run<'_>]| solved(own) as f64 / own.len() as f64;
    let most = engines.iter().map(|(_, own)| share(own)).fold(0.0, f64::max);
    let leaders = engines.iter().filter(|(_, own)| share(own) == most);
    let names =
        leaders.map(|(engine, own)| format!("{} ({} of {})", shown.id(*engine), solved(own), own.len()));
    let equal = engines.iter().map(|(_, own)| own.len()).all_equal();
    let what = if equal { "Most runs are" } else { "The largest share of runs is" };
    format!("{what} solved by {}.", names.format(", "))
}

/// Whether curves have all their steps.
fn has_all(shown: &Shown<'_, '_>) -> bool {
    shown.dataset.runs.len() <= MAX_SHOWN
}
