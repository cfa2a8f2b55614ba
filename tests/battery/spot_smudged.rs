//! Smudged records: every engine against brute force, certificates of refutations, and forged answers.

use crate::samples::samples;
use crate::spot_brute::*;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint::board::{Group, Symmetry};
use counterpoint::certify::{Certificate, certify, proofs};
use counterpoint::claim::{all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Agreement, Engine, Params, Problem};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Finding};
use counterpoint::problems::spot::check;
use counterpoint::problems::spot::{Entry, Instance, Legality, MoveLimit, Rules, Sign, Start};
use counterpoint::proof::{Drat, Proof};
use counterpoint::spec::EngineSpec;
use counterpoint_encodings::{Cnf, Sink};
use rand::RngExt;
use serde_json::{Value, json};
use std::ops::Range;

const NOTHING: Entry = Entry::UNKNOWN;

/// All entries for a board of side `n`, with unknown parts and without.
fn all_entries(n: u32) -> Vec<Entry> {
    let coordinates: Vec<_> = [None].into_iter().chain((1..=n).map(Some)).collect();
    let mut entries = Vec::new();
    for &x in &coordinates {
        for &y in &coordinates {
            for sign in [None, Some(Sign::Place), Some(Sign::Take)] {
                entries.push(Entry::new(x, y, sign));
            }
        }
    }
    entries
}

fn compare(specs: &[EngineSpec], rules: &Rules, instance: &Instance) {
    let expected = endings(rules, instance);
    for spec in specs {
        let Some(answer) = answer(spec, rules, instance) else { continue };
        assert_eq!(possible_of(&answer), expected, "{spec} {rules:?} {instance:?}");
        let claims = check(rules, instance, &answer);
        assert!(all_closed(&claims), "{spec} {rules:?} {instance:?} {claims:?}");
    }
}

#[test]
fn small_records_on_2x2() {
    let entries = all_entries(2);
    let two = entries.iter().flat_map(|&a| entries.iter().map(move |&b| vec![a, b]));
    let limit = MoveLimit::None;
    let engines = named("search:fill,sat:toggles/distinct=*,sat:path/once=*");
    for (i, record) in two.enumerate() {
        let instance = Instance { n: 2, record };
        if instance.moves().is_some() {
            continue;
        }
        for legality in [Legality::Strict, Legality::Lenient] {
            let rules = Rules { group: GROUPS[i % 4], start: STARTS[i / 4 % 2], limit, legality };
            compare(&engines, &rules, &instance);
        }
    }
}

#[test]
fn random_records_of_up_to_3x3_under_all_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for round in 0..samples(40) as u32 {
        let n = 1 + round % 3;
        let entries = all_entries(n);
        let mut record: Vec<_> = (0..2 * n).map(|_| entries[rng.random_range(0..entries.len())]).collect();
        // In about two of three entries, the sign becomes unknown, so that few records are refuted immediately.
        for entry in &mut record {
            if rng.random_range(0..3) > 0 {
                *entry = Entry::new(entry.x(), entry.y(), None);
            }
        }
        record[rng.random_range(0..2 * n as usize)] = NOTHING;
        let rules = Rules {
            group: GROUPS[rng.random_range(0..4)],
            start: STARTS[rng.random_range(0..2)],
            limit: MoveLimit::TwiceN,
            legality: [Legality::Strict, Legality::Lenient][rng.random_range(0..2)],
        };
        compare(&specs(), &rules, &Instance { n, record });
    }
}

/// Engines for complete records reject smudged ones; the others reject records that are too large. Each says why.
#[test]
fn unsupported_records_are_refused_with_a_reason() {
    let rules = rules(Group::C4, Start::Uncounted);
    let reasons = |n, moves, which: Range<usize>| -> Vec<_> {
        let instance = Instance { n, record: vec![NOTHING; moves] };
        let engines = Spot::ENGINES[which].iter();
        let supports = |e: &Engine<Spot>| (e.supports)(&rules, &instance, &EngineSpec::default_of(&e.info));
        engines.map(|e| supports(e).err().map_or(String::new(), String::from)).collect()
    };
    let complete = "move 1 is unknown, and this engine supports only known moves";
    assert_eq!(reasons(3, 6, 0..6), [complete, complete, complete, "", "", ""]);
    let large = [
        "",
        "the formula may have 2046805 clauses; the limit is 2000000; distinct=lazy adds only those that it needs",
        "bitboards support boards of 1 to 8 squares a side, not 50",
    ];
    assert_eq!(reasons(50, 100, 3..6), large);
    assert_eq!(reasons(3, 5_001, 3..4), ["the record has 5001 moves; this engine supports up to 5000"]);
}

/// On 2×2, the longest game without a repeat has 4 moves, whether the start counts or not.
#[test]
fn the_longest_game_on_2x2() {
    let longest = |spec: &EngineSpec, start, group| {
        let limit = MoveLimit::None;
        let rules = Rules { limit, ..rules(group, start) };
        let draw = |moves: &usize| {
            let instance = Instance { n: 2, record: vec![NOTHING; *moves] };
            *possible_of(&solve(spec, &rules, &instance)).last().unwrap()
        };
        (1..=12).take_while(draw).last().unwrap()
    };
    for spec in specs().iter().filter(|c| ["fill", "toggles", "path"].contains(&c.name)) {
        assert_eq!(longest(spec, Start::Counted, Group::C4), 4, "{spec}");
        assert_eq!(longest(spec, Start::Uncounted, Group::C4), 4, "{spec}");
    }
}

#[test]
fn refutations_are_certified() {
    let (mut seen, mut failed) = (0, 0);
    for (rules, record) in [
        (rules(Group::C4, Start::Uncounted), vec![NOTHING; 4]),
        (rules(Group::D4, Start::Counted), vec![NOTHING; 6]),
        (
            Rules { legality: Legality::Lenient, ..rules(Group::C4, Start::Uncounted) },
            vec![Entry::new(Some(1), Some(1), Some(Sign::Take)), NOTHING, NOTHING, NOTHING],
        ),
    ] {
        let instance = Instance { n: 2, record };
        let sat = specs().into_iter().find(|c| c.name == "toggles").unwrap();
        let answer = solve(&sat, &rules, &instance);
        let obligations = check::obligations(&rules, &instance, &answer);
        assert_eq!(obligations.len(), possible_of(&answer).iter().filter(|p| !**p).count());
        let certificates = certify(&obligations, &mut Budget::unlimited());
        assert!(certificates.iter().all(|c| matches!(c, Certificate::Proof(_))));
        let proofs = proofs(certificates);
        let claims = Spot::check(&rules, &instance, &answer, &proofs, &mut Budget::of_work(0));
        let proved = claims.iter().filter(|c| c.status.word() == "proved").count();
        assert_eq!(proved, obligations.len());
        seen += proved;
        // A wrong proof makes its claim fail, even if the checker could recompute the claim.
        let broken: Vec<_> = proofs.into_iter().map(|p| Proof::new(p.claim, Drat::from(""))).collect();
        let claims = Spot::check(&rules, &instance, &answer, &broken, &mut Budget::unlimited());
        failed += claims.iter().filter(|c| c.status.is_failed()).count();
    }
    // Unit propagation alone refutes the formulas of the other four claims, so the empty proof is correct for them.
    assert_eq!((seen, failed), (7, 3));
}

#[test]
fn random_refutations_on_3x3_are_certified() {
    let family = Spot::FAMILIES.iter().find(|f| f.name == "smudged").unwrap();
    let params = Params::new(family.params, &[("unknown".into(), "2".into())]).unwrap();
    let rules = rules(Group::C4, Start::Counted);
    for seed in 0..8 {
        let instance = (family.make)(&rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
        let sat = specs().into_iter().find(|c| c.name == "toggles").unwrap();
        let answer = solve(&sat, &rules, &instance);
        let obligations = check::obligations(&rules, &instance, &answer);
        let proofs = proofs(certify(&obligations, &mut Budget::unlimited()));
        let claims = Spot::check(&rules, &instance, &answer, &proofs, &mut Budget::unlimited());
        assert!(all_closed(&claims));
        assert!(claims.iter().all(|c| ["witness", "proved"].contains(&c.status.word())), "{claims:?}");
    }
}

/// The checker's plain formula for an ending is satisfiable if and only if the ending is possible.
#[test]
fn plain_formulas_are_satisfiable_iff_an_ending_is_possible() {
    let rules = rules(Group::C4, Start::Uncounted);
    let instance = Instance { n: 2, record: vec![NOTHING; 4] };
    let all_refuted = Answer::Smudged(vec![Finding::Refuted; 5]);
    let obligations = check::obligations(&rules, &instance, &all_refuted);
    let certificates = certify(&obligations, &mut Budget::unlimited());
    for (certificate, possible) in certificates.iter().zip(endings(&rules, &instance)) {
        assert_eq!(matches!(certificate, Certificate::Satisfiable(_)), possible);
    }
}

#[test]
fn a_spent_budget_leaves_endings_open() {
    let rules = rules(Group::C4, Start::Uncounted);
    let instance = Instance { n: 3, record: vec![NOTHING; 6] };
    let fill = specs().into_iter().find(|c| c.name == "fill").unwrap();
    let outcome = (engine(&fill).start)()(&rules, &instance, &fill, &mut Budget::of_work(5));
    let Outcome::GaveUp(_, Some(answer)) = outcome else { panic!("{outcome:?}") };
    let words = |answer: &Answer| match answer {
        Answer::Smudged(findings) => findings.iter().map(Finding::word).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    assert!(words(&answer).contains(&"open") && words(&answer).contains(&"possible"), "{answer:?}");
    let claims = check(&rules, &instance, &answer);
    assert!(!all_closed(&claims) && !any_failed(&claims));
    let whole = solve(&fill, &rules, &instance);
    assert_eq!(Spot::agree(&answer, &whole), Agreement::Compatible);
    assert_eq!(Spot::agree(&whole, &whole), Agreement::Same);
    // The checker's counting arguments and its enumeration obey its budget, too.
    let claims = Spot::check(&rules, &instance, &whole, &[], &mut Budget::of_work(3));
    assert!(!all_closed(&claims) && !any_failed(&claims), "{claims:?}");
}

/// Whatever the work limit is, a solver stops at it without an error, and reports the same work each time.
#[test]
fn solvers_stop_at_any_limit() {
    let rules = Rules { limit: MoveLimit::None, ..rules(Group::C4, Start::Counted) };
    let instance = Instance { n: 3, record: vec![NOTHING; 40] };
    for spec in specs().iter().filter(|c| c.name == "toggles") {
        for limit in (0..1_000).step_by(125) {
            let run = || {
                let mut budget = Budget::of_work(limit);
                (format!("{:?}", (engine(spec).start)()(&rules, &instance, spec, &mut budget)), budget.work)
            };
            let (outcome, work) = run();
            assert!(outcome.starts_with("GaveUp(Work, Some("), "{spec} {limit} {outcome}");
            assert_eq!((outcome, work), run(), "{spec} {limit}");
        }
    }
}

#[test]
fn forged_smudged_answers_are_refused() {
    let rules = rules(Group::C4, Start::Uncounted);
    let instance = Instance { n: 2, record: vec![NOTHING; 4] };
    let fill = specs().into_iter().find(|c| c.name == "fill").unwrap();
    let answer = solve(&fill, &rules, &instance);
    let Answer::Smudged(findings) = &answer else { panic!() };
    let forge = |change: &dyn Fn(&mut Vec<Finding>)| {
        let mut forged = findings.clone();
        change(&mut forged);
        assert_ne!(&forged, findings);
        let claims = check(&rules, &instance, &Answer::Smudged(forged));
        assert!(any_failed(&claims), "{claims:?}");
    };
    let i = findings.iter().position(|f| matches!(f, Finding::Possible(_))).unwrap();
    let refuted = findings.iter().position(|f| matches!(f, Finding::Refuted)).unwrap();
    let Finding::Possible(witness) = findings[i].clone() else { panic!() };
    forge(&|f| f[i] = Finding::Refuted);
    forge(&|f| f[refuted] = Finding::Possible(witness.clone()));
    forge(&|f| f[i] = Finding::Possible(Vec::new()));
    forge(&|f| f[i] = Finding::Possible(witness.iter().copied().chain(witness.iter().copied()).collect()));
    forge(&|f| {
        f[i] = Finding::Possible(
            witness
                .iter()
                .map(|m| {
                    let mut m = *m;
                    m.cell.row = u32::MAX;
                    m
                })
                .collect(),
        )
    });
    forge(&|f| f[i] = Finding::Possible(vec![witness[0]; witness.len()]));
    forge(&|f| f.clear());
    forge(&|f| f.push(Finding::Refuted));
    for wrong in [Answer::Draw, Answer::Repeat { mv: 3, earlier: 1, symmetry: ID }] {
        assert!(any_failed(&check(&rules, &instance, &wrong)));
    }
    let json = Value::Object(Spot::to_json(&instance, &answer));
    let parse = |json: &Value| Spot::from_json(&instance, json.as_object().unwrap());
    assert_eq!(parse(&json).unwrap(), answer);
    for (pointer, value, message) in [
        ("/outcomes", json!([]), "\"outcomes\" has 0 members; expected 5"),
        ("/outcomes/0/move", json!(2), "the entry for 'Player 2 wins on move 1' names a different outcome"),
        ("/outcomes/0/winner", json!(1), "the entry for 'Player 2 wins on move 1' names a different outcome"),
        (
            "/outcomes/4/status",
            json!("maybe"),
            "\"status\" of 'Draw' is not \"possible\", \"refuted\" or \"open\"",
        ),
        ("/outcomes/4", json!(7), "the entry for 'Draw' is not an object"),
        (
            "/outcomes/4/witness",
            json!(["1 3 +"]),
            "\"witness\" of 'Draw' is not a list of moves on the board such as \"1 2 +\"",
        ),
        (
            "/outcomes/4/witness",
            json!(["0 1 +"]),
            "\"witness\" of 'Draw' is not a list of moves on the board such as \"1 2 +\"",
        ),
        (
            "/outcomes/4/witness",
            json!(["99999999999999 1 +"]),
            "\"witness\" of 'Draw' is not a list of moves on the board such as \"1 2 +\"",
        ),
        ("/outcome", json!("yes"), "\"outcome\" is not \"repeat\", \"draw\" or \"smudged\""),
    ] {
        let mut forged = json.clone();
        *forged.pointer_mut(pointer).unwrap() = value;
        assert_eq!(parse(&forged).unwrap_err(), message);
    }
}

const ID: Symmetry = Symmetry { turns: 0, mirrored: false };

#[test]
fn forged_answers_to_complete_records_are_refused() {
    // A game in which move 3 repeats the board after move 1.
    let game = all_games(2, 4)
        .into_iter()
        .find(|m| first_repeat(&rules(Group::C4, Start::Uncounted), 2, m) == Some(3));
    let (uncounted, game) = (rules(Group::C4, Start::Uncounted), instance(2, &game.unwrap()));
    let right = solve(&specs()[0], &uncounted, &game);
    let Answer::Repeat { mv, earlier, symmetry } = right else { panic!() };
    assert!(all_closed(&check(&uncounted, &game, &right)));
    let bad = |answer: Answer| {
        assert!(any_failed(&check(&uncounted, &game, &answer)), "{answer:?}");
        assert!(matches!(Spot::agree(&right, &answer), Agreement::Contradict | Agreement::Same));
    };
    bad(Answer::Draw);
    bad(Answer::Smudged(vec![Finding::Open; 5]));
    for turns in (0..4).filter(|&t| t != symmetry.turns) {
        bad(Answer::Repeat { mv, earlier, symmetry: Symmetry { turns, ..symmetry } });
    }
    for turns in 0..4 {
        bad(Answer::Repeat { mv, earlier, symmetry: Symmetry { turns, mirrored: true } });
    }
    for (mv, earlier) in
        [(0, 0), (3, 0), (3, 2), (3, 3), (3, 9), (4, 2), (4, 3), (5, 1), (usize::MAX, 1), (1, usize::MAX)]
    {
        bad(Answer::Repeat { mv, earlier, symmetry });
    }
    let parse = |json: Value| Spot::from_json(&game, json.as_object().unwrap());
    let json = Value::Object(Spot::to_json(&game, &right));
    assert_eq!(parse(json.clone()).unwrap(), right);
    for (pointer, value, message) in [
        ("/move", json!(0), "\"move\" is not a number from 1 to 4"),
        ("/move", json!(5), "\"move\" is not a number from 1 to 4"),
        ("/move", json!(-1), "\"move\" is not a number from 1 to 4"),
        ("/move", json!(1e300), "\"move\" is not a number from 1 to 4"),
        ("/winner", json!(1), "\"winner\" is not 2; player 1 makes move 3 and loses"),
        ("/earlier", json!(3), "\"earlier\" is not a number from 0 to 2"),
        (
            "/symmetry",
            json!({"turns": 4, "mirrored": false}),
            "\"symmetry\" is not {\"turns\": 0 to 3, \"mirrored\": true or false}",
        ),
        ("/symmetry", json!(null), "\"symmetry\" is not {\"turns\": 0 to 3, \"mirrored\": true or false}"),
    ] {
        let mut forged = json.clone();
        *forged.pointer_mut(pointer).unwrap() = value;
        assert_eq!(parse(forged).unwrap_err(), message);
    }
    // The reader would reject this record, because it has an illegal move before its end.
    let mut illegal = game.clone();
    illegal.record[1] = illegal.record[0];
    assert!(any_failed(&check(&uncounted, &illegal, &Answer::Draw)));
}

/// The formula says that no move repeats a board. Its size and the names of its variables are as expected.
#[test]
fn the_formula_of_the_base_question() {
    let rules = rules(Group::C4, Start::Counted);
    let sat = specs().into_iter().find(|c| c.name == "toggles").unwrap();
    let write = |instance: &Instance, sink: &mut dyn Sink| {
        (engine(&sat).formula.unwrap())(&rules, instance, &sat, sink).unwrap();
    };
    let instance = Instance { n: 2, record: vec![NOTHING; 4] };
    let mut cnf = Cnf::default();
    write(&instance, &mut cnf);
    let names: Vec<_> = cnf.names().iter().map(|(_, name)| name.as_str()).collect();
    for name in
        ["toggle step 1 r1c1", "toggle step 4 r2c2", "spot step 3 r1c2", "differ step 3 step 1 turns 1 r1c1"]
    {
        assert!(names.contains(&name), "{name} {names:?}");
    }
    // The variables of toggle 1 also describe the board after step 1. Each later board adds four variables and sixteen
    // clauses.
    let (steps, toggles, spots) = (4, 16, 12);
    let exactly_one = steps * (1 + 6);
    // Only boards an even number of steps apart can be equal. For each pair and symmetry, one clause says that they
    // differ. For the steps 1 and 3, and 2 and 4, each of these clauses needs four new variables.
    let (differ, distinct) = (2 * 4 * 4, 4 * 4);
    assert_eq!(cnf.n_vars(), toggles + spots + differ);
    assert_eq!(cnf.clauses().len() as u32, exactly_one + 4 * spots + 2 * differ + distinct);
    // The formula of a complete record has no variables. It has the empty clause iff a move repeats a board.
    let games = all_games(2, 4);
    let empty = |moves| {
        let mut cnf = Cnf::default();
        write(&crate::spot_brute::instance(2, moves), &mut cnf);
        assert_eq!(cnf.n_vars(), 0);
        cnf.clauses().len()
    };
    assert!(games.iter().all(|moves| (empty(moves) > 0) == first_repeat(&rules, 2, moves).is_some()));
}
