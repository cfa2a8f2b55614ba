//! Lost families around one fleet: products of sunflowers.
//!
//! With many misses, it is expensive to decide whether a list of sets is lost. Some families are known to be lost
//! without this decision. Take a fleet that fits and let some of its ships move, each within squares of its own:
//! * The *home* of a ship is its placement in this fleet. Its placements form a *sunflower*: any two of them share only
//!   the *kernel*, which belongs to all of them. What a placement covers besides the kernel is a *petal*.
//! * Petals of different ships are disjoint. So each ship may take any of its placements, whichever the others take.
//!   All combinations fit, and they cover distinct sets: the *product* of the sunflowers.
//!
//! A miss rules out at most one petal, so a sunflower with p petals needs p - 1 misses, and the misses of different
//! ships add up: the product is lost with m misses if the numbers of petals besides the homes add up to m + 1 or more.
//! If they add up to m + 1, the product is a minimal lost family. `paper-notes.md` has the proof.
//!
//! # Algorithm
//! The product should have few sets. One ship with m + 2 petals makes m + 2 sets, m + 1 ships with two petals each make
//! 2^(m + 1). But a ship needs few squares for one more petal: one square if its kernel has all cells but one. So
//! `find` lets one ship, the *rover*, have as many petals as it can, after w other ships have chosen their smallest
//! petals, and tries w = 0, 1, 2, ... Then all ships add petals, smallest first, while there are squares. Everything
//! is chosen greedily, so `find` may fail although such a product exists.

use super::mask::Mask;
use super::tables::Tables;
use counterpoint_core::engine::{Budget, Limit};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Maximum number of sets in a product.
const MAX_SETS: usize = 512;

/// A placement of a ship that is not its home.
#[derive(Clone, Copy)]
struct Move<const W: usize> {
    ship: usize,
    /// The cells of the home that it covers, too.
    kernel: Mask<W>,
    /// The other cells, all of which the fleet leaves free.
    petal: Mask<W>,
}

/// The moves that have been chosen, and the squares that are left.
#[derive(Clone)]
struct Chosen<const W: usize> {
    moves: Vec<Move<W>>,
    free: Mask<W>,
}

impl<const W: usize> Chosen<W> {
    fn take(&mut self, chosen: Move<W>) {
        self.free = self.free.without(chosen.petal);
        self.moves.push(chosen);
    }

    /// True if the move keeps every ship's petals disjoint from all others.
    fn allows(&self, other: &Move<W>) -> bool {
        other.petal.without(self.free).is_empty()
            && self.of(other.ship).next().is_none_or(|first| first.kernel == other.kernel)
    }

    fn of(&self, ship: usize) -> impl Iterator<Item = &Move<W>> {
        self.moves.iter().filter(move |chosen| chosen.ship == ship)
    }

    /// Number of sets in the product.
    fn sets(&self, ships: usize) -> usize {
        (0..ships).map(|ship| 1 + self.of(ship).count()).product()
    }
}

/// A local search for a fleet with a lost product.
pub(super) struct Sunflowers<const W: usize> {
    board: Mask<W>,
    hits: Mask<W>,
    blocked: Mask<W>,
    /// The number of petals besides the homes that makes a product lost.
    target: usize,
    rng: ChaCha8Rng,
    homes: Vec<Mask<W>>,
    score: usize,
}

impl<const W: usize> Sunflowers<W> {
    pub(super) fn new(tables: &Tables<W>, hits: Mask<W>, blocked: Mask<W>, misses: u32) -> Self {
        Sunflowers {
            board: Mask::of(0..tables.size.cells()),
            hits,
            blocked,
            target: misses as usize + 1,
            rng: ChaCha8Rng::seed_from_u64(322),
            homes: Vec::new(),
            score: 0,
        }
    }

    /// A minimal lost family
    pub(super) fn find(
        &mut self,
        tables: &Tables<W>,
        set: Mask<W>,
        steps: usize,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Mask<W>>>, Limit> {
        if self.homes.is_empty() {
            let mut homes = vec![Mask::EMPTY; tables.of_ship.len()];
            if !tile(tables, set, tables.all, &mut homes) {
                return Ok(None);
            }
            if let Ok(sets) = self.visit(tables, homes, budget)? {
                return Ok(Some(sets));
            }
        }
        for _ in 0..steps {
            let Some(homes) = self.neighbour(tables) else { continue };
            if let Ok(sets) = self.visit(tables, homes, budget)? {
                if std::env::var("DBG").is_ok() { eprintln!("found after {} nodes", budget.work.nodes) };
                return Ok(Some(sets));
            }
        }
        Ok(None)
    }

    fn visit(
        &mut self,
        tables: &Tables<W>,
        homes: Vec<Mask<W>>,
        budget: &mut Budget,
    ) -> Result<Result<Vec<Mask<W>>, usize>, Limit> {
        budget.node()?;
        let set = homes.iter().fold(Mask::EMPTY, |set, home| set.or(*home));
        let free = self.board.without(set.or(self.blocked));
        let ships = homes.len();
        let moves: Vec<_> =
            (0..ships).flat_map(|ship| moves(tables, ship, homes[ship], free, self.hits)).collect();
        let mut most = 0;
        let mut best: Option<(usize, Chosen<W>)> = None;
        for early in [0, 2, ships - 1] {
            for rover in 0..ships {
                let mut chosen = Chosen { moves: Vec::new(), free };
                for _ in 0..early.min(self.target) {
                    let unmoved = |m: &&Move<W>| m.ship != rover && chosen.of(m.ship).next().is_none();
                    let open = moves.iter().filter(unmoved).filter(|m| chosen.allows(m));
                    let Some(&next) = open.min_by_key(|m| m.petal.len()) else { break };
                    chosen.take(next);
                }
                rove(&mut chosen, &moves, rover, self.target);
                fill(&mut chosen, &moves, self.target);
                most = most.max(chosen.moves.len());
                let sets = chosen.sets(ships);
                if chosen.moves.len() == self.target
                    && sets <= MAX_SETS
                    && best.as_ref().is_none_or(|(fewest, _)| sets < *fewest)
                {
                    best = Some((sets, chosen));
                }
            }
            if let Some((_, chosen)) = best {
                return Ok(Ok(product(set, &homes, &chosen)));
            }
        }
        if most >= self.score {
            if most > self.score && std::env::var("DBG").is_ok() { eprintln!("{} of {}", most, self.target) };
            (self.homes, self.score) = (homes, most);
        }
        Ok(Err(most))
    }

    /// Moves one to three ships at random.
    fn neighbour(&mut self, tables: &Tables<W>) -> Option<Vec<Mask<W>>> {
        let mut homes = self.homes.clone();
        let n = self.rng.random_range(1..=3.min(homes.len()));
        let mut ships: Vec<usize> = (0..homes.len()).collect();
        ships.shuffle(&mut self.rng);
        ships.truncate(n);
        ships.iter().for_each(|&ship| homes[ship] = Mask::EMPTY);
        let mut shifted = Vec::new();
        for &ship in &ships {
            let set = homes.iter().fold(Mask::EMPTY, |set, home| set.or(*home));
            tables.shifted(self.board.without(set.or(self.blocked)), &mut shifted);
            let shapes = tables.of_ship[ship].clone();
            let mut places = Vec::new();
            for shape in shapes {
                let mask = tables.shapes[shape].mask;
                places.extend(tables.anchors(shape, &shifted).iter().map(|anchor| mask.up(anchor)));
            }
            let pending = self.hits.without(set);
            if !pending.is_empty() {
                let most = places.iter().map(|place| place.and(pending).len()).max()?;
                places.retain(|place| place.and(pending).len() == most);
            }
            homes[ship] = *places.choose(&mut self.rng)?;
        }
        let set = homes.iter().fold(Mask::EMPTY, |set, home| set.or(*home));
        (self.hits.without(set).is_empty() && homes != self.homes).then_some(homes)
    }
}

/// Finds a placement of each ship of `remaining` so that together they cover exactly the cells `left`. Branches on the
/// lowest cell.
fn tile<const W: usize>(tables: &Tables<W>, left: Mask<W>, remaining: u32, homes: &mut [Mask<W>]) -> bool {
    let Some(cell) = left.first() else { return remaining == 0 };
    let mut shifted = Vec::new();
    tables.shifted(left, &mut shifted);
    for (number, shape) in tables.shapes.iter().enumerate().filter(|(_, s)| remaining >> s.ship & 1 == 1) {
        for anchor in shape.covering(&tables.anchors(number, &shifted), cell) {
            homes[shape.ship] = shape.mask.up(anchor);
            if tile(tables, left.without(homes[shape.ship]), remaining & !(1 << shape.ship), homes) {
                return true;
            }
        }
    }
    false
}

/// The moves of a ship to `free` cells; its kernel must hold the hits of its home.
fn moves<const W: usize>(
    tables: &Tables<W>,
    ship: usize,
    home: Mask<W>,
    free: Mask<W>,
    hits: Mask<W>,
) -> Vec<Move<W>> {
    let mut shifted = Vec::new();
    tables.shifted(free.or(home), &mut shifted);
    let places = tables.of_ship[ship].clone().flat_map(|shape| {
        let mask = tables.shapes[shape].mask;
        tables.anchors(shape, &shifted).iter().map(move |anchor| mask.up(anchor)).collect::<Vec<_>>()
    });
    let moved = places.filter(|&place| place != home && home.and(hits).without(place).is_empty());
    moved.map(|place| Move { ship, kernel: place.and(home), petal: place.without(home) }).collect()
}

/// Gives the rover as many petals as a greedy choice finds, for the best kernel.
fn rove<const W: usize>(chosen: &mut Chosen<W>, moves: &[Move<W>], rover: usize, target: usize) {
    let mut kernels: Vec<Mask<W>> =
        moves.iter().filter(|m| m.ship == rover).map(|m| m.kernel).collect();
    kernels.sort_unstable_by_key(|kernel| *kernel.words().first().unwrap_or(&0));
    kernels.dedup();
    let mut best = chosen.clone();
    for kernel in kernels {
        let mut packed = chosen.clone();
        let mut open: Vec<_> = moves
            .iter()
            .filter(|m| m.ship == rover && m.kernel == kernel && chosen.allows(m))
            .copied()
            .collect();
        while packed.moves.len() < target && !open.is_empty() {
            let meets = |a: &Move<W>, b: &Move<W>| !a.petal.and(b.petal).is_empty();
            let degree = |m: &&Move<W>| open.iter().filter(|other| meets(m, other)).count();
            let Some(&next) = open.iter().min_by_key(degree) else { break };
            packed.take(next);
            open.retain(|other| !meets(&next, other));
        }
        if packed.moves.len() > best.moves.len() {
            best = packed;
        }
    }
    *chosen = best;
}

/// Adds petals, smallest first, until the target is reached or no move is left. Ties go to the ship with the most
/// petals, because then the product grows least.
fn fill<const W: usize>(chosen: &mut Chosen<W>, moves: &[Move<W>], target: usize) {
    while chosen.moves.len() < target {
        let key = |m: &&Move<W>| (m.petal.len(), usize::MAX - chosen.of(m.ship).count());
        let Some(&next) = moves.iter().filter(|m| chosen.allows(m)).min_by_key(key) else { return };
        chosen.take(next);
    }
}

/// The sets of the product.
fn product<const W: usize>(set: Mask<W>, homes: &[Mask<W>], chosen: &Chosen<W>) -> Vec<Mask<W>> {
    let mut sets = vec![set];
    for (ship, home) in homes.iter().enumerate() {
        let with = |set: Mask<W>| {
            let moved = chosen.of(ship).map(move |m| set.without(*home).or(m.kernel).or(m.petal));
            std::iter::once(set).chain(moved)
        };
        sets = sets.into_iter().flat_map(with).collect();
    }
    sets
}
