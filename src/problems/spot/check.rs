//! The checker: replays records by the plain definition and enumerates completions.
//!
//! Each new board is turned every way and compared with every earlier board, square by square. What
//! is refuted for a smudged record is enumerated over all completions within bounds; beyond them it
//! takes a proof of a plain formula: no constants folded, one variable a toggle and a square.

pub mod plain;
pub mod study;

use super::answer::{Answer, Ending, Finding};
use super::{Entry, Instance, Legality, Move, Rules, Sign, Start, winner};
use crate::board::{Bits, Symmetry};
use crate::claim::{Claim, Status};
use crate::engine::{Budget, Limit};
use crate::proof::{Obligation, Proof, close};

/// The most squares that are compared in one enumeration.
const MAX_COMPARED: u64 = 1 << 28;
/// The most squares over all boards of a record that are kept.
const MAX_KEPT: usize = 1 << 28;
/// The longest record that is enumerated.
const MAX_STEPS: usize = 1_000;

/// The squares row by row, set where a spot is.
type Board = Bits;

/// Every claim of the outcome with its status.
pub fn check(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    let smudged = instance.record.iter().any(|entry| entry.known().is_none());
    match answer {
        Answer::Smudged(findings) if smudged => check_smudged(rules, instance, findings, proofs, budget),
        Answer::Smudged(_) => vec![wrong("the record has unknown moves", "all of its moves are known")],
        _ if smudged => vec![wrong("the record is complete", "some of its moves are unknown")],
        Answer::Draw => check_complete(rules, instance, instance.record.len(), None, budget),
        Answer::Repeat { mv, earlier, symmetry } => {
            check_complete(rules, instance, *mv, Some((*earlier, *symmetry)), budget)
        }
    }
}

fn wrong(claim: &str, why: &str) -> Claim {
    Claim::new(claim, Status::Failed(why.to_owned()))
}

/// A complete record that ends with move `last`, which repeats as `evidence` says, or with none.
fn check_complete(
    rules: &Rules,
    instance: &Instance,
    last: usize,
    evidence: Option<(usize, Symmetry)>,
    budget: &mut Budget,
) -> Vec<Claim> {
    let n = instance.n as usize;
    let mut claims = Vec::new();
    let played = instance.record.get(..last);
    let moves: Option<Vec<Move>> = played.map(|r| r.iter().filter_map(Entry::known).collect());
    let (Some(moves), false) = (moves, evidence.is_some() && last == 0) else {
        return vec![wrong(&format!("move {last} is in the record"), "it is not")];
    };
    let boards = play(rules, instance, &moves);
    if rules.legality == Legality::Strict {
        let status = boards.as_ref().err().cloned().unwrap_or(Status::Recomputed);
        claims.push(Claim::new(format!("the {last} moves are legal"), status));
    }
    let boards = boards.unwrap_or_default();
    let fresh = match evidence {
        None => last,
        Some((earlier, symmetry)) => {
            let after = match earlier {
                0 => "the start".to_owned(),
                _ => format!("move {earlier}"),
            };
            let text = format!("the board after move {last} is that after {after}, {}", symmetry.describe());
            claims.push(Claim::replayed(text, evidence_fits(rules, n, &boards, last, earlier, symmetry)));
            last - 1
        }
    };
    let text = match evidence {
        None => format!("none of the {last} moves repeats a board"),
        Some(_) => format!("no move before move {last} repeats a board"),
    };
    claims.push(Claim::new(text, none_repeats(rules, n, &boards, fresh, budget)));
    claims
}

fn evidence_fits(
    rules: &Rules,
    n: usize,
    boards: &[Board],
    last: usize,
    earlier: usize,
    symmetry: Symmetry,
) -> Result<(), String> {
    if !rules.group.elements().contains(&symmetry) {
        return Err(format!("it is no symmetry of {}", rules.group.name()));
    }
    if earlier >= last || (earlier == 0 && rules.start == Start::Uncounted) {
        return Err("no board that counts stood there before".to_owned());
    }
    match (boards.get(earlier), boards.get(last)) {
        (Some(before), Some(after)) if image(n, before, symmetry) == *after => Ok(()),
        (Some(_), Some(_)) => Err("the boards differ".to_owned()),
        _ => Err("the record cannot be replayed".to_owned()),
    }
}

/// Compares each of the boards 1 to `last` with every one before it.
fn none_repeats(rules: &Rules, n: usize, boards: &[Board], last: usize, budget: &mut Budget) -> Status {
    if boards.len() <= last {
        return Status::Open("the record cannot be replayed".to_owned());
    }
    for later in 1..=last {
        match repeats(rules, n, &boards[..later], &boards[later], budget) {
            Ok(None) => {}
            Ok(Some(earlier)) => return Status::Failed(format!("move {later} repeats board {earlier}")),
            Err(limit) => return Status::Open(limit.to_string()),
        }
    }
    Status::Recomputed
}

/// The earlier board of which `board` is an image, if there is one; a node for each comparison.
fn repeats(
    rules: &Rules,
    n: usize,
    before: &[Board],
    board: &Board,
    budget: &mut Budget,
) -> Result<Option<usize>, Limit> {
    let images: Vec<Board> = rules.group.elements().into_iter().map(|g| image(n, board, g)).collect();
    let first = if rules.start == Start::Counted { 0 } else { 1 };
    for (i, earlier) in before.iter().enumerate().skip(first) {
        budget.node()?;
        if images.contains(earlier) {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// The start and the board after each move, or how it stands with a claim that rests on them.
fn play(rules: &Rules, instance: &Instance, moves: &[Move]) -> Result<Vec<Board>, Status> {
    let n = instance.n as usize;
    if moves.len().saturating_mul(n * n) > MAX_KEPT {
        return Err(Status::Open("the record is too long to be replayed".to_owned()));
    }
    let mut boards: Vec<Board> = vec![Bits::zeros(n * n)];
    for (i, (mv, entry)) in moves.iter().zip(&instance.record).enumerate() {
        match after(rules, instance, entry, &boards[i], *mv) {
            Some(board) => boards.push(board),
            None => return Err(Status::Failed(format!("move {} is illegal", i + 1))),
        }
    }
    Ok(boards)
}

/// The board after a move that stands for `entry`, unless it is illegal. Lenient rules take a known
/// move as it is.
fn after(rules: &Rules, instance: &Instance, entry: &Entry, board: &Board, mv: Move) -> Option<Board> {
    if !instance.size().contains(mv.cell) {
        return None;
    }
    let square = instance.size().index(mv.cell);
    let occupied = board.get(square);
    let legal = occupied == (mv.sign == Sign::Take);
    let taken_as_it_is = rules.legality == Legality::Lenient && entry.known() == Some(mv);
    (legal || taken_as_it_is).then(|| {
        let mut next = board.clone();
        match mv.sign {
            Sign::Place => next.set(square),
            Sign::Take => next.clear(square),
        }
        next
    })
}

/// The board, mirrored if so, then turned clockwise.
fn image(n: usize, board: &Board, symmetry: Symmetry) -> Board {
    let moved = |board: &Board, to: &dyn Fn(usize, usize) -> (usize, usize)| {
        let spots = board.iter().map(|square| to(square / n, square % n));
        Bits::from_indices(n * n, spots.map(|(row, col)| row * n + col))
    };
    let mut image = board.clone();
    if symmetry.mirrored {
        image = moved(&image, &|row, col| (row, n - 1 - col));
    }
    for _ in 0..symmetry.turns {
        image = moved(&image, &|row, col| (col, n - 1 - row));
    }
    image
}

fn check_smudged(
    rules: &Rules,
    instance: &Instance,
    findings: &[Finding],
    proofs: &[Proof],
    budget: &mut Budget,
) -> Vec<Claim> {
    let steps = instance.record.len();
    if findings.len() != steps + 1 {
        return vec![wrong("every ending is answered", &format!("{} of {}", findings.len(), steps + 1))];
    }
    // One enumeration serves all refuted endings, and is made only if one of them needs it.
    let mut enumerated: Option<Result<Vec<bool>, String>> = None;
    let mut claims = Vec::new();
    for (i, (ending, finding)) in Ending::all(steps).zip(findings).enumerate() {
        let text = claim(ending, finding);
        let status = match finding {
            Finding::Open => Status::Open("the engine left it open".to_owned()),
            Finding::Possible(witness) => {
                witness_status(rules, instance, ending, witness, budget).unwrap_or_else(|status| status)
            }
            Finding::Refuted => {
                close(&no_completion(rules, instance, ending), proofs, &budget.stop(), || {
                    match enumerated.get_or_insert_with(|| enumerate_all(rules, instance, budget)) {
                        Ok(possible) if possible[i] => Status::Failed("some completion ends so".to_owned()),
                        Ok(_) => Status::Recomputed,
                        Err(why) => Status::Open(why.clone()),
                    }
                })
            }
        };
        claims.push(Claim::new(text, status));
    }
    claims
}

fn claim(ending: Ending, finding: &Finding) -> String {
    let how = match ending {
        Ending::Repeat(mv) => format!("with a repeat on move {mv}, player {} wins", winner(mv)),
        Ending::Draw => "as a draw".to_owned(),
    };
    match finding {
        Finding::Possible(_) => format!("some completion ends {how}"),
        Finding::Refuted => format!("no completion ends {how}"),
        Finding::Open => format!("whether some completion ends {how}"),
    }
}

/// Whether the witness completes the record and ends as it should; `Err` ends the replay early.
fn witness_status(
    rules: &Rules,
    instance: &Instance,
    ending: Ending,
    witness: &[Move],
    budget: &mut Budget,
) -> Result<Status, Status> {
    let last = match ending {
        Ending::Repeat(mv) => mv,
        Ending::Draw => instance.record.len(),
    };
    if witness.len() != last {
        return Err(Status::Failed(format!("the witness has {} moves instead of {last}", witness.len())));
    }
    for (i, (entry, mv)) in instance.record.iter().zip(witness).enumerate() {
        if !entry.allows(mv.cell) || entry.sign().is_some_and(|sign| sign != mv.sign) {
            return Err(Status::Failed(format!("move {} of the witness is not the record's", i + 1)));
        }
    }
    let n = instance.n as usize;
    let boards = play(rules, instance, witness)?;
    for later in 1..=last {
        let repeat = repeats(rules, n, &boards[..later], &boards[later], budget);
        match repeat.map_err(|limit| Status::Open(limit.to_string()))? {
            Some(_) if ending != Ending::Repeat(later) => {
                return Err(Status::Failed(format!("move {later} of the witness repeats a board")));
            }
            None if ending == Ending::Repeat(later) => {
                return Err(Status::Failed(format!("move {later} of the witness repeats no board")));
            }
            _ => {}
        }
    }
    Ok(Status::Witness)
}

/// Which endings some completion has, by going through all completions.
fn enumerate_all(rules: &Rules, instance: &Instance, budget: &mut Budget) -> Result<Vec<bool>, String> {
    if instance.record.len() > MAX_STEPS {
        return Err(format!("records of over {MAX_STEPS} moves are not enumerated; a proof would close it"));
    }
    let n = instance.n as usize;
    let mut found = vec![false; instance.record.len() + 1];
    let mut left = MAX_COMPARED;
    enumerate(rules, instance, &mut vec![Bits::zeros(n * n)], &mut found, &mut left, budget)?;
    Ok(found)
}

fn enumerate(
    rules: &Rules,
    instance: &Instance,
    boards: &mut Vec<Board>,
    found: &mut [bool],
    left: &mut u64,
    budget: &mut Budget,
) -> Result<(), String> {
    let step = boards.len() - 1;
    let Some(entry) = instance.record.get(step) else {
        found[step] = true;
        return Ok(());
    };
    for cell in instance.size().iter().filter(|&cell| entry.allows(cell)) {
        for sign in [Sign::Place, Sign::Take] {
            if entry.sign().is_some_and(|known| known != sign) {
                continue;
            }
            let Some(next) = after(rules, instance, entry, &boards[step], Move { cell, sign }) else {
                continue;
            };
            let cost = boards.len() as u64 * instance.size().cells() as u64;
            *left =
                left.checked_sub(cost).ok_or("too many completions to enumerate; a proof would close it")?;
            if repeats(rules, instance.n as usize, boards, &next, budget)
                .map_err(|limit| limit.to_string())?
                .is_some()
            {
                found[step] = true;
            } else {
                boards.push(next);
                enumerate(rules, instance, boards, found, left, budget)?;
                boards.pop();
            }
        }
    }
    Ok(())
}

/// A plain formula for each refuted ending.
pub fn obligations<'a>(rules: &'a Rules, instance: &'a Instance, answer: &'a Answer) -> Vec<Obligation<'a>> {
    refuted(instance, answer).map(|ending| no_completion(rules, instance, ending)).collect()
}

/// The endings that an answer refutes.
pub fn refuted<'a>(instance: &Instance, answer: &'a Answer) -> impl Iterator<Item = Ending> + use<'a> {
    let findings: &[Finding] = if let Answer::Smudged(findings) = answer { findings } else { &[] };
    let endings = Ending::all(instance.record.len()).zip(findings);
    endings.filter(|(_, finding)| matches!(finding, Finding::Refuted)).map(|(ending, _)| ending)
}

fn no_completion<'a>(rules: &'a Rules, instance: &'a Instance, ending: Ending) -> Obligation<'a> {
    let clauses = plain::clauses(rules, instance, ending);
    let write = move || plain::formula(rules, instance, ending);
    Obligation::new(claim(ending, &Finding::Refuted), clauses, write)
}
