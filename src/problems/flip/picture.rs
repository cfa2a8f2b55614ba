//! The board with the squares to press, or with the marked squares that no press changes oddly.

use super::answer::{Answer, outcome};
use super::{Instance, Rules};
use crate::board::{Cell, Digits, Drawing};

/// The widest and highest board that is drawn square by square.
const MOST: u32 = 128;

/// An SVG drawing.
pub fn picture(rules: &Rules, instance: &Instance, answer: &Answer) -> String {
    let size = instance.size;
    let (w, h) = (f64::from(size.width.min(MOST)), f64::from(size.height.min(MOST)));
    let mut drawing = Drawing::new(w, h);
    let at = |cell: Cell| (f64::from(cell.col), f64::from(cell.row));
    let shown = |cell: &Cell| cell.row < MOST && cell.col < MOST;
    for cell in
        (0..size.height.min(MOST)).flat_map(|r| (0..size.width.min(MOST)).map(move |c| Cell::new(r, c)))
    {
        let (x, y) = at(cell);
        drawing.square(x, y, shade(instance.squares.get(size.index(cell)), rules.colours));
    }
    let numbers = |numbers: &Digits| -> Vec<(Cell, u32)> {
        numbers.iter().map(|(i, n)| (size.cell(i), n)).filter(|(cell, _)| shown(cell)).collect()
    };
    match answer {
        Answer::Presses { presses, .. } => {
            for (cell, n) in numbers(presses) {
                let (x, y) = at(cell);
                drawing.disc(x, y, 0.28, "#d55e00");
                if n > 1 {
                    drawing.mark(x, y, "#fff", &n.to_string());
                }
            }
        }
        Answer::Impossible(weights) => {
            for (cell, n) in weights.iter().flat_map(numbers) {
                let (x, y) = at(cell);
                // Legible on either colour.
                let black = instance.squares.get(size.index(cell)) > 0;
                let colour = if black { "#56b4e9" } else { "#0072b2" };
                drawing.mark(x, y, colour, &if n > 1 { n.to_string() } else { "×".to_owned() });
            }
        }
    }
    let text = match answer {
        Answer::Presses { .. } => format!("{}: press the discs", outcome(answer)),
        Answer::Impossible(Some(_)) if rules.colours > 2 => {
            "impossible: no press changes the weighted sum of the colours".to_owned()
        }
        Answer::Impossible(Some(_)) => {
            "impossible: each press turns an even number of ×, an odd number is wrong".to_owned()
        }
        Answer::Impossible(None) => "impossible".to_owned(),
    };
    drawing.caption(0.0, h + 0.7, &text);
    drawing.finish()
}

/// White, black, and greys between them.
fn shade(colour: u32, colours: u32) -> &'static str {
    const GREYS: [&str; 7] = ["#fafafa", "#d9d9d9", "#b8b8b8", "#969696", "#757575", "#545454", "#333"];
    GREYS[(colour * 6 / (colours - 1)).min(6) as usize]
}
