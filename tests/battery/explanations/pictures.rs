//! Boards in a terminal: text has enough contrast with the colour of its square, and the moves that rule out an ending
//! are drawn on their squares.

use counterpoint::board::{Mark, Tile};
use counterpoint::engine::Budget;
use counterpoint::input::{Source, Warnings};
use counterpoint::problem::Explanation;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec;

/// The explanation of the answer to the first game in `text`.
fn explanation(problem: &str, rules: &[(&str, &str)], engine: &str, text: &str) -> Explanation {
    let registry = counterpoint::standard();
    let problem = registry.find(problem).unwrap();
    let given: Vec<_> = rules.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let settings = Settings::new(problem.rules(), &given, &|_| Err("no files".into())).unwrap();
    let engines = spec::resolve(problem.engines(), &SolverRegistry::built_in(), engine).unwrap();
    let source = Source::from_text("boards.txt", text);
    let warnings = Warnings::default();
    let instance = problem.open(&settings, source, &warnings).unwrap().next().unwrap().unwrap();
    let reply = instance.solve(&engines[0], &mut Budget::unlimited()).answer().unwrap();
    reply.explain(&mut Budget::of_work(200_000))
}

/// Explanations with boards of all kinds.
fn shown() -> Vec<Explanation> {
    let impossible = "bwww\nwwww\nwwww\nwwww\n";
    vec![
        explanation("spot", &[], "search:zobrist", "3\n1 1 +\n3 1 +\n1 1 -\n2 2 +\n3 3 +\n2 2 -\n0\n"),
        explanation("spot", &[], "search:fill", SMUDGED),
        explanation(
            "ships",
            &[],
            "search:cover",
            "6 6\nxx....\n......\n..x...\n...x..\n......\no....x\n0 0\n",
        ),
        explanation(
            "ships",
            &[("misses", "2")],
            "search:cover",
            "6 5\nxxxxxx\nxxxxxx\nxxxx..\nxxx.x.\no.xx..\n0 0\n",
        ),
        explanation("ships", &[], "search:cover", "6 5\nxxxxxx\nxxxxxx\nxxxxx.\nxxxxx.\nxxxxx.\n0 0\n"),
        explanation("ships", &[], "search:cover", "5 5\n.....\n..x..\n.....\n.....\no...x\n0 0\n"),
        explanation("flip", &[], "search:algebra", "bwbw\nwwbb\nbwwb\nbwww\n"),
        explanation("flip", &[], "search:algebra", impossible),
        explanation("flip", &[("colours", "5")], "search:algebra", "4120\n1200\n0310\n2211\n"),
        explanation("flip", &[("colours", "7"), ("size", "3x3")], "search:algebra", "012\n345\n600\n"),
        explanation("flip", &[("colours", "3"), ("size", "3x3")], "search:algebra", "012\n120\n001\n"),
    ]
}

const SMUDGED: &str = "3\n1 1 +\n? ? -\n2 2 +\n? ? +\n? ? -\n3 3 +\n0\n";

/// The relative luminance, as WCAG defines it, of colour `code` of the 256-colour palette. `code` is at least 16.
fn light(code: u32) -> f64 {
    let steps = [0, 95, 135, 175, 215, 255];
    let step = |n: u32| steps[(n % 6) as usize];
    let [r, g, b] = match code.checked_sub(232) {
        Some(grey) => [8 + 10 * grey; 3],
        None => [36, 6, 1].map(|weight| step((code - 16) / weight)),
    };
    let linear = |n: u32| match f64::from(n) / 255.0 {
        c if c <= 0.040_45 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

#[test]
fn letters_can_be_read_on_every_square() {
    let mut pairs = 0;
    for explanation in shown() {
        for style in explanation.boards.terminal().split('\x1b').filter_map(|part| part.split_once('m')) {
            let numbers: Vec<u32> =
                style.0.trim_start_matches('[').split(';').map(|n| n.parse().unwrap()).collect();
            let [.., 38, 5, ink, 48, 5, back] = numbers[..] else { continue };
            let (a, b) = (light(ink).max(light(back)), light(ink).min(light(back)));
            let contrast = (a + 0.05) / (b + 0.05);
            assert!(contrast >= 4.5, "{ink} on {back}: {contrast:.2} in {}", explanation.text);
            pairs += 1;
        }
    }
    assert!(pairs > 200, "{pairs}");
}

#[test]
fn moves_that_rule_out_an_ending_are_marked_on_their_squares() {
    let Explanation { text, boards } = explanation("spot", &[], "search:fill", SMUDGED);
    assert!(
        text.contains("Player 2 wins on move 3: no, moves 1 (1 1 +) and 3 (2 2 +) alone rule it out"),
        "{text}"
    );
    let noted = |note: &str| assert!(boards.notes.iter().any(|other| other == note), "{:?}", boards.notes);
    let of = |caption: &str| boards.panels.iter().find(|panel| panel.caption == caption).unwrap();
    let framed = |tile: &&Tile| tile.mark == Mark::Frame;
    noted("Player 2 wins on move 3: ruled out by moves 1, 3");
    let panel = of("Player 2 wins on move 3: no");
    let marked: Vec<&str> = panel.tiles.iter().filter(framed).map(|tile| tile.text.as_str()).collect();
    assert_eq!(marked, ["1+", "3+"]);
    assert_eq!((panel.tiles[0].mark, panel.tiles[4].mark), (Mark::Frame, Mark::Frame));
    // A move without a known square cannot be drawn on a square, so the note names it.
    noted("Player 1 wins on move 6: ruled out by moves 1, 2, 6");
    assert_eq!(of("Player 1 wins on move 6: no").tiles.iter().filter(framed).count(), 2);
}
