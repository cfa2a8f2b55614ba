//! Boards from text: rows of `b` and `w`.
//!
//! With a size given, rows make boards of that size one after another, blank lines or not. For the
//! judge that size is 4×4. Otherwise blank lines part the boards, but rows of four squares are judge's
//! boards here too: any other board of that width needs its size given.

use super::{Instance, MAX_SIDE, Rules};
use crate::board::{Bits, Size};
use crate::input::{InputError, Line, Source, Warnings, quoted};
use crate::problem::Scope;

/// The judge's board.
const JUDGE: Size = Size::new(4, 4);

/// The boards of a text, one a call.
pub fn read<'a>(
    rules: &Rules,
    scope: Scope,
    source: Source<'a>,
    warnings: &'a Warnings,
) -> impl FnMut(&mut Option<Instance>) -> Result<(), InputError> + use<'a> {
    let size = rules.size.or((scope == Scope::Judge).then_some(JUDGE));
    let mut reader = Reader { source, size };
    let mut any = false;
    move |slot| {
        *slot = reader.next_board()?;
        if slot.is_none() && !any {
            warnings.push(reader.source.error_at_end("the input is empty; a board is rows of 'b' and 'w'"));
        }
        any = true;
        Ok(())
    }
}

struct Reader<'a> {
    source: Source<'a>,
    /// Of every board, if it is given.
    size: Option<Size>,
}

impl Reader<'_> {
    fn next_board(&mut self) -> Result<Option<Instance>, InputError> {
        let mut rows: Vec<Bits> = Vec::new();
        let mut size = self.size;
        while size.is_none_or(|size| rows.len() < size.height as usize) {
            let Some(line) = self.source.next_line()? else { break };
            let width = size.map(|size| size.width).or(rows.first().map(|row| row.len() as u32));
            match row(&line, width)? {
                Some(_) if rows.len() >= MAX_SIDE as usize => {
                    let message = format!("a board has at most {MAX_SIDE} rows; this is one more");
                    return Err(line.error(1, message));
                }
                Some(row) => {
                    rows.push(row);
                    if size.is_none() && rows[0].len() == JUDGE.width as usize {
                        size = Some(JUDGE);
                    }
                }
                None if size.is_none() && !rows.is_empty() => break,
                None => {}
            }
        }
        let Some(first) = rows.first() else { return Ok(None) };
        let height = size.map_or(rows.len(), |size| size.height as usize);
        if rows.len() < height {
            return Err(self.ends_early(rows.len(), height));
        }
        let size = Size::new(first.len() as u32, height as u32);
        let ones = rows.iter().enumerate().flat_map(|(r, row)| row.iter().map(move |c| r * row.len() + c));
        Ok(Some(Instance { size, squares: Bits::from_indices(size.cells(), ones).into() }))
    }

    /// The error for a board of which only `rows` of `height` rows are there.
    fn ends_early(&self, rows: usize, height: usize) -> InputError {
        let mut message = format!("the last board ends after {rows} of its {height} rows");
        if self.size.is_none() {
            message += &format!("; for a board 4x{rows} say --rule size=4x{rows}");
        }
        self.source.error_at_end(message)
    }
}

/// The row on a line; `None` if the line is blank.
fn row(line: &Line<'_>, width: Option<u32>) -> Result<Option<Bits>, InputError> {
    let mut tokens = line.tokens();
    let Some(token) = tokens.next() else { return Ok(None) };
    if let Some(extra) = tokens.next() {
        return Err(extra.error(format!("{extra} follows the row; a row is one word of 'b' and 'w'")));
    }
    if let Some(at) = token.bytes.iter().position(|b| !b"bw".contains(b)) {
        let message = format!("{} is no square; use 'b' or 'w'", quoted(token.bytes[at]));
        return Err(token.error_at(at, message));
    }
    let length = token.bytes.len();
    let most = width.unwrap_or(MAX_SIDE) as usize;
    if length > most || width.is_some_and(|w| length < w as usize) {
        let should = if width.is_some() { format!("{most}") } else { format!("at most {most}") };
        let message = format!("the row has {length} squares instead of {should}");
        return Err(token.error_at(length.min(most), message));
    }
    let black = token.bytes.iter().enumerate().filter(|(_, b)| **b == b'b').map(|(i, _)| i);
    Ok(Some(Bits::from_indices(length, black)))
}
