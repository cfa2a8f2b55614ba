//! Boards whose hits lie so far apart that each ship can cover only one of them.
//!
//! The board consists of square *zones*, and each hit is the centre of a zone. A zone is so large that it contains every
//! placement of every ship that covers its centre. So no placement covers two hits, and ships that cover different hits
//! never meet: which ship covers which hit is a question of numbers alone. If there are more hits than ships, no fleet
//! fits, by the pigeonhole principle, and nothing else on the board shows it.

use super::{MAX, MAX_SIDE, MIN_SIDE};
use crate::{Instance, Rules, Ship, Square};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params};
use rand::seq::SliceRandom;

/// Parameters of [`pigeonhole`].
pub const PIGEONHOLE: &[Param] = &[
    Param::number("ships", 0.0, 0.0, MAX),
    Param::number("length", 0.0, 0.0, MAX),
    Param::number("extra", 1.0, 0.0, MAX * MAX),
    Param::number("spare", 1.0, 0.0, MAX * MAX),
];

/// As many hits as the fleet has ships, and `extra` more, each in a zone of its own, and `spare` zones without a hit.
/// All squares but the hits are unknown. A fleet fits if and only if `extra` is 0. The seed chooses the zones without
/// a hit.
///
/// The fleet comes from the rules. If `ships` or `length` is not 0, it only states the number of ships, or the number
/// of cells of each ship, so that records contain it.
///
/// # Errors
/// Returns a message if the fleet is not as stated, or if the zones do not fit a board.
pub fn pigeonhole(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let ships = &rules.fleet.ships;
    check_fleet(ships, params)?;
    let side = 2 * reach(ships) + 1;
    let hits = ships.len() + params.whole("extra") as usize;
    let zones = hits + params.whole("spare") as usize;
    let columns = (1..zones).find(|columns| columns * columns >= zones).unwrap_or(1);
    let rows = zones.div_ceil(columns);
    if columns.max(rows) as u32 > MAX_SIDE / side {
        let message = format!("{zones} zones of {side}x{side} squares do not fit {MAX_SIDE}x{MAX_SIDE}");
        return Err(format!("{message}; use fewer or smaller ships, or a smaller extra or spare").into());
    }
    let size = Size::new((columns as u32 * side).max(MIN_SIDE), (rows as u32 * side).max(MIN_SIDE));
    let mut centres: Vec<Cell> = (0..rows * columns)
        .map(|zone| (zone / columns, zone % columns))
        .map(|(row, column)| Cell::new(row as u32 * side + side / 2, column as u32 * side + side / 2))
        .collect();
    centres.shuffle(rng);
    let mut squares = vec![Square::Unknown; size.cells()];
    centres[..hits].iter().for_each(|&centre| squares[size.index(centre)] = Square::Hit);
    Ok(Instance { size, squares })
}

/// Checks that the fleet has the number of ships, and that its ships have the number of cells, that the parameters
/// state.
fn check_fleet(ships: &[Ship], params: &Params) -> Result<(), GenerateError> {
    let [stated, length] = ["ships", "length"].map(|key| params.whole(key) as usize);
    if stated != 0 && stated != ships.len() {
        let message = format!("ships={stated}, but the fleet has {} ships", ships.len());
        return Err(format!("{message}; set the rule fleet, or leave ships out").into());
    }
    if let Some(ship) = ships.iter().find(|ship| length != 0 && ship.cells.len() != length) {
        let message = format!("length={length}, but ship {} has {} cells", ship.name, ship.cells.len());
        return Err(format!("{message}; set the rule fleet, or leave length out").into());
    }
    Ok(())
}

/// The greatest distance, in rows or in columns, between two cells of one placement.
fn reach(ships: &[Ship]) -> u32 {
    let cells = ships.iter().flat_map(Ship::shapes).flatten();
    cells.map(|cell| cell.row.max(cell.col)).max().unwrap_or(0)
}
