//! Random fleets on boards that have only a few more squares than the fleet.

use crate::{Instance, Rules, Square};
use chacha20::ChaCha8Rng;
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::errors::GenerateError;
use rand::RngExt;
use rand::seq::SliceRandom;

/// A random fleet on a board of this size, with at most `hidden` unknown squares.
pub fn tight(
    rules: &Rules,
    size: Size,
    hidden: usize,
    rng: &mut ChaCha8Rng,
) -> Result<Instance, GenerateError> {
    let covered = fill(rules, size, rng)?;
    let squares = covered.iter().map(|ship| if ship.is_some() { Square::Hit } else { Square::Miss });
    let mut board = Instance { size, squares: squares.collect() };
    for _ in 0..rng.random_range(0..=hidden) {
        let i = rng.random_range(0..size.cells());
        board.squares[i] = Square::Unknown;
    }
    Ok(board)
}

/// Maximum number of steps of one attempt of [`fill_in_order`].
const MAX_STEPS: u32 = 200_000;
/// Maximum number of attempts of [`fill_in_order`]. The number of steps varies so much that a new attempt is better than a long
/// one.
const MAX_ATTEMPTS: u32 = 3;

/// A random fleet, as the index of the ship on each square.
///
/// # Errors
/// Returns a message if no fleet fits, or if none was found.
pub fn fill(rules: &Rules, size: Size, rng: &mut ChaCha8Rng) -> Result<Vec<Option<usize>>, GenerateError> {
    let found = match fill_in_order(rules, size, |cell| size.index(cell), rng)? {
        // On a wide board, the search from column to column is shorter.
        None if size.width > size.height => {
            let by_columns = |cell: Cell| (cell.col * size.height + cell.row) as usize;
            let found = fill_in_order(rules, size, by_columns, rng)?;
            found.map(|covered| size.iter().map(|cell| covered[by_columns(cell)]).collect())
        }
        found => found,
    };
    found.ok_or_else(|| {
        let message = format!("the random search found no fleet on {size}, but one may exist");
        format!("{message}; use another seed or a larger board").into()
    })
}

/// A random fleet, as the index of the ship on each square, in the order of `index`; `None` if no fleet was found. The
/// search goes square by square: the next free square stays empty or is the first square of a ship.
///
/// # Errors
/// Returns a message if no fleet fits.
fn fill_in_order(
    rules: &Rules,
    size: Size,
    index: impl Fn(Cell) -> usize,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Vec<Option<usize>>>, GenerateError> {
    let impossible = || -> GenerateError { format!("no fleet fits {size}; use a larger board").into() };
    let mut starts: Vec<Vec<Start>> = vec![Vec::new(); size.cells()];
    for (ship, placements) in rules.fleet.ships.iter().map(|ship| ship.placements(size)).enumerate() {
        for placement in placements {
            let mut cells: Vec<_> = placement.cells.iter().map(|&cell| index(cell)).collect();
            cells.sort_unstable();
            let Some(&first) = cells.first() else { continue };
            starts[first].push(Start { ship, cells });
        }
    }
    let mut filling = Filling {
        starts,
        covered: vec![None; size.cells()],
        placed: vec![false; rules.fleet.ships.len()],
        spare: size.cells().checked_sub(rules.fleet.cells()).ok_or_else(impossible)?,
        steps: 0,
    };
    for _ in 0..MAX_ATTEMPTS {
        filling.steps = 0;
        if filling.fill_from(0, rng) {
            return Ok(Some(filling.covered));
        }
        if filling.steps <= MAX_STEPS {
            return Err(impossible());
        }
    }
    Ok(None)
}

/// A placement of a ship.
#[derive(Clone)]
struct Start {
    ship: usize,
    /// The squares, ascending.
    cells: Vec<usize>,
}

struct Filling {
    /// For each square, the placements whose first square it is.
    starts: Vec<Vec<Start>>,
    /// For each square, the index of the ship on it; `None` if the square is empty or not yet filled.
    covered: Vec<Option<usize>>,
    /// For each ship, whether it is placed.
    placed: Vec<bool>,
    /// Number of squares that may still stay empty.
    spare: usize,
    steps: u32,
}

impl Filling {
    /// Fills the squares from `at` on; false if that is impossible or takes too many steps.
    fn fill_from(&mut self, at: usize, rng: &mut ChaCha8Rng) -> bool {
        self.steps += 1;
        let Some(at) = (at..self.covered.len()).find(|&i| self.covered[i].is_none()) else {
            return self.placed.iter().all(|&placed| placed);
        };
        // The branches in random order: a placement, or `None` for an empty square.
        let mut branches: Vec<_> = (0..self.starts[at].len()).map(Some).collect();
        branches.extend((self.spare > 0).then_some(None));
        branches.shuffle(rng);
        for branch in branches {
            if self.steps > MAX_STEPS {
                return false;
            }
            match branch {
                None => {
                    self.spare -= 1;
                    if self.fill_from(at + 1, rng) {
                        return true;
                    }
                    self.spare += 1;
                }
                Some(number) => {
                    let Start { ship, cells } = self.starts[at][number].clone();
                    if self.placed[ship] || cells.iter().any(|&i| self.covered[i].is_some()) {
                        continue;
                    }
                    cells.iter().for_each(|&i| self.covered[i] = Some(ship));
                    self.placed[ship] = true;
                    if self.fill_from(at + 1, rng) {
                        return true;
                    }
                    cells.iter().for_each(|&i| self.covered[i] = None);
                    self.placed[ship] = false;
                }
            }
        }
        false
    }
}
