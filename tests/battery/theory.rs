//! Compares answers of `study` with known numbers. `study` finds each of these answers in about a second or less.
//! `paper-notes.md` names the sources.
//!
//! Other tests compute some of these numbers in other ways: Spot's class graph and small games in `spot_engines.rs`,
//! Ships' placements in `tests/ships/counts.rs`, Flip's histograms in `flip_engines.rs`.

use crate::bench::Bench;
use counterpoint::board::Size;
use counterpoint::engine::Budget;
use counterpoint::problems::flip::Stencil;
use counterpoint::problems::flip::search::algebra::nullity;
use counterpoint::problems::ships::study::families::game::{fewest_o_wins, is_won};
use counterpoint::study::Row;

/// The rows that a question of `study` reports. Rules and parameters have the keys and values of the command line.
fn study(problem: &'static str, question: &str, rules: &[(&str, &str)], params: &[(&str, &str)]) -> Vec<Row> {
    let bench = Bench::new(problem, rules);
    let params: Vec<_> = params.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    let mut rows = Vec::new();
    let budget = &mut Budget::unlimited();
    bench.problem().study(&bench.settings, question, &params, None, budget, &mut rows).unwrap();
    rows
}

/// The values of some columns of a row, as numbers.
fn numbers<const N: usize>(row: &Row, columns: [&str; N]) -> [u64; N] {
    columns.map(|column| row[column].as_u64().unwrap_or_else(|| panic!("{column} of {row:?}")))
}

/// The first list has the numbers of all classes, even classes, odd classes and edges, then the minimum degrees of all
/// classes and of odd classes. The second list has the winner without a limit on moves: first if the start counts, then
/// if it does not. Maximum matchings decide who wins (Fraenkel, Scheinerman, Ullman 1993).
#[test]
fn class_graphs() {
    for (n, group, known, winners) in [
        ("2", "c4", [6, 4, 2, 6, 1, 3], [2, 2]),
        ("3", "c4", [140, 70, 70, 566, 3, 3], [1, 2]),
        ("3", "d4", [102, 51, 51, 339, 3, 3], [1, 2]),
        ("4", "c4", [16_456, 8_264, 8_192, 131_008, 4, 15], [2, 2]),
        ("4", "d4", [8_548, 4_324, 4_224, 66_024, 3, 10], [2, 2]),
    ] {
        let rows = study("spot", "classes", &[("symmetry", group)], &[("n", n)]);
        let columns = ["classes", "even", "odd", "edges", "least degree", "least odd degree"];
        assert_eq!(numbers(&rows[0], columns), known, "{n} {group}");
        assert_eq!(numbers(&rows[0], ["winner counted", "winner uncounted"]), winners, "{n} {group}");
    }
}

/// With a limit of 2N moves, these games are draws, except on 2×2 if the start does not count.
#[test]
fn values_with_the_judges_limit() {
    for (n, group, start, known) in [
        ("2", "c4", "uncounted", "player 2 wins"),
        ("2", "c4", "counted", "draw"),
        ("3", "c4", "uncounted", "draw"),
        ("3", "c4", "counted", "draw"),
        ("4", "c4", "uncounted", "draw"),
        ("4", "c4", "counted", "draw"),
        ("4", "d4", "uncounted", "draw"),
        ("5", "c4", "uncounted", "draw"),
    ] {
        let rows = study("spot", "value", &[("symmetry", group), ("start", start)], &[("n", n)]);
        assert!(!rows.is_empty() && rows.iter().all(|row| row["value"] == known), "{n} {group} {start}");
    }
}

#[test]
fn longest_games_and_forcing_limits() {
    for (n, group, start, known) in [
        ("2", "c4", "counted", 4),
        ("3", "c4", "counted", 139),
        ("3", "c4", "uncounted", 140),
        ("3", "d4", "uncounted", 102),
        ("4", "c4", "counted", 16_384),
    ] {
        let rows = study("spot", "longest", &[("symmetry", group), ("start", start)], &[("n", n)]);
        assert_eq!(numbers(&rows[0], ["at least", "at most"]), [known; 2], "{n} {group} {start}");
    }
    for (start, winner, known) in [("counted", 2, 5), ("uncounted", 2, 3)] {
        let rows = study("spot", "forcing-limit", &[("start", start)], &[("n", "2")]);
        assert_eq!(numbers(&rows[0], ["winner", "at least", "at most"]), [winner, known, known], "{start}");
    }
    // The exact limits are unknown, but they are at least 24 and 23. A greater `most` could give greater bounds.
    for (start, winner, most, known) in [("counted", 1, "22", 24), ("uncounted", 2, "21", 23)] {
        let rows = study("spot", "forcing-limit", &[("start", start)], &[("n", "3"), ("most", most)]);
        let [found, least] = numbers(&rows[0], ["winner", "at least"]);
        assert!(found == winner && least >= known, "{start}: {least}");
    }
}

/// The number of placements of the fleet on an empty board, and of the distinct sets that they cover; `None` if
/// counting the sets takes too long.
#[test]
fn fleets_on_empty_boards() {
    for (w, h, placements, sets) in [
        ("4", "7", 0, Some(0)),
        ("5", "6", 1_768, Some(202)),
        ("3", "10", 828, Some(172)),
        ("2", "15", 24, Some(8)),
        ("4", "8", 30_108, Some(9_784)),
        ("5", "7", 1_294_136, Some(717_646)),
        ("7", "7", 7_175_380_456_u64, None),
    ] {
        let params = [("w", w), ("h", h)];
        let of = |question, column| numbers(&study("ships", question, &[], &params)[0], [column])[0];
        assert_eq!(of("count", "placements"), placements, "{w}x{h}");
        assert!(sets.is_none_or(|sets| of("sets", "sets") == sets), "{w}x{h}");
    }
}

/// Boards on which a program fails if it counts placements instead of sets. On the last board, each set contains k = 3
/// unknown squares, and there are k + 1 sets, the maximum.
#[test]
fn positions_that_distinguish_sets_from_placements() {
    for (rows, outcome, sets) in [
        ("xxxo/xxxx/xxxx/xxxx/xxxx/xxxx/xxxo/xxoo", "yes", Some(1)),
        ("xxx../xx.../oxxx./xxx.x/xxxox/xxxxx/xooxx", "yes", None),
        ("../../../../../../../../../../../../../../..", "yes", Some(8)),
        ("..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo", "yes", Some(4)),
    ] {
        let rows: Vec<&str> = rows.split('/').collect();
        let text = format!("{} {}\n{}\n\n0 0\n", rows[0].len(), rows.len(), rows.join("\n"));
        let bench = Bench::new("ships", &[("dialect", "uva")]);
        let instance = bench.instance(&text);
        let mut found: Vec<Row> = Vec::new();
        let budget = &mut Budget::unlimited();
        bench.problem().study(&bench.settings, "misses", &[], Some(&*instance), budget, &mut found).unwrap();
        let row = found.iter().find(|row| row["misses"] == 1 || row["outcome"] == "yes").unwrap();
        assert_eq!(row["outcome"], outcome, "{text}");
        assert!(sets.is_none_or(|sets: u64| row["sets"].as_u64() == Some(sets)), "{row:?}");
    }
}

fn family(sets: &str) -> Vec<u64> {
    sets.split(' ').map(|set| u64::from_str_radix(set, 2).unwrap()).collect()
}

/// `seven` is won with two misses, but not by always shooting at a cell that the fewest sets lack. `stars` is lost with
/// one miss. Any three of its sets are won, so no three of them form a sunflower.
#[test]
fn families_of_sets() {
    let seven = family("00011010 00101100 01000101 01000110 01100001 01100010 10001001");
    assert!(is_won(&seven, 2) && !is_won(&seven, 1));
    assert_eq!(fewest_o_wins(&seven, 2, &mut Budget::unlimited()), Ok(false));
    // For each vertex of K4, the set of its edges.
    let stars = family("111000 100110 010101 001011");
    assert!(!is_won(&stars, 1) && is_won(&stars, 2));
    for left_out in 0..4 {
        let three: Vec<u64> = (0..4).filter(|&i| i != left_out).map(|i| stars[i]).collect();
        assert!(is_won(&three, 1), "without {left_out}");
    }
}

/// The number of 4×4 boards that need 0, 1, 2, … presses to reach either colour, and to reach white. The last number of
/// each list counts the impossible boards.
#[test]
fn histograms() {
    for (target, known) in [
        ("either", &[2, 32, 228, 880, 1_562, 1_136, 256, 61_440][..]),
        ("white", &[1, 16, 120, 560, 1_387, 1_440, 540, 32, 61_440]),
    ] {
        let rows = study("flip", "histogram", &[("target", target)], &[("n", "4"), ("listed", "0")]);
        let boards: Vec<u64> = rows.iter().map(|row| row["boards"].as_u64().unwrap()).collect();
        assert_eq!(boards, known, "{target}");
    }
}

/// The fewest presses that turn all lights off: OEIS A075464, and for larger boards the results of enumerations.
#[test]
fn fewest_presses_for_all_lights() {
    for (n, known) in [
        (4, 4),
        (5, 15),
        (9, 25),
        (19, 141),
        (30, 376),
        (80, 3_264),
        (81, 3_349),
        (82, 3_588),
        (83, 3_363),
        (84, 3_360),
        (85, 3_561),
    ] {
        let rows = study("flip", "all-ones", &[], &[("n", &n.to_string())]);
        assert_eq!(
            (&rows[0]["bound"], numbers(&rows[0], ["presses"])),
            (&"least".into(), [known]),
            "n = {n}"
        );
    }
}

/// The maximum number of presses that a solvable board needs to reach one given colour, and to reach either.
#[test]
fn hardest_boards() {
    for (n, one, either) in [(4, 7, 6), (5, 15, 12), (11, 65, 62), (14, 123, 120), (17, 199, 170)] {
        for (target, known) in [("white", one), ("either", either)] {
            let rows = study("flip", "hardest", &[("target", target)], &[("n", &n.to_string())]);
            assert_eq!(numbers(&rows[0], ["at least", "at most"]), [known; 2], "n = {n}, {target}");
        }
    }
}

/// The nullity of n×n: OEIS A159257.
#[test]
fn dimensions_of_null_spaces() {
    let known = [
        (3, 0),
        (4, 4),
        (5, 2),
        (6, 0),
        (7, 0),
        (8, 0),
        (9, 8),
        (10, 0),
        (11, 6),
        (12, 0),
        (14, 4),
        (16, 8),
        (19, 16),
        (30, 20),
        (39, 32),
        (47, 30),
        (79, 64),
        (95, 62),
    ];
    for (n, d) in known {
        assert_eq!(nullity(Stencil::Plus, Size::new(n, n), &mut Budget::unlimited()), Ok(d), "n = {n}");
    }
}
