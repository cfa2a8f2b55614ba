//! Writes a picture as a PDF page. Texts remain texts: the file embeds those letters of the font that the picture uses.
//!
//! PDF counts heights from the bottom of the page, but pictures count them from the top. So each position is converted
//! when it is written. A text is a sequence of glyph numbers of the embedded font. The table `ToUnicode` gives the
//! letter of each glyph, so that texts can be searched and copied.

use super::font::{Font, NAME};
use super::scene::{Anchor, Item, Path, Picture, Step, Text, Turn};
use counterpoint_base::sha256::Hash;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::writers::ExtGraphicsState;
use pdf_writer::{Chunk, Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use std::io::Write as _;
use subsetter::GlyphRemapper;

/// The objects of the file.
const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
const FONT: Ref = Ref::new(6);
const CID_FONT: Ref = Ref::new(7);
const DESCRIPTOR: Ref = Ref::new(8);
const FONT_FILE: Ref = Ref::new(9);
const TO_UNICODE: Ref = Ref::new(10);

/// The font's name on the page.
const FONT_NAME: Name<'_> = Name(b"F");

/// The encoding of texts: glyph numbers of the font, two bytes each.
const IDENTITY: SystemInfo<'_> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Sizes in a PDF's description of a font are in thousandths of the letters' size.
const UNITS: f64 = 1000.0;

/// The distance of a Bézier curve's control points that best approximates a quarter of a circle of radius 1.
const HANDLE: f64 = 0.552_284_75;

/// The font cannot be reduced to the letters of a figure.
#[derive(Debug, thiserror::Error)]
#[error("cannot cut the font down to the letters of the figure: {0}")]
pub struct FontError(subsetter::Error);

/// The picture as a PDF file. The same picture always gives the same bytes.
///
/// # Errors
/// If the font cannot be reduced to the letters of the picture.
pub(super) fn pdf(picture: &Picture) -> Result<Vec<u8>, FontError> {
    let letters = Letters { font: Font::get(), glyphs: GlyphRemapper::new(), used: BTreeMap::new() };
    let mut page = Page { height: picture.height, letters, opacities: Vec::new(), content: Content::new() };
    for item in &picture.items {
        match item {
            Item::Text(text) => page.text(text),
            Item::Path(path) => page.path(path),
        }
    }
    let mut file = Pdf::new();
    file.catalog(CATALOG).pages(PAGES);
    file.document_info(INFO).title(TextStr(&picture.title)).producer(TextStr("counterpoint"));
    file.pages(PAGES).kids([PAGE]).count(1);
    let mut written = file.page(PAGE);
    let frame = Rect::new(0.0, 0.0, short(picture.width), short(picture.height));
    written.media_box(frame).parent(PAGES).contents(CONTENT);
    let mut resources = written.resources();
    resources.fonts().pair(FONT_NAME, FONT);
    let mut states = resources.ext_g_states();
    for (i, opacity) in page.opacities.iter().enumerate() {
        let name = state_name(i);
        let mut state: ExtGraphicsState<'_> = states.insert(Name(name.as_bytes())).start();
        state.non_stroking_alpha(*opacity).stroking_alpha(*opacity);
    }
    states.finish();
    resources.finish();
    written.finish();
    stream(&mut file, CONTENT, &page.content.finish());
    page.letters.embed(&mut file)?;
    Ok(file.finish())
}

/// A page that is being written.
struct Page {
    height: f64,
    letters: Letters,
    /// The opacities that occur, except 1. Each is a named graphics state.
    opacities: Vec<f32>,
    content: Content,
}

impl Page {
    fn at(&self, (x, y): (f64, f64)) -> (f32, f32) {
        (short(x), short(self.height - y))
    }

    fn text(&mut self, text: &Text) {
        let width = self.letters.font.width(&text.text, text.size);
        let back = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (cos, sin, place) = match text.turn {
            Turn::Level => (1.0, 0.0, (text.x - back, text.y)),
            Turn::Up => (0.0, 1.0, (text.x, text.y + back)),
        };
        let (x, y) = self.at(place);
        let glyphs: Vec<u8> =
            text.text.chars().flat_map(|letter| self.letters.glyph(letter).to_be_bytes()).collect();
        let [r, g, b] = text.paint.light_rgb();
        self.content.set_fill_rgb(r, g, b).begin_text().set_font(FONT_NAME, short(text.size));
        self.content.set_text_matrix([cos, sin, -sin, cos, x, y]).show(Str(&glyphs)).end_text();
    }

    fn path(&mut self, path: &Path) {
        self.content.save_state();
        if path.opacity < 1.0 {
            let opacity = path.opacity as f32;
            let known = self.opacities.iter().position(|other| *other == opacity);
            let state = known.unwrap_or(self.opacities.len());
            if known.is_none() {
                self.opacities.push(opacity);
            }
            self.content.set_parameters(Name(state_name(state).as_bytes()));
        }
        if let Some(paint) = path.fill {
            let [r, g, b] = paint.light_rgb();
            self.content.set_fill_rgb(r, g, b);
        }
        if let Some(stroke) = path.stroke {
            let [r, g, b] = stroke.paint.light_rgb();
            self.content.set_stroke_rgb(r, g, b).set_line_width(short(stroke.width));
            self.content.set_line_join(LineJoinStyle::RoundJoin);
            if !stroke.dash.is_empty() {
                self.content.set_dash_pattern(stroke.dash.iter().map(|part| short(*part)), 0.0);
            }
        }
        for step in &path.trace.0 {
            self.step(*step);
        }
        match (path.fill, path.stroke) {
            (Some(_), Some(_)) => self.content.fill_nonzero_and_stroke(),
            (Some(_), None) => self.content.fill_nonzero(),
            (None, Some(_)) => self.content.stroke(),
            (None, None) => self.content.end_path(),
        };
        self.content.restore_state();
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Move(x, y) => {
                let (x, y) = self.at((x, y));
                self.content.move_to(x, y);
            }
            Step::Line(x, y) => {
                let (x, y) = self.at((x, y));
                self.content.line_to(x, y);
            }
            Step::Close => {
                self.content.close_path();
            }
            Step::Circle { centre: (x, y), radius } => {
                let place = |(right, down): (f64, f64)| self.at((x + right * radius, y + down * radius));
                // Four quarters, starting at the left.
                let corners = [(-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)];
                let quarters = (0..4).map(|i| {
                    let (from, to) = (corners[i], corners[(i + 1) % 4]);
                    // Each control point lies in the direction of a corner of the square around the circle.
                    let handle =
                        |(x, y): (f64, f64), (u, v): (f64, f64)| place((x + HANDLE * u, y + HANDLE * v));
                    [handle(from, to), handle(to, from), place(to)]
                });
                let (start, quarters) = (place(corners[0]), quarters.collect::<Vec<_>>());
                self.content.move_to(start.0, start.1);
                for [first, second, to] in quarters {
                    self.content.cubic_to(first.0, first.1, second.0, second.1, to.0, to.1);
                }
                self.content.close_path();
            }
        }
    }
}

/// The glyphs of a page.
struct Letters {
    font: &'static Font,
    /// The numbers of glyphs in the embedded font, by their numbers in the full font.
    glyphs: GlyphRemapper,
    /// The letter and the width of each embedded glyph, by its number in the embedded font.
    used: BTreeMap<u16, (char, f64)>,
}

impl Letters {
    /// The number of a letter's glyph in the embedded font.
    fn glyph(&mut self, letter: char) -> u16 {
        let whole = self.font.glyph(letter);
        let glyph = self.glyphs.remap(whole);
        self.used.entry(glyph).or_insert((letter, self.font.advance(whole, UNITS)));
        glyph
    }

    /// Writes the font with the glyphs that the page uses.
    fn embed(&self, file: &mut Pdf) -> Result<(), FontError> {
        let subset = subsetter::subset(Font::bytes(), 0, &self.glyphs).map_err(FontError)?;
        stream(file, FONT_FILE, &subset);
        let name = format!("{}+{NAME}", tag(&subset));
        let name = Name(name.as_bytes());
        let mut font = file.type0_font(FONT);
        font.base_font(name).encoding_predefined(Name(b"Identity-H"));
        font.descendant_font(CID_FONT).to_unicode(TO_UNICODE);
        font.finish();
        let mut font = file.cid_font(CID_FONT);
        font.subtype(CidFontType::Type2).base_font(name).system_info(IDENTITY);
        font.font_descriptor(DESCRIPTOR).default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = font.widths();
        for (glyph, (_, width)) in &self.used {
            widths.consecutive(*glyph, [short(*width)]);
        }
        widths.finish();
        font.finish();
        let [left, bottom, right, top] = self.font.bounds(UNITS).map(short);
        let [ascent, descent] = self.font.reach(UNITS).map(short);
        let mut descriptor = file.font_descriptor(DESCRIPTOR);
        descriptor.name(name).flags(FontFlags::NON_SYMBOLIC).bbox(Rect::new(left, bottom, right, top));
        descriptor.italic_angle(0.0).ascent(ascent).descent(descent).cap_height(ascent);
        // Viewers use this only to imitate a missing font.
        descriptor.stem_v(80.0).font_file2(FONT_FILE);
        descriptor.finish();
        let mut letters = UnicodeCmap::new(Name(b"Letters"), IDENTITY);
        for (glyph, (letter, _)) in &self.used {
            letters.pair(*glyph, *letter);
        }
        stream(file, TO_UNICODE, &letters.finish());
        Ok(())
    }
}

/// A number as PDF writes it, rounded to a hundredth as in SVG.
fn short(value: f64) -> f32 {
    ((value * 100.0).round() / 100.0) as f32
}

fn state_name(i: usize) -> String {
    format!("O{i}")
}

/// Six letters that distinguish this subset of the font from others, because a document may contain several figures.
fn tag(subset: &[u8]) -> String {
    let hash = Hash::hash(subset);
    hash.iter().take(6).map(|byte| char::from(b'A' + byte % 26)).collect()
}

/// Writes bytes, deflated.
fn stream(file: &mut Chunk, id: Ref, bytes: &[u8]) {
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = deflated.write_all(bytes);
    let deflated = deflated.finish().unwrap_or_default();
    file.stream(id, &deflated).filter(Filter::FlateDecode);
}
