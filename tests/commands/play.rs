//! The opponent of `play`: it wins if its position at the start is won, accepts moves in any spelling, and explains
//! wrong input.

use chacha20::ChaCha8Rng;
use counterpoint::problem::{Opponent, Turn};
use counterpoint::rules::Settings;
use rand::{RngExt, SeedableRng};
use std::io::Write;
use std::process::{Command, Stdio};

fn pairs(text: &str) -> Vec<(String, String)> {
    let pair =
        |word: &str| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())).unwrap();
    text.split_ascii_whitespace().map(pair).collect()
}

fn table(rules: &str, params: &str) -> Box<dyn Opponent> {
    let registry = counterpoint::standard();
    let problem = registry.find("spot").unwrap();
    let settings = Settings::new(problem.rules(), &pairs(rules), &|name| Err(name.into())).unwrap();
    problem.play(&settings, &pairs(params)).unwrap()
}

/// Plays to the end. If `choose` returns a square for a hint, the person toggles that square; otherwise, the person
/// follows the hint. Returns the winner, or 0 for a draw.
fn play(mut table: Box<dyn Opponent>, n: usize, choose: &mut dyn FnMut(&str) -> Option<usize>) -> u8 {
    loop {
        match table.turn() {
            Turn::Over(outcome) if outcome == "Draw" => return 0,
            Turn::Over(outcome) => {
                let last = outcome.lines().last().unwrap();
                return last.strip_prefix("Player ").unwrap()[..1].parse().unwrap();
            }
            Turn::Mine => drop(table.my_move()),
            Turn::Yours => {
                let hint = table.hint();
                let text = match choose(&hint) {
                    None => hint.split(" (").next().unwrap().to_owned(),
                    Some(square) => {
                        let (row, col) = (square / n, square % n);
                        let spot = table.show().lines().nth(row).unwrap().as_bytes()[col] == b'x';
                        format!("{} {} {}", col + 1, row + 1, if spot { '-' } else { '+' })
                    }
                };
                table.your_move(&text).unwrap();
            }
        }
    }
}

#[test]
fn the_opponent_wins_if_the_start_allows_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for (n, rounds) in [(1, 4), (2, 20), (3, 10), (4, 4), (5, 2), (6, 2)] {
        for group in ["c4", "d4", "c2", "trivial"] {
            for start in ["counted", "uncounted"] {
                let first = start == "counted" && (n % 2 == 1 || group == "trivial");
                let (mine, yours) = if first { (1, 2) } else { (2, 1) };
                let rules = format!("limit=none symmetry={group} start={start}");
                for _ in 0..rounds {
                    let table = table(&rules, &format!("n={n} you={yours}"));
                    // On small boards, the person mostly follows hints. On larger boards, games with hints would last
                    // too long, so all of the person's moves are random.
                    let chance = if n > 3 { 1.0 } else { 0.1 / n as f64 };
                    let mut choose = |_: &str| rng.random_bool(chance).then(|| rng.random_range(0..n * n));
                    assert_eq!(play(table, n, &mut choose), mine, "{n} {rules}");
                }
                if n > 3 {
                    continue;
                }
                // A person who follows every hint from the start wins instead.
                let table = table(&rules, &format!("n={n} you={mine}"));
                assert_eq!(play(table, n, &mut |_| None), mine, "{n} {rules}, by hints");
            }
        }
    }
}

#[test]
fn a_game_is_drawn_at_its_limit_and_large_boards_are_played() {
    assert_eq!(play(table("", "n=3"), 3, &mut |_| None), 0);
    assert_eq!(play(table("", "n=50 you=2"), 50, &mut |_| None), 0);
    assert_eq!(
        play(table("", "n=2"), 2, &mut |_| None),
        2,
        "player 2 should win on 2x2 under the judge's rules"
    );
}

/// The smallest image of a board under rotations.
fn least(board: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let n = board.len();
    let turned = |board: &Vec<Vec<bool>>| -> Vec<Vec<bool>> {
        (0..n).map(|row| (0..n).map(|col| board[n - 1 - col][row]).collect()).collect()
    };
    let images = std::iter::successors(Some(board.to_vec()), |board| Some(turned(board)));
    images.take(4).min().unwrap()
}

/// The value by definition: 1 if the player to move can force a win, -1 if the other player can, otherwise 0.
fn value(board: &mut Vec<Vec<bool>>, produced: &mut Vec<Vec<Vec<bool>>>, left: usize) -> i8 {
    if left == 0 {
        return 0;
    }
    let n = board.len();
    // A player who repeats a board has lost.
    let mut best = -1;
    for (row, col) in (0..n).flat_map(|row| (0..n).map(move |col| (row, col))) {
        board[row][col] ^= true;
        let pattern = least(board);
        if best < 1 && !produced.contains(&pattern) {
            produced.push(pattern);
            best = best.max(-value(board, produced, left - 1));
            produced.pop();
        }
        board[row][col] ^= true;
    }
    best
}

/// A position: the board, earlier patterns, toggled squares.
#[derive(Clone)]
struct Line {
    board: Vec<Vec<bool>>,
    produced: Vec<Vec<Vec<bool>>>,
    squares: Vec<usize>,
}

impl Line {
    /// The position after a toggle of this square; `None` if the move repeats a board.
    fn after(&self, square: usize) -> Option<Line> {
        let (n, mut line) = (self.board.len(), self.clone());
        line.board[square / n][square % n] ^= true;
        line.produced.push(least(&line.board));
        line.squares.push(square);
        (!self.produced.contains(&line.produced[line.produced.len() - 1])).then_some(line)
    }

    fn value(&self, limit: usize) -> i8 {
        value(&mut self.board.clone(), &mut self.produced.clone(), limit - self.squares.len())
    }
}

#[test]
fn under_a_limit_the_opponent_keeps_the_value_of_the_position() {
    let (mut moves, mut decided) = (0, 0);
    for (start, limit, you) in ["counted", "uncounted"]
        .into_iter()
        .flat_map(|start| (1..=7).flat_map(move |limit| [(start, limit, 1), (start, limit, 2)]))
    {
        let n = 2;
        let board = vec![vec![false; n]; n];
        let produced = if start == "counted" { vec![board.clone()] } else { Vec::new() };
        let mut lines = vec![Line { board, produced, squares: Vec::new() }];
        while let Some(line) = lines.pop() {
            let mut table = table(&format!("start={start} limit={limit}"), &format!("n={n} you={you}"));
            // Replays the person's moves; the opponent makes its own moves again.
            for &square in &line.squares {
                if table.turn() == Turn::Mine {
                    table.my_move();
                } else {
                    let spot = table.show().lines().nth(square / n).unwrap().as_bytes()[square % n] == b'x';
                    let sign = if spot { '-' } else { '+' };
                    table.your_move(&format!("{} {} {sign}", square % n + 1, square / n + 1)).unwrap();
                }
            }
            let square = |text: &str| {
                let numbers: Vec<usize> =
                    text.split(' ').take(2).map(|number| number.parse().unwrap()).collect();
                (numbers[1] - 1) * n + numbers[0] - 1
            };
            match table.turn() {
                Turn::Over(_) => {}
                turn => {
                    // The opponent's move must keep the value of the position, and so must a hint.
                    let mine = turn == Turn::Mine;
                    let text = if mine { table.my_move() } else { table.hint() };
                    let (best, next) = (line.value(limit), line.after(square(&text)));
                    let worth = next.as_ref().map_or(-1, |next| -next.value(limit));
                    assert_eq!(worth, best, "{start} {limit} {you} {:?} {text}", line.squares);
                    moves += 1;
                    decided += usize::from(best != 0);
                    match next {
                        Some(next) if mine => lines.push(next),
                        _ if mine => {}
                        _ => lines.extend((0..n * n).filter_map(|square| line.after(square))),
                    }
                }
            }
        }
    }
    assert!(moves > 250 && decided > 100 && moves - decided > 50, "{decided} of {moves}");
}

#[test]
fn invalid_moves_change_nothing_and_are_explained() {
    let mut table = table("limit=none", "n=3");
    for (text, words) in [
        ("", "write a move as 'x y +' or 'x y -'"),
        ("1", "'1' is not a move"),
        ("1 1", "'1 1' is not a move"),
        ("1 1 + +", "is not a move"),
        ("0 1 +", "is not on the board"),
        ("1 4 +", "column and row from 1 to 3"),
        ("1 99999999999999999999 +", "is not on the board"),
        ("1 1 *", "'*' is not a sign"),
        ("1 1 -", "1 1 is empty; put a spot there with '1 1 +'"),
        ("1 ü", "is not a move"),
        ("ü ü ü", "is not on the board"),
    ] {
        let error = table.your_move(text).unwrap_err();
        assert!(error.message().contains(words), "{text}: {error}");
        assert_eq!(table.show(), "...\n...\n...");
    }
    table.your_move("2 2+").unwrap();
    assert_eq!(table.show(), "...\n.x.\n...");
    assert_eq!(table.turn(), Turn::Mine);
    table.my_move();
    assert!(table.your_move("2 2 *").is_err());
}

/// Exit status, standard output, standard error.
fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn play_works_through_pipes() {
    let (status, out, err) =
        run(&["play", "spot", "n=2", "limit=none"], "?\n1 1 +\nnonsense\n2 2 +\n1 1 +\nq\n");
    assert_eq!(status, 0);
    assert!(
        out.starts_with("..\n..\n1 1 + (loses against best play, like every move)\nx.\n..\nI play "),
        "{out}"
    );
    assert!(err.contains("'nonsense' is not a move; write a move as"), "{err}");
    // The end of the input ends the game.
    for input in ["", "1 1 +", "q\n", "\n\n", &"9".repeat(10_000)] {
        assert_eq!(run(&["play", "spot"], input).0, 0);
    }
    for (args, words) in [
        (&["play", "flip"][..], "flip does not support play; to support it, implement `Problem::PLAY`"),
        (&["play", "spot", "m=3"], "'m' is neither a parameter of the game nor a rule"),
        (&["play", "spot", "n=0"], "parameter n has no value '0'"),
        (&["play", "spot", "n"], "expected KEY=VALUE, found 'n'"),
    ] {
        let (status, _, err) = run(args, "");
        assert!(status == 2 && err.contains(words), "{args:?} {err}");
    }
}
