//! Counts the distinct sets of cells that a fleet can cover, by making the covering automaton deterministic.
//!
//! Over the alphabet "covered" and "empty", with one letter for each cell, the covering automaton accepts exactly the
//! covered sets. It has one accepting path for each placement, and so several paths for some sets. The subset
//! construction (M. Rabin, D. Scott, *Finite Automata and Their Decision Problems*, 1959) gives an automaton with one
//! path for each set. Each of its states is the list of all states of the covering automaton to which a given prefix
//! can lead. Two prefixes with the same list have the same continuations, so their counts are added. The lists contain
//! only live states, from which the fleet can still be completed (`trim.rs`). This makes more lists equal: on 6×6 there
//! are 1.3 million lists; with dead states there would be several times as many.

use super::automaton::Automaton;
use super::trim::{Letter, State, live_states, successors, tuple_bits};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::study::StudyError;
use num_traits::AsPrimitive;
use rustc_hash::FxHashMap;

/// Maximum number of bytes for all states, and again for the lists at each of the two cuts that are stored.
const MAX_BYTES: usize = 1 << 30;
/// Size of a list without its elements: its slot in the table, its count and its allocation.
const LIST_BYTES: usize = 64;

/// Indices of states at one cut, ascending.
type List = Box<[u32]>;

/// The number of distinct covered sets. Counts one node for each state and each list. There may be as many lists as
/// sets, so this is feasible only for smaller boards than [`placements`](super::placements::placements).
///
/// # Errors
/// Returns `Unsupported` if a profile and a tuple do not fit into 128 bits, or the limit that was reached: one of the
/// budget, or `Limit::Memory`.
pub fn sets(automaton: &Automaton, budget: &mut Budget) -> Result<u128, StudyError> {
    // The lower bits of a state are its tuple, the upper bits its profile, which has `reach` bits.
    let bits = automaton.reach + tuple_bits(automaton);
    if bits > u128::BITS {
        let reach = automaton.reach;
        return Err(StudyError::unsupported(format!(
            "a ship has cells {reach} apart in reading order, too far for a fleet of this size"
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
    let cuts = live_states::<K>(automaton, MAX_BYTES / size_of::<K>(), budget)?;
    let mut lists: FxHashMap<List, u128> = FxHashMap::default();
    if !cuts[0].is_empty() {
        lists.insert(Box::new([0]), 1);
    }
    for (cell, cut) in cuts.windows(2).enumerate() {
        let transitions = Transitions::new(automaton, cell, &cut[0], &cut[1]);
        let mut next: FxHashMap<List, u128> = FxHashMap::default();
        let mut bytes = 0;
        for (list, count) in lists {
            for to in [transitions.covered(&list), transitions.empty(&list)] {
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
    // After the last cell, only the accepting state is left.
    Ok(lists.into_values().sum())
}

/// The transitions from the states at one cut to those at the next, as indices.
struct Transitions {
    /// For each state at the first cut, the end of its range in `covered`. The range begins at the end of the previous
    /// one.
    ends: Vec<u32>,
    covered: Vec<u32>,
    /// For each state at the first cut, its target if the cell is empty; `u32::MAX` if it has none.
    empty: Vec<u32>,
}

impl Transitions {
    fn new<K: State>(automaton: &Automaton, cell: usize, before: &[K], after: &[K]) -> Self
    where
        u128: AsPrimitive<K>,
        usize: AsPrimitive<K>,
    {
        let mut transitions = Transitions { ends: Vec::new(), covered: Vec::new(), empty: Vec::new() };
        for &state in before {
            let mut empty = u32::MAX;
            successors(automaton, cell, state, |letter, to| match (letter, after.binary_search(&to)) {
                (Letter::Covered, Ok(at)) => transitions.covered.push(at as u32),
                (Letter::Empty, Ok(at)) => empty = at as u32,
                (_, Err(_)) => {}
            });
            transitions.empty.push(empty);
            transitions.ends.push(transitions.covered.len() as u32);
        }
        transitions
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

    /// The list after an empty cell. Every profile loses its lowest bit, which is 0 in all of them, so the targets
    /// remain ascending and distinct.
    fn empty(&self, list: &[u32]) -> List {
        list.iter().map(|&state| self.empty[state as usize]).filter(|&to| to != u32::MAX).collect()
    }
}
