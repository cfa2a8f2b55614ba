//! Ships: the family `pigeonhole`. Brute force decides its boards, and the formulas of the SAT engines are compared with
//! the hypothesis of the lower bound for resolution: without leaders, they are local.

use crate::ships_common::{decide, engines, instance, settings};
use chacha20::ChaCha8Rng;
use counterpoint::problem::Params;
use counterpoint::problems::ships::{Dialect, Fleet, Instance, Rules, Ship, Square, families, read};
use counterpoint::spec::EngineSpec;
use counterpoint_encodings::{AtMostOne, Cnf, Sink};
use rand::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};

/// A fleet of these pictures.
pub(crate) fn fleet(pictures: &[&str]) -> String {
    pictures.iter().map(|picture| format!("{picture}\n\n")).collect()
}

fn rules(pictures: &[&str]) -> Rules {
    let fleet = read::fleet("fleet", &fleet(pictures)).unwrap();
    Rules { misses: 1, fleet, dialect: Dialect::Auto }
}

fn board(rules: &Rules, given: &[(&str, &str)], seed: u64) -> Result<Instance, String> {
    let given: Vec<_> = given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let params = Params::new(families::PIGEONHOLE, &given).unwrap();
    let made = families::pigeonhole(rules, &params, &mut ChaCha8Rng::seed_from_u64(seed));
    made.map_err(|error| error.message().to_owned())
}

/// The rows of a board, separated by `/`.
pub(crate) fn rows(pictures: &[&str], given: &[(&str, &str)], seed: u64) -> String {
    let board = board(&rules(pictures), given, seed).unwrap();
    let letter = |square: &Square| match square {
        Square::Unknown => '.',
        Square::Hit => 'x',
        Square::Miss => 'o',
    };
    let rows = board.squares.chunks(board.size.width as usize);
    rows.map(|row| row.iter().map(letter).collect::<String>()).collect::<Vec<_>>().join("/")
}

/// Whether ships can be placed without overlap such that they cover all hits. Squares are bits.
fn fits(ships: &[Vec<u128>], covered: u128, hits: u128) -> bool {
    match ships.split_first() {
        None => hits & !covered == 0,
        Some((places, rest)) => {
            places.iter().any(|&place| place & covered == 0 && fits(rest, place | covered, hits))
        }
    }
}

/// The placements of each ship on the board, as sets of bits.
fn places(ships: &[Ship], board: &Instance) -> Vec<Vec<u128>> {
    let bits = |cells: &[_]| cells.iter().fold(0, |set, &cell| set | 1u128 << board.size.index(cell));
    let of = |ship: &Ship| ship.placements(board.size).iter().map(|place| bits(&place.cells)).collect();
    ships.iter().map(of).collect()
}

const FLEETS: [&[&str]; 6] =
    [&["x"], &["x", "x", "x"], &["xx"], &["xx", "xx"], &["xx", "x"], &["xx", "xx\n.x"]];

#[test]
fn a_fleet_fits_exactly_if_there_are_no_more_hits_than_ships() {
    let all = engines("search:*,sat:*/leaders={yes,no}/idle=*");
    let mut decided = 0;
    for pictures in FLEETS {
        let rules = rules(pictures);
        for (extra, spare) in [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1"), ("2", "1")] {
            let given = [("extra", extra), ("spare", spare)];
            let board = board(&rules, &given, 7).unwrap();
            let hits = board.cells(Square::Hit).fold(0, |set, cell| set | 1u128 << board.size.index(cell));
            let places = places(&rules.fleet.ships, &board);
            assert_eq!(hits.count_ones(), pictures.len() as u32 + extra.parse::<u32>().unwrap());
            assert!(places.iter().flatten().all(|place| (place & hits).count_ones() <= 1), "{pictures:?}");
            let expected = fits(&places, 0, hits);
            assert_eq!(expected, extra == "0", "{pictures:?} extra={extra} spare={spare}");
            let settings = settings(&[("fleet", &fleet(pictures))]);
            let instance = instance(&settings, &rows(pictures, &given, 7));
            for engine in &all {
                let answer = decide(&*instance, engine);
                assert_eq!(answer.outcome() != "no-fleet", expected, "{engine} {pictures:?} extra={extra}");
                decided += 1;
            }
        }
    }
    assert_eq!(decided, FLEETS.len() * 5 * all.len());
}

#[test]
fn the_seed_chooses_the_zones_with_hits() {
    let boards: BTreeSet<String> = (0..20).map(|seed| rows(&["xx", "xx"], &[("spare", "3")], seed)).collect();
    assert!(boards.len() > 5, "{boards:?}");
    assert_eq!(rows(&["xx"; 3], &[], 5), rows(&["xx"; 3], &[("ships", "3"), ("length", "2")], 5));
}

#[test]
fn other_fleets_than_the_stated_one_and_boards_that_are_too_large_are_rejected() {
    let standard = Rules { misses: 1, fleet: Fleet::standard(), dialect: Dialect::Auto };
    let messages = [
        (&["ships"; 1], "6", "ships=6, but the fleet has 7 ships; set the rule fleet, or leave ships out"),
        (&["length"; 1], "2", "length=2, but ship O has 4 cells; set the rule fleet, or leave length out"),
        (
            &["extra"; 1],
            "9",
            "17 zones of 7x7 squares do not fit 32x32; use fewer or smaller ships, or a smaller extra or spare",
        ),
    ];
    for ([key], value, message) in messages {
        assert_eq!(board(&standard, &[(key, value)], 1), Err(message.to_owned()));
    }
    assert_eq!(board(&standard, &[("length", "4")], 1).unwrap().cells(Square::Hit).count(), 8);
}

/// What a variable speaks of: a ship on some cells, a cell alone, or nothing that its name tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Ship(String, BTreeSet<String>),
    Cell(String),
}

/// The meaning of the named variables, by their indices.
fn meanings(cnf: &Cnf, ships: &[Ship], board: &Instance) -> BTreeMap<usize, About> {
    let mut known = BTreeMap::new();
    for ship in ships {
        for place in ship.placements(board.size) {
            let cells = place.cells.iter().map(ToString::to_string).collect();
            let name = format!("placement {}#{} at {}", ship.name, place.pose + 1, place.corner);
            known.insert(name, About::Ship(ship.name.clone(), cells));
        }
        known.insert(format!("idle {}", ship.name), About::Ship(ship.name.clone(), BTreeSet::new()));
        for cell in board.size.iter() {
            let own = About::Ship(ship.name.clone(), [cell.to_string()].into());
            known.insert(format!("own {} {cell}", ship.name), own);
            for of_cell in ["covered", "leads"] {
                known.insert(format!("{of_cell} {cell}"), About::Cell(cell.to_string()));
            }
        }
    }
    cnf.names().iter().filter_map(|(var, name)| Some((var.idx(), known.get(name)?.clone()))).collect()
}

/// Whether all of these meanings are about one ship, or all about one cell.
fn is_local(about: &BTreeSet<&About>) -> bool {
    let ships: BTreeSet<Option<&String>> =
        about.iter().map(|about| if let About::Ship(ship, _) = about { Some(ship) } else { None }).collect();
    let has = |cell: &String| {
        about.iter().all(|about| match about {
            About::Ship(_, cells) => cells.contains(cell),
            About::Cell(other) => other == cell,
        })
    };
    let mut cells = about.iter().flat_map(|about| match about {
        About::Ship(_, cells) => cells.iter().collect(),
        About::Cell(cell) => vec![cell],
    });
    (ships.len() == 1 && !ships.contains(&None)) || cells.any(has)
}

/// The groups of clauses that share variables without a known meaning, each as the meanings of its other variables. A
/// formula is local if each group is about one ship or about one cell.
fn nonlocal(engine: &EngineSpec, pictures: &[&str], given: &[(&str, &str)]) -> usize {
    let rules = rules(pictures);
    let board = board(&rules, given, 3).unwrap();
    let settings = settings(&[("fleet", &fleet(pictures))]);
    let mut cnf = Cnf::default();
    instance(&settings, &rows(pictures, given, 3)).formula(engine, &mut cnf).unwrap();
    let meanings = meanings(&cnf, &rules.fleet.ships, &board);
    // Union-find over the variables without a meaning.
    let mut parents: Vec<usize> = (0..cnf.n_vars() as usize).collect();
    fn root(parents: &[usize], mut var: usize) -> usize {
        while parents[var] != var {
            var = parents[var];
        }
        var
    }
    let clauses: Vec<Vec<usize>> =
        cnf.clauses().map(|clause| clause.iter().map(|lit| lit.vidx()).collect()).collect();
    let hidden = |clause: &[usize]| -> Vec<usize> {
        clause.iter().copied().filter(|var| !meanings.contains_key(var)).collect()
    };
    for clause in &clauses {
        for pair in hidden(clause).windows(2) {
            let (first, second) = (root(&parents, pair[0]), root(&parents, pair[1]));
            parents[first] = second;
        }
    }
    let mut groups: BTreeMap<Result<usize, usize>, BTreeSet<&About>> = BTreeMap::new();
    for (number, clause) in clauses.iter().enumerate() {
        let group = hidden(clause).first().map_or(Err(number), |&var| Ok(root(&parents, var)));
        groups.entry(group).or_default().extend(clause.iter().filter_map(|var| meanings.get(var)));
    }
    groups.values().filter(|about| !about.is_empty() && !is_local(about)).count()
}

#[test]
fn formulas_are_local_unless_they_count_leaders_or_cells() {
    let given = [("extra", "1"), ("spare", "1")];
    let local = engines("sat:*/amo=*/leaders=no/idle=*");
    assert_eq!(local.len(), 2 * AtMostOne::ALL.len() * 2);
    for pictures in [&["xx", "xx", "xx"][..], &["x", "xx", "xx\n.x", "x", "x"], &["x"; 9]] {
        for engine in &local {
            assert_eq!(nonlocal(engine, pictures, &given), 0, "{engine} {pictures:?}");
        }
    }
    let counting =
        "sat:*/leaders=yes,sat:*/leaders=no/idle=placed/cells=yes,sat:*/leaders=no/idle=placed/colours=yes";
    for engine in engines(counting) {
        assert!(nonlocal(&engine, &["xx"; 4], &given) > 0, "{engine}");
    }
}
