//! Spot at a table: a person against a player that wins without a limit wherever the start allows it.
//!
//! On small boards the player looks ahead, to the limit where a bound of work allows it (`evaluation.rs`), and keeps to moves
//! of the best prospect. Among these it follows the pairs of `strategy.rs`, on the losing side too: where the pattern that the
//! person made has a partner that is fresh, it moves there. Else it takes a fresh pattern from which fewest fresh
//! ones are left.

use super::super::{Entry, MAX_SIDE, Move, MoveLimit, Rules, Sign, Start, winner};
use super::evaluation::{Evaluation, Evaluator, MoveValue};
use super::strategy::Strategy;
use crate::board::{Bits, Cell, Size, Symmetry};
use crate::problem::{Opponent, Param, Params, Turn};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Parameters of [`start`].
pub const PARAMS: &[Param] = &[
    Param { key: "n", default: 4.0, min: 1.0, max: MAX_SIDE as f64 },
    Param { key: "you", default: 1.0, min: 1.0, max: 2.0 },
];
/// The greatest side on which patterns left are counted before a move.
const MAX_COUNTED: u32 = 4;
/// The greatest side on which one looks ahead under a limit.
const MAX_FORESEEN: u32 = 4;
/// And without one, where pairs serve on larger boards.
const MAX_FORESEEN_FOR_EVER: u32 = 2;

/// A game from the empty board, in which the person is player `you`.
///
/// # Errors
/// None for the parameters of [`PARAMS`].
pub fn start(rules: &Rules, params: &Params) -> Result<Box<dyn Opponent>, String> {
    let n = params.whole("n");
    let most = if rules.limit == MoveLimit::None { MAX_FORESEEN_FOR_EVER } else { MAX_FORESEEN };
    let mut table = Table {
        rules: *rules,
        size: Size::new(n, n),
        strategy: Strategy::new(n, rules.group),
        foresight: (n <= most).then(|| Evaluator::new(n, rules.group)).transpose()?,
        you: params.whole("you") as u8,
        board: Bits::zeros(Size::new(n, n).cells()),
        produced: FxHashMap::default(),
        moves: 0,
        over: None,
    };
    if rules.start == Start::Counted {
        table.produced.insert(table.least(&table.board), 0);
    }
    Ok(Box::new(table))
}

struct Table {
    rules: Rules,
    size: Size,
    strategy: Strategy,
    foresight: Option<Evaluator>,
    /// The person, 1 or 2.
    you: u8,
    board: Bits,
    /// Patterns, as least images, with the move that produced them.
    produced: FxHashMap<Bits, usize>,
    moves: usize,
    over: Option<String>,
}

impl Table {
    fn image(&self, board: &Bits, g: Symmetry) -> Bits {
        let size = self.size;
        let spots = board.iter().map(|square| size.index(g.apply(size.width, size.cell(square))));
        Bits::from_indices(size.cells(), spots)
    }

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

    fn fresh<'a>(&'a self, board: &'a Bits) -> impl Iterator<Item = usize> + 'a {
        (0..self.size.cells()).filter(|&square| self.is_fresh(&self.toggled(board, square)))
    }

    /// The player whose turn it is.
    fn mover(&self) -> u8 {
        if self.moves.is_multiple_of(2) { 1 } else { 2 }
    }

    /// The partner's square, where it is fresh and such answers are for this player.
    fn paired(&self) -> Option<usize> {
        let square = self.strategy.answer(&self.board);
        // Before the first move there is nothing to answer unless the start counts.
        let answers = self.moves > 0 || self.rules.start == Start::Counted;
        let right = !self.strategy.is_for_odd_boards() || !self.board.count().is_multiple_of(2);
        (answers && right && self.is_fresh(&self.toggled(&self.board, square))).then_some(square)
    }

    /// What the moves come to, where the board is small enough.
    fn sight(&self) -> Option<Evaluation> {
        let foresight = self.foresight.as_ref()?;
        let produced = self.produced.keys().map(|board| foresight.class(word(board)));
        let left = self.rules.moves(self.size.width).map(|most| most - self.moves);
        Some(foresight.look(produced, foresight.class(word(&self.board)), left))
    }

    fn prospect(&self, sight: Option<&Evaluation>, square: usize) -> MoveValue {
        let class = |foresight: &Evaluator| foresight.class(word(&self.toggled(&self.board, square)));
        let class = self.foresight.as_ref().map(class);
        let known = sight.zip(class).and_then(|(sight, class)| sight.prospects.get(&class).copied());
        known.unwrap_or(MoveValue::Open)
    }

    /// The best move known; any where all repeat.
    fn best(&self, sight: Option<&Evaluation>) -> usize {
        let left = |square: usize| {
            let after = self.toggled(&self.board, square);
            let counted = self.size.width <= MAX_COUNTED;
            let here = self.least(&after);
            // The pattern made is produced then, too.
            let fresh = |&next: &usize| self.least(&self.toggled(&after, next)) != here;
            if counted { self.fresh(&after).filter(fresh).count() } else { 1 }
        };
        let paired = self.paired();
        let order = |&square: &usize| {
            let left = left(square);
            // The other has to repeat at once, which may be before the limit; else the partner goes first.
            let unpaired = left > 0 && paired != Some(square);
            (Reverse(self.prospect(sight, square)), left > 0, unpaired, left, square)
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
                "The pattern stood there {earlier}.\nPlayer {} wins on move {}",
                winner(self.moves),
                self.moves
            ));
        } else if self.rules.moves(self.size.width) == Some(self.moves) {
            self.over = Some("Draw".to_owned());
        }
    }

    fn square(&self, text: &str) -> Result<usize, String> {
        let n = self.size.width;
        let right = format!("write a move as 'x y +' or 'x y -', column and row from 1 to {n}");
        let mut tokens: Vec<&str> = text.split_ascii_whitespace().collect();
        // `2 2-`: the sign is glued to the coordinate.
        let glued = tokens.get(1).and_then(|last| last.split_at_checked(last.len() - 1));
        if let (2, Some((number, sign @ ("+" | "-")))) = (tokens.len(), glued) {
            tokens[1] = number;
            tokens.push(sign);
        }
        let [x, y, sign] = tokens[..] else { return Err(format!("'{text}' is no move; {right}")) };
        let number = |text: &str| text.parse().ok().filter(|number| (1..=n).contains(number));
        let (Some(x), Some(y)) = (number(x), number(y)) else {
            return Err(format!("'{text}' is not on the board; {right}"));
        };
        let cell = Cell::new(y - 1, x - 1);
        let legal = Move::toggle(n, &self.board, cell).sign;
        match (sign, legal) {
            ("+", Sign::Place) | ("-", Sign::Take) => Ok(self.size.index(cell)),
            ("+", _) => {
                Err(format!("a spot is at {x} {y}; take it with '{x} {y} -' or choose an empty square"))
            }
            ("-", _) => {
                Err(format!("no spot is at {x} {y}; put one with '{x} {y} +' or choose one of the spots"))
            }
            _ => Err(format!("'{sign}' is no sign; {right}")),
        }
    }
}

/// Bit i for square i.
fn word(board: &Bits) -> u32 {
    board.iter().map(|square| 1 << square).sum()
}

impl Opponent for Table {
    fn intro(&self) -> String {
        let n = self.size.width;
        let same = match self.rules.group.name() {
            "c4" => "turned or not",
            "d4" => "turned or mirrored or not",
            "c2" => "upside down or not",
            _ => "square by square",
        };
        let end =
            self.rules.moves(n).map_or(String::new(), |most| format!(" {most} moves without that: a draw."));
        format!(
            "A move puts a spot on an empty square or takes one away. Who makes a pattern that stood there before, {same}, \
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
        let sight = self.sight();
        let square = self.best(sight.as_ref());
        let wins = self.paired().is_some() && self.strategy.winner(self.rules.start) == self.you;
        let prospect = self.prospect(sight.as_ref(), square);
        let why = match (prospect, &sight) {
            _ if !self.is_fresh(&self.toggled(&self.board, square)) => "every move repeats".to_owned(),
            (MoveValue::Wins, _) => "wins, whatever the other plays".to_owned(),
            (MoveValue::Loses, _) => "loses if the other plays well, like every move".to_owned(),
            _ if wins => format!("{} to answer every pattern", self.strategy.rule()),
            (MoveValue::Open, Some(sight)) if sight.whole => "a draw if both play well".to_owned(),
            (MoveValue::Open, Some(sight)) => format!("repeats nothing; looked {} moves ahead", sight.ahead),
            (MoveValue::Open, None) => "repeats nothing; looked one move ahead".to_owned(),
        };
        format!("{} ({why})", self.text(square))
    }

    fn your_move(&mut self, text: &str) -> Result<(), String> {
        let square = self.square(text)?;
        self.play(square);
        Ok(())
    }

    fn my_move(&mut self) -> String {
        let square = self.best(self.sight().as_ref());
        let text = self.text(square);
        self.play(square);
        text
    }
}
