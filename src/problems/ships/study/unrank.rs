//! Placements by number, and with them fleets that are uniformly random (unranking; Nijenhuis, Wilf,
//! *Combinatorial Algorithms*, 1978).
//!
//! The layers of the covering automaton are kept with the number of paths to each state. A number
//! picks the last ship begun, then step by step the state before: each of the few states from which a
//! transition comes takes as many numbers as it has paths.

use super::automaton::{Automaton, Start};
use super::layers::{Layer, finishing, first, step};
use super::merge::Window;
use crate::board::Cell;
use crate::engine::{Budget, Limit};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// What all layers together may take, in bytes.
pub const MAX_BYTES: usize = 1 << 30;

/// The placements of a fleet in an order of their own. Those that differ only in the order of equal
/// ships are one.
pub struct Ranking {
    automaton: Automaton,
    /// The layer before each cell.
    layers: Vec<Layer<u128, u128>>,
    /// For each cell how many placements begin their last ship there.
    finished: Vec<u128>,
}

/// A ship at its place: an index into the fleet, the first of equal ones, and its cells.
pub type Placed = (usize, Vec<Cell>);

/// Prepares to number the placements; a node a state, and all states are kept.
///
/// # Errors
/// The limit that was met; `Limit::Memory` past [`MAX_BYTES`].
pub fn ranking(automaton: Automaton, budget: &mut Budget) -> Result<Ranking, Limit> {
    let mut ranking = Ranking { automaton, layers: Vec::new(), finished: Vec::new() };
    if ranking.automaton.shapes.is_empty() {
        ranking.finished.push(u128::from(!ranking.automaton.hit.contains(&true)));
        return Ok(ranking);
    }
    let mut layer = first(&ranking.automaton);
    let mut window = Window::default();
    let mut states = 0;
    for cell in 0..ranking.automaton.scan.len() {
        states += layer.iter().map(|bucket| bucket.keys.len()).sum::<usize>();
        if states > MAX_BYTES / (2 * size_of::<u128>()) {
            return Err(Limit::Memory);
        }
        ranking.layers.push(layer.clone());
        ranking.finished.push(step(&ranking.automaton, cell, &mut layer, &mut window, budget)?);
    }
    Ok(ranking)
}

impl Ranking {
    /// How many there are.
    pub fn len(&self) -> u128 {
        self.finished.iter().sum()
    }

    /// True if the fleet fits nowhere.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number `rank`, from 0; `None` from [`Ranking::len`] on. O(states of a layer).
    pub fn placement(&self, rank: u128) -> Option<Vec<Placed>> {
        let mut left = rank;
        if self.automaton.shapes.is_empty() {
            return (rank < self.len()).then(Vec::new);
        }
        let mut cell = self.finished.iter().position(|&count| !take(&mut left, count))?;
        let (start, mut profile) = self.last_ship(cell, &mut left)?;
        let mut tuple = self.automaton.tuples() - 1;
        let mut fleet = Vec::new();
        let mut begun = Some(start);
        loop {
            if let Some(start) = begun {
                fleet.push(self.placed(cell, start));
                tuple -= self.automaton.shapes[start.shape].stride;
            }
            if cell == 0 {
                return Some(fleet);
            }
            cell -= 1;
            (begun, profile) = self.before(cell, tuple, profile, &mut left)?;
        }
    }

    /// A placement, each as likely as any other; `None` if there is none.
    pub fn sample(&self, rng: &mut ChaCha8Rng) -> Option<Vec<Placed>> {
        let len = self.len();
        (len > 0).then(|| rng.random_range(0..len)).and_then(|rank| self.placement(rank))
    }

    /// The ship begun last, at `cell`, and the profile before it.
    fn last_ship(&self, cell: usize, left: &mut u128) -> Option<(Start, u128)> {
        finishing(&self.automaton, cell, &self.layers[cell]).find_map(|(start, stream)| {
            let states = stream.keys.iter().zip(stream.counts);
            let mut taken = states.filter(|(key, _)| stream.takes(**key));
            taken.find(|(_, count)| !take(left, **count)).map(|(&profile, _)| (start, profile))
        })
    }

    /// From a state after `cell` to one before it, with the ship that was begun between.
    fn before(
        &self,
        cell: usize,
        tuple: usize,
        profile: u128,
        left: &mut u128,
    ) -> Option<(Option<Start>, u128)> {
        let after = profile << 1;
        let stayed = [(None, after | 1), (None, after)].into_iter();
        let stayed = stayed.filter(|(_, before)| before & 1 == 1 || !self.automaton.hit[cell]);
        let starts = self.automaton.starts[cell].iter();
        let starts = starts.filter(|start| (after | 1) & start.cells == start.cells);
        let begun = starts.map(|&start| (Some(start), (after | 1) & !start.cells));
        stayed.chain(begun).find(|&(start, before)| !take(left, self.paths(cell, tuple, start, before)))
    }

    /// How many paths lead to a state before `cell` from which `start` leads on to `tuple`.
    fn paths(&self, cell: usize, tuple: usize, start: Option<Start>, profile: u128) -> u128 {
        let shape = start.map(|start| &self.automaton.shapes[start.shape]);
        if shape.is_some_and(|shape| self.automaton.used(tuple, shape) == 0) {
            return 0;
        }
        let bucket = &self.layers[cell][tuple - shape.map_or(0, |shape| shape.stride)];
        bucket.keys.binary_search(&profile).map_or(0, |at| bucket.counts[at])
    }

    fn placed(&self, cell: usize, start: Start) -> Placed {
        let cells = (0..u128::BITS).filter(|j| start.cells >> j & 1 == 1);
        let mut cells: Vec<Cell> = cells.map(|j| self.automaton.scan[cell + j as usize]).collect();
        cells.sort_unstable();
        (self.automaton.shapes[start.shape].ship, cells)
    }
}

/// Whether `count` numbers come before number `left`; if so, passes them.
fn take(left: &mut u128, count: u128) -> bool {
    let passes = *left >= count;
    if passes {
        *left -= count;
    }
    passes
}
