//! Flip with more than two colours, and with a board as the target, against brute force.

use crate::bench::{Bench, check, solve};
use crate::samples::samples;
use chacha20::ChaCha8Rng;
use counterpoint::board::{Digits, Size};
use counterpoint::claim::{all_closed, any_failed};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problems::flip::answer::Answer;
use counterpoint::problems::flip::search::{bfs, elimination, first_row};
use counterpoint::problems::flip::{Goal, Instance, Rules, Stencil, Target};
use rand::{RngExt, SeedableRng};
use serde_json::json;

/// The squares that a press in row r, column c turns, as indices row by row from 0. They are computed from the
/// definition of the stencil.
fn turned(stencil: &str, (w, h): (i32, i32), (r, c): (i32, i32)) -> Vec<usize> {
    let near = |a: i32, b: i32, n: i32| match stencil {
        "torus" => (a - b).rem_euclid(n).min((b - a).rem_euclid(n)),
        _ => (a - b).abs(),
    };
    let turns = |&(y, x): &(i32, i32)| {
        let (dy, dx) = (near(y, r, h), near(x, c, w));
        match stencil {
            "king" => dy.max(dx) <= 1,
            "cross" => dy == 0 || dx == 0,
            _ => dy + dx <= 1,
        }
    };
    let squares = (0..h).flat_map(|y| (0..w).map(move |x| (y, x)));
    squares.filter(turns).map(|(y, x)| (y * w + x) as usize).collect()
}

/// The first n digits of a number to the base p, least significant first.
fn digits(p: usize, n: usize, number: usize) -> Vec<usize> {
    (0..n)
        .scan(number, |rest, _| {
            let digit = *rest % p;
            *rest /= p;
            Some(digit)
        })
        .collect()
}

fn number(p: usize, digits: &[usize]) -> usize {
    digits.iter().rev().fold(0, |number, digit| number * p + digit)
}

/// The fewest presses that turn each square a given number of times; `None` if no presses do so. The index is a
/// number to the base p: its digits say how many times each square is turned. Tries all choices of presses.
fn brute_force(stencil: &str, p: usize, w: usize, h: usize) -> Vec<Option<usize>> {
    let n = w * h;
    let press: Vec<_> =
        (0..n).map(|i| turned(stencil, (w as i32, h as i32), ((i / w) as i32, (i % w) as i32))).collect();
    let mut least = vec![None; p.pow(n as u32)];
    for presses in 0..p.pow(n as u32) {
        let presses = digits(p, n, presses);
        let mut turns = vec![0; n];
        for (i, &times) in presses.iter().enumerate() {
            press[i].iter().for_each(|&square| turns[square] = (turns[square] + times) % p);
        }
        let (best, weight) = (&mut least[number(p, &turns)], presses.iter().sum());
        *best = Some(best.map_or(weight, |b: usize| b.min(weight)));
    }
    least
}

/// The rows of a board as text: digits, or `b` and `w` for two colours.
fn text(p: usize, w: usize, squares: &[usize]) -> String {
    let square = |s: &usize| if p == 2 { ['w', 'b'][*s] } else { char::from_digit(*s as u32, 10).unwrap() };
    squares.chunks(w).map(|row| row.iter().map(square).chain(['\n']).collect::<String>()).collect()
}

fn words(presses: Option<usize>) -> String {
    match presses {
        None => "impossible".to_owned(),
        Some(1) => "1 press".to_owned(),
        Some(n) => format!("{n} presses"),
    }
}

/// Compares `search:algebra` with brute force on `most` random boards, or on all boards if there are at most `most`.
/// Each board is solved for two targets: any one colour, and a random board. Every fortieth board is also solved by
/// `search:bfs`.
fn boards_against_brute_force(
    p: usize,
    (w, h): (usize, usize),
    stencil: &str,
    most: usize,
    rng: &mut ChaCha8Rng,
) {
    let least = brute_force(stencil, p, w, h);
    let n = w * h;
    let target: Vec<usize> = (0..n).map(|_| rng.random_range(0..p)).collect();
    let colours = p.to_string();
    let rules = [("colours", colours.as_str()), ("stencil", stencil)];
    let either = Bench::new("flip", &rules);
    let file = text(p, w, &target);
    let own = Bench::new("flip", &[rules[0], rules[1], ("target", &file)]);
    let all = least.len();
    for k in 0..most.min(all) {
        let board = digits(p, n, if most < all { rng.random_range(0..all) } else { k });
        let to = |end: &dyn Fn(usize) -> usize| {
            let turns: Vec<usize> = (0..n).map(|i| (p + end(i) - board[i]) % p).collect();
            least[number(p, &turns)]
        };
        let expected = (0..p).filter_map(|colour| to(&|_| colour)).min();
        let engines = if k % 40 == 0 { "search:algebra,search:bfs" } else { "search:algebra" };
        let instance = either.instance(&text(p, w, &board));
        either.battery(&*instance, &either.engines(engines), Some(&words(expected)));
        let instance = own.instance(&text(p, w, &board));
        own.battery(&*instance, &own.engines(engines), Some(&words(to(&|i| target[i]))));
    }
}

#[test]
fn small_boards_of_three_five_and_seven_colours() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for stencil in ["plus", "king", "cross", "torus"] {
        for size in [(1, 1), (2, 1), (1, 3), (2, 2), (3, 2), (3, 3)] {
            boards_against_brute_force(3, size, stencil, 800, &mut rng);
        }
        for size in [(2, 2), (2, 3)] {
            boards_against_brute_force(5, size, stencil, samples(20) as usize, &mut rng);
        }
        boards_against_brute_force(7, (2, 2), stencil, samples(20) as usize, &mut rng);
    }
    boards_against_brute_force(5, (3, 3), "plus", samples(20) as usize, &mut rng);
    boards_against_brute_force(3, (5, 2), "plus", samples(20) as usize, &mut rng);
}

#[test]
fn targets_of_two_colours_by_every_engine() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for stencil in ["plus", "king", "cross", "torus"] {
        let least = brute_force(stencil, 2, 3, 3);
        for _ in 0..12 {
            let [target, board] = [0; 2].map(|_| rng.random_range(0..512usize));
            let file = text(2, 3, &digits(2, 9, target));
            let bench = Bench::new("flip", &[("stencil", stencil), ("target", &file)]);
            let instance = bench.instance(&text(2, 3, &digits(2, 9, board)));
            let engines = bench.engines("search:*,sat:*/xor=*@*");
            let supported = bench.battery(&*instance, &engines, Some(&words(least[target ^ board])));
            assert_eq!(supported, engines.len() - usize::from(stencil != "plus"));
        }
    }
}

#[test]
fn larger_boards_are_solved_and_checked() {
    for (p, stencil) in
        [("3", "plus"), ("5", "plus"), ("7", "plus"), ("3", "king"), ("5", "torus"), ("7", "cross")]
    {
        let bench = Bench::new("flip", &[("colours", p), ("stencil", stencil), ("goal", "any")]);
        for (seed, (w, h)) in [("12", "9"), ("9", "12"), ("1", "40"), ("23", "23")].into_iter().enumerate() {
            let instance = bench.generate("solvable", &[("w", w), ("h", h)], seed as u64);
            let reply = solve(&*instance, &bench, "search");
            assert_ne!(reply.outcome(), "impossible", "p = {p}, {w}x{h}");
            assert!(all_closed(&check(&*reply)), "p = {p}, {w}x{h}");
            let instance = bench.generate("random", &[("w", w), ("h", h)], seed as u64);
            assert!(all_closed(&check(&*solve(&*instance, &bench, "search"))), "p = {p}, {w}x{h}");
            assert_eq!(bench.instance(&instance.text()).hash(), instance.hash());
        }
    }
}

#[test]
fn forged_answers_are_refused() {
    let bench = Bench::new("flip", &[("colours", "3"), ("target", "012\n120\n201\n")]);
    let reply = solve(&*bench.generate("solvable", &[("n", "3")], 3), &bench, "search");
    assert!(all_closed(&check(&*reply)) && reply.outcome() != "0 presses");
    let forged = |key: &str, value: serde_json::Value| {
        bench.forged(&*reply, |json| drop(json.insert(key.into(), value.clone()))).unwrap()
    };
    let right = reply.to_json("test", &[])["presses"].clone();
    let with = |more: usize| {
        let mut list = right.as_array().unwrap().clone();
        list.extend(vec![list[0].clone(); more]);
        json!(list)
    };
    assert!(any_failed(&forged("presses", with(1))), "one press more should be refused");
    assert!(
        any_failed(&forged("presses", with(3))),
        "three presses more have no effect, but should be refused"
    );
    assert!(any_failed(&forged("presses", json!([]))));
    assert!(any_failed(&forged("outcome", json!("impossible"))));
    let mut weighed = reply.to_json("test", &[]);
    (weighed["outcome"], weighed["weights"]) = (json!("impossible"), json!([[1, 1], [1, 1]]));
    let weighed = bench.problem().restore(weighed.as_object().unwrap()).unwrap();
    assert!(any_failed(&check(&*weighed)));
}

#[test]
fn boards_of_digits_and_targets_are_read_or_refused() {
    let judge = |rules: &[(&str, &str)], text: &str| {
        let judged = Bench::new("flip", rules).judge("search", text);
        (judged.out.clone(), judged.message())
    };
    let three = [("colours", "3"), ("size", "2x2")];
    assert_eq!(judge(&three, "01\n10\n\n00\n00\n"), ("2\n0\n".to_owned(), String::new()));
    let (out, message) = judge(&three, "01\n13\n");
    assert_eq!((out.as_str(), message.as_str()), ("", "games.txt:2:2: '3' is not a square; use '0' to '2'"));
    let (_, message) = judge(&three, "01 1\n");
    assert_eq!(message, "games.txt:1:4: '1' follows the row; a row is one word of digits");
    let rules = |given: &[(&str, &str)]| {
        let bench = Bench::new("flip", given);
        bench.problem().generate(&bench.settings, "random", &[], 1).map(|instance| instance.text())
    };
    let error = |given: &[(&str, &str)]| rules(given).unwrap_err();
    assert_eq!(
        error(&[("colours", "3"), ("target", "white")]),
        "target=white requires two colours; use target=either or name a file"
    );
    // In these tests, the name of a file is also its text.
    assert_eq!(error(&[("target", "bw\nwx\n")]), "bw\nwx\n:2:2: 'x' is not a square; use 'b' or 'w'");
    assert_eq!(
        error(&[("target", "bw\nwb\n\n\nbw\n")]),
        "bw\nwb\n\n\nbw\n:5:1: the file holds more than one board; expected one"
    );
    assert_eq!(error(&[("target", "\n")]), "\n:1:1: the file holds no board; expected one");
    assert_eq!(
        error(&[("target", "bw\nwb\n"), ("size", "3x3")]),
        "the target is 2x2, but the rule size says 3x3"
    );
    assert_eq!(rules(&[("target", "bw\nwb\n")]).unwrap().len(), 6, "the target should give the size");
    let bench = Bench::new("flip", &[("colours", "3")]);
    let instance = bench.instance("012\n120\n");
    assert_eq!(
        instance.supports(&bench.engines("sat")[0]).unwrap_err(),
        "encodings support only two colours"
    );
    assert_eq!(
        instance.supports(&bench.engines("search:first-row")[0]).unwrap_err(),
        "this search supports only two colours"
    );
    let five = bench.generate("random", &[("n", "5")], 1);
    assert_eq!(
        five.supports(&bench.engines("search:bfs")[0]).unwrap_err(),
        "3^25 boards are too many; at most 2^25 are searched"
    );
}

#[test]
fn a_search_refuses_boards_that_it_does_not_support() {
    let rules = |colours| Rules {
        size: None,
        colours,
        stencil: Stencil::Plus,
        target: Target::Either,
        goal: Goal::Fewest,
        within: None,
    };
    let board = |width, height| {
        let size = Size::new(width, height);
        Instance { size, squares: Digits::zeros(size.cells()) }
    };
    let refuses = |outcome: Outcome<Answer>, why: &str| match outcome {
        Outcome::Unsupported(reason) => assert!(reason.message().contains(why), "{reason}"),
        other => panic!("{other:?}"),
    };
    let mut budget = Budget::unlimited();
    for solve in [elimination::solve, first_row::solve] {
        refuses(solve(&rules(3), &board(3, 3), &mut budget), "this search supports only two colours");
    }
    refuses(first_row::solve(&rules(2), &board(70, 70), &mut budget), "is too large");
    refuses(bfs::solve(&rules(2), &board(9, 9), &mut budget), "at most 2^25 are searched");
}

#[test]
fn limits_give_the_best_answer_so_far() {
    let bench = Bench::new("flip", &[("colours", "3")]);
    // On 5×5 with three colours, the null space has three dimensions, so there are 27 solutions for each colour.
    let instance = bench.generate("solvable", &[("n", "5")], 1);
    let run = |most| instance.solve(&bench.engines("search")[0], &mut Budget::of_work(most));
    assert!(matches!(run(3), Outcome::GaveUp(_, None)));
    let Outcome::Decided(reply) = run(1_000_000) else { panic!() };
    assert!(all_closed(&check(&*reply)));
}
