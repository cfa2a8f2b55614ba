//! Automorphisms of the class graph that keep the empty board: permutations of squares that carry the group
//! to itself take classes to classes and toggles to toggles. On 3×3 up to rotation they are 16, since corners and
//! edges may be turned apart and change places; the group itself leaves every class alone.

use super::implicit::ImplicitGraph;
use crate::board::{Group, Size, Symmetry};
use petgraph::visit::IntoNodeIdentifiers;
use std::collections::BTreeSet;

/// On larger boards only mirrors and rotations are looked at, and on 3×3 where nothing counts as equal: there all 9!
/// permutations are automorphisms, too many to be kept or tried at every position.
const MAX_SIDE: u32 = 3;

/// Each as the classes that the classes go to, the identity among them; O(N²! |G| N²) to 3×3.
pub fn automorphisms(graph: &ImplicitGraph, n: u32, group: Group) -> Vec<Vec<u32>> {
    let size = Size::new(n, n);
    let map = |symmetry: Symmetry| -> Vec<usize> {
        size.iter().map(|cell| size.index(symmetry.apply(n, cell))).collect()
    };
    let group: BTreeSet<Vec<usize>> = group.iter().map(map).collect();
    let mut found = BTreeSet::new();
    let mut keep = |squares: &[usize]| {
        if normalises(squares, &group) {
            found.insert(classes(graph, squares));
        }
    };
    let all_are = group.len() == 1 && n == MAX_SIDE;
    if n <= MAX_SIDE && !all_are {
        permutations(&mut (0..size.cells()).collect(), 0, &mut keep);
    } else {
        Group::D4.iter().for_each(|symmetry| keep(&map(symmetry)));
    }
    found.into_iter().collect()
}

/// Whether p g p⁻¹ lies in the group for each of its elements g.
fn normalises(p: &[usize], group: &BTreeSet<Vec<usize>>) -> bool {
    group.iter().all(|g| {
        let mut conjugate = vec![0; p.len()];
        (0..p.len()).for_each(|square| conjugate[p[square]] = p[g[square]]);
        group.contains(&conjugate)
    })
}

fn classes(graph: &ImplicitGraph, squares: &[usize]) -> Vec<u32> {
    let image = |board: u32| {
        let spots = squares.iter().enumerate().filter(|(square, _)| board >> square & 1 == 1);
        spots.map(|(_, to)| 1 << to).sum::<u32>()
    };
    graph.node_identifiers().map(|class| graph.class(image(graph.board(class))).index() as u32).collect()
}

/// Hands on each permutation of the entries from `at` on.
fn permutations(entries: &mut Vec<usize>, at: usize, each: &mut dyn FnMut(&[usize])) {
    if at == entries.len() {
        return each(entries);
    }
    for other in at..entries.len() {
        entries.swap(at, other);
        permutations(entries, at + 1, each);
        entries.swap(at, other);
    }
}
