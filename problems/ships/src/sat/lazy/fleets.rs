//! Fleets for a model of the lazy formula, and the sets that they give.

use super::super::bundles::Place;
use super::Lazy;
use counterpoint_core::board::Bits;
use counterpoint_core::solver::Solver;

/// Maximum number of steps to place the ships of a model.
const MAX_STEPS: u32 = 64;
/// Maximum number of sets from one model.
const MAX_SETS: usize = 24;
/// Maximum number of other places of each ship.
const MAX_MOVES: usize = 8;

/// The cells of each ship, by index, in the order of the bundles that the ships take.
pub(super) type Fleet = Vec<Vec<usize>>;

impl Lazy<'_> {
    /// The fleet of a model; `None` if some bundle is not expanded.
    pub(super) fn decode(&self, taken: &[usize], solver: &dyn Solver) -> Option<Fleet> {
        let cells = |&bundle: &usize| {
            let mut places = self.bundles.list[bundle].places.iter().zip(self.expanded[bundle].as_ref()?);
            let (&place, _) = places.find(|(_, lit)| solver.value(**lit))?;
            Some(self.bundles.cells(place).collect())
        };
        taken.iter().map(cells).collect()
    }

    /// Places the ships, those with few places first and idle ships last; `None` if that fails or takes too
    /// many steps. The search backtracks only over ships that cover hits.
    pub(super) fn place(&self, taken: &[usize]) -> Option<Fleet> {
        let mut order: Vec<usize> = (0..taken.len()).collect();
        order.sort_by_key(|&i| {
            let bundle = &self.bundles.list[taken[i]];
            (bundle.hits.is_empty(), bundle.places.len())
        });
        let n_idle = taken.iter().filter(|&&bundle| self.bundles.list[bundle].hits.is_empty()).count();
        let (covering, idle) = order.split_at(taken.len() - n_idle);
        let mut occupied = Bits::zeros(self.instance.squares.len());
        let mut fleet = vec![Vec::new(); taken.len()];
        if !self.place_covering(covering, taken, &mut occupied, &mut fleet, &mut MAX_STEPS.clone()) {
            return None;
        }
        for &i in idle {
            fleet[i] = self.bundles.first_free(taken[i], &occupied)?;
            fleet[i].iter().for_each(|&cell| occupied.set(cell));
        }
        Some(fleet)
    }

    /// Places the ships of `order`, by backtracking.
    fn place_covering(
        &self,
        order: &[usize],
        taken: &[usize],
        occupied: &mut Bits,
        fleet: &mut Fleet,
        steps: &mut u32,
    ) -> bool {
        let [i, rest @ ..] = order else { return true };
        for &place in &self.bundles.list[taken[*i]].places {
            if self.bundles.unknown(place).any(|cell| occupied.get(cell)) {
                continue;
            }
            let Some(fewer) = steps.checked_sub(1) else { return false };
            *steps = fewer;
            self.bundles.unknown(place).for_each(|cell| occupied.set(cell));
            if self.place_covering(rest, taken, occupied, fleet, steps) {
                fleet[*i] = self.bundles.cells(place).collect();
                return true;
            }
            self.bundles.unknown(place).for_each(|cell| occupied.clear(cell));
        }
        false
    }

    fn set(&self, fleet: &Fleet) -> Bits {
        Bits::from_indices(self.instance.squares.len(), fleet.iter().flatten().copied())
    }

    /// Finds m + 2 sets that differ only in the place of one ship, where m is the number of misses allowed.
    /// No two of these places share an unknown square, so the sets are lost with m misses.
    pub(super) fn sunflower(&self, taken: &[usize], fleet: &Fleet) -> Option<Vec<Bits>> {
        let set = self.set(fleet);
        let moves = |&i: &usize| self.bundles.list[taken[i]].hits.len() < fleet[i].len();
        (0..taken.len()).rev().filter(moves).find_map(|moved| {
            let mut core = set.clone();
            fleet[moved].iter().for_each(|&cell| core.clear(cell));
            let mut occupied = core.clone();
            let petal = |_| {
                let cells = self.bundles.first_free(taken[moved], &occupied)?;
                let mut petal = core.clone();
                for &cell in &cells {
                    occupied.set(cell);
                    petal.set(cell);
                }
                Some(petal)
            };
            (0..self.rules.misses + 2).map(petal).collect()
        })
    }

    /// The set of a fleet, then sets that differ from it in the place of one ship or two ships. The ships keep their
    /// hits. Only listed placements are considered.
    pub(super) fn neighbours(&self, taken: &[usize], fleet: &Fleet) -> Vec<Bits> {
        let set = self.set(fleet);
        let without = |mut set: Bits, i: usize| {
            fleet[i].iter().for_each(|&cell| set.clear(cell));
            set
        };
        let with = |mut set: Bits, place: Place| {
            self.bundles.cells(place).for_each(|cell| set.set(cell));
            set
        };
        let mut moves: Vec<(usize, Place)> = Vec::new();
        for i in 0..fleet.len() {
            let others = without(set.clone(), i);
            let places = self.bundles.list[taken[i]].places.iter().copied();
            let free = places.filter(|&place| self.bundles.unknown(place).all(|cell| !others.get(cell)));
            let other = free.filter(|&place| !self.bundles.cells(place).eq(fleet[i].iter().copied()));
            moves.extend(other.take(MAX_MOVES).map(|place| (i, place)));
        }
        let single = moves.iter().map(|&(i, place)| with(without(set.clone(), i), place));
        let apart = |a, b| self.bundles.cells(a).all(|cell| self.bundles.cells(b).all(|other| other != cell));
        let pairs = moves.iter().enumerate().flat_map(|(n, a)| moves[..n].iter().map(move |b| (*a, *b)));
        let double = pairs.filter(|&((i, a), (j, b))| i != j && apart(a, b));
        let double = double.map(|((i, a), (j, b))| with(with(without(without(set.clone(), i), j), a), b));
        [set.clone()].into_iter().chain(single).chain(double).take(MAX_SETS).collect()
    }
}
