//! Mutants: programs for the judge that have one known bug each.

mod referee;

use super::{Instance, Legality, MoveLimit, Rules, Start, winner};
use counterpoint_core::board::{Bits, Cell, Group, Symmetry};
use counterpoint_core::problem::Mutant;
use referee::{
    CarriedOver, Likeness, NamedWinner, RIGHT, Referee, Removal, ReportedRepeat, State, Symmetric, images,
};
use std::fmt::Write;

/// All mutants of Spot.
pub const MUTANTS: &[Mutant<Rules, Instance>] = &[
    mutant(
        "mirror",
        "counts the left-right mirror image of a pattern as equal, in addition to its rotations",
        |r, g| output(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, THREE_QUARTERS, MIRROR], ..RIGHT }),
    ),
    mutant(
        "upside-down",
        "counts the top-bottom mirror image of a pattern as equal, in addition to its rotations",
        |r, g| {
            output(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, THREE_QUARTERS, FLIPPED[1]], ..RIGHT })
        },
    ),
    mutant("reflections", "counts all mirror images of a pattern as equal", |r, g| {
        let images = &[UNTURNED, QUARTER, HALF, THREE_QUARTERS, MIRROR, FLIPPED[0], FLIPPED[1], FLIPPED[2]];
        output(r, g, &Referee { images, ..RIGHT })
    }),
    mutant(
        "flips",
        "uses both mirror images and the half turn instead of the rotations of a pattern",
        |r, g| output(r, g, &Referee { images: &[UNTURNED, HALF, MIRROR, FLIPPED[1]], ..RIGHT }),
    ),
    mutant(
        "mirror-for-270",
        "uses the left-right mirror image instead of the turn by 270 degrees",
        |r, g| output(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, MIRROR], ..RIGHT }),
    ),
    mutant(
        "mirror-for-270-earlier",
        "uses the left-right mirror image instead of the 270-degree turn, and names the repeating player as the winner",
        |r, g| {
            output(
                r,
                g,
                &Referee { images: &[UNTURNED, QUARTER, HALF, MIRROR], named: NamedWinner::Mover, ..RIGHT },
            )
        },
    ),
    mutant("flip-for-270", "uses the top-bottom mirror image instead of the turn by 270 degrees", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED, QUARTER, HALF, FLIPPED[1]], ..RIGHT })
    }),
    mutant(
        "flip-for-270-earlier",
        "uses the top-bottom mirror image instead of the 270-degree turn, and names the repeating player as the winner",
        |r, g| {
            output(
                r,
                g,
                &Referee {
                    images: &[UNTURNED, QUARTER, HALF, FLIPPED[1]],
                    named: NamedWinner::Mover,
                    ..RIGHT
                },
            )
        },
    ),
    mutant("mirror-for-90", "uses the left-right mirror image instead of the turn by 90 degrees", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED, THREE_QUARTERS, HALF, MIRROR], ..RIGHT })
    }),
    mutant(
        "mirror-for-90-earlier",
        "uses the left-right mirror image instead of the 90-degree turn, and names the repeating player as the winner",
        |r, g| {
            output(
                r,
                g,
                &Referee {
                    images: &[UNTURNED, THREE_QUARTERS, HALF, MIRROR],
                    named: NamedWinner::Mover,
                    ..RIGHT
                },
            )
        },
    ),
    mutant("flip-for-90", "uses the top-bottom mirror image instead of the turn by 90 degrees", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED, THREE_QUARTERS, HALF, FLIPPED[1]], ..RIGHT })
    }),
    mutant(
        "flip-for-90-earlier",
        "uses the top-bottom mirror image instead of the 90-degree turn, and names the repeating player as the winner",
        |r, g| {
            output(
                r,
                g,
                &Referee {
                    images: &[UNTURNED, THREE_QUARTERS, HALF, FLIPPED[1]],
                    named: NamedWinner::Mover,
                    ..RIGHT
                },
            )
        },
    ),
    mutant("no-turns", "does not turn patterns", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED], ..RIGHT })
    }),
    mutant("half-turn", "turns patterns by 180 degrees only", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED, HALF], ..RIGHT })
    }),
    mutant("quarter-turn", "turns earlier patterns by 90 degrees clockwise only", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED, QUARTER], ..RIGHT })
    }),
    mutant("back-turn", "turns earlier patterns by 90 degrees anticlockwise only", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED, THREE_QUARTERS], ..RIGHT })
    }),
    mutant("no-half-turn", "turns patterns by 90 and 270 degrees, but not by 180", |r, g| {
        output(r, g, &Referee { images: &[UNTURNED, QUARTER, THREE_QUARTERS], ..RIGHT })
    }),
    mutant("start-counted", "counts the empty board of the start as a pattern", |r, g| {
        output(r, g, &Referee { start: Start::Counted, ..RIGHT })
    }),
    mutant("mover-wins", "names the player who repeats a pattern as the winner", |r, g| {
        output(r, g, &Referee { named: NamedWinner::Mover, ..RIGHT })
    }),
    mutant("first-player-wins", "names player 1 as the winner of every game with a repeat", |r, g| {
        output(r, g, &Referee { named: NamedWinner::First, ..RIGHT })
    }),
    mutant("second-player-wins", "names player 2 as the winner of every game with a repeat", |r, g| {
        output(r, g, &Referee { named: NamedWinner::Second, ..RIGHT })
    }),
    mutant("moves-from-0", "counts moves from 0", |r, g| {
        output(r, g, &Referee { number: |mv| mv - 1, ..RIGHT })
    }),
    mutant(
        "rounds",
        "counts rounds instead of moves: two moves, one of each player, are one round",
        |r, g| output(r, g, &Referee { number: |mv| mv.div_ceil(2), ..RIGHT }),
    ),
    mutant("limit-n", "judges only the first N moves", |r, g| {
        output(r, g, &Referee { limit: |n| n, ..RIGHT })
    }),
    mutant("last-move", "does not judge the last move", |r, g| {
        output(r, g, &Referee { limit: |n| 2 * n - 1, ..RIGHT })
    }),
    mutant(
        "removal-unchecked",
        "looks for repeats only after a spot is placed, not after one is removed",
        |r, g| output(r, g, &Referee { removal: Removal::Unchecked, ..RIGHT }),
    ),
    mutant("removal-forgotten", "does not remember patterns that arise by removing a spot", |r, g| {
        output(r, g, &Referee { removal: Removal::Forgotten, ..RIGHT })
    }),
    mutant(
        "removal-ignored",
        "does not remove spots, but looks for repeats after moves that should remove one",
        |r, g| output(r, g, &Referee { removal: Removal::Ignored, ..RIGHT }),
    ),
    mutant("removal-skipped", "skips moves that remove a spot", |r, g| {
        output(r, g, &Referee { removal: Removal::Skipped, ..RIGHT })
    }),
    // A program that compares only with the previous pattern, or with the other player's patterns, finds no
    // repeat either, because equal patterns are an even number of moves apart.
    mutant("no-repeat", "finds no repeat, so that every game is a draw", |r, g| {
        output(r, g, &Referee { remembered: 0, ..RIGHT })
    }),
    mutant("last-two", "compares only with the last two patterns", |r, g| {
        output(r, g, &Referee { remembered: 2, ..RIGHT })
    }),
    mutant("last-repeat", "reports the last repeat of a game instead of the first", |r, g| {
        output(r, g, &Referee { reported: ReportedRepeat::Last, ..RIGHT })
    }),
    mutant("shifted", "counts a pattern as equal to its translations", |r, g| {
        output(r, g, &Referee { likeness: Likeness::Shape, ..RIGHT })
    }),
    mutant(
        "off-centre",
        "turns patterns about a wrong centre: (x, y) goes to (y, N - x), counted from 1",
        |r, g| output(r, g, &Referee { likeness: Likeness::OffCentre(1), ..RIGHT }),
    ),
    mutant(
        "off-centre-0",
        "turns patterns about a wrong centre: (x, y) goes to (y, N - x), counted from 0",
        |r, g| output(r, g, &Referee { likeness: Likeness::OffCentre(0), ..RIGHT }),
    ),
    mutant(
        "off-centre-0-symmetric",
        "turns patterns about a wrong centre: (x, y) goes to (y, N - x), counted from 0, and calls a pattern \
         that is its own rotation a repeat",
        |r, g| {
            let referee = Referee { likeness: Likeness::OffCentre(0), symmetric: Symmetric::Repeat, ..RIGHT };
            output(r, g, &referee)
        },
    ),
    mutant("symmetric", "calls a pattern that is its own rotation a repeat", |r, g| {
        output(r, g, &Referee { symmetric: Symmetric::Repeat, ..RIGHT })
    }),
    mutant(
        "off-centre-lost",
        "turns patterns about a wrong centre, (x, y) to (y, N - x) counted from 0; loses spots that leave the board",
        |r, g| {
            let turn = |n, cell: Cell| Cell::new(n - cell.col, cell.row);
            output(r, g, &Referee { likeness: Likeness::Lost(turn), ..RIGHT })
        },
    ),
    mutant(
        "off-centre-lost-back",
        "turns patterns about a wrong centre, (x, y) to (N - y, x) counted from 0; loses spots that leave the board",
        |r, g| {
            let turn = |n, cell: Cell| Cell::new(cell.col, n - cell.row);
            output(r, g, &Referee { likeness: Likeness::Lost(turn), ..RIGHT })
        },
    ),
    mutant("32-columns", "confuses columns that are 32 apart, as `1 << x` does in 32 bits", |r, g| {
        output(
            r,
            g,
            &Referee { likeness: Likeness::Word(|cell| Cell::new(cell.row, cell.col % 32)), ..RIGHT },
        )
    }),
    mutant("32-rows", "confuses rows that are 32 apart, as `1 << y` does in 32 bits", |r, g| {
        output(
            r,
            g,
            &Referee { likeness: Likeness::Word(|cell| Cell::new(cell.row % 32, cell.col)), ..RIGHT },
        )
    }),
    mutant("numbers-only", "compares only the numbers of spots", |r, g| {
        output(r, g, &Referee { likeness: Likeness::Number, ..RIGHT })
    }),
    mutant("patterns-kept", "does not forget the patterns of the previous game", |r, g| {
        output(r, g, &Referee { carried_over: CarriedOver::Patterns, ..RIGHT })
    }),
    mutant("spots-kept", "does not clear the board before the next game", |r, g| {
        output(r, g, &Referee { carried_over: CarriedOver::Spots, ..RIGHT })
    }),
];

const fn mutant(
    name: &'static str,
    fault: &'static str,
    output: counterpoint_core::problem::MutantOutput<Rules, Instance>,
) -> Mutant<Rules, Instance> {
    Mutant { name, fault, output }
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

/// The output of the program from which each mutant differs in one place. It has no known bug. `None` where a mutant
/// prints nothing either: under other rules than the judge's, or if a record is too large.
pub fn faultless(rules: &Rules, games: &[&Instance]) -> Option<String> {
    output(rules, games, &RIGHT)
}

fn output(rules: &Rules, games: &[&Instance], referee: &Referee) -> Option<String> {
    if *rules != JUDGE {
        return None;
    }
    let (mut text, mut state) = (String::new(), State::default());
    for game in games {
        let size = game.size();
        if referee.carried_over != CarriedOver::Patterns {
            state.patterns.clear();
        }
        if referee.carried_over != CarriedOver::Spots {
            state.spots.clear();
        }
        if referee.start == Start::Counted {
            state.patterns.push(images(size, &Bits::zeros(size.cells()), referee));
        }
        // Writing to a String cannot fail.
        let _ = match state.play(game, referee)? {
            None => writeln!(text, "Draw"),
            Some(mv) => {
                let named = match referee.named {
                    NamedWinner::Other => winner(mv),
                    NamedWinner::Mover => 3 - winner(mv),
                    NamedWinner::First => 1,
                    NamedWinner::Second => 2,
                };
                writeln!(text, "Player {named} wins on move {}", (referee.number)(mv))
            }
        };
    }
    Some(text)
}
