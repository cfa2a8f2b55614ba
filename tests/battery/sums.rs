//! Formulas with linear constraints: a sink that supports these receives the same models as one that does not, and
//! engines find the same answers with a solver that supports them.

use crate::bench::Bench;
use counterpoint::engine::Budget;
use counterpoint::erased::DynInstance;
use counterpoint::solver::{Solver, SolverFactory, SolverRegistry, Verdict};
use counterpoint::spec::{self, EngineSpec};
use counterpoint_encodings::{Cnf, Linear, Lit, Sink, Var};
use std::collections::BTreeSet;
use std::fmt;
use varisat::ExtendFormula;

/// A formula with the shown variables. If `native`, it accepts linear constraints, and turns them into clauses itself.
#[derive(Default)]
struct Written {
    cnf: Cnf,
    shown: Vec<Var>,
    native: bool,
    n_linear: usize,
}

impl Sink for Written {
    fn new_var(&mut self) -> Var {
        self.cnf.new_var()
    }
    fn n_vars(&self) -> u32 {
        self.cnf.n_vars()
    }
    fn clause(&mut self, lits: &[Lit]) {
        self.cnf.clause(lits);
    }
    fn linear(&mut self, constraint: &Linear<'_>) {
        self.n_linear += 1;
        constraint.encode(&mut self.cnf);
    }
    fn supports_linear(&self) -> bool {
        self.native
    }
    fn named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.cnf.named_var(name)
    }
    fn show(&mut self, vars: &[Var]) {
        self.shown.extend_from_slice(vars);
    }
}

impl Written {
    fn new(instance: &dyn DynInstance, engine: &EngineSpec, native: bool) -> Written {
        let mut written = Written { native, ..Written::default() };
        instance.formula(engine, &mut written).unwrap();
        written
    }

    fn name(&self, var: Var) -> &str {
        let found = self.cnf.names().binary_search_by_key(&var, |(var, _)| *var);
        found.map_or("", |i| &self.cnf.names()[i].1)
    }

    /// For each model, the names of those shown variables that are true in it.
    fn models(&self) -> BTreeSet<BTreeSet<&str>> {
        let of = |lit: Lit| varisat::Lit::from_dimacs(lit.to_ipasir() as isize);
        let mut solver = varisat::Solver::new();
        self.cnf
            .clauses()
            .for_each(|clause| solver.add_clause(&clause.iter().map(|&l| of(l)).collect::<Vec<_>>()));
        let mut found = BTreeSet::new();
        while solver.solve().unwrap() {
            let model: BTreeSet<_> = solver.model().unwrap().into_iter().collect();
            let is_true = |var: &Var| model.contains(&of(var.pos_lit()));
            let block: Vec<_> = self.shown.iter().map(|var| of(var.lit(is_true(var)))).collect();
            solver.add_clause(&block);
            let names = self.shown.iter().filter(|var| is_true(var)).map(|var| self.name(*var));
            assert!(found.insert(names.collect()));
        }
        found
    }
}

const DOMINOES: &str = "xx\n\nxx\n";
const DOTS: &str = "x\n\nx\n\nx\n";
const MIXED: &str = "x\n\nxx\n\nx\n";

/// Keys of rules with their values.
type Rules = &'static [(&'static str, &'static str)];

/// Problem, rules and engines. The tiny boards are those on which encoders are tested.
const CASES: [(&str, Rules, &str); 7] = [
    ("flip", &[], "sat:presses/xor=*/lex=*,sat:nullspace/xor=*"),
    ("flip", &[("within", "2"), ("stencil", "king")], "sat:presses/card=*,sat:nullspace/card=*"),
    ("flip", &[("target", "white"), ("within", "1")], "sat:presses,sat:nullspace"),
    ("ships", &[("fleet", DOMINOES)], "sat:*/amo=*/cells=*/colours=*/leaders=*"),
    ("ships", &[("fleet", DOMINOES)], "sat:*/adversary=sunflower"),
    ("ships", &[("fleet", DOTS)], "sat:*/leaders=*/cells=yes/colours=yes"),
    ("spot", &[], "sat:*/amo=*,sat:path/once=chain"),
];

#[test]
fn linear_constraints_have_the_models_of_the_clauses() {
    for (problem, rules, patterns) in CASES {
        let bench = Bench::new(problem, rules);
        let engines = bench.engines(patterns);
        let trials = bench.problem().info().stress.clone().unwrap();
        let (mut boards, mut with_sums) = (0, 0);
        for (i, instance) in trials.tiny(&bench.settings).unwrap().enumerate().step_by(3) {
            let engine = &engines[i / 3 % engines.len()];
            let [sums, clauses] = [true, false].map(|native| Written::new(&*instance, engine, native));
            assert_eq!(clauses.n_linear, 0);
            assert!(sums.cnf.names() == clauses.cnf.names() || sums.n_linear > 0);
            assert_eq!(sums.models(), clauses.models(), "{engine} on\n{}", instance.text());
            boards += 1;
            with_sums += usize::from(sums.n_linear > 0);
        }
        assert!(boards >= 100 && 10 * with_sums > boards, "{problem}: {with_sums} of {boards}");
    }
}

/// A solver that supports linear constraints and assumptions: it wraps the default solver, and turns the
/// constraints into clauses.
struct Sums {
    inner: Box<dyn Solver>,
    n_linear: u64,
}

impl Sink for Sums {
    fn new_var(&mut self) -> Var {
        self.inner.new_var()
    }
    fn n_vars(&self) -> u32 {
        self.inner.n_vars()
    }
    fn clause(&mut self, lits: &[Lit]) {
        self.inner.clause(lits);
    }
    fn linear(&mut self, constraint: &Linear<'_>) {
        self.n_linear += 1;
        constraint.encode(&mut *self.inner);
    }
    fn supports_linear(&self) -> bool {
        true
    }
}

impl Solver for Sums {
    fn solve(self: Box<Self>, assumptions: &[Lit], budget: &mut Budget) -> Verdict {
        let n_linear = self.n_linear;
        let wrap = |inner| Box::new(Sums { inner, n_linear });
        match self.inner.solve(assumptions, budget) {
            Verdict::Sat(inner) => Verdict::Sat(wrap(inner)),
            Verdict::Unsat(inner) => Verdict::Unsat(wrap(inner)),
            ended @ (Verdict::Stopped(_) | Verdict::Failed(_)) => ended,
        }
    }
    fn value(&self, lit: Lit) -> bool {
        self.inner.value(lit)
    }
    fn n_clauses(&self) -> u64 {
        self.inner.n_clauses() + self.n_linear
    }
}

#[test]
fn engines_find_the_same_answers_from_linear_constraints() {
    let factory = SolverFactory::default();
    let mut profile = factory.profile().clone();
    profile.name = "sums".to_owned();
    let sums = SolverFactory::new(profile, move || Box::new(Sums { inner: factory.fresh(), n_linear: 0 }));
    let solvers = SolverRegistry::built_in().with(sums);
    for (problem, rules, patterns) in [
        (
            "flip",
            &[][..],
            "sat:presses/xor={direct,native}/card=*/bound=*/lex=*@sums,sat:nullspace/bound=*@sums",
        ),
        ("ships", &[("fleet", DOMINOES)], "sat:*/adversary=*/idle=*/leaders=*@sums"),
        ("ships", &[("fleet", MIXED), ("misses", "2")], "sat:*/adversary=*/idle=*/cells=*/colours=*@sums"),
        ("spot", &[], "sat:toggles/distinct=*@sums,sat:path/once=*@sums"),
    ] {
        let bench = Bench::new(problem, rules);
        let engines = spec::resolve(bench.problem().engines(), &solvers, patterns).unwrap();
        let references = bench.engines("search:*");
        let trials = bench.problem().info().stress.clone().unwrap();
        let mut boards = 0;
        for (i, instance) in trials.tiny(&bench.settings).unwrap().enumerate().step_by(7) {
            let engine = engines[i / 7 % engines.len()].clone();
            let reference = references.iter().find(|reference| instance.supports(reference).is_ok());
            let pair = [reference.unwrap().clone(), engine];
            boards += usize::from(bench.battery(&*instance, &pair, None) == 2);
        }
        assert!(boards >= 50, "{problem}: {boards}");
    }
}
