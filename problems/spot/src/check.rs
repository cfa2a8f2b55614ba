//! The checker: replays records by the definition and enumerates the completions of smudged ones.
//!
//! * A repeat is recomputed by comparing every image of each new board with every earlier board. No hashes
//!   and no canonical forms are used.
//! * The witness of a possible ending is replayed.
//! * A refuted ending is checked by a proof that the plain formula of `check/plain.rs` is unsatisfiable. If no proof
//!   shows this, counting arguments (`check/outline.rs`) may exclude the ending. If they do not, the completions that
//!   they leave are enumerated. If there are too many, each ending is searched for on its own (`check/narrow.rs`).
//! * If an answer says that an ending is possible, but has no witness, the enumeration looks for one.

mod alternatives;
mod completions;
mod narrow;
mod outline;
pub mod plain;
pub mod study;

use self::completions::Enumerated;
use super::answer::{Answer, Ending, Finding};
use super::{Entry, Instance, Legality, Move, Rules, Sign, Start, winner};
use counterpoint_core::board::{Bits, Symmetry};
use counterpoint_core::claim::{Claim, Status, WrongWitness};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::proof::{Obligation, Proof, close};

/// The maximum product of moves and squares of a record that is replayed. All of its boards are stored.
const MAX_STORED: usize = 1 << 28;
/// One bit for each square in row-major order, set if the square has a spot.
type Board = Bits;

/// The claims of an answer, each with its status.
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
        Answer::Draw => check_complete(rules, instance, instance.record.len(), Last::Differs, budget),
        Answer::Repeat { mv, earlier, symmetry } => {
            check_complete(rules, instance, *mv, Last::Equals(*earlier, *symmetry), budget)
        }
        Answer::RepeatAt(mv) => check_complete(rules, instance, *mv, Last::Repeats, budget),
    }
}

/// What an answer says about the last move, given that no earlier move is a repeat.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// It is not a repeat either.
    Differs,
    /// It repeats the board after the given earlier move. The given symmetry maps the earlier board to the later one.
    Equals(usize, Symmetry),
    /// It repeats some earlier board.
    Repeats,
}

fn wrong(claim: &str, why: &str) -> Claim {
    Claim::new(claim, Status::Failed(why.to_owned()))
}

/// The claims about a complete record: what the answer says about move `last`, and that no move before it is a repeat.
fn check_complete(
    rules: &Rules,
    instance: &Instance,
    last: usize,
    said: Last,
    budget: &mut Budget,
) -> Vec<Claim> {
    let n = instance.n as usize;
    let mut claims = Vec::new();
    let played = instance.record.get(..last);
    let moves: Option<Vec<Move>> = played.map(|r| r.iter().filter_map(Entry::known).collect());
    let (Some(moves), false) = (moves, said != Last::Differs && last == 0) else {
        return vec![wrong(&format!("move {last} is in the record"), "it is not")];
    };
    let boards = play(rules, instance, &moves);
    if rules.legality == Legality::Strict {
        let status = boards.as_ref().err().cloned().unwrap_or(Status::Recomputed);
        claims.push(Claim::new(format!("the {last} moves are legal"), status));
    }
    let boards = boards.unwrap_or_default();
    let (text, fresh) = match said {
        Last::Differs => (format!("none of the {last} moves repeats a board"), last),
        Last::Equals(..) | Last::Repeats => (format!("no move before move {last} repeats a board"), last - 1),
    };
    match said {
        Last::Differs => {}
        Last::Equals(earlier, symmetry) => {
            let after = match earlier {
                0 => "the start".to_owned(),
                _ => format!("move {earlier}"),
            };
            let text =
                format!("the board after move {last} equals that after {after}, {}", symmetry.describe());
            claims.push(Claim::replayed(text, evidence_fits(rules, n, &boards, last, earlier, symmetry)));
        }
        Last::Repeats => {
            let text = format!("move {last} repeats a board");
            claims.push(Claim::new(text, is_repeat(rules, n, &boards, last, budget)));
        }
    }
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
) -> Result<(), WrongWitness> {
    if !rules.group.elements().contains(&symmetry) {
        return Err(format!("this symmetry is not in the group {}", rules.group.name()).into());
    }
    if earlier >= last || (earlier == 0 && rules.start == Start::Uncounted) {
        return Err("this is not an earlier board that counts".into());
    }
    match (boards.get(earlier), boards.get(last)) {
        (Some(before), Some(after)) if image(n, before, symmetry) == *after => Ok(()),
        (Some(_), Some(_)) => Err("the boards differ".into()),
        _ => Err("the record cannot be replayed".into()),
    }
}

/// Compares board `last` with all boards before it.
fn is_repeat(rules: &Rules, n: usize, boards: &[Board], last: usize, budget: &mut Budget) -> Status {
    let Some(board) = boards.get(last) else {
        return Status::Open("the record cannot be replayed".to_owned());
    };
    match repeats(rules, n, &boards[..last], board, budget) {
        Ok(Some(_)) => Status::Recomputed,
        Ok(None) => Status::Failed("the board after it differs from all earlier boards".to_owned()),
        Err(limit) => Status::Open(limit.to_string()),
    }
}

/// Compares each of the boards 1 to `last` with all boards before it.
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

/// The index of the first board in `before` that equals `board` up to symmetry; `None` if there is none. The empty
/// board, at index 0, is skipped unless the start counts. Each comparison with an earlier board counts as one node of
/// work.
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

/// The empty board and the board after each move; or, if the moves cannot be replayed, a status that says why.
fn play(rules: &Rules, instance: &Instance, moves: &[Move]) -> Result<Vec<Board>, Status> {
    let n = instance.n as usize;
    if moves.len().saturating_mul(n * n) > MAX_STORED {
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

/// The board after move `mv`, which completes `entry`; `None` if the move is illegal or not on the board. Lenient rules
/// accept every known move whose square is on the board.
fn after(rules: &Rules, instance: &Instance, entry: &Entry, board: &Board, mv: Move) -> Option<Board> {
    if !instance.size().contains(mv.cell) {
        return None;
    }
    let square = instance.size().index(mv.cell);
    let occupied = board.get(square);
    let legal = occupied == (mv.sign == Sign::Take);
    let accepted = rules.legality == Legality::Lenient && entry.known() == Some(mv);
    (legal || accepted).then(|| {
        let mut next = board.clone();
        match mv.sign {
            Sign::Place => next.set(square),
            Sign::Take => next.clear(square),
        }
        next
    })
}

/// The image of a board: reflected left to right if the symmetry says so, then rotated clockwise.
fn image(n: usize, board: &Board, symmetry: Symmetry) -> Board {
    let mapped = |board: &Board, to: &dyn Fn(usize, usize) -> (usize, usize)| {
        let spots = board.iter().map(|square| to(square / n, square % n));
        Bits::from_indices(n * n, spots.map(|(row, col)| row * n + col))
    };
    let mut image = board.clone();
    if symmetry.mirrored {
        image = mapped(&image, &|row, col| (row, n - 1 - col));
    }
    for _ in 0..symmetry.turns {
        image = mapped(&image, &|row, col| (col, n - 1 - row));
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
    // One enumeration decides all endings that need it. It is run when the first of them is reached.
    let mut enumerated: Option<Enumerated> = None;
    let wanted: Vec<bool> =
        findings.iter().map(|finding| matches!(finding, Finding::Refuted | Finding::Unwitnessed)).collect();
    let mut claims = Vec::new();
    for (i, (ending, finding)) in Ending::all(steps).zip(findings).enumerate() {
        let text = claim(ending, finding);
        let status = match finding {
            Finding::Open => Status::Open("the engine left it open".to_owned()),
            Finding::Possible(witness) => {
                witness_status(rules, instance, ending, witness, budget).unwrap_or_else(|status| status)
            }
            Finding::Unwitnessed => {
                let all = enumerated
                    .get_or_insert_with(|| completions::enumerate(rules, instance, &wanted, budget));
                match &all.stopped {
                    _ if all.possible[i] => Status::Recomputed,
                    Some(why) => Status::Open(why.remedy("a witness")),
                    None => Status::Failed("no completion has this ending".to_owned()),
                }
            }
            Finding::Refuted => {
                close(&no_completion(rules, instance, ending), proofs, &budget.stop(), || {
                    let all = enumerated
                        .get_or_insert_with(|| completions::enumerate(rules, instance, &wanted, budget));
                    match &all.stopped {
                        _ if all.possible[i] => Status::Failed("some completion has this ending".to_owned()),
                        _ if all.refuted[i] => Status::Recomputed,
                        Some(why) => Status::Open(why.remedy("a proof")),
                        None => Status::Recomputed,
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
        Finding::Possible(_) | Finding::Unwitnessed => format!("some completion ends {how}"),
        Finding::Refuted => format!("no completion ends {how}"),
        Finding::Open => format!("whether some completion ends {how}"),
    }
}

/// Replays a witness, which must complete the record up to the ending and have this ending. The status is in
/// `Err` if the replay stopped early.
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
            return Err(Status::Failed(format!("move {} of the witness contradicts the record", i + 1)));
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
                return Err(Status::Failed(format!("move {later} of the witness does not repeat a board")));
            }
            _ => {}
        }
    }
    Ok(Status::Witness)
}

/// An obligation, with its plain formula, for each refuted ending.
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
