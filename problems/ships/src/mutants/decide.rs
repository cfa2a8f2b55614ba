//! How a faulty program decides a board, in plain code.
//!
//! The program enumerates the fleets that fit, hit by hit, and lists the sets that they cover. Then it looks for safe
//! shots. If a list of sets is lost, every longer list is lost, too. So the program tests the list from time to time,
//! and ends the search when a test finds the list lost.

use super::{Counts, Instance, OldMisses, Program, Square, Touching};
use counterpoint_core::board::{Cell, Size};

/// A set of squares of a board with at most 256 squares.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Set([u64; 4]);

impl Set {
    fn of(cells: impl IntoIterator<Item = usize>) -> Set {
        let mut set = Set::default();
        cells.into_iter().for_each(|i| set.0[i / 64] |= 1 << (i % 64));
        set
    }

    fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    fn meets(&self, other: &Set) -> bool {
        (0..4).any(|k| self.0[k] & other.0[k] != 0)
    }

    fn with(mut self, other: &Set) -> Set {
        (0..4).for_each(|k| self.0[k] |= other.0[k]);
        self
    }
}

/// Maximum number of nodes of the search.
const MAX_NODES: u32 = 4_000_000;
/// Maximum number of sets in the list.
const MAX_SETS: usize = 512;

/// The search for the fleets that fit a board.
struct Search<'a> {
    program: &'a Program,
    cells: usize,
    hits: Vec<usize>,
    /// For each square, the placements that cover it.
    covering: Vec<Vec<Place>>,
    /// All placements.
    places: Vec<Place>,
    /// Number of cells of each ship.
    ships: Vec<usize>,
    nodes: u32,
    /// The covered sets found so far, each with its number of placements.
    sets: Vec<(Set, u32)>,
    /// Number of placements of the whole fleet found so far.
    placements: usize,
    /// True when the answer is known to be "no".
    lost: bool,
    /// Number of misses left.
    misses: u32,
}

/// A placement of a ship.
#[derive(Clone, Copy)]
struct Place {
    ship: usize,
    covered: Set,
    /// The squares that no other ship may cover.
    blocked: Set,
}

/// Decides whether the board can be won. The inner `None` means that no fleet fits; the outer `None`, that the search
/// reached a limit.
pub(super) fn decide(board: &Instance, program: &Program) -> Option<Option<bool>> {
    let (fleet, size) = ((program.fleet)(), board.size);
    let kind = |kind| board.cells(kind).map(|cell| size.index(cell)).collect::<Vec<_>>();
    let known = |square| if program.ignored == Some(square) { Vec::new() } else { kind(square) };
    let missed = Set::of(known(Square::Miss));
    let spent = program.old_misses == OldMisses::Count && board.cells(Square::Miss).next().is_some();
    let mut search = Search {
        program,
        cells: size.cells(),
        hits: known(Square::Hit),
        covering: vec![Vec::new(); size.cells()],
        places: Vec::new(),
        ships: fleet.ships.iter().map(|ship| ship.cells.len()).collect(),
        nodes: 0,
        sets: Vec::new(),
        placements: 0,
        lost: false,
        misses: program.misses.saturating_sub(u32::from(spent)),
    };
    for (ship, placements) in fleet.ships.iter().map(|ship| ship.placements(size)).enumerate() {
        let is_known = |pose| pose < program.poses && program.lacks != Some((ship, pose));
        let placements = placements.into_iter().filter(|placement| is_known(placement.pose));
        for cells in placements.map(|placement| placement.cells) {
            let covered = Set::of(cells.iter().map(|&cell| size.index(cell)));
            if !covered.meets(&missed) {
                let place = Place { ship, covered, blocked: blocked(size, &cells, program.touching) };
                cells.iter().for_each(|&cell| search.covering[size.index(cell)].push(place));
                search.places.push(place);
            }
        }
    }
    search.place_ships(0, Set::default(), Set::default())?;
    if search.lost || search.sets.is_empty() {
        return Some(search.lost.then_some(false));
    }
    Some(Some(search.wins()))
}

/// The squares that no other ship may cover if a ship covers `cells`.
fn blocked(size: Size, cells: &[Cell], touching: Touching) -> Set {
    let near = |a: &Cell, b: Cell| {
        let (rows, cols) = (a.row.abs_diff(b.row), a.col.abs_diff(b.col));
        match touching {
            Touching::Overlap => false,
            Touching::Anywhere => rows + cols == 0,
            Touching::Corners => rows + cols <= 1,
            Touching::Never => rows.max(cols) <= 1,
        }
    };
    let beside = |at: u32, side: u32| at.saturating_sub(1)..(at + 2).min(side);
    let close = cells.iter().flat_map(|a| {
        let square = beside(a.row, size.height)
            .flat_map(move |row| beside(a.col, size.width).map(move |col| Cell::new(row, col)));
        square.filter(move |&b| near(a, b))
    });
    Set::of(close.map(|cell| size.index(cell)))
}

impl Search<'_> {
    /// Places the ships that are not in `placed`, in all ways; `None` if the search reaches a limit.
    fn place_ships(&mut self, placed: u32, covered: Set, blocked: Set) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.sets.len() > MAX_SETS {
            return None;
        }
        let is_free = |place: &&Place| placed >> place.ship & 1 == 0 && !place.covered.meets(&blocked);
        let uncovered = self.hits.iter().filter(|&&i| !covered.has(i));
        let remaining = self.ships.iter().zip(0..).filter(|(_, ship)| placed >> ship & 1 == 0);
        if uncovered.clone().count() > remaining.map(|(cells, _)| cells).sum() {
            return Some(());
        }
        let fewest = uncovered.min_by_key(|&&i| self.covering[i].iter().filter(is_free).count());
        let next: Vec<_> = match fewest {
            Some(&i) => self.covering[i].iter().filter(is_free).copied().collect(),
            None => {
                let Some(ship) = (0..self.ships.len()).find(|ship| placed >> ship & 1 == 0) else {
                    self.list(covered);
                    return Some(());
                };
                self.places.iter().filter(|place| place.ship == ship).filter(is_free).copied().collect()
            }
        };
        for place in next {
            if self.lost {
                break;
            }
            let placed = placed | 1 << place.ship;
            self.place_ships(placed, covered.with(&place.covered), blocked.with(&place.blocked))?;
        }
        Some(())
    }

    /// Adds a covered set to the list.
    fn list(&mut self, covered: Set) {
        self.placements += 1;
        match self.sets.iter_mut().find(|(set, _)| *set == covered) {
            Some((_, copies)) => *copies += 1,
            None => self.sets.push((covered, 1)),
        }
        self.lost = match self.program.counts {
            Counts::Placements => self.sets.iter().any(|(_, copies)| *copies > 1),
            Counts::UpTo(max) => self.placements > max(self.cells),
            Counts::Sets | Counts::Greedy => false,
        };
        let is_due = self.placements.is_power_of_two() || self.placements.is_multiple_of(64);
        if !self.lost && is_due && self.sets.len() > 2 {
            let sets: Vec<_> = self.sets.iter().map(|(set, _)| *set).collect();
            self.lost = !wins(self.cells, &sets, self.misses);
        }
    }

    /// The decision on the whole list.
    fn wins(&self) -> bool {
        let sets: Vec<_> = self.sets.iter().map(|(set, _)| *set).collect();
        match self.program.counts {
            Counts::Greedy => self.wins_greedily(),
            _ => wins(self.cells, &sets, self.misses),
        }
    }

    /// True if the program wins with one miss by a greedy rule: among the squares that some but not all of the
    /// remaining sets cover, shoot at the one that the fewest placements leave empty. Ties go to the first square.
    fn wins_greedily(&self) -> bool {
        let mut left = self.sets.clone();
        while left.len() > 1 {
            let lacking = |i: usize| left.iter().filter(move |(set, _)| !set.has(i));
            let count = |i: usize| lacking(i).map(|(_, copies)| copies).sum::<u32>();
            let open = (0..self.cells).filter(|&i| (1..left.len()).contains(&lacking(i).count()));
            match open.min_by_key(|&i| count(i)) {
                Some(i) if lacking(i).count() <= 1 => left.retain(|(set, _)| set.has(i)),
                _ => return false,
            }
        }
        true
    }
}

/// True if `misses` misses suffice against these sets. If each set has at most k squares, a list of more than
/// C(k + m, m) sets is lost: m misses do not suffice for it.
fn wins(cells: usize, sets: &[Set], misses: u32) -> bool {
    let mut left = sets.to_vec();
    let count = |set: &Set| set.0.iter().map(|word| word.count_ones()).sum::<u32>();
    let k = sets.iter().map(count).max().unwrap_or(0);
    let max = (1..=misses).fold(1, |max, i| max * (k + i) / i);
    if sets.len() > max as usize {
        return false;
    }
    while left.len() > 1 {
        let safe = (0..cells).find(|&i| {
            let without: Vec<_> = left.iter().filter(|set| !set.has(i)).copied().collect();
            misses > 0 && (1..left.len()).contains(&without.len()) && wins(cells, &without, misses - 1)
        });
        let Some(safe) = safe else { return false };
        left.retain(|set| set.has(safe));
    }
    true
}
