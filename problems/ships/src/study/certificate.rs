//! Certificates of studies as JSON: the position or family, the claims about it, and the evidence.

use super::families::game::{FewestO, Set, bit_string};
use crate::answer::family::Family;
use crate::answer::{self, Answer};
use crate::{Fleet, Instance, Poses, Rules, Ship, Square};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::engine::Budget;
use serde_json::{Map, Value, json};

/// The certificate that a board needs exactly as many misses as `rules` allow. `answer` shows that this number
/// suffices. `lost` shows that one fewer miss does not suffice; it is `None` if no miss is needed. If every fewest-`o`
/// policy (`families/game.rs`) was found to fail, the certificate claims that, too.
pub fn misses(
    rules: &Rules,
    board: &Instance,
    answer: &Answer,
    lost: Option<&Answer>,
    fewest_o: FewestO,
) -> Vec<u8> {
    let mut map = head("misses");
    position(rules, board, &mut map);
    map.insert("misses".into(), rules.misses.into());
    map.extend(answer::to_json(answer));
    if let Some(lost) = lost {
        map.extend(answer::to_json(lost).into_iter().filter(|(key, _)| key == "lost"));
    }
    if fewest_o == FewestO::Fails {
        map.insert("fewest_o".into(), "fails".into());
    }
    bytes(map)
}

/// The members with which every certificate begins.
pub fn head(question: &str) -> Map<String, Value> {
    let members = [("problem", "ships".into()), ("question", question.into()), ("version", 1.into())];
    members.map(|(key, value): (&str, Value)| (key.to_owned(), value)).into_iter().collect()
}

/// The members as a file with one line.
pub fn bytes(map: Map<String, Value>) -> Vec<u8> {
    format!("{}\n", Value::Object(map)).into_bytes()
}

fn position(rules: &Rules, board: &Instance, map: &mut Map<String, Value>) {
    let symbol = |square: &Square| match square {
        Square::Unknown => '.',
        Square::Hit => 'x',
        Square::Miss => 'o',
    };
    let rows = board.squares.chunks(board.size.width as usize);
    map.insert("board".into(), rows.map(|row| json!(row.iter().map(symbol).collect::<String>())).collect());
    map.insert("fleet".into(), pictures(&rules.fleet));
    let poses = rules.fleet.ships.first().map_or(Poses::Turned, |ship| ship.poses);
    let word = |holds| Value::from(if holds { "yes" } else { "no" });
    map.insert("turn".into(), word(matches!(poses, Poses::Turned | Poses::TurnedMirrored)));
    map.insert("mirror".into(), word(matches!(poses, Poses::Mirrored | Poses::TurnedMirrored)));
}

/// Each ship as the rows of its picture, separated by slashes.
fn pictures(fleet: &Fleet) -> Value {
    let picture = |ship: &Ship| {
        let side = |of: fn(&Cell) -> u32| ship.cells.iter().map(of).max().map_or(0, |last| last + 1);
        let (height, width) = (side(|cell| cell.row), side(|cell| cell.col));
        let symbol = |row, col| if ship.cells.contains(&Cell::new(row, col)) { 'x' } else { '.' };
        let rows = (0..height).map(|row| (0..width).map(|col| symbol(row, col)).collect::<String>());
        json!(rows.collect::<Vec<_>>().join("/"))
    };
    fleet.ships.iter().map(picture).collect()
}

/// The certificate that a family over the first `cells` cells is won with `misses` misses, but by no fewest-`o` policy.
/// It contains a plan that wins. The checker recomputes that no such policy wins.
pub fn family(family: &[Set], cells: u32, misses: u32) -> Vec<u8> {
    let mut map = head("families");
    map.insert("misses".into(), misses.into());
    let mut words: Vec<String> = family.iter().map(|&set| bit_string(set, cells)).collect();
    // Answers list sets in this order, so the numbers at the leaves of the plan refer to this list.
    words.sort_unstable_by(|a, b| b.cmp(a));
    map.insert("family".into(), words.into());
    let mut sets = Family::new(Size::new(cells, 1), misses);
    let mut budget = Budget::unlimited();
    let added = family.iter().try_for_each(|&set| sets.add(&[set], &mut budget).map(drop));
    if let (Ok(()), Ok(answer)) = (added, sets.answer(&mut budget)) {
        map.extend(answer::to_json(&answer).into_iter().filter(|(key, _)| key == "plan"));
    }
    bytes(map)
}
