//! Forged certificates of Flip's studies for larger boards with the plus stencil. The presses of the first row determine
//! the others (light chasing), so brute force tries all first rows.

use crate::certificates::{Certificate, check, check_within};
use crate::tally::{Tally, genuine};
use chacha20::ChaCha8Rng;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// All presses of an n×n board that change nothing, and all that turn every square once.
pub(crate) struct Board {
    n: usize,
    p: u32,
    pub(crate) null: Vec<Vec<u32>>,
    pub(crate) ones: Vec<Vec<u32>>,
}

/// The presses with this first row that turn every square of all rows but the last one `turns` times, if they turn the
/// last row likewise.
fn chase(n: usize, p: u32, first: &[u32], turns: u32) -> Option<Vec<u32>> {
    let mut presses = first.to_vec();
    for i in 0..n * n {
        let at = |row: Option<usize>, col: Option<usize>| match (row, col) {
            (Some(row), Some(col)) if col < n => presses[row * n + col],
            _ => 0,
        };
        let (row, col) = (i / n, i % n);
        let around = at(Some(row), Some(col))
            + at(Some(row), col.checked_sub(1))
            + at(Some(row), Some(col + 1))
            + at(row.checked_sub(1), Some(col));
        presses.push((turns + 5 * p - around) % p);
    }
    presses.split_off(n * n).iter().all(|&n| n == 0).then_some(presses)
}

impl Board {
    pub(crate) fn new(n: usize, p: u32) -> Board {
        let mut board = Board { n, p, null: Vec::new(), ones: Vec::new() };
        for code in 0..p.pow(n as u32) {
            let first: Vec<u32> = (0..n as u32).map(|i| code / p.pow(i) % p).collect();
            board.null.extend(chase(n, p, &first, 0));
            board.ones.extend(chase(n, p, &first, 1));
        }
        board
    }

    fn nullity(&self) -> u32 {
        self.null.len().ilog(self.p as usize)
    }

    fn least(&self) -> u32 {
        self.ones.iter().map(|presses| presses.iter().sum()).min().unwrap()
    }

    fn row(&self, presses: &[u32]) -> String {
        presses[..self.n].iter().map(u32::to_string).collect()
    }

    /// A certificate of `all-ones` with these presses.
    fn certificate(&self, presses: &[u32]) -> Certificate {
        let board = json!({
            "n": self.n, "nullity": self.nullity(), "presses": presses.iter().sum::<u32>(), "least": true,
            "rows": [self.row(presses)],
        });
        members("all-ones", self.p, board)
    }

    /// Vectors that span the presses that change nothing, at random.
    pub(crate) fn basis(&self, rng: &mut ChaCha8Rng) -> Vec<Vec<u32>> {
        let mut span: Vec<Vec<u32>> = vec![vec![0; self.n * self.n]];
        let mut basis = Vec::new();
        while span.len() < self.null.len() {
            let vector = &self.null[rng.random_range(0..self.null.len())];
            if !span.contains(vector) {
                let sums = span.iter().map(|one| one.iter().zip(vector).map(|(a, b)| a ^ b).collect());
                let sums: Vec<Vec<u32>> = sums.collect();
                span.extend(sums);
                basis.push(vector.clone());
            }
        }
        basis
    }
}

pub(crate) fn members(question: &str, p: u32, board: Value) -> Certificate {
    let members = json!({
        "problem": "flip", "question": question, "version": 1, "stencil": "plus", "colours": p, "boards": [board],
    });
    members.as_object().unwrap().clone()
}

/// Boards with two colours on which several presses turn every square.
static TWO: LazyLock<Vec<Board>> = LazyLock::new(|| [4, 5, 9, 11].map(|n| Board::new(n, 2)).into());
static MORE: LazyLock<Vec<Board>> =
    LazyLock::new(|| [(4, 3), (5, 3), (8, 3), (3, 5), (4, 5), (4, 7)].map(|(n, p)| Board::new(n, p)).into());

/// Adds a basis of the null space in two parts, and perhaps a symmetry. Sometimes, a vector is missing.
fn with_basis(certificate: &mut Certificate, board: &Board, rng: &mut ChaCha8Rng) {
    let mut basis = board.basis(rng);
    if rng.random_bool(0.5) {
        basis.pop();
    }
    let (first, second) = basis.split_at(rng.random_range(0..=basis.len()));
    let entry = &mut certificate["boards"][0];
    entry["first"] = first.iter().map(|vector| board.row(vector)).collect();
    entry["second"] = second.iter().map(|vector| board.row(vector)).collect();
    entry["symmetry"] = json!(["none", "none", "diagonal", "mirror"][rng.random_range(0..4)]);
}

/// Presses that are not the fewest are called the fewest.
fn too_many(how: &'static str, boards: &'static [Board], cosets: bool) {
    let mut tally = Tally::of("flip all-ones", "at least … needed", how);
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let board = &boards[rng.random_range(0..boards.len())];
        if board.ones.is_empty() {
            tally.still_true();
            continue;
        }
        let mut presses = &board.ones[rng.random_range(0..board.ones.len())];
        // Most wrong checks overlook only a few solutions, so the forged number of presses is a small one.
        for _ in 0..if cosets { 3 } else { 0 } {
            let other = &board.ones[rng.random_range(0..board.ones.len())];
            let sum = |presses: &Vec<u32>| presses.iter().sum::<u32>();
            if board.least() < sum(other) && sum(other) < sum(presses) {
                presses = other;
            }
        }
        let mut forged = board.certificate(presses);
        let most = &mut forged["boards"][0]["presses"];
        if rng.random_bool(0.2) {
            *most = json!(most.as_u64().unwrap() + rng.random_range(0..3));
        }
        let total = most.as_u64().unwrap();
        if cosets {
            with_basis(&mut forged, board, rng);
        }
        if total <= u64::from(board.least()) {
            if !cosets {
                genuine(
                    &check("flip", &forged).unwrap(),
                    &["the null space …", "… once", "at least … needed"],
                );
            }
            tally.still_true();
            continue;
        }
        let claim = format!("at least {total} …");
        tally.text_is_false(&claim, &json!(forged).to_string(), || check("flip", &forged));
    }
}

#[test]
fn more_presses_than_needed() {
    too_many("larger boards", &TWO, false);
}

#[test]
fn more_presses_than_needed_coset_by_coset() {
    too_many("coset by coset", &TWO, true);
}

#[test]
fn more_presses_than_needed_with_more_colours() {
    too_many("3, 5 or 7 colours", &MORE, false);
}

/// A chain of squares at random, which is often a basis of the kinds.
fn chain(n: usize, len: usize, rng: &mut ChaCha8Rng) -> Value {
    let mut squares: Vec<usize> = (0..n * n).collect();
    squares.shuffle(rng);
    squares[..len].iter().map(|i| json!([i / n + 1, i % n + 1])).collect()
}

/// The upper bound is too low for a board that is known: the presses that make it are the fewest by brute force.
#[test]
fn boards_that_need_more_presses() {
    let mut tally = Tally::of("flip hardest", "no board needs more than … presses", "larger boards");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let board = &TWO[rng.random_range(0..TWO.len())];
        let either = rng.random_bool(0.5);
        // The other presses for the same board, and those for the other colour.
        let ends = [&board.null[..], if either { &board.ones[..] } else { &[] }].concat();
        let density = rng.random_range(0.3..0.7);
        let mut presses: Vec<u32> =
            (0..board.n * board.n).map(|_| u32::from(rng.random_bool(density))).collect();
        let sum = |end: &Vec<u32>| -> Vec<u32> { presses.iter().zip(end).map(|(a, b)| a ^ b).collect() };
        let lightest = ends.iter().map(sum).min_by_key(|presses| presses.iter().sum::<u32>());
        presses = lightest.unwrap();
        let needed = presses.iter().sum::<u32>();
        let most = needed.saturating_sub(rng.random_range(1..=3));
        if most >= needed {
            tally.still_true();
            continue;
        }
        let rows: Vec<String> =
            presses.chunks(board.n).map(|row| row.iter().map(u32::to_string).collect()).collect();
        let mut entry = json!({ "n": board.n, "presses": needed, "most": most, "rows": rows });
        // The rule lists all subspaces of the kinds, which takes seconds if there are many.
        if board.nullity() <= 4 && rng.random_bool(0.5) {
            entry["proof"] = json!("two levels");
        } else {
            entry["chain"] = chain(board.n, (board.nullity() + u32::from(either)) as usize, rng);
        }
        let mut forged = members("hardest", 2, entry);
        forged.insert("target".to_owned(), json!(if either { "either" } else { "one" }));
        let claim = format!("no board needs more than {most} presses");
        tally.text_is_false(&claim, &json!(forged).to_string(), || check_within(2_000, "flip", &forged));
    }
}
