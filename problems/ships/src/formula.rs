//! Encodings of "a fleet fits this board" as CNF.
//!
//! `placement` has a variable for every placement of every ship. `owner` (`formula/owner.rs`) adds a variable for each
//! ship and cell, which says that the ship covers the cell. Redundant constraints (`formula/redundant.rs`) are
//! optional. With [`Idle::Later`], ships that cover no hit are *idle*: the formula places only the other ships.

mod owner;
mod redundant;
mod sunflower;

pub use redundant::{Leaders, Redundant};
pub use sunflower::{max_clauses as max_clauses_of_sunflower, write as write_sunflower};

use super::{Instance, Placement, Rules, Square};
use counterpoint_core::board::Cell;
use counterpoint_encodings::{AtMostOne, Lit, Sink, one_of};

/// The variables of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Placements and covered cells.
    Placement,
    /// Placements, covered cells and owners.
    Owner,
}

/// The treatment of a ship that covers no hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// It is placed like all others.
    Placed,
    /// It is idle: a literal says so, and it has no placement.
    Later,
}

/// How the formula is written.
#[derive(Clone, Debug)]
pub struct Form {
    /// The variables of the formula.
    pub encoding: Encoding,
    /// The at-most-one encoding.
    pub amo: AtMostOne,
    /// The treatment of a ship that covers no hit.
    pub idle: Idle,
    /// The redundant constraints.
    pub redundant: Vec<Redundant>,
}

impl Form {
    /// The form in which every ship is placed.
    pub fn whole(self) -> Form {
        Form { idle: Idle::Placed, ..self }
    }
}

/// The literals from which a model is decoded.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Every placement of every ship.
    pub placements: Vec<PlacementLit>,
    /// For every cell, by index, the literal that is true iff a placed ship covers it. `None` if the cell is known or,
    /// with [`Idle::Later`], if no placement in the formula covers it.
    pub covered: Vec<Option<Lit>>,
    /// For every ship the literal that is true iff it is idle; `None` if all ships are placed.
    pub idle: Vec<Option<Lit>>,
    /// For every cell, by index, one literal for each ship that can own it; no literals with [`Encoding::Placement`].
    pub owners: Vec<Vec<Lit>>,
}

impl Encoded {
    /// Forbids one covered set: at least one of its cells is not covered. All covered sets have the same size, so this
    /// excludes no other set.
    pub fn forbid(&self, instance: &Instance, set: &[Cell], sink: &mut dyn Sink) {
        let covered = set.iter().filter_map(|&cell| self.covered[instance.size.index(cell)]);
        let clause: Vec<_> = covered.map(|lit| !lit).collect();
        sink.clause(&clause);
    }
}

/// A placement of a ship in a formula.
#[derive(Clone, Debug)]
pub struct PlacementLit {
    /// True iff the ship has this placement.
    pub lit: Lit,
    /// The cells that it covers, ascending.
    pub cells: Vec<Cell>,
}

/// The placements of each ship.
type Places = Vec<Vec<PlacementLit>>;

/// The placements of each ship that cover no miss and, with [`Idle::Later`], at least one hit.
pub fn fitting(idle: Idle, rules: &Rules, instance: &Instance) -> Vec<Vec<Placement>> {
    let any = |p: &Placement, kind| p.cells.iter().any(|&cell| instance.at(cell) == kind);
    let fits = |p: &Placement| !any(p, Square::Miss) && (idle == Idle::Placed || any(p, Square::Hit));
    let ships = rules.fleet.ships.iter();
    ships.map(|ship| ship.placements(instance.size).into_iter().filter(fits).collect()).collect()
}

/// Writes the formula.
pub fn write(form: &Form, rules: &Rules, instance: &Instance, sink: &mut dyn Sink) -> Encoded {
    let (size, amo) = (instance.size, form.amo);
    let mut places = Places::new();
    let mut idle = Vec::new();
    sink.group("each ship lies at exactly one place");
    for (ship, fitting) in rules.fleet.ships.iter().zip(fitting(form.idle, rules, instance)) {
        let name = |p: &Placement| {
            let (ship, pose, corner) = (&ship.name, p.pose + 1, p.corner);
            sink.named_var(format_args!("placement {ship}#{pose} at {corner}")).pos_lit()
        };
        let mut lits: Vec<Lit> = fitting.iter().map(name).collect();
        let cells = fitting.into_iter().map(|p| p.cells);
        places.push(lits.iter().zip(cells).map(|(&lit, cells)| PlacementLit { lit, cells }).collect());
        // True iff the ship covers no hit.
        let idle_lit =
            (form.idle == Idle::Later).then(|| sink.named_var(format_args!("idle {}", ship.name)).pos_lit());
        lits.extend(idle_lit);
        idle.push(idle_lit);
        amo.exactly_one(sink, &lits);
    }
    // At least one literal of `at[i]` is true iff cell i is covered, and each ship makes at most one of them true.
    let at = match form.encoding {
        Encoding::Placement => {
            let mut at = vec![Vec::new(); size.cells()];
            for place in places.iter().flatten() {
                place.cells.iter().for_each(|&cell| at[size.index(cell)].push(place.lit));
            }
            at
        }
        Encoding::Owner => owner::write(rules, instance, &places, sink),
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
        let ships = &at[size.index(cell)];
        if ships.is_empty() && form.idle == Idle::Later {
            continue;
        }
        let lit = covered_lit(sink, cell);
        one_of(sink, lit, ships);
        covered[size.index(cell)] = Some(lit);
    }
    sink.show(&covered.iter().flatten().map(|lit| lit.var()).collect::<Vec<_>>());
    for redundant in &form.redundant {
        redundant.write(
            form.idle,
            rules,
            instance,
            &Written { places: &places, covered: &covered, idle: &idle },
            sink,
        );
    }
    let owners = if form.encoding == Encoding::Owner { at } else { vec![Vec::new(); size.cells()] };
    Encoded { placements: places.into_iter().flatten().collect(), covered, idle, owners }
}

/// True iff some ship covers the cell.
fn covered_lit(sink: &mut dyn Sink, cell: Cell) -> Lit {
    sink.named_var(format_args!("covered {cell}")).pos_lit()
}

/// The literals of an external encoder's formula. `covered` has for every cell, by index, the literal that is true iff
/// a ship covers the cell; `None` only if the board shows the cell.
pub fn of_cells(covered: Vec<Option<Lit>>, rules: &Rules, instance: &Instance) -> Encoded {
    let cells = instance.size.iter().zip(&covered);
    let placement = |(cell, lit): (_, &Option<Lit>)| Some(PlacementLit { lit: (*lit)?, cells: vec![cell] });
    let unknown = instance.squares.iter().map(|&square| square == Square::Unknown);
    Encoded {
        placements: cells.filter_map(placement).collect(),
        covered: covered.iter().zip(unknown).map(|(lit, unknown)| lit.filter(|_| unknown)).collect(),
        idle: vec![None; rules.fleet.ships.len()],
        owners: vec![Vec::new(); instance.size.cells()],
    }
}

/// The literals that redundant constraints use.
struct Written<'a> {
    places: &'a Places,
    covered: &'a [Option<Lit>],
    idle: &'a [Option<Lit>],
}

/// Numbers of placements, from which the number of clauses is estimated.
struct Numbers {
    /// For each ship, its placements.
    of_ships: Vec<u64>,
    /// For each cell, the placements that cover it.
    at: Vec<u64>,
    /// The number of pairs of hits that a placement covers, summed over all placements.
    pairs: u64,
}

impl Numbers {
    /// The numbers of a board.
    fn of(idle: Idle, rules: &Rules, instance: &Instance) -> Numbers {
        let fitting = fitting(idle, rules, instance);
        let mut at = vec![0; instance.size.cells()];
        let mut pairs = 0;
        for placement in fitting.iter().flatten() {
            placement.cells.iter().for_each(|&cell| at[instance.size.index(cell)] += 1);
            let hits =
                placement.cells.iter().filter(|&&cell| instance.at(cell) == Square::Hit).count() as u64;
            pairs += hits * hits.saturating_sub(1) / 2;
        }
        Numbers { of_ships: fitting.iter().map(|places| places.len() as u64).collect(), at, pairs }
    }

    /// Upper bounds for all boards of a size, found without listing placements: each ship has at most one placement for
    /// each symmetry and corner.
    fn of_size(rules: &Rules, instance: &Instance) -> Numbers {
        let cells = instance.size.cells();
        let ships =
            || rules.fleet.ships.iter().map(|ship| (ship.poses.symmetries().count(), ship.cells.len()));
        Numbers {
            of_ships: ships().map(|(poses, _)| (poses * cells) as u64).collect(),
            at: vec![ships().map(|(poses, len)| (poses * len) as u64).sum(); cells],
            pairs: ships().map(|(poses, len)| (poses * cells * len * len.saturating_sub(1) / 2) as u64).sum(),
        }
    }

    fn max_clauses(&self, form: &Form, rules: &Rules, instance: &Instance) -> u64 {
        let amo = form.amo;
        let each = |&n: &u64| 1 + amo.at_most_one_size(n + u64::from(form.idle == Idle::Later)).clauses;
        let redundant = form.redundant.iter().map(|r| r.max_clauses(form.idle, rules, instance, self.pairs));
        let covering: u64 = self.at.iter().sum();
        let cells = match form.encoding {
            Encoding::Placement => self.at.iter().map(|&n| amo.at_most_one_size(n).clauses).sum(),
            Encoding::Owner => owner::max_clauses(amo, rules, instance),
        };
        let of_ships: u64 = self.of_ships.iter().map(each).sum();
        2 * instance.size.cells() as u64 + of_ships + covering + cells + redundant.sum::<u64>()
    }
}

/// An upper bound on the number of clauses, computed without writing them.
pub fn max_clauses(form: &Form, rules: &Rules, instance: &Instance) -> u64 {
    Numbers::of(form.idle, rules, instance).max_clauses(form, rules, instance)
}

/// A larger bound than [`max_clauses`], computed without listing placements.
pub fn max_clauses_of_size(form: &Form, rules: &Rules, instance: &Instance) -> u64 {
    Numbers::of_size(rules, instance).max_clauses(form, rules, instance)
}
