//! The smallest forgeries of claims that a checker once closed although they were false. `paper-notes.md` has the causes.

use crate::certificates::{check, check_within};
use counterpoint::board::{Cell, Size};
use counterpoint::claim::{Claim, Status};
use counterpoint::engine::Budget;
use counterpoint::problem::Problem;
use counterpoint::problems::cnf::{self, Cnf};
use counterpoint::problems::ships::{
    Dialect, Fleet, Instance, Poses, Rules, Ship, Ships, Square, answer::Answer,
};
use counterpoint_encodings::{Lit, Sink};
use serde_json::json;

fn failed(why: &str) -> Status {
    Status::Failed(why.to_owned())
}

fn status(claims: &[Claim], text: &str) -> Status {
    claims.iter().find(|claim| claim.text.ends_with(text)).unwrap().status.clone()
}

/// One domino on an empty board of 2×2.
fn lost(sets: [[(u32, u32); 2]; 2]) -> Vec<Claim> {
    let cells = |set: [(u32, u32); 2]| set.map(|(row, col)| Cell::new(row, col)).to_vec();
    let domino = Ship { name: "A".to_owned(), cells: cells([(0, 0), (0, 1)]), poses: Poses::Turned };
    let rules = Rules { misses: 0, fleet: Fleet { ships: vec![domino] }, dialect: Dialect::Auto };
    let board = Instance { size: Size::new(2, 2), squares: vec![Square::Unknown; 4] };
    Ships::check(&rules, &board, &Answer::No { lost: sets.map(cells).into() }, &[], &mut Budget::unlimited())
}

#[test]
fn a_set_listed_twice_is_not_lost() {
    let no_plan = "no plan uncovers each of them with at most 0 misses";
    let distinct = "at least two sets are listed, all distinct";
    let [top, left] = [[(0, 0), (0, 1)], [(0, 0), (1, 0)]];
    assert_eq!(status(&lost([top, left]), no_plan), Status::Recomputed);
    for twice in [[top, top], [top, [(0, 1), (0, 0)]]] {
        assert_eq!(status(&lost(twice), no_plan), failed("some plan does"));
        assert_eq!(status(&lost(twice), distinct), failed("a set is listed twice"));
    }
    let members = json!({ "question": "families", "version": 1, "misses": 1, "family": ["10", "10"], "plan": { "sink": 1 } });
    let claims = check("ships", members.as_object().unwrap()).unwrap();
    let no_order = "no plan that always shoots at a cell that the fewest sets lack does so";
    assert_eq!(status(&claims, no_order), failed("plain enumeration finds one"));
}

#[test]
fn a_bound_by_counting_patterns_needs_answers() {
    let with = |answers: &str| {
        let members = json!({
            "question": "forcing-limit", "version": 1, "n": 1, "symmetry": "trivial", "start": "uncounted",
            "winner": 2, "at_least": 3, "at_most": 3, "answers": answers, "holds": [0, { "reserve": [] }],
        });
        let claims = check("spot", members.as_object().unwrap()).unwrap();
        status(&claims, "with these answers the other player repeats by move 3")
    };
    assert_eq!(with("0"), Status::Recomputed);
    assert_eq!(with(""), Status::Open("the answers are not valid".to_owned()));
    // Without a budget, it is not known whether the answers are valid.
    let members = json!({
        "question": "forcing-limit", "version": 1, "n": 1, "symmetry": "trivial", "start": "uncounted", "winner": 2,
        "at_least": 1, "at_most": 3, "answers": "0",
    });
    let claims = check_within(0, "spot", members.as_object().unwrap()).unwrap();
    assert!(claims.iter().all(|claim| !claim.status.is_closed()), "{claims:?}");
}

/// The parities 1 + 2 and 1 + ¬2 contradict each other, whatever the value of 2 is.
#[test]
fn a_model_needs_a_value_for_each_variable() {
    let mut formula = cnf::Formula::default();
    (0..2).for_each(|_| _ = formula.cnf.new_var());
    let parity = |lits: [i32; 2]| (lits.map(|lit| Lit::from_ipasir(lit).unwrap()).to_vec(), true);
    formula.parities = vec![parity([1, 2]), parity([1, -2])];
    let answer = cnf::answer::Answer::model(vec![true]);
    let claims = Cnf::check(&(), &cnf::Instance::of(formula), &answer, &[], &mut Budget::unlimited());
    let parities = "the model satisfies every parity constraint";
    assert_eq!(status(&claims, parities), failed("the model gives no value to variable 2"));
}
