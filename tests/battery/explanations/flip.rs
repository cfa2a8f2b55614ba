//! Flip: every sentence of an explanation follows from the squares that it names, whatever the other squares are.

use crate::samples::samples;
use chacha20::ChaCha8Rng;
use counterpoint::board::{Digits, Size};
use counterpoint::engine::{Budget, Outcome};
use counterpoint::problems::flip::answer::Answer;
use counterpoint::problems::flip::explain::{Claim, sentences};
use counterpoint::problems::flip::search::{algebra, reason};
use counterpoint::problems::flip::{End, Goal, Instance, Rules, Stencil, Target};
use rand::{RngExt, SeedableRng};

fn rules(colours: u32, stencil: Stencil, target: Target) -> Rules {
    Rules { size: None, colours, stencil, target, goal: Goal::Fewest, within: None }
}

/// All choices of presses. A choice is given by the number of presses of each square, and by what these presses add to
/// the colour of each square.
fn effects(rules: &Rules, size: Size) -> Vec<(Vec<u32>, Vec<u32>)> {
    let (n, p) = (size.cells(), rules.colours);
    let specs = p.pow(n as u32);
    let effect = |mut code: u32| {
        let mut presses = vec![0; n];
        for times in &mut presses {
            (*times, code) = (code % p, code / p);
        }
        let mut added = vec![0; n];
        for cell in size.iter() {
            for other in rules.stencil.squares(size, cell) {
                added[size.index(other)] += presses[size.index(cell)];
            }
        }
        (presses, added.iter().map(|times| times % p).collect())
    };
    (0..specs).map(effect).collect()
}

/// The numbers of presses of all choices that give `squares` their colours in the final board `end`.
fn weights<'a>(
    rules: &'a Rules,
    board: &'a Instance,
    effects: &'a [(Vec<u32>, Vec<u32>)],
    squares: &'a [usize],
    end: &'a End,
) -> impl Iterator<Item = usize> + 'a {
    let right = move |added: &[u32]| {
        squares.iter().all(|&i| (board.squares.get(i) + added[i]) % rules.colours == end.colour(i))
    };
    effects
        .iter()
        .filter(move |(_, added)| right(added))
        .map(|(presses, _)| presses.iter().sum::<u32>() as usize)
}

/// Whether a claim holds on every board that agrees with `board` on the squares `from`. The other squares are ignored:
/// any choice of presses that gives the squares `from` their final colours solves some such board.
fn holds(
    rules: &Rules,
    board: &Instance,
    all: &[(Vec<u32>, Vec<u32>)],
    from: &[usize],
    claim: &Claim,
) -> bool {
    let whole: Vec<usize> = (0..board.size.cells()).collect();
    let of = |squares: &[usize], end: &End| weights(rules, board, all, squares, end).collect::<Vec<usize>>();
    let possible = |squares: &[usize]| rules.ends().any(|end| !of(squares, &end).is_empty());
    match claim {
        Claim::Done => from == whole && rules.ends().any(|end| of(&whole, &end).contains(&0)),
        Claim::Solves(presses) => {
            let pressed: Vec<u32> = whole.iter().map(|&i| presses.get(i)).collect();
            let (_, added) = all.iter().find(|(presses, _)| *presses == pressed).unwrap();
            let ends = |end: End| {
                from.iter().all(|&i| (board.squares.get(i) + added[i]) % rules.colours == end.colour(i))
            };
            from == whole && rules.ends().any(ends)
        }
        Claim::Solutions { ends, count, lightest } => {
            let mut found = ends.iter().map(|end| of(from, end));
            found.all(|weights| {
                Some(weights.len()) == *count && lightest.iter().all(|n| weights.iter().min() == Some(n))
            })
        }
        Claim::Unreachable(end) => of(from, end).is_empty(),
        Claim::AtLeast(n) => rules.ends().all(|end| of(from, &end).iter().all(|weight| weight >= n)),
        Claim::Asked => true,
        Claim::Balanced(weights) => all.iter().all(|(_, added)| {
            weights.iter().map(|&(i, weight)| weight * added[i]).sum::<u32>().is_multiple_of(rules.colours)
        }),
        Claim::Impossible => !possible(from),
        Claim::Irreducible(squares) => squares
            .iter()
            .all(|left_out| possible(&squares.iter().copied().filter(|i| i != left_out).collect::<Vec<_>>())),
    }
}

/// Tests every sentence about a board, with and without a reason. Returns how many of the claims say that a set is
/// minimal.
fn hold(rules: &Rules, board: &Instance, all: &[(Vec<u32>, Vec<u32>)], answer: &Answer) -> usize {
    let found = reason::reason(rules, board, answer, &mut Budget::unlimited());
    assert!(found.is_some(), "{board:?}");
    let mut irreducible = 0;
    for reason in [None, found.as_ref()] {
        for sentence in sentences(rules, board, answer, reason) {
            assert!(
                holds(rules, board, all, &sentence.premises, &sentence.claim),
                "{rules:?} {board:?}: {}",
                sentence.text
            );
            irreducible += usize::from(matches!(sentence.claim, Claim::Irreducible(_)));
        }
    }
    irreducible
}

fn board(size: Size, p: u32, mut code: u32) -> Instance {
    let mut squares = Digits::zeros(size.cells());
    for i in 0..size.cells() {
        (0..code % p).for_each(|_| squares.increment(i));
        code /= p;
    }
    Instance { size, squares }
}

#[test]
fn every_sentence_is_entailed_on_all_small_boards() {
    let mut irreducible = 0;
    for (p, w, h) in
        [(2, 1, 2), (2, 2, 2), (2, 3, 2), (2, 5, 1), (2, 3, 3), (3, 2, 2), (3, 3, 1), (3, 5, 1), (5, 3, 1)]
    {
        for stencil in [Stencil::Plus, Stencil::King, Stencil::Torus] {
            for target in [Target::Either, Target::White] {
                let white = Target::Board(board(Size::new(w, h), p, 0).into());
                let target = if p > 2 && target == Target::White { white } else { target };
                let rules = rules(p, stencil, target);
                let size = Size::new(w, h);
                let all = effects(&rules, size);
                let mut solve = algebra::start();
                for code in 0..p.pow(w * h) {
                    let board = board(size, p, code);
                    let outcome = solve(&rules, &board, &mut Budget::unlimited());
                    let Outcome::Decided(answer) = outcome else { panic!("{outcome:?}") };
                    irreducible += hold(&rules, &board, &all, &answer);
                    if let Answer::Impossible(Some(_)) = answer {
                        // An answer without evidence gets a reason, too.
                        irreducible += hold(&rules, &board, &all, &Answer::Impossible(None));
                    }
                }
            }
        }
    }
    assert!(irreducible > 1000, "{irreducible}");
}

#[test]
fn random_boards_of_the_judge_are_explained() {
    let rules = rules(2, Stencil::Plus, Target::Either);
    let size = Size::new(4, 4);
    let all = effects(&rules, size);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut solve = algebra::start();
    let mut irreducible = 0;
    for _ in 0..samples(8) {
        let board = board(size, 2, rng.random_range(0..1 << 16));
        let Outcome::Decided(answer) = solve(&rules, &board, &mut Budget::unlimited()) else { panic!() };
        irreducible += hold(&rules, &board, &all, &answer);
    }
    assert!(irreducible as u64 > samples(8) / 4, "{irreducible}");
}
