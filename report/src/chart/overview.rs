//! Mean and 90 % quantile of time against size: a panel for each experiment, a colour for each engine.

use super::select::{Shown, Sizes, at_limit, by_engine};
use super::{Axis, Chart, End, Panel, Point, Series, Shape, Unit, Variant};
use crate::dataset::{Dataset, Run};
use crate::errors::ChartError;
use crate::spec::{Figure, Kind};
use counterpoint_statistics::par;
use indexmap::IndexSet;
use itertools::Itertools;

/// The quantile that the second line of each engine shows.
const TAIL: f64 = 0.9;

/// The style of the first SAT engine. If a panel has more searches than this number, its SAT engines get the styles
/// after those of the searches.
const SAT_STYLES: usize = 2;

/// An overview of one experiment.
pub(super) fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    of(&[(String::new(), dataset)], figure)
}

/// An overview of several experiments, each a panel with a title. An engine of the figure need not be in every
/// experiment.
///
/// # Errors
/// The errors of [`super::chart`].
pub fn of(experiments: &[(String, &Dataset<'_>)], figure: &Figure) -> Result<Chart, ChartError> {
    let (mut panels, mut notes) = (Vec::new(), Vec::new());
    for (title, dataset) in experiments {
        let engines =
            figure.engines.iter().filter(|id| experiments.len() == 1 || dataset.engines.contains(id));
        let own = Figure { engines: engines.cloned().collect(), ..figure.clone() };
        if own.engines.is_empty() && !figure.engines.is_empty() {
            continue;
        }
        let named = |text: &str| match title.as_str() {
            "" => text.to_owned(),
            title => format!("{title}: {text}"),
        };
        let wrong = |error: ChartError| ChartError::from(named(error.message()));
        let shown = Shown::new(dataset, &own).map_err(wrong)?;
        let sizes = shown.size(&own).map_err(wrong)?;
        for (part, runs) in shown.parts() {
            let title = [title.as_str(), part.as_str()].iter().filter(|text| !text.is_empty()).join(", ");
            panels.extend(panel(&shown, &sizes, title, &runs));
        }
        notes.extend(shown.notes.iter().map(|note| named(note)));
    }
    if panels.is_empty() {
        return Err("no run with a size has a time or a limit".into());
    }
    let names = panels.iter().flat_map(|panel| &panel.series).map(|series| series.name.clone());
    let searches_first = names.sorted_by_key(|name| !name.starts_with("search:"));
    let names: IndexSet<String> = searches_first.collect();
    if experiments.len() > 1 {
        panels.iter_mut().for_each(restyled);
    }
    for panel in &mut panels {
        panel.series.sort_by_key(|series| (series.variant, names.get_index_of(&series.name)));
    }
    let title = "Mean and 90 % quantile of CPU time against size".to_owned();
    Ok(Chart { name: Kind::Overview.name().to_owned(), title, panels, notes })
}

/// Sets the styles of the engines: searches from the first style on, SAT engines from [`SAT_STYLES`] on. So
/// if no panel has more than [`SAT_STYLES`] searches, no colour stands for a search in one panel and for a
/// SAT engine in another.
fn restyled(panel: &mut Panel) {
    let names: IndexSet<String> = panel.series.iter().map(|series| series.name.clone()).collect();
    let (searches, others): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| name.starts_with("search:"));
    for series in &mut panel.series {
        let search = searches.iter().position(|name| *name == series.name);
        let other = others.iter().position(|name| *name == series.name).unwrap_or(0);
        series.style = search.unwrap_or(SAT_STYLES.max(searches.len()) + other);
    }
}

fn panel(shown: &Shown<'_, '_>, sizes: &Sizes, title: String, runs: &[Run<'_>]) -> Option<Panel> {
    let mut series = Vec::new();
    for (engine, own) in by_engine(runs) {
        let groups = sizes.groups(&own);
        for (variant, point) in [(Variant::First, mean as fn(&_, _, &_) -> _), (Variant::Second, tail)] {
            let points: Vec<Point> = groups.iter().filter_map(|(x, group)| point(shown, *x, group)).collect();
            let name = shown.id(engine).to_owned();
            series.push(Series { name, style: engine, shape: Shape::Line, variant, points });
        }
    }
    series.retain(|series: &Series| !series.points.is_empty());
    let label = format!("{}: mean (filled), 90 % quantile (hollow)", shown.measure.label);
    let y = Axis { label, ..shown.axis() };
    let x = Axis::of(&sizes.label, Unit::Plain, super::Scale::Linear);
    let panel = Panel { title, x, y, value: None, series, guides: Vec::new() };
    let x = sizes.axis(std::slice::from_ref(&panel));
    (!panel.series.is_empty()).then_some(Panel { x, ..panel })
}

/// The mean. An unsolved run counts with its limit.
fn mean(shown: &Shown<'_, '_>, x: f64, runs: &[Run<'_>]) -> Option<Point> {
    let scores = runs.iter().map(|run| shown.score(std::slice::from_ref(run))).collect::<Option<Vec<_>>>()?;
    let end = if scores.iter().all(|score| score.solved) { End::Measured } else { End::Limit };
    let ends = at_limit(&shown.censored(runs));
    let label = if ends.is_empty() { "mean".to_owned() } else { format!("mean, {ends}") };
    Some(Point { x, y: par(scores, 1.0)?, end, label, ..Point::default() })
}

/// The 90 % quantile as an order statistic; `None` if it lies among unsolved runs.
fn tail(shown: &Shown<'_, '_>, x: f64, runs: &[Run<'_>]) -> Option<Point> {
    let values = shown.censored(runs);
    let place = (TAIL * values.len() as f64).ceil() as usize;
    let y = values.get(place.checked_sub(1)?).copied().filter(|value| value.is_finite())?;
    Some(Point { x, y, label: "90 % quantile".to_owned(), ..Point::default() })
}
