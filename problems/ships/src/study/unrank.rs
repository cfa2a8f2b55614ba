//! Computes the placement of a fleet that has a given number (unranking), and thereby samples placements uniformly
//! (A. Nijenhuis, H. Wilf, *Combinatorial Algorithms*, 1978).
//!
//! All layers of the covering automaton are stored with the number of paths to each state. Given a rank, `placement`
//! first finds the last ship that is started, and then goes back cell by cell. At each step, the rank determines one of
//! the few preceding states: a state with p paths stands for p consecutive ranks.

use super::automaton::{Automaton, Start};
use super::layers::{Layer, advance, finishing, initial};
use super::merge::Window;
use crate::PlacedShip;
use chacha20::ChaCha8Rng;
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit};
use rand::RngExt;

/// Maximum size of all layers together, in bytes.
pub const MAX_BYTES: usize = 1 << 30;

/// The placements of a fleet in a fixed order. Placements that differ only in the order of equal ships count as one.
pub struct Ranking {
    automaton: Automaton,
    /// The layer before each cell.
    layers: Vec<Layer<u128, u128>>,
    /// For each cell, the number of placements whose last ship starts there.
    finished: Vec<u128>,
}

/// Prepares the numbering of the placements. Counts one node for each state, and stores all states.
///
/// # Errors
/// Returns the limit of the budget that was reached, or `Limit::Memory` if more than [`MAX_BYTES`] bytes are needed.
pub fn ranking(automaton: Automaton, budget: &mut Budget) -> Result<Ranking, Limit> {
    let mut ranking = Ranking { automaton, layers: Vec::new(), finished: Vec::new() };
    if ranking.automaton.shapes.is_empty() {
        ranking.finished.push(u128::from(!ranking.automaton.hit.contains(&true)));
        return Ok(ranking);
    }
    let mut layer = initial(&ranking.automaton);
    let mut window = Window::default();
    let mut states = 0;
    for cell in 0..ranking.automaton.scan.len() {
        states += layer.iter().map(|bucket| bucket.keys.len()).sum::<usize>();
        if states > MAX_BYTES / (2 * size_of::<u128>()) {
            return Err(Limit::Memory);
        }
        ranking.layers.push(layer.clone());
        ranking.finished.push(advance(&ranking.automaton, cell, &mut layer, &mut window, budget)?);
    }
    Ok(ranking)
}

impl Ranking {
    /// The number of placements.
    pub fn len(&self) -> u128 {
        self.finished.iter().sum()
    }

    /// True if the fleet does not fit.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The placement with number `rank`, from 0; `None` if `rank` is [`Ranking::len`] or more. Equal ships all get the
    /// index of the first of them. O(states of a layer).
    pub fn placement(&self, rank: u128) -> Option<Vec<PlacedShip>> {
        let mut left = rank;
        if self.automaton.shapes.is_empty() {
            return (rank < self.len()).then(Vec::new);
        }
        let mut cell = self.finished.iter().position(|&count| !skip(&mut left, count))?;
        let (start, mut profile) = self.last_ship(cell, &mut left)?;
        let mut tuple = self.automaton.tuples() - 1;
        let mut fleet = Vec::new();
        let mut started = Some(start);
        loop {
            if let Some(start) = started {
                fleet.push(self.placed(cell, start));
                tuple -= self.automaton.shapes[start.shape].stride;
            }
            if cell == 0 {
                return Some(fleet);
            }
            cell -= 1;
            (started, profile) = self.predecessor(cell, tuple, profile, &mut left)?;
        }
    }

    /// A uniformly random placement; `None` if there is none.
    pub fn sample(&self, rng: &mut ChaCha8Rng) -> Option<Vec<PlacedShip>> {
        let len = self.len();
        (len > 0).then(|| rng.random_range(0..len)).and_then(|rank| self.placement(rank))
    }

    /// Of the placements whose last ship starts at `cell`, takes the one with rank `left`. Returns its last ship, and
    /// the profile before `cell`.
    fn last_ship(&self, cell: usize, left: &mut u128) -> Option<(Start, u128)> {
        finishing(&self.automaton, cell, &self.layers[cell]).find_map(|(start, stream)| {
            let states = stream.keys.iter().zip(stream.counts);
            let mut taken = states.filter(|(key, _)| stream.takes(**key));
            taken.find(|(_, count)| !skip(left, **count)).map(|(&profile, _)| (start, profile))
        })
    }

    /// The last step of the path with rank `left` among all paths to the state (`tuple`, `profile`) after `cell`: the
    /// ship that starts at `cell`, if any, and the profile before `cell`.
    fn predecessor(
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
        let started = starts.map(|&start| (Some(start), (after | 1) & !start.cells));
        stayed.chain(started).find(|&(start, before)| !skip(left, self.paths(cell, tuple, start, before)))
    }

    /// The number of paths to the state before `cell` that has this `profile` and from which `start` leads to `tuple`.
    fn paths(&self, cell: usize, tuple: usize, start: Option<Start>, profile: u128) -> u128 {
        let shape = start.map(|start| &self.automaton.shapes[start.shape]);
        if shape.is_some_and(|shape| self.automaton.used(tuple, shape) == 0) {
            return 0;
        }
        let bucket = &self.layers[cell][tuple - shape.map_or(0, |shape| shape.stride)];
        bucket.keys.binary_search(&profile).map_or(0, |at| bucket.counts[at])
    }

    fn placed(&self, cell: usize, start: Start) -> PlacedShip {
        let cells = (0..u128::BITS).filter(|j| start.cells >> j & 1 == 1);
        let mut cells: Vec<Cell> = cells.map(|j| self.automaton.scan[cell + j as usize]).collect();
        cells.sort_unstable();
        PlacedShip { ship: self.automaton.shapes[start.shape].ship, cells }
    }
}

/// Skips `count` ranks if `left` is beyond them; returns whether it did.
fn skip(left: &mut u128, count: u128) -> bool {
    let skips = *left >= count;
    if skips {
        *left -= count;
    }
    skips
}
