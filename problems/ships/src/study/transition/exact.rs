//! Probabilities of the limit (`limit.rs`) that have a formula: those for no miss, and those for any number of misses.
//!
//! # Any number of misses
//! There are at most so many covered sets, and n sets are won with n - 1 misses. So with enough misses a board is won
//! if and only if every ship has a hit. If r is the share of the squares that is uncovered, this has the probability
//! h(r), the product of 1 - (1 - r)^c over all ships, where c is the number of squares of a ship.
//!
//! # No miss
//! A board is won if and only if it has a single covered set. Suppose that no two ships are equal. Then different
//! assignments of ships to clusters, and different placements, give different sets. So there is a single set if and
//! only if the local list of each ship at its own cluster has one placement, and no other assignment is possible. Draw
//! an arrow from cluster t to ship s if s can lie at cluster t. Another assignment is possible if and only if these
//! arrows contain a cycle. The clusters are independent, so the probability is a sum over the acyclic sets of arrows,
//! which Robinson's recursion (R. Robinson, *Counting labeled acyclic digraphs*, 1973) computes: let f(S) be the
//! probability that the ships in S are alone at their clusters, that their arrows end in S and that they contain no
//! cycle. Inclusion and exclusion over the set T of clusters at which no arrow of S ends gives
//!
//! f(S) = sum over nonempty T in S of (-1)^(|T| + 1) f(S - T) product over t in T of q(t, S - T)
//!
//! where q(t, B) is the probability that ship t is alone at its cluster and that all its arrows end in B.
//!
//! q(t, B) is a polynomial in r with whole coefficients. Fix the hits of ship t. Every other placement through them is
//! excluded by an uncovered square outside the ship. So for each set of squares that are not uncovered, the kinds of
//! the placements in this set follow from those of its subsets, and it remains to count the sets by their number of
//! squares. All poses of a ship have the same probability, since the symmetries map placements to placements.

use super::limit::{PreparedFleet, Squares, Surroundings};
use counterpoint_core::board::ones;

/// Maximum number of squares whose subsets are counted.
const MAX_SQUARES: usize = 24;
/// Maximum number of ships. The recursion takes time 3^n.
const MAX_SHIPS: usize = 10;

/// A set of ships: bit s stands for ship s.
type ShipSet = u16;

/// The probability that every ship has a hit, if a share r of the squares is uncovered.
pub fn all_hit(ships: &PreparedFleet, r: f64) -> f64 {
    ships.poses.iter().map(|poses| 1.0 - (1.0 - r).powi(poses[0].ship.count_ones() as i32)).product()
}

/// The number of ways in which squares around a ship can be uncovered such that this ship is alone at its cluster and
/// exactly a given set of other ships could lie there, too.
struct Ways {
    other_ships: ShipSet,
    /// Number of squares that are uncovered and that are not, among those that matter.
    uncovered: u32,
    hidden: u32,
    count: u64,
}

/// The probability that no miss is needed, as a polynomial in the share of the squares that is uncovered.
pub struct NoMiss {
    ways: Vec<Vec<Ways>>,
}

impl NoMiss {
    /// Counts; `None` if two ships are equal, or if there are too many ships or too many squares around one of them.
    pub fn new(ships: &PreparedFleet) -> Option<NoMiss> {
        let n = ships.kinds.len();
        if n > MAX_SHIPS || ships.kinds.iter().enumerate().any(|(ship, &kind)| ship != kind) {
            return None;
        }
        let ways = ships.poses.iter().enumerate().map(|(ship, poses)| ways(ship, &poses[0]));
        Some(NoMiss { ways: ways.collect::<Option<_>>()? })
    }

    /// The probability that no miss is needed if a share r of the squares is uncovered.
    pub fn probability(&self, r: f64) -> f64 {
        let n = self.ways.len();
        let full = (1usize << n) - 1;
        // q[t][b]: ship t is alone, and all its arrows end in b.
        let mut q = vec![vec![0.0; full + 1]; n];
        for (q, ways) in q.iter_mut().zip(&self.ways) {
            for of in ways {
                let weight = r.powi(of.uncovered as i32) * (1.0 - r).powi(of.hidden as i32);
                q[of.other_ships as usize] += of.count as f64 * weight;
            }
            for bit in 0..n {
                (0..=full).filter(|set| set >> bit & 1 == 1).for_each(|set| q[set] += q[set ^ 1 << bit]);
            }
        }
        let mut f = vec![1.0; full + 1];
        for set in 1..=full {
            let mut part = set;
            let mut sum = 0.0;
            while part > 0 {
                let rest = set & !part;
                let sign = if part.count_ones() % 2 == 1 { 1.0 } else { -1.0 };
                sum += sign * f[rest] * ones(part as u64).map(|ship| q[ship][rest]).product::<f64>();
                part = (part - 1) & set;
            }
            f[set] = sum;
        }
        f[full]
    }
}

/// The share at which an increasing function reaches `value`, by bisection.
pub fn quantile(value: f64, probability: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if probability(middle) < value {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

fn ways(ship: usize, around: &Surroundings) -> Option<Vec<Ways>> {
    let mut found = Vec::new();
    for hits in 1..=around.ship {
        // The other placements through these hits, by the squares outside the ship.
        let through = |place: &&Squares| **place & hits == hits && **place != around.ship;
        let outside = |(kind, places): (usize, &Vec<Squares>)| {
            places.iter().filter(through).map(|place| (kind, place & !around.ship)).collect::<Vec<_>>()
        };
        let others: Vec<(usize, Squares)> = around.placements.iter().enumerate().flat_map(outside).collect();
        let any = others.iter().fold(0, |any, (_, squares)| any | squares);
        let squares: Vec<u32> = (0..around.squares).filter(|square| any >> square & 1 == 1).collect();
        if squares.len() > MAX_SQUARES {
            return None;
        }
        // fits[h]: the ships that have a placement in the ship and the squares h, which are not uncovered.
        let mut fits: Vec<ShipSet> = vec![0; 1 << squares.len()];
        for (kind, place) in others {
            let inside = squares.iter().enumerate().filter(|(_, square)| place >> *square & 1 == 1);
            fits[inside.fold(0, |set, (i, _)| set | 1 << i)] |= 1 << kind;
        }
        for bit in 0..squares.len() {
            for block in fits.chunks_exact_mut(2 << bit) {
                let (without, with) = block.split_at_mut(1 << bit);
                with.iter_mut().zip(without).for_each(|(with, without)| *with |= *without);
            }
        }
        let mut counts = vec![0u64; (squares.len() + 1) << around.placements.len()];
        for (hidden, &fits) in fits.iter().enumerate() {
            counts[(hidden.count_ones() as usize) << around.placements.len() | fits as usize] += 1;
        }
        for (at, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (other_ships, hidden) =
                ((at & ((1 << around.placements.len()) - 1)) as ShipSet, at >> around.placements.len());
            if other_ships >> ship & 1 == 1 {
                continue;
            }
            let own = around.ship.count_ones() - hits.count_ones();
            found.push(Ways {
                other_ships,
                uncovered: hits.count_ones() + (squares.len() - hidden) as u32,
                hidden: own + hidden as u32,
                count,
            });
        }
    }
    Some(found)
}
