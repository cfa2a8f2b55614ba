//! Smudged records beyond brute force: families on boards to 50×50, SAT against the search, and the checker's counting
//! arguments against answers that are known.

use crate::spot_brute::*;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint::board::Group;
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Agreement, Params, Problem};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Finding};
use counterpoint::problems::spot::{Entry, Instance, Legality, MoveLimit, Rules, Start};
use counterpoint_encodings::Cnf;
use rand::RngExt;

/// A record of a family.
fn record(rules: &Rules, name: &str, given: &[(&str, String)], seed: u64) -> Instance {
    let family = Spot::FAMILIES.iter().find(|f| f.name == name).unwrap();
    let given: Vec<_> = given.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let params = Params::new(family.params, &given).unwrap();
    (family.make)(rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

/// A record of a smudged family, chosen by `kind`.
fn smudged(rules: &Rules, kind: usize, n: u32, unknown: u32, seed: u64) -> Instance {
    let mut given = vec![("n", n.to_string()), ("unknown", unknown.to_string())];
    let name = ["smudged", "undo", "block", "block", "block"][kind];
    if name == "block" {
        given.push(("at", ["0", "0.5", "1"][kind - 2].to_owned()));
    }
    record(rules, name, &given, seed)
}

/// The answer within a budget of conflicts and nodes; `None` if the budget is spent.
fn within(pattern: &str, work: u64, rules: &Rules, instance: &Instance) -> Option<Answer> {
    let spec = named(pattern).remove(0);
    let mut budget = Budget::of_work(work);
    match (engine(&spec).start)()(rules, instance, &spec, &mut budget) {
        Outcome::Decided(answer) => Some(answer),
        Outcome::GaveUp(..) => None,
        Outcome::Unsupported(reason) => panic!("{spec}: {reason}"),
        Outcome::Failed(reason) => panic!("{spec}: {reason}"),
    }
}

/// For each ending that an answer does not refute, forges a refutation, which the checker must not accept.
fn refutations_are_not_accepted(rules: &Rules, instance: &Instance, findings: &[Finding]) {
    for i in (0..findings.len()).filter(|&i| findings[i] != Finding::Refuted) {
        let mut forged = findings.to_vec();
        forged[i] = Finding::Refuted;
        let claims = check(rules, instance, &Answer::Smudged(forged));
        assert!(!claims[i].status.is_closed(), "{i}: {rules:?} {instance:?} {claims:?}");
    }
}

#[test]
fn sat_agrees_with_the_search_on_all_families() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let (mut compared, mut checked) = (0, 0);
    for seed in 0..160 {
        let rules = Rules {
            group: GROUPS[rng.random_range(0..4)],
            start: STARTS[rng.random_range(0..2)],
            limit: MoveLimit::TwiceN,
            legality: [Legality::Strict, Legality::Strict, Legality::Lenient][rng.random_range(0..3)],
        };
        let (n, unknown) = (rng.random_range(2..6), rng.random_range(1..5));
        let instance = smudged(&rules, seed as usize % 5, n, unknown, seed);
        let Some(expected) = within("search:fill", 200_000, &rules, &instance) else { continue };
        for pattern in ["sat:toggles", "sat:toggles/distinct=lazy", "sat:toggles/amo=sequential"] {
            let answer = within(pattern, 1_000_000, &rules, &instance).unwrap();
            let agreement = Spot::agree(&expected, &answer);
            assert_eq!(agreement, Agreement::Same, "{pattern} {rules:?} {instance:?}");
            compared += 1;
        }
        let claims = check(&rules, &instance, &expected);
        assert!(claims.iter().all(|claim| !claim.status.is_failed()), "{rules:?} {instance:?} {claims:?}");
        checked += usize::from(all_closed(&claims));
        if let Answer::Smudged(findings) = &expected {
            refutations_are_not_accepted(&rules, &instance, findings);
        }
    }
    assert!(compared > 400 && checked > 120, "{compared} compared, {checked} checked");
}

/// On these boards, the checker closes every claim: it replays each witness, and refutes the other endings by counting.
/// Eager and lazy distinctness agree.
#[test]
fn judge_sized_smudged_records_are_answered_and_checked() {
    let rules = rules(Group::C4, Start::Uncounted);
    for (kind, n, unknown) in [(0, 20, 4), (0, 50, 8), (1, 30, 6), (3, 50, 7), (4, 50, 10)] {
        let instance = smudged(&rules, kind, n, unknown, 1);
        let eager = within("sat:toggles", 100_000, &rules, &instance).unwrap();
        let lazy = within("sat:toggles/distinct=lazy", 100_000, &rules, &instance).unwrap();
        assert_eq!(Spot::agree(&eager, &lazy), Agreement::Same, "{kind} {n} {unknown}");
        assert!(all_closed(&check(&rules, &instance, &eager)), "{kind} {n} {unknown}");
        let Answer::Smudged(findings) = &eager else { panic!("{eager:?}") };
        assert!(findings.contains(&Finding::Refuted));
    }
}

/// In a record of the family `undo`, each unknown move can undo the one before it. So each of them can be the first
/// repeat, and no known move before the first of them can.
#[test]
fn undone_moves_are_repeats() {
    let rules = rules(Group::C4, Start::Uncounted);
    for (n, unknown) in [(6, 3), (20, 5), (50, 4)] {
        let instance = smudged(&rules, 1, n, unknown, 3);
        let answer = within("sat:toggles", 100_000, &rules, &instance).unwrap();
        let possible = possible_of(&answer);
        let moves = instance.record.len();
        let first = moves - 2 * unknown as usize + 1;
        assert!((first + 1..=moves).step_by(2).all(|mv| possible[mv - 1]), "{n} {unknown} {possible:?}");
        assert!((1..=first).all(|mv| !possible[mv - 1]), "{n} {unknown} {possible:?}");
    }
}

/// If no move is known, a game can end on every move but the first two, or as a draw.
#[test]
fn nothing_known_on_the_largest_board() {
    let rules = rules(Group::C4, Start::Uncounted);
    let instance = Instance { n: 50, record: vec![Entry::UNKNOWN; 40] };
    let rules = Rules { limit: MoveLimit::None, ..rules };
    let answer = within("sat:toggles/distinct=lazy", 100_000, &rules, &instance).unwrap();
    assert_eq!(possible_of(&answer).iter().position(|possible| *possible), Some(2));
    assert_eq!(possible_of(&answer).iter().filter(|possible| **possible).count(), 39);
    assert!(all_closed(&check(&rules, &instance, &answer)));
}

/// A formula that is too large is refused with the remedies that help: `distinct=lazy` is recommended only if its formula
/// is small enough, and a formula for a file is refused although a solver gets a smaller one.
#[test]
fn only_smaller_formulas_are_recommended() {
    let rules = rules(Group::C4, Start::Uncounted);
    let refused = |pattern: &str, instance: &Instance| {
        let spec = named(pattern).remove(0);
        (engine(&spec).supports)(&rules, instance, &spec).err().map_or(String::new(), String::from)
    };
    let (eager, lazy) = ("sat:toggles", "sat:toggles/distinct=lazy");
    let half = smudged(&rules, 0, 50, 20, 1);
    assert_eq!([refused(eager, &half), refused(lazy, &half)], [""; 2]);
    let spec = named(eager).remove(0);
    let written = (engine(&spec).formula.unwrap())(&rules, &half, &spec, &mut Cnf::default());
    let message = String::from(written.unwrap_err());
    assert!(message.ends_with("'solve' needs only some of them and supports this record"), "{message}");

    let all = smudged(&rules, 0, 50, 100, 888_001);
    assert_eq!(
        [refused(eager, &all), refused(lazy, &all)],
        [
            "the formula may have 2081566 clauses; the limit is 2000000; with distinct=lazy, it may have 2016661",
            "the formula may have 2016661 clauses; the limit is 2000000",
        ]
    );
    let nothing = Instance { n: 50, record: vec![Entry::UNKNOWN; 100] };
    assert!(refused(eager, &nothing).ends_with("distinct=lazy adds only those that it needs"));
    assert_eq!(refused(lazy, &nothing), "");
}
