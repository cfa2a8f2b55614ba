//! Programs for Ships with one fault each.
//!
//! Plain code: fleets are laid hit by hit, each once, and the sets that they cover are collected; then safe shots are
//! looked for. What no plan wins against cannot be won with more sets, so a list that is lost ends the search.

use super::{Fleet, Instance, JUDGE_SIDE, Poses, Rules, Square};
use crate::board::{Cell, Size};
use crate::problem::{Mutant, Tell};
use std::fmt::Write;

/// All of them.
pub const MUTANTS: &[Mutant<Rules, Instance>] = &[
    mutant(
        "placements",
        "counts placements: two that cover the same squares are two possibilities to it",
        |r, g| tell(r, g, &Program { counts: Counts::Placements, ..RIGHT }),
    ),
    mutant("cut-off", "gives up and says no where there are more placements than squares", |r, g| {
        tell(r, g, &Program { counts: Counts::UpTo(|cells| cells), ..RIGHT })
    }),
    mutant("greedy", "shoots where fewest placements have no ship, though other shots are safe", |r, g| {
        tell(r, g, &Program { counts: Counts::Greedy, ..RIGHT })
    }),
    mutant("height-first", "reads the header as `h w`, as POJ 1138 has it", |r, g| {
        tell(r, g, &Program { header: Header::HeightFirst, ..RIGHT })
    }),
    mutant("mirrored", "mirrors ships", |r, g| {
        tell(r, g, &Program { fleet: || Fleet::standard().posed(Poses::TurnedMirrored), ..RIGHT })
    }),
    mutant("unturned", "does not turn ships", |r, g| {
        tell(r, g, &Program { fleet: || Fleet::standard().posed(Poses::Drawn), ..RIGHT })
    }),
    mutant("two-J", "has two J and no L", |r, g| tell(r, g, &Program { fleet: || twice("J", "L"), ..RIGHT })),
    mutant("two-L", "has two L and no J", |r, g| tell(r, g, &Program { fleet: || twice("L", "J"), ..RIGHT })),
    mutant("two-S", "has two S and no Z", |r, g| tell(r, g, &Program { fleet: || twice("S", "Z"), ..RIGHT })),
    mutant("two-Z", "has two Z and no S", |r, g| tell(r, g, &Program { fleet: || twice("Z", "S"), ..RIGHT })),
    mutant("five-ships", "has five ships only: L and S stand for their mirror images, too", |r, g| {
        tell(r, g, &Program { fleet: five, ..RIGHT })
    }),
    mutant("misses-ignored", "lays ships over squares that were missed", |r, g| {
        tell(r, g, &Program { ignored: Some(Square::Miss), ..RIGHT })
    }),
    mutant("hits-ignored", "does not ask that ships lie on every hit", |r, g| {
        tell(r, g, &Program { ignored: Some(Square::Hit), ..RIGHT })
    }),
    mutant("no-miss", "allows no miss", |r, g| tell(r, g, &Program { misses: 0, ..RIGHT })),
    mutant("two-misses", "allows two misses", |r, g| tell(r, g, &Program { misses: 2, ..RIGHT })),
    mutant("apart", "does not let ships touch by a side", |r, g| {
        tell(r, g, &Program { touching: Touching::Corners, ..RIGHT })
    }),
    mutant("far-apart", "does not let ships touch, not even by a corner", |r, g| {
        tell(r, g, &Program { touching: Touching::Never, ..RIGHT })
    }),
    mutant("no-fleet", "says yes where no fleet fits", |r, g| {
        tell(r, g, &Program { no_fleet: "yes", ..RIGHT })
    }),
    mutant("one-placement", "says yes only where the ships can be placed in just one way", |r, g| {
        tell(r, g, &Program { counts: Counts::UpTo(|_| 1), ..RIGHT })
    }),
];

const fn mutant(
    name: &'static str,
    fault: &'static str,
    tell: Tell<Rules, Instance>,
) -> Mutant<Rules, Instance> {
    Mutant { name, fault, tell }
}

/// How a program decides.
struct Program {
    fleet: fn() -> Fleet,
    misses: u32,
    /// Squares of this kind are taken for unknown ones.
    ignored: Option<Square>,
    touching: Touching,
    counts: Counts,
    header: Header,
    no_fleet: &'static str,
}

/// Where ships may touch.
#[derive(Clone, Copy, PartialEq)]
enum Touching {
    Anywhere,
    Corners,
    Never,
}

/// What is listed, and what is made of it.
enum Counts {
    Sets,
    Placements,
    /// Sets; but no where there are more placements than this makes of the number of squares.
    UpTo(fn(usize) -> usize),
    Greedy,
}

/// Which number of the header comes first.
enum Header {
    WidthFirst,
    HeightFirst,
}

/// The one without a fault.
const RIGHT: Program = Program {
    fleet: || Fleet::standard().posed(Poses::Turned),
    misses: 1,
    ignored: None,
    touching: Touching::Anywhere,
    counts: Counts::Sets,
    header: Header::WidthFirst,
    no_fleet: "no",
};

/// The fleet with one ship in the place of another.
fn twice(ship: &str, other: &str) -> Fleet {
    let mut fleet = Fleet::standard();
    let cells = fleet.ships.iter().find(|s| s.name == ship).map(|s| s.cells.clone()).unwrap_or_default();
    fleet.ships.iter_mut().filter(|s| s.name == other).for_each(|s| s.cells.clone_from(&cells));
    fleet.posed(Poses::Turned)
}

fn five() -> Fleet {
    let mut fleet = Fleet::standard().posed(Poses::TurnedMirrored);
    fleet.ships.retain(|ship| !["J", "Z"].contains(&ship.name.as_str()));
    fleet
}

fn tell(rules: &Rules, games: &[&Instance], program: &Program) -> Option<String> {
    if (rules.misses, &rules.fleet) != (1, &(RIGHT.fleet)()) {
        return None;
    }
    let mut text = String::new();
    for (game, index) in games.iter().zip(1..) {
        // Writing to a String cannot fail.
        let _ = write!(text, "Game #{index}\n{}.\n\n", word(game, program)?);
    }
    Some(text)
}

fn word(game: &Instance, program: &Program) -> Option<&'static str> {
    let Size { width, height } = game.size;
    if width.max(height) > JUDGE_SIDE {
        return None;
    }
    let size = match program.header {
        Header::WidthFirst => game.size,
        // The same squares one after the other, in other rows.
        Header::HeightFirst => Size::new(height, width),
    };
    let board = Instance { size, squares: game.squares.clone() };
    Some(match decide(&board, program)? {
        None => program.no_fleet,
        Some(true) => "yes",
        Some(false) => "no",
    })
}

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
const MOST_NODES: u32 = 4_000_000;
const MOST_SETS: usize = 512;

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
}

/// Whether it can be won; within, `None` where no fleet fits. `None` if that cannot be said.
fn decide(board: &Instance, program: &Program) -> Option<Option<bool>> {
    let (fleet, size) = ((program.fleet)(), board.size);
    let kind = |kind| board.cells(kind).map(|cell| size.index(cell)).collect::<Vec<_>>();
    let seen = |square| if program.ignored == Some(square) { Vec::new() } else { kind(square) };
    let missed = Set::of(seen(Square::Miss));
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
    };
    for (ship, placements) in fleet.ships.iter().map(|ship| ship.placements(size)).enumerate() {
        for cells in placements.into_iter().map(|placement| placement.cells) {
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
        if self.nodes > MOST_NODES || self.sets.len() > MOST_SETS {
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
            self.lost = !wins(self.cells, &sets, self.program.misses);
        }
    }

    /// The decision on the whole list.
    fn wins(&self) -> bool {
        let sets: Vec<_> = self.sets.iter().map(|(set, _)| *set).collect();
        match self.program.counts {
            Counts::Greedy => self.wins_greedily(),
            _ => wins(self.cells, &sets, self.program.misses),
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

/// Whether so many misses suffice against these sets. Of sets of k squares at most C(k + m, m) are won with m misses.
fn wins(cells: usize, sets: &[Set], misses: u32) -> bool {
    let mut left = sets.to_vec();
    let k: u32 = sets.first().map_or(0, |set| set.0.iter().map(|word| word.count_ones()).sum());
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

#[cfg(test)]
mod tests {
    use super::super::search::cover;
    use super::super::{Dialect, trials, write};
    use super::*;
    use crate::engine::{Budget, Outcome};
    use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

    #[test]
    fn without_a_fault_it_is_the_judge() {
        let rules = Rules { misses: 1, fleet: (RIGHT.fleet)(), dialect: Dialect::Auto };
        let (mut rng, mut memory) = (ChaCha8Rng::seed_from_u64(1), cover::Memory::default());
        let (mut compared, mut unsaid) = (0, 0);
        for (trial, round) in trials::TRIALS.iter().flat_map(|trial| (0..8).map(move |round| (trial, round)))
        {
            let Ok(game) = (trial.make)(&rules, round, &mut rng) else { continue };
            let outcome = cover::solve(&mut memory, &rules, &game, &mut Budget::unlimited());
            let Outcome::Decided(answer) = outcome else { panic!("{outcome:?}") };
            let mut expected = Vec::new();
            write::write(1, &answer, &mut expected).expect("memory takes it");
            match tell(&rules, &[&game], &RIGHT) {
                Some(told) => assert_eq!(told.into_bytes(), expected, "{}", write::write_instance(&game)),
                None => unsaid += 1,
            }
            compared += 1;
        }
        assert!(compared > 60 && 10 * unsaid < compared, "{compared} {unsaid}");
    }
}
