//! Lazy placements: the formula says which ship covers which hits, and places a ship only if a model needs it.
//!
//! The formula starts with a variable for each bundle (`bundles.rs`). Each ship takes exactly one bundle, and each hit
//! belongs to exactly one of the bundles taken. A model thus says which ship covers which hits. There are three cases:
//! 1. If the ships of the model can be placed, and one of them can also be placed at m + 1 further places such that no
//!    two of its m + 2 places share an unknown square, then m + 2 sets form a sunflower. So the board is lost with m
//!    misses, regardless of the other sets that fit.
//! 2. If some bundle of the model has not been *expanded*, its placements become variables: the ship has exactly one
//!    of them if it takes this bundle, and otherwise none. Two ships do not own the same square.
//! 3. If all bundles of the model are expanded, the model is a fleet. Its set joins the family, and is forbidden.
//!
//! If there is no further model, the family consists of all sets that fit: every fleet that fits is a model, whichever
//! bundles are expanded.
//!
//! Bundles are expanded only if needed, so most formulas have a few hundred clauses instead of many thousand.

use super::bundles::{Bundles, Place, Poses};
use crate::answer::Answer;
use crate::answer::family::{Family, Standing};
use crate::{Instance, Rules};
use counterpoint_core::board::Bits;
use counterpoint_core::engine::{Budget, Unfinished};
use counterpoint_core::solver::{self, Solver};
use counterpoint_encodings::{AtMostOne, Cardinality, Cnf, Lit, Sink, Var};

/// Maximum number of steps to place the ships of a model.
const MAX_STEPS: u32 = 64;

/// How the formula is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct LazyForm {
    /// The at-most-one encoding.
    pub(super) amo: AtMostOne,
    /// Whether leaders are counted.
    pub(super) leaders: bool,
}

/// The formula, as far as it is written.
struct Lazy<'a> {
    rules: &'a Rules,
    instance: &'a Instance,
    form: LazyForm,
    bundles: Bundles<'a>,
    /// For each bundle, the literal that is true iff its ship takes it.
    takes: Vec<Lit>,
    /// For each expanded bundle, the literals of its placements.
    placed: Vec<Option<Vec<Lit>>>,
    /// For each unknown cell, by index, the ships that may own it and the literals that are true if they do.
    owners: Vec<Vec<(usize, Lit)>>,
    /// For each cell, by index, the literal that is true if a ship covers it; only for cells of forbidden sets.
    covered: Vec<Option<Lit>>,
    /// The sets found so far.
    found: Vec<Bits>,
}

/// Solves one board.
pub(super) fn decide(
    form: LazyForm,
    poses: &Poses,
    rules: &Rules,
    instance: &Instance,
    solver: impl FnOnce() -> Box<dyn Solver>,
    budget: &mut Budget,
) -> Result<Answer, Unfinished> {
    budget.poll()?;
    if form.leaders && poses.apart(instance).len() > rules.fleet.ships.len() {
        return Ok(Answer::NoFleet);
    }
    let bundles = Bundles::new(poses, instance);
    let (mut solver, n) = (solver(), bundles.bundles.len());
    let mut start = Cnf::default();
    let mut lazy = Lazy {
        rules,
        instance,
        form,
        bundles,
        takes: (0..n).map(|_| start.new_var().pos_lit()).collect(),
        placed: vec![None; n],
        owners: vec![Vec::new(); instance.squares.len()],
        covered: vec![None; instance.squares.len()],
        found: Vec::new(),
    };
    lazy.write(&mut start);
    let n_aux = start.n_vars() - n as u32;
    let order: u32 = std::env::var("ORDER").map_or(0, |o| o.parse().unwrap());
    let n_z = { let mut z = 0; let mut last: &[u16] = &[]; for b in &lazy.bundles.bundles { if b.hits != last { z += 1; last = &b.hits; } } z };
    let var = |lit: Lit| {
        let i = lit.vidx32();
        let n = n as u32;
        let i = match order {
            0 => if i < n { i + n_aux } else { i - n },
            1 => i,
            // rest, y, z
            2 => if i < n { i + n_aux - n_z } else if i < n + n_z { i + n_aux - n_z } else { i - n - n_z },
            // z, rest, y
            3 => if i < n { i + n_aux } else { i - n },
            // y, rest, z
            4 => if i < n { i } else if i < n + n_z { i + n_aux - n_z } else { i - n_z },
            // z y rest
            5 => if i < n { i + n_z } else if i < n + n_z { i - n } else { i },
            _ => panic!(),
        };
        Var::new(i).lit(lit.is_neg())
    };
    (0..start.n_vars()).for_each(|_| {
        solver.new_var();
    });
    let mut clause: Vec<Lit> = (0..start.n_vars()).map(|i| Var::new(i).pos_lit()).collect();
    solver.clause(&clause);
    for lits in start.clauses() {
        clause.clear();
        clause.extend(lits.iter().map(|&lit| var(lit)));
        solver.clause(&clause);
    }
    lazy.takes.iter_mut().for_each(|lit| *lit = var(*lit));
    let mut family = Family::new(instance.size, rules.misses);
    loop {
        let before = budget.work.conflicts;
        let (fits, next) = solver::step(solver, &[], budget)?;
        solver = next;
        if std::env::var_os("TRACE").is_some() {
            eprintln!("call {} fits {fits} conflicts {} vars {} clauses {} hits {} bundles {}", budget.work.solves, budget.work.conflicts - before, solver.n_vars(), solver.n_clauses(), lazy.bundles.n_hits, n);
        }
        if !fits {
            return Ok(family.answer(budget)?);
        }
        let taken: Vec<usize> = (0..n).filter(|&bundle| solver.value(lazy.takes[bundle])).collect();
        if lazy.separate(&taken, &mut *solver) {
            continue;
        }
        if let Some(fleet) = lazy.placed(&taken, &*solver).or_else(|| lazy.place(&taken)) {
            if let Some(sets) = lazy.sunflower(&taken, &fleet) {
                let mut family = Family::new(instance.size, rules.misses);
                for set in sets {
                    family.add(set.words(), budget)?;
                }
                return Ok(family.answer(budget)?);
            }
            for set in lazy.neighbours(&taken, &fleet) {
                if lazy.found.contains(&set) {
                    continue;
                }
                lazy.forbid(&set, &mut *solver);
                if family.add(set.words(), budget)? == Standing::Lost {
                    return Ok(family.answer(budget)?);
                }
                lazy.found.push(set);
            }
        }
        for bundle in taken {
            if lazy.placed[bundle].is_none() {
                lazy.expand(bundle, &mut *solver);
            }
        }
    }
}

/// The cells of each ship of a fleet, by index.
type Placed = Vec<Vec<usize>>;

impl Lazy<'_> {
    /// Writes which ship covers which hits.
    fn write(&mut self, solver: &mut Cnf) {
        let Bundles { bundles, n_hits, .. } = &self.bundles;
        let n_ships = self.rules.fleet.ships.len();
        let mut of_ship = vec![Vec::new(); n_ships];
        bundles.iter().zip(&self.takes).for_each(|(bundle, &lit)| of_ship[bundle.ship].push(lit));
        // The regions with each hit.
        let mut of_hit: Vec<Vec<(&[u16], Lit)>> = vec![Vec::new(); *n_hits];
        let mut clause = Vec::new();
        let pairs: Vec<_> = bundles.iter().zip(&self.takes).collect();
        for region in pairs.chunk_by(|(a, _), (b, _)| a.hits == b.hits) {
            let hits = &region[0].0.hits;
            if hits.is_empty() {
                continue;
            }
            // True iff some ship takes the region.
            let taken = if let [(_, lit)] = region { **lit } else {
                let taken = solver.new_var().pos_lit();
                clause.clear();
                clause.extend(region.iter().map(|(_, lit)| **lit));
                counterpoint_encodings::one_of(solver, taken, &clause);
                taken
            };
            hits.iter().for_each(|&hit| of_hit[usize::from(hit)].push((hits, taken)));
        }
        of_ship.iter().for_each(|lits| self.form.amo.exactly_one(solver, lits));
        for at in &of_hit {
            clause.clear();
            clause.extend(at.iter().map(|(_, lit)| *lit));
            self.form.amo.exactly_one(solver, &clause);
        }
        if self.form.leaders && *n_hits > n_ships {
            let mut counted: Vec<Lit> =
                bundles.iter().zip(&self.takes).filter(|(b, _)| b.hits.is_empty()).map(|(_, l)| *l).collect();
            let mut max = n_ships;
            for (n, at) in (0..).zip(&of_hit) {
                clause.clear();
                clause.extend(at.iter().filter(|(hits, _)| hits[0] < n).map(|(_, lit)| *lit));
                if clause.is_empty() {
                    // This hit always leads.
                    let Some(less) = max.checked_sub(1) else { return solver.clause(&[]) };
                    max = less;
                    continue;
                }
                // True if no ship covers both this hit and an earlier one.
                let leads = solver.new_var().pos_lit();
                clause.push(leads);
                solver.clause(&clause);
                counted.push(leads);
            }
            Cardinality::Totalizer.at_most(solver, &counted, max);
        }
    }

    /// If several ships take the same region, forbids that for this region. Returns whether there is such a region.
    fn separate(&mut self, taken: &[usize], solver: &mut dyn Solver) -> bool {
        let bundles = &self.bundles.bundles;
        // Bundles of one region are adjacent.
        let mut shared = taken.windows(2).filter(|pair| {
            !bundles[pair[0]].hits.is_empty() && bundles[pair[0]].hits == bundles[pair[1]].hits
        });
        let Some(pair) = shared.next() else { return false };
        let hits = &bundles[pair[0]].hits;
        let region = bundles.iter().zip(&self.takes).filter(|(bundle, _)| bundle.hits == *hits);
        let lits: Vec<Lit> = region.map(|(_, lit)| *lit).collect();
        self.form.amo.at_most_one(solver, &lits);
        if std::env::var_os("TRACE").is_some() { eprintln!("separate"); }
        true
    }

    /// The fleet of a model; `None` if some bundle is not expanded.
    fn placed(&self, taken: &[usize], solver: &dyn Solver) -> Option<Placed> {
        let place = |&bundle: &usize| {
            let places = self.bundles.bundles[bundle].places.iter().zip(self.placed[bundle].as_ref()?);
            let (place, _) = places.into_iter().find(|(_, lit)| solver.value(**lit))?;
            Some(self.bundles.cells(*place).collect())
        };
        taken.iter().map(place).collect()
    }

    /// Places the ships, those with few places first; `None` if that fails or takes too many steps.
    fn place(&self, taken: &[usize]) -> Option<Placed> {
        let mut order: Vec<usize> = (0..taken.len()).collect();
        // An idle bundle has no listed places or very many, so it comes last.
        order.sort_by_key(|&i| {
            let bundle = &self.bundles.bundles[taken[i]];
            (bundle.hits.is_empty(), bundle.places.len())
        });
        let mut occupied = Bits::zeros(self.instance.squares.len());
        let mut fleet = vec![Vec::new(); taken.len()];
        self.place_from(&order, taken, &mut occupied, &mut fleet, &mut MAX_STEPS.clone()).then_some(fleet)
    }

    /// Places the ships of `order`.
    fn place_from(
        &self,
        order: &[usize],
        taken: &[usize],
        occupied: &mut Bits,
        fleet: &mut Placed,
        steps: &mut u32,
    ) -> bool {
        let [i, rest @ ..] = order else { return true };
        let bundle = &self.bundles.bundles[taken[*i]];
        if bundle.hits.is_empty() {
            let Some(cells) = self.bundles.first_free(taken[*i], occupied) else { return false };
            cells.iter().for_each(|&cell| occupied.set(cell));
            fleet[*i] = cells;
            // A failure is final: idle ships are not moved.
            return self.place_from(rest, taken, occupied, fleet, steps) || { *steps = 0; false };
        }
        for &place in &bundle.places {
            if *steps == 0 {
                return false;
            }
            if self.bundles.unknown(place).any(|cell| occupied.get(cell)) {
                continue;
            }
            *steps -= 1;
            self.bundles.unknown(place).for_each(|cell| occupied.set(cell));
            if self.place_from(rest, taken, occupied, fleet, steps) {
                fleet[*i] = self.bundles.cells(place).collect();
                return true;
            }
            self.bundles.unknown(place).for_each(|cell| occupied.clear(cell));
        }
        false
    }

    /// The set of a fleet, and sets that differ from it in the places of one or two ships.
    fn neighbours(&self, taken: &[usize], fleet: &Placed) -> Vec<Bits> {
        let set = self.set(fleet);
        let mut moves: Vec<(usize, Place, Bits)> = Vec::new();
        for (i, cells) in fleet.iter().enumerate() {
            let mut others = set.clone();
            cells.iter().for_each(|&cell| others.clear(cell));
            for &place in &self.bundles.bundles[taken[i]].places {
                let is_free = self.bundles.unknown(place).all(|cell| !others.get(cell));
                if is_free && !self.bundles.cells(place).eq(cells.iter().copied()) {
                    moves.push((i, place, others.clone()));
                }
            }
        }
        let mut sets = vec![set];
        let with = |mut set: Bits, place: Place| {
            self.bundles.cells(place).for_each(|cell| set.set(cell));
            set
        };
        for (_, place, others) in &moves {
            sets.push(with(others.clone(), *place));
        }
        for (n, (i, a, others)) in moves.iter().enumerate() {
            for (j, b, _) in &moves[..n] {
                if i == j || self.bundles.cells(*a).any(|cell| self.bundles.cells(*b).any(|other| other == cell)) {
                    continue;
                }
                let mut set = others.clone();
                fleet[*j].iter().for_each(|&cell| set.clear(cell));
                sets.push(with(with(set, *a), *b));
            }
        }
        let max = std::env::var("MAXN").map_or(24, |n| n.parse().unwrap());
        sets.truncate(max);
        sets
    }

    fn set(&self, fleet: &Placed) -> Bits {
        Bits::from_indices(self.instance.squares.len(), fleet.iter().flatten().copied())
    }

    /// m + 2 sets that differ in the place of one ship and share no other square than the common ones.
    fn sunflower(&self, taken: &[usize], fleet: &Placed) -> Option<Vec<Bits>> {
        let set = self.set(fleet);
        let may_move = |&moved: &usize| self.bundles.bundles[taken[moved]].hits.len() < fleet[moved].len();
        (0..taken.len()).rev().filter(may_move).find_map(|moved| {
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
            (0..self.rules.misses + 2).map(petal).collect::<Option<Vec<_>>>()
        })
    }

    /// Writes the placements of a bundle.
    fn expand(&mut self, bundle: usize, solver: &mut dyn Solver) {
        if self.bundles.bundles[bundle].hits.is_empty() {
            self.bundles.list_idle(bundle);
        }
        let ship = self.bundles.bundles[bundle].ship;
        let places: Vec<Place> = self.bundles.bundles[bundle].places.clone();
        // True iff the ship has this placement.
        let lits: Vec<Lit> = places.iter().map(|_| solver.new_var().pos_lit()).collect();
        let takes = self.takes[bundle];
        counterpoint_encodings::one_of(solver, takes, &lits);
        self.form.amo.at_most_one(solver, &lits);
        for (&place, &lit) in places.iter().zip(&lits) {
            for cell in self.bundles.unknown(place).collect::<Vec<_>>() {
                let owns = self.owns(ship, cell, solver);
                solver.clause(&[!lit, owns]);
            }
        }
        self.placed[bundle] = Some(lits);
    }

    /// The literal that is true if the ship owns the cell.
    fn owns(&mut self, ship: usize, cell: usize, solver: &mut dyn Solver) -> Lit {
        if let Some((_, lit)) = self.owners[cell].iter().find(|(owner, _)| *owner == ship) {
            return *lit;
        }
        let owns = solver.new_var().pos_lit();
        self.owners[cell].iter().for_each(|(_, other)| solver.clause(&[!*other, !owns]));
        if let Some(covered) = self.covered[cell] {
            solver.clause(&[!owns, covered]);
        }
        self.owners[cell].push((ship, owns));
        owns
    }

    /// Forbids a set: at least one of its unknown cells is not covered. All sets have the same size, so this excludes
    /// no other set.
    fn forbid(&mut self, set: &Bits, solver: &mut dyn Solver) {
        let mut clause = Vec::new();
        for cell in set.iter().filter(|&cell| self.instance.squares[cell] == crate::Square::Unknown) {
            let covered = *self.covered[cell].get_or_insert_with(|| {
                let covered = solver.new_var().pos_lit();
                self.owners[cell].iter().for_each(|(_, owns)| solver.clause(&[!*owns, covered]));
                covered
            });
            clause.push(!covered);
        }
        solver.clause(&clause);
    }
}
