//! Mutants: judge programs with typical faults, as a table.

mod referee;

use super::{Instance, Legality, MoveLimit, Rules, Start, winner};
use crate::board::{Bits, Cell, Group, Symmetry};
use crate::problem::Mutant;
use referee::{Kept, Likeness, Memory, Named, RIGHT, Referee, Removal, Symmetric, Told, images};
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
    mutant("flips", "takes both mirror images and the half turn for the rotations of a pattern", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, HALF, MIRROR, FLIPPED[1]], ..RIGHT })
    }),
    mutant("mirror-for-270", "takes the left-right mirror image for the turn by 270 degrees", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, MIRROR], ..RIGHT })
    }),
    mutant(
        "mirror-for-270-earlier",
        "takes the left-right mirror image for the turn by 270 degrees, and names whoever made the pattern first as the winner",
        |r, g| {
            tell(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, MIRROR], named: Named::Mover, ..RIGHT })
        },
    ),
    mutant("flip-for-270", "takes the top-bottom mirror image for the turn by 270 degrees", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, FLIPPED[1]], ..RIGHT })
    }),
    mutant(
        "flip-for-270-earlier",
        "takes the top-bottom mirror image for the turn by 270 degrees, and names whoever made the pattern first as the winner",
        |r, g| {
            tell(
                r,
                g,
                &Referee { images: &[UNTURNED, QUARTER, HALF, FLIPPED[1]], named: Named::Mover, ..RIGHT },
            )
        },
    ),
    mutant("mirror-for-90", "takes the left-right mirror image for the turn by 90 degrees", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, THREE_QUARTERS, HALF, MIRROR], ..RIGHT })
    }),
    mutant(
        "mirror-for-90-earlier",
        "takes the left-right mirror image for the turn by 90 degrees, and names whoever made the pattern first as the winner",
        |r, g| {
            tell(
                r,
                g,
                &Referee { images: &[UNTURNED, THREE_QUARTERS, HALF, MIRROR], named: Named::Mover, ..RIGHT },
            )
        },
    ),
    mutant("flip-for-90", "takes the top-bottom mirror image for the turn by 90 degrees", |r, g| {
        tell(r, g, &Referee { images: &[UNTURNED, THREE_QUARTERS, HALF, FLIPPED[1]], ..RIGHT })
    }),
    mutant(
        "flip-for-90-earlier",
        "takes the top-bottom mirror image for the turn by 90 degrees, and names whoever made the pattern first as the winner",
        |r, g| {
            tell(
                r,
                g,
                &Referee {
                    images: &[UNTURNED, THREE_QUARTERS, HALF, FLIPPED[1]],
                    named: Named::Mover,
                    ..RIGHT
                },
            )
        },
    ),
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
    // A program that compares only with the pattern just before, or with those of the other player, finds none either.
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
        |r, g| tell(r, g, &Referee { likeness: Likeness::OffCentre(1), ..RIGHT }),
    ),
    mutant(
        "off-centre-0",
        "turns patterns about a wrong centre: (x, y) goes to (y, N - x), counted from 0",
        |r, g| tell(r, g, &Referee { likeness: Likeness::OffCentre(0), ..RIGHT }),
    ),
    mutant(
        "off-centre-0-symmetric",
        "turns patterns about a wrong centre: (x, y) goes to (y, N - x), counted from 0, and takes a pattern that is its own \
         rotation for a repeat",
        |r, g| {
            let referee = Referee { likeness: Likeness::OffCentre(0), symmetric: Symmetric::Repeat, ..RIGHT };
            tell(r, g, &referee)
        },
    ),
    mutant("symmetric", "takes a pattern that is its own rotation for a repeat", |r, g| {
        tell(r, g, &Referee { symmetric: Symmetric::Repeat, ..RIGHT })
    }),
    mutant(
        "off-centre-lost",
        "turns patterns about a wrong centre: (x, y) goes to (y, N - x), counted from 0, and what leaves the board is lost",
        |r, g| {
            let turn = |n, cell: Cell| Cell::new(n - cell.col, cell.row);
            tell(r, g, &Referee { likeness: Likeness::Lost(turn), ..RIGHT })
        },
    ),
    mutant(
        "off-centre-lost-back",
        "turns patterns about a wrong centre: (x, y) goes to (N - y, x), counted from 0, and what leaves the board is lost",
        |r, g| {
            let turn = |n, cell: Cell| Cell::new(cell.col, n - cell.row);
            tell(r, g, &Referee { likeness: Likeness::Lost(turn), ..RIGHT })
        },
    ),
    mutant("32-columns", "takes columns 32 apart for the same, as `1 << x` does in 32 bits", |r, g| {
        tell(r, g, &Referee { likeness: Likeness::Word(|cell| Cell::new(cell.row, cell.col % 32)), ..RIGHT })
    }),
    mutant("32-rows", "takes rows 32 apart for the same, as `1 << y` does in 32 bits", |r, g| {
        tell(r, g, &Referee { likeness: Likeness::Word(|cell| Cell::new(cell.row % 32, cell.col)), ..RIGHT })
    }),
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

/// The judge's rules. Under other rules mutants print nothing.
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
