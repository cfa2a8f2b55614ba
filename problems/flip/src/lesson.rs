//! Makes the boards of a lesson: the presses, the wanted colour, and the board after the presses.

use super::formula::{self, Term};
use super::{Instance, Rules, Target};
use counterpoint_core::board::Size;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Board, Ground, Mark, Scene, Shape, Square, Strip};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::{Lit, Sink};

/// Returns the boards that are shown beside the formula of the base question.
///
/// # Errors
/// Returns why the formula cannot be written.
pub fn scene(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Scene, Unsupported> {
    let pressing = formula::question(rules, instance, spec, sink)?;
    let size = instance.size;
    let ground = |is_black: bool| if is_black { Ground::Black } else { Ground::White };
    let is_black = |i: usize| instance.squares.get(i) > 0;
    let mark = |term: &Term| match *term {
        Term::Known(pressed) => pressed.then(|| Mark::always(Shape::Disc)),
        Term::Lit(lit) => Some(Mark::own(lit, Shape::Disc)),
    };
    let presses = pressing.squares.iter().enumerate().map(|(i, term)| Square {
        marks: mark(term).into_iter().collect(),
        ..Square::plain(ground(is_black(i)))
    });
    let after = size.iter().map(|cell| {
        let around: Vec<Term> =
            rules.stencil.squares(size, cell).into_iter().map(|c| pressing.squares[size.index(c)]).collect();
        let known = around.iter().filter(|term| matches!(term, Term::Known(true))).count();
        let turned =
            around.iter().filter_map(|term| if let Term::Lit(lit) = *term { Some(lit) } else { None });
        let first = is_black(size.index(cell)) != (known % 2 == 1);
        Square { turned: turned.collect(), ..Square::plain(ground(first)) }
    });
    let board = |title: &str, size, squares| Board { title: title.to_owned(), lit: None, size, squares };
    let mut boards = vec![board("press here", size, presses.collect())];
    boards.extend(pressing.black.map(|black| board("goal", Size::new(1, 1), vec![goal(black)])));
    boards.push(board("after the presses", size, after.collect()));
    Ok(Scene { question: question(rules), strips: vec![Strip { title: String::new(), boards }] })
}

/// A square that shows the wanted colour.
fn goal(black: Lit) -> Square {
    Square { ground: Ground::White, turned: vec![black], marks: vec![Mark::own(black, Shape::Nothing)] }
}

fn question(rules: &Rules) -> String {
    let end = match rules.target {
        Target::Either => "all of one colour",
        Target::White => "white",
        Target::Black => "black",
        Target::Board(_) => "the target",
    };
    let most = rules.within.map_or(String::new(), |most| format!(", at most {most} of them"));
    format!("presses make the board {end}{most}")
}
