//! How many distinct sets of cells a fleet covers: the covering automaton made deterministic.
//!
//! Read as an automaton over words of "covered" and "empty", one letter a cell, the covering automaton
//! accepts just the covered sets, each by as many paths as it has placements. The subset construction
//! (M. Rabin, D. Scott, *Finite Automata and Their Decision Problems*, 1959) leaves one path a set:
//! a state is the list of all states that the letters so far lead to. Two beginnings that have the same
//! list have the same ends, so their numbers are added. Dead ends are left out of the lists, which
//! makes more of them equal: on 6×6 there are 1.3 million lists rather than several times as many.

use super::automaton::Automaton;
use super::trim::{Letter, State, live, successors, tuple_bits};
use crate::engine::{Budget, Limit};
use crate::study::StudyError;
use num_traits::AsPrimitive;
use rustc_hash::FxHashMap;

/// What the states may take in bytes, and the lists of each of the two cuts that are kept.
const MAX_BYTES: usize = 1 << 30;
/// What a list takes beside its elements: its place in the table, its number, its own block.
const LIST_BYTES: usize = 64;

/// Indices of states at one cut, ascending.
type List = Box<[u32]>;

/// The number of distinct covered sets. A node a state or a list; there may be as many lists as sets,
/// so this ends where placements still count easily.
///
/// # Errors
/// `Refused` where a profile and a tuple do not fit into 128 bits; the limit that was met.
pub fn sets(automaton: &Automaton, budget: &mut Budget) -> Result<u128, StudyError> {
    // A state is a profile, of as many bits as the reach, above a tuple.
    let bits = automaton.reach + tuple_bits(automaton);
    if bits > u128::BITS {
        let reach = automaton.reach;
        return Err(StudyError::Unsupported(format!(
            "a ship that reaches over {reach} cells is too long for so many ships"
        )));
    }
    let narrow = bits <= u64::BITS;
    Ok(if narrow { sweep::<u64>(automaton, budget) } else { sweep::<u128>(automaton, budget) }?)
}

fn sweep<K: State>(automaton: &Automaton, budget: &mut Budget) -> Result<u128, Limit>
where
    u128: AsPrimitive<K>,
    usize: AsPrimitive<K>,
{
    let cuts = live::<K>(automaton, MAX_BYTES / size_of::<K>(), budget)?;
    let mut lists: FxHashMap<List, u128> = FxHashMap::default();
    if !cuts[0].is_empty() {
        lists.insert(Box::new([0]), 1);
    }
    for (cell, cut) in cuts.windows(2).enumerate() {
        let letters = Letters::new(automaton, cell, &cut[0], &cut[1]);
        let mut next: FxHashMap<List, u128> = FxHashMap::default();
        let mut bytes = 0;
        for (list, count) in lists {
            for to in [letters.covered(&list), letters.empty(&list)] {
                if to.is_empty() {
                    continue;
                }
                let size = LIST_BYTES + size_of_val(&*to);
                *next.entry(to).or_insert_with(|| {
                    bytes += size;
                    0
                }) += count;
            }
            if bytes > MAX_BYTES {
                return Err(Limit::Memory);
            }
            budget.node()?;
        }
        lists = next;
    }
    // After the last cell a single state is left.
    Ok(lists.into_values().sum())
}

/// Where the states at one cut lead, as indices into those of the next.
struct Letters {
    /// For each state one past its last entry in `covered`.
    ends: Vec<u32>,
    covered: Vec<u32>,
    /// For each state at most one; `u32::MAX` for none.
    empty: Vec<u32>,
}

impl Letters {
    fn new<K: State>(automaton: &Automaton, cell: usize, before: &[K], after: &[K]) -> Self
    where
        u128: AsPrimitive<K>,
        usize: AsPrimitive<K>,
    {
        let mut letters = Letters { ends: Vec::new(), covered: Vec::new(), empty: Vec::new() };
        for &state in before {
            let mut empty = u32::MAX;
            successors(automaton, cell, state, |letter, to| match (letter, after.binary_search(&to)) {
                (Letter::Covered, Ok(at)) => letters.covered.push(at as u32),
                (Letter::Empty, Ok(at)) => empty = at as u32,
                (_, Err(_)) => {}
            });
            letters.empty.push(empty);
            letters.ends.push(letters.covered.len() as u32);
        }
        letters
    }

    fn covered(&self, list: &[u32]) -> List {
        let targets = list.iter().flat_map(|&state| {
            let state = state as usize;
            let start = if state == 0 { 0 } else { self.ends[state - 1] };
            &self.covered[start as usize..self.ends[state] as usize]
        });
        let mut targets: Vec<u32> = targets.copied().collect();
        targets.sort_unstable();
        targets.dedup();
        targets.into()
    }

    /// Profiles lose a bit that is 0 in all of them, so the order stays and no two become one.
    fn empty(&self, list: &[u32]) -> List {
        list.iter().map(|&state| self.empty[state as usize]).filter(|&to| to != u32::MAX).collect()
    }
}
