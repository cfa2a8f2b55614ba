//! Programs for Ships with one fault each.

mod decide;

use super::{Fleet, Instance, JUDGE_SIDE, Poses, Rules, Square};
use counterpoint_core::board::Size;
use counterpoint_core::problem::{Mutant, MutantOutput};
use std::fmt::Write;

/// All faulty programs.
pub const MUTANTS: &[Mutant<Rules, Instance>] = &[
    mutant(
        "placements",
        "counts placements, so two placements that cover the same squares count as two possibilities",
        |r, g| run(r, g, &Program { counts: Counts::Placements, ..RIGHT }),
    ),
    mutant("cut-off", "gives up and says no if there are more placements than squares", |r, g| {
        run(r, g, &Program { counts: Counts::UpTo(|cells| cells), ..RIGHT })
    }),
    mutant("cut-off-7", "gives up and says no if there are more than 7 placements", |r, g| {
        run(r, g, &Program { counts: Counts::UpTo(|_| 7), ..RIGHT })
    }),
    mutant("cut-off-30", "gives up and says no if there are 30 placements or more", |r, g| {
        run(r, g, &Program { counts: Counts::UpTo(|_| 29), ..RIGHT })
    }),
    mutant(
        "greedy",
        "shoots at the square that the fewest placements leave empty, even if only another square is safe",
        |r, g| run(r, g, &Program { counts: Counts::Greedy, ..RIGHT }),
    ),
    mutant("height-first", "reads the header as `h w`, the order of POJ 1138", |r, g| {
        run(r, g, &Program { header: Header::HeightFirst, ..RIGHT })
    }),
    mutant("mirrored", "mirrors ships", |r, g| {
        run(r, g, &Program { fleet: || Fleet::standard().posed(Poses::TurnedMirrored), ..RIGHT })
    }),
    mutant("unturned", "does not turn ships", |r, g| {
        run(r, g, &Program { fleet: || Fleet::standard().posed(Poses::Drawn), ..RIGHT })
    }),
    mutant("no-S-1", "lacks one rotation of S: .xx/xx.", |r, g| lacking(r, g, (1, 0))),
    mutant("no-S-2", "lacks one rotation of S: x./xx/.x", |r, g| lacking(r, g, (1, 1))),
    mutant("no-Z-1", "lacks one rotation of Z: xx./.xx", |r, g| lacking(r, g, (2, 0))),
    mutant("no-Z-2", "lacks one rotation of Z: .x/xx/x.", |r, g| lacking(r, g, (2, 1))),
    mutant("no-J-1", "lacks one rotation of J: x../xxx", |r, g| lacking(r, g, (3, 0))),
    mutant("no-J-2", "lacks one rotation of J: xx/x./x.", |r, g| lacking(r, g, (3, 1))),
    mutant("no-J-3", "lacks one rotation of J: xxx/..x", |r, g| lacking(r, g, (3, 2))),
    mutant("no-J-4", "lacks one rotation of J: .x/.x/xx", |r, g| lacking(r, g, (3, 3))),
    mutant("no-T-1", "lacks one rotation of T: .x./xxx", |r, g| lacking(r, g, (4, 0))),
    mutant("no-T-2", "lacks one rotation of T: x./xx/x.", |r, g| lacking(r, g, (4, 1))),
    mutant("no-T-3", "lacks one rotation of T: xxx/.x.", |r, g| lacking(r, g, (4, 2))),
    mutant("no-T-4", "lacks one rotation of T: .x/xx/.x", |r, g| lacking(r, g, (4, 3))),
    mutant("no-L-1", "lacks one rotation of L: ..x/xxx", |r, g| lacking(r, g, (5, 0))),
    mutant("no-L-2", "lacks one rotation of L: x./x./xx", |r, g| lacking(r, g, (5, 1))),
    mutant("no-L-3", "lacks one rotation of L: xxx/x..", |r, g| lacking(r, g, (5, 2))),
    mutant("no-L-4", "lacks one rotation of L: xx/.x/.x", |r, g| lacking(r, g, (5, 3))),
    mutant("no-I-1", "lacks one rotation of I: xxxx", |r, g| lacking(r, g, (6, 0))),
    mutant("no-I-2", "lacks one rotation of I: x/x/x/x", |r, g| lacking(r, g, (6, 1))),
    mutant("two-J", "has two J and no L", |r, g| run(r, g, &Program { fleet: || twice("J", "L"), ..RIGHT })),
    mutant("two-L", "has two L and no J", |r, g| run(r, g, &Program { fleet: || twice("L", "J"), ..RIGHT })),
    mutant("two-S", "has two S and no Z", |r, g| run(r, g, &Program { fleet: || twice("S", "Z"), ..RIGHT })),
    mutant("two-Z", "has two Z and no S", |r, g| run(r, g, &Program { fleet: || twice("Z", "S"), ..RIGHT })),
    mutant("five-ships", "has only five ships: J and Z are missing, and ships may be mirrored", |r, g| {
        run(r, g, &Program { fleet: five, ..RIGHT })
    }),
    mutant("misses-ignored", "places ships on missed squares", |r, g| {
        run(r, g, &Program { ignored: Some(Square::Miss), ..RIGHT })
    }),
    mutant("hits-ignored", "does not require that a ship covers every hit", |r, g| {
        run(r, g, &Program { ignored: Some(Square::Hit), ..RIGHT })
    }),
    mutant("no-miss", "allows no miss", |r, g| run(r, g, &Program { misses: 0, ..RIGHT })),
    mutant("two-misses", "allows two misses", |r, g| run(r, g, &Program { misses: 2, ..RIGHT })),
    mutant("apart", "does not let ships touch along a side", |r, g| {
        run(r, g, &Program { touching: Touching::Corners, ..RIGHT })
    }),
    mutant("far-apart", "does not let ships touch, not even at a corner", |r, g| {
        run(r, g, &Program { touching: Touching::Never, ..RIGHT })
    }),
    mutant("no-fleet", "says yes if no fleet fits", |r, g| {
        run(r, g, &Program { says: Says::NoFleet("yes"), ..RIGHT })
    }),
    mutant("one-placement", "says yes only if the ships can be placed in exactly one way", |r, g| {
        run(r, g, &Program { counts: Counts::UpTo(|_| 1), ..RIGHT })
    }),
    mutant("overlap", "lets ships overlap", |r, g| {
        run(r, g, &Program { touching: Touching::Overlap, ..RIGHT })
    }),
    mutant("quarter-turn", "turns ships by 90 degrees, but not by 180 or 270", |r, g| {
        run(r, g, &Program { poses: 2, ..RIGHT })
    }),
    mutant(
        "old-misses",
        "counts earlier misses: if a square was already missed, allows no further miss",
        |r, g| run(r, g, &Program { old_misses: OldMisses::Count, ..RIGHT }),
    ),
    mutant("opposite", "says yes instead of no, and no instead of yes", |r, g| {
        run(r, g, &Program { says: Says::Opposite, ..RIGHT })
    }),
    mutant("always-no", "says no to every board", |r, g| {
        run(r, g, &Program { says: Says::Always("no"), ..RIGHT })
    }),
    mutant("always-yes", "says yes to every board", |r, g| {
        run(r, g, &Program { says: Says::Always("yes"), ..RIGHT })
    }),
    mutant("games-from-0", "numbers the games from 0", |r, g| run(r, g, &Program { first_game: 0, ..RIGHT })),
];

const fn mutant(
    name: &'static str,
    fault: &'static str,
    output: MutantOutput<Rules, Instance>,
) -> Mutant<Rules, Instance> {
    Mutant { name, fault, output }
}

/// How a program decides a board.
struct Program {
    fleet: fn() -> Fleet,
    /// The program knows only the first `poses` poses of each ship, in the order of quarter turns.
    poses: u32,
    /// A ship and one of its poses that the program does not know, both by number from 0.
    lacks: Option<(usize, u32)>,
    /// Number of misses allowed.
    misses: u32,
    old_misses: OldMisses,
    /// Squares of this kind are treated as unknown.
    ignored: Option<Square>,
    touching: Touching,
    counts: Counts,
    header: Header,
    says: Says,
    /// The number of the first game.
    first_game: usize,
}

/// How close ships may lie to each other.
#[derive(Clone, Copy, PartialEq)]
enum Touching {
    /// They may overlap.
    Overlap,
    /// They may touch.
    Anywhere,
    /// They may touch only at corners.
    Corners,
    /// They may not touch.
    Never,
}

/// What the program lists, and how it decides.
enum Counts {
    /// It lists the covered sets, and looks for a plan.
    Sets,
    /// It lists the placements, and looks for a plan. If two of them cover the same set, no plan distinguishes them.
    Placements,
    /// It lists the covered sets, and looks for a plan, but says "no" if the number of placements exceeds this function
    /// of the number of squares.
    UpTo(fn(usize) -> usize),
    /// It lists the covered sets, and always shoots at the square that the fewest placements leave empty.
    Greedy,
}

/// Which number of the header comes first.
enum Header {
    WidthFirst,
    HeightFirst,
}

/// Whether a board that already has misses allows one fewer miss.
#[derive(PartialEq)]
enum OldMisses {
    Free,
    Count,
}

/// What the program prints for a decision.
enum Says {
    /// The decision, or this word if no fleet fits.
    NoFleet(&'static str),
    Opposite,
    Always(&'static str),
}

/// The program without a fault.
const RIGHT: Program = Program {
    fleet: || Fleet::standard().posed(Poses::Turned),
    poses: u32::MAX,
    lacks: None,
    misses: 1,
    old_misses: OldMisses::Free,
    ignored: None,
    touching: Touching::Anywhere,
    counts: Counts::Sets,
    header: Header::WidthFirst,
    says: Says::NoFleet("no"),
    first_game: 1,
};

/// The standard fleet with a second copy of `ship` instead of `other`.
fn twice(ship: &str, other: &str) -> Fleet {
    let mut fleet = Fleet::standard();
    let cells = fleet.ships.iter().find(|s| s.name == ship).map(|s| s.cells.clone()).unwrap_or_default();
    fleet.ships.iter_mut().filter(|s| s.name == other).for_each(|s| s.cells.clone_from(&cells));
    fleet.posed(Poses::Turned)
}

/// The ships other than J and Z, with mirroring.
fn five() -> Fleet {
    let mut fleet = Fleet::standard().posed(Poses::TurnedMirrored);
    fleet.ships.retain(|ship| !["J", "Z"].contains(&ship.name.as_str()));
    fleet
}

/// The output of the program from which each mutant differs in one place. It has no known bug. `None` where a mutant
/// prints nothing either: under other rules than the judge's, or if a board is too large.
pub fn faultless(rules: &Rules, games: &[&Instance]) -> Option<String> {
    run(rules, games, &RIGHT)
}

/// The output of a program; `None` if the rules are not the judge's, or if a board is larger than the judge's or too
/// hard for this plain code.
fn run(rules: &Rules, games: &[&Instance], program: &Program) -> Option<String> {
    if (rules.misses, &rules.fleet) != (1, &(RIGHT.fleet)()) {
        return None;
    }
    let mut text = String::new();
    for (game, index) in games.iter().zip(program.first_game..) {
        // Writing to a String cannot fail.
        let _ = write!(text, "Game #{index}\n{}.\n\n", word(game, program)?);
    }
    Some(text)
}

/// The output of a program that does not know one pose of a ship.
fn lacking(rules: &Rules, games: &[&Instance], pose: (usize, u32)) -> Option<String> {
    run(rules, games, &Program { lacks: Some(pose), ..RIGHT })
}

/// The word that a program prints for a game; `None` if the board is larger than the judge's or too hard.
fn word(game: &Instance, program: &Program) -> Option<&'static str> {
    if let Says::Always(word) = program.says {
        return Some(word);
    }
    let Size { width, height } = game.size;
    if width.max(height) > JUDGE_SIDE {
        return None;
    }
    let size = match program.header {
        Header::WidthFirst => game.size,
        // The squares keep their sequence, but are split into rows of another length.
        Header::HeightFirst => Size::new(height, width),
    };
    let board = Instance { size, squares: game.squares.clone() };
    Some(match (decide::decide(&board, program)?, &program.says) {
        (None, Says::NoFleet(word)) => word,
        (Some(true), Says::Opposite) | (Some(false) | None, Says::NoFleet(_) | Says::Always(_)) => "no",
        (Some(false) | None, Says::Opposite) | (Some(true), _) => "yes",
    })
}
