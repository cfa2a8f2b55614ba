//! After an experiment, `run` names the boards of engines with wrong answers first, then those of encoders whose formula
//! cannot be used. It says how many it leaves out.

use crate::fakes::home::{folder, run};

#[test]
fn wrong_answers_are_shown_before_failures() {
    let encoding = |name: &str, formula: &str| {
        format!("[encoding.{name}]\nproblem = \"flip\"\ncommand = [\"printf\", {formula:?}, \"{name}\"]\n")
    };
    // The wrong one is the last one in alphabetical order: its boards have no solution.
    let press = |n: u32| format!("c varname {n} press r1c{n}\\n");
    let wrong = format!("{}{}p cnf 2 1\\n0\\n", press(1), press(2));
    let faulty = ["a", "b", "c", "d", "e", "f"];
    let config: String = faulty.iter().map(|name| encoding(name, "p cnf 1 0\\n")).collect();
    let dir = folder("remedies", &(config + &encoding("z", &wrong)));
    let plan = "problem = \"flip\"\nengines = [\"sat:{a,b,c,d,e,f,z}\"]\n[[family]]\nname = \"solvable\"\nw = 2\nh = 1\n";
    std::fs::write(dir.join("plan.toml"), plan).unwrap();
    let (status, out, err) = run(&dir, &["run", "plan.toml"]);
    assert_eq!(status, 1, "{out}{err}");
    let at = |words: &str| out.find(words).unwrap_or_else(|| panic!("{words}: {out}{err}"));
    assert!(at("sat:z is wrong on this board:\n") < at("sat:a has failed ("), "{out}");
    at("sat:d has failed (");
    assert!(!out.contains("sat:e has failed") && !out.contains("sat:f has failed"), "{out}");
    at("2 further engines are wrong or failed: sat:e, sat:f\n");
    // One engine fewer, and all are shown but one.
    std::fs::write(dir.join("plan.toml"), plan.replace(",f", "")).unwrap();
    let (_, out, _) = run(&dir, &["run", "plan.toml"]);
    assert!(out.contains("1 further engine is wrong or failed: sat:e\n"), "{out}");
}
