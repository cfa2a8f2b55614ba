//! Mutated games and answers: none of them makes a reader, an engine or a checker panic.

mod answers;
mod program;
mod trailing;

use crate::bench::{Bench, check};
use chacha20::ChaCha8Rng;
use counterpoint::engine::{Budget, Outcome};
use counterpoint::erased::JudgeJob;
use counterpoint::input::{Source, Warnings};
use rand::{RngExt, SeedableRng};
use serde_json::Value;

const PROBLEMS: [&str; 3] = ["spot", "ships", "flip"];

/// Bytes that have a meaning to some reader, and bytes that have none.
const BYTES: &[u8] = b"0123456789 \n\r\t+-?xo.bwqQ,\0\xff\xef";

fn mutate(rng: &mut ChaCha8Rng, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..rng.random_range(1..=6) {
        let at = rng.random_range(0..=bytes.len());
        let byte = BYTES[rng.random_range(0..BYTES.len())];
        match rng.random_range(0..5) {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            3 => bytes.extend_from_within(at..),
            _ if at < bytes.len() => bytes[at] = byte,
            _ => {}
        }
    }
    bytes
}

#[test]
fn mutated_games_are_answered_or_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut answered, mut refused) = (0, 0);
    for name in PROBLEMS {
        // Spot's games are also read with `limit=none` and `lenient=yes`.
        let other: &[&[(&str, &str)]] =
            if name == "spot" { &[&[], &[("limit", "none"), ("lenient", "yes")]] } else { &[&[]] };
        for &rules in other {
            let bench = Bench::new(name, rules);
            for round in 0..3_000 / other.len() {
                let text = mutate(&mut rng, bench.problem().info().sample.as_bytes());
                let engine = &bench.engines(if round % 5 == 0 { "sat" } else { "search" })[0];
                let job = JudgeJob {
                    settings: &bench.settings,
                    engine,
                    source: Source::new("m", &text[..]),
                    budget: &|| Budget::of_work(3_000),
                    warn: &|_| {},
                    running: &|_| {},
                };
                match bench.problem().judge(job, &mut Vec::new()) {
                    Ok(_) => answered += 1,
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().is_empty());
                    }
                }
                let warnings = Warnings::default();
                let instances =
                    bench.problem().open(&bench.settings, Source::new("m", &text[..]), &warnings).unwrap();
                for instance in instances.filter_map(Result::ok).take(3) {
                    assert_eq!(
                        bench.instance(&instance.text()).hash(),
                        instance.hash(),
                        "{}",
                        instance.text()
                    );
                    if let Outcome::Decided(answer) = instance.solve(engine, &mut Budget::of_work(3_000)) {
                        answer.check(&[], &mut Budget::of_work(3_000));
                        answer.explain(&mut Budget::of_work(3_000)).boards.svg();
                    }
                }
            }
        }
    }
    assert!(answered > 300 && refused > 3_000, "{answered} answered, {refused} refused");
}

/// Replaces each part of a JSON value by something else, with probability `p`. Lists may also lose or repeat an item.
fn disturb(rng: &mut ChaCha8Rng, p: f64, value: &mut Value) {
    let odd = [
        Value::Null,
        Value::from(0),
        Value::from(1),
        Value::from(17),
        Value::from(-1),
        Value::from(1.5),
        Value::from(u64::MAX),
        Value::from("x"),
        Value::from(Vec::<u32>::new()),
        Value::from(vec![1, 1]),
    ];
    if rng.random_bool(p) {
        *value = odd[rng.random_range(0..odd.len())].clone();
        return;
    }
    match value {
        Value::Array(list) => {
            if rng.random_bool(p) && !list.is_empty() {
                let at = rng.random_range(0..list.len());
                let item = list[at].clone();
                if rng.random() { list.push(item) } else { drop(list.remove(at)) }
            }
            list.iter_mut().for_each(|item| disturb(rng, p, item));
        }
        // These members are not changed, because a change to them is refused before anything else is read.
        Value::Object(map) => {
            let kept = ["instance", "instance_hash", "problem", "version", "rules"];
            map.iter_mut().filter(|(k, _)| !kept.contains(&k.as_str())).for_each(|(_, v)| disturb(rng, p, v));
        }
        _ => {}
    }
}

#[test]
fn disturbed_answers_are_refused_or_checked() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for name in PROBLEMS {
        let bench = Bench::new(name, &[]);
        let mut read = 0;
        for instance in bench.instances(bench.problem().info().sample) {
            let Outcome::Decided(answer) =
                instance.solve(&bench.engines("search")[0], &mut Budget::unlimited())
            else {
                continue;
            };
            let json = answer.to_json("test", &[]);
            for _ in 0..150 {
                let mut other = json.clone();
                // About one change per answer, whatever its length.
                disturb(&mut rng, (4.0 / json.to_string().len() as f64).min(0.1), &mut other);
                let Some(map) = other.as_object() else { continue };
                if let Ok(answer) = bench.problem().restore(map) {
                    read += 1;
                    assert!(!check(&*answer).is_empty());
                    answer.obligations();
                    answer.explain(&mut Budget::of_work(3_000)).boards.svg();
                }
            }
        }
        assert!(read > 20, "{name}: {read}");
    }
}
