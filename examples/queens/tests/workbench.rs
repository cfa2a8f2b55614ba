//! The commands that a problem gets for its trait.

use std::process::Command;

fn queens(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_queens")).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn judge_compare_and_check_serve_a_fourth_problem() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (input, answers) = (dir.join("boards.txt"), dir.join("answers.json"));
    std::fs::write(&input, "Q...\n....\n....\n....\n\n.Q..\n....\n....\n....\n").unwrap();
    let input = input.to_str().unwrap();
    for engine in ["search", "sat", "sat:cells/amo=sequential@batsat"] {
        let judged = queens(&["judge", "queens", input, "-e", engine]);
        assert_eq!(judged, "impossible\n\n.Q..\n...Q\nQ...\n..Q.\n\n");
    }
    assert!(
        queens(&["compare", "queens", input, "-e", "search,sat:*/amo=*"]).matches("checked").count() >= 6
    );
    std::fs::write(&answers, queens(&["solve", "queens", input, "--json", "--certify"])).unwrap();
    let checked = queens(&["check", answers.to_str().unwrap()]);
    assert!(checked.contains("proved") && checked.contains("witness"), "{checked}");
}
