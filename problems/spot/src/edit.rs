//! One board for each move of a record. A click on a board moves there.

use super::picture::after;
use super::{Entry, Instance, MAX_SIDE, Move, Rules};
use counterpoint_core::board::{Bits, Panel, Tile};
use counterpoint_core::problem::{Edit, Empty, MAX_EDITED, Param, Params, Touch};

/// The editor.
pub const EDIT: Edit<super::Spot> = Edit {
    about: "Each board shows the game after one move. A click on a square makes that move there: it puts a spot on the \
            square or takes one away. The frame around the square of a move can also be dragged. The signs of later moves \
            follow.",
    boards,
    touch,
    empty: Empty {
        params: &[Param::number("side", 2.0, 1.0, MAX_SIDE as f64)],
        squares: |params| 2 * u64::from(params.whole("side")).pow(3),
        make: empty,
    },
};

/// The board after each move. After a move that is not entirely known, the squares are unknown.
fn boards(_: &Rules, instance: &Instance) -> Vec<Panel> {
    if instance.record.len().saturating_mul(instance.size().cells()) > MAX_EDITED {
        return Vec::new();
    }
    let moves: Vec<Move> = instance.record.iter().map_while(|entry| entry.known()).collect();
    let panel = |(number, entry): (usize, &Entry)| {
        let caption = format!("{number}: {entry}");
        if number <= moves.len() {
            return after(instance, &moves, number, caption);
        }
        let tile = |_| Tile::new("#fafafa", "#767676", "?");
        Panel { caption, size: instance.size(), tiles: instance.size().iter().map(tile).collect() }
    };
    (1..).zip(&instance.record).map(panel).collect()
}

/// A record of 2n unknown moves.
fn empty(_: &Rules, params: &Params) -> Instance {
    let n = params.whole("side");
    Instance { n, record: vec![Entry::UNKNOWN; 2 * n as usize] }
}

fn touch(_: &Rules, instance: &Instance, touch: Touch) -> Instance {
    let (n, mut record) = (instance.n, instance.record.clone());
    let mut board = Some(Bits::zeros(instance.size().cells()));
    for (number, entry) in record.iter_mut().enumerate() {
        let cell = if number == touch.board { Some(touch.to) } else { entry.known().map(|mv| mv.cell) };
        // Before an unknown move the board is known, and a sign can be derived from it.
        let Some(cell) = cell else {
            board = None;
            continue;
        };
        match &mut board {
            Some(board) => {
                let mv = Move::toggle(n, board, cell);
                mv.apply(n, board);
                *entry = mv.into();
            }
            None if number == touch.board => {
                *entry = Entry::new(Some(cell.col + 1), Some(cell.row + 1), entry.sign());
            }
            None => {}
        }
    }
    Instance { n, record }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_core::board::{Cell, Group};

    fn lines(instance: &Instance) -> Vec<String> {
        instance.record.iter().map(ToString::to_string).collect()
    }

    fn click(instance: &Instance, board: usize, row: u32, col: u32) -> Instance {
        let rules = Rules {
            group: Group::C4,
            start: crate::Start::Uncounted,
            limit: crate::MoveLimit::TwiceN,
            legality: crate::Legality::Strict,
        };
        let cell = Cell::new(row, col);
        assert_eq!(boards(&rules, instance).len(), instance.record.len());
        touch(&rules, instance, Touch { board, from: cell, to: cell })
    }

    #[test]
    fn later_signs_follow() {
        let place = |row, col| Entry::new(Some(col), Some(row), Some(crate::Sign::Place));
        let take = |row, col| Entry::new(Some(col), Some(row), Some(crate::Sign::Take));
        let record = vec![place(1, 1), place(2, 2), take(2, 2), place(1, 2)];
        let game = Instance { n: 2, record };
        let edited = click(&game, 1, 0, 0);
        assert_eq!(lines(&edited), ["1 1 +", "1 1 -", "2 2 +", "2 1 +"]);
        assert_eq!(lines(&click(&edited, 1, 1, 1)), lines(&game));
    }

    #[test]
    fn an_empty_record_is_filled_move_by_move() {
        let rules = Rules {
            group: Group::C4,
            start: crate::Start::Uncounted,
            limit: crate::MoveLimit::TwiceN,
            legality: crate::Legality::Strict,
        };
        let params = Params::new(EDIT.empty.params, &[]).unwrap();
        let game = empty(&rules, &params);
        assert_eq!((EDIT.empty.squares)(&params), 16);
        assert_eq!(lines(&game), ["? ? ?"; 4]);
        let game = click(&click(&game, 0, 0, 0), 1, 0, 0);
        assert_eq!(lines(&game), ["1 1 +", "1 1 -", "? ? ?", "? ? ?"]);
    }

    #[test]
    fn after_an_unknown_move_signs_stay() {
        let place = |row, col| Entry::new(Some(col), Some(row), Some(crate::Sign::Place));
        let game = Instance { n: 2, record: vec![place(1, 1), Entry::UNKNOWN, place(2, 2), Entry::UNKNOWN] };
        assert_eq!(lines(&click(&game, 2, 0, 0)), ["1 1 +", "? ? ?", "1 1 +", "? ? ?"]);
        assert_eq!(lines(&click(&game, 1, 1, 1)), ["1 1 +", "2 2 +", "2 2 -", "? ? ?"]);
        assert_eq!(lines(&click(&game, 3, 0, 1)), ["1 1 +", "? ? ?", "2 2 +", "2 1 ?"]);
    }
}
