//! Draws frames, grids, and ticks with their labels.

use super::TICK;
use super::font::{ASCENT, DESCENT, Font};
use super::paint::Paint;
use super::scene::{Anchor, Frame, Picture, Text, Trace, Turn};
use super::ticks::{Ruler, Tick};
use super::view::View;

/// The length of ticks with labels, and that of ticks without labels.
const MAJOR: f64 = 2.4;
const MINOR: f64 = 1.3;

/// The distance between a tick and its label.
const GAP: f64 = 1.8;

/// The space for a line of an upright label.
pub(super) const TURNED: f64 = 1.1 * TICK;

/// The distance between horizontal labels side by side.
const APART: f64 = 4.0;

/// The labels at the ticks of a panel.
#[derive(Clone, Debug, Default)]
pub(super) struct Ticks {
    pub(super) major: Vec<Tick>,
    pub(super) minor: Vec<f64>,
}

/// The direction of the labels of the horizontal axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    Level,
    Up,
}

/// Returns a function that tests whether horizontal labels below a ruler lie within `room` and do not overlap.
pub(super) fn fits(font: &Font, ruler: &Ruler, room: (f64, f64)) -> impl Fn(&[Tick]) -> bool {
    move |ticks| {
        let extent = |tick: &Tick| {
            let (at, half) = (ruler.at(tick.at), font.width(&tick.label, TICK) / 2.0);
            (at - half, at + half)
        };
        let apart = ticks.windows(2).all(|pair| extent(&pair[0]).1 + APART <= extent(&pair[1]).0);
        apart && ticks.iter().map(extent).all(|(left, right)| left >= room.0 && right <= room.1)
    }
}

/// Returns a function that tests whether labels beside a vertical ruler do not overlap.
pub(super) fn fits_upright(ruler: &Ruler) -> impl Fn(&[Tick]) -> bool {
    move |ticks| {
        ticks.windows(2).all(|pair| (ruler.at(pair[0].at) - ruler.at(pair[1].at)).abs() >= 1.5 * TICK)
    }
}

/// How far labels reach below the frame.
pub(super) fn below(font: &Font, ticks: &Ticks, labels: Labels) -> f64 {
    let letters = match labels {
        Labels::Level => (ASCENT + DESCENT) * TICK,
        Labels::Up => font.widest(ticks.major.iter().flat_map(|tick| tick.label.lines()), TICK),
    };
    MAJOR + GAP + letters
}

/// How far labels reach to the left of the frame.
pub(super) fn beside(font: &Font, ticks: &Ticks) -> f64 {
    MAJOR + GAP + font.widest(ticks.major.iter().map(|tick| tick.label.as_str()), TICK)
}

/// Draws the grid, below everything else.
pub(super) fn grid(picture: &mut Picture, view: &View<'_>, x: &Ticks, y: &Ticks) {
    let Frame { left, top, right, bottom } = view.frame;
    let mut lines = Trace::default();
    if view.panel.x.bands.is_empty() {
        for tick in &x.major {
            let at = view.x.at(tick.at);
            lines.line([(at, top), (at, bottom)]);
        }
    }
    if view.panel.y.bands.is_empty() {
        for tick in &y.major {
            let at = view.y.at(tick.at);
            lines.line([(left, at), (right, at)]);
        }
    }
    picture.path(lines.stroked(Paint::Grid, 0.5, &[]));
}

/// Draws the frame with its ticks.
pub(super) fn frame(picture: &mut Picture, view: &View<'_>, x: &Ticks, y: &Ticks) {
    let Frame { left, bottom, .. } = view.frame;
    let mut lines = Trace::default();
    lines.frame(view.frame);
    for (ticks, length) in [(at(x), MAJOR), (x.minor.clone(), MINOR)] {
        for x in ticks.into_iter().map(|at| view.x.at(at)) {
            lines.line([(x, bottom), (x, bottom + length)]);
        }
    }
    for (ticks, length) in [(at(y), MAJOR), (y.minor.clone(), MINOR)] {
        for y in ticks.into_iter().map(|at| view.y.at(at)) {
            lines.line([(left, y), (left - length, y)]);
        }
    }
    picture.path(lines.stroked(Paint::Ink, 0.5, &[]));
}

fn at(ticks: &Ticks) -> Vec<f64> {
    ticks.major.iter().map(|tick| tick.at).collect()
}

/// Writes labels below the frame.
pub(super) fn labels_below(picture: &mut Picture, view: &View<'_>, ticks: &Ticks, labels: Labels) {
    let top = view.frame.bottom + MAJOR + GAP;
    for tick in &ticks.major {
        let x = view.x.at(tick.at);
        let text = |label: &str| Text::new(x, top + ASCENT * TICK, TICK, Anchor::Middle, label);
        let lines = tick.label.lines().count();
        for (i, line) in tick.label.lines().enumerate() {
            picture.text(match labels {
                Labels::Level => text(line),
                Labels::Up => {
                    let aside = TURNED * (i as f64 - (lines - 1) as f64 / 2.0);
                    let x = x + aside + (ASCENT - DESCENT) / 2.0 * TICK;
                    Text { x, y: top, anchor: Anchor::End, turn: Turn::Up, ..text(line) }
                }
            });
        }
    }
}

/// Writes labels to the left of the frame.
pub(super) fn labels_beside(picture: &mut Picture, view: &View<'_>, ticks: &Ticks) {
    for tick in &ticks.major {
        let (x, y) = (view.frame.left - MAJOR - GAP, view.y.at(tick.at) + (ASCENT - DESCENT) / 2.0 * TICK);
        picture.text(Text::new(x, y, TICK, Anchor::End, tick.label.clone()));
    }
}
