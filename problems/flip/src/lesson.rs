//! Makes the boards of a lesson: the presses, the wanted colour, and the board after the presses.

use super::formula::{self, CARD, PRESSES_GROUP, Pressing, Term};
use super::{Goal, Instance, Rules, Target};
use counterpoint_core::board::Size;
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{Board, Ground, Mark, Minimised, Scene, Shape, Square, Strip};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::{Bounds, Lit, Sink};

/// What the groups of clauses say.
const GROUPS: &[(&str, &str)] = &[
    (
        "parity of each square",
        "A square ends in the right colour if an even (or odd) number of presses reaches it. If either colour will \
         do, “black” counts like one more press.",
    ),
    (
        "parity of each kind of square",
        "A few presses, which are chosen freely, determine all others. Whether a square is pressed depends on whether \
         the number of chosen presses that affect it is even or odd. Squares that depend on the same presses share \
         their clauses.",
    ),
    (
        "no image is less",
        "A symmetry of the board maps each solution to another. Of these solutions, only the first in alphabetical \
         order is kept.",
    ),
    (
        PRESSES_GROUP,
        "Helper variables count the presses, so that a single literal demands that there are at most so many.",
    ),
];

/// The maximum number of clauses that count presses. If there would be more, the lesson has no bound.
const MAX_COUNT: u64 = 5000;

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
    let minimised = minimised(rules, &pressing, spec, sink);
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
    let strips = vec![Strip { title: String::new(), boards }];
    Ok(Scene { question: question(rules), strips, groups: GROUPS, minimised })
}

/// Writes the clauses that count the presses if the fewest are asked for.
fn minimised(
    rules: &Rules,
    pressing: &Pressing,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Option<Minimised> {
    let (counted, n_vars, cardinality) = (&pressing.counted, sink.n_vars(), CARD.of(spec));
    let n = counted.len();
    let size = cardinality.size(n as u64, n as u64, Bounds::Upper);
    if rules.goal != Goal::Fewest || rules.within.is_some() || n == 0 || size.clauses > MAX_COUNT {
        return None;
    }
    let count = formula::count(cardinality, counted, n, sink);
    let at_most = (0..n).filter_map(|most| count.at_most(most)).collect();
    Some(Minimised { noun: "presses", group: PRESSES_GROUP, n_vars, least: pressing.always, at_most })
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
