//! The programs, encoders and solvers in `examples/python`. If `python3` or a module that a file needs is missing, a
//! test is skipped and says so. The environment variable `COUNTERPOINT_PYTHON` names another interpreter.

use crate::fakes::home::{folder, run};
use crate::samples::is_thorough;
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

/// The folder of the certificates and of the scripts that check them. The scripts share no code with the checker.
fn certificates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/certificates")
}

/// The exit status of a script beside the certificates and what it prints about these files.
fn script(python: &str, name: &str, files: &[PathBuf]) -> (Option<i32>, String) {
    let mut command = Command::new(python);
    let out = command.arg(certificates().join(name)).args(files).stdin(Stdio::null()).output().unwrap();
    (out.status.code(), String::from_utf8(out.stdout).unwrap())
}

/// The script accepts these certificates, each in a line that ends so.
fn accepts(python: &str, name: &str, files: &[&str], end: &str) {
    let paths: Vec<PathBuf> = files.iter().map(|file| certificates().join(file)).collect();
    let (status, out) = script(python, name, &paths);
    assert_eq!(status, Some(0), "{out}");
    assert_eq!(out.lines().filter(|line| line.ends_with(end)).count(), files.len(), "{out}");
}

/// The script refuses a certificate in which the text `from` is replaced by `to`, and says why.
fn refuses(python: &str, name: &str, certificate: &str, from: &str, to: &str, why: &str) {
    let kept = fs::read_to_string(certificates().join(certificate)).unwrap();
    assert!(kept.contains(from), "{certificate}: {from}");
    let path = folder(&format!("python-{name}"), "").join(certificate);
    fs::write(&path, kept.replacen(from, to, 1)).unwrap();
    let (status, out) = script(python, name, &[path]);
    assert_eq!(status, Some(1), "{from}: {out}");
    assert!(out.starts_with(certificate) && out.contains(&format!("FAILED: {why}")), "{from}: {out}");
}

#[test]
fn a_script_checks_the_certificates_of_fewest_o() {
    let Some(python) = python(&[]) else { return };
    let name = "check_fewest_o.py";
    let (status, out) = script(&python, name, &[]);
    assert_eq!(status, Some(0), "{out}");
    assert_eq!(out.lines().filter(|line| line.contains("no fewest-o player wins")).count(), 11, "{out}");
    let refuses =
        |from, to, why| refuses(&python, name, "ships-fewest-o-4-misses-11-cells.json", from, to, why);
    refuses("\"misses\":4", "\"misses\":3", "3 misses suffice");
    refuses("\"misses\":4", "\"misses\":5", "4 do not");
    refuses(",\"00000000011\"", "", "3 do not; no fewest-o player wins with 4");
}

#[test]
fn a_script_checks_presses_where_the_null_space_is_large() {
    let Some(python) = python(&["numpy"]) else { return };
    let (status, out) =
        script(&python, "check_all_ones_large.py", &[certificates().join("flip-all-ones-60.json")]);
    assert_eq!(status, Some(0), "{out}");
    let counts = |presses| out.lines().any(|line| line.contains(presses));
    assert!(counts("39x39, nullity 32: 561 presses") && counts("47x47, nullity 30: 971 presses"), "{out}");
    // From another solution of 59x59, which needs 1485 presses, it finds that fewer than 1487 suffice.
    let program = "\
import json
from check_all_ones_large import *
boards = json.load(open('flip-all-ones-60.json'))['boards']
board = next(board for board in boards if board['n'] == 59)
number = lambda first, turned: as_number(59, rows_from(59, first, turned))
null = [number(vector, 0) for vector in null_space(59)]
first = sum(int(digit) << c for c, digit in enumerate(board['rows'][0]))
print([most_unpressed(59, number(first, 1) ^ null[3] ^ null[8], null, 59 * 59 - 2 * (most - 2))[0] for most in (1487, 1485)])
";
    let out = Command::new(&python).args(["-c", program]).current_dir(certificates()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stdout), format!("[{}, None]\n", 59 * 59 - 2 * 1485), "{out:?}");
}

#[test]
fn a_script_checks_the_certificates_of_spot() {
    if !is_thorough() {
        return;
    }
    let Some(python) = python(&[]) else { return };
    let name = "check_spot.py";
    let [forcing_2, forcing_3] = ["spot-forcing-limit-2-counted.json", "spot-forcing-limit-3-uncounted.json"];
    let [longest, rules] = ["spot-longest-3-d4.json", "spot-rules-3.json"];
    let [wins, draw, unlimited] =
        ["spot-value-2-judge.json", "spot-value-3-judge.json", "spot-value-3-unlimited.json"];
    // Those of 4x4 take longer, and `.ci/run` checks them.
    accepts(&python, name, &[forcing_2, forcing_3, longest, rules, wins, draw, unlimited], "; verified");
    let refuses = |certificate, from, to, why| refuses(&python, name, certificate, from, to, why);
    let bounds = "class 3 has 1 free neighbours, and 1 can be used up";
    refuses(forcing_2, "\"at_least\":5", "\"at_least\":6", bounds);
    refuses(forcing_2, "\"at_most\":5", "\"at_most\":4", "the limit is reached before the pursued repeats");
    refuses(forcing_2, "\"then\":[]", "\"then\":[{}]", "1 trees for 0 moves at 15");
    let bounds = "class 3 has 6 free neighbours, and 6 can be used up";
    refuses(forcing_3, "\"at_least\":23", "\"at_least\":24", bounds);
    let bounds = "the answers force a repeat by move 141, not by move 140";
    refuses(forcing_3, "\"at_most\":141", "\"at_most\":140", bounds);
    refuses(forcing_3, "[108,2],", "", "class 108 has 5 free neighbours, and 5 can be used up");
    refuses(forcing_3, "[40,4]", "[40,2]", "a class is reserved twice");
    let start = "player 2 may return to the empty board, and the answer is used up";
    refuses(forcing_3, "\"winner\":2", "\"winner\":1", start);
    refuses(longest, "\"at_most\":102", "\"at_most\":101", "the classes bound games by 102 moves, not 101");
    refuses(longest, "\"at_least\":102", "\"at_least\":103", "the game has 102 moves");
    let bounds = "the classes bound games by 140 moves, not 102";
    refuses(longest, "\"symmetry\":\"d4\"", "\"symmetry\":\"c4\"", bounds);
    refuses(rules, "[0,0,2]", "[0,0,0]", "'c2, start uncounted': both programs agree on the last move");
    refuses(rules, "[0,0,2]", "[0,1,0,2]", "'c2, start uncounted': the game has 4 moves; 3 are the fewest");
    let missing = "no game for 'c4, start counted', but 2 moves suffice";
    refuses(rules, ",{\"program\":\"c4, start counted\",\"squares\":[0,0]}", "", missing);
    refuses(wins, "\"limit\":4", "\"limit\":2", "the limit is reached before the pursued repeats");
    refuses(wins, "\"symmetry\":\"c4\"", "\"symmetry\":\"c2\"", "1 trees for 2 moves at 0");
    refuses(draw, "\"limit\":6", "\"limit\":8", "class 16 has 3 free neighbours, and 3 can be used up");
    refuses(unlimited, "player 1 wins", "player 2 wins", "an answer recreates the empty board");
    refuses(unlimited, "\"start\":\"counted\"", "\"start\":\"uncounted\"", start);
    refuses(unlimited, "\"answers\":\"4", "\"answers\":\"3", "two answers lead to the same class");
}

#[test]
fn a_script_checks_the_certificates_of_misses() {
    if !is_thorough() {
        return;
    }
    let Some(python) = python(&[]) else { return };
    let name = "check_ships_misses.py";
    let file = "ships-misses-empty-5x6.json";
    let files = [
        file,
        "ships-misses-empty-2x15.json",
        "ships-misses-empty-3x10.json",
        "ships-fewest-o-position.json",
    ];
    accepts(&python, name, &files, "; verified");
    let refuses = |from, to, why| refuses(&python, name, file, from, to, why);
    refuses("\"misses\":2", "\"misses\":1", "the plan has one miss too many");
    refuses("\"misses\":2", "\"misses\":3", "the lost sets are won with 2");
    refuses("\"mirror\":\"no\"", "\"mirror\":\"yes\"", "4 sets are missing");
    refuses("\"x../xxx\"", "\"..x/xxx\"", "no fleet covers 20 of the sets");
    refuses("\"shoot\":[1,4]", "\"shoot\":[1,1]", "a leaf names only set 100");
    refuses("\"sink\":100", "\"sink\":101", "a leaf names only set 101");
    refuses("\"outcome\":\"yes\"", "\"outcome\":\"yes\",\"fewest_o\":\"fails\"", "a fewest-o player wins");
}

#[test]
fn a_script_checks_the_certificate_of_three_colours() {
    if !is_thorough() {
        return;
    }
    let Some(python) = python(&[]) else { return };
    let [name, file] = ["check_all_ones_colours.py", "flip-all-ones-3-colours.json"];
    accepts(&python, name, &[file], ": 3 colours: 21 least, 4 without a solution");
    let refuses = |from, to, why| refuses(&python, name, file, from, to, why);
    refuses("\"nullity\":2", "\"nullity\":3", "4x4: the null space has dimension 2");
    refuses("\"presses\":4,", "\"presses\":3,", "4x4: there are 4 presses");
    refuses("\"0100\"", "\"0110\"", "4x4: the presses do not solve the board");
    let [four, sixteen] = [("4", "0100"), ("16", "0220")]
        .map(|(presses, row)| format!("\"presses\":{presses},\"least\":true,\"rows\":[\"{row}\"]"));
    refuses(&four, &sixteen, "4x4: 4 presses suffice");
    refuses("[\"11\",\"11\"]", "[\"12\",\"12\"]", "2x2: a press changes the weighted sum");
    refuses("[\"11\",\"11\"]", "[\"00\",\"00\"]", "2x2: the weights add up to 0");
}

#[test]
fn a_script_checks_the_certificates_of_hardest_boards() {
    if !is_thorough() {
        return;
    }
    let Some(python) = python(&[]) else { return };
    let [name, file] = ["check_hardest.py", "flip-hardest-either-18.json"];
    accepts(&python, name, &[file, "flip-hardest-one-colour-18.json"], ": 18 boards hold");
    accepts(&python, name, &["flip-hardest-one-colour-scaled.json"], ": 34 boards hold");
    let refuses = |from, to, why| refuses(&python, name, file, from, to, why);
    refuses("\"presses\":12,", "\"presses\":11,", "n = 5: the board needs 12 presses");
    refuses("[\"1001\",\"0111\"", "[\"1001\",\"0110\"", "n = 4: the board needs 5 presses");
    refuses("\"most\":12,", "\"most\":11,", "n = 5: the cases find a harder board");
    refuses("[\"11\",\"00\"]", "[\"11\"]", "n = 2: not n rows of n presses");
    let (status, _) = script(&python, name, &[certificates().join("spot-rules-3.json")]);
    assert_eq!(status, Some(2));
}
