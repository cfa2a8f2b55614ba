//! Sinks that wrap another sink forward everything to it, and a guard makes constraints conditional.

use counterpoint_encodings::{Cnf, Forward, Linear, Lit, Parity, Relation, Sink, Var};

/// Stores clauses, and counts the parity and linear constraints that arrive.
#[derive(Default)]
struct Native {
    cnf: Cnf,
    parities: usize,
    linears: usize,
    shown: Vec<Var>,
}

impl Sink for Native {
    fn new_var(&mut self) -> Var {
        self.cnf.new_var()
    }
    fn n_vars(&self) -> u32 {
        self.cnf.n_vars()
    }
    fn clause(&mut self, lits: &[Lit]) {
        self.cnf.clause(lits);
    }
    fn xor(&mut self, _: &[Lit], _: bool) {
        self.parities += 1;
    }
    fn linear(&mut self, _: &Linear<'_>) {
        self.linears += 1;
    }
    fn named_var(&mut self, name: std::fmt::Arguments<'_>) -> Var {
        self.cnf.named_var(name)
    }
    fn group(&mut self, label: &str) {
        self.cnf.group(label);
    }
    fn show(&mut self, vars: &[Var]) {
        self.shown.extend_from_slice(vars);
    }
}

struct Wrapper<'a> {
    inner: &'a mut Native,
    guard: Option<Lit>,
    added: usize,
}

impl Forward for Wrapper<'_> {
    type Inner = Native;
    fn inner(&self) -> &Native {
        self.inner
    }
    fn inner_mut(&mut self) -> &mut Native {
        self.inner
    }
    fn guard(&self) -> Option<Lit> {
        self.guard
    }
    fn constraint_added(&mut self) {
        self.added += 1;
    }
}

/// Calls each method of a wrapper around `native`. Returns how often `constraint_added` was called.
fn write(native: &mut Native, guard: Option<Lit>) -> usize {
    let mut wrapper = Wrapper { inner: native, guard, added: 0 };
    wrapper.group("all");
    let lits: Vec<Lit> = (0..6).map(|i| wrapper.named_var(format_args!("x{i}")).pos_lit()).collect();
    assert_eq!(wrapper.n_vars(), 6 + u32::from(guard.is_some()));
    wrapper.show(&[lits[0].var()]);
    wrapper.clause(&lits);
    wrapper.xor(&lits, true);
    let terms: Vec<(i64, Lit)> = (1..).zip(lits).collect();
    wrapper.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: 9 });
    wrapper.added
}

#[test]
fn everything_is_forwarded() {
    let mut native = Native::default();
    assert_eq!(write(&mut native, None), 3);
    assert_eq!((native.parities, native.linears, native.cnf.clauses().len()), (1, 1, 1));
    assert_eq!((native.cnf.names().len(), native.cnf.groups().len(), native.shown.len()), (6, 1, 1));
}

#[test]
fn a_guard_is_in_every_clause() {
    let (mut native, mut plain) = (Native::default(), Cnf::default());
    let guard = native.new_var().pos_lit();
    let added = write(&mut native, Some(guard));
    assert_eq!((native.parities, native.linears), (0, 0));
    assert_eq!(native.cnf.clauses().len(), added);
    assert!(native.cnf.clauses().all(|clause| clause[0] == !guard));
    // Without the guard, these are the clauses that a sink without native constraints receives.
    plain.new_var();
    let lits: Vec<Lit> = (0..6).map(|_| plain.new_var().pos_lit()).collect();
    plain.clause(&lits);
    Parity::Cut(4).encode(&mut plain, &lits, true);
    let terms: Vec<(i64, Lit)> = (1..).zip(lits).collect();
    plain.linear(&Linear { terms: &terms, relation: Relation::AtMost, bound: 9 });
    assert!(native.cnf.clauses().map(|clause| &clause[1..]).eq(plain.clauses()));
}
