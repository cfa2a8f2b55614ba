//! Careful ranking: each pair of engines is compared on the instances that both ran, small differences are ignored, and
//! engines that beat each other in a cycle share a rank.
//!
//! # Sources
//! * Van Gelder: times may have any distribution. On an instance, two engines tie if the difference of their times is
//!   within a margin that grows with the square root of the times. Other engines do not influence the comparison of
//!   a pair. The resulting relation may have cycles.
//! * EDACC's ranking and ASlib's significance tests, two public implementations: t₁ and t₂ tie if
//!   (t₁ - t₂)² is at most noise · (t₁ + t₂).
//! * EDACC: engines on a cycle form a group. Two engines form a group, too, if they win equally often against
//!   each other.
//! * Our additions: an engine that solved an instance beats one that did not, even if its time is close to the limit
//!   (EDACC compares penalized times). There are also an absolute and a relative margin, and an exact sign test for
//!   each pair. Engines without a common instance are not compared, so groups may be incomparable.
//!
//! # References
//! A. Van Gelder: *Careful ranking of multiple solvers with timeouts and ties*, SAT 2011, LNCS 6695.

use crate::score::{Matrix, Score};
use crate::tails;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Two times count as equal if at least one of these margins permits their difference. By default, all margins are
/// zero, so only equal times tie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margin {
    /// Permitted difference in seconds.
    pub absolute_s: f64,
    /// Permitted difference as a proportion of the larger time.
    pub relative: f64,
    /// Van Gelder's noise in seconds. Two times tie if the square of their difference is at most the noise
    /// times their sum, so a time ties with zero if it is at most the noise.
    pub noise_s: f64,
}

impl Margin {
    fn is_tie(&self, a_s: f64, b_s: f64) -> bool {
        let difference = (a_s - b_s).abs();
        difference <= self.absolute_s
            || difference <= self.relative * a_s.max(b_s)
            || difference * difference <= self.noise_s * (a_s + b_s)
    }
}

/// The comparison of one engine with another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// Instances that only this engine solved, or that it solved in less time.
    pub wins: usize,
    /// Instances that only the other engine solved, or that the other solved in less time.
    pub losses: usize,
    /// Instances that neither solved, or that both solved in times within the margin.
    pub ties: usize,
}

impl Match {
    fn new(pairs: impl Iterator<Item = (Score, Score)>, margin: &Margin) -> Self {
        let mut found = Match::default();
        for (mine, other) in pairs {
            let counter = match (mine.solved, other.solved) {
                (true, false) => &mut found.wins,
                (false, true) => &mut found.losses,
                (true, true) if margin.is_tie(mine.time_s, other.time_s) => &mut found.ties,
                (true, true) if mine.time_s < other.time_s => &mut found.wins,
                (true, true) => &mut found.losses,
                (false, false) => &mut found.ties,
            };
            *counter += 1;
        }
        found
    }

    /// Whether the two engines have a common instance.
    pub fn met(&self) -> bool {
        self.wins + self.losses + self.ties > 0
    }

    /// The two-sided p-value of the exact sign test: the probability that fair coin tosses, one per instance that is
    /// not a tie, are at least as one-sided. It is 1 if all instances are ties.
    pub fn p(&self) -> f64 {
        (2.0 * tails::coin(self.wins + self.losses, self.wins.min(self.losses))).min(1.0)
    }
}

/// Engines of equal rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// 1 if no group is above this one; otherwise one more than the largest rank of the groups above it. Group g is
    /// above group h if an engine of g is at least as good as an engine of h. If every two engines have
    /// a common instance, the ranks are 1, 2, 3 and so on.
    pub rank: usize,
    /// Indices of the engines, ascending. If there are several, they lie on cycles in which each engine is at least as
    /// good as the next.
    pub engines: Vec<usize>,
}

/// The result of [`careful_ranking`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// Ordered by rank, then by their first engine.
    pub groups: Vec<Group>,
    /// `matches[a][b]` compares engine a with engine b.
    pub matches: Vec<Vec<Match>>,
}

/// Ranks the engines of a matrix.
///
/// Engine a is at least as good as engine b if both ran on a common instance, and a wins on at least as many common
/// instances as it loses on. Groups are the strongly connected components of this relation, in topological order.
/// O(engines² · instances).
pub fn careful_ranking(matrix: &Matrix, margin: &Margin) -> Ranking {
    let engines = matrix.engines();
    let compare = |a, b| if a == b { Match::default() } else { Match::new(matrix.pairs(a, b), margin) };
    let matches: Vec<Vec<Match>> =
        (0..engines).map(|a| (0..engines).map(|b| compare(a, b)).collect()).collect();

    let at_least = |a: usize, b: usize| matches[a][b].met() && matches[a][b].wins >= matches[a][b].losses;
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<NodeIndex> = (0..engines).map(|_| graph.add_node(())).collect();
    for a in 0..engines {
        for b in (0..engines).filter(|b| at_least(a, *b)) {
            graph.add_edge(nodes[a], nodes[b], ());
        }
    }
    // Tarjan's algorithm returns the lowest components first.
    let mut groups: Vec<Group> = Vec::new();
    for component in tarjan_scc(&graph).into_iter().rev() {
        let mut engines: Vec<usize> = component.into_iter().map(NodeIndex::index).collect();
        engines.sort_unstable();
        let above = |group: &&Group| group.engines.iter().any(|a| engines.iter().any(|b| at_least(*a, *b)));
        let rank = 1 + groups.iter().filter(above).map(|group| group.rank).max().unwrap_or(0);
        groups.push(Group { rank, engines });
    }
    groups.sort_by_key(|group| (group.rank, group.engines.first().copied()));
    Ranking { groups, matches }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row of times per instance. A negative time stands for an unsolved run, NaN for an engine that was not run.
    fn matrix(rows: &[&[f64]]) -> Matrix {
        let mut matrix = Matrix::new(rows.first().map_or(0, |row| row.len()));
        let score = |time: &f64| Score { solved: *time >= 0.0, time_s: time.abs(), limit_s: 100.0 };
        for row in rows {
            let row = row.iter().map(|time| (!time.is_nan()).then(|| score(time)));
            matrix.push(row.collect()).unwrap();
        }
        matrix
    }

    fn groups(rows: &[&[f64]], margin: &Margin) -> Vec<(usize, Vec<usize>)> {
        let ranking = careful_ranking(&matrix(rows), margin);
        ranking.groups.into_iter().map(|group| (group.rank, group.engines)).collect()
    }

    const NONE: f64 = f64::NAN;
    const OPEN: f64 = -100.0;

    #[test]
    fn engines_that_beat_each_other_in_a_cycle_share_a_rank() {
        // 1, 2 and 3 beat each other in a cycle; 0 loses to all, 4 beats all.
        let rows: &[&[f64]] =
            &[&[9.0, 1.0, 2.0, 3.0, 0.5], &[9.0, 3.0, 1.0, 2.0, 0.5], &[9.0, 2.0, 3.0, 1.0, 0.5]];
        let margin = Margin::default();
        assert_eq!(groups(rows, &margin), [(1, vec![4]), (2, vec![1, 2, 3]), (3, vec![0])]);
        let ranking = careful_ranking(&matrix(rows), &margin);
        assert_eq!(ranking.matches[1][2], Match { wins: 2, losses: 1, ties: 0 });
        assert_eq!(ranking.matches[2][1], Match { wins: 1, losses: 2, ties: 0 });
        assert!((ranking.matches[0][4].p() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn solved_beats_unsolved_and_two_unsolved_tie() {
        let ranking =
            careful_ranking(&matrix(&[&[99.9, OPEN], &[OPEN, OPEN], &[5.0, 5.0]]), &Margin::default());
        assert_eq!(ranking.matches[0][1], Match { wins: 1, losses: 0, ties: 2 });
        assert_eq!(ranking.matches[0][1].p(), 1.0);
        // This holds for any margin.
        let margin = Margin { absolute_s: 1000.0, ..Margin::default() };
        assert_eq!(groups(&[&[99.9, OPEN]], &margin), [(1, vec![0]), (2, vec![1])]);
    }

    #[test]
    fn margins_make_small_differences_ties() {
        let tie = |margin: Margin, a, b| groups(&[&[a, b]], &margin).len() == 1;
        let absolute = Margin { absolute_s: 0.5, ..Margin::default() };
        assert!(tie(absolute, 1.0, 1.5) && !tie(absolute, 1.0, 1.75));
        let relative = Margin { relative: 0.25, ..Margin::default() };
        assert!(tie(relative, 3.0, 4.0) && !tie(relative, 2.75, 4.0));
        // (9 − 4)² is at most 2 · 13, but (7 − 1)² is more than 2 · 8. Against zero, the margin is the noise itself.
        let noise = Margin { noise_s: 2.0, ..Margin::default() };
        assert!(tie(noise, 4.0, 9.0) && !tie(noise, 1.0, 7.0));
        assert!(tie(noise, 0.0, 2.0) && !tie(noise, 0.0, 2.25));
        assert!(tie(Margin::default(), 3.0, 3.0));
    }

    #[test]
    fn balanced_matches_tie_and_engines_without_common_instances_are_incomparable() {
        assert_eq!(groups(&[&[1.0, 2.0], &[2.0, 1.0]], &Margin::default()), [(1, vec![0, 1])]);
        // 0 beats 1 and 2 beats 3; no instance has both pairs.
        let rows: &[&[f64]] = &[&[1.0, 2.0, NONE, NONE], &[NONE, NONE, 1.0, 2.0]];
        let found = groups(rows, &Margin::default());
        assert_eq!(found, [(1, vec![0]), (1, vec![2]), (2, vec![1]), (2, vec![3])]);
        let apart = careful_ranking(&matrix(rows), &Margin::default()).matches[0][2];
        assert!(!apart.met());
        assert_eq!(apart.p(), 1.0);
        assert!(groups(&[], &Margin::default()).is_empty());
    }
}
