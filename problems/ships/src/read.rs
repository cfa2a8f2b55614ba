//! Reads games and fleets from text.
//!
//! UVa's header is `w h`, POJ's is `h w`, and files of both kinds circulate under both problem numbers. Only the rows
//! show which order a file uses, so the whole text is read before the first game is returned. A game is a header and
//! the rows up to the next line that begins with a digit. A surplus row is an error, which is reported after its game
//! has been returned.

use super::{Dialect, Fleet, Instance, MIN_SIDE, Poses, Ship, Square};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::errors::RulesError;
use counterpoint_core::input::{InputError, Line, Source, Token, Warnings, quoted};
use std::iter;

/// Reads the games of a text, on boards of at most `max_side` squares a side. Each call of the returned function sets
/// its argument to the next game, or to `None` after the last one.
pub fn read<'a>(
    dialect: Dialect,
    max_side: u32,
    mut source: Source<'a>,
    warnings: &'a Warnings,
) -> impl FnMut(&mut Option<Instance>) -> Result<(), InputError> + use<'a> {
    let (games, end) = scan(max_side, &mut source);
    let shown = games.iter().find_map(|game| Some((game.dialect_of_rows()?, game.header.line)));
    let mut games = games.into_iter();
    let mut end = Some(end);
    let mut any_game = false;
    // The error at the first surplus row of the game that was just returned; the next call reports it.
    let mut pending: Option<InputError> = None;
    move |slot| {
        *slot = None;
        if let Some(error) = pending.take() {
            return Err(error);
        }
        if let Some(game) = games.next() {
            let instance = game.instance(dialect, shown, &source)?;
            pending = game.surplus(instance.size, &source);
            *slot = Some(instance);
        } else {
            let warn = |message| warnings.push(source.error_at_end(message));
            match end.take() {
                Some(End::Error(error)) => return Err(error),
                Some(End::Missing) if any_game => warn("`0 0` is missing at the end"),
                Some(End::Missing) => warn("the input is empty; a game is `w h` and h rows"),
                Some(End::Mark) | None => {}
            }
        }
        any_game = true;
        Ok(())
    }
}

/// How a text ends.
enum End {
    /// With `0 0`.
    Mark,
    /// Without `0 0`.
    Missing,
    /// With a line that is not a valid header.
    Error(InputError),
}

/// A place in the text.
#[derive(Clone, Copy)]
struct Place {
    /// From 1.
    line: usize,
    /// From 1.
    column: usize,
}

impl Place {
    /// An error at this place.
    fn error(self, source: &Source<'_>, message: String) -> InputError {
        source.error(self.line, self.column, message)
    }
}

/// The first word of a line below a header.
struct Row {
    place: Place,
    bytes: Vec<u8>,
}

/// A header with the first word of each line below it.
struct Game {
    header: Place,
    sides: [u32; 2],
    rows: Vec<Row>,
    /// An error if the line of the last row has a second word, otherwise `None`. No row is read after such a line.
    extra: Option<InputError>,
    /// The place at which a further row would be expected.
    end: Place,
}

/// Splits a text into games without parsing their rows.
fn scan(max_side: u32, source: &mut Source<'_>) -> (Vec<Game>, End) {
    let mut games: Vec<Game> = Vec::new();
    let end = loop {
        let line = match source.next_nonblank() {
            Err(error) => break End::Error(error),
            Ok(None) => break End::Missing,
            Ok(Some(line)) => line,
        };
        let mut tokens = line.tokens();
        let Some(first) = tokens.next() else { continue };
        let place = Place { line: first.line, column: first.column };
        if first.bytes[0].is_ascii_digit() {
            if let Some(game) = games.last_mut() {
                game.end = place;
            }
            match header(max_side, &line) {
                Ok(Some(sides)) => {
                    let end = Place { line: place.line + 1, column: 1 };
                    games.push(Game { header: place, sides, rows: Vec::new(), extra: None, end });
                }
                Ok(None) => break End::Mark,
                Err(error) => break End::Error(error),
            }
        } else if let Some(game) = games.last_mut() {
            if game.rows.len() > max_side as usize {
                // No board has this many rows, so this game ends in an error, and nothing is read after an error.
                break End::Missing;
            }
            if game.extra.is_none() {
                game.rows.push(Row { place, bytes: first.bytes.to_vec() });
                game.extra = tokens.next().map(|extra| {
                    extra.error(format!("{extra} follows the row; a row is one word of 'x', 'o' and '.'"))
                });
            }
            game.end = Place { line: place.line + 1, column: 1 };
        } else {
            let message = format!("{first} is not a header; a game begins with `w h`");
            break End::Error(first.error(message));
        }
    };
    (games, end)
}

/// The two sides of a header, or `None` for the end mark.
fn header(max_side: u32, line: &Line<'_>) -> Result<Option<[u32; 2]>, InputError> {
    let mut tokens = line.tokens();
    let (first, second) = match (tokens.next(), tokens.next()) {
        (Some(first), Some(second)) => (first, second),
        (Some(first), None) => {
            let message = "a header has two numbers, width and height; the second is missing";
            return Err(first.error_at(first.bytes.len(), message));
        }
        (None, _) => return Err(line.error(1, "a header is missing")),
    };
    if let Some(extra) = tokens.next() {
        return Err(extra.error(format!("{extra} follows the header; a header has two numbers")));
    }
    let number = |token: &Token<'_>| {
        let message =
            format!("{token} is not a valid side; a header is two numbers from {MIN_SIDE} to {max_side}");
        token.number().ok_or_else(|| token.error(message))
    };
    let sides = [number(&first)?, number(&second)?];
    if sides == [0, 0] {
        return Ok(None);
    }
    for (side, token) in sides.iter().zip([first, second]) {
        if !(MIN_SIDE..=max_side).contains(side) {
            let message = format!("a board has sides from {MIN_SIDE} to {max_side}, not {side}");
            return Err(token.error(message));
        }
    }
    Ok(Some(sides))
}

impl Game {
    /// The dialect in which the header agrees with the length and the number of the rows; surplus rows do not matter.
    /// `None` if there is no such dialect, or if the two numbers of the header are equal.
    fn dialect_of_rows(&self) -> Option<Dialect> {
        let [a, b] = self.sides.map(|side| side as usize);
        let has_rows = |width, height| {
            self.rows.get(..height).is_some_and(|rows| rows.iter().all(|row| row.bytes.len() == width))
        };
        match (a == b, has_rows(a, b), has_rows(b, a)) {
            (false, true, _) => Some(Dialect::Uva),
            (false, _, true) => Some(Dialect::Poj),
            _ => None,
        }
    }

    /// The game, if its rows match its header. `named` is the dialect that the rules set. `shown` is the first dialect
    /// that the rows of any game reveal, with the line of that game's header.
    fn instance(
        &self,
        named: Dialect,
        shown: Option<(Dialect, usize)>,
        source: &Source<'_>,
    ) -> Result<Instance, InputError> {
        let dialect = match (named, shown) {
            (Dialect::Auto, Some((shown, _))) => shown,
            (Dialect::Auto, None) => Dialect::Uva,
            _ => named,
        };
        if let Some(other) = self.dialect_of_rows().filter(|&other| other != dialect) {
            let (order, name) = if other == Dialect::Poj { ("h w", "poj") } else { ("w h", "uva") };
            let width = self.rows[0].bytes.len();
            let height = self.sides.into_iter().map(|side| side as usize).find(|&side| side != width);
            let height = height.unwrap_or(width);
            let remedy = match (named, shown) {
                (Dialect::Auto, Some((_, line))) => {
                    format!("line {line} has the other order; a file must keep to one order, see --dialect")
                }
                _ => format!("use --dialect {name}"),
            };
            let message =
                format!("the rows are {width} wide and {height} high, so the header is `{order}`; {remedy}");
            return Err(self.header.error(source, message));
        }
        let [a, b] = self.sides;
        let size = if dialect == Dialect::Poj { Size::new(b, a) } else { Size::new(a, b) };
        self.squares(size, source).map(|squares| Instance { size, squares })
    }

    /// The error at the first surplus row, if there is one.
    fn surplus(&self, size: Size, source: &Source<'_>) -> Option<InputError> {
        let height = size.height as usize;
        let place = self.rows.get(height)?.place;
        let message = format!("the game already has its {height} rows; expected a header `w h` or `0 0`");
        Some(place.error(source, message))
    }

    fn squares(&self, size: Size, source: &Source<'_>) -> Result<Vec<Square>, InputError> {
        let (width, height) = (size.width as usize, size.height as usize);
        let mut squares = Vec::with_capacity(size.cells());
        for (i, row) in self.rows.iter().take(height).enumerate() {
            let Place { line, column } = row.place;
            for (at, &byte) in row.bytes.iter().enumerate() {
                if at == width {
                    break;
                }
                let message = || format!("{} is not a square; use 'x', 'o' or '.'", quoted(byte));
                let square = square(byte).ok_or_else(|| source.error(line, column + at, message()))?;
                squares.push(square);
            }
            let length = row.bytes.len();
            if length != width {
                let message = format!("the row has {length} squares instead of {width}");
                return Err(source.error(line, column + length.min(width), message));
            }
            if let Some(extra) = self.extra.as_ref().filter(|_| i + 1 == self.rows.len()) {
                return Err(extra.clone());
            }
        }
        if self.rows.len() < height {
            let message = format!("the game has {} of its {height} rows", self.rows.len());
            return Err(self.end.error(source, message));
        }
        Ok(squares)
    }
}

fn square(byte: u8) -> Option<Square> {
    match byte {
        b'x' => Some(Square::Hit),
        b'o' => Some(Square::Miss),
        b'.' => Some(Square::Unknown),
        _ => None,
    }
}

/// Maximum number of ships in a fleet.
const MAX_SHIPS: usize = 32;
/// Maximum number of cells of a ship.
const MAX_CELLS: usize = 16;

/// Reads a fleet from pictures: rows of `x`, with `.` or spaces for gaps, and a blank line after each ship. The name of
/// a ship is its number, from 1.
///
/// # Errors
/// Returns a message that says what is wrong, with the place in the file `name`.
pub fn fleet(name: &str, text: &str) -> Result<Fleet, RulesError> {
    let at = |line: u32, column: u32, what: &str| format!("{name}:{line}:{column}: {what}");
    let mut ships = Vec::new();
    // The cells of the current ship, and the number of its first line.
    let mut cells: Vec<Cell> = Vec::new();
    let mut first = 0;
    for (number, line) in (1..).zip(text.lines().chain(iter::once(""))) {
        let line = line.trim_end();
        if line.is_empty() {
            if !cells.is_empty() {
                if ships.len() == MAX_SHIPS {
                    return Err(at(first, 1, &format!("a fleet has at most {MAX_SHIPS} ships")).into());
                }
                let number = (ships.len() + 1).to_string();
                ships.push(ship(number, &cells).map_err(|e| at(first, 1, e.message()))?);
                cells.clear();
            }
            continue;
        }
        if cells.is_empty() {
            first = number;
        }
        for (col, c) in (0..).zip(line.chars()) {
            match c {
                'x' if cells.len() == MAX_CELLS => {
                    return Err(at(number, col + 1, &format!("a ship has at most {MAX_CELLS} cells")).into());
                }
                'x' => cells.push(Cell::new(number - first, col)),
                '.' | ' ' => {}
                _ => {
                    let what = format!("{c:?} is not a cell; use 'x', and '.' or a space for gaps");
                    return Err(at(number, col + 1, &what).into());
                }
            }
        }
    }
    if ships.is_empty() {
        return Err(
            at(1, 1, "the fleet has no ship; a ship is rows of 'x', with a blank line after it").into()
        );
    }
    Ok(Fleet { ships })
}

/// The ship with these cells, moved to row 0 and column 0; an error if it is not connected. Its width and height need
/// no check, because a connected ship of at most 16 cells is at most 16 wide and high.
fn ship(name: String, cells: &[Cell]) -> Result<Ship, RulesError> {
    let top = cells.iter().map(|cell| cell.row).min().unwrap_or(0);
    let left = cells.iter().map(|cell| cell.col).min().unwrap_or(0);
    let moved: Vec<_> = cells.iter().map(|cell| Cell::new(cell.row - top, cell.col - left)).collect();
    let mut reached = vec![moved[0]];
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        for &cell in &moved {
            let apart = cell.row.abs_diff(at.row) + cell.col.abs_diff(at.col);
            if apart == 1 && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
    }
    if reached.len() < moved.len() {
        return Err("the ship is not connected; its cells must touch along edges".into());
    }
    Ok(Ship { name, cells: moved, poses: Poses::Turned })
}
