//! An encoder of Spot decides only the draw. In an experiment, this is not a disagreement with complete answers, but a
//! wrong draw is found.

use crate::fakes::home::{folder, run};
use std::fs;

/// A record that always ends at move 3.
const RECORD: &str = "2\n1 1 +\n1 1 -\n? ? ?\n? ? ?\n0\n";

/// An encoder that names the variables of the unknown moves and prints these clauses.
fn encoder(n_clauses: u32, clauses: &str) -> String {
    let squares = "1 r1c1\n2 r1c2\n3 r2c1\n4 r2c2\n";
    format!(
        "for step in 3 4; do printf '{squares}' | while read i s; do \
         echo \"c varname $((i + 4 * (step - 3))) toggle step $step $s\"; done; done; \
         printf 'p cnf 8 {n_clauses}\\n{clauses}'"
    )
}

#[test]
fn open_endings_are_no_disagreement() {
    let dir = folder("partial", "");
    fs::write(dir.join("record.txt"), RECORD).unwrap();
    let one = "1 0\\n-2 0\\n-3 0\\n-4 0\\n-5 0\\n6 0\\n-7 0\\n-8 0\\n";
    for (name, script, status) in [("right", encoder(1, "0\\n"), 0), ("wrong", encoder(8, one), 1)] {
        fs::write(dir.join(format!("{name}.sh")), script).unwrap();
        let plan = format!(
            "problem = \"spot\"\nengines = [\"search:fill\", \"sat\", \"sat:e\"]\nkeep = \"none\"\n\
             [encoding.e]\nproblem = \"spot\"\ncommand = [\"sh\", \"../{name}.sh\"]\n\
             [[family]]\nfile = \"../record.txt\"\n"
        );
        fs::create_dir_all(dir.join(name)).unwrap();
        fs::write(dir.join(name).join("plan.toml"), plan).unwrap();
        for command in ["run", "status"] {
            let (found, out, err) = run(&dir, &[command, name]);
            assert_eq!(found, status, "{command} {name}: {out}{err}");
            assert!(!out.contains("DIFFERENT ANSWERS"), "{out}");
            assert_eq!(out.contains("WRONG"), status == 1, "{out}");
        }
    }
}
