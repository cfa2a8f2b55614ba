//! Formulas that expose faulty SAT solvers, and ways to simplify a formula.
//!
//! The first trial enumerates sets of clauses over at most two variables, and then makes random ones over
//! three. In every trial but `hard`, a program without clause learning solves a formula in a fraction of a
//! second.

use super::families::FAMILIES;
use super::{Formula, Instance};
use chacha20::ChaCha8Rng;
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Effort, MakeGame, Params, Promise, Trial};
use counterpoint_encodings::{Lit, Sink};
use rand::RngExt;
use rand::seq::SliceRandom;
use std::ops::RangeInclusive;

/// All kinds of formulas.
pub const TRIALS: &[Trial<(), Instance>] = &[
    promised(
        "tiny",
        "one formula of each kind over at most two variables, then all of them, then others over three",
        |(), round, rng| Ok(tiny(round).unwrap_or_else(|| instance(3, &mixed(3, 0..=9, 0..=3, rng)))),
    ),
    promised("random", "random 3-SAT near the threshold", |(), _, rng| {
        let n = rng.random_range(5..=20);
        let m = f64::from(n) * rng.random_range(3.5..=5.5);
        family("random", &[("n", n.to_string()), ("m", format!("{}", m.round()))], rng)
    }),
    promised("mixed", "clauses of one to six literals", |(), _, rng| {
        let n = rng.random_range(3..=15);
        Ok(instance(n, &mixed(n, n as usize..=4 * n as usize, 1..=6, rng)))
    }),
    promised("units", "chains of implications that unit clauses start", |(), _, rng| Ok(units(rng))),
    promised("repeated", "literals and clauses that occur twice, and tautologies", |(), _, rng| {
        Ok(repeated(rng))
    }),
    promised("empty", "an empty clause among others, or a formula without clauses", |(), round, rng| {
        Ok(empty(round, rng))
    }),
    promised("unused", "variables that occur in no clause", |(), round, rng| Ok(unused(round, rng))),
    promised("long", "clauses of up to forty literals", |(), _, rng| {
        let n = rng.random_range(20..=40);
        Ok(instance(n, &mixed(n, 5..=60, 1..=n as usize, rng)))
    }),
    promised("pigeonhole", "pigeons in too few holes, or in just enough", |(), round, rng| {
        let pigeons = rng.random_range(2..=4);
        let holes = pigeons - u32::from(round.is_multiple_of(2) && pigeons > 1);
        family("pigeonhole", &[("pigeons", pigeons.to_string()), ("holes", holes.to_string())], rng)
    }),
    promised("parity", "parities of the edges at each vertex of a graph", |(), round, rng| {
        let charge = if round.is_multiple_of(2) { "odd" } else { "even" };
        let n = 2 * rng.random_range(2..=4);
        family("parity", &[("n", n.to_string()), ("charge", charge.to_owned())], rng)
    }),
    promised("colouring", "three colours for a graph", |(), _, rng| {
        let n: u32 = rng.random_range(4..=9);
        let degree = rng.random_range(2.0..=f64::from(n - 1).min(5.0));
        family("colouring", &[("n", n.to_string()), ("degree", degree.to_string())], rng)
    }),
    Trial {
        name: "hard",
        about: "random 3-SAT that needs hundreds of conflicts, so that a program without clause learning may time out",
        promise: Promise::Beyond,
        effort: Effort::Quick,
        make: |(), _, rng| family("random", &[("n", rng.random_range(100..=150).to_string())], rng),
    },
];

const fn promised(
    name: &'static str,
    about: &'static str,
    make: MakeGame<(), Instance>,
) -> Trial<(), Instance> {
    Trial { name, about, promise: Promise::Promised, effort: Effort::Quick, make }
}

/// The number of formulas that come before those of the other trials: all over at most one variable, then one of each
/// kind over two variables.
pub const KINDS: u64 = (1 << 1) + (1 << 3) + 51;
/// The number of formulas that [`tiny`] enumerates.
#[cfg(test)]
const TINY: u64 = KINDS + (1 << 9);

/// Formula number `round` of an enumeration; `None` if there are fewer formulas. The enumeration consists of
/// all sets of clauses over no variable; all sets over one variable; over two variables, one set of non-empty
/// clauses of each kind; and then all sets over two variables. Two sets are of one kind if exchanging or
/// negating variables turns one into the other. Odd rounds list the clauses in reverse.
///
/// Over n variables there are 3^n clauses without repeated variables. The digits of a clause's number in base
/// three say how the variables occur in it: 0 not at all, 1 as they are, 2 negated.
fn tiny(round: u64) -> Option<Instance> {
    let by_size = |mut sets: Vec<u32>| {
        sets.sort_by_key(|set| set.count_ones());
        sets
    };
    let is_first = |set: &u32| (0..8).all(|symmetry| image(*set, symmetry) >= *set);
    let (n, sets, number) = match round {
        0..2 => (0, (0..2).collect(), round),
        2..10 => (1, by_size((0..8).collect()), round - 2),
        // Bit 0 stands for the empty clause.
        10..KINDS => (2, by_size((0..512).step_by(2).filter(is_first).collect()), round - 10),
        _ => (2, by_size((0..512).collect()), round - KINDS),
    };
    let mut set = *sets.get(usize::try_from(number).ok()?)?;
    if (10..KINDS).contains(&round) {
        // Without these changing symmetries, most literals would be positive.
        set = image(set, 5 * round as u32 % 8);
    }
    let digits = |clause: u32| (0..n).map(move |var| (var, clause / 3u32.pow(var) % 3));
    let lits = |clause| digits(clause).filter(|(_, digit)| *digit > 0).map(|(var, d)| Lit::new(var, d == 2));
    let chosen = (0..3u32.pow(n)).filter(|clause| set >> clause & 1 == 1);
    let mut clauses: Vec<Vec<Lit>> = chosen.map(|clause| lits(clause).collect()).collect();
    if round % 2 == 1 {
        clauses.reverse();
    }
    Some(instance(n, &clauses))
}

/// A set of clauses over two variables after one of the eight symmetries: bits 0 and 1 negate a variable, and then bit 2
/// exchanges the variables.
fn image(set: u32, symmetry: u32) -> u32 {
    let negated = |digit: u32, bit: u32| if symmetry >> bit & 1 == 1 { (3 - digit) % 3 } else { digit };
    let moved = |clause: u32| {
        let (first, second) = (negated(clause % 3, 0), negated(clause / 3, 1));
        if symmetry >> 2 == 1 { second + 3 * first } else { first + 3 * second }
    };
    (0..9).filter(|clause| set >> clause & 1 == 1).fold(0, |image, clause| image | 1 << moved(clause))
}

fn instance(n: u32, clauses: &[Vec<Lit>]) -> Instance {
    Instance::of(of(n, clauses))
}

/// The formula with these clauses.
fn of(n: u32, clauses: &[Vec<Lit>]) -> Formula {
    let mut formula = Formula::default();
    for _ in 0..n {
        formula.cnf.new_var();
    }
    clauses.iter().for_each(|clause| formula.cnf.clause(clause));
    formula
}

/// A formula of a family with these parameters.
fn family(name: &str, params: &[(&str, String)], rng: &mut ChaCha8Rng) -> Result<Instance, GenerateError> {
    let family = FAMILIES.iter().find(|family| family.name == name).ok_or("there is no such family")?;
    let params: Vec<_> = params.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    (family.make)(&(), &Params::new(family.params, &params)?, rng)
}

/// A clause of distinct variables below `n`.
fn clause(n: u32, width: usize, rng: &mut ChaCha8Rng) -> Vec<Lit> {
    let mut vars: Vec<u32> = (0..n).collect();
    let (chosen, _) = vars.partial_shuffle(rng, width);
    chosen.iter().map(|&var| Lit::new(var, rng.random())).collect()
}

/// Clauses of random widths. The number of clauses and the widths lie in these ranges.
fn mixed(
    n: u32,
    clauses: RangeInclusive<usize>,
    widths: RangeInclusive<usize>,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<Lit>> {
    let widths = *widths.start()..=(*widths.end()).min(n as usize);
    (0..rng.random_range(clauses)).map(|_| clause(n, rng.random_range(widths.clone()), rng)).collect()
}

/// A chain of implications from a unit clause, in random order, and a few other clauses.
fn units(rng: &mut ChaCha8Rng) -> Instance {
    let n = rng.random_range(4..=20);
    let mut chain = clause(n, n as usize, rng);
    let mut clauses: Vec<Vec<Lit>> = chain.windows(2).map(|pair| vec![!pair[0], pair[1]]).collect();
    clauses.extend(chain.first().map(|&first| vec![first]));
    // In half of the formulas, the end of the chain contradicts its beginning.
    if rng.random() {
        chain.truncate(rng.random_range(2..=chain.len()));
        clauses.extend(chain.last().map(|&last| vec![!last]));
    }
    clauses.extend(mixed(n, 0..=4, 2..=3, rng));
    clauses.shuffle(rng);
    instance(n, &clauses)
}

/// Random clauses in which literals occur twice or with their negation, and clauses that occur twice.
fn repeated(rng: &mut ChaCha8Rng) -> Instance {
    let n = rng.random_range(2..=8);
    let mut clauses = mixed(n, n as usize..=4 * n as usize, 1..=3, rng);
    for clause in &mut clauses {
        let lit = clause[rng.random_range(0..clause.len())];
        let at = rng.random_range(0..=clause.len());
        match rng.random_range(0..4) {
            0 => clause.insert(at, lit),
            1 => clause.insert(at, !lit),
            2 => clause.extend(clause.clone()),
            _ => {}
        }
    }
    let again = clauses[rng.random_range(0..clauses.len())].clone();
    clauses.push(again);
    clauses.shuffle(rng);
    instance(n, &clauses)
}

/// Even rounds: random clauses with an empty clause among them. Odd rounds: no clauses.
fn empty(round: u64, rng: &mut ChaCha8Rng) -> Instance {
    let n = rng.random_range(0..=6);
    let mut clauses = Vec::new();
    if round.is_multiple_of(2) {
        clauses = mixed(n, 0..=6, 1.min(n as usize)..=3, rng);
        clauses.insert(rng.random_range(0..=clauses.len()), Vec::new());
    }
    instance(n, &clauses)
}

/// Random clauses in which some variables do not occur. Depending on the round, these are the ones with the
/// highest numbers, the three lowest, or every second one.
fn unused(round: u64, rng: &mut ChaCha8Rng) -> Instance {
    let used = rng.random_range(2..=6);
    let (n, place): (u32, fn(u32) -> u32) = match round % 3 {
        0 => (used + rng.random_range(1..=3), |var| var),
        1 => (used + 3, |var| var + 3),
        _ => (2 * used, |var| 2 * var),
    };
    let clauses = mixed(used, 1..=5 * used as usize, 1..=3, rng);
    let moved = |lit: &Lit| Lit::new(place(lit.var().idx32()), lit.is_neg());
    let moved = clauses.iter().map(|clause| clause.iter().map(moved).collect());
    instance(n, &moved.collect::<Vec<_>>())
}

/// The number of literals that simpler formulas of each kind may have in all.
const MAX_LITERALS: usize = 1 << 26;

/// Simpler formulas, each with fewer constraints, literals or variables: without a block of clauses (long
/// blocks first), without a parity constraint, with a variable set to a value and removed (only if there are
/// no parity constraints), or without a literal of a clause. Those of each kind
/// have at most about 67 million literals in all. So a formula of more than about 8,000 literals has some that are not listed.
pub fn smaller(instance: &Instance) -> Vec<Instance> {
    let formula = &*instance.formula;
    let (n, clauses) = (formula.n_vars(), formula.clauses().map(<[Lit]>::to_vec).collect::<Vec<_>>());
    let with = |n: u32, clauses: &[Vec<Lit>]| {
        Instance::of(Formula { parities: formula.parities.clone(), ..of(n, clauses) })
    };
    // Each clause and each parity constraint also takes some memory of its own.
    let size = 1 + clauses
        .iter()
        .chain(formula.parities.iter().map(|(lits, _)| lits))
        .map(|c| c.len() + 4)
        .sum::<usize>();
    let most = (MAX_LITERALS / size).max(1);
    let mut found = Vec::new();
    let mut length = clauses.len();
    while length > 0 && found.len() < most {
        for start in (0..clauses.len()).step_by(length) {
            let end = (start + length).min(clauses.len());
            found.push(with(n, &[&clauses[..start], &clauses[end..]].concat()));
        }
        length /= 2;
    }
    for i in (0..formula.parities.len()).take(most) {
        let mut fewer = Formula { parities: formula.parities.clone(), ..of(n, &clauses) };
        fewer.parities.remove(i);
        found.push(Instance::of(fewer));
    }
    if formula.parities.is_empty() {
        let lits = (0..n).rev().flat_map(|var| [Lit::positive(var), Lit::negative(var)]);
        found.extend(lits.take(most).map(|lit| with(n - 1, &assigned(&clauses, lit))));
    }
    let literals = clauses.iter().enumerate().flat_map(|(i, clause)| (0..clause.len()).map(move |j| (i, j)));
    for (i, j) in literals.take(most) {
        let mut fewer = clauses.clone();
        fewer[i].remove(j);
        found.push(with(n, &fewer));
    }
    found
}

/// The clauses that remain when a literal is set to true. Its variable is removed, so the numbers of higher
/// variables decrease by one.
fn assigned(clauses: &[Vec<Lit>], lit: Lit) -> Vec<Vec<Lit>> {
    let moved = |other: &Lit| {
        let var = other.var().idx32();
        Lit::new(var - u32::from(var > lit.var().idx32()), other.is_neg())
    };
    let open = clauses.iter().filter(|clause| !clause.contains(&lit));
    open.map(|clause| clause.iter().filter(|&&other| other != !lit).map(moved).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::write::dimacs;
    use super::*;
    use chacha20::rand_core::SeedableRng;
    use std::collections::HashSet;

    #[test]
    fn all_tiny_formulas_are_made() {
        let text = |round| tiny(round).map(|instance| dimacs(&instance.formula));
        assert_eq!((text(TINY), text(TINY - 1).is_some()), (None, true));
        let number = |rounds: std::ops::Range<u64>| rounds.filter_map(text).collect::<HashSet<_>>().len();
        assert_eq!((number(0..KINDS), number(KINDS..TINY)), (KINDS as usize, 512));
        for formula in ["p cnf 0 0\n", "p cnf 0 1\n0\n", "p cnf 1 0\n", "p cnf 1 2\n1 0\n-1 0\n"] {
            assert!((0..10).any(|round| text(round).as_deref() == Some(formula)), "{formula}");
        }
    }

    #[test]
    fn each_kind_of_formulas_over_two_variables_comes_first() {
        let orbit = |set: u32| (0..8).map(|symmetry| image(set, symmetry)).collect::<HashSet<_>>();
        let orbits: Vec<_> = (0..512).step_by(2).map(orbit).collect();
        // The sets of an orbit contribute 1 together, so the sum is the number of orbits. Burnside's lemma
        // gives the same number.
        let mut sizes = 0.0;
        orbits.iter().for_each(|orbit| sizes += 1.0 / orbit.len() as f64);
        assert!((sizes - (KINDS - 10) as f64).abs() < 1e-9, "{sizes}");
    }

    #[test]
    fn every_trial_makes_formulas_and_smaller_ones_are_smaller() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let size = |instance: &Instance| {
            let formula = &instance.formula;
            let lits: usize = formula.clauses().map(<[Lit]>::len).sum();
            formula.n_vars() as usize + formula.clauses().len() + lits
        };
        for (trial, round) in TRIALS.iter().flat_map(|trial| (0..15).map(move |round| (trial, round))) {
            let made = (trial.make)(&(), round, &mut rng).unwrap_or_else(|e| panic!("{}: {e}", trial.name));
            assert!(made.formula.parities.is_empty());
            assert!(made.formula.clauses().flatten().all(|lit| lit.var().idx32() < made.formula.n_vars()));
            let smaller = smaller(&made);
            assert!(smaller.iter().all(|other| size(other) < size(&made)), "{}", trial.name);
        }
    }

    #[test]
    fn repeated_literals_empty_clauses_and_unused_variables_occur() {
        let made = |name: &str| {
            let trial = TRIALS.iter().find(|trial| trial.name == name).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let all = (0..30).map(move |round| (trial.make)(&(), round, &mut rng).unwrap().formula);
            all.collect::<Vec<_>>()
        };
        let has = |formula: &Formula, property: fn(&[Lit]) -> bool| formula.clauses().any(property);
        let twice = |clause: &[Lit]| (1..clause.len()).any(|i| clause[..i].contains(&clause[i]));
        let both = |clause: &[Lit]| clause.iter().any(|&lit| clause.contains(&!lit));
        assert!(made("repeated").iter().any(|formula| has(formula, twice)));
        assert!(made("repeated").iter().any(|formula| has(formula, both)));
        assert!(made("empty").iter().any(|formula| has(formula, <[Lit]>::is_empty)));
        assert!(made("empty").iter().any(|formula| formula.clauses().len() == 0 && formula.n_vars() > 0));
        for formula in made("unused") {
            let is_used = |var: u32| formula.clauses().flatten().any(|lit| lit.var().idx32() == var);
            assert!((0..formula.n_vars()).any(|var| !is_used(var)));
        }
    }
}
