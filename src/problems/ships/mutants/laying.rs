//! How such a program decides: plain code.
//!
//! Fleets are laid hit by hit, each once, and the sets that they cover are collected; then safe shots are looked for.
//! What no plan wins against cannot be won with more sets, so a list that is lost ends the search.

use super::{Counts, Instance, Old, Program, Square, Touching};
use crate::board::{Cell, Size};

/// Squares of a board of at most 256.
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

/// The most nodes of a search, and sets that are listed.
const MAX_NODES: u32 = 4_000_000;
const MAX_SETS: usize = 512;

/// Fleets on a board, and what they cover.
struct Search<'a> {
    program: &'a Program,
    cells: usize,
    hits: Vec<usize>,
    /// By square: ships that may lie on it, with their squares and those where no other may lie.
    on: Vec<Vec<(usize, Set, Set)>>,
    /// All of them.
    all: Vec<(usize, Set, Set)>,
    /// Cells of each ship.
    ships: Vec<usize>,
    nodes: u32,
    /// Covered sets with the number of their placements.
    sets: Vec<(Set, u32)>,
    placements: usize,
    /// Whether it is known that the answer is no.
    lost: bool,
    /// Misses that are left.
    misses: u32,
}

/// Whether it can be won; within, `None` where no fleet fits. `None` if that cannot be said.
pub(super) fn decide(board: &Instance, program: &Program) -> Option<Option<bool>> {
    let (fleet, size) = ((program.fleet)(), board.size);
    let kind = |kind| board.cells(kind).map(|cell| size.index(cell)).collect::<Vec<_>>();
    let seen = |square| if program.ignored == Some(square) { Vec::new() } else { kind(square) };
    let missed = Set::of(seen(Square::Miss));
    let spent = program.old_misses == Old::Count && board.cells(Square::Miss).next().is_some();
    let mut search = Search {
        program,
        cells: size.cells(),
        hits: seen(Square::Hit),
        on: vec![Vec::new(); size.cells()],
        all: Vec::new(),
        ships: fleet.ships.iter().map(|ship| ship.cells.len()).collect(),
        nodes: 0,
        sets: Vec::new(),
        placements: 0,
        lost: false,
        misses: program.misses.saturating_sub(u32::from(spent)),
    };
    for (ship, placements) in fleet.ships.iter().map(|ship| ship.placements(size)).enumerate() {
        let is_known = |pose| pose < program.poses && program.lacks != Some((ship, pose));
        let known = placements.into_iter().filter(|placement| is_known(placement.pose));
        for cells in known.map(|placement| placement.cells) {
            let set = Set::of(cells.iter().map(|&cell| size.index(cell)));
            if !set.meets(&missed) {
                let entry = (ship, set, around(size, &cells, program.touching));
                cells.iter().for_each(|&cell| search.on[size.index(cell)].push(entry));
                search.all.push(entry);
            }
        }
    }
    search.lay(0, Set::default(), Set::default())?;
    if search.lost || search.sets.is_empty() {
        return Some(search.lost.then_some(false));
    }
    Some(Some(search.wins()))
}

/// Where no other ship may lie beside one on these squares.
fn around(size: Size, cells: &[Cell], touching: Touching) -> Set {
    let near = |a: &Cell, b: Cell| {
        let (rows, cols) = (a.row.abs_diff(b.row), a.col.abs_diff(b.col));
        match touching {
            Touching::Overlap => false,
            Touching::Anywhere => rows + cols == 0,
            Touching::Corners => rows + cols <= 1,
            Touching::Never => rows.max(cols) <= 1,
        }
    };
    let by_side = |at: u32, most: u32| at.saturating_sub(1)..(at + 2).min(most);
    let close = cells.iter().flat_map(|a| {
        let square = by_side(a.row, size.height)
            .flat_map(move |row| by_side(a.col, size.width).map(move |col| Cell::new(row, col)));
        square.filter(move |&b| near(a, b))
    });
    Set::of(close.map(|cell| size.index(cell)))
}

impl Search<'_> {
    /// Lays the ships that are not in `laid`; `None` if it takes too long.
    fn lay(&mut self, laid: u32, covered: Set, taken: Set) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.sets.len() > MAX_SETS {
            return None;
        }
        let free = |&(ship, set, _): &(usize, Set, Set)| laid >> ship & 1 == 0 && !set.meets(&taken);
        let open = self.hits.iter().filter(|&&i| !covered.has(i));
        let left = self.ships.iter().zip(0..).filter(|(_, ship)| laid >> ship & 1 == 0);
        if open.clone().count() > left.map(|(cells, _)| cells).sum() {
            return Some(());
        }
        let fewest = open.min_by_key(|&&i| self.on[i].iter().filter(|p| free(p)).count());
        let next: Vec<_> = match fewest {
            Some(&i) => self.on[i].iter().filter(|p| free(p)).copied().collect(),
            None => {
                let Some(ship) = (0..self.ships.len()).find(|ship| laid >> ship & 1 == 0) else {
                    self.list(covered);
                    return Some(());
                };
                self.all.iter().filter(|p| p.0 == ship && free(p)).copied().collect()
            }
        };
        for (ship, set, around) in next {
            if self.lost {
                break;
            }
            self.lay(laid | 1 << ship, covered.with(&set), taken.with(&around))?;
        }
        Some(())
    }

    fn list(&mut self, covered: Set) {
        self.placements += 1;
        match self.sets.iter_mut().find(|(set, _)| *set == covered) {
            Some((_, copies)) => *copies += 1,
            None => self.sets.push((covered, 1)),
        }
        self.lost = match self.program.counts {
            Counts::Placements => self.sets.iter().any(|(_, copies)| *copies > 1),
            Counts::UpTo(most) => self.placements > most(self.cells),
            Counts::Sets | Counts::Greedy => false,
        };
        let some = self.placements.is_power_of_two() || self.placements.is_multiple_of(64);
        if !self.lost && some && self.sets.len() > 2 {
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

    /// Shoots where fewest placements have no ship, the first such square.
    fn wins_greedily(&self) -> bool {
        let mut left = self.sets.clone();
        while left.len() > 1 {
            let missing = |i: usize| left.iter().filter(move |(set, _)| !set.has(i));
            let count = |i: usize| missing(i).map(|(_, copies)| copies).sum::<u32>();
            let open = (0..self.cells).filter(|&i| (1..left.len()).contains(&missing(i).count()));
            match open.min_by_key(|&i| count(i)) {
                Some(i) if missing(i).count() <= 1 => left.retain(|(set, _)| set.has(i)),
                _ => return false,
            }
        }
        true
    }
}

/// Whether so many misses suffice against these sets. Of sets of up to k squares at most C(k + m, m) are won with m
/// misses.
fn wins(cells: usize, sets: &[Set], misses: u32) -> bool {
    let mut left = sets.to_vec();
    let count = |set: &Set| set.0.iter().map(|word| word.count_ones()).sum::<u32>();
    let k = sets.iter().map(count).max().unwrap_or(0);
    let most = (1..=misses).fold(1, |most, i| most * (k + i) / i);
    if sets.len() > most as usize {
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
