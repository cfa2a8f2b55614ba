//! Forged answers to Spot about records with unknown moves: which endings are possible.

use crate::spot::{change, forgery, legal};
use crate::spot_brute::{
    GROUPS, STARTS, check, empty, endings, first_repeat, instance, named, play, rules, solve,
};
use crate::tally::{Tally, genuine};
use chacha20::ChaCha8Rng;
use counterpoint::board::Cell;
use counterpoint::claim::Claim;
use counterpoint::engine::Budget;
use counterpoint::problem::Problem;
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::{Answer, Finding};
use counterpoint::problems::spot::{Entry, Instance, Legality, Move, Rules, Sign, winner};
use rand::RngExt;

const SOME: &str = "some completion ends …";
const NO: &str = "no completion ends …";

/// A record of which some parts are unknown, with the endings that brute force finds possible.
pub(crate) fn smudged(rng: &mut ChaCha8Rng) -> (Rules, Instance, Vec<bool>) {
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
pub(crate) fn only(endings: usize, ending: usize, finding: Finding) -> Answer {
    let mut findings = vec![Finding::Open; endings];
    findings[ending] = finding;
    Answer::Smudged(findings)
}

pub(crate) fn ending_claim(what: &str, ending: usize, moves: usize) -> String {
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
        genuine(&claims, &[SOME, NO]);
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
