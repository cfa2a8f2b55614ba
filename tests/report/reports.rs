//! Pages: runs that they name can be repeated, and they can contain a hundred thousand records.

use crate::invented::{folder, made_up};
use crate::samples::is_thorough;
use counterpoint::record::{Check, Findings, Record, Verdict};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn counterpoint(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_counterpoint")).args(args).output().unwrap()
}

pub(crate) fn output_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The data in a page.
pub(crate) fn data(page: &Path) -> Value {
    let text = fs::read_to_string(page).unwrap();
    let (_, rest) = text.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn runs_named_by_a_page_repeat_with_equal_counters() {
    let out = folder("repeat");
    for (experiment, row) in [("001", 3), ("005", 100), ("012", 40)] {
        let page = out.join(experiment);
        assert!(counterpoint(&["report", experiment, "-o", page.to_str().unwrap()]).status.success());
        let data = data(&page.join("report.html"));
        let command = data["command"].as_str().unwrap();
        let records = output_text(&counterpoint(&["status", experiment, "--records", "jsonl"]));
        let record: Record = serde_json::from_str(records.lines().nth(row).unwrap()).unwrap();
        let mut words: Vec<&str> = command.split(' ').skip(1).collect();
        words.push(&record.key[..8]);
        let output = counterpoint(&words);
        let text = output_text(&output);
        assert!(text.contains("answer and counters are equal"), "{command}: {text}");
        for (counter, value) in &record.findings.work {
            let line = text.lines().find(|line| line.split_whitespace().next() == Some(counter)).unwrap();
            let shown: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(shown[1..], [value.to_string(), value.to_string()], "{text}");
        }
    }
}

#[test]
fn a_key_that_names_no_run_is_an_error() {
    let output = counterpoint(&["run", "001", "--repeat", "zz"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output_text(&output).contains("no run of 001-flip-parity-wall has a key that begins with 'zz'"));
}

/// Findings that look measured: spread over orders of magnitude, and without patterns that compression could use.
fn measured(i: usize) -> Findings {
    let mix = |salt: u64| {
        let mut x = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x >> 11) as f64 / (1u64 << 53) as f64
    };
    let size = |salt: u64, most: f64| most.powf(mix(salt));
    let cpu_s = 1e-5 * size(1, 1e5);
    let limit = mix(2) < 0.05;
    Findings {
        verdict: Some(if limit { Verdict::Limit } else { Verdict::Decided }),
        limit: limit.then(|| "cpu".to_owned()),
        outcome: Some(format!("{} presses", size(3, 40.0) as u64)),
        check: (!limit).then_some(Check::Checked),
        cpu_s: Some(if limit { 2.0 } else { cpu_s }),
        wall_s: Some(cpu_s * (1.0 + mix(4))),
        build_cpu_s: Some(cpu_s * mix(5)),
        solve_cpu_s: Some(cpu_s * mix(6)),
        check_cpu_s: Some(1e-4 * mix(7)),
        peak_bytes: Some((8 << 20) + ((mix(8) * 4096.0) as u64) * 4096),
        work: [
            ("conflicts", size(9, 1e6)),
            ("propagations", size(10, 1e8)),
            ("clauses", size(11, 1e5)),
            ("variables", size(12, 1e4)),
        ]
        .map(|(name, count)| (name.to_owned(), count as u64))
        .into(),
        ..Findings::default()
    }
}

/// An experiment of `records` invented records, and its page.
fn large_page(name: &str, records: u32) {
    let plan = r#"
problem = "flip"
engines = ["search:{algebra,first-row}", "sat:presses/xor={direct,cut3,cut4,tree}", "sat:nullspace/xor={direct,cut4}"]
limits = { cpu = "2s" }
[[family]]
name = "random"
n = [5, 6, 7, 8, 9]
seeds = "1..=SEEDS"
"#;
    // Eight engines on five sizes.
    let folder = made_up(name, &plan.replace("SEEDS", &(records / 40).to_string()), |_, i| measured(i));
    let out = folder.join("report");
    let output = counterpoint(&["report", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", output_text(&output));
    let page = out.join("report.html");
    let (bytes, data) = (fs::metadata(&page).unwrap().len(), data(&page));
    assert_eq!(data["count"], records);
    let packed = data["columns"].to_string().len() + data["payload"].as_str().unwrap().len();
    assert!(packed <= 60 * records as usize, "{packed} bytes of records");
    assert!(bytes < 2_000_000 + 100 * u64::from(records), "{bytes} bytes");
}

#[test]
fn a_page_of_thousands_of_records_is_small() {
    large_page("thousands", if is_thorough() { 10_000 } else { 3_000 });
}

#[test]
#[ignore = "takes half a minute; tests/browser/run runs it, and opens the page"]
fn a_page_of_a_hundred_thousand_records_is_small() {
    large_page("large", 100_000);
}

const SMALL: &str = r#"
problem = "flip"
engines = ["search:algebra", "sat:presses"]
limits = { cpu = "1s" }
[[family]]
name = "random"
n = [1, 2]
seeds = "1..=20"
"#;

/// The baseline has slower runs and one different verdict. Equal boards with different seeds are not paired with each
/// other.
#[test]
fn a_baseline_puts_changed_verdicts_first() {
    let solved = |i: usize| Findings {
        verdict: Some(Verdict::Decided),
        check: Some(Check::Checked),
        outcome: Some("1 press".to_owned()),
        cpu_s: Some(0.01 * (1 + i % 7) as f64),
        peak_bytes: Some(8000),
        ..Findings::default()
    };
    let folder = made_up("baseline", SMALL, |_, i| solved(i));
    let (main, other) = (folder.join("results/main"), folder.join("results/other"));
    fs::create_dir_all(&other).unwrap();
    for entry in fs::read_dir(&main).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let text = text.replacen(r#""check":"checked""#, r#""check":"wrong""#, 1);
        let text = text.replace(r#""cpu_s":0.01,"#, r#""cpu_s":0.5,"#);
        let text = text.replace(r#""peak_bytes":8000,"#, r#""peak_bytes":9000,"#);
        fs::write(other.join(path.file_name().unwrap()), text).unwrap();
    }
    let output = counterpoint(&["report", folder.to_str().unwrap(), "--baseline", "other"]);
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(output_text(&output).contains("README.md was not written: it shows only the set 'main'"));
    let base = &data(&folder.join("report/report.html"))["baseline"];
    assert_eq!((&base["pairs"], &base["only_here"], &base["only_there"]), (&80.into(), &0.into(), &0.into()));
    assert_eq!(base["changed"].as_array().unwrap().len(), 1, "{}", base["changed"]);
    assert_eq!(base["changed"][0]["before"], "wrong: 1 press");
    assert_eq!(base["environment"].as_array().unwrap().len(), 0);
    for delta in base["deltas"].as_array().unwrap() {
        assert!(delta["delta_par2_s"].as_f64().unwrap() < 0.0, "{delta}");
        assert!(delta["high"].as_f64().unwrap() < 0.0, "{delta}");
        assert_eq!((&delta["memory_before"], &delta["memory_after"]), (&9000.into(), &8000.into()));
    }
    let output = counterpoint(&["status", folder.to_str().unwrap(), "--baseline", "other", "--only", "n=1"]);
    let text = output_text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("sat:presses        20   20 of 20"), "{text}");
    assert!(text.contains("baseline set 'main' over baseline set other: 40 runs in both"), "{text}");
}

#[test]
fn a_readme_that_is_not_utf8_stays_unchanged() {
    let solved =
        Findings { verdict: Some(Verdict::Decided), check: Some(Check::Checked), ..Findings::default() };
    let folder = made_up("latin", SMALL, |_, _| solved.clone());
    let readme = folder.join("README.md");
    fs::write(&readme, b"M\xfcller's notes\n").unwrap();
    let output = counterpoint(&["report", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", output_text(&output));
    assert_eq!(fs::read(&readme).unwrap(), b"M\xfcller's notes\n");
}

#[test]
fn errors_in_report_specs_have_a_position() {
    let solved =
        Findings { verdict: Some(Verdict::Decided), check: Some(Check::Checked), ..Findings::default() };
    let instances = [
        ("[about]\nfinding = \"{count | n=9}\"", "9:1: finding: {count | n=9}: no run meets the conditions"),
        ("[[figure]]\nkind = \"crossover\"\nx = \"m\"", "9:1: figure crossover: "),
        ("[[table]]\nby = \"family\"\nonly = { n = 9 }", "9:1: table: no run meets the conditions"),
        (
            "[[figure]]\nkind = \"crosover\"",
            "10:8: unknown kind of figure 'crosover'; did you mean 'crossover'?",
        ),
        ("[[figure]]\nkind = \"heat\"\nwidth = \"8\"", "11:9: expected a width from 40mm to 400mm"),
    ];
    let folder = made_up("places", SMALL, |_, _| solved.clone());
    for (report_spec, why) in instances {
        fs::write(folder.join("plan.toml"), format!("{SMALL}{report_spec}\n")).unwrap();
        let output = counterpoint(&["report", folder.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{report_spec}");
        assert!(output_text(&output).contains(why), "{report_spec}: {}", output_text(&output));
    }
}

#[test]
fn a_table_by_engine_names_each_engine_once() {
    let solved =
        Findings { verdict: Some(Verdict::Decided), check: Some(Check::Checked), ..Findings::default() };
    let folder = made_up("once", SMALL, |_, _| solved.clone());
    fs::write(folder.join("plan.toml"), format!("{SMALL}[[table]]\nby = [\"family\", \"engine\"]\n"))
        .unwrap();
    assert!(counterpoint(&["report", folder.to_str().unwrap()]).status.success());
    let table = fs::read_to_string(folder.join("report/tables/table-1.csv")).unwrap();
    assert!(table.starts_with("family,engine,runs,"), "{table}");
}

/// The median of four runs of 1, 2, 4 and 8 s is 3 s. If two of them are unsolved, there is no median.
#[test]
fn all_views_show_the_same_median() {
    let plan = r#"
problem = "flip"
engines = ["search:algebra", "sat:presses"]
limits = { cpu = "9s" }
[[family]]
name = "random"
n = 4
seeds = "1..=4"
[about]
finding = "{median cpu_s | side=search} in {median work | side=search} steps; {median cpu_s | side=sat}"
[[figure]]
kind = "crossover"
x = "n"
[[table]]
by = "n"
"#;
    let folder = made_up("median", plan, |_, i| {
        let (seed, by_sat) = (i / 2, i % 2 == 1);
        let solved = !by_sat || seed < 2;
        Findings {
            verdict: Some(if solved { Verdict::Decided } else { Verdict::Limit }),
            limit: (!solved).then(|| "cpu".to_owned()),
            check: solved.then_some(Check::Checked),
            cpu_s: Some(f64::from(1 << seed)),
            work: [("nodes".to_owned(), 10 << seed)].into(),
            ..Findings::default()
        }
    });
    let path = folder.to_str().unwrap();
    let output = counterpoint(&["report", path]);
    assert!(output.status.success(), "{}", output_text(&output));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let table = read("report/tables/table-1.csv");
    assert!(table.contains("4,search:algebra,4,4,,3,8,30,80\n"), "{table}");
    assert!(table.contains("4,sat:presses,4,2,2,,8,,80\n"), "{table}");
    let engines = read("report/tables/engines.csv");
    let place = engines.lines().next().unwrap().split(',').position(|name| name == "median CPU").unwrap();
    let medians = |engine: &str| {
        let row = engines.lines().find(|line| line.starts_with(engine)).unwrap();
        row.split(',').skip(place).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(medians("search:algebra"), ["3", "30"], "{engines}");
    assert_eq!(medians("sat:presses"), ["", ""], "{engines}");
    assert!(read("README.md").contains("3.00 s in 30 steps; at least 3.00 s"), "{}", read("README.md"));
    let shown = counterpoint(&["status", path, "--by", "n"]);
    let status = String::from_utf8(shown.stdout).unwrap();
    let row = |engine: &str| {
        let line = status.lines().find(|line| line.contains(engine)).unwrap();
        line.split_whitespace().skip(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("search:algebra"), ["4", "4", "3.00", "s", "8.00", "s", "30", "80"], "{status}");
    assert_eq!(row("sat:presses"), ["4", "2", "2", "8.00", "s", "80"], "{status}");
}

#[test]
fn work_that_no_record_contains_stays_empty() {
    let solved =
        Findings { verdict: Some(Verdict::Decided), check: Some(Check::Checked), ..Findings::default() };
    let folder = made_up("untold", SMALL, |_, _| solved.clone());
    fs::write(folder.join("plan.toml"), format!("{SMALL}[[table]]\nby = \"family\"\n")).unwrap();
    assert!(counterpoint(&["report", folder.to_str().unwrap()]).status.success());
    let table = fs::read_to_string(folder.join("report/tables/table-1.csv")).unwrap();
    assert!(table.contains("random,search:algebra,40,40,0,0\n"), "{table}");
    assert!(table.contains("random,sat:presses,40,40,,\n"), "{table}");
    let engines = fs::read_to_string(folder.join("report/tables/engines.csv")).unwrap();
    let place = engines.lines().next().unwrap().split(',').position(|name| name == "median work").unwrap();
    let cell = |engine: &str| {
        let row = engines.lines().find(|line| line.starts_with(engine)).unwrap();
        row.split(',').nth(place).unwrap()
    };
    assert_eq!((cell("search:algebra"), cell("sat:presses")), ("0", ""), "{engines}");
}

#[test]
fn figures_that_are_no_longer_in_a_plan_are_deleted() {
    let solved = Findings {
        verdict: Some(Verdict::Decided),
        check: Some(Check::Checked),
        cpu_s: Some(0.01),
        ..Findings::default()
    };
    let folder = made_up("unused", SMALL, |_, _| solved.clone());
    fs::write(folder.join("plan.toml"), format!("{SMALL}[[figure]]\nkind = \"heat\"\n")).unwrap();
    let report = |more: &[&str]| counterpoint(&[&["report", folder.to_str().unwrap()], more].concat());
    assert!(report(&[]).status.success());
    let figures = folder.join("figures");
    fs::copy(figures.join("heat.svg"), figures.join("quantile-2.svg")).unwrap();
    fs::copy(figures.join("heat.svg"), figures.join("of-mine.svg")).unwrap();
    let checked = report(&["--check"]);
    assert_eq!(checked.status.code(), Some(1), "{}", output_text(&checked));
    assert!(
        output_text(&checked).contains("quantile-2.svg belongs to no figure or table of a plan"),
        "{}",
        output_text(&checked)
    );
    assert!(report(&[]).status.success());
    assert!(!figures.join("quantile-2.svg").exists());
    assert!(figures.join("of-mine.svg").exists() && figures.join("heat.svg").exists());
    assert!(report(&["--check"]).status.success());
}
