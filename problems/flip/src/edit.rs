//! A board that is changed by clicks: a click gives a square the next colour, a drag copies a colour.

use super::picture::plain;
use super::{Instance, MAX_SIDE, Rules};
use counterpoint_core::board::{Digits, Panel, Size};
use counterpoint_core::problem::{Edit, Empty, MAX_EDITED, Param, Params, Touch};

/// The editor.
pub const EDIT: Edit<super::Flip> = Edit {
    about: "A click gives a square the next colour. A drag paints squares with the colour of the first one.",
    boards,
    touch,
    empty: Empty {
        params: &[
            Param::number("width", 4.0, 1.0, MAX_SIDE as f64),
            Param::number("height", 4.0, 1.0, MAX_SIDE as f64),
        ],
        squares: |params| u64::from(params.whole("width")) * u64::from(params.whole("height")),
        make: empty,
    },
};

fn boards(rules: &Rules, instance: &Instance) -> Vec<Panel> {
    let shown = instance.size.cells() <= MAX_EDITED;
    shown.then(|| plain(rules, instance)).into_iter().collect()
}

fn empty(_: &Rules, params: &Params) -> Instance {
    let size = Size::new(params.whole("width"), params.whole("height"));
    Instance { size, squares: Digits::zeros(size.cells()) }
}

fn touch(rules: &Rules, instance: &Instance, touch: Touch) -> Instance {
    let Instance { size, squares } = instance;
    let first = squares.get(size.index(touch.from));
    let painted = if touch.is_click() { (first + 1) % rules.colours } else { first };
    let mut edited = Digits::default();
    for (i, cell) in size.iter().enumerate() {
        edited.push(if cell == touch.to { painted } else { squares.get(i) });
    }
    Instance { size: *size, squares: edited }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Stencil, Target};
    use counterpoint_core::board::Cell;

    #[test]
    fn clicks_cycle_through_the_colours_and_drags_copy_one() {
        let (size, within) = (Size::new(2, 1), None);
        let goal = Goal::Fewest;
        let rules =
            Rules { size: None, colours: 3, stencil: Stencil::Plus, target: Target::White, goal, within };
        let mut board = Instance { size, squares: Digits::zeros(2) };
        let [left, right] = [Cell::new(0, 0), Cell::new(0, 1)];
        let colours = |board: &Instance| [board.squares.get(0), board.squares.get(1)];
        for expected in [[1, 0], [2, 0], [0, 0], [1, 0]] {
            board = touch(&rules, &board, Touch { board: 0, from: left, to: left });
            assert_eq!(colours(&board), expected);
        }
        board = touch(&rules, &board, Touch { board: 0, from: left, to: right });
        assert_eq!(colours(&board), [1, 1]);
        assert_eq!(boards(&rules, &board)[0].tiles.len(), 2);
        let large = Instance { size: Size::new(51, 50), squares: Digits::zeros(2550) };
        assert!(boards(&rules, &large).is_empty());
        let wide = [("width".to_owned(), "3".to_owned())];
        let params = Params::new(EDIT.empty.params, &wide).unwrap();
        let board = empty(&rules, &params);
        assert_eq!((board.size, (EDIT.empty.squares)(&params)), (Size::new(3, 4), 12));
        assert!((0..12).all(|i| board.squares.get(i) == 0));
    }
}
