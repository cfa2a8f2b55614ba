//! Lost families around one fleet: products of sunflowers.
//!
//! With many misses, it is expensive to decide whether a list of sets is lost. This file builds families that are lost
//! by construction. Take a fleet that fits, and let some of its ships move:
//! * The *home* of a ship is its placement in this fleet. A ship may take its home and some other placements, any two of
//!   which share the same cells, the *kernel*. So these placements form a sunflower. The cells of a placement outside
//!   the kernel are a *petal*. The kernel contains the known hits of the home, so the hits stay covered.
//! * Petals are disjoint, also those of different ships. So each ship can take any of its placements, whichever the
//!   other ships take. The sets that the fleet can cover in this way are the *product* of the sunflowers.
//!
//! A miss excludes at most one petal, so a ship with p placements costs p - 1 misses, and the misses of different ships
//! add up. So if the ships have m + 1 petals in all, not counting those of the homes, the product is lost with m misses.
//! It is also minimal: without any one of its sets, it is won. `paper-notes.md` has the proofs. A product has m + 2 sets
//! if one ship has all petals, and at most 2^(m + 1).
//!
//! # Algorithm
//! [`Sunflowers::find`] is a local search over fleets. A step moves one to three ships at random and is undone if the
//! new fleet has fewer petals than the old one. Petals are chosen greedily, so a fleet may have more than are found.
//!
//! [`petals`] chooses them in three stages. A large petal uses up squares, but many petals of one ship make few sets.
//! 1. Each of at most w ships takes its smallest petal.
//! 2. One other ship, the *rover*, takes as many petals as possible.
//! 3. Any ship takes a further petal, the smallest first.
//!
//! All ships are tried as rover, first with w = 0 and later with larger w.

use super::mask::Mask;
use super::tables::Tables;
use chacha20::ChaCha8Rng;
use counterpoint_core::engine::{Budget, Limit};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

/// Maximum number of moves of a ship that are considered. It matters on large boards only.
const MAX_MOVES: usize = 256;

/// Maximum number of nodes of the search for the fleet that covers a given set.
const MAX_TILE_NODES: u32 = 1 << 14;

/// Maximum number of ships that a step moves.
const MAX_MOVED: usize = 3;

/// A local search for a fleet with enough petals.
pub(super) struct Sunflowers<const W: usize> {
    hits: Mask<W>,
    /// All squares that are not known misses.
    open: Mask<W>,
    /// The number of petals that makes a product lost, not counting those of the homes.
    target: usize,
    rng: ChaCha8Rng,
    /// The home of each ship. Empty until the first call of `find`.
    homes: Vec<Mask<W>>,
    /// Number of petals around `homes`.
    petals: usize,
}

/// A placement of a ship that is not its home.
#[derive(Clone, Copy)]
struct Move<const W: usize> {
    ship: usize,
    /// Its cells in the home.
    kernel: Mask<W>,
    /// Its other cells. In the fleet of all homes, no ship covers them.
    petal: Mask<W>,
}

/// Moves whose petals are disjoint. The moves of one ship have the same kernel.
#[derive(Clone)]
struct Chosen<const W: usize> {
    moves: Vec<Move<W>>,
    /// The squares in no home and in no chosen petal.
    free: Mask<W>,
}

impl<const W: usize> Chosen<W> {
    fn take(&mut self, next: Move<W>) {
        self.free = self.free.without(next.petal);
        self.moves.push(next);
    }

    fn allows(&self, next: &Move<W>) -> bool {
        next.petal.without(self.free).is_empty()
            && self.of(next.ship).next().is_none_or(|first| first.kernel == next.kernel)
    }

    fn of(&self, ship: usize) -> impl Iterator<Item = &Move<W>> {
        self.moves.iter().filter(move |chosen| chosen.ship == ship)
    }

    /// Number of sets of the product.
    fn sets(&self, ships: usize) -> usize {
        (0..ships).map(|ship| 1 + self.of(ship).count()).product()
    }
}

impl<const W: usize> Sunflowers<W> {
    /// A search on a board with these known hits and misses.
    pub(super) fn new(
        tables: &Tables<W>,
        hits: Mask<W>,
        misses: Mask<W>,
        misses_allowed: u32,
    ) -> Sunflowers<W> {
        Sunflowers {
            hits,
            open: Mask::of(0..tables.size.cells()).without(misses),
            target: misses_allowed as usize + 1,
            rng: ChaCha8Rng::seed_from_u64(322),
            homes: Vec::new(),
            petals: 0,
        }
    }

    /// A minimal lost family of sets that fit, or `None` if `steps` steps find none. The first call starts with a fleet
    /// that covers `set`, and each later call continues where the last one ended. Each fleet counts as a node.
    ///
    /// # Errors
    /// Returns the limit of the budget that was reached.
    pub(super) fn find(
        &mut self,
        tables: &Tables<W>,
        set: Mask<W>,
        steps: usize,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Mask<W>>>, Limit> {
        if self.homes.is_empty() {
            let mut homes = vec![Mask::EMPTY; tables.of_ship.len()];
            if !tile(tables, set, tables.all, &mut homes, &mut { MAX_TILE_NODES }) {
                return Ok(None);
            }
            budget.node()?;
            let product = self.visit(tables, homes);
            if product.is_some() {
                return Ok(product);
            }
        }
        for _ in 0..steps {
            budget.node()?;
            let Some(homes) = self.neighbour(tables) else { continue };
            let product = self.visit(tables, homes);
            if product.is_some() {
                return Ok(product);
            }
        }
        Ok(None)
    }

    /// The product around a fleet if it is lost. Otherwise, the fleet replaces the current one unless it has fewer
    /// petals.
    fn visit(&mut self, tables: &Tables<W>, homes: Vec<Mask<W>>) -> Option<Vec<Mask<W>>> {
        let set = union(&homes);
        let free = self.open.without(set);
        let moves: Vec<_> =
            (0..homes.len()).flat_map(|ship| moves(tables, ship, homes[ship], free, self.hits)).collect();
        let chosen = petals(&moves, free, homes.len(), self.target);
        if chosen.moves.len() == self.target {
            return Some(product(set, &homes, &chosen));
        }
        if chosen.moves.len() >= self.petals {
            (self.homes, self.petals) = (homes, chosen.moves.len());
        }
        None
    }

    /// Another fleet that fits, in which some ships are moved at random; `None` if they do not fit.
    fn neighbour(&mut self, tables: &Tables<W>) -> Option<Vec<Mask<W>>> {
        let mut homes = self.homes.clone();
        let mut moved: Vec<usize> = (0..homes.len()).collect();
        moved.shuffle(&mut self.rng);
        moved.truncate(self.rng.random_range(1..=MAX_MOVED));
        moved.iter().for_each(|&ship| homes[ship] = Mask::EMPTY);
        for ship in moved {
            let covered = union(&homes);
            let mut places = places(tables, ship, self.open.without(covered));
            let pending = self.hits.without(covered);
            let most = places.iter().map(|place| place.and(pending).len()).max()?;
            places.retain(|place| place.and(pending).len() == most);
            homes[ship] = *places.choose(&mut self.rng)?;
        }
        (self.hits.without(union(&homes)).is_empty() && homes != self.homes).then_some(homes)
    }
}

fn union<const W: usize>(homes: &[Mask<W>]) -> Mask<W> {
    homes.iter().fold(Mask::EMPTY, |union, home| union.or(*home))
}

/// All placements of a ship on `free` squares.
fn places<const W: usize>(tables: &Tables<W>, ship: usize, free: Mask<W>) -> Vec<Mask<W>> {
    let mut shifted = Vec::new();
    tables.shifted(free, &mut shifted);
    let at = |shape: usize| tables.anchors(shape, &shifted).iter().map(move |anchor| (shape, anchor));
    let places = tables.of_ship[ship].clone().flat_map(at);
    places.map(|(shape, anchor)| tables.shapes[shape].mask.up(anchor)).collect()
}

/// Finds placements of the ships `remaining` that cover exactly the squares `left`, and stores them in `homes`. Branches
/// on the lowest square. False if there are none or if no `nodes` are left.
fn tile<const W: usize>(
    tables: &Tables<W>,
    left: Mask<W>,
    remaining: u32,
    homes: &mut [Mask<W>],
    nodes: &mut u32,
) -> bool {
    let Some(square) = left.first() else { return remaining == 0 };
    if *nodes == 0 {
        return false;
    }
    *nodes -= 1;
    let mut shifted = Vec::new();
    tables.shifted(left, &mut shifted);
    let shapes = tables.shapes.iter().enumerate();
    for (number, shape) in shapes.filter(|(_, shape)| remaining >> shape.ship & 1 == 1) {
        for anchor in shape.covering(&tables.anchors(number, &shifted), square) {
            homes[shape.ship] = shape.mask.up(anchor);
            let left = left.without(homes[shape.ship]);
            if tile(tables, left, remaining & !(1 << shape.ship), homes, nodes) {
                return true;
            }
        }
    }
    false
}

/// The moves of a ship from its home to `free` squares.
fn moves<const W: usize>(
    tables: &Tables<W>,
    ship: usize,
    home: Mask<W>,
    free: Mask<W>,
    hits: Mask<W>,
) -> impl Iterator<Item = Move<W>> {
    let places = places(tables, ship, free.or(home)).into_iter();
    let moved = places.filter(move |&place| place != home && home.and(hits).without(place).is_empty());
    let split = move |place: Mask<W>| Move { ship, kernel: place.and(home), petal: place.without(home) };
    moved.take(MAX_MOVES).map(split)
}

/// A greedy choice of at most `target` moves. If it reaches the target, it prefers few sets.
fn petals<const W: usize>(moves: &[Move<W>], free: Mask<W>, ships: usize, target: usize) -> Chosen<W> {
    let mut best = Chosen { moves: Vec::new(), free };
    for w in [0, 2, ships] {
        for rover in 0..ships {
            let mut chosen = Chosen { moves: Vec::new(), free };
            for _ in 0..w.min(target) {
                let unmoved = |m: &&Move<W>| m.ship != rover && chosen.of(m.ship).next().is_none();
                let allowed = moves.iter().filter(unmoved).filter(|m| chosen.allows(m));
                let Some(&next) = allowed.min_by_key(|m| m.petal.len()) else { break };
                chosen.take(next);
            }
            rove(&mut chosen, moves, rover, target);
            fill(&mut chosen, moves, target);
            if chosen.of(rover).count() == target {
                return chosen;
            }
            let more = chosen.moves.len() > best.moves.len();
            let fewer_sets = || chosen.sets(ships) < best.sets(ships);
            if more || chosen.moves.len() == target && fewer_sets() {
                best = chosen;
            }
        }
        if best.moves.len() == target {
            break;
        }
    }
    best
}

/// Gives the rover petals for the kernel with which it gets the most. The next petal is the one that meets the fewest
/// others.
fn rove<const W: usize>(chosen: &mut Chosen<W>, moves: &[Move<W>], rover: usize, target: usize) {
    let own = || moves.iter().filter(|m| m.ship == rover);
    let mut kernels: Vec<Mask<W>> = Vec::new();
    for kernel in own().map(|m| m.kernel) {
        if !kernels.contains(&kernel) {
            kernels.push(kernel);
        }
    }
    let mut best = chosen.clone();
    for kernel in kernels {
        let mut roved = chosen.clone();
        let mut left: Vec<_> =
            own().filter(|m| m.kernel == kernel && chosen.allows(m)).map(|m| m.petal).collect();
        while roved.moves.len() < target {
            let meets = |a: Mask<W>, b: Mask<W>| !a.and(b).is_empty();
            let met = |&&petal: &&Mask<W>| left.iter().filter(|&&other| meets(petal, other)).count();
            let Some(&petal) = left.iter().min_by_key(met) else { break };
            roved.take(Move { ship: rover, kernel, petal });
            left.retain(|&other| !meets(petal, other));
        }
        if roved.moves.len() > best.moves.len() {
            best = roved;
        }
    }
    *chosen = best;
}

/// Adds petals until the target is reached or no move is allowed, the smallest first. Ties go to the ship with the most
/// petals, because then the number of sets grows least.
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
    for (ship, &home) in homes.iter().enumerate() {
        let with = |set: Mask<W>| {
            let moved = chosen.of(ship).map(move |m| set.without(home).or(m.kernel).or(m.petal));
            std::iter::once(set).chain(moved)
        };
        sets = sets.into_iter().flat_map(with).collect();
    }
    sets
}

#[cfg(test)]
mod tests;
