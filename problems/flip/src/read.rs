//! Reads boards from text: rows of `b` and `w`, or of digits if there are more than two colours.
//!
//! If the rules name a size, the text is cut into boards of that size, with or without blank lines between them. If
//! they name none, `judge` reads boards of 4×4. Other commands separate boards at blank lines, except that four rows of
//! four squares always form a 4×4 board. So for any other board of width four, the rules must name the size. Rows that
//! consist only of `b` and `w` (*plain* rows) are converted eight or sixteen bytes at a time, directly in the buffer of
//! the source.

use super::{Instance, MAX_SIDE, Rules};
use counterpoint_core::board::{Digits, Size};
use counterpoint_core::errors::RulesError;
use counterpoint_core::input::{InputError, Line, Source, Warnings, binary, quoted};
use counterpoint_core::problem::Scope;

/// The size of the judge's boards.
const JUDGE: Size = Size::new(4, 4);

/// How a text is divided into boards.
#[derive(Clone, Copy)]
enum Cut {
    /// All boards have this size.
    Size(Size),
    /// Four rows of four squares are a board; blank lines separate all other boards.
    Auto,
    /// Blank lines separate the boards.
    Blank,
}

/// Returns a function that reads the next board of a text with each call.
pub fn read<'a>(
    rules: &Rules,
    scope: Scope,
    source: Source<'a>,
    warnings: &'a Warnings,
) -> impl FnMut(&mut Option<Instance>) -> Result<(), InputError> + use<'a> {
    let cut = match (rules.size, scope) {
        (Some(size), _) => Cut::Size(size),
        (None, Scope::Judge) => Cut::Size(JUDGE),
        (None, Scope::Open) => Cut::Auto,
    };
    let mut reader = Reader { source, cut, colours: rules.colours, words: Vec::new() };
    let mut any = false;
    move |slot| {
        // Reuse the memory of the previous board.
        let mut squares = slot.take().map_or_else(Digits::default, |instance: Instance| instance.squares);
        *slot = reader.next_board(&mut squares)?.map(|size| Instance { size, squares });
        if slot.is_none() && !any {
            let rows = if reader.colours == 2 { "'b' and 'w'" } else { "digits" };
            warnings
                .push(reader.source.error_at_end(format!("the input is empty; a board is rows of {rows}")));
        }
        any = true;
        Ok(())
    }
}

/// Reads a text that holds exactly one board: the target that a rule names.
///
/// # Errors
/// Returns a message that starts with file:line:column.
pub fn target(colours: u32, name: &str, text: &str) -> Result<Instance, RulesError> {
    let source = Source::from_text(name, text);
    let mut reader = Reader { source, cut: Cut::Blank, colours, words: Vec::new() };
    let mut squares = Digits::default();
    let size = reader.next_board(&mut squares).map_err(|error| error.to_string())?;
    let size = size.ok_or_else(|| format!("{name}:1:1: the file holds no board; expected one"))?;
    match reader.source.next_nonblank().map_err(|error| error.to_string())? {
        None => Ok(Instance { size, squares }),
        Some(line) => {
            Err(line.error(1, "the file holds more than one board; expected one").to_string().into())
        }
    }
}

struct Reader<'a> {
    source: Source<'a>,
    cut: Cut,
    colours: u32,
    /// The last row that was read, one bit per square.
    words: Vec<u64>,
}

impl Reader<'_> {
    /// Reads the next board into `squares` and returns its size; `None` if the text has no further board.
    fn next_board(&mut self, squares: &mut Digits) -> Result<Option<Size>, InputError> {
        squares.clear();
        let mut size = if let Cut::Size(size) = self.cut { Some(size) } else { None };
        let mut width = size.map(|size| size.width);
        let mut rows = 0;
        while size.is_none_or(|size| rows < size.height) {
            if let (Some(width), 2) = (width, self.colours) {
                rows += self.plain_rows(width as usize, size.map_or(MAX_SIDE, |s| s.height) - rows, squares);
                if size.is_some_and(|size| rows == size.height) {
                    break;
                }
            }
            let Some(line) = self.source.next_line()? else { break };
            // `plain_rows` leaves out a row that the end of the buffer cuts in two; such a row may be plain, too.
            let plain = self.colours == 2 && width == Some(line.bytes.len() as u32) && rows < MAX_SIDE;
            if plain && black(line.bytes, &mut self.words) {
                squares.extend_bits(&self.words, line.bytes.len());
                rows += 1;
                continue;
            }
            match row(&line, width, self.colours, &mut self.words, squares)? {
                Some(_) if rows >= MAX_SIDE => {
                    let message = format!("a board has at most {MAX_SIDE} rows; this row is one too many");
                    return Err(line.error(1, message));
                }
                Some(length) => {
                    rows += 1;
                    width = Some(length);
                    if matches!(self.cut, Cut::Auto) && length == JUDGE.width {
                        size = Some(JUDGE);
                    }
                }
                None if size.is_none() && rows > 0 => break,
                None => {}
            }
        }
        let Some(width) = width.filter(|_| rows > 0) else { return Ok(None) };
        match size {
            Some(size) if rows < size.height => Err(self.ends_early(rows, size.height)),
            _ => Ok(Some(Size::new(width, rows))),
        }
    }

    /// Reads up to `most` plain rows from the bytes that are already in the buffer, and stops before the first row that
    /// is not plain. Returns how many it read.
    fn plain_rows(&mut self, width: usize, most: u32, squares: &mut Digits) -> u32 {
        let ahead = self.source.ahead();
        if width < 8 {
            let taken = narrow_rows(ahead, width, most as usize, squares);
            self.source.skip(taken * (width + 1), taken);
            return taken as u32;
        }
        let mut taken = 0;
        for line in ahead.chunks_exact(width + 1).take(most as usize) {
            if line[width] != b'\n' || !black(&line[..width], &mut self.words) {
                break;
            }
            squares.extend_bits(&self.words, width);
            taken += 1;
        }
        self.source.skip(taken * (width + 1), taken);
        taken as u32
    }

    /// The error for a board that ends after `rows` of its `height` rows.
    fn ends_early(&self, rows: u32, height: u32) -> InputError {
        let mut message = format!("the last board ends after {rows} of its {height} rows");
        if let Cut::Auto = self.cut {
            message += &format!("; for a board 4x{rows} say --rule size=4x{rows}");
        }
        self.source.error_at_end(message)
    }
}

/// Appends the row on a line to `squares` and returns its length; `None` if the line is blank. `width` is the expected
/// length, or `None` if any length is accepted.
fn row(
    line: &Line<'_>,
    width: Option<u32>,
    colours: u32,
    words: &mut Vec<u64>,
    squares: &mut Digits,
) -> Result<Option<u32>, InputError> {
    let mut tokens = line.tokens();
    let Some(token) = tokens.next() else { return Ok(None) };
    let (what, squares_are) = match colours {
        2 => ("'b' and 'w'", "'b' or 'w'".to_owned()),
        _ => ("digits", format!("'0' to '{}'", colours - 1)),
    };
    if let Some(extra) = tokens.next() {
        return Err(extra.error(format!("{extra} follows the row; a row is one word of {what}")));
    }
    let is_square = |b: u8| match colours {
        2 => b == b'b' || b == b'w',
        _ => b.is_ascii_digit() && u32::from(b - b'0') < colours,
    };
    if let Some(at) = token.bytes.iter().position(|&b| !is_square(b)) {
        let message = format!("{} is not a square; use {squares_are}", quoted(token.bytes[at]));
        return Err(token.error_at(at, message));
    }
    let length = token.bytes.len();
    let most = width.unwrap_or(MAX_SIDE) as usize;
    if length > most || width.is_some_and(|w| length < w as usize) {
        let should = if width.is_some() { format!("{most}") } else { format!("at most {most}") };
        let message = format!("the row has {length} squares instead of {should}");
        return Err(token.error_at(length.min(most), message));
    }
    if colours == 2 {
        black(token.bytes, words);
        squares.extend_bits(words, length);
    } else {
        token.bytes.iter().for_each(|b| squares.push(u32::from(b - b'0')));
    }
    Ok(Some(length as u32))
}

/// Reads up to `most` plain rows of fewer than eight squares, so that a row and its LF fit in one word. Stops before
/// the first row that is not plain. Returns the number of rows read.
fn narrow_rows(mut ahead: &[u8], width: usize, most: usize, squares: &mut Digits) -> usize {
    let (mut taken, mut bits, mut filled) = (0, 0, 0);
    while let (Some(&eight), true) = (ahead.first_chunk(), taken < most) {
        // Treat the bytes after the row as white squares.
        let word = u64::from_le_bytes(eight);
        let beyond = u64::MAX << (8 * width);
        let (black, odd) = black_of_eight(word & !beyond | WHITE & beyond);
        if odd != 0 || eight[width] != b'\n' {
            break;
        }
        bits |= black << filled;
        filled += width;
        if filled > 64 - 8 {
            squares.extend_bits(&[bits], filled);
            (bits, filled) = (0, 0);
        }
        taken += 1;
        ahead = &ahead[width + 1..];
    }
    if filled > 0 {
        squares.extend_bits(&[bits], filled);
    }
    taken
}

const WHITE: u64 = u64::from_le_bytes([b'w'; 8]);

/// Converts eight squares: returns one bit per square, set if black, and a number that is not 0 if any byte is neither
/// `b` nor `w`.
///
/// XOR with 'w' leaves 0 for `w` and 0x15 for `b`; a multiplication gathers the lowest bits in one byte (SWAR; L.
/// Lamport, *Multiple Byte Processing with Full-Word Instructions*, 1975).
fn black_of_eight(word: u64) -> (u64, u64) {
    let against = word ^ WHITE;
    let black = against & u64::from_le_bytes([1; 8]);
    (black.wrapping_mul(0x0102_0408_1020_4080) >> 56, against ^ (black * 0x15))
}

/// Writes the black squares of a row to `words`; returns false if a byte is neither `b` nor `w`.
fn black(row: &[u8], words: &mut Vec<u64>) -> bool {
    binary::bits(row, b'w', b'b', words)
}
