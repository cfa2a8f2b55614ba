//! Flip's studies against brute force, and their certificates. Forged certificates must fail.

use crate::bench::Bench;
use counterpoint::board::{Cell, Size};
use counterpoint::claim::{Claim, Status};
use counterpoint::engine::Budget;
use counterpoint::problems::flip::Stencil;
use counterpoint::study::{Row, StudyOutput};
use serde_json::{Map, Value, json};
use std::num::NonZero;

#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) rows: Vec<Row>,
    pub(crate) certificate: Map<String, Value>,
}

impl StudyOutput for Recorded {
    fn row(&mut self, row: Row) {
        self.rows.push(row);
    }

    fn file(&mut self, name: &str, contents: &dyn Fn() -> Vec<u8>) {
        assert_eq!(name, "certificate.json");
        self.certificate = serde_json::from_slice(&contents()).unwrap();
    }
}

pub(crate) fn study(question: &str, rules: &[(&str, &str)], params: &[(&str, &str)]) -> Recorded {
    let bench = Bench::new("flip", rules);
    let params: Vec<_> = params.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    let mut recorded = Recorded::default();
    let budget = &mut Budget::unlimited();
    bench.problem().study(&bench.settings, question, &params, None, budget, &mut recorded).unwrap();
    recorded
}

pub(crate) fn check(certificate: &Map<String, Value>) -> Result<Vec<Claim>, String> {
    Ok(Bench::new("flip", &[]).problem().check_study(certificate, &mut Budget::unlimited())?)
}

pub(crate) fn closed(certificate: &Map<String, Value>) {
    let claims = check(certificate).unwrap();
    assert!(claims.iter().all(|claim| claim.status.is_closed()), "{claims:?}");
}

fn stencil(name: &str) -> Stencil {
    match name {
        "plus" => Stencil::Plus,
        "king" => Stencil::King,
        "cross" => Stencil::Cross,
        _ => Stencil::Torus,
    }
}

/// For each way to press every square 0 to p - 1 times: how often each square is turned, modulo p, and the sum of the
/// presses.
fn all_presses(stencil: Stencil, n: u32, p: u32) -> impl Iterator<Item = (Vec<u32>, u32)> {
    let size = Size::new(n, n);
    (0..p.pow(n * n)).map(move |number| {
        let (mut turns, mut sum) = (vec![0; size.cells()], 0);
        for i in 0..n * n {
            let times = number / p.pow(i) % p;
            sum += times;
            for cell in stencil.squares(size, Cell::new(i / n, i % n)) {
                turns[size.index(cell)] = (turns[size.index(cell)] + times) % p;
            }
        }
        (turns, sum)
    })
}

#[test]
fn fewest_presses_for_all_lights_by_brute_force() {
    for (p, most) in [(2, 4), (3, 3), (5, 2), (7, 2)] {
        for name in ["plus", "king", "cross", "torus"] {
            let rules = [("stencil", name), ("colours", &*p.to_string())];
            let recorded = study("all-ones", &rules, &[("n", "1"), ("to", &most.to_string())]);
            for (n, row) in (1..=most).zip(&recorded.rows) {
                let ones = |turns: &[u32]| turns.iter().all(|&t| t == 1);
                let sums = all_presses(stencil(name), n, p).filter(|(turns, _)| ones(turns));
                let least = sums.map(|(_, sum)| sum).min();
                assert_eq!(row["presses"], json!(least), "{p} {name} {n}");
                let still = |turns: &[u32]| turns.iter().all(|&t| t == 0);
                let null = all_presses(stencil(name), n, p).filter(|(turns, _)| still(turns)).count();
                let nullity = row["nullity"].as_u64().unwrap() as u32;
                assert_eq!(null, (p as usize).pow(nullity), "{p} {name} {n}");
            }
            closed(&recorded.certificate);
        }
    }
}

/// OEIS A075464, all its terms: n = 1 to 78.
const FEWEST_FOR_ALL_ONES: [u64; 78] = [
    1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72, 105, 56, 117, 104, 147, 188, 141, 224, 245, 276, 231, 270,
    353, 356, 405, 416, 345, 376, 553, 428, 469, 520, 563, 600, 761, 772, 561, 696, 891, 940, 953, 772, 1069,
    1188, 971, 1096, 1165, 1220, 1317, 1256, 1487, 1400, 1697, 1616, 1709, 1852, 1485, 1832, 1629, 1742,
    2061, 1838, 1867, 2244, 2015, 2448, 2233, 2484, 2311, 2592, 2705, 2758, 2965, 2992, 3055, 2980,
];

#[test]
fn known_fewest_presses() {
    let recorded = study("all-ones", &[], &[("n", "1"), ("to", "24")]);
    let found: Vec<u64> = recorded.rows.iter().map(|row| row["presses"].as_u64().unwrap()).collect();
    assert_eq!(found, FEWEST_FOR_ALL_ONES[..24]);
    assert!(recorded.rows.iter().all(|row| row["bound"] == "least"));
    closed(&recorded.certificate);
    // The certificates in the repository contain all terms, and prove them minimal. `certificates.rs` checks these
    // certificates, but not those in the folder `minutes`.
    let mut proved = [false; 78];
    let long = [("long/", "64-67"), ("minutes/", "61"), ("minutes/", "65")];
    for (folder, n) in [("", "60"), ("", "94")].into_iter().chain(long) {
        let root = env!("CARGO_MANIFEST_DIR");
        let path = format!("{root}/experiments/certificates/{folder}flip-all-ones-{n}.json");
        let certificate: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        for board in certificate["boards"].as_array().unwrap() {
            let n = board["n"].as_u64().unwrap() as usize;
            let Some(known) = FEWEST_FOR_ALL_ONES.get(n - 1) else { continue };
            assert_eq!(board["presses"], json!(known), "n = {n}");
            proved[n - 1] |= board["least"] == true;
        }
    }
    let open: Vec<usize> = (1..=78).filter(|n| !proved[n - 1]).collect();
    assert_eq!(open, Vec::<usize>::new());
}

/// These numbers are known for every n. The proofs are in `paper-notes.md`, "Other stencils, the torus, more colours".
#[test]
fn fewest_presses_for_king_and_cross() {
    let least = |stencil, most| -> Vec<u64> {
        let recorded = study("all-ones", &[("stencil", stencil)], &[("n", "1"), ("to", most)]);
        recorded.rows.iter().map(|row| row["presses"].as_u64().unwrap()).collect()
    };
    assert_eq!(least("king", "12"), (1..=12_u64).map(|n| n.div_ceil(3).pow(2)).collect::<Vec<_>>());
    let cross = |n: u64| if n % 2 == 1 { n } else { n * n };
    assert_eq!(least("cross", "12"), (1..=12).map(cross).collect::<Vec<_>>());
}

/// 5×6 has nullity 0, and its all-ones board takes 14 presses. So the numbers of boards that need 0, 1, 2, … presses to
/// either colour are a convolution of binomial coefficients.
#[test]
fn the_histogram_of_5x6_is_a_convolution() {
    let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let boards = |k: u64| -> u64 {
        let way = |i: u64| if i < 7 { 2 * choose(14, i) } else { choose(14, 7) };
        (0..=k.min(7)).filter(|i| k - i <= 16).map(|i| way(i) * choose(16, k - i)).sum()
    };
    let recorded = study("histogram", &[], &[("w", "5"), ("h", "6"), ("listed", "0")]);
    let found: Vec<u64> = recorded.rows.iter().map(|row| row["boards"].as_u64().unwrap()).collect();
    assert_eq!(found[..24], (0..24).map(boards).collect::<Vec<_>>());
    assert!(found[24..].iter().all(|&boards| boards == 0), "{found:?}");
}

/// Transforms alone find the same results as branch and bound, with the same nodes on any number of threads. If
/// transforms are not allowed, or a limit is reached, the study gives an upper bound.
#[test]
fn fewest_presses_by_transforms() {
    let by = |n: &str, transform: &str, mut budget: Budget| {
        let bench = Bench::new("flip", &[]);
        let params = [("n", n), ("unfolded", "0"), ("symmetric", "0"), ("transform", transform)];
        let params: Vec<_> = params.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        let mut recorded = Recorded::default();
        let end =
            bench.problem().study(&bench.settings, "all-ones", &params, None, &mut budget, &mut recorded);
        (recorded.rows.remove(0), end.is_ok())
    };
    let on = |threads| Budget::unlimited().on_threads(NonZero::new(threads));
    for (n, nullity, least) in [("19", "16", 141), ("30", "20", 376)] {
        let (row, done) = by(n, nullity, on(1));
        assert!(done && row["bound"] == "least" && row["presses"] == least, "{row:?}");
        let nodes = row["nodes"].as_u64().unwrap();
        assert_eq!(by(n, nullity, on(3)), (row, true));
        let (row, done) = by(n, "15", on(2));
        assert!(done && row["bound"] == "at most", "{row:?}");
        let (row, done) = by(n, nullity, Budget::of_work(nodes - 1));
        assert!(!done && row["bound"] == "at most", "{row:?}");
    }
}

/// The certificate with one member of its first board changed.
pub(crate) fn forged(certificate: &Map<String, Value>, key: &str, value: Value) -> Map<String, Value> {
    let mut forged = certificate.clone();
    forged["boards"][0][key] = value;
    forged
}

#[test]
fn forged_certificates_of_all_ones_fail() {
    let recorded = study("all-ones", &[], &[("n", "5")]).certificate;
    let failing = |forged: &Map<String, Value>| {
        check(forged).unwrap().into_iter().filter(|claim| claim.status.is_failed()).count()
    };
    assert_eq!(failing(&recorded), 0);
    assert_eq!(failing(&forged(&recorded, "nullity", json!(3))), 1);
    assert!(failing(&forged(&recorded, "presses", json!(14))) >= 1);
    // The claim of minimality is about the number of presses; it does not depend on the solution that is shown.
    let last = |key, value| check(&forged(&recorded, key, value)).unwrap().pop().unwrap().status;
    assert_eq!(last("presses", json!(14)), Status::Recomputed);
    assert_eq!(last("presses", json!(16)), Status::Failed("15 presses suffice".to_owned()));
    assert_eq!(last("rows", json!(["11111"])), Status::Recomputed);
    assert!(failing(&forged(&recorded, "rows", json!(["10000"]))) >= 1);
    // A solution with more presses passes the replay, but fails the claim of minimality.
    let recorded = study("all-ones", &[], &[("n", "4")]).certificate;
    let heavier = |(first, presses): (u32, u32)| {
        let row: String = (0..4).map(|i| if first >> i & 1 == 1 { '1' } else { '0' }).collect();
        let mut heavier = forged(&recorded, "rows", json!([row]));
        heavier["boards"][0]["presses"] = json!(presses);
        heavier
    };
    let replayed = |forged: &Map<String, Value>| check(forged).unwrap()[1].status == Status::Witness;
    let all = (0..16).flat_map(|first| (5..=16).map(move |presses| (first, presses)));
    let mut heavier = all.map(heavier).find(replayed).unwrap();
    let claims = check(&heavier).unwrap();
    assert!(claims[2].status.is_failed(), "{claims:?}");
    // With `least` false, the number is only an upper bound, so there is no claim of minimality.
    heavier["boards"][0]["least"] = json!(false);
    closed(&heavier);
    // The weights prove that a board is impossible; with all weights 0, the claim fails.
    let odd = study("all-ones", &[("colours", "3")], &[("n", "1"), ("to", "9")]);
    let at = odd.rows.iter().position(|row| row["bound"] == "impossible");
    if let Some(at) = at {
        let mut zeros = odd.certificate.clone();
        zeros["boards"][at]["weights"] = json!(vec!["0".repeat(at + 1); at + 1]);
        assert_eq!(failing(&zeros), 1);
    }
}

#[test]
fn claims_name_stencil_colours_and_presses() {
    for (name, colours, n, wanted) in [
        ("plus", "2", "1", "1x1, plus, 2 colours: 1 press turns every square once"),
        ("king", "3", "2", "2x2, king, 3 colours: 1 press turns every square once"),
        ("cross", "2", "2", "2x2, cross, 2 colours: 4 presses turn every square once"),
        ("torus", "7", "1", "1x1, torus, 7 colours: 1 press turns every square once"),
    ] {
        let recorded = study("all-ones", &[("stencil", name), ("colours", colours)], &[("n", n)]);
        let claims = check(&recorded.certificate).unwrap();
        assert!(claims.iter().any(|claim| claim.text == wanted), "{wanted}: {claims:?}");
    }
}

#[test]
fn errors_of_malformed_certificates_name_the_member() {
    let recorded = study("all-ones", &[], &[("n", "4")]).certificate;
    let instances = [
        (forged(&recorded, "n", json!(0)), "board 1: \"n\" is not a whole number from 1 to 256"),
        (forged(&recorded, "least", json!("yes")), "board 1: \"least\" is neither true nor false"),
        (
            forged(&recorded, "rows", json!(["012"])),
            "board 1: \"rows\" is not a list of 1 strings of 4 digits below 2",
        ),
    ];
    for (certificate, why) in instances {
        assert_eq!(check(&certificate), Err(why.to_owned()));
    }
    for (key, value, why) in [
        ("version", json!(2), "\"version\" is not 1"),
        ("stencil", json!("star"), "\"stencil\" is not one of plus, king, cross, torus"),
        ("colours", json!(4), "\"colours\" is 4, which is not prime"),
        ("boards", json!([]), "\"boards\" is not a nonempty list"),
        ("boards", json!([1]), "entry 1 of \"boards\" is not an object"),
    ] {
        let mut wrong = recorded.clone();
        wrong[key] = value;
        assert_eq!(check(&wrong), Err(why.to_owned()));
    }
}

/// The maximum number of presses that a solvable n×n board needs to reach one given colour, and to reach either. Tries
/// all presses.
fn hardest_by_brute_force(stencil: Stencil, n: u32) -> [u64; 2] {
    let mut least = std::collections::BTreeMap::new();
    for (turns, sum) in all_presses(stencil, n, 2) {
        let best = least.entry(turns).or_insert(sum);
        *best = sum.min(*best);
    }
    let other = |turns: &Vec<u32>| turns.iter().map(|turn| 1 - turn).collect::<Vec<u32>>();
    let either =
        least.iter().map(|(turns, &sum)| least.get(&other(turns)).map_or(sum, |&o| sum.min(o))).max();
    [u64::from(least.values().copied().max().unwrap()), u64::from(either.unwrap())]
}

#[test]
fn hardest_boards_by_brute_force() {
    for name in ["plus", "king", "cross", "torus"] {
        for n in 1..=4 {
            let hardest = hardest_by_brute_force(stencil(name), n);
            for (target, hardest) in [("black", hardest[0]), ("either", hardest[1])] {
                let recorded =
                    study("hardest", &[("stencil", name), ("target", target)], &[("n", &n.to_string())]);
                assert_eq!(recorded.rows[0]["at least"], hardest, "{name} {n} {target}");
                assert_eq!(recorded.rows[0]["at most"], hardest, "{name} {n} {target}");
                closed(&recorded.certificate);
            }
        }
    }
}

/// Known values, and the bounds that are certified if the search ends early.
#[test]
fn forged_certificates_of_hardest_fail() {
    let recorded = study("hardest", &[], &[("n", "4")]).certificate;
    let failing = |forged: &Map<String, Value>| {
        check(forged).unwrap().into_iter().map(|claim| claim.status.is_failed()).collect::<Vec<_>>()
    };
    assert_eq!(failing(&recorded), [false, false]);
    assert_eq!(failing(&forged(&recorded, "most", json!(5))), [false, true]);
    assert_eq!(failing(&forged(&recorded, "presses", json!(5))), [true, false]);
    // Pressing every square has an effect that fewer presses have, too.
    let mut heavier = forged(&recorded, "rows", json!(["1111", "1111", "1111", "1111"]));
    heavier["boards"][0]["presses"] = json!(16);
    assert_eq!(failing(&heavier), [true, false]);
    for (key, value, why) in [
        ("chain", json!([[1, 1]]), "board 1: \"chain\" has 1 squares, not 5"),
        ("chain", json!([[1, 1], [1, 1]]), "board 1: square 2 of \"chain\" depends on earlier ones"),
        ("chain", json!([[5, 1]]), "board 1: \"chain\" is not a list of squares [row, column] of 4x4"),
    ] {
        assert_eq!(check(&forged(&recorded, key, value)), Err(why.to_owned()));
    }
    let mut odd = recorded.clone();
    odd["target"] = json!("white");
    assert_eq!(check(&odd), Err("\"target\" is neither \"either\" nor \"one\"".to_owned()));
}

fn histogram(rules: &[(&str, &str)], params: &[(&str, &str)]) -> Vec<u64> {
    let recorded = study("histogram", rules, params);
    recorded.rows.iter().map(|row| row["boards"].as_u64().unwrap()).collect()
}

#[test]
fn histograms_by_brute_force() {
    assert_eq!(histogram(&[], &[]), [2, 32, 228, 880, 1562, 1136, 256, 61_440]);
    assert_eq!(histogram(&[("target", "white")], &[]), [1, 16, 120, 560, 1387, 1440, 540, 32, 61_440]);
    for (p, n) in [(2, 3), (3, 2), (3, 3), (5, 2), (7, 2)] {
        for name in ["plus", "king", "cross", "torus"] {
            let mut least = std::collections::BTreeMap::new();
            for (turns, sum) in all_presses(stencil(name), n, p) {
                let best = least.entry(turns).or_insert(sum);
                *best = sum.min(*best);
            }
            // A square of colour c must be turned e - c times, modulo p, to reach colour e.
            let mut counts = vec![0; 100];
            for colours in boards(p, n * n) {
                let to = |e: u32| colours.iter().map(|c| (e + p - c) % p).collect::<Vec<u32>>();
                let needed = (0..p).filter_map(|e| least.get(&to(e))).min();
                counts[needed.map_or(99, |&n| n as usize)] += 1;
            }
            let impossible = counts.pop().unwrap();
            while counts.last() == Some(&0) {
                counts.pop();
            }
            counts.push(impossible);
            let rules = [("stencil", name), ("colours", &*p.to_string())];
            assert_eq!(histogram(&rules, &[("n", &n.to_string())]), counts, "{p} {name} {n}");
        }
    }
}

/// All boards with this number of squares, each as a list of colours.
fn boards(p: u32, squares: u32) -> impl Iterator<Item = Vec<u32>> {
    (0..p.pow(squares)).map(move |number| (0..squares).map(|i| number / p.pow(i) % p).collect())
}

/// Counting by kinds of squares gives the same numbers as counting board by board. On larger boards, the counts sum to
/// the number of all boards, and the counts of solvable boards to 2^(27 - nullity).
#[test]
fn histograms_by_kinds_of_squares() {
    for name in ["plus", "king", "cross", "torus"] {
        for target in ["white", "either"] {
            let rules = [("stencil", name), ("target", target)];
            for (w, h) in [("4", "4"), ("3", "5"), ("5", "2")] {
                let by = |listed| histogram(&rules, &[("w", w), ("h", h), ("listed", listed)]);
                assert_eq!(by("0"), by("26"), "{name} {target} {w}x{h}");
            }
        }
    }
    for target in ["white", "either"] {
        let recorded = study("histogram", &[("target", target)], &[("w", "3"), ("h", "9")]);
        let counts: Vec<u128> =
            recorded.rows.iter().map(|row| row["boards"].as_u64().unwrap().into()).collect();
        assert_eq!(counts.iter().sum::<u128>(), 1 << 27);
        let nullity = study("nullity", &[], &[("w", "3"), ("h", "9")]).rows[0]["nullity"].as_u64().unwrap();
        let solvable = counts[..counts.len() - 1].iter().sum::<u128>();
        assert_eq!(solvable, 1 << (27 - nullity));
        assert_eq!(counts[0], if target == "white" { 1 } else { 2 });
    }
}

#[test]
fn hardness_measures_every_family() {
    let rows = study("hardness", &[], &[("n", "4"), ("boards", "2")]).rows;
    let solvable: Vec<_> = rows.iter().map(|row| row["solvable"].as_u64().unwrap()).collect();
    assert!(matches!(solvable[..], [_, 2, 2, 2, 0, 0]), "{rows:?}");
    assert_eq!((&rows[3]["family"], &rows[3]["presses"]), (&json!("deep"), &json!(6.0)));
}
