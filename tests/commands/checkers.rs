//! External proof checkers: a rejection fails the claim, an acceptance proves nothing, and failures of a checker are
//! reported.

use crate::fakes;
use crate::fakes::home::{entry, finish, folder, run, start};
use std::path::{Path, PathBuf};

fn checker(name: &str, more: &[&str]) -> String {
    entry(&format!("checker.{name}"), &fakes::command(name, more))
}

const FAKES: [&str; 9] =
    ["verifier", "formal", "denier", "kind-denier", "undecided", "ashamed", "mute", "weary", "crash"];

/// A folder with a configuration of all fake checkers, and a certified `answer`.
fn proved(name: &str, more: &str) -> PathBuf {
    let config: String = FAKES.iter().map(|name| checker(name, &[])).collect();
    let dir = folder(name, &(config + more));
    assert_eq!(run(&dir, &["solve", "flip", "flip.txt", "--certify", "--save", "answer"]).0, 0);
    dir
}

fn check(dir: &Path, checkers: &[&str]) -> (i32, String, String) {
    let named = checkers.iter().flat_map(|name| ["--checker", name]);
    run(dir, &["check", "answer"].into_iter().chain(named).collect::<Vec<_>>())
}

#[test]
fn an_acceptance_is_reported_and_a_rejection_fails_the_claim() {
    let dir = proved("checkers-verdicts", "");
    let (status, out, err) = check(&dir, &["verifier", "formal"]);
    let line =
        "  proved      at least 4 presses are needed, also accepted by verifier, also accepted by formal\n";
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains(line) && out.contains("4 presses, checked"), "{out}");
    for (name, words) in
        [("denier", "s NOT VERIFIED"), ("kind-denier", "c Checking failed at line: 7. Reason: x")]
    {
        let (status, out, _) = check(&dir, &[name, "verifier"]);
        let line = format!(
            "failed      at least 4 presses are needed, its proof accepted by verifier, which proves nothing ({name} rejects its proof: '{words}')"
        );
        assert_eq!(status, 1);
        assert!(out.contains(&line) && out.contains("WRONG"), "{out}");
    }
    assert_eq!(check(&dir, &[]).0, 0);
}

#[test]
fn an_acceptance_does_not_override_our_own_checker() {
    let dir = proved("checkers-liar", "");
    std::fs::write(dir.join("answer/proof.drat"), "0\n").unwrap();
    let (status, out, _) = check(&dir, &["verifier"]);
    assert_eq!(status, 1);
    assert!(
        out.contains("failed      at least 4 presses are needed, its proof accepted by verifier"),
        "{out}"
    );
    assert!(!out.contains("also accepted"), "{out}");
}

#[test]
fn a_checker_without_a_verdict_is_reported_and_sets_the_exit_status() {
    let dir = proved("checkers-failures", "");
    for (name, status, words) in [
        ("undecided", 2, "printed both 's VERIFIED' and 's NOT VERIFIED'"),
        ("ashamed", 2, "printed 's VERIFIED', but ended with exit status: 1; expected exit status 0"),
        ("mute", 2, "ended with exit status: 0 and printed no verdict"),
        ("crash", 2, "was killed by signal 6"),
        ("weary", 3, "its own limit"),
    ] {
        let (found, out, err) = check(&dir, &[name]);
        assert_eq!(found, status, "{name}: {err}");
        assert!(err.contains(&format!("checker {name}: at least 4 presses are needed: ")), "{err}");
        assert!(err.contains(words), "{err}");
        assert!(out.contains("proved      at least 4 presses are needed\n"), "{out}");
    }
}

#[test]
fn a_program_that_is_missing_or_unknown_is_named() {
    let dir = proved("checkers-missing", &entry("checker.gone", &["no-such".to_owned()]));
    let (status, out, err) = check(&dir, &["gone"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("checker gone: program 'no-such' not found"), "{err}");
    let (status, out, err) = check(&dir, &["verifire"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("unknown checker 'verifire'; did you mean 'verifier'?"), "{err}");
    let (status, out, _) = run(&dir, &["list", "checkers"]);
    assert_eq!(status, 0);
    for words in ["verifier", "gone", "'no-such' not found", "drat-trim", "cake_lpr", "rate", "lrat"] {
        assert!(out.contains(words), "{out}");
    }
}

#[test]
fn a_program_gets_the_formats_that_it_reads_and_no_others() {
    let reads = |name: &str, format: &str| {
        entry(&format!("checker.{name}"), &fakes::command("verifier", &["{}", "{proof}"]))
            + &format!("reads = [\"{format}\"]\n")
    };
    let dir = proved("checkers-formats", &(reads("lrat", "lrat") + &reads("pbp", "pbp")));
    let (status, out, err) = check(&dir, &["pbp"]);
    assert_eq!(status, 2);
    assert!(!out.contains("accepted by"), "{out}");
    assert!(err.contains("it does not read DRAT, the format of the proof"), "{err}");
    assert!(err.contains("checker pbp: there is no PBP proof for it to check"), "{err}");
    // With an invalid LRAT proof beside the DRAT proof, each checker gets the format that it reads.
    std::fs::write(dir.join("answer/proof.lrat"), "999999 0 0\n").unwrap();
    let (status, out, err) = check(&dir, &["lrat", "verifier"]);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(out.matches("accepted by lrat").count(), 1, "{out}");
    assert_eq!(out.matches("accepted by verifier").count(), 1, "{out}");
}

/// A program that reads LRAT but not DRAT gets the hints that it needs.
#[test]
fn a_drat_proof_reaches_a_checker_of_lrat_with_hints() {
    let keep = "cat \"$1\" >lrat.cnf; cat \"$2\" >kept.lrat; echo s VERIFIED UNSAT";
    let command = ["sh", "-c", keep, "sh", "{}", "{proof}"].map(str::to_owned);
    let dir = proved("checkers-hints", &(entry("checker.lrat", &command) + "reads = [\"lrat\"]\n"));
    let (status, out, err) = check(&dir, &["lrat"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("at least 4 presses are needed, also accepted by lrat\n"), "{out}");
    // The claim also holds with the elaborated proof alone.
    std::fs::remove_file(dir.join("answer/proof.drat")).unwrap();
    std::fs::rename(dir.join("kept.lrat"), dir.join("answer/proof.lrat")).unwrap();
    let (status, out, _) = check(&dir, &[]);
    assert_eq!(status, 0);
    assert!(out.contains("proved      at least 4 presses are needed\n"), "{out}");
    // A wrong proof has no such form.
    std::fs::remove_file(dir.join("answer/proof.lrat")).unwrap();
    std::fs::write(dir.join("answer/proof.drat"), "0\n").unwrap();
    let (status, out, err) = check(&dir, &["lrat"]);
    assert!(status == 2 && !out.contains("accepted"), "{status} {out}");
    assert!(err.contains("the proof cannot be written as LRAT: "), "{err}");
}

/// A proof with a rule that our checker does not support leaves its claim open; an external checker may still reject
/// it.
#[test]
fn a_pseudo_boolean_proof_goes_to_the_checkers_that_read_it() {
    let reads = |name: &str| checker(name, &["{}", "{proof}"]) + "reads = [\"pbp\"]\n";
    let config: String = ["pb-verifier", "pb-denier", "pb-mute"].map(reads).concat();
    let dir = proved("checkers-pbp", &config);
    let (status, _, err) = check(&dir, &["pb-verifier"]);
    assert_eq!(status, 2);
    assert!(err.contains("checker pb-verifier: there is no PBP proof for it to check"), "{err}");
    let file = |name: &str| dir.join("answer").join(name);
    let write = |name: &str, text: &str| std::fs::write(file(name), text).unwrap();
    write("proof.pbp", "pseudo-Boolean proof version 1.1\ndom +1 x1 >= 1 ;\n");
    std::fs::remove_file(file("proof.drat")).unwrap();
    let (status, out, err) = check(&dir, &["pb-verifier"]);
    assert_eq!((status, err.as_str()), (0, ""));
    // The checker's own search closes the claim; neither the proof nor the acceptance does.
    assert!(
        out.contains("recomputed  at least 4 presses are needed, also accepted by pb-verifier\n"),
        "{out}"
    );
    let (status, out, _) = check(&dir, &["pb-denier"]);
    assert_eq!(status, 1);
    assert!(out.contains("pb-denier rejects its proof: 'Error: proof.pbp:3: it is not implied'"), "{out}");
    let (status, _, err) = check(&dir, &["pb-mute"]);
    assert!(status == 2 && err.contains("checker pb-mute: ") && err.contains("printed no verdict"), "{err}");
    // A proof that our checker rejects fails, although a program accepts it.
    write("proof.pbp", "pseudo-Boolean proof version 2.0\nrup >= 1 ;\nconclusion UNSAT : -1\n");
    let (status, out, _) = check(&dir, &["pb-verifier"]);
    let why = "(proof line 2, column 1: the constraint does not follow by unit propagation)";
    assert!(status == 1 && out.contains("failed      at least 4 presses") && out.contains(why), "{out}");
    // The proof may refute the formula beside it, but then this formula is not the checker's.
    write("formula.opb", "+1 x1 >= 1 ;\n-1 x1 >= 0 ;\n");
    let (status, out, _) = check(&dir, &[]);
    assert_eq!(status, 0);
    assert!(out.contains("formula.opb contains a formula of the answer's instance (it has no head"), "{out}");
    std::fs::remove_file(file("proof.pbp")).unwrap();
    let encode = ["encode", "flip", "flip.txt", "--format", "opb", "-o", "answer/formula.opb"];
    std::fs::remove_file(file("formula.opb")).unwrap();
    assert_eq!(run(&dir, &encode).0, 0);
    let (status, out, _) = check(&dir, &[]);
    let line =
        "recomputed  formula.opb contains the formula that sat:presses writes for the answer's instance";
    assert!(status == 0 && out.contains(line), "{out}");
    let other = std::fs::read_to_string(file("formula.opb")).unwrap();
    write("formula.opb", &other.replace("+1 x1 ", "+2 x1 "));
    let (status, out, _) = check(&dir, &[]);
    assert!(status == 1 && out.contains("failed      formula.opb contains the formula"), "{out}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_hanging_checker_is_ended_by_its_limit_or_ctrl_c() {
    let limited =
        entry("checker.limited", &fakes::command("stubborn", &[])) + "limits = { cpu = \"100ms\" }\n";
    let dir = proved("checkers-stubborn", &limited);
    let (status, out, err) = check(&dir, &["limited"]);
    assert_eq!(status, 3);
    assert!(
        err.contains("at least 4 presses are needed: CPU limit") && out.contains("checked"),
        "{err}{out}"
    );
    let pid = dir.join("pid");
    let config = checker("stubborn", &[&format!("pid={}", pid.display())]);
    std::fs::write(dir.join("counterpoint.toml"), config).unwrap();
    let child = start(&dir, &["check", "answer", "--checker", "stubborn"]);
    while !pid.exists() {
        std::thread::yield_now();
    }
    let number = std::fs::read_to_string(&pid).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    assert_eq!(finish(&dir, child).0, 130);
    assert!(!Path::new(&format!("/proc/{number}")).exists());
}

/// Whether drat-trim accepts bytes that prove nothing; `None` if it is not installed.
fn is_fooled(dir: &Path, formula: &str) -> Option<bool> {
    // In binary DRAT: add a unit clause, then the empty clause. The bytes are not text.
    std::fs::write(dir.join("false.drat"), b"a\x02\x00a\x80\x81\x00a\x00").unwrap();
    let output =
        std::process::Command::new("drat-trim").arg(formula).arg("false.drat").current_dir(dir).output();
    let said = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
    assert!(said.contains("s "), "{said}");
    Some(said.contains("s VERIFIED"))
}

/// On the formulas that `encode` and `--save` write, drat-trim must reject bytes that prove nothing.
#[test]
fn drat_trim_is_not_fooled_by_our_formulas() {
    let dir = folder("checkers-drat-trim", "");
    std::fs::write(dir.join("smudged.txt"), "2\n1 1 +\n? ? ?\n? ? ?\n1 2 ?\n0\n").unwrap();
    for (problem, file) in [("flip", "flip.txt"), ("spot", "smudged.txt")] {
        let (status, _, err) = run(&dir, &["encode", problem, file, "-o", "formula.cnf"]);
        assert_eq!(status, 0, "{err}");
        assert_ne!(is_fooled(&dir, "formula.cnf"), Some(true), "{problem}");
    }
    assert_eq!(run(&dir, &["solve", "flip", "flip.txt", "--certify", "--save", "answer"]).0, 0);
    assert_ne!(is_fooled(&dir, "answer/formula.cnf"), Some(true));
}
