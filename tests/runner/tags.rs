//! Tags: words of a plan in records, as filters and as columns. They are not part of a run's identity.

use crate::experiment::{Experiment, said};
use std::collections::BTreeSet;
use std::fs;

const PLAN: &str = "problem = \"flip\"\nengines = [\"search\", \"sat:presses/xor={direct,cut3}\"]
[[family]]\nname = \"random\"\nn = 3\nseeds = \"1..=2\"\n";

const TAGGED: &str = "problem = \"flip\"\nengines = [\"search\", \"sat:presses/xor={direct,cut3}\"]
[tags]\nlong = \"sat:*\"\nours = [\"search\", \"sat:*/xor=cut3\"]
[[family]]\nname = \"random\"\nn = 3\nseeds = \"1..=2\"\ntags = [\"small\", \"first\"]
[[family]]\nname = \"random\"\nn = 3\nseeds = \"2..=3\"\ntags = \"second\"\n";

pub(crate) fn tags_change_without_repeating_runs() {
    let experiment = Experiment::new(PLAN);
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let keys: BTreeSet<String> = experiment.essence().into_keys().collect();
    assert_eq!((keys.len(), experiment.lines()), (6, 6));
    fs::write(experiment.path().join("plan.toml"), TAGGED).unwrap();
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!(experiment.lines(), 9, "only seed 3 is new");
    assert!(experiment.essence().keys().cloned().collect::<BTreeSet<_>>().is_superset(&keys));
    // New records contain the tags. Earlier ones get those of the present plan when they are read.
    let tagged = |seed: u64| {
        let records = experiment.records();
        let tags = records.iter().find(|record| record.seed == seed && record.side == "search").unwrap();
        tags.tags.words().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((tagged(1), tagged(3)), (vec![], vec!["second".to_owned(), "ours".to_owned()]));
    let status = |args: &[&str]| said(&experiment.command("status", args).output().unwrap());
    let csv = status(&["--records", "csv"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let cells: BTreeSet<String> = lines
        .map(|row| ["seed", "engine", "tags_family", "tags_engine"].map(|name| row[at(name)]).join(": "))
        .collect();
    assert!(cells.contains("1: sat:presses: small first: long"), "{cells:?}");
    // Seed 2 is in both families.
    assert!(cells.contains("2: search:algebra: small first second: ours"), "{cells:?}");
    assert!(cells.contains("3: sat:presses/xor=cut3: second: long ours"), "{cells:?}");
    // With other tags again, no run is missing.
    fs::write(experiment.path().join("plan.toml"), TAGGED.replace("ours", "other")).unwrap();
    let output = experiment.run(&[]);
    assert!(said(&output).contains("all 9 runs of"), "{}", said(&output));
    assert!(status(&["--records", "jsonl"]).contains(r#""tags":{"family":["second"],"engine":["other"]}"#));
}

pub(crate) fn tags_are_filters_and_columns() {
    let experiment = Experiment::new(TAGGED);
    let status = |args: &[&str]| said(&experiment.command("status", args).output().unwrap());
    // The conditions hold for runs without records, too.
    assert!(status(&["--only", "tag=second"]).contains("0 of 6 runs have records; --only leaves out 3 runs"));
    assert_eq!(experiment.run(&["-j", "2"]).status.code(), Some(0));
    for (conditions, runs) in [
        (&["tag=small"][..], 6),
        (&["tag=small", "tag=second"], 3),
        (&["tag=small,second"], 9),
        (&["tag=ours", "seed=3"], 2),
        (&["tags_engine=", "seed=1"], 0),
        (&["n=3"], 9),
        (&["engine=search:algebra"], 3),
    ] {
        let args: Vec<&str> = conditions.iter().flat_map(|condition| ["--only", condition]).collect();
        let said = status(&args);
        if runs == 0 {
            assert!(said.contains("no run has tags_engine = ;"), "{conditions:?}: {said}");
            continue;
        }
        assert!(said.contains(&format!("{runs} of {runs} runs have records")), "{conditions:?}: {said}");
        let records = status(&[&args[..], &["--records", "jsonl"]].concat());
        assert_eq!(records.lines().count(), runs, "{conditions:?}: {records}");
    }
    let table = status(&["--by", "tags_family", "--only", "side=search"]);
    let words: Vec<&str> =
        table.lines().skip(2).take(3).map(|line| line.split("search").next().unwrap().trim()).collect();
    assert_eq!(words, ["second", "small first", "small first second"], "{table}");
    for (condition, why) in [
        ("tag=smal", "no run has tag = smal; did you mean 'small'?"),
        ("tagg=small", "no record has a column 'tagg'"),
        ("small", "expected COLUMN=VALUE"),
    ] {
        let output = experiment.command("status", &["--only", condition]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{condition}");
        assert!(said(&output).contains(why), "{condition}: {}", said(&output));
    }
    // In reports, too.
    let figure = "[about]\nfinding = \"{count | tag=small} of {count}\"
[[figure]]\nkind = \"quantile\"\nfacet = \"tags_family\"\nonly = { tag = \"second\" }
[[table]]\nby = \"tags_engine\"\nonly = { tags_family = \"first\" }\n";
    fs::write(experiment.path().join("plan.toml"), TAGGED.to_owned() + figure).unwrap();
    let output = experiment.command("report", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let readme = fs::read_to_string(experiment.path().join("README.md")).unwrap();
    assert!(readme.contains("**Finding.** 6 of 9"), "{readme}");
    assert!(readme.contains("| long ours | sat:presses"), "{readme}");
    let figure = fs::read_to_string(experiment.path().join("figures/quantile.svg")).unwrap();
    assert!(figure.contains(">family tags second<") && figure.contains(">family tags small first second<"));
}

pub(crate) fn errors_in_tags_have_a_position() {
    let plan = |tags: &str, family: &str| {
        format!(
            "problem = \"flip\"\nengines = \"search\"\n{tags}\n[[family]]\nname = \"random\"\ntags = {family}\n"
        )
    };
    for (plan, expected) in [
        (
            plan("", "[\"a\", \"two words\"]"),
            "plan.toml:6:14: \"two words\" is not a valid tag; expected one word",
        ),
        (plan("", "[\"a\", 3]"), "plan.toml:6:14: expected a string, found 3"),
        (
            plan("tags = { ours = \"sat\" }", "[]"),
            "plan.toml:3:17: 'sat' matches none of the engines; there are search:algebra",
        ),
        (plan("tags = { ours = \"serch\" }", "[]"), "plan.toml:3:17: 'serch' matches none of the engines"),
        (plan("tags = { \"\" = \"search\" }", "[]"), "plan.toml:3:10: \"\" is not a valid tag"),
        (plan("tags = \"ours\"", "[]"), "plan.toml:3:8: expected a table, found \"ours\""),
    ] {
        let output = Experiment::new(&plan).run(&["--dry-run"]);
        assert_eq!(output.status.code(), Some(2), "{plan}");
        assert!(said(&output).contains(expected), "{plan}\n{}", said(&output));
    }
}
