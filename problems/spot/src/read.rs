//! Reads records: the board side `N`, then one move per line, `x y +` or `x y -`, where `?` stands for an
//! unknown part. A line `0` ends the input.
//!
//! Under the judge's limit a game has exactly 2N moves. Under any other limit a game ends before the next line that has
//! a single token, or at the end of the text.
//!
//! There are two ways to read a move. The fast one, `read_plain_moves`, parses lines spelled as judges spell them,
//! eight bytes at a time, and accepts legal moves only. The slow one, `entry`, splits a line into tokens, accepts every
//! spelling and reports errors.
//!
//! An illegal move is an error only if no move before it was decisive. Looking for repeats in every game would make
//! reading slower, so the reader keeps only the current board. When it meets an illegal move, which is rare, it replays
//! the game to find out whether the game was decided before (`is_decided`).

use super::{Entry, Instance, JUDGE_SIDE, Legality, MAX_SIDE, MoveLimit, Rules, Sign, Start};
use counterpoint_core::board::{Bits, Size, Symmetry};
use counterpoint_core::input::short::{self, Triple};
use counterpoint_core::input::{InputError, Line, Source, Token, Warnings};
use counterpoint_core::keyed::{KeyedMap, Keys};
use counterpoint_core::problem::Scope;

/// Returns a function that replaces the content of its argument, the slot, by the next record of the text, or by `None`
/// after the last one. This function reuses the memory of the record that the slot held.
pub fn read<'a>(
    rules: Rules,
    scope: Scope,
    source: Source<'a>,
    warnings: &'a Warnings,
) -> impl FnMut(&mut Option<Instance>) -> Result<(), InputError> + use<'a> {
    let mut reader = Reader { rules, scope, source, warnings, games: 0, next: NextSigns::default() };
    move |slot| {
        let mut record = slot.take().map_or_else(Vec::new, |last| last.record);
        if let Some(n) = reader.header()? {
            record.clear();
            reader.next.resize(n);
            let read = reader.record(n, &mut record);
            reader.next.clear(&record);
            read?;
            *slot = Some(Instance { n, record });
        }
        Ok(())
    }
}

/// The current board. For each square, the only legal move there is stored as its sign; squares outside the board have
/// 0. So one comparison of bytes tells whether a move is on the board and legal.
struct NextSigns {
    /// Indexed by [`Entry::square`].
    signs: Box<[u8; 1 << 16]>,
    /// Side of the board.
    n: u32,
}

impl Default for NextSigns {
    fn default() -> Self {
        NextSigns { signs: Box::new([0; 1 << 16]), n: 0 }
    }
}

impl NextSigns {
    /// Changes the side of the board. The board must be empty.
    fn resize(&mut self, n: u32) {
        if self.n != n {
            for (side, sign) in [(self.n as usize, 0), (n as usize, Sign::Place as u8)] {
                let rows = self.signs.chunks_mut(1 << 8).skip(1).take(side);
                rows.for_each(|row| row[1..=side].fill(sign));
            }
            self.n = n;
        }
    }

    /// Makes the board empty again. `record` must contain all moves that were played on it.
    fn clear(&mut self, record: &[Entry]) {
        for entry in record.iter().filter(|entry| entry.known().is_some()) {
            self.signs[usize::from(entry.square())] = Sign::Place as u8;
        }
    }

    /// Plays a move if it is legal, and returns whether it was. `sign` may be any byte but 0.
    #[inline]
    fn play(&mut self, square: u16, sign: u8) -> bool {
        let next = &mut self.signs[usize::from(square)];
        let legal = *next == sign;
        if legal {
            *next ^= Sign::Place as u8 ^ Sign::Take as u8;
        }
        legal
    }
}

struct Reader<'a> {
    rules: Rules,
    scope: Scope,
    source: Source<'a>,
    warnings: &'a Warnings,
    /// Number of games whose first line was read.
    games: usize,
    /// The board of the current game; empty between games.
    next: NextSigns,
}

impl Reader<'_> {
    /// The board side of the next game, or `None` at the end mark or the end of the text.
    fn header(&mut self) -> Result<Option<u32>, InputError> {
        let Some(line) = self.source.next_nonblank()? else {
            let message = match self.games {
                0 => "the input is empty; expected a board size, moves, and '0' after the last game",
                _ => "the end mark is missing; add a line '0'",
            };
            self.warnings.push(self.source.error_at_end(message));
            return Ok(None);
        };
        let n = side(&line, self.scope)?;
        if n == 0 {
            if let Some(token) = self.source.next_nonblank()?.and_then(|line| line.tokens().next()) {
                self.warnings.push(token.error("text after the end mark '0' is ignored"));
            }
            return Ok(None);
        }
        self.games += 1;
        Ok(Some(n))
    }

    /// The moves of the next game.
    fn record(&mut self, n: u32, record: &mut Vec<Entry>) -> Result<(), InputError> {
        let fixed_length = self.rules.limit == MoveLimit::TwiceN;
        let max_moves = self.rules.moves(n).unwrap_or(usize::MAX);
        // Whether the next move must be tested for legality; see `play_last`.
        let mut needs_legality = true;
        let mut beyond_limit = None;
        loop {
            if needs_legality {
                let before = record.len();
                let bytes = read_plain_moves(max_moves, self.source.ahead(), &mut self.next, record);
                self.source.skip(bytes, record.len() - before);
            }
            if fixed_length && record.len() == max_moves {
                break;
            }
            let Some(line) = self.source.next_nonblank()? else {
                if fixed_length {
                    let (game, found) = (self.games, record.len());
                    let message =
                        format!("game {game} has {found} of {max_moves} moves; add the missing ones");
                    return Err(self.source.error_at_end(message));
                }
                break;
            };
            if !fixed_length && line.tokens().nth(1).is_none() {
                self.source.put_back();
                break;
            }
            let (entry, sign) = entry(n, self.scope, &line)?;
            if record.len() == max_moves {
                beyond_limit.get_or_insert_with(|| {
                    sign.error(format!("moves after move {max_moves}, the limit, are ignored"))
                });
                continue;
            }
            record.push(entry);
            needs_legality =
                needs_legality && play_last(n, &self.rules, record, &mut self.next, &sign, self.warnings)?;
        }
        beyond_limit.into_iter().for_each(|warning| self.warnings.push(warning));
        Ok(())
    }
}

/// The number on a game's first line; 0 is the end mark.
fn side(line: &Line<'_>, scope: Scope) -> Result<u32, InputError> {
    let max_side = if scope == Scope::Judge { JUDGE_SIDE } else { MAX_SIDE };
    let mut tokens = line.tokens();
    let Some(size) = tokens.next() else { return Err(line.error(1, "expected a board size")) };
    if let Some(extra) = tokens.next() {
        let message =
            format!("unexpected {extra} after {size}; write a board size or '0' on a line of its own");
        return Err(extra.error(message));
    }
    size.number().filter(|n| *n <= max_side).ok_or_else(|| {
        size.error(format!(
            "{size} is not a board size; use a number from 1 to {max_side}, or '0' at the end"
        ))
    })
}

/// Reads legal moves in the judge's spelling from the start of `text`, until `record` has `max_moves`
/// moves or the next line is not such a move. Returns the number of bytes read. The next line may still
/// be a move: one in another spelling, an illegal one, or one that is not in the buffer yet.
#[inline(never)]
fn read_plain_moves(max_moves: usize, text: &[u8], next: &mut NextSigns, record: &mut Vec<Entry>) -> usize {
    let mut rest = text;
    while record.len() < max_moves
        && let Some(Triple { numbers, byte, length }) = short::triple(rest)
        && let square = u16::from_le_bytes(numbers)
        && next.play(square, byte)
    {
        record.push(Entry::from_bytes(square, byte));
        rest = &rest[length..];
    }
    text.len() - rest.len()
}

/// A move in any spelling, and the token of its sign.
fn entry<'a>(n: u32, scope: Scope, line: &Line<'a>) -> Result<(Entry, Token<'a>), InputError> {
    let mut tokens = line.tokens();
    let (x, y, sign) = match [tokens.next(), tokens.next(), tokens.next()] {
        [Some(x), Some(y), Some(sign)] => (x, y, sign),
        // `2 2-`: no blank before the sign.
        [Some(x), Some(joined @ Token { bytes: [_, .., b'+' | b'-' | b'?'], .. }), None] => {
            let (y, sign) = joined.split_at(joined.bytes.len() - 1);
            (x, y, sign)
        }
        [one, two, _] => {
            let message = "incomplete move; write it as 'x y +' or 'x y -'";
            let last = two.or(one);
            return Err(last.map_or_else(|| line.error(1, message), |t| t.error_at(t.bytes.len(), message)));
        }
    };
    if let Some(extra) = tokens.next() {
        return Err(extra.error(format!("unexpected {extra} after the move; write one move per line")));
    }
    let x = coordinate(n, scope, &x)?;
    let y = coordinate(n, scope, &y)?;
    let known = match sign.bytes {
        b"+" => Some(Sign::Place),
        b"-" => Some(Sign::Take),
        b"?" => unknown(scope, &sign, "'+' or '-'")?,
        _ => return Err(sign.error(format!("{sign} is not a sign; use '+' or '-'"))),
    };
    Ok((Entry::new(x, y, known), sign))
}

fn coordinate(n: u32, scope: Scope, token: &Token<'_>) -> Result<Option<u32>, InputError> {
    match token.number() {
        Some(number) if (1..=n).contains(&number) => Ok(Some(number)),
        _ if token.bytes == b"?" => unknown(scope, token, &format!("a number from 1 to {n}")),
        _ => Err(token.error(format!("{token} is not a coordinate; use a number from 1 to {n}"))),
    }
}

fn unknown<T>(scope: Scope, token: &Token<'_>, expected: &str) -> Result<Option<T>, InputError> {
    match scope {
        Scope::Open => Ok(None),
        Scope::Judge => {
            Err(token.error(format!("unknown moves ('?') are not allowed in judge input; use {expected}")))
        }
    }
}

/// Plays the last move of `record` on the board `next`. Returns false if no later move needs to be tested for legality,
/// either because the move is unknown, so that the board is not known any more, or because the game is decided.
fn play_last(
    n: u32,
    rules: &Rules,
    record: &[Entry],
    next: &mut NextSigns,
    sign: &Token<'_>,
    warnings: &Warnings,
) -> Result<bool, InputError> {
    let Some((last, before)) = record.split_last() else { return Ok(true) };
    let Some(mv) = last.known() else { return Ok(false) };
    if next.play(last.square(), mv.sign as u8) {
        return Ok(true);
    }
    if is_decided(rules, n, before) {
        return Ok(false);
    }
    let (x, y) = (mv.cell.col + 1, mv.cell.row + 1);
    let (fault, remedy) = match mv.sign {
        Sign::Place => (format!("'+' at {x} {y}, which already has a spot"), "use '-' or an empty square"),
        Sign::Take => (format!("'-' at {x} {y}, which has no spot"), "use '+' or a square with a spot"),
    };
    match rules.legality {
        Legality::Strict => Err(sign.error(format!("{fault}; {remedy}, or set the rule lenient=yes"))),
        Legality::Lenient => {
            warnings.push(sign.error(format!("{fault}; the move changes nothing")));
            // The move repeats the board before it. This decides the game, unless the board before it is the start and
            // the start does not count.
            Ok(before.is_empty() && rules.start == Start::Uncounted)
        }
    }
}

/// Whether some move of `record`, in which all moves are known, is a repeat.
///
/// Additive hashing: the hash of a board is the sum of the keys of its occupied squares, which differ from process to
/// process, and its canonical hash is the smallest hash of its images. Boards are compared square by square only if
/// their canonical hashes are equal. M moves take O(M |G|), and O(M + |G| N²) more for each pair that is compared.
fn is_decided(rules: &Rules, n: u32, record: &[Entry]) -> bool {
    let (size, group) = (Size::new(n, n), rules.group.elements());
    let (mut board, mut hashes) = (Bits::zeros(size.cells()), vec![0u64; group.len()]);
    // For each canonical hash, the numbers of the moves that produced a board with this hash; 0 for the start.
    let mut produced: KeyedMap<u64, Vec<usize>> = KeyedMap::default();
    let keys = Keys::default();
    if rules.start == Start::Counted {
        produced.insert(0, vec![0]);
    }
    record.iter().filter_map(Entry::known).enumerate().any(|(i, mv)| {
        if mv.apply(n, &mut board) {
            for (hash, g) in hashes.iter_mut().zip(&group) {
                let key = keys.of_number(size.index(g.apply(n, mv.cell)) as u64);
                *hash = match mv.sign {
                    Sign::Place => hash.wrapping_add(key),
                    Sign::Take => hash.wrapping_sub(key),
                };
            }
        }
        let same_hash = produced.entry(hashes.iter().copied().min().unwrap_or(0)).or_default();
        let repeats = same_hash.iter().any(|&moves| {
            let mut earlier = Bits::zeros(size.cells());
            record.iter().filter_map(Entry::known).take(moves).for_each(|mv| {
                mv.apply(n, &mut earlier);
            });
            let maps_to_board =
                |g: &Symmetry| earlier.iter().all(|i| board.get(size.index(g.apply(n, size.cell(i)))));
            earlier.count() == board.count() && group.iter().any(maps_to_board)
        });
        same_hash.push(i + 1);
        repeats
    })
}
