//! Every engine against every other and against brute force, on the tiny boards that the tests use, too.
//!
//! The brute force for Ships and Spot, and the comparison of engines, are those of the tests.

use crate::brute::satisfiable;
use crate::input::Input;
use bench::Bench;
use std::fmt::Write;

#[allow(clippy::unwrap_used, reason = "a helper of tests")]
#[path = "../../../tests/shared/bench.rs"]
pub(crate) mod bench;
#[allow(clippy::unwrap_used, reason = "a helper of tests")]
#[path = "../../../tests/shared/ships_brute.rs"]
mod ships_brute;
#[allow(clippy::unwrap_used, reason = "a helper of tests")]
#[path = "../../../tests/shared/spot_brute.rs"]
mod spot_brute;

/// Flip: boards of up to nine squares with two colours, or up to four squares with more, under all stencils and
/// targets.
pub(crate) fn flip(data: &[u8]) {
    let input = &mut Input::new(data);
    let colours = *input.choose(&[2u32, 2, 2, 3, 5, 7]);
    let (mut w, mut h) = (input.number(1..=3), input.number(1..=3));
    if colours > 2 {
        // With more colours, the number of sets of presses grows faster.
        (w, h) = (w.min(if colours == 3 { 3 } else { 2 }), h.min(2));
    }
    let n: usize = w * h;
    let stencil = *input.choose(&["plus", "king", "cross", "torus"]);
    let board: Vec<u32> = (0..n).map(|_| input.number(0..=colours - 1)).collect();
    let aim: Vec<u32> = (0..n).map(|_| input.number(0..=colours - 1)).collect();
    let goal = *input.choose(&["least", "least", "any"]);
    let target = *input.choose(&["either", "white", "black", "board"]);
    let text = |board: &[u32]| {
        let square = |&colour: &u32| match colours {
            2 => ['w', 'b'][colour as usize],
            _ => char::from_digit(colour, 10).unwrap_or('?'),
        };
        board.chunks(w).map(|row| row.iter().map(square).collect::<String>() + "\n").collect::<String>()
    };
    let aims: Vec<Vec<u32>> = match target {
        "board" => vec![aim.clone()],
        "either" if colours == 2 => vec![vec![0; n], vec![1; n]],
        "either" => (0..colours).map(|colour| vec![colour; n]).collect(),
        // With more colours, the target is any one colour or a board.
        _ if colours > 2 => return,
        "white" => vec![vec![0; n]],
        _ => vec![vec![1; n]],
    };
    let value = if target == "board" { text(&aim) } else { target.to_owned() };
    let (colours_text, size) = (colours.to_string(), format!("{w}x{h}"));
    let rules = [
        ("size", size.as_str()),
        ("stencil", stencil),
        ("target", &value),
        ("colours", &colours_text),
        ("goal", goal),
    ];
    let bench = Bench::new("flip", &rules);
    let expected = presses(w, h, stencil, colours, &board, &aims);
    let expected = match expected {
        None => "impossible".to_owned(),
        Some(1) => "1 press".to_owned(),
        Some(n) => format!("{n} presses"),
    };
    let instance = bench.instance(&text(&board));
    let engines = bench.engines("search:*,sat:presses/xor=*@*");
    // With any solution, the number of presses depends on the engine.
    let expected = (goal == "least" || expected == "impossible").then_some(expected.as_str());
    if goal == "least" || expected.is_some() {
        bench.battery(&*instance, &engines, expected);
    }
}

/// The fewest presses that change the board to one of the aims.
fn presses(w: usize, h: usize, stencil: &str, colours: u32, board: &[u32], aims: &[Vec<u32>]) -> Option<u32> {
    let n = w * h;
    let near = |a: usize, b: usize, side: usize| match stencil {
        "torus" => a.abs_diff(b).min(side - a.abs_diff(b)),
        _ => a.abs_diff(b),
    };
    let flips = |press: usize, square: usize| {
        let (dy, dx) = (near(press / w, square / w, h), near(press % w, square % w, w));
        match stencil {
            "king" => dy.max(dx) <= 1,
            "cross" => dy == 0 || dx == 0,
            _ => dy + dx <= 1,
        }
    };
    let mut best = None;
    for code in 0..u64::from(colours).pow(n as u32) {
        let times: Vec<u32> =
            (0..n as u32).map(|i| (code / u64::from(colours).pow(i) % u64::from(colours)) as u32).collect();
        let after = |square: usize| {
            let added: u32 = (0..n).filter(|&press| flips(press, square)).map(|press| times[press]).sum();
            (board[square] + added) % colours
        };
        let reached: Vec<u32> = (0..n).map(after).collect();
        let count: u32 = times.iter().sum();
        if aims.contains(&reached) && best.is_none_or(|best| count < best) {
            best = Some(count);
        }
    }
    best
}

/// Ships: boards of up to twelve squares and fleets of up to three small ships.
pub(crate) fn ships(data: &[u8]) {
    use ships_brute::{BAR, CORNER, DOMINO, JUDGE, MANY, POSES, SQUARE, World};
    let input = &mut Input::new(data);
    let questions: Vec<_> = JUDGE.into_iter().chain(POSES).chain(MANY).collect();
    let question = *input.choose(&questions);
    let (w, h) = (input.number(2..=4), input.number(2..=3));
    let fleet: Vec<_> =
        (0..input.number(1..=3)).map(|_| *input.choose(&[DOMINO, CORNER, BAR, SQUARE])).collect();
    let mut world = World::new(&fleet, w, h, question);
    let board: Vec<u8> = (0..w * h).map(|_| input.number(0..=2)).collect();
    // A family of many sets has a game tree that is too large for brute force.
    if world.family(&board).len() > 40 {
        return;
    }
    let patterns = if input.rarely(8) { "search:*,sat:*/amo=*@*" } else { "search:*,sat:*" };
    world.test(&board, &Bench::new("ships", &[]).engines(patterns));
}

/// Spot: records of up to six moves on boards of up to 2×2 squares, with unknown parts, under all rules.
pub(crate) fn spot(data: &[u8]) {
    use counterpoint::claim::all_closed;
    use counterpoint::problems::spot::{Entry, Instance, Legality, MoveLimit, Rules, Sign};
    use spot_brute::{GROUPS, STARTS, answer, check, endings, first_repeat, possible_of, repeat_of, specs};
    let input = &mut Input::new(data);
    let rules = Rules {
        group: *input.choose(&GROUPS),
        start: *input.choose(&STARTS),
        limit: MoveLimit::None,
        legality: *input.choose(&[Legality::Strict, Legality::Lenient]),
    };
    let n = input.number(1..=2);
    let is_smudged = input.flag();
    let part = |input: &mut Input<'_>| (!is_smudged || input.flag()).then(|| input.number(1..=n));
    let mut record = Vec::new();
    for _ in 0..input.number(1..=6) {
        let (x, y) = (part(input), part(input));
        let sign = *input.choose(&[Some(Sign::Place), Some(Sign::Take), None]);
        let sign = if is_smudged { sign } else { Some(sign.unwrap_or(Sign::Place)) };
        record.push(Entry::new(x, y, sign));
    }
    let mut instance = Instance { n, record };
    if let Some(mut moves) = instance.moves().filter(|_| rules.legality == Legality::Strict) {
        // Moves up to the decisive one must be legal: each move toggles its square.
        let mut board = spot_brute::empty(n);
        for mv in &mut moves {
            let is_free = board[mv.cell.row as usize][mv.cell.col as usize] == '.';
            mv.sign = if is_free { Sign::Place } else { Sign::Take };
            spot_brute::play(&mut board, *mv);
        }
        instance = spot_brute::instance(n, &moves);
    }
    for spec in &specs() {
        let Some(answer) = answer(spec, &rules, &instance) else { continue };
        match instance.moves() {
            Some(moves) => {
                assert_eq!(
                    repeat_of(&answer),
                    first_repeat(&rules, n, &moves),
                    "{spec} {rules:?} {instance:?}"
                );
            }
            None => {
                assert_eq!(possible_of(&answer), endings(&rules, &instance), "{spec} {rules:?} {instance:?}")
            }
        }
        let claims = check(&rules, &instance, &answer);
        assert!(all_closed(&claims), "{spec} {rules:?} {instance:?} {claims:?}");
    }
}

/// Formulas of up to six variables, with parity constraints.
pub(crate) fn cnf(data: &[u8]) {
    let input = &mut Input::new(data);
    let n = input.number(1..=6);
    let mut clauses: Vec<Vec<i32>> = (0..input.number(0..=16)).map(|_| input.clause(n, 4)).collect();
    let mut text = String::new();
    let mut count = clauses.len();
    let line = |lits: &[i32]| lits.iter().map(|lit| format!("{lit} ")).collect::<String>() + "0\n";
    clauses.iter().for_each(|lits| text += &line(lits));
    for _ in 0..input.number(0..=3) {
        let lits: Vec<i32> = (1..=n).filter(|_| input.flag()).collect();
        let lits: Vec<i32> = lits.into_iter().map(|lit| if input.flag() { -lit } else { lit }).collect();
        if lits.is_empty() {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = write!(text, "x{}", line(&lits));
        count += 1;
        for signs in (0u32..1 << lits.len()).filter(|signs| signs.count_ones() % 2 == 0) {
            // The clause is false if and only if exactly the literals marked in `signs` are true.
            let lit = |(i, &lit): (usize, &i32)| if signs >> i & 1 == 1 { -lit } else { lit };
            clauses.push(lits.iter().enumerate().map(lit).collect());
        }
    }
    let expected = if satisfiable(n, &clauses) { "satisfiable" } else { "unsatisfiable" };
    let bench = Bench::new("cnf", &[]);
    let instance = bench.instance(&format!("p cnf {n} {count}\n{text}"));
    for engine in bench.engines("search:*,sat:*@*") {
        if instance.supports(&engine).is_err() {
            continue;
        }
        let outcome = instance.solve(&engine, &mut counterpoint::engine::Budget::of_work(200_000));
        if let counterpoint::engine::Outcome::Decided(answer) = outcome {
            assert_eq!(answer.outcome(), expected, "{engine}\n{}", instance.text());
            let claims = bench::check(&*answer);
            assert!(!claims.iter().any(|claim| claim.status.is_failed()), "{engine}\n{text}{claims:?}");
        }
    }
}
