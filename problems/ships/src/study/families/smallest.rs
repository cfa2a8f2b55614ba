//! Smallest families that are won with m misses although every fewest-`o` policy fails. All consist of sets of two
//! cells, the edges of a graph. `paper-notes.md` proves that they are smallest.

use super::game::Set;
use itertools::Itertools;

/// A family and its number of cells.
pub type Sized = (Vec<Set>, u32);

fn edge(a: u32, b: u32) -> Set {
    1 << a | 1 << b
}

/// With the fewest sets, m + 4: a hub (cell 0) with three spokes, a further edge at the end of each spoke, and m - 2
/// edges apart. `None` for fewer than three misses.
///
/// The policy must shoot at the hub, and a miss there leaves m + 1 disjoint edges, which need m misses.
pub fn fewest_sets(misses: u32) -> Option<Sized> {
    let apart = misses.checked_sub(2).filter(|&apart| apart > 0)?;
    let spokes = [1, 3, 5].into_iter().flat_map(|end| [edge(0, end), edge(end, end + 1)]);
    Some((spokes.chain((0..apart).map(|i| edge(7 + 2 * i, 8 + 2 * i))).collect(), 2 * misses + 3))
}

/// Over the fewest cells: m + 4 for four and five misses, and m + 3 from six misses on. `None` for fewer than four
/// misses.
///
/// * m = 4, 5: three cells are joined to each of m - 1 others; a further cell is joined to two of the three, and another
///   one to the third. The policy must shoot at two of the three, and two misses there leave m edges at the third, which
///   need m - 1 misses.
/// * m >= 6: all edges except those of two complete graphs, of four and m - 2 cells, and except two edges from a last
///   cell, one to each of them. The policy must shoot at the last cell. A miss there leaves all edges between the two
///   complete graphs, and m - 1 misses are not enough for these.
pub fn fewest_cells(misses: u32) -> Option<Sized> {
    match misses {
        0..=3 => None,
        4 | 5 => {
            let others = 3..misses + 2;
            let joined = (0..3).cartesian_product(others).map(|(a, b)| edge(a, b));
            let [both, single] = [misses + 2, misses + 3];
            let further = [edge(0, both), edge(1, both), edge(2, single)];
            Some((joined.chain(further).collect(), misses + 4))
        }
        _ => {
            let last = misses + 2;
            let is_left_out = |a: u32, b: u32| match b == last {
                true => a == 0 || a == 4,
                false => (a < 4) == (b < 4),
            };
            let pairs = (0..=last).tuple_combinations().filter(|&(a, b)| !is_left_out(a, b));
            Some((pairs.map(|(a, b)| edge(a, b)).collect(), misses + 3))
        }
    }
}
