//! Completions for a program with another name and problem.

use crate::workbench::queens;

#[test]
fn completions_know_a_fourth_problem_and_the_name_of_the_program() {
    let offered = |words: &[&str]| queens(&[&["complete", "zsh"], words].concat());
    assert!(offered(&["judge", ""]).lines().any(|line| line.starts_with("word\tqueens\t")));
    assert!(offered(&["judge", "queens", "-e", "sat:c"]).contains("sat:cells/amo="));
    for shell in ["bash", "zsh", "fish"] {
        let script = queens(&["completions", shell]);
        assert!(script.contains("queens") && !script.contains("counterpoint"), "{script}");
    }
}
