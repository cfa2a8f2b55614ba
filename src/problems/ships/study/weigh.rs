//! What a position leaves open: its placements, in how many of them each square is covered, its covered sets.
//!
//! Where the search lists the sets soon, each set's placements are counted by themselves; else the sums over the
//! whole covering automaton give the placements, and only the number of sets may stay unknown.

use super::automaton::Automaton;
use super::marginals::marginals;
use super::placements::placements;
use super::sets;
use crate::board::Cell;
use crate::engine::{Budget, Limit};
use crate::problems::ships::search::cover;
use crate::problems::ships::{Instance, Rules, Square};
use crate::study::{StudyError, StudyOutput};

/// Nodes of the search that lists sets.
const LIST_NODES: u64 = 400_000;
/// Sets that are rather listed than swept.
const FEW_SETS: usize = 1 << 12;
/// States and lists of states for counting sets that were not listed.
const SETS_NODES: u64 = 4_000_000;

/// A position, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// Placements that fit; equal ships are told apart.
    pub placements: u128,
    /// For each square, row by row, how many of them cover it.
    pub covered: Vec<u128>,
    /// The number of distinct covered sets, unless there are too many to count.
    pub sets: Option<u128>,
    /// The covered sets with their placements, where they were listed.
    pub listed: Option<Vec<(Vec<Cell>, u128)>>,
}

/// How a square stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Some sets hold it and some do not.
    Ambiguous,
    /// Every set holds it.
    Forced,
    /// No set holds it.
    Impossible,
}

impl Weighed {
    /// How square number `i` stands; without any placement each is impossible.
    pub fn standing(&self, i: usize) -> Standing {
        match self.covered[i] {
            0 => Standing::Impossible,
            n if n == self.placements => Standing::Forced,
            _ => Standing::Ambiguous,
        }
    }

    /// The covered squares of `board` that stand like this, ascending.
    pub fn unknown(&self, board: &Instance, standing: Standing) -> Vec<Cell> {
        let squares = board.cells(Square::Unknown);
        squares.filter(|&cell| self.standing(board.size.index(cell)) == standing).collect()
    }
}

/// Counts what fits `board`.
///
/// # Errors
/// What the automaton refuses, or the limit that was met.
pub fn weigh(
    rules: &Rules,
    board: &Instance,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Weighed, StudyError> {
    let sets = within(LIST_NODES, budget, |budget| Ok(cover::sets(rules, board, budget)?))?;
    match sets {
        Some(sets) if sets.len() <= FEW_SETS => of_list(rules, board, sets, budget, report),
        listed => match (swept(rules, board, listed.as_ref().map(Vec::len), budget, report), listed) {
            (Err(StudyError::Limit(Limit::Memory) | StudyError::Unsupported(_)), Some(sets)) => {
                of_list(rules, board, sets, budget, report)
            }
            (swept, _) => swept,
        },
    }
}

/// Does it with so many nodes of its own; `None` if they, or its memory, do not suffice.
fn within<T>(
    nodes: u64,
    budget: &mut Budget,
    run: impl FnOnce(&mut Budget) -> Result<T, StudyError>,
) -> Result<Option<T>, StudyError> {
    let mut part = budget.part(nodes.min(budget.left()));
    let done = run(&mut part);
    budget.work.nodes += part.work.nodes;
    match done {
        Ok(done) => Ok(Some(done)),
        Err(StudyError::Limit(Limit::Work | Limit::Memory)) if budget.left() > 0 => Ok(None),
        Err(halt) => Err(halt),
    }
}

/// By the list of all covered sets.
fn of_list(
    rules: &Rules,
    board: &Instance,
    sets: Vec<Vec<Cell>>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Weighed, StudyError> {
    let size = board.size;
    let mut listed = Vec::with_capacity(sets.len());
    let (mut covered, mut total) = (vec![0; size.cells()], 0);
    let count = sets.len();
    for set in sets {
        let mut squares = vec![Square::Miss; size.cells()];
        set.iter().for_each(|&cell| squares[size.index(cell)] = Square::Hit);
        let own = placements(&Automaton::new(&Instance { size, squares }, &rules.fleet)?, budget)?;
        total += own;
        set.iter().for_each(|&cell| covered[size.index(cell)] += own);
        listed.push((set, own));
        report.progress(format_args!("{} of {count} sets", listed.len()));
    }
    Ok(Weighed { placements: total, covered, sets: Some(count as u128), listed: Some(listed) })
}

/// By the sums over the whole automaton.
fn swept(
    rules: &Rules,
    board: &Instance,
    sets: Option<usize>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<Weighed, StudyError> {
    let automaton = Automaton::new(board, &rules.fleet)?;
    let sums = marginals(&automaton, budget, report)?;
    let mut covered = vec![0; board.size.cells()];
    automaton.scan.iter().zip(sums.covered).for_each(|(&cell, n)| covered[board.size.index(cell)] = n);
    let sets = match sets {
        Some(sets) => Some(sets as u128),
        None => within(SETS_NODES, budget, |budget| sets::sets(&automaton, budget))?,
    };
    Ok(Weighed { placements: sums.placements, covered, sets, listed: None })
}
