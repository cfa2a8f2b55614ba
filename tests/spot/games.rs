//! The questions `longest` and `rules`: results are compared with bounds, with checkers, with the judge, and with each
//! other.

use counterpoint::board::Group;
use counterpoint::claim::{Status, all_closed, any_failed};
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::problem::{Param, Params, StudyRequest};
use counterpoint::problems::spot::check::study::check;
use counterpoint::problems::spot::study::differ::{Program, shortest};
use counterpoint::problems::spot::study::implicit::ImplicitGraph;
use counterpoint::problems::spot::study::tour::tour;
use counterpoint::problems::spot::study::{differ_sat, longest, rivals};
use counterpoint::problems::spot::{Entry, Instance, Legality, MoveLimit, Rules, Start, formula, sat};
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;
use counterpoint::study::{Row, StudyError, StudyOutput};
use petgraph::graph::NodeIndex;
use petgraph::visit::{IntoNeighbors, NodeCount};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const GROUPS: [Group; 4] = [Group::C4, Group::D4, Group::C2, Group::Trivial];

/// The output of a study.
#[derive(Default)]
struct Output {
    rows: Vec<Row>,
    notes: Vec<String>,
    certificate: Map<String, Value>,
}

impl StudyOutput for Output {
    fn row(&mut self, row: Row) {
        self.rows.push(row);
    }
    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }
    fn file(&mut self, _: &str, contents: &dyn Fn() -> Vec<u8>) {
        self.certificate = serde_json::from_slice(&contents()).unwrap();
    }
}

type StudyFn =
    fn(&StudyRequest<'_, Rules, Instance>, &mut Budget, &mut dyn StudyOutput) -> Result<(), StudyError>;

fn ask(ask: StudyFn, known: &[Param], rules: &Rules, given: &[(&str, u32)]) -> Output {
    let given: Vec<(String, String)> = given.iter().map(|(k, v)| ((*k).to_owned(), v.to_string())).collect();
    let params = Params::new(known, &given).unwrap();
    let mut output = Output::default();
    ask(&StudyRequest { rules, params: &params, instance: None }, &mut Budget::unlimited(), &mut output)
        .unwrap();
    output
}

fn rules(group: Group, start: Start, limit: MoveLimit) -> Rules {
    Rules { group, start, limit, legality: Legality::Strict }
}

fn verdict(question: &str, map: &Map<String, Value>) -> &'static str {
    match check(question, map, &mut Budget::unlimited()) {
        Err(_) => "refused",
        Ok(claims) if all_closed(&claims) => "checked",
        Ok(claims) if any_failed(&claims) => "failed",
        Ok(_) => "open",
    }
}

#[test]
fn hamiltonian_cycles_visit_every_class_once() {
    for group in GROUPS {
        let graph = ImplicitGraph::new(3, group).unwrap();
        let tour = tour(&graph, 9, &mut |_| (), &mut Budget::unlimited()).unwrap().unwrap();
        assert_eq!(tour.iter().collect::<BTreeSet<_>>().len(), graph.node_count(), "{group:?}");
        assert_eq!((tour[0], tour.len()), (0, graph.node_count()));
        for (&a, &b) in tour.iter().zip(tour.iter().cycle().skip(1)) {
            let (a, b) = (NodeIndex::new(a as usize), NodeIndex::new(b as usize));
            assert!((&graph).neighbors(a).any(|near| near == b), "{group:?}");
        }
    }
}

#[test]
fn longest_games_meet_their_bound() {
    for (n, group, start, moves) in [
        (1, Group::C4, Start::Counted, 1),
        (1, Group::C4, Start::Uncounted, 2),
        (2, Group::C4, Start::Counted, 4),
        (2, Group::D4, Start::Uncounted, 4),
        (3, Group::C4, Start::Counted, 139),
        (3, Group::C4, Start::Uncounted, 140),
        (3, Group::D4, Start::Counted, 101),
        (3, Group::D4, Start::Uncounted, 102),
        (3, Group::C2, Start::Uncounted, 272),
        (4, Group::C4, Start::Counted, 16_384),
        (4, Group::C4, Start::Uncounted, 16_384),
        (4, Group::D4, Start::Counted, 8_448),
        (4, Group::D4, Start::Uncounted, 8_448),
        (4, Group::Trivial, Start::Counted, 65_535),
    ] {
        let output = ask(longest::run, longest::PARAMS, &rules(group, start, MoveLimit::None), &[("n", n)]);
        let bounds = [&output.rows[0]["at least"], &output.rows[0]["at most"]];
        assert_eq!(bounds, [&json!(moves); 2], "{n} {group:?} {start:?}");
        assert_eq!(verdict("longest", &output.certificate), "checked", "{n} {group:?} {start:?}");
    }
}

#[test]
fn sat_agrees_on_short_lengths() {
    for (n, length) in [(2, 4), (3, 12)] {
        let rules = rules(Group::C4, Start::Counted, MoveLimit::None);
        let output = ask(longest::run, longest::PARAMS, &rules, &[("n", n), ("length", length)]);
        assert_eq!(output.rows.len(), 4);
        output.rows[1..].iter().for_each(|row| assert_eq!(row["at least"], json!(length), "{n} {row:?}"));
    }
    // Beyond the upper bound, the study does not call SAT. Called directly, SAT finds no such game, either.
    for start in [Start::Counted, Start::Uncounted] {
        let rules = rules(Group::C4, start, MoveLimit::None);
        let output = ask(longest::run, longest::PARAMS, &rules, &[("n", 2), ("length", 5)]);
        assert_eq!((output.rows.len(), &output.rows[0]["at most"]), (1, &json!(4)), "{start:?}");
        let encodings = "sat:toggles,sat:toggles/distinct=lazy,sat:path";
        let engines = [formula::TOGGLES, formula::PATH];
        let instance = Instance { n: 2, record: vec![Entry::UNKNOWN; 5] };
        for spec in spec::resolve(&engines, &SolverRegistry::built_in(), encodings).unwrap() {
            let game = sat::find_draw(&rules, &instance, &spec, &mut Budget::unlimited());
            assert_eq!(game, Outcome::Decided(None), "{spec} {start:?}");
        }
    }
}

#[test]
fn search_and_sat_find_games_of_the_same_length() {
    for n in 1..=3 {
        for start in [Start::Counted, Start::Uncounted] {
            let mut programs: Vec<Program> =
                GROUPS.iter().map(|&group| Program::of(group, start, group.name().to_owned())).collect();
            programs.push(Program::with_one_mirror(start));
            programs.push(Program::of(Group::C4, Start::Counted, "counted".to_owned()));
            for (i, one) in programs.iter().enumerate() {
                for other in &programs[..i] {
                    let most = 2 * n as usize;
                    let mut budget = Budget::unlimited();
                    let search = shortest(n, [one, other], most, &mut budget).unwrap();
                    let sat = differ_sat::shortest(n, [one, other], most, &mut budget).unwrap();
                    let name = format!("{n} {} {}", one.name, other.name);
                    assert_eq!(search.as_ref().map(Vec::len), sat.as_ref().map(Vec::len), "{name}");
                    if one.maps == other.maps && one.start == other.start {
                        assert_eq!(search, None, "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn games_that_distinguish_programs_are_checked() {
    let judge = rules(Group::C4, Start::Uncounted, MoveLimit::TwiceN);
    for n in [2, 3] {
        let output = ask(rivals::run, rivals::PARAMS, &judge, &[("n", n)]);
        assert_eq!(output.rows.len(), 10);
        for pair in output.rows.chunks(2) {
            assert_eq!(pair[0]["differ at move"], pair[1]["differ at move"], "search and SAT should agree");
            assert!(pair[0]["answer"] != pair[0]["other answer"] || pair[0]["answer"] == Value::Null);
        }
        assert_eq!(verdict("rules", &output.certificate), "checked", "{n}");
        // The judge prints the answer that the row contains.
        for (row, note) in
            output.rows.iter().step_by(2).filter(|row| !row["answer"].is_null()).zip(&output.notes)
        {
            let input = note.split_once('\n').unwrap().1;
            assert_eq!(referee(input, "c4", "uncounted"), row["answer"].as_str().unwrap());
            if let Some((group, start)) = row["in their place"].as_str().unwrap().split_once(", start ") {
                assert_eq!(referee(input, group, start), row["other answer"].as_str().unwrap());
            }
        }
    }
}

/// The judge's answer to one game.
fn referee(input: &str, group: &str, start: &str) -> String {
    use counterpoint::{rules::Settings, solver::SolverRegistry, spec};
    let registry = counterpoint::standard();
    let problem = registry.find("spot").unwrap();
    let given = [("symmetry".to_owned(), group.to_owned()), ("start".to_owned(), start.to_owned())];
    let settings = Settings::new(problem.rules(), &given, &|name| Err(name.into())).unwrap();
    let engine =
        spec::resolve(problem.engines(), &SolverRegistry::built_in(), "search:rotate-all").unwrap().remove(0);
    let warnings = counterpoint::input::Warnings::default();
    let source = counterpoint::input::Source::from_text("game", input);
    let mut instances = problem.open(&settings, source, &warnings).unwrap();
    let case = instances.next().unwrap().unwrap();
    let reply = case.solve(&engine, &mut Budget::unlimited()).answer().unwrap();
    String::from_utf8(reply.judge_text(1)).unwrap().trim_end().to_owned()
}

#[test]
fn forged_certificates_fail() {
    let long =
        ask(longest::run, longest::PARAMS, &rules(Group::C4, Start::Counted, MoveLimit::None), &[("n", 3)]);
    let distinguishing =
        ask(rivals::run, rivals::PARAMS, &rules(Group::C4, Start::Uncounted, MoveLimit::TwiceN), &[("n", 3)]);
    let (long, distinguishing) = (long.certificate, distinguishing.certificate);
    let moves = long["moves"].as_str().unwrap();
    let without_one_program = &distinguishing["games"].as_array().unwrap()[1..];
    for (question, map, key, forged, expected) in [
        ("longest", &long, "at_least", json!(138), "failed"),
        ("longest", &long, "at_most", json!(138), "failed"),
        ("longest", &long, "at_most", json!(140), "checked"),
        ("longest", &long, "symmetry", json!("d4"), "failed"),
        ("longest", &long, "symmetry", json!("c5"), "refused"),
        ("longest", &long, "n", json!(6), "refused"),
        ("longest", &long, "moves", json!(moves.replace(&moves[3..4], "z")), "failed"),
        (
            "longest",
            &long,
            "moves",
            json!(format!("{}{}", &moves[..137], &moves[137..138].repeat(2))),
            "failed",
        ),
        ("longest", &long, "moves", json!([1]), "refused"),
        ("rules", &distinguishing, "limit", json!(1), "refused"),
        // A program that never repeats needs a game of any length, and so would the enumeration of shorter ones.
        (
            "rules",
            &distinguishing,
            "games",
            json!([{"program": "trivial, start uncounted", "squares": vec![0; 20_000]}]),
            "refused",
        ),
        ("rules", &distinguishing, "games", json!([]), "refused"),
        ("rules", &distinguishing, "games", json!(without_one_program), "failed"),
        ("rules", &distinguishing, "games", json!([{"program": "d4", "squares": [0]}]), "refused"),
        (
            "rules",
            &distinguishing,
            "games",
            json!([{"program": "d4, start uncounted", "squares": [0]}]),
            "failed",
        ),
        (
            "rules",
            &distinguishing,
            "games",
            json!([{"program": "d4, start uncounted", "squares": [9]}]),
            "refused",
        ),
        (
            "rules",
            &distinguishing,
            "games",
            json!([{"program": "d4, start uncounted", "squares": []}]),
            "failed",
        ),
        (
            "rules",
            &distinguishing,
            "games",
            json!([{"program": "c2, start uncounted", "squares": [4, 0, 4, 0, 1]}]),
            "failed",
        ),
    ] {
        let mut changed = map.clone();
        changed.insert(key.to_owned(), forged.clone());
        assert_eq!(verdict(question, &changed), expected, "{question} {key} {forged}");
    }
}

/// Each move of a game is compared with all earlier boards, so limits are tested for each.
#[test]
fn limits_end_a_check_within_a_game() {
    // No board of the game repeats an earlier one: each move is the next one of a Gray code.
    let squares: Vec<u32> = (1..=400u32).map(u32::trailing_zeros).collect();
    let game = json!({"program": "trivial, start counted", "squares": squares});
    let certificate = json!({
        "problem": "spot", "question": "rules", "version": 1, "n": 8, "symmetry": "c4", "start": "uncounted",
        "limit": 400, "games": vec![game; 50],
    });
    let polls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&polls);
    let stop = move || (count.fetch_add(1, Ordering::Relaxed) >= 3).then_some(Limit::Cpu);
    let budget = &mut Budget::new(None, Arc::new(stop));
    let claims = check("rules", certificate.as_object().unwrap(), budget).unwrap();
    let replayed = claims.iter().filter(|claim| claim.text.contains("is the first that distinguishes"));
    let statuses: Vec<&Status> = replayed.map(|claim| &claim.status).collect();
    assert_eq!(statuses, [&Status::Open(Limit::Cpu.to_string()); 50]);
    assert!(polls.load(Ordering::Relaxed) >= 50, "no game is left out");
}
