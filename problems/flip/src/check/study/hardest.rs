//! Certificates of the study `hardest`: a lower and an upper bound on the number of presses that the hardest board
//! needs.
//!
//! # The lower bound
//! The certificate contains a set of presses, which solves some board. `fewest.rs` verifies that no solution of this
//! board is lighter.
//!
//! # The upper bound
//! Write a set of presses as signs, -1 for a press. The *kind* t of a square is the set of basis vectors that contain
//! it. Let a(t) be the sum of the signs of kind t. Adding null vectors multiplies a(t) by χ(t) for a character χ, so
//! the board needs (n² - max over χ of Σ a(t) χ(t)) / 2 presses. If a board needs more than `most` presses, then all
//! these sums are at most a certain M. (In the code, M is `bound`, and no sum includes squares that lie in no basis
//! vector.) The search shows that no integers a(t) satisfy this condition.
//!
//! Take a subspace H of the kinds. The sum restricted to H is a mean of full sums, over the characters that agree on H,
//! so it is at most M, too. H grows along the chain that the certificate gives. Each kind of the chain doubles H. Let
//! s(χ) = M - Σ over H of a(t) χ(t) be the *slack*, and g(χ) the sum of a(t) χ(t) over the new half. The larger
//! subspace has twice as many characters; their slacks are s - g and s + g. Both must be nonnegative, so |g| ≤ s.
//!
//! The kinds of the new half get their values one after another (`cases.rs`). A branch is cut if, for some χ, |g| already
//! exceeds s by more than the remaining kinds can compensate. Before the first kind of a half gets a value, the branch is
//! cut if Parseval's identity rules out all values. By this identity, Σ g² is |H| times the sum of a(t)² over the half. So
//! it is at least |H| times the number of kinds in the half that have an odd number of squares. But |g| ≤ s, so Σ g² is
//! at most Σ s².
//!
//! # Other evidence
//! If "proof" is "two levels", the rule of `levels.rs` proves the upper bound instead, and if it is "branches", the tree in
//! the certificate's member "branches" (`branches.rs`). If "k" and "n0" are given, the kinds
//! of the board are those of a smaller one (`kinds.rs`). Then "sums" describes the board of the lower bound: it lists
//! squares with the sums of their kinds. All other sums are 0, and squares in no basis vector are pressed.

mod branches;
mod cases;
mod kinds;
mod levels;

use super::super::modular::NotSolved;
use super::super::{fewest, suffice};
use super::read::{describe, objects, rows, rules, whole};
use super::space::solutions;
use crate::Stencil;
use branches::Branches;
use counterpoint_core::board::{Bits, Size};
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::Budget;
use counterpoint_core::errors::FormatError;
use kinds::{Kinds, chase};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The greatest side that is accepted.
const MAX_SIDE: u32 = 255;
/// The greatest dimension of a space whose characters are enumerated.
const MAX_DIMENSIONS: usize = 20;

/// Returns the claims of a certificate, board by board.
///
/// # Errors
/// Returns a message that names the member that is missing or malformed.
pub(super) fn check(
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let (stencil, p) = rules(certificate)?;
    if p != 2 {
        return Err(format!("\"colours\" is {p}, not 2").into());
    }
    let target = match certificate.get("target").and_then(Value::as_str) {
        Some(target @ ("either" | "one")) => target,
        _ => return Err("\"target\" is neither \"either\" nor \"one\"".into()),
    };
    let mut claims = Vec::new();
    let mut rule = Rule { branches: Branches::read(certificate)?, ..Rule::default() };
    for (i, board) in objects(certificate, "boards")?.into_iter().enumerate() {
        let with_number = |why: FormatError| format!("board {}: {why}", i + 1);
        claims.extend(claims_of(stencil, target, board, &mut rule, budget).map_err(with_number)?);
    }
    Ok(claims)
}

/// Keys of kinds, each with the parity of its number of squares, and a bound.
type Excluded = (Vec<(u32, bool)>, i64);

/// Proofs that depend only on the kinds, their parities and the bound, so that one proof can serve several boards.
#[derive(Default)]
struct Rule {
    /// What the rule "two levels" has shown.
    levels: BTreeMap<Excluded, bool>,
    /// The tree of the certificate.
    branches: Option<Branches>,
    /// What the tree shows with these squares, or why it does not.
    by_branches: BTreeMap<(Vec<u32>, Excluded), Result<(), String>>,
}

fn excluded(kinds: &Kinds, bound: i64) -> Excluded {
    (kinds.counts.iter().map(|(t, count)| (*t, count % 2 == 1)).collect(), bound)
}

/// How the certificate proves an upper bound.
enum Proof {
    /// By cases along a chain of squares.
    Chain(Vec<usize>),
    TwoLevels,
    /// By the tree of the certificate.
    Branches,
}

fn claims_of(
    stencil: Stencil,
    target: &str,
    board: &Map<String, Value>,
    rule: &mut Rule,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let n = whole(board, "n", 1..=MAX_SIDE)?;
    let size = Size::new(n, n);
    let total = whole(board, "presses", 0..=n * n)? as usize;
    let most = whole(board, "most", 0..=n * n)? as usize;
    let proof = match board.get("proof") {
        None => Proof::Chain(squares(board, "chain", size)?),
        Some(name) if name == "two levels" => Proof::TwoLevels,
        Some(name) if name == "branches" => Proof::Branches,
        Some(_) => return Err("\"proof\" is neither \"two levels\" nor \"branches\"".into()),
    };
    let ends = if target == "one" { "one colour" } else { "either colour" };
    let subject = format!("{size}, {}, target {target}", describe(stencil, 2));
    let lower_claim = format!("{subject}: some board needs {total} presses to reach {ends}");
    let upper_claim = format!("{subject}: no board needs more than {most} presses");
    if board.contains_key("n0") {
        let n0 = whole(board, "n0", 1..=n)?;
        let k = whole(board, "k", 2..=n + 1)?;
        let sums = sums(board, size)?;
        if stencil != Stencil::Plus {
            return Err("\"n0\" requires the stencil plus".into());
        }
        let claim =
            format!("{subject}: the null space is that of {n0}x{n0}, copied {k} times in each direction");
        let (claim, kinds) = match copied_kinds(size, (k, n0), target, budget) {
            Ok(kinds) => (Claim::new(claim, Status::Recomputed), kinds),
            Err(status) => {
                let rests = || Status::Open("the kinds of squares are not known".to_owned());
                let others = [lower_claim, upper_claim].map(|claim| Claim::new(claim, rests()));
                return Ok([Claim::new(claim, status)].into_iter().chain(others).collect());
            }
        };
        let upper_bound = upper_bound(&kinds, target, &proof, most, rule, budget)?;
        let lower_bound = Claim::new(lower_claim, sums_need(&kinds, &sums, total, budget));
        return Ok(vec![claim, lower_bound, Claim::new(upper_claim, upper_bound)]);
    }
    let presses = bits(size, &rows(board, "rows", (size, n), 2)?);
    let basis = match basis(stencil, size, target, budget) {
        Ok(basis) => basis,
        Err(why) => {
            return Ok([lower_claim, upper_claim].map(|claim| Claim::new(claim, why.clone().into())).into());
        }
    };
    let lower_bound = match presses.count() {
        count if count != total => Status::Failed(format!("the certificate shows {count} presses")),
        _ if basis.len() > fewest::MAX_VECTORS => {
            Status::Open("the board has too many solutions to enumerate".to_owned())
        }
        _ => match fewest::prepare(size, basis.clone()).lighter_than(total, &presses, budget) {
            Ok(None) => Status::Recomputed,
            Ok(Some(fewer)) => Status::Failed(suffice(fewer, "")),
            Err(limit) => Status::Open(limit.to_string()),
        },
    };
    let upper_bound = if basis.len() > MAX_DIMENSIONS {
        Status::Open(format!("{} dimensions have too many characters to enumerate", basis.len()))
    } else {
        upper_bound(&Kinds::of(size, &basis), target, &proof, most, rule, budget)?
    };
    Ok(vec![Claim::new(lower_claim, lower_bound), Claim::new(upper_claim, upper_bound)])
}

/// The kinds of n×n as copies of those of n0×n0, or why they are not known.
fn copied_kinds(size: Size, (k, n0): (u32, u32), target: &str, budget: &mut Budget) -> Result<Kinds, Status> {
    if size.width + 1 != k * (n0 + 1) {
        return Err(Status::Failed(format!("{} + 1 is not {k} · ({n0} + 1)", size.width)));
    }
    let small = Size::new(n0, n0);
    // A certificate may list many boards.
    budget.poll().map_err(|limit| Status::Open(limit.to_string()))?;
    let (nullity, turn_all) = chase(size.width as usize);
    let basis = basis(Stencil::Plus, small, "one", budget)?;
    match basis.len() {
        small if small != nullity => Err(Status::Failed(format!("the nullities are {nullity} and {small}"))),
        d if d >= MAX_DIMENSIONS => Err(Status::Open(format!("2^{d} characters are too many to enumerate"))),
        _ if target == "one" => Ok(Kinds::copied(size, &Kinds::of(small, &basis), None)),
        _ => match turn_all {
            Some(all) => Ok(Kinds::copied(size, &Kinds::of(small, &basis), Some(&all))),
            None => Err(Status::Failed("no presses turn every square".to_owned())),
        },
    }
}

/// Checks that the board with these sums of signs needs `total` presses.
fn sums_need(kinds: &Kinds, sums: &[(usize, i64)], total: usize, budget: &mut Budget) -> Status {
    let mut of_kinds: BTreeMap<u32, i64> = kinds.counts.keys().map(|t| (*t, 0)).collect();
    for (square, sum) in sums {
        let cell = kinds.size.cell(*square);
        match of_kinds.insert(kinds.keys[*square], *sum) {
            Some(0) => {}
            Some(_) => return Status::Failed(format!("the kind of {cell} has two sums")),
            None => return Status::Failed(format!("{cell} lies in no basis vector")),
        }
    }
    for (t, sum) in &of_kinds {
        let count = kinds.counts[t];
        if sum.unsigned_abs() > count.unsigned_abs() || (count - sum) % 2 != 0 {
            return Status::Failed(format!("{count} signs cannot have the sum {sum}"));
        }
    }
    let greatest = match kinds.greatest(&of_kinds, budget) {
        Ok(greatest) => greatest,
        Err(limit) => return Status::Open(limit.to_string()),
    };
    match kinds.fixed + (kinds.length() - greatest) / 2 {
        needed if needed == total as i64 => Status::Recomputed,
        needed => Status::Failed(format!("the board with these sums needs {needed} presses")),
    }
}

fn bits(size: Size, numbers: &[u32]) -> Bits {
    Bits::from_indices(size.cells(), (0..size.cells()).filter(|&i| numbers[i] == 1))
}

/// Reads a list of squares [row, column], counted from 1, and returns their indices.
fn squares(board: &Map<String, Value>, key: &str, size: Size) -> Result<Vec<usize>, FormatError> {
    let error = || format!("\"{key}\" is not a list of squares [row, column] of {size}");
    let pairs = board.get(key).and_then(Value::as_array).ok_or_else(error)?;
    let square = |pair: &Value| {
        let [row, col] = pair.as_array()?.as_slice() else { return None };
        Some(size.index(size.one_based(row.as_u64()?, col.as_u64()?)?))
    };
    Ok(pairs.iter().map(square).collect::<Option<_>>().ok_or_else(error)?)
}

/// Reads a list of squares with sums, [row, column, sum], where sums are not 0.
fn sums(board: &Map<String, Value>, size: Size) -> Result<Vec<(usize, i64)>, FormatError> {
    let error = || format!("\"sums\" is not a list of [row, column, sum] of {size}");
    let list = board.get("sums").and_then(Value::as_array).ok_or_else(error)?;
    let entry = |entry: &Value| {
        let [row, col, sum] = entry.as_array()?.as_slice() else { return None };
        let sum = sum.as_i64().filter(|sum| *sum != 0)?;
        Some((size.index(size.one_based(row.as_u64()?, col.as_u64()?)?), sum))
    };
    Ok(list.iter().map(entry).collect::<Option<_>>().ok_or_else(error)?)
}

/// A basis of the presses that keep a solved board solved: the null space and, if either colour is allowed, presses
/// that turn every square.
fn basis(stencil: Stencil, size: Size, target: &str, budget: &mut Budget) -> Result<Vec<Bits>, NotSolved> {
    let (turn_all, null) = solutions(stencil, size, 2, budget)?;
    let mut basis: Vec<Bits> = null.iter().map(|vector| bits(size, vector)).collect();
    if target == "either" {
        basis.extend(turn_all.map(|turn_all| bits(size, &turn_all)));
    }
    Ok(basis)
}

/// Checks that no board needs more than `most` presses.
///
/// # Errors
/// Returns a message if the chain is not a basis of the kinds.
fn upper_bound(
    kinds: &Kinds,
    target: &str,
    proof: &Proof,
    most: usize,
    rule: &mut Rule,
    budget: &mut Budget,
) -> Result<Status, FormatError> {
    // If a board needs more than `most` presses, all its sums are at most `bound`. All sums are congruent to the length
    // modulo 2, so consecutive values differ by 2.
    let bound = kinds.length() - 2 * (most as i64 - kinds.fixed) - 2;
    if bound < 0 {
        // The mean over all characters is 0, so some sum is at least 0.
        return Ok(Status::Recomputed);
    }
    match proof {
        Proof::Chain(chain) => cases::exclude(kinds, chain, bound, budget),
        Proof::TwoLevels => Ok(by_rule(kinds, target, bound, rule, budget)),
        Proof::Branches => by_branches(kinds, bound, rule, budget),
    }
}

/// Follows the tree of the certificate.
///
/// # Errors
/// Returns a message if there is no tree, or if its squares are malformed.
fn by_branches(
    kinds: &Kinds,
    bound: i64,
    rule: &mut Rule,
    budget: &mut Budget,
) -> Result<Status, FormatError> {
    let branches = rule.branches.as_ref().ok_or("the certificate has no \"branches\"")?;
    let listed = branches.listed(kinds.size, kinds)?;
    let key = (listed, excluded(kinds, bound));
    let shown = match rule.by_branches.get(&key) {
        Some(shown) => shown.clone(),
        None => match branches.exclude(kinds, &key.0, bound, budget) {
            Ok(shown) => rule.by_branches.entry(key).or_insert(shown).clone(),
            Err(limit) => return Ok(Status::Open(limit.to_string())),
        },
    };
    Ok(match shown {
        Ok(()) => Status::Recomputed,
        Err(why) => Status::Failed(format!("\"branches\" does not show this: {why}")),
    })
}

/// Applies the rule "two levels" to the kinds of null vectors.
///
/// If either colour is allowed, the last basis vector turns every square. Let b be the sum of the signs of the squares
/// that it alone contains. For each kind of null vectors, add the sum of its squares outside this vector to the sum of
/// those inside, the latter with the sign of b. These sums belong to null vectors and are at most `bound` - |b|. If the
/// number of squares is odd, then |b| ≥ 1.
fn by_rule(kinds: &Kinds, target: &str, bound: i64, rule: &mut Rule, budget: &mut Budget) -> Status {
    let (null, bound) = if target == "one" {
        (kinds.null(kinds.dimensions), bound)
    } else {
        let last = kinds.dimensions - 1;
        (kinds.null(last), bound - kinds.counts.get(&(1 << last)).unwrap_or(&0) % 2)
    };
    let key = excluded(&null, bound);
    let shown = match rule.levels.get(&key) {
        Some(shown) => *shown,
        None => match levels::excludes(&null, bound, budget) {
            Ok(shown) => *rule.levels.entry(key).or_insert(shown),
            Err(limit) => return Status::Open(limit.to_string()),
        },
    };
    if shown {
        Status::Recomputed
    } else {
        Status::Failed("the rule \"two levels\" does not show this".to_owned())
    }
}
