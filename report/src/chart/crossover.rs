//! Time against size, with a line for each engine, and the size at which the order of the best search and the best SAT
//! engine changes.

use super::select::{Shown, Sizes, at_limit, by_engine, digits, grouped, sentence};
use super::{Chart, End, Guide, Line, Panel, Point, Series, Shape, Variant};
use crate::dataset::{Dataset, Run};
use crate::errors::ChartError;
use crate::spec::Figure;
use counterpoint_statistics::{Resampling, Score, Side, Size, censored_median, crossover, median_interval};

/// The resampling for the interval of n*, the size at which the order changes.
const RESAMPLING: Resampling = Resampling { level: 0.95, resamples: 2000, seed: 1 };

pub(super) fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    let shown = Shown::new(dataset, figure)?;
    let sizes = shown.size(figure)?;
    let axis = sizes.axis(&[]);
    let (mut panels, mut notes) = (Vec::new(), Vec::new());
    for (title, runs) in shown.parts() {
        let lines = by_engine(&runs).into_iter().map(|(engine, own)| {
            let points =
                sizes.groups(&own).iter().filter_map(|(x, group)| point(&shown, *x, group)).collect();
            let name = shown.id(engine).to_owned();
            Series { name, style: engine, shape: Shape::Line, variant: Variant::First, points }
        });
        let series: Vec<Series> = lines.filter(|series| !series.points.is_empty()).collect();
        if series.is_empty() {
            continue;
        }
        let (guide, said) = flip(&shown, &sizes, &runs);
        notes.extend(said.map(|said| if title.is_empty() { said } else { format!("{title}: {said}") }));
        let guides = guide.into_iter().collect();
        panels.push(Panel { title, x: axis.clone(), y: shown.axis(), value: None, series, guides });
    }
    if panels.is_empty() {
        return Err("no run with a size has a time or a limit".into());
    }
    let axis = sizes.axis(&panels);
    panels.iter_mut().for_each(|panel| panel.x = axis.clone());
    let unsized_runs = shown.runs.iter().filter(|run| run.number(&sizes.column).is_none()).count();
    if unsized_runs > 0 {
        notes.push(format!("{unsized_runs} runs without {} are left out.", sizes.label));
    }
    notes.extend_from_slice(&shown.notes);
    let title = format!("{} against {}", sentence(&shown.measure.label), sizes.label);
    Ok(Chart { name: figure.kind.name().to_owned(), title, panels, notes })
}

/// The median for one size with its interval; the limit if half of the runs or more are unsolved.
fn point(shown: &Shown<'_, '_>, x: f64, runs: &[Run<'_>]) -> Option<Point> {
    let (values, limit) = (shown.censored(runs), shown.limit(runs).filter(|limit| *limit > 0.0));
    let label = at_limit(&values);
    let Some(y) = censored_median(&values) else {
        return Some(Point { x, y: limit?, end: End::Limit, label, ..Point::default() });
    };
    let interval = median_interval(&values, RESAMPLING.level)?;
    let high = if interval.high.is_finite() { Some(interval.high) } else { limit };
    Some(Point { x, y, low: Some(interval.low), high, label, ..Point::default() })
}

/// Returns a guide and a sentence. The guide is at the size at which the order of the best search and the best SAT
/// engine changes, if this size is known as a single point. The sentence is about the change. For counters, there is no
/// guide and no sentence, because nodes of a search and conflicts of a solver cannot be compared.
fn flip(shown: &Shown<'_, '_>, sizes: &Sizes, runs: &[Run<'_>]) -> (Option<Guide>, Option<String>) {
    let sides = shown.sides(runs).filter(|_| !shown.measure.is_counter());
    let Some((search, sat)) = sides else { return (None, None) };
    let pairs = |group: &[Run<'_>]| -> Vec<(Score, Score)> {
        let instances = grouped(group, |run| run.instance).into_values();
        let of = |own: &[Run<'_>], engine: usize| {
            let own: Vec<Run<'_>> = own.iter().copied().filter(|run| run.engine == engine).collect();
            shown.score(&own)
        };
        instances.filter_map(|own| of(&own, search).zip(of(&own, sat))).collect()
    };
    let groups: Vec<Size> =
        sizes.groups(runs).iter().map(|(x, group)| Size { x: *x, pairs: pairs(group) }).collect();
    let found = crossover(&groups, &RESAMPLING);
    let name = |side: Side| shown.id(if side == Side::First { search } else { sat });
    let other = |side: Side| shown.id(if side == Side::First { sat } else { search });
    let label = &sizes.label;
    let Some(last) = found.changes.last() else {
        let said = found.throughout.map(|side| {
            format!("{} is ahead of {} at every size where both are known.", name(side), other(side))
        });
        return (None, said);
    };
    let (winner, loser) = (name(last.ahead), other(last.ahead));
    let often = match found.changes.len() {
        1 => String::new(),
        n => format!(" The order changes {n} times; this is the last."),
    };
    let Some(at) = last.at() else {
        let (after, before) = (digits(last.earliest), digits(last.latest));
        let said = format!("Between {label} = {after} and {before} {winner} gets ahead of {loser}.{often}");
        return (None, Some(said));
    };
    let (low, high) = found.interval.unwrap_or((at, at));
    let guide = Guide { line: Line::Upright { at, low, high }, label: format!("{label}* = {}", digits(at)) };
    let share = digits((found.crossing * 100.0).round());
    let (at, low, high) = (digits(at), digits(low), digits(high));
    let interval = format!("95 % interval {low} to {high}, of the {share} % of resamples that cross");
    let said = format!("From {label}* = {at} on ({interval}) {winner} is ahead of {loser}.{often}");
    (Some(guide), Some(said))
}
