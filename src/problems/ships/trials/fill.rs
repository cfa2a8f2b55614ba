//! Random fleets on boards with few squares to spare.

use super::{Instance, Rules, Size, Square};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A fleet on a board with little room, all but at most `hidden` squares uncovered.
pub(in super::super) fn tight(
    rules: &Rules,
    size: Size,
    hidden: usize,
    rng: &mut ChaCha8Rng,
) -> Result<Instance, String> {
    let covered = fill(rules, size, rng).ok_or_else(|| format!("no fleet was met on {size}"))?;
    let kinds = covered.iter().map(|ship| if ship.is_some() { Square::Hit } else { Square::Miss });
    let mut board = Instance { size, squares: kinds.collect() };
    for _ in 0..rng.random_range(0..=hidden) {
        let i = rng.random_range(0..size.cells());
        board.squares[i] = Square::Unknown;
    }
    Ok(board)
}

/// Steps of [`fill`].
const MAX_STEPS: u32 = 200_000;

/// The ship on each square in a random fleet, found square by square: the next one stays empty or is the first of a
/// ship.
pub(super) fn fill(rules: &Rules, size: Size, rng: &mut ChaCha8Rng) -> Option<Vec<Option<usize>>> {
    let mut places: Vec<Vec<(usize, Vec<usize>)>> = vec![Vec::new(); size.cells()];
    for (ship, places_of) in rules.fleet.ships.iter().map(|ship| ship.placements(size)).enumerate() {
        for placement in places_of {
            let cells: Vec<_> = placement.cells.iter().map(|&cell| size.index(cell)).collect();
            places[*cells.first()?].push((ship, cells));
        }
    }
    let mut filling = Filling {
        places,
        covered: vec![None; size.cells()],
        laid: vec![false; rules.fleet.ships.len()],
        holes: size.cells().checked_sub(rules.fleet.cells())?,
        steps: 0,
    };
    filling.from(0, rng).then_some(filling.covered)
}

struct Filling {
    /// Ships with their squares, by the first of these.
    places: Vec<Vec<(usize, Vec<usize>)>>,
    covered: Vec<Option<usize>>,
    laid: Vec<bool>,
    /// Squares that may still stay empty.
    holes: usize,
    steps: u32,
}

impl Filling {
    fn from(&mut self, at: usize, rng: &mut ChaCha8Rng) -> bool {
        self.steps += 1;
        let Some(at) = (at..self.covered.len()).find(|&i| self.covered[i].is_none()) else {
            return self.laid.iter().all(|&laid| laid);
        };
        // What is tried, in random order: a ship, or `None` for an empty square.
        let mut ways: Vec<_> = (0..self.places[at].len()).map(Some).collect();
        ways.extend((self.holes > 0).then_some(None));
        ways.shuffle(rng);
        for way in ways {
            if self.steps > MAX_STEPS {
                return false;
            }
            match way {
                None => {
                    self.holes -= 1;
                    if self.from(at + 1, rng) {
                        return true;
                    }
                    self.holes += 1;
                }
                Some(way) => {
                    let (ship, cells) = self.places[at][way].clone();
                    if self.laid[ship] || cells.iter().any(|&i| self.covered[i].is_some()) {
                        continue;
                    }
                    cells.iter().for_each(|&i| self.covered[i] = Some(ship));
                    self.laid[ship] = true;
                    if self.from(at + 1, rng) {
                        return true;
                    }
                    cells.iter().for_each(|&i| self.covered[i] = None);
                    self.laid[ship] = false;
                }
            }
        }
        false
    }
}
