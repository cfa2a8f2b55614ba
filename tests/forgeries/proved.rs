//! False claims that a proof is to close: the proof of a true claim that differs a little, and whatever a solver finds.
//! The checker may not search, so only the proof could close the claim.

use crate::flip::{Question, impossible, worlds};
use crate::presses::Presses;
use crate::ships::{Game, Games, NO_FLEET, NO_OTHER, other_board, without};
use crate::spot::forgery;
use crate::spot_brute::endings;
use crate::spot_smudged::{ending_claim, only, smudged};
use crate::tally::Tally;
use counterpoint::certify::{certify, proofs};
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::problem::Problem;
use counterpoint::problems::flip;
use counterpoint::problems::spot::answer::Finding;
use counterpoint::problems::spot::check::obligations;
use counterpoint::problems::spot::{Entry, Spot};
use counterpoint::proof::{Obligation, Proof};
use rand::RngExt;
use serde_json::Value;

/// The proof of a claim that is true.
fn genuine(obligations: &[Obligation<'_>]) -> Proof {
    let mut proofs = proofs(certify(obligations, &mut Budget::unlimited()));
    assert_eq!((obligations.len(), proofs.len()), (1, 1));
    proofs.remove(0)
}

/// Checks a false claim with a proof of another claim. The plain formula of the claim must have a model, so that no
/// solver finds a proof.
fn forge(
    tally: &mut Tally,
    shown: &str,
    mut proof: Proof,
    obligations: &[Obligation<'_>],
    check: impl FnOnce(&[Proof], &mut Budget) -> Vec<Claim>,
) {
    assert_eq!(obligations.len(), 1);
    let found = certify(obligations, &mut Budget::unlimited());
    assert!(proofs(found).is_empty(), "{}: a solver proves the false claim: {shown}", obligations[0].claim);
    proof.claim.clone_from(&obligations[0].claim);
    tally.text_is_false(&proof.claim.clone(), shown, || Ok(check(&[proof], &mut Budget::of_work(0))));
}

/// An answer to a board, and the same answer to a board that differs in one square, so that its claim is false.
fn forge_flip(
    tally: &mut Tally,
    question: &Question,
    answer: &flip::answer::Answer,
    is_false: impl Fn(u64) -> bool,
) {
    let mut other = question.clone();
    let at = tally.rng.random_range(0..other.board.len());
    other.board[at] = 1 - other.board[at];
    if !is_false(other.sums()) {
        tally.still_true();
        return;
    }
    let [before, after] = [question, &other].map(Question::instance);
    let proof = genuine(&flip::check::obligations(&question.rules, &before, answer));
    let obligations = flip::check::obligations(&other.rules, &after, answer);
    let shown = other.forged(answer);
    let check = |proofs: &[Proof], budget: &mut Budget| {
        flip::Flip::check(&other.rules, &after, answer, proofs, budget)
    };
    forge(tally, &shown, proof, &obligations, check);
}

#[test]
fn flip_boards_that_need_fewer_presses() {
    let mut tally = Tally::of("flip", "at least … needed", "with a proof");
    while tally.wants_more() {
        let rng = &mut tally.rng;
        let mut question = Question::random(worlds(true), rng);
        let presses: Presses = question.world.random(rng);
        question.solved_by(&presses, rng);
        let least = question.sums().trailing_zeros();
        if least > 0 {
            let answer = flip::answer::Answer::Number { presses: least as usize, optimal: true };
            forge_flip(&mut tally, &question, &answer, |sums| sums.trailing_zeros() < least);
        }
    }
}

#[test]
fn flip_boards_that_are_solvable() {
    let mut tally = Tally::of("flip", "no presses …", "with a proof");
    while tally.wants_more() {
        match impossible(&mut tally.rng) {
            Some((question, _)) if question.world.colours == 2 => {
                forge_flip(&mut tally, &question, &flip::answer::Answer::Impossible(None), |sums| sums > 0);
            }
            _ => {}
        }
    }
}

#[test]
fn spot_endings_that_are_possible() {
    let mut tally = Tally::of("spot, unknown moves", "no completion ends …", "with a proof");
    while tally.wants_more() {
        let (rules, game, possible) = smudged(&mut tally.rng);
        let mut other = game.clone();
        let at = tally.rng.random_range(0..other.record.len());
        let (entry, part) = (other.record[at], tally.rng.random_range(0..3));
        let keep = |k: u32, value: Option<u32>| value.filter(|_| k != part);
        other.record[at] =
            Entry::new(keep(0, entry.x()), keep(1, entry.y()), entry.sign().filter(|_| part != 2));
        let later = endings(&rules, &other);
        let Some(ending) = (0..possible.len()).find(|&ending| !possible[ending] && later[ending]) else {
            tally.still_true();
            continue;
        };
        let answer = only(possible.len(), ending, Finding::Refuted);
        let proof = genuine(&obligations(&rules, &game, &answer));
        assert_eq!(proof.claim, ending_claim("no completion ends", ending, game.record.len()));
        let shown = forgery(&rules, &other, &answer);
        let check =
            |proofs: &[Proof], budget: &mut Budget| Spot::check(&rules, &other, &answer, proofs, budget);
        forge(&mut tally, &shown, proof, &obligations(&rules, &other, &answer), check);
    }
}

fn forge_ships(tally: &mut Tally, games: &Games, genuine_answer: &Value, game: &Game) {
    let proof = genuine(&games.restore(genuine_answer).unwrap().obligations());
    let answer = games.restore(&game.answer).unwrap();
    let check = |proofs: &[Proof], budget: &mut Budget| answer.check(proofs, budget);
    forge(tally, &game.answer.to_string(), proof, &answer.obligations(), check);
}

#[test]
fn ships_sets_left_out() {
    let (mut tally, mut games) = (Tally::of("ships", NO_OTHER, "with a proof"), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["yes"], &mut tally.rng);
        let (before, n) = (game.answer.clone(), game.answer["sets"].as_array().unwrap().len());
        if n > 1 {
            let at = tally.rng.random_range(0..n);
            game.answer["sets"].as_array_mut().unwrap().remove(at);
            game.answer["plan"] = without(&game.answer["plan"], at as u64 + 1).unwrap();
            forge_ships(&mut tally, &games, &before, &game);
        }
    }
}

#[test]
fn ships_boards_that_a_fleet_fits() {
    let (mut tally, mut games) = (Tally::of("ships", NO_FLEET, "with a proof"), Games::new());
    while tally.wants_more() {
        let mut game = games.random(&["no-fleet"], &mut tally.rng);
        let before = game.answer.clone();
        other_board(&games, &mut game, &mut tally.rng);
        if game.family.is_empty() {
            tally.still_true();
        } else {
            forge_ships(&mut tally, &games, &before, &game);
        }
    }
}
