//! `search:fill` compared with brute force and SAT; then tested on the longest games and on records of the judge's
//! size.

use crate::samples::some;
use crate::spot_brute::*;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint::board::Group;
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Agreement, Params, Problem};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Finding};
use counterpoint::problems::spot::{Entry, Instance, Legality, MoveLimit, Rules, Sign, Start};
use counterpoint::spec::EngineSpec;
use rand::RngExt;

const NOTHING: Entry = Entry::UNKNOWN;

fn one(pattern: &str) -> EngineSpec {
    named(pattern).remove(0)
}

/// A record of legal moves, `unknown` of which are smudged in part or as a whole.
fn smudged(n: u32, unknown: u32, seed: u64) -> Instance {
    let family = Spot::FAMILIES.iter().find(|f| f.name == "smudged").unwrap();
    let given = [("n".to_owned(), n.to_string()), ("unknown".to_owned(), unknown.to_string())];
    let params = Params::new(family.params, &given).unwrap();
    let rules = rules(Group::C4, Start::Uncounted);
    (family.make)(&rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

#[test]
fn random_records_on_larger_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let (fill, sat) = (one("search:fill"), one("sat:toggles"));
    let (mut possible, mut refuted) = (0, 0);
    for seed in 0..120 {
        let n = rng.random_range(3..7);
        let mut instance = smudged(n, rng.random_range(1..4), seed);
        instance.record.truncate(rng.random_range(2..=2 * n as usize));
        if rng.random_range(0..3) == 0 {
            // Change the column of a move, which may then be illegal.
            let at = rng.random_range(0..instance.record.len());
            let entry = instance.record[at];
            instance.record[at] = Entry::new(Some(rng.random_range(1..=n)), entry.y(), entry.sign());
        }
        let rules = Rules {
            group: GROUPS[rng.random_range(0..4)],
            start: STARTS[rng.random_range(0..2)],
            limit: MoveLimit::None,
            legality: [Legality::Strict, Legality::Strict, Legality::Lenient][rng.random_range(0..3)],
        };
        if instance.first_unknown().is_none() {
            continue;
        }
        let answer = solve(&fill, &rules, &instance);
        assert!(all_closed(&check(&rules, &instance, &answer)), "{rules:?} {instance:?}");
        if n < 5 {
            assert_eq!(possible_of(&answer), endings(&rules, &instance), "{rules:?} {instance:?}");
        } else if let Some(other) = crate::spot_brute::answer(&sat, &rules, &instance) {
            assert_eq!(Spot::agree(&answer, &other), Agreement::Same, "{rules:?} {instance:?}");
        }
        possible += possible_of(&answer).iter().filter(|p| **p).count();
        refuted += possible_of(&answer).iter().filter(|p| !**p).count();
    }
    assert!(possible > 150 && refuted > 150, "{possible} possible, {refuted} refuted");
}

/// Records with many unknown moves, in which some lines name the squares of other lines. The search tries
/// each pair of boards that can be equal separately.
#[test]
fn records_with_many_unknown_moves() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let (fill, sat) = (one("search:fill"), one("sat:toggles"));
    let mut refuted = 0;
    for seed in 0..60 {
        let n = rng.random_range(4..7);
        let mut instance = smudged(n, rng.random_range(2..=2 * n), seed);
        for _ in 0..rng.random_range(0..4) {
            let [at, other] = [0; 2].map(|_| rng.random_range(0..instance.record.len()));
            let (x, y) = (instance.record[other].x(), instance.record[other].y());
            let sign = [None, Some(Sign::Take)][rng.random_range(0..2)];
            instance.record[at] = Entry::new(x, y, sign);
        }
        let rules = Rules {
            group: GROUPS[rng.random_range(0..4)],
            start: STARTS[rng.random_range(0..2)],
            limit: MoveLimit::None,
            legality: Legality::Strict,
        };
        if instance.first_unknown().is_none() {
            continue;
        }
        // A search or a solver that needs more work than this leaves endings open.
        let answer = |spec: &EngineSpec| {
            (engine(spec).start)()(&rules, &instance, spec, &mut Budget::of_work(20_000)).answer()
        };
        let (Some(answer), Some(other)) = (answer(&fill), answer(&sat)) else { continue };
        assert_ne!(Spot::agree(&answer, &other), Agreement::Contradict, "{rules:?} {instance:?}");
        let claims = Spot::check(&rules, &instance, &answer, &[], &mut Budget::of_work(1_000));
        assert!(claims.iter().all(|claim| !claim.status.is_failed()), "{rules:?} {instance:?} {claims:?}");
        refuted += possible_of(&answer).iter().filter(|p| !**p).count();
    }
    assert!(refuted > 250, "{refuted} refuted");
}

/// Trying all completions of these records took millions of nodes.
#[test]
fn records_of_large_boards_take_few_nodes() {
    let spec = one("search:fill");
    for (n, unknown) in [(5, 10), (6, 12), (7, 7), (8, 8)] {
        let instances = (1..=6).map(|seed| smudged(n, unknown, seed));
        for instance in instances {
            let rules = rules(Group::C4, Start::Uncounted);
            let outcome = (engine(&spec).start)()(&rules, &instance, &spec, &mut Budget::of_work(20_000));
            assert!(matches!(outcome, Outcome::Decided(_)), "{instance:?}");
        }
    }
}

/// Without division, each of these records needs more than two million nodes.
#[test]
fn hard_goals_are_divided() {
    let spec = one("search:fill");
    for (n, unknown, seed) in [(8, 16, 2), (8, 16, 9), (10, 20, 100_004), (10, 20, 100_017)] {
        let (rules, instance) = (rules(Group::C4, Start::Uncounted), smudged(n, unknown, seed));
        let outcome = (engine(&spec).start)()(&rules, &instance, &spec, &mut Budget::of_work(600_000));
        assert!(matches!(outcome, Outcome::Decided(_)), "n={n} seed={seed}");
    }
}

/// Enumeration in order of time left these answers open.
#[test]
fn the_checker_searches_for_single_endings() {
    let spec = one("search:fill");
    for (n, unknown, seed) in [(8, 16, 100_004), (10, 20, 100_006)] {
        let (rules, instance) = (rules(Group::C4, Start::Uncounted), smudged(n, unknown, seed));
        let answer = solve(&spec, &rules, &instance);
        assert!(all_closed(&check(&rules, &instance, &answer)), "n={n} seed={seed}");
    }
}

/// On 3×3, if no move is known, a draw is possible if and only if the record is at most as long as the longest game
/// without a repeat.
#[test]
fn the_longest_games_on_3x3() {
    for (group, start, longest) in some([
        (Group::C4, Start::Counted, 139),
        (Group::C4, Start::Uncounted, 140),
        (Group::D4, Start::Uncounted, 102),
    ]) {
        let rules = Rules { limit: MoveLimit::None, ..rules(group, start) };
        for moves in [longest, longest + 1] {
            let instance = Instance { n: 3, record: vec![NOTHING; moves] };
            let mut budget = Budget::of_work(100_000);
            let spec = one("search:fill");
            let outcome = (engine(&spec).start)()(&rules, &instance, &spec, &mut budget);
            let Outcome::Decided(answer) = outcome else {
                panic!("the engine gave up on {moves} unknown moves")
            };
            let Answer::Smudged(findings) = &answer else { panic!("{answer:?}") };
            assert_eq!(matches!(findings[moves], Finding::Possible(_)), moves == longest);
            let last = findings[..moves].iter().rposition(|f| matches!(f, Finding::Possible(_))).unwrap();
            assert_eq!(last + 1, moves.min(longest + 1));
            // The checker replays the witnesses. It may leave refutations open.
            let claims = check(&rules, &instance, &answer);
            assert!(claims.iter().zip(findings).all(|(claim, finding)| {
                claim.status.is_closed() || (!claim.status.is_failed() && *finding == Finding::Refuted)
            }));
        }
    }
}

#[test]
fn judge_sized_records() {
    let rules = rules(Group::C4, Start::Uncounted);
    let family = Spot::FAMILIES.iter().find(|f| f.name == "random").unwrap();
    for (n, unknown) in [(50, &[97][..]), (30, &[40]), (10, &[3, 15])] {
        let params = Params::new(family.params, &[("n".into(), n.to_string())]).unwrap();
        let mut instance = (family.make)(&rules, &params, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
        unknown.iter().for_each(|&i| instance.record[i] = NOTHING);
        let answer = solve(&one("search:fill"), &rules, &instance);
        assert!(possible_of(&answer).iter().any(|p| *p));
        let claims = check(&rules, &instance, &answer);
        assert!(claims.iter().all(|claim| !claim.status.is_failed()), "{claims:?}");
    }
    // If no move is known, the search finds all witnesses on its first descent. No game can end on move 1 or 2.
    let instance = Instance { n: 50, record: vec![NOTHING; 100] };
    let answer = solve(&one("search:fill"), &rules, &instance);
    assert_eq!(possible_of(&answer).iter().filter(|p| !**p).count(), 2);
}
