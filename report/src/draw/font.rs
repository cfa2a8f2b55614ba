//! The font of all figures. Texts are measured with the font that the PDF embeds.

use std::collections::HashMap;
use std::io::{Cursor, ErrorKind, Seek as _, SeekFrom};
use std::sync::LazyLock;
use truetype::tables::character_mapping::{CharacterMapping, Encoding};
use truetype::tables::{FontHeader, HorizontalHeader, HorizontalMetrics, MaximumProfile, Offsets};
use truetype::tape::Read as _;

/// The font's name in a PDF.
pub(super) const NAME: &str = "DejaVuSansCondensed";

/// Font families for programs that draw the SVG. The later ones are about as wide as the first.
pub(super) const FAMILIES: &str = "DejaVu Sans Condensed, Helvetica, Arial, sans-serif";

/// How far letters reach above and below the baseline, as a fraction of their size.
pub(super) const ASCENT: f64 = 0.76;
pub(super) const DESCENT: f64 = 0.22;

/// Replaces the end of a text that is cut off.
const ELLIPSIS: char = '…';

/// DejaVu Sans Condensed.
pub(super) struct Font {
    glyphs: HashMap<u32, u16>,
    metrics: HorizontalMetrics,
    header: FontHeader,
    lines: HorizontalHeader,
}

impl Font {
    /// The font's file.
    pub(super) fn bytes() -> &'static [u8] {
        dejavu::sans_condensed::regular()
    }

    /// The font, which is parsed once.
    pub(super) fn get() -> &'static Self {
        // The font is compiled in, and every test of this module needs it.
        static FONT: LazyLock<Font> = LazyLock::new(|| Font::read().expect("the font is whole"));
        &FONT
    }

    fn read() -> truetype::Result<Self> {
        let mut file = Cursor::new(Self::bytes());
        let tables: Offsets = file.take()?;
        let at = |file: &mut Cursor<_>, tag: &[u8; 4]| {
            let table = tables.iter().find(|table| &table.tag.0 == tag);
            let start = table.map(|table| u64::from(table.offset)).ok_or(ErrorKind::NotFound)?;
            file.seek(SeekFrom::Start(start))
        };
        at(&mut file, b"head")?;
        let header = file.take()?;
        at(&mut file, b"hhea")?;
        let lines = file.take()?;
        at(&mut file, b"maxp")?;
        let profile: MaximumProfile = file.take()?;
        at(&mut file, b"hmtx")?;
        let metrics = file.take_given((&lines, &profile))?;
        at(&mut file, b"cmap")?;
        let mapping: CharacterMapping = file.take()?;
        // Format 12 covers all of Unicode, format 4 the first 65,536 characters.
        let glyphs = mapping.encodings.iter().find_map(|encoding| match encoding {
            Encoding::Format12(encoding) => Some(encoding.mapping()),
            _ => None,
        });
        Ok(Font { glyphs: glyphs.ok_or(ErrorKind::NotFound)?, metrics, header, lines })
    }

    /// The glyph of a letter; 0, which is drawn as a box, if the font has none.
    pub(super) fn glyph(&self, letter: char) -> u16 {
        self.glyphs.get(&letter.into()).copied().unwrap_or_default()
    }

    /// The width of a glyph at a size.
    pub(super) fn advance(&self, glyph: u16, size: f64) -> f64 {
        f64::from(self.metrics.get(glyph).0) * size / self.units()
    }

    /// The bounding box of all glyphs at a size: left, bottom, right and top.
    pub(super) fn bounds(&self, size: f64) -> [f64; 4] {
        let header = &self.header;
        [header.min_x, header.min_y, header.max_x, header.max_y].map(|at| f64::from(at) * size / self.units())
    }

    /// The ascender and the descender of the font at a size. The descender is negative.
    pub(super) fn reach(&self, size: f64) -> [f64; 2] {
        [self.lines.ascender, self.lines.descender].map(|at| f64::from(at) * size / self.units())
    }

    fn units(&self) -> f64 {
        f64::from(self.header.units_per_em)
    }

    /// The width of a text without kerning, which would only make it narrower.
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        let advance = |letter| f64::from(self.metrics.get(self.glyph(letter)).0);
        text.chars().map(advance).sum::<f64>() * size / self.units()
    }

    /// The width of the widest of some texts.
    pub(super) fn widest<'t>(&self, texts: impl IntoIterator<Item = &'t str>, size: f64) -> f64 {
        texts.into_iter().map(|text| self.width(text, size)).fold(0.0, f64::max)
    }

    /// The text, cut off if it is wider than `most`.
    pub(super) fn cut(&self, text: &str, size: f64, most: f64) -> String {
        if self.width(text, size) <= most {
            return text.to_owned();
        }
        let mut kept: String = text.to_owned();
        while !kept.is_empty() && self.width(&kept, size) + self.width("…", size) > most {
            kept.pop();
        }
        kept.push(ELLIPSIS);
        kept
    }

    /// The text in lines of at most this width, broken after spaces and slashes. A part that is too wide is cut off.
    pub(super) fn wrap(&self, text: &str, size: f64, most: f64) -> Vec<String> {
        let mut lines = vec![String::new()];
        for piece in text.split_inclusive([' ', '/']) {
            let line = lines.last().map_or(0.0, |line| self.width(line, size));
            if line > 0.0 && line + self.width(piece.trim_end(), size) > most {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(piece);
            }
        }
        lines.iter().map(|line| self.cut(line.trim_end(), size, most)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Font;

    #[test]
    fn texts_are_measured_cut_and_broken() {
        let font = Font::get();
        assert!((font.width("10 µs", 20.0) - 2.0 * font.width("10 µs", 10.0)).abs() < 1e-9);
        assert!(font.width("△ × … µ", 10.0) > 30.0);
        assert_eq!(font.cut("short", 7.0, 100.0), "short");
        let cut = font.cut("sat:owner/amo=sequential", 7.0, 50.0);
        assert!(cut.ends_with('…') && font.width(&cut, 7.0) <= 50.0, "{cut}");
        assert_eq!(font.wrap("CPU time of a/b", 7.0, 35.0), ["CPU time", "of a/b"]);
    }
}
