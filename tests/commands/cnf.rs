//! Formulas as a problem: output and exit status of `judge`, compressed files, answers that name files, formulas of the
//! board problems as files.

use flate2::Compression;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SAT: &str = "c by hand\np cnf 3 4\n1 -2 0\n2 -3 0\nc inside\n1 2 3 0\nx-1 -3 0\n";
const UNSAT: &str = "p cnf 2 4\n1 2 0 -1 2 0\n1 -2 0\n-1\n-2 0\n";
/// `p cnf 2 2\n1 2 0\n-1 0\n`, compressed.
const BY_XZ: &[u8] = include_bytes!("../../problems/cnf/src/decompress/tests/text.xz");

/// A new folder with formulas.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cnf").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    for (name, text) in [("sat.cnf", SAT), ("unsat.cnf", UNSAT)] {
        fs::write(dir.join(name), text).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        // Compression is recognised by the contents, not by the name.
        fs::write(dir.join(format!("{name}.gzip")), gzip.finish().unwrap()).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        bzip2.write_all(text.as_bytes()).unwrap();
        fs::write(dir.join(format!("{name}.bz2")), bzip2.finish().unwrap()).unwrap();
    }
    fs::write(dir.join("two.cnf.xz"), BY_XZ).unwrap();
    dir
}

fn run_with(dir: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(args).current_dir(dir).env_remove("COUNTERPOINT_CONFIG");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn run(dir: &Path, args: &[&str]) -> (i32, String, String) {
    run_with(dir, args, "")
}

#[test]
fn judge_prints_and_exits_as_solvers_do() {
    let dir = folder("judge");
    let (sat, unsat) = ("s SATISFIABLE\nv 1 ", "s UNSATISFIABLE\n");
    for name in ["sat.cnf", "sat.cnf.gzip", "sat.cnf.bz2"] {
        let (status, out, err) = run(&dir, &["judge", "cnf", name]);
        assert!(out.starts_with(sat) && out.ends_with(" 0\n"), "{out}");
        assert_eq!((status, err.as_str()), (10, ""));
        let other = name.replace("sat", "unsat");
        assert_eq!(run(&dir, &["judge", "cnf", &other]), (20, unsat.to_owned(), String::new()));
    }
    assert_eq!(run(&dir, &["judge", "cnf", "two.cnf.xz"]).1, "s SATISFIABLE\nv -1 2 0\n");
    assert_eq!(run_with(&dir, &["judge", "cnf"], UNSAT).0, 20);
    for engine in ["search", "sat@batsat", "sat:plain"] {
        assert_eq!(run(&dir, &["judge", "cnf", "sat.cnf", "-e", engine]).0, 10, "{engine}");
        assert_eq!(run(&dir, &["judge", "cnf", "unsat.cnf", "-e", engine]).0, 20, "{engine}");
    }
    let (status, out, err) = run(&dir, &["judge", "cnf", "unsat.cnf", "-e", "search", "--work-limit", "0"]);
    assert_eq!((status, out.as_str()), (3, "s UNKNOWN\n"), "{err}");
    assert!(err.contains("work limit"), "{err}");
    let (status, out, _) = run(&dir, &["judge", "cnf", "unsat.cnf", "-e", "search:walksat"]);
    assert_eq!((status, out.as_str()), (3, "s UNKNOWN\n"));
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let dir = folder("bad");
    let xz = &BY_XZ[..BY_XZ.len() - 20];
    for (name, bytes, message) in [
        (
            "a.cnf",
            &b"p cnf 1 1\nc\n1 q 0\n"[..],
            "a.cnf:3:3: unexpected 'q'; expected a literal, or 0 after the last one",
        ),
        (
            "b.cnf",
            b"",
            "b.cnf:1:1: unexpected end of file; expected the header 'p cnf VARIABLES CLAUSES' before it",
        ),
        (
            "c.cnf",
            b"p cnf 2147483647 0\n",
            "c.cnf:1:1: the header declares 2147483647 variables; expected at most 19",
        ),
        ("d.cnf.xz", xz, "d.cnf.xz:"),
        ("e.cnf.gz", b"\x1f\x8b\x08\x00", "e.cnf.gz:1:1: "),
    ] {
        fs::write(dir.join(name), bytes).unwrap();
        let (status, out, err) = run(&dir, &["judge", "cnf", name]);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.starts_with(&format!("counterpoint: error: {message}")), "{err}");
    }
    let (_, _, err) = run(&dir, &["solve", "cnf", "d.cnf.xz"]);
    assert!(err.contains("xz stream: "), "{err}");
    assert_eq!(run(&dir, &["judge", "cnf", "."]).0, 2);
}

#[test]
fn answers_name_the_file_and_check_reads_it() {
    let dir = folder("answers");
    let (status, json, err) = run(&dir, &["solve", "cnf", "unsat.cnf.bz2", "--certify", "--json"]);
    assert_eq!(status, 0, "{err}");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let bytes = fs::read(dir.join("unsat.cnf.bz2")).unwrap();
    let hash = counterpoint::sha256::of(&bytes);
    assert_eq!(value["instance"], format!("sha256 {hash} file unsat.cnf.bz2\n"));
    assert_eq!(value["instance_hash"], hash);
    fs::write(dir.join("answer.json"), &json).unwrap();
    let check = |args: &[&str]| run(&dir, &[&["check", "answer.json"], args].concat());
    let (status, out, _) = check(&[]);
    assert!(status == 0 && out.contains("proved") && out.contains("unsatisfiable, checked"), "{out}");

    // The file is read from another place, and refused if its contents differ.
    fs::rename(dir.join("unsat.cnf.bz2"), dir.join("moved")).unwrap();
    let (status, _, err) = check(&[]);
    assert!(status == 2 && err.contains("unsat.cnf.bz2: cannot be read: "), "{err}");
    let (status, out, _) = check(&["--against", "moved"]);
    assert!(status == 0 && out.contains("recomputed  the instance is the file moved"), "{out}");
    for name in ["unsat.cnf", "sat.cnf.bz2"] {
        let (status, out, err) = check(&["--against", name]);
        assert!(status == 2 && !out.contains("checked"), "{out}");
        assert!(err.contains(&format!("{name}: is not the same file: its SHA-256 is ")), "{err}");
    }
    for changed in [SAT, "nonsense"] {
        fs::write(dir.join("unsat.cnf.bz2"), changed).unwrap();
        let (status, _, err) = check(&[]);
        assert!(status == 2 && err.contains("unsat.cnf.bz2: is not the same file: "), "{err}");
    }
    // Nothing but a regular file is opened.
    fs::remove_file(dir.join("unsat.cnf.bz2")).unwrap();
    fs::create_dir(dir.join("unsat.cnf.bz2")).unwrap();
    assert!(check(&[]).2.contains("unsat.cnf.bz2: cannot be read: it is not a regular file"));

    // Standard input has no name, so the answer contains the formula.
    let (_, json, _) = run_with(&dir, &["solve", "cnf", "-", "--json"], SAT);
    fs::write(dir.join("answer.json"), &json).unwrap();
    assert_eq!(check(&[]).0, 0);
    for name in ["sat.cnf", "sat.cnf.gzip"] {
        let (status, out, _) = check(&["--against", name]);
        assert!(status == 0 && out.contains(&format!("the instance is game 1 of {name}")), "{out}");
    }
    assert_eq!(check(&["--against", "unsat.cnf"]).0, 1);
}

#[test]
fn saved_answers_and_models_of_other_solvers_are_checked() {
    let dir = folder("saved");
    for name in ["sat.cnf", "unsat.cnf.gzip"] {
        let (status, out, err) = run(&dir, &["solve", "cnf", name, "--certify", "--save", "saved"]);
        assert_eq!(status, 0, "{out}{err}");
        let (status, out, err) = run(&dir, &["check", "saved"]);
        assert!(status == 0 && out.contains("instance.txt contains the answer's instance"), "{out}{err}");
        assert!(out.contains(", checked"), "{out}");
    }
    let (status, formula, _) = run(&dir, &["encode", "cnf", "sat.cnf", "--format", "xcnf"]);
    assert!(status == 0 && formula.contains("\nx"), "{formula}");
    fs::write(dir.join("formula"), &formula).unwrap();
    for (model, expected, says) in [
        ("s SATISFIABLE\nv 1 2 3 0\n", 1, "in parity constraint 1"),
        ("s SATISFIABLE\nv 1 2 -3 0\n", 0, "model of sat:plain, cnf: satisfiable, checked"),
        ("s UNSATISFIABLE\n", 1, "search:dpll finds satisfiable"),
    ] {
        fs::write(dir.join("model"), model).unwrap();
        let (status, out, err) = run(&dir, &["check", "--model", "model", "formula"]);
        assert!(status == expected && out.contains(says), "{model}{out}{err}");
    }
}

/// The formulas of the board problems as files have the answers that their manifest expects.
#[test]
fn our_own_formulas_as_files_give_the_same_answers() {
    let dir = folder("circle");
    for (problem, family, format) in [
        ("flip", "random", "cnf"),
        ("flip", "random", "xcnf"),
        ("ships", "random", "cnf"),
        ("spot", "random", "cnf"),
    ] {
        let out = format!("{problem}-{format}");
        let seeds = ["--seed", "1", "--count", "6", "--format", format, "--formulas", &out];
        let (status, said, err) = run(&dir, &[&["generate", problem, family][..], &seeds].concat());
        assert_eq!(status, 0, "{said}{err}");
        let manifest = fs::read_to_string(dir.join(&out).join("manifest.csv")).unwrap();
        let mut lines = manifest.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = lines.next().unwrap();
        let column = |name: &str| head.iter().position(|cell| *cell == name).unwrap();
        for line in lines {
            let file = format!("{out}/{}", line[column("file")]);
            let expected = match line[column("status")] {
                "SAT" => 10,
                "UNSAT" => 20,
                other => panic!("{file}: {other}"),
            };
            for engine in ["sat", "sat@batsat"] {
                let (status, out, err) = run(&dir, &["judge", "cnf", &file, "-e", engine]);
                assert_eq!(status, expected, "{file}: {out}{err}");
            }
            let (_, out, _) = run(&dir, &["solve", "cnf", &file, "--certify"]);
            assert!(out.contains("satisfiable, checked"), "{file}: {out}");
        }
    }
}

/// A declared engine reads the formula itself, even if an answer would only name its file.
#[test]
fn programs_get_the_formula_and_not_its_file() {
    let dir = folder("programs");
    let config = "[engine.mine]\nproblem = \"cnf\"\noutput = \"json\"\ncommand = [\"sh\", \"mine.sh\"]\n";
    fs::write(dir.join("counterpoint.toml"), config).unwrap();
    let script =
        "if [ \"$(cat)\" = \"$(cat expected)\" ]; then echo '{ \"outcome\": \"unsatisfiable\" }'; fi\n";
    fs::write(dir.join("mine.sh"), script).unwrap();
    fs::write(dir.join("expected"), "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n").unwrap();
    let solve = |name: &str| run(&dir, &["solve", "cnf", name, "-e", "exec:mine", "--certify"]);
    let (status, out, err) = solve("unsat.cnf.gzip");
    assert!(status == 0 && out.contains("unsatisfiable, checked"), "{out}{err}");
    assert_eq!(solve("sat.cnf").0, 2);
}

/// Any SAT solver that prints `s` and `v` lines is an engine. It may end with 10 or 20, as solvers do, or with 0.
#[test]
fn programs_that_print_as_solvers_do_are_engines() {
    let dir = folder("judged");
    let mut config = String::new();
    for (name, script) in [
        (
            "right",
            "grep -q '^x' $1 && { echo c by hand; echo s SATISFIABLE; echo v 1 -2; echo v -3 0; exit 10; }; echo s UNSATISFIABLE; exit 20",
        ),
        (
            "liar",
            "grep -q '^x' $1 && { echo s UNSATISFIABLE; exit 0; }; echo s SATISFIABLE; echo v 1 2 0; exit 10",
        ),
        ("unsure", "echo s UNKNOWN"),
        ("mixed", "echo s UNSATISFIABLE; exit 10"),
        ("crash", "echo s UNSATISFIABLE; exit 7"),
        ("mute", "exit 20"),
    ] {
        config +=
            &format!("[engine.{name}]\nproblem = \"cnf\"\ncommand = [\"sh\", \"{name}.sh\", \"{{}}\"]\n");
        fs::write(dir.join(format!("{name}.sh")), script).unwrap();
    }
    fs::write(dir.join("counterpoint.toml"), config).unwrap();
    let solve = |engine: &str, more: &[&str]| {
        run(&dir, &[&["solve", "cnf", "-e", &format!("exec:{engine}")], more].concat())
    };
    let (status, out, err) = solve("right", &["sat.cnf"]);
    assert!(status == 0 && out.contains("satisfiable, checked"), "{out}{err}");
    let (status, out, err) = solve("right", &["unsat.cnf"]);
    assert!(status == 0 && out.contains("unsatisfiable, not checked: a claim is open"), "{out}{err}");
    let (status, out, err) = solve("right", &["unsat.cnf", "--certify"]);
    assert!(status == 0 && out.contains("unsatisfiable, checked"), "{out}{err}");
    let (status, out, err) = solve("liar", &["unsat.cnf"]);
    assert!(
        status == 1 && out.contains("satisfiable, WRONG") && out.contains("clause 4 is false"),
        "{out}{err}"
    );
    let (status, out, err) = solve("liar", &["sat.cnf", "--certify"]);
    assert!(status == 1 && out.contains("formula for it has a model"), "{out}{err}");
    let (status, out, err) = run(&dir, &["compare", "cnf", "sat.cnf", "-e", "search,exec:liar"]);
    assert!(status == 1 && out.contains("WRONG") && out.contains("DISAGREEMENT"), "{out}{err}");
    // A wrong answer matters more than a failure, and the hint names the formula's file.
    let (status, out, err) = run(&dir, &["compare", "cnf", "unsat.cnf", "-e", "exec:{crash,liar}"]);
    assert!(status == 1 && out.contains(" stress cnf --input unsat.cnf -- sh liar.sh FILE"), "{out}{err}");
    let (status, _, err) = solve("unsure", &["sat.cnf"]);
    assert!(status == 3 && err.contains("the solver's own limit"), "{err}");
    for (engine, words) in [
        ("mixed", "it answered unsatisfiable, but ended with status 10; expected 20 or 0"),
        ("crash", "ended with exit status: 7"),
        ("mute", "its output has no line that begins with s"),
    ] {
        let (status, _, err) = solve(engine, &["sat.cnf"]);
        assert!(status == 2 && err.contains(words), "{err}");
    }
    let (status, out, _) = run(&dir, &["judge", "cnf", "sat.cnf", "-e", "exec:right"]);
    assert_eq!((status, out.as_str()), (10, "s SATISFIABLE\nv 1 -2 -3 0\n"));
    // A model that violates a clause is not printed.
    let (status, out, err) = run(&dir, &["judge", "cnf", "unsat.cnf", "-e", "exec:liar"]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("game 1: the answer of exec:liar is wrong: clause 4 is false"), "{err}");
}

#[test]
fn explanations_name_a_minimal_set_of_clauses() {
    let dir = folder("explained");
    let text = "p cnf 3 6\n3 1 0\n1 2 0\n-1 2 0\n3 -2 0\n1 -2 0\n-1 -2 0\n";
    fs::write(dir.join("core.cnf"), text).unwrap();
    let (status, out, err) = run(&dir, &["solve", "cnf", "core.cnf", "--explain"]);
    assert_eq!(status, 0, "{err}");
    let words = "4 of the 6 clauses contradict each other:\n  clause 2: 1 2 0\n  clause 3: -1 2 0\n  clause 5: 1 -2 0\n  \
                 clause 6: -1 -2 0\nThis set is minimal: drop any one of them and the rest can be satisfied.\n";
    assert!(out.contains(words), "{out}");
    let (_, out, _) = run(&dir, &["solve", "cnf", "sat.cnf", "--explain"]);
    assert!(
        out.contains("3 variables and 3 clauses and 1 parity constraint.\nThe model satisfies them all."),
        "{out}"
    );
}

/// A proof that the solver writes while it solves closes the claim. A wrong one fails it, and nothing else is tried.
#[test]
fn solvers_prove_their_own_answers() {
    let dir = folder("own-proofs");
    let mut config = String::new();
    for (name, proof) in
        [("right", "printf '2 0\\n0\\n' > $2"), ("liar", "printf '0\\n' > $2"), ("mute", "true")]
    {
        config += &format!(
            "[solver.{name}]\ncommand = [\"sh\", \"{name}.sh\", \"{{}}\"]\nproof = {{ arguments = [\"{{proof}}\"] }}\n"
        );
        fs::write(dir.join(format!("{name}.sh")), format!("{proof}; echo s UNSATISFIABLE; exit 20")).unwrap();
    }
    fs::write(dir.join("counterpoint.toml"), config).unwrap();
    let solve = |engine: &str| run(&dir, &["solve", "cnf", "unsat.cnf", "--certify", "-e", engine]);
    for solver in ["right", "varisat"] {
        let (status, out, err) = solve(&format!("sat@{solver}"));
        let words = format!(", written by {solver} while it solved, ");
        assert!(status == 0 && out.contains("unsatisfiable, checked") && out.contains(&words), "{out}{err}");
    }
    let (status, out, err) = solve("sat@liar");
    assert!(
        status == 1 && out.contains("unsatisfiable, WRONG") && out.contains("proof line 1"),
        "{out}{err}"
    );
    assert!(!err.contains("varisat"), "{err}");
    let (status, out, err) = solve("sat@mute");
    assert!(status == 0 && out.contains("unsatisfiable, checked"), "{out}{err}");
    assert!(err.contains("it wrote no proof; varisat proves it instead"), "{err}");
    let (status, out, _) = solve("sat@batsat");
    assert!(status == 0 && out.contains("checked") && !out.contains("while it solved"), "{out}");
    let plan = "problem = \"cnf\"\ncertify = true\n\
                engines = [\"sat@{varisat,right,liar}\"]\n[[family]]\nfiles = \"unsat.cnf\"\n";
    fs::write(dir.join("plan.toml"), plan).unwrap();
    let (status, out, err) = run(&dir, &["run", "plan.toml"]);
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.matches("WRONG").count() == 1 && out.contains("sat:plain@liar"), "{out}{err}");
}

#[test]
fn a_plan_limits_the_time_of_proofs() {
    let dir = folder("cnf-proof-limit");
    let run_with = |proof: &str| {
        let plan = format!(
            "problem = \"cnf\"\nengines = [\"sat@batsat\"]\ncertify = true\nlimits = {{ {proof} }}\n\
             [[family]]\nname = \"pigeonhole\"\npigeons = 8\n"
        );
        fs::create_dir_all(dir.join("x")).unwrap();
        fs::write(dir.join("x/plan.toml"), plan).unwrap();
        let (status, out, err) = run(&dir, &["run", "x"]);
        assert_eq!(status, 0, "{out}{err}");
        let (_, records, _) = run(&dir, &["status", "x", "--records", "jsonl"]);
        records.lines().last().unwrap().to_owned()
    };
    // Each limit has records of its own. The last one is without a limit on proofs.
    let record = run_with("proof = \"1ms\"");
    assert!(record.contains("\"check\":\"open\"") && record.contains("\"proof_s\":0.001"), "{record}");
    let record = run_with("cpu = \"20s\", proof = \"60s\"");
    assert!(record.contains("\"check\":\"checked\"") && record.contains("\"proof_s\":60.0"), "{record}");
    let record = run_with("cpu = \"20s\"");
    assert!(record.contains("\"check\":\"checked\"") && !record.contains("proof_s"), "{record}");
}
