//! Helpers for the tests of formula files: an independent reader, and a solver for the formula.

#![allow(dead_code, reason = "no test uses all of it")]
use counterpoint_encodings::{Cnf, Linear, Relation, Sink, Var};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use varisat::{ExtendFormula, Lit, Solver};

/// Judge input whose board takes four presses.
pub(crate) const FLIP: &str = "bwwb\nbbwb\nbwwb\nbwww\n";
/// A record with unknown moves.
pub(crate) const SMUDGED: &str = "2\n1 1 +\n? ? ?\n? ? ?\n1 2 ?\n0\n";
/// A board that a fleet fits.
pub(crate) const SHIPS: &str = "6 6\n..xxxx\nxxxxxx\noo.xxx\nxxxxxx\nxx.xxx\noo.oxo\n0 0\n";

/// Runs the program on `input`: exit status, standard output, standard error.
pub(crate) fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// The output of `encode`.
pub(crate) fn encode(problem: &str, input: &str, extra: &[&str]) -> String {
    let (status, text, err) = run(&[&["encode", problem], extra].concat(), input);
    assert_eq!(status, 0, "{extra:?}: {err}");
    text
}

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// The literals of a model of `read`'s formula, without the new variables of [`solver`].
pub(crate) fn literals(read: &Read, solver: &Solver<'_>) -> Vec<String> {
    let n_vars = if read.sums.is_empty() { i64::MAX } else { read.header[0] };
    let model = solver.model().unwrap();
    let own = model.iter().map(|lit| lit.to_dimacs()).filter(|lit| (lit.unsigned_abs() as i64) <= n_vars);
    own.map(|lit| lit.to_string()).collect()
}

/// A linear constraint: its weights with their variables, whether the sum must be equal to the bound instead of at
/// least the bound, and the bound.
type Sum = (Vec<(i64, i64)>, bool, i64);

/// The constraints of a file.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) clauses: Vec<Vec<i64>>,
    pub(crate) xors: Vec<Vec<i64>>,
    /// The linear constraints that are not clauses.
    pub(crate) sums: Vec<Sum>,
    /// Weight and clause.
    pub(crate) soft: Vec<(i64, Vec<i64>)>,
    pub(crate) questions: Vec<Vec<i64>>,
    pub(crate) shown: Vec<i64>,
    pub(crate) header: Vec<i64>,
}

/// Reads a file of any format; panics if it is malformed.
pub(crate) fn read(text: &str) -> Read {
    let mut read = Read::default();
    let numbers = |text: &str| -> Vec<i64> {
        let mut all: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert_eq!(all.pop(), Some(0), "{text}");
        all
    };
    let opb = text.starts_with('*');
    for line in text.lines() {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("c", rest) => read.shown.extend(rest.strip_prefix("p show ").map_or(Vec::new(), numbers)),
            ("*", rest) if rest.starts_with('#') => {
                let words: Vec<_> = rest.split_whitespace().collect();
                read.header = vec![words[1].parse().unwrap(), words[3].parse().unwrap()];
            }
            ("*", _) => {}
            ("p", rest) => {
                read.header = rest.split_whitespace().skip(1).map(|n| n.parse().unwrap()).collect()
            }
            ("h", rest) => read.clauses.push(numbers(rest)),
            ("a", rest) => read.questions.push(numbers(rest)),
            ("min:", rest) => {
                let words: Vec<_> = rest.trim_end_matches(';').split_whitespace().collect();
                read.soft.extend(
                    words
                        .chunks(2)
                        .map(|w| (w[0].parse().unwrap(), vec![-w[1][1..].parse::<i64>().unwrap()])),
                );
            }
            _ if opb => {
                let mut words: Vec<_> = line.strip_suffix(" ;").unwrap().split(' ').collect();
                let bound: i64 = words.pop().unwrap().parse().unwrap();
                let is_equation = match words.pop().unwrap() {
                    ">=" => false,
                    "=" => true,
                    _ => panic!("{line}"),
                };
                let term = |w: &[&str]| {
                    assert!(w[0].starts_with(['+', '-']) && w[1].starts_with('x'), "{line}");
                    (w[0].parse::<i64>().unwrap(), w[1][1..].parse::<i64>().unwrap())
                };
                let terms: Vec<_> = words.chunks(2).map(term).collect();
                let variables: std::collections::BTreeSet<_> = terms.iter().map(|(_, var)| *var).collect();
                assert_eq!(variables.len(), terms.len(), "a variable occurs twice: {line}");
                let negated = terms.iter().filter(|(weight, _)| *weight == -1).count() as i64;
                let is_clause = terms.iter().all(|(weight, _)| weight.abs() <= 1) && bound == 1 - negated;
                if is_clause && !is_equation {
                    let lits = terms.iter().map(|(weight, var)| weight * var);
                    read.clauses.push(lits.filter(|lit| *lit != 0).collect());
                } else {
                    read.sums.push((terms, is_equation, bound));
                }
            }
            _ if line.starts_with('x') => read.xors.push(numbers(&line[1..])),
            (_, rest) if text.starts_with("c counterpoint wcnf") => {
                let weight = line.split(' ').next().unwrap().parse().unwrap();
                read.soft.push((weight, numbers(rest)));
            }
            _ => read.clauses.push(numbers(line)),
        }
    }
    read
}

/// A solver with the clauses of a file, with all clauses of each parity constraint, and with an encoding of each linear
/// constraint, whose new variables follow those of the file.
pub(crate) fn solver(read: &Read) -> Solver<'static> {
    let mut solver = Solver::new();
    let add = |solver: &mut Solver<'_>, lits: &[i64]| {
        solver.add_clause(&lits.iter().map(|&l| Lit::from_dimacs(l as isize)).collect::<Vec<_>>());
    };
    read.clauses.iter().for_each(|clause| add(&mut solver, clause));
    let mut sums = Cnf::default();
    (0..read.header.first().map_or(0, |n| *n)).for_each(|_| _ = sums.new_var());
    for (terms, is_equation, bound) in &read.sums {
        let term = |(weight, var): &(i64, i64)| (*weight, Var::new(*var as u32 - 1).pos_lit());
        let terms: Vec<_> = terms.iter().map(term).collect();
        let relation = if *is_equation { Relation::Equal } else { Relation::AtLeast };
        sums.linear(&Linear { terms: &terms, relation, bound: *bound });
    }
    for clause in sums.clauses() {
        add(&mut solver, &clause.iter().map(|lit| i64::from(lit.to_ipasir())).collect::<Vec<_>>());
    }
    for xor in &read.xors {
        for signs in 0u32..1 << xor.len() {
            // An odd number of literals must be true. Each clause forbids one assignment in which an even number is
            // true.
            if signs.count_ones() % 2 == 0 {
                let clause =
                    xor.iter().enumerate().map(|(i, lit)| if signs >> i & 1 == 1 { -lit } else { *lit });
                add(&mut solver, &clause.collect::<Vec<_>>());
            }
        }
    }
    solver
}
