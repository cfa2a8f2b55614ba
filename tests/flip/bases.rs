//! Certificates of `all-ones` that contain a basis of the null space: examined coset by coset, and forged.

use crate::bench::Bench;
use crate::studies::{check, closed, forged, study};
use counterpoint::claim::{Claim, Status};
use counterpoint::engine::Budget;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// If transforms have found the result, the certificate has a basis of the null space in two parts, by which the checker
/// examines all solutions. The result is that of the checker's branch and bound, however the basis is split.
#[test]
fn certificates_with_a_basis_are_checked_coset_by_coset() {
    for (n, nullity) in [("16", "8"), ("19", "16"), ("23", "14"), ("30", "20"), ("33", "16")] {
        let params = [("n", n), ("unfolded", "0"), ("symmetric", "0"), ("transform", "20")];
        let mut recorded = study("all-ones", &[], &params).certificate;
        let board = recorded["boards"][0].clone();
        let Some(second) = board.get("second") else {
            // Small null spaces are enumerated, so no transform is needed.
            assert_eq!(n, "16");
            continue;
        };
        assert_eq!(board["nullity"].to_string(), nullity, "{n}");
        let basis: Vec<Value> =
            [&board["first"], second].into_iter().flat_map(|part| part.as_array().unwrap().clone()).collect();
        let mut plain = recorded.clone();
        let members = plain["boards"][0].as_object_mut().unwrap();
        members.retain(|key, _| !["first", "second", "symmetry"].contains(&key.as_str()));
        closed(&recorded);
        closed(&plain);
        for first in (0..=basis.len().min(12)).step_by(4) {
            recorded = forged(&recorded, "first", json!(basis[..first]));
            recorded = forged(&recorded, "second", json!(basis[first..]));
            recorded = forged(&recorded, "symmetry", json!("none"));
            closed(&recorded);
            let claims =
                check(&forged(&recorded, "presses", json!(board["presses"].as_u64().unwrap() + 2))).unwrap();
            assert_eq!(
                claims[2].status,
                Status::Failed(format!("{} presses suffice", board["presses"])),
                "{n} {first}"
            );
        }
    }
}

/// 61×61 and 65×65, whose complete check takes minutes: a part of the cosets is examined, and the basis and the symmetry
/// are verified. Forgeries are refused.
#[test]
fn forged_bases_are_refused() {
    for (n, presses, symmetry) in [(61, 1629, "diagonal"), (65, 1867, "mirror")] {
        let path =
            format!("{}/experiments/certificates/minutes/flip-all-ones-{n}.json", env!("CARGO_MANIFEST_DIR"));
        let genuine: Map<String, Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let checked = |certificate: &Map<String, Value>| -> Result<Vec<Claim>, String> {
            Ok(Bench::new("flip", &[]).problem().check_study(certificate, &mut Budget::of_work(1000))?)
        };
        let last = |certificate: &Map<String, Value>| checked(certificate).unwrap().pop().unwrap().status;
        // Cosets that the symmetry exchanges with earlier ones count, too.
        let cosets = 1u64 << genuine["boards"][0]["first"].as_array().unwrap().len();
        let open = format!("work limit; no solution has fewer in 512 of {cosets} cosets");
        assert_eq!(genuine["boards"][0]["symmetry"], symmetry);
        for symmetry in [symmetry, "none"] {
            assert_eq!(last(&forged(&genuine, "symmetry", json!(symmetry))), Status::Open(open.clone()));
        }
        // A bound that is too low contradicts the presses.
        let claims = checked(&forged(&genuine, "presses", json!(presses - 2))).unwrap();
        assert_eq!(claims[1].status, Status::Failed(format!("there are {presses} presses")));
        let board = &genuine["boards"][0];
        let part = |key: &str| board[key].as_array().unwrap().clone();
        let refused = |forged: &Map<String, Value>, why: &str| {
            assert_eq!(checked(forged), Err(format!("board 1: {why}")), "{n}");
        };
        let mut changed = part("second");
        changed[3] = part("first")[3].clone();
        let depends = format!("vector {} of the basis depends on earlier ones", part("first").len() + 4);
        refused(&forged(&genuine, "second", json!(changed)), &depends);
        changed[3] = board["rows"][0].clone();
        refused(
            &forged(&genuine, "second", json!(changed)),
            "vector 4 of \"second\" is not in the null space",
        );
        let dropped = format!(
            "the basis has {} vectors, but the null space has {} dimensions",
            board["nullity"].as_u64().unwrap() - 1,
            board["nullity"]
        );
        refused(&forged(&genuine, "first", json!(part("first")[1..])), &dropped);
        refused(&forged(&genuine, "second", json!(part("second")[1..])), &dropped);
        refused(
            &forged(&genuine, "symmetry", json!("half turn")),
            "\"symmetry\" is not one of none, diagonal, mirror",
        );
        if symmetry == "diagonal" {
            // One vector of each part exchanged is still a basis, but the diagonal moves its second part.
            let [mut first, mut second] = [part("first"), part("second")];
            std::mem::swap(&mut first[0], &mut second[0]);
            let swapped = forged(&forged(&genuine, "first", json!(first)), "second", json!(second));
            refused(&swapped, "\"symmetry\" does not permute the cosets of the second part");
        } else {
            let other = forged(&genuine, "symmetry", json!("diagonal"));
            refused(&other, "\"symmetry\" does not permute the cosets of the second part");
        }
    }
}

/// The script that checks certificates without this program finds all boards least whose null space is small, and
/// refuses a number of presses that is not theirs.
#[test]
fn the_script_in_python_agrees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/certificates");
    let run = |file: &Path| {
        let mut command = Command::new("python3");
        command.arg(folder.join("check_all_ones.py")).arg(file).arg("12").output()
    };
    let file = folder.join("flip-all-ones-60.json");
    let Ok(out) = run(&file) else {
        eprintln!("skipped: there is no python3");
        return;
    };
    let printed = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && printed.contains(": 52 least, 8 upper bound"), "{printed}");
    let mut certificate: Map<String, Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    certificate["boards"] = json!([certificate["boards"][3]]);
    // The heavier of two solutions of 4x4, which it calls the fewest presses.
    let heavier =
        (1..16).map(|first: u32| (0..4).map(|c| if first >> c & 1 == 1 { '1' } else { '0' }).collect());
    let forged_file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("all-ones-forged.json");
    let mut refused = 0;
    for row in heavier.collect::<Vec<String>>() {
        certificate["boards"][0]["rows"] = json!([row]);
        for presses in [6, 8, 10] {
            certificate["boards"][0]["presses"] = json!(presses);
            fs::write(&forged_file, serde_json::to_vec(&certificate).unwrap()).unwrap();
            let out = run(&forged_file).unwrap();
            assert!(!out.status.success(), "{row} {presses}");
            refused += usize::from(String::from_utf8(out.stderr).unwrap().contains("4x4: 4 presses suffice"));
        }
    }
    assert!(refused > 0);
}
