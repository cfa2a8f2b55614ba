//! The boards of a lesson, and variable names in words.
//!
//! What is drawn depends on the encoding: `toggles` shows one board per step, and `path` shows all boards that a step
//! may produce.

use super::formula;
use super::{Instance, Rules};
use counterpoint_core::errors::Unsupported;
use counterpoint_core::problem::{InWords, Scene};
use counterpoint_core::spec::EngineSpec;
use counterpoint_encodings::Sink;

/// What the groups of clauses say.
const GROUPS: &[(&str, &str)] = &[
    (
        "moves",
        "Each unknown move places a spot on one square or takes one from it, as far as the record allows.",
    ),
    ("boards", "The board after a move is the board before it, except on the square that the move changes."),
    (
        "distinct",
        "No board may be equal to an earlier one, not even after it is rotated: some square must differ.",
    ),
    ("repeat", "A move is a repeat if the board after it is equal to an earlier one, possibly rotated."),
    ("one ending", "A move is made only if all moves before it are made and none of them is a repeat."),
    ("one place a step", "After each move, there is exactly one board."),
    (
        "toggles",
        "Successive boards differ on one square: each board comes from one before it, and leads to one after it.",
    ),
    (
        "each class once",
        "Boards that are rotations of each other form a class. No two moves may produce boards of one class.",
    ),
];

/// The boards that a lesson draws beside the formula of the base question.
///
/// # Errors
/// Returns the errors of [`formula::write`].
pub fn scene(
    rules: &Rules,
    instance: &Instance,
    spec: &EngineSpec,
    sink: &mut dyn Sink,
) -> Result<Scene, Unsupported> {
    let mut encoder = formula::single_formula_encoder(rules, instance, spec)?;
    formula::draw(instance, &mut *encoder, &mut InWords { sink, words });
    let question = "the record can be completed so that no pattern occurs twice".to_owned();
    Ok(Scene { question, strips: encoder.strips(), groups: GROUPS, minimised: None })
}

/// What a variable says about moves and boards.
fn words(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split(' ').collect();
    Some(match &words[..] {
        ["toggle", "step", step, cell] => format!("move {step} at {cell}"),
        ["spot", "step", step, cell] => format!("spot on {cell} after move {step}"),
        ["step", step, "at", board] => format!("move {step} makes {board}"),
        ["repeat", "step", step] => format!("move {step} repeats"),
        ["by", "step", step, "produced", board] => format!("{board} occurs up to move {step}"),
        ["same", "step", last, "step", earlier, "turns", turned @ ..] => {
            format!("boards {earlier} and {last} are equal{}", turn(turned)?)
        }
        ["differ", "step", last, "step", earlier, "turns", turned @ .., cell] => {
            format!("boards {earlier} and {last} differ at {cell}{}", turn(turned)?)
        }
        _ => return None,
    })
}

/// The symmetry in words. `words` begins with the number of quarter turns; if the board is mirrored before it is
/// turned, the word `mirrored` follows.
fn turn(words: &[&str]) -> Option<String> {
    let turns: u32 = words.first()?.parse().ok()?;
    let how = [
        (words.len() > 1).then(|| "mirrored".to_owned()),
        (turns > 0).then(|| format!("rotated {}°", 90 * turns)),
    ];
    let how: Vec<String> = how.into_iter().flatten().collect();
    Some(if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) })
}
