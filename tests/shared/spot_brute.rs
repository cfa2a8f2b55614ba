//! Helpers for the tests of Spot: an independent brute force, and short functions that run engines.
#![allow(dead_code)]

use counterpoint::board::{Cell, Group};
use counterpoint::claim::{Claim, all_closed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problem::{Engine, Problem};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Finding};
use counterpoint::problems::spot::{Entry, Instance, Legality, Move, MoveLimit, Rules, Sign, Start};
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{EngineSpec, resolve};

pub(crate) const GROUPS: [Group; 4] = [Group::C4, Group::D4, Group::C2, Group::Trivial];
pub(crate) const STARTS: [Start; 2] = [Start::Uncounted, Start::Counted];

pub(crate) fn rules(group: Group, start: Start) -> Rules {
    Rules { group, start, limit: MoveLimit::TwiceN, legality: Legality::Strict }
}

/// A board as text, row by row. Rotations and reflections work on this text.
type Board = Vec<Vec<char>>;

fn turn(board: &Board) -> Board {
    let n = board.len();
    (0..n).map(|r| (0..n).map(|c| board[n - 1 - c][r]).collect()).collect()
}

fn flip(board: &Board) -> Board {
    board.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

fn orbit(board: &Board, group: Group) -> Vec<Board> {
    let two = turn(&turn(board));
    match group {
        Group::Trivial => vec![board.clone()],
        Group::C2 => vec![board.clone(), two],
        Group::C4 => vec![board.clone(), turn(board), two.clone(), turn(&two)],
        Group::D4 => [orbit(board, Group::C4), orbit(&flip(board), Group::C4)].concat(),
    }
}

/// The smallest text in the orbit, which is the same for equal patterns.
pub(crate) fn class(board: &Board, group: Group) -> String {
    orbit(board, group).iter().map(|b| b.iter().flatten().collect::<String>()).min().unwrap()
}

pub(crate) fn empty(n: u32) -> Board {
    vec![vec!['.'; n as usize]; n as usize]
}

/// Makes a move. Returns false if the square already had this state.
pub(crate) fn play(board: &mut Board, mv: Move) -> bool {
    let square = &mut board[mv.cell.row as usize][mv.cell.col as usize];
    let was = std::mem::replace(square, if mv.sign == Sign::Place { 'x' } else { '.' });
    was != *square
}

/// The number of the first move that repeats a pattern. Moves are numbered from 1.
pub(crate) fn first_repeat(rules: &Rules, n: u32, moves: &[Move]) -> Option<usize> {
    let mut board = empty(n);
    let mut seen = Vec::new();
    if rules.start == Start::Counted {
        seen.push(class(&board, rules.group));
    }
    for (i, &mv) in moves.iter().enumerate() {
        play(&mut board, mv);
        let class = class(&board, rules.group);
        if seen.contains(&class) {
            return Some(i + 1);
        }
        seen.push(class);
    }
    None
}

/// For each move, whether a smudged record can end with a repeat on that move. The last entry says whether the record
/// can end as a draw. Tries all completions.
pub(crate) fn endings(rules: &Rules, instance: &Instance) -> Vec<bool> {
    let mut possible = vec![false; instance.record.len() + 1];
    complete(rules, instance, &mut Vec::new(), &mut empty(instance.n), &mut possible);
    possible
}

fn complete(
    rules: &Rules,
    instance: &Instance,
    moves: &mut Vec<Move>,
    board: &mut Board,
    possible: &mut [bool],
) {
    if let Some(mv) = first_repeat(rules, instance.n, moves) {
        possible[mv - 1] = true;
        return;
    }
    let Some(entry) = instance.record.get(moves.len()) else {
        possible[moves.len()] = true;
        return;
    };
    for row in 0..instance.n {
        for col in 0..instance.n {
            for sign in [Sign::Place, Sign::Take] {
                let fits = entry.x().is_none_or(|x| x == col + 1)
                    && entry.y().is_none_or(|y| y == row + 1)
                    && entry.sign().is_none_or(|s| s == sign);
                if !fits {
                    continue;
                }
                let (mv, before) = (Move { cell: Cell::new(row, col), sign }, board.clone());
                let legal = play(board, mv);
                if legal || (rules.legality == Legality::Lenient && entry.known().is_some()) {
                    moves.push(mv);
                    complete(rules, instance, moves, board, possible);
                    moves.pop();
                }
                *board = before;
            }
        }
    }
}

pub(crate) fn instance(n: u32, moves: &[Move]) -> Instance {
    Instance { n, record: moves.iter().map(|&mv| Entry::from(mv)).collect() }
}

/// The engines that match a pattern.
pub(crate) fn named(pattern: &str) -> Vec<EngineSpec> {
    let infos: Vec<_> = Spot::ENGINES.iter().map(|e| e.info).collect();
    resolve(&infos, &SolverRegistry::built_in(), pattern).unwrap()
}

/// All engines with all solvers, and with every value of the axes `distinct` and `once`, which say how boards are
/// distinguished.
pub(crate) fn specs() -> Vec<EngineSpec> {
    named("search:*,sat:toggles/distinct=*@*,sat:path/once=*@*")
}

/// All encodings with all values of all axes, and all solvers.
pub(crate) fn sat_specs() -> Vec<EngineSpec> {
    named("sat:toggles/amo=*/distinct=*@*,sat:path/amo=*/once=*@*")
}

pub(crate) fn engine(spec: &EngineSpec) -> &'static Engine<Spot> {
    Spot::ENGINES.iter().find(|e| e.info.side == spec.side && e.info.name == spec.name).unwrap()
}

pub(crate) fn supports(spec: &EngineSpec, rules: &Rules, instance: &Instance) -> Result<(), String> {
    Ok((engine(spec).supports)(rules, instance, spec)?)
}

pub(crate) fn solve(spec: &EngineSpec, rules: &Rules, instance: &Instance) -> Answer {
    answer(spec, rules, instance).unwrap_or_else(|| panic!("{spec} does not support {instance:?}"))
}

/// The answer of an engine, or `None` if it does not support the instance, which it may find out only while solving.
pub(crate) fn answer(spec: &EngineSpec, rules: &Rules, instance: &Instance) -> Option<Answer> {
    supports(spec, rules, instance).ok()?;
    match (engine(spec).start)()(rules, instance, spec, &mut Budget::unlimited()) {
        Outcome::Decided(answer) => Some(answer),
        Outcome::Unsupported(_) => None,
        other => panic!("{spec}: {other:?}"),
    }
}

pub(crate) fn check(rules: &Rules, instance: &Instance, answer: &Answer) -> Vec<Claim> {
    Spot::check(rules, instance, answer, &[], &mut Budget::unlimited())
}

/// The move that repeats a pattern, according to an answer to a complete record; `None` for a draw.
pub(crate) fn repeat_of(answer: &Answer) -> Option<usize> {
    match answer {
        Answer::Repeat { mv, .. } | Answer::RepeatAt(mv) => Some(*mv),
        Answer::Draw => None,
        Answer::Smudged(_) => panic!("smudged"),
    }
}

pub(crate) fn possible_of(answer: &Answer) -> Vec<bool> {
    let Answer::Smudged(findings) = answer else { panic!("not smudged: {answer:?}") };
    let possible = |f: &Finding| match f {
        Finding::Possible(_) | Finding::Unwitnessed => true,
        Finding::Refuted => false,
        Finding::Open => panic!("open"),
    };
    findings.iter().map(possible).collect()
}

/// Asserts, for every engine that supports a complete record, that it finds the same first repeat as brute force, and
/// that its answer is checked.
pub(crate) fn referee_everywhere(specs: &[EngineSpec], rules: &Rules, n: u32, moves: &[Move]) {
    let (expected, instance) = (first_repeat(rules, n, moves), instance(n, moves));
    for spec in specs {
        if let Some(answer) = answer(spec, rules, &instance) {
            assert_eq!(repeat_of(&answer), expected, "{spec} {rules:?} {instance:?}");
            let claims = check(rules, &instance, &answer);
            assert!(all_closed(&claims), "{spec} {rules:?} {instance:?} {claims:?}");
        }
    }
}

/// All games of `length` legal moves.
pub(crate) fn all_games(n: u32, length: usize) -> Vec<Vec<Move>> {
    let mut games = vec![(Vec::new(), empty(n))];
    for _ in 0..length {
        let mut longer = Vec::new();
        for (moves, board) in games {
            for cell in (0..n).flat_map(|row| (0..n).map(move |col| Cell::new(row, col))) {
                let occupied = board[cell.row as usize][cell.col as usize] == 'x';
                let mv = Move { cell, sign: if occupied { Sign::Take } else { Sign::Place } };
                let (mut moves, mut board) = (moves.clone(), board.clone());
                play(&mut board, mv);
                moves.push(mv);
                longer.push((moves, board));
            }
        }
        games = longer;
    }
    games.into_iter().map(|(moves, _)| moves).collect()
}
