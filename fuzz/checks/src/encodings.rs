//! Encodings of constraints against counting: several constraints over the same literals, with signs.

use crate::brute::{is_true, models};
use crate::input::Input;
use counterpoint_encodings::{
    AtMostOne, Bounds, Cardinality, Cnf, Count, Linear, Lit, ModelCount, Parity, Relation, Sink, catalogue,
    lex_at_most,
};

/// Constraints over inputs, which hold or not for inputs that are given as bits.
type Holds = Box<dyn Fn(u32) -> bool>;

/// Up to three constraints over up to seven literals: an assignment of the literals extends to a model if and only if
/// all constraints hold; in exactly one way if the catalogue says so.
pub(crate) fn encodings(data: &[u8]) {
    let input = &mut Input::new(data);
    let n = input.number(1..=7usize);
    let mut cnf = Cnf::default();
    let vars: Vec<Lit> = (0..n).map(|_| cnf.new_var().pos_lit()).collect();
    let (mut holds, mut is_exact, mut what): (Vec<Holds>, bool, String) = (Vec::new(), true, String::new());
    for _ in 0..input.number(1..=3) {
        let chosen: Vec<usize> = (0..n).filter(|_| input.number(0..=3) > 0).collect();
        let signs: Vec<bool> = chosen.iter().map(|_| input.flag()).collect();
        let lits: Vec<Lit> =
            chosen.iter().zip(&signs).map(|(&i, &sign)| if sign { !vars[i] } else { vars[i] }).collect();
        let numbers: Vec<i32> = lits.iter().map(|lit| lit.to_ipasir()).collect();
        let (one, exact) = constraint(&mut cnf, lits, numbers, input, &mut what);
        holds.push(one);
        is_exact &= exact;
    }
    let clauses: Vec<Vec<i32>> =
        cnf.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect();
    for inputs in 0..1u32 << n {
        let mut values: Vec<Option<bool>> = (0..n).map(|i| Some(inputs >> i & 1 == 1)).collect();
        values.resize(cnf.n_vars() as usize, None);
        let found = models(&clauses, &values, 2);
        let expected = holds.iter().all(|holds| holds(inputs));
        assert_eq!(found > 0, expected, "inputs {inputs:b} of {what}");
        assert!(!is_exact || found < 2, "inputs {inputs:b} have several models of {what}");
    }
}

/// Writes a constraint. Returns when it holds, and whether it determines its new variables.
fn constraint(
    cnf: &mut Cnf,
    lits: Vec<Lit>,
    numbers: Vec<i32>,
    input: &mut Input<'_>,
    what: &mut String,
) -> (Holds, bool) {
    let shown = numbers.clone();
    let count = move |m: u32| numbers.iter().filter(|&&lit| is_true(m, lit)).count();
    let n = lits.len();
    // The properties of a kind, by the name of its family and its own name.
    let exact = |family: &str, name: &str| {
        let mut all = catalogue().filter(|entry| entry.constraint.family() == family && entry.name == name);
        all.all(|entry| entry.models == ModelCount::Exact)
    };
    match input.number(0..=5) {
        0 => {
            let kind = *input.choose(&AtMostOne::ALL);
            *what += &format!("{kind} at most one of {shown:?}; ");
            kind.at_most_one(cnf, &lits);
            (Box::new(move |m| count(m) <= 1), exact("at most one", kind.name()))
        }
        1 => {
            let kind = *input.choose(&AtMostOne::ALL);
            *what += &format!("{kind} exactly one of {shown:?}; ");
            kind.exactly_one(cnf, &lits);
            (Box::new(move |m| count(m) == 1), exact("at most one", kind.name()))
        }
        2 => {
            let (kind, k) = (*input.choose(&Cardinality::ALL), input.number(0..=n));
            let bounds = *input.choose(&[Bounds::Upper, Bounds::Both]);
            let max = input.number(k + 1..=n + 2);
            *what += &format!("{kind} {bounds:?} at most {k} counted up to {max} of {shown:?}; ");
            let counted = Count::new(kind, cnf, &lits, max, bounds);
            counted.require_at_most(cnf, k);
            let least = input.number(0..=k);
            if bounds == Bounds::Both && least > 0 && least <= counted.outputs().len() {
                *what += &format!("at least {least}; ");
                cnf.clause(&[counted.outputs()[least - 1]]);
                return (Box::new(move |m| (least..=k).contains(&count(m))), true);
            }
            (Box::new(move |m| count(m) <= k), bounds == Bounds::Both)
        }
        3 => {
            let (kind, odd) = (*input.choose(&Parity::ALL), input.flag());
            *what += &format!("{kind:?} parity {odd} of {shown:?}; ");
            kind.encode(cnf, &lits, odd);
            (Box::new(move |m| (count(m) % 2 == 1) == odd), true)
        }
        4 => {
            let relation = *input.choose(&[Relation::AtMost, Relation::AtLeast, Relation::Equal]);
            let mut terms: Vec<(i64, Lit)> = lits.iter().map(|&lit| (input.number(-7..=9), lit)).collect();
            if input.rarely(4) && !terms.is_empty() {
                // A variable may occur twice.
                let (weight, lit) = *input.choose(&terms);
                terms.push((weight - 3, !lit));
            }
            let bound = input.number(-20..=30);
            let linear = Linear { terms: &terms, relation, bound };
            *what += &format!("{linear}; ");
            cnf.linear(&linear);
            let terms: Vec<(i64, i32)> =
                terms.iter().map(|(weight, lit)| (*weight, lit.to_ipasir())).collect();
            let holds = move |m| {
                let of = |&(weight, lit): &(i64, i32)| if is_true(m, lit) { weight } else { 0 };
                let sum: i64 = terms.iter().map(of).sum();
                match relation {
                    Relation::AtMost => sum <= bound,
                    Relation::AtLeast => sum >= bound,
                    Relation::Equal => sum == bound,
                }
            };
            (Box::new(holds), false)
        }
        _ => {
            let (first, second) = lits.split_at(n / 2);
            let second = &second[..n / 2];
            *what += &format!("lexicographic {shown:?}; ");
            lex_at_most(cnf, first, second);
            let half = n / 2;
            let holds = move |m| {
                let bit = |&lit: &i32| is_true(m, lit);
                shown[..half].iter().map(bit).le(shown[half..2 * half].iter().map(bit))
            };
            (Box::new(holds), false)
        }
    }
}
