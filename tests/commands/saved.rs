//! Folders of saved answers: foreign files, links and pipes in them, and files of earlier answers.

use crate::cli::{FLIP, folder, run};
use std::path::PathBuf;
use std::process::Command;

#[test]
fn a_folder_may_contain_foreign_proofs() {
    let dir = folder("foreign");
    let name = dir.to_str().unwrap();
    let solve = || assert_eq!(run(&["solve", "flip", "--certify", "--save", name], FLIP).0, 0);
    let check = || run(&["check", name], "");
    solve();
    let formula = std::fs::read_to_string(dir.join("formula.cnf")).unwrap();
    let proof = std::fs::read_to_string(dir.join("proof.drat")).unwrap();
    // A wrong formula beside a valid proof: the claim is proved, but the check of the folder fails.
    std::fs::write(dir.join("formula.cnf"), "p cnf 1 2\n1 0\n-1 0\n").unwrap();
    assert!(check().0 == 1 && check().1.contains("proved      at least 4"));
    // Now the proof refutes the wrong formula, which proves nothing about the claim, so the check still fails.
    std::fs::write(dir.join("proof.drat"), "0\n").unwrap();
    let (status, out, _) = check();
    assert_eq!((status, out.contains("recomputed  at least 4 presses are needed")), (1, true), "{out}");
    // The check also fails if the proof does not refute the formula beside it.
    for formula in ["p cnf 1 1\n1 0\n", "garbage", formula.as_str()] {
        std::fs::write(dir.join("formula.cnf"), formula).unwrap();
        assert_eq!(check().0, 1, "{formula}");
    }
    // A binary proof is read. A second proof with wrong hints fails.
    let mut bytes = Vec::new();
    for line in proof.lines() {
        bytes.push(if line.starts_with('d') { b'd' } else { b'a' });
        for lit in line.split_whitespace().filter_map(|token| token.parse::<i32>().ok()) {
            let mut code = lit.unsigned_abs() * 2 + u32::from(lit < 0);
            while code > 127 {
                bytes.push(code as u8 | 128);
                code >>= 7;
            }
            bytes.push(code as u8);
        }
    }
    std::fs::write(dir.join("proof.drat"), bytes).unwrap();
    assert!(check().1.contains(", checked\n"));
    std::fs::write(dir.join("proof.lrat"), "999999 0 1 0\n").unwrap();
    let (status, out, _) = check();
    assert_eq!(
        (status, out.contains("proof line 1: clause 1 is not unit when its hint is reached")),
        (1, true),
        "{out}"
    );
    solve();
    assert!(!dir.join("proof.lrat").exists());
}

#[test]
fn a_proof_that_is_not_a_regular_file_is_refused() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli-pipe");
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().unwrap();
    assert_eq!(run(&["solve", "flip", "--save", name], FLIP).0, 0);
    let proof = dir.join("proof.drat");
    let makes: [&[&str]; 2] = [&["mkfifo"], &["ln", "-s", "/dev/zero"]];
    for make in makes {
        assert!(Command::new(make[0]).args(&make[1..]).arg(&proof).status().unwrap().success());
        let (status, _, err) = run(&["check", name], "");
        assert_eq!(status, 2);
        assert!(err.contains("proof.drat: is not a regular file"), "{err}");
        std::fs::remove_file(&proof).unwrap();
    }
}

#[test]
fn links_and_pipes_among_saved_files_are_replaced_or_refused() {
    let dir = folder("saved-links");
    let (name, victim) = (dir.to_str().unwrap(), dir.join("victim"));
    std::fs::write(&victim, "mine").unwrap();
    let solve = || run(&["solve", "flip", "--certify", "--save", name], FLIP).0;
    let link = |file: &str| {
        let _ = std::fs::remove_file(dir.join(file));
        std::os::unix::fs::symlink(&victim, dir.join(file)).unwrap();
    };
    assert_eq!(solve(), 0);
    ["picture.svg", "proof.drat"].into_iter().for_each(link);
    assert_eq!(solve(), 0);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
    assert_eq!(run(&["check", name], "").0, 0);
    link("answer.json");
    assert_eq!(solve(), 2);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
    // Reading a pipe would wait for a writer forever.
    std::fs::remove_file(dir.join("answer.json")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.join("answer.json")).status().unwrap().success());
    let (status, _, err) = run(&["check", name], "");
    assert!(status == 2 && err.contains("answer.json: is not a regular file"), "{err}");
}

#[test]
fn a_playground_replaces_a_link() {
    let dir = folder("playground-link");
    std::fs::create_dir_all(&dir).unwrap();
    let victim = dir.join("victim");
    std::fs::write(&victim, "mine").unwrap();
    let pages = dir.join("pages");
    std::fs::create_dir_all(&pages).unwrap();
    let _ = std::fs::remove_file(pages.join("index.html"));
    std::os::unix::fs::symlink(&victim, pages.join("index.html")).unwrap();
    assert_eq!(run(&["playground", "--output", pages.to_str().unwrap()], "").0, 0);
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "mine");
    assert!(std::fs::read_to_string(pages.join("index.html")).unwrap().contains("<html"));
}

/// Reading a pipe would wait for a writer forever.
#[test]
fn a_plan_names_no_pipe() {
    let dir = folder("plan-pipe");
    let plan = dir.join("plan");
    let _ = std::fs::remove_dir_all(&plan);
    std::fs::create_dir_all(&plan).unwrap();
    assert!(Command::new("mkfifo").arg(plan.join("pipe")).status().unwrap().success());
    for (text, place) in [
        ("problem = \"flip\"\nengines = [\"search\"]\n[[family]]\nfile = \"pipe\"\n", "plan.toml:4:8: "),
        (
            "problem = \"ships\"\nengines = [\"search\"]\nrules = { fleet = \"pipe\" }\n[[family]]\nname = \"hard\"\nn = 8\nseeds = \"1\"\n",
            "plan.toml:3:",
        ),
    ] {
        std::fs::write(plan.join("plan.toml"), text).unwrap();
        let (status, _, err) = run(&["status", plan.to_str().unwrap()], "");
        assert!(status == 2 && err.contains(place) && err.contains("is not a regular file"), "{err}");
    }
    std::fs::remove_file(plan.join("plan.toml")).unwrap();
    assert!(Command::new("mkfifo").arg(plan.join("plan.toml")).status().unwrap().success());
    let (status, _, err) = run(&["status", plan.to_str().unwrap()], "");
    assert_eq!(status, 2, "{err}");
}

#[test]
fn a_report_reads_no_pipe() {
    let dir = folder("report-pipe").join("x");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let name = dir.to_str().unwrap();
    let plan = "problem = \"flip\"\nengines = [\"search:algebra\"]\n[[family]]\nname = \"solvable\"\nn = 3\n\
                [[figure]]\nkind = \"quantile\"\n";
    std::fs::write(dir.join("plan.toml"), plan).unwrap();
    let (status, _, err) = run(&["run", name], "");
    assert_eq!(status, 0, "{err}");
    let pipe = |path: &str| {
        let path = dir.join(path);
        let _ = std::fs::remove_file(&path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    pipe("README.md");
    for args in [&["report", name][..], &["report", name, "--check"]] {
        let (status, _, err) = run(args, "");
        assert!(status == 2 && err.contains("README.md: is not a regular file"), "{status}: {err}");
    }
    std::fs::remove_file(dir.join("README.md")).unwrap();
    pipe("figures/thumbnail.svg");
    let (status, out, err) = run(&["report", name, "--check"], "");
    assert!(status == 1 && out.contains("thumbnail.svg does not match the records"), "{status}: {out}{err}");
}

#[test]
fn files_of_an_earlier_answer_are_removed() {
    let dir = folder("saved-twice");
    let name = dir.to_str().unwrap();
    assert_eq!(run(&["solve", "flip", "--certify", "--save", name], FLIP).0, 0);
    assert_eq!(run(&["solve", "flip", "--save", name], "bbbb\nbwbb\nbbbb\nbbbb\n").0, 0);
    assert!(!dir.join("proof.drat").exists());
    let (status, out, _) = run(&["check", name], "");
    assert_eq!((status, out.contains("impossible, checked")), (0, true), "{out}");
    // Files with other names are kept.
    let others = ["formula_mine.cnf", "formula-.cnf", "formula-1a.cnf", "proof_of_concept.lrat", "proof.txt"];
    for file in others.iter().chain(&["formula-7.cnf", "proof-12.lrat"]) {
        std::fs::write(dir.join(file), "0\n").unwrap();
    }
    assert_eq!(run(&["solve", "flip", "--save", name], FLIP).0, 0);
    assert!(others.iter().all(|file| dir.join(file).exists()));
    assert!(!dir.join("formula-7.cnf").exists() && !dir.join("proof-12.lrat").exists());
    assert_eq!(run(&["check", name], "").0, 0);
}

#[test]
fn files_that_no_answer_left_are_not_replaced() {
    let dir = folder("saved-foreign-files");
    let at = |name: &str| dir.join(name).display().to_string();
    let (name, formula) = (dir.to_str().unwrap(), at("formula.cnf"));
    std::fs::write(&formula, "c mine\np cnf 2 2\n1 2 0\n-1 0\n").unwrap();
    let refused = |args: &[&str], input: &str, why: &str| {
        let (status, out, err) = run(args, input);
        assert!(status == 2 && out.is_empty() && err.contains(why), "{args:?}: {out}{err}");
    };
    let why = "--save would replace or remove formula.cnf, and there is no answer.json of an earlier answer";
    refused(&["solve", "flip", "--save", name], FLIP, why);
    let read_from = "the game is read from this file, which --save would replace or remove";
    refused(&["solve", "cnf", &formula, "--save", name], "", read_from);
    // A file of that name that is no answer is not replaced, either.
    std::fs::write(at("answer.json"), "{\"mine\": 1}\n").unwrap();
    refused(&["solve", "flip", "--save", name], FLIP, "--save would replace or remove answer.json");
    assert!(std::fs::read_to_string(&formula).unwrap().starts_with("c mine"));
    // An answer may be saved beside other files, and again in the same folder.
    std::fs::remove_file(at("answer.json")).unwrap();
    std::fs::rename(&formula, at("mine.cnf")).unwrap();
    for _ in 0..2 {
        assert_eq!(run(&["solve", "flip", "--certify", "--save", name], FLIP).0, 0);
    }
    assert!(dir.join("mine.cnf").is_file());
    refused(&["solve", "flip", &at("instance.txt"), "--save", name], "", read_from);
}

#[test]
fn files_that_no_earlier_run_left_are_not_replaced() {
    let dir = folder("written-foreign-files");
    let (board, name) = (dir.join("board.txt"), dir.join("out"));
    std::fs::write(&board, FLIP).unwrap();
    let (board, name) = (board.to_str().unwrap(), name.to_str().unwrap());
    let cube = ["cube", "flip", board, "--cubes", "2", "-o", name];
    let study = ["study", "flip", "all-ones", "n=3", "--save", name];
    let package = ["stress", "flip", "--count", "2", "--package", name];
    for (args, file, why) in [
        (&cube[..], "answer.json", "--output would replace or remove answer.json"),
        (&cube, "formula.cnf", "and there is no answer.json of an earlier answer"),
        (&study, "certificate.json", "and there is no certificate.json of an earlier study"),
        (&package, "problem.yaml", "--package would write to problem.yaml"),
        (&package, "data", "and there is no problem.yaml of an earlier package"),
    ] {
        let _ = std::fs::remove_dir_all(name);
        std::fs::create_dir(name).unwrap();
        let file = dir.join("out").join(file);
        std::fs::write(&file, "{\"mine\": 1}\n").unwrap();
        let (status, out, err) = run(args, "");
        assert!(status == 2 && out.is_empty() && err.contains(why), "{args:?}: {out}{err}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"mine\": 1}\n");
        assert_eq!(std::fs::read_dir(name).unwrap().count(), 1, "{args:?}");
        // Files of an earlier run are replaced.
        std::fs::remove_file(&file).unwrap();
        for _ in 0..2 {
            assert_eq!(run(args, "").0, 0, "{args:?}");
        }
    }
}

/// Others may have put a link into the folder. The file to which it points is not written.
#[test]
fn links_in_folders_of_pages_and_packages_are_replaced() {
    let dir = folder("written-links");
    let (name, victim) = (dir.to_str().unwrap(), dir.join("victim"));
    std::fs::write(&victim, "mine").unwrap();
    let package = ["stress", "flip", "--count", "2", "--package", name];
    for (args, file) in [(&["man", "--save", name][..], "counterpoint.1"), (&package, "data/sample/1.in")] {
        assert_eq!(run(args, "").0, 0, "{args:?}");
        let file = dir.join(file);
        let written = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&victim, &file).unwrap();
        assert_eq!(run(args, "").0, 0, "{args:?}");
        assert!(!file.symlink_metadata().unwrap().is_symlink() && std::fs::read(&file).unwrap() == written);
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine", "{args:?}");
    }
}

#[test]
fn the_file_of_the_game_is_not_replaced() {
    let dir = folder("written-input");
    let (board, link) = (dir.join("board.txt"), dir.join("link"));
    std::fs::write(&board, FLIP).unwrap();
    std::os::unix::fs::symlink(&board, &link).unwrap();
    let input = board.to_str().unwrap();
    for output in [input, link.to_str().unwrap()] {
        for (args, option) in [
            (["encode", "flip", input, "-o", output], "--output"),
            (["solve", "flip", input, "--page", output], "--page"),
        ] {
            let (status, out, err) = run(&args, "");
            let why = format!("the game is read from this file, which {option} would replace");
            assert!(status == 2 && out.is_empty() && err.contains(&why), "{args:?}: {out}{err}");
        }
    }
    assert_eq!(std::fs::read_to_string(&board).unwrap(), FLIP);
    let formula = dir.join("board.cnf").display().to_string();
    for _ in 0..2 {
        assert_eq!(run(&["encode", "flip", input, "-o", &formula], "").0, 0);
    }
}
