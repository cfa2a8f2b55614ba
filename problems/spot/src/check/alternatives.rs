//! The squares on which the checker tries a move of which something is unknown. Of interchangeable squares, it tries one.

use crate::{Entry, Instance, Rules};
use counterpoint_core::board::Cell;
use std::collections::BTreeSet;

/// For each square, whether it is excluded by every move of the record whose row or column is known.
pub(super) fn unnamed(instance: &Instance) -> Vec<bool> {
    let names = |entry: &&Entry| entry.x().is_some() || entry.y().is_some();
    let mut lines: Vec<Entry> = Vec::new();
    for entry in instance.record.iter().filter(names) {
        if !lines.contains(entry) {
            lines.push(*entry);
        }
    }
    instance.size().iter().map(|cell| !lines.iter().any(|entry| entry.allows(cell))).collect()
}

/// The squares on which to try a move that completes `entry`. Squares that are not `untouched` are not interchangeable.
pub(super) fn squares(rules: &Rules, instance: &Instance, untouched: &[bool], entry: &Entry) -> Vec<Cell> {
    let size = instance.size();
    let mut types = BTreeSet::new();
    let mut kept = BTreeSet::new();
    let mut squares = Vec::new();
    for cell in size.iter().filter(|&cell| entry.allows(cell)) {
        let images: Vec<usize> = rules.group.iter().map(|g| size.index(g.apply(size.width, cell))).collect();
        let least = images.iter().copied().min().unwrap_or(0);
        if images.iter().all(|&image| untouched[image]) {
            // The type of the orbit: which elements of the group map its first square to the same square.
            if least == size.index(cell) {
                let kind: Vec<_> = images.iter().map(|a| images.iter().position(|b| a == b)).collect();
                if types.insert(kind) {
                    kept.insert(least);
                }
            }
            if !kept.contains(&least) {
                continue;
            }
        }
        squares.push(cell);
    }
    squares
}
