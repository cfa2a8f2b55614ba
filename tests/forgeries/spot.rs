//! Forged answers to Spot: repeats, draws and illegal moves.

use crate::spot_brute::{GROUPS, STARTS, check, class, empty, first_repeat, instance, play};
use crate::tally::{Tally, genuine};
use chacha20::ChaCha8Rng;
use counterpoint::board::{Cell, Group, Symmetry};
use counterpoint::problems::spot::answer::Answer;
use counterpoint::problems::spot::{Entry, Instance, Legality, Move, MoveLimit, Rules, Sign, Start};
use rand::RngExt;

const LEGAL: &str = "the … moves are legal";
const EQUALS: &str = "the board after move … equals that after …";
const NONE_BEFORE: &str = "no move before move … repeats a board";
const REPEATS: &str = "move … repeats a board";
const NONE: &str = "none of the … moves repeats a board";
const KINDS: [&str; 5] = [LEGAL, EQUALS, NONE_BEFORE, REPEATS, NONE];

/// A board as rows; true for a spot.
type Board = Vec<Vec<bool>>;

/// The empty board and the board after each move; `None` if a move is illegal.
fn boards(n: u32, moves: &[Move], legality: Legality) -> Option<Vec<Board>> {
    let mut boards = vec![vec![vec![false; n as usize]; n as usize]];
    for mv in moves {
        let mut next = boards.last()?.clone();
        let square = &mut next[mv.cell.row as usize][mv.cell.col as usize];
        let place = mv.sign == Sign::Place;
        if *square == place && legality == Legality::Strict {
            return None;
        }
        *square = place;
        boards.push(next);
    }
    Some(boards)
}

/// Mirrored left to right if the symmetry says so, then turned clockwise.
fn image(board: &Board, symmetry: Symmetry) -> Board {
    let n = board.len();
    let mut image = board.clone();
    if symmetry.mirrored {
        image.iter_mut().for_each(|row| row.reverse());
    }
    for _ in 0..symmetry.turns {
        image = (0..n).map(|r| (0..n).map(|c| image[n - 1 - c][r]).collect()).collect();
    }
    image
}

fn is_in(group: Group, symmetry: Symmetry) -> bool {
    match group {
        Group::D4 => true,
        Group::C4 => !symmetry.mirrored,
        Group::C2 => !symmetry.mirrored && symmetry.turns.is_multiple_of(2),
        Group::Trivial => !symmetry.mirrored && symmetry.turns == 0,
    }
}

/// Whether these two moves of a legal game show a repeat.
fn shows_repeat(rules: &Rules, boards: &[Board], mv: usize, earlier: usize, symmetry: Symmetry) -> bool {
    is_in(rules.group, symmetry)
        && earlier < mv
        && (earlier > 0 || rules.start == Start::Counted)
        && boards.get(mv).is_some_and(|later| image(&boards[earlier], symmetry) == *later)
}

/// A game of legal moves. Later moves often return to squares of earlier ones, so that boards repeat.
fn game(rng: &mut ChaCha8Rng) -> (Rules, u32, Vec<Move>) {
    let legality = if rng.random_bool(0.8) { Legality::Strict } else { Legality::Lenient };
    let start = STARTS[rng.random_range(0..2)];
    let rules = Rules { group: GROUPS[rng.random_range(0..4)], start, limit: MoveLimit::None, legality };
    let n = rng.random_range(1..=4);
    let squares = (0..rng.random_range(1..=9)).map(|_| rng.random_range(0..n * n)).collect();
    let moves = legal(n, squares);
    (rules, n, moves)
}

/// The moves that toggle these squares.
pub(crate) fn legal(n: u32, squares: Vec<u32>) -> Vec<Move> {
    let mut board = empty(n);
    let toggle = |square: u32| {
        let cell = Cell::new(square / n, square % n);
        let spot = board[cell.row as usize][cell.col as usize] == 'x';
        let mv = Move { cell, sign: if spot { Sign::Take } else { Sign::Place } };
        play(&mut board, mv);
        mv
    };
    squares.into_iter().map(toggle).collect()
}

/// Changes one move, and the signs of later moves so that they stay legal.
pub(crate) fn change(n: u32, moves: &mut Vec<Move>, rng: &mut ChaCha8Rng) {
    let mut squares: Vec<u32> = moves.iter().map(|mv| mv.cell.row * n + mv.cell.col).collect();
    let at = rng.random_range(0..squares.len());
    match rng.random_range(0..4) {
        0 => squares[at] = rng.random_range(0..n * n),
        1 => drop(squares.remove(at)),
        2 => squares.insert(at, rng.random_range(0..n * n)),
        _ => {
            let other = rng.random_range(0..squares.len());
            squares.swap(at, other);
        }
    }
    *moves = legal(n, squares);
}

pub(crate) fn forgery(rules: &Rules, instance: &Instance, answer: &Answer) -> String {
    let record: Vec<String> = instance.record.iter().map(Entry::to_string).collect();
    format!("{rules:?} {} [{}] {answer:?}", instance.n, record.join(", "))
}

fn symmetry(rng: &mut ChaCha8Rng) -> Symmetry {
    Symmetry { turns: rng.random_range(0..4), mirrored: rng.random_bool(0.5) }
}

/// The first repeat with an earlier board and a symmetry.
fn evidence(rules: &Rules, boards: &[Board], mv: usize) -> Answer {
    let all = (0..mv).flat_map(|earlier| (0..8u8).map(move |k| (earlier, k)));
    let mut found = all.map(|(earlier, k)| (earlier, Symmetry { turns: k % 4, mirrored: k > 3 }));
    let (earlier, symmetry) =
        found.find(|&(earlier, symmetry)| shows_repeat(rules, boards, mv, earlier, symmetry)).unwrap();
    Answer::Repeat { mv, earlier, symmetry }
}

#[test]
fn draws_with_a_repeat() {
    let mut tally = Tally::new("spot", NONE);
    while tally.wants_more() {
        let (rules, n, mut moves) = game(&mut tally.rng);
        if first_repeat(&rules, n, &moves).is_none() {
            genuine(&check(&rules, &instance(n, &moves), &Answer::Draw), &KINDS);
            change(n, &mut moves, &mut tally.rng);
        }
        if first_repeat(&rules, n, &moves).is_none() {
            tally.still_true();
            continue;
        }
        let game = instance(n, &moves);
        tally.is_false(&forgery(&rules, &game, &Answer::Draw), || Ok(check(&rules, &game, &Answer::Draw)));
    }
}

/// A genuine repeat with one number or symmetry changed, or with a move of the record changed.
#[test]
fn repeats_with_wrong_evidence() {
    let mut tally = Tally::new("spot", EQUALS);
    while tally.wants_more() {
        let (mut rules, n, mut moves) = game(&mut tally.rng);
        let Some(first) = first_repeat(&rules, n, &moves) else { continue };
        let genuine_answer = evidence(&rules, &boards(n, &moves, Legality::Strict).unwrap(), first);
        genuine(&check(&rules, &instance(n, &moves), &genuine_answer), &KINDS);
        let Answer::Repeat { mut mv, mut earlier, symmetry: mut by } = genuine_answer else { unreachable!() };
        let rng = &mut tally.rng;
        match rng.random_range(0..6) {
            0 => mv = rng.random_range(1..=moves.len()),
            1 => earlier = rng.random_range(0..=moves.len()),
            2 => by = symmetry(rng),
            3 => rules.group = GROUPS[rng.random_range(0..4)],
            4 => rules.start = STARTS[rng.random_range(0..2)],
            _ => change(n, &mut moves, rng),
        }
        let boards = boards(n, &moves, Legality::Strict).unwrap();
        if shows_repeat(&rules, &boards, mv, earlier, by) {
            tally.still_true();
            continue;
        }
        let (answer, game) = (Answer::Repeat { mv, earlier, symmetry: by }, instance(n, &moves));
        tally.is_false(&forgery(&rules, &game, &answer), || Ok(check(&rules, &game, &answer)));
    }
}

/// A later repeat is called the first one.
#[test]
fn repeats_that_are_not_the_first() {
    let mut tally = Tally::new("spot", NONE_BEFORE);
    while tally.wants_more() {
        let (rules, n, mut moves) = game(&mut tally.rng);
        if tally.rng.random_bool(0.5) {
            change(n, &mut moves, &mut tally.rng);
        }
        let first = first_repeat(&rules, n, &moves);
        let mv = tally.rng.random_range(1..=moves.len().max(1));
        let all = boards(n, &moves, Legality::Strict).unwrap();
        let repeats = |mv: usize| {
            (0..mv).any(|e| {
                (0..8).any(|k| shows_repeat(&rules, &all, mv, e, Symmetry { turns: k % 4, mirrored: k > 3 }))
            })
        };
        if first.is_none_or(|first| first >= mv) {
            tally.still_true();
            continue;
        }
        // The rest of the answer is genuine if the later move is a repeat, too.
        let answer = if repeats(mv) && tally.rng.random_bool(0.5) {
            evidence(&rules, &all, mv)
        } else {
            Answer::RepeatAt(mv)
        };
        let game = instance(n, &moves);
        tally.is_false(&forgery(&rules, &game, &answer), || Ok(check(&rules, &game, &answer)));
    }
}

#[test]
fn moves_that_are_called_a_repeat() {
    let mut tally = Tally::new("spot", REPEATS);
    while tally.wants_more() {
        let (rules, n, mut moves) = game(&mut tally.rng);
        let mv = tally.rng.random_range(1..=moves.len() + 1);
        if first_repeat(&rules, n, &moves) == Some(mv) {
            genuine(&check(&rules, &instance(n, &moves), &Answer::RepeatAt(mv)), &KINDS);
            change(n, &mut moves, &mut tally.rng);
        }
        let all = boards(n, &moves, Legality::Strict).unwrap();
        let text = |board: &Board| -> Vec<Vec<char>> {
            board.iter().map(|row| row.iter().map(|&spot| if spot { 'x' } else { '.' }).collect()).collect()
        };
        let first = if rules.start == Start::Counted { 0 } else { 1 };
        let classes: Vec<String> = all.iter().map(|board| class(&text(board), rules.group)).collect();
        if mv < classes.len() && (first..mv).any(|earlier| classes[earlier] == classes[mv]) {
            tally.still_true();
            continue;
        }
        let (answer, game) = (Answer::RepeatAt(mv), instance(n, &moves));
        let claim = format!("move {mv} repeats a board");
        tally.text_is_false(&claim, &forgery(&rules, &game, &answer), || Ok(check(&rules, &game, &answer)));
    }
}

#[test]
fn illegal_moves() {
    let mut tally = Tally::new("spot", LEGAL);
    while tally.wants_more() {
        let (mut rules, n, mut moves) = game(&mut tally.rng);
        rules.legality = Legality::Strict;
        let answer = match first_repeat(&rules, n, &moves) {
            None => Answer::Draw,
            Some(mv) => evidence(&rules, &boards(n, &moves, Legality::Strict).unwrap(), mv),
        };
        genuine(&check(&rules, &instance(n, &moves), &answer), &KINDS);
        let last = if let Answer::Repeat { mv, .. } = answer { mv } else { moves.len() };
        let at = tally.rng.random_range(0..moves.len());
        if tally.rng.random_bool(0.5) {
            moves[at].sign = if moves[at].sign == Sign::Place { Sign::Take } else { Sign::Place };
        } else {
            let cells = n + u32::from(tally.rng.random_bool(0.2));
            moves[at].cell = Cell::new(tally.rng.random_range(0..cells), tally.rng.random_range(0..n));
        }
        let on_board = moves[..last].iter().all(|mv| mv.cell.row < n && mv.cell.col < n);
        if on_board && boards(n, &moves[..last], Legality::Strict).is_some() {
            tally.still_true();
            continue;
        }
        let game = instance(n, &moves);
        tally.is_false(&forgery(&rules, &game, &answer), || Ok(check(&rules, &game, &answer)));
    }
}
