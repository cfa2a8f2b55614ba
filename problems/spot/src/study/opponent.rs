//! The opponent in `play`. Without a limit on moves, it wins if it is the player for whom `strategy.rs` has a winning
//! strategy. Which player that is depends on the board and on the rule `start`.
//!
//! # Choice of a move
//! The opponent chooses among the moves that are not repeats. It applies these preferences in order. Each one decides
//! only between moves that the earlier ones do not distinguish:
//! 1. A move of the best value that `evaluation.rs` finds, on boards small enough to search.
//! 2. A move after which every move of the person is a repeat, on boards up to 4×4.
//! 3. The answer of the pairing strategy (`strategy.rs`). The opponent prefers this answer even on the losing side,
//!    because the person may make a mistake.
//! 4. A move that leaves the person the fewest moves that are not repeats, on boards up to 4×4.
//! 5. The square with the lowest row-major index.
//!
//! A hint for the person is chosen in the same way.

use super::super::{Entry, MAX_SIDE, Move, MoveLimit, Rules, Sign, Start, winner};
use super::evaluation::{Evaluation, Evaluator, MoveValue};
use super::strategy::Strategy;
use counterpoint_core::board::{Bits, Cell, Group, Size, Symmetry};
use counterpoint_core::errors::{IllegalMove, Unsupported};
use counterpoint_core::problem::{Opponent, Param, Params, Turn};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Parameters of [`start`].
pub const PARAMS: &[Param] =
    &[Param::number("n", 4.0, 1.0, MAX_SIDE as f64), Param::number("you", 1.0, 1.0, 2.0)];
/// The greatest side on which the opponent counts, for each of its moves, how many answers of the person are not
/// repeats.
const MAX_SIDE_COUNTED: u32 = 4;
/// The greatest side on which moves are evaluated by search if the rules limit the number of moves.
const MAX_SIDE_SEARCHED: u32 = 4;
/// The greatest side on which moves are evaluated by search if the rules do not limit the number of moves. On larger
/// boards the pairing strategy suffices.
const MAX_SIDE_SEARCHED_UNLIMITED: u32 = 2;

/// Starts a game from the empty board. The parameter `you` says which player the person is.
///
/// # Errors
/// Returns an error if the side `n` is 0, which [`PARAMS`] excludes.
pub fn start(rules: &Rules, params: &Params) -> Result<Box<dyn Opponent>, Unsupported> {
    let n = params.whole("n");
    let max_side =
        if rules.limit == MoveLimit::None { MAX_SIDE_SEARCHED_UNLIMITED } else { MAX_SIDE_SEARCHED };
    let mut opponent = SpotOpponent {
        rules: *rules,
        size: Size::new(n, n),
        strategy: Strategy::new(n, rules.group),
        evaluator: (n <= max_side).then(|| Evaluator::new(n, rules.group)).transpose()?,
        you: params.whole("you") as u8,
        board: Bits::zeros(Size::new(n, n).cells()),
        produced: FxHashMap::default(),
        moves: 0,
        over: None,
    };
    if rules.start == Start::Counted {
        opponent.produced.insert(opponent.least(&opponent.board), 0);
    }
    Ok(Box::new(opponent))
}

struct SpotOpponent {
    rules: Rules,
    size: Size,
    strategy: Strategy,
    evaluator: Option<Evaluator>,
    /// Which player the person is, 1 or 2.
    you: u8,
    board: Bits,
    /// Maps the canonical form of each produced pattern to the number of the move that produced it. A start that counts
    /// has number 0.
    produced: FxHashMap<Bits, usize>,
    /// The number of moves made.
    moves: usize,
    /// The outcome as text; `None` while the game goes on.
    over: Option<String>,
}

impl SpotOpponent {
    fn image(&self, board: &Bits, g: Symmetry) -> Bits {
        let size = self.size;
        let spots = board.iter().map(|square| size.index(g.apply(size.width, size.cell(square))));
        Bits::from_indices(size.cells(), spots)
    }

    /// The canonical form of a board: its smallest image.
    fn least(&self, board: &Bits) -> Bits {
        self.rules.group.iter().map(|g| self.image(board, g)).min().unwrap_or_default()
    }

    fn toggled(&self, board: &Bits, square: usize) -> Bits {
        let mut after = board.clone();
        after.flip(square);
        after
    }

    fn is_fresh(&self, board: &Bits) -> bool {
        !self.produced.contains_key(&self.least(board))
    }

    /// The squares whose toggles on `board` are not repeats.
    fn fresh<'a>(&'a self, board: &'a Bits) -> impl Iterator<Item = usize> + 'a {
        (0..self.size.cells()).filter(|&square| self.is_fresh(&self.toggled(board, square)))
    }

    /// The player whose turn it is.
    fn mover(&self) -> u8 {
        if self.moves.is_multiple_of(2) { 1 } else { 2 }
    }

    /// The square that the pairing strategy toggles; `None` if the strategy has no answer here or if its answer is a
    /// repeat.
    fn paired(&self) -> Option<usize> {
        let square = self.strategy.answer(&self.board);
        // If the start does not count, the first move answers nothing.
        let is_answer = self.moves > 0 || self.rules.start == Start::Counted;
        let has_partner = !self.strategy.is_for_odd_boards() || !self.board.count().is_multiple_of(2);
        (is_answer && has_partner && self.is_fresh(&self.toggled(&self.board, square))).then_some(square)
    }

    /// The values of the moves; `None` if the board is too large to search.
    fn evaluation(&self) -> Option<Evaluation> {
        let evaluator = self.evaluator.as_ref()?;
        let produced = self.produced.keys().map(|board| evaluator.class(word(board)));
        let left = self.rules.moves(self.size.width).map(|limit| limit - self.moves);
        Some(evaluator.evaluate(produced, evaluator.class(word(&self.board)), left))
    }

    /// The value of toggling `square`; [`MoveValue::Open`] if the value is not known.
    fn value(&self, evaluation: Option<&Evaluation>, square: usize) -> MoveValue {
        let class = |evaluator: &Evaluator| evaluator.class(word(&self.toggled(&self.board, square)));
        let class = self.evaluator.as_ref().map(class);
        let known = evaluation.zip(class).and_then(|(known, class)| known.values.get(&class).copied());
        known.unwrap_or(MoveValue::Open)
    }

    /// The square of the best move, as described at the top of this file; 0 if all moves are repeats.
    fn best(&self, evaluation: Option<&Evaluation>) -> usize {
        let left = |square: usize| {
            let after = self.toggled(&self.board, square);
            let is_counted = self.size.width <= MAX_SIDE_COUNTED;
            let here = self.least(&after);
            // By the time of the answer, this move has produced its pattern, so an answer that recreates that pattern
            // is a repeat, too.
            let fresh = |&next: &usize| self.least(&self.toggled(&after, next)) != here;
            if is_counted { self.fresh(&after).filter(fresh).count() } else { 1 }
        };
        let paired = self.paired();
        let order = |&square: &usize| {
            let left = left(square);
            // A move that leaves the other player only repeats is preferred to the answer of the pairing strategy,
            // because that strategy may take too long for the limit on moves.
            let unpaired = left > 0 && paired != Some(square);
            (Reverse(self.value(evaluation, square)), left > 0, unpaired, left, square)
        };
        self.fresh(&self.board).min_by_key(order).unwrap_or(0)
    }

    fn text(&self, square: usize) -> String {
        Entry::from(Move::toggle(self.size.width, &self.board, self.size.cell(square))).to_string()
    }

    fn play(&mut self, square: usize) {
        self.board.flip(square);
        self.moves += 1;
        if let Some(earlier) = self.produced.insert(self.least(&self.board), self.moves) {
            let earlier =
                if earlier == 0 { "at the start".to_owned() } else { format!("after move {earlier}") };
            self.over = Some(format!(
                "The same pattern was on the board {earlier}.\nPlayer {} wins on move {}",
                winner(self.moves),
                self.moves
            ));
        } else if self.rules.moves(self.size.width) == Some(self.moves) {
            self.over = Some("Draw".to_owned());
        }
    }

    fn square(&self, text: &str) -> Result<usize, IllegalMove> {
        let n = self.size.width;
        let remedy = format!("write a move as 'x y +' or 'x y -', column and row from 1 to {n}");
        let mut tokens: Vec<&str> = text.split_ascii_whitespace().collect();
        // The space before the sign may be missing, as in `2 2-`.
        let joined = tokens.get(1).and_then(|last| last.split_at_checked(last.len() - 1));
        if let (2, Some((number, sign @ ("+" | "-")))) = (tokens.len(), joined) {
            tokens[1] = number;
            tokens.push(sign);
        }
        let [x, y, sign] = tokens[..] else { return Err(format!("'{text}' is not a move; {remedy}").into()) };
        let number = |text: &str| text.parse().ok().filter(|number| (1..=n).contains(number));
        let (Some(x), Some(y)) = (number(x), number(y)) else {
            return Err(format!("'{text}' is not on the board; {remedy}").into());
        };
        let cell = Cell::new(y - 1, x - 1);
        let legal = Move::toggle(n, &self.board, cell).sign;
        match (sign, legal) {
            ("+", Sign::Place) | ("-", Sign::Take) => Ok(self.size.index(cell)),
            ("+", _) => {
                Err(format!("{x} {y} has a spot; take it away with '{x} {y} -' or choose an empty square")
                    .into())
            }
            ("-", _) => Err(format!(
                "{x} {y} is empty; put a spot there with '{x} {y} +' or choose a square with a spot"
            )
            .into()),
            _ => Err(format!("'{sign}' is not a sign; {remedy}").into()),
        }
    }
}

/// The board as a number, in which bit i is set if the square with row-major index i has a spot.
fn word(board: &Bits) -> u32 {
    board.iter().map(|square| 1 << square).sum()
}

impl Opponent for SpotOpponent {
    fn intro(&self) -> String {
        let n = self.size.width;
        let same = match self.rules.group {
            Group::C4 => ", possibly rotated,",
            Group::D4 => ", possibly rotated or mirrored,",
            Group::C2 => ", possibly turned upside down,",
            Group::Trivial => "",
        };
        let end = self
            .rules
            .moves(n)
            .map_or(String::new(), |limit| format!(" After {limit} moves without that, the game is a draw."));
        format!(
            "A move puts a spot on an empty square or takes one away. A player who recreates an earlier pattern{same} \
             loses.{end}\nYou are player {}. Write a move as 'x y +' or 'x y -', column and row from 1 to {n}.",
            self.you
        )
    }

    fn show(&self) -> String {
        let n = self.size.width;
        let rows: Vec<String> = (0..n)
            .map(|row| {
                let square = |col| self.board.get(self.size.index(Cell::new(row, col)));
                (0..n).map(|col| if square(col) { 'x' } else { '.' }).collect()
            })
            .collect();
        rows.join("\n")
    }

    fn turn(&self) -> Turn {
        match &self.over {
            Some(outcome) => Turn::Over(outcome.clone()),
            None if self.mover() == self.you => Turn::Yours,
            None => Turn::Mine,
        }
    }

    fn hint(&self) -> String {
        let evaluation = self.evaluation();
        let square = self.best(evaluation.as_ref());
        let wins = self.paired().is_some() && self.strategy.winner(self.rules.start) == self.you;
        let value = self.value(evaluation.as_ref(), square);
        let why = match (value, &evaluation) {
            _ if !self.is_fresh(&self.toggled(&self.board, square)) => "every move is a repeat".to_owned(),
            (MoveValue::Wins, _) => "wins against any play".to_owned(),
            (MoveValue::Loses, _) => "loses against best play, like every move".to_owned(),
            _ if wins => format!("{} in answer to every pattern: this wins", self.strategy.rule()),
            (MoveValue::Open, Some(found)) if found.complete => "a draw with best play".to_owned(),
            (MoveValue::Open, Some(found)) => format!("not a repeat; searched {} moves deep", found.depth),
            (MoveValue::Open, None) => "not a repeat; searched one move deep".to_owned(),
        };
        format!("{} ({why})", self.text(square))
    }

    fn your_move(&mut self, text: &str) -> Result<(), IllegalMove> {
        let square = self.square(text)?;
        self.play(square);
        Ok(())
    }

    fn my_move(&mut self) -> String {
        let square = self.best(self.evaluation().as_ref());
        let text = self.text(square);
        self.play(square);
        text
    }
}
