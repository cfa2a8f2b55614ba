//! Closed forms of the hardest boards: the nullity, families of boards with copied null vectors, and their certificates.

use crate::bench::Bench;
use crate::studies::{check, closed, forged, study};
use counterpoint::board::Size;
use counterpoint::claim::Status;
use counterpoint::engine::{Budget, Limit};
use counterpoint::problems::flip::Stencil;
use counterpoint::problems::flip::search::algebra::nullity;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A polynomial over GF(2) of degree below 128; bit i is the coefficient of y^i.
type Poly = u128;

fn degree(p: Poly) -> Option<u32> {
    p.checked_ilog2()
}

fn gcd(mut a: Poly, mut b: Poly) -> Poly {
    while let Some(low) = degree(b) {
        while degree(a).is_some_and(|high| high >= low) {
            a ^= b << (a.ilog2() - low);
        }
        (a, b) = (b, a);
    }
    a
}

/// d(n) = 2^(s + 1) N(q) + 2 (2^s - 1) [3 divides q] for n + 1 = 2^s q and odd q. N(q) counts the y other than 0 and 1
/// for which both y and y + 1 have the form ζ + 1/ζ with ζ^q = 1 ≠ ζ. The product r of y - ζ - 1/ζ over all pairs ζ, 1/ζ
/// is the square root of the Fibonacci polynomial of q.
fn nullity_in_closed_form(n: u32) -> usize {
    let s = (n + 1).trailing_zeros();
    let q = (n + 1) >> s;
    let (mut before, mut here): (Vec<u8>, Vec<u8>) = (vec![0], vec![1]);
    for _ in 1..q {
        let mut next = vec![0; here.len() + 1];
        here.iter().enumerate().for_each(|(i, a)| next[i + 1] ^= a);
        before.iter().enumerate().for_each(|(i, a)| next[i] ^= a);
        (before, here) = (here, next);
    }
    let root = here.iter().step_by(2).rev().fold(0, |r: Poly, a| r << 1 | Poly::from(*a));
    // r(y + 1), by Horner's rule.
    let moved = (0..128).rev().fold(0, |sum: Poly, i| sum << 1 ^ sum ^ root >> i & 1);
    let pairs = degree(gcd(root, moved)).unwrap() as usize;
    (pairs << (s + 1)) + if q.is_multiple_of(3) { 2 * ((1 << s) - 1) } else { 0 }
}

#[test]
fn the_nullity_has_a_closed_form() {
    for n in 1..=128 {
        let size = Size::new(n, n);
        assert_eq!(
            nullity_in_closed_form(n),
            nullity(Stencil::Plus, size, &mut Budget::unlimited()).unwrap(),
            "{n}"
        );
    }
    assert_eq!([5, 11, 23, 47].map(nullity_in_closed_form), [2, 6, 14, 30]);
}

/// Families n + 1 = k m with odd k: the numbers m, the nullity of n for k = 1, and the k < 172 of which no multiple has this
/// nullity.
const FAMILIES: [(u32, usize, &[u32]); 5] = [
    (12, 6, &[5, 11, 17, 21, 31, 43, 57, 127]),
    (6, 2, &[5, 11, 17, 21, 31, 43, 57, 127]),
    (17, 8, &[5, 31, 33, 63, 127, 129, 171]),
    (10, 8, &[3, 13, 17, 31, 41, 127]),
    (5, 4, &[13, 17, 31, 33, 41, 63, 127, 129, 171]),
];

#[test]
fn nullities_stay_unless_a_factor_is_excluded() {
    for (m, nullity_of_first, excluded) in FAMILIES {
        for k in (1..172).step_by(2) {
            let size = Size::new(m * k - 1, m * k - 1);
            let nullity = nullity(Stencil::Plus, size, &mut Budget::unlimited()).unwrap();
            let stays = excluded.iter().all(|factor| !k.is_multiple_of(*factor));
            assert_eq!(nullity == nullity_of_first, stays, "{m} {k}");
        }
    }
}

/// The families are infinite: the nullity stays for all powers of the odd prime that divides m.
#[test]
fn nullities_stay_for_powers_of_a_prime() {
    for (m, nullity_of_first, _) in FAMILIES {
        let prime = [3, 5, 17].into_iter().find(|&p: &u32| m.is_multiple_of(p)).unwrap();
        for k in std::iter::successors(Some(1), |k| Some(k * prime)).take_while(|k| m * k < 900) {
            let size = Size::new(m * k - 1, m * k - 1);
            let found = nullity(Stencil::Plus, size, &mut Budget::unlimited()).unwrap();
            assert_eq!(found, nullity_of_first, "{m} {k}");
        }
    }
}

/// The most presses to one colour on n×n, from a closed form.
fn to_one_colour(n: u32) -> Option<u32> {
    let of = |(m, _, excluded): &(u32, usize, &[u32])| {
        let k = (n + 1) / m;
        let fits = (n + 1).is_multiple_of(*m)
            && k % 2 == 1
            && excluded.iter().all(|factor| !k.is_multiple_of(*factor));
        match m {
            12 if fits => Some(88 * k * k - 24 * k + 1),
            6 if fits => Some(26 * k * k - 12 * k + 1),
            10 if fits => Some(60 * k * k - 20 * k - 3),
            5 if fits => Some(17 * k * k - 10 * k),
            _ => None,
        }
    };
    FAMILIES.iter().find_map(of)
}

/// The study agrees with the closed forms. Below 10 it knows no smaller board, so it searches.
#[test]
fn closed_forms_equal_the_search() {
    let mut seen = 0;
    for n in (4..=8).chain(10..=45).chain([74, 77, 83, 94, 104, 107, 113, 254]) {
        let Some(known) = to_one_colour(n) else { continue };
        let recorded = study("hardest", &[("target", "white")], &[("n", &n.to_string())]);
        let row = &recorded.rows[0];
        assert_eq!((&row["at least"], &row["at most"]), (&json!(known), &json!(known)), "{n}");
        assert_eq!(row["n0"].is_null(), [4, 5, 11].contains(&n), "{n}");
        closed(&recorded.certificate);
        seen += 1;
    }
    assert_eq!(seen, 3 + 6 + 8);
    assert_eq!(
        [49, 69, 109, 189, 229, 249].map(to_one_colour).map(Option::unwrap),
        [1397, 2797, 7037, 21_277, 31_277, 36_997]
    );
}

/// To either colour, the numbers depend on the squares without null vectors that the all-ones solution presses.
#[test]
fn hardest_boards_to_either_colour() {
    for (n, known) in [(74, 3180), (77, 3556), (83, 3768), (94, 5152), (107, 6238), (113, 7686)] {
        let recorded = study("hardest", &[], &[("n", &n.to_string()), ("sizes", "scaled")]);
        let row = &recorded.rows[0];
        assert_eq!((&row["at least"], &row["at most"]), (&json!(known), &json!(known)), "{n}");
        closed(&recorded.certificate);
    }
}

/// `.ci/run certificates` checks certificates to which the rule applies.
#[test]
fn the_rule_two_levels_does_not_always_apply() {
    // The rule does not apply to the kinds of 16×16, and does not show that 7 presses are too many for 4×4.
    for (n, most) in [(50, 1344), (4, 6)] {
        let mut other = study(
            "hardest",
            &[("target", "white")],
            &[("n", &n.to_string()), ("nodes", "6"), ("moves", "9")],
        );
        other.certificate["boards"][0]["proof"] = json!("two levels");
        let claims = check(&forged(&other.certificate, "most", json!(most))).unwrap();
        assert!(claims.last().unwrap().status.is_failed(), "{claims:?}");
    }
}

/// An odd number of squares lies in the presses that turn all squares and in no null vector, so their signs do not sum
/// to 0. Without this, the rule would not show the bound.
#[test]
fn the_rule_two_levels_uses_the_parity_of_the_other_colour() {
    let recorded = study("hardest", &[], &[("n", "9"), ("nodes", "6"), ("moves", "9")]);
    let with_rule = forged(&recorded.certificate, "proof", json!("two levels"));
    for (most, holds) in [(35, false), (36, true)] {
        let claims = check(&forged(&with_rule, "most", json!(most))).unwrap();
        assert_eq!(claims.last().unwrap().status == Status::Recomputed, holds, "{most}: {claims:?}");
    }
}

/// 30×30 has 20 null vectors, the most of which kinds are made. A bound of all presses needs no proof.
#[test]
fn kinds_of_twenty_dimensions_are_made() {
    let board = json!({ "n": 30, "presses": 0, "rows": vec!["0".repeat(30); 30], "most": 900, "chain": [] });
    let members = json!({
        "question": "hardest", "version": 1, "stencil": "plus", "colours": 2, "target": "one", "boards": [board],
    });
    let claims = check(members.as_object().unwrap()).unwrap();
    assert_eq!(claims[1].status, Status::Recomputed, "{claims:?}");
}

#[test]
fn elimination_has_a_largest_size() {
    for (n, too_large) in [(32, false), (33, true)] {
        let rows = vec!["0".repeat(n); n];
        let members = json!({
            "question": "hardest", "version": 1, "stencil": "torus", "colours": 2, "target": "one",
            "boards": [{"n": n, "k": 0, "presses": 0, "most": 0, "sums": [], "chain": [], "rows": rows}],
        });
        let claims = check(members.as_object().unwrap()).unwrap();
        let why = "the board is too large; elimination supports at most 1024 unknowns";
        assert_eq!(
            claims.iter().any(|claim| claim.status == Status::Open(why.to_owned())),
            too_large,
            "{claims:?}"
        );
    }
}

/// Each board of a certificate costs time, so limits are tested for each.
#[test]
fn limits_end_a_check_between_boards() {
    let all_ones = study("all-ones", &[], &[("n", "5")]).certificate;
    let copied = study("hardest", &[("target", "white")], &[("n", "44")]).certificate;
    for mut certificate in [all_ones, copied] {
        let boards = vec![certificate["boards"][0].clone(); 50];
        certificate["boards"] = Value::from(boards);
        let polls = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&polls);
        let stop = move || (count.fetch_add(1, Ordering::Relaxed) >= 20).then_some(Limit::Cpu);
        let budget = &mut Budget::new(None, Arc::new(stop));
        let claims = Bench::new("flip", &[]).problem().check_study(&certificate, budget).unwrap();
        let open = claims.iter().filter(|claim| matches!(claim.status, Status::Open(_))).count();
        assert!(open >= 30 && budget.work.nodes < 5_000, "{open} open, {} nodes", budget.work.nodes);
        assert!(polls.load(Ordering::Relaxed) > 50, "no board is left out");
    }
}

/// Witnesses are not replayed after a limit, even if the board is too large for its null space to be computed.
#[test]
fn limits_end_a_check_between_witnesses() {
    let rows = vec!["1".repeat(35); 35];
    let presses = json!({ "n": 35, "nullity": 0, "presses": 1225, "least": false, "rows": rows });
    let weights = json!({ "n": 35, "nullity": 0, "weights": rows });
    for board in [presses, weights] {
        let certificate = json!({
            "question": "all-ones", "version": 1, "stencil": "cross", "colours": 2, "boards": vec![board; 50],
        });
        let polls = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&polls);
        let stop = move || (count.fetch_add(1, Ordering::Relaxed) >= 20).then_some(Limit::Cpu);
        let budget = &mut Budget::new(None, Arc::new(stop));
        let problem = Bench::new("flip", &[]);
        let claims = problem.problem().check_study(certificate.as_object().unwrap(), budget).unwrap();
        let replayed = claims.iter().filter(|claim| !matches!(claim.status, Status::Open(_))).count();
        assert_eq!((claims.len(), replayed), (100, 20), "{claims:?}");
        assert_eq!(polls.load(Ordering::Relaxed), 50);
    }
}

fn with_tree() -> Map<String, Value> {
    let text = std::fs::read_to_string("experiments/certificates/flip-hardest-one-colour-branches.json");
    serde_json::from_str(&text.unwrap()).unwrap()
}

#[test]
fn trees_of_cases_prove_one_closed_form() {
    let certificate = with_tree();
    closed(&certificate);
    for board in certificate["boards"].as_array().unwrap() {
        let k = (board["n"].as_u64().unwrap() + 1) / 17;
        assert_eq!(board["presses"], 161 * k * k - 34 * k - 3);
        assert_eq!(board["most"], board["presses"]);
    }
}

#[test]
fn forged_trees_of_cases_fail() {
    let whole = with_tree();
    let said = |forged: &dyn Fn(&mut Map<String, Value>)| {
        let mut certificate = whole.clone();
        certificate["boards"].as_array_mut().unwrap().truncate(1);
        forged(&mut certificate);
        check(&certificate).unwrap().pop().unwrap().status
    };
    let with_tree = |forged: &dyn Fn(&mut Vec<Value>)| {
        said(&|certificate| forged(certificate["branches"]["tree"].as_array_mut().unwrap()))
    };
    let failed = |why: &str| Status::Failed(format!("\"branches\" does not show this: {why}"));
    assert_eq!(said(&|_| {}), Status::Recomputed);
    assert_eq!(with_tree(&|tree| _ = tree.pop()), failed("the tree ends before its last case"));
    assert_eq!(with_tree(&|tree| tree.push(json!([]))), failed("node 2884: no case is left for it"));
    assert_eq!(with_tree(&|tree| tree[0] = json!([29, -2])), failed("node 1: its sum has the wrong parity"));
    let unknown = failed("node 1: its square is not listed, or lies in no basis vector");
    assert_eq!(with_tree(&|tree| tree[0] = json!([60, -1])), unknown);
    // The first leaf.
    assert!(whole["branches"]["tree"][6][0].is_array() && whole["branches"]["tree"][5][0].is_number());
    let contradicts_nothing = failed("node 7: its weights contradict nothing");
    for leaf in [json!([]), json!([[0, 1]]), json!([[1, 4_000_000_000u32], [2, 1]])] {
        assert_eq!(with_tree(&|tree| tree[6] = leaf.clone()), contradicts_nothing, "{leaf}");
    }
    // A single value is left of the first square's sum, which contradicts nothing by itself.
    let single = with_tree(&|tree| *tree = vec![json!([29, -5]), json!([])]);
    assert_eq!(single, failed("node 2: its weights contradict nothing"));
    // Another value of a split leaves cases out, or adds some; then the weights below it contradict nothing.
    let other = with_tree(&|tree| tree[5] = json!([57, 3]));
    assert!(other.is_failed(), "{other:?}");
    let dependent = said(&|certificate| certificate["branches"]["squares"][1] = json!([1, 2]));
    assert_eq!(dependent, failed("the first squares are not independent"));
    // One press less cannot be proved, because 16×16 needs 124.
    assert!(said(&|certificate| certificate["boards"][0]["most"] = json!(123)).is_failed());
    let error = |forged: &dyn Fn(&mut Map<String, Value>)| {
        let mut certificate = whole.clone();
        forged(&mut certificate);
        check(&certificate).unwrap_err()
    };
    let none = error(&|certificate| _ = certificate.remove("branches"));
    assert_eq!(none, "board 1: the certificate has no \"branches\"");
    let node = "node 2 of \"tree\" is neither [square, sum] nor a list of [character, weight]";
    for wrong in [json!(1), json!([1, "2"]), json!([[1, -1]]), json!([1, 9_000_000_000u64])] {
        assert_eq!(error(&|certificate| certificate["branches"]["tree"][1] = wrong.clone()), node, "{wrong}");
    }
}

#[test]
fn forged_certificates_of_copied_boards_fail() {
    let recorded = study("hardest", &[("target", "white")], &[("n", "44")]).certificate;
    let failing = |forged: &Map<String, Value>| {
        check(forged).unwrap().into_iter().map(|claim| claim.status.is_failed()).collect::<Vec<_>>()
    };
    assert_eq!(failing(&recorded), [false, false, false]);
    let most = recorded["boards"][0]["most"].as_u64().unwrap();
    assert_eq!(failing(&forged(&recorded, "most", json!(most - 1))), [false, false, true]);
    assert_eq!(failing(&forged(&recorded, "most", json!(most - 2))), [false, false, true]);
    assert_eq!(failing(&forged(&recorded, "presses", json!(most + 2))), [false, true, false]);
    let sums = &recorded["boards"][0]["sums"];
    let one_less = json!(sums.as_array().unwrap()[1..]);
    assert_eq!(failing(&forged(&recorded, "sums", one_less)), [false, true, false]);
    let first = &sums[0];
    let twice = json!([first, first]);
    assert_eq!(failing(&forged(&recorded, "sums", twice)), [false, true, false]);
    for sum in [i64::MIN, i64::MAX] {
        let huge = json!([[first[0], first[1], sum]]);
        assert_eq!(failing(&forged(&recorded, "sums", huge)), [false, true, false]);
    }

    // 45 is 15 · 3, and 2×2 has another nullity. 45 is not 7 · 5.
    for (k, n0, why) in [
        (15, 2, "the nullities are 4 and 0"),
        (7, 4, "44 + 1 is not 7 · (4 + 1)"),
        (9, 5, "44 + 1 is not 9 · (5 + 1)"),
    ] {
        let other = forged(&forged(&recorded, "k", json!(k)), "n0", json!(n0));
        let claims = check(&other).unwrap();
        assert!(claims[0].status.is_failed() && !claims.iter().any(|c| c.status.is_closed()), "{claims:?}");
        assert!(format!("{:?}", claims[0].status).contains(why), "{claims:?}");
    }
    // 13 is excluded: 64×64 has more null vectors than 4×4.
    let mut excluded = forged(&forged(&recorded, "n", json!(64)), "k", json!(13));
    excluded["boards"][0]["sums"] = json!([]);
    assert!(format!("{:?}", check(&excluded).unwrap()[0].status).contains("the nullities are 28 and 4"));

    for (key, value, why) in [
        ("proof", json!("three levels"), "board 1: \"proof\" is neither \"two levels\" nor \"branches\""),
        ("sums", json!([[1, 1]]), "board 1: \"sums\" is not a list of [row, column, sum] of 44x44"),
        ("k", json!(0), "board 1: \"k\" is not a whole number from 2 to 45"),
    ] {
        assert_eq!(check(&forged(&recorded, key, value)), Err(why.to_owned()));
    }
}

/// On 249×249, sums of squares exceed 32 bits.
#[test]
fn two_levels_of_a_large_board_do_not_overflow() {
    let board = json!({ "n": 249, "presses": 0, "most": 0, "rows": vec!["0".repeat(249); 249], "proof": "two levels" });
    let certificate = json!({
        "problem": "flip", "question": "hardest", "version": 1, "stencil": "plus", "colours": 2, "target": "one",
        "boards": [board],
    });
    let claims = check(certificate.as_object().unwrap()).unwrap();
    let failed = Status::Failed("the rule \"two levels\" does not show this".to_owned());
    assert_eq!(claims[1].status, failed);
}

#[test]
fn hardest_boards_of_known_sizes() {
    for (n, one, either) in [(5, 15, 12), (11, 65, 62), (14, 123, 120), (17, 199, 170)] {
        for (target, hardest) in [("white", one), ("either", either)] {
            let recorded = study("hardest", &[("target", target)], &[("n", &n.to_string())]);
            assert_eq!(
                (&recorded.rows[0]["at least"], &recorded.rows[0]["at most"]),
                (&json!(hardest), &json!(hardest))
            );
            closed(&recorded.certificate);
        }
    }
    let cut = study("hardest", &[], &[("n", "9"), ("nodes", "6"), ("moves", "100")]);
    let bound = |key: &str| cut.rows[0][key].as_u64().unwrap();
    assert!(bound("at least") <= 36 && bound("at most") >= 36);
    closed(&cut.certificate);
}
