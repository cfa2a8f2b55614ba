//! Boards from text and answers to text.

use crate::problem::{Answer, Board};
use counterpoint::input::{InputError, Source, until_error};

/// Boards of `Q` and `.`; a board has as many rows as its first row has squares.
pub(crate) fn read(mut source: Source<'_>) -> impl Iterator<Item = Result<Board, InputError>> + '_ {
    until_error(move || board(&mut source))
}

fn board(source: &mut Source<'_>) -> Result<Option<Board>, InputError> {
    let Some(mut row) = source.next_tokens()? else { return Ok(None) };
    let mut board = Board { n: row[0].bytes.len(), given: Vec::new() };
    for r in 0..board.n {
        let squares = &row[0].bytes;
        if row.len() > 1
            || squares.len() != board.n
            || board.n > 64
            || squares.iter().any(|b| !b"Q.".contains(b))
        {
            let should = format!("{} is no row; use {} times 'Q' or '.'", row[0], board.n.min(64));
            return Err(source.error_at(&row[0], should));
        }
        board.given.extend((0..board.n).filter(|&c| squares[c] == b'Q').map(|c| (r, c)));
        if r + 1 < board.n {
            row = source.next_tokens()?.ok_or_else(|| source.error_at_end("the board lacks rows"))?;
        }
    }
    Ok(Some(board))
}

/// The board as rows of `Q` and `.`.
pub(crate) fn draw(n: usize, queens: &[(usize, usize)]) -> String {
    let square = |r, c| if queens.contains(&(r, c)) { 'Q' } else { '.' };
    (0..n).map(|r| (0..n).map(|c| square(r, c)).chain(['\n']).collect::<String>()).collect()
}

/// The judge's text: the completed board or `impossible`, then a blank line.
pub(crate) fn answer(board: &Board, answer: &Answer) -> String {
    match answer {
        Some(cols) => draw(board.n, &cols.iter().copied().enumerate().collect::<Vec<_>>()) + "\n",
        None => "impossible\n\n".to_owned(),
    }
}
