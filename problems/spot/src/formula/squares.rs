//! The squares that a formula has variables for: all of them, or only those that a completion needs.
//!
//! # Interchangeable orbits
//! An *orbit* consists of the images of one square under the group. Two orbits have the same *type* if the
//! same elements of the group fix corresponding squares. Then they can exchange their squares in all moves of
//! a completion, in a way that commutes with the group. Boards that were equal up to symmetry stay equal, and
//! all others stay different. If no line of the record distinguishes the two orbits, the moves still complete
//! the record, with the same ending. So for the question which endings are possible, few of these orbits are
//! enough:
//! * An orbit is *free* if each line that names a row or a column excludes all of its squares. Only lines
//!   that name neither can have their moves on free orbits, so as many free orbits as there are such lines
//!   are enough. The first of these moves can only be on the first free orbit, the second on the first two,
//!   and so on.
//! * An orbit with a square that some line names is needed, unless the moves of other lines on it can be made
//!   on a free orbit instead. They can if the lines that name its squares give legal moves by themselves, if
//!   the other lines that allow its squares name neither row nor column nor sign, and if the named moves
//!   alone do not change the orbit between two boards that may be equal (`ways.rs`). For if two such boards
//!   are equal, they are also equal without the moves of the other lines on this orbit.
//! * Every other orbit matters only if a line that names a row or a column is completed on it. Otherwise all
//!   moves on it can be made on a free orbit instead, if there are enough of these. Two such orbits are of
//!   the same `Kind` if they have the same type and the same lines allow corresponding squares of them. Of
//!   the orbits of one kind, as many are enough as there are such lines.

use super::super::{Entry, Instance, Legality, Rules};
use super::ways::Ways;
use counterpoint_core::board::{Bits, Cell, Symmetry};
use rustc_hash::FxHashMap;

/// The squares of a formula. Their *places* are the numbers from 0, in row-major order.
pub(super) struct Squares {
    n: u32,
    cells: Vec<Cell>,
    /// For each square of the board, its place, or `NONE`.
    places: Vec<u32>,
    /// For each place: a number that the squares of an orbit have in common.
    orbits: Vec<u32>,
    /// For each place: a number k. Of the lines that name neither row nor column, only the k-th and later
    /// ones can have their moves on this square. 0 if this does not restrict the square.
    first: Vec<u32>,
}

/// Marks a square that the formula has no variables for.
const NONE: u32 = u32::MAX;

/// What distinguishes an orbit from others.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Kind {
    /// For each element of the group, the first one that maps the first square to the same square.
    stabilizer: Vec<usize>,
    /// For each line that names only a row or a column, and for each element of the group, whether the line allows the
    /// image of the first square; lines that allow none are left out.
    allowed: Vec<(usize, u64)>,
}

/// An orbit.
struct Orbit {
    squares: Vec<Cell>,
    kind: Kind,
}

impl Squares {
    /// All squares of the board.
    pub(super) fn all(instance: &Instance) -> Self {
        let size = instance.size();
        let chosen = size.iter().map(|cell| (cell, 0, 0));
        Squares::new(instance, chosen.collect())
    }

    /// The squares that a completion needs, if only boards that `ways` lists can be equal.
    pub(super) fn needed(rules: &Rules, instance: &Instance, ways: &Ways<'_>) -> Self {
        let size = instance.size();
        let group = rules.group.elements();
        let mut is_named = vec![false; size.cells()];
        let mut lines: Vec<Entry> = Vec::new();
        let mut anywhere = 0;
        for entry in &instance.record {
            match (entry.x(), entry.y()) {
                (Some(x), Some(y)) => is_named[size.index(Cell::new(y - 1, x - 1))] = true,
                (None, None) => anywhere += 1,
                _ => lines.push(*entry),
            }
        }
        let required = required(rules, instance, ways);
        let mut chosen = Vec::new();
        let mut unnamed = Vec::new();
        let mut named = Vec::new();
        let mut visited = vec![false; size.cells()];
        let mut orbits = 0;
        for cell in size.iter() {
            if visited[size.index(cell)] {
                continue;
            }
            let images: Vec<Cell> = group.iter().map(|g| g.apply(instance.n, cell)).collect();
            images.iter().for_each(|&image| visited[size.index(image)] = true);
            let mut squares = images.clone();
            squares.sort_unstable_by_key(|&cell| size.index(cell));
            squares.dedup();
            let orbit = Orbit { squares, kind: kind(&images, &lines) };
            let is_named = orbit.squares.iter().any(|&cell| is_named[size.index(cell)]);
            if is_named { &mut named } else { &mut unnamed }.push(orbit);
        }
        // The number of free orbits of each type.
        let mut free: FxHashMap<&[usize], u32> = FxHashMap::default();
        for Orbit { kind, .. } in unnamed.iter().filter(|orbit| orbit.kind.allowed.is_empty()) {
            *free.entry(&kind.stabilizer).or_default() += 1;
        }
        for Orbit { squares, kind } in &named {
            let enough_free = free.get(&kind.stabilizer[..]).is_some_and(|&free| free >= anywhere);
            let is_required = required
                .as_ref()
                .is_none_or(|required| squares.iter().any(|&cell| required.get(size.index(cell))));
            if is_required || !enough_free || !kind.allowed.is_empty() {
                chosen.extend(squares.iter().map(|&cell| (cell, orbits, 0)));
                orbits += 1;
            }
        }
        let mut taken: FxHashMap<&Kind, u32> = FxHashMap::default();
        for Orbit { squares, kind } in &unnamed {
            let taken = taken.entry(kind).or_default();
            let is_free = kind.allowed.is_empty();
            let enough_free = free.get(&kind.stabilizer[..]).is_some_and(|&free| free >= anywhere);
            let needed = match () {
                () if is_free => anywhere,
                () if enough_free => kind.allowed.len() as u32,
                () => u32::MAX,
            };
            if *taken < needed {
                *taken += 1;
                let first = if is_free { *taken } else { 0 };
                chosen.extend(squares.iter().map(|&cell| (cell, orbits, first)));
                orbits += 1;
            }
        }
        Squares::new(instance, chosen)
    }

    /// The squares of this list, each with its orbit and the value of `first`.
    fn new(instance: &Instance, mut chosen: Vec<(Cell, u32, u32)>) -> Self {
        let size = instance.size();
        chosen.sort_unstable_by_key(|&(cell, ..)| size.index(cell));
        let mut places = vec![NONE; size.cells()];
        for (place, &(cell, ..)) in (0..).zip(&chosen) {
            places[size.index(cell)] = place;
        }
        Squares {
            n: instance.n,
            cells: chosen.iter().map(|&(cell, ..)| cell).collect(),
            places,
            orbits: chosen.iter().map(|&(_, orbit, _)| orbit).collect(),
            first: chosen.iter().map(|&(.., first)| first).collect(),
        }
    }

    /// The number of squares.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The square at a place.
    pub(super) fn cell(&self, place: usize) -> Cell {
        self.cells[place]
    }

    /// The place of a square; `None` if the formula has no variables for it.
    pub(super) fn place(&self, cell: Cell) -> Option<usize> {
        let place = self.places[(cell.row * self.n + cell.col) as usize];
        (place != NONE).then_some(place as usize)
    }

    /// The place of the image of a square.
    pub(super) fn image(&self, place: usize, symmetry: Symmetry) -> usize {
        // Whole orbits are chosen, so the image has a place.
        self.place(symmetry.apply(self.n, self.cells[place])).unwrap_or(place)
    }

    /// A number that the squares of an orbit have in common.
    pub(super) fn orbit(&self, place: usize) -> u32 {
        self.orbits[place]
    }

    /// Whether a move can be on this square. If the line of the move names neither row nor column, then `number` is the
    /// number of such lines up to and including this one.
    pub(super) fn allows(&self, place: usize, entry: &Entry, number: u32) -> bool {
        entry.allows(self.cells[place]) && self.is_met(place, number)
    }

    /// Whether one of the moves up to a line can be on this square, if `number` of the lines up to it name neither row
    /// nor column. This does not consider which squares the lines allow.
    pub(super) fn is_met(&self, place: usize, number: u32) -> bool {
        self.first[place] <= number
    }
}

/// The named squares whose orbits are needed; `None` if all are.
fn required(rules: &Rules, instance: &Instance, ways: &Ways<'_>) -> Option<Bits> {
    let size = instance.size();
    if rules.legality == Legality::Lenient
        || instance.record.iter().any(|entry| is_anywhere(entry) && entry.sign().is_some())
    {
        return None;
    }
    let mut required = ways.changed(instance)?;
    let mut board = Bits::zeros(size.cells());
    for entry in &instance.record {
        if let Some(mv) = entry.known() {
            let legal = mv.apply(instance.n, &mut board);
            if !legal {
                required.set(size.index(mv.cell));
            }
        } else if let (Some(x), Some(y)) = (entry.x(), entry.y()) {
            required.set(size.index(Cell::new(y - 1, x - 1)));
        }
    }
    Some(required)
}

/// What distinguishes an orbit, given the images of its first square under the elements of the group.
fn kind(images: &[Cell], lines: &[Entry]) -> Kind {
    let first = |image: &Cell| images.iter().position(|other| other == image).unwrap_or(0);
    let allowed = |line: &Entry| {
        let bits = images.iter().enumerate().filter(|(_, image)| line.allows(**image));
        bits.fold(0, |mask, (g, _)| mask | 1 << g)
    };
    let allowed = lines.iter().map(allowed).enumerate().filter(|&(_, mask)| mask != 0);
    Kind { stabilizer: images.iter().map(first).collect(), allowed: allowed.collect() }
}

/// Whether a line names neither row nor column.
pub(super) fn is_anywhere(entry: &Entry) -> bool {
    entry.x().is_none() && entry.y().is_none()
}
