//! Spot's reader: the inputs that it accepts, and its messages.

use crate::spot_brute::{empty, first_repeat, play};
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint::board::Cell;
use counterpoint::engine::Budget;
use counterpoint::erased::{DynProblem, JudgeError, JudgeJob};
use counterpoint::input::{Source, Warnings};
use counterpoint::problem::{Problem, Scope, instances};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::{Entry, Instance, Move, Sign};
use counterpoint::registry::Registry;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::EngineSpec;
use rand::RngExt;
use std::cell::RefCell;

fn settings(rules: &[(&str, &str)]) -> Settings {
    let given: Vec<_> = rules.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Settings::new(Spot::RULES, &given, &|_| Err("no files".into())).unwrap()
}

/// The games, the warnings and the error of a text.
fn read(rules: &[(&str, &str)], scope: Scope, text: &str) -> (Vec<Instance>, Vec<String>, Option<String>) {
    let warnings = Warnings::default();
    let rules = Spot::rules(&settings(rules)).unwrap();
    let (mut games, mut error) = (Vec::new(), None);
    for next in instances(Spot::read(rules, scope, Source::from_text("games.txt", text), &warnings)) {
        assert!(error.is_none(), "the reader went on after an error");
        match next {
            Ok(game) => games.push(game),
            Err(e) => error = Some(e.to_string()),
        }
    }
    (games, warnings.take().iter().map(ToString::to_string).collect(), error)
}

fn judge(rules: &[(&str, &str)], text: &str) -> (String, Vec<String>, Option<JudgeError>) {
    let registry = Registry::empty().with::<Spot>();
    let spot: &dyn DynProblem = registry.find("spot").unwrap();
    let (settings, warned, mut out) = (settings(rules), RefCell::new(Vec::new()), Vec::new());
    let engine = EngineSpec::default_of(&Spot::ENGINES[0].info);
    let job = JudgeJob {
        running: &|_| {},
        settings: &settings,
        engine: &engine,
        source: Source::from_text("games.txt", text),
        budget: &Budget::unlimited,
        warn: &|w| warned.borrow_mut().push(w.to_owned()),
    };
    let error = spot.judge(job, &mut out).err();
    (String::from_utf8(out).unwrap(), warned.into_inner(), error)
}

fn clean(rules: &[(&str, &str)], scope: Scope, text: &str) -> Vec<Instance> {
    let (games, warnings, error) = read(rules, scope, text);
    assert_eq!((warnings, error), (Vec::new(), None), "{text:?}");
    games
}

#[test]
fn spellings_of_the_same_games() {
    let games = clean(&[], Scope::Judge, Spot::SAMPLE);
    assert_eq!(games.len(), 2);
    for other in [
        Spot::SAMPLE.replace('\n', "\r\n"),
        Spot::SAMPLE.replace('\n', " \t\n"),
        Spot::SAMPLE.replace('\n', "\n\n"),
        Spot::SAMPLE.replace(" -", "-").replace(" +", "+"),
        Spot::SAMPLE.replace(' ', "   "),
        format!("\u{feff}{}", Spot::SAMPLE),
        Spot::SAMPLE.trim_end().to_owned(),
        Spot::SAMPLE.replace("1 1 +", "01 001 +"),
    ] {
        assert_eq!(clean(&[], Scope::Judge, &other), games, "{other:?}");
    }
    for limit in ["none", "4", "9", "1000000"] {
        assert_eq!(clean(&[("limit", limit)], Scope::Open, Spot::SAMPLE), games);
    }
}

#[test]
fn instances_are_read_from_the_text_that_is_written() {
    let text = "3\n? ? ?\n? ? +\n3 2 ?\n? 2 -\n1 ? +\n1 2 -\n0\n";
    for rules in [&[][..], &[("limit", "none")], &[("limit", "6"), ("lenient", "yes")]] {
        let games = clean(rules, Scope::Open, text);
        let parsed = Spot::rules(&settings(rules)).unwrap();
        assert_eq!(Spot::write_instance(&parsed, &games[0]), text);
    }
    let joined = "3\n? ??\n? ?+\n3 2?\n? 2-\n1 ?+\n1 2-\n0\n";
    assert_eq!(clean(&[], Scope::Open, joined), clean(&[], Scope::Open, text));
    // A game may have no moves unless the limit fixes their number.
    assert_eq!(clean(&[("limit", "none")], Scope::Open, "3\n5\n1 1 +\n0\n").len(), 2);
}

#[test]
fn missing_end_marks_are_warnings() {
    let (games, warnings, error) = read(&[], Scope::Judge, "1\n1 1 +\n1 1 -");
    assert_eq!((games.len(), error), (1, None));
    assert_eq!(warnings, ["games.txt:4:1: the end mark is missing; add a line '0'"]);
    let (games, warnings, error) = read(&[("limit", "none")], Scope::Judge, "1\n1 1 +\n1 1 -\n");
    assert_eq!((games.len(), error), (1, None));
    assert_eq!(warnings, ["games.txt:4:1: the end mark is missing; add a line '0'"]);
    for text in ["", "\n", " \r\n\r\n"] {
        let (games, warnings, error) = read(&[], Scope::Judge, text);
        assert_eq!((games.len(), error), (0, None));
        let line = text.matches('\n').count() + 1;
        let message = "the input is empty; expected a board size, moves, and '0' after the last game";
        assert_eq!(warnings, [format!("games.txt:{line}:1: {message}")]);
    }
    let (_, warnings, error) = read(&[], Scope::Judge, "0\n\n  7 x\n");
    assert_eq!(error, None);
    assert_eq!(warnings, ["games.txt:3:3: text after the end mark '0' is ignored"]);
    let (games, warnings, error) = read(&[("limit", "2")], Scope::Judge, "2\n1 1+\n1 2+\n1 1+\n2 2-\n0\n");
    assert_eq!((games[0].record.len(), error), (2, None));
    assert_eq!(warnings, ["games.txt:4:4: moves after move 2, the limit, are ignored"]);
}

#[test]
fn errors_state_the_position_the_fault_and_the_remedy() {
    let size = "is not a board size; use a number from 1 to 50, or '0' at the end";
    let alone = "write a board size or '0' on a line of its own";
    let ends = "incomplete move; write it as 'x y +' or 'x y -'";
    for (text, message) in [
        ("x\n", format!("1:1: 'x' {size}")),
        ("-1\n", format!("1:1: '-1' {size}")),
        ("51\n", format!("1:1: '51' {size}")),
        ("+2\n", format!("1:1: '+2' {size}")),
        ("2.0\n", format!("1:1: '2.0' {size}")),
        ("9999999999\n", format!("1:1: '9999999999' {size}")),
        ("\n \u{e9}\n", format!("2:2: '\\xc3\\xa9' {size}")),
        ("2 2\n", format!("1:3: unexpected '2' after '2'; {alone}")),
        ("0 0\n", format!("1:3: unexpected '0' after '0'; {alone}")),
        ("2\n1 1 +\n", "3:1: game 1 has 1 of 4 moves; add the missing ones".to_owned()),
        ("2\n", "2:1: game 1 has 0 of 4 moves; add the missing ones".to_owned()),
        ("2\n1 1 +\n0\n", format!("3:2: {ends}")),
        ("2\n1 1\n", format!("2:4: {ends}")),
        ("2\n1 +\n", format!("2:4: {ends}")),
        ("2\n1+\n", format!("2:3: {ends}")),
        ("2\n1 1 + +\n", "2:7: unexpected '+' after the move; write one move per line".to_owned()),
        ("2\n1 1 + 2 2 -\n", "2:7: unexpected '2' after the move; write one move per line".to_owned()),
        ("2\n3 1 +\n", "2:1: '3' is not a coordinate; use a number from 1 to 2".to_owned()),
        ("2\n1 0 +\n", "2:3: '0' is not a coordinate; use a number from 1 to 2".to_owned()),
        ("2\n1 3+\n", "2:3: '3' is not a coordinate; use a number from 1 to 2".to_owned()),
        ("2\na b c\n", "2:1: 'a' is not a coordinate; use a number from 1 to 2".to_owned()),
        ("2\n1 -1 +\n", "2:3: '-1' is not a coordinate; use a number from 1 to 2".to_owned()),
        ("2\n1 ++\n", "2:3: '+' is not a coordinate; use a number from 1 to 2".to_owned()),
        ("2\n1 1 *\n", "2:5: '*' is not a sign; use '+' or '-'".to_owned()),
        ("2\n1 1 +-\n", "2:5: '+-' is not a sign; use '+' or '-'".to_owned()),
        ("2\n1 1 1\n", "2:5: '1' is not a sign; use '+' or '-'".to_owned()),
        (
            "2\n? 1 +\n",
            "2:1: unknown moves ('?') are not allowed in judge input; use a number from 1 to 2".to_owned(),
        ),
        (
            "2\n1 ?+\n",
            "2:3: unknown moves ('?') are not allowed in judge input; use a number from 1 to 2".to_owned(),
        ),
        ("2\n1 1 ?\n", "2:5: unknown moves ('?') are not allowed in judge input; use '+' or '-'".to_owned()),
        ("1\n1 1+\n1 1-\n1 1+\n", format!("4:3: unexpected '1+' after '1'; {alone}")),
        (
            "2\n1 1 -\n",
            "2:5: '-' at 1 1, which has no spot; use '+' or a square with a spot, or set the rule lenient=yes"
                .to_owned(),
        ),
        (
            "2\n2 1 +\n2 1+\n",
            "3:4: '+' at 2 1, which already has a spot; use '-' or an empty square, or set the rule lenient=yes"
                .to_owned(),
        ),
    ] {
        assert_eq!(read(&[], Scope::Judge, text).2, Some(format!("games.txt:{message}")), "{text:?}");
    }
    let long = "1 ".repeat(1 << 20);
    assert!(read(&[], Scope::Judge, &long).2.unwrap().contains("longer than"));
    let open = read(&[], Scope::Open, "201\n").2.unwrap();
    assert_eq!(
        open,
        "games.txt:1:1: '201' is not a board size; use a number from 1 to 200, or '0' at the end"
    );
    assert_eq!(clean(&[("limit", "none")], Scope::Open, "200\n0\n").len(), 1);
}

#[test]
fn no_text_makes_the_reader_panic() {
    let pieces = [
        "0",
        "1",
        "2",
        "3",
        "51",
        "999999999",
        "?",
        "+",
        "-",
        "2-",
        "?+",
        "\n",
        "\n",
        "\r\n",
        " ",
        " ",
        "\0",
        "é",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..20_000 {
        let length = rng.random_range(0..24);
        let text: String = (0..length).map(|_| pieces[rng.random_range(0..pieces.len())]).collect();
        for rules in [&[][..], &[("limit", "none"), ("lenient", "yes")], &[("limit", "3")]] {
            read(rules, Scope::Open, &text);
            if let (out, _, Some(error)) = judge(rules, &text) {
                assert!(error.to_string().starts_with("games.txt:") && out.lines().count() < 24, "{error}");
            }
        }
    }
}

#[test]
fn an_illegal_move_is_an_error_only_before_the_decisive_one() {
    // Move 3 is a repeat, and the illegal move comes after it.
    let decided = "2\n1 1 +\n2 2 +\n2 2 -\n1 1 +\n0\n";
    assert_eq!(judge(&[], decided).0, "Player 2 wins on move 3\n");
    assert!(judge(&[], decided).2.is_none());
    // In a game without an earlier repeat, the illegal move is an error.
    let text = "2\n1 1 +\n2 2 +\n1 2 +\n1 1 +\n0\n";
    let (out, _, error) = judge(&[], &format!("{}{text}", Spot::SAMPLE.trim_end_matches("0\n")));
    assert_eq!(out, "Player 2 wins on move 3\nDraw\n");
    let error = error.unwrap().to_string();
    assert_eq!(
        error,
        "games.txt:15:5: '+' at 1 1, which already has a spot; use '-' or an empty square, or set the rule lenient=yes"
    );
    // With `lenient=yes`, the move leaves its square as it is, so the move repeats the board before it.
    let (out, warned, error) = judge(&[("lenient", "yes")], text);
    assert_eq!((out.as_str(), error.is_none()), ("Player 1 wins on move 4\n", true));
    assert_eq!(warned, ["games.txt:5:5: '+' at 1 1, which already has a spot; the move changes nothing"]);
    // Removing a spot from the empty board leaves the board empty, which is a repeat only if the start counts.
    let first = "2\n1 1 -\n1 1 +\n1 2 +\n2 2 +\n0\n";
    assert_eq!(judge(&[("lenient", "yes")], first).0, "Draw\n");
    assert_eq!(judge(&[("lenient", "yes"), ("start", "counted")], first).0, "Player 2 wins on move 1\n");
    // After an unknown move, legality cannot be checked; after the limit, it does not matter.
    clean(&[], Scope::Open, "2\n1 1 +\n? ? ?\n1 1 +\n1 1 +\n0\n");
    assert!(read(&[("limit", "1")], Scope::Judge, "2\n1 1 +\n1 1 +\n0\n").2.is_none());
    // Moves after the decisive one must still be well formed and on the board.
    let off = decided.replace("- \n1 1 +", "").replace("2 2 -\n1 1 +", "2 2 -\n1 3 +");
    assert!(judge(&[], &off).2.unwrap().to_string().contains(":5:3: '3' is not a coordinate"));
}

#[test]
fn rules_change_the_question() {
    let game = "2\n1 1 +\n1 1 -\n1 1 +\n2 2 +\n0\n";
    for (rules, out) in [
        (&[][..], "Player 2 wins on move 3\n"),
        (&[("start", "counted")], "Player 1 wins on move 2\n"),
        (&[("limit", "2")], "Draw\n"),
        (&[("symmetry", "trivial")], "Player 2 wins on move 3\n"),
        (&[("symmetry", "trivial"), ("limit", "none")], "Player 2 wins on move 3\n"),
    ] {
        assert_eq!(judge(rules, game).0, out, "{rules:?}");
    }
    let turned = "2\n1 1 +\n1 2 +\n1 1 -\n2 2 +\n0\n";
    for (symmetry, out) in [("c4", 3), ("d4", 3), ("c2", 0), ("trivial", 0)] {
        let expected = if out == 0 { "Draw\n".to_owned() } else { format!("Player 2 wins on move {out}\n") };
        assert_eq!(judge(&[("symmetry", symmetry)], turned).0, expected, "{symmetry}");
    }
}

#[test]
fn answers_to_smudged_records_have_one_line_per_ending() {
    let registry = Registry::empty().with::<Spot>();
    let spot = registry.find("spot").unwrap();
    let warnings = Warnings::default();
    let source = Source::from_text("games.txt", "2\n1 1 +\n? ? ?\n? ? ?\n2 2 +\n0\n");
    let instance = spot.open(&settings(&[]), source, &warnings).unwrap().next().unwrap().unwrap();
    for engine in
        counterpoint::spec::resolve(spot.engines(), &SolverRegistry::built_in(), "search:fill,sat").unwrap()
    {
        let reply = instance.solve(&engine, &mut Budget::unlimited()).answer().unwrap();
        assert_eq!(
            String::from_utf8(reply.judge_text(1)).unwrap(),
            "Player 2 wins on move 1: refuted\nPlayer 1 wins on move 2: refuted\n\
             Player 2 wins on move 3: possible\nPlayer 1 wins on move 4: refuted\nDraw: possible\n"
        );
        assert_eq!(reply.outcome(), "2 possible, 3 refuted");
        let claims = reply.check(&[], &mut Budget::unlimited());
        let json = reply.to_json(&engine.to_string(), &claims);
        assert_eq!(json["outcome"], "smudged");
        assert_eq!(json["outcomes"][2]["winner"], 2);
        let back = spot.restore(json.as_object().unwrap()).unwrap();
        assert_eq!(back.check(&[], &mut Budget::unlimited()), claims);
        assert!(reply.explain(&mut Budget::of_work(0)).text.contains("Draw: yes, by 1 1 +, "));
        // The drawing has a text for each of four moves, a caption for each of two boards, and a number on each spot.
        let svg = reply.explain(&mut Budget::of_work(0)).boards.svg();
        assert_eq!(svg.matches("<text").count(), 6 + svg.matches("<circle").count());
        assert!(reply.explain(&mut Budget::of_work(0)).boards.svg().contains(">2: ? ? ?<"));
    }
}

#[test]
fn an_answer_is_explained_drawn_and_restored() {
    let registry = Registry::empty().with::<Spot>();
    let spot = registry.find("spot").unwrap();
    let warnings = Warnings::default();
    let source = Source::from_text("games.txt", Spot::SAMPLE);
    let cases: Vec<_> = spot.open(&settings(&[]), source, &warnings).unwrap().map(Result::unwrap).collect();
    let engine = EngineSpec::default_of(&Spot::ENGINES[0].info);
    let answers: Vec<_> =
        cases.iter().map(|c| c.solve(&engine, &mut Budget::unlimited()).answer().unwrap()).collect();
    assert_eq!(
        answers[0].explain(&mut Budget::of_work(0)).text,
        "Move 3 (2 2 -) is player 1's.\nThe board after it equals the board after move 1, unturned.\nNo move before \
         it repeats a board, so player 1 loses and player 2 wins.\n"
    );
    assert_eq!(
        answers[1].explain(&mut Budget::of_work(0)).text,
        "All 4 moves are made, and the 4 boards after them all differ, even when rotated: a draw.\n"
    );
    assert_eq!(answers[0].explain(&mut Budget::of_work(0)).boards.svg().matches("<circle").count(), 2);
    assert_eq!(answers[1].explain(&mut Budget::of_work(0)).boards.svg().matches("<circle").count(), 2);
    let json = answers[0].to_json("search:zobrist", &answers[0].check(&[], &mut Budget::unlimited()));
    let evidence = r#""outcome":"repeat","claims":[{"claim":"the 3 moves are legal","status":"recomputed"},{"claim":"the board after move 3 equals that after move 1, unturned","status":"witness"},{"claim":"no move before move 3 repeats a board","status":"recomputed"}],"move":3,"winner":2,"earlier":1,"symmetry":{"turns":0,"mirrored":false}}"#;
    assert!(json.to_string().ends_with(evidence), "{json}");
    assert_eq!(spot.restore(json.as_object().unwrap()).unwrap().outcome(), "player 2 on move 3");
}

/// The reader itself decides whether a game was over before an illegal move. Its decision is compared with brute force.
#[test]
fn an_illegal_move_is_refused_unless_the_game_was_decided() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..600 {
        let n = rng.random_range(1..5);
        let symmetry = ["c4", "d4", "c2", "trivial"][rng.random_range(0..4)];
        let start = ["uncounted", "counted"][rng.random_range(0..2)];
        let given = [("symmetry", symmetry), ("start", start), ("limit", "none")];
        let parsed = Spot::rules(&settings(&given)).unwrap();
        let (mut board, mut moves) = (empty(n), Vec::new());
        for _ in 0..rng.random_range(1..2 * n + 3) {
            let cell = Cell::new(rng.random_range(0..n), rng.random_range(0..n));
            let occupied = board[cell.row as usize][cell.col as usize] == 'x';
            moves.push(Move { cell, sign: if occupied { Sign::Take } else { Sign::Place } });
            play(&mut board, moves[moves.len() - 1]);
        }
        let decided = first_repeat(&parsed, n, &moves).is_some();
        // Repeating the last move is illegal, because it changes nothing.
        moves.push(moves[moves.len() - 1]);
        let lines = moves.iter().map(|mv| format!("{}\n", Entry::from(*mv)));
        let (games, _, error) = read(&given, Scope::Open, &format!("{n}\n{}0\n", lines.collect::<String>()));
        assert_eq!((games.len(), error.is_none()), (usize::from(decided), decided), "{moves:?} {given:?}");
        if decided { accepted += 1 } else { refused += 1 }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}
