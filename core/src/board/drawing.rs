//! A small SVG drawing on a grid of squares.

use std::fmt::Write;

/// The side of a square in pixels.
const UNIT: f64 = 40.0;
/// The width of the margin on each side in pixels.
const MARGIN: f64 = 12.0;

/// Shapes on a grid. Coordinates are in squares from the top left corner; x grows to the right, and y downwards.
#[derive(Clone, Debug)]
pub struct Drawing {
    body: String,
    width: f64,
    height: f64,
}

impl Drawing {
    /// An empty drawing of `width` by `height` squares.
    pub fn new(width: f64, height: f64) -> Self {
        Drawing { body: String::new(), width, height }
    }

    /// A square whose top left corner is at `x`, `y`.
    pub fn square(&mut self, x: f64, y: f64, fill: &str) {
        let (x, y) = (x * UNIT, y * UNIT);
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            self.body,
            r##"<rect x="{x}" y="{y}" width="{UNIT}" height="{UNIT}" fill="{fill}" stroke="#888"/>"##
        );
    }

    /// A thick frame inside the square at `x`, `y`.
    pub fn frame(&mut self, x: f64, y: f64, stroke: &str) {
        let [x, y] = [x, y].map(|at| (at + 0.06) * UNIT);
        let side = 0.88 * UNIT;
        let _ = writeln!(
            self.body,
            r##"<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="none" stroke="{stroke}" stroke-width="4"/>"##
        );
    }

    /// A disc in the middle of the square at `x`, `y`. The unit of `radius` is the side of a square.
    pub fn disc(&mut self, x: f64, y: f64, radius: f64, fill: &str) {
        let (x, y, r) = ((x + 0.5) * UNIT, (y + 0.5) * UNIT, radius * UNIT);
        let _ = writeln!(self.body, r##"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="#fff"/>"##);
    }

    /// A straight line from one point to another.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str) {
        self.width = self.width.max(from.0).max(to.0);
        self.height = self.height.max(from.1).max(to.1);
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(|at| at * UNIT);
        let _ = writeln!(
            self.body,
            r##"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}" stroke-width="2"/>"##
        );
    }

    /// Text centred in the square at `x`, `y`.
    pub fn mark(&mut self, x: f64, y: f64, fill: &str, text: &str) {
        self.text((x + 0.5) * UNIT, (y + 0.64) * UNIT, "middle", 16, fill, text);
    }

    /// A line of text that starts at `x`, with its base line at `y`. The drawing grows if necessary.
    pub fn caption(&mut self, x: f64, y: f64, text: &str) {
        // A letter of this size is about a fifth of a square wide.
        self.width = self.width.max(x + text.chars().count() as f64 / 5.0);
        self.height = self.height.max(y + 0.3);
        self.text(x * UNIT, y * UNIT, "start", 14, "#222", text);
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, size: u32, fill: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.body,
            r##"<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{fill}">{text}</text>"##
        );
    }

    /// The drawing as an SVG file.
    pub fn finish(self) -> String {
        let (w, h) = (self.width * UNIT + 2.0 * MARGIN, self.height * UNIT + 2.0 * MARGIN);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <g transform=\"translate({MARGIN} {MARGIN})\">\n{}</g>\n</svg>\n",
            self.body
        )
    }
}
