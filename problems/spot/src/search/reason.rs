//! Finds minimal sets of known lines that make an ending of a smudged record impossible.
//!
//! These are minimal unsatisfiable subsets (MUS), found by deletion-based shrinking
//! ([`core`](counterpoint_core::problem::core)): each line in turn is replaced by an entirely unknown one, and stays
//! replaced if `fill` proves that the ending is still impossible. Shrinking relies on monotonicity: an unknown line
//! allows every move that the known line allows. This does not hold under lenient rules, which accept an illegal move
//! only if it is known. So no reasons are given under lenient rules.

use super::super::answer::reason::Reason;
use super::super::answer::{Answer, Ending, Finding};
use super::super::{Entry, Instance, Legality, Rules};
use super::fill;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::core;

/// The maximum number of nodes for one call of `fill`.
const MAX_NODES: u64 = 1 << 14;

/// The reasons for refuted endings that can be found within the budget.
pub fn reasons(rules: &Rules, instance: &Instance, answer: &Answer, budget: &mut Budget) -> Vec<Reason> {
    let Answer::Smudged(findings) = answer else { return Vec::new() };
    if rules.legality == Legality::Lenient || super::storable(instance).is_err() {
        return Vec::new();
    }
    let endings = Ending::all(instance.record.len()).zip(findings);
    let refuted = endings.filter(|(_, finding)| **finding == Finding::Refuted).map(|(ending, _)| ending);
    refuted
        .map_while(|ending| (budget.left() > 0).then(|| reason(rules, instance, ending, budget)))
        .flatten()
        .collect()
}

fn reason(rules: &Rules, instance: &Instance, ending: Ending, budget: &mut Budget) -> Option<Reason> {
    let last = match ending {
        Ending::Repeat(mv) => mv,
        Ending::Draw => instance.record.len(),
    };
    let known: Vec<usize> = (0..last).filter(|&line| instance.record[line] != Entry::UNKNOWN).collect();
    let refutes = |lines: &[usize]| -> Result<bool, Limit> {
        budget.poll()?;
        let line = |i| if lines.contains(&i) { instance.record[i] } else { Entry::UNKNOWN };
        // Lines after the decisive move have no influence on the ending.
        let relaxed = Instance { n: instance.n, record: (0..last).map(line).collect() };
        let mut part = budget.part(budget.left().min(MAX_NODES));
        let possible = fill::has_ending(rules, &relaxed, ending, &mut part);
        budget.work.nodes += part.work.nodes;
        possible.map(|possible| !possible)
    };
    Some(Reason { ending, core: core(&known, refutes)? })
}
