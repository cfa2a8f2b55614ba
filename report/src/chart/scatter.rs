//! A scatter plot: two engines on each instance that both support.

use super::select::{Shown, by_instance};
use super::{Axis, Better, Chart, End, Guide, Line, Panel, Point, Rim, Scale, Series, Shape, Variant};
use crate::dataset::{Dataset, Run};
use crate::errors::ChartError;
use crate::spec::Figure;

/// The guides `y = factor · x`, with their labels.
const GUIDES: [(f64, &str); 3] = [(1.0, ""), (10.0, "10×"), (0.1, "10×")];

pub(super) fn chart(dataset: &Dataset<'_>, figure: &Figure) -> Result<Chart, ChartError> {
    let shown = Shown::new(dataset, figure)?;
    let (a, b) = pair(&shown, figure)?;
    let axis = |engine: usize| {
        let label = format!("{} of {}", shown.measure.label, shown.id(engine));
        Axis::of(label, shown.measure.unit, Scale::Log).better(Better::Low)
    };
    let title = format!("{} against {}", shown.id(b), shown.id(a));
    let panels = shown.parts().into_iter().filter_map(|(part, runs)| {
        let points = points(&shown, &runs, a, b);
        let series =
            Series { name: title.clone(), style: b, shape: Shape::Points, variant: Variant::First, points };
        let guide =
            |(factor, label): (f64, &str)| Guide { line: Line::Diagonal(factor), label: label.to_owned() };
        (!series.points.is_empty()).then(|| Panel {
            title: part,
            x: axis(a),
            y: axis(b),
            value: None,
            series: vec![series],
            guides: GUIDES.map(guide).to_vec(),
        })
    });
    let panels: Vec<Panel> = panels.collect();
    if panels.is_empty() {
        return Err(format!("no instance is supported by both {} and {}", shown.id(a), shown.id(b)).into());
    }
    let all: Vec<&Point> = panels.iter().flat_map(|panel| &panel.series[0].points).collect();
    let mut notes = counts(&all, [shown.id(a), shown.id(b)]);
    notes.extend_from_slice(&shown.notes);
    Ok(Chart { name: figure.kind.name().to_owned(), title, panels, notes })
}

/// The two engines that are named; otherwise the best search and the best SAT engine; otherwise the best two engines.
fn pair(shown: &Shown<'_, '_>, figure: &Figure) -> Result<(usize, usize), ChartError> {
    let place = |id: &String| shown.dataset.engines.iter().position(|engine| engine == id);
    let named: Vec<usize> = figure.engines.iter().filter_map(place).collect();
    match named[..] {
        [] => {
            let ranked = shown.ranked(&shown.runs);
            let best = ranked.first().copied().zip(ranked.get(1).copied());
            let pair = shown.sides(&shown.runs).or(best);
            pair.ok_or_else(|| "a scatter plot needs two engines; there is only one".into())
        }
        [a, b] if a != b => {
            [a, b]
                .into_iter()
                .try_for_each(|engine| shown.measure.check_counted(engine, shown.id(engine)))?;
            Ok((a, b))
        }
        _ => Err(format!(
            "a scatter plot needs two engines, not {}: {}",
            named.len(),
            figure.engines.join(", ")
        )
        .into()),
    }
}

fn points(shown: &Shown<'_, '_>, runs: &[Run<'_>], a: usize, b: usize) -> Vec<Point> {
    let point = |(instance, own): (usize, Vec<Run<'_>>)| {
        let of =
            |engine| -> Vec<Run<'_>> { own.iter().copied().filter(|run| run.engine == engine).collect() };
        let (first, second) = (of(a), of(b));
        let (x, y) = (shown.score(&first)?, shown.score(&second)?);
        let rim = match (x.solved, y.solved) {
            (true, true) => None,
            (false, true) => Some(Rim::X),
            (true, false) => Some(Rim::Y),
            (false, false) => Some(Rim::Xy),
        };
        let wrong = first.iter().chain(&second).any(|run| run.record.is_wrong());
        let end = if wrong {
            End::Wrong
        } else if rim.is_some() {
            End::Limit
        } else {
            End::Measured
        };
        let label = shown.dataset.instances[instance].label.clone();
        Some(Point { x: x.time_s, y: y.time_s, end, rim, label, ..Point::default() })
    };
    by_instance(runs).into_iter().filter_map(point).collect()
}

fn counts(points: &[&Point], [a, b]: [&str; 2]) -> Vec<String> {
    let count = |holds: &dyn Fn(&Point) -> bool| points.iter().filter(|point| holds(point)).count();
    let below = count(&|p| p.rim == Some(Rim::X) || p.rim.is_none() && p.y < p.x);
    let above = count(&|p| p.rim == Some(Rim::Y) || p.rim.is_none() && p.x < p.y);
    let all = points.len();
    let mut notes = vec![format!(
        "Of {all} instances {below} are below the diagonal ({b} ahead), {above} above ({a} ahead)."
    )];
    let [x, y, both] = [Rim::X, Rim::Y, Rim::Xy].map(|rim| count(&|p| p.rim == Some(rim)));
    if x + y + both > 0 {
        notes.push(format!("Limit reached by {a} alone on {x}, by {b} alone on {y}, by both on {both}."));
    }
    notes
}
