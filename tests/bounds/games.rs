//! Inputs of many games, and inputs that are one long line.

use crate::cost::{Cost, assert_linear, cost, of};
use counterpoint::engine::{Budget, Stop};
use counterpoint::erased::{DynProblem, JudgeError, JudgeJob};
use counterpoint::input::{MAX_LINE, Source, Warnings};
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::resolve;
use std::io::{self, Cursor, Read};
use std::sync::Arc;

/// The same text many times, and then another one; without the memory that the whole text would take.
pub(crate) fn repeated(text: &'static str, times: usize, end: &'static str) -> impl Read {
    let copies = (0..times).map(move |_| text.as_bytes());
    let mut parts = copies.chain([end.as_bytes()]).map(Cursor::new);
    let mut part = Cursor::new(&b""[..]);
    // Many copies at a time, because each call of `read` has its price.
    let fill = move |buffer: &mut [u8]| -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match part.read(&mut buffer[filled..])? {
                0 => match parts.next() {
                    Some(next) => part = next,
                    None => break,
                },
                more => filled += more,
            }
        }
        Ok(filled)
    };
    Filled(fill)
}

struct Filled<F>(F);

impl<F: FnMut(&mut [u8]) -> io::Result<usize>> Read for Filled<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.0)(buffer)
    }
}

pub(crate) fn settings(problem: &dyn DynProblem, rules: &[(&str, &str)]) -> Settings {
    let given: Vec<_> = rules.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Settings::new(problem.rules(), &given, &|_| Err("no files".into())).unwrap()
}

/// Judges an input with the default engine of its problem, and counts the lines of the output.
fn judge(problem: &str, rules: &[(&str, &str)], input: impl Read) -> (Result<usize, JudgeError>, Cost) {
    let registry = counterpoint::standard();
    let problem = registry.find(problem).unwrap();
    let settings = settings(problem, rules);
    let engine =
        &resolve(problem.engines(), &SolverRegistry::built_in(), problem.info().default_engine).unwrap()[0];
    let stop: Stop = Arc::new(|| None);
    let (mut lines, mut judged) = (Lines(0), Ok(0));
    let cost = cost(|| {
        let job = JudgeJob {
            settings: &settings,
            engine,
            source: Source::new("games", input),
            budget: &|| Budget::new(None, Arc::clone(&stop)),
            warn: &|_| {},
            running: &|_| {},
        };
        judged = problem.judge(job, &mut lines).map(|_| 0);
    });
    (judged.map(|_| lines.0), cost)
}

/// Counts the lines that are written.
struct Lines(usize);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.iter().filter(|&&byte| byte == b'\n').count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const SPOT: &str = "2\n1 1 +\n2 2 +\n2 2 -\n1 2 +\n";
const FLIP: &str = "bwwb\nbbwb\nbwwb\nbwww\n";
const SHIPS: &str = "6 6\noxxxxo\nxxxxxo\nxxxxxo\nxxoxxx\nxxoxxx\nxxxxox\n";

#[test]
fn a_million_games_are_judged_in_constant_memory() {
    for (problem, game, end, lines) in [("spot", SPOT, "0\n", 1), ("flip", FLIP, "", 1)] {
        let (few, expected) = judge(problem, &[], repeated(game, 100, end));
        assert_eq!(few.unwrap(), 100 * lines, "{problem}");
        let (many, found) = judge(problem, &[], repeated(game, 1_000_000, end));
        assert_eq!(many.unwrap(), 1_000_000 * lines, "{problem}");
        assert_eq!(found.peak, expected.peak, "{problem}");
        assert!(found.peak < 1 << 19, "{problem}: {found:?}");
    }
}

/// Only the rows show which number of a header is the width, so the reader of Ships keeps the whole text.
#[test]
fn ships_takes_memory_linear_in_the_text() {
    assert_linear("ships", 500, (12, 1 << 19), |n| {
        of(SHIPS.repeat(n) + "0 0\n", move |text| {
            assert_eq!(judge("ships", &[], text).0.unwrap(), 3 * n);
        })
    });
}

/// The commands that print more about each game open the input in this way.
#[test]
fn games_are_opened_one_by_one() {
    let registry = counterpoint::standard();
    for (problem, game, end) in [("spot", SPOT, "0\n"), ("flip", FLIP, "")] {
        let problem = registry.find(problem).unwrap();
        let settings = settings(problem, &[]);
        let open = |games: usize| {
            let warnings = Warnings::default();
            cost(|| {
                let source = Source::new("games", repeated(game, games, end));
                let instances = problem.open(&settings, source, &warnings).unwrap();
                assert_eq!(instances.map(Result::unwrap).count(), games);
            })
        };
        let (few, many) = (open(100), open(10_000));
        assert_eq!(few.peak, many.peak, "{}", problem.name());
        assert!(many.count <= 101 * few.count);
    }
}

/// A line of 200 MB without an end is refused as soon as it is longer than any line may be.
#[test]
fn a_line_without_end_takes_little_memory() {
    let text = |start: &'static str| repeated(start, 1, "").chain(io::repeat(b'x').take(200_000_000));
    for (problem, rules, start, place) in [
        ("spot", &[][..], "", "games:1:1"),
        ("spot", &[("limit", "none")], "2\n1 1 +\n", "games:3:1"),
        ("flip", &[], "", "games:1:1"),
        ("flip", &[("size", "8x8")], "bwbwbwbw\n", "games:2:1"),
        ("ships", &[], "", "games:1:1"),
    ] {
        let (judged, cost) = judge(problem, rules, text(start));
        let expected = format!("{place}: the line is longer than {MAX_LINE} bytes");
        assert_eq!(judged.unwrap_err().to_string(), expected, "{problem}");
        assert!(cost.peak < 5 << 20, "{problem}: {cost:?}");
    }
}
