//! Hypotheses that are stated before the runs: their verdicts on invented records, and errors in their file.

use crate::invented::{folder, invented};
use crate::reports::output_text;
use counterpoint::record::{Check, Findings, Origin, Run, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PLAN: &str = r#"
problem = "flip"
engines = ["search:algebra", "sat:presses@{varisat,batsat}"]
limits = { cpu = "9s" }
[[family]]
name = "random"
n = [2, 3]
seeds = "1..=10"
"#;

const HYPOTHESES: &str = r#"
title = "Search wins"
claim = "Search is faster than SAT."
level = 0.05
[[hypothesis]]
name = "S1"
text = "Search is much faster."
experiment = "001"
faster = "search:algebra"
slower = "sat:presses"
by = 15
share = 0.75
[[hypothesis]]
name = "S2"
experiment = "race"
faster = "sat:presses"
slower = "search:algebra"
[[hypothesis]]
name = "S3"
experiment = "001"
faster = "search:algebra"
slower = "sat:presses"
by = 55
[[hypothesis]]
name = "E1"
experiment = "001"
equal = ["sat:presses@batsat", "sat:presses"]
within = 1.5
share = 0.75
power = 0.9
[[hypothesis]]
name = "E2"
experiment = "001"
equal = ["sat:presses", "search:algebra"]
within = 1.5
[[hypothesis]]
name = "G1"
experiment = "001"
engine = "search:algebra"
growth = "work_conflicts"
over = "n"
above = 1
[[hypothesis]]
name = "W1"
experiment = "001"
solved = "search:algebra"
more-than = "sat:presses"
[[hypothesis]]
name = "N1"
experiment = "002"
faster = "search:algebra"
slower = "sat:presses"
column = "work_conflicts"
only = { n = 3 }
"#;

/// SAT takes 10 · seed times as long as search, and `batsat` 5 % longer. With the seeds 9 and 10, SAT reaches its
/// limit. Conflicts grow fourfold with n.
fn findings(run: &Run) -> Findings {
    let Origin::Family { params, seed, .. } = &run.origin else { panic!("{:?}", run.origin) };
    let n: u32 = params.iter().find(|(name, _)| name == "n").unwrap().1.parse().unwrap();
    let seconds = *seed as f64 / 10.0;
    let (cpu_s, is_solved) = match run.engine.as_str() {
        "search:algebra" => (0.01, true),
        _ if *seed >= 9 => (9.0, false),
        "sat:presses" => (seconds, true),
        _ => (1.05 * seconds, true),
    };
    Findings {
        verdict: Some(if is_solved { Verdict::Decided } else { Verdict::Limit }),
        check: is_solved.then_some(Check::Checked),
        limit: (!is_solved).then(|| "cpu".to_owned()),
        outcome: is_solved.then(|| "1 press".to_owned()),
        cpu_s: Some(cpu_s),
        work: [("conflicts".to_owned(), 4u64.pow(n) * (10 + seed))].into(),
        ..Findings::default()
    }
}

/// A folder with a measured experiment, one that is not measured, and a file of hypotheses.
fn folder_with(name: &str, hypotheses: &str) -> PathBuf {
    let home = folder(name);
    invented(&format!("{name}/experiments/001-race"), PLAN, |_, _, run| findings(run));
    fs::create_dir_all(home.join("experiments/002-later")).unwrap();
    fs::write(home.join("experiments/002-later/plan.toml"), PLAN).unwrap();
    fs::write(home.join("experiments/hypotheses.toml"), hypotheses).unwrap();
    home
}

fn report(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.current_dir(home).arg("report").args(args).output().unwrap()
}

#[test]
fn each_verdict_is_reached() {
    let home = folder_with("hypotheses", HYPOTHESES);
    let output = report(&home, &[]);
    assert!(output.status.success(), "{}", output_text(&output));
    let read = |name: &str| fs::read_to_string(home.join("experiments").join(name)).unwrap();
    let page = read("hypotheses.md");
    // The p-values are sums of binomial coefficients over 2^20, times the number of hypotheses with no smaller p-value.
    // Two of twenty ratios are at most 15; the four censored ones are at least 900. The interval is from the 6th
    // smallest to the 6th largest ratio.
    for row in [
        "| S1 | 55.0 | 30.0 to 80.0 | 20 | 56 | 0.0002 | 0.0014 | supported |",
        "| S2 | 0.0183 | 0.0125 to 0.0333 | 20 |  | 1.0000 | 1.0000 | refuted |",
        "| S3 | 55.0 | 30.0 to 80.0 | 20 |  | 0.5881 | 1.0000 | undecided |",
        // Of twenty ratios, sixteen are 1.05, and four are unknown because neither engine solves the instance.
        "| E1 | 1.05 | 1.05 | 20 | 68 | 0.0059 | 0.0355 | supported |",
        "| E2 | 55.0 | 30.0 to 80.0 | 20 |  | 1.0000 | 1.0000 | refuted |",
        "| W1 | 20 and 16 solved; only by one: 4 and 0 | 39.8 % to 100 % | 4 of 20 |  | 0.0625 | 0.3125 | undecided |",
        "| N1 |  |  |  |  |  |  | not measured |",
    ] {
        assert!(page.contains(row), "{row}\n{page}");
    }
    let growth = page.lines().find(|line| line.starts_with("| G1 | 2.00 | ")).unwrap();
    assert!(growth.ends_with(" | 20 |  | &lt; 0.0001 | 0.0008 | supported |"), "{growth}");
    assert!(page.contains("# Search wins\n\n**Claim.** Search is faster than SAT.\n"), "{page}");
    let sentence =
        "**S1.** Search is much faster. [001](001-race/README.md): in the median over instances, `cpu_s` of";
    assert!(page.replace('\n', " ").contains(sentence), "{page}");
    assert!(read("README.md").contains(
        "[Hypotheses that were stated before the runs](hypotheses.md): 3 supported, 2 refuted, 2 undecided, 1 not measured.\n"
    ));
    let csv = read("hypotheses.csv");
    assert!(
        csv.starts_with("hypothesis,experiment,estimate from,estimate to,interval from,interval to,planned,"),
        "{csv}"
    );
    assert!(csv.contains("\nW1,001-race,1,1,0.397635364383525"), "{csv}");
    assert!(csv.ends_with("\nN1,002-later,,,,,10,,,,,,not measured\n"), "{csv}");
    let tex = read("hypotheses.tex");
    for line in [
        r"\newcommand{\hypothesisSOneEstimate}{55.0}",
        r"\newcommand{\hypothesisWOneInterval}{39.8 \% to 100 \%}",
        r"\newcommand{\hypothesisNOneVerdict}{not measured}",
        r"\newcommand{\tableHypotheses}{%",
    ] {
        assert!(tex.lines().any(|found| found == line), "{line}\n{tex}");
    }
}

#[test]
fn the_files_are_checked_and_repeat() {
    let home = folder_with("hypotheses-checked", HYPOTHESES);
    let files = ["hypotheses.md", "hypotheses.csv", "hypotheses.tex", "README.md"];
    let read = || files.map(|name| fs::read_to_string(home.join("experiments").join(name)).unwrap());
    assert!(report(&home, &[]).status.success());
    let first = read();
    assert_eq!(report(&home, &["--check"]).status.code(), Some(0));
    // The report of one experiment updates the hypotheses, too. Text around the generated part of the page is kept.
    let page = home.join("experiments/hypotheses.md");
    fs::write(&page, first[0].replace("| supported |", "| refuted |") + "\nOwn words.\n").unwrap();
    let output = report(&home, &["--check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output_text(&output).contains("experiments/hypotheses.md does not match the records"));
    assert!(report(&home, &["001"]).status.success());
    let second = read();
    assert_eq!((second[0].strip_suffix("\nOwn words.\n"), &second[1..]), (Some(&*first[0]), &first[1..]));
    // The file of hypotheses is not needed.
    fs::remove_file(home.join("experiments/hypotheses.toml")).unwrap();
    assert!(report(&home, &["001"]).status.success());
    assert!(!read()[3].contains("hypotheses.md"));
}

#[test]
fn hypotheses_can_be_stated_before_any_run() {
    let home = folder_with("hypotheses-first", HYPOTHESES);
    fs::remove_dir_all(home.join("experiments/001-race/results")).unwrap();
    let output = report(&home, &[]);
    assert!(output.status.success(), "{}", output_text(&output));
    let page = fs::read_to_string(home.join("experiments/hypotheses.md")).unwrap();
    assert_eq!(page.matches("| not measured |").count(), 8, "{page}");
    assert!(page.contains("| S1 |  |  |  | 56 |  |  | not measured |"), "{page}");
    assert_eq!(report(&home, &["--check"]).status.code(), Some(0));
}

#[test]
fn incomplete_and_small_experiments_are_noted() {
    let small = "[[hypothesis]]\nname = \"G\"\nexperiment = \"001\"\nengine = \"search:algebra\"\ngrowth = \"cpu_s\"\nover = \
                 \"n\"\nabove = 1\nonly = { seed = \"1..=5\" }\n";
    let home = folder_with("hypotheses-small", small);
    assert!(report(&home, &[]).status.success());
    let page = || fs::read_to_string(home.join("experiments/hypotheses.md")).unwrap();
    assert!(page().contains("| G | 0 |  | 10 |  | 1.0000 | 1.0000 | undecided |"), "{}", page());
    assert!(page().contains("G has no interval: that needs two sizes with a median in nearly all resamples"));
    // The plan grows, and the new instances are not yet measured.
    let plan = home.join("experiments/001-race/plan.toml");
    fs::write(&plan, PLAN.replace("n = [2, 3]", "n = [2, 3, 4]")).unwrap();
    assert!(report(&home, &[]).status.success());
    assert!(page().contains("G counts 10 of 15 planned instances."), "{}", page());
}

#[test]
fn errors_have_a_position_and_a_remedy() {
    let home = folder_with("hypotheses-wrong", "");
    let path = home.join("experiments/hypotheses.toml");
    let refused = |text: &[u8], why: &str| {
        fs::write(&path, text).unwrap();
        let output = report(&home, &["--check"]);
        let text = String::from_utf8_lossy(text);
        assert_eq!(output.status.code(), Some(2), "{text}: {}", output_text(&output));
        let message = format!("experiments/hypotheses.toml:{why}");
        assert!(output_text(&output).contains(&message), "{text}: {}", output_text(&output));
    };
    let check = |text: &str, why: &str| refused(text.as_bytes(), why);
    refused(b"level = 0.05\n# \xff\n", "2:3: expected a text in UTF-8, found the byte 0xff");
    check("", "1:1: expected a [[hypothesis]] with a name, an experiment and a test");
    check("level = 1\n", "1:9: expected a level above 0 and below 0.5, found 1");
    check("levl = 1\n", "1:1: there is no key 'levl' here; did you mean 'level'?");
    // The first four lines are right; the remaining lines are in `wrong`.
    let start = "[[hypothesis]]\nname = \"S\"\nexperiment = \"001\"\nfaster = \"search:algebra\"\n";
    let slower = "slower = \"sat:presses\"\n";
    for (wrong, why) in [
        ("slowr = \"sat:presses\"", "5:1: there is no key 'slowr' here; did you mean 'slower'?"),
        ("", "1:1: this hypothesis lacks the key 'slower'"),
        (
            "slower = \"sat:preses\"",
            "5:10: the plan of 001-race has no engine 'sat:preses'; did you mean 'sat:presses'?",
        ),
        ("slower = \"search:algebra\"", "1:1: both engines are search:algebra"),
        (
            "solved = \"sat:presses\"",
            "1:1: a hypothesis needs exactly one of the keys faster, equal, growth and solved",
        ),
        (
            "within = 2\nslower = \"sat:presses\"",
            "5:1: there is no key 'within' here; there are name, text, experiment, only, faster",
        ),
    ] {
        check(&format!("{start}{wrong}\n"), why);
    }
    for (wrong, why) in [
        ("by = \"ten\"", "6:6: expected a number above 0, found \"ten\""),
        ("by = 0", "6:6: expected a number above 0, found 0"),
        ("column = \"cpus\"", "6:10: 001-race: no record has a column 'cpus'; did you mean 'cpu_s'?"),
        (
            "column = \"work_conflits\"",
            "6:10: 001-race: no record has a column 'work_conflits'; did you mean 'work_conflicts'?",
        ),
        ("column = \"family\"", "1:1: S: no run of search:algebra has a number in the column 'family'"),
        ("only = { m = 2 }", "6:10: 001-race: no record has a column 'm'"),
        (
            "only = { n = 9 }",
            "1:1: S: the plan of 001-race has no instance with runs of all engines that meet the conditions",
        ),
        ("only = { n = [] }", "6:14: the list is empty"),
        ("share = 0.5", "6:9: expected a share above 0.5 and at most 1, found 0.5"),
        ("power = 0.9", "6:9: `power` needs `share`"),
        ("share = 0.7\npower = 1", "7:9: expected a power above 0 and below 1, found 1"),
    ] {
        check(&format!("{start}{slower}{wrong}\n"), why);
    }
    let two = |name: &str| format!("{start}{slower}{}{slower}", start.replace("\"S\"", name));
    check(&two("\"S\""), "6:1: there are two hypotheses 'S'");
    check(&two("\"S-\""), "6:1: 'S-' and 'S' would have the same TeX macros; use other letters or digits");
    check(&two("\"?\""), "6:1: the name of a hypothesis needs a letter or a digit");
    let other = |rest: &str| format!("[[hypothesis]]\nname = \"S\"\nexperiment = \"001\"\n{rest}\n");
    check(&other("").replace("001", "003"), "1:1: a hypothesis needs exactly one of the keys");
    check(
        &(start.replace("001", "003") + slower),
        "3:14: there is no experiment '003': no such folder or plan",
    );
    check(&other("equal = [\"sat:presses\"]"), "4:9: expected a list of two engines");
    check(
        &other("equal = [\"sat:presses\", \"search:algebra\"]\nwithin = 1"),
        "5:10: expected a number above 1, found 1",
    );
    let growth = "engine = \"sat:presses\"\ngrowth = \"cpu_s\"\n";
    check(
        &other(&format!("{growth}over = \"n\"")),
        "1:1: a hypothesis about growth has either `above` or `below`",
    );
    check(&other(&format!("{growth}over = \"m\"\nabove = 1")), "6:8: 001-race: no record has a column 'm'");
    check(
        &other(&format!("{growth}over = \"n\"\nabove = 1\nshare = 0.7")),
        "8:1: there is no key 'share' here",
    );
}
