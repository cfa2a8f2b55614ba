//! Text to records: `N`, then lines `x y +` or `x y -`, until a `0`.
//!
//! With the judge's limit a game has 2N lines; otherwise its moves go on to the next line of one
//! token. Whether an illegal move is an error depends on whether the game was decided before it. That
//! is rare, so the reader only keeps the current board and replays the game when it meets one.

use super::{Entry, Instance, JUDGE_SIDE, Legality, MAX_SIDE, Move, MoveLimit, Rules, Sign, Start};
use crate::board::Bits;
use crate::input::{InputError, Source, Token, Warnings, until_error};
use crate::problem::Scope;
use std::collections::HashSet;

/// The records of a text, one at a time; nothing comes after an error.
pub fn read<'a>(
    rules: Rules,
    scope: Scope,
    source: Source<'a>,
    warnings: &'a Warnings,
) -> impl Iterator<Item = Result<Instance, InputError>> + 'a {
    let mut reader = Reader { rules, scope, source, warnings, ahead: None, games: 0 };
    until_error(move || reader.game())
}

struct Reader<'a> {
    rules: Rules,
    scope: Scope,
    source: Source<'a>,
    warnings: &'a Warnings,
    /// A line that was read to see where the game before it ends.
    ahead: Option<Vec<Token>>,
    games: usize,
}

impl Reader<'_> {
    fn line(&mut self) -> Result<Option<Vec<Token>>, InputError> {
        match self.ahead.take() {
            Some(tokens) => Ok(Some(tokens)),
            None => self.source.next_tokens(),
        }
    }

    /// The next game, or `None` behind the last.
    fn game(&mut self) -> Result<Option<Instance>, InputError> {
        let Some(n) = self.header()? else { return Ok(None) };
        self.games += 1;
        let mut record = Vec::new();
        let mut judged = Some(Bits::zeros((n * n) as usize));
        let most = self.rules.moves(n);
        let mut beyond = None;
        loop {
            if self.rules.limit == MoveLimit::TwiceN && Some(record.len()) == most {
                break;
            }
            let Some(tokens) = self.line()? else {
                if self.rules.limit == MoveLimit::TwiceN {
                    let (game, have, need) = (self.games, record.len(), 2 * n);
                    let message =
                        format!("game {game} ends after {have} of its {need} moves; add the others");
                    return Err(self.source.error_at_end(message));
                }
                break;
            };
            if tokens.len() == 1 && self.rules.limit != MoveLimit::TwiceN {
                self.ahead = Some(tokens);
                break;
            }
            let (entry, sign_at) = self.entry(n, tokens)?;
            if Some(record.len()) == most {
                beyond = beyond.or(Some(sign_at));
                continue;
            }
            record.push(entry);
            if let Some(board) = &mut judged
                && !self.legal(n, &record, board, &sign_at)?
            {
                judged = None;
            }
        }
        if let (Some(token), Some(most)) = (beyond, most) {
            let message = format!("moves after number {most}, the limit, are not judged");
            self.warnings.push(self.source.error_at(&token, message));
        }
        Ok(Some(Instance { n, record }))
    }

    /// The side of the next board, or `None` at the end mark or the end of the text.
    fn header(&mut self) -> Result<Option<u32>, InputError> {
        let Some(tokens) = self.line()? else {
            let message = match self.games {
                0 => "the input is empty; a game is its size, its moves, and at the very end '0'",
                _ => "the end mark is missing; add a line '0'",
            };
            self.warnings.push(self.source.error_at_end(message));
            return Ok(None);
        };
        let most = if self.scope == Scope::Judge { JUDGE_SIDE } else { MAX_SIDE };
        let size = &tokens[0];
        if let Some(extra) = tokens.get(1) {
            let message = format!("{extra} after {size}; a board's size or '0' stands alone in its line");
            return Err(self.source.error_at(extra, message));
        }
        match size.number() {
            Some(0) => {
                if let Some(tokens) = self.source.next_tokens()? {
                    let message = "text after the end mark '0' is not read";
                    self.warnings.push(self.source.error_at(&tokens[0], message));
                }
                Ok(None)
            }
            Some(n) if n <= most => Ok(Some(n)),
            _ => {
                let message =
                    format!("{size} is no board size; use a number from 1 to {most}, or '0' at the end");
                Err(self.source.error_at(size, message))
            }
        }
    }

    /// A move, with the place of its sign.
    fn entry(&self, n: u32, mut tokens: Vec<Token>) -> Result<(Entry, Token), InputError> {
        if tokens.len() == 2 {
            // `2 2-`: the sign is glued to the coordinate.
            let glued = &mut tokens[1];
            if let [_, .., sign @ (b'+' | b'-' | b'?')] = glued.bytes[..] {
                glued.bytes.pop();
                let column = glued.column + glued.bytes.len();
                let sign = Token { line: glued.line, column, bytes: vec![sign] };
                tokens.push(sign);
            }
        }
        let [x, y, sign] = match <[Token; 3]>::try_from(tokens) {
            Ok(parts) => parts,
            Err(tokens) => {
                return Err(match &tokens[..] {
                    [.., last] if tokens.len() < 3 => {
                        let column = last.column + last.bytes.len();
                        let message = "the move ends here; write it as 'x y +' or 'x y -'";
                        self.source.error(last.line, column, message)
                    }
                    [_, _, _, extra, ..] => {
                        self.source.error_at(extra, format!("{extra} after the move; a line holds one move"))
                    }
                    _ => self.source.error_at_end("a move is missing"),
                });
            }
        };
        let entry = Entry {
            x: self.coordinate(n, &x)?,
            y: self.coordinate(n, &y)?,
            sign: match &sign.bytes[..] {
                b"+" => Some(Sign::Place),
                b"-" => Some(Sign::Take),
                b"?" => self.unknown(&sign, "'+' or '-'")?,
                _ => {
                    let message = format!("{sign} is no sign; use '+' or '-'");
                    return Err(self.source.error_at(&sign, message));
                }
            },
        };
        Ok((entry, sign))
    }

    fn coordinate(&self, n: u32, token: &Token) -> Result<Option<u32>, InputError> {
        let right = format!("a number from 1 to {n}");
        match token.number() {
            _ if token.bytes == b"?" => self.unknown(token, &right),
            Some(number) if (1..=n).contains(&number) => Ok(Some(number)),
            _ => Err(self.source.error_at(token, format!("{token} is no coordinate; use {right}"))),
        }
    }

    fn unknown<T>(&self, token: &Token, right: &str) -> Result<Option<T>, InputError> {
        match self.scope {
            Scope::Open => Ok(None),
            Scope::Judge => {
                let message = format!("'?' is an unknown move, which no judge knows; use {right}");
                Err(self.source.error_at(token, message))
            }
        }
    }

    /// Plays the last move of `record`; false if legality no longer matters or can no longer be told.
    fn legal(&self, n: u32, record: &[Entry], board: &mut Bits, sign_at: &Token) -> Result<bool, InputError> {
        let Some((last, before)) = record.split_last() else { return Ok(true) };
        let Some(mv) = last.known() else { return Ok(false) };
        if mv.apply(n, board) {
            return Ok(true);
        }
        if decided(&self.rules, n, before) {
            return Ok(false);
        }
        let (x, y) = (mv.cell.col + 1, mv.cell.row + 1);
        let trouble = match mv.sign {
            Sign::Place => format!("'+' at {x} {y}, where a spot is"),
            Sign::Take => format!("'-' at {x} {y}, where no spot is"),
        };
        match self.rules.legality {
            Legality::Strict => {
                let right = match mv.sign {
                    Sign::Place => "use '-' or an empty square",
                    Sign::Take => "use '+' or the square of a spot",
                };
                let message = format!("{trouble}; {right}, or the rule lenient=yes");
                Err(self.source.error_at(sign_at, message))
            }
            Legality::Lenient => {
                let message = format!("{trouble}; the move changes nothing");
                self.warnings.push(self.source.error_at(sign_at, message));
                Ok(true)
            }
        }
    }
}

/// Whether some move of `record`, all known, repeats a board: the least image of each is looked up.
/// O(M N² |G|).
fn decided(rules: &Rules, n: u32, record: &[Entry]) -> bool {
    let size = crate::board::Size::new(n, n);
    let mut board = Bits::zeros(size.cells());
    let mut seen = HashSet::new();
    if rules.start == Start::Counted {
        seen.insert(board.clone());
    }
    record.iter().filter_map(Entry::known).any(|mv: Move| {
        mv.apply(n, &mut board);
        let image = |symmetry: crate::board::Symmetry| {
            let cells = board.iter().map(|i| size.index(symmetry.apply(n, size.cell(i))));
            Bits::from_indices(size.cells(), cells)
        };
        rules.group.elements().into_iter().map(image).min().is_some_and(|least| !seen.insert(least))
    })
}
