//! Draws guides and rims, with their labels above and beside the frame. A guide is an auxiliary line, such as the
//! diagonal of a scatter plot. A rim is a dotted line on which the points of runs that reached a limit lie.

use super::TICK;
use super::font::Font;
use super::labels::label;
use super::paint::{Paint, THIN};
use super::scene::{Anchor, Frame, Path, Picture, Text, Trace};
use super::view::{View, rims};
use crate::chart::{Line, Panel, Unit};

/// The height of a line of text above the frame.
pub(super) const LINE: f64 = 8.6;

/// The distance between the frame and the labels.
const GAP: f64 = 2.6;

/// The number of lines above the frame that the labels of a panel need.
pub(super) fn lines_above(font: &Font, view: &View<'_>) -> usize {
    above(font, view).iter().map(|(line, _)| line + 1).max().unwrap_or(0)
}

/// The labels above the frame, each with the number of its line of text, counted upwards from 0. The labels of guides
/// are on line 0. The label of the rim is also on line 0 unless it would overlap one of them; then it is on line 1.
fn above(font: &Font, view: &View<'_>) -> Vec<(usize, Text)> {
    let Frame { left, top, right, .. } = view.frame;
    let mut texts = Vec::new();
    for guide in &view.panel.guides {
        let half = font.width(&guide.label, TICK) / 2.0;
        let x = match guide.line {
            Line::Upright { at, .. } => view.x.at(at).clamp(left + half, (right - half).max(left + half)),
            Line::Diagonal(factor) if factor >= 1.0 => match diagonal(view, factor) {
                Some([(x, _), _]) => x,
                None => continue,
            },
            _ => continue,
        };
        if !guide.label.is_empty() {
            let paint = if matches!(guide.line, Line::Upright { .. }) { Paint::Ink } else { Paint::Soft };
            let text = Text::new(x, top, TICK, Anchor::Middle, guide.label.clone());
            texts.push((0, Text { paint, ..text }));
        }
    }
    if let Some(label) = rim_label(view) {
        let text = Text::new(right, top, TICK, Anchor::End, label);
        let from = text.frame(font).left - 4.0;
        let line = usize::from(texts.iter().any(|(_, text)| text.frame(font).right > from));
        texts.push((line, Text { paint: Paint::Soft, ..text }));
    }
    texts
}

/// The label of the rim.
fn rim_label(view: &View<'_>) -> Option<String> {
    let (x, y) = rims(view.panel, view.ends);
    let (limits, unit) = if y.is_empty() { (x, view.panel.x.unit) } else { (y, view.panel.y.unit) };
    let (least, most) = (label(*limits.first()?, unit), label(*limits.last()?, unit));
    // The rim of a time is at the limit. A counter has a limit only if the plan limits work, so its rim is at the
    // values with which the runs ended.
    let what = if unit == Unit::Seconds { "limit" } else { "ended at" };
    Some(if least == most { format!("{what} {most}") } else { format!("{what} {least} to {most}") })
}

/// The width of the labels beside the frame.
pub(super) fn room_beside(font: &Font, panel: &Panel) -> f64 {
    let diagonals = panel.guides.iter().filter(|guide| matches!(guide.line, Line::Diagonal(_)));
    font.widest(diagonals.map(|guide| guide.label.as_str()), TICK)
}

/// Draws guides and rims, below the series.
pub(super) fn lines(picture: &mut Picture, view: &View<'_>) {
    let Frame { left, top, right, bottom } = view.frame;
    let mut thin = Trace::default();
    for guide in &view.panel.guides {
        match guide.line {
            Line::Upright { at, low, high } => {
                let mut band = Trace::default();
                band.frame(Frame { left: view.x.at(low), right: view.x.at(high), top, bottom });
                picture.path(Path { opacity: 0.12, ..band.filled(Paint::Soft) });
                thin.line([(view.x.at(at), top), (view.x.at(at), bottom)]);
            }
            Line::Level(at) => {
                thin.line([(left, view.y.at(at)), (right, view.y.at(at))]);
            }
            Line::Diagonal(factor) => {
                let mut line = Trace::default();
                line.line(diagonal(view, factor).into_iter().flatten());
                picture.path(line.stroked(Paint::Soft, 0.5, if factor == 1.0 { &[] } else { THIN }));
            }
        }
    }
    picture.path(thin.stroked(Paint::Soft, 0.7, &[]));
    let (x, y) = rims(view.panel, view.ends);
    let mut dotted = Trace::default();
    for at in x {
        dotted.line([(view.x.at(at), top), (view.x.at(at), bottom)]);
    }
    for at in y {
        dotted.line([(left, view.y.at(at)), (right, view.y.at(at))]);
    }
    picture.path(dotted.stroked(Paint::Soft, 0.7, THIN));
}

/// The two points at which the line `y = factor · x` crosses the frame: first the point on the top or right edge, then
/// the point on the left or bottom edge. Both axes must be logarithmic and have the same domain. `None` if the line
/// does not cross the frame.
fn diagonal(view: &View<'_>, factor: f64) -> Option<[(f64, f64); 2]> {
    let Frame { left, top, right, bottom } = view.frame;
    let up = view.y.stretch(factor);
    if up.abs() >= view.frame.height() {
        None
    } else if up >= 0.0 {
        Some([(right - up, top), (left, bottom - up)])
    } else {
        Some([(right, top - up), (left - up, bottom)])
    }
}

/// Writes the labels of guides and rims.
pub(super) fn labels(picture: &mut Picture, font: &Font, view: &View<'_>) {
    for (line, text) in above(font, view) {
        let y = view.frame.top - GAP - line as f64 * LINE;
        picture.text(Text { y, ..text });
    }
    for guide in &view.panel.guides {
        let Line::Diagonal(factor) = guide.line else { continue };
        let Some([(x, y), _]) = diagonal(view, factor).filter(|_| factor < 1.0) else { continue };
        let text = Text::new(x + GAP, y + 0.27 * TICK, TICK, Anchor::Start, guide.label.clone());
        picture.text(Text { paint: Paint::Soft, ..text });
    }
}
