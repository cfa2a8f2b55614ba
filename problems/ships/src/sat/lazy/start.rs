//! Writes the formula that says which ship covers which hits, without placements.
//!
//! * Each ship takes exactly one of its bundles.
//! * A *region* is a set of hits that some placement covers. It is taken iff some ship takes a bundle with
//!   these hits. Each hit lies in exactly one region that is taken. With the variables of regions, the solver
//!   can learn which regions exclude each other, whichever ships take them. Without these variables, the
//!   formulas of positions with many hits took several times as many conflicts.
//! * A hit *leads* if it is the first hit of the taken region that contains it. There are at most as many
//!   leaders as ships that are not idle. If every region that contains a hit begins with this hit, the hit
//!   leads in any case and has no variable.
//!
//! # Order of the variables
//! varisat numbers variables in the order in which clauses mention them, tries high numbers first, and sets
//! them to false. So the last variables of the order become true only if a clause forces them. The formula
//! begins with a redundant clause that mentions all variables: first the auxiliary variables, which follow
//! from the others, then the variables of leaders, then bundles and regions, those with most hits first. The
//! small regions are last, so they are set to false first, and the model covers the hits with few ships and
//! large regions. If there are many hits, the order is different: the variables of leaders come last, because
//! counting decides most of these boards.

use super::super::bundles::Bundles;
use crate::Rules;
use counterpoint_core::solver::Solver;
use counterpoint_encodings::{AtMostOne, Cardinality, Cnf, Lit, Sink, Var, one_of};
use std::ops::Range;

/// Writes the formula. Returns for each bundle the literal that is true iff its ship takes it.
pub(super) fn write(
    amo: AtMostOne,
    rules: &Rules,
    bundles: &Bundles<'_>,
    solver: &mut dyn Solver,
) -> Vec<Lit> {
    let n_ships = rules.fleet.ships.len();
    let mut cnf = Cnf::default();
    let takes: Vec<Lit> = bundles.list.iter().map(|_| cnf.new_var().pos_lit()).collect();
    let regions = write_regions(bundles, &takes, &mut cnf);
    let main = cnf.n_vars();
    for ship in 0..n_ships {
        let own = bundles.list.iter().zip(&takes).filter(|(bundle, _)| bundle.ship == ship);
        amo.exactly_one(&mut cnf, &own.map(|(_, &lit)| lit).collect::<Vec<_>>());
    }
    for regions in &regions {
        amo.exactly_one(&mut cnf, &regions.iter().map(|(_, lit)| *lit).collect::<Vec<_>>());
    }
    let auxiliary = cnf.n_vars();
    // If there is at most one hit more than ships, counting is not worth its clauses.
    if bundles.n_hits > n_ships + 1 {
        let idle = bundles.list.iter().zip(&takes).filter(|(bundle, _)| bundle.hits.is_empty());
        write_leaders(&regions, idle.map(|(_, &lit)| lit).collect(), n_ships, &mut cnf);
    }
    let (main, auxiliary, leaders) = (0..main, main..auxiliary, auxiliary..cnf.n_vars());
    let order = match bundles.n_hits > 2 * n_ships {
        true => [auxiliary, main, leaders],
        false => [auxiliary, leaders, main],
    };
    let renumbered = copy(&cnf, order, solver);
    takes.iter().map(|lit| renumbered[lit.vidx()]).collect()
}

/// Regions, each with its hits and the literal that is true iff a ship takes it.
type Regions<'a> = Vec<(&'a [u16], Lit)>;

/// Writes which regions are taken. Returns the regions with each hit.
fn write_regions<'a>(bundles: &'a Bundles<'_>, takes: &[Lit], cnf: &mut Cnf) -> Vec<Regions<'a>> {
    let mut of_hit = vec![Vec::new(); bundles.n_hits];
    let mut from = 0;
    for region in bundles.list.chunk_by(|a, b| a.hits == b.hits) {
        let lits = &takes[from..from + region.len()];
        from += region.len();
        // True iff some ship takes the region.
        let taken = match (region, lits) {
            ([], _) => continue,
            ([bundle, ..], _) if bundle.hits.is_empty() => continue,
            (_, &[only]) => only,
            _ => {
                let taken = cnf.new_var().pos_lit();
                one_of(cnf, taken, lits);
                taken
            }
        };
        let hits = &region[0].hits[..];
        hits.iter().for_each(|&hit| of_hit[usize::from(hit)].push((hits, taken)));
    }
    of_hit
}

/// Writes that at most as many hits lead as ships are not idle.
fn write_leaders(regions: &[Regions<'_>], idle: Vec<Lit>, n_ships: usize, cnf: &mut Cnf) {
    let mut counted = idle;
    let mut max = n_ships;
    for (hit, regions) in (0..).zip(regions) {
        let earlier = regions.iter().filter(|(hits, _)| hits[0] < hit).map(|(_, lit)| *lit);
        let mut clause: Vec<Lit> = earlier.collect();
        if clause.is_empty() {
            let Some(fewer) = max.checked_sub(1) else { return cnf.clause(&[]) };
            max = fewer;
            continue;
        }
        // True if the hit leads.
        let leads = cnf.new_var().pos_lit();
        clause.push(leads);
        cnf.clause(&clause);
        counted.push(leads);
    }
    Cardinality::Totalizer.at_most(cnf, &counted, max);
}

/// Copies a formula into a solver, with its variables in another order. Returns the new literal of each variable.
fn copy(cnf: &Cnf, order: [Range<u32>; 3], solver: &mut dyn Solver) -> Vec<Lit> {
    let mut renumbered = vec![Var::new(0).pos_lit(); cnf.n_vars() as usize];
    let mut clause: Vec<Lit> = Vec::new();
    for old in order.into_iter().flatten() {
        let lit = solver.new_var().pos_lit();
        renumbered[old as usize] = lit;
        clause.push(lit);
    }
    // Each ship takes a bundle, so this clause is redundant, unless there is no ship.
    if !clause.is_empty() {
        solver.clause(&clause);
    }
    for lits in cnf.clauses() {
        clause.clear();
        clause.extend(
            lits.iter()
                .map(|lit| if lit.is_neg() { !renumbered[lit.vidx()] } else { renumbered[lit.vidx()] }),
        );
        solver.clause(&clause);
    }
    renumbered
}
