//! Boards as JSON for the page. Literals are numbers as in DIMACS.

use counterpoint_core::problem::{Board, Ground, Mark, Scene, Shape, Square};
use counterpoint_encodings::Lit;
use serde_json::{Value, json};

/// The strips of a scene, each of which is a row of boards.
pub(super) fn strips(scene: &Scene) -> Value {
    let strip = scene.strips.iter().map(|strip| {
        let boards = strip.boards.iter().map(board);
        json!({ "title": strip.title, "boards": boards.collect::<Vec<_>>() })
    });
    strip.collect()
}

/// A literal as in DIMACS.
pub(super) fn number(lit: Lit) -> i32 {
    lit.to_ipasir()
}

fn board(board: &Board) -> Value {
    json!({
        "title": board.title,
        "lit": board.lit.map(number),
        "rows": board.size.height,
        "columns": board.size.width,
        "squares": board.squares.iter().map(square).collect::<Vec<_>>(),
    })
}

fn square(square: &Square) -> Value {
    json!({
        "ground": ground(square.ground),
        "turned": square.turned.iter().copied().map(number).collect::<Vec<_>>(),
        "marks": square.marks.iter().map(mark).collect::<Vec<_>>(),
    })
}

fn ground(ground: Ground) -> &'static str {
    match ground {
        Ground::White => "white",
        Ground::Black => "black",
        Ground::Hit => "hit",
        Ground::Miss => "miss",
        Ground::Unknown => "unknown",
        Ground::Plain => "plain",
    }
}

fn mark(mark: &Mark) -> Value {
    /// The number of tones in the style sheet.
    const TONES: usize = 8;
    let (shape, tone) = match mark.shape {
        Shape::Disc => ("disc", 0),
        Shape::Spot => ("spot", 0),
        Shape::Ring => ("ring", 0),
        Shape::Ship(number) => ("ship", number % TONES),
        Shape::Nothing => ("none", 0),
    };
    json!({ "lit": mark.lit.map(number), "shape": shape, "tone": tone, "own": mark.own })
}
