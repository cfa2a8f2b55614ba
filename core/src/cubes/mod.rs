//! Splits a formula into cubes by looking ahead (cube and conquer).
//!
//! The split is a binary tree. A node is a partial assignment; its branching variable is the one for which
//! both values simplify the formula most (`lookahead.rs`). The leaves are the cubes. A branch that looking
//! ahead refutes is closed, so it gives no cube.
//!
//! The leaf that is estimated to be the largest is split first: the one with the fewest assigned variables. This goes
//! on until there are as many leaves as wanted. Nothing is random, so the same formula always gives the same cubes.
//!
//! Nothing here is trusted: a proof shows that the cubes cover all cases ([`Obligation::split`]).
//!
//! # Reference
//! M. Heule, O. Kullmann, S. Wieringa, A. Biere, *Cube and Conquer: Guiding CDCL SAT Solvers by Lookaheads*, HVC 2011.
//!
//! [`Obligation::split`]: crate::proof::Obligation::split

mod lookahead;
mod shared;
mod state;
#[cfg(test)]
mod tests;

pub use shared::{NothingShared, Shared, clauses_of, literal};

use crate::engine::{Budget, Limit};
use crate::proof::{Cubes, Formula};
use lookahead::{Branch, Lookahead};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZero;

/// The maximum number of cubes.
pub const MAX_CUBES: u32 = 100_000;

/// The cubes of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The cubes, in the order of the leaves of the tree. There are no cubes if looking ahead refutes the formula.
    pub cubes: Cubes,
    /// The number of branches that were closed.
    pub closed: usize,
}

/// Why a formula was not split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// Nothing was split: all candidates have values after unit propagation, or only one cube was wanted.
    #[error("the formula cannot be split: unit propagation assigns every variable that may be chosen")]
    NoVariable,
    /// A limit of the budget was reached.
    #[error("{0} before the formula was split")]
    Limit(Limit),
}

impl From<Limit> for SplitError {
    fn from(limit: Limit) -> Self {
        SplitError::Limit(limit)
    }
}

/// A node of the tree.
struct Node {
    /// The literals chosen on the path to this node: its cube.
    chosen: Vec<i32>,
    /// The literals that follow, because the opposite value leads to a conflict.
    forced: Vec<i32>,
    state: NodeState,
}

#[derive(Clone, Copy)]
enum NodeState {
    Leaf,
    Closed,
    /// The indices of the nodes in which the variable is true and false.
    Split([usize; 2]),
}

/// The variable on which a cube is split: the one that [`split`] would choose there or, if looking ahead
/// refutes the cube, some candidate that the cube does not contain. `None` if there is no such variable.
///
/// # Errors
/// A limit was reached.
pub fn branching_variable(
    formula: &Formula,
    candidates: &[i32],
    cube: &[i32],
    budget: &mut Budget,
) -> Result<Option<i32>, Limit> {
    let is_new = |variable: &i32| cube.iter().all(|lit| lit.abs() != *variable);
    Ok(match Lookahead::new(formula, candidates).branch(cube, &mut Vec::new(), budget)? {
        Branch::On { variable, .. } => Some(variable),
        // Looking ahead refutes the cube, so both halves are easy, whichever new variable is chosen.
        Branch::Closed => candidates.iter().copied().find(is_new),
        Branch::NoVariable => None,
    })
}

/// Splits `formula` into at most `count` cubes over the variables in `candidates`, which are in order of preference.
/// Each variable that is looked at counts as a node of the budget.
///
/// # Errors
/// There is no variable to branch on, or a limit was reached.
pub fn split(
    formula: &Formula,
    candidates: &[i32],
    count: NonZero<u32>,
    budget: &mut Budget,
) -> Result<Split, SplitError> {
    let mut lookahead = Lookahead::new(formula, candidates);
    let mut nodes = vec![Node { chosen: Vec::new(), forced: Vec::new(), state: NodeState::Leaf }];
    let (mut leaves, mut closed) = (1, 0);
    // The leaves that may be split; the one with the fewest assigned variables comes first.
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    while leaves < count.get() {
        let Some(Reverse((_, at))) = open.pop() else { break };
        let node = &mut nodes[at];
        match lookahead.branch(&node.chosen, &mut node.forced, budget)? {
            Branch::Closed => {
                node.state = NodeState::Closed;
                (leaves, closed) = (leaves - 1, closed + 1);
            }
            Branch::NoVariable => {}
            Branch::On { variable, assigned } => {
                let children = [nodes.len(), nodes.len() + 1];
                nodes[at].state = NodeState::Split(children);
                for ((child, literal), assigned) in
                    children.into_iter().zip([variable, -variable]).zip(assigned)
                {
                    let Node { chosen, forced, .. } = &nodes[at];
                    let chosen = chosen.iter().copied().chain([literal]).collect();
                    nodes.push(Node { chosen, forced: forced.clone(), state: NodeState::Leaf });
                    open.push(Reverse((assigned, child)));
                }
                leaves += 1;
            }
        }
    }
    let mut cubes = Cubes::new();
    let mut path = vec![0];
    while let Some(at) = path.pop() {
        match nodes[at].state {
            NodeState::Closed => {}
            NodeState::Split([yes, no]) => path.extend([no, yes]),
            // Only the root has no chosen literal, and the literals of a path have different variables.
            NodeState::Leaf => {
                cubes.push(&nodes[at].chosen, formula.n_vars()).map_err(|_| SplitError::NoVariable)?
            }
        }
    }
    Ok(Split { cubes, closed })
}
