//! Ships by brute force, independent of the library: the covered sets of a tiny board, the game tree, and a comparison
//! with the engines.

#![allow(dead_code, reason = "each test file uses a part")]
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::DynInstance;
use counterpoint::input::{Source, Warnings};
use counterpoint::problem::Agreement;
use counterpoint::problems::ships::Ships;
use counterpoint::registry::Registry;
use counterpoint::rules::Settings;
use counterpoint::spec::EngineSpec;
use rand::{Rng, RngExt};
use std::collections::{BTreeSet, HashMap};

/// A shape as (row, column) pairs.
pub(crate) type Shape = &'static [(i32, i32)];
pub(crate) const DOMINO: Shape = &[(0, 0), (0, 1)];
pub(crate) const BAR: Shape = &[(0, 0), (0, 1), (0, 2)];
pub(crate) const CORNER: Shape = &[(0, 0), (1, 0), (1, 1)];
pub(crate) const SQUARE: Shape = &[(0, 0), (0, 1), (1, 0), (1, 1)];
pub(crate) const F: Shape = &[(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)];
pub(crate) const P: Shape = &[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)];
pub(crate) const V: Shape = &[(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)];
pub(crate) const Y: Shape = &[(0, 2), (1, 0), (1, 1), (1, 2), (1, 3)];
pub(crate) const S: Shape = &[(0, 1), (0, 2), (1, 0), (1, 1)];

fn picture(shape: Shape) -> String {
    let height = shape.iter().map(|cell| cell.0 as usize + 1).max().unwrap_or(0);
    let mut rows = vec![[b'.'; 4]; height];
    shape.iter().for_each(|&(r, c)| rows[r as usize][c as usize] = b'x');
    let rows: Vec<_> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    rows.join("\n") + "\n\n"
}

/// The rules of a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) misses: u32,
    pub(crate) turn: &'static str,
    pub(crate) mirror: &'static str,
}

/// The judge's poses (ships may be turned but not mirrored) with 0 to 3 misses.
pub(crate) const JUDGE: [Question; 4] =
    [ask(0, "yes", "no"), ask(1, "yes", "no"), ask(2, "yes", "no"), ask(3, "yes", "no")];
/// The judge's poses with 4 to 8 misses.
pub(crate) const MANY: [Question; 5] =
    [ask(4, "yes", "no"), ask(5, "yes", "no"), ask(6, "yes", "no"), ask(7, "yes", "no"), ask(8, "yes", "no")];
/// Other sets of poses, with 0 to 3 misses.
pub(crate) const POSES: [Question; 6] = [
    ask(1, "yes", "yes"),
    ask(3, "yes", "yes"),
    ask(1, "no", "no"),
    ask(2, "no", "no"),
    ask(0, "no", "yes"),
    ask(2, "no", "yes"),
];

pub(crate) const fn ask(misses: u32, turn: &'static str, mirror: &'static str) -> Question {
    Question { misses, turn, mirror }
}

/// All placements of a shape as bit masks; cell (r, c) is bit r * w + c.
fn places(shape: Shape, question: Question, w: i32, h: i32) -> BTreeSet<u32> {
    let turns = if question.turn == "yes" { 4 } else { 1 };
    let signs: &[i32] = if question.mirror == "yes" { &[1, -1] } else { &[1] };
    let mut places = BTreeSet::new();
    for (turn, &sign) in (0..turns).flat_map(|turn| signs.iter().map(move |sign| (turn, sign))) {
        for dr in -4..8 {
            for dc in -4..8 {
                let cells = shape.iter().map(|&(r, c)| (r, sign * c)).map(|(r, c)| match turn {
                    0 => (r + dr, c + dc),
                    1 => (c + dr, -r + dc),
                    2 => (-r + dr, -c + dc),
                    _ => (-c + dr, r + dc),
                });
                let cells: Vec<_> = cells.collect();
                if cells.iter().all(|&(r, c)| (0..h).contains(&r) && (0..w).contains(&c)) {
                    places.insert(cells.iter().map(|&(r, c)| 1u32 << (r * w + c)).sum());
                }
            }
        }
    }
    places
}

/// All sets of squares that the fleet can cover on an empty board.
fn all_sets(fleet: &[Shape], question: Question, w: i32, h: i32) -> BTreeSet<u32> {
    fleet.iter().fold(BTreeSet::from([0]), |sets, shape| {
        let places = places(shape, question, w, h);
        let free = |&set: &u32| places.iter().filter(move |&&p| p & set == 0).map(move |p| p | set);
        sets.iter().flat_map(free).collect()
    })
}

/// Results of [`wins`].
type Known = HashMap<(Vec<u32>, u32), bool>;

/// Whether a family of covered sets is won with this number of misses, by definition. A family of at most one set is
/// won. Any other family is won if some shot divides it into two parts that are won: the sets after a hit with the same
/// number of misses, and the sets after a miss with one fewer miss. The sets are ascending.
fn wins(family: &[u32], misses: u32, known: &mut Known) -> bool {
    if family.len() <= 1 || misses == 0 {
        return family.len() <= 1;
    }
    let question = (family.to_vec(), misses);
    if let Some(&known) = known.get(&question) {
        return known;
    }
    let (some, all) = family.iter().fold((0, u32::MAX), |(some, all), set| (some | set, all & set));
    let won = (0..32).filter(|cell| (some & !all) >> cell & 1 == 1).any(|cell| {
        let (hit, miss): (Vec<u32>, Vec<u32>) = family.iter().partition(|&set| set >> cell & 1 == 1);
        wins(&miss, misses - 1, known) && wins(&hit, misses, known)
    });
    known.insert(question, won);
    won
}

/// How the known squares of a sampled board are chosen: from a random fleet, or arbitrarily.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Squares {
    OfAFleet,
    Any,
}

pub(crate) struct World {
    w: i32,
    h: i32,
    sets: BTreeSet<u32>,
    misses: u32,
    settings: Settings,
    text: String,
    known: Known,
}

impl World {
    pub(crate) fn new(fleet: &[Shape], w: i32, h: i32, question: Question) -> World {
        let text: String = fleet.iter().map(|&shape| picture(shape)).collect();
        let registry = Registry::empty().with::<Ships>();
        let Question { misses, turn, mirror } = question;
        let given = [("fleet", "f"), ("misses", &misses.to_string()), ("turn", turn), ("mirror", mirror)];
        let given = given.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let load = |_: &str| Ok(text.clone());
        let settings = Settings::new(registry.find("ships").unwrap().rules(), &given, &load).unwrap();
        World { w, h, sets: all_sets(fleet, question, w, h), misses, settings, text, known: HashMap::new() }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The pictures of the ships, which are the value of the rule `fleet`.
    pub(crate) fn fleet_text(&self) -> &str {
        &self.text
    }

    /// The board whose squares, row by row, are the digits of `code` to base 3, least significant first: 0 unknown,
    /// 1 hit, 2 miss.
    pub(crate) fn board(&self, mut code: u64) -> Vec<u8> {
        (0..self.w * self.h).map(|_| (code % 3, code /= 3).0 as u8).collect()
    }

    /// A random board that agrees with a random fleet, so that all outcomes occur, or one with arbitrary squares. Each
    /// square is known with the same random probability.
    pub(crate) fn sample(&self, rng: &mut impl Rng, from: Squares) -> Vec<u8> {
        let set = match self.sets.len() {
            0 => 0,
            n => self.sets.iter().nth(rng.random_range(0..n)).copied().unwrap_or(0),
        };
        let reveal = rng.random_range(0.0..1.0);
        (0..self.w * self.h)
            .map(|i| match (rng.random_bool(reveal), from) {
                (false, _) => 0,
                (true, Squares::Any) => rng.random_range(0..3),
                (true, Squares::OfAFleet) => 2 - (set >> i & 1) as u8,
            })
            .collect()
    }

    /// The covered sets that agree with the board.
    pub(crate) fn family(&self, board: &[u8]) -> BTreeSet<u32> {
        let mask = |kind| (0..board.len()).filter(|&i| board[i] == kind).map(|i| 1u32 << i).sum::<u32>();
        let (hits, misses) = (mask(1), mask(2));
        self.sets.iter().copied().filter(|s| s & hits == hits && s & misses == 0).collect()
    }

    /// Whether a family of covered sets is won with this number of misses.
    pub(crate) fn is_won(&mut self, family: &BTreeSet<u32>, misses: u32) -> bool {
        wins(&Vec::from_iter(family.iter().copied()), misses, &mut self.known)
    }

    fn expected(&mut self, board: &[u8]) -> (&'static str, usize) {
        let family = self.family(board);
        let word = match family.len() {
            0 => "no-fleet",
            _ if self.is_won(&family, self.misses) => "yes",
            _ => "no",
        };
        (word, family.len())
    }

    pub(crate) fn instance(&self, board: &[u8]) -> Box<dyn DynInstance> {
        let rows: Vec<String> = board
            .chunks(self.w as usize)
            .map(|row| row.iter().map(|&s| b".xo"[s as usize] as char).collect())
            .collect();
        let text = format!("{} {}\n{}\n0 0\n", self.w, self.h, rows.join("\n"));
        let registry = Registry::empty().with::<Ships>();
        let ships = registry.find("ships").unwrap();
        let warnings = Warnings::default();
        let mut instances = ships.open(&self.settings, Source::from_text("t", &text), &warnings).unwrap();
        instances.next().unwrap().unwrap()
    }

    pub(crate) fn test(&mut self, board: &[u8], engines: &[EngineSpec]) {
        let (expected, n_sets) = self.expected(board);
        let (instance, registry) = (self.instance(board), Registry::empty().with::<Ships>());
        let (text, ships) = (instance.text(), registry.find("ships").unwrap());
        let mut first = None;
        for engine in engines {
            let Outcome::Decided(answer) = instance.solve(engine, &mut Budget::unlimited()) else {
                panic!("{engine} on {text}")
            };
            assert_eq!(answer.outcome(), expected, "{engine} on {text}");
            let claims = answer.check(&[], &mut Budget::unlimited());
            assert!(all_closed(&claims), "{engine} on {text}: {claims:?}");
            let json = answer.to_json(&engine.to_string(), &claims);
            if expected == "yes" {
                assert_eq!(json["sets"].as_array().unwrap().len(), n_sets, "{engine} on {text}");
            }
            let back = ships.restore(json.as_object().unwrap()).unwrap();
            assert_eq!(back.agree(&*answer), Agreement::Same);
            assert_eq!(back.to_json(&engine.to_string(), &claims), json);
            let first = first.get_or_insert(answer);
            assert_eq!(first.agree(&*back), Agreement::Same, "{engine} on {text}");
        }
    }
}
