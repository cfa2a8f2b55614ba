//! Pictures of answers: the two equal boards, the last board of a draw, or the endings of a smudged record.
//! Each spot shows the number of the move that put it there.

use super::answer::reason::Reason;
use super::answer::{Answer, Ending, Finding};
use super::{Instance, Move, Sign};
use counterpoint_core::board::{Cell, Mark, Panel, Sheet, Tile};
use rustc_hash::FxHashMap;

/// The maximum number of squares that are drawn, summed over all boards. At least one board is always drawn. A note
/// gives the number of boards left out.
const MAX_SQUARES: usize = 1 << 16;
/// The maximum number of boards. If there are more, boards that show the moves that rule out an ending are left out.
const MAX_PANELS: usize = 24;

/// Draws an answer. For a smudged record, the lines of the record come first, then the last board of each
/// witness, then the moves that rule out endings.
pub fn picture(instance: &Instance, answer: &Answer, reasons: &[Reason]) -> Sheet {
    let moves: Vec<Move> = instance.record.iter().map_while(|entry| entry.known()).collect();
    match answer {
        Answer::Repeat { mv, earlier, symmetry } => {
            let caption = match earlier {
                0 => "start".to_owned(),
                _ => format!("after move {earlier}"),
            };
            let later = format!("after move {mv}: {}", symmetry.describe());
            let panels =
                vec![after(instance, &moves, *earlier, caption), after(instance, &moves, *mv, later)];
            Sheet { panels, ..Sheet::default() }
        }
        Answer::RepeatAt(mv) => {
            let panels = vec![after(instance, &moves, *mv, format!("after move {mv}"))];
            Sheet { panels, ..Sheet::default() }
        }
        Answer::Draw => {
            let caption = format!("after move {}: a draw", moves.len());
            Sheet { panels: vec![after(instance, &moves, moves.len(), caption)], ..Sheet::default() }
        }
        Answer::Smudged(findings) => smudged(instance, findings, reasons),
    }
}

fn smudged(instance: &Instance, findings: &[Finding], reasons: &[Reason]) -> Sheet {
    let endings = Ending::all(instance.record.len()).zip(findings);
    let mut possible: Vec<(Ending, &[Move])> = endings
        .filter_map(|(ending, finding)| match finding {
            Finding::Possible(witness) => Some((ending, &witness[..])),
            _ => None,
        })
        .collect();
    let drawn = (MAX_SQUARES / instance.size().cells()).max(1);
    let left_out = possible.len().saturating_sub(drawn);
    possible.truncate(drawn);
    let panel =
        |(ending, witness): (Ending, &[Move])| after(instance, witness, witness.len(), ending.to_string());
    let mut panels: Vec<Panel> = possible.into_iter().map(panel).collect();
    let mut notes = Vec::new();
    for reason in reasons.iter().filter(|reason| !reason.core.parts.is_empty()) {
        let panel = ruling_out(instance, reason);
        if panel.tiles.iter().any(|tile| tile.mark == Mark::Frame) && panels.len() < drawn.min(MAX_PANELS) {
            panels.push(panel);
        }
        let lines: Vec<_> = reason.core.parts.iter().map(|line| (line + 1).to_string()).collect();
        let moves = if lines.len() == 1 { "move" } else { "moves" };
        notes.push(format!("{}: ruled out by {moves} {}", reason.ending, lines.join(", ")));
    }
    if left_out > 0 {
        notes.push(format!("{left_out} more possible endings are not drawn"));
    }
    Sheet {
        lines: (1..).zip(&instance.record).map(|(i, entry)| format!("{i}: {entry}")).collect(),
        panels,
        notes,
    }
}

/// A board with the moves that rule out an ending: the number and the sign of each move whose square is known.
fn ruling_out(instance: &Instance, Reason { ending, core }: &Reason) -> Panel {
    let mut moves: FxHashMap<Cell, String> = FxHashMap::default();
    for &line in &core.parts {
        let Some(entry) = instance.record.get(line) else { continue };
        if let (Some(x), Some(y)) = (entry.x(), entry.y()) {
            let sign = match entry.sign() {
                Some(Sign::Place) => "+",
                Some(Sign::Take) => "-",
                None => "?",
            };
            moves.entry(Cell::new(y - 1, x - 1)).or_default().push_str(&format!("{}{sign}", line + 1));
        }
    }
    let tile = |cell| match moves.remove(&cell) {
        Some(text) => Tile { mark: Mark::Frame, ..Tile::new("#fafafa", "#222222", text) },
        None => Tile { letters: "·".to_owned(), ..Tile::new("#fafafa", "#767676", "") },
    };
    Panel {
        caption: format!("{ending}: no"),
        size: instance.size(),
        tiles: instance.size().iter().map(tile).collect(),
    }
}

/// The board after the first `count` moves, with the square of the last of them marked.
pub fn after(instance: &Instance, moves: &[Move], count: usize, caption: String) -> Panel {
    let mut spots: FxHashMap<Cell, usize> = FxHashMap::default();
    for (mv, number) in moves.iter().take(count).zip(1..) {
        match mv.sign {
            Sign::Place => spots.insert(mv.cell, number),
            Sign::Take => spots.remove(&mv.cell),
        };
    }
    let last = moves.iter().take(count).next_back().map(|mv| mv.cell);
    let tile = |cell| {
        let mut tile = match spots.get(&cell) {
            Some(number) => {
                Tile { disc: Some("#333333"), ..Tile::new("#fafafa", "#fafafa", number.to_string()) }
            }
            None => Tile { letters: "·".to_owned(), ..Tile::new("#fafafa", "#767676", "") },
        };
        if last == Some(cell) {
            tile.mark = Mark::Frame;
        }
        tile
    };
    Panel { caption, size: instance.size(), tiles: instance.size().iter().map(tile).collect() }
}
