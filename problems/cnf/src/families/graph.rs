//! Random graphs.

use super::bounded;
use chacha20::ChaCha8Rng;
use counterpoint_core::errors::GenerateError;
use itertools::Itertools;
use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;

/// A graph without loops and multiple edges.
pub(super) struct Graph {
    /// The vertices are the numbers below this one.
    pub(super) n: u32,
    /// Each edge once, the lower vertex first, in ascending order.
    pub(super) edges: Vec<(u32, u32)>,
}

/// The pairs of numbers below n, the lower one first, in ascending order.
pub(super) fn pairs(n: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

/// The maximum number of attempts to make a regular graph. Usually a few attempts are enough.
const MAX_TRIES: u32 = 10_000;

impl Graph {
    fn new(n: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut edges: Vec<_> = edges.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        Graph { n, edges }
    }

    /// The pairs of vertices that are not joined by an edge, in ascending order.
    pub(super) fn non_edges(&self) -> impl Iterator<Item = (u32, u32)> {
        let mut edges = self.edges.iter().peekable();
        pairs(self.n).filter(move |pair| edges.next_if_eq(&pair).is_none())
    }

    /// For each vertex, the indices of its edges.
    pub(super) fn incidences(&self) -> Vec<Vec<u32>> {
        let mut incidences = vec![Vec::new(); self.n as usize];
        for (i, &(a, b)) in self.edges.iter().enumerate() {
            incidences[a as usize].push(i as u32);
            incidences[b as usize].push(i as u32);
        }
        incidences
    }

    /// Each pair of vertices is joined with probability `p`.
    pub(super) fn binomial(n: u32, p: f64, rng: &mut ChaCha8Rng) -> Self {
        Graph { n, edges: pairs(n).filter(|_| rng.random_bool(p)).collect() }
    }

    /// `m` random edges, uniform over all graphs with n vertices and m edges.
    ///
    /// # Errors
    /// Returns an error if there are fewer than `m` pairs of vertices.
    pub(super) fn with_edges(n: u32, m: u64, rng: &mut ChaCha8Rng) -> Result<Self, GenerateError> {
        let pairs = u64::from(n) * u64::from(n - 1) / 2;
        if m > pairs {
            return Err(format!("{n} vertices have at most {pairs} edges, not {m}").into());
        }
        // Floyd's algorithm, on the numbers of the pairs.
        let mut chosen = FxHashSet::default();
        for last in pairs - m..pairs {
            let drawn = rng.random_range(0..=last);
            if !chosen.insert(drawn) {
                chosen.insert(last);
            }
        }
        // Pair number b (b - 1) / 2 + a joins a and b, a < b.
        let pair = |i: u64| {
            let mut b = ((8.0 * i as f64 + 1.0).sqrt() as u64).div_ceil(2);
            while b * (b - 1) / 2 > i {
                b -= 1;
            }
            while b * (b + 1) / 2 <= i {
                b += 1;
            }
            ((i - b * (b - 1) / 2) as u32, b as u32)
        };
        Ok(Graph::new(n, chosen.into_iter().map(pair)))
    }

    /// A graph in which each vertex has d edges; asymptotically uniform if d is small (A. Steger and N. Wormald,
    /// *Generating random regular graphs quickly*, 1999). If d is more than half of n - 1, the complement is generated.
    ///
    /// # Errors
    /// Returns an error if there is no such graph, or if none was found.
    pub(super) fn regular(n: u32, d: u32, rng: &mut ChaCha8Rng) -> Result<Self, GenerateError> {
        if d >= n {
            return Err(format!("a vertex of degree {d} needs {} vertices or more, not {n}", d + 1).into());
        }
        if n % 2 == 1 && d % 2 == 1 {
            return Err(
                format!("no graph has {n} vertices of degree {d}: one of the two must be even").into()
            );
        }
        bounded(0, 0, u64::from(n) * u64::from(d))?;
        if 2 * d > n - 1 {
            let sparse = Graph::regular(n, n - 1 - d, rng)?;
            return Ok(Graph { n, edges: sparse.non_edges().collect() });
        }
        let edges = (0..MAX_TRIES).find_map(|_| try_regular(n, d, rng));
        let edges = edges.ok_or_else(|| format!("no graph of {n} vertices of degree {d} was found"))?;
        Ok(Graph::new(n, edges))
    }
}

/// Tries to make a regular graph. Each vertex has `d` ends of edges, which are joined in random pairs. The
/// ends of a pair that would make a loop or a second edge are paired again. `None` if ends are left that no
/// new edge can join.
fn try_regular(n: u32, d: u32, rng: &mut ChaCha8Rng) -> Option<FxHashSet<(u32, u32)>> {
    let mut edges = FxHashSet::default();
    let mut ends: Vec<u32> = (0..n).flat_map(|vertex| (0..d).map(move |_| vertex)).collect();
    while !ends.is_empty() {
        ends.shuffle(rng);
        let mut left = Vec::new();
        for (a, b) in ends.iter().copied().tuples() {
            if a == b || !edges.insert((a.min(b), a.max(b))) {
                left.extend([a, b]);
            }
        }
        left.sort_unstable();
        let mut pairs = left.iter().copied().dedup().array_combinations();
        if !left.is_empty() && pairs.all(|[a, b]| edges.contains(&(a, b))) {
            return None;
        }
        ends = left;
    }
    Some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn is_simple(graph: &Graph) -> bool {
        graph.edges.iter().all(|&(a, b)| a < b && b < graph.n) && graph.edges.is_sorted_by(|a, b| a < b)
    }

    #[test]
    fn regular_graphs_are_simple_and_regular() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let sizes = (1..=14).flat_map(|n| (0..n).map(move |d| (n, d)));
        for (n, d) in sizes.chain([(30, 15), (100, 49), (101, 50), (200, 7), (2_000, 4)]) {
            let made = Graph::regular(n, d, &mut rng);
            if n % 2 == 1 && d % 2 == 1 {
                assert!(made.is_err(), "{n} {d}");
                continue;
            }
            let graph = made.unwrap_or_else(|error| panic!("{n} {d}: {error}"));
            assert!(is_simple(&graph), "{n} {d}");
            assert!(graph.incidences().iter().all(|edges| edges.len() == d as usize), "{n} {d}");
        }
    }

    #[test]
    fn all_regular_graphs_occur() {
        // There are 70 cubic graphs on 6 labelled vertices; their complements are the 2-regular graphs. There are 12
        // cycles on 5 labelled vertices.
        for (n, d, count) in [(6, 3, 70), (6, 2, 70), (5, 2, 12)] {
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let graphs = (0..3_000).map(|_| Graph::regular(n, d, &mut rng).unwrap().edges);
            assert_eq!(graphs.collect::<std::collections::HashSet<_>>().len(), count, "{n} {d}");
        }
    }

    #[test]
    fn random_edges_are_distinct_and_uniform() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (n, m) in [(1, 0), (2, 1), (7, 21), (40, 100), (5_000, 60_000)] {
            let graph = Graph::with_edges(n, m, &mut rng).unwrap();
            assert!(is_simple(&graph) && graph.edges.len() as u64 == m, "{n} {m}");
        }
        let mut counts = vec![0; 15];
        let all: Vec<_> = pairs(6).collect();
        for _ in 0..3_000 {
            for edge in Graph::with_edges(6, 5, &mut rng).unwrap().edges {
                counts[all.binary_search(&edge).unwrap()] += 1;
            }
        }
        assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
        let error = Graph::with_edges(3, 4, &mut rng).err().unwrap().to_string();
        assert_eq!(error, "3 vertices have at most 3 edges, not 4");
    }

    #[test]
    fn non_edges_are_the_other_pairs() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for p in [0.0, 0.3, 1.0] {
            let graph = Graph::binomial(9, p, &mut rng);
            let others: Vec<_> = pairs(9).filter(|pair| !graph.edges.contains(pair)).collect();
            assert_eq!(graph.non_edges().collect::<Vec<_>>(), others);
        }
    }
}
