//! Certificates of the study `all-ones`. The checker computes the null space by elimination, replays the presses, and
//! searches for a solution with fewer presses. A certificate that calls a board impossible contains weights, which the
//! checker verifies.
//!
//! A certificate that does not call its presses the fewest claims only an upper bound, which the presses prove.
//!
//! If there are too many solutions for the search, the certificate contains a basis of the null space in two parts, in
//! the members `first` and `second`: the first row of each vector. The checker verifies that this is a basis, and
//! examines all solutions coset by coset (`cosets.rs`). The member `symmetry` may name a symmetry that exchanges
//! cosets, so that one of each two is enough; this is verified, too.

use super::super::around::around;
use super::super::cosets::{NoSymmetry, Symmetry};
use super::super::modular::NotSolved;
use super::super::{at_least, cosets, fewest, modular, suffice};
use super::read::{describe, flag, objects, rows, rules, whole};
use super::space::{chase, solutions};
use crate::Stencil;
use counterpoint_core::board::{Bits, Digits, Size};
use counterpoint_core::claim::{Claim, Status, WrongWitness};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// The greatest side that is accepted.
const MAX_SIDE: u32 = 256;

/// Returns the claims of a certificate, board by board.
///
/// # Errors
/// Returns a message that names the member that is missing or malformed.
pub(super) fn check(
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let (stencil, p) = rules(certificate)?;
    let mut claims = Vec::new();
    for (i, board) in objects(certificate, "boards")?.into_iter().enumerate() {
        let with_number = |why: FormatError| format!("board {}: {why}", i + 1);
        claims.extend(claims_of(stencil, p, board, budget).map_err(with_number)?);
    }
    Ok(claims)
}

fn claims_of(
    stencil: Stencil,
    p: u32,
    board: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let n = whole(board, "n", 1..=MAX_SIDE)?;
    let size = Size::new(n, n);
    let nullity = whole(board, "nullity", 0..=n * n)? as usize;
    let subject = format!("{size}, {}", describe(stencil, p));
    let solved = solutions(stencil, size, p, budget);
    let status = match &solved {
        Ok((_, null)) if null.len() == nullity => Status::Recomputed,
        Ok((_, null)) => Status::Failed(format!("it has dimension {}", null.len())),
        Err(why) => why.clone().into(),
    };
    let mut claims = vec![Claim::new(format!("{subject}: the null space has dimension {nullity}"), status)];
    if board.contains_key("weights") {
        let weights = rows(board, "weights", (size, n), p)?;
        let claim = format!("{subject}: no presses turn every square once");
        claims.push(within(budget, claim, || check_weights(stencil, size, p, &weights)));
        return Ok(claims);
    }
    let total = whole(board, "presses", 0..=n * n * (p - 1))?;
    let presses = match stencil {
        Stencil::Plus => chase((size, n), p, rows(board, "rows", (size, 1), p)?, 1),
        _ => rows(board, "rows", (size, n), p)?,
    };
    let replay = || {
        turns_all(stencil, size, p, &presses).and_then(|()| match presses.iter().sum::<u32>() {
            sum if sum == total => Ok(()),
            sum => Err(format!("there are {sum} presses").into()),
        })
    };
    let turn = if total == 1 { "1 press turns".to_owned() } else { format!("{total} presses turn") };
    claims.push(within(budget, format!("{subject}: {turn} every square once"), replay));
    if flag(board, "least")? {
        // The search starts from the checker's own solution, because the presses of the certificate may be wrong.
        let status = match solved {
            Ok((Some(start), null)) if board.contains_key("second") => {
                if (stencil, p) != (Stencil::Plus, 2) {
                    return Err("a basis is supported only with the plus stencil and 2 colours".into());
                }
                by_cosets(board, size, (total, &start, null.len()), budget)?
            }
            Ok((Some(start), null)) => no_fewer((size, p), total, &start, null, budget),
            Ok((None, _)) => Status::Failed("there is no solution".to_owned()),
            Err(why) => why.into(),
        };
        claims.push(Claim::new(format!("{subject}: {}", at_least(total as usize)), status));
    }
    Ok(claims)
}

/// A claim with a witness. A certificate may list many large boards, so the witness is replayed only if no limit has
/// been reached.
fn within(budget: &Budget, text: String, replay: impl FnOnce() -> Result<(), WrongWitness>) -> Claim {
    match budget.poll() {
        Ok(()) => Claim::replayed(text, replay()),
        Err(limit) => Claim::new(text, Status::Open(limit.to_string())),
    }
}

/// For each square, the sum of the numbers of the squares that a press of it turns.
fn sums(stencil: Stencil, size: Size, numbers: &[u32]) -> Vec<u64> {
    let mut digits = Digits::zeros(0);
    numbers.iter().for_each(|&number| digits.push(number));
    around(stencil, size, &digits)
}

/// Checks that the presses turn every square once, modulo p.
fn turns_all(stencil: Stencil, size: Size, p: u32, presses: &[u32]) -> Result<(), WrongWitness> {
    let turned = sums(stencil, size, presses);
    match (0..size.cells()).find(|&i| turned[i] % u64::from(p) != 1) {
        None => Ok(()),
        Some(i) => Err(format!("{} is turned {} times", size.cell(i), turned[i]).into()),
    }
}

/// Checks weights that prove the board impossible: every press changes the weighted sum of the colours by a multiple of
/// p, but turning every square once changes it by a number that is not a multiple of p.
fn check_weights(stencil: Stencil, size: Size, p: u32, weights: &[u32]) -> Result<(), WrongWitness> {
    for (cell, change) in size.iter().zip(sums(stencil, size, weights)) {
        if !change.is_multiple_of(u64::from(p)) {
            return Err(format!(
                "a press of {cell} changes the weighted sum by {change}, not a multiple of {p}"
            )
            .into());
        }
    }
    match weights.iter().sum::<u32>() {
        sum if sum.is_multiple_of(p) => Err(format!("the weights sum to {sum}, a multiple of {p}").into()),
        _ => Ok(()),
    }
}

/// Searches all solutions, `start` plus the null space, for one with fewer than `total` presses. The claim stays open
/// if there are too many solutions or if the budget runs out.
fn no_fewer(
    (size, p): (Size, u32),
    total: u32,
    start: &[u32],
    null: Vec<Vec<u32>>,
    budget: &mut Budget,
) -> Status {
    let found = match p {
        2 if null.len() > fewest::MAX_VECTORS => Err(NotSolved::TooManySums(null.len())),
        2 => {
            let vectors = null.iter().map(|vector| bits(vector)).collect();
            let lighter = fewest::prepare(size, vectors).lighter_than(total as usize, &bits(start), budget);
            lighter.map_err(|limit| NotSolved::LimitAmong(limit, null.len()))
        }
        _ => modular::min_weight(p, start.to_vec(), &null, budget).map(|n| Some(n).filter(|&n| n < total)),
    };
    match found {
        Ok(None) => Status::Recomputed,
        Ok(Some(fewer)) => Status::Failed(suffice(fewer, "")),
        Err(why) => why.into(),
    }
}

fn bits(numbers: &[u32]) -> Bits {
    Bits::from_indices(numbers.len(), (0..numbers.len()).filter(|&i| numbers[i] == 1))
}

/// Like [`no_fewer`], for two colours and the plus stencil, by the basis that the certificate contains. `nullity` is
/// the dimension that the checker has computed.
///
/// # Errors
/// Returns a message if the vectors are not a basis of the null space, or if the diagonal does not permute the cosets.
fn by_cosets(
    board: &Map<String, Value>,
    size: Size,
    (total, start, nullity): (u32, &[u32], usize),
    budget: &mut Budget,
) -> Result<Status, FormatError> {
    let [first, second] = [vectors(board, "first", size)?, vectors(board, "second", size)?];
    let mut echelon: Vec<(usize, Bits)> = Vec::new();
    for (vector, k) in first.iter().chain(&second).zip(1..) {
        let mut rest = vector.clone();
        for (lead, row) in &echelon {
            if rest.get(*lead) {
                rest.xor(row);
            }
        }
        let lead = rest.first().ok_or_else(|| format!("vector {k} of the basis depends on earlier ones"))?;
        echelon.push((lead, rest));
    }
    match echelon.len() {
        count if count != nullity => {
            return Err(format!(
                "the basis has {count} vectors, but the null space has {nullity} dimensions"
            )
            .into());
        }
        _ if first.len().max(second.len()) > cosets::MAX_PART || size.cells() > cosets::MAX_SQUARES => {
            return Ok(NotSolved::TooManySums(nullity).into());
        }
        _ => (),
    }
    let start = bits(start);
    let parts = cosets::prepare(size, first, second);
    let symmetry = match board.get("symmetry").and_then(Value::as_str) {
        Some("none") => None,
        Some("diagonal") => Some(Symmetry::Diagonal),
        Some("mirror") => Some(Symmetry::Mirror),
        _ => return Err("\"symmetry\" is not one of none, diagonal, mirror".into()),
    };
    match symmetry.map(|symmetry| parts.image(symmetry, &start)).transpose() {
        Ok(image) => Ok(parts.no_fewer(&start, total as usize, image.as_ref(), budget)),
        Err(NoSymmetry) => Err("\"symmetry\" does not permute the cosets of the second part".into()),
    }
}

/// Reads null vectors, each given by its first row.
fn vectors(board: &Map<String, Value>, key: &str, size: Size) -> Result<Vec<Bits>, FormatError> {
    let count = board.get(key).and_then(Value::as_array).map_or(0, Vec::len) as u32;
    let first_rows = rows(board, key, (size, count), 2)?;
    let vector = |(first, k): (&[u32], usize)| {
        let mut squares = chase((size, size.height + 1), 2, first.to_vec(), 0);
        if squares.split_off(size.cells()).contains(&1) {
            return Err(format!("vector {k} of \"{key}\" is not in the null space").into());
        }
        Ok(bits(&squares))
    };
    first_rows.chunks(size.width as usize).zip(1..).map(vector).collect()
}
