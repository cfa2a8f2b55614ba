//! Every encoding against the definition of its constraint: all assignments of up to eight inputs,
//! each completed by trying every value of the new variables' propagation closure.

use counterpoint_encodings::{Cnf, ExactlyOne, Lit, Parity, Sink, Tally, Totalizer};

/// True iff the formula has a model that extends `inputs` (bit i for variable i): plain DPLL.
fn extends(cnf: &Cnf, n_inputs: usize, inputs: u32) -> bool {
    let mut values: Vec<Option<bool>> = vec![None; cnf.n_vars() as usize];
    for (i, value) in values.iter_mut().enumerate().take(n_inputs) {
        *value = Some(inputs >> i & 1 == 1);
    }
    dpll(cnf, values)
}

fn dpll(cnf: &Cnf, mut values: Vec<Option<bool>>) -> bool {
    loop {
        let mut unit = None;
        for clause in cnf.clauses() {
            let holds = |l: &Lit| values[l.vidx()].map(|v| v == l.is_pos());
            if clause.iter().any(|l| holds(l) == Some(true)) {
                continue;
            }
            let open: Vec<_> = clause.iter().filter(|l| holds(l).is_none()).collect();
            match open[..] {
                [] => return false,
                [&l] => unit = Some(l),
                _ => {}
            }
        }
        match unit {
            Some(l) => values[l.vidx()] = Some(l.is_pos()),
            None => break,
        }
    }
    match values.iter().position(Option::is_none) {
        None => true,
        Some(v) => [false, true].into_iter().any(|b| {
            let mut next = values.clone();
            next[v] = Some(b);
            dpll(cnf, next)
        }),
    }
}

fn inputs<S: Sink>(sink: &mut S, n: usize) -> Vec<Lit> {
    (0..n).map(|i| sink.named_var(format_args!("x{i}")).pos_lit()).collect()
}

/// Writes the constraint twice, into a formula and into a tally; both must agree with `size`.
fn check(
    n: usize,
    size: Option<(u64, u64)>,
    encode: impl Fn(&mut dyn Sink, &[Lit]),
    holds: impl Fn(u32) -> bool,
) {
    let (mut cnf, mut tally) = (Cnf::default(), Tally::default());
    let xs = inputs(&mut cnf, n);
    encode(&mut cnf, &xs);
    inputs(&mut tally, n);
    encode(&mut tally, &xs);
    let counted = (u64::from(cnf.n_vars()) - n as u64, cnf.clauses().count() as u64);
    assert_eq!((u64::from(tally.n_vars()) - n as u64, tally.n_clauses()), counted);
    if let Some(size) = size {
        assert_eq!(size, counted, "size formula at n = {n}");
    }
    for assignment in 0..1u32 << n {
        assert_eq!(extends(&cnf, n, assignment), holds(assignment), "n = {n}, inputs {assignment:b}");
    }
}

#[test]
fn exactly_one() {
    for kind in ExactlyOne::ALL {
        assert_eq!(ExactlyOne::from_name(kind.name()), Some(kind));
        for n in 0..=8 {
            let (vars, clauses) = kind.at_most_one_size(n as u64);
            check(n, Some((vars, clauses)), |s, x| kind.at_most_one(s, x), |a| a.count_ones() <= 1);
            check(n, Some((vars, clauses + 1)), |s, x| kind.encode(s, x), |a| a.count_ones() == 1);
        }
    }
}

#[test]
fn parity() {
    for (name, kind) in Parity::NAMES {
        assert_eq!(Parity::from_name(name), Some(kind));
        for n in 0..=8 {
            for odd in [false, true] {
                let size = kind.size(n as u64).map(|(v, c)| (v, if n == 0 { u64::from(odd) } else { c }));
                check(n, size, |s, x| kind.encode(s, x, odd), |a| (a.count_ones() % 2 == 1) == odd);
            }
        }
    }
}

#[test]
fn totalizer_bounds_each_count() {
    for n in 0..=8 {
        let (vars, clauses) = Totalizer::size(n as u64);
        for k in 0..=n {
            let bound = |s: &mut dyn Sink, x: &[Lit]| {
                if let Some(more) = Totalizer::new(s, x).more_than(k) {
                    s.clause(&[!more]);
                }
            };
            let size = (vars, clauses + u64::from(k < n));
            check(n, Some(size), bound, |a| a.count_ones() as usize <= k);
        }
    }
}

#[test]
fn groups_and_names_are_kept() {
    let mut cnf = Cnf::default();
    let xs = inputs(&mut cnf, 3);
    cnf.group("one");
    ExactlyOne::Pairwise.encode(&mut cnf, &xs);
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
