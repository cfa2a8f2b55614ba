//! Forged answers to Flip: presses, numbers of presses, and evidence that a board is impossible.

use crate::presses::{Presses, World};
use crate::tally::{Tally, genuine};
use chacha20::ChaCha8Rng;
use counterpoint::board::{Digits, Size};
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::problem::Problem;
use counterpoint::problems::flip::answer::Answer;
use counterpoint::problems::flip::{Flip, Goal, Instance, Rules, Stencil, Target};
use rand::RngExt;
use std::sync::{Arc, LazyLock};

const KINDS: [&str; 5] =
    ["the presses …", "at least … needed", "no presses …", "some … presses …", "one press …"];

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
    let of = |&(stencil, w, h, colours)| World::new(stencil, (w, h), colours);
    TWO_COLOURS.iter().chain(&MORE_COLOURS).map(of).collect()
});

const TWO_COLOURS: [(&str, u32, u32, u32); 12] = [
    ("plus", 2, 2, 2),
    ("plus", 3, 2, 2),
    ("plus", 3, 3, 2),
    ("plus", 5, 1, 2),
    ("plus", 5, 2, 2),
    ("king", 2, 2, 2),
    ("king", 3, 2, 2),
    ("king", 3, 3, 2),
    ("cross", 3, 3, 2),
    ("cross", 4, 2, 2),
    ("torus", 3, 3, 2),
    ("torus", 2, 3, 2),
];

const MORE_COLOURS: [(&str, u32, u32, u32); 8] = [
    ("plus", 2, 2, 3),
    ("plus", 3, 2, 3),
    ("king", 2, 2, 3),
    ("torus", 3, 2, 3),
    ("cross", 5, 1, 3),
    ("plus", 2, 2, 5),
    ("king", 2, 2, 5),
    ("plus", 2, 2, 7),
];

/// The worlds with two colours, or those with more.
pub(crate) fn worlds(two: bool) -> &'static [World] {
    let (few, many) = WORLDS.split_at(TWO_COLOURS.len());
    if two { few } else { many }
}

/// A board, with all final boards that count as solved.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) world: &'static World,
    pub(crate) rules: Rules,
    ends: Vec<Vec<u32>>,
    pub(crate) board: Vec<u32>,
}

fn digits(numbers: &[u32]) -> Digits {
    Digits::counts(numbers.len(), numbers.iter().enumerate().flat_map(|(i, &n)| (0..n).map(move |_| i)))
}

impl Question {
    pub(crate) fn random(worlds: &'static [World], rng: &mut ChaCha8Rng) -> Question {
        let world = &worlds[rng.random_range(0..worlds.len())];
        let stencil = match world.stencil {
            "plus" => Stencil::Plus,
            "king" => Stencil::King,
            "cross" => Stencil::Cross,
            _ => Stencil::Torus,
        };
        let size = Size::new(world.w, world.h);
        let goal = if rng.random_bool(0.7) { Goal::Fewest } else { Goal::Any };
        let rules = Rules {
            size: Some(size),
            colours: world.colours,
            stencil,
            target: Target::White,
            goal,
            within: None,
        };
        let mut question = Question { world, rules, ends: Vec::new(), board: world.random(rng) };
        question.set_target(rng);
        question
    }

    fn set_target(&mut self, rng: &mut ChaCha8Rng) {
        let all = self.world.one_colour();
        (self.rules.target, self.ends) = match rng.random_range(0..4) {
            0 => (Target::White, all[..1].to_vec()),
            1 if self.world.colours == 2 => (Target::Black, all[1..].to_vec()),
            2 => {
                let board = self.world.random(rng);
                let squares = digits(&board);
                (Target::Board(Arc::new(Instance { size: self.size(), squares })), vec![board])
            }
            _ => (Target::Either, all),
        };
    }

    fn size(&self) -> Size {
        Size::new(self.world.w, self.world.h)
    }

    /// Changes the board to one that these presses solve.
    pub(crate) fn solved_by(&mut self, presses: &[u32], rng: &mut ChaCha8Rng) {
        let end = &self.ends[rng.random_range(0..self.ends.len())];
        let (change, p) = (self.world.change(presses), self.world.colours);
        self.board = end.iter().zip(change).map(|(end, change)| (end + p - change) % p).collect();
    }

    fn is_solved_by(&self, presses: &[u32]) -> bool {
        let change = self.world.change(presses);
        let after = self.board.iter().zip(change).map(|(b, c)| (b + c) % self.world.colours);
        self.ends.contains(&after.collect())
    }

    pub(crate) fn sums(&self) -> u64 {
        self.world.sums(&self.board, &self.ends)
    }

    pub(crate) fn instance(&self) -> Instance {
        Instance { size: self.size(), squares: digits(&self.board) }
    }

    fn check(&self, answer: &Answer) -> Vec<Claim> {
        Flip::check(&self.rules, &self.instance(), answer, &[], &mut Budget::of_work(20_000_000))
    }

    pub(crate) fn forged(&self, answer: &Answer) -> String {
        format!("{:?} {:?} {answer:?}", self.rules, self.board)
    }

    /// Checks an answer of which a claim is false.
    fn forge(&self, tally: &mut Tally, claim: &str, answer: &Answer) {
        tally.text_is_false(claim, &self.forged(answer), || Ok(self.check(answer)));
    }
}

fn presses(numbers: &[u32], optimal: bool) -> Answer {
    Answer::Presses { presses: digits(numbers).into(), optimal }
}

#[test]
fn presses_that_miss_the_target() {
    let mut tally = Tally::new("flip", "the presses …");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let mut question = Question::random(worlds(rng.random_bool(0.5)), rng);
        let mut solution: Presses = question.world.random(rng);
        question.solved_by(&solution, rng);
        let at = rng.random_range(0..solution.len());
        match rng.random_range(0..5) {
            0 => solution[at] = (solution[at] + 1) % question.world.colours,
            1 => {
                let other = rng.random_range(0..solution.len());
                solution.swap(at, other);
            }
            2 => question.board[at] = (question.board[at] + 1) % question.world.colours,
            3 => question.set_target(rng),
            _ => solution[at] += 1,
        }
        if question.is_solved_by(&solution) {
            tally.still_true();
        } else {
            question.forge(&mut tally, "the presses …", &presses(&solution, true));
        }
    }
}

/// A solution that is not the lightest: the solution plus presses that change nothing, or one for another colour.
fn more_presses_than_needed(how: &'static str, two: bool) {
    let mut tally = Tally::of("flip", "at least … needed", how);
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let mut question = Question::random(worlds(two), rng);
        let solution: Presses = question.world.random(rng);
        question.solved_by(&solution, rng);
        let (n, sums) = (solution.iter().sum::<u32>(), question.sums());
        let optimal = question.rules.goal == Goal::Any || rng.random_bool(0.5);
        let answer = match rng.random_range(0..3) {
            0 => Answer::Number { presses: n as usize, optimal },
            _ => presses(&solution, optimal),
        };
        if sums.trailing_zeros() < n {
            question.forge(&mut tally, "at least … needed", &answer);
        } else {
            genuine(&question.check(&answer), &KINDS);
            tally.still_true();
        }
    }
}

#[test]
fn fewer_presses_suffice() {
    more_presses_than_needed("2 colours", true);
}

#[test]
fn fewer_presses_suffice_with_more_colours() {
    more_presses_than_needed("3, 5 or 7 colours", false);
}

#[test]
fn numbers_of_presses_that_no_solution_has() {
    let mut tally = Tally::new("flip", "some … presses …");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let mut question = Question::random(worlds(rng.random_bool(0.5)), rng);
        let solution: Presses = question.world.random(rng);
        question.solved_by(&solution, rng);
        let mut n = solution.iter().sum::<u32>() as usize;
        match rng.random_range(0..4) {
            0 => n += 1,
            1 => n = n.saturating_sub(1),
            2 => question.set_target(rng),
            _ => n = n.saturating_add(1 << rng.random_range(0..64)),
        }
        let answer = Answer::Number { presses: n, optimal: rng.random_bool(0.5) };
        if n > 0 && (n >= 64 || question.sums() >> n & 1 == 0) {
            let claim = if n == 1 { "one press …".to_owned() } else { format!("some {n} presses …") };
            question.forge(&mut tally, &claim, &answer);
        } else {
            tally.still_true();
        }
    }
}

/// A board that no presses solve, and weights that prove it; `None` if there is none in this world.
pub(crate) fn impossible(rng: &mut ChaCha8Rng) -> Option<(Question, Presses)> {
    let question = Question::random(worlds(rng.random_bool(0.5)), rng);
    let (null, p) = (&question.world.null, question.world.colours);
    // The stencils are symmetric, so weights that no press changes are presses that change nothing.
    let weights = null[rng.random_range(0..null.len())].clone();
    let differs = |end: &Vec<u32>| {
        let change = |i: usize| end[i] + p - question.board[i];
        (0..weights.len()).map(|i| weights[i] * change(i)).sum::<u32>() % p != 0
    };
    question.ends.iter().all(differs).then_some((question, weights))
}

fn solvable_boards_called_impossible(how: &'static str, with_weights: bool) {
    let mut tally = Tally::of("flip", "no presses …", how);
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let Some((mut question, mut weights)) = impossible(rng) else {
            tally.still_true();
            continue;
        };
        let answer = |weights: &Presses| Answer::Impossible(with_weights.then(|| digits(weights)));
        if rng.random_bool(0.1) {
            genuine(&question.check(&answer(&weights)), &KINDS);
        }
        let at = rng.random_range(0..weights.len());
        if rng.random_bool(0.8) {
            question.board[at] = (question.board[at] + 1) % question.world.colours;
        } else {
            question.set_target(rng);
        }
        if rng.random_bool(0.5) {
            let other = rng.random_range(0..weights.len());
            weights[other] = rng.random_range(0..=question.world.colours);
        }
        if question.sums() > 0 {
            question.forge(&mut tally, "no presses …", &answer(&weights));
        } else {
            tally.still_true();
        }
    }
}

#[test]
fn solvable_boards_with_weights() {
    solvable_boards_called_impossible("with weights", true);
}

#[test]
fn solvable_boards_without_weights() {
    solvable_boards_called_impossible("without weights", false);
}

/// The board is impossible, but the weights do not show it.
#[test]
fn weights_that_prove_nothing() {
    let mut tally = Tally::of("flip", "no presses …", "weights that do not show it");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let Some((mut question, mut weights)) = impossible(rng) else {
            tally.still_true();
            continue;
        };
        let (at, p) = (rng.random_range(0..weights.len()), question.world.colours);
        match rng.random_range(0..3) {
            0 => weights[at] = (weights[at] + 1) % p,
            1 => weights[at] = 0,
            _ => question.board[at] = (question.board[at] + 1) % p,
        }
        let keeps = question.world.change(&weights).iter().all(|&n| n == 0);
        let weighs = |end: &Vec<u32>| {
            let change = |i: usize| end[i] + p - question.board[i];
            (0..weights.len()).map(|i| weights[i] * change(i)).sum::<u32>() % p != 0
        };
        if keeps && question.ends.iter().all(weighs) {
            tally.still_true();
        } else {
            question.forge(&mut tally, "no presses …", &Answer::Impossible(Some(digits(&weights))));
        }
    }
}
