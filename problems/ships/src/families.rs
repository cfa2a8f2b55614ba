//! Families of random boards, made from a seed. `families/draw.rs` draws the fleets,
//! `families/pigeonhole.rs` has boards with too few ships for the hits,
//! and `families/fleets.rs` has the fleets that have a name.

mod draw;
pub mod fill;
pub mod fleets;
mod pigeonhole;

pub use pigeonhole::{PIGEONHOLE, pigeonhole};

use super::{Instance, MAX_SIDE, MIN_SIDE, Rules, Square};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::Size;
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params};
use draw::fleet;
use rand::RngExt;
use rand::seq::SliceRandom;

const MIN: f64 = MIN_SIDE as f64;
const MAX: f64 = MAX_SIDE as f64;

/// Width and height. `n` sets both; `w` and `h` override it.
const SIDES: [Param; 3] = [
    Param::number("n", 10.0, MIN, MAX),
    Param::number("w", 0.0, 0.0, MAX),
    Param::number("h", 0.0, 0.0, MAX),
];

/// Parameters of [`random`].
pub const RANDOM: &[Param] = &[SIDES[0], SIDES[1], SIDES[2], Param::number("reveal", 0.5, 0.0, 1.0)];
/// Parameters of [`hard`].
pub const HARD: &[Param] = &[SIDES[0], SIDES[1], SIDES[2], Param::number("hidden", 0.5, 0.0, 1.0)];
/// Parameters of [`contradictory`].
pub const CONTRADICTORY: &[Param] =
    &[SIDES[0], SIDES[1], SIDES[2], Param::number("hits", 11.0, 0.0, MAX * MAX)];

/// Parameters of [`moved`].
pub const MOVED: &[Param] = &[
    SIDES[0],
    SIDES[1],
    SIDES[2],
    Param::number("hidden", 0.5, 0.0, 1.0),
    Param::number("moved", 2.0, 1.0, MAX * MAX),
];
/// Parameters of [`packed`].
pub const PACKED: &[Param] = &[
    SIDES[0],
    SIDES[1],
    SIDES[2],
    Param::number("spare", 0.0, 0.0, MAX * MAX),
    Param::number("moved", 0.0, 0.0, MAX * MAX),
];

fn size(params: &Params) -> Result<Size, GenerateError> {
    let size = params.size();
    if size.width.min(size.height) < MIN_SIDE {
        return Err(format!("a board has sides from {MIN_SIDE} to {MAX_SIDE}, not {size}").into());
    }
    Ok(size)
}

/// A random fleet, each square uncovered with probability `reveal`.
///
/// # Errors
/// Returns a message if the board is too small or no fleet was found.
pub fn random(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(params)?;
    let fleet = fleet(rules, size, rng)?;
    let square = |i| match (rng.random_bool(params.real("reveal")), fleet.get(i)) {
        (false, _) => Square::Unknown,
        (true, true) => Square::Hit,
        (true, false) => Square::Miss,
    };
    Ok(Instance { size, squares: (0..size.cells()).map(square).collect() })
}

/// Each cell of a random fleet is hidden with probability `hidden`. All squares outside the fleet are hidden, so the
/// board shows no `o`.
///
/// # Errors
/// Returns a message if the board is too small or no fleet was found.
pub fn hard(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(params)?;
    let fleet = fleet(rules, size, rng)?;
    let mut squares = vec![Square::Unknown; size.cells()];
    for i in fleet.iter() {
        if !rng.random_bool(params.real("hidden")) {
            squares[i] = Square::Hit;
        }
    }
    Ok(Instance { size, squares })
}

/// `hits` random squares are hits, and all others are unknown. Often no fleet fits.
///
/// # Errors
/// Returns a message if a side is too short or if there are more hits than squares.
pub fn contradictory(_: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(params)?;
    let hits = params.whole("hits") as usize;
    if hits > size.cells() {
        return Err(format!("{hits} hits do not fit {size}").into());
    }
    let mut squares = vec![Square::Unknown; size.cells()];
    squares[..hits].fill(Square::Hit);
    squares.shuffle(rng);
    Ok(Instance { size, squares })
}

/// A board of [`hard`] on which `moved` hits were moved: each of these squares of the fleet is unknown, and in its place
/// a square outside the fleet is a hit. On large boards, often no fleet fits. Fewer hits are moved if the fleet has fewer
/// hits, or if fewer squares lie outside it.
///
/// # Errors
/// Returns a message if the board is too small or no fleet was found.
pub fn moved(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(params)?;
    let fleet = fleet(rules, size, rng)?;
    let mut hits: Vec<usize> = fleet.iter().filter(|_| !rng.random_bool(params.real("hidden"))).collect();
    let mut squares = vec![Square::Unknown; size.cells()];
    hits.iter().for_each(|&i| squares[i] = Square::Hit);
    let mut outside: Vec<usize> = (0..size.cells()).filter(|&i| !fleet.get(i)).collect();
    hits.shuffle(rng);
    outside.shuffle(rng);
    for (from, to) in hits.into_iter().zip(outside).take(params.whole("moved") as usize) {
        (squares[from], squares[to]) = (Square::Unknown, Square::Hit);
    }
    Ok(Instance { size, squares })
}

/// The squares of a random fleet and `spare` other squares are unknown, and all other squares are misses. Then `moved`
/// squares of the fleet become misses, and as many misses become unknown. With `moved`, often no fleet fits.
///
/// # Errors
/// Returns a message if the board is too small or no fleet was found.
pub fn packed(rules: &Rules, params: &Params, rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let size = size(params)?;
    let fleet = fleet(rules, size, rng)?;
    let [spare, moved] = ["spare", "moved"].map(|key| params.whole(key) as usize);
    let mut outside: Vec<usize> = (0..size.cells()).filter(|&i| !fleet.get(i)).collect();
    outside.shuffle(rng);
    let spare = spare.min(outside.len());
    let (spare, closed) = outside.split_at(spare);
    let mut squares = vec![Square::Miss; size.cells()];
    fleet.iter().chain(spare.iter().copied()).for_each(|i| squares[i] = Square::Unknown);
    let mut from: Vec<usize> = fleet.iter().collect();
    from.shuffle(rng);
    for (from, &to) in from.into_iter().zip(closed).take(moved) {
        (squares[from], squares[to]) = (Square::Miss, Square::Unknown);
    }
    Ok(Instance { size, squares })
}
