//! Heat maps: cells coloured by the logarithm of their value, and the colour bar.

use super::font::Font;
use super::marks;
use super::paint::Paint;
use super::scene::{Anchor, Frame, Path, Picture, Text, Trace};
use super::ticks::Domain;
use super::view::View;
use crate::chart::{Chart, End, Panel, Scale, Series, Shape};

/// The margin at each side of a cell, if cells are large enough.
const GAP: f64 = 0.35;

/// The number of steps of the bar.
const STEPS: usize = 48;

const BAR_HEIGHT: f64 = 6.0;

/// The height of the bar with its ticks.
pub(super) const HEIGHT: f64 = 25.0;

/// Draws the cells of a series.
pub(super) fn draw(picture: &mut Picture, view: &View<'_>, series: &Series) {
    let part = domain(view.panel).ruler(0.0, 1.0);
    let (width, height) = (view.x.band(), view.y.band());
    let gap = if width.min(height) > 3.0 { GAP } else { 0.0 };
    let mut limits = Trace::default();
    for point in &series.points {
        let (x, y) = view.place(point);
        let (left, top) = (x - width / 2.0 + gap, y - height / 2.0 + gap);
        let frame = Frame { left, top, right: left + width - 2.0 * gap, bottom: top + height - 2.0 * gap };
        let mut cell = Trace::default();
        cell.frame(frame);
        let value = point.value.map_or(1.0, |value| part.at(value));
        picture.path(cell.filled(Paint::Heat(value)));
        if point.end == End::Limit {
            struck(&mut limits, frame);
        } else if point.end == End::Wrong {
            picture.path(marks::wrong((x, y)));
        }
    }
    picture.path(strike(limits));
}

/// Marks a cell whose value is a limit.
fn struck(trace: &mut Trace, frame: Frame) {
    // The line is at most as wide as two heights of the cell, so that wide cells do not look crossed out.
    let half = (frame.width() / 2.0).min(frame.height());
    let (x, _) = frame.centre();
    trace.line([(x - half, frame.bottom), (x + half, frame.top)]);
}

fn strike(trace: Trace) -> Path {
    trace.stroked(Paint::Heat(0.0), 0.7, &[])
}

/// A sample of a cell that reached a limit, for the legend.
pub(super) fn sample(picture: &mut Picture, frame: Frame) {
    let (mut cell, mut line) = (Trace::default(), Trace::default());
    cell.frame(frame);
    struck(&mut line, frame);
    picture.path(cell.filled(Paint::Heat(1.0)));
    picture.path(strike(line));
}

/// The domain of the values of a panel's cells.
fn domain(panel: &Panel) -> Domain {
    let unit = panel.value.as_ref().map_or(panel.y.unit, |value| value.unit);
    let cells = panel.series.iter().filter(|series| series.shape == Shape::Cells);
    Domain::of(Scale::Log, unit, 0, cells.flat_map(|series| &series.points).filter_map(|point| point.value))
}

/// Draws the colour bar below `top`, if the chart has cells.
pub(super) fn bar(picture: &mut Picture, font: &Font, chart: &Chart, top: f64) {
    let Some(panel) = chart.panels.iter().find(|panel| panel.value.is_some()) else { return };
    let label = panel.value.as_ref().map_or("", |value| value.label.as_str());
    let size = super::TICK;
    let named = font.width(label, size) + 6.0;
    let width = (picture.width - named - 16.0).clamp(60.0, 200.0);
    let left = ((picture.width - named - width) / 2.0).max(0.0) + named;
    let domain = domain(panel);
    let ruler = domain.ruler(left, left + width);
    let bottom = top + BAR_HEIGHT;
    for i in 0..STEPS {
        let (mut step, from) = (Trace::default(), left + width * i as f64 / STEPS as f64);
        // Each step extends to the end of the bar, so that there are no seams.
        step.frame(Frame { left: from, right: left + width, top, bottom });
        picture.path(step.filled(Paint::Heat(i as f64 / (STEPS - 1) as f64)));
    }
    picture.text(Text::new(left - 5.0, bottom - 0.5, size, Anchor::End, label));
    let apart = super::axes::fits(font, &ruler, (left - 4.0, left + width + 12.0));
    let mut ticks = Trace::default();
    for tick in domain.major(apart) {
        let x = ruler.at(tick.at);
        ticks.line([(x, bottom), (x, bottom + 2.0)]);
        picture.text(Text::new(x, bottom + 9.0, size, Anchor::Middle, tick.label));
    }
    picture.path(ticks.stroked(Paint::Ink, 0.5, &[]));
}
