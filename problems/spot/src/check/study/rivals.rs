//! Checks certificates of the study `rules`. A certificate lists wrong programs, each with a shortest game
//! that the program judges differently from the rules. The checker judges this game by the program and by the
//! rules, and enumerates all shorter games. For a wrong program that is not listed, it enumerates all games.

use super::super::super::Start;
use super::{number, rules};
use counterpoint_core::board::{Group, Size, Symmetry};
use counterpoint_core::claim::{Claim, Status, WrongWitness};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// The maximum length of a game.
const MAX_MOVES: u64 = 400;

/// A program, described by the symmetries under which it considers boards equal.
struct Program {
    maps: Vec<Symmetry>,
    start: Start,
}

pub(super) fn check(
    certificate: &Map<String, Value>,
    budget: &mut Budget,
) -> Result<Vec<Claim>, FormatError> {
    let n = number(certificate, "n", 1, 8)?;
    let limit = number(certificate, "limit", 1, MAX_MOVES)?;
    let (group, start) = rules(certificate)?;
    let judge = Program { maps: group.elements(), start };
    let games = certificate.get("games").and_then(Value::as_array).ok_or("\"games\" is not a list")?;
    if games.is_empty() {
        return Err("\"games\" is empty, so there is nothing to check".into());
    }
    let size = Size::new(n as u32, n as u32);
    let mut claims = Vec::new();
    let mut missing = wrong_programs(group, start);
    for game in games {
        let name = game.get("program").and_then(Value::as_str).unwrap_or_default();
        let place = missing.iter().position(|program| program == name);
        place.map(|place| missing.remove(place));
        let other = program(name, start).ok_or_else(|| {
            format!(
                "\"program\" of a game is '{name}'; expected a name such as 'c4, start counted' or 'rotations and one \
                 mirror'"
            )
        })?;
        let squares: Option<Vec<usize>> = game.get("squares").and_then(Value::as_array).and_then(|squares| {
            let square = |s: &Value| s.as_u64().map(|s| s as usize).filter(|s| *s < size.cells());
            squares.iter().map(square).collect()
        });
        let squares = squares
            .ok_or_else(|| format!("\"squares\" of the game against '{name}' is not a list of squares"))?;
        if squares.len() > limit {
            let moves = squares.len();
            return Err(
                format!("the game against '{name}' has {moves} moves, but is drawn after {limit}").into()
            );
        }
        let text = format!("move {} is the first that distinguishes '{name}' from the rules", squares.len());
        let programs = [&judge, &other];
        claims.push(match replay(size, programs, &squares, budget) {
            Ok(replay) => Claim::replayed(text, replay),
            Err(limit) => Claim::new(text, Status::Open(limit.to_string())),
        });
        let text = format!("no shorter game distinguishes '{name}' from the rules");
        let mut boards = vec![vec![false; size.cells()]];
        let shorter = shorter(size, programs, &mut boards, squares.len().saturating_sub(1), budget);
        claims.push(Claim::new(text, Status::none_found(shorter)));
    }
    for name in missing {
        let Some(other) = program(&name, start) else { continue };
        let text = format!("no game of at most {limit} moves distinguishes '{name}' from the rules");
        let mut boards = vec![vec![false; size.cells()]];
        let found = shorter(size, [&judge, &other], &mut boards, limit, budget);
        claims.push(Claim::new(text, Status::none_found(found)));
    }
    Ok(claims)
}

/// The names of the wrong programs: one for each other group, one with the other rule for the start, and one that uses
/// the four rotations and one reflection.
fn wrong_programs(group: Group, start: Start) -> Vec<String> {
    let other = if start == Start::Counted { Start::Uncounted } else { Start::Counted };
    let groups = [Group::C4, Group::D4, Group::C2, Group::Trivial].into_iter().filter(|&each| each != group);
    let mut names: Vec<String> =
        groups.map(|each| format!("{}, start {}", each.name(), start.name())).collect();
    names.push(format!("{}, start {}", group.name(), other.name()));
    names.push("rotations and one mirror".to_owned());
    names
}

/// The program of this name; `None` if no program has it. `start` applies if the name does not contain a start.
fn program(name: &str, start: Start) -> Option<Program> {
    if name == "rotations and one mirror" {
        let mirror = Symmetry { turns: 0, mirrored: true };
        return Some(Program { maps: [Group::C4.elements(), vec![mirror]].concat(), start });
    }
    let (group, start) = name.split_once(", start ")?;
    Some(Program { maps: Group::from_name(group)?.elements(), start: Start::from_name(start)? })
}

/// Whether the program calls the last move a repeat, that is, whether the last board is an image of an earlier board
/// that counts.
fn repeats(size: Size, program: &Program, boards: &[Vec<bool>]) -> bool {
    let Some((last, before)) = boards.split_last() else { return false };
    let first = if program.start == Start::Counted { 0 } else { 1 };
    before.iter().skip(first).any(|board| {
        program.maps.iter().any(|g| {
            size.iter().all(|cell| board[size.index(cell)] == last[size.index(g.apply(size.width, cell))])
        })
    })
}

/// Checks that exactly one of the programs calls the last move a repeat, and that neither calls an earlier move a
/// repeat. Each move is compared with all earlier boards, and a certificate may list many games, so limits are tested
/// before each move.
fn replay(
    size: Size,
    programs: [&Program; 2],
    squares: &[usize],
    budget: &Budget,
) -> Result<Result<(), WrongWitness>, Limit> {
    let mut boards = vec![vec![false; size.cells()]];
    for (&square, mv) in squares.iter().zip(1..) {
        budget.poll()?;
        let mut next = boards[mv - 1].clone();
        next[square] = !next[square];
        boards.push(next);
        let [one, other] = programs.map(|program| repeats(size, program, &boards));
        match mv == squares.len() {
            true if one == other => {
                return Ok(Err(format!("both programs say the same about move {mv}").into()));
            }
            false if one || other => return Ok(Err(format!("a program calls move {mv} a repeat").into())),
            _ => {}
        }
    }
    Ok(if squares.is_empty() { Err("the game has no moves".into()) } else { Ok(()) })
}

/// Whether some game of at most `left` more moves distinguishes the programs. The depth of the recursion is `left`, at
/// most [`MAX_MOVES`].
fn shorter(
    size: Size,
    programs: [&Program; 2],
    boards: &mut Vec<Vec<bool>>,
    left: usize,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    for square in 0..if left == 0 { 0 } else { size.cells() } {
        // Each earlier board with which the new one is compared counts as a node.
        let mut compared = boards.len() as u64;
        while compared > 0 {
            compared -= 1 + budget.nodes(compared - 1)?;
        }
        let mut next = boards[boards.len() - 1].clone();
        next[square] = !next[square];
        boards.push(next);
        let found = match programs.map(|program| repeats(size, program, boards)) {
            [false, false] => shorter(size, programs, boards, left - 1, budget)?,
            [one, other] => one != other,
        };
        boards.pop();
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}
