//! Ships: forged answers are rejected, and a proof counts only if it is correct.

use crate::ships_common::{decide, engines, instance, settings, with_ships};
use counterpoint::certify::{certify, proofs};
use counterpoint::claim::{Claim, all_closed, any_failed};
use counterpoint::engine::Budget;
use counterpoint::proof::{Drat, Proof};
use serde_json::{Value, json};

fn honest(rows: &str) -> Value {
    let instance = instance(&settings(&[]), rows);
    decide(&*instance, &engines("search")[0]).to_json("search:cover", &[])
}

/// The claims of an answer that was tampered with, or the reason why it cannot be read.
fn verdict(json: &Value) -> Result<Vec<Claim>, String> {
    with_ships(|ships| {
        Ok(ships.restore(json.as_object().unwrap())?.check(&[], &mut Budget::of_work(1 << 16)))
    })
}

fn assert_rejected(json: &Value) {
    match verdict(json) {
        Err(_) => {}
        Ok(claims) => assert!(any_failed(&claims), "{json} gives {claims:?}"),
    }
}

#[test]
fn forged_answers_are_rejected() {
    const FOUR: &str = "..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo";
    let yes = honest(FOUR);
    assert!(all_closed(&verdict(&yes).unwrap()));
    let change = |json: &Value, tamper: &dyn Fn(&mut Value)| {
        let mut json = json.clone();
        tamper(&mut json);
        assert_rejected(&json);
    };
    let tampers: &[&dyn Fn(&mut Value)] = &[
        &|j| j["outcome"] = "no-fleet".into(),
        &|j| j["outcome"] = "maybe".into(),
        // The sets of a won board are not a lost family.
        &|j| {
            j["lost"] = j["sets"].clone();
            j["outcome"] = "no".into();
        },
        &|j| j["plan"] = json!({"sink": 1}),
        &|j| j["plan"] = json!({"sink": 5}),
        &|j| j["plan"] = json!({"sink": 0}),
        &|j| j["plan"] = json!({"sink": -1}),
        &|j| j["plan"] = json!([]),
        &|j| j["plan"] = Value::Null,
        &|j| j["plan"]["shoot"] = json!([1, 3]),
        &|j| j["plan"]["shoot"] = json!([3, 1]),
        &|j| j["plan"]["shoot"] = json!([7, 1]),
        &|j| j["plan"]["shoot"] = json!([0, 1]),
        &|j| j["plan"]["shoot"] = json!([u64::MAX, 1]),
        &|j| j["plan"]["shoot"] = json!([1, 2, 3]),
        &|j| j["plan"]["miss"] = j["plan"]["hit"].clone(),
        &|j| j["plan"]["hit"] = json!({"sink": 1}),
        &|j| drop(j["plan"].as_object_mut().unwrap().remove("hit")),
        &|j| drop(j["sets"].as_array_mut().unwrap().pop()),
        &|j| j["sets"] = json!([]),
        &|j| j["sets"] = Value::Null,
        &|j| j["sets"][1] = j["sets"][0].clone(),
        &|j| j["sets"][0] = json!([]),
        &|j| j["sets"][0][0] = json!([1, 99]),
        &|j| j["sets"][0][0] = j["sets"][0][1].clone(),
        &|j| j["sets"][0].as_array_mut().unwrap().reverse(),
        &|j| drop(j["sets"][0].as_array_mut().unwrap().pop()),
        &|j| j["instance"] = "2 2\n..\n..\n0 0\n".into(),
        &|j| j["rules"]["misses"] = "0".into(),
        &|j| j["rules"]["misses"] = "9".into(),
    ];
    tampers.iter().for_each(|tamper| change(&yes, tamper));
    let no = honest("......./......./......./......./.......");
    assert!(all_closed(&verdict(&no).unwrap()));
    change(&no, &|j| j["lost"] = json!([]));
    change(&no, &|j| drop(j["lost"].as_array_mut().unwrap().pop()));
    change(&no, &|j| drop(j["lost"].as_array_mut().unwrap().drain(1..)));
    change(&no, &|j| j["lost"][1] = j["lost"][0].clone());
    change(&no, &|j| j["lost"][0] = (1..=4).flat_map(|r| (1..=7).map(move |c| json!([r, c]))).collect());
    change(&no, &|j| j["outcome"] = "no-fleet".into());
    let none = honest("......./......./......./.......");
    assert!(all_closed(&verdict(&none).unwrap()));
    change(&none, &|j| {
        j["outcome"] = "yes".into();
        j["sets"] = json!([]);
        j["plan"] = json!({"sink": 1});
    });
}

/// Plans are read only to a bounded depth.
#[test]
fn a_plan_has_no_more_shots_than_squares() {
    let mut yes = honest("..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo");
    for _ in 0..50 {
        yes["plan"] = json!({"shoot": [1, 1], "hit": yes["plan"], "miss": {"sink": 1}});
    }
    let error = verdict(&yes).unwrap_err();
    assert_eq!(error, "\"plan\" shoots more often than the board has squares");
}

#[test]
fn a_given_proof_must_be_correct() {
    let instance = instance(&settings(&[]), "..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo");
    let answer = decide(&*instance, &engines("search")[0]);
    let claim = answer.obligations()[0].claim.clone();
    let bad = Proof::new(claim, Drat::from("1 0\n0\n"));
    assert!(any_failed(&answer.check(&[bad], &mut Budget::unlimited())));
    let good = proofs(certify(&answer.obligations(), &mut Budget::unlimited()));
    let claims = answer.check(&good, &mut Budget::unlimited());
    assert!(all_closed(&claims));
    assert_eq!(claims.last().unwrap().status.word(), "proved");
    // With a budget of 0, the checker cannot enumerate the sets, so the claim is open, not failed.
    let claims = answer.check(&[], &mut Budget::of_work(0));
    assert!(!all_closed(&claims) && !any_failed(&claims), "{claims:?}");
}

/// If an unlisted set fits, the checker's own formula has a model, so it has no proof.
#[test]
fn a_missing_set_cannot_be_refuted() {
    let instance = instance(&settings(&[]), "..xxxx/xxxxxx/oo.xxx/xxxxxx/xx.xxx/oo.oxo");
    let answer = decide(&*instance, &engines("search")[0]);
    let json = answer.to_json("", &[]);
    for drop in 0..4 {
        let mut forged = json.clone();
        let sets = forged["sets"].as_array_mut().unwrap();
        sets.remove(drop);
        forged["plan"] = json!({"sink": 1});
        let forged = with_ships(|ships| ships.restore(forged.as_object().unwrap()).unwrap());
        assert_eq!(forged.obligations().len(), 1);
        assert!(proofs(certify(&forged.obligations(), &mut Budget::unlimited())).is_empty());
    }
}
