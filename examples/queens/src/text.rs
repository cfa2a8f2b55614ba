//! Reads boards and writes answers.

use crate::problem::{Answer, Board};
use counterpoint::input::{InputError, Source};

/// Reads the next board, whose rows consist of `Q` and `.`. There are as many rows as the first row has squares. `None`
/// at the end of the input.
pub(crate) fn board(source: &mut Source<'_>) -> Result<Option<Board>, InputError> {
    let mut board = Board { n: 1, given: Vec::new() };
    let mut r = 0;
    while r < board.n {
        let Some(line) = source.next_nonblank()? else {
            return if r == 0 { Ok(None) } else { Err(source.error_at_end("the board has too few rows")) };
        };
        let row: Vec<_> = line.tokens().collect();
        let squares = row[0].bytes;
        board.n = if r == 0 { squares.len() } else { board.n };
        let fits = row.len() == 1 && squares.len() == board.n && board.n <= 64;
        if !fits || squares.iter().any(|b| !b"Q.".contains(b)) {
            let message = format!("unexpected row {}; expected {} times 'Q' or '.'", row[0], board.n.min(64));
            return Err(row[0].error(message));
        }
        board.given.extend((0..board.n).filter(|&c| squares[c] == b'Q').map(|c| (r, c)));
        r += 1;
    }
    Ok(Some(board))
}

/// The board as rows of `Q` and `.`.
pub(crate) fn draw(n: usize, queens: &[(usize, usize)]) -> String {
    let square = |r, c| if queens.contains(&(r, c)) { 'Q' } else { '.' };
    (0..n).map(|r| (0..n).map(|c| square(r, c)).chain(['\n']).collect::<String>()).collect()
}

/// The answer as the judge expects it: the completed board or `impossible`, then a blank line.
pub(crate) fn answer(board: &Board, answer: &Answer) -> String {
    match answer {
        Some(cols) => draw(board.n, &cols.iter().copied().enumerate().collect::<Vec<_>>()) + "\n",
        None => "impossible\n\n".to_owned(),
    }
}
