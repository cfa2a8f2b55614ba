//! Chooses the branching variable by looking ahead.
//!
//! A variable is looked at by giving it each of its values and propagating. The *reduction* of a value is a weighted
//! count of the clauses that became shorter without becoming true: a clause with two literals left weighs five times as
//! much as one with three, and so on. Each propagated literal adds 1. The variable with the greatest product of both
//! reductions is chosen, so both branches become much easier. If one value leads to a conflict, the variable gets the
//! other value (failed literal). If both do, the node is refuted.
//!
//! To look at all variables of a large formula would take too long. So variables are preselected by how often they
//! occur in clauses that are not true yet, with the same weights.
//!
//! # References
//! M. Heule, H. van Maaren, *Look-Ahead Based SAT Solvers*, Handbook of Satisfiability, 2009: the product, the weights
//! and the preselection are those of March, in a simple form.

use super::state::{Code, Counts, State, code};
use crate::engine::{Budget, Limit};
use crate::proof::Formula;

/// The maximum number of variables that are looked at in a node.
const MAX_LOOKED_AT: usize = 128;

/// The weight of a clause with two literals left. Each further literal divides it by 5.
const BINARY_WEIGHT: u64 = 3125;

/// The result of looking ahead in a node.
pub(super) enum Branch {
    /// Looking ahead refutes the node: unit propagation leads to a conflict, at once or for both values of a
    /// variable.
    Closed,
    /// No candidate is left.
    NoVariable,
    /// The variable to branch on. `assigned` has the number of assigned variables after it is set to true,
    /// and after it is set to false.
    On { variable: i32, assigned: [usize; 2] },
}

/// A value of a variable that does not lead to a conflict.
#[derive(Clone, Copy)]
struct Looked {
    reduction: u64,
    assigned: usize,
}

/// Looks ahead in the nodes of one tree.
pub(super) struct Lookahead<'a> {
    state: State,
    candidates: &'a [i32],
    /// The number of assigned variables at the root.
    root: usize,
    /// For each clause, the number of the look in which it was counted last.
    counted: Vec<u64>,
    looks: u64,
}

/// The weight of a clause that is not true.
fn weight(Counts { holding, free }: Counts) -> u64 {
    match (holding, free) {
        (0, 2..) => 5u64.checked_pow(free - 2).map_or(0, |divisor| BINARY_WEIGHT / divisor),
        _ => 0,
    }
}

/// The score of a pair of reductions: as in March, 1024 times their product, plus their sum. The sum decides
/// mainly between equal products.
fn product(one: u64, other: u64) -> u128 {
    ((u128::from(one) * u128::from(other)) << 10) + u128::from(one) + u128::from(other)
}

impl<'a> Lookahead<'a> {
    pub(super) fn new(formula: &Formula, candidates: &'a [i32]) -> Self {
        let state = State::new(formula);
        let (root, counted) = (state.mark(), vec![0; state.n_clauses()]);
        Lookahead { state, candidates, root, counted, looks: 0 }
    }

    /// Looks ahead in the node with these chosen and forced literals. Literals that are found to be forced are added.
    pub(super) fn branch(
        &mut self,
        chosen: &[i32],
        forced: &mut Vec<i32>,
        budget: &mut Budget,
    ) -> Result<Branch, Limit> {
        self.state.back_to(self.root);
        let mut is_consistent = !self.state.is_refuted();
        for &lit in chosen.iter().chain(&*forced) {
            is_consistent = is_consistent && self.state.assume(code(lit), &mut |_| {});
        }
        if !is_consistent {
            return Ok(Branch::Closed);
        }
        loop {
            let mut best: Option<(u128, i32, [usize; 2])> = None;
            let preselected = self.preselected();
            if preselected.is_empty() {
                return Ok(Branch::NoVariable);
            }
            for variable in preselected {
                if !self.state.is_free(code(variable)) {
                    continue;
                }
                budget.node()?;
                let failed = match [variable, -variable].map(|lit| self.look(code(lit))) {
                    [Some(yes), Some(no)] => {
                        let value = product(yes.reduction, no.reduction);
                        if best.is_none_or(|(most, ..)| value > most) {
                            best = Some((value, variable, [yes.assigned, no.assigned]));
                        }
                        continue;
                    }
                    [None, Some(_)] => variable,
                    [Some(_), None] => -variable,
                    [None, None] => return Ok(Branch::Closed),
                };
                forced.push(-failed);
                if !self.state.assume(code(-failed), &mut |_| {}) {
                    return Ok(Branch::Closed);
                }
            }
            // A literal that was forced later may have assigned the best variable. Then the search for the
            // best one starts again.
            if let Some((_, variable, assigned)) =
                best.filter(|(_, variable, _)| self.state.is_free(code(*variable)))
            {
                return Ok(Branch::On { variable, assigned });
            }
        }
    }

    /// The unassigned candidates that occur most often in clauses that are not true, the highest score first.
    fn preselected(&self) -> Vec<i32> {
        let free = self.candidates.iter().copied().filter(|&variable| self.state.is_free(code(variable)));
        let occurring = |lit: i32| self.state.counts_of(code(lit)).map(weight).sum::<u64>();
        let mut valued: Vec<(u128, i32)> =
            free.map(|variable| (product(occurring(variable), occurring(-variable)), variable)).collect();
        // The sort is stable, so candidates with equal scores stay in the order in which they were given.
        valued.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
        valued.into_iter().take(MAX_LOOKED_AT).map(|(_, variable)| variable).collect()
    }

    /// Assumes a literal, and withdraws it. `None` if there is a conflict.
    fn look(&mut self, lit: Code) -> Option<Looked> {
        self.looks += 1;
        let mark = self.state.mark();
        let mut shortened = Vec::new();
        let is_consistent = self.state.assume(lit, &mut |clause| shortened.push(clause));
        let assigned = self.state.mark();
        let mut reduction = (assigned - mark) as u64;
        for clause in shortened {
            if std::mem::replace(&mut self.counted[clause as usize], self.looks) != self.looks {
                reduction += weight(self.state.counts(clause));
            }
        }
        self.state.back_to(mark);
        is_consistent.then_some(Looked { reduction, assigned })
    }
}
