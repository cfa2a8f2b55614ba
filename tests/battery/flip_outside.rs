//! Flip's verdicts without presses, and its boards solved by the formulas of encoders.

use crate::bench::Bench;
use crate::outside::{encoder, printed, read_back, solve_printed, verdict};
use chacha20::ChaCha8Rng;
use counterpoint::board::Size;
use counterpoint::certify;
use counterpoint::claim::{Claim, Status, all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Agreement, Params, Problem};
use counterpoint::problems::flip::answer::{Answer, PressCount};
use counterpoint::problems::flip::search::{bfs, elimination};
use counterpoint::problems::flip::tiny::ENCODING;
use counterpoint::problems::flip::{Flip, Goal, Instance, Rules, Stencil, Target};
use counterpoint::spec::EngineSpec;
use rand::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};

const JUDGE: Rules = Rules {
    size: None,
    colours: 2,
    stencil: Stencil::Plus,
    target: Target::Either,
    goal: Goal::Fewest,
    within: None,
};

fn check(rules: &Rules, board: &Instance, answer: &Answer) -> Vec<Claim> {
    Flip::check(rules, board, answer, &[], &mut Budget::unlimited())
}

/// What the search answers.
fn searched(rules: &Rules, board: &Instance) -> Answer {
    let solve = if rules.colours > 2 { bfs::solve } else { elimination::solve };
    match solve(rules, board, &mut Budget::unlimited()) {
        Outcome::Decided(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// Tries all choices of presses. For each change of the colours, returns the numbers of presses that make this change.
fn weights(rules: &Rules, size: Size) -> BTreeMap<Vec<u32>, BTreeSet<usize>> {
    let (n, p) = (size.cells(), rules.colours);
    let mut weights: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for mut code in 0..p.pow(n as u32) {
        let (mut added, mut total) = (vec![0; n], 0);
        for cell in size.iter() {
            let times = code % p;
            code /= p;
            total += times as usize;
            for turned in rules.stencil.squares(size, cell) {
                let square = size.index(turned);
                added[square] = (added[square] + times) % p;
            }
        }
        weights.entry(added).or_default().insert(total);
    }
    weights
}

/// Every board of a size, with these numbers of colours.
fn boards(colours: u32, size: Size) -> impl Iterator<Item = Instance> {
    (0..colours.pow(size.cells() as u32)).map(move |mut code| {
        let mut squares = counterpoint::board::Digits::default();
        for _ in 0..size.cells() {
            squares.push(code % colours);
            code /= colours;
        }
        Instance { size, squares }
    })
}

/// The claims of a verdict are closed if it is right; otherwise one of them fails.
#[test]
fn verdicts_on_small_boards_are_decided() {
    for (colours, stencil, target, goal) in [
        (2, Stencil::Plus, Target::Either, Goal::Fewest),
        (2, Stencil::Plus, Target::Either, Goal::Any),
        (2, Stencil::Torus, Target::White, Goal::Fewest),
        (2, Stencil::King, Target::Black, Goal::Any),
        (2, Stencil::Cross, Target::Either, Goal::Fewest),
        (3, Stencil::Plus, Target::Either, Goal::Fewest),
        (3, Stencil::Torus, Target::White, Goal::Any),
    ] {
        let rules = Rules { colours, stencil, target, goal, ..JUDGE };
        for (w, h) in [(1, 1), (2, 1), (2, 2), (1, 5), (3, 2), (3, 3)] {
            let size = Size::new(w, h);
            if colours.pow(size.cells() as u32) > 1000 {
                continue;
            }
            let weights = weights(&rules, size);
            for board in boards(colours, size) {
                let change = |i: usize, end: u32| (colours + end - board.squares.get(i)) % colours;
                let ends =
                    rules.ends().map(|end| (0..size.cells()).map(|i| change(i, end.colour(i))).collect());
                let all: BTreeSet<usize> =
                    ends.filter_map(|change: Vec<u32>| weights.get(&change)).flatten().copied().collect();
                let read = read_back::<Flip>(&rules, &board, &searched(&rules, &board));
                let claims = check(&rules, &board, &read);
                assert!(all_closed(&claims), "{rules:?} {board:?} {claims:?}");
                let most = size.cells() * (colours as usize - 1);
                for n in (0..most + 3).chain([1 << 20, usize::MAX]) {
                    let read = verdict::<Flip>(&rules, &board, &n.to_string()).unwrap();
                    let claims = check(&rules, &board, &read);
                    let right = match goal {
                        Goal::Fewest => all.first() == Some(&n),
                        Goal::Any => all.contains(&n),
                    };
                    assert_eq!(all_closed(&claims), right, "{rules:?} {board:?} {n} {claims:?}");
                    assert_eq!(any_failed(&claims), !right, "{rules:?} {board:?} {n} {claims:?}");
                }
                let claims = check(&rules, &board, &Answer::Impossible(None));
                assert_eq!(all_closed(&claims), all.is_empty(), "{board:?}");
                assert_eq!(any_failed(&claims), !all.is_empty(), "{board:?}");
            }
        }
    }
}

fn generated(family: &str, rules: &Rules, side: u32, seed: u64) -> Instance {
    let family = Flip::FAMILIES.iter().find(|f| f.name == family).unwrap();
    let params = Params::new(family.params, &[("n".into(), side.to_string())]).unwrap();
    (family.make)(rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

#[test]
fn verdicts_on_random_boards_are_decided() {
    for (i, family) in ["random", "solvable"].iter().cycle().take(40).enumerate() {
        let stencil = [Stencil::Plus, Stencil::King, Stencil::Torus][i / 2 % 3];
        let rules = Rules { stencil, ..JUDGE };
        let board = generated(family, &rules, 3 + i as u32 % 9, i as u64);
        let answer = searched(&rules, &board);
        let read = read_back::<Flip>(&rules, &board, &answer);
        assert!(all_closed(&check(&rules, &board, &read)), "{i}");
        let wrong = match answer.number() {
            Some(PressCount { presses: n, .. }) => {
                vec!["Impossible".to_owned(), (n + 1).to_string(), n.saturating_sub(1).to_string()]
            }
            None => vec!["0".to_owned(), "9".to_owned()],
        };
        for text in
            wrong.iter().filter(|text| **text != "0" || answer.number().is_none_or(|count| count.presses > 0))
        {
            let read = verdict::<Flip>(&rules, &board, text).unwrap();
            assert_ne!(Flip::agree(&read, &answer), Agreement::Same);
            assert!(any_failed(&check(&rules, &board, &read)), "{i} {text}");
        }
    }
}

/// Without work, a verdict stays open. A proof closes the claim that fewer presses do not suffice.
#[test]
fn verdicts_without_work_stay_open_and_proofs_close_one_claim() {
    let board = generated("solvable", &JUDGE, 5, 3);
    let answer = searched(&JUDGE, &board);
    let read = read_back::<Flip>(&JUDGE, &board, &answer);
    let claims = |answer: &Answer, proofs: &[_], budget: &mut Budget| {
        let claims = Flip::check(&JUDGE, &board, answer, proofs, budget);
        claims.into_iter().map(|claim| claim.status).collect::<Vec<_>>()
    };
    let n = answer.number().unwrap().presses;
    for n in [n - 1, n, n + 1] {
        let read = verdict::<Flip>(&JUDGE, &board, &n.to_string()).unwrap();
        let claims = claims(&read, &[], &mut Budget::of_work(0));
        assert!(claims.iter().all(|status| status.word() == "open"), "{n}: {claims:?}");
    }
    let texts: Vec<String> = check(&JUDGE, &board, &read).into_iter().map(|claim| claim.text).collect();
    assert_eq!(
        texts,
        [format!("some {n} presses make the board one colour"), format!("at least {n} presses are needed")]
    );
    let obligations =
        Flip::FORMULAS.obligations.unwrap()(&JUDGE, &board, &read, &mut Budget::unlimited()).unwrap();
    let proofs = certify::proofs(certify::certify(&obligations, &mut Budget::unlimited()));
    assert_eq!(proofs.len(), 1);
    let proved = claims(&read, &proofs, &mut Budget::unlimited());
    assert!(matches!(proved[..], [Status::Recomputed, Status::Proved(_)]), "{proved:?}");
    // The formula for a number that is too large is satisfiable.
    let wrong = verdict::<Flip>(&JUDGE, &board, &(n + 1).to_string()).unwrap();
    let obligations =
        Flip::FORMULAS.obligations.unwrap()(&JUDGE, &board, &wrong, &mut Budget::unlimited()).unwrap();
    assert!(certify::proofs(certify::certify(&obligations, &mut Budget::unlimited())).is_empty());
}

#[test]
fn what_is_not_a_verdict_is_told() {
    let board = generated("random", &JUDGE, 4, 1);
    let expected = "expected a number of presses or 'Impossible'";
    for (text, message) in [
        ("", format!("its output is empty; {expected}")),
        ("\n \r\n", format!("its output is empty; {expected}")),
        ("\n4\n", format!("its output, line 1: found ''; {expected}")),
        ("impossible\n", format!("its output, line 1: found 'impossible'; {expected}")),
        ("4 presses\n", format!("its output, line 1: found '4 presses'; {expected}")),
        ("04\n", format!("its output, line 1: found '04'; {expected}")),
        ("+4\n", format!("its output, line 1: found '+4'; {expected}")),
        ("-1\n", format!("its output, line 1: found '-1'; {expected}")),
        (" 4\n", format!("its output, line 1: found ' 4'; {expected}")),
        ("99999999999999999999\n", format!("its output, line 1: found '99999999999999999999'; {expected}")),
        ("4\n5\n", "its output, line 2: found '5'; expected nothing more".to_owned()),
    ] {
        assert_eq!(verdict::<Flip>(&JUDGE, &board, text).unwrap_err().message(), message, "{text:?}");
    }
    let json = |text: &str| {
        let map = serde_json::from_str(text).unwrap();
        Flip::from_json(&board, &map).unwrap_err().message().to_owned()
    };
    assert_eq!(json(r#"{"outcome": "presses", "least": true}"#), "\"presses\" is missing");
    let number = r#"{"outcome": "presses", "least": true, "number": -1}"#;
    assert_eq!(json(number), "\"number\" is not a number of presses");
}

fn specs(pattern: &str) -> Vec<EngineSpec> {
    Bench::new("flip", &[]).engines(pattern)
}

/// Our own formulas, printed as files, give the same outcomes as the search.
#[test]
fn printed_formulas_give_the_same_outcomes() {
    let specs = specs("sat:presses/xor=direct,sat:presses/xor=*/card=*/lex=*@*");
    let mut next = 0;
    for rules in [
        JUDGE,
        Rules { target: Target::White, ..JUDGE },
        Rules { stencil: Stencil::Torus, ..JUDGE },
        Rules { goal: Goal::Any, ..JUDGE },
    ] {
        let tiny = (ENCODING.tiny)(&rules).step_by(13);
        let random = (0..8).map(|seed| generated(["random", "solvable"][seed as usize % 2], &rules, 5, seed));
        for board in tiny.chain(random) {
            let answer = searched(&rules, &board);
            for _ in 0..3 {
                let spec = &specs[next % specs.len()];
                next += 7;
                let outcome =
                    solve_printed::<Flip>(&rules, &board, &printed::<Flip>(&rules, &board, spec), spec);
                let Outcome::Decided(found) = outcome else { panic!("{spec} {board:?} {outcome:?}") };
                if rules.goal == Goal::Fewest {
                    assert_eq!(Flip::outcome(&found), Flip::outcome(&answer), "{spec} {board:?}");
                }
                let claims = check(&rules, &board, &found);
                assert!(all_closed(&claims), "{spec} {board:?} {claims:?}");
            }
        }
    }
    assert!(next > 7 * specs.len());
}

#[test]
fn formulas_that_do_not_fit_are_refused() {
    let board = generated("random", &JUDGE, 4, 1);
    let spec = &specs("sat:presses")[0];
    let solve = |rules: &Rules, text: &str| solve_printed::<Flip>(rules, &board, text.as_bytes(), spec);
    let Outcome::Failed(message) = solve(&JUDGE, "c varname 1 press r1 c1\np cnf 1 0\n") else { panic!() };
    let similar = "no variable of the formula is called 'press r1c1'; the most similar name is 'press r1 c1'";
    assert_eq!(message, format!("sat:presses: {similar}"));
    let three = Rules { colours: 3, ..JUDGE };
    let Outcome::Unsupported(reason) = solve(&three, "p cnf 0 0\n") else { panic!() };
    assert_eq!(reason, "encodings support only two colours");
    let within = Rules { within: Some(3), ..JUDGE };
    let Outcome::Unsupported(reason) = solve(&within, "p cnf 0 0\n") else { panic!() };
    assert_eq!(reason, "the rule within applies only to encode");
    // `nullspace` has no variables for presses.
    let spec = &specs("sat:nullspace")[0];
    let outcome = solve_printed::<Flip>(&JUDGE, &board, &printed::<Flip>(&JUDGE, &board, spec), spec);
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
}

/// Every fault of the encoder in Python leads to a failure, a failed claim or a contradiction.
#[test]
fn faulty_encoders_are_found() {
    let spec = &specs("sat:presses")[0];
    let mut boards: Vec<Instance> = (ENCODING.tiny)(&JUDGE).filter(|board| board.size.cells() > 3).collect();
    boards = boards.into_iter().step_by(29).collect();
    for fault in ["", "white", "others", "torus", "corner", "symmetry", "unnamed", "count", "header", "crash"]
    {
        let is_wrong = |board: &Instance| {
            let input = Flip::write_instance(&JUDGE, board);
            let outcome = match encoder("flip", fault, &input)? {
                Ok(text) => solve_printed::<Flip>(&JUDGE, board, &text, spec),
                Err(message) => Outcome::Failed(message),
            };
            Some(match outcome {
                Outcome::Decided(answer) => {
                    let contradicts = Flip::agree(&answer, &searched(&JUDGE, board)) == Agreement::Contradict;
                    let failed = any_failed(&check(&JUDGE, board, &answer));
                    assert!(failed || !contradicts, "a contradiction is also a failed claim on small boards");
                    failed
                }
                Outcome::Failed(_) => true,
                other => panic!("{other:?}"),
            })
        };
        let mut answers = boards.iter().map_while(is_wrong);
        let Some(first) = answers.next() else { return };
        assert_eq!(first || answers.any(|wrong| wrong), !fault.is_empty(), "{fault}");
    }
}
