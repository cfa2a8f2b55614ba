//! At most one by commanders: the commander of a group is true iff one literal of the group is true. The same encoding
//! is applied to the commanders, recursively.
//!
//! Groups have three literals, the size that the authors of the encoding found best. For up to four literals, the
//! pairwise encoding is shorter. About n/2 variables and 7n/2 clauses. Unit propagation is complete, and the commanders
//! are determined by the literals. W. Klieber and G. Kwon, *Efficient CNF Encoding for Selecting 1 from N Objects*, CFV
//! 2007. RustSAT's implementation has a single level, so with groups of four it needs about n²/32 clauses for pairs of
//! commanders. Its clauses do not determine the commanders.

use crate::{EncodingSize, Sink, pairwise};
use rustsat::types::Lit;

/// Number of literals in a group.
const GROUP: usize = 3;
/// Up to this number of literals, the pairwise encoding is used.
const MAX_PAIRWISE: usize = 4;

/// Forbids two true literals among `lits`.
pub(crate) fn at_most_one(sink: &mut dyn Sink, lits: &[Lit]) {
    if lits.len() <= MAX_PAIRWISE {
        return pairwise::at_most_one(sink, lits);
    }
    let mut commanders = Vec::with_capacity(lits.len().div_ceil(GROUP));
    for group in lits.chunks(GROUP) {
        // A literal that is alone in its group is its own commander.
        if let &[lit] = group {
            commanders.push(lit);
            continue;
        }
        let commander = sink.new_var().pos_lit();
        pairwise::at_most_one(sink, group);
        group.iter().for_each(|&lit| sink.clause(&[!lit, commander]));
        let one_of: Vec<Lit> = [!commander].into_iter().chain(group.iter().copied()).collect();
        sink.clause(&one_of);
        commanders.push(commander);
    }
    at_most_one(sink, &commanders);
}

/// New variables and clauses for `n` literals.
pub(crate) fn size(n: u64) -> EncodingSize {
    if n <= MAX_PAIRWISE as u64 {
        return pairwise::size(n);
    }
    let group = GROUP as u64;
    let group_size = |n: u64| match n {
        0 | 1 => EncodingSize::default(),
        _ => EncodingSize { vars: 1, clauses: n + 1 } + pairwise::size(n),
    };
    size(n.div_ceil(group)) + group_size(group) * (n / group) + group_size(n % group)
}
