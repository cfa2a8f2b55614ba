//! A board that is changed by clicks: unknown, hit, miss, in turn.

use super::picture::plain;
use super::{Instance, MAX_SIDE, MIN_SIDE, Rules, Square};
use counterpoint_core::board::{Panel, Size};
use counterpoint_core::problem::{Edit, Empty, MAX_EDITED, Param, Params, Touch};

/// The editor.
pub const EDIT: Edit<super::Ships> = Edit {
    about: "A click makes an unknown square a hit (x), a hit a miss (o), and a miss unknown again. A drag paints squares \
            like the first one.",
    boards,
    touch,
    empty: Empty {
        params: &[
            Param::number("width", 6.0, MIN_SIDE as f64, MAX_SIDE as f64),
            Param::number("height", 6.0, MIN_SIDE as f64, MAX_SIDE as f64),
        ],
        squares: |params| u64::from(params.whole("width")) * u64::from(params.whole("height")),
        make: empty,
    },
};

fn boards(_: &Rules, instance: &Instance) -> Vec<Panel> {
    let shown = instance.size.cells() <= MAX_EDITED;
    shown.then(|| plain(instance)).into_iter().collect()
}

fn empty(_: &Rules, params: &Params) -> Instance {
    let size = Size::new(params.whole("width"), params.whole("height"));
    Instance { size, squares: vec![Square::Unknown; size.cells()] }
}

fn touch(_: &Rules, instance: &Instance, touch: Touch) -> Instance {
    let first = instance.at(touch.from);
    let painted = match first {
        _ if !touch.is_click() => first,
        Square::Unknown => Square::Hit,
        Square::Hit => Square::Miss,
        Square::Miss => Square::Unknown,
    };
    let mut edited = instance.clone();
    edited.squares[instance.size.index(touch.to)] = painted;
    edited
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Fleet};
    use counterpoint_core::board::Cell;

    #[test]
    fn clicks_cycle_and_drags_copy() {
        let rules = Rules { misses: 1, fleet: Fleet { ships: Vec::new() }, dialect: Dialect::Auto };
        let mut board = Instance { size: Size::new(2, 2), squares: vec![Square::Unknown; 4] };
        let [from, to] = [Cell::new(1, 0), Cell::new(0, 1)];
        for expected in [Square::Hit, Square::Miss, Square::Unknown, Square::Hit] {
            board = touch(&rules, &board, Touch { board: 0, from, to: from });
            assert_eq!(board.at(from), expected);
        }
        board = touch(&rules, &board, Touch { board: 0, from, to });
        assert_eq!(board.squares, [Square::Unknown, Square::Hit, Square::Hit, Square::Unknown]);
        assert_eq!(boards(&rules, &board).len(), 1);
        let params = Params::new(EDIT.empty.params, &[("height".to_owned(), "2".to_owned())]).unwrap();
        let board = empty(&rules, &params);
        assert_eq!((board.size, (EDIT.empty.squares)(&params)), (Size::new(6, 2), 12));
        assert_eq!(board.squares, vec![Square::Unknown; 12]);
    }
}
