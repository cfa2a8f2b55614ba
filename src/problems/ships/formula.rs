//! Formulas: "a fleet fits this board".
//!
//! `placement` has a variable for every ship and place. `owner` adds, for every ship and cell, that
//! the ship owns the cell: two hits that are farther apart than the ship is long cannot both be its
//! own, which propagates long before a placement is fixed. The same is true of other cells, but they
//! need no owner, and pairs of all cells make the formula ten times as large and slower to solve.

use super::{Instance, Placement, Rules, Square};
use crate::board::Cell;
use counterpoint_encodings::{ExactlyOne, Lit, Sink};

/// Which variables there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Placements and covered cells.
    Placement,
    /// And owners.
    Owner,
}

/// The variables that an answer is read from.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// A literal for every placement of every ship that fits, with its cells.
    pub placements: Vec<(Lit, Vec<Cell>)>,
    /// For every unknown cell, by index, the literal that it is covered.
    pub covered: Vec<Option<Lit>>,
}

impl Encoded {
    /// Forbids one covered set. All covered sets have the same size, so it is enough that one of
    /// its cells is not covered.
    pub fn forbid<S: Sink + ?Sized>(&self, instance: &Instance, set: &[Cell], sink: &mut S) {
        let covered = set.iter().filter_map(|&cell| self.covered[instance.size.index(cell)]);
        let clause: Vec<_> = covered.map(|lit| !lit).collect();
        sink.clause(&clause);
    }
}

/// The placements of each ship that lie on no miss.
pub fn fitting(rules: &Rules, instance: &Instance) -> Vec<Vec<Placement>> {
    let clear = |p: &Placement| p.cells.iter().all(|&cell| instance.at(cell) != Square::Miss);
    let ships = rules.fleet.ships.iter();
    ships.map(|ship| ship.placements(instance.size).into_iter().filter(clear).collect()).collect()
}

/// Writes the formula.
pub fn write<S: Sink + ?Sized>(
    model: Model,
    amo: ExactlyOne,
    rules: &Rules,
    instance: &Instance,
    sink: &mut S,
) -> Encoded {
    let size = instance.size;
    let fitting = fitting(rules, instance);
    // `places[s]`: literal and cells of each placement of ship s; true iff the ship lies there.
    let mut places: Vec<Vec<(Lit, Vec<Cell>)>> = Vec::new();
    sink.group("each ship lies at exactly one place");
    for (ship, fitting) in rules.fleet.ships.iter().zip(fitting) {
        let name = |p: &Placement| {
            let (ship, pose, corner) = (&ship.name, p.pose + 1, p.corner);
            sink.named_var(format_args!("placement {ship}#{pose} at {corner}")).pos_lit()
        };
        let lits: Vec<Lit> = fitting.iter().map(name).collect();
        amo.encode(sink, &lits);
        places.push(lits.into_iter().zip(fitting.into_iter().map(|p| p.cells)).collect());
    }
    // `at[i]`: what is true of some ship that covers cell i, at most one of it.
    let at = match model {
        Model::Placement => {
            let mut at = vec![Vec::new(); size.cells()];
            for (lit, cells) in places.iter().flatten() {
                cells.iter().for_each(|&cell| at[size.index(cell)].push(*lit));
            }
            at
        }
        Model::Owner => write_owners(rules, instance, &places, sink),
    };
    sink.group("no two ships share a cell");
    for ships in &at {
        amo.at_most_one(sink, ships);
    }
    sink.group("every hit is covered");
    for hit in instance.cells(Square::Hit) {
        sink.clause(&at[size.index(hit)]);
    }
    sink.group("a cell is covered iff a ship covers it");
    let mut covered = vec![None; size.cells()];
    for cell in instance.cells(Square::Unknown) {
        let lit = sink.named_var(format_args!("covered {cell}")).pos_lit();
        let ships = &at[size.index(cell)];
        ships.iter().for_each(|&ship| sink.clause(&[!ship, lit]));
        let mut some = ships.clone();
        some.push(!lit);
        sink.clause(&some);
        covered[size.index(cell)] = Some(lit);
    }
    Encoded { placements: places.into_iter().flatten().collect(), covered }
}

/// For each cell, the literals that this or that ship owns it.
fn write_owners<S: Sink + ?Sized>(
    rules: &Rules,
    instance: &Instance,
    places: &[Vec<(Lit, Vec<Cell>)>],
    sink: &mut S,
) -> Vec<Vec<Lit>> {
    let size = instance.size;
    let mut owners = vec![Vec::new(); size.cells()];
    for (ship, places) in rules.fleet.ships.iter().zip(places) {
        let name = &ship.name;
        let mut at = vec![Vec::new(); size.cells()];
        for (lit, cells) in places {
            cells.iter().for_each(|&cell| at[size.index(cell)].push((*lit, cells)));
        }
        sink.group("a ship owns the cells that it covers, and no others");
        // True iff the ship covers the cell; `None` where it cannot lie.
        let mut owns = vec![None; size.cells()];
        for (i, at) in at.iter().enumerate().filter(|(_, at)| !at.is_empty()) {
            let lit = sink.named_var(format_args!("own {name} {}", size.cell(i))).pos_lit();
            at.iter().for_each(|(place, _)| sink.clause(&[!*place, lit]));
            let mut some: Vec<Lit> = at.iter().map(|(place, _)| *place).collect();
            some.push(!lit);
            sink.clause(&some);
            owns[i] = Some(lit);
            owners[i].push(lit);
        }
        sink.group("hits out of reach of each other have different owners");
        let hits: Vec<_> = instance.cells(Square::Hit).collect();
        for (n, &a) in hits.iter().enumerate() {
            for &b in &hits[..n] {
                let near = at[size.index(a)].iter().any(|(_, cells)| cells.contains(&b));
                if let (Some(a), Some(b), false) = (owns[size.index(a)], owns[size.index(b)], near) {
                    sink.clause(&[!a, !b]);
                }
            }
        }
    }
    owners
}

/// An upper bound on the clauses, without writing them.
pub fn most_clauses(model: Model, amo: ExactlyOne, rules: &Rules, instance: &Instance) -> u64 {
    let cells = instance.size.cells() as u64;
    let mut total = 2 * cells;
    let mut at = vec![0u64; instance.size.cells()];
    let mut of_ships = 0;
    for places in fitting(rules, instance) {
        total += 1 + amo.at_most_one_size(places.len() as u64).1;
        for cell in places.iter().flat_map(|p| &p.cells) {
            at[instance.size.index(*cell)] += 1;
            of_ships += 1;
        }
    }
    match model {
        Model::Placement => total + of_ships + at.iter().map(|&n| amo.at_most_one_size(n).1).sum::<u64>(),
        Model::Owner => {
            let ships = rules.fleet.ships.len() as u64;
            let hits = instance.cells(Square::Hit).count() as u64;
            let pairs = hits * hits.saturating_sub(1) / 2;
            total + of_ships + ships * (2 * cells + pairs) + cells * amo.at_most_one_size(ships).1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::problems::ships::{Dialect, Fleet};
    use counterpoint_encodings::Tally;

    #[test]
    fn the_bound_on_clauses_holds() {
        let rules = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
        for size in [Size::new(2, 2), Size::new(3, 7), Size::new(10, 10), Size::new(16, 5)] {
            let squares = (0..size.cells()).map(|i| match i % 7 {
                2 => Square::Hit,
                5 => Square::Miss,
                _ => Square::Unknown,
            });
            let instance = Instance { size, squares: squares.collect() };
            for (model, amo) in
                [Model::Placement, Model::Owner].iter().flat_map(|&m| ExactlyOne::ALL.map(|amo| (m, amo)))
            {
                let mut tally = Tally::default();
                write(model, amo, &rules, &instance, &mut tally);
                let most = most_clauses(model, amo, &rules, &instance);
                assert!(
                    tally.n_clauses() <= most,
                    "{model:?} {amo} on {size}: {} > {most}",
                    tally.n_clauses()
                );
            }
        }
    }
}
