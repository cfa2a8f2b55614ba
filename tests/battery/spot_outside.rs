//! Spot's verdicts without evidence, and its records solved by the formulas of encoders.

use crate::outside::{encoder, judge_text, printed, read_back, solve_printed, verdict};
use crate::spot_brute::*;
use chacha20::ChaCha8Rng;
use counterpoint::board::Group;
use counterpoint::certify;
use counterpoint::claim::{all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Agreement, Params, Problem};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Ending, Finding};
use counterpoint::problems::spot::tiny::ENCODING;
use counterpoint::problems::spot::{Entry, Instance, Legality, MoveLimit, Rules, Sign, Start};
use rand::{RngExt, SeedableRng};

const NOTHING: Entry = Entry::UNKNOWN;

fn judge() -> Rules {
    rules(Group::C4, Start::Uncounted)
}

fn generated(family: &str, rules: &Rules, params: &[(&str, &str)], seed: u64) -> Instance {
    let family = Spot::FAMILIES.iter().find(|f| f.name == family).unwrap();
    let params: Vec<_> = params.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    let params = Params::new(family.params, &params).unwrap();
    (family.make)(rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
}

/// The first repeat of a complete record; `None` for a draw.
fn repeat(rules: &Rules, instance: &Instance) -> Option<usize> {
    first_repeat(rules, instance.n, &instance.moves().unwrap())
}

/// Tests every verdict on a complete record: the claims of the right one are closed, and any other one fails.
fn complete(rules: &Rules, instance: &Instance) {
    let right = repeat(rules, instance).map_or(Ending::Draw, Ending::Repeat);
    let far = [usize::MAX, instance.record.len() + 1];
    for ending in Ending::all(instance.record.len()).chain(far.map(Ending::Repeat)) {
        let read = verdict::<Spot>(rules, instance, &format!("{ending}\n")).unwrap();
        assert_eq!(read.ending(), Some(ending));
        let claims = check(rules, instance, &read);
        assert_eq!(all_closed(&claims), ending == right, "{rules:?} {instance:?} {ending} {claims:?}");
        assert_eq!(any_failed(&claims), ending != right, "{rules:?} {instance:?} {ending} {claims:?}");
        let again = read_back::<Spot>(rules, instance, &read);
        assert_eq!(again, read);
    }
}

#[test]
fn verdicts_on_complete_records_are_decided() {
    for group in GROUPS {
        for start in STARTS {
            let rules = rules(group, start);
            for (n, moves) in [(1, 2), (2, 4)] {
                all_games(n, moves).iter().for_each(|moves| complete(&rules, &instance(n, moves)));
            }
            let random = (0..6).map(|seed| generated("random", &rules, &[("n", "3")], seed));
            let late = (0..2).map(|seed| generated("late", &rules, &[("n", "6")], seed));
            random.chain(late).for_each(|instance| complete(&rules, &instance));
        }
    }
    // An engine's answer is read back with the same outcome.
    for seed in 0..10 {
        let instance = generated(["random", "late", "turned"][seed as usize % 3], &judge(), &[], seed);
        for spec in named("search:*,sat:toggles") {
            let Some(answer) = answer(&spec, &judge(), &instance) else { continue };
            let read = read_back::<Spot>(&judge(), &instance, &answer);
            assert!(all_closed(&check(&judge(), &instance, &read)));
        }
    }
}

/// The verdict with these findings.
fn findings(rules: &Rules, instance: &Instance, possible: &[bool]) -> Answer {
    let word = |possible: bool| if possible { "possible" } else { "refuted" };
    let endings = Ending::all(instance.record.len()).zip(possible);
    let lines = endings.map(|(ending, &possible)| format!("{ending}: {}\n", word(possible)));
    verdict::<Spot>(rules, instance, &lines.collect::<String>()).unwrap()
}

/// Tests the right verdict on a smudged record, and every verdict that differs from it in one ending.
fn smudged(rules: &Rules, instance: &Instance) {
    let right = endings(rules, instance);
    let read = findings(rules, instance, &right);
    assert!(all_closed(&check(rules, instance, &read)), "{rules:?} {instance:?}");
    assert_eq!(read_back::<Spot>(rules, instance, &read), read);
    for i in 0..right.len() {
        let mut wrong = right.clone();
        wrong[i] = !wrong[i];
        let wrong = findings(rules, instance, &wrong);
        assert_eq!(Spot::agree(&wrong, &read), Agreement::Contradict);
        let claims = check(rules, instance, &wrong);
        assert!(claims[i].status.is_failed(), "{rules:?} {instance:?} {claims:?}");
        assert_eq!(claims.iter().filter(|claim| claim.status.is_closed()).count(), right.len() - 1);
    }
}

#[test]
fn verdicts_on_smudged_records_are_decided() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    let tiny = (ENCODING.tiny)(&judge()).filter(|instance| instance.moves().is_none()).step_by(5);
    for instance in tiny {
        let legality = [Legality::Strict, Legality::Lenient][rng.random_range(0..2)];
        let rules =
            Rules { legality, ..rules(GROUPS[rng.random_range(0..4)], STARTS[rng.random_range(0..2)]) };
        smudged(&rules, &instance);
    }
    for seed in 0..12 {
        let instance = generated("smudged", &judge(), &[("unknown", "2")], seed);
        smudged(&judge(), &instance);
        for spec in named("search:fill,sat:toggles,sat:path") {
            let Some(answer) = answer(&spec, &judge(), &instance) else { continue };
            let read = read_back::<Spot>(&judge(), &instance, &answer);
            assert!(all_closed(&check(&judge(), &instance, &read)));
        }
    }
}

/// At a limit, claims for which no completion was found stay open. Proofs close only the claims about refuted endings.
#[test]
fn verdicts_without_work_stay_open() {
    let instance = Instance { n: 3, record: vec![NOTHING; 5] };
    let rules = judge();
    let right = endings(&rules, &instance);
    let status = |answer: &Answer, budget: &mut Budget| -> Vec<String> {
        let claims = Spot::check(&judge(), &instance, answer, &[], budget);
        claims.iter().map(|claim| claim.status.to_string()).collect()
    };
    let all = findings(&judge(), &instance, &[true; 6]);
    assert!(
        status(&all, &mut Budget::of_work(0)).iter().all(|status| status == "open: work limit"),
        "{:?}",
        status(&all, &mut Budget::of_work(0))
    );
    // Some completions are found before the limit. The enumeration gets a quarter of the work.
    let some = status(&all, &mut Budget::of_work(120));
    assert!(
        some.iter().any(|status| status == "recomputed")
            && some.iter().all(|status| !status.starts_with("failed"))
    );
    let read = findings(&judge(), &instance, &right);
    let obligations =
        Spot::FORMULAS.obligations.unwrap()(&rules, &instance, &read, &mut Budget::unlimited()).unwrap();
    assert_eq!(obligations.len(), right.iter().filter(|possible| !**possible).count());
    let proofs = certify::proofs(certify::certify(&obligations, &mut Budget::unlimited()));
    let claims = Spot::check(&judge(), &instance, &read, &proofs, &mut Budget::unlimited());
    let words: Vec<_> = claims.iter().map(|claim| claim.status.word()).collect();
    let expected = right.iter().map(|possible| if *possible { "recomputed" } else { "proved" });
    assert_eq!(words, expected.collect::<Vec<_>>());
    // Too many completions, and too many moves.
    let open = |instance: Instance| {
        let read = findings(&judge(), &instance, &vec![true; instance.record.len() + 1]);
        let claims = check(&judge(), &instance, &read);
        assert!(!any_failed(&claims));
        claims[0].status.to_string()
    };
    let unlimited = Instance { n: 1, record: vec![NOTHING; 1001] };
    assert_eq!(
        open(unlimited),
        "open: records of more than 1000 moves are not enumerated; a witness would close the claim"
    );
}

#[test]
fn what_is_not_a_verdict_is_told() {
    let full = instance(2, &all_games(2, 4)[0]);
    let expected = "expected 'Draw' or 'Player P wins on move M', where P did not make move M";
    for (text, message) in [
        ("", format!("its output is empty; {expected}")),
        ("draw\n", format!("its output, line 1: found 'draw'; {expected}")),
        ("Draw.\n", format!("its output, line 1: found 'Draw.'; {expected}")),
        (
            "Player 2 wins on move 2\n",
            format!("its output, line 1: found 'Player 2 wins on move 2'; {expected}"),
        ),
        (
            "Player 2 wins on move 03\n",
            format!("its output, line 1: found 'Player 2 wins on move 03'; {expected}"),
        ),
        (
            "Player 1 wins on move 0\n",
            format!("its output, line 1: found 'Player 1 wins on move 0'; {expected}"),
        ),
        ("Player 2 wins on move\n", format!("its output, line 1: found 'Player 2 wins on move'; {expected}")),
        ("Draw\nDraw\n", "its output, line 2: found 'Draw'; expected nothing more".to_owned()),
    ] {
        assert_eq!(verdict::<Spot>(&judge(), &full, text).unwrap_err().message(), message, "{text:?}");
    }
    let smudged = Instance { n: 1, record: vec![NOTHING; 2] };
    let [one, two, draw] = ["Player 2 wins on move 1", "Player 1 wins on move 2", "Draw"];
    let expected = |ending| format!("expected '{ending}: possible', '{ending}: refuted' or '{ending}: open'");
    for (text, message) in [
        ("Draw\n".to_owned(), format!("its output, line 1: found 'Draw'; {}", expected(one))),
        (format!("{one}: refuted\n"), format!("its output ends after 1 line; {}", expected(two))),
        (
            format!("{one}: refuted\n{two}: maybe\n"),
            format!("its output, line 2: found '{two}: maybe'; {}", expected(two)),
        ),
        (
            format!("{one}: refuted\n{two}: open\n{draw}: possible\n{draw}: open\n"),
            format!("its output, line 4: found '{draw}: open'; expected nothing more"),
        ),
    ] {
        assert_eq!(verdict::<Spot>(&judge(), &smudged, &text).unwrap_err().message(), message, "{text:?}");
    }
    // An open ending is compatible with every answer.
    let text = format!("{one}: refuted\n{two}: open\n{draw}: possible\n");
    let read = verdict::<Spot>(&judge(), &smudged, &text).unwrap();
    assert_eq!(read, Answer::Smudged(vec![Finding::Refuted, Finding::Open, Finding::Unwitnessed]));
    assert_eq!(judge_text::<Spot>(&smudged, &read), text);
}

/// Formulas of our own encodings, printed as files, decide whether a smudged record can end as a draw, and
/// give the right ending of a complete record.
#[test]
fn printed_formulas_give_the_same_outcomes() {
    let specs = named("sat:toggles/amo=*@*");
    let mut next = 0;
    for legality in [Legality::Strict, Legality::Lenient] {
        for (group, start) in [(Group::C4, Start::Uncounted), (Group::D4, Start::Counted)] {
            let rules = Rules { legality, ..rules(group, start) };
            let tiny = (ENCODING.tiny)(&rules).step_by(7);
            let random = (0..10).map(|round| {
                let mut rng = ChaCha8Rng::seed_from_u64(round);
                (ENCODING.random)(&rules, round, &mut rng).unwrap()
            });
            let complete = (0..4).map(|seed| generated("random", &rules, &[("n", "3")], seed));
            for instance in tiny.chain(random).chain(complete) {
                let spec = &specs[next % specs.len()];
                next += 5;
                let file = printed::<Spot>(&rules, &instance, spec);
                let Outcome::Decided(found) = solve_printed::<Spot>(&rules, &instance, &file, spec) else {
                    panic!("{spec} {instance:?}")
                };
                let ours = solve(spec, &rules, &instance);
                let claims = check(&rules, &instance, &found);
                match &found {
                    Answer::Smudged(findings) => {
                        let (draw, rest) = findings.split_last().unwrap();
                        assert!(rest.iter().all(|finding| *finding == Finding::Open));
                        assert_ne!(*draw, Finding::Open);
                        assert_eq!(Spot::agree(&found, &ours), Agreement::Compatible, "{instance:?}");
                        assert!(claims.last().unwrap().status.is_closed() && !any_failed(&claims));
                    }
                    _ => {
                        assert_eq!(found.ending(), ours.ending(), "{rules:?} {instance:?}");
                        assert!(all_closed(&claims), "{claims:?}");
                    }
                }
            }
        }
    }
    assert!(next > 5 * specs.len());
}

#[test]
fn models_that_are_no_completions_are_refused() {
    let spec = &named("sat:toggles")[0];
    let fails = |instance: &Instance, text: &str| {
        let outcome = solve_printed::<Spot>(&judge(), instance, text.as_bytes(), spec);
        let Outcome::Failed(message) = outcome else { panic!("{outcome:?}") };
        message.strip_prefix("sat:toggles: ").unwrap().to_owned()
    };
    let smudged = Instance { n: 1, record: vec![NOTHING; 2] };
    // On a board of one square, the record decides all toggles. Two squares need variables.
    assert_eq!(fails(&smudged, "c varname 1 toggle step 2 r1c1\np cnf 1 1\n-1 0\n"), {
        "in a model of the formula, move 2 toggles no square"
    });
    let record = [Entry::new(Some(1), Some(1), Some(Sign::Place)), Entry::new(Some(1), None, None)];
    let smudged = Instance { n: 2, record: record.to_vec() };
    assert_eq!(fails(&smudged, "c varname 1 toggle step 2 r1c1\np cnf 1 0\n"), {
        "no variable of the formula is called 'toggle step 2 r2c1'; the most similar name is 'toggle step 2 r1c1'"
    });
    let names = "c varname 1 toggle step 2 r1c1\nc varname 2 toggle step 2 r2c1\n";
    assert_eq!(fails(&smudged, &format!("{names}p cnf 2 2\n1 0\n2 0\n")), {
        "in a model of the formula, move 2 toggles both r1c1 and r2c1"
    });
    // A complete record: other moves than the record's, and no model although the game is a draw.
    let rules = Rules { limit: MoveLimit::None, ..judge() };
    let full = Instance { n: 2, record: vec![Entry::new(Some(1), Some(1), Some(Sign::Place))] };
    assert_eq!(repeat(&rules, &full), None);
    let names = "c varname 1 toggle step 1 r1c1\nc varname 2 toggle step 1 r1c2\nc varname 3 x\n";
    assert_eq!(fails(&full, &format!("{names}p cnf 3 2\n-1 0\n2 0\n")), {
        "in a model of the formula, move 1 is '2 1 +', but the record says '1 1 +'"
    });
    assert_eq!(fails(&full, "p cnf 0 1\n0\n"), {
        "the formula has no model, so some move would be a repeat, but none is"
    });
    let found = solve_printed::<Spot>(&rules, &full, b"p cnf 0 0\n", spec);
    assert!(matches!(found, Outcome::Decided(Answer::Draw)), "{found:?}");
    // `path` has no variables for toggles.
    let path = &named("sat:path")[0];
    let smudged = Instance { n: 2, record: vec![NOTHING; 4] };
    let outcome = solve_printed::<Spot>(&judge(), &smudged, &printed::<Spot>(&judge(), &smudged, path), path);
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
}

/// What the guide says about Spot: two records whose formulas have the same models, namely none, can end differently. So
/// the formula of the draw does not decide who loses, not even if later moves of a record are made unknown.
#[test]
fn the_formula_of_the_draw_does_not_say_who_loses() {
    let [place, take] =
        [Sign::Place, Sign::Take].map(|sign| move |x: u32, y: u32| Entry::new(Some(x), Some(y), Some(sign)));
    let spec = &named("sat:toggles")[0];
    for (record, only) in [
        // After two moves without a repeat, the board is empty, so move 3 is a repeat.
        (vec![place(1, 1), take(1, 1), NOTHING, NOTHING], 3),
        (vec![place(1, 1), place(2, 1), place(1, 2), Entry::new(Some(1), Some(2), None)], 4),
    ] {
        let instance = Instance { n: 2, record };
        let possible = endings(&judge(), &instance);
        assert!(
            (1..=5).zip(&possible).all(|(ending, possible)| *possible == (ending == only)),
            "{possible:?}"
        );
        let file = printed::<Spot>(&judge(), &instance, spec);
        let outcome = solve_printed::<Spot>(&judge(), &instance, &file, spec);
        let Outcome::Decided(Answer::Smudged(found)) = outcome else { panic!("{outcome:?}") };
        let expected = [vec![Finding::Open; 4], vec![Finding::Refuted]].concat();
        assert_eq!(found, expected, "{instance:?}");
    }
}

/// Every fault of the encoder in Python leads to a failure or to a failed claim.
#[test]
fn faulty_encoders_are_found() {
    let spec = &named("sat:toggles")[0];
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut records: Vec<Instance> = (ENCODING.tiny)(&judge()).collect();
    records = records.into_iter().step_by(97).collect();
    records.extend((0..24).map(|round| (ENCODING.random)(&judge(), round, &mut rng).unwrap()));
    records.extend((0..2).map(|seed| generated("mirror", &judge(), &[("n", "4")], seed)));
    // Move 5 repeats the board after move 1, and no two boards that are nearer to each other are equal.
    let moves = [
        (1, 1, Sign::Place),
        (2, 2, Sign::Place),
        (2, 1, Sign::Place),
        (2, 2, Sign::Take),
        (2, 1, Sign::Take),
        (1, 1, Sign::Take),
    ];
    let record = moves.map(|(x, y, sign)| Entry::new(Some(x), Some(y), Some(sign)));
    records.push(Instance { n: 3, record: record.to_vec() });
    for fault in ["", "any", "signs", "no-turns", "half", "mirror", "start", "near"] {
        let is_wrong = |instance: &Instance| {
            let input = Spot::write_instance(&judge(), instance);
            let outcome = match encoder("spot", fault, &input)? {
                Ok(text) => solve_printed::<Spot>(&judge(), instance, &text, spec),
                Err(message) => Outcome::Failed(message),
            };
            Some(match outcome {
                Outcome::Decided(answer) => any_failed(&check(&judge(), instance, &answer)),
                Outcome::Failed(_) => true,
                other => panic!("{other:?}"),
            })
        };
        let mut answers = records.iter().map_while(is_wrong);
        let Some(first) = answers.next() else { return };
        assert_eq!(first || answers.any(|wrong| wrong), !fault.is_empty(), "{fault}");
    }
}
