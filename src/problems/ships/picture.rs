//! The board: hits and misses, in each unknown square the number of listed sets that cover it, and a
//! ring around the square to shoot at next.

use super::answer::{Answer, Plan};
use super::{Instance, Square};
use crate::board::{Cell, Drawing};

/// An SVG drawing.
pub fn picture(instance: &Instance, answer: &Answer) -> String {
    let (sets, next): (&[Vec<Cell>], _) = match answer {
        Answer::Yes { sets, plan: Plan::Shoot { cell, .. } } => (sets, Some(*cell)),
        Answer::Yes { sets, .. } => (sets, None),
        Answer::No { lost } => (lost, None),
        Answer::NoFleet => (&[], None),
    };
    let size = instance.size;
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    let mut drawing = Drawing::new(width, height);
    for cell in size.iter() {
        let (x, y) = (f64::from(cell.col), f64::from(cell.row));
        let covering = sets.iter().filter(|set| set.contains(&cell)).count();
        match instance.at(cell) {
            Square::Hit => {
                drawing.square(x, y, "#444");
                drawing.mark(x, y, "#fff", "x");
            }
            Square::Miss => {
                drawing.square(x, y, "#dceaf5");
                drawing.mark(x, y, "#456", "o");
            }
            Square::Unknown => {
                drawing.square(x, y, "#fafafa");
                if next == Some(cell) {
                    drawing.disc(x, y, 0.46, "#d55e00");
                    drawing.disc(x, y, 0.38, "#fafafa");
                }
                if covering > 0 {
                    let colour = if covering == sets.len() { "#009e73" } else { "#0072b2" };
                    drawing.mark(x, y, colour, &covering.to_string());
                }
            }
        }
    }
    let text = match answer {
        Answer::Yes { sets, .. } if sets.len() == 1 => "yes: 1 set fits".to_owned(),
        Answer::Yes { sets, .. } => format!("yes: {} sets fit; shoot at the ring", sets.len()),
        Answer::No { lost } => format!("no: {} sets that no shot parts safely", lost.len()),
        Answer::NoFleet => "no fleet fits".to_owned(),
    };
    drawing.caption(0.0, height + 0.7, &text);
    if !sets.is_empty() {
        drawing.caption(0.0, height + 1.2, "numbers: how many of the sets cover a square");
    }
    drawing.finish()
}
