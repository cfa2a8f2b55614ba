//! Flip's SAT encodings, with every value of every axis: their answers against brute force and search, and the models
//! of their formulas.

use crate::bench::{Bench, check, solve};
use chacha20::ChaCha8Rng;
use counterpoint::claim::all_closed;
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::erased::DynInstance;
use counterpoint_encodings::{Lit, Sink, Tally, Var};
use rand::{RngExt, SeedableRng};
use varisat::ExtendFormula;

const SAT_ENGINES: &str = "sat:presses/xor=*/card=*/bound=*/lex=*@*,sat:nullspace/xor=*/card=*/bound=*@*";
const STENCILS: [&str; 4] = ["plus", "king", "cross", "torus"];

fn text(mask: u32, w: u32, h: u32) -> String {
    let square = |r, c| if mask >> (r * w + c) & 1 == 1 { 'b' } else { 'w' };
    (0..h).map(|r| (0..w).map(|c| square(r, c)).chain(['\n']).collect::<String>()).collect()
}

/// Tests all boards of five sizes with at most six squares, and a tenth of the boards of 3×3. Breadth-first search
/// serves as brute force, and the checker enumerates all solutions itself.
#[test]
fn every_value_of_every_axis_on_small_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let mut at = 0;
    for stencil in STENCILS {
        for target in ["either", "white", "black"] {
            let bench = Bench::new("flip", &[("stencil", stencil), ("target", target)]);
            let (baseline, sat) = (bench.engines("search:bfs")[0].clone(), bench.engines(SAT_ENGINES));
            assert_eq!(sat.len(), (2 + 1) * 5 * 3 * 3 * 2);
            for (w, h) in [(1, 1), (2, 1), (2, 2), (1, 5), (3, 2), (3, 3)] {
                for mask in 0..1u32 << (w * h) {
                    if w * h > 6 && !rng.random_bool(0.1) {
                        continue;
                    }
                    let engines: Vec<_> = [baseline.clone()]
                        .into_iter()
                        .chain((0..6).map(|k| sat[(at + 7 * k) % sat.len()].clone()))
                        .collect();
                    at += 43;
                    assert_eq!(bench.battery(&*bench.instance(&text(mask, w, h)), &engines, None), 7);
                }
            }
        }
    }
}

#[test]
fn sat_agrees_with_the_search_on_random_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    for round in 0..64 {
        let target = ["either", "white"][round % 2];
        let bench = Bench::new("flip", &[("stencil", STENCILS[round / 2 % 4]), ("target", target)]);
        let [w, h] = [0; 2].map(|_| rng.random_range(2..=5u32));
        let [w, h] = [if w == 4 { 3 } else { w }.to_string(), h.to_string()];
        let family = ["random", "solvable"][round / 8 % 2];
        let instance = bench.generate(family, &[("w", &w), ("h", &h)], round as u64);
        let sat = bench.engines(SAT_ENGINES);
        let mut engines = bench.engines("search:algebra");
        engines.extend((0..5).map(|_| sat[rng.random_range(0..sat.len())].clone()));
        bench.battery(&*instance, &engines, None);
    }
}

/// On larger boards, `sat:nullspace` finds and proves the same minimum as the search.
#[test]
fn sat_nullspace_agrees_with_the_search_on_larger_boards() {
    for (rules, params) in [
        (&[("target", "white")][..], &[("n", "16")][..]),
        (&[("target", "either")], &[("w", "24"), ("h", "16")]),
        (&[("stencil", "king")], &[("w", "8"), ("h", "6")]),
        (&[("stencil", "torus")], &[("w", "10"), ("h", "9")]),
    ] {
        let bench = Bench::new("flip", rules);
        for (family, seed) in [("solvable", 1), ("random", 2)] {
            let instance = bench.generate(family, params, seed);
            bench.battery(&*instance, &bench.engines("search:algebra,sat:nullspace/bound=*@*"), None);
        }
    }
}

/// If a board is impossible, elimination finds the squares (`weights`) that prove it, so no solver is called.
#[test]
fn impossible_boards_never_reach_the_solver() {
    let bench = Bench::new("flip", &[]);
    for bound in ["down", "up", "binary"] {
        let instance = bench.generate("random", &[("n", "14")], 1);
        let mut budget = Budget::unlimited();
        let engine = &bench.engines(&format!("sat:nullspace/bound={bound}"))[0];
        let Outcome::Decided(answer) = instance.solve(engine, &mut budget) else { panic!() };
        assert_eq!((answer.outcome().as_str(), budget.work.solves), ("impossible", 0));
        assert!(answer.to_json("test", &[])["weights"].is_array() && all_closed(&check(&*answer)));
    }
}

#[test]
fn a_limit_leaves_the_best_answer_so_far() {
    let bench = Bench::new("flip", &[]);
    let instance = bench.generate("solvable", &[("n", "12")], 1);
    for engine in bench.engines("sat:presses/bound=*") {
        let run = || {
            let mut budget = Budget::of_work(2_000);
            let Outcome::GaveUp(limit, Some(best)) = instance.solve(&engine, &mut budget) else {
                panic!("{engine}")
            };
            (limit, best.outcome(), budget.work)
        };
        assert!(run().1.starts_with("at most "), "{engine}");
        assert_eq!(run(), run(), "{engine}");
    }
}

/// A formula and its shown variables. Models that agree on the shown variables count as one.
#[derive(Default)]
struct Written {
    formula: varisat::CnfFormula,
    n_vars: u32,
    shown: Vec<varisat::Var>,
}

impl Sink for Written {
    fn new_var(&mut self) -> Var {
        self.n_vars += 1;
        Var::new(self.n_vars - 1)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn clause(&mut self, lits: &[Lit]) {
        let lit = |lit: &Lit| varisat::Lit::from_var(varisat::Var::from_index(lit.vidx()), lit.is_pos());
        self.formula.add_clause(&lits.iter().map(lit).collect::<Vec<_>>());
    }

    fn show(&mut self, vars: &[Var]) {
        self.shown.extend(vars.iter().map(|var| varisat::Var::from_index(var.idx())));
    }
}

/// The number of models of the engine's formula. Models that agree on the shown variables count as one.
fn answers(instance: &dyn DynInstance, bench: &Bench, engine: &str) -> usize {
    let mut written = Written::default();
    instance.formula(&bench.engines(engine)[0], &mut written).unwrap();
    let mut solver = varisat::Solver::new();
    solver.add_formula(&written.formula);
    // varisat's models contain only variables that occur in a clause, so each shown variable gets a clause that
    // a new variable always satisfies.
    for (i, var) in written.shown.iter().enumerate() {
        let aside = varisat::Var::from_index(written.n_vars as usize + i);
        solver.add_clause(&[var.positive(), aside.positive()]);
    }
    let mut count = 0;
    while solver.solve().unwrap() {
        count += 1;
        let model = solver.model().unwrap();
        let other = model.iter().filter(|lit| written.shown.contains(&lit.var())).map(|&lit| !lit);
        let other: Vec<_> = other.collect();
        solver.add_clause(&other);
    }
    count
}

/// The null space of 4×4 has 16 vectors, that of 3×3 has one, and that of 5×5 has four. So a solvable board of these
/// sizes has 16, 1 or 4 solutions for each colour.
#[test]
fn formulas_have_an_answer_for_each_solution() {
    for (target, n, expected) in
        [("either", "4", 32), ("white", "4", 16), ("either", "3", 2), ("black", "3", 1), ("either", "5", 8)]
    {
        let bench = Bench::new("flip", &[("target", target)]);
        let instance = bench.generate("solvable", &[("n", n)], 5);
        for engine in ["sat:presses", "sat:presses/xor=cut3", "sat:nullspace", "sat:nullspace/xor=tree"] {
            assert_eq!(answers(&*instance, &bench, engine), expected, "{engine} {target} {n}");
        }
        let impossible = Bench::new("flip", &[]).instance("bbbb\nbwbb\nbbbb\nbbbb\n");
        assert_eq!(answers(&*impossible, &bench, "sat:nullspace"), 0);
    }
}

/// The symmetries of a board that map the set of squares `mask` to itself. Each symmetry is a list: entry i is the
/// square to which square i is mapped. Squares are numbered row by row from 0.
fn symmetries(mask: u32, w: u32, h: u32) -> Vec<Vec<u32>> {
    let whole: Vec<Vec<u32>> = (0..h).map(|r| (0..w).map(|c| r * w + c).collect()).collect();
    let across = |rows: &[Vec<u32>]| -> Vec<Vec<u32>> {
        rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
    };
    let down = |rows: &[Vec<u32>]| -> Vec<Vec<u32>> { rows.iter().rev().cloned().collect() };
    let over = |rows: &[Vec<u32>]| -> Vec<Vec<u32>> {
        (0..rows[0].len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
    };
    let mut all = vec![whole.clone()];
    all.extend((w == h).then(|| over(&whole)));
    all = all.iter().flat_map(|rows| [rows.clone(), across(rows)]).collect();
    all = all.iter().flat_map(|rows| [rows.clone(), down(rows)]).collect();
    let maps = all.into_iter().map(|rows| rows.concat());
    maps.filter(|map| (0..w * h).all(|i| mask >> i & 1 == mask >> map[i as usize] & 1)).collect()
}

/// Solutions that symmetries of the board map to each other form an orbit. With `lex=yes`, the formula has one solution
/// of each orbit.
#[test]
fn lex_leaves_one_solution_of_each_orbit() {
    let (mut fewer, mut kept) = (0, 0);
    for (stencil, w, h) in
        [("plus", 3, 3), ("plus", 4, 1), ("plus", 2, 4), ("king", 2, 2), ("cross", 3, 2), ("torus", 3, 3)]
    {
        let bench = Bench::new("flip", &[("stencil", stencil), ("target", "white")]);
        let n = w * h;
        let size = format!("{w}x{h}");
        let sized = Bench::new("flip", &[("stencil", stencil), ("target", "white"), ("size", &size)]);
        for mask in (0..1u32 << n)
            .step_by(if n > 8 { 5 } else { 1 })
            .chain([(1 << n) - 1, 0b1_0101_0101 & ((1 << n) - 1)])
        {
            let instance = sized.instance(&text(mask, w, h));
            let all = answers(&*instance, &sized, "sat:presses");
            let least = answers(&*instance, &sized, "sat:presses/lex=yes");
            let maps = symmetries(mask, w, h);
            // Burnside's lemma: the number of orbits is the mean, over all symmetries, of the number of solutions that
            // the symmetry maps to themselves.
            let mut written = Written::default();
            instance.formula(&bench.engines("sat:presses")[0], &mut written).unwrap();
            let keeps = |map: &Vec<u32>| {
                let mut solver = varisat::Solver::new();
                solver.add_formula(&written.formula);
                for (i, &there) in map.iter().enumerate() {
                    let [a, b] = [i, there as usize].map(varisat::Var::from_index);
                    solver.add_clause(&[a.positive(), b.negative()]);
                }
                let mut count = 0;
                while solver.solve().unwrap() {
                    count += 1;
                    let model = solver.model().unwrap();
                    let press = |lit: &&varisat::Lit| lit.var().index() < n as usize;
                    solver.add_clause(&model.iter().filter(press).map(|&lit| !lit).collect::<Vec<_>>());
                }
                count
            };
            let orbits = maps.iter().map(keeps).sum::<usize>() / maps.len();
            assert_eq!(least, orbits, "{stencil} {}", instance.text());
            fewer += usize::from(least < all);
            kept += usize::from(least == all && all > 0);
        }
    }
    assert!(fewer > 20 && kept > 20, "{fewer} {kept}");
}

/// With `within=k`, the formula is satisfiable if and only if some solution has at most k presses.
#[test]
fn formulas_within_a_bound() {
    let plain = Bench::new("flip", &[]);
    for seed in 0..8 {
        let size = [("w", ["4", "5"][seed as usize % 2]), ("h", "4")];
        let least = solve(&*plain.generate("solvable", &size, seed), &plain, "search").outcome();
        let least: u32 = least.split(' ').next().unwrap().parse().unwrap();
        for within in least.saturating_sub(2)..=least + 2 {
            let bench = Bench::new("flip", &[("within", &within.to_string())]);
            let instance = bench.generate("solvable", &size, seed);
            for engine in bench.engines("sat:*/card=*").iter().map(ToString::to_string) {
                let found = answers(&*instance, &bench, &engine) > 0;
                assert_eq!(found, within >= least, "{engine} {seed} {within} {least}");
            }
        }
    }
}

/// If an engine does not support a board, the reason names the number that is too large, or the unsupported rule.
#[test]
fn unsupported_boards_are_refused_with_a_reason() {
    let reason = |rules: &[(&str, &str)], n: &str, engine: &str| {
        let bench = Bench::new("flip", rules);
        let instance = bench.generate("solvable", &[("n", n)], 1);
        let engine = &bench.engines(engine)[0];
        let written = instance.formula(engine, &mut Tally::default()).err();
        assert_eq!(instance.supports(engine).err(), written, "{n}");
        written.map_or(String::new(), String::from)
    };
    let direct = "a parity over 24 literals has 2^23 clauses; use xor=cut4";
    assert_eq!(reason(&[("stencil", "cross")], "12", "sat:presses"), direct);
    assert_eq!(reason(&[("stencil", "cross")], "12", "sat:presses/xor=native"), "");
    assert_eq!(reason(&[("stencil", "cross")], "12", "sat:nullspace"), "");
    let large = "129x129 has 16641 squares; nullspace supports at most 16384";
    assert_eq!(reason(&[], "129", "sat:nullspace"), large);
    let large = "65x65 has 4225 squares; nullspace supports at most 4096";
    assert_eq!(reason(&[("stencil", "king")], "65", "sat:nullspace"), large);
    let colours = &[("colours", "3")];
    assert_eq!(reason(colours, "4", "sat:nullspace"), "encodings support only two colours");
}

/// The null space of 39×39 has 32 dimensions, too many for direct parities. Only elimination can show this, so
/// `supports` accepts the board, and the engine refuses it after one elimination. The elimination obeys limits.
#[test]
fn a_wide_null_space_is_found_within_the_budget() {
    let bench = Bench::new("flip", &[("goal", "any")]);
    let instance = bench.generate("solvable", &[("n", "39")], 1);
    let [direct, cut, search] = ["sat:nullspace/xor=direct", "sat:nullspace", "search:elimination"]
        .map(|engine| bench.engines(engine)[0].clone());
    assert_eq!(instance.supports(&direct), Ok(()));
    let run = |engine, mut budget: Budget| {
        let ended = match instance.solve(engine, &mut budget) {
            Outcome::Decided(_) => "decided".to_owned(),
            Outcome::GaveUp(limit, None) => limit.to_string(),
            Outcome::Unsupported(reason) => reason.into(),
            _ => "?".to_owned(),
        };
        (ended, budget.work.nodes)
    };
    let (ended, eliminated) = run(&search, Budget::unlimited());
    assert_eq!(ended, "decided");
    let wide = "a parity over 21 literals has 2^20 clauses; use xor=cut4";
    assert_eq!(run(&direct, Budget::unlimited()), (wide.to_owned(), eliminated));
    assert_eq!(instance.formula(&direct, &mut Tally::default()), Err(wide.into()));
    // The nodes are those of the elimination alone, because the solver's conflicts are counted separately.
    assert_eq!(run(&cut, Budget::unlimited()), ("decided".to_owned(), eliminated));
    for engine in [&direct, &cut] {
        let (ended, nodes) = run(engine, Budget::of_work(eliminated / 2));
        assert_eq!(ended, "work limit", "{engine}");
        assert!(nodes <= eliminated / 2 + 1, "{engine} {nodes}");
        let stopped = Budget::new(None, std::sync::Arc::new(|| Some(Limit::Cpu)));
        assert_eq!(run(engine, stopped).0, "CPU limit", "{engine}");
    }
}

/// The reduction after the elimination obeys limits, too. With the stencil `cross`, the null space of 63×63 has 3,844
/// basis vectors to reduce.
#[test]
fn reducing_the_null_space_ends_at_a_limit() {
    let bench = Bench::new("flip", &[("goal", "any"), ("stencil", "cross")]);
    let instance = bench.generate("solvable", &[("n", "63")], 1);
    let [nullspace, search] =
        ["sat:nullspace", "search:elimination"].map(|engine| bench.engines(engine)[0].clone());
    let mut whole = Budget::unlimited();
    assert!(matches!(instance.solve(&search, &mut whole), Outcome::Decided(_)));
    // The elimination polls its budget every 1,024 nodes. The limit is reached at the first poll after the elimination.
    let polled = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let most = whole.work.nodes / 1024;
    let stop = move || {
        let before = polled.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (before >= most).then_some(Limit::Cpu)
    };
    let mut budget = Budget::new(None, std::sync::Arc::new(stop));
    assert!(matches!(instance.solve(&nullspace, &mut budget), Outcome::GaveUp(Limit::Cpu, None)));
    assert_eq!((budget.work.nodes, budget.work.clauses), (whole.work.nodes, 0));
}
