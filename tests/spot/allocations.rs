//! Judging Spot allocates no memory per game: a hundred times as many games take no more allocations.

use counterpoint::engine::{Budget, Stop};
use counterpoint::erased::JudgeJob;
use counterpoint::input::Source;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::resolve;
use std::sync::Arc;

/// The number of allocations while `game` is judged `games` times, and the most bytes allocated at once.
fn cost(game: &str, games: usize, rules: &[(&str, &str)]) -> (u64, u64) {
    let registry = counterpoint::standard();
    let spot = registry.find("spot").unwrap();
    let given: Vec<_> = rules.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let settings = Settings::new(spot.rules(), &given, &|_| Err("no files".into())).unwrap();
    let engine = &resolve(spot.engines(), &SolverRegistry::built_in(), "search").unwrap()[0];
    let text = game.repeat(games) + "0\n";
    let stop: Stop = Arc::new(|| None);
    let mut out = Vec::with_capacity(64 * games);
    let info = allocation_counter::measure(|| {
        let job = JudgeJob {
            settings: &settings,
            engine,
            source: Source::from_text("games", &text),
            budget: &|| Budget::new(None, Arc::clone(&stop)),
            warn: &|w| panic!("{w}"),
            running: &|_| {},
        };
        spot.judge(job, &mut out).unwrap();
    });
    assert_eq!(out.iter().filter(|b| **b == b'\n').count(), games);
    (info.count_total, info.bytes_max)
}

/// A game on an `n`×`n` board: a staircase of spots. Each line ends with `end`; `gap` stands before each sign.
fn stair(n: usize, gap: &str, end: &str) -> String {
    let moves = (0..2 * n).map(|i| format!("{} {}{gap}+{end}", i / 2 + 1, i.div_ceil(2) % n + 1));
    format!("{n}{end}") + &moves.collect::<String>()
}

#[test]
fn more_games_take_no_more_memory() {
    let decided = "3\n1 1 +\n2 2 +\n2 2 -\n3 3 +\n3 3 -\n1 2 +\n".to_owned();
    for (game, rules) in [
        (stair(50, " ", "\n"), &[][..]),
        (stair(20, "", "\r\n"), &[]),
        (stair(20, "  ", " \n\n"), &[("symmetry", "d4"), ("limit", "none")]),
        (decided.clone(), &[]),
        (decided, &[("lenient", "yes"), ("start", "counted"), ("symmetry", "c2")]),
    ] {
        let few = cost(&game, 20, rules);
        assert_eq!(cost(&game, 2_000, rules), few, "{game:?}");
        assert!(few.0 < 100 && few.1 < 1 << 18, "{few:?}");
    }
}
