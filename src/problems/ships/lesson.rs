//! One board: the ships where they lie, a ring where a square is covered.

use super::formula::{self, Encoded, Idle, Model};
use super::{Instance, Rules, Square as Seen, sat};
use crate::choice::Choice;
use crate::problem::{Board, Ground, Mark, Scene, Shape, Square, Strip};
use counterpoint_encodings::Sink;

/// The board beside the formula of the base question.
///
/// # Errors
/// As for the formula, and that it is about several fleets.
pub fn scene(
    rules: &Rules,
    instance: &Instance,
    choice: &Choice,
    sink: &mut dyn Sink,
) -> Result<Scene, String> {
    let form = if choice.name == "placement" { Model::Placement } else { Model::Owner };
    let mut fleets = sat::encode(form, rules, instance, choice, sink)?;
    let (Some(fleet), true) = (fleets.pop(), fleets.is_empty()) else {
        return Err("a lesson shows one fleet; use adversary=enumerate".to_owned());
    };
    let squares = (0..instance.size.cells()).map(|i| Square {
        marks: marks(rules, instance, &fleet, i),
        ..Square::plain(match instance.squares[i] {
            Seen::Hit => Ground::Hit,
            Seen::Miss => Ground::Miss,
            Seen::Unknown => Ground::Unknown,
        })
    });
    let board = Board { title: String::new(), lit: None, size: instance.size, squares: squares.collect() };
    let strips = vec![Strip { title: String::new(), boards: vec![board] }];
    Ok(Scene { question: "a fleet fits the board".to_owned(), strips })
}

/// The literals that are about cell number `i`.
fn marks(rules: &Rules, instance: &Instance, fleet: &Encoded, i: usize) -> Vec<Mark> {
    let cell = instance.size.cell(i);
    // Placements stand in the order of the ships.
    let fitting = formula::fitting(Idle::Placed, rules, instance);
    let ships = fitting.iter().enumerate().flat_map(|(ship, places)| places.iter().map(move |_| ship));
    let here = fleet.placements.iter().zip(ships).filter(|((_, cells), _)| cells.contains(&cell));
    let placed = here.map(|((lit, _), ship)| Mark::shared(*lit, Shape::Ship(ship)));
    let owned = fleet.owners[i].iter().map(|&lit| Mark::shared(lit, Shape::Nothing));
    let covered = fleet.covered[i].map(|lit| Mark::own(lit, Shape::Ring));
    placed.chain(owned).chain(covered).collect()
}
