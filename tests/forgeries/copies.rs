//! Forged certificates of Flip's study `hardest` about boards whose null vectors are copies of those of a smaller board.

use crate::certificates::{Certificate, check, forge, number, study, text};
use crate::chasing::{Board, members};
use crate::tally::genuine;
use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use std::collections::HashMap;

const LOWER: &str = "some board needs … presses to reach …";
const UPPER: &str = "no board needs more than … presses";
const COPIED: &str = "the null space is that of …, copied … times in each direction";

/// The dimension of the presses of n×n that change nothing, by elimination: the row below the board needs no press.
fn nullity(n: u64) -> usize {
    let (mut above, mut row): (Vec<u64>, Vec<u64>) = (vec![0; n as usize], (0..n).map(|i| 1 << i).collect());
    for _ in 0..n {
        let at = |i: Option<usize>| i.and_then(|i| row.get(i)).copied().unwrap_or(0);
        let below =
            (0..n as usize).map(|i| row[i] ^ at(i.checked_sub(1)) ^ at(Some(i + 1)) ^ above[i]).collect();
        (above, row) = (row, below);
    }
    let mut pivots: Vec<u64> = Vec::new();
    for mut form in row {
        for pivot in &pivots {
            form = form.min(form ^ pivot);
        }
        if form > 0 {
            pivots.push(form);
        }
    }
    n as usize - pivots.len()
}

/// Null spaces that are not copies of those of the smaller board that the certificate names.
#[test]
fn null_spaces_that_are_no_copies() {
    let base = |(n, k, n0): (u64, u64, u64)| {
        let board = json!({ "n": n, "k": k, "n0": n0, "presses": n * n / 2, "most": n * n, "proof": "two levels", "sums": [] });
        let mut base = members("hardest", 2, board);
        base.insert("target".to_owned(), json!("one"));
        base
    };
    // 14 + 1 is 3 · 5, and 4×4 has as many null vectors as 14×14; but 24×24 has more than 2×2.
    let bases =
        [(14, 3, 4), (29, 5, 5), (24, 5, 4), (3, 2, 1), (9, 2, 4), (11, 2, 5), (23, 4, 5), (32, 3, 10)]
            .map(base);
    let claims = check("flip", &bases[0]).unwrap();
    assert!(claims[0].text.ends_with(": the null space is that of 4x4, copied 3 times in each direction"));
    assert!(claims[0].status.is_closed());
    forge(("flip", "flip hardest, larger boards"), COPIED, &bases, |certificate| {
        let boards = certificate.get("boards").and_then(Value::as_array);
        let Some([board]) = boards.map(Vec::as_slice) else { return Vec::new() };
        let [Some(n), Some(k), Some(n0)] = ["n", "k", "n0"].map(|key| board[key].as_u64()) else {
            return Vec::new();
        };
        let in_range = (1..60).contains(&n) && (1..60).contains(&n0);
        let is_copy = in_range && n + 1 == k * (n0 + 1) && nullity(n) == nullity(n0);
        if is_copy || !in_range { Vec::new() } else { vec![(COPIED, COPIED.to_owned())] }
    });
}

/// The side of the board of these certificates, which is 3 · 5 - 1.
const SIDE: usize = 14;

/// The presses that a certificate describes by the sums of kinds, and the fewest presses for the same board; `None` if no
/// presses have these sums. A kind is a set of squares that lie in the same presses of a basis of all those that solve
/// the solved board.
fn needed(board: &Board, basis: &[Vec<u32>], ends: &[Vec<u32>], sums: &Value) -> Option<u32> {
    let key = |square: usize| basis.iter().map(|vector| vector[square]).collect::<Vec<u32>>();
    let mut kinds: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
    (0..SIDE * SIDE).for_each(|square| kinds.entry(key(square)).or_default().push(square));
    let mut sum_of: HashMap<Vec<u32>, i64> = HashMap::new();
    for entry in sums.as_array()? {
        let [row, col] = [entry[0].as_u64()?, entry[1].as_u64()?].map(|n| (n as usize).wrapping_sub(1));
        if row >= SIDE || col >= SIDE || sum_of.insert(key(row * SIDE + col), entry[2].as_i64()?).is_some() {
            return None;
        }
    }
    let mut presses = vec![0; SIDE * SIDE];
    for (key, squares) in kinds {
        let (count, in_none) = (squares.len() as i64, key.iter().all(|&n| n == 0));
        let sum = match sum_of.get(&key) {
            Some(_) if in_none => return None,
            None if in_none => -count,
            found => found.copied().unwrap_or(0),
        };
        // A press has the sign -1.
        let pressed = count - sum;
        if sum.abs() > count || pressed % 2 != 0 {
            return None;
        }
        squares[..pressed as usize / 2].iter().for_each(|&square| presses[square] = 1);
    }
    assert_eq!(board.null[0], vec![0; SIDE * SIDE]);
    let weight = |end: &Vec<u32>| presses.iter().zip(end).map(|(a, b)| a ^ b).sum();
    ends.iter().map(weight).min()
}

/// Sums of kinds that make a board which needs another number of presses, and bounds that are too low for this board.
fn forge_sums(kind: &'static str) {
    let board = Board::new(SIDE, 2);
    let either = [&board.null[..], &board.ones[..]].concat();
    let mut basis = board.basis(&mut ChaCha8Rng::seed_from_u64(1));
    basis.push(board.ones[0].clone());
    let of = |target| study("flip", "hardest", &[("target", target)], &[("n", "14")], None).unwrap();
    let mut bases: Vec<Certificate> = ["white", "either"].map(of).into();
    let known: Vec<u64> = bases.iter().map(|base| base["boards"][0]["presses"].as_u64().unwrap()).collect();
    let needed = |entry: &Value, target: &str| {
        let (basis, ends) = if target == "one" { (&basis[..4], &board.null) } else { (&basis[..], &either) };
        needed(&board, basis, ends, &entry["sums"]).map(u64::from)
    };
    for (base, known) in bases.iter().zip(&known) {
        genuine(&check("flip", base).unwrap(), &[LOWER, UPPER, COPIED]);
        let entry = &base["boards"][0];
        assert_eq!((&entry["n0"], needed(entry, text(base, "target").unwrap())), (&json!(4), Some(*known)));
    }
    // Random sums, near the genuine number of presses.
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for i in 0..if kind == LOWER { 400 } else { 0 } {
        let mut base = bases[i % 2].clone();
        let entry = &mut base["boards"][0];
        let mut sum =
            || json!([rng.random_range(1..=SIDE), rng.random_range(1..=SIDE), rng.random_range(-6..=6)]);
        entry["sums"] = (0..i % 7).map(|_| sum()).collect();
        entry["presses"] = json!(known[i % 2] - rng.random_range(0..20));
        bases.push(base);
    }
    forge(("flip", "flip hardest, copies"), kind, &bases, |certificate| {
        let boards = certificate.get("boards").and_then(Value::as_array);
        let (Some([entry]), Some(target @ ("one" | "either"))) =
            (boards.map(Vec::as_slice), text(certificate, "target"))
        else {
            return Vec::new();
        };
        let is_two =
            text(certificate, "stencil") == Some("plus") && number(certificate, "colours") == Some(2);
        if entry["n"] != 14 || entry["n0"] != 4 || entry["k"] != 3 || !is_two {
            return Vec::new();
        }
        let (mut found, needed) = (Vec::new(), needed(entry, target));
        if let Some(total) = entry["presses"].as_u64().filter(|total| Some(*total) != needed) {
            found.push((LOWER, format!("some board needs {total} presses …")));
        }
        // The genuine certificate shows a board that needs `known` presses.
        if let Some(most) =
            entry["most"].as_u64().filter(|most| *most < known[usize::from(target == "either")])
        {
            found.push((UPPER, format!("no board needs more than {most} presses")));
        }
        found
    });
}

#[test]
fn copied_boards_that_need_another_number_of_presses() {
    forge_sums(LOWER);
}

#[test]
fn copied_boards_that_need_more_presses() {
    forge_sums(UPPER);
}
