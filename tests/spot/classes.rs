//! Spot's class graph: bitboards compared with symmetries, the implicit graph with a stored one, and our matchings with
//! those of petgraph and with the definition.

use chacha20::ChaCha8Rng;
use counterpoint::board::{Cell, Group, Size};
use counterpoint::engine::{Budget, Limit};
use counterpoint::problems::spot::Start;
use counterpoint::problems::spot::study::census::{census, layers};
use counterpoint::problems::spot::study::class_graph::{burnside, graph, summary};
use counterpoint::problems::spot::study::geography::{winner_by, winner_by_definition};
use counterpoint::problems::spot::study::implicit::ImplicitGraph;
use counterpoint::problems::spot::study::index::Index;
use counterpoint::problems::spot::study::matching::{Graph, Matching, Side, karp_sipser, maximum, missed};
use counterpoint::problems::spot::study::words::Words;
use petgraph::algo::{connected_components, is_bipartite_undirected, maximum_matching};
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::{
    Bfs, Dfs, EdgeCount, IntoEdgeReferences, IntoNeighbors, IntoNodeIdentifiers, NodeCount, NodeIndexable,
};
use rand::{RngExt, SeedableRng};
use std::collections::BTreeSet;

const GROUPS: [Group; 4] = [Group::C4, Group::D4, Group::C2, Group::Trivial];

/// The images of a board by definition, cell by cell.
fn images(n: u32, group: Group, board: u64) -> Vec<u64> {
    let size = Size::new(n, n);
    let spots: Vec<Cell> = size.iter().filter(|&cell| board >> size.index(cell) & 1 == 1).collect();
    let image = |g: &counterpoint::board::Symmetry| {
        spots.iter().map(|&cell| 1 << size.index(g.apply(n, cell))).sum::<u64>()
    };
    group.elements().iter().map(image).collect()
}

fn least(n: u32, group: Group, board: u64) -> u64 {
    images(n, group, board).into_iter().min().unwrap()
}

/// Random boards, and boards that are symmetric except for a few squares.
fn boards(n: u32, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let mask = u64::MAX >> (64 - n * n);
    let random = rng.random::<u64>() & mask;
    let symmetric = images(n, Group::D4, random & rng.random::<u64>()).into_iter().fold(0, |a, b| a | b);
    let half = images(n, Group::C2, random).into_iter().fold(0, |a, b| a ^ b);
    let near = symmetric ^ 1 << rng.random_range(0..n * n);
    let nearer = half ^ 1 << rng.random_range(0..n * n) ^ 1 << rng.random_range(0..n * n);
    vec![random, symmetric, half, near, nearer, 0, mask]
}

#[test]
fn words_agree_with_symmetries() {
    let mut rng = ChaCha8Rng::seed_from_u64(141);
    for (n, group) in (1..=8).flat_map(|n| GROUPS.map(|group| (n, group))) {
        let words = Words::new(n, group).unwrap();
        for board in (0..40).flat_map(|_| boards(n, &mut rng)) {
            assert_eq!(words.images(board).as_slice(), images(n, group, board), "{n} {group:?} {board:#x}");
            assert_eq!(words.images(board).least(), least(n, group, board));
            let toggled = (0..n * n).map(|square| least(n, group, board ^ 1 << square));
            let neighbours: Vec<u64> = words.neighbours(board).collect();
            assert_eq!(words.neighbours(board).count(), neighbours.len());
            let distinct: BTreeSet<u64> = neighbours.iter().copied().collect();
            assert_eq!(distinct.len(), neighbours.len(), "{n} {group:?} {board:#x} lists a class twice");
            assert_eq!(distinct, toggled.collect(), "{n} {group:?} {board:#x}");
        }
    }
    for side in [0, 9] {
        assert!(Words::new(side, Group::C4).is_err());
    }
}

#[test]
fn ranks_and_members_are_inverse() {
    let index = Index::new(1000, |number| number.is_multiple_of(7) || number.count_ones() == 3);
    assert!(!index.is_empty());
    let members: Vec<u32> = (0..index.len() as u32).map(|rank| index.member(rank)).collect();
    assert!(members.is_sorted() && (0..index.len() as u32).all(|r| index.rank(members[r as usize]) == r));
    assert!(members.iter().all(|m| m.is_multiple_of(7) || m.count_ones() == 3));
    assert!(Index::new(0, |_| true).is_empty());
}

#[test]
fn the_implicit_graph_is_the_stored_one() {
    for (n, group) in (1..=4).flat_map(|n| GROUPS.map(|group| (n, group))) {
        let (stored, implicit) = (graph(n, group).unwrap(), ImplicitGraph::new(n, group).unwrap());
        assert_eq!(implicit.node_count() as u128, burnside(n, group));
        assert_eq!(implicit.edge_count(), stored.edge_count());
        assert_eq!((&implicit).edge_references().count(), stored.edge_count());
        for (a, b) in stored.node_indices().zip((&implicit).node_identifiers()) {
            assert_eq!(stored[a], implicit.board(b));
            assert_eq!(implicit.class(stored[a]), b);
            let of_stored: BTreeSet<u32> = stored.neighbors(a).map(|c| stored[c]).collect();
            let of_implicit: Vec<u32> = (&implicit).neighbors(b).map(|c| implicit.board(c)).collect();
            assert_eq!(implicit.degree(b), of_implicit.len());
            assert_eq!(of_stored.len(), of_implicit.len());
            assert_eq!(of_stored, of_implicit.into_iter().collect());
        }
    }
    assert!(ImplicitGraph::new(6, Group::C4).is_err() && ImplicitGraph::new(0, Group::C4).is_err());
}

#[test]
fn petgraph_walks_the_implicit_graph() {
    for (n, group) in (1..=4).flat_map(|n| GROUPS.map(|group| (n, group))) {
        let graph = ImplicitGraph::new(n, group).unwrap();
        let empty = graph.from_index(0);
        assert_eq!(connected_components(&graph), 1);
        assert!(is_bipartite_undirected(&graph, empty));
        let (mut bfs, mut dfs) = (Bfs::new(&graph, empty), Dfs::new(&graph, empty));
        let spots: Vec<u32> =
            std::iter::from_fn(|| bfs.next(&graph)).map(|class| graph.board(class).count_ones()).collect();
        assert_eq!(spots.len(), graph.node_count());
        assert!(spots.is_sorted(), "a class with k spots should be k toggles from the empty board");
        assert_eq!(std::iter::from_fn(|| dfs.next(&graph)).count(), graph.node_count());
        let layers = layers(&graph, &mut Budget::unlimited()).unwrap();
        let with = |k: usize| spots.iter().filter(|&&spots| spots as usize == k).count();
        assert_eq!(layers, (0..=n as usize * n as usize).map(with).collect::<Vec<_>>());
    }
}

#[test]
fn known_sizes_of_class_graphs() {
    for (n, group, even, odd, edges, least, least_odd) in [
        (2, Group::C4, 4, 2, 6, 1, None),
        (3, Group::C4, 70, 70, 566, 3, None),
        (3, Group::D4, 51, 51, 339, 3, None),
        (4, Group::C4, 8_264, 8_192, 131_008, 4, Some(15)),
        (4, Group::D4, 4_324, 4_224, 66_024, 3, Some(10)),
    ] {
        let found = census(&ImplicitGraph::new(n, group).unwrap(), &mut Budget::unlimited()).unwrap();
        let name = format!("{n} {group:?}");
        assert_eq!((found.even, found.odd, found.edges), (even, odd, edges), "{name}");
        assert_eq!(found.degrees.iter().sum::<usize>(), even + odd, "{name}");
        assert_eq!(found.min_degree(), least, "{name}");
        let stored = graph(n, group).unwrap();
        let degrees = stored.node_indices().map(|class| stored.neighbors(class).count());
        assert_eq!(Some(found.max_degree()), degrees.max(), "{name}");
        assert_eq!(found.min_odd_degree, summary(&stored).min_odd_degree, "{name}");
        assert!(least_odd.is_none_or(|least| found.min_odd_degree == least), "{name}");
    }
}

/// Checks that each matched node is its partner's partner and neighbour, and returns the number of pairs.
fn pairs<G: Graph>(graph: G, matching: &Matching) -> usize {
    let matched = (0..graph.node_count()).filter_map(|node| Some((node, matching.mate(node)?)));
    let matched: Vec<_> = matched.collect();
    for &(node, mate) in &matched {
        assert_eq!(matching.mate(mate), Some(node));
        assert!(graph.around(node).any(|next| next == mate));
    }
    assert_eq!(matching.len(), matched.len() / 2);
    matched.len() / 2
}

fn side(graph: &ImplicitGraph) -> impl Fn(usize) -> Side + Copy + '_ {
    |node| if graph.is_even(graph.from_index(node)) { Side::Left } else { Side::Right }
}

#[test]
fn matchings_of_class_graphs() {
    let budget = &mut Budget::unlimited();
    for (n, group) in (1..=3).flat_map(|n| GROUPS.map(|group| (n, group))) {
        let implicit = ImplicitGraph::new(n, group).unwrap();
        let matching = maximum(&implicit, side(&implicit), budget).unwrap();
        assert_eq!(pairs(&implicit, &matching), maximum_matching(&implicit).len());
        let missed = missed(&implicit, &matching, budget).unwrap();
        for start in [Start::Counted, Start::Uncounted] {
            let by_definition = winner_by_definition(&graph(n, group).unwrap(), start);
            let empty = implicit.from_index(0);
            assert_eq!(winner_by(&implicit, &missed, empty, start), by_definition, "{n} {group:?} {start:?}");
        }
    }
    // 4x4: every class with an odd number of spots has a partner, and some maximum matching leaves out the empty board.
    for (group, size) in [(Group::C4, 8_192), (Group::D4, 4_224)] {
        let implicit = ImplicitGraph::new(4, group).unwrap();
        let matching = maximum(&implicit, side(&implicit), budget).unwrap();
        assert_eq!(pairs(&implicit, &matching), size);
        assert_eq!(maximum_matching(&implicit).len(), size);
        let missed = missed(&implicit, &matching, budget).unwrap();
        let empty = implicit.from_index(0);
        for start in [Start::Counted, Start::Uncounted] {
            assert_eq!(winner_by(&implicit, &missed, empty, start), 2, "{group:?} {start:?}");
        }
    }
}

/// A random bipartite graph, and the number of its left nodes, which come first.
fn random_bipartite(rng: &mut ChaCha8Rng) -> (UnGraph<(), ()>, usize) {
    let (left, right) = (rng.random_range(1..14), rng.random_range(1..14));
    let mut graph = UnGraph::default();
    (0..left + right).for_each(|_| {
        graph.add_node(());
    });
    let chance = rng.random_range(0.05..0.5);
    for a in 0..left {
        for b in left..left + right {
            if rng.random_bool(chance) {
                graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), ());
            }
        }
    }
    (graph, left)
}

#[test]
fn matchings_of_random_bipartite_graphs() {
    let mut rng = ChaCha8Rng::seed_from_u64(1973);
    let budget = &mut Budget::unlimited();
    let mut improved = 0;
    for _ in 0..2_000 {
        let (graph, left) = random_bipartite(&mut rng);
        let side = |node| if node < left { Side::Left } else { Side::Right };
        let matching = maximum(&graph, side, budget).unwrap();
        let size = maximum_matching(&graph).len();
        assert_eq!(pairs(&graph, &matching), size);
        improved += usize::from(pairs(&graph, &karp_sipser(&graph, budget).unwrap()) < size);
        let missed = missed(&graph, &matching, budget).unwrap();
        for node in graph.node_indices() {
            let without = graph.filter_map(|other, _| Some(()).filter(|()| other != node), |_, _| Some(()));
            // A node is left out by some maximum matching iff the other nodes have a matching of the same size.
            let spare = maximum_matching(&without).len() == size;
            assert_eq!(missed.contains(node.index()), spare, "{graph:?} {node:?}");
        }
    }
    assert!(improved > 0, "augmenting paths were never needed");
}

/// Ladders with nodes in random order, on which the greedy matching leaves many augmenting paths of different lengths.
#[test]
fn long_augmenting_paths() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let budget = &mut Budget::unlimited();
    for n in [2, 9, 40, 150] {
        // A ladder of 2n rungs, its nodes in random order.
        let mut order: Vec<usize> = (0..4 * n).collect();
        (1..4 * n).for_each(|i| order.swap(i, rng.random_range(0..=i)));
        let mut graph = UnGraph::<(), ()>::default();
        order.iter().for_each(|_| {
            graph.add_node(());
        });
        let mut join =
            |a: usize, b: usize| graph.add_edge(NodeIndex::new(order[a]), NodeIndex::new(order[b]), ());
        for i in 0..2 * n {
            join(2 * i, 2 * i + 1);
            if i + 1 < 2 * n {
                join(2 * i, 2 * i + 2);
                join(2 * i + 1, 2 * i + 3);
            }
        }
        let mut sides = vec![Side::Left; 4 * n];
        (0..4 * n)
            .filter(|node| (node / 2 + node % 2) % 2 == 1)
            .for_each(|node| sides[order[node]] = Side::Right);
        let matching = maximum(&graph, |node| sides[node], budget).unwrap();
        assert_eq!(pairs(&graph, &matching), 2 * n);
    }
}

#[test]
fn limits_stop_the_studies() {
    let graph = ImplicitGraph::new(4, Group::C4).unwrap();
    let few = || Budget::of_work(3_000);
    assert_eq!(census(&graph, &mut few()), Err(Limit::Work));
    assert_eq!(layers(&graph, &mut few()), Err(Limit::Work));
    assert_eq!(maximum(&graph, side(&graph), &mut few()), Err(Limit::Work));
    let matching = maximum(&graph, side(&graph), &mut Budget::unlimited()).unwrap();
    assert_eq!(missed(&graph, &matching, &mut few()), Err(Limit::Work));
}
