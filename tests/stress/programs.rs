//! Stress tests of programs: verdicts, smallest inputs, causes, files, exit statuses.

use crate::samples::some;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_counterpoint");

/// Runs `stress` with these arguments: exit status, standard output, standard error.
pub(crate) fn stress(args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = Command::new(BINARY).arg("stress").args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// Runs `stress` on a shell script in which `$J` is the binary's own judge.
pub(crate) fn against(args: &[&str], problem: &str, script: &str) -> (i32, String, String) {
    let script = script.replace("$J", &format!("'{BINARY}' judge {problem}"));
    stress(&[&[problem], args, &["--", "sh", "-c", &script]].concat())
}

/// A new folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn correct_programs_are_accepted() {
    for (problem, script) in
        [("spot", "$J"), ("spot", "$J -e search:rotate-all"), ("ships", "$J -e sat"), ("flip", "$J -e sat")]
    {
        let (status, out, err) = against(&["--count", "30"], problem, script);
        assert_eq!((status, out.as_str()), (0, ""), "{err}");
        assert!(err.starts_with("accepted: "), "{err}");
    }
}

/// The number of processes with this command line.
fn running(command: &[u8]) -> usize {
    let commands = fs::read_dir("/proc").unwrap().flatten();
    let commands = commands.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|found| found.starts_with(command)).count()
}

#[test]
fn no_process_outlives_its_run() {
    let script = "setsid sleep 3141 & setsid sh -c 'setsid sleep 3141; :' & (setsid env -i sleep 3141 &); $J";
    let (status, _, err) = against(&["--count", "10"], "spot", script);
    assert_eq!(status, 0, "{err}");
    // A nested workbench that is killed at its limit leaves no processes, either.
    let nested = format!(
        "exec '{BINARY}' stress spot --time-limit 30s -- \
         sh -c 'setsid sleep 3141 & (setsid env -i sleep 3141 &); sleep 3141'"
    );
    let (status, _, err) = against(&["--count", "1", "--wall-limit", "500ms"], "spot", &nested);
    assert!(status == 1 && err.starts_with("time limit exceeded"), "{err}");
    assert_eq!(running(b"sleep\x003141"), 0);
}

#[test]
fn orphans_that_a_running_program_needs_are_not_killed() {
    // The answer comes from a process that has lost its parent, session and environment, while other runs end.
    let folder = folder("what-is-needed");
    let script = format!(
        "d=$(mktemp -d '{0}/XXXXXX'); cat >$d/in
         (setsid env -i sh -c 'sleep 0.02; exec >\"$1/new\"; $J <\"$1/in\"; mv \"$1/new\" \"$1/out\"' sh $d &)
         while ! [ -e $d/out ]; do sleep 0.01; done; cat $d/out",
        folder.display()
    )
    .replace("'$J", "$J");
    let script = script.replace("$J", &format!("\"{BINARY}\" judge spot"));
    let (status, _, err) = stress(&["spot", "--count", "40", "-j", "4", "--", "sh", "-c", &script]);
    assert_eq!(status, 0, "{err}");
}

#[test]
fn each_verdict_has_its_message() {
    for (script, verdict) in [
        ("$J | tr P Q", "wrong answer on input "),
        ("$J | tr -d ' '", "wrong answer on input "),
        ("$J | sed 's/ /  /'", "presentation error on input "),
        ("$J | tr '\\n' ' '", "presentation error on input "),
        ("exit 3", "run-time error (exit status 3) on input "),
        ("$J; exit 3", "run-time error (exit status 3) on input "),
        ("kill -SEGV $$", "run-time error (signal 11, SIGSEGV) on input "),
        ("$J; printf '\\000'", "output is not text on input "),
        ("$J; printf '\\377\\n'", "output is not text on input "),
        ("yes", "output limit exceeded on input "),
    ] {
        let (status, out, err) = against(&["--count", "12"], "spot", script);
        assert_eq!(status, 1, "{script}: {err}");
        assert!(err.starts_with(verdict), "{script}: {err}");
        assert!(out.ends_with("0\n") && out.lines().count() == 6, "{script}: {out}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn limits_are_enforced() {
    let (status, _, err) = against(&["--count", "3", "--time-limit", "100ms"], "flip", "while :; do :; done");
    assert_eq!(status, 1);
    assert!(err.starts_with("time limit exceeded on input 1 "), "{err}");
    assert!(err.trim_end().contains(" --time-limit 100ms -- sh -c "), "{err}");
    assert!(!err.contains("it waited"), "{err}");
    let (status, _, err) = against(&["--count", "3", "--wall-limit", "200ms"], "flip", "sleep 50");
    assert_eq!(status, 1);
    assert!(err.starts_with("time limit exceeded on input 1 "), "{err}");
    assert!(err.contains(" --wall-limit 200ms -- sh -c "), "{err}");
    assert!(err.contains("it used little CPU time: it may wait for more input, "), "{err}");
    // awk keeps the concatenated string in memory.
    let hungry = "awk 'BEGIN { s = \"x\"; while (1) s = s s }' </dev/null";
    let (status, _, err) = against(&["--count", "3", "--memory-limit", "64MiB"], "flip", hungry);
    assert_eq!(status, 1);
    assert!(err.starts_with("memory limit exceeded on input 1 "), "{err}");
}

#[test]
fn a_fault_is_shrunk_and_named_and_can_be_reproduced() {
    let (status, out, err) = against(&[], "spot", "$J -r symmetry=d4");
    assert_eq!(status, 1);
    // The smallest board with a pattern that is not a rotation of its mirror image is 3×3.
    let n: u32 = out.lines().next().unwrap().parse().unwrap();
    assert!((3..=4).contains(&n) && out.lines().count() == 2 * n as usize + 2, "{out}");
    assert!(err.contains("cause: the program counts all mirror images of a pattern as equal\n"), "{err}");
    // The last line is a command that finds the same fault.
    let again = err.lines().last().unwrap().strip_prefix("to repeat: counterpoint ").unwrap();
    let again = Command::new("sh").arg("-c").arg(format!("'{BINARY}' {again}")).output().unwrap();
    assert_eq!((again.status.code(), again.stdout), (Some(1), out.into_bytes()));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |jobs: &str| against(&["-j", jobs], "spot", "$J -r symmetry=c2");
    let (one, four) = (run("1"), run("4"));
    assert_eq!(one.0, 1);
    assert!(one.2.contains("cause: the program turns patterns by 180 degrees only"), "{}", one.2);
    assert_eq!(one, four);
}

#[test]
fn ships_and_flip_have_causes_too() {
    for (problem, script, cause) in some([
        ("ships", "$J -r misses=2", "allows two misses"),
        ("ships", "$J -r misses=0", "allows no miss"),
        ("ships", "$J -r mirror=yes", "mirrors ships"),
        ("ships", "sed 's/o/./g' | $J", "places ships on missed squares"),
        ("flip", "$J -r target=white", "looks for white boards only"),
        ("flip", "$J -r stencil=torus", "turns over squares on the opposite edge"),
        ("flip", "$J | sed 's/Impossible/-1/'", "prints -1 instead of Impossible"),
    ]) {
        let (status, _, err) = against(&[], problem, script);
        assert_eq!(status, 1, "{script}: {err}");
        assert!(err.contains(&format!("cause: the program {cause}\n")), "{script}: {err}");
    }
}

#[test]
fn differences_where_the_statement_is_silent_are_not_bugs() {
    let (status, out, err) = against(&["emptied", "--count", "20"], "spot", "$J -r start=counted");
    assert_eq!(status, 0, "{err}");
    assert!(
        err.starts_with(
            "not a bug: outputs differ only where the problem statement does not define the answer: "
        ),
        "{err}"
    );
    assert!(err.contains("otherwise accepted: 20 inputs"), "{err}");
    assert_eq!(out.lines().count(), 6, "{out}");
    // If another game of the same input is answered wrongly, that is a bug.
    let file = folder("stress-silent").join("games.txt");
    let games = "2\n1 1 +\n1 1 -\n1 1 +\n1 2 +\n2\n1 1 +\n1 2 +\n1 2 -\n2 2 +\n0\n";
    fs::write(&file, games).unwrap();
    let (status, out, err) =
        against(&["--input", file.to_str().unwrap()], "spot", "$J -r start=counted | tr 3 4");
    assert_eq!(status, 1, "{err}");
    assert!(out.starts_with("2\n1 1 +\n"), "{out}");
}

#[test]
fn a_fault_that_needs_several_games_is_reported_as_such() {
    // This program answers the first two games correctly, and then repeats its second answer.
    let script = "$J | awk 'NR == 2 { kept = $0 } { print (NR > 2 ? kept : $0) }'";
    let (status, out, err) = against(&[], "spot", script);
    assert_eq!(status, 1, "{err}");
    assert!(err.contains("no single game fails; these 3 games in one input do"), "{err}");
    assert_eq!(out.lines().filter(|line| !line.contains(' ')).count(), 4, "{out}");
}

#[test]
fn failing_inputs_are_saved_and_replayed() {
    let dir = folder("stress-saved");
    let path = dir.to_str().unwrap();
    let fault = "$J -r symmetry=trivial";
    let (status, out, _) = against(&["--save", path], "spot", fault);
    assert_eq!(status, 1);
    let mut names: Vec<_> =
        fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names.len(), 4, "{names:?}");
    let small = names.iter().find(|name| name.ends_with("-small.in")).unwrap();
    assert_eq!(fs::read_to_string(dir.join(small)).unwrap(), out);
    let judged = Command::new(BINARY).args(["judge", "spot"]).arg(dir.join(small)).output().unwrap();
    let answer = fs::read(dir.join(small.replace(".in", ".ans"))).unwrap();
    assert_eq!(judged.stdout, answer);
    let (status, _, err) = against(&["--replay", path, "--count", "0"], "spot", fault);
    assert_eq!(status, 1);
    assert!(err.contains(&format!(" on {path}/{}", names[1])), "{err}");
    assert!(against(&["--replay", path, "--count", "0"], "spot", "$J").2.starts_with("accepted: 2 inputs"));
    // Without a program, all inputs are written.
    let (status, ..) = stress(&["ships", "--save", path, "--count", "5"]);
    assert_eq!((status, fs::read_dir(&dir).unwrap().count()), (0, 4 + 2 * 5));
}

#[test]
fn usage_errors_name_the_remedy() {
    for (args, words) in [
        (
            &["spot"][..],
            "no program to test: write its command after `--`, or use --save DIR to write inputs",
        ),
        (&["spot", "mirorr", "--", "true"], "spot has no family 'mirorr' for stress; did you mean 'mirror'?"),
        (&["flop", "--", "true"], "did you mean 'flip'?"),
        (&["spot", "--", "no-such-program"], "program 'no-such-program' not found; its command"),
        (&["spot", "--input", "/does/not/exist", "--", "true"], "/does/not/exist: cannot be read"),
        (&["spot", "--replay", "/does/not/exist", "--", "true"], "/does/not/exist"),
    ] {
        let (status, out, err) = stress(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
    let file = folder("stress-bad").join("bad.txt");
    fs::write(&file, "2\n1 1 +\n1 q +\n").unwrap();
    let (status, _, err) = stress(&["spot", "--input", file.to_str().unwrap(), "--", "true"]);
    assert!(status == 2 && err.contains("bad.txt:2:1:") || err.contains("bad.txt:3:3:"), "{err}");
}

#[test]
fn impossible_options_are_reported_at_once() {
    let dir = folder("stress-at-once");
    let file = dir.join("no-such-program");
    fs::write(&file, "print(1)\n").unwrap();
    let (name, here) = (file.to_str().unwrap(), dir.join("neither"));
    for (args, words) in [
        (&["--save", name, "--", "true"][..], "no-such-program: is not a folder"),
        (&["--time-limit", "0s", "--", "true"], "a limit must be greater than 0"),
        (&["--memory-limit", "0", "--", "true"], "a limit must be greater than 0"),
        (&["-r", "colours=3", "--", "true"], "programs are tested with two colours only"),
        (&["--", name], "; make it executable, or put its interpreter before it, as in `python3 FILE`"),
        (&["--", here.to_str().unwrap()], "not found"),
    ] {
        let (status, out, err) = stress(&[&["flip"], args].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
    // A name without a slash is looked up in PATH only.
    let ran = Command::new(BINARY)
        .args(["stress", "flip", "--", "no-such-program"])
        .current_dir(&dir)
        .output()
        .unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    assert!(err.contains("write './' before the name of a file in this folder"), "{err}");
}

#[test]
fn the_first_and_last_lines_of_standard_error_are_shown() {
    let (status, _, err) = against(&["--count", "3"], "flip", "cat >/dev/null; seq 101 120 >&2; exit 1");
    assert_eq!(status, 1);
    let shown = "on standard error:\n  101\n  102\n  103\n  104\n  105\n  (10 more lines)\n  116\n";
    assert!(err.contains(shown) && err.contains("\n  120\nto repeat: "), "{err}");
    let (_, _, err) = against(&["--count", "3"], "flip", "cat >/dev/null; printf 'a\\n\\tb\\n' >&2; exit 1");
    assert!(err.contains("on standard error:\n  a\n   b\nto repeat: "), "{err}");
}

#[test]
fn saved_answers_that_differ_from_the_reference_are_reported() {
    let dir = folder("stress-edited");
    // This name is not UTF-8.
    let one = dir.join(OsStr::from_bytes(b"\xff-one"));
    fs::write(one.with_extension("in"), "wwww\nwwww\nwwww\nwwww\n").unwrap();
    fs::write(one.with_extension("ans"), "3\n").unwrap();
    let (status, _, err) = against(&["--replay", dir.to_str().unwrap(), "--count", "0"], "flip", "$J");
    assert_eq!(status, 0, "{err}");
    assert!(
        err.contains("one.ans: differs from the output of the reference, which is used instead\n"),
        "{err}"
    );
    assert!(err.contains("accepted: 1 input with 1 game "), "{err}");
}

#[test]
fn boards_are_shrunk_as_far_as_possible() {
    // This program is wrong if six presses are needed. Such a board has at least four black squares.
    let (_, out, err) = against(&["many"], "flip", "$J | sed 's/6/5/'");
    assert_eq!(out.matches('b').count(), 4, "{out}{err}");
    assert!(err.contains("simplified in ") && err.contains(": 1 game, 20 bytes\n"), "{err}");
    let (_, out, err) = against(&[], "flip", "cat >/dev/null; echo x");
    assert!(
        !out.contains('b')
            && err
                .contains("the input is already minimal: 1 game, 20 bytes; nothing smaller fails (1 run)\n"),
        "{err}"
    );
}

#[test]
fn a_nondeterministic_program_is_reported_as_such() {
    let marks = folder("stress-unsteady").join("ran");
    // This program fails only in its first run.
    let script = format!("if [ -e '{0}' ]; then $J; else touch '{0}'; exit 1; fi", marks.display());
    let (status, _, err) = against(&["-j", "1", "--count", "3"], "flip", &script);
    assert_eq!(status, 1, "{err}");
    assert!(
        err.contains("a second run on the same input did not fail: the program is nondeterministic"),
        "{err}"
    );
}

#[test]
fn a_problem_package_is_complete() {
    for (problem, program) in
        [("spot", "spot-right.py"), ("ships", "ships-right.c"), ("flip", "flip-right.py")]
    {
        let dir = folder(&format!("stress-package-{problem}"));
        let (status, out, err) = stress(&[problem, "--package", dir.to_str().unwrap(), "--count", "12"]);
        assert_eq!((status, out.as_str(), err.as_str()), (0, "", ""));
        for file in ["problem.yaml", "problem_statement/problem.en.tex", "input_validators/validate.py"] {
            assert!(fs::metadata(dir.join(file)).unwrap().len() > 50, "{file}");
        }
        assert!(dir.join("submissions/accepted").join(program).exists());
        let mut tests = 0;
        for kind in ["sample", "secret"] {
            for entry in fs::read_dir(dir.join("data").join(kind)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|end| end == "in") {
                    let judged = Command::new(BINARY).args(["judge", problem]).arg(&path).output().unwrap();
                    assert_eq!(judged.stdout, fs::read(path.with_extension("ans")).unwrap(), "{path:?}");
                    tests += 1;
                }
            }
        }
        assert!((10..=13).contains(&tests), "{tests}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_test_with_a_summary() {
    let dir = folder("stress-stopped");
    let script = format!("touch '{}/ran'; sleep 0.2; '{BINARY}' judge flip", dir.display());
    let child = Command::new(BINARY)
        .args(["stress", "flip", "--", "sh", "-c", &script])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !dir.join("ran").exists() {
        std::thread::yield_now();
    }
    let stop = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    assert!(stop.success());
    assert_eq!(ended.status.code(), Some(130));
    let err = String::from_utf8(ended.stderr).unwrap();
    assert!(err.starts_with("interrupted; so far "), "{err}");
}

/// With the rule `fleet`, the boards are drawn for that fleet.
#[test]
fn other_fleets_are_stressed_on_boards_of_their_size() {
    let file = folder("stress-fleet").join("fleet.txt");
    fs::write(&file, ".xx\nxx.\n\nx..\nxxx\n\n.xx\nxx.\n.x.\n").unwrap();
    let fleet = format!("fleet={}", file.display());
    let rules = ["-r", &fleet, "-r", "mirror=yes", "--count", "6", "--time-limit", "30s"];
    let rules = [&["small", "judge"][..], &rules].concat();
    let (status, _, err) = against(&rules, "ships", &format!("$J -r '{fleet}' -r mirror=yes"));
    assert_eq!(status, 0, "{err}");
    // Without mirroring, the ships are others.
    let (status, out, err) = against(&rules, "ships", &format!("$J -r '{fleet}'"));
    assert_eq!(status, 1, "{err}");
    assert!(out.contains('x'), "{out}");
}
