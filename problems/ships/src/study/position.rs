//! Counts what fits a position: placements, placements that cover each square, and covered sets.
//!
//! If the search lists all covered sets within `LIST_NODES` nodes, and there are at most `MAX_LISTED_SETS`, the
//! placements of each set are counted separately. Otherwise sums over the covering automaton (`automaton.rs`) give the
//! numbers of placements. The number of sets may then remain unknown.

use super::automaton::Automaton;
use super::marginals::marginals;
use super::placements::placements;
use super::sets;
use crate::search::cover;
use crate::{Instance, Rules, Square};
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::study::{StudyError, StudyOutput};

/// Maximum number of nodes of the search that lists sets.
const LIST_NODES: u64 = 400_000;
/// Maximum number of sets whose placements are counted separately.
const MAX_LISTED_SETS: usize = 1 << 12;
/// Maximum number of nodes for counting sets that were not listed.
const SETS_NODES: u64 = 4_000_000;

/// What fits a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCounts {
    /// Number of placements that fit. Equal ships are distinguished.
    pub placements: u128,
    /// For each square, row by row, the number of placements that cover it.
    pub covered: Vec<u128>,
    /// Number of distinct covered sets; `None` if there are too many to count.
    pub sets: Option<u128>,
    /// The covered sets, if the placements of each were counted separately.
    pub listed: Option<Vec<CoveredSet>>,
}

/// A covered set with the number of its placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredSet {
    /// Its cells, ascending.
    pub cells: Vec<Cell>,
    /// Number of placements that cover exactly these cells. Equal ships are distinguished.
    pub placements: u128,
}

/// What all covered sets say about a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareStatus {
    /// Some sets contain it and some do not.
    Ambiguous,
    /// Every set contains it.
    Forced,
    /// No set contains it.
    Impossible,
}

impl PositionCounts {
    /// The status of the square with index `i`. If no fleet fits, every square is impossible.
    pub fn status(&self, i: usize) -> SquareStatus {
        match self.covered[i] {
            0 => SquareStatus::Impossible,
            n if n == self.placements => SquareStatus::Forced,
            _ => SquareStatus::Ambiguous,
        }
    }

    /// The unknown squares of `board` with this status, ascending.
    pub fn unknown(&self, board: &Instance, status: SquareStatus) -> Vec<Cell> {
        let squares = board.cells(Square::Unknown);
        squares.filter(|&cell| self.status(board.size.index(cell)) == status).collect()
    }
}

/// Counts what fits `board`.
///
/// # Errors
/// Returns `Unsupported` if the automaton does not support this fleet, or the limit that was reached: one of the
/// budget, or `Limit::Memory`.
pub fn count_position(
    rules: &Rules,
    board: &Instance,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<PositionCounts, StudyError> {
    let sets = with_node_limit(LIST_NODES, budget, |budget| Ok(cover::sets(rules, board, budget)?))?;
    match sets {
        Some(sets) if sets.len() <= MAX_LISTED_SETS => by_listed_sets(rules, board, sets, budget, output),
        listed => match (by_automaton(rules, board, listed.as_ref().map(Vec::len), budget, output), listed) {
            (Err(StudyError::Limit(Limit::Memory) | StudyError::Unsupported(_)), Some(sets)) => {
                by_listed_sets(rules, board, sets, budget, output)
            }
            (counted, _) => counted,
        },
    }
}

/// Runs a function with a separate limit on nodes; `None` if it reaches this limit or runs out of memory.
fn with_node_limit<T>(
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
        Err(error) => Err(error),
    }
}

/// Counts the placements of each covered set separately.
fn by_listed_sets(
    rules: &Rules,
    board: &Instance,
    sets: Vec<Vec<Cell>>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<PositionCounts, StudyError> {
    let size = board.size;
    let mut listed = Vec::with_capacity(sets.len());
    let (mut covered, mut total) = (vec![0; size.cells()], 0);
    let count = sets.len();
    for set in sets {
        let mut squares = vec![Square::Miss; size.cells()];
        set.iter().for_each(|&cell| squares[size.index(cell)] = Square::Hit);
        let placements = placements(&Automaton::new(&Instance { size, squares }, &rules.fleet)?, budget)?;
        total += placements;
        set.iter().for_each(|&cell| covered[size.index(cell)] += placements);
        listed.push(CoveredSet { cells: set, placements });
        output.steps((listed.len() as u64, count as u64), format_args!("sets of squares"));
    }
    Ok(PositionCounts { placements: total, covered, sets: Some(count as u128), listed: Some(listed) })
}

/// Counts the placements by sums over the whole automaton.
fn by_automaton(
    rules: &Rules,
    board: &Instance,
    sets: Option<usize>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<PositionCounts, StudyError> {
    let automaton = Automaton::new(board, &rules.fleet)?;
    let sums = marginals(&automaton, budget, output)?;
    let mut covered = vec![0; board.size.cells()];
    automaton.scan.iter().zip(sums.covered).for_each(|(&cell, n)| covered[board.size.index(cell)] = n);
    let sets = match sets {
        Some(sets) => Some(sets as u128),
        None => with_node_limit(SETS_NODES, budget, |budget| sets::sets(&automaton, budget))?,
    };
    Ok(PositionCounts { placements: sums.placements, covered, sets, listed: None })
}
