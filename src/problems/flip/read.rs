//! Boards from text: rows of `b` and `w`.
//!
//! With a size given, rows make boards of that size one after another, blank lines or not. For the
//! judge that size is 4×4. Otherwise blank lines part the boards, and a block of rows that is 4 wide
//! and a multiple of 4 high is a row of judge's boards.

use super::{Instance, MAX_SIDE, Rules};
use crate::board::{Bits, Size};
use crate::input::{InputError, Line, Source, Warnings, quoted};
use crate::problem::Scope;
use std::collections::VecDeque;

/// The judge's board.
const JUDGE: Size = Size::new(4, 4);

/// The boards of a text; an error ends them.
pub fn read<'a>(
    rules: &Rules,
    scope: Scope,
    source: Source<'a>,
    warnings: &'a Warnings,
) -> impl Iterator<Item = Result<Instance, InputError>> + 'a {
    let size = rules.size.or((scope == Scope::Judge).then_some(JUDGE));
    let mut reader = Reader { source, size, ready: VecDeque::new(), failed: false, any: false };
    std::iter::from_fn(move || {
        let next = reader.next_board();
        if next.is_none() && !reader.any {
            reader.any = true;
            warnings.push(reader.source.error_at_end("the input is empty; a board is rows of 'b' and 'w'"));
        }
        next
    })
}

struct Reader<'a> {
    source: Source<'a>,
    size: Option<Size>,
    /// Boards of a block that was read, in front of the error that ended it.
    ready: VecDeque<Result<Instance, InputError>>,
    failed: bool,
    /// Something was read, or the warning was given.
    any: bool,
}

/// A row's black squares and its length.
type Row = Bits;

impl Reader<'_> {
    fn next_board(&mut self) -> Option<Result<Instance, InputError>> {
        if self.ready.is_empty() && !self.failed {
            let (rows, end) = match self.size {
                Some(size) => self.rows(size.height as usize, Some(size.width)),
                None => self.rows(usize::MAX, None),
            };
            self.any |= !rows.is_empty() || end.is_err();
            self.failed = end.is_err();
            self.split(&rows, end);
        }
        self.ready.pop_front()
    }

    /// Reads up to `most` rows: all of the width given, or a block of equal width up to a blank line.
    fn rows(&mut self, most: usize, width: Option<u32>) -> (Vec<Row>, Result<(), InputError>) {
        let mut rows: Vec<Row> = Vec::new();
        while rows.len() < most {
            let wanted = width.or(rows.first().map(|row| row.len() as u32));
            match self.source.next_line() {
                Err(error) => return (rows, Err(error)),
                Ok(None) => break,
                Ok(Some(line)) => match row(&line, wanted) {
                    Ok(Some(row)) => rows.push(row),
                    Ok(None) if width.is_none() && !rows.is_empty() => break,
                    Ok(None) => {}
                    Err((column, message)) => {
                        let line = line.number;
                        return (rows, Err(self.source.error(line, column, message)));
                    }
                },
            }
        }
        (rows, Ok(()))
    }

    /// Makes boards of the rows that were read, then puts the error behind them.
    fn split(&mut self, rows: &[Row], end: Result<(), InputError>) {
        let Some(first) = rows.first() else {
            self.ready.extend(end.err().map(Err));
            return;
        };
        let height = match self.size {
            Some(size) => size.height as usize,
            None if first.len() == 4 && (end.is_err() || rows.len().is_multiple_of(4)) => 4,
            None => rows.len(),
        };
        let left_over = rows.len() % height;
        let boards = if self.size.is_none() && height != 4 && end.is_err() { 0 } else { rows.len() / height };
        for board in rows.chunks_exact(height).take(boards) {
            let size = Size::new(first.len() as u32, height as u32);
            let ones =
                board.iter().enumerate().flat_map(|(r, row)| row.iter().map(move |c| r * row.len() + c));
            self.ready.push_back(Ok(Instance { size, black: Bits::from_indices(size.cells(), ones) }));
        }
        let error = match end {
            Err(error) => Some(error),
            Ok(()) if left_over > 0 => {
                let message = format!("the last board ends after {left_over} of its {height} rows");
                Some(self.source.error_at_end(message))
            }
            Ok(()) if height > MAX_SIDE as usize => {
                self.ready.clear();
                Some(self.source.error_at_end(format!("a board has at most {MAX_SIDE} rows, not {height}")))
            }
            Ok(()) => None,
        };
        self.failed = error.is_some();
        self.ready.extend(error.map(Err));
    }
}

/// The row on a line; `None` if the line is blank. Errors are a column and a message.
fn row(line: &Line<'_>, width: Option<u32>) -> Result<Option<Row>, (usize, String)> {
    let mut tokens = line.tokens();
    let Some(token) = tokens.next() else { return Ok(None) };
    if let Some(extra) = tokens.next() {
        return Err((extra.column, format!("{extra} follows the row; a row is one word of 'b' and 'w'")));
    }
    if let Some(at) = token.bytes.iter().position(|b| !b"bw".contains(b)) {
        let message = format!("{} is no square; use 'b' or 'w'", quoted(token.bytes[at]));
        return Err((token.column + at, message));
    }
    let length = token.bytes.len();
    let most = width.unwrap_or(MAX_SIDE) as usize;
    if length > most || width.is_some_and(|w| length < w as usize) {
        let should = if width.is_some() { format!("{most}") } else { format!("at most {most}") };
        return Err((
            token.column + length.min(most),
            format!("the row has {length} squares instead of {should}"),
        ));
    }
    let black = token.bytes.iter().enumerate().filter(|(_, b)| **b == b'b').map(|(i, _)| i);
    Ok(Some(Bits::from_indices(length, black)))
}
