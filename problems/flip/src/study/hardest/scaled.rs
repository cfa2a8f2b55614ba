//! Boards whose null space consists of mirrored copies of the null vectors of a smaller board.
//!
//! Let n + 1 = k (n0 + 1). The lines of n×n whose number is a multiple of n0 + 1 cut the board into k² blocks n0×n0. Put
//! a null vector of n0×n0 into the blocks, mirrored from each block to the next, and zeros on the lines. A square of a
//! block has the neighbours of its original, and a square on a line has two equal neighbours across the line. So this is
//! a null vector. If both boards have the same nullity, there are no others. Then each kind of n0×n0 has k² times as many
//! squares on n×n, and the lines lie in no null vector.
//!
//! If n0 has null vectors, the nullities can agree only if k is odd: d(2m - 1) ≥ 2 d(m - 1) for all m.

use crate::Stencil;
use crate::search::nullity;
use counterpoint_core::board::{Bits, Cell, Size};
use counterpoint_core::engine::{Budget, Limit};

/// The least n0 with a multiple of n0 + 1 as n + 1 and with the same nullity as n, which is not 0.
///
/// # Errors
/// Returns the limit that was reached.
pub(super) fn origin(
    stencil: Stencil,
    n: u32,
    nullity: usize,
    budget: &mut Budget,
) -> Result<Option<u32>, Limit> {
    if stencil != Stencil::Plus || nullity == 0 {
        return Ok(None);
    }
    for n0 in (1..n).filter(|n0| (n + 1).is_multiple_of(n0 + 1)) {
        if nullity::nullity(2, stencil, Size::new(n0, n0), budget)? == nullity {
            return Ok(Some(n0));
        }
    }
    Ok(None)
}

/// The mirrored copies of presses of n0×n0 on n×n, with no presses on the lines between the blocks.
pub(super) fn copies(presses: &Bits, n0: u32, n: u32) -> Bits {
    let (small, size) = (Size::new(n0, n0), Size::new(n, n));
    let pressed = |cell: Cell| {
        let original = Cell::new(fold(cell.row, n0)?, fold(cell.col, n0)?);
        presses.get(small.index(original)).then_some(size.index(cell))
    };
    Bits::from_indices(size.cells(), size.iter().filter_map(pressed))
}

/// The row or column of n0×n0 of which this row or column of n×n is a copy; `None` if it is a line between blocks.
fn fold(line: u32, n0: u32) -> Option<u32> {
    let (block, within) = (line / (n0 + 1), line % (n0 + 1));
    let within = (within < n0).then_some(within)?;
    Some(if block.is_multiple_of(2) { within } else { n0 - 1 - within })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::elimination;
    use crate::study::code::code;
    use std::collections::BTreeMap;

    /// The copies span the null space that elimination finds, so the kinds are the same, each k² times as large.
    #[test]
    fn copies_span_the_null_space() {
        let budget = &mut Budget::unlimited();
        let mut null = |n: u32| {
            let size = Size::new(n, n);
            elimination::solutions(Stencil::Plus, size, &Bits::ones(size.cells()), budget).unwrap().null
        };
        let mut found = Vec::new();
        for n in 1..=128 {
            let direct = null(n);
            let Some(n0) = origin(Stencil::Plus, n, direct.len(), &mut Budget::unlimited()).unwrap() else {
                continue;
            };
            found.push((n, n0));
            let original = null(n0);
            let copied: Vec<Bits> = original.iter().map(|vector| copies(vector, n0, n)).collect();
            if direct.len() > 16 {
                continue;
            }
            let squares = (n * n) as usize;
            let kinds = |basis: &[Bits], squares: usize| {
                let code = code(squares, basis);
                code.kinds.iter().map(|kind| kind.squares.clone()).collect::<Vec<_>>()
            };
            // Kinds do not depend on the basis.
            let sorted = |mut kinds: Vec<Vec<usize>>| {
                kinds.sort();
                kinds
            };
            assert_eq!(sorted(kinds(&direct, squares)), sorted(kinds(&copied, squares)), "{n} {n0}");
            let sizes = |kinds: Vec<Vec<usize>>| kinds.iter().map(Vec::len).collect::<Vec<_>>();
            let factor = ((n + 1) / (n0 + 1)).pow(2) as usize;
            let small = sizes(kinds(&original, (n0 * n0) as usize));
            assert_eq!(
                sizes(kinds(&copied, squares)),
                small.iter().map(|m| m * factor).collect::<Vec<_>>(),
                "{n} {n0}"
            );
        }
        let families = found.iter().fold(BTreeMap::new(), |mut families, (n, n0)| {
            families.entry(n0).or_insert_with(Vec::new).push(*n);
            families
        });
        assert_eq!(families[&4], [14, 24, 34, 44, 54, 74, 94, 104, 114, 124]);
        assert_eq!(families[&9], [49, 69, 109]);
        assert!(found.iter().all(|(n, n0)| ((n + 1) / (n0 + 1)) % 2 == 1), "{found:?}");
    }
}
