//! The font of all figures: what is measured is what the PDF embeds.

use ttf_parser::Face;

/// Families for programs that draw the SVG themselves; those behind the first are about as wide.
pub(super) const FAMILIES: &str = "DejaVu Sans Condensed, Helvetica, Arial, sans-serif";

/// How far letters reach above and below the line they stand on, in parts of their size.
pub(super) const ASCENT: f64 = 0.76;
pub(super) const DESCENT: f64 = 0.22;

/// What is cut off of a text.
const ELLIPSIS: char = '…';

/// DejaVu Sans Condensed.
pub(super) struct Font {
    face: Face<'static>,
}

impl Font {
    /// The font's file.
    pub(super) fn bytes() -> &'static [u8] {
        dejavu::sans_condensed::regular()
    }

    pub(super) fn new() -> Self {
        // Compiled in; every test of this module parses it.
        let face = Face::parse(Self::bytes(), 0).expect("the font is whole");
        Font { face }
    }

    /// The width of a text without kerning, which would only make it narrower.
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        let advance = |letter| {
            let glyph = self.face.glyph_index(letter).unwrap_or_default();
            f64::from(self.face.glyph_hor_advance(glyph).unwrap_or(0))
        };
        text.chars().map(advance).sum::<f64>() * size / f64::from(self.face.units_per_em())
    }

    /// The widest of some texts.
    pub(super) fn widest<'t>(&self, texts: impl IntoIterator<Item = &'t str>, size: f64) -> f64 {
        texts.into_iter().map(|text| self.width(text, size)).fold(0.0, f64::max)
    }

    /// The text, cut off where it is wider than `most`.
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

    /// The text in lines no wider than `most`, broken behind spaces and slashes; a piece that is too wide is cut off.
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
        let font = Font::new();
        assert!((font.width("10 µs", 20.0) - 2.0 * font.width("10 µs", 10.0)).abs() < 1e-9);
        assert!(font.width("△ × … µ", 10.0) > 30.0);
        assert_eq!(font.cut("short", 7.0, 100.0), "short");
        let cut = font.cut("sat:owner/amo=sequential", 7.0, 50.0);
        assert!(cut.ends_with('…') && font.width(&cut, 7.0) <= 50.0, "{cut}");
        assert_eq!(font.wrap("CPU time of a/b", 7.0, 35.0), ["CPU time", "of a/b"]);
    }
}
