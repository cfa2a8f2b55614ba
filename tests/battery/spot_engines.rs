//! Spot's engines against each other, against brute force and against theory, on complete records.

use crate::spot_brute::*;
use chacha20::{ChaCha8Rng, rand_core::SeedableRng};
use counterpoint::board::{Cell, Group};
use counterpoint::engine::{Budget, Limit, Outcome};
use counterpoint::erased::JudgeJob;
use counterpoint::input::Source;
use counterpoint::problem::{Params, Problem};
use counterpoint::problems::spot::Spot;
use counterpoint::problems::spot::answer::Answer;
use counterpoint::problems::spot::search::zobrist;
use counterpoint::problems::spot::study::class_graph::{ClassGraph, Summary, burnside, graph, summary};
use counterpoint::problems::spot::study::geography::winner_by_definition;
use counterpoint::problems::spot::{Instance, Legality, Move, MoveLimit, Rules, Sign, Start};
use counterpoint::registry::Registry;
use counterpoint::rules::Settings;
use counterpoint::solver::SolverRegistry;
use counterpoint::spec::{EngineSpec, resolve};
use petgraph::algo::{connected_components, is_bipartite_undirected};
use petgraph::graph::NodeIndex;
use rand::RngExt;

/// The output of `judge` for this text. Asserts that it is the same with every engine.
fn judged(text: &str) -> String {
    let registry = Registry::empty().with::<Spot>();
    let spot = registry.find("spot").unwrap();
    let settings = Settings::new(spot.rules(), &[], &|_| Err("no files".into())).unwrap();
    let mut texts = Vec::new();
    for spec in &specs() {
        let mut out = Vec::new();
        let source = Source::from_text("games.txt", text);
        let job = JudgeJob {
            running: &|_| {},
            settings: &settings,
            engine: spec,
            source,
            budget: &Budget::unlimited,
            warn: &|w| panic!("{w}"),
        };
        spot.judge(job, &mut out).unwrap();
        texts.push(String::from_utf8(out).unwrap());
    }
    assert!(texts.iter().all(|t| *t == texts[0]));
    texts.swap_remove(0)
}

#[test]
fn the_sample_byte_for_byte_with_every_engine() {
    assert_eq!(judged(Spot::SAMPLE), "Player 2 wins on move 3\nDraw\n");
    assert_eq!(judged("0\n"), "");
    // The smallest board, and signs without a space before them. Placing a spot and removing it again is not a repeat,
    // because the start does not count.
    assert_eq!(judged("1\n1 1+\n1 1-\n0\n"), "Draw\n");
}

#[test]
fn all_games_on_2x2_by_every_engine() {
    for group in GROUPS {
        for start in STARTS {
            for moves in all_games(2, 4) {
                referee_everywhere(&specs(), &rules(group, start), 2, &moves);
            }
        }
    }
}

/// Tests `zobrist`, `canonical` and `rotate-all` on all sequences of six toggles on 3×3, and the other engines on a
/// seeded sample.
#[test]
fn all_games_on_3x3() {
    let engines = specs();
    let mut rng = ChaCha8Rng::seed_from_u64(141);
    let rules = rules(Group::C4, Start::Uncounted);
    let mut classes = Vec::new();
    for bits in 0..512usize {
        let mut board = empty(3);
        (0..9).filter(|i| bits >> i & 1 == 1).for_each(|i| board[i / 3][i % 3] = 'x');
        classes.push(class(&board, Group::C4));
    }
    let ids: Vec<usize> = classes.iter().map(|c| classes.iter().position(|d| d == c).unwrap()).collect();
    let mut sessions: Vec<_> = engines.iter().map(|c| (engine(c).start)()).collect();
    for code in 0..9usize.pow(6) {
        let squares = (0..6).map(|i| code / 9usize.pow(i) % 9);
        let (mut board, mut seen, mut expected, mut moves) = (0, Vec::new(), None, Vec::new());
        for (i, square) in squares.enumerate() {
            let sign = if board >> square & 1 == 1 { Sign::Take } else { Sign::Place };
            moves.push(Move { cell: Cell::new(square as u32 / 3, square as u32 % 3), sign });
            board ^= 1 << square;
            if expected.is_none() && seen.contains(&ids[board]) {
                expected = Some(i + 1);
            }
            seen.push(ids[board]);
        }
        let instance = instance(3, &moves);
        for (spec, session) in engines.iter().zip(&mut sessions) {
            // These engines build tables or a formula for each record, so they run on a sample.
            let share = match spec.name {
                "fill" => 1.0 / 128.0,
                "toggles" | "path" => 1.0 / 400.0,
                _ => 1.0,
            };
            if !rng.random_bool(share) {
                continue;
            }
            let answer = session(&rules, &instance, spec, &mut Budget::unlimited()).answer().unwrap();
            assert_eq!(repeat_of(&answer), expected, "{instance:?}");
        }
    }
}

/// A record of legal moves on random squares. A move undoes the one before with probability 1/8.
fn random_moves(rng: &mut ChaCha8Rng, n: u32, length: usize) -> Vec<Move> {
    let (mut board, mut moves) = (empty(n), Vec::<Move>::new());
    while moves.len() < length {
        let mut cell = Cell::new(rng.random_range(0..n), rng.random_range(0..n));
        if let Some(last) = moves.last()
            && rng.random_range(0..8) == 0
        {
            cell = last.cell;
        }
        let occupied = board[cell.row as usize][cell.col as usize] == 'x';
        let mv = Move { cell, sign: if occupied { Sign::Take } else { Sign::Place } };
        play(&mut board, mv);
        moves.push(mv);
    }
    moves
}

#[test]
fn random_games_under_all_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..400 {
        let n = 1 + round % 10;
        let rules = Rules {
            group: GROUPS[rng.random_range(0..4)],
            start: STARTS[rng.random_range(0..2)],
            limit: [MoveLimit::TwiceN, MoveLimit::None][rng.random_range(0..2)],
            legality: [Legality::Strict, Legality::Lenient][rng.random_range(0..2)],
        };
        let mut moves = random_moves(&mut rng, n, 2 * n as usize);
        if rules.legality == Legality::Lenient {
            let i = rng.random_range(0..moves.len());
            moves[i].sign = if moves[i].sign == Sign::Place { Sign::Take } else { Sign::Place };
        }
        referee_everywhere(&specs(), &rules, n, &moves);
    }
}

#[test]
fn families_have_their_properties_and_depend_only_on_the_seed() {
    let mut turned = 0;
    for family in Spot::FAMILIES {
        for seed in 0..30 {
            let n = (3 + seed % 5).to_string();
            let rules = rules(Group::C4, Start::Uncounted);
            let params = Params::new(family.params, &[("n".into(), n)]).unwrap();
            let make = || (family.make)(&rules, &params, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
            let game = make();
            assert_eq!(game, make(), "{}", family.name);
            assert_eq!(game.record.len(), 2 * game.n as usize);
            let moves = game.moves();
            match family.name {
                "late" => {
                    assert_eq!(first_repeat(&rules, game.n, &moves.unwrap()), Some(game.record.len()));
                }
                "turned" => {
                    let moves = moves.unwrap();
                    let answer = solve(&specs()[0], &rules, &game);
                    let Answer::Repeat { symmetry, .. } = answer else { panic!("{answer:?}") };
                    turned += u32::from(symmetry.turns > 0);
                    referee_everywhere(&specs(), &rules, game.n, &moves);
                }
                "mirror" => {
                    let moves = moves.unwrap();
                    assert!(first_repeat(&rules, game.n, &moves[..5]).is_none());
                    let mirrored = Rules { group: Group::D4, ..rules };
                    assert_eq!(first_repeat(&mirrored, game.n, &moves), Some(5));
                    referee_everywhere(&specs(), &rules, game.n, &moves);
                }
                "smudged" | "block" | "undo" => assert!(moves.is_none()),
                _ => assert!(moves.is_some()),
            }
        }
    }
    // A pattern may equal one of its own rotations. Then the symmetry found can be the identity, so not every game
    // counts.
    assert!(turned >= 25, "{turned}");
}

/// One published program also counts the left-right mirror image of a pattern as equal.
#[test]
fn a_mirror_image_is_not_a_repeat() {
    let game = "3\n1 1+\n3 1+\n1 2+\n3 2+\n1 2-\n2 2+\n0\n";
    assert_eq!(judged(game), "Draw\n");
}

#[test]
fn hash_collisions_change_no_answer() {
    let numbers: [fn(u32) -> u64; 3] = [|_| 0, |_| 1, |i| u64::from(i % 3)];
    let mut sessions = numbers.map(zobrist::Session::with_numbers);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for round in 0..200 {
        let n = 1 + round % 6;
        let moves = random_moves(&mut rng, n, 2 * n as usize);
        for (start, group) in STARTS.iter().flat_map(|&start| GROUPS.map(|group| (start, group))) {
            let (rules, game) = (rules(group, start), instance(n, &moves));
            for session in &mut sessions {
                let outcome = zobrist::solve(&rules, &game, session, &mut Budget::unlimited());
                let answer = outcome.answer().unwrap();
                assert_eq!(repeat_of(&answer), first_repeat(&rules, n, &moves));
            }
        }
    }
}

#[test]
fn judge_sized_games_and_larger() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for n in [50, 200] {
        let moves = random_moves(&mut rng, n, 2 * n as usize);
        let rules = rules(Group::C4, Start::Counted);
        referee_everywhere(&specs(), &rules, n, &moves);
    }
}

#[test]
fn the_class_graph_is_that_of_the_theory() {
    let row = |n, group| summary(&graph(n, group).unwrap());
    let summary = |even, odd, edges, min_degree, min_odd_degree| Summary {
        even,
        odd,
        edges,
        min_degree,
        min_odd_degree,
    };
    assert_eq!(row(2, Group::C4), summary(4, 2, 6, 1, 3));
    assert_eq!(row(3, Group::C4), summary(70, 70, 566, 3, 3));
    assert_eq!(row(3, Group::D4), summary(51, 51, 339, 3, 3));
    assert_eq!(row(4, Group::C4), summary(8_264, 8_192, 131_008, 4, 15));
    assert_eq!(row(4, Group::D4), summary(4_324, 4_224, 66_024, 3, 10));
    assert_eq!(
        graph(5, Group::C4).unwrap_err(),
        "the class graph supports boards of 1 to 4 squares a side, not 5"
    );
    for n in 1..=4 {
        for group in GROUPS {
            let graph = graph(n, group).unwrap();
            assert_eq!(graph.node_count() as u128, burnside(n, group));
            assert_eq!(connected_components(&graph), 1);
            assert!(is_bipartite_undirected(&graph, NodeIndex::new(0)));
        }
    }
    assert_eq!(burnside(5, Group::C4), 8_390_720);
}

/// The value of the game for the player to move: 1 if this player can force the opponent to repeat a pattern within the
/// `left` moves that remain, -1 if the opponent can force this player to do so, 0 if neither can. `produced` is indexed
/// by class.
fn value(graph: &ClassGraph, at: NodeIndex, produced: &mut [bool], left: u32) -> i32 {
    if left == 0 {
        return 0;
    }
    let mut best = -1;
    for next in graph.neighbors(at) {
        if best < 1 && !produced[next.index()] {
            produced[next.index()] = true;
            best = best.max(-value(graph, next, produced, left - 1));
            produced[next.index()] = false;
        }
    }
    best
}

#[test]
fn repeats_that_can_be_forced_within_a_limit() {
    let force = |n, start, limit| {
        let graph = graph(n, Group::C4).unwrap();
        let empty = graph.node_indices().find(|&node| graph[node] == 0).unwrap();
        let mut produced = vec![false; graph.node_count()];
        produced[empty.index()] = start == Start::Counted;
        value(&graph, empty, &mut produced, limit)
    };
    // 2×2: player 2 forces a repeat on move 3, or on move 5 if the start counts.
    assert_eq!((2..=5).map(|limit| force(2, Start::Uncounted, limit)).collect::<Vec<_>>(), [0, -1, -1, -1]);
    assert_eq!((2..=5).map(|limit| force(2, Start::Counted, limit)).collect::<Vec<_>>(), [0, 0, 0, -1]);
    // 3×3: neither player can force a win within the judge's limit.
    assert_eq!(STARTS.map(|start| force(3, start, 6)), [0, 0]);
}

#[test]
fn winners_without_a_limit() {
    for n in 1..=3 {
        for group in [Group::C4, Group::D4] {
            let graph = graph(n, group).unwrap();
            assert_eq!(winner_by_definition(&graph, Start::Uncounted), 2, "{n} {group:?}");
            assert_eq!(
                winner_by_definition(&graph, Start::Counted),
                if n % 2 == 1 { 1 } else { 2 },
                "{n} {group:?}"
            );
            // If the graph is small, compare with a search of all games.
            if graph.node_count() < 10 {
                let empty = graph.node_indices().find(|&node| graph[node] == 0).unwrap();
                for start in STARTS {
                    let mut produced = vec![false; graph.node_count()];
                    produced[empty.index()] = start == Start::Counted;
                    let first = value(&graph, empty, &mut produced, 99) == 1;
                    assert_eq!(winner_by_definition(&graph, start), if first { 1 } else { 2 });
                }
            }
        }
    }
}

#[test]
fn work_limited_runs_repeat_exactly() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let game = instance(10, &random_moves(&mut rng, 10, 20));
    let unknown = Instance { n: 3, record: vec![none(); 6] };
    let rules = rules(Group::C4, Start::Uncounted);
    for spec in &specs() {
        for (game, limit) in [(&game, 3), (&unknown, 5), (&unknown, 500)] {
            if supports(spec, &rules, game).is_err() {
                continue;
            }
            let run = || {
                let mut budget = Budget::of_work(limit);
                let outcome = (engine(spec).start)()(&rules, game, spec, &mut budget);
                (format!("{outcome:?}"), budget.work)
            };
            assert_eq!(run(), run(), "{spec}");
        }
    }
    let zobrist: &EngineSpec =
        &resolve(&[Spot::ENGINES[0].info], &SolverRegistry::built_in(), "search").unwrap()[0];
    let stopped = (engine(zobrist).start)()(&rules, &game, zobrist, &mut Budget::of_work(3));
    assert_eq!(stopped, Outcome::GaveUp(Limit::Work, None));
}

fn none() -> counterpoint::problems::spot::Entry {
    counterpoint::problems::spot::Entry::UNKNOWN
}
