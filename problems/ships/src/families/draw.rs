//! Random fleets on an empty board.
//!
//! Three ways are tried:
//! 1. *Rejection*: place each ship independently, and start again if two overlap. The result is uniform over all
//!    placements of the whole fleet. Placing one ship after another on free squares would not be uniform: it would
//!    favour fleets that leave their last ships few placements.
//! 2. *Ranks*: on tight boards, where rejection almost never succeeds, the placements are numbered and a random number
//!    is drawn (`study/unrank.rs`), which is also uniform.
//! 3. *Moves*: if the placements are too many to number, a random search (`fill.rs`) finds some fleet. Then a random
//!    ship is moved to one of its placements, [`MOVES`] times for each ship; a move onto another ship is not made. This
//!    Markov chain is symmetric, so its distribution tends to the uniform one on the fleets that it can reach (N.
//!    Metropolis and others, 1953). On a board without room to move, the fleet remains that of the search.

use super::fill::fill;
use crate::study::automaton::Automaton;
use crate::study::count::empty_board;
use crate::study::unrank::ranking;
use crate::{Placement, Rules};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Bits, Size};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::GenerateError;
use rand::RngExt;

/// Maximum number of attempts of rejection sampling.
const MAX_TRIES: u32 = 2_000_000;
/// If the estimated number of successes of that many attempts is smaller than this, none is made.
const MIN_SUCCESSES: f64 = 0.001;
/// Maximum number of states of the automaton that numbers placements; a 5×6 board has 58,358 states, 6×6 has 911,717.
const MAX_STATES: u64 = 8_000_000;
/// The number of states grows with the number of tuples of the automaton and with the number of squares that stay empty.
/// If the product of both is larger than this, placements are not numbered, because that would fail after a second.
const MAX_PRODUCT: u64 = 1 << 13;
/// The words of a set of squares. On boards of up to 64 times as many squares, rejection sampling uses such sets.
const WORDS: usize = 4;
/// Number of attempted moves for each ship.
const MOVES: usize = 10_000;

/// The placements of each ship, each as cell indices.
type Placements = Vec<Vec<Vec<usize>>>;

/// The cells of a random fleet.
///
/// # Errors
/// Returns a message if the fleet does not fit the board, or if no fleet was found.
pub(super) fn fleet(rules: &Rules, size: Size, rng: &mut ChaCha8Rng) -> Result<Bits, GenerateError> {
    let index = |placement: Placement| placement.cells.into_iter().map(|cell| size.index(cell)).collect();
    let ships = rules.fleet.ships.iter().map(|ship| ship.placements(size).into_iter().map(index).collect());
    let ships: Placements = ships.collect();
    if rules.fleet.cells() > size.cells() || ships.iter().any(Vec::is_empty) {
        return Err(format!("the fleet does not fit {size}; use a larger board").into());
    }
    if expected_successes(rules, size) >= MIN_SUCCESSES
        && let Some(cells) = by_rejection(&ships, size, rng)
    {
        return Ok(cells);
    }
    match by_rank(rules, size, rng)? {
        Some(cells) => Ok(cells),
        None => by_moves(rules, &ships, size, rng),
    }
}

/// An estimate of the number of successes of rejection sampling: as if each ship covered random squares.
fn expected_successes(rules: &Rules, size: Size) -> f64 {
    let all = size.cells();
    let mut free = all;
    let mut probability = 1.0;
    for ship in rules.fleet.ships.iter().map(|ship| ship.cells.len()) {
        probability *= (0..ship).map(|i| (free - i) as f64 / (all - i) as f64).product::<f64>();
        free -= ship;
    }
    probability * f64::from(MAX_TRIES)
}

fn by_rejection(ships: &Placements, size: Size, rng: &mut ChaCha8Rng) -> Option<Bits> {
    let cells = size.cells();
    // On tight boards, many attempts are needed.
    if cells <= 64 * WORDS {
        let mask = |placement: &Vec<usize>| {
            let mut mask = [0u64; WORDS];
            placement.iter().for_each(|&i| mask[i / 64] |= 1 << (i % 64));
            mask
        };
        let ships: Vec<Vec<[u64; WORDS]>> = ships.iter().map(|all| all.iter().map(mask).collect()).collect();
        let (mut last, mut covered) = (0, [0u64; WORDS]);
        let place = |attempt, mask: &[u64; WORDS]| {
            if attempt != last {
                (last, covered) = (attempt, [0; WORDS]);
            }
            let common = (0..WORDS).fold(0, |common, w| common | covered[w] & mask[w]);
            (0..WORDS).for_each(|w| covered[w] |= mask[w]);
            common == 0
        };
        attempts(&ships, rng, place)?;
        return Some(Bits::from_indices(cells, (0..cells).filter(|i| covered[i / 64] >> (i % 64) & 1 == 1)));
    }
    // The last attempt that covered each cell.
    let mut covered = vec![0; cells];
    let place = |attempt, placement: &Vec<usize>| {
        let fits = placement.iter().all(|&i| covered[i] != attempt);
        placement.iter().for_each(|&i| covered[i] = attempt);
        fits
    };
    let attempt = attempts(ships, rng, place)?;
    Some(Bits::from_indices(cells, (0..cells).filter(|&i| covered[i] == attempt)))
}

/// Draws a placement of each ship, and starts again as soon as one does not fit. Returns the number of the successful
/// attempt. `place` gets the number of the attempt and a placement, and returns whether the placement fits.
fn attempts<P>(
    ships: &[Vec<P>],
    rng: &mut ChaCha8Rng,
    mut place: impl FnMut(u32, &P) -> bool,
) -> Option<u32> {
    let mut fits = |attempt, placements: &Vec<P>| {
        // A range of `u32` consumes as many random bits as one of `usize`, and takes less time.
        let drawn = rng.random_range(0..placements.len() as u32);
        place(attempt, &placements[drawn as usize])
    };
    (1..=MAX_TRIES).find(|&attempt| ships.iter().all(|placements| fits(attempt, placements)))
}

/// The cells of a fleet that is chosen by drawing a random rank; `None` if there are too many states.
fn by_rank(rules: &Rules, size: Size, rng: &mut ChaCha8Rng) -> Result<Option<Bits>, GenerateError> {
    let Ok(automaton) = Automaton::new(&empty_board(size), &rules.fleet) else { return Ok(None) };
    let empty = (size.cells() - rules.fleet.cells()) as u64;
    if automaton.tuples() as u64 * (empty + 1) > MAX_PRODUCT {
        return Ok(None);
    }
    let Ok(ranking) = ranking(automaton, &mut Budget::of_work(MAX_STATES)) else { return Ok(None) };
    let fleet = ranking.sample(rng).ok_or_else(|| format!("the fleet does not fit {size}"))?;
    let cells = fleet.into_iter().flat_map(|placed| placed.cells);
    Ok(Some(Bits::from_indices(size.cells(), cells.map(|cell| size.index(cell)))))
}

fn by_moves(
    rules: &Rules,
    ships: &Placements,
    size: Size,
    rng: &mut ChaCha8Rng,
) -> Result<Bits, GenerateError> {
    let first = fill(rules, size, rng)?;
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); ships.len()];
    for (i, ship) in first.iter().enumerate().filter_map(|(i, ship)| Some((i, (*ship)?))) {
        at[ship].push(i);
    }
    let mut owner = first;
    for _ in 0..MOVES * ships.len() {
        let ship = rng.random_range(0..ships.len());
        let to = &ships[ship][rng.random_range(0..ships[ship].len())];
        if to.iter().all(|&i| owner[i].is_none_or(|other| other == ship)) {
            at[ship].iter().for_each(|&i| owner[i] = None);
            to.iter().for_each(|&i| owner[i] = Some(ship));
            at[ship].clone_from(to);
        }
    }
    Ok(Bits::from_indices(size.cells(), at.into_iter().flatten()))
}
