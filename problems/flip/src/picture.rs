//! Draws the board and marks the squares to press or, if the board is impossible, the squares that prove this.

use super::answer::reason::Reason;
use super::answer::{Answer, outcome};
use super::{Instance, Rules};
use counterpoint_core::board::{Mark, Panel, Sheet, Size, Tile};
use rustc_hash::FxHashMap;

/// The maximum number of rows and columns that are drawn; larger boards are cut off.
const MOST: u32 = 128;

/// Draws the squares in black and white or, with more than two colours, in grey with digits. Discs mark the squares to
/// press. Frames mark the squares that prove the board impossible; with two colours, these squares have crosses, too.
pub fn picture(rules: &Rules, instance: &Instance, answer: &Answer, reason: Option<&Reason>) -> Sheet {
    let size = Size::new(instance.size.width.min(MOST), instance.size.height.min(MOST));
    let marks: FxHashMap<usize, u32> = match (answer, reason) {
        (Answer::Presses { presses, .. }, _) => presses.iter().collect(),
        (Answer::Number { .. }, _) => FxHashMap::default(),
        (Answer::Impossible(_), Some(Reason::Circuit(weights))) => weights.iter().copied().collect(),
        (Answer::Impossible(weights), _) => weights.iter().flat_map(|weights| weights.iter()).collect(),
    };
    let presses = matches!(answer, Answer::Presses { .. });
    let tile = |cell| {
        let square = instance.size.index(cell);
        let colour = instance.squares.get(square);
        let mut tile = ground(colour, rules.colours);
        if let Some(&n) = marks.get(&square) {
            tile.mark = if presses { Mark::Brackets } else { Mark::Frame };
            tile.text = match (presses, n) {
                (true, 1) => String::new(),
                (false, 1) => "×".to_owned(),
                _ => n.to_string(),
            };
            if presses {
                tile.disc = Some("#d55e00");
                tile.ink = "#111111";
            } else if rules.colours == 2 {
                // These inks are legible on the colour of the square.
                tile.ink = if is_dark(colour, rules.colours) { "#56b4e9" } else { "#0072b2" };
            }
            if n > 1 {
                tile.letters.push_str(&format!("×{n}"));
            }
        }
        // Shades of grey alone are hard to tell apart, so digits are added.
        if rules.colours > 2 {
            tile.text = tile.letters.clone();
        }
        tile
    };
    let (caption, notes) = match answer {
        Answer::Presses { presses, .. } if presses.total() == 0 => (outcome(answer), Vec::new()),
        Answer::Presses { .. } => {
            let often =
                marks.values().any(|&n| n > 1).then(|| "digits are colours; ×2: press twice".to_owned());
            (format!("{}: press the marked squares", outcome(answer)), often.into_iter().collect())
        }
        Answer::Number { .. } => (outcome(answer), Vec::new()),
        Answer::Impossible(_) if marks.is_empty() => ("impossible".to_owned(), Vec::new()),
        Answer::Impossible(_) if rules.colours > 2 => (
            "impossible".to_owned(),
            vec![format!(
                "each press changes the weighted sum of the marked squares' colours by a multiple of {}",
                rules.colours
            )],
        ),
        Answer::Impossible(_) => (
            "impossible".to_owned(),
            vec![
                "each press turns over an even number of marked squares; an odd number must change"
                    .to_owned(),
            ],
        ),
    };
    let tiles = size.iter().map(tile).collect();
    Sheet { panels: vec![Panel { caption, size, tiles }], notes, ..Sheet::default() }
}

/// The board without marks.
pub fn plain(rules: &Rules, instance: &Instance) -> Panel {
    let tile = |cell| {
        let tile = ground(instance.squares.get(instance.size.index(cell)), rules.colours);
        Tile { text: if rules.colours > 2 { tile.letters.clone() } else { String::new() }, ..tile }
    };
    Panel { caption: String::new(), size: instance.size, tiles: instance.size.iter().map(tile).collect() }
}

/// A square without text in a drawing.
fn ground(colour: u32, colours: u32) -> Tile {
    let ink = if is_dark(colour, colours) { "#fafafa" } else { "#111111" };
    let letters = match (colour, colours) {
        (0, 2) => "w".to_owned(),
        (_, 2) => "b".to_owned(),
        _ => colour.to_string(),
    };
    Tile { letters, ..Tile::new(shade(colour, colours), ink, "") }
}

fn is_dark(colour: u32, colours: u32) -> bool {
    2 * colour >= colours
}

/// White, black, and greys between them.
fn shade(colour: u32, colours: u32) -> &'static str {
    const GREYS: [&str; 7] = ["#fafafa", "#d9d9d9", "#b8b8b8", "#969696", "#757575", "#545454", "#333333"];
    GREYS[(colour * 6 / (colours - 1)).min(6) as usize]
}
