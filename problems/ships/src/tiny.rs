//! Boards for testing external encoders: all tiny boards, and small random ones. Also draws covered sets.

use super::families::fill::tight;
use super::{Instance, JUDGE_SIDE, MIN_SIDE, Rules, Square, trials};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Mark, Panel, Sheet, Size, Tile};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Encoding, NamedCell};
use rand::RngExt;

/// If a fleet has at most this many squares, all boards of at most this many squares are tested.
const MAX_CELLS: usize = 6;

/// For larger fleets, the maximum number of squares by which a tiny board exceeds the fleet.
const SPARE: usize = 2;
/// Maximum number of squares by which a random board exceeds the fleet.
const RANDOM_SPARE: usize = 8;

/// How encoders for this problem are tested.
pub const ENCODING: Encoding<Rules, Instance> = Encoding {
    models: "the sets of squares covered by the fleets that fit the board",
    extent: |rules| match rules.fleet.cells() {
        0..=MAX_CELLS => format!("up to {MAX_CELLS} squares"),
        _ => "two rows or columns, just large enough for the fleet, at most one square shown as hit or miss"
            .to_owned(),
    },
    tiny,
    random,
    smaller: trials::smaller,
    cells: |instance| {
        let cell = |(cell, square): (_, &Square)| NamedCell {
            name: format!("covered {cell}"),
            shown: match square {
                Square::Unknown => None,
                Square::Hit => Some(true),
                Square::Miss => Some(false),
            },
        };
        instance.size.iter().zip(&instance.squares).map(cell).collect()
    },
    draw,
};

/// All board sizes that the judge allows and that have `min` to `max` squares, the smallest first.
fn sizes(min: usize, max: usize) -> Vec<Size> {
    let sides = MIN_SIDE..=JUDGE_SIDE;
    let all = sides.clone().flat_map(|height| sides.clone().map(move |width| Size::new(width, height)));
    let mut sizes: Vec<_> = all.filter(|size| (min..=max).contains(&size.cells())).collect();
    sizes.sort_by_key(|size| size.cells());
    sizes
}

/// For a fleet of at most six squares, all boards of at most six squares. For a larger fleet, the boards of
/// two rows or columns that have one or two squares more than the fleet, and that show at most one square as
/// a hit or a miss. Boards that have exactly as many squares as the fleet are left out. On many of them, no
/// fleet fits, but only because of the numbers of black and white chessboard squares. A solver takes long to
/// derive this from a formula that does not count these squares.
fn tiny(rules: &Rules) -> Box<dyn Iterator<Item = Instance>> {
    let cells = rules.fleet.cells();
    if cells <= MAX_CELLS {
        return Box::new(sizes(0, MAX_CELLS).into_iter().flat_map(|size| {
            let board = move |number: usize| {
                let square = |i: usize| SQUARES[number / 3usize.pow(i as u32) % 3];
                Instance { size, squares: (0..size.cells()).map(square).collect() }
            };
            (0..3usize.pow(size.cells() as u32)).map(board)
        }));
    }
    let thin = |size: &Size| size.width.min(size.height) == MIN_SIDE;
    Box::new(sizes(cells + 1, cells + SPARE).into_iter().filter(thin).flat_map(|size| {
        let board = move |number: usize| {
            let mut squares = vec![Square::Unknown; size.cells()];
            // In board number 0 every square is unknown.
            if let Some(number) = number.checked_sub(1) {
                squares[number / 2] = SQUARES[1 + number % 2];
            }
            Instance { size, squares }
        };
        (0..=2 * size.cells()).map(board)
    }))
}

const SQUARES: [Square; 3] = [Square::Unknown, Square::Hit, Square::Miss];

/// A random fleet with a few unknown squares; on every other board, one square is then changed, so that the fleet need
/// not fit. For a fleet of at most six squares, every third board has random squares instead.
fn random(rules: &Rules, round: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let cells = rules.fleet.cells();
    let sizes = sizes(cells, cells + RANDOM_SPARE);
    let Some(&size) = sizes.get(rng.random_range(0..sizes.len().max(1))) else {
        return Err(format!("no board has room for a fleet of {cells} squares").into());
    };
    if cells <= MAX_CELLS && round % 3 == 2 {
        let mut squares = vec![Square::Unknown; size.cells()];
        for _ in 0..rng.random_range(0..=size.cells() / 2) {
            squares[rng.random_range(0..size.cells())] = SQUARES[rng.random_range(1..3)];
        }
        return Ok(Instance { size, squares });
    }
    let mut board = tight(rules, size, 8, rng)?;
    if round.is_multiple_of(2) {
        let square = &mut board.squares[rng.random_range(0..size.cells())];
        *square = match square {
            Square::Hit => Square::Miss,
            Square::Miss | Square::Unknown => Square::Hit,
        };
    }
    Ok(board)
}

/// Draws the board and, beside it, the squares that are covered according to `values`.
fn draw(_: &Rules, instance: &Instance, values: &[Option<bool>]) -> Sheet {
    let size = instance.size;
    let board = instance.squares.iter().map(|square| match square {
        Square::Unknown => Tile::new("#d9d9d9", "#333333", "."),
        Square::Hit => Tile::new("#333333", "#fafafa", "x"),
        Square::Miss => Tile::new("#fafafa", "#333333", "o"),
    });
    let covered = instance.squares.iter().zip(values).map(|(square, value)| {
        let mut tile = match value {
            Some(true) => Tile::new("#0072b2", "#fafafa", "x"),
            Some(false) => Tile::new("#fafafa", "#333333", "."),
            None => Tile::new("#d9d9d9", "#333333", "?"),
        };
        if *square == Square::Unknown && *value == Some(true) {
            tile.mark = Mark::Brackets;
        }
        tile
    });
    let panel = |caption: &str, tiles: Vec<Tile>| Panel { caption: caption.to_owned(), size, tiles };
    let panels = vec![panel("the board", board.collect()), panel("covered", covered.collect())];
    Sheet { panels, ..Sheet::default() }
}
