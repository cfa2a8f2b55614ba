//! Whether the node on which a run was made explains a difference of times. The runs of a set come from several nodes
//! if it was measured on a cluster.
//!
//! Runs of one engine on instances with the same parameters differ only in their seeds, so their times should not
//! depend on the node. Within such a group, times are ranked. Runs on one instance are not independent: the same
//! instance is hard for all engines. So the ranks of an instance on a node are averaged over engines and repetitions,
//! and the test is over instances ([`shifts`]). P-values are corrected for the number of nodes.

use super::dataset::{Dataset, Run};
use super::units::{Measure, shown};
use counterpoint_statistics::{ascending, holm, median, rank_scores, shifts};
use indexmap::IndexSet;
use itertools::Itertools;
use std::collections::BTreeMap;

/// The level of significance.
const LEVEL: f64 = 0.01;

/// The least number of instances of a node. With fewer, the normal approximation is not good enough.
const MIN_INSTANCES: usize = 8;

/// What a comparison of nodes has found.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeCheck {
    /// The number of nodes that could be compared.
    pub nodes: usize,
    /// The number of pairs of instance and node that were compared.
    pub instances: usize,
    /// The nodes whose times differ from those of others.
    pub differing: Vec<Differing>,
}

/// A node whose times differ from those of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    /// The node.
    pub node: String,
    /// The median, over groups of runs, of the ratio of the median time on this node to that on others. The
    /// runs of a group have the same engine, parameters, rules and limits. `None` if too few runs are solved.
    pub ratio: Option<f64>,
    /// The p-value, after Holm's correction.
    pub p: f64,
}

/// Compares the nodes of a dataset; `None` unless at least two nodes have `MIN_INSTANCES` comparable
/// instances.
pub fn check(dataset: &Dataset<'_>) -> Option<NodeCheck> {
    let nodes: IndexSet<&str> = dataset.supported().filter_map(node).collect();
    if nodes.len() < 2 {
        return None;
    }
    let runs = dataset.supported().filter(|run| node(run).is_some()).collect_vec();
    // Runs are sorted by family, parameters, rules and seed, so runs that may differ only in engine, seed and
    // repetition are neighbours.
    let equal = |a: &&Run<'_>, b: &&Run<'_>| {
        let (a, b) = (a.record, b.record);
        (a.family(), a.params(), a.rules(), a.limits()) == (b.family(), b.params(), b.rules(), b.limits())
    };
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); nodes.len()];
    let strata = runs.chunk_by(equal).map(|runs| stratum(runs, &nodes, &mut ratios)).collect_vec();
    let shifts = shifts(&strata, nodes.len());
    let tested = shifts.iter().enumerate().filter_map(|(at, shift)| Some((at, (*shift)?)));
    let tested = tested.filter(|(_, shift)| shift.n >= MIN_INSTANCES).collect_vec();
    if tested.len() < 2 {
        return None;
    }
    let p = holm(&tested.iter().map(|(_, shift)| shift.p).collect_vec());
    let differing = tested.iter().zip(p).filter(|(_, p)| *p <= LEVEL).map(|((at, _), p)| Differing {
        node: nodes[*at].to_owned(),
        ratio: median(&ascending(ratios[*at].iter().copied())),
        p,
    });
    let differing =
        differing.sorted_by(|a, b| a.p.total_cmp(&b.p).then_with(|| a.node.cmp(&b.node))).collect();
    let instances = tested.iter().map(|(_, shift)| shift.n).sum();
    Some(NodeCheck { nodes: tested.len(), instances, differing })
}

/// The score of each instance on each node, for runs that differ only in engine, seed and repetition. Adds the ratios
/// of median times to `ratios`.
fn stratum(runs: &[&Run<'_>], nodes: &IndexSet<&str>, ratios: &mut [Vec<f64>]) -> Vec<(usize, f64)> {
    // For each pair of instance and node: the sum and the number of its scores.
    let mut sums: BTreeMap<(usize, usize), (f64, usize)> = BTreeMap::new();
    let place = |run: &Run<'_>| node(run).and_then(|node| nodes.get_index_of(node)).unwrap_or_default();
    for (_, own) in
        runs.iter().copied().into_group_map_by(|run| run.engine).into_iter().sorted_by_key(|(e, _)| *e)
    {
        let times = own.iter().map(|run| run.solved_s().unwrap_or(f64::INFINITY)).collect_vec();
        for (run, score) in own.iter().zip(rank_scores(&times)) {
            let (sum, count) = sums.entry((run.instance, place(run))).or_default();
            *sum += score;
            *count += 1;
        }
        for at in own.iter().map(|run| place(run)).sorted().dedup() {
            let middle = |is_here: bool| {
                let chosen = own.iter().filter(|run| (place(run) == at) == is_here);
                median(&ascending(chosen.filter_map(|run| run.solved_s())))
            };
            if let (Some(here), Some(there)) = (middle(true), middle(false))
                && there > 0.0
            {
                ratios[at].push(here / there);
            }
        }
    }
    sums.into_iter().map(|((_, node), (sum, count))| (node, sum / count as f64)).collect()
}

fn node<'a>(run: &Run<'a>) -> Option<&'a str> {
    run.record.node()
}

impl NodeCheck {
    /// The result as a sentence without a full stop.
    pub fn sentence(&self) -> String {
        if self.differing.is_empty() {
            return format!(
                "no difference found between the times on {} nodes ({} instances compared)",
                self.nodes,
                shown(self.instances as f64, Measure::Count)
            );
        }
        let one = |differing: &Differing| {
            let ratio = differing.ratio.map_or("a different time".to_owned(), |ratio| {
                format!("{} times as long", shown(ratio, Measure::Ratio))
            });
            let p = shown(differing.p, Measure::Probability);
            let p = if p.starts_with('<') { format!("p {p}") } else { format!("p = {p}") };
            format!("{} took {ratio} ({p})", differing.node)
        };
        format!(
            "the node explains a part of the differences between times: compared with equal runs on other nodes, those on \
             {}. Compare engines on one node only, or on nodes of one kind",
            self.differing.iter().map(one).join("; those on ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Check, Findings, Record, Records, Verdict};

    /// Runs of two engines on 60 instances, in batches of ten on each of three nodes. On `n2`, runs take longer by this
    /// factor. An instance that is hard for one engine is hard for the other.
    fn records(factor: f64) -> Vec<Record> {
        let record = |seed: u64, engine: &str| {
            let node = format!("n{}", seed / 10 % 3 + 1);
            let hardness = 1.0 + (seed * 37 % 101) as f64 / 100.0;
            let engine_s = if engine == "x" { 1.0 } else { 3.0 };
            let time_s = hardness * engine_s * if node == "n2" { factor } else { 1.0 };
            Record {
                key: format!("{seed}{engine}"),
                seed,
                instance_hash: seed.to_string(),
                engine: engine.to_owned(),
                node: Some(node),
                findings: Findings {
                    verdict: Some(Verdict::Decided),
                    check: Some(Check::Checked),
                    cpu_s: Some(time_s),
                    ..Findings::default()
                },
                ..Record::default()
            }
        };
        (0..60).flat_map(|seed| ["x", "y"].map(|engine| record(seed, engine))).collect()
    }

    #[test]
    fn a_slow_node_is_found() {
        let records = records(1.5);
        let found = check(&Dataset::new(Records::from_iter(&records).iter(), &[])).unwrap();
        assert_eq!((found.nodes, found.instances), (3, 60));
        let slow = &found.differing[0];
        assert_eq!(slow.node, "n2");
        assert!((1.3..1.7).contains(&slow.ratio.unwrap()) && slow.p < 0.01, "{slow:?}");
        let text = found.sentence();
        assert!(text.contains("those on n2 took 1.") && text.contains("times as long (p "), "{text}");
    }

    #[test]
    fn equal_nodes_do_not_differ() {
        let records = records(1.0);
        let found = check(&Dataset::new(Records::from_iter(&records).iter(), &[])).unwrap();
        assert_eq!(found.differing, []);
        assert_eq!(
            found.sentence(),
            "no difference found between the times on 3 nodes (60 instances compared)"
        );
    }

    #[test]
    fn one_node_or_few_runs_are_not_compared() {
        let mut records = records(2.0);
        assert_eq!(
            check(&Dataset::new(Records::from_iter(&records[..40]).iter(), &[])).map(|found| found.nodes),
            Some(2)
        );
        assert_eq!(
            check(&Dataset::new(Records::from_iter(&records[..30]).iter(), &[])),
            None,
            "five instances of the second node"
        );
        records.iter_mut().for_each(|record| record.node = None);
        assert_eq!(check(&Dataset::new(Records::from_iter(&records).iter(), &[])), None);
    }
}
