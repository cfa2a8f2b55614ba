//! Every numbered experiment is complete: its plan has a question and a finding, every run has a record, and the report
//! matches the records. Only the experiments of hypotheses that were committed before the runs may have no records yet.

use crate::reports::{counterpoint, output_text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `report` writes a section into a README, below a line that begins with `BEGIN` and above a line that begins with
/// `END`.
const BEGIN: &str = "<!-- written by `counterpoint report`";
const END: &str = "<!-- end of what is written -->";

/// The maximum size of an experiment's folder of records, in bytes.
const MAX_BYTES: u64 = 6 << 20;

/// The folders of the experiments in the order of their numbers. The folder `certificates` is not an experiment.
pub(crate) fn experiments() -> Vec<PathBuf> {
    let entries = fs::read_dir("experiments").unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> =
        entries.filter(|path| path.is_dir() && !path.ends_with("certificates")).collect();
    folders.sort();
    folders
}

/// The experiments that have records.
pub(crate) fn measured() -> Vec<PathBuf> {
    experiments().into_iter().filter(|folder| folder.join("results/main").is_dir()).collect()
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn committed_reports_match_the_records() {
    let output = counterpoint(&["report", "--check"]);
    assert!(
        output.status.success(),
        "reports do not match the records; run `counterpoint report`:\n{}",
        output_text(&output)
    );
}

#[test]
fn experiments_are_numbered_consecutively() {
    for (i, folder) in experiments().iter().enumerate() {
        let name = name(folder);
        assert!(name.starts_with(&format!("{:03}-", i + 1)), "{name}: its number should be {}", i + 1);
    }
}

#[test]
fn experiments_without_records_are_those_of_hypotheses() {
    let hypotheses = fs::read_to_string("experiments/hypotheses.toml").unwrap();
    let measured = measured();
    for folder in experiments().iter().filter(|folder| !measured.contains(folder)) {
        let name = name(folder);
        let named = format!("experiment = \"{}\"", &name[..3]);
        assert!(hypotheses.contains(&named), "{name} has no records, and no hypothesis needs them");
    }
}

#[test]
fn every_experiment_states_question_method_and_finding() {
    let measured = measured();
    for folder in experiments() {
        let name = name(&folder);
        let answers: &[&str] = if measured.contains(&folder) { &["finding", "summary"] } else { &[] };
        let plan = fs::read_to_string(folder.join("plan.toml")).unwrap();
        let about = plan.split("\n[about]\n").nth(1).unwrap_or_default().split("\n[[").next().unwrap();
        for key in ["title", "question", "method"].iter().chain(answers) {
            let is_present =
                about.lines().any(|line| line.starts_with(&format!("{key} = ")) && !line.ends_with(" \"\""));
            assert!(is_present, "{name}/plan.toml: [about] lacks '{key}'");
        }
        for table in ["\n[[figure]]\n", "\n[[table]]\n"] {
            assert!(plan.contains(table), "{name}/plan.toml has no {}", table.trim());
        }
        let text = fs::read_to_string(folder.join("README.md")).unwrap();
        let begin = text.find(BEGIN).unwrap_or_else(|| panic!("{name}/README.md lacks '{BEGIN}'"));
        assert!(text[begin..].contains(END), "{name}/README.md lacks '{END}'");
    }
}

#[test]
fn every_run_has_a_record_and_no_answer_is_wrong() {
    for folder in measured() {
        let name = name(&folder);
        let mut program = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
        let output = program.args(["status", &name]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = text.lines().last().unwrap_or_default();
        let count = last.strip_prefix(&format!("{name} set 'main': "));
        let count = count.and_then(|rest| rest.strip_suffix(" runs have records"));
        let (done, all) = count.and_then(|count| count.split_once(" of ")).unwrap_or(("none", last));
        assert_eq!(done, all, "{name}: every run of the plan should have its record, and no other run");
        assert!(output.status.success(), "{name}: {text}");
    }
}

#[test]
fn records_stay_small() {
    for folder in measured() {
        let files = fs::read_dir(folder.join("results/main")).unwrap();
        let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
        assert!(
            bytes <= MAX_BYTES,
            "{}: {bytes} bytes of records; expected at most {MAX_BYTES}",
            folder.display()
        );
    }
}

/// The beginning of `experiments/README.md` is written by hand. Each interval there is one that a report computes.
#[test]
fn what_is_known_quotes_the_reports() {
    let page = fs::read_to_string("experiments/README.md").unwrap();
    let known = page.split("\n## ").find(|section| section.starts_with("What is known")).unwrap();
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_part =
        |word: &str| ["at", "least", "to"].contains(&word) || word.replace(',', "").parse::<f64>().is_ok();
    let mut quoted = 0;
    for paragraph in known.split("\n\n").flat_map(|text| text.split("\n* ")).map(joined) {
        let links = paragraph.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let read = |link| joined(&fs::read_to_string(Path::new("experiments").join(link)).unwrap());
        let reports: Vec<String> = links.map(read).collect();
        for inside in paragraph.split('(').skip(1).filter_map(|rest| rest.split(')').next()) {
            if !inside.contains(' ') || !inside.split(' ').all(is_part) {
                continue;
            }
            // In the table of hypotheses, an interval is a cell.
            let (quote, cell) = (format!("({inside})"), format!("| {inside} |"));
            assert!(
                reports.iter().any(|report| report.contains(&quote) || report.contains(&cell)),
                "{quote} is in no report: {paragraph}"
            );
            quoted += 1;
        }
    }
    assert!(quoted >= 20, "{quoted} intervals");
}
