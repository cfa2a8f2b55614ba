//! Pigeons in holes, and dominoes on a chessboard: perfect matchings of bipartite graphs.

use super::{AMO, amo, bounded, new_vars};
use crate::Formula;
use chacha20::ChaCha8Rng;
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params};
use counterpoint_encodings::{EncodingSize, Lit, Sink};

const MAX: f64 = 1e5;

/// Parameters of [`pigeonhole`]. If `holes` is 0, there is one hole less than pigeons.
pub(super) const PIGEONHOLE: &[Param] = &[
    Param::number("pigeons", 6.0, 1.0, MAX),
    Param::number("holes", 0.0, 0.0, MAX),
    Param::word("variant", &["plain", "functional", "onto", "bijective"]),
    AMO,
];

/// Each pigeon is in a hole, and no two pigeons are in the same hole (variable i·holes + j: pigeon i is in hole j). The
/// variant `functional` adds that a pigeon is in at most one hole, `onto` adds that each hole has a pigeon, and
/// `bijective` adds both.
///
/// The variants `plain`, `functional` and `onto` are satisfiable iff there are at least as many holes as pigeons; with
/// `onto`, a pigeon may be in several holes. The variant `bijective` is satisfiable iff there are as many holes as
/// pigeons.
pub(super) fn pigeonhole(params: &Params, _: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    let pigeons = params.whole("pigeons");
    let holes = match params.whole("holes") {
        0 => pigeons - 1,
        holes => holes,
    };
    let (is_functional, is_onto) = match params.word("variant") {
        "functional" => (true, false),
        "onto" => (false, true),
        "bijective" => (true, true),
        _ => (false, false),
    };
    let amo = amo(params);
    let (p, h) = (u64::from(pigeons), u64::from(holes));
    let in_hole = amo.at_most_one_size(p);
    let of_pigeon = if is_functional { amo.at_most_one_size(h) } else { EncodingSize::default() };
    let at_least_one = EncodingSize { vars: p * h, clauses: p + if is_onto { h } else { 0 } };
    let size = at_least_one + in_hole * h + of_pigeon * p;
    bounded(size.vars, size.clauses, p * h * (1 + u64::from(is_onto)))?;

    let mut formula = Formula::default();
    let cnf = &mut formula.cnf;
    new_vars(cnf, pigeons * holes);
    let is_in = |pigeon: u32, hole: u32| Lit::positive(pigeon * holes + hole);
    let of_pigeon = |pigeon| (0..holes).map(|hole| is_in(pigeon, hole)).collect::<Vec<_>>();
    let in_hole = |hole| (0..pigeons).map(|pigeon| is_in(pigeon, hole)).collect::<Vec<_>>();
    cnf.group("each pigeon is in a hole");
    (0..pigeons).for_each(|pigeon| cnf.clause(&of_pigeon(pigeon)));
    if is_onto {
        cnf.group("each hole has a pigeon");
        (0..holes).for_each(|hole| cnf.clause(&in_hole(hole)));
    }
    cnf.group("at most one pigeon in a hole");
    (0..holes).for_each(|hole| amo.at_most_one(cnf, &in_hole(hole)));
    if is_functional {
        cnf.group("a pigeon is in at most one hole");
        (0..pigeons).for_each(|pigeon| amo.at_most_one(cnf, &of_pigeon(pigeon)));
    }
    Ok(formula)
}

/// Parameters of [`mutilated`]: `n` sets both sides, `w` and `h` override it if they are not 0.
pub(super) const MUTILATED: &[Param] = &[
    Param::number("n", 6.0, 2.0, MAX),
    Param::number("w", 0.0, 0.0, MAX),
    Param::number("h", 0.0, 0.0, MAX),
    AMO,
];

/// Dominoes cover each square of a chessboard exactly once, except two opposite corners, which are removed (J. McCarthy
/// 1964). Variables: first the horizontal dominoes, then the vertical ones, row by row.
///
/// The formula is satisfiable iff `w` + `h` is odd. If the sum is even, both corners have the same colour; if it is
/// odd, R. Gomory's tour of the board shows where the dominoes go.
pub(super) fn mutilated(params: &Params, _: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    let size = params.size();
    let (w, h) = (size.width, size.height);
    if w.min(h) < 2 {
        return Err(format!("a chessboard has sides of at least 2, not {size}").into());
    }
    let amo = amo(params);
    let squares = u64::from(w) * u64::from(h);
    let of_square = amo.at_most_one_size(4);
    bounded(squares * (2 + of_square.vars), squares * (1 + of_square.clauses), squares * 4)?;

    let is_removed = |row, col| (row, col) == (0, 0) || (row, col) == (h - 1, w - 1);
    let mut formula = Formula::default();
    let cnf = &mut formula.cnf;
    let mut dominoes: Vec<Vec<Lit>> = vec![Vec::new(); (w * h) as usize];
    for (down, right) in [(0, 1), (1, 0)] {
        for (row, col) in (0..h - down).flat_map(|row| (0..w - right).map(move |col| (row, col))) {
            if !is_removed(row, col) && !is_removed(row + down, col + right) {
                let domino = cnf.new_var().pos_lit();
                dominoes[(row * w + col) as usize].push(domino);
                dominoes[((row + down) * w + col + right) as usize].push(domino);
            }
        }
    }
    for (row, col) in (0..h).flat_map(|row| (0..w).map(move |col| (row, col))) {
        if !is_removed(row, col) {
            amo.exactly_one(cnf, &dominoes[(row * w + col) as usize]);
        }
    }
    Ok(formula)
}
