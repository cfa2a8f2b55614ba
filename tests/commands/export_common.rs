//! Helpers for the tests of formula files: an independent reader, and a solver for the formula.

#![allow(dead_code, reason = "no test uses all of it")]
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

/// The constraints of a file.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) clauses: Vec<Vec<i64>>,
    pub(crate) xors: Vec<Vec<i64>>,
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
                let (sum, bound) = line.trim_end_matches(" ;").split_once(" >= ").unwrap();
                let words: Vec<_> = sum.split_whitespace().collect();
                let lit = |w: &[&str]| w[0].parse::<i64>().unwrap() * w[1][1..].parse::<i64>().unwrap();
                let clause: Vec<i64> = words.chunks(2).map(lit).collect();
                let negated = clause.iter().filter(|lit| **lit < 0).count() as i64;
                assert_eq!(bound.parse(), Ok(1 - negated), "{line}");
                read.clauses.push(clause);
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

/// A solver with the clauses of a file, and with all clauses of each parity constraint.
pub(crate) fn solver(read: &Read) -> Solver<'static> {
    let mut solver = Solver::new();
    let add = |solver: &mut Solver<'_>, lits: &[i64]| {
        solver.add_clause(&lits.iter().map(|&l| Lit::from_dimacs(l as isize)).collect::<Vec<_>>());
    };
    read.clauses.iter().for_each(|clause| add(&mut solver, clause));
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
