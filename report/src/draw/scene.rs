//! A picture before it is written: texts and paths with their positions in points, with y downwards.

use super::font::{ASCENT, DESCENT, Font};
use super::paint::Paint;

/// A picture.
pub(super) struct Picture {
    /// In points.
    pub(super) width: f64,
    /// In points.
    pub(super) height: f64,
    /// The items; later ones are drawn on top.
    pub(super) items: Vec<Item>,
    /// The alternative text.
    pub(super) title: String,
    /// More alternative text.
    pub(super) notes: Vec<String>,
}

/// Something drawn.
pub(super) enum Item {
    Text(Text),
    Path(Path),
}

/// A line of text.
pub(super) struct Text {
    pub(super) x: f64,
    /// The position on the baseline.
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) turn: Turn,
    pub(super) paint: Paint,
    pub(super) text: String,
}

/// The part of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The direction of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Level,
    /// From bottom to top.
    Up,
}

/// An outline that is filled, drawn as a line, or both.
pub(super) struct Path {
    pub(super) trace: Trace,
    pub(super) fill: Option<Paint>,
    pub(super) opacity: f64,
    pub(super) stroke: Option<Stroke>,
}

/// How a line is drawn.
#[derive(Clone, Copy)]
pub(super) struct Stroke {
    pub(super) paint: Paint,
    pub(super) width: f64,
    pub(super) dash: &'static [f64],
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Frame {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn centre(&self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }
}

/// The outline of a path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Trace(pub(super) Vec<Step>);

/// A step of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Starts a new subpath.
    Move(f64, f64),
    /// Draws a straight line.
    Line(f64, f64),
    /// Draws a straight line back to the start of the subpath.
    Close,
    /// A full circle, which is a subpath of its own.
    Circle { centre: (f64, f64), radius: f64 },
}

/// A number as SVG writes it, rounded to a hundredth of a point.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Trace {
    /// A line through some points.
    pub(super) fn line(&mut self, places: impl IntoIterator<Item = (f64, f64)>) -> &mut Self {
        for (i, (x, y)) in places.into_iter().enumerate() {
            self.0.push(if i == 0 { Step::Move(x, y) } else { Step::Line(x, y) });
        }
        self
    }

    /// A closed polygon.
    pub(super) fn polygon(&mut self, places: impl IntoIterator<Item = (f64, f64)>) -> &mut Self {
        self.line(places).0.push(Step::Close);
        self
    }

    /// A rectangle.
    pub(super) fn frame(&mut self, frame: Frame) -> &mut Self {
        let Frame { left, top, right, bottom } = frame;
        self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)])
    }

    /// A circle.
    pub(super) fn circle(&mut self, centre: (f64, f64), radius: f64) -> &mut Self {
        self.0.push(Step::Circle { centre, radius });
        self
    }

    /// The path with this outline, filled.
    pub(super) fn filled(self, paint: Paint) -> Path {
        Path { trace: self, fill: Some(paint), opacity: 1.0, stroke: None }
    }

    /// The path with this outline, drawn as a line.
    pub(super) fn stroked(self, paint: Paint, width: f64, dash: &'static [f64]) -> Path {
        Path { trace: self, fill: None, opacity: 1.0, stroke: Some(Stroke { paint, width, dash }) }
    }
}

impl Text {
    /// A horizontal text in the colour of text.
    pub(super) fn new(x: f64, y: f64, size: f64, anchor: Anchor, text: impl Into<String>) -> Self {
        Text { x, y, size, anchor, turn: Turn::Level, paint: Paint::Ink, text: text.into() }
    }

    /// The bounding box.
    pub(super) fn frame(&self, font: &Font) -> Frame {
        let width = font.width(&self.text, self.size);
        let start = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let (up, down) = (ASCENT * self.size, DESCENT * self.size);
        let (x, y) = (self.x, self.y);
        match self.turn {
            Turn::Level => Frame { left: x + start, right: x + start + width, top: y - up, bottom: y + down },
            Turn::Up => Frame { left: x - up, right: x + down, top: y - start - width, bottom: y - start },
        }
    }
}

impl Picture {
    pub(super) fn text(&mut self, text: Text) {
        if !text.text.is_empty() {
            self.items.push(Item::Text(text));
        }
    }

    /// Draws a path unless it is empty.
    pub(super) fn path(&mut self, path: Path) {
        if !path.trace.0.is_empty() {
            self.items.push(Item::Path(path));
        }
    }
}
