//! Writes pictures as SVG. Presentation attributes hold the light colours. Pictures for a repository also have a style
//! sheet that replaces them by dark colours for readers who use a dark theme.

use super::font::FAMILIES;
use super::paint::Paint;
use super::scene::{Anchor, Item, Path, Picture, Step, Text, Trace, Turn, number};
use std::fmt::Write as _;

/// The purpose of an SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// For papers: light, with sizes in points.
    Paper,
    /// For pages of a repository: larger, and follows the reader's theme.
    Repository,
}

/// The factor by which pictures are larger on a screen than on paper, because readers are farther away from a screen:
/// 7 pt become 13 px.
const ON_SCREEN: f64 = 1.4;

/// The picture as an SVG file.
pub(super) fn svg(picture: &Picture, look: Look) -> String {
    let (width, height) = (picture.width, picture.height);
    let (w, h) = match look {
        Look::Paper => (format!("{}pt", number(width)), format!("{}pt", number(height))),
        Look::Repository => (pixels(width * ON_SCREEN), pixels(height * ON_SCREEN)),
    };
    written(picture, look, &w, &h)
}

/// The picture as an SVG file for a repository, but in its size on paper, without the factor for screens.
pub(super) fn small(picture: &Picture) -> String {
    written(picture, Look::Repository, &pixels(picture.width), &pixels(picture.height))
}

fn pixels(points: f64) -> String {
    number((points * 96.0 / 72.0).round())
}

fn written(picture: &Picture, look: Look, w: &str, h: &str) -> String {
    let (width, height) = (picture.width, picture.height);
    let mut out = String::new();
    let view = format!("0 0 {} {}", number(width), number(height));
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="{view}" role="img" font-family="{FAMILIES}">"#
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(&picture.title));
    if !picture.notes.is_empty() {
        let _ = writeln!(out, "<desc>{}</desc>", escaped(&picture.notes.join(" ")));
    }
    if look == Look::Repository {
        out.push_str("<style>@media (prefers-color-scheme: dark){");
        for paint in Paint::themed() {
            let (class, dark) = (paint.class().unwrap_or_default(), paint.dark());
            let _ = write!(out, ".f{class}{{fill:{dark}}}.s{class}{{stroke:{dark}}}");
        }
        out.push_str("}</style>\n");
    }
    for item in &picture.items {
        match item {
            Item::Text(text) => write_text(&mut out, text, look),
            Item::Path(path) => write_path(&mut out, path, look),
        }
    }
    out.push_str("</svg>\n");
    out
}

fn write_text(out: &mut String, text: &Text, look: Look) {
    let (x, y) = (number(text.x), number(text.y));
    let place = match text.turn {
        Turn::Level => format!(r#"x="{x}" y="{y}""#),
        Turn::Up => format!(r#"transform="translate({x} {y}) rotate(-90)""#),
    };
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => r#" text-anchor="middle""#,
        Anchor::End => r#" text-anchor="end""#,
    };
    let paint = painted(look, Some(text.paint), None);
    let (size, text) = (number(text.size), escaped(&text.text));
    let _ = writeln!(out, r#"<text {place}{anchor} font-size="{size}"{paint}>{text}</text>"#);
}

fn write_path(out: &mut String, path: &Path, look: Look) {
    let _ = write!(
        out,
        r#"<path d="{}"{}"#,
        outline(&path.trace),
        painted(look, path.fill, path.stroke.map(|s| s.paint))
    );
    if path.opacity < 1.0 {
        let _ = write!(out, r#" opacity="{}""#, number(path.opacity));
    }
    if let Some(stroke) = path.stroke {
        let _ = write!(out, r#" stroke-width="{}""#, number(stroke.width));
        if !stroke.dash.is_empty() {
            let dash: Vec<String> = stroke.dash.iter().map(|part| number(*part)).collect();
            let _ = write!(out, r#" stroke-dasharray="{}""#, dash.join(" "));
        }
        out.push_str(r#" stroke-linejoin="round""#);
    }
    out.push_str("/>\n");
}

/// The outline in the language of SVG paths.
fn outline(trace: &Trace) -> String {
    let mut out = String::new();
    for step in &trace.0 {
        let _ = match *step {
            Step::Move(x, y) => write!(out, "M{} {}", number(x), number(y)),
            Step::Line(x, y) => write!(out, "L{} {}", number(x), number(y)),
            Step::Close => write!(out, "Z"),
            Step::Circle { centre: (x, y), radius } => {
                let (r, d) = (number(radius), number(2.0 * radius));
                let (left, y) = (number(x - radius), number(y));
                write!(out, "M{left} {y}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z")
            }
        };
    }
    out
}

/// Fill and stroke as attributes, with classes where a style sheet may change them.
fn painted(look: Look, fill: Option<Paint>, stroke: Option<Paint>) -> String {
    let mut out = format!(r#" fill="{}""#, fill.map_or("none".to_owned(), Paint::light));
    if let Some(stroke) = stroke {
        let _ = write!(out, r#" stroke="{}""#, stroke.light());
    }
    if look == Look::Repository {
        let class = |way: char, paint: Option<Paint>| Some(format!("{way}{}", paint?.class()?));
        let classes: Vec<String> = [class('f', fill), class('s', stroke)].into_iter().flatten().collect();
        if !classes.is_empty() {
            let _ = write!(out, r#" class="{}""#, classes.join(" "));
        }
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
