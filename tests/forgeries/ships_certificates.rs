//! Forged certificates of Ships' studies: the minimum number of misses, and families on which fewest-`o` fails.

use crate::certificates::{Certificate, check, committed, forge, number, study, text};
use crate::fewest_o::some_order_wins;
use crate::ships::{DISTINCT, FITS, NO_FLEET, NO_OTHER, PLAN, TWO, bits, follow};
use crate::ships_brute::{BAR, CORNER, DOMINO, JUDGE, POSES, Question, Shape, Squares, World};
use crate::tally::genuine;
use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

const LOST_FITS: &str = "of the lost sets: each listed set is covered by a fleet that fits";
const LOST_TWO: &str = "of the lost sets: at least two sets are listed, all distinct";
const LOST_NO_PLAN: &str = "of the lost sets: no plan uncovers each of them with at most …";
const NO_ORDER: &str = "no plan that always shoots at a cell that the fewest sets lack does so";
const ALIKE: &str = "all have the same number of cells";
const KINDS: [&str; 11] =
    [FITS, DISTINCT, PLAN, NO_OTHER, NO_FLEET, LOST_FITS, LOST_TWO, LOST_NO_PLAN, NO_ORDER, ALIKE, TWO];

/// Whether some plan wins that always shoots at a cell that the fewest sets lack.
fn some_order_wins_against(family: &BTreeSet<u32>, misses: u64) -> bool {
    let family: Vec<u64> = family.iter().map(|&set| set.into()).collect();
    some_order_wins(&family, misses as u32, &mut HashMap::new())
}

/// Whether the plan fails against some set. Plans that cannot be followed to their end are not judged.
fn plan_fails(plan: &Value, sets: &[Option<u32>], w: u64, misses: u64) -> bool {
    let fails = |(number, set): (u64, &Option<u32>)| {
        let end = set.and_then(|set| follow(plan, set, w));
        end.is_some_and(|(made, end)| u64::from(made) > misses || end != number)
    };
    (1..).zip(sets).any(fails)
}

const FLEETS: [(&[Shape], i32, i32, Question); 6] = [
    (&[DOMINO], 3, 2, JUDGE[1]),
    (&[DOMINO], 3, 3, POSES[2]),
    (&[CORNER], 3, 3, JUDGE[1]),
    (&[CORNER], 3, 2, POSES[0]),
    (&[BAR, DOMINO], 3, 3, JUDGE[1]),
    (&[DOMINO, DOMINO], 3, 2, JUDGE[1]),
];

/// The worlds of certificates, by what a certificate says about fleet and poses, and by the size of the board.
struct Known(HashMap<(Vec<Value>, usize, usize), World>);

fn key(certificate: &Certificate) -> Option<(Vec<Value>, usize, usize)> {
    let about = ["fleet", "turn", "mirror"].map(|key| certificate.get(key).cloned());
    let rows = certificate.get("board")?.as_array()?;
    Some((about.into_iter().collect::<Option<_>>()?, rows.first()?.as_str()?.len(), rows.len()))
}

impl Known {
    /// The worlds, and genuine certificates of random boards.
    fn new() -> (Known, Vec<Certificate>) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut known, mut bases) = (HashMap::new(), Vec::new());
        for (fleet, w, h, question) in FLEETS {
            let world = World::new(fleet, w, h, question);
            let text = world.fleet_text().to_owned();
            let rules = [("fleet", &*text), ("turn", question.turn), ("mirror", question.mirror)];
            for round in 0..30 {
                let board = match round {
                    0 => vec![0; (w * h) as usize],
                    1..12 => world.sample(&mut rng, Squares::Any),
                    _ => world.sample(&mut rng, Squares::OfAFleet),
                };
                if world.family(&board).len() <= 30 {
                    let instance = world.instance(&board);
                    bases.extend(study("ships", "misses", &rules, &[], Some(&*instance)));
                }
            }
            known.insert(key(bases.last().unwrap()).unwrap(), world);
        }
        bases.iter().for_each(|base| genuine(&check("ships", base).unwrap(), &KINDS));
        (Known(known), bases)
    }

    /// The false claims of a certificate of `misses`.
    fn misses(&mut self, certificate: &Certificate) -> Vec<(&'static str, String)> {
        let Some(key) = key(certificate) else { return Vec::new() };
        let (w, h, n) = (key.1, key.2, number(certificate, "misses"));
        let (Some(world), Some(n)) = (self.0.get_mut(&key), n) else { return Vec::new() };
        let rows: Option<Vec<&str>> =
            certificate["board"].as_array().unwrap().iter().map(Value::as_str).collect();
        let squares: Option<Vec<u8>> =
            rows.unwrap_or_default().concat().chars().map(|c| ".xo".find(c).map(|i| i as u8)).collect();
        let Some(board) = squares.filter(|squares| squares.len() == w * h && n < 12) else {
            return Vec::new();
        };
        let family = world.family(&board);
        let mut found: Vec<(&str, String)> = Vec::new();
        let mut add = |kind: &'static str| found.push((kind, format!("…, misses {n}: {kind}")));
        let listed = |key: &str| {
            let list = certificate.get(key)?.as_array()?;
            let sets: Vec<Option<u32>> = list.iter().map(|set| bits(set, w as u64)).collect();
            Some(sets)
        };
        let fits = |set: &Option<u32>| set.is_some_and(|set| family.contains(&set));
        let distinct = |sets: &[Option<u32>]| sets.iter().flatten().copied().collect::<BTreeSet<u32>>();
        match text(certificate, "outcome") {
            Some("no-fleet") if !family.is_empty() => add(NO_FLEET),
            Some("yes") => {
                let Some(sets) = listed("sets") else { return found };
                let unique = distinct(&sets);
                [
                    (!sets.iter().all(fits)).then_some(FITS),
                    (unique.len() < sets.len() && sets.iter().all(Option::is_some)).then_some(DISTINCT),
                    plan_fails(&certificate["plan"], &sets, w as u64, n).then_some(PLAN),
                    (!family.is_subset(&unique)).then_some(NO_OTHER),
                    (text(certificate, "fewest_o") == Some("fails")
                        && sets.iter().all(Option::is_some)
                        && some_order_wins_against(&unique, n))
                    .then_some(NO_ORDER),
                ]
                .into_iter()
                .flatten()
                .for_each(&mut add);
            }
            _ => {}
        }
        if let Some(lost) = listed("lost").filter(|_| n > 0) {
            let unique = distinct(&lost);
            let readable = lost.iter().all(Option::is_some);
            if !lost.iter().all(fits) {
                add(LOST_FITS);
            }
            if readable && (unique.len() < lost.len() || lost.len() < 2) {
                add(LOST_TWO);
            }
            if readable && world.is_won(&unique, n as u32 - 1) {
                add(LOST_NO_PLAN);
            }
        }
        found
    }
}

fn forge_misses(kind: &'static str) {
    let (mut known, mut bases) = Known::new();
    match kind {
        // Most genuine boards are not empty of fleets.
        NO_FLEET => bases.retain(|base| text(base, "outcome") == Some("no-fleet")),
        NO_ORDER => bases.iter_mut().for_each(|base| _ = base.insert("fewest_o".to_owned(), json!("fails"))),
        _ => bases.retain(|base| text(base, "outcome") == Some("yes")),
    }
    assert!(bases.len() > 3);
    forge(("ships", "ships misses"), kind, &bases, |c| known.misses(c));
}

#[test]
fn sets_that_do_not_fit() {
    forge_misses(FITS);
}

#[test]
fn sets_listed_twice() {
    forge_misses(DISTINCT);
}

#[test]
fn plans_that_fail() {
    forge_misses(PLAN);
}

#[test]
fn sets_left_out() {
    forge_misses(NO_OTHER);
}

#[test]
fn boards_that_a_fleet_fits() {
    forge_misses(NO_FLEET);
}

#[test]
fn lost_sets_that_do_not_fit() {
    forge_misses(LOST_FITS);
}

#[test]
fn lost_sets_listed_twice() {
    forge_misses(LOST_TWO);
}

#[test]
fn lost_sets_that_are_won() {
    forge_misses(LOST_NO_PLAN);
}

#[test]
fn boards_on_which_fewest_o_wins() {
    forge_misses(NO_ORDER);
}

/// The false claims of a certificate of `families`.
fn families(certificate: &Certificate) -> Vec<(&'static str, String)> {
    let words =
        certificate.get("family").and_then(Value::as_array).map(|words| words.iter().map(Value::as_str));
    let words: Option<Vec<&str>> = words.and_then(Iterator::collect);
    let (Some(words), Some(misses)) = (words, number(certificate, "misses")) else { return Vec::new() };
    let cells = words.first().map_or(0, |word| word.len());
    let is_word = |word: &&str| word.len() == cells && word.bytes().all(|c| c == b'0' || c == b'1');
    if !words.iter().all(is_word) || !(1..=32).contains(&cells) || misses > 8 {
        return Vec::new();
    }
    let set = |word: &&str| -> u32 { (0..).zip(word.bytes()).map(|(i, c)| u32::from(c == b'1') << i).sum() };
    let sets: Vec<u32> = words.iter().map(set).collect();
    let unique: BTreeSet<u32> = sets.iter().copied().collect();
    let options: Vec<Option<u32>> = sets.iter().copied().map(Some).collect();
    let kinds = [
        (sets.len() < 2 || unique.len() < sets.len()).then_some(TWO),
        sets.windows(2).any(|pair| pair[0].count_ones() != pair[1].count_ones()).then_some(ALIKE),
        plan_fails(&certificate["plan"], &options, cells as u64, misses).then_some(PLAN),
        some_order_wins_against(&unique, misses).then_some(NO_ORDER),
    ];
    kinds.into_iter().flatten().map(|kind| (kind, kind.to_owned())).collect()
}

fn forge_families(kind: &'static str) {
    let names = ["2-misses-6-cells", "2-misses-7-cells", "3-misses-7-cells", "3-misses-9-cells"];
    let bases = names.map(|name| committed(&format!("ships-fewest-o-{name}")));
    bases.iter().for_each(|base| {
        genuine(&check("ships", base).unwrap(), &KINDS);
        assert!(families(base).is_empty(), "{base:?}");
    });
    forge(("ships", "ships families"), kind, &bases, families);
}

#[test]
fn families_with_sets_listed_twice() {
    forge_families(TWO);
}

#[test]
fn families_of_sets_of_different_sizes() {
    forge_families(ALIKE);
}

#[test]
fn families_with_plans_that_fail() {
    forge_families(PLAN);
}

#[test]
fn families_on_which_fewest_o_wins() {
    forge_families(NO_ORDER);
}
