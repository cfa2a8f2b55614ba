//! Spot's SAT encodings, with every value of every axis: their answers against brute force and search, and their
//! formulas.

use crate::samples::samples;
use crate::spot_brute::*;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint::board::{Cell, Group};
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Limit, Outcome, Work};
use counterpoint::problem::{Agreement, Assignment, ModelKind, Problem};
use counterpoint::problems::spot::Sign::{Place, Take};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Finding};
use counterpoint::problems::spot::{Entry, Instance, Legality, Move, MoveLimit, Rules, Start};
use counterpoint_encodings::{Lit, Sink, Tally, Var};
use rand::RngExt;
use std::collections::BTreeSet;
use std::fmt;
use varisat::ExtendFormula;

const NOTHING: Entry = Entry::UNKNOWN;

fn random_rules(rng: &mut ChaCha8Rng) -> Rules {
    Rules {
        group: GROUPS[rng.random_range(0..4)],
        start: STARTS[rng.random_range(0..2)],
        limit: MoveLimit::None,
        legality: [Legality::Strict, Legality::Strict, Legality::Lenient][rng.random_range(0..3)],
    }
}

/// A record of moves, about one in fifty of them illegal. Each part of a move is unknown with probability `unknown`.
/// If all moves are known, an unknown one is appended.
fn random_record(rng: &mut ChaCha8Rng, n: u32, length: usize, unknown: f64) -> Instance {
    let (mut board, mut record) = (empty(n), Vec::new());
    for _ in 0..length {
        let cell = Cell::new(rng.random_range(0..n), rng.random_range(0..n));
        let occupied = board[cell.row as usize][cell.col as usize] == 'x';
        let mv = Move { cell, sign: if occupied != rng.random_bool(0.02) { Take } else { Place } };
        play(&mut board, mv);
        let (x, y) = (Some(cell.col + 1), Some(cell.row + 1));
        let mut keep = || !rng.random_bool(unknown);
        record.push(Entry::new(x.filter(|_| keep()), y.filter(|_| keep()), Some(mv.sign).filter(|_| keep())));
    }
    record.extend((record.iter().all(|entry| entry.known().is_some())).then_some(NOTHING));
    Instance { n, record }
}

#[test]
fn every_value_of_every_axis_against_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    let sat = sat_specs();
    assert_eq!(sat.len(), 2 * 8 * 2 * 2);
    for round in 0..samples(64) as u32 {
        let (rules, n) = (random_rules(&mut rng), 1 + round % 3);
        let instance = random_record(&mut rng, n, 2 * n as usize, 0.5);
        let expected = endings(&rules, &instance);
        // Each engine solves at least four of the records.
        for spec in (0..4).map(|k| &sat[(4 * round as usize + k) % sat.len()]) {
            let answer = solve(spec, &rules, &instance);
            assert_eq!(possible_of(&answer), expected, "{spec} {rules:?} {instance:?}");
            assert!(all_closed(&check(&rules, &instance, &answer)), "{spec} {rules:?} {instance:?}");
        }
    }
}

/// On longer records and larger boards, the search replaces brute force.
#[test]
fn sat_agrees_with_the_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(34);
    let (sat, fill) = (sat_specs(), named("search:fill").remove(0));
    let mut supported = 0;
    for _ in 0..48 {
        let (rules, n) = (random_rules(&mut rng), rng.random_range(3..6));
        let length = rng.random_range(6..12);
        let mut instance = random_record(&mut rng, n, length, 0.1);
        instance.record.extend(vec![NOTHING; rng.random_range(0..2)]);
        let expected = solve(&fill, &rules, &instance);
        for _ in 0..4 {
            let spec = &sat[rng.random_range(0..sat.len())];
            if let Some(answer) = answer(spec, &rules, &instance) {
                let agreement = Spot::agree(&expected, &answer);
                assert_eq!(agreement, Agreement::Same, "{spec} {rules:?} {instance:?}");
                supported += 1;
            }
        }
    }
    assert!(supported > 150, "{supported}");
}

fn outcome(pattern: &str, rules: &Rules, instance: &Instance) -> (Outcome<Answer>, Work) {
    let spec = named(pattern).remove(0);
    let mut budget = Budget::unlimited();
    ((engine(&spec).start)()(rules, instance, &spec, &mut budget), budget.work)
}

/// `distinct=lazy` adds only some of the clauses that `distinct=eager` writes, and its work is the same in each run.
#[test]
fn lazy_distinctness_writes_less() {
    let rules = rules(Group::C4, Start::Counted);
    let instance = Instance { n: 3, record: vec![NOTHING; 24] };
    for solver in ["varisat", "batsat"] {
        let [eager, lazy] = ["eager", "lazy"]
            .map(|kind| outcome(&format!("sat:toggles/distinct={kind}@{solver}"), &rules, &instance));
        assert_eq!(lazy, outcome(&format!("sat:toggles/distinct=lazy@{solver}"), &rules, &instance));
        assert!(lazy.1.clauses < eager.1.clauses && lazy.1.solves > eager.1.solves, "{lazy:?} {eager:?}");
        let (Outcome::Decided(lazy), Outcome::Decided(eager)) = (lazy.0, eager.0) else { panic!() };
        assert_eq!(Spot::agree(&lazy, &eager), Agreement::Same);
    }
}

/// `sat:path` finds games that visit half of all classes.
#[test]
fn long_games_are_paths() {
    let rules = Rules { limit: MoveLimit::None, ..rules(Group::C4, Start::Counted) };
    let instance = Instance { n: 3, record: vec![NOTHING; 70] };
    let (Outcome::Decided(answer), _) = outcome("sat:path@batsat", &rules, &instance) else { panic!() };
    let Answer::Smudged(findings) = &answer else { panic!("{answer:?}") };
    assert_eq!(findings.iter().filter(|finding| **finding == Finding::Refuted).count(), 1);
    assert!(check(&rules, &instance, &answer).iter().all(|claim| !claim.status.is_failed()));
}

/// A formula, the names of its variables, and its shown variables.
#[derive(Default)]
struct Written {
    formula: varisat::CnfFormula,
    n_vars: u32,
    names: Vec<(Var, String)>,
    shown: Vec<Var>,
}

impl Sink for Written {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    /// Asserts that the clause contains each variable at most once.
    fn clause(&mut self, lits: &[Lit]) {
        let vars: BTreeSet<_> = lits.iter().map(|lit| lit.var()).collect();
        assert_eq!(vars.len(), lits.len(), "{lits:?}");
        let lits: Vec<_> = lits
            .iter()
            .map(|lit| varisat::Lit::from_var(varisat::Var::from_index(lit.vidx()), lit.is_pos()))
            .collect();
        self.formula.add_clause(&lits);
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        let var = self.new_var();
        self.names.push((var, name.to_string()));
        var
    }

    fn show(&mut self, vars: &[Var]) {
        self.shown.extend_from_slice(vars);
    }
}

#[test]
fn the_base_question_asks_for_a_draw() {
    let mut rng = ChaCha8Rng::seed_from_u64(35);
    let (mut draws, mut others) = (0, 0);
    for pattern in ["sat:toggles", "sat:path", "sat:path/once=chain/amo=sequential"] {
        let spec = named(pattern).remove(0);
        for round in 0..60 {
            let (rules, n) = (random_rules(&mut rng), 1 + round % 3);
            let instance = random_record(&mut rng, n, 2 * n as usize, 0.4);
            let mut written = Written::default();
            (engine(&spec).formula.unwrap())(&rules, &instance, &spec, &mut written).unwrap();
            let mut solver = varisat::Solver::new();
            solver.add_formula(&written.formula);
            let draw = *endings(&rules, &instance).last().unwrap();
            assert_eq!(solver.solve().unwrap(), draw, "{spec} {rules:?} {instance:?}");
            *if draw { &mut draws } else { &mut others } += 1;
            // The shown variables are those of the moves (`toggles`) or of the places (`path`), which are boards or
            // classes.
            let own = if spec.name == "path" { " at " } else { "toggle " };
            let named = written.names.iter().filter(|(_, name)| name.contains(own)).map(|(var, _)| *var);
            assert_eq!(written.shown, named.collect::<Vec<_>>());
        }
    }
    assert!(draws > 20 && others > 20, "{draws} {others}");
}

/// There is one question for a repeat on each move, and one for the draw. The formula is satisfiable under the
/// assumptions of a question if and only if the ending of the question is possible. The model is then decoded into that
/// ending.
#[test]
fn questions_under_assumptions_are_the_endings() {
    let mut rng = ChaCha8Rng::seed_from_u64(36);
    let sat: Vec<_> = sat_specs().into_iter().filter(|spec| spec.axis("distinct") != Some("lazy")).collect();
    for round in 0..96 {
        let (rules, n) = (random_rules(&mut rng), 1 + round % 3);
        let unknown = [0.0, 0.4, 0.6][round as usize / 3 % 3];
        let mut instance = random_record(&mut rng, n, 2 * n as usize, unknown);
        if unknown == 0.0 {
            instance.record.pop();
        }
        let expected = endings(&rules, &instance);
        let spec = &sat[round as usize % sat.len()];
        let mut written = Written::default();
        let write = Spot::FORMULAS.questions.unwrap()(&rules, spec).unwrap();
        let questions = write(&rules, &instance, spec, &mut written).unwrap();
        let mut solver = varisat::Solver::new();
        solver.add_formula(&written.formula);
        assert_eq!(questions.len(), expected.len());
        for (ending, (question, expected)) in questions.iter().zip(expected).enumerate() {
            let lits = question.iter().map(|lit| varisat::Lit::from_dimacs(lit.to_ipasir() as isize));
            solver.assume(&lits.collect::<Vec<_>>());
            assert_eq!(solver.solve().unwrap(), expected, "{ending}: {spec} {rules:?} {instance:?}");
            let Some(model) = solver.model() else { continue };
            let value = |lit: Lit| model.contains(&varisat::Lit::from_dimacs(lit.to_ipasir() as isize));
            let (mut sink, kind) = (Written::default(), ModelKind::UnderAssumptions);
            let model = Assignment { spec, sink: &mut sink, value: &value, kind };
            let read = Spot::FORMULAS.read_model.unwrap();
            let shown = read(&rules, &instance, model, &mut Budget::unlimited()).unwrap();
            let failed = shown.claims.iter().any(|claim| claim.status.is_failed());
            assert!(!failed, "{ending}: {spec} {rules:?} {instance:?} {shown:?}");
            let draw = ending + 1 == questions.len();
            assert!(shown.outcome.contains("possible") || draw == (shown.outcome == "draw"), "{shown:?}");
        }
    }
}

/// Known moves between unknown ones can give two squares the same literal, or opposite literals. So in this record,
/// three clauses of four literals are always true and are left out, and one clause loses a repeated literal.
#[test]
fn known_moves_leave_no_redundant_literal() {
    let known = |x, y, sign| Entry::new(Some(x), Some(y), Some(sign));
    let row = |y| Entry::new(None, Some(y), None);
    let first = [NOTHING, known(1, 1, Place), known(1, 2, Take), NOTHING];
    let record = [first, [row(2), known(2, 2, Place), row(1), known(1, 1, Take)]].concat();
    let spec = named("sat:toggles").remove(0);
    let rules = Rules { legality: Legality::Lenient, ..rules(Group::C4, Start::Uncounted) };
    let instance = Instance { n: 2, record };
    let mut tally = Tally::default();
    let write = |sink: &mut dyn Sink| (engine(&spec).formula.unwrap())(&rules, &instance, &spec, sink);
    write(&mut tally).and_then(|()| write(&mut Written::default())).unwrap();
    let distinct = tally.rows().last().unwrap();
    assert_eq!((distinct.vars, distinct.clauses, distinct.lits), (237, 578 - 3, 1807 - 3 * 4 - 1));
}

#[test]
fn what_is_not_a_single_formula_is_not_written() {
    let rules = rules(Group::C4, Start::Uncounted);
    let write = |pattern: &str, n, moves| {
        let spec = named(pattern).remove(0);
        let instance = Instance { n, record: vec![NOTHING; moves] };
        (engine(&spec).formula.unwrap())(&rules, &instance, &spec, &mut Tally::default())
    };
    assert_eq!(
        write("sat:toggles/distinct=lazy", 3, 6).unwrap_err(),
        "distinct=lazy adds clauses between solver calls, so it is not a single formula; use eager"
    );
    assert_eq!(
        write("sat:path", 9, 6).unwrap_err(),
        "bitboards support boards of 1 to 8 squares a side, not 9"
    );
    assert!(write("sat:path", 5, 10).unwrap_err().message().ends_with("the limit is 2000000"));
    assert_eq!(write("sat:path/once=chain/amo=sequential", 4, 30), Ok(()));
}

/// Before the last move that names a square, the variables of `path` stand for boards; from that move on, for classes.
#[test]
fn places_are_named_by_their_boards() {
    let corner = Entry::new(Some(1), Some(1), None);
    let instance = Instance { n: 2, record: vec![NOTHING, corner, NOTHING] };
    let spec = named("sat:path").remove(0);
    let mut written = Written::default();
    let rules = rules(Group::C4, Start::Uncounted);
    (engine(&spec).formula.unwrap())(&rules, &instance, &spec, &mut written).unwrap();
    let names: Vec<_> = written.names.iter().map(|(_, name)| name.as_str()).collect();
    let expected = [
        "step 1 at x./..",
        "step 1 at .x/..",
        "step 1 at ../x.",
        "step 1 at ../.x",
        "step 2 at ../..",
        "step 2 at xx/..",
        "step 2 at .x/x.",
        "step 3 at x./..",
        "step 3 at xx/x.",
    ];
    assert_eq!(names, expected);
}

/// The number of boards to which a record can lead is known only after they are counted. So `supports` accepts the
/// record, and the engine counts within its budget. Without a known move, all boards of 8×8 can be reached.
#[test]
fn a_large_class_graph_is_found_within_the_budget() {
    let rules = Rules { limit: MoveLimit::None, ..rules(Group::C4, Start::Counted) };
    let instance = Instance { n: 8, record: vec![NOTHING; 16] };
    let spec = named("sat:path").remove(0);
    assert_eq!(supports(&spec, &rules, &instance), Ok(()));
    let run = |mut budget: Budget| (engine(&spec).start)()(&rules, &instance, &spec, &mut budget);
    let Outcome::Unsupported(reason) = run(Budget::unlimited()) else { panic!("supported") };
    assert!(reason.message().contains("the limit is 2000000"), "{reason}");
    let stopped = run(Budget::new(None, std::sync::Arc::new(|| Some(Limit::Cpu))));
    let Outcome::GaveUp(Limit::Cpu, Some(Answer::Smudged(findings))) = stopped else { panic!("{stopped:?}") };
    assert!(findings.iter().all(|finding| *finding == Finding::Open));
}
