//! The commands that a problem gets by implementing the trait.

use std::process::Command;

pub(crate) fn queens(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_queens")).args(args).output().expect("it starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn judge_compare_and_check_support_a_fourth_problem() {
    let file = |name| format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let (input, answers) = (&file("boards.txt"), &file("answers.json"));
    std::fs::write(input, "Q...\n....\n....\n....\n\n.Q..\n....\n....\n....\n").unwrap();
    for engine in ["search", "sat", "sat:cells/amo=sequential@batsat"] {
        let judged = queens(&["judge", "queens", input, "-e", engine]);
        assert_eq!(judged, "impossible\n\n.Q..\n...Q\nQ...\n..Q.\n\n");
    }
    assert!(queens(&["compare", "queens", input]).matches("checked").count() >= 4);
    std::fs::write(answers, queens(&["solve", "queens", input, "--json", "--certify"])).unwrap();
    assert!(queens(&["check", answers]).contains("proved"));
    // A model from another solver, one digit for each variable: queens at (1, 2), (2, 4), (3, 1), (4, 3).
    let (formula, model) = (&file("board.cnf"), &file("model.txt"));
    queens(&["encode", "queens", input, "--game", "2", "-o", formula]);
    std::fs::write(model, "s SATISFIABLE\nv 0100000110000010\n").unwrap();
    assert!(queens(&["check", "--model", model, formula]).contains("completed, checked"));
}

#[test]
fn experiments_support_a_fourth_problem() {
    let folder = format!("{}/experiment", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    queens(&["new", &folder, "--problem", "queens"]);
    let table = queens(&["run", &folder]);
    assert!(table.contains("search:rows") && table.contains("sat:cells"), "{table}");
    let records = queens(&["status", &folder, "--records", "jsonl"]);
    assert_eq!(records.matches("\"check\":\"checked\"").count(), 2 * 10);
}
