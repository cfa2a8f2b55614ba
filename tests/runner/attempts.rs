//! Several attempts at a run: which of them counts.

use crate::experiment::{Experiment, said};
use counterpoint::record::{Findings, Record, Verdict};
use serde_json::{Value, json};

pub(crate) fn retries_count_even_if_the_clock_was_set_back() {
    let experiment = Experiment::of(r#"["search:even"]"#, "[4, 5]", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    // Change both records: the runs failed while the clock was years ahead. The first record loses its number, like a
    // record of a version that did not number attempts.
    experiment.edit(|lines| {
        for line in lines.iter_mut() {
            for gone in ["check", "outcome"] {
                line.as_object_mut().unwrap().remove(gone);
            }
            line["verdict"] = json!("failed");
            line["reason"] = json!("the power failed");
            line["start"] = json!("2099-01-01T00:00:00.000000Z");
        }
        lines[0].as_object_mut().unwrap().remove("attempt_number");
    });
    assert_eq!(experiment.run(&[]).status.code(), Some(2));
    let output = experiment.run(&["--retry"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(experiment.lines(), 4);
    assert!(experiment.records().iter().all(|record| record.is_solved() && record.attempt_number == Some(2)));
    let output = experiment.run(&["--retry"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(experiment.lines(), 4, "no run should be repeated");
    // A success after a failed attempt is not a duplicate, but a second success is.
    let status = || said(&experiment.command("status", &[]).output().unwrap());
    assert!(!status().contains("duplicate"), "{}", status());
    let copied = experiment.records().into_iter().map(|record| Record {
        attempt: format!("{}.copied", record.attempt),
        attempt_number: Some(3),
        start: "1999-01-01T00:00:00Z".to_owned(),
        ..record
    });
    let text: String = copied.map(|record| serde_json::to_string(&record).unwrap() + "\n").collect();
    std::fs::write(experiment.results().join("copied.jsonl"), text).unwrap();
    assert!(status().contains("2 of 2 runs have records; 2 duplicate attempts"), "{}", status());
    assert!(experiment.records().iter().all(|record| record.attempt_number == Some(2)));
}

pub(crate) fn the_first_attempt_that_did_not_fail_counts() {
    // An attempt: its name, its number (0 for none), whether it failed, and the year of its start.
    let attempt = |(name, number, failed, year): (&str, u32, bool, u32)| Record {
        attempt: name.to_owned(),
        attempt_number: Some(number).filter(|&number| number > 0),
        start: format!("{year}-01-01T00:00:00Z"),
        findings: Findings {
            verdict: Some(if failed { Verdict::Failed } else { Verdict::Limit }),
            ..Findings::default()
        },
        ..Record::default()
    };
    // In each list, the first attempt is the one that counts.
    let instances: [&[(&str, u32, bool, u32)]; 6] = [
        &[("b", 2, false, 2001), ("a", 1, true, 2030), ("c", 3, false, 1999), ("d", 4, true, 2040)],
        &[("c", 3, true, 2001), ("a", 1, true, 2030), ("b", 2, true, 2020)],
        &[("a", 2, false, 2001), ("b", 2, false, 2000), ("c", 2, false, 2002)],
        &[("a", 3, true, 2001), ("b", 3, true, 2000), ("c", 2, true, 2002)],
        // Attempts without a number come before an attempt with the number 1. Among them, the one that started last
        // counts.
        &[("b", 0, false, 2003), ("a", 0, false, 2001), ("c", 0, false, 2002), ("d", 1, false, 2005)],
        &[("a", 2, false, 2000), ("c", 0, true, 2030), ("b", 0, true, 2020)],
    ];
    for instance in instances {
        // The order of the records does not matter: try all rotations, forwards and backwards.
        for turn in 0..instance.len() {
            let mut order = instance.to_vec();
            order.rotate_left(turn);
            for _ in 0..2 {
                order.reverse();
                let counts = order.iter().map(|&one| attempt(one)).reduce(Record::counting).unwrap();
                assert_eq!(counts.attempt, instance[0].0, "{order:?}");
            }
        }
    }
    // An attempt with the largest possible number does not prevent further attempts.
    let experiment = Experiment::of(r#"["search:even"]"#, "4", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    experiment.edit(|lines| {
        lines[0]["attempt_number"] = json!(u32::MAX);
        lines[0]["cpu_s"] = Value::from(-1.0);
    });
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!(experiment.record("even").attempt_number, Some(u32::MAX));
}
