//! Limits of `stress`: a limit does not hide a wrong answer, and counts only if a second run reaches it, too. Shrinking
//! after a timeout takes few runs.

use crate::programs::{against, folder, stress};
use std::fs;

#[test]
#[cfg(target_os = "linux")]
fn a_limit_does_not_hide_a_wrong_answer() {
    // This program hangs on boards with a white first row, and is wrong on others.
    let script = "f=$(cat); case \"$f\" in wwww*) while :; do :; done ;; esac; \
                  printf '%s\\n' \"$f\" | $J | sed 's/Impossible/-1/'";
    let (status, out, err) = against(&["--time-limit", "100ms"], "flip", script);
    assert_eq!(status, 1, "{err}");
    assert!(err.starts_with("wrong answer on input ") && !out.starts_with("wwww"), "{out}{err}");
    assert!(err.contains("cause: the program prints -1 instead of Impossible\n"), "{err}");
    assert!(err.contains("\nalso: time limit exceeded on input 1 (patterns)"), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn after_a_timeout_on_many_games_each_game_is_run_alone() {
    // This program hangs if an input has several games, and its answer to a single game is wrong.
    let script = "f=$(cat); case $(printf '%s\\n' \"$f\" | grep -vc ' ') in 2) printf '%s\\n' \"$f\" | \
                  $J -r symmetry=d4 ;; *) while :; do :; done ;; esac";
    let (status, _, err) = against(&["mirror", "--time-limit", "100ms", "--count", "12"], "spot", script);
    assert_eq!(status, 1, "{err}");
    assert!(err.starts_with("wrong answer on input "), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_that_a_second_run_does_not_reach_is_a_warning() {
    let mark = folder("stress-limit-once").join("ran");
    let script = format!("if mkdir '{}' 2>/dev/null; then while :; do :; done; else $J; fi", mark.display());
    let (status, out, err) = against(&["-j", "1", "--count", "3", "--time-limit", "100ms"], "flip", &script);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    let warning = "warning: time limit exceeded on input 1 (patterns), but not in a second run";
    assert!(err.starts_with(warning) && err.contains("\naccepted: 3 inputs"), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn shrinking_after_a_timeout_takes_few_runs() {
    let (status, _, err) =
        against(&["late", "--time-limit", "50ms", "--count", "40"], "spot", "while :; do :; done");
    assert_eq!(status, 1, "{err}");
    let runs = err.split_once(" run").unwrap().0.rsplit(' ').next().unwrap();
    assert!(runs.trim_start_matches('(').parse::<u32>().unwrap() <= 14, "{err}");
}

#[test]
fn families_made_to_be_slow_come_last() {
    for (problem, heavy, quick) in
        [("ships", &["hard", "open", "largest"][..], 50), ("spot", &["largest"], 50)]
    {
        let dir = folder(&format!("stress-order-{problem}"));
        let (status, _, err) = stress(&[problem, "--count", "100", "--save", dir.to_str().unwrap()]);
        assert_eq!(status, 0, "{err}");
        let mut names: Vec<_> =
            fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let first = names.iter().position(|name| heavy.iter().any(|heavy| name.contains(heavy)));
        let number: u32 = names[first.unwrap()].split('-').next().unwrap().parse().unwrap();
        assert!(number >= quick, "{}", names[first.unwrap()]);
    }
}
