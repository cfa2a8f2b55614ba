//! Referees with one fault each, as programs have them.
//!
//! Plain code: each board is kept in all images that the referee knows, and a new one looked up among them.

use super::{Entry, Instance, Legality, MoveLimit, Rules, Sign, Start, winner};
use crate::board::{Bits, Cell, Group, Size, Symmetry};
use crate::problem::Mutant;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

/// All of them.
pub const MUTANTS: &[Mutant<Rules, Instance>] = &[
    mutant(
        "mirror",
        "counts the left-right mirror image of a pattern as equal, besides its rotations",
        |r, g| tell(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, THREE_QUARTERS, MIRROR], ..RIGHT }),
    ),
    mutant(
        "upside-down",
        "counts the top-bottom mirror image of a pattern as equal, besides its rotations",
        |r, g| {
            tell(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, THREE_QUARTERS, FLIPPED[1]], ..RIGHT })
        },
    ),
    mutant("reflections", "counts all mirror images of a pattern as equal", |r, g| {
        let images = &[UNTURNED, QUARTER, HALF, THREE_QUARTERS, MIRROR, FLIPPED[0], FLIPPED[1], FLIPPED[2]];
        tell(r, g, &Referee { images, ..RIGHT })
    }),
    mutant("no-turns", "does not turn patterns", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED], ..RIGHT })
    }),
    mutant("half-turn", "turns patterns by 180 degrees only", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, HALF], ..RIGHT })
    }),
    mutant("quarter-turn", "turns earlier patterns by 90 degrees clockwise only", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, QUARTER], ..RIGHT })
    }),
    mutant("back-turn", "turns earlier patterns by 90 degrees anticlockwise only", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, THREE_QUARTERS], ..RIGHT })
    }),
    mutant("no-half-turn", "turns patterns by 90 and 270 degrees, but not by 180", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, QUARTER, THREE_QUARTERS], ..RIGHT })
    }),
    mutant("start-counted", "counts the empty board of the start as a pattern", |r, g| {
        tell(r, g, &Referee { start: Start::Counted, ..RIGHT })
    }),
    mutant("mover-wins", "names whoever repeats a pattern as the winner", |r, g| {
        tell(r, g, &Referee { named: Named::Mover, ..RIGHT })
    }),
    mutant("first-player-wins", "names player 1 as the winner whoever repeats a pattern", |r, g| {
        tell(r, g, &Referee { named: Named::First, ..RIGHT })
    }),
    mutant("second-player-wins", "names player 2 as the winner whoever repeats a pattern", |r, g| {
        tell(r, g, &Referee { named: Named::Second, ..RIGHT })
    }),
    mutant("moves-from-0", "counts moves from 0", |r, g| {
        tell(r, g, &Referee { number: |mv| mv - 1, ..RIGHT })
    }),
    mutant("rounds", "counts rounds: a move of each player is one to it", |r, g| {
        tell(r, g, &Referee { number: |mv| mv.div_ceil(2), ..RIGHT })
    }),
    mutant("limit-n", "judges N moves only", |r, g| tell(r, g, &Referee { limit: |n| n, ..RIGHT })),
    mutant("last-move", "does not judge the last move", |r, g| {
        tell(r, g, &Referee { limit: |n| 2 * n - 1, ..RIGHT })
    }),
    mutant(
        "removal-unchecked",
        "looks for repeats after a spot is put, not after one is taken away",
        |r, g| tell(r, g, &Referee { removal: Removal::Unchecked, ..RIGHT }),
    ),
    mutant("removal-forgotten", "does not remember the pattern after a spot is taken away", |r, g| {
        tell(r, g, &Referee { removal: Removal::Forgotten, ..RIGHT })
    }),
    mutant("removal-ignored", "does not take spots away, but judges the board after the move", |r, g| {
        tell(r, g, &Referee { removal: Removal::Ignored, ..RIGHT })
    }),
    mutant("removal-skipped", "passes over moves that take a spot away", |r, g| {
        tell(r, g, &Referee { removal: Removal::Skipped, ..RIGHT })
    }),
    // Whoever compares with the pattern just before only, or with those of the other player, finds none either.
    mutant("no-repeat", "finds no repeat, so that every game is a draw", |r, g| {
        tell(r, g, &Referee { memory: 0, ..RIGHT })
    }),
    mutant("last-two", "compares with the last two patterns only", |r, g| {
        tell(r, g, &Referee { memory: 2, ..RIGHT })
    }),
    mutant("last-repeat", "tells the last repeat of a game instead of the first", |r, g| {
        tell(r, g, &Referee { told: Told::Last, ..RIGHT })
    }),
    mutant("shifted", "counts a pattern that stands elsewhere on the board as equal", |r, g| {
        tell(r, g, &Referee { likeness: Likeness::Shape, ..RIGHT })
    }),
    mutant(
        "off-centre",
        "turns patterns about a wrong centre: (x, y) goes to (y, N - x), counted from 1",
        |r, g| tell(r, g, &Referee { likeness: Likeness::OffCentre, ..RIGHT }),
    ),
    mutant("numbers-only", "compares the numbers of spots only", |r, g| {
        tell(r, g, &Referee { likeness: Likeness::Number, ..RIGHT })
    }),
    mutant("patterns-kept", "does not forget the patterns of the game before", |r, g| {
        tell(r, g, &Referee { kept: Kept::Patterns, ..RIGHT })
    }),
    mutant("spots-kept", "does not clear the board before the next game", |r, g| {
        tell(r, g, &Referee { kept: Kept::Spots, ..RIGHT })
    }),
];

const fn mutant(
    name: &'static str,
    fault: &'static str,
    tell: crate::problem::Tell<Rules, Instance>,
) -> Mutant<Rules, Instance> {
    Mutant { name, fault, tell }
}

const UNTURNED: Symmetry = Symmetry { turns: 0, mirrored: false };
const QUARTER: Symmetry = Symmetry { turns: 1, mirrored: false };
const HALF: Symmetry = Symmetry { turns: 2, mirrored: false };
const THREE_QUARTERS: Symmetry = Symmetry { turns: 3, mirrored: false };
const MIRROR: Symmetry = Symmetry { turns: 0, mirrored: true };
const FLIPPED: [Symmetry; 3] = [
    Symmetry { turns: 1, mirrored: true },
    Symmetry { turns: 2, mirrored: true },
    Symmetry { turns: 3, mirrored: true },
];

/// How a referee judges.
struct Referee {
    /// Images of an earlier pattern that count as equal to it.
    images: &'static [Symmetry],
    likeness: Likeness,
    start: Start,
    named: Named,
    /// What is printed for a move, counted from 1.
    number: fn(usize) -> usize,
    told: Told,
    /// Moves that are judged on an n×n board.
    limit: fn(usize) -> usize,
    removal: Removal,
    /// How many of the last patterns are remembered.
    memory: usize,
    kept: Kept,
}

/// Who is named as the winner.
#[derive(PartialEq)]
enum Named {
    Other,
    Mover,
    First,
    Second,
}

/// Which repeat is told.
#[derive(PartialEq)]
enum Told {
    First,
    Last,
}

/// When images are equal.
#[derive(Clone, Copy)]
enum Likeness {
    Squares,
    /// Wherever they stand.
    Shape,
    /// Turned in a frame that has one row and one column more, before the first.
    OffCentre,
    Number,
}

/// What becomes of a move that takes a spot away.
#[derive(PartialEq)]
enum Removal {
    Judged,
    Unchecked,
    Forgotten,
    Ignored,
    Skipped,
}

/// What one game leaves to the next.
#[derive(PartialEq)]
enum Kept {
    Nothing,
    Patterns,
    Spots,
}

/// The one without a fault.
const RIGHT: Referee = Referee {
    images: &[UNTURNED, QUARTER, HALF, THREE_QUARTERS],
    likeness: Likeness::Squares,
    start: Start::Uncounted,
    named: Named::Other,
    number: |mv| mv,
    told: Told::First,
    limit: |n| 2 * n,
    removal: Removal::Judged,
    memory: usize::MAX,
    kept: Kept::Nothing,
};

/// The judge's rules; under others the mutants say nothing.
const JUDGE: Rules =
    Rules { group: Group::C4, start: Start::Uncounted, limit: MoveLimit::TwiceN, legality: Legality::Strict };

fn tell(rules: &Rules, games: &[&Instance], referee: &Referee) -> Option<String> {
    if *rules != JUDGE {
        return None;
    }
    let (mut text, mut memory) = (String::new(), Memory::default());
    for game in games {
        let size = game.size();
        if referee.kept != Kept::Patterns {
            memory.patterns.clear();
        }
        if referee.kept != Kept::Spots {
            memory.spots.clear();
        }
        if referee.start == Start::Counted {
            memory.patterns.push(images(size, &Bits::zeros(size.cells()), referee));
        }
        // Writing to a String cannot fail.
        let _ = match memory.play(game, referee)? {
            None => writeln!(text, "Draw"),
            Some(mv) => {
                let named = match referee.named {
                    Named::Other => winner(mv),
                    Named::Mover => 3 - winner(mv),
                    Named::First => 1,
                    Named::Second => 2,
                };
                writeln!(text, "Player {named} wins on move {}", (referee.number)(mv))
            }
        };
    }
    Some(text)
}

/// What a referee has seen.
#[derive(Default)]
struct Memory {
    spots: BTreeSet<Cell>,
    /// The images of each pattern, the last one last.
    patterns: Vec<HashSet<Bits>>,
}

impl Memory {
    /// The decisive move from 1, if there is one; `None` for a smudged record.
    fn play(&mut self, game: &Instance, referee: &Referee) -> Option<Option<usize>> {
        let size = game.size();
        let mut decisive = None;
        for (i, mv) in game.record.iter().map(Entry::known).enumerate() {
            let mv = mv?;
            let takes = mv.sign == Sign::Take;
            let skipped = takes && referee.removal == Removal::Skipped;
            // The moves behind the last one that is judged are read and no more.
            let over = decisive.is_some() && referee.told == Told::First;
            if over || skipped || i >= (referee.limit)(game.n as usize) {
                continue;
            }
            if !takes {
                self.spots.insert(mv.cell);
            } else if referee.removal != Removal::Ignored {
                self.spots.remove(&mv.cell);
            }
            let inside = self.spots.iter().filter(|cell| size.contains(**cell));
            let board = Bits::from_indices(size.cells(), inside.map(|&cell| size.index(cell)));
            let mut last = self.patterns.iter().rev().take(referee.memory);
            let unchecked = takes && referee.removal == Removal::Unchecked;
            let own = image(size, &board, UNTURNED, referee.likeness);
            if !unchecked && last.any(|images| images.contains(&own)) {
                decisive = Some(i + 1);
            }
            if !(takes && referee.removal == Removal::Forgotten) {
                self.patterns.push(images(size, &board, referee));
            }
        }
        Some(decisive)
    }
}

fn images(size: Size, board: &Bits, referee: &Referee) -> HashSet<Bits> {
    referee.images.iter().map(|&symmetry| image(size, board, symmetry, referee.likeness)).collect()
}

/// A board turned, as a program of this likeness compares it.
fn image(size: Size, board: &Bits, symmetry: Symmetry, likeness: Likeness) -> Bits {
    let moved = |frame: Size, first: u32| {
        let cells =
            board.iter().map(|i| size.cell(i)).map(|cell| Cell::new(cell.row + first, cell.col + first));
        cells.map(|cell| symmetry.apply(frame.width, cell)).collect::<Vec<_>>()
    };
    let bits = |size: Size, cells: Vec<Cell>| {
        Bits::from_indices(size.cells(), cells.into_iter().map(|cell| size.index(cell)))
    };
    match likeness {
        Likeness::Squares => bits(size, moved(size, 0)),
        Likeness::Shape => {
            let mut cells = moved(size, 0);
            let top = cells.iter().map(|cell| cell.row).min().unwrap_or(0);
            let left = cells.iter().map(|cell| cell.col).min().unwrap_or(0);
            cells.iter_mut().for_each(|cell| *cell = Cell::new(cell.row - top, cell.col - left));
            bits(size, cells)
        }
        Likeness::OffCentre => {
            let frame = Size::new(size.width + 1, size.height + 1);
            bits(frame, moved(frame, 1))
        }
        Likeness::Number => Bits::from_indices(size.cells(), 0..board.iter().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::rotate_all;
    use super::super::{answer, trials, write};
    use super::*;
    use crate::engine::{Budget, Outcome};
    use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

    #[test]
    fn without_a_fault_it_is_the_judge() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut compared = 0;
        for (trial, round) in trials::TRIALS.iter().flat_map(|trial| (0..12).map(move |round| (trial, round)))
        {
            let Ok(game) = (trial.make)(&JUDGE, round, &mut rng) else { continue };
            let answer = rotate_all::solve(&JUDGE, &game, &mut Budget::unlimited());
            let Outcome::Decided(answer) = answer else { panic!("{answer:?}") };
            let mut expected = Vec::new();
            write::write(&answer, &mut expected).expect("memory takes it");
            let told = tell(&JUDGE, &[&game], &RIGHT).map(String::into_bytes);
            assert_eq!(told, Some(expected), "{} {game:?}", answer::outcome(&answer));
            compared += 1;
        }
        assert!(compared > 100, "{compared}");
    }
}
