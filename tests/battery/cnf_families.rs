//! The families of formulas: their sizes are compared with closed-form expressions and with CNFgen, and their
//! models with theory.

use chacha20::ChaCha8Rng;
use counterpoint::engine::Budget;
use counterpoint::problem::Params;
use counterpoint::problems::cnf::families::FAMILIES;
use counterpoint::problems::cnf::search::dpll::dpll;
use counterpoint::problems::cnf::{Formula, Instance};
use counterpoint_encodings::{AtMostOne, Parity};
use rand::SeedableRng;
use std::collections::HashSet;

fn make(words: &str, seed: u64) -> Result<Instance, String> {
    let mut words = words.split(' ');
    let name = words.next().unwrap();
    let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
    let given: Vec<_> = words.filter_map(|word| word.split_once('=')).collect();
    let given: Vec<_> = given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let params = Params::new(family.params, &given).map_err(|error| error.to_string())?;
    (family.make)(&(), &params, &mut ChaCha8Rng::seed_from_u64(seed)).map_err(|error| error.to_string())
}

fn formula(words: &str, seed: u64) -> Formula {
    let instance = make(words, seed).unwrap_or_else(|error| panic!("{words}: {error}"));
    (*instance.formula).clone()
}

/// The numbers of variables, clauses and parities.
fn size(words: &str) -> (u64, u64, usize) {
    let formula = formula(words, 1);
    (u64::from(formula.n_vars()), formula.clauses().len() as u64, formula.parities.len())
}

fn is_satisfiable(words: &str, seed: u64) -> bool {
    dpll(&formula(words, seed), &mut Budget::unlimited()).unwrap().is_some()
}

/// The expected numbers are those that CNFgen 0.9.6 prints for the same formulas.
#[test]
fn sizes_are_those_of_cnfgen() {
    for (words, vars, clauses) in [
        ("pigeonhole pigeons=6 holes=5", 30, 81),
        ("pigeonhole pigeons=6 variant=functional", 30, 141),
        ("pigeonhole pigeons=6 variant=onto", 30, 86),
        ("pigeonhole pigeons=6 variant=bijective", 30, 146),
        ("pigeonhole pigeons=4 holes=7 variant=bijective", 28, 137),
        ("mutilated n=2", 0, 2),
        ("mutilated w=3 h=2", 3, 6),
        ("mutilated n=3", 8, 19),
        ("mutilated n=4", 20, 56),
        ("mutilated w=5 h=6", 45, 136),
        ("mutilated n=8", 108, 344),
        ("parity n=10 degree=4", 20, 80),
        ("parity n=12 degree=3", 18, 48),
        ("parity n=10 degree=9 charge=even", 45, 2_560),
        ("colouring n=12 k=3 degree=3.33", 36, 108),
        ("colouring n=12 k=4 degree=3 graph=regular", 48, 156),
        ("clique n=6 k=4 p=1", 24, 190),
        ("clique n=6 k=4 p=0", 24, 280),
        ("clique n=7 k=3 p=1 order=any", 21, 87),
        ("clique n=7 k=3 p=0 order=any", 21, 213),
        ("random n=50 m=200", 50, 200),
        ("planted n=50 ratio=4", 50, 200),
        ("random n=50 ratio=4 m=0", 50, 200),
        ("random n=50 ratio=4 m=70", 50, 70),
    ] {
        assert_eq!(size(words), (vars, clauses, 0), "{words}");
    }
}

#[test]
fn sizes_follow_from_those_of_the_encodings() {
    for amo in AtMostOne::ALL {
        for (p, h) in [(2, 1), (3, 3), (7, 6), (5, 8), (11, 4)] {
            let (hole, pigeon) = (amo.at_most_one_size(p), amo.at_most_one_size(h));
            let size =
                |variant| size(&format!("pigeonhole pigeons={p} holes={h} amo={amo} variant={variant}"));
            assert_eq!(size("plain"), (p * h + h * hole.vars, p + h * hole.clauses, 0));
            assert_eq!(size("onto"), (p * h + h * hole.vars, p + h + h * hole.clauses, 0));
            let new = h * hole.vars + p * pigeon.vars;
            assert_eq!(size("functional"), (p * h + new, p + h * hole.clauses + p * pigeon.clauses, 0));
            assert_eq!(size("bijective"), (p * h + new, p + h + h * hole.clauses + p * pigeon.clauses, 0));
        }
        for n in 3..=8 {
            // Numbers of squares with 2, 3 and 4 neighbours.
            let squares = [(2, 6), (3, 4 * n - 12), (4, (n - 2) * (n - 2))];
            let sum = |of: &dyn Fn(u64) -> u64| squares.iter().map(|&(d, count)| count * of(d)).sum::<u64>();
            let vars = 2 * n * (n - 1) - 4 + sum(&|d| amo.at_most_one_size(d).vars);
            let clauses = n * n - 2 + sum(&|d| amo.at_most_one_size(d).clauses);
            assert_eq!(size(&format!("mutilated n={n} amo={amo}")), (vars, clauses, 0), "{n} {amo}");
        }
        let (of_member, of_vertex) = (amo.at_most_one_size(9), amo.at_most_one_size(4));
        let vars = 36 + 4 * of_member.vars + 9 * of_vertex.vars;
        let clauses = 4 * (1 + of_member.clauses) + 9 * of_vertex.clauses + 6 * 36;
        assert_eq!(size(&format!("clique n=9 k=4 p=1 amo={amo}")), (vars, clauses, 0));
        let of_vertex = amo.at_most_one_size(5);
        let expected = (9 * (5 + of_vertex.vars), 9 * (1 + of_vertex.clauses) + 18 * 5, 0);
        assert_eq!(size(&format!("colouring n=9 k=5 degree=4 amo={amo}")), expected);
    }
    for name in Parity::NAMES {
        for (n, d) in [(4, 3), (8, 5), (10, 4), (9, 8)] {
            let expected = match Parity::from_name(name).unwrap().size(d) {
                Some(size) => (n * d / 2 + n * size.vars, n * size.clauses, 0),
                None => (n * d / 2, 0, n as usize),
            };
            assert_eq!(size(&format!("parity n={n} degree={d} xor={name}")), expected, "{n} {d} {name}");
        }
    }
}

#[test]
fn pigeons_fit_iff_there_are_enough_holes() {
    for (pigeons, holes) in (1..=5).flat_map(|p| (1..=5).map(move |h| (p, h))) {
        for variant in ["plain", "functional", "onto", "bijective"] {
            let expected = if variant == "bijective" { pigeons == holes } else { pigeons <= holes };
            for amo in AtMostOne::ALL {
                let words = format!("pigeonhole pigeons={pigeons} holes={holes} variant={variant} amo={amo}");
                assert_eq!(is_satisfiable(&words, 1), expected, "{words}");
            }
        }
    }
    assert!(!is_satisfiable("pigeonhole pigeons=1", 1));
}

#[test]
fn dominoes_fit_iff_the_corners_have_different_colours() {
    for (w, h) in (2..=6).flat_map(|w| (2..=6).map(move |h| (w, h))) {
        for amo in [AtMostOne::Pairwise, AtMostOne::Product] {
            let words = format!("mutilated w={w} h={h} amo={amo}");
            assert_eq!(is_satisfiable(&words, 1), (w + h) % 2 == 1, "{words}");
        }
    }
}

#[test]
fn the_charge_decides_parities() {
    for seed in 0..10 {
        // Many of the graphs of degree 1 and 2 are not connected.
        for (n, degree) in [(2, 1), (8, 1), (9, 2), (12, 2), (8, 3), (7, 4), (6, 5)] {
            for (xor, charge) in Parity::NAMES.iter().flat_map(|xor| [(xor, "odd"), (xor, "even")]) {
                let words = format!("parity n={n} degree={degree} charge={charge} xor={xor}");
                assert_eq!(is_satisfiable(&words, seed), charge == "even", "{words}");
            }
        }
    }
}

#[test]
fn random_formulas_have_distinct_clauses_of_distinct_variables() {
    for words in [
        "random n=30 ratio=10",
        "random n=30 k=2 ratio=10",
        "random n=4 m=30",
        "random n=4 m=32",
        "random n=7 k=7 m=128",
        "random n=20 k=1 m=40",
        "planted n=30 ratio=10",
        "planted n=4 m=28",
        "planted n=1 k=1 m=1",
        "planted n=12 k=4 ratio=20",
        "random n=9 ratio=0 m=0",
    ] {
        for seed in 0..20 {
            let formula = formula(words, seed);
            let clauses: HashSet<Vec<_>> = formula.clauses().map(<[_]>::to_vec).collect();
            assert_eq!(clauses.len(), formula.clauses().len(), "{words}");
            for clause in clauses {
                assert!(clause.is_sorted_by_key(|lit| lit.var()), "{words}");
                assert_eq!(clause.iter().map(|lit| lit.var()).collect::<HashSet<_>>().len(), clause.len());
            }
            if words.starts_with("planted") {
                assert!(is_satisfiable(words, seed), "{words}");
            }
        }
    }
}

#[test]
fn a_seed_gives_one_formula() {
    for family in FAMILIES {
        let [a, b] = [1, 1].map(|seed| formula(family.name, seed));
        assert!(a.clauses().eq(b.clauses()) && a.parities == b.parities, "{}", family.name);
        assert!(a.clauses().len() > 0, "{}", family.name);
    }
    let [a, b] = [1, 2].map(|seed| formula("random", seed));
    assert!(!a.clauses().eq(b.clauses()));
}

#[test]
fn impossible_and_huge_sizes_are_errors() {
    for (words, message) in [
        ("random n=2", "a clause of k=3 variables needs n=3 or more, not n=2"),
        ("random n=3 m=9", "there are only 8 such clauses, not 9"),
        ("planted n=3 m=8", "there are only 7 such clauses, not 8"),
        (
            "random n=1000 k=32 ratio=5000",
            "the formula would have more than 16777216 literals; use smaller parameters",
        ),
        (
            "pigeonhole pigeons=100000",
            "the formula would have more than 16777216 variables; use smaller parameters",
        ),
        (
            "pigeonhole pigeons=3000",
            "the formula would have more than 16777216 clauses; use smaller parameters",
        ),
        ("pigeonhole amo=laddr", "parameter amo has no value 'laddr'; did you mean 'ladder'?"),
        ("mutilated n=100000", "the formula would have more than 16777216 variables; use smaller parameters"),
        ("mutilated w=1", "a chessboard has sides of at least 2, not 1x6"),
        ("parity n=5", "no graph has 5 vertices of degree 3: one of the two must be even"),
        ("parity n=4 degree=4", "a vertex of degree 4 needs 5 vertices or more, not 4"),
        (
            "parity n=100 degree=40",
            "the formula would have more than 16777216 clauses; use smaller parameters",
        ),
        (
            "parity n=1000000 degree=999999 xor=tree",
            "the formula would have more than 16777216 variables; use smaller parameters",
        ),
        (
            "colouring n=1000000 k=1000",
            "the formula would have more than 16777216 variables; use smaller parameters",
        ),
        ("colouring n=4 degree=3.5 graph=regular", "a regular graph has a whole degree, not 3.5"),
        ("colouring n=4 degree=5", "4 vertices have at most 6 edges, not 10"),
        ("clique n=5000 k=900", "the formula would have more than 16777216 clauses; use smaller parameters"),
    ] {
        assert_eq!(make(words, 1).err().as_deref(), Some(message), "{words}");
    }
}
