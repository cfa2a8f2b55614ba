//! Pseudo-Boolean and MaxSAT programs as solvers: compared with brute force, alone and behind the engines.

use crate::bench::Bench;
use crate::fakes;
use chacha20::ChaCha8Rng;
use counterpoint::engine::{Budget, Limit, Unfinished};
use counterpoint::solver::external::{self, Input, Program};
use counterpoint::solver::{self, Solver, SolverRegistry};
use counterpoint::spec;
use counterpoint_encodings::{AtMostOne, Linear, Lit, Parity, Relation, Var};
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

fn program(name: &str, input: Input, more: &[&str]) -> Program {
    let command = fakes::command(name, more);
    Program { name: name.to_owned(), command, input, origin: "here".to_owned(), ..Program::default() }
}

fn fresh(program: &Program) -> Box<dyn Solver> {
    external::factory(program.clone(), Arc::default()).fresh()
}

/// A random constraint: how it is added, and whether an assignment satisfies it.
type Row = (Box<dyn Fn(&mut dyn Solver)>, Box<dyn Fn(u32) -> bool>);

fn value(assignment: u32, lit: Lit) -> bool {
    (assignment >> lit.vidx() & 1 == 1) == lit.is_pos()
}

fn row(rng: &mut ChaCha8Rng, n: u32) -> Row {
    let lits: Vec<Lit> =
        (0..n).flat_map(|v| rng.random_bool(0.6).then(|| Var::new(v).lit(rng.random()))).collect();
    let count = |lits: &[Lit], m| lits.iter().filter(|lit| value(m, **lit)).count();
    let own = lits.clone();
    match rng.random_range(0..4) {
        0 => {
            let clause = lits.clone();
            (Box::new(move |s| s.clause(&clause)), Box::new(move |m| count(&own, m) > 0))
        }
        1 => {
            let add = move |s: &mut dyn Solver| AtMostOne::Bimander.at_most_one(s, &lits);
            (Box::new(add), Box::new(move |m| count(&own, m) <= 1))
        }
        2 => {
            let odd: bool = rng.random();
            let add = move |s: &mut dyn Solver| Parity::Tree.encode(s, &lits, odd);
            (Box::new(add), Box::new(move |m| (count(&own, m) % 2 == 1) == odd))
        }
        _ => {
            let terms: Vec<_> = lits.iter().map(|lit| (rng.random_range(-3..=3), *lit)).collect();
            let relation = [Relation::AtMost, Relation::AtLeast, Relation::Equal][rng.random_range(0..3)];
            let bound = rng.random_range(-2..=3);
            let other = terms.clone();
            let add = move |s: &mut dyn Solver| s.linear(&Linear { terms: &terms, relation, bound });
            let holds = move |m| Linear { terms: &other, relation, bound }.holds(|lit| value(m, lit));
            (Box::new(add), Box::new(holds))
        }
    }
}

#[test]
fn programs_agree_with_brute_force_and_find_optima() {
    let opb = program("sums", Input::Opb, &[]);
    let wcnf = program("soft", Input::Wcnf, &[]);
    let digits = program("soft", Input::Wcnf, &["digits=yes"]);
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut seen = [0; 2];
    for round in 0..45 {
        let n = rng.random_range(1..=4);
        let rows: Vec<Row> = (0..rng.random_range(1..=3)).map(|_| row(&mut rng, n)).collect();
        let models: Vec<u32> = (0..1 << n).filter(|&m| rows.iter().all(|(_, holds)| holds(m))).collect();
        let lit = |rng: &mut ChaCha8Rng| Var::new(rng.random_range(0..n)).lit(rng.random());
        let costs: Vec<(Lit, u64)> = (0..3).map(|_| (lit(&mut rng), rng.random_range(1..=3))).collect();
        let cost = |m: u32| costs.iter().filter(|(lit, _)| value(m, *lit)).map(|(_, cost)| cost).sum::<u64>();
        let best = models.iter().map(|&m| cost(m)).min();
        let program = [&opb, &wcnf, &digits][round % 3];
        let mut solver = fresh(program);
        (0..n).for_each(|_| _ = solver.new_var());
        rows.iter().for_each(|(add, _)| add(&mut *solver));
        assert!(solver.optimises());
        let read = |solver: &dyn Solver| -> u32 {
            (0..n).filter(|&v| solver.value(Var::new(v).pos_lit())).map(|v| 1 << v).sum()
        };
        let (sat, next) = solver::minimise(solver, &costs, &mut Budget::unlimited()).unwrap();
        assert_eq!(sat.then(|| cost(read(&*next))), best, "round {round}");
        seen[usize::from(sat)] += 1;
        if program.input == Input::Opb {
            // The objective is forgotten, and assumptions are added.
            let assumed = [lit(&mut rng)];
            let (sat, next) = solver::step(next, &assumed, &mut Budget::unlimited()).unwrap();
            let expected = models.iter().any(|&m| value(m, assumed[0]));
            assert_eq!(sat, expected);
            assert!(!sat || models.contains(&read(&*next)) && next.value(assumed[0]));
        }
    }
    assert!(seen.iter().all(|&times| times >= 5), "{seen:?}");
}

#[test]
fn wrong_models_and_wrong_costs_are_detected() {
    let ask = |program: &Program, minimises: bool| {
        let mut solver = fresh(program);
        let lits: Vec<Lit> = (0..3).map(|_| solver.new_var().pos_lit()).collect();
        AtMostOne::Pairwise.exactly_one(&mut *solver, &lits);
        let mut budget = Budget::unlimited();
        match minimises {
            true => solver::minimise(solver, &[(!lits[0], 2)], &mut budget).map(|(sat, _)| sat),
            false => solver::step(solver, &[], &mut budget).map(|(sat, _)| sat),
        }
    };
    let failure = |program: &Program, minimises| match ask(program, minimises) {
        Err(Unfinished::Failed(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(ask(&program("sums", Input::Opb, &[]), true), Ok(true));
    let all_true = program("sums", Input::Opb, &["model=true"]);
    let words = "solver sums: its model does not satisfy +1 x1 +1 x2 +1 x3 = 1";
    assert!(failure(&all_true, false).starts_with(words), "{}", failure(&all_true, false));
    let words = "solver sums: printed the cost 7, but its model costs -2";
    let wrong = program("sums", Input::Opb, &["cost=7"]);
    assert!(failure(&wrong, true).starts_with(words), "{}", failure(&wrong, true));
    let plain = program("soft", Input::Wcnf, &[]);
    assert!(failure(&plain, false).contains("reads WCNF, so it answers only questions with an objective"));
    // A program that finds a model but does not call it optimal has reached one of its own limits.
    let not_optimal = "echo o 1; echo v x1 -x2 -x3; echo s SATISFIABLE; exit 10";
    let command = ["sh", "-c", not_optimal].map(str::to_owned).to_vec();
    let unproved = Program { command, input: Input::Opb, ..Program::default() };
    assert_eq!(ask(&unproved, true), Err(Unfinished::Limit(Limit::Solver)));
    assert_eq!(ask(&unproved, false), Ok(true));
}

#[test]
fn engines_use_them_like_other_solvers() {
    let solvers = [program("sums", Input::Opb, &[]), program("soft", Input::Wcnf, &["digits=yes"])];
    let solvers = solvers.into_iter().fold(SolverRegistry::built_in(), |solvers, program| {
        solvers.with(external::factory(program, Arc::default()))
    });
    for (problem, rules, patterns, boards) in [
        (
            "flip",
            &[][..],
            "sat:presses@sums,sat:nullspace@sums,sat:presses@soft,sat:nullspace@soft",
            &["bw\nww\n", "b\nw\n", "bw\nbw\n"][..],
        ),
        (
            "ships",
            &[("fleet", "xx\n")],
            "sat:placement/leaders=no@sums,sat:owner@sums",
            &["2 2\nx.\n..\n0 0\n", "2 2\nxx\n.x\n0 0\n", "2 2\n..\no.\n0 0\n"],
        ),
        ("spot", &[], "sat:toggles@sums", &["1\n? ? ?\n1 1 -\n0\n"]),
    ] {
        let bench = Bench::new(problem, rules);
        let references = bench.engines("search:*");
        for board in boards {
            let instance = bench.instance(board);
            let mut engines = spec::resolve(bench.problem().engines(), &solvers, patterns).unwrap();
            engines.extend(references.iter().find(|engine| instance.supports(engine).is_ok()).cloned());
            assert_eq!(bench.battery(&*instance, &engines, None), engines.len(), "{board}");
        }
    }
    // Ships has no objective, and neither has Flip if any solution will do.
    for (problem, rules, board) in
        [("ships", &[][..], "3 3\nx..\n...\n...\n0 0\n"), ("flip", &[("goal", "any")], "bw\nww\n")]
    {
        let bench = Bench::new(problem, rules);
        let engine = &spec::resolve(bench.problem().engines(), &solvers, "sat@soft").unwrap()[0];
        let why = bench.instance(board).supports(engine).unwrap_err().to_string();
        assert!(
            why.contains("solver soft reads WCNF, so it answers only questions with an objective"),
            "{why}"
        );
    }
}
