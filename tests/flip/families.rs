//! The families of boards keep what they promise.

use chacha20::ChaCha8Rng;
use counterpoint::board::{Digits, Size};
use counterpoint::problem::{Params, Problem};
use counterpoint::problems::flip::{Flip, Goal, Instance, Rules, Stencil, Target};
use rand::SeedableRng;
use std::sync::Arc;

fn vectors(p: u32, n: usize) -> impl Iterator<Item = Vec<u32>> {
    (0..p.pow(n as u32)).map(move |number| (0..n).map(|i| number / p.pow(i as u32) % p).collect())
}

fn turns(rules: &Rules, size: Size, presses: &[u32]) -> Vec<u32> {
    let mut turns = vec![0; size.cells()];
    for (cell, times) in size.iter().zip(presses) {
        for turned in rules.stencil.squares(size, cell) {
            turns[size.index(turned)] = (turns[size.index(turned)] + times) % rules.colours;
        }
    }
    turns
}

/// The turns that lead from a board to each end.
fn needed<'a>(rules: &'a Rules, board: &'a [u32]) -> impl Iterator<Item = Vec<u32>> + 'a {
    let p = rules.colours;
    rules.ends().map(move |end| (0..board.len()).map(|i| (p + end.colour(i) - board[i]) % p).collect())
}

/// The fewest presses that solve a board, by trying all presses.
fn fewest(rules: &Rules, size: Size, board: &[u32]) -> Option<u32> {
    let needed: Vec<_> = needed(rules, board).collect();
    let solutions =
        vectors(rules.colours, size.cells()).filter(|presses| needed.contains(&turns(rules, size, presses)));
    solutions.map(|presses| presses.iter().sum()).min()
}

/// The squares of the shortest contradiction of a board, among all vectors that no press changes.
fn shortest(rules: &Rules, null: &[Vec<u32>], board: &[u32]) -> Option<usize> {
    let needed: Vec<_> = needed(rules, board).collect();
    let inner = |y: &[u32], t: &[u32]| y.iter().zip(t).map(|(a, b)| a * b).sum::<u32>() % rules.colours;
    let contradicts = |y: &&Vec<u32>| needed.iter().all(|t| inner(y, t) > 0);
    null.iter().filter(contradicts).map(|y| y.iter().filter(|&&n| n > 0).count()).min()
}

fn make(
    family: &str,
    rules: &Rules,
    size: Size,
    given: &[(&str, &str)],
    seed: u64,
) -> Result<Vec<u32>, String> {
    let family = Flip::FAMILIES.iter().find(|found| found.name == family).unwrap();
    let sides = [("w", size.width.to_string()), ("h", size.height.to_string())];
    let given = given.iter().map(|&(key, value)| (key, value.to_owned())).chain(sides);
    let given: Vec<_> = given.map(|(key, value)| (key.to_owned(), value)).collect();
    let params = Params::new(family.params, &given).unwrap();
    let board = (family.make)(rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).map_err(String::from)?;
    assert_eq!(board.size, size);
    Ok((0..size.cells()).map(|i| board.squares.get(i)).collect())
}

fn all_rules() -> Vec<(Rules, Size)> {
    let mut found = Vec::new();
    for (colours, (w, h)) in [(2, (3, 3)), (2, (2, 4)), (2, (5, 1)), (3, (2, 3)), (3, (1, 5)), (5, (2, 2))] {
        let size = Size::new(w, h);
        let file = Instance { size, squares: Digits::counts(size.cells(), [0, size.cells() - 1]) };
        for stencil in [Stencil::Plus, Stencil::King, Stencil::Cross, Stencil::Torus] {
            for target in
                [Target::Either, Target::White, Target::Black, Target::Board(Arc::new(file.clone()))]
            {
                if colours == 2 || target != Target::Black {
                    let (size_rule, goal) = (Some(size), Goal::Fewest);
                    found.push((
                        Rules { size: size_rule, colours, stencil, target, goal, within: None },
                        size,
                    ));
                }
            }
        }
    }
    found
}

#[test]
fn few_and_deep_boards_need_so_many_presses() {
    let mut most = 0;
    for (rules, size) in all_rules() {
        for seed in 0..3 {
            let few = make("few", &rules, size, &[("presses", "3")], seed).unwrap();
            assert!(fewest(&rules, size, &few).unwrap() <= 3, "{rules:?}");
            let deep = make("deep", &rules, size, &[], seed).unwrap();
            let found = fewest(&rules, size, &deep).unwrap();
            most = most.max(found);
            for wanted in 1..=found {
                let board = make("deep", &rules, size, &[("presses", &wanted.to_string())], seed);
                match board {
                    Ok(board) => assert_eq!(fewest(&rules, size, &board), Some(wanted), "{rules:?}"),
                    Err(message) => {
                        assert!(wanted > 1 && message.contains("the most found are"), "{message}")
                    }
                }
            }
        }
    }
    assert!(most >= 9, "{most}");
    let (either, _) = all_rules().swap_remove(0);
    for (n, hardest) in [(4, 6), (5, 12)] {
        let (rules, size) = (Rules { size: None, ..either.clone() }, Size::new(n, n));
        let given = [("presses", hardest.to_string()), ("presses", (hardest + 1).to_string())];
        let [reached, beyond] =
            given.map(|(key, value)| make("deep", &rules, size, &[(key, value.as_str())], 1).is_ok());
        assert_eq!((reached, beyond), (true, false));
    }
}

#[test]
fn impossible_boards_have_only_contradictions_of_the_promised_length() {
    let mut longer = 0;
    // Only here does the lightest basis have sums of two lengths.
    let size = Size::new(5, 2);
    let (white, _) = all_rules().swap_remove(1);
    let unequal = Rules { size: Some(size), colours: 3, ..white };
    for (rules, size) in all_rules().into_iter().chain([(unequal, size)]) {
        let all = || vectors(rules.colours, size.cells());
        let null: Vec<_> = all().filter(|y| turns(&rules, size, y).iter().all(|&n| n == 0)).collect();
        let longest = all().filter_map(|board| shortest(&rules, &null, &board)).max();
        for seed in 0..3 {
            for black in ["0", "0.5"] {
                let any = make("impossible", &rules, size, &[("black", black)], seed);
                let long = make("impossible", &rules, size, &[("black", black), ("sum", "long")], seed);
                let Some(longest) = longest else {
                    assert!(any.is_err_and(|why| why.contains("every board can be solved")) && long.is_err());
                    continue;
                };
                let (any, long) = (any.unwrap(), long.unwrap());
                assert_eq!([&any, &long].map(|board| fewest(&rules, size, board)), [None, None], "{rules:?}");
                assert_eq!(shortest(&rules, &null, &long), Some(longest), "{rules:?}");
                longer += usize::from(shortest(&rules, &null, &any) < Some(longest));
            }
        }
    }
    assert!(longer > 0);
}

#[test]
fn boards_depend_only_on_the_seed() {
    let rules = Rules { size: None, ..all_rules()[0].0.clone() };
    for family in Flip::FAMILIES {
        let boards = [1, 1].map(|seed| make(family.name, &rules, Size::new(4, 4), &[], seed).unwrap());
        assert_eq!(boards[0], boards[1], "{}", family.name);
    }
    let of = |family, seed| make(family, &rules, Size::new(3, 3), &[], seed).unwrap();
    let text = |board: Vec<u32>| board.into_iter().map(|n| char::from(b'0' + n as u8)).collect::<String>();
    assert_eq!([text(of("random", 1)), text(of("solvable", 1))], ["110110110", "111001111"]);
}

#[test]
fn parameters_that_no_board_has_are_refused() {
    let rules = Rules { target: Target::White, size: None, ..all_rules()[0].0.clone() };
    let refused = |family, size: Size, presses: &str| {
        make(family, &rules, size, &[("presses", presses)], 1).unwrap_err()
    };
    let size = Size::new(3, 3);
    assert_eq!(refused("few", size, "10"), "on 3x3, at most 9 presses are not redundant, not 10");
    assert_eq!(
        refused("deep", size, "10"),
        "found no board of 3x3 whose fewest presses are 10; the most found are 9"
    );
    assert_eq!(
        refused("deep", Size::new(39, 39), "10"),
        "on 39x39, 2^32 vectors are too many to enumerate; the families `few` and `random` enumerate none"
    );
}
