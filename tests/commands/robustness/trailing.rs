//! A complete game followed by garbage: every command answers the game, then reports the error with its position.

use super::program::run;

const SHIPS: &str = "6 6\n..xxxx\nxxxxxx\noo.xxx\nxxxxxx\nxx.xxx\noo.oxo\n";
const SPOT: &str = "2\n1 1 +\n2 2 +\n2 2 -\n1 2 +\n";
const FLIP: &str = "bwwb\nbbwb\nbwwb\nbwww\n";

/// Text that is not a game of any problem: words, symbols, control characters, invalid UTF-8, a very long line.
fn garbage() -> Vec<Vec<u8>> {
    let long = vec![b'x'; (1 << 20) + 1];
    let lines: [&[u8]; 9] =
        [b"ab cd", b"-3 4", b"\x00\xff\xfe\x80", b"7x", b"6 six", b"xq", b"5 5 5", b"\xc3\xa9", &long];
    lines.map(|line| [line, b"\n"].concat()).into()
}

/// Whether an error message begins with the file `-`, this line, and a column.
fn has_place(err: &str, line: usize) -> bool {
    let error = err.lines().find_map(|found| found.strip_prefix("counterpoint: error: "));
    let place = error.and_then(|error| error.strip_prefix(&format!("-:{line}:")));
    place.is_some_and(|rest| rest.split(':').next().is_some_and(|column| column.parse::<usize>().is_ok()))
}

#[test]
fn a_complete_game_is_answered_before_the_error_after_it() {
    for (problem, game) in [("ships", SHIPS), ("spot", SPOT), ("flip", FLIP)] {
        let (status, right, _) = run(&["judge", problem], game.as_bytes());
        assert_eq!((status, right.is_empty()), (0, false), "{problem}");
        for extra in garbage() {
            let input = [game.as_bytes(), &extra].concat();
            let line = game.lines().count() + 1;
            let shown = extra[..extra.len().min(20)].escape_ascii().to_string();
            let (status, out, err) = run(&["judge", problem], &input);
            assert_eq!((status, out == right), (2, true), "judge {problem} {shown}: {out}{err}");
            assert!(has_place(&err, line), "judge {problem} {shown}: {err}");
            for (command, answered) in [
                (&["solve"][..], "game 1: "),
                (&["solve", "--json"], "\"outcome\":"),
                (&["solve", "--explain"], "game 1: "),
                (&["compare"], "checked"),
                (&["encode"], "p cnf "),
                (&["encode", "--stats"], "total"),
            ] {
                let words = [&command[..1], &[problem], &command[1..]].concat();
                let (status, out, err) = run(&words, &input);
                assert_eq!((status, out.contains(answered)), (2, true), "{words:?} {shown}: {out}{err}");
                assert!(has_place(&err, line), "{words:?} {shown}: {err}");
            }
        }
    }
}

#[test]
fn files_are_written_before_the_error_after_their_game() {
    let dir = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trailing");
    for (problem, game) in [("ships", SHIPS), ("spot", SPOT), ("flip", FLIP)] {
        let input = [game.as_bytes(), b"ab cd\n"].concat();
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        let path = |name: &str| dir.join(name).display().to_string();
        for (option, command, written) in [
            ("--save", "solve", "answer/answer.json"),
            ("--page", "solve", "page.html"),
            ("-o", "encode", "formula.cnf"),
        ] {
            let target = if option == "--save" { "answer" } else { written };
            if option == "--page" && problem == "ships" {
                // The formula of this board has too many clauses for a page.
                continue;
            }
            let (status, _, err) = run(&[command, problem, option, &path(target)], &input);
            assert_eq!(status, 2, "{command} {problem} {option}: {err}");
            assert!(has_place(&err, game.lines().count() + 1), "{command} {problem} {option}: {err}");
            assert!(dir.join(written).exists(), "{command} {problem} {option}: {err}");
        }
    }
}

#[test]
fn a_study_answers_the_games_before_the_error() {
    let input = [SHIPS.as_bytes(), b"ab cd\n"].concat();
    let (status, out, err) = run(&["study", "ships", "count", "-"], &input);
    assert_eq!((status, out.contains("placements")), (2, true), "{out}{err}");
    assert!(has_place(&err, 8), "{err}");
}
