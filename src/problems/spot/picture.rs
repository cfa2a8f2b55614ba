//! SVG: the two equal boards side by side, or the last board of a draw.

use super::answer::{Answer, Ending, Finding};
use super::{Instance, Move, Rules};
use crate::board::Bits;
use std::fmt::Write;

const SQUARE: u32 = 24;
const MARGIN: u32 = 12;
const CAPTION: u32 = 24;

/// A board under its caption.
struct Panel {
    caption: String,
    board: Bits,
}

/// The answer as a drawing. A smudged record shows the last board of each witness.
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
        Answer::Smudged(findings) => (Ending::all(instance.record.len()).zip(findings))
            .filter_map(|(ending, finding)| match finding {
                Finding::Possible(witness) => Some(Panel {
                    caption: ending.to_string(),
                    board: board_after(instance, witness, witness.len()),
                }),
                _ => None,
            })
            .collect(),
    };
    draw(instance.n, &panels)
}

fn board_after(instance: &Instance, moves: &[Move], count: usize) -> Bits {
    let mut board = Bits::zeros(instance.size().cells());
    for mv in moves.iter().take(count) {
        mv.apply(instance.n, &mut board);
    }
    board
}

fn draw(n: u32, panels: &[Panel]) -> String {
    let side = n * SQUARE;
    // Wide enough for the longest caption at 12 pixels a letter height.
    let letters = panels.iter().map(|panel| panel.caption.len()).max().unwrap_or(0) as u32;
    let step = side.max(7 * letters) + MARGIN;
    let (width, height) = (MARGIN + step * panels.len() as u32, side + CAPTION + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    let top = MARGIN + CAPTION;
    for (i, Panel { caption, board }) in panels.iter().enumerate() {
        let left = MARGIN + step * i as u32;
        // Writing to a String cannot fail.
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">{caption}</text>", top - MARGIN / 2);
        let _ = write!(svg, "<path fill=\"none\" stroke=\"#888\" d=\"");
        for line in 0..=n {
            let at = line * SQUARE;
            let _ = write!(svg, "M{left} {}h{side}M{} {top}v{side}", top + at, left + at);
        }
        svg.push_str("\"/>\n");
        for square in board.iter() {
            let (row, col) = (square as u32 / n, square as u32 % n);
            let (x, y) = (left + col * SQUARE + SQUARE / 2, top + row * SQUARE + SQUARE / 2);
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", SQUARE / 3);
        }
    }
    svg + "</svg>\n"
}
