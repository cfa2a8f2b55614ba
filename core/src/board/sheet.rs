//! Boards side by side with captions, as SVG or as text for a terminal.

use super::{Drawing, Size};
use std::fmt::Write;

/// Maximum width of a row of boards in SVG, in squares.
const MAX_ACROSS: f64 = 30.0;
/// Maximum length of a line in a terminal, in letters.
const MAX_LETTERS: usize = 100;
/// Maximum number of rows of a board in a terminal.
const MAX_ROWS: u32 = 60;
/// The minimum number of lines of text in the first column before a second column begins.
const MIN_LINES: usize = 12;

/// The colour of a frame.
const FRAME: &str = "#d55e00";

/// One square of a board. Colours are `#rrggbb` or `#rgb`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The colour of the square.
    pub fill: &'static str,
    /// The colour of the disc on it, if it has one.
    pub disc: Option<&'static str>,
    /// The text on it in a drawing; may be empty.
    pub text: String,
    /// The text in a terminal, without spaces and never empty.
    pub letters: String,
    /// The colour of the text.
    pub ink: &'static str,
    /// How the square is highlighted.
    pub mark: Mark,
}

/// How a square is highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Not at all.
    None,
    /// By brackets in a terminal. In a drawing, the square's colour or disc suffices.
    Brackets,
    /// By brackets in a terminal, and by a frame in a drawing.
    Frame,
}

impl Tile {
    /// A square with the same text in a drawing and in a terminal.
    pub fn new(fill: &'static str, ink: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Tile { fill, disc: None, letters: text.clone(), text, ink, mark: Mark::None }
    }
}

/// A board with a caption below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The caption, one line.
    pub caption: String,
    /// The size of the part that is drawn.
    pub size: Size,
    /// The squares of that part, row by row.
    pub tiles: Vec<Tile>,
}

/// Boards with text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Lines to the left of the boards, in drawings only.
    pub lines: Vec<String>,
    /// The boards, from left to right, in as many rows as necessary.
    pub panels: Vec<Panel>,
    /// Lines below the boards.
    pub notes: Vec<String>,
}

impl Sheet {
    /// The sheet as an SVG file.
    pub fn svg(&self) -> String {
        // A square is wide enough for five letters of a caption, and high enough for two lines.
        let wide = |text: &String| text.chars().count() as f64 / 5.0;
        let widest = |texts: &[String]| texts.iter().map(wide).fold(0.0, f64::max);
        let width = |panel: &Panel| f64::from(panel.size.width).max(wide(&panel.caption));
        let column = widest(&self.lines) + 1.0;
        let highest = self.panels.iter().map(|panel| panel.size.height as usize).max().unwrap_or(0);
        let lines = MIN_LINES.max(2 * highest);
        let start = column * self.lines.len().div_ceil(lines) as f64;
        let step = self.panels.iter().map(width).fold(0.0, f64::max) + 1.0;
        let across = ((MAX_ACROSS / step) as usize).max(1);
        let mut right = start;
        for row in self.panels.chunks(across) {
            let last = row.last().map_or(0.0, width);
            right = right.max(start + step * (row.len() - 1) as f64 + last);
        }
        let mut drawing = Drawing::new(right, 0.5 * self.lines.len().min(lines) as f64);
        for (i, line) in self.lines.iter().enumerate() {
            drawing.caption(column * (i / lines) as f64, 0.5 * (i % lines + 1) as f64, line);
        }
        let mut top = 0.0;
        for row in self.panels.chunks(across) {
            let height = row.iter().map(|panel| f64::from(panel.size.height)).fold(0.0, f64::max);
            for (i, panel) in row.iter().enumerate() {
                let left = start + step * i as f64;
                for (cell, tile) in panel.size.iter().zip(&panel.tiles) {
                    tile.draw(left + f64::from(cell.col), top + f64::from(cell.row), &mut drawing);
                }
                drawing.caption(left, top + height + 0.7, &panel.caption);
            }
            top += height + 1.5;
        }
        for (note, i) in self.notes.iter().zip(0u32..) {
            drawing.caption(start, top + 0.2 + 0.5 * f64::from(i), note);
        }
        drawing.finish()
    }

    /// The boards as text with ANSI colours. The text is complete without its colours: highlighted squares are in
    /// brackets. Boards that are too large for a screen are replaced by a note.
    pub fn terminal(&self) -> String {
        self.terminal_in(usize::MAX)
    }

    /// Like [`Sheet::terminal`], for a terminal of `width` columns.
    pub fn terminal_in(&self, width: usize) -> String {
        let max_letters = MAX_LETTERS.min(width);
        let letters = |panel: &Panel| panel.tiles.iter().map(|tile| tile.letters.chars().count()).max();
        let cell = self.panels.iter().filter_map(letters).max().unwrap_or(1) + 2;
        let (fits, large): (Vec<&Panel>, Vec<&Panel>) = self.panels.iter().partition(|panel| {
            panel.size.height <= MAX_ROWS && panel.size.width as usize * cell <= max_letters
        });
        let across_of = |panel: &Panel| (panel.size.width as usize * cell).max(panel.caption.chars().count());
        let mut text = String::new();
        let mut rest = &fits[..];
        while let Some(first) = rest.first() {
            let mut across = across_of(first);
            let more = rest[1..].iter().take_while(|panel| {
                across += 3 + across_of(panel);
                across <= max_letters
            });
            let (row, later) = rest.split_at(1 + more.count());
            // On a narrow terminal, a blank line separates the rows of boards.
            if width < MAX_LETTERS && !text.is_empty() {
                text.push('\n');
            }
            let rows = row.iter().map(|panel| panel.size.height).max().unwrap_or(0);
            for y in 0..rows {
                let line = |panel: &&&Panel| panel.line(y, cell, across_of(panel));
                let lines: Vec<String> = row.iter().map(|panel| line(&panel)).collect();
                text.push_str(lines.join("   ").trim_end_matches(' '));
                text.push('\n');
            }
            let caption = |panel: &&Panel| format!("{:<1$}", panel.caption, across_of(panel));
            text.push_str(row.iter().map(caption).collect::<Vec<_>>().join("   ").trim_end());
            text.push('\n');
            rest = later;
        }
        // Writing to a String cannot fail, here and below.
        for panel in large {
            let _ =
                writeln!(text, "{} ({}: too large for a screen; --save draws it)", panel.caption, panel.size);
        }
        for note in &self.notes {
            if note.chars().count() <= width {
                text.push_str(&format!("{note}\n"));
                continue;
            }
            let options = textwrap::Options::new(width).subsequent_indent("  ").break_words(false);
            let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
            textwrap::wrap(note, options).iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
        text
    }
}

impl Tile {
    fn draw(&self, x: f64, y: f64, drawing: &mut Drawing) {
        drawing.square(x, y, self.fill);
        let radius = match self.text.chars().count() {
            0 => 0.28,
            1 | 2 => 0.36,
            _ => 0.48,
        };
        self.disc.iter().for_each(|colour| drawing.disc(x, y, radius, colour));
        if !self.text.is_empty() {
            drawing.mark(x, y, self.ink, &self.text);
        }
        if self.mark == Mark::Frame {
            drawing.frame(x, y, FRAME);
        }
    }
}

impl Panel {
    /// Row `y`, counted from 0, as text. Each square takes `cell` letters; the row is padded to `width` letters.
    fn line(&self, y: u32, cell: usize, width: usize) -> String {
        let across = self.size.width as usize;
        let row =
            self.tiles.iter().skip(y as usize * across).take(if y < self.size.height { across } else { 0 });
        let (mut line, mut used) = (String::new(), 0);
        for tile in row {
            let back = code(tile.disc.unwrap_or(tile.fill));
            let (left, right) = if tile.mark == Mark::None { (' ', ' ') } else { ('[', ']') };
            let bold = if tile.mark == Mark::None { "" } else { "1;" };
            let ink = code(tile.ink);
            let inside = cell - 2;
            let _ = write!(
                line,
                "\x1b[{bold}38;5;{ink};48;5;{back}m{left}{:^inside$}{right}\x1b[0m",
                tile.letters
            );
            used += cell;
        }
        line.push_str(&" ".repeat(width.saturating_sub(used)));
        line
    }
}

/// The nearest of the terminal colours 16 to 255, which are a cube of 6×6×6 colours and 24 greys.
fn code(colour: &str) -> u32 {
    let channel = |i: usize| {
        let digits = match colour.len() {
            4 => colour.get(i + 1..i + 2).map(|digit| digit.repeat(2)),
            _ => colour.get(2 * i + 1..2 * i + 3).map(str::to_owned),
        };
        digits.and_then(|digits| u32::from_str_radix(&digits, 16).ok()).unwrap_or(0)
    };
    let [r, g, b] = [channel(0), channel(1), channel(2)];
    // Greys are 8, 18, ... 238.
    if r == g && g == b && (4..=246).contains(&r) {
        return 232 + (r.saturating_sub(3) / 10).min(23);
    }
    // Steps of the cube are 0, 95, 135, 175, 215, 255.
    let step = |c: u32| if c < 48 { 0 } else { (c.max(75) - 35) / 40 };
    16 + 36 * step(r) + 6 * step(g) + step(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let mut rest = text.split('\x1b');
        let first = rest.next().unwrap_or("").to_owned();
        rest.fold(first, |all, part| all + part.split_once('m').map_or("", |(_, text)| text))
    }

    fn panel(caption: &str, width: u32, letters: &[&str]) -> Panel {
        let size = Size::new(width, letters.len() as u32 / width);
        let tiles = letters.iter().map(|text| Tile::new("#fafafa", "#333", *text)).collect();
        Panel { caption: caption.to_owned(), size, tiles }
    }

    #[test]
    fn boards_stand_side_by_side() {
        let mut sheet = Sheet { panels: vec![panel("one", 2, &["a", "b", "c", "10"])], ..Sheet::default() };
        sheet.panels[0].tiles[3].mark = Mark::Frame;
        sheet.panels.push(panel("the second", 1, &["x"]));
        let expected = " a   b      x        \n c  [10]              \none        the second\n";
        let lines = |text: &str| text.lines().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&plain(&sheet.terminal())), lines(expected));
        assert_eq!(sheet.svg().matches("<rect").count(), 1 + 5 + 1);
        assert_eq!(sheet.svg().matches("<text").count(), 5 + 2);
    }

    #[test]
    fn a_board_wider_than_a_screen_is_replaced_by_a_note() {
        let sheet = Sheet { panels: vec![panel("wide", 40, &["x"; 40])], ..Sheet::default() };
        let narrow = Sheet { notes: vec!["a note of several words".to_owned()], ..Sheet::default() };
        assert_eq!(narrow.terminal_in(12), "a note of\n  several\n  words\n");
        assert_eq!(sheet.terminal(), "wide (40x1: too large for a screen; --save draws it)\n");
    }

    #[test]
    fn colours_become_the_nearest_terminal_colour() {
        assert_eq!([code("#000000"), code("#ffffff"), code("#fff"), code("#d55e00")], [16, 231, 231, 166]);
        assert_eq!(code("#808080"), 244);
    }
}
