//! Boards on which the user's encoder is tested, and drawings of the models of its formulas.

use super::{Instance, Rules, trials};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Bits, Mark, Panel, Sheet, Size, Tile};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Encoding, NamedCell};
use rand::RngExt;

/// The longest side of tiny boards if the rules name no size.
const MAX_SIDE: u32 = 3;
/// The maximum number of squares of tiny boards if the rules name a size.
const MAX_CELLS: usize = 9;

/// The longest side of random boards.
const RANDOM_SIDE: u32 = 5;

/// The boards, the names of their cells, and the drawings for the test of an encoding.
pub const ENCODING: Encoding<Rules, Instance> = Encoding {
    models: "the sets of presses that make the board one colour",
    extent: |rules| match rules.size {
        Some(size) => format!("of {size}"),
        None => format!("up to {MAX_SIDE}x{MAX_SIDE}"),
    },
    tiny,
    random,
    smaller,
    cells: |instance| {
        instance.size.iter().map(|cell| NamedCell { name: format!("press {cell}"), shown: None }).collect()
    },
    draw,
};

/// Enumerates all boards of the rules' size, or of all tiny sizes if the rules name none. It enumerates no boards if
/// the rules' size has more than [`MAX_CELLS`] squares. The smallest sizes come first, and each size begins with the
/// white board.
fn tiny(rules: &Rules) -> Box<dyn Iterator<Item = Instance>> {
    let sides = 1..=MAX_SIDE;
    let mut sizes: Vec<_> =
        sides.clone().flat_map(|height| sides.clone().map(move |width| Size::new(width, height))).collect();
    sizes.sort_by_key(|size| size.cells());
    if let Some(size) = rules.size {
        sizes = if size.cells() <= MAX_CELLS { vec![size] } else { Vec::new() };
    }
    Box::new(sizes.into_iter().flat_map(|size| {
        let board = move |black: u64| Instance { size, squares: Bits::of_word(size.cells(), black).into() };
        (0..1 << size.cells()).map(board)
    }))
}

/// Whether a board of this size reads back as one board if the rules name no size. Rows of four squares are then read
/// as the judge's 4×4 boards.
fn reads_back(size: Size) -> bool {
    size.width != 4 || size.height == 4
}

/// A random board of the rules' size, or of a random size if the rules name none. Even rounds choose random
/// colours; odd rounds press random squares of a white board, so that the board can be solved.
fn random(rules: &Rules, round: u64, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let mut side = || rng.random_range(1..=RANDOM_SIDE);
    let mut size = Size::new(side(), side());
    while !reads_back(size) {
        size = Size::new(side(), side());
    }
    let size = rules.size.unwrap_or(size);
    let mut black = Bits::zeros(size.cells());
    for cell in size.iter().filter(|_| rng.random()) {
        match round % 2 {
            0 => black.flip(size.index(cell)),
            _ => rules.stencil.squares(size, cell).into_iter().for_each(|cell| black.flip(size.index(cell))),
        }
    }
    Ok(Instance { size, squares: black.into() })
}

/// Candidates for shrinking: the board without its last row or column, then boards with fewer black squares.
fn smaller(instance: &Instance) -> Vec<Instance> {
    let Size { width, height } = instance.size;
    let cut = |size: Size| {
        let black = size.iter().filter(|&cell| instance.squares.get(instance.size.index(cell)) == 1);
        let black = black.map(|cell| size.index(cell)).collect::<Vec<_>>();
        Instance { size, squares: Bits::from_indices(size.cells(), black).into() }
    };
    let mut found = Vec::new();
    found.extend((height > 1).then(|| cut(Size::new(width, height - 1))));
    found.extend((width > 1).then(|| cut(Size::new(width - 1, height))));
    found.retain(|board| reads_back(board.size));
    found.extend(trials::smaller(instance));
    found
}

/// Draws the board with the presses marked, and the board after the presses.
fn draw(rules: &Rules, instance: &Instance, values: &[Option<bool>]) -> Sheet {
    let size = instance.size;
    let panel = |caption: &str, black: &Bits, marked: bool| {
        let tile = |i: usize| {
            let (fill, ink, letter) =
                if black.get(i) { ("#333333", "#fafafa", "b") } else { ("#fafafa", "#333333", "w") };
            let mut tile = Tile::new(fill, ink, letter);
            if marked && values.get(i) == Some(&Some(true)) {
                tile.mark = Mark::Brackets;
            }
            tile
        };
        Panel { caption: caption.to_owned(), size, tiles: (0..size.cells()).map(tile).collect() }
    };
    let before = instance.squares.odd();
    let mut after = before.clone();
    for (cell, _) in size.iter().zip(values).filter(|(_, value)| **value == Some(true)) {
        rules.stencil.squares(size, cell).into_iter().for_each(|cell| after.flip(size.index(cell)));
    }
    let panels = vec![panel("presses", before, true), panel("then", &after, false)];
    Sheet { panels, ..Sheet::default() }
}
