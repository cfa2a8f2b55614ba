//! Automorphisms of the class graph that fix the empty board.
//!
//! A permutation of squares that normalises the symmetry group maps classes to classes and toggles to toggles, so it
//! induces an automorphism of the class graph that fixes the empty board. Elements of the group itself induce the
//! identity. The class graph of the 3×3 board up to rotation has 16 of these automorphisms. They come from rotating the
//! four corner squares and the four edge squares independently of each other, from exchanging these two sets, and from
//! reflecting the board.

use super::implicit::ImplicitGraph;
use counterpoint_core::board::{Group, Size, Symmetry};
use petgraph::visit::IntoNodeIdentifiers;
use std::collections::BTreeSet;

/// Up to and including this side, all permutations of squares are tried; on larger boards, only rotations and
/// reflections. Under the trivial group, 3×3 is treated like a larger board, because all 9! permutations induce
/// automorphisms there, and applying all of them to every position would take too long.
const MAX_SIDE: u32 = 3;

/// The automorphisms that are found, each as a list of images: element c is the image of class c. The identity is among
/// them. Up to 3×3 (2×2 under the trivial group), this tries (n²)! permutations.
pub fn automorphisms(graph: &ImplicitGraph, n: u32, group: Group) -> Vec<Vec<u32>> {
    let size = Size::new(n, n);
    let map = |symmetry: Symmetry| -> Vec<usize> {
        size.iter().map(|cell| size.index(symmetry.apply(n, cell))).collect()
    };
    let group: BTreeSet<Vec<usize>> = group.iter().map(map).collect();
    let mut found = BTreeSet::new();
    let mut add = |squares: &[usize]| {
        if normalises(squares, &group) {
            found.insert(on_classes(graph, squares));
        }
    };
    let all_normalise = group.len() == 1 && n == MAX_SIDE;
    if n <= MAX_SIDE && !all_normalise {
        permutations(&mut (0..size.cells()).collect(), 0, &mut add);
    } else {
        Group::D4.iter().for_each(|symmetry| add(&map(symmetry)));
    }
    found.into_iter().collect()
}

/// Whether p g p⁻¹ lies in the group for each element g of the group.
fn normalises(p: &[usize], group: &BTreeSet<Vec<usize>>) -> bool {
    group.iter().all(|g| {
        let mut conjugate = vec![0; p.len()];
        (0..p.len()).for_each(|square| conjugate[p[square]] = p[g[square]]);
        group.contains(&conjugate)
    })
}

/// The automorphism that a permutation of squares induces.
fn on_classes(graph: &ImplicitGraph, squares: &[usize]) -> Vec<u32> {
    let image = |board: u32| {
        let spots = squares.iter().enumerate().filter(|(square, _)| board >> square & 1 == 1);
        spots.map(|(_, to)| 1 << to).sum::<u32>()
    };
    graph.node_identifiers().map(|class| graph.class(image(graph.board(class))).index() as u32).collect()
}

/// Calls `each` with every permutation of the entries from index `at` on.
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
