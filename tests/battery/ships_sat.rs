//! Ships by SAT: every encoding with every value of every axis, against brute force and the search.

use crate::samples::{samples, some};
use crate::ships_brute::{CORNER, DOMINO, JUDGE, S, SQUARE, Shape, Squares, World};
use crate::ships_common::{closed, decide, engines, instance, settings, with_ships};
use chacha20::ChaCha8Rng;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::DynInstance;
use counterpoint::problem::Agreement;
use counterpoint::spec::EngineSpec;
use counterpoint_encodings::{AtMostOne, Cnf, Lit, Sink, Tally, Var};
use rand::{RngExt, SeedableRng};
use std::fmt;
use varisat::ExtendFormula;

/// The axis `places` has a meaning only with `adversary=enumerate`, `idle=later` and `leaders=yes`.
const EVERY: &str =
    "sat:*/amo=*/adversary=*/idle=*/cells=*/colours=*/leaders=*@*,sat:owner/amo=*/places=eager@*";
/// Placements are written lazily.
const LAZY: &str = "sat:owner/amo=*/places=lazy@*";

/// Deals engines in a random order from a seed. Every engine is dealt once before any is dealt again.
struct Deck {
    engines: Vec<EngineSpec>,
    next: usize,
    rng: ChaCha8Rng,
}

impl Deck {
    fn new(patterns: &str, seed: u64) -> Self {
        Deck { engines: engines(patterns), next: 0, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn deal(&mut self, count: usize) -> Vec<EngineSpec> {
        let deal = |_| {
            if self.next == 0 {
                (1..self.engines.len()).for_each(|i| self.engines.swap(i, self.rng.random_range(0..=i)));
            }
            let engine = self.engines[self.next].clone();
            self.next = (self.next + 1) % self.engines.len();
            engine
        };
        (0..count).map(deal).collect()
    }
}

#[test]
fn every_encoding_on_all_boards_of_the_smallest_sizes() {
    let mut deck = Deck::new(EVERY, 1);
    assert_eq!(deck.engines.len(), (2 * 3 * 2 * 2 * 2 * 3 + 1) * AtMostOne::NAMES.len() * 2);
    let mut lazy = Deck::new(LAZY, 5);
    for question in JUDGE {
        for (fleet, w, h) in [(&[DOMINO, DOMINO][..], 3, 2), (&[DOMINO, CORNER], 2, 3)] {
            let mut world = World::new(fleet, w, h, question);
            for code in 0..3u64.pow((w * h) as u32) {
                let board = world.board(code);
                world.test(&board, &deck.deal(2));
                world.test(&board, &lazy.deal(1));
            }
        }
    }
}

#[test]
fn every_encoding_on_sampled_boards_of_small_sizes() {
    let (mut deck, mut lazy) = (Deck::new(EVERY, 2), Deck::new(LAZY, 6));
    let mut rng = ChaCha8Rng::seed_from_u64(322);
    let fleets: [(&[Shape], i32, i32); 4] = [
        (&[CORNER, CORNER, DOMINO], 3, 3),
        (&[DOMINO, DOMINO], 5, 4),
        (&[SQUARE, S], 4, 4),
        (&[S, S, DOMINO], 5, 3),
    ];
    for (fleet, w, h) in fleets {
        for question in JUDGE {
            let mut world = World::new(fleet, w, h, question);
            // `probe` supports only one miss, so the case of one miss has more rounds.
            for round in 0..samples(if question.misses == 1 { 10 } else { 4 }) {
                let squares = if round % 5 == 0 { Squares::Any } else { Squares::OfAFleet };
                let board = world.sample(&mut rng, squares);
                world.test(&board, &deck.deal(8));
                world.test(&board, &lazy.deal(2));
            }
        }
    }
}

#[test]
fn every_encoding_agrees_with_the_search() {
    let mut every = Deck::new(EVERY, 3);
    // On boards without a known miss, `sat:placement` and `adversary=sunflower` take long, so they are left out.
    let owner = "sat:owner/amo=*/adversary={enumerate,probe}/idle=*/cells=*/colours=*/leaders=*@*";
    let (mut quick, mut lazy) = (Deck::new(owner, 4), Deck::new(LAZY, 7));
    let search = &engines("search:cover")[0];
    let mut outcomes = std::collections::BTreeSet::new();
    for n in ["6", "8", "10", "12"] {
        for (family, key, values) in [
            ("random", "reveal", ["0.5", "0.6", "0.7", "0.8"]),
            ("hard", "hidden", ["0.1", "0.2", "0.3", "0.6"]),
            ("contradictory", "hits", ["9", "11", "13", "15"]),
        ] {
            for (seed, value) in some((200..).zip(values)) {
                let params = [("n", n), (key, value)].map(|(k, v)| (k.to_owned(), v.to_owned()));
                let made = with_ships(|ships| ships.generate(&settings(&[]), family, &params, seed));
                let instance = made.unwrap();
                let expected = decide(&*instance, search);
                let deck = if family == "random" { &mut every } else { &mut quick };
                for engine in deck.deal(2).into_iter().chain(lazy.deal(1)) {
                    let answer = decide(&*instance, &engine);
                    assert_eq!(answer.agree(&*expected), Agreement::Same, "{engine} on {}", instance.text());
                    closed(&*answer);
                }
                outcomes.insert(expected.outcome());
            }
        }
    }
    assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), ["no", "no-fleet", "yes"]);
}

/// With m misses, the evidence that these engines give for "no" is a sunflower: a lost family of m + 2 sets.
#[test]
fn a_sunflower_is_the_whole_evidence() {
    for (misses, petals) in [("0", 2), ("1", 3), ("2", 4)] {
        let instance = instance(&settings(&[("misses", misses)]), &[".............."; 14].join("/"));
        for engine in engines("sat:*/adversary=sunflower,sat:*/idle=later@*") {
            let answer = decide(&*instance, &engine);
            let json = answer.to_json(&engine.to_string(), &closed(&*answer));
            assert_eq!(json["lost"].as_array().unwrap().len(), petals, "{engine}");
        }
    }
}

/// Eight hits, no two of which can be covered by one ship, and seven ships: the constraint on leaders refutes this with
/// at most one conflict.
#[test]
fn leaders_refute_pigeons_without_a_search() {
    let rows = "x...x...x.../............/............/............/x...x...x.../............/............/\
                ............/x...x.......";
    let instance = instance(&settings(&[]), rows);
    for engine in engines("sat:*/leaders=yes/idle=*@*") {
        let mut budget = Budget::unlimited();
        let Outcome::Decided(answer) = instance.solve(&engine, &mut budget) else { panic!("{engine}") };
        assert_eq!(answer.outcome(), "no-fleet");
        assert!(budget.work.conflicts <= 1, "{engine}: {} conflicts", budget.work.conflicts);
    }
}

/// One call finds a model, and one ship of it has enough other places for a sunflower.
#[test]
fn lazy_placements_need_few_clauses() {
    let mut rows = [".............."; 14];
    (rows[2], rows[8]) = ("..x....x....x.", ".x.....x....x.");
    let instance = instance(&settings(&[]), &rows.join("/"));
    let clauses = |engine: &str| {
        let mut budget = Budget::unlimited();
        let Outcome::Decided(answer) = instance.solve(&engines(engine)[0], &mut budget) else { panic!() };
        assert_eq!(answer.outcome(), "no", "{engine}");
        (budget.work.clauses, budget.work.solves)
    };
    let ((lazy, calls), (eager, _)) = (clauses("sat:owner"), clauses("sat:owner/places=eager"));
    assert_eq!(calls, 1);
    assert!(10 * lazy < eager, "{lazy} and {eager} clauses");
}

#[test]
fn probing_is_not_a_single_formula() {
    let instance = instance(&settings(&[]), "..../..../....");
    for engine in engines("sat:*/adversary=probe/idle=*") {
        let reason = instance.formula(&engine, &mut Tally::default()).unwrap_err();
        assert!(reason.message().contains("adversary=enumerate"), "{reason}");
    }
    let size = |engine: &EngineSpec| {
        let mut tally = Tally::default();
        instance.formula(engine, &mut tally).unwrap();
        (tally.n_vars(), tally.n_clauses())
    };
    // The formula that `encode` writes places all ships, whatever the axis `idle` says.
    let [placed, later] =
        ["placed", "later"].map(|idle| size(&engines(&format!("sat:owner/idle={idle}"))[0]));
    assert_eq!(placed, later);
}

/// Keeps the formula and the shown variables.
#[derive(Default)]
struct Shown {
    cnf: Cnf,
    /// The shown variables; `None` if the encoding never declares any.
    shown: Option<Vec<Var>>,
}

impl Sink for Shown {
    fn new_var(&mut self) -> Var {
        self.cnf.new_var()
    }

    fn n_vars(&self) -> u32 {
        self.cnf.n_vars()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.cnf.clause(lits);
    }

    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.cnf.named_var(name)
    }

    fn show(&mut self, vars: &[Var]) {
        self.shown.get_or_insert_default().extend_from_slice(vars);
    }
}

/// The number of assignments to the shown variables that can be extended to a model. Tries all assignments.
fn projected(instance: &dyn DynInstance, engine: &EngineSpec) -> usize {
    let mut sink = Shown::default();
    instance.formula(engine, &mut sink).unwrap();
    let shown = sink.shown.unwrap_or_else(|| panic!("{engine} shows no variables"));
    let mut solver = varisat::Solver::new();
    let lit = |lit: Lit| varisat::Lit::from_dimacs(lit.to_ipasir() as isize);
    sink.cnf
        .clauses()
        .for_each(|clause| solver.add_clause(&clause.iter().map(|&l| lit(l)).collect::<Vec<_>>()));
    let has_model = |bits: &u32| {
        let value = |(i, var): (usize, &Var)| lit(var.lit(bits >> i & 1 == 0));
        solver.assume(&shown.iter().enumerate().map(value).collect::<Vec<_>>());
        solver.solve().unwrap()
    };
    (0..1 << shown.len()).filter(has_model).count()
}

/// Projected to the shown variables, the models are the covered sets, even if no square is unknown.
#[test]
fn projected_models_are_covered_sets() {
    let engines = engines("sat:*/amo={bimander,commander}");
    let mut fits = 0;
    for (fleet, w, h) in [(&[DOMINO, DOMINO][..], 3, 2), (&[DOMINO, CORNER], 2, 3)] {
        let world = World::new(fleet, w, h, JUDGE[1]);
        for code in 0..3u64.pow((w * h) as u32) {
            let board = world.board(code);
            let (instance, engine) = (world.instance(&board), &engines[code as usize % engines.len()]);
            let sets = world.family(&board).len();
            assert_eq!(projected(&*instance, engine), sets, "{engine} on {}", instance.text());
            fits += usize::from(sets == 1 && !board.contains(&0));
        }
    }
    assert!(fits > 10, "{fits}");
}

/// The shown variables are those of the unknown cells, because they determine the covered set.
#[test]
fn the_variables_of_unknown_cells_are_shown() {
    let instance = instance(&settings(&[]), ".x../o.../..../xx..");
    let names = |id: &str| {
        let mut sink = Shown::default();
        instance.formula(&engines(id)[0], &mut sink).unwrap();
        let name = |var: &Var| sink.cnf.names().iter().find(|(known, _)| known == var).unwrap().1.clone();
        sink.shown.iter().flatten().map(name).collect::<Vec<_>>()
    };
    for id in ["sat:owner", "sat:placement/cells=yes/colours=yes/leaders=yes"] {
        assert_eq!(names(id).len(), 12);
        assert_eq!(names(id)[0], "covered r1c1");
    }
    let three = names("sat:owner/adversary=sunflower");
    assert_eq!((three.len(), &three[12][..]), (36, "fleet 2: covered r1c1"));
}
