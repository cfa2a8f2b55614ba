//! The encoding `owner`: for each ship and cell, a variable that is true iff the ship covers the cell.
//!
//! If no placement of a ship covers two given hits, a binary clause says that the ship does not own both. Such a clause
//! propagates long before the placement of the ship is fixed. Clauses of this kind would hold for other pairs of cells,
//! too, but with all of them the formula is ten times as large and slower to solve.

use super::{PlacementLit, Places};
use crate::{Instance, Rules, Square};
use counterpoint_encodings::{AtMostOne, Lit, Sink, one_of};

/// Writes the owner variables and their clauses. Returns, for each cell, one literal for each ship that can own it.
pub(super) fn write(
    rules: &Rules,
    instance: &Instance,
    places: &Places,
    sink: &mut dyn Sink,
) -> Vec<Vec<Lit>> {
    let size = instance.size;
    let mut owners = vec![Vec::new(); size.cells()];
    for (ship, places) in rules.fleet.ships.iter().zip(places) {
        let name = &ship.name;
        let mut at: Vec<Vec<&PlacementLit>> = vec![Vec::new(); size.cells()];
        for place in places {
            place.cells.iter().for_each(|&cell| at[size.index(cell)].push(place));
        }
        sink.group("a ship owns the cells that it covers, and no others");
        // For each cell, the literal that is true iff the ship covers it; `None` if the ship cannot cover it.
        let mut owns = vec![None; size.cells()];
        for (i, at) in at.iter().enumerate().filter(|(_, at)| !at.is_empty()) {
            let lit = sink.named_var(format_args!("own {name} {}", size.cell(i))).pos_lit();
            one_of(sink, lit, &at.iter().map(|place| place.lit).collect::<Vec<_>>());
            owns[i] = Some(lit);
            owners[i].push(lit);
        }
        sink.group("hits out of reach of each other have different owners");
        let hits: Vec<_> = instance.cells(Square::Hit).collect();
        for (n, &a) in hits.iter().enumerate() {
            for &b in &hits[..n] {
                let near = at[size.index(a)].iter().any(|place| place.cells.contains(&b));
                if let (Some(a), Some(b), false) = (owns[size.index(a)], owns[size.index(b)], near) {
                    sink.clause(&[!a, !b]);
                }
            }
        }
    }
    owners
}

/// An upper bound on the number of clauses, not counting those that say that a placement covers a cell.
pub(super) fn max_clauses(amo: AtMostOne, rules: &Rules, instance: &Instance) -> u64 {
    let cells = instance.size.cells() as u64;
    let ships = rules.fleet.ships.len() as u64;
    let hits = instance.cells(Square::Hit).count() as u64;
    let pairs = hits * hits.saturating_sub(1) / 2;
    ships * (2 * cells + pairs) + cells * amo.at_most_one_size(ships).clauses
}
