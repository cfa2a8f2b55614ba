//! `status --verify` finds altered records that look valid when they are read.

use crate::experiment::{Experiment, said};
use serde_json::{Value, json};
use std::process::Output;

fn verify(experiment: &Experiment) -> Output {
    experiment.command("status", &["--verify"]).output().unwrap()
}

pub(crate) fn altered_records_are_found() {
    let engines = r#"["search:even", "search:liar", "search:polite"]"#;
    let fresh = || {
        let more = "keep = \"all\"\nlimits = { work = 1000 }";
        let experiment = Experiment::of(engines, "[4, 1001]", more);
        assert_eq!(experiment.run(&[]).status.code(), Some(1));
        experiment
    };
    let experiment = fresh();
    let output = verify(&experiment);
    assert_eq!(output.status.code(), Some(1), "the liar should still be wrong: {}", said(&output));
    assert!(said(&output).contains("verified: 6 answers match their records\n"), "{}", said(&output));
    // The engine and the number of a record, the field that is changed, its new value, and the message.
    let instances: [(&str, u64, &str, Value, &str); 9] = [
        (
            "liar",
            4,
            "check",
            json!("checked"),
            "check is \"checked\", but checking the answer again gives \"wrong\"",
        ),
        (
            "liar",
            4,
            "check",
            json!("open"),
            "check is \"open\", but checking the answer again gives \"wrong\"",
        ),
        (
            "even",
            4,
            "check",
            json!("wrong"),
            "check is \"wrong\", but checking the answer again gives \"checked\"",
        ),
        (
            "even",
            4,
            "check",
            json!("open"),
            "check is \"open\", but checking the answer again gives \"checked\"",
        ),
        (
            "even",
            1001,
            "check",
            json!("checked"),
            "check is \"checked\", but checking the answer again gives \"open\"",
        ),
        ("even", 4, "outcome", json!("odd"), "outcome is \"odd\", but its answer says \"even\""),
        ("polite", 4, "outcome", json!("odd"), "outcome is \"odd\", but its answer says \"even\""),
        ("even", 4, "answer", json!(7), "its answer is not a JSON object"),
        (
            "even",
            4,
            "answer",
            json!({"problem": "parity"}),
            "its answer belongs to another run: \"engine\" differs",
        ),
    ];
    for (engine, n, field, value, message) in instances {
        let experiment = fresh();
        let mut place = String::new();
        experiment.edit(|lines| {
            let wanted = |line: &&mut Value| line["encoding"] == engine && line["params"]["n"] == n;
            let (i, line) = lines.iter_mut().enumerate().find(|(_, line)| wanted(line)).unwrap();
            line[field] = value.clone();
            place = format!(".jsonl:{}: run {}", i + 1, line["key"].as_str().unwrap());
        });
        let output = verify(&experiment);
        assert_eq!(output.status.code(), Some(1), "{field} {value}: {}", said(&output));
        let text = said(&output);
        assert!(text.contains(message) && text.contains(&place), "{field} {value}: {text}");
        assert!(text.contains("5 answers match their records; 1 records ALTERED"), "{text}");
    }
    // A record whose verdict was changed from a decided run to a limit; its answer remains.
    let experiment = fresh();
    experiment.edit(|lines| {
        let line = lines.iter_mut().find(|line| line["check"] == "wrong").unwrap().as_object_mut().unwrap();
        line.remove("check");
        line.insert("verdict".to_owned(), json!("limit"));
        line.insert("limit".to_owned(), json!("cpu"));
    });
    let output = verify(&experiment);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("verdict is \"limit\", but its answer is decided"), "{}", said(&output));
}

pub(crate) fn hidden_contradictions_are_found() {
    // The checker leaves claims about numbers above 1,000 open.
    let experiment = Experiment::of(r#"["search:even", "search:liar"]"#, "1001", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(1));
    experiment.edit(|lines| {
        for line in lines {
            line.as_object_mut().unwrap().remove("contradicts");
        }
    });
    let output = verify(&experiment);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("\"contradicts\" is absent, but its answer contradicts the answer of run "),
        "{}",
        said(&output)
    );
    // Missing answers are counted, and rejected lines make the command fail.
    let experiment = Experiment::of(r#"["search:even"]"#, "[1, 2]", "keep = \"none\"");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let output = verify(&experiment);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let expected = "verified: 0 answers match their records; 2 records without their answer";
    assert!(said(&output).contains(expected), "{}", said(&output));
    experiment.edit(|lines| lines[0]["cpu_s"] = json!(-1));
    let output = verify(&experiment);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("1 lines not counted"), "{}", said(&output));
}

pub(crate) fn proofs_are_derived_again() {
    let plan = "problem = \"ships\"\nengines = [\"search\", \"sat\"]\ncertify = true\nkeep = \"all\"
[[family]]\nname = \"hard\"\nn = 8\nseeds = \"1..=2\"\n";
    let experiment = Experiment::new(plan);
    assert_eq!(experiment.run(&["-j", "2"]).status.code(), Some(0));
    let output = verify(&experiment);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("verified: 4 answers match their records\n"), "{}", said(&output));
    experiment.edit(|lines| {
        for line in lines {
            line["answer"]["outcome"] = json!("yes.");
            line["outcome"] = json!("yes.");
        }
    });
    let output = verify(&experiment);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}
