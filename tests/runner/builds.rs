//! Records of several builds in one set: `run` adds them only with `--accept-build`, each record keeps its build, and
//! reports distinguish the builds.

use crate::experiment::{Experiment, said};
use std::fs;

/// Makes all records look like those of another build, with an environment of their own.
fn rebuild(experiment: &Experiment) {
    let files: Vec<_> =
        fs::read_dir(experiment.results()).unwrap().map(|entry| entry.unwrap().path()).collect();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        if let Some(at) = text.find("\"binary_hash\": \"") {
            let (before, after) = (&text[..at + 16], &text[at + 28..]);
            fs::remove_file(&path).unwrap();
            let path = path.with_file_name("surroundings-000000000000.json");
            fs::write(path, format!("{before}00000000aaaa{after}")).unwrap();
        } else {
            let at = text.find("\"surroundings\":\"").unwrap() + 16;
            fs::write(&path, text.replace(&text[at..at + 12], "000000000000")).unwrap();
        }
    }
}

fn extend(experiment: &Experiment, from: &str, to: &str) {
    let path = experiment.path().join("plan.toml");
    let plan = fs::read_to_string(&path).unwrap();
    assert!(plan.contains(from));
    fs::write(&path, plan.replace(from, to)).unwrap();
}

pub(crate) fn another_build_is_added_only_if_it_is_accepted() {
    let experiment = Experiment::of(r#"["search:even"]"#, "[1, 2]", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    rebuild(&experiment);
    // If no run is missing, there is no error.
    assert_eq!(experiment.run(&["--dry-run"]).status.code(), Some(0));
    extend(&experiment, r#"["search:even"]"#, r#"["search:even", "search:slow"]"#);
    // A dry run reports the error that the run would have.
    let dry = experiment.run(&["--dry-run"]);
    assert_eq!(dry.status.code(), Some(2), "{}", said(&dry));
    assert!(said(&dry).contains("missing runs: 2;"), "{}", said(&dry));
    assert!(said(&dry).contains("without --dry-run, this command would fail"), "{}", said(&dry));
    let refused = experiment.run(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    for output in [&dry, &refused] {
        let words = said(output);
        assert!(words.contains("another build of this program (00000000aaaa of "), "{words}");
        assert!(words.contains("--accept-build") && words.contains("--set NAME"), "{words}");
    }
    assert_eq!(experiment.lines(), 2);
    let dry = experiment.run(&["--dry-run", "--accept-build"]);
    assert_eq!(dry.status.code(), Some(0), "{}", said(&dry));
    let accepted = experiment.run(&["--accept-build"]);
    assert_eq!(accepted.status.code(), Some(0), "{}", said(&accepted));
    assert_eq!(experiment.lines(), 4, "runs with records should not be repeated");
    let build = |engine: &str| {
        let records = experiment.records();
        let of = records.into_iter().filter(|record| record.encoding == engine);
        of.map(|record| record.build.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(build("even"), ["00000000aaaa"; 2]);
    let own = build("slow").remove(0);
    assert_ne!(own, "00000000aaaa");
    // Once a build is accepted, its further runs need no option.
    extend(&experiment, "[1, 2]", "[1, 2, 3]");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!(experiment.lines(), 6);
    // Records do not contain the build. They name their environment, which contains it.
    for entry in fs::read_dir(experiment.results()).unwrap().flatten() {
        assert!(!fs::read_to_string(entry.path()).unwrap().contains("\"build\""));
    }
    assert_builds_are_distinguished(&experiment, &own);
}

fn assert_builds_are_distinguished(experiment: &Experiment, own: &str) {
    let status = |args: &[&str]| said(&experiment.command("status", args).output().unwrap());
    let by = status(&["--by", "build"]);
    let row = |build: &str, engine: &str| {
        by.lines().any(|line| line.split_whitespace().take(3).eq([build, engine, "2"]))
    };
    assert!(row("00000000aaaa", "search:even"), "{by}");
    assert!(by.contains(own) && by.contains("records of 2 builds"), "{by}");
    let csv = status(&["--records", "csv"]);
    let at = csv.lines().next().unwrap().split(',').position(|name| name == "build").unwrap();
    assert_eq!(
        csv.lines().filter(|line| line.split(',').nth(at) == Some("00000000aaaa")).count(),
        2,
        "{csv}"
    );
    let report = experiment.command("report", &[]).output().unwrap();
    let words = said(&report);
    assert_eq!(report.status.code(), Some(0), "{words}");
    assert!(words.contains("on 2 of 3 instances, engines are compared"), "{words}");
    let read = |name: &str| fs::read_to_string(experiment.path().join(name)).unwrap();
    let engines = read("report/tables/engines.csv");
    assert!(engines.lines().next().unwrap().ends_with(",build"), "{engines}");
    assert!(engines.contains(&format!("\"00000000aaaa, {own}\"")), "{engines}");
    assert!(read("README.md").contains("**Builds.** On 2 of 3 instances"), "{}", read("README.md"));
    assert!(read("report/report.html").contains(r#""name":"build""#));
}

pub(crate) fn a_single_build_has_no_column() {
    let experiment = Experiment::of(r#"["search:even", "search:slow"]"#, "[1, 2]", "");
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    let report = experiment.command("report", &[]).output().unwrap();
    assert_eq!(said(&report).lines().count(), 1, "{}", said(&report));
    for name in ["report/tables/engines.csv", "README.md", "report/report.html"] {
        let text = fs::read_to_string(experiment.path().join(name)).unwrap();
        assert!(!text.contains("**Builds.**") && !text.contains(r#""name":"build""#), "{name}");
    }
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(!status.contains("build"), "{status}");
}
