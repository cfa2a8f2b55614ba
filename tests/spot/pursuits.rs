//! Forced repeats in Spot, with exact and hashed transposition tables, and the evaluation of moves: compared with plain
//! search.

use chacha20::ChaCha8Rng;
use counterpoint::board::Group;
use counterpoint::engine::Budget;
use counterpoint::problems::spot::Start;
use counterpoint::problems::spot::study::automorphisms::automorphisms;
use counterpoint::problems::spot::study::class_graph::graph;
use counterpoint::problems::spot::study::evaluation::{Evaluator, MoveValue};
use counterpoint::problems::spot::study::implicit::ImplicitGraph;
use counterpoint::problems::spot::study::matching::Graph;
use counterpoint::problems::spot::study::pursuit::{Pursuer, Pursuit};
use counterpoint::problems::spot::study::reserve::Produced;
use counterpoint::problems::spot::study::transposition::{MAX_EXACT, TranspositionTable};
use petgraph::graph::{NodeIndex, UnGraph};
use rand::{RngExt, SeedableRng};

const GROUPS: [Group; 4] = [Group::C4, Group::D4, Group::C2, Group::Trivial];
const STARTS: [Start; 2] = [Start::Counted, Start::Uncounted];

/// Whether the pursuer can force the other player to repeat within `left` moves, by definition. If `pursued` is true,
/// the player to move is pursued; otherwise, this player is the pursuer.
fn forced<G: Graph>(graph: G, fresh: &mut Vec<bool>, at: usize, pursued: bool, left: usize) -> bool {
    if left == 0 {
        return false;
    }
    let next: Vec<usize> = graph.around(at).filter(|&next| fresh[next]).collect();
    let mut comes = |next: usize| {
        fresh[next] = false;
        let forced = forced(graph, fresh, next, !pursued, left - 1);
        fresh[next] = true;
        forced
    };
    // A pursuer who has to repeat a pattern has failed.
    if pursued { next.into_iter().all(&mut comes) } else { next.into_iter().any(&mut comes) }
}

fn compare<G: Graph>(
    graph: G,
    maps: &[Vec<u32>],
    spots: impl Fn(usize) -> u32 + Copy,
    most: usize,
    name: &str,
) {
    // First all positions are stored exactly, then all by their hashes.
    for max_exact in [MAX_EXACT, 0] {
        for (start, player) in STARTS.into_iter().flat_map(|start| [(start, 1), (start, 2)]) {
            let mut produced = Produced::new(graph, spots);
            let mut fresh = vec![true; graph.node_count()];
            if start == Start::Counted {
                produced.produce(graph, 0);
                fresh[0] = false;
            }
            let mut silent = |_: std::fmt::Arguments<'_>| {};
            let mut pursuit =
                Pursuit::new(graph, produced, TranspositionTable::new(maps, max_exact), &mut silent);
            for limit in 0..=most {
                let found = pursuit.forces(Pursuer(player), limit, &mut Budget::unlimited()).unwrap();
                let expected = forced(graph, &mut fresh, 0, player == 2, limit);
                assert_eq!(found, expected, "{name} {start:?} player {player} limit {limit}");
            }
        }
    }
}

#[test]
fn pursuits_agree_with_plain_search_on_small_boards() {
    for (n, most) in [(1, 4), (2, 9), (3, 6)] {
        for group in GROUPS {
            if n == 3 && group == Group::Trivial {
                continue;
            }
            let (implicit, stored) = (ImplicitGraph::new(n, group).unwrap(), graph(n, group).unwrap());
            let maps = automorphisms(&implicit, n, group);
            let spots = |class: usize| implicit.board(NodeIndex::new(class)).count_ones();
            compare(&stored, &maps, spots, most, &format!("{n} {group:?}"));
            let most = if n == 3 { 5 } else { most };
            compare(&implicit, &[], spots, most, &format!("{n} {group:?} implicit"));
        }
    }
}

#[test]
fn pursuits_agree_with_plain_search_on_random_graphs() {
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    let mut wins = 0;
    for round in 0..400 {
        let (even, odd) = (rng.random_range(2..7), rng.random_range(2..7));
        let mut graph: UnGraph<u32, ()> = UnGraph::default();
        let sides: Vec<u32> = (0..even + odd).map(|i| u32::from(i >= even)).collect();
        for &side in &sides {
            graph.add_node(side);
        }
        for (a, b) in (0..even).flat_map(|a| (even..even + odd).map(move |b| (a, b))) {
            if rng.random_bool(0.5) {
                graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), ());
            }
        }
        let identity: Vec<u32> = (0..(even + odd) as u32).collect();
        compare(&graph, &[identity], |class| sides[class], even + odd + 1, &format!("round {round}"));
        let mut fresh = vec![true; even + odd];
        fresh[0] = false;
        wins += usize::from(forced(&graph, &mut fresh, 0, false, even + odd + 1));
    }
    assert!((100..300).contains(&wins), "both outcomes should occur: {wins}");
}

/// The value of a move to a class, by definition; `left` moves remain after it.
fn value<G: Graph>(graph: G, fresh: &mut Vec<bool>, at: usize, left: usize) -> MoveValue {
    match (forced(graph, fresh, at, true, left), forced(graph, fresh, at, false, left)) {
        (true, _) => MoveValue::Wins,
        (_, true) => MoveValue::Loses,
        _ => MoveValue::Open,
    }
}

#[test]
fn evaluations_agree_with_plain_search_at_random_positions() {
    let mut rng = ChaCha8Rng::seed_from_u64(322);
    let mut met = std::collections::BTreeMap::new();
    for (n, group) in [(2, Group::C4), (2, Group::Trivial), (3, Group::C4), (3, Group::D4)] {
        let (evaluator, graph) = (Evaluator::new(n, group).unwrap(), graph(n, group).unwrap());
        for _ in 0..150 {
            let mut fresh = vec![true; graph.node_count()];
            fresh[0] = rng.random_bool(0.5);
            let mut at = 0;
            for _ in 0..rng.random_range(0..graph.node_count()) {
                let next: Vec<usize> = (&graph).around(at).filter(|&next| fresh[next]).collect();
                if next.is_empty() {
                    break;
                }
                at = next[rng.random_range(0..next.len())];
                fresh[at] = false;
            }
            let left = rng.random_range(1..if n == 2 { 9 } else { 7 });
            let evaluation =
                evaluator.evaluate((0..fresh.len()).filter(|&class| !fresh[class]), at, Some(left));
            assert!(evaluation.complete);
            let next: Vec<usize> = (&graph).around(at).filter(|&next| fresh[next]).collect();
            assert_eq!(evaluation.values.keys().count(), next.len());
            let all: Vec<(usize, MoveValue)> = next
                .into_iter()
                .map(|next| {
                    fresh[next] = false;
                    let value = value(&graph, &mut fresh, next, left - 1);
                    fresh[next] = true;
                    (next, value)
                })
                .collect();
            let best = all.iter().map(|(_, value)| *value).max();
            assert_eq!(evaluation.values.values().max().copied(), best, "{n} {group:?} {left} left");
            for (next, value) in all {
                // A move with the best evaluation must have the best value, too.
                assert!(evaluation.values[&next] != best.unwrap() || value == best.unwrap());
            }
            *met.entry(best).or_insert(0) += 1;
        }
    }
    assert!(met.len() == 4 && met.values().all(|&count| count > 10), "all values should occur: {met:?}");
}

#[test]
fn automorphisms_keep_edges_and_the_empty_board() {
    for (n, group, count) in [(2, Group::C4, 1), (3, Group::C4, 16), (4, Group::C4, 2), (4, Group::D4, 1)] {
        let (implicit, stored) = (ImplicitGraph::new(n, group).unwrap(), graph(n, group).unwrap());
        let maps = automorphisms(&implicit, n, group);
        assert_eq!(maps.len(), count, "{n} {group:?}");
        for map in &maps {
            let to = |class: NodeIndex| NodeIndex::new(map[class.index()] as usize);
            assert_eq!(map[0], 0);
            assert!(stored.edge_indices().all(|edge| {
                let (a, b) = stored.edge_endpoints(edge).unwrap();
                stored.contains_edge(to(a), to(b))
            }));
        }
    }
}
