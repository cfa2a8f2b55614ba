//! Families of random boards, made from a seed.
//!
//! A random fleet is uniform over all placements of the whole fleet (rejection sampling): place each ship
//! independently, and start again if two overlap. Placing one ship after another on free squares would not be uniform:
//! it would favour fleets that leave their last ships few placements. On tight boards, where rejection almost never
//! succeeds, the placements are numbered and a random number is drawn (`study/unrank.rs`), which is also uniform.

use super::study::automaton::Automaton;
use super::study::count::empty_board;
use super::study::unrank::ranking;
use super::{Instance, MAX_SIDE, MIN_SIDE, Rules, Square};
use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

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

/// Maximum number of attempts of rejection sampling.
const MAX_TRIES: u32 = 2_000_000;
/// Maximum number of states of the automaton that numbers placements; a 5×6 board has 58,358 states, 6×6 has 911,717.
const MAX_STATES: u64 = 8_000_000;

fn size(params: &Params) -> Result<Size, GenerateError> {
    let size = params.size();
    if size.width.min(size.height) < MIN_SIDE {
        return Err(format!("a board has sides from {MIN_SIDE} to {MAX_SIDE}, not {size}").into());
    }
    Ok(size)
}

/// The cells of a random fleet, uniform over all placements of the whole fleet.
fn fleet(rules: &Rules, size: Size, rng: &mut ChaCha8Rng) -> Result<Bits, GenerateError> {
    let index =
        |placement: super::Placement| placement.cells.into_iter().map(|cell| size.index(cell)).collect();
    let ships = rules.fleet.ships.iter().map(|ship| ship.placements(size).into_iter().map(index).collect());
    let ships: Vec<Vec<Vec<usize>>> = ships.collect();
    if rules.fleet.cells() > size.cells() || ships.iter().any(Vec::is_empty) {
        return Err(format!("the fleet does not fit {size}; use a larger board").into());
    }
    'fleet: for _ in 0..MAX_TRIES {
        let mut covered = Bits::zeros(size.cells());
        for placements in &ships {
            for &i in &placements[rng.random_range(0..placements.len())] {
                if covered.get(i) {
                    continue 'fleet;
                }
                covered.set(i);
            }
        }
        return Ok(covered);
    }
    sampled_by_rank(rules, size, rng)
}

/// The cells of a fleet that is chosen by drawing a random rank.
fn sampled_by_rank(rules: &Rules, size: Size, rng: &mut ChaCha8Rng) -> Result<Bits, GenerateError> {
    let automaton = Automaton::new(&empty_board(size), &rules.fleet).map_err(|error| error.to_string())?;
    let ranking = ranking(automaton, &mut Budget::of_work(MAX_STATES)).map_err(|_| {
        format!("{MAX_TRIES} random fleets on {size} all had overlapping ships; use a larger board")
    })?;
    let fleet = ranking.sample(rng).ok_or_else(|| format!("the fleet does not fit {size}"))?;
    let cells = fleet.into_iter().flat_map(|placed| placed.cells);
    Ok(Bits::from_indices(size.cells(), cells.map(|cell| size.index(cell))))
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
