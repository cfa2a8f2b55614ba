//! Whole commands under a limit on their address space.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::{TempDir, tempfile};

/// What a command printed, and its exit status; `None` if a signal ended it.
struct Ended {
    status: Option<i32>,
    output: String,
    errors: String,
}

/// Runs a command with an address space of at most `mebibytes`, and with at most a minute of CPU time.
fn run(mebibytes: u64, args: &[&str], input: impl Read) -> Ended {
    let script = format!("ulimit -v {} && ulimit -t 60 && exec \"$0\" \"$@\"", mebibytes << 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_counterpoint")]).args(args);
    // Each thread reserves address space for an arena of its own.
    command.env("MALLOC_ARENA_MAX", "1");
    let (output, errors) = (tempfile().unwrap(), tempfile().unwrap());
    command.stdout(output.try_clone().unwrap()).stderr(errors.try_clone().unwrap());
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let (mut input, mut pipe) = (input, child.stdin.take().unwrap());
    // A command that refuses its input does not read all of it.
    let _ = std::io::copy(&mut input, &mut pipe);
    drop(pipe);
    let status = child.wait().unwrap().code();
    let [output, errors] = [output, errors].map(|mut file: File| {
        let mut text = String::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    });
    Ended { status, output, errors }
}

fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A file with this text in a new folder.
fn file(folder: &TempDir, name: &str, text: &[u8]) -> String {
    let path: PathBuf = folder.path().join(name);
    File::create(&path).unwrap().write_all(text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The text of many games of Flip, 24 MB in all.
#[test]
fn judge_needs_the_same_memory_for_a_million_games() {
    let games = crate::games::repeated("bwwb\nbbwb\nbwwb\nbwww\n\n", 1_000_000, "");
    let Ended { status, output, errors } = run(64, &["judge", "flip"], games);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    assert_eq!(output.lines().count(), 1_000_000);
}

/// Only the first hundred rows are held, until their widths are known.
#[test]
fn compare_needs_the_same_memory_for_many_games() {
    let games = crate::games::repeated("bwwb\nbbwb\nbwwb\nbwww\n\n", 20_000, "");
    let Ended { status, output, errors } = run(64, &["compare", "flip", "-e", "search:algebra"], games);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    assert!(output.contains(" search:algebra   20000"), "{output}");
}

#[test]
fn long_lines_are_refused_by_every_command_that_reads_games() {
    for args in [
        &["judge", "spot"][..],
        &["solve", "flip"],
        &["compare", "ships"],
        &["encode", "flip"],
        &["solve", "flip", "--json"],
    ] {
        let Ended { status, errors, .. } = run(256, args, std::io::repeat(b'x').take(200_000_000));
        assert_eq!((status, errors.lines().count()), (Some(2), 1), "{args:?}: {errors}");
        assert!(errors.contains(":1:1: "), "{args:?}: {errors}");
    }
}

/// The claim allows sums of thousands, and the rule "two levels" would go through all of them.
#[test]
fn a_certificate_of_two_levels_needs_little_memory() {
    let certificate = concat!(
        r#"{"problem":"flip","question":"hardest","version":1,"stencil":"plus","colours":2,"target":"one","boards":["#,
        r#"{"n":104,"k":21,"n0":4,"presses":7287,"most":5000,"sums":[],"proof":"two levels"}]}"#
    );
    let Ended { status, output, errors } = run(128, &["check", "-"], certificate.as_bytes());
    assert_eq!((status, errors.as_str()), (Some(1), ""), "{output}");
    assert!(
        output.contains(
            "failed      104x104, plus, 2 colours, target one: no board needs more than 5000 presses"
        )
    );
}

/// A word of 64 letters stands for 61 cells, each of which would need 64 bytes as JSON.
#[test]
fn the_certificate_of_a_family_needs_little_memory_and_keeps_its_limit() {
    let words = (0..40_000u64).map(|i| {
        let zeros = [i % 64, (i / 64) % 64, 0].map(|shift| 1 << shift);
        format!("\"{:064b}\"", zeros.into_iter().fold(u64::MAX, |word, zero| word & !zero))
    });
    let words: Vec<String> = words.collect();
    let certificate = format!(
        r#"{{"problem":"ships","question":"families","version":1,"misses":8,"family":[{}],"plan":{{"sink":1}}}}"#,
        words.join(",")
    );
    let args = ["check", "-", "--work-limit", "10"];
    let Ended { status, output, errors } = run(128, &args, certificate.as_bytes());
    assert_eq!((status, errors.as_str()), (Some(1), ""), "{output}");
    let policies = "no plan that always shoots at a cell that the fewest sets lack does so (work limit)";
    assert!(output.contains(policies), "{output}");
}

#[test]
fn answers_that_are_deep_or_many_on_one_line() {
    let deep = format!("{{\"problem\":{}", "[".repeat(100_000));
    let Ended { status, errors, .. } = run(128, &["check", "-"], deep.as_bytes());
    let expected = "counterpoint: error: -:1:1: the JSON is nested more than 512 levels deep\n";
    assert_eq!((status, errors.as_str()), (Some(2), expected));

    // If the column of each answer were counted from the start of the line, that would take quadratic time.
    let many = "{}".repeat(60_000);
    let Ended { status, errors, .. } = run(128, &["check", "-"], many.as_bytes());
    assert_eq!((status, errors.lines().count()), (Some(2), 60_000));
    let last = "counterpoint: error: -:1:119999: answer 60000: \"problem\" is missing";
    assert_eq!(errors.lines().last(), Some(last));
}

/// A plan of this text, as an experiment.
fn plan(text: &str) -> (TempDir, String) {
    let folder = folder();
    let path = file(&folder, "plan.toml", text.as_bytes());
    (folder, path)
}

#[test]
fn plans_cannot_list_very_many_values() {
    let family = |values: &str| format!("[[family]]\nname = \"random\"\n{values}\n");
    let range = "\"1..=1000000\"";
    for (text, message) in [
        (
            family("seeds = \"1..=1000000000000000000\""),
            ":4:9: the range 1..=1000000000000000000 has more than 1000000 values",
        ),
        (
            family(&format!("seeds = [{}]", [range; 1000].join(","))),
            ":4:24: the values up to here are more than 1000000",
        ),
        (
            family(&format!("w = {range}")).repeat(1000),
            ": the plan lists more than 4000000 values up to here",
        ),
        (
            format!(
                "engines = [{}]\n{}",
                ["\"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\""; 10].join(","),
                family("")
            ),
            ": the braces in '{a,b}{a,b}{a,b}",
        ),
        (format!("x = {}", "[".repeat(100_000)), ":2:"),
    ] {
        let (folder, path) = plan(&format!("problem = \"flip\"\n{text}"));
        let Ended { status, errors, .. } =
            run(700, &["run", folder.path().to_str().unwrap(), "--dry-run"], std::io::empty());
        assert_eq!(status, Some(2), "{message}: {errors}");
        assert!(errors.contains(&format!("{path}{message}")) || errors.contains(message), "{errors}");
        assert!(errors.len() < 1000, "{}", errors.len());
    }
}
