//! Flip: the inputs that the reader accepts, its errors for others, and the judge's output.

use crate::bench::Bench;

const SAMPLE: &str = "bwwb\nbbwb\nbwwb\nbwww\n";

#[test]
fn the_sample_byte_for_byte() {
    let bench = Bench::new("flip", &[]);
    for engine in bench.engines("search:*,sat:*/xor=*@*") {
        let judged = bench.judge(&engine.to_string(), SAMPLE);
        assert_eq!((judged.out.as_str(), judged.message()), ("4\n", String::new()), "{engine}");
        let two = bench.judge(&engine.to_string(), &format!("{SAMPLE}bbbb\nbwbb\nbbbb\nbbbb\n"));
        assert_eq!(two.out, "4\nImpossible\n", "{engine}");
    }
}

#[test]
fn blank_lines_and_spaces_are_tolerated() {
    let judge = |text: &str| {
        let judged = Bench::new("flip", &[]).judge("search", text);
        assert!(judged.error.is_none(), "{text:?}: {}", judged.message());
        judged.out
    };
    for text in [
        "bwwb\r\nbbwb\r\nbwwb\r\nbwww\r\n",
        "bwwb\nbbwb\nbwwb\nbwww",
        "\n\nbwwb \nbbwb\t\n\nbwwb\n  bwww\n\n\n",
        "\u{feff}bwwb\nbbwb\nbwwb\nbwww\n",
    ] {
        assert_eq!(judge(text), "4\n", "{text:?}");
    }
    let empty = Bench::new("flip", &[]).judge("search", "\n \n");
    assert_eq!((empty.out.as_str(), empty.message().as_str()), ("", ""));
    assert_eq!(empty.warnings, ["games.txt:3:1: the input is empty; a board is rows of 'b' and 'w'"]);
}

#[test]
fn errors_have_positions_and_come_after_the_answers_to_earlier_boards() {
    let instances = [
        ("bwwb\nbqwb\nbwwb\nbwww\n", "games.txt:2:2: 'q' is not a square; use 'b' or 'w'"),
        ("bwwb\nbWwb\n", "games.txt:2:2: 'W' is not a square; use 'b' or 'w'"),
        ("bw\u{0}b\n", "games.txt:1:3: '\\x00' is not a square; use 'b' or 'w'"),
        ("bwé\n", "games.txt:1:3: '\\xc3' is not a square; use 'b' or 'w'"),
        ("bwwbb\n", "games.txt:1:5: the row has 5 squares instead of 4"),
        ("bwwb\nbww\n", "games.txt:2:4: the row has 3 squares instead of 4"),
        ("bwwb bwwb\n", "games.txt:1:6: 'bwwb' follows the row; a row is one word of 'b' and 'w'"),
        ("bwwb\nbwwb\nbwwb\n", "games.txt:4:1: the last board ends after 3 of its 4 rows"),
        ("4 4\nbwwb\n", "games.txt:1:3: '4' follows the row; a row is one word of 'b' and 'w'"),
    ];
    for engine in ["search", "sat"] {
        for (text, message) in instances {
            let judged = Bench::new("flip", &[]).judge(engine, text);
            assert_eq!((judged.out.as_str(), judged.message().as_str()), ("", message), "{text:?}");
        }
    }
    let judged = Bench::new("flip", &[]).judge("search", &format!("{SAMPLE}{SAMPLE}bwwb\nx\n"));
    assert_eq!(judged.out, "4\n4\n");
    assert_eq!(judged.message(), "games.txt:10:1: 'x' is not a square; use 'b' or 'w'");
}

/// The sizes of the boards in a text, and the error that ends it; empty if there is none.
fn sizes(rules: &[(&str, &str)], text: &str) -> (Vec<String>, String) {
    let bench = Bench::new("flip", rules);
    let warnings = counterpoint::input::Warnings::default();
    let source = counterpoint::input::Source::from_text("f", text);
    let (mut sizes, mut error) = (Vec::new(), String::new());
    for instance in bench.problem().open(&bench.settings, source, &warnings).unwrap() {
        match instance {
            Ok(instance) => {
                let rows: Vec<usize> = instance.text().lines().map(str::len).collect();
                sizes.push(format!("{}x{}", rows[0], rows.len()));
            }
            Err(e) => error = e.to_string(),
        }
    }
    (sizes, error)
}

#[test]
fn boards_of_other_sizes() {
    let ok = |list: &[&str]| (list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>(), String::new());
    assert_eq!(sizes(&[], "bw\nwb\n\nbbb\n"), ok(&["2x2", "3x1"]));
    assert_eq!(sizes(&[], &SAMPLE.repeat(3)), ok(&["4x4"; 3]));
    let five = sizes(&[], &"bwwb\n".repeat(5));
    let message = "f:6:1: the last board ends after 1 of its 4 rows; for a board 4x1 say --rule size=4x1";
    assert_eq!((five.0.len(), five.1.as_str()), (1, message));
    assert_eq!(sizes(&[("size", "4x5")], &"bwwb\n".repeat(5)), ok(&["4x5"]));
    let high = sizes(&[], &"b\n".repeat(16_385));
    assert_eq!(high.1, "f:16385:1: a board has at most 16384 rows; this row is one too many");
    assert_eq!(sizes(&[("size", "4x8")], &SAMPLE.repeat(4)), ok(&["4x8"; 2]));
    assert_eq!(sizes(&[("size", "2x3")], "bw\n\nbw\nbw\n"), ok(&["2x3"]));
    let cut = sizes(&[("size", "2x2")], "bw\nbw\nbw\n");
    assert_eq!((cut.0.len(), cut.1.as_str()), (1, "f:4:1: the last board ends after 1 of its 2 rows"));
    let ragged = sizes(&[], "bw\nbw\n\nbww\nbw\n");
    assert_eq!((ragged.0.len(), ragged.1.as_str()), (1, "f:5:3: the row has 2 squares instead of 3"));
    let error = sizes(&[], &(SAMPLE.repeat(2) + "bwwb\nbwxb\n"));
    assert_eq!((error.0.len(), error.1.as_str()), (2, "f:10:3: 'x' is not a square; use 'b' or 'w'"));
    let wide = sizes(&[], &"b".repeat(16_385));
    assert_eq!(wide.1, "f:1:16385: the row has 16385 squares instead of at most 16384");
}

#[test]
fn the_judge_reads_4x4_boards_unless_the_rule_size_is_set() {
    let judged = Bench::new("flip", &[]).judge("search", "bw\nwb\n");
    assert_eq!(judged.message(), "games.txt:1:3: the row has 2 squares instead of 4");
    assert_eq!(Bench::new("flip", &[("size", "2x2")]).judge("search", "bw\nwb\n").out, "2\n");
}

#[test]
fn a_written_instance_can_be_read() {
    let bench = Bench::new("flip", &[]);
    for (w, h) in [("1", "1"), ("3", "5"), ("4", "4"), ("5", "3"), ("17", "2")] {
        let instance = bench.generate("random", &[("w", w), ("h", h)], 1);
        assert_eq!(bench.instance(&instance.text()).hash(), instance.hash());
    }
    let refused = bench.problem().generate(
        &bench.settings,
        "random",
        &[("w".into(), "4".into()), ("h".into(), "8".into())],
        1,
    );
    assert!(refused.err().unwrap().message().contains("say --rule size=4x8"));
}
