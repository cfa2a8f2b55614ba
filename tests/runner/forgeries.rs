//! Records that were changed after they were written are not counted. They are reported with file and line, and their
//! runs are performed again.

use crate::experiment::{Experiment, said};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::LazyLock;

/// A search and a SAT engine on two numbers; four records. All tests get copies of one experiment.
fn four() -> Experiment {
    static RECORDED: LazyLock<Vec<(PathBuf, Vec<u8>)>> = LazyLock::new(|| {
        let limits = r#"limits = { cpu = "20s", work = 1000 }"#;
        let experiment = Experiment::of(r#"["search:even", "sat:unit"]"#, "[4, 5]", limits);
        assert_eq!(experiment.run(&[]).status.code(), Some(0));
        experiment.files()
    });
    Experiment::of_files(&RECORDED)
}

/// The place of `run --dry-run` among the outputs of [`readers`].
const DRY: usize = 2;

/// The outputs of the commands that read the records.
fn readers(experiment: &Experiment) -> Vec<Output> {
    let page = experiment.path().join("page").display().to_string();
    let all: [(&str, &[&str]); 4] =
        [("status", &[]), ("status", &["--by", "n"]), ("run", &["--dry-run"]), ("report", &["-o", &page])];
    all.map(|(command, args)| experiment.command(command, args).output().unwrap()).into()
}

/// The value at a path of keys that are separated by dots.
fn at<'a>(line: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.').fold(line, |value, key| &mut value[key])
}

/// Asserts that every command warns about these lines, with file and line number, and otherwise ignores them; and that
/// `run` performs their runs again.
fn assert_rejected(experiment: &Experiment, lines: &[usize], reason: &str) {
    let segment = experiment.segment();
    let outputs = readers(experiment);
    for output in &outputs {
        assert_eq!(output.status.code(), Some(0), "{reason}: {}", said(output));
        for line in lines {
            let place = format!("{}:{line}", segment.display());
            let is_reported = said(output).lines().any(|line| line.contains(&place) && line.contains(reason));
            assert!(is_reported, "{reason}: {}", said(output));
        }
    }
    let dry = said(&outputs[DRY]);
    assert!(dry.contains(&format!("missing runs: {};", lines.len())), "{dry}");
    let before = experiment.lines();
    let output = experiment.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{reason}: {}", said(&output));
    assert_eq!(experiment.lines(), before + lines.len(), "{reason}");
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(status.contains("4 of 4 runs have records"), "{status}");
    assert!(!status.contains("duplicate"), "{status}");
    let records = experiment.records();
    assert!(records.len() >= 4);
}

/// Like [`assert_rejected`], but only every fifth case tries all commands. The others try `status`.
fn assert_each_rejected(case: usize, experiment: &Experiment, line: usize, reason: &str) {
    if case.is_multiple_of(5) {
        return assert_rejected(experiment, &[line], reason);
    }
    let status = said(&experiment.command("status", &[]).output().unwrap());
    let place = format!("{}:{line}", experiment.segment().display());
    assert!(status.lines().any(|line| line.contains(&place) && line.contains(reason)), "{reason}: {status}");
    assert!(status.contains("3 of 4 runs have records"), "{reason}: {status}");
}

pub(crate) fn impossible_numbers_do_not_count() {
    let huge = json!(10_u64.pow(18));
    let cases = [
        ("cpu_s", json!(-5), "cpu_s is -5.0 s; expected 0 to 1000000000.0 s"),
        ("cpu_s", json!(1e30), "cpu_s is 1e30 s"),
        ("cpu_s", json!(1e300), "cpu_s is 1e300 s"),
        ("process_cpu_s", json!(-0.001), "process_cpu_s is -0.001 s"),
        ("process_wall_s", json!(1e12), "process_wall_s is"),
        ("check_cpu_s", json!(1e99), "check_cpu_s is"),
        ("work.variables", huge.clone(), "work.variables is 1000000000000000000; expected at most"),
        ("work.nodes", json!(-1), "not a record"),
        ("peak_bytes", json!(u64::MAX), "peak_bytes is"),
        ("proof_bytes", json!(2.5), "not a record"),
        ("load", json!(-1), "load is -1.0"),
        ("pressure_percent", json!(101), "pressure_percent is 101.0%"),
        ("attempt_number", json!(0), "attempt_number is 0"),
        ("start", json!("tomorrow"), "start is \"tomorrow\"; expected a date"),
        ("verdict", Value::Null, "verdict is missing"),
        ("verdict", json!("failed"), "check is present, but only a decided answer is checked"),
        ("check", Value::Null, "check is missing"),
        ("limit", json!("cpu"), "limit is present, but the verdict is not 'limit'"),
    ];
    for (case, (path, value, reason)) in cases.into_iter().enumerate() {
        let experiment = four();
        experiment.edit(|lines| *at(&mut lines[1], path) = value);
        assert_each_rejected(case, &experiment, 2, reason);
    }
}

pub(crate) fn records_agree_with_their_runs() {
    let cases = [
        ("problem", json!("flip")),
        ("family", json!("digit")),
        ("params.n", json!(40)),
        ("params.more", json!(1)),
        ("seed", json!(77)),
        ("instance_hash", json!("0".repeat(64))),
        ("rules.goal", json!("any")),
        ("engine", json!("search:slow")),
        ("side", json!("none")),
        ("encoding", json!("slow")),
        ("axes.amo", json!("ladder")),
        ("solver", json!("batsat")),
        ("repetition", json!(2)),
        ("shuffle", json!(1)),
        ("solver_seed", json!(1)),
        ("limits.cpu_s", json!(21)),
        ("limits.wall_s", Value::Null),
        ("limits.memory_bytes", json!(1000)),
        ("limits.work", json!(1001)),
    ];
    for (case, (path, value)) in cases.into_iter().enumerate() {
        let experiment = four();
        experiment.edit(|lines| *at(&mut lines[0], path) = value);
        let field = path.split('.').next().unwrap();
        assert_each_rejected(case, &experiment, 1, field);
    }
    // If records with swapped keys counted, each engine would get the times of the other.
    let experiment = four();
    let mut swapped = Vec::new();
    experiment.edit(|lines| {
        let on = |lines: &[Value], engine: &str| lines.iter().position(|line| line["engine"] == engine);
        let (one, other) = (on(lines, "search:even").unwrap(), on(lines, "sat:unit").unwrap());
        let key = lines[one]["key"].take();
        lines[one]["key"] = std::mem::replace(&mut lines[other]["key"], key);
        swapped = vec![one + 1, other + 1];
    });
    assert_rejected(&experiment, &swapped, " in the plan, the run of this key has ");
    // A limit that differs only by a rounding error counts as equal.
    let experiment = four();
    experiment.edit(|lines| *at(&mut lines[0], "limits.cpu_s") = json!(20.000_000_000_000_004));
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(!status.contains("warning") && status.contains("4 of 4"), "{status}");
}

/// The field `encoding` was once called `model`. Records with either name belong to the same runs.
pub(crate) fn records_with_earlier_names_of_fields_count() {
    let experiment = four();
    let encodings = |experiment: &Experiment| -> BTreeMap<String, String> {
        experiment.records().into_iter().map(|record| (record.key, record.encoding)).collect()
    };
    let (essence, before) = (experiment.essence(), encodings(&experiment));
    experiment.edit(|lines| {
        for line in lines.iter_mut().take(2) {
            let line = line.as_object_mut().unwrap();
            let encoding = line.remove("encoding").unwrap();
            line.insert("model".to_owned(), encoding);
        }
    });
    assert_eq!((encodings(&experiment), experiment.essence()), (before, essence.clone()));
    for output in readers(&experiment) {
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(!said(&output).contains("not counted"), "{}", said(&output));
    }
    // Every run has its record, so nothing is left to do.
    assert!(said(&experiment.run(&[])).contains("all 4 runs"));
    for name in ["encoding", "model"] {
        let by = experiment.command("status", &["--by", name]).output().unwrap();
        assert_eq!(by.status.code(), Some(0), "{}", said(&by));
        assert!(
            said(&by).lines().any(|line| line.contains("unit") && line.contains("sat:unit")),
            "{}",
            said(&by)
        );
    }
    // New records have the new name, in the same set.
    let plan = fs::read_to_string(experiment.path().join("plan.toml")).unwrap();
    fs::write(experiment.path().join("plan.toml"), plan.replace("[4, 5]", "[4, 5, 6]")).unwrap();
    assert_eq!(experiment.run(&[]).status.code(), Some(0));
    assert_eq!((experiment.lines(), experiment.records().len()), (6, 6));
    assert!(essence.iter().all(|(key, essence)| experiment.essence().get(key) == Some(essence)));
}

pub(crate) fn damaged_lines_do_not_count() {
    let damages: [(&[u8], &str); 6] = [
        (b"{\"key\":", ":1:7: not a record: EOF while parsing"),
        (b"[1, 2]", "not a record: "),
        (b"no JSON", ":1:2: not a record: expected ident"),
        (b"\xff\xfe\x00", "not a record: "),
        (b"{\"key\": \"\xff\"}", "not a record: "),
        (b"{\"key\":\"a\",\"answer\":[[[[[[[[", "not a record: "),
    ];
    for (bytes, reason) in damages {
        let experiment = four();
        let text = fs::read(experiment.segment()).unwrap();
        fs::write(experiment.segment(), [bytes, b"\n", &text].concat()).unwrap();
        for output in readers(&experiment) {
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
            assert!(
                said(&output).contains(reason) && said(&output).contains(".jsonl:1"),
                "{}",
                said(&output)
            );
        }
        assert!(said(&experiment.run(&[])).contains("all 4 runs"));
    }
    // A line that is too long for a record.
    let experiment = four();
    let text = fs::read(experiment.segment()).unwrap();
    fs::write(experiment.segment(), [&text, &vec![b' '; 1 << 24], &b"x\n"[..]].concat()).unwrap();
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(status.contains(".jsonl:5:1: longer than 16777216 bytes"), "{status}");
    // Empty lines cause no warning, but they count in line numbers.
    let experiment = four();
    let text = fs::read_to_string(experiment.segment()).unwrap();
    fs::write(experiment.segment(), format!("\n  \r\n{}\nx\n", text.replace('\n', "\n\n"))).unwrap();
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(status.contains("4 of 4 runs have records"), "{status}");
    assert_eq!(status.matches("warning").count(), 1, "{status}");
    assert!(status.contains(".jsonl:12:1: not a record"), "{status}");
    // If there are many malformed lines, only the first ones are listed.
    fs::write(experiment.segment(), "x\n".repeat(1000)).unwrap();
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(status.contains("980 more") && status.lines().count() < 40, "{status}");
}

pub(crate) fn only_regular_files_are_read() {
    let experiment = four();
    let inside = |name: &str| experiment.results().join(name);
    let pipe = |path: &Path| {
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    };
    pipe(&inside("pipe.jsonl"));
    fs::create_dir(inside("folder.jsonl")).unwrap();
    symlink("/dev/zero", inside("device.jsonl")).unwrap();
    for output in readers(&experiment) {
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        for name in ["pipe", "folder", "device"] {
            let expected = format!("{name}.jsonl: not a regular file; not counted");
            assert!(said(&output).contains(&expected), "{}", said(&output));
        }
    }
    let status = said(&experiment.command("status", &[]).output().unwrap());
    assert!(status.contains("4 of 4 runs have records"), "{status}");
    // A file that cannot be opened is an error.
    symlink("loop.jsonl", inside("loop.jsonl")).unwrap();
    for output in readers(&experiment) {
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("loop.jsonl cannot be read: "), "{}", said(&output));
    }
    fs::remove_file(inside("loop.jsonl")).unwrap();
    pipe(&inside("surroundings-0.json"));
    let report = experiment.command("report", &["-o", "/nowhere"]).output().unwrap();
    assert_eq!(report.status.code(), Some(2), "{}", said(&report));
    assert!(
        said(&report).contains("surroundings-0.json: not a regular file; remove it"),
        "{}",
        said(&report)
    );
}
