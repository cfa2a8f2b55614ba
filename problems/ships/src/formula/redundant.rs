//! Redundant constraints: they follow from the formula, but not by unit propagation.
//!
//! * `cells`: the number of covered squares is the number of cells of the fleet.
//! * `colours`: the squares are coloured like a chessboard. The number of black squares that the fleet covers has few
//!   possible values: 13 or 15 for the standard fleet.
//! * `leaders`: the first hit of each ship is its leader, so there are at most as many leaders as ships. This
//!   constraint counts hits without saying which ship covers which hit. If no two of several hits fit under one ship,
//!   all these hits are leaders. If they outnumber the ships, counting leaders refutes the board. With owner variables
//!   only, the refutation is a pigeonhole argument, which is hard for resolution. `leaders` writes nothing if there are
//!   at most as many hits as ships. Its variables can be written without the bound, to see what they alone do.
//!
//! `cells` and `colours` count the squares of the whole fleet, so they are not written with [`Idle::Later`].

use super::{Idle, Written};
use crate::{Instance, Rules, Square};
use counterpoint_core::board::Cell;
use counterpoint_encodings::{AtMostOne, Bounds, Cardinality, Count, Linear, Lit, Relation, Sink, one_of};
use std::collections::BTreeSet;

const COUNT: Cardinality = Cardinality::Totalizer;

/// A constraint that follows from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundant {
    /// The number of covered squares.
    Cells,
    /// The number of covered black squares.
    Colours,
    /// Leaders.
    Leaders(Leaders),
}

/// What a formula says about leaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaders {
    /// Which hits lead, and that at most as many do as there are ships.
    Counted,
    /// Only which hits lead.
    Named,
}

impl Redundant {
    pub(super) fn write(
        self,
        idle: Idle,
        rules: &Rules,
        instance: &Instance,
        written: &Written<'_>,
        sink: &mut dyn Sink,
    ) {
        match (self, idle) {
            (Redundant::Leaders(leaders), _) => write_leaders(leaders, instance, written, sink),
            (_, Idle::Later) => {}
            (Redundant::Cells, _) => {
                sink.group("as many cells are covered as the fleet has");
                let lits: Vec<Lit> = written.covered.iter().flatten().copied().collect();
                let hits = instance.cells(Square::Hit).count();
                let numbers = rules.fleet.cells().checked_sub(hits).into_iter().collect();
                write_number(&lits, &numbers, sink);
            }
            (Redundant::Colours, _) => {
                sink.group("the fleet covers a possible number of black cells");
                let black = instance.cells(Square::Unknown).filter(|&cell| is_black(cell));
                let lits: Vec<Lit> =
                    black.filter_map(|cell| written.covered[instance.size.index(cell)]).collect();
                let places = written.places.iter().map(|p| p.iter().map(|place| &place.cells[..]).collect());
                let hits = instance.cells(Square::Hit).filter(|&cell| is_black(cell)).count();
                let numbers = black_cells(places).iter().filter_map(|n| n.checked_sub(hits)).collect();
                write_number(&lits, &numbers, sink);
            }
        }
    }

    /// An upper bound on the number of clauses. `pairs` counts, for each placement, the pairs of hits that it covers.
    pub(super) fn max_clauses(self, idle: Idle, rules: &Rules, instance: &Instance, pairs: u64) -> u64 {
        let count = |n: u64, max: u64| COUNT.size(n, max, Bounds::Both).clauses + max + 2;
        let cells = rules.fleet.cells() as u64;
        match (self, idle) {
            (Redundant::Leaders(leaders), _) => {
                let hits = instance.cells(Square::Hit).count() as u64;
                let ships = rules.fleet.ships.len() as u64;
                let bound = match leaders {
                    Leaders::Counted => COUNT.size(hits + ships, ships + 1, Bounds::Upper).clauses + 1,
                    Leaders::Named => 0,
                };
                3 * pairs + hits + bound
            }
            (_, Idle::Later) => 0,
            (Redundant::Cells, _) => count(instance.cells(Square::Unknown).count() as u64, cells + 1),
            (Redundant::Colours, _) => {
                let black = instance.cells(Square::Unknown).filter(|&cell| is_black(cell)).count();
                count(black as u64, cells + 1)
            }
        }
    }
}

fn is_black(cell: Cell) -> bool {
    (cell.row + cell.col).is_multiple_of(2)
}

/// The possible numbers of black cells that the ships cover together if each ship has one of its placements.
fn black_cells<'a>(places: impl Iterator<Item = Vec<&'a [Cell]>>) -> BTreeSet<usize> {
    places.fold(BTreeSet::from([0]), |sums, places| {
        let black = |cells: &&[Cell]| cells.iter().filter(|&&cell| is_black(cell)).count();
        let numbers: BTreeSet<usize> = places.iter().map(black).collect();
        sums.iter().flat_map(|sum| numbers.iter().map(move |n| sum + n)).collect()
    })
}

/// Writes that the number of true literals is one of `numbers`.
fn write_number(lits: &[Lit], numbers: &BTreeSet<usize>, sink: &mut dyn Sink) {
    let possible = numbers.range(..=lits.len());
    let (Some(&min), Some(&max)) = (possible.clone().next(), possible.clone().last()) else {
        return sink.clause(&[]);
    };
    if sink.supports_linear() {
        return write_number_as_sum(lits, min, possible.skip(1), sink);
    }
    let count = Count::new(COUNT, sink, lits, max + 1, Bounds::Both);
    let more_than = |k: usize| count.outputs()[k];
    count.require_at_most(sink, max);
    if min > 0 {
        sink.clause(&[more_than(min - 1)]);
    }
    for gap in (min + 1..max).filter(|n| !numbers.contains(n)) {
        sink.clause(&[!more_than(gap - 1), more_than(gap)]);
    }
}

/// Writes that the number of true literals is `min` or one of `others`. Each number n of `others` has a variable, whose
/// weight in the sum is `min` - n.
fn write_number_as_sum<'a>(
    lits: &[Lit],
    min: usize,
    others: impl Iterator<Item = &'a usize>,
    sink: &mut dyn Sink,
) {
    let mut terms: Vec<(i64, Lit)> = lits.iter().map(|&lit| (1, lit)).collect();
    terms.extend(others.map(|other| (-((other - min) as i64), sink.new_var().pos_lit())));
    let chosen: Vec<Lit> = terms[lits.len()..].iter().map(|(_, lit)| *lit).collect();
    AtMostOne::Pairwise.at_most_one(sink, &chosen);
    if !terms.is_empty() {
        sink.linear(&Linear { terms: &terms, relation: Relation::Equal, bound: min as i64 });
    }
}

fn write_leaders(leaders: Leaders, instance: &Instance, written: &Written<'_>, sink: &mut dyn Sink) {
    sink.group(match leaders {
        Leaders::Counted => "at most as many leading hits as ships",
        Leaders::Named => "which hits lead",
    });
    let hits: Vec<Cell> = instance.cells(Square::Hit).collect();
    let ships = written.places.len();
    if hits.len() <= ships {
        return;
    }
    // For hits a < b, `both[b][a]` holds the placements that cover both.
    let mut both = vec![vec![Vec::new(); hits.len()]; hits.len()];
    for place in written.places.iter().flatten() {
        let own: Vec<usize> = place.cells.iter().filter_map(|cell| hits.binary_search(cell).ok()).collect();
        for (n, &b) in own.iter().enumerate() {
            own[..n].iter().for_each(|&a| both[b][a].push(place.lit));
        }
    }
    let mut counted: Vec<Lit> = written.idle.iter().flatten().copied().collect();
    for (b, both) in both.into_iter().enumerate() {
        // True iff no ship covers both hit b and an earlier hit.
        let leads = sink.named_var(format_args!("leads {}", hits[b])).pos_lit();
        let mut earlier = vec![leads];
        for (a, lits) in both.into_iter().enumerate().filter(|(_, lits)| !lits.is_empty()) {
            // True iff one ship covers hits a and b.
            let same = sink.named_var(format_args!("one ship covers {} {}", hits[a], hits[b])).pos_lit();
            one_of(sink, same, &lits);
            sink.clause(&[!same, !leads]);
            earlier.push(same);
        }
        sink.clause(&earlier);
        counted.push(leads);
    }
    if leaders == Leaders::Counted {
        COUNT.at_most(sink, &counted, ships);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fleet;
    use counterpoint_core::board::Size;

    #[test]
    fn the_standard_fleet_covers_thirteen_or_fifteen_black_cells() {
        let fleet = Fleet::standard();
        let places: Vec<_> = fleet.ships.iter().map(|ship| ship.placements(Size::new(9, 7))).collect();
        let places = places.iter().map(|p| p.iter().map(|p| &p.cells[..]).collect());
        assert_eq!(black_cells(places), BTreeSet::from([13, 15]));
    }
}
