//! Tests every encoding of the catalogue for up to eight inputs: whether it has the right models, whether they
//! determine the new variables, whether unit propagation is complete, and whether its size is the computed one.

use crate::expression::evaluate;
use crate::propagation::{Propagator, Values, lit};
use counterpoint_encodings::{
    Bounds, Cnf, Constraint, Count, EncodingSize, Entry, Lit, ModelCount, Parity, Sink, Tally, catalogue,
    lex_at_most,
};

pub(crate) type Encode = Box<dyn Fn(&mut dyn Sink, &[Lit])>;

/// A constraint, and an encoding of it.
pub(crate) struct Case {
    pub(crate) what: String,
    n: usize,
    pub(crate) encode: Encode,
    /// Whether the constraint holds for inputs that are given as bits.
    pub(crate) holds: Box<dyn Fn(u32) -> bool>,
    /// Number of clauses in addition to those that the catalogue counts.
    extra: u64,
    /// The `k` in the catalogue's expression for the size.
    k: usize,
}

pub(crate) fn cases(entry: &Entry, n: usize) -> Vec<Case> {
    let ones = |a: u32| a.count_ones() as usize;
    let case = |what: &str, k, extra: u64, encode, holds| Case {
        what: format!("{} {} {what}, n = {n}, k = {k}", entry.constraint.family(), entry.name),
        n,
        encode,
        holds,
        extra,
        k,
    };
    match entry.constraint {
        Constraint::AtMostOne(kind) => vec![
            case("<=", 1, 0, Box::new(move |s, x| kind.at_most_one(s, x)), Box::new(move |a| ones(a) <= 1)),
            case("=", 1, 1, Box::new(move |s, x| kind.exactly_one(s, x)), Box::new(move |a| ones(a) == 1)),
        ],
        Constraint::Cardinality(kind, bounds) => {
            let up = (0..=n).map(|k| {
                let encode = move |s: &mut dyn Sink, x: &[Lit]| {
                    Count::new(kind, s, x, k + 1, bounds).require_at_most(s, k);
                };
                let extra = u64::from(k < n);
                case("<=", k + 1, extra, Box::new(encode), Box::new(move |a| ones(a) <= k))
            });
            let down = (1..=n).filter(|_| bounds == Bounds::Both).map(|k| {
                let encode = move |s: &mut dyn Sink, x: &[Lit]| {
                    let count = Count::new(kind, s, x, k, bounds);
                    s.clause(&[count.outputs()[k - 1]]);
                };
                case(">=", k, 1, Box::new(encode), Box::new(move |a| ones(a) >= k))
            });
            let full = (0..n).map(|k| {
                let encode = move |s: &mut dyn Sink, x: &[Lit]| {
                    Count::new(kind, s, x, x.len(), bounds).require_at_most(s, k);
                };
                case("<= of a full count", n, 1, Box::new(encode), Box::new(move |a| ones(a) <= k))
            });
            up.chain(down).chain(full).collect()
        }
        Constraint::Parity(kind) => [true, false]
            .into_iter()
            .map(|odd| {
                let encode = move |s: &mut dyn Sink, x: &[Lit]| kind.encode(s, x, odd);
                let extra = u64::from(n == 0 && odd);
                case("", 0, extra, Box::new(encode), Box::new(move |a| (ones(a) % 2 == 1) == odd))
            })
            .collect(),
        // The inputs are the two sequences, one after the other. The size depends on the length of one sequence.
        Constraint::Lexicographic => {
            let encode = move |s: &mut dyn Sink, x: &[Lit]| {
                lex_at_most(s, &x[..x.len() / 2], &x[x.len() / 2..]);
            };
            let sequence = move |a: u32, from: usize| (0..n / 2).map(move |i| a >> (from + i) & 1 == 1);
            let holds = move |a| sequence(a, 0).le(sequence(a, n / 2));
            if n.is_multiple_of(2) {
                vec![case("", 0, 0, Box::new(encode), Box::new(holds))]
            } else {
                Vec::new()
            }
        }
    }
}

fn write(case: &Case) -> Cnf {
    let mut cnf = Cnf::default();
    let inputs: Vec<_> = (0..case.n).map(|_| cnf.new_var().pos_lit()).collect();
    (case.encode)(&mut cnf, &inputs);
    cnf
}

/// The maximum number of inputs. Under Miri, which is slow, the smallest number for which each encoding shows its kind.
const MAX_INPUTS: usize = if cfg!(miri) { 5 } else { 8 };

/// Calls `test` for every constraint and every encoding with up to [`MAX_INPUTS`] inputs.
fn each(test: impl Fn(&Entry, &Case, &Cnf)) {
    for entry in catalogue() {
        for n in 0..=MAX_INPUTS {
            cases(&entry, n).iter().for_each(|case| test(&entry, case, &write(case)));
        }
    }
}

#[test]
fn formulas_have_the_right_models_and_model_counts() {
    let mut several = std::collections::BTreeSet::new();
    each(|entry, case, cnf| {
        let propagator = Propagator::new(cnf);
        let start = propagator.start();
        for inputs in 0..1u32 << case.n {
            let lits: Vec<_> = (0..case.n).map(|i| lit(i, inputs >> i & 1 == 1)).collect();
            let values = start.as_ref().and_then(|start| propagator.propagate(start, &lits));
            let models = values.map_or(0, |values| propagator.models(&values, 2));
            assert_eq!(models > 0, (case.holds)(inputs), "{}: inputs {inputs:b}", case.what);
            let exact = match entry.models {
                ModelCount::Exact => true,
                ModelCount::ExactIfExactlyOne => case.extra == 1,
                ModelCount::Projected => false,
            };
            assert!(!exact || models < 2, "{}: inputs {inputs:b} have several models", case.what);
        }
    });
    // If the catalogue does not call the model count exact, some input must have several models.
    for entry in catalogue().filter(|entry| entry.models != ModelCount::Exact) {
        let cases = (0..=MAX_INPUTS).flat_map(|n| cases(&entry, n));
        let found = cases.into_iter().any(|case| {
            let propagator = Propagator::new(&write(&case));
            (0..1u32 << case.n).any(|inputs| {
                let lits: Vec<_> = (0..case.n).map(|i| lit(i, inputs >> i & 1 == 1)).collect();
                let values = propagator.start().and_then(|start| propagator.propagate(&start, &lits));
                values.is_some_and(|values| propagator.models(&values, 2) > 1)
            })
        });
        assert!(
            found,
            "{} {} determines its new variables; expected several models for some input",
            entry.constraint.family(),
            entry.name
        );
        several.insert(entry.name);
    }
    assert!(several.contains("bitwise"));
}

#[test]
fn unit_propagation_is_complete_if_the_catalogue_says_so() {
    each(|entry, case, cnf| {
        let propagator = Propagator::new(cnf);
        let models: Vec<u32> = (0..1u32 << case.n).filter(|&a| (case.holds)(a)).collect();
        let complete = match propagator.start() {
            None => models.is_empty(),
            Some(start) => partial(&propagator, case.n, 0, &start, &models),
        };
        assert_eq!(complete, entry.propagates, "{}", case.what);
    });
}

/// Whether propagation is complete (it finds every implied input and every contradiction) from these values, and after
/// any inputs from `next` on are set as well.
fn partial(propagator: &Propagator, n: usize, next: usize, values: &Values, models: &[u32]) -> bool {
    // `models` are the models of the constraint that agree with the chosen inputs.
    let is_complete = (0..n).all(|i| {
        let value = |a: &u32| a >> i & 1 == 1;
        let forced = models.iter().all(|a| value(a) == value(&models[0]));
        !models.is_empty() && (!forced || values[i] == Some(value(&models[0])))
    });
    is_complete
        && (next..n).all(|i| {
            [false, true].into_iter().all(|value| {
                let left: Vec<u32> = models.iter().copied().filter(|a| (a >> i & 1 == 1) == value).collect();
                match propagator.propagate(values, &[lit(i, value)]) {
                    None => left.is_empty(),
                    Some(values) => !left.is_empty() && partial(propagator, n, i + 1, &values, &left),
                }
            })
        })
}

#[test]
fn formulas_have_the_computed_sizes() {
    each(|entry, case, cnf| {
        let mut tally = Tally::default();
        let inputs: Vec<_> = (0..case.n).map(|_| tally.new_var().pos_lit()).collect();
        (case.encode)(&mut tally, &inputs);
        let size = |vars: u32, clauses| EncodingSize { vars: u64::from(vars) - case.n as u64, clauses };
        let written = size(cnf.n_vars(), cnf.clauses().count() as u64);
        assert_eq!(size(tally.n_vars(), tally.n_clauses()), written);
        let n = if entry.constraint == Constraint::Lexicographic { case.n / 2 } else { case.n };
        if let Some(size) = entry.constraint.size(n as u64, case.k as u64) {
            let extra = EncodingSize { vars: 0, clauses: case.extra };
            assert_eq!(size + extra, written, "{}", case.what);
        }
        assert!(
            write(case).clauses().eq(cnf.clauses()),
            "{} is written differently the second time",
            case.what
        );
    });
}

#[test]
fn printed_expressions_agree_with_the_sizes() {
    let mut read = 0;
    for entry in catalogue() {
        for (n, k) in (5..=40).flat_map(|n| [2, 3, n / 2, n - 1].map(|k| (n, k))) {
            let (vars, clauses) = (evaluate(entry.vars, n, k), evaluate(entry.clauses, n, k));
            let (Some(vars), Some(clauses)) = (vars, clauses) else {
                assert!(["recurrence", "the sink's"].contains(&entry.clauses), "{}", entry.clauses);
                continue;
            };
            read += 1;
            let size = EncodingSize { vars, clauses };
            assert_eq!(Some(size), entry.constraint.size(n, k), "{} n = {n}, k = {k}", entry.name);
        }
    }
    assert!(read > 1000);
}

#[test]
fn sizes_of_large_parities_saturate() {
    let expected = EncodingSize { vars: 5, clauses: u64::MAX };
    assert_eq!(Parity::Cut(100).size(500), Some(expected));
}

#[test]
fn groups_and_names_are_kept() {
    let mut cnf = Cnf::default();
    let xs: Vec<_> = (0..3).map(|i| cnf.named_var(format_args!("x{i}")).pos_lit()).collect();
    cnf.group("one");
    cnf.clause(&xs);
    assert_eq!(cnf.names()[2].1, "x2");
    assert_eq!(cnf.groups(), [("one".to_owned(), 0)]);
    let mut tally = Tally::default();
    for label in ["a", "b", "a"] {
        tally.group(label);
        tally.clause(&xs);
    }
    let rows: Vec<_> = tally.rows().iter().map(|r| (r.label.as_str(), r.clauses, r.lits)).collect();
    assert_eq!(rows, [("b", 1, 3), ("a", 2, 6)]);
}
