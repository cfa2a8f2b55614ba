//! Certificates of `all-ones`: presses replayed, the null space by elimination, fewer presses looked for.
//!
//! Boards whose certificate does not call the presses least claim a bound only, which the presses show.

use super::super::{fewest, minimality, modular};
use super::read::{kind, objects, rows, rules, truth, whole};
use super::space::{chased, solutions};
use crate::board::{Bits, Size};
use crate::claim::{Claim, Status};
use crate::engine::Budget;
use crate::problems::flip::Stencil;
use serde_json::{Map, Value};

/// The greatest side that is read.
const MAX_SIDE: u32 = 256;

/// The claims of a certificate, board by board.
///
/// # Errors
/// What is missing or of the wrong shape.
pub(super) fn check(certificate: &Map<String, Value>, budget: &mut Budget) -> Result<Vec<Claim>, String> {
    let (stencil, p) = rules(certificate)?;
    let mut claims = Vec::new();
    for (i, board) in objects(certificate, "boards")?.into_iter().enumerate() {
        let told = |why| format!("board {}: {why}", i + 1);
        claims.extend(claims_of(stencil, p, board, budget).map_err(told)?);
    }
    Ok(claims)
}

fn claims_of(
    stencil: Stencil,
    p: u32,
    board: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, String> {
    let n = whole(board, "n", 1..=MAX_SIDE)?;
    let size = Size::new(n, n);
    let nullity = whole(board, "nullity", 0..=n * n)? as usize;
    let board_of = format!("{size}, {}", kind(stencil, p));
    let solved = solutions(stencil, size, p, budget);
    let alike = match &solved {
        Ok((_, null)) if null.len() == nullity => Status::Recomputed,
        Ok((_, null)) => Status::Failed(format!("there are {}", null.len())),
        Err(why) => Status::Open(why.clone()),
    };
    let mut claims =
        vec![Claim::new(format!("{board_of}: {nullity} independent sets of presses change nothing"), alike)];
    if board.contains_key("weights") {
        let weights = rows(board, "weights", (size, n), p)?;
        let claim = format!("{board_of}: no presses turn every square once");
        claims.push(Claim::replayed(claim, refutes(stencil, size, p, &weights)));
        return Ok(claims);
    }
    let total = whole(board, "presses", 0..=n * n * (p - 1))?;
    let presses = match stencil {
        Stencil::Plus => chased((size, n), p, rows(board, "rows", (size, 1), p)?, 1),
        _ => rows(board, "rows", (size, n), p)?,
    };
    let replay = turns_all(stencil, size, p, &presses).and_then(|()| match presses.iter().sum::<u32>() {
        sum if sum == total => Ok(()),
        sum => Err(format!("there are {sum}")),
    });
    let turn = if total == 1 { "1 press turns".to_owned() } else { format!("{total} presses turn") };
    claims.push(Claim::replayed(format!("{board_of}: {turn} every square once"), replay));
    if truth(board, "least")? {
        // From presses of our own: those of the certificate may be wrong.
        let status = match solved {
            Ok((Some(start), null)) => no_fewer((size, p), total, &start, null, budget),
            Ok((None, _)) => Status::Failed("no presses do".to_owned()),
            Err(why) => Status::Open(why),
        };
        claims.push(Claim::new(format!("{board_of}: {}", minimality(total as usize)), status));
    }
    Ok(claims)
}

/// Whether every square is turned once, modulo p.
fn turns_all(stencil: Stencil, size: Size, p: u32, presses: &[u32]) -> Result<(), String> {
    let mut turned = vec![0; size.cells()];
    for (i, cell) in size.iter().enumerate() {
        stencil.squares(size, cell).into_iter().for_each(|c| turned[size.index(c)] += presses[i]);
    }
    match (0..size.cells()).find(|&i| turned[i] % p != 1) {
        None => Ok(()),
        Some(i) => Err(format!("{} is turned {} times", size.cell(i), turned[i])),
    }
}

/// Whether every press meets the weights in 0 and all squares together do not.
fn refutes(stencil: Stencil, size: Size, p: u32, weights: &[u32]) -> Result<(), String> {
    for cell in size.iter() {
        let met: u32 = stencil.squares(size, cell).into_iter().map(|c| weights[size.index(c)]).sum();
        if !met.is_multiple_of(p) {
            return Err(format!("a press of {cell} meets weights of {met}, no multiple of {p}"));
        }
    }
    match weights.iter().sum::<u32>() {
        sum if sum.is_multiple_of(p) => Err(format!("all weights sum to {sum}, a multiple of {p}")),
        _ => Ok(()),
    }
}

/// Goes through all sums of null vectors, as far as a bound of its own or the budget does not end it.
fn no_fewer(
    (size, p): (Size, u32),
    total: u32,
    start: &[u32],
    null: Vec<Vec<u32>>,
    budget: &mut Budget,
) -> Status {
    let found = match p {
        2 if null.len() > fewest::MAX_VECTORS => Err(format!("2^{} solutions are too many", null.len())),
        2 => {
            let bits = |numbers: &[u32]| {
                Bits::from_indices(size.cells(), (0..size.cells()).filter(|&i| numbers[i] == 1))
            };
            let vectors = null.iter().map(|vector| bits(vector)).collect();
            let fewer = fewest::sums(size, vectors).fewer(&bits(start), total as usize, budget);
            fewer.map_err(|limit| format!("{limit}, with 2^{} solutions", null.len()))
        }
        _ => modular::fewest(p, start.to_vec(), &null, budget).map(|n| Some(n).filter(|&n| n < total)),
    };
    match found {
        Ok(None) => Status::Recomputed,
        Ok(Some(fewer)) => Status::Failed(format!("{fewer} do")),
        Err(why) => Status::Open(why),
    }
}
