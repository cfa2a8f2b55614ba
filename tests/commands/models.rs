//! `check --model`: decodes models, and detects wrong models and altered files.

use crate::export_common::{FLIP, SHIPS, SMUDGED, encode, folder, literals, read, run, solver};

/// The output of a solver for a formula file. If the file has several queries, the solver answers the last one.
fn solved(formula: &str) -> String {
    let read = read(formula);
    let mut solver = solver(&read);
    let assumed = read.questions.last().into_iter().flatten();
    solver.assume(&assumed.map(|&lit| varisat::Lit::from_dimacs(lit as isize)).collect::<Vec<_>>());
    assert!(solver.solve().unwrap());
    format!("c by a test\ns SATISFIABLE\nv {} 0\n", literals(&read, &solver).join(" "))
}

fn check(dir: &std::path::Path, model: &str, formula: &str) -> (i32, String, String) {
    let [model_file, formula_file] = ["model", "formula"].map(|name| dir.join(name).display().to_string());
    std::fs::write(&model_file, model).unwrap();
    std::fs::write(&formula_file, formula).unwrap();
    run(&["check", "--model", &model_file, &formula_file], "")
}

#[test]
fn a_model_of_another_solver_becomes_a_checked_answer() {
    let dir = folder("models");
    for (problem, input, engine, says) in [
        ("flip", FLIP, "sat:presses", "witness     the presses make the board "),
        ("flip", FLIP, "sat:presses/xor=native", "witness     the presses make the board "),
        ("flip", FLIP, "sat:nullspace", "witness     the presses make the board "),
        ("ships", SHIPS, "sat:owner", "witness     a fleet that fits covers the set"),
        ("ships", SHIPS, "sat:placement", "witness     a fleet that fits covers the set"),
        ("spot", SMUDGED, "sat:toggles", "witness     some completion ends as a draw"),
        ("spot", SMUDGED, "sat:path", "witness     some completion ends as a draw"),
    ] {
        for format in ["cnf", "xcnf", "opb", "icnf"] {
            let formula = encode(problem, input, &["-e", engine, "--format", format]);
            let (status, out, err) = check(&dir, &solved(&formula), &formula);
            assert_eq!(status, 0, "{out}{err}");
            assert!(out.contains(says), "{out}");
            assert!(
                out.contains(&format!("recomputed  the file contains the formula that {engine} writes")),
                "{out}"
            );
            assert!(out.contains("witness     the model satisfies all "), "{out}");
            assert!(!out.contains("failed"), "{out}");
        }
    }
}

#[test]
fn a_model_of_a_query_shows_its_ending() {
    let dir = folder("models-questions");
    let formula = encode("spot", SMUDGED, &["--format", "icnf"]);
    let lines: Vec<_> = formula.lines().filter(|line| line.starts_with("a ")).collect();
    // Move 3 is the first that can repeat a board, so the third query is the first with a model. Solve it alone.
    let third = formula.lines().filter(|line| !line.starts_with("a ") || *line == lines[2]);
    let third = solved(&third.map(|line| format!("{line}\n")).collect::<String>());
    let (status, out, err) = check(&dir, &third, &formula);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("witness     some completion ends with a repeat on move 3, player 2 wins"), "{out}");
    assert!(out.contains("not checked: a claim is open") && !out.contains("failed"), "{out}");
    // A model of the clauses that satisfies the assumptions of no query.
    let none = formula.lines().filter(|line| !line.starts_with("a "));
    let none: String = none.map(|line| format!("{line}\n")).collect::<String>() + "-1 0\n";
    let (status, out, err) = check(&dir, &solved(&none), &formula);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("the model satisfies the assumptions of no question"), "{err}");
    // "Unsatisfiable" says nothing about the formula, because there are several queries.
    let (status, out, _) = check(&dir, "s UNSATISFIABLE\n", &formula);
    assert!(
        status == 0
            && out.contains("(the file has 5 queries; the output does not say which is unsatisfiable)"),
        "{out}"
    );
}

#[test]
fn wrong_models_and_altered_files_are_detected() {
    let dir = folder("wrong-models");
    let formula = encode("flip", FLIP, &[]);
    let good = solved(&formula);
    // No presses.
    let none: Vec<_> = (1..=17).map(|v| format!("-{v}")).collect();
    let (status, out, _) = check(&dir, &format!("v {} 0\n", none.join(" ")), &formula);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("failed      the model satisfies all"), "{out}");
    assert!(out.contains(": at least one of: press r1c1, press r1c2, press r2c1, black)"), "{out}");
    assert!(out.contains("failed      the presses make the board one colour"), "{out}");
    // A model without its last value, which a clause needs.
    let partial = good.replace(" 17 0", " 0").replace(" -17 0", " 0");
    let (status, out, _) = check(&dir, &partial, &formula);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("; black has no value)"), "{out}");
    // A file with a changed, an added or a removed clause.
    let first =
        formula.lines().position(|line| line.starts_with(|c: char| c == '-' || c.is_ascii_digit())).unwrap();
    let mut changed: Vec<_> = formula.lines().map(str::to_owned).collect();
    changed[first] = "1 -1 0".to_owned();
    let more = format!("{formula}1 -1 0\n");
    let less = formula.trim_end().rsplit_once('\n').unwrap().0;
    for (text, why) in [
        (changed.join("\n").as_str(), format!("(line {}: expected 1 2 5 17 0)", first + 1)),
        (&more, format!("(line {}: the formula ends before this line)", formula.lines().count() + 1)),
        (less, "(the file ends before ".to_owned()),
    ] {
        let (status, out, _) = check(&dir, &good, text);
        assert_eq!(status, 1, "{out}");
        assert!(out.contains("failed      the file contains") && out.contains(&why), "{out}");
    }
    let (status, out, err) = check(&dir, "s UNKNOWN\n", &formula);
    assert_eq!((status, out.as_str()), (3, ""));
    assert!(err.contains("model: the solver's result is unknown"), "{err}");
    // Empty or malformed input.
    for (model, file, why) in [
        ("s SATISFIABLE\n", formula.as_str(), "expected a line 'v ...'"),
        ("hello\n", &formula, "expected a line 's ...' or a line 'v ...'"),
        ("v 1 -1 0\n", &formula, "model:1: -1 and 1 are both true"),
        ("s YES\n", &formula, "model:1: unknown verdict 'YES'"),
        ("v 18 0\n", &formula, "model:1: literal 18: the formula has 17 variables"),
        (&good, "p cnf 1 1\n1 0\n", "formula:1: expected a comment 'counterpoint FORMAT' above"),
        (&good, &formula.replace("1 2 5 17 0", "1 2 y 17 0"), ":5: unexpected 'y'; expected a literal"),
        (&good, &formula.replace("1 2 5 17 0", "1 2 5 17"), ":1: unexpected end of line in the constraint"),
        (
            &good,
            &formula.replace("cnf 17 ", "cnf 2000000000 "),
            "formula:1: 2000000000 variables; expected at most ",
        ),
        (&good, &formula.replace("problem flip", "problem flop"), "did you mean 'flip'?"),
        (&good, &formula.replace("engine sat:presses", "engine sat:prases"), "did you mean 'sat:presses'?"),
        (&good, &formula.replace("instance bwwb", "instance bwqb"), "'q' is not a square"),
        (&good, &formula.replace("c rules {", "c rules "), "formula: the rules in its head: "),
    ] {
        let (status, out, err) = check(&dir, model, file);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(why), "{err}");
    }
}

#[test]
fn costs_and_other_formats_of_models_are_read() {
    let dir = folder("costs");
    let formula = encode("flip", FLIP, &["--format", "wcnf"]);
    // The four presses r1c1, r2c2, r2c4 and r3c1 make the judge's board white.
    let bits: String = (1..=17).map(|v| if [1, 6, 8, 9].contains(&v) { '1' } else { '0' }).collect();
    let literals: Vec<_> =
        (1..=17).map(|v| if [1, 6, 8, 9].contains(&v) { v } else { -v }.to_string()).collect();
    let (text, named) = (
        literals.join(" "),
        literals
            .iter()
            .map(|l| match l.strip_prefix('-') {
                Some(v) => format!(" -x{v}"),
                None => format!(" x{l}"),
            })
            .collect::<String>(),
    );
    for model in [
        format!("o 9\no 4\ns OPTIMUM FOUND\nv {bits}\n"),
        format!("o 4\ns OPTIMUM FOUND\nv {text} 0\n"),
        format!("s OPTIMUM FOUND\no 4\nv{named}\n"),
    ] {
        let (status, out, err) = check(&dir, &model, &formula);
        assert_eq!(status, 0, "{err}");
        assert!(out.starts_with("model of sat:presses, flip: 4 presses, checked\n"), "{out}");
        assert!(
            out.contains("witness     the model costs 4") && out.contains("recomputed  at least 4 presses"),
            "{out}"
        );
    }
    let (status, out, _) = check(&dir, &format!("SAT\n{text} 0\n"), &formula);
    assert!(status == 0 && !out.contains("costs"), "{out}");
    let (status, out, _) = check(&dir, &format!("o 3\ns OPTIMUM FOUND\nv {bits}\n"), &formula);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("failed      the model costs 3 (it costs 4)"), "{out}");
    // With a bound, minimality is not part of the question.
    let within = encode("flip", FLIP, &["-r", "within=4"]);
    let (status, out, _) = check(&dir, &solved(&within), &within);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains(", checked\n") && out.contains("witness     at most 4 presses are made"), "{out}");
}

#[test]
fn an_empty_clause_is_kept_in_every_format() {
    // No ship can cover the hit.
    let board = "3 3\nxoo\nooo\nooo\n0 0\n";
    for format in ["cnf", "xcnf", "icnf", "opb"] {
        let formula = encode("ships", board, &["--format", format]);
        assert!(formula.lines().any(|line| ["0", "+0 x1 >= 1 ;"].contains(&line)), "{format}: {formula}");
        let (status, out, err) = check(&folder("impossible"), "s SATISFIABLE\nv 0\n", &formula);
        assert_eq!(status, 1, "{out}{err}");
        assert!(out.contains("this cannot be"), "{out}");
        assert!(out.contains("recomputed  the file contains"), "{out}");
    }
}

/// The file as an earlier version wrote it: with names and groups below the header, and with groups without a number.
fn earlier(text: &str) -> String {
    let (mut head, mut below, mut labels, mut constraints) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split(' ').take(2).collect::<Vec<_>>()[..] {
            ["c", "varname"] => labels.push((1, line.to_owned())),
            ["c", "group"] => {
                let (first, label) = line["c group ".len()..].split_once(' ').unwrap();
                labels.push((first.parse::<usize>().unwrap(), format!("c group {label}")));
            }
            ["c", "p"] => below.push(line.to_owned()),
            ["c" | "p", _] => head.push(line.to_owned()),
            _ => constraints.push(line.to_owned()),
        }
    }
    let mut lines = [head, below].concat();
    let mut labels = labels.into_iter().peekable();
    for (number, constraint) in (1..).zip(constraints) {
        while let Some((_, label)) = labels.next_if(|(first, _)| *first <= number) {
            lines.push(label);
        }
        lines.push(constraint);
    }
    lines.extend(labels.map(|(_, label)| label));
    lines.join("\n") + "\n"
}

#[test]
fn files_of_earlier_versions_are_read() {
    let dir = folder("models-earlier");
    for (problem, input, engine, formats) in [
        ("flip", FLIP, "sat:presses", &["cnf", "xcnf", "wcnf", "icnf", "opb"][..]),
        ("ships", SHIPS, "sat:owner", &["cnf", "icnf"]),
        ("spot", SMUDGED, "sat:toggles", &["cnf", "xcnf"]),
    ] {
        for format in formats {
            let text = encode(problem, input, &["-e", engine, "--format", format]);
            let old = if *format == "opb" { text.clone() } else { earlier(&text) };
            assert!(*format == "opb" || old != text);
            let (status, out, err) = check(&dir, &solved(&text), &old);
            assert_eq!(status, 0, "{format}: {out}{err}");
            assert!(
                out.contains(&format!("recomputed  the file contains the formula that {engine} writes")),
                "{out}"
            );
            // A changed label is still reported with its line.
            let label = old.lines().position(|line| line.contains(" varname ")).unwrap();
            let mark = |(i, line)| if i == label { format!("{line}x\n") } else { format!("{line}\n") };
            let altered: String = old.lines().enumerate().map(mark).collect();
            let (status, out, _) = check(&dir, &solved(&text), &altered);
            assert_eq!(status, 1, "{out}");
            assert!(out.contains(&format!("(line {}: expected ", label + 1)), "{out}");
        }
    }
}
