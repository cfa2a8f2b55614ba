//! Reasons for explanations: which lines of a smudged record alone rule an ending out.
//!
//! Lines are left out one after the other (made wholly unknown) as long as `fill` still finds no completion
//! that ends so. Under lenient rules a known move may be illegal and an unknown one may not, so that less
//! knowledge can allow less: there no reason is given.

use super::super::answer::reason::Reason;
use super::super::answer::{Answer, Ending, Finding};
use super::super::{Entry, Instance, Legality, Rules};
use super::fill;
use crate::engine::{Budget, Limit};
use crate::problem::core;

/// Nodes for one question, at the most.
const MAX_NODES: u64 = 1 << 14;

/// A reason for each refuted ending, as far as the budget goes.
pub fn reasons(rules: &Rules, instance: &Instance, answer: &Answer, budget: &mut Budget) -> Vec<Reason> {
    let Answer::Smudged(findings) = answer else { return Vec::new() };
    if rules.legality == Legality::Lenient || super::stored(instance).is_err() {
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
        // Lines behind the ending matter as little as what they say.
        let less = Instance { n: instance.n, record: (0..last).map(line).collect() };
        let mut part = budget.part(budget.left().min(MAX_NODES));
        let possible = fill::ends_so(rules, &less, ending, &mut part);
        budget.work.nodes += part.work.nodes;
        possible.map(|possible| !possible)
    };
    Some(Reason { ending, core: core(&known, refutes)? })
}
