//! Guides and rims, with what is written at them above and beside the frame.

use super::TICK;
use super::font::Font;
use super::labels::label;
use super::paint::{Paint, THIN};
use super::scene::{Anchor, Frame, Path, Picture, Text, Trace};
use super::view::{View, rims};
use crate::report::chart::{Line, Panel};

/// The height of a line above the frame.
pub(super) const LINE: f64 = 8.6;

/// Room between the frame and what is written at it.
const GAP: f64 = 2.6;

/// How many lines above the frame the guides and rims of a panel need.
pub(super) fn lines_above(panel: &Panel, ends: super::view::Ends) -> usize {
    let (x, y) = rims(panel, ends);
    let rim = usize::from(!x.is_empty() || !y.is_empty());
    let named = |line: &Line| !matches!(line, Line::Level(_));
    let guides = panel.guides.iter().any(|guide| named(&guide.line) && !guide.label.is_empty());
    rim + usize::from(guides)
}

/// How much room beside the frame they need.
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

/// Where `y = factor · x` leaves a frame whose axes are logarithmic with one domain, above or right, and where it enters
/// it, below or left; nothing where it does not cross the frame.
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

/// Writes at guides and rims.
pub(super) fn labels(picture: &mut Picture, font: &Font, view: &View<'_>) {
    let Frame { left, top, right, .. } = view.frame;
    let (x, y) = rims(view.panel, view.ends);
    let unit = if y.is_empty() { view.panel.x.unit } else { view.panel.y.unit };
    let limits = if y.is_empty() { x } else { y };
    let mut base = top - GAP;
    if let (Some(least), Some(most)) = (limits.first(), limits.last()) {
        let (least, most) = (label(*least, unit), label(*most, unit));
        let text = if least == most { format!("limit {most}") } else { format!("limits {least} to {most}") };
        let text = Text::new(right, base, TICK, Anchor::End, text);
        picture.text(Text { paint: Paint::Soft, ..text });
        base -= LINE;
    }
    for guide in &view.panel.guides {
        let half = font.width(&guide.label, TICK) / 2.0;
        match guide.line {
            Line::Upright { at, .. } => {
                let x = view.x.at(at).clamp(left + half, (right - half).max(left + half));
                picture.text(Text::new(x, base, TICK, Anchor::Middle, guide.label.clone()));
            }
            Line::Diagonal(factor) => {
                let Some([(x, y), _]) = diagonal(view, factor) else { continue };
                let text = if factor >= 1.0 {
                    Text::new(x, base, TICK, Anchor::Middle, guide.label.clone())
                } else {
                    Text::new(right + GAP, y + 0.27 * TICK, TICK, Anchor::Start, guide.label.clone())
                };
                picture.text(Text { paint: Paint::Soft, ..text });
            }
            Line::Level(_) => {}
        }
    }
}
