//! Forged answers to Spot: repeats, draws, illegal moves, and endings of smudged records.

use crate::spot_brute::{
    GROUPS, STARTS, check, class, empty, endings, first_repeat, instance, named, play, rules, solve,
};
use crate::tally::{Tally, genuine};
use counterpoint::board::{Cell, Group, Symmetry};
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::problem::Problem;
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Finding};
use counterpoint::problems::spot::{Entry, Instance, Legality, Move, MoveLimit, Rules, Sign, Start, winner};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const LEGAL: &str = "the … moves are legal";
const EQUALS: &str = "the board after move … equals that after …";
const NONE_BEFORE: &str = "no move before move … repeats a board";
const REPEATS: &str = "move … repeats a board";
const NONE: &str = "none of the … moves repeats a board";
const SOME: &str = "some completion ends …";
const NO: &str = "no completion ends …";
const KINDS: [&str; 7] = [LEGAL, EQUALS, NONE_BEFORE, REPEATS, NONE, SOME, NO];

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
        Group::C2 => !symmetry.mirrored && symmetry.turns % 2 == 0,
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
fn legal(n: u32, squares: Vec<u32>) -> Vec<Move> {
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
fn change(n: u32, moves: &mut Vec<Move>, rng: &mut ChaCha8Rng) {
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

fn forgery(rules: &Rules, instance: &Instance, answer: &Answer) -> String {
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

/// A record of which some parts are unknown, with the endings that brute force finds possible.
fn smudged(rng: &mut ChaCha8Rng) -> (Rules, Instance, Vec<bool>) {
    let legality = if rng.random_bool(0.8) { Legality::Strict } else { Legality::Lenient };
    let start = STARTS[rng.random_range(0..2)];
    let rules = Rules { legality, ..rules(GROUPS[rng.random_range(0..4)], start) };
    let n = if rng.random_bool(0.6) { 2 } else { 3 };
    let squares = (0..2 * n).map(|_| rng.random_range(0..n * n)).collect();
    let mut game = instance(n, &legal(n, squares));
    let unknown = if n == 2 { 0.7 } else { 0.3 };
    for entry in &mut game.record {
        let (x, y, sign) = (entry.x(), entry.y(), entry.sign());
        let mut keep = |part: f64| !rng.random_bool(part);
        *entry =
            Entry::new(x.filter(|_| keep(unknown)), y.filter(|_| keep(unknown)), sign.filter(|_| keep(0.5)));
    }
    // On 3x3, at most two moves are entirely unknown, so that brute force is fast.
    for at in 0..game.record.len() {
        if n == 3 && game.record[..at].iter().filter(|entry| entry.known().is_none()).count() >= 3 {
            let mv = legal(n, vec![rng.random_range(0..9)])[0];
            game.record[at] = Entry::new(Some(mv.cell.col + 1), Some(mv.cell.row + 1), None);
        }
    }
    if game.record.iter().all(|entry| entry.known().is_some()) {
        game.record[0] = Entry::UNKNOWN;
    }
    let possible = endings(&rules, &game);
    (rules, game, possible)
}

/// An answer that is open but for one ending.
fn only(endings: usize, ending: usize, finding: Finding) -> Answer {
    let mut findings = vec![Finding::Open; endings];
    findings[ending] = finding;
    Answer::Smudged(findings)
}

fn ending_claim(what: &str, ending: usize, moves: usize) -> String {
    match ending + 1 {
        mv if mv <= moves => format!("{what} with a repeat on move {mv}, player {} wins", winner(mv)),
        _ => format!("{what} as a draw"),
    }
}

/// The status of one ending is wrong.
fn wrong_endings(claim: &'static str, how: &'static str, is_possible: bool, finding: Finding) {
    let mut tally = Tally::of("spot, unknown moves", claim, how);
    while tally.wants_more() {
        let (rules, game, possible) = smudged(&mut tally.rng);
        for ending in (0..possible.len()).filter(|&ending| possible[ending] == is_possible) {
            let answer = only(possible.len(), ending, finding.clone());
            let text = ending_claim(claim.trim_end_matches(" …"), ending, game.record.len());
            tally
                .text_is_false(&text, &forgery(&rules, &game, &answer), || Ok(check(&rules, &game, &answer)));
        }
    }
}

#[test]
fn possible_endings_called_refuted() {
    wrong_endings(NO, "", true, Finding::Refuted);
}

#[test]
fn impossible_endings_called_possible() {
    wrong_endings(SOME, "no witness", false, Finding::Unwitnessed);
}

/// With a small budget, the checker decides endings by other means, or leaves them open.
#[test]
fn possible_endings_called_refuted_with_a_small_budget() {
    let mut tally = Tally::of("spot, unknown moves", NO, "small budget");
    while tally.wants_more() {
        let (rules, game, possible) = smudged(&mut tally.rng);
        let work = 1 << tally.rng.random_range(0..12);
        for ending in (0..possible.len()).filter(|&ending| possible[ending]) {
            let answer = only(possible.len(), ending, Finding::Refuted);
            let text = ending_claim("no completion ends", ending, game.record.len());
            let check = || Spot::check(&rules, &game, &answer, &[], &mut Budget::of_work(work));
            tally.text_is_false(
                &text,
                &format!("{work} {}", forgery(&rules, &game, &answer)),
                || Ok(check()),
            );
        }
    }
}

/// Whether a witness completes the record and has this ending.
fn is_witness(rules: &Rules, game: &Instance, ending: usize, witness: &[Move]) -> bool {
    let moves = game.record.len();
    let fits = |(entry, mv): (&Entry, &Move)| {
        entry.x().is_none_or(|x| x == mv.cell.col + 1)
            && entry.y().is_none_or(|y| y == mv.cell.row + 1)
            && entry.sign().is_none_or(|sign| sign == mv.sign)
    };
    let mut board = empty(game.n);
    let is_legal = |(entry, &mv): (&Entry, &Move)| {
        let changes = play(&mut board, mv);
        changes || rules.legality == Legality::Lenient && entry.known().is_some()
    };
    witness.len() == (ending + 1).min(moves)
        && game.record.iter().zip(witness).all(fits)
        && game.record.iter().zip(witness).all(is_legal)
        && first_repeat(rules, game.n, witness) == Some(ending + 1).filter(|mv| *mv <= moves)
}

#[test]
fn witnesses_with_a_changed_move() {
    let mut tally = Tally::of("spot, unknown moves", SOME, "witness");
    let engine = &named("search:fill")[0];
    while tally.wants_more() {
        let (rules, game, possible) = smudged(&mut tally.rng);
        let answer = solve(engine, &rules, &game);
        let claims: Vec<Claim> = check(&rules, &game, &answer);
        genuine(&claims, &KINDS);
        let Answer::Smudged(findings) = answer else { unreachable!() };
        for (ending, finding) in findings.iter().enumerate() {
            let Finding::Possible(mut witness) = finding.clone() else { continue };
            let rng = &mut tally.rng;
            let at = rng.random_range(0..witness.len());
            match rng.random_range(0..4) {
                0 => change(game.n, &mut witness, rng),
                1 => witness[at].cell = Cell::new(rng.random_range(0..game.n), rng.random_range(0..game.n)),
                2 => {
                    witness[at].sign = if witness[at].sign == Sign::Place { Sign::Take } else { Sign::Place }
                }
                _ => drop(witness.pop()),
            }
            if is_witness(&rules, &game, ending, &witness) {
                tally.still_true();
                continue;
            }
            let forged = only(possible.len(), ending, Finding::Possible(witness));
            let text = ending_claim("some completion ends", ending, game.record.len());
            tally
                .text_is_false(&text, &forgery(&rules, &game, &forged), || Ok(check(&rules, &game, &forged)));
        }
    }
}
