//! Altered answers and altered proofs: the checker never panics, and never accepts a wrong answer.

use crate::bench::{Bench, solve};
use chacha20::ChaCha8Rng;
use counterpoint::certify::{Prover, certificate_of, certify, proofs};
use counterpoint::claim::{Status, all_closed, any_failed};
use counterpoint::engine::Budget;
use counterpoint::erased::{DynAnswer, DynInstance};
use counterpoint::proof::{Drat, Formula, Lrat, Proof, Refutation};
use counterpoint::spec::EngineSpec;
use counterpoint_encodings::Cnf;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

/// For each problem, an answer whose claims need proofs.
fn answers() -> Vec<(Bench, Box<dyn DynAnswer>)> {
    let spot = "2\n? ? ?\n? ? ?\n? ? ?\n? ? ?\n0\n";
    let ships = "6 6\n..xxxx\nxxxxxx\noo.xxx\nxxxxxx\nxx.xxx\noo.oxo\n0 0\n";
    let flip = "bwwb\nbbwb\nbwwb\nbwww\n";
    [("spot", "search:fill", spot), ("ships", "search", ships), ("flip", "search", flip)]
        .into_iter()
        .map(|(problem, engine, text)| {
            let bench = Bench::new(problem, &[]);
            let instance = bench.instance(text);
            let answer = solve(&*instance, &bench, engine);
            (bench, answer)
        })
        .collect()
}

/// Alters a text or bytes at random.
fn alter(rng: &mut ChaCha8Rng, bytes: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = rng.random_range(0..lines.len());
    let other = rng.random_range(0..lines.len());
    match rng.random_range(0..7) {
        0 => return bytes[..rng.random_range(0..=bytes.len())].to_vec(),
        1 => drop(lines.remove(at)),
        2 => lines.swap(at, other),
        3 => lines[at].insert(0, b'-'),
        4 => lines[at] = lines[other].clone(),
        5 => {
            let byte = rng.random_range(0..lines[at].len() + 1);
            lines[at].truncate(byte);
            lines[at].extend(b" 0");
        }
        _ => {
            let mut bytes = bytes.to_vec();
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.random();
            }
            return bytes;
        }
    }
    lines.join(&b'\n')
}

/// An altered proof may still be correct, because a true claim has many proofs.
#[test]
fn altered_proofs_are_rejected_or_correct() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    // Unit propagation alone refutes some of Spot's formulas, so any proof of them is correct.
    let (mut rejected, mut correct) = (0, 0);
    for (k, (bench, answer)) in answers().into_iter().chain(answers()).enumerate() {
        let obligations = answer.obligations();
        let patterns = ["sat:toggles", "sat:owner/leaders=no", "sat:presses/xor=cut3"];
        let whole = match k.checked_sub(3) {
            None => proofs(certify(&obligations, &mut Budget::unlimited())),
            // Proofs by encodings have definitions and lemmas before the solver's steps.
            Some(k) => {
                by_encodings(&bench, &*bench.instance(&answer.instance_text()), &*answer, patterns[k])
                    .remove(0)
                    .1
            }
        };
        assert!(!whole.is_empty() && all_closed(&answer.check(&whole, &mut Budget::unlimited())));
        for _ in 0..60 {
            let mut altered = whole.clone();
            let k = rng.random_range(0..altered.len());
            let bytes = alter(&mut rng, whole[k].refutation.bytes());
            let refutation: Refutation = match rng.random_bool(0.9) {
                true => Drat(bytes).into(),
                false => Lrat(bytes).into(),
            };
            altered[k].refutation = refutation;
            let claims = answer.check(&altered, &mut Budget::unlimited());
            let claim = claims.iter().find(|claim| claim.text == whole[k].claim).unwrap();
            match claim.status {
                Status::Proved(_) => correct += 1,
                Status::Failed(_) => rejected += 1,
                ref other => panic!("{other}"),
            }
        }
    }
    assert!(rejected > 120 && rejected + correct == 360, "{rejected} {correct}");
}

/// Formulas exist for two colours only.
#[test]
fn boards_of_three_colours_have_no_obligations() {
    let bench = Bench::new("flip", &[("colours", "3")]);
    let answer = solve(&*bench.instance("012\n120\n201\n"), &bench, "search");
    assert!(answer.obligations().is_empty());
}

/// A proof that refutes another formula says nothing about the claim.
#[test]
fn proofs_of_other_formulas_close_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let mut seen = BTreeSet::new();
    for (_, answer) in answers() {
        for obligation in answer.obligations() {
            let dimacs = obligation.formula().unwrap().to_dimacs();
            let mut other = Formula::new();
            let x = other.var();
            [x, -x].into_iter().for_each(|lit| other.clause([lit]));
            for beside in [other, Formula::from_dimacs(dimacs.as_bytes()).unwrap()] {
                let elsewhere = beside != obligation.formula().unwrap();
                let proof =
                    Proof { formula: Some(beside), ..Proof::new(&obligation.claim, Drat::from("9 x")) };
                let empty = Proof { refutation: Drat::from("").into(), ..proof.clone() };
                let status = |proof: &Proof, mut budget: Budget| {
                    let claims = answer.check(std::slice::from_ref(proof), &mut budget);
                    claims.into_iter().find(|claim| claim.text == obligation.claim).unwrap().status
                };
                for budget in [Budget::unlimited(), Budget::of_work(0)] {
                    let found = status(&empty, budget);
                    // The empty proof refutes the other formula, and some of the checker's formulas. If the checker's
                    // own search closes the claim, no proof is needed.
                    let expected = if elsewhere { "proved for another formula" } else { "failed" };
                    let closed = found.is_closed() && (elsewhere || found.word() == "proved");
                    assert!(closed || found.word() == expected, "{found}");
                    seen.insert(found.word());
                }
            }
            for _ in 0..20 {
                // An altered formula is read or rejected, without a panic.
                drop(Formula::from_dimacs(&alter(&mut rng, dimacs.as_bytes())));
            }
        }
    }
    for word in ["proved for another formula", "recomputed", "failed"] {
        assert!(seen.contains(word), "{word}: {seen:?}");
    }
}

/// A forged answer with eight presses that change nothing, on a board that needs none, fails whatever proofs are
/// given.
#[test]
fn no_proof_hides_a_refutation() {
    let bench = Bench::new("flip", &[]);
    let instance = bench.instance(&"bbbb\n".repeat(4));
    let answer = solve(&*instance, &bench, "search");
    let mut json = answer.to_json("test", &[]);
    json["presses"] = serde_json::json!([[1, 1], [2, 1], [2, 2], [3, 1], [3, 3], [4, 2], [4, 3], [4, 4]]);
    let forged = bench.problem().restore(json.as_object().unwrap()).unwrap();
    let claim = &forged.obligations()[0].claim;
    let mut other = Formula::new();
    other.clause([]);
    let elsewhere = Proof { formula: Some(other), ..Proof::new(claim, Drat::from("")) };
    for proofs in [vec![], vec![elsewhere.clone()], vec![Proof::new(claim, Drat::from(""))]] {
        let claims = forged.check(&proofs, &mut Budget::unlimited());
        assert!(any_failed(&claims), "{claims:?}");
    }
    let claims = forged.check(&[elsewhere], &mut Budget::of_work(0));
    assert!(!all_closed(&claims), "{claims:?}");
}

/// An answer that the checker's own search refutes never counts as checked, even with the proofs of the original
/// answer.
#[test]
fn proofs_do_not_close_the_claims_of_altered_answers() {
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    for (bench, answer) in answers() {
        let proofs = proofs(certify(&answer.obligations(), &mut Budget::unlimited()));
        let json = answer.to_json("test", &[]).to_string();
        let mut read = 0;
        for _ in 0..400 {
            let mut bytes = json.clone().into_bytes();
            let at = rng.random_range(0..bytes.len());
            if !bytes[at].is_ascii_digit() {
                continue;
            }
            bytes[at] = b'0' + rng.random_range(0..10);
            let Ok(altered) = serde_json::from_slice::<serde_json::Value>(&bytes) else { continue };
            let Ok(altered) = bench.problem().restore(altered.as_object().unwrap()) else { continue };
            read += 1;
            let with = altered.check(&proofs, &mut Budget::unlimited());
            let without = altered.check(&[], &mut Budget::unlimited());
            assert!(
                !all_closed(&with) || !any_failed(&without),
                "{altered}",
                altered = altered.explain(&mut Budget::of_work(0)).text
            );
        }
        assert!(read > 0);
    }
}

/// Proofs of all obligations by the encodings of these engines. Panics if an encoding cannot be derived.
fn by_encodings(
    bench: &Bench,
    instance: &dyn DynInstance,
    answer: &dyn DynAnswer,
    patterns: &str,
) -> Vec<(EngineSpec, Vec<Proof>)> {
    let mut all = Vec::new();
    for engine in bench.engines(patterns).into_iter().filter(|engine| instance.supports(engine).is_ok()) {
        let mut certificates = Vec::new();
        for (k, obligation) in answer.obligations().iter().enumerate() {
            let mut encoding = Cnf::default();
            answer.obligation_formula(&engine, k, &mut encoding).unwrap();
            let made = certificate_of(
                obligation,
                &encoding,
                1 << 30,
                &mut Prover::default(),
                &mut Budget::unlimited(),
            );
            certificates.push(made.unwrap_or_else(|why| panic!("{engine}: {}: {why}", obligation.claim)));
        }
        all.push((engine, proofs(certificates)));
    }
    all
}

/// Asserts that the proofs alone close every obligation, and returns the number of obligations.
fn all_proved(answer: &dyn DynAnswer, engine: &EngineSpec, proofs: &[Proof]) -> usize {
    let claims = answer.check(proofs, &mut Budget::of_work(0));
    for obligation in answer.obligations() {
        let claim = claims.iter().find(|claim| claim.text == obligation.claim).unwrap();
        assert!(matches!(claim.status, Status::Proved(_)), "{engine}: {}: {}", claim.text, claim.status);
    }
    answer.obligations().len()
}

/// The encodings below, with these values of their axes, can be derived from the checker's plain formula and then
/// refuted.
#[test]
fn encodings_follow_from_the_plain_formula() {
    let ships = [
        "6 6\n..xxxx\nxxxxxx\noo.xxx\nxxxxxx\nxx.xxx\noo.oxo\n0 0\n",
        "5 4\n.....\n.x.x.\n.....\nx...x\n0 0\n",
    ];
    let flip = ["bwwb\nbbwb\nbwwb\nbwww\n", "bwb\nwwb\nbwb\n", "bwbwb\nwwwbb\n"];
    let spot = [
        "2\n? ? ?\n? ? ?\n? ? ?\n? ? ?\n0\n",
        "3\n1 1 +\n? ? ?\n2 2 +\n? ? -\n? 1 ?\n? ? ?\n0\n",
        "3\n? ? ?\n1 1 ?\n? ? -\n3 3 +\n3 3 -\n2 ? ?\n0\n",
    ];
    let either = [("target", "either")];
    let white = [("target", "white")];
    let torus = [("stencil", "torus"), ("target", "white")];
    let king = [("stencil", "king"), ("target", "white")];
    let lenient = [("lenient", "yes")];
    let counted = [("start", "counted")];
    type Given<'a> = (&'static str, &'a [(&'a str, &'a str)], &'a [&'a str], &'a str);
    let all: [Given<'_>; 8] = [
        ("ships", &[], &ships, "sat:{owner,placement}/amo=*/leaders=no"),
        ("flip", &either, &flip, "sat:presses/xor=*"),
        ("flip", &white, &flip, "sat:presses/xor=*"),
        ("flip", &torus, &flip[..2], "sat:presses/xor=*"),
        ("flip", &king, &flip, "sat:presses/xor={direct,cut4}"),
        ("spot", &[], &spot, "sat:toggles/amo=*"),
        ("spot", &lenient, &spot[1..], "sat:toggles"),
        ("spot", &counted, &spot, "sat:toggles"),
    ];
    for (problem, rules, texts, patterns) in all {
        let (bench, mut proved) = (Bench::new(problem, rules), 0);
        for text in texts {
            let instance = bench.instance(text);
            let answer = solve(&*instance, &bench, if problem == "spot" { "search:fill" } else { "search" });
            for (engine, proofs) in by_encodings(&bench, &*instance, &*answer, patterns) {
                proved += all_proved(&*answer, &engine, &proofs);
            }
        }
        assert!(proved > 2, "{problem} {rules:?}: {proved}");
    }
}
