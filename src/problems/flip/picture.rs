//! The board with the squares to press, or with the marked squares that no press changes oddly.

use super::Instance;
use super::answer::{Answer, outcome};
use crate::board::{Cell, Drawing};

/// The widest and highest board that is drawn square by square.
const MOST: u32 = 128;

/// An SVG drawing.
pub fn picture(instance: &Instance, answer: &Answer) -> String {
    let size = instance.size;
    let (w, h) = (f64::from(size.width.min(MOST)), f64::from(size.height.min(MOST)));
    let mut drawing = Drawing::new(w, h);
    let at = |cell: Cell| (f64::from(cell.col), f64::from(cell.row));
    let shown = |cell: &Cell| cell.row < MOST && cell.col < MOST;
    for cell in size.iter().filter(shown) {
        let (x, y) = at(cell);
        drawing.square(x, y, if instance.black.get(size.index(cell)) { "#333" } else { "#fafafa" });
    }
    match answer {
        Answer::Presses { cells, .. } => cells.iter().filter(|c| shown(c)).for_each(|&cell| {
            let (x, y) = at(cell);
            drawing.disc(x, y, 0.28, "#d55e00");
        }),
        Answer::Impossible(weights) => weights.iter().flatten().filter(|c| shown(c)).for_each(|&cell| {
            let (x, y) = at(cell);
            // Legible on either colour.
            let colour = if instance.black.get(size.index(cell)) { "#56b4e9" } else { "#0072b2" };
            drawing.mark(x, y, colour, "×");
        }),
    }
    let text = match answer {
        Answer::Presses { .. } => format!("{}: press the discs", outcome(answer)),
        Answer::Impossible(Some(_)) => {
            "impossible: each press turns an even number of ×, an odd number is wrong".to_owned()
        }
        Answer::Impossible(None) => "impossible".to_owned(),
    };
    drawing.caption(0.0, h + 0.7, &text);
    drawing.finish()
}
