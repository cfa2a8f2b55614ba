//! The programs, encoders and solvers in `examples/python`. If `python3` or a module that a file needs is missing, a
//! test is skipped and says so. The environment variable `COUNTERPOINT_PYTHON` names another interpreter.

use crate::fakes::home::{folder, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Solves all boards of a size by `flip.py`, in one process.
const ALL_BOARDS: &str = "
import io, itertools, runpy, sys
program, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for squares in itertools.product('bw', repeat=width * height):
    rows = [''.join(squares[i:i + width]) for i in range(0, width * height, width)]
    sys.stdin = io.StringIO('\\n'.join(rows) + '\\n')
    runpy.run_path(program)
";

/// The interpreter if it has these modules.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn python(modules: &[&str]) -> Option<String> {
    let name = std::env::var("COUNTERPOINT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let imports: String = modules.iter().map(|module| format!("import {module}\n")).collect();
    let mut command = Command::new(&name);
    command.args(["-c", &imports]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let found = command.status().is_ok_and(|status| status.success());
    if !found {
        eprintln!("skipped: there is no {name} with the modules {modules:?}");
    }
    found.then_some(name)
}

/// A file of the examples.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python").join(name)
}

/// A table of a configuration that runs an example, with further arguments.
fn table(name: &str, python: &str, file: &str, args: &str, more: &str) -> String {
    format!("[{name}]\ncommand = [{python:?}, {:?}{args}]\n{more}\n", example(file))
}

/// The number of answers that `compare` shows as checked.
fn checked(out: &str) -> usize {
    let is_answer = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    out.lines().filter(is_answer).filter(|line| line.contains(" checked ")).count()
}

/// What `generate` writes.
fn generate(dir: &Path, args: &[&str]) -> String {
    let (status, out, err) = run(dir, &[&["generate"], args].concat());
    assert_eq!(status, 0, "{err}");
    out
}

#[test]
fn flip_is_solved_like_the_judge_does() {
    let Some(python) = python(&[]) else { return };
    let dir = folder("python-flip", "");
    for (width, height) in [(2, 2), (3, 2), (2, 3), (3, 3)] {
        let squares = width * height;
        let board = |number: u32| {
            let square = |i: u32| if number >> (squares - 1 - i) & 1 == 0 { 'b' } else { 'w' };
            let row = |row: u32| (0..width).map(|col| square(row * width + col)).collect::<String>() + "\n";
            (0..height).map(row).collect::<String>()
        };
        fs::write(dir.join("all.txt"), (0..1 << squares).map(board).collect::<String>()).unwrap();
        let size = format!("size={width}x{height}");
        let (status, ours, err) = run(&dir, &["judge", "flip", "all.txt", "--rule", &size]);
        assert_eq!(status, 0, "{err}");
        let mut command = Command::new(&python);
        command.args(["-c", ALL_BOARDS]).arg(example("flip.py"));
        let output = command.args([width.to_string(), height.to_string()]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let theirs = String::from_utf8(output.stdout).unwrap();
        assert_eq!(theirs.lines().count(), 1 << squares);
        let lines = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&theirs), lines(&ours), "{size}");
    }
}

#[test]
fn flip_is_encoded_in_python() {
    let Some(python) = python(&[]) else { return };
    let axes = "problem = \"flip\"\naxes = { xor = [\"direct\", \"cut3\"] }";
    let config = table("encoding.mine", &python, "flip_cnf.py", ", \"--xor\", \"{xor}\"", axes);
    let dir = folder("python-flip-cnf", &config);
    let boards = generate(&dir, &["flip", "random", "n=5", "--count", "4"]);
    fs::write(dir.join("boards.txt"), boards).unwrap();
    let engines = "search,sat:mine/xor=*@{varisat,batsat}";
    let (status, out, err) = run(&dir, &["compare", "flip", "boards.txt", "-e", engines]);
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(checked(&out), 4 * 5, "{out}");
    // The formula has the size of ours.
    let size = |engine: &str| {
        let (status, out, err) = run(&dir, &["encode", "flip", "flip.txt", "-e", engine, "--stats"]);
        assert_eq!(status, 0, "{err}");
        let total = out.lines().find(|line| line.trim_start().starts_with("total")).unwrap().to_owned();
        total.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(size("sat:mine"), size("sat:presses"));
    assert_eq!(size("sat:mine/xor=cut3"), size("sat:presses/xor=cut3"));
}

#[test]
fn ships_are_encoded_by_pysat() {
    let Some(python) = python(&["pysat"]) else { return };
    let args = ", \"--amo\", \"{amo}\", \"--fleet\", \"{fleet}\"";
    let more = "problem = \"ships\"\naxes = { amo = [\"seqcounter\", \"pairwise\", \"ladder\", \"bitwise\"] }\n\
        rules = [\"fleet\"]";
    let dir = folder("python-ships", &table("encoding.mine", &python, "ships_pysat.py", args, more));
    let random = generate(&dir, &["ships", "random", "n=7", "reveal=0.7", "--count", "2"]);
    let hard = generate(&dir, &["ships", "contradictory", "n=8", "hits=9", "--count", "2"]);
    fs::write(dir.join("boards.txt"), random.trim_end().trim_end_matches("0 0").to_owned() + &hard).unwrap();
    let engines = "search:cover,sat:mine/amo=*,sat:mine@batsat";
    let (status, out, err) = run(&dir, &["compare", "ships", "boards.txt", "-e", engines]);
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(checked(&out), 4 * 6, "{out}");
    fs::write(dir.join("fleet.txt"), "xx\n\nxxx\n\n").unwrap();
    fs::write(dir.join("small.txt"), "3 3\nx..\n...\n...\n0 0\n").unwrap();
    let fleet = ["--rule", "fleet=fleet.txt", "-e", "search:cover,sat:mine/amo=*"];
    let (status, out, err) = run(&dir, &[&["compare", "ships", "small.txt"], &fleet[..]].concat());
    assert_eq!((status, checked(&out)), (0, 5), "{out}{err}");
}

#[test]
fn exact_and_rc2_are_solvers() {
    for (module, file, input) in [("exact", "exact_opb.py", "opb"), ("pysat", "rc2_wcnf.py", "wcnf")] {
        let Some(python) = python(&[module]) else { continue };
        let more = format!("input = {input:?}");
        let dir = folder(&format!("python-{module}"), &table("solver.theirs", &python, file, "", &more));
        let boards = generate(&dir, &["flip", "solvable", "n=4", "--count", "3"])
            + &generate(&dir, &["flip", "random", "n=4", "--count", "3"]);
        fs::write(dir.join("boards.txt"), boards).unwrap();
        let engines = ["-e", "search,sat:presses@theirs"];
        let (status, out, err) = run(&dir, &[&["compare", "flip", "boards.txt"], &engines[..]].concat());
        assert_eq!((status, checked(&out)), (0, 12), "{out}{err}");
    }
    let Some(python) = python(&["exact"]) else { return };
    let dir =
        folder("python-exact-ships", &table("solver.exact", &python, "exact_opb.py", "", "input = \"opb\""));
    let boards = generate(&dir, &["ships", "contradictory", "n=10", "hits=9", "--count", "2"]);
    fs::write(dir.join("boards.txt"), boards).unwrap();
    let engines = ["-e", "search:cover,sat:placement/leaders=no@exact"];
    let (status, out, err) = run(&dir, &[&["compare", "ships", "boards.txt"], &engines[..]].concat());
    assert_eq!((status, checked(&out)), (0, 4), "{out}{err}");
}

/// The script beside the certificates shares no code with the checker. It rejects altered certificates.
#[test]
fn a_script_checks_the_certificates_of_fewest_o() {
    let Some(python) = python(&[]) else { return };
    let folder_of = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/certificates");
    let script = folder_of.join("check_fewest_o.py");
    let ask = |files: &[PathBuf]| {
        let out = Command::new(&python).arg(&script).args(files).stdin(Stdio::null()).output().unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap())
    };
    let (status, out) = ask(&[]);
    assert_eq!(status, Some(0), "{out}");
    assert_eq!(out.lines().filter(|line| line.contains("no fewest-o player wins")).count(), 11, "{out}");
    let dir = folder("python-certificates", "");
    let kept = fs::read_to_string(folder_of.join("ships-fewest-o-4-misses-11-cells.json")).unwrap();
    let altered = |name: &str, from: &str, to: &str| {
        let path = dir.join(name);
        assert!(kept.contains(from));
        fs::write(&path, kept.replacen(from, to, 1)).unwrap();
        ask(&[path])
    };
    for (name, misses, wrong) in [("fewer", 3, "FAILED: 3 misses suffice"), ("more", 5, "FAILED: 4 do not")] {
        let (status, out) = altered(name, "\"misses\":4", &format!("\"misses\":{misses}"));
        assert!(status == Some(1) && out.contains(wrong), "{out}");
    }
    let (status, out) = altered("smaller", ",\"00000000011\"", "");
    assert!(status == Some(1) && out.contains("FAILED: 3 do not; no fewest-o player wins with 4"), "{out}");
}
