//! SVG: the two equal boards side by side, the last board of a draw, or a smudged record and its endings.

use super::answer::{Answer, Ending, Finding};
use super::{Instance, Move, Rules};
use crate::board::{Bits, Drawing, Size};

/// A board under its caption.
struct Panel {
    caption: String,
    board: Bits,
}

/// Squares of all boards that are drawn, a board at the least; what is left out is told.
const MOST_SQUARES: usize = 1 << 16;
/// Lines of a record above each other, at the least.
const LEAST_LINES: usize = 12;

/// The answer as a drawing. A smudged record stands in lines before the last board of each witness.
pub fn picture(_: &Rules, instance: &Instance, answer: &Answer) -> String {
    let moves: Vec<Move> = instance.record.iter().map_while(|entry| entry.known()).collect();
    let panels: Vec<Panel> = match answer {
        Answer::Repeat { mv, earlier, symmetry } => {
            let caption = match earlier {
                0 => "start".to_owned(),
                _ => format!("after move {earlier}"),
            };
            let later = format!("after move {mv}: {}", symmetry.describe());
            vec![
                Panel { caption, board: board_after(instance, &moves, *earlier) },
                Panel { caption: later, board: board_after(instance, &moves, *mv) },
            ]
        }
        Answer::Draw => vec![Panel {
            caption: format!("after move {}: a draw", moves.len()),
            board: board_after(instance, &moves, moves.len()),
        }],
        Answer::Smudged(findings) => {
            let endings = Ending::all(instance.record.len()).zip(findings);
            let mut possible: Vec<(Ending, &[Move])> = endings
                .filter_map(|(ending, finding)| match finding {
                    Finding::Possible(witness) => Some((ending, &witness[..])),
                    _ => None,
                })
                .collect();
            let drawn = (MOST_SQUARES / instance.size().cells()).max(1);
            let left_out = possible.len().saturating_sub(drawn);
            possible.truncate(drawn);
            let last = possible.len();
            let panel = |(i, (ending, witness)): (usize, (Ending, &[Move]))| Panel {
                caption: match left_out {
                    1.. if i + 1 == last => format!("{ending}; {left_out} endings more"),
                    _ => ending.to_string(),
                },
                board: board_after(instance, witness, witness.len()),
            };
            possible.into_iter().enumerate().map(panel).collect()
        }
    };
    let record = match answer {
        Answer::Smudged(_) => (1..).zip(&instance.record).map(|(i, entry)| format!("{i}: {entry}")).collect(),
        _ => Vec::new(),
    };
    draw(instance.n, &record, &panels)
}

fn board_after(instance: &Instance, moves: &[Move], count: usize) -> Bits {
    let mut board = Bits::zeros(instance.size().cells());
    for mv in moves.iter().take(count) {
        mv.apply(instance.n, &mut board);
    }
    board
}

fn draw(n: u32, record: &[String], panels: &[Panel]) -> String {
    let side = f64::from(n);
    // A square is wide enough for five letters of a caption, and high enough for two lines.
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64 / 5.0
    };
    let column = widest(&mut record.iter()) + 1.0;
    let lines = LEAST_LINES.max(2 * n as usize);
    let start = column * record.len().div_ceil(lines) as f64;
    let step = side.max(widest(&mut panels.iter().map(|panel| &panel.caption))) + 1.0;
    let last = panels.len().saturating_sub(1) as f64;
    let mut drawing = Drawing::new(start + step * last + side, side);
    for (i, line) in record.iter().enumerate() {
        drawing.caption(column * (i / lines) as f64, 0.5 * (i % lines + 1) as f64, line);
    }
    for (i, Panel { caption, board }) in panels.iter().enumerate() {
        let left = start + step * i as f64;
        for cell in Size::new(n, n).iter() {
            let (x, y) = (left + f64::from(cell.col), f64::from(cell.row));
            drawing.square(x, y, "#fafafa");
            if board.get(Size::new(n, n).index(cell)) {
                drawing.disc(x, y, 0.3, "#333");
            }
        }
        drawing.caption(left, side + 0.7, caption);
    }
    drawing.finish()
}
