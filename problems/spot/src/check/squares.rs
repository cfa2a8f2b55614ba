//! The squares on which a move is tried.
//!
//! A move without a known square is tried on the squares that its line allows, but of interchangeable
//! squares, only some are tried. An *orbit* consists of the images of a square. Two orbits are
//! interchangeable if they are of the same type (`squares`), no move so far has toggled one of their
//! squares, and no line that gives a row, a column or both allows one of them. So only the first such orbit
//! of each type is tried.

use crate::{Entry, Instance, Rules};
use counterpoint_core::board::Cell;
use std::collections::BTreeSet;

/// The squares that no line with a row or a column allows.
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
