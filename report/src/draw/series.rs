//! Draws series as lines, staircases, points and boxes.

use super::marks::{self, RADIUS};
use super::paint::{Paint, SECOND, dash};
use super::scene::{Frame, Path, Picture, Trace};
use super::view::{Ends, View};
use crate::chart::{End, Point, Rim, Series, Shape, Variant};

const WIDTH: f64 = 1.0;

/// The maximum number of markers of a staircase.
const STEP_MARKERS: usize = 7;

/// If a panel has more line series than this, their intervals are not drawn: so many bands would hide each other.
const MAX_BANDS: usize = 4;

/// The distance between triangles side by side.
const BESIDE: f64 = 5.0;

/// The fraction of a band of the axis over which points are spread.
const STREWN: f64 = 0.62;

/// Draws the series of a panel. Limits and wrong answers are drawn last, so that no series hides them.
pub(super) fn draw(picture: &mut Picture, view: &View<'_>) {
    let with_bands =
        view.panel.series.iter().filter(|series| series.shape == Shape::Line).count() <= MAX_BANDS;
    if with_bands {
        view.panel
            .series
            .iter()
            .filter(|series| series.shape == Shape::Line)
            .for_each(|s| band(picture, view, s));
    }
    for series in &view.panel.series {
        match series.shape {
            Shape::Line => line(picture, view, series),
            Shape::Step => step(picture, view, series),
            Shape::Points => points(picture, view, series),
            Shape::Boxes => boxes(picture, view, series),
            Shape::Cells => super::cells::draw(picture, view, series),
        }
    }
    limits(picture, view);
    let all = view.panel.series.iter().filter(|series| series.shape != Shape::Cells).flat_map(|s| &s.points);
    for point in all.filter(|point| point.end == End::Wrong) {
        picture.path(marks::wrong(view.place(point)));
    }
}

fn pattern(series: &Series) -> &'static [f64] {
    if series.variant == Variant::Second { SECOND } else { dash(series.style) }
}

fn is_joined(view: &View<'_>, point: &Point) -> bool {
    point.end == End::Measured || point.end == End::Limit && view.ends == Ends::Joined
}

/// The longest sequences of points that are joined.
fn stretches<'s>(view: &'s View<'_>, series: &'s Series) -> impl Iterator<Item = &'s [Point]> {
    series.points.split(|point| !is_joined(view, point)).filter(|stretch| !stretch.is_empty())
}

fn band(picture: &mut Picture, view: &View<'_>, series: &Series) {
    let mut trace = Trace::default();
    for stretch in stretches(view, series) {
        let side = |end: fn(&Point) -> Option<f64>| -> Vec<(f64, f64)> {
            stretch.iter().filter_map(|point| Some((view.x.at(point.x), view.y.at(end(point)?)))).collect()
        };
        let (low, high) = (side(|point| point.low), side(|point| point.high));
        if low.len() > 1 && low.len() == high.len() {
            trace.polygon(low.into_iter().chain(high.into_iter().rev()));
        } else if let (&[(x, low)], &[(_, high)]) = (&low[..], &high[..]) {
            trace.frame(Frame { left: x - 1.0, right: x + 1.0, top: high, bottom: low });
        }
    }
    picture.path(Path { opacity: 0.15, ..trace.filled(Paint::Style(series.style)) });
}

fn line(picture: &mut Picture, view: &View<'_>, series: &Series) {
    let mut trace = Trace::default();
    for stretch in stretches(view, series).filter(|stretch| stretch.len() > 1) {
        trace.line(stretch.iter().map(|point| view.place(point)));
    }
    picture.path(trace.stroked(Paint::Style(series.style), WIDTH, pattern(series)));
    let measured = series.points.iter().filter(|point| point.end == End::Measured);
    let places: Vec<(f64, f64)> = measured.map(|point| view.place(point)).collect();
    picture.path(marks::markers(series.style, series.variant, &places, RADIUS));
}

fn step(picture: &mut Picture, view: &View<'_>, series: &Series) {
    let places: Vec<(f64, f64)> = series.points.iter().map(|point| view.place(point)).collect();
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for &(x, y) in &places {
        corners.extend(corners.last().map(|&(_, before)| (x, before)));
        corners.push((x, y));
    }
    let mut trace = Trace::default();
    trace.line(corners);
    picture.path(trace.stroked(Paint::Style(series.style), WIDTH, pattern(series)));
    // Each engine has its markers at other positions, so that coinciding curves can be distinguished.
    let n = places.len();
    let every = n.div_ceil(STEP_MARKERS).max(1);
    let kept = |k: &usize| (n - 1 - k + series.style % every.min(8)).is_multiple_of(every) || k + 1 == n;
    let places: Vec<(f64, f64)> = (0..n).filter(kept).map(|k| places[k]).collect();
    picture.path(marks::markers(series.style, series.variant, &places, RADIUS));
}

fn points(picture: &mut Picture, view: &View<'_>, series: &Series) {
    let strewn = !view.panel.x.bands.is_empty();
    let radius = if strewn { 1.1 } else { RADIUS };
    let measured = series.points.iter().enumerate().filter(|(_, point)| point.end != End::Limit);
    let place = |(i, point): (usize, &Point)| {
        let (x, y) = view.place(point);
        (if strewn { x + aside(i) * view.x.band() } else { x }, y)
    };
    let places: Vec<(f64, f64)> = measured.map(place).collect();
    let path = marks::markers(series.style, series.variant, &places, radius);
    picture.path(Path { opacity: if strewn { 0.55 } else { 0.8 }, ..path });
}

/// How far the i-th point is moved sideways, in bands. Multiples of the golden ratio are spread evenly for any number
/// of points.
fn aside(i: usize) -> f64 {
    ((i as f64 * 0.618_033_988_749_894_9).fract() - 0.5) * STREWN
}

fn boxes(picture: &mut Picture, view: &View<'_>, series: &Series) {
    let half = view.x.band().min(40.0) * 0.36;
    for point in &series.points {
        let ((x, y), Some(low), Some(high)) = (view.place(point), point.low, point.high) else { continue };
        let (mut frame, mut middle) = (Trace::default(), Trace::default());
        frame.frame(Frame { left: x - half, right: x + half, top: view.y.at(high), bottom: view.y.at(low) });
        middle.line([(x - half, y), (x + half, y)]);
        picture.path(frame.stroked(Paint::Ink, 0.6, &[]));
        picture.path(middle.stroked(Paint::Ink, 1.5, &[]));
    }
}

/// Triangles at one position, each with its style and direction.
struct Stack {
    at: (f64, f64),
    ends: Vec<(usize, Option<Rim>)>,
}

/// Draws a triangle for each point that reached a limit. If engines of a line chart reach limits at the same position,
/// their triangles are drawn side by side.
fn limits(picture: &mut Picture, view: &View<'_>) {
    let strewn = !view.panel.x.bands.is_empty();
    let mut stacks: Vec<Stack> = Vec::new();
    for series in view.panel.series.iter().filter(|series| series.shape != Shape::Cells) {
        let alone = strewn || series.shape == Shape::Points || view.ends == Ends::Joined;
        for (i, point) in series.points.iter().enumerate().filter(|(_, point)| point.end == End::Limit) {
            let (x, y) = view.place(point);
            let at = (if strewn { x + aside(i) * view.x.band() } else { x }, y);
            let near = |stack: &&mut Stack| (stack.at.0 - at.0).abs() < 2.0 && (stack.at.1 - y).abs() < 2.0;
            let end = (series.style, point.rim);
            match stacks.iter_mut().find(near).filter(|_| !alone) {
                Some(stack) => stack.ends.push(end),
                None => stacks.push(Stack { at, ends: vec![end] }),
            }
        }
    }
    for Stack { at: (x, y), ends } in stacks {
        let width = BESIDE * (ends.len() - 1) as f64;
        let (least, most) = (view.frame.left + BESIDE / 2.0, view.frame.right - BESIDE / 2.0 - width);
        let start = (x - width / 2.0).clamp(least, most.max(least));
        for (i, (style, rim)) in ends.into_iter().enumerate() {
            picture.path(marks::limit((start + BESIDE * i as f64, y), rim, Paint::Style(style)));
        }
    }
}
