//! The branches of a node of `cover`: placements at a hit, placements of a ship, and those of the last ship.

use super::super::mask::{Mask, members};
use super::{EarlyEnd, Scratch, Search};
use counterpoint_core::engine::Budget;
use std::cmp::Reverse;

/// A placement to branch on.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    /// Index into the shapes of the tables.
    pub(super) shape: u16,
    pub(super) anchor: u16,
    /// Number of pending hits that it covers; 0 if `branch_on_ship` made this branch.
    new_hits: u16,
}

impl<const W: usize> Search<'_, W> {
    /// Finds the anchors at which the remaining ships cover no `blocked` square. False if some ship has no such anchor;
    /// then the anchors of later ships are stale.
    pub(super) fn find_anchors(&mut self, blocked: Mask<W>, remaining: u32) -> bool {
        let tables = self.tables;
        let Scratch { shifted, anchors, available, .. } = &mut *self.scratch;
        tables.shifted(Mask::FULL.without(blocked), shifted);
        available.clear();
        members(remaining).all(|ship| {
            let before = available.len();
            for shape in tables.of_ship[ship].clone() {
                anchors[shape] = tables.anchors(shape, shifted);
                if !anchors[shape].is_empty() {
                    available.push(shape);
                }
            }
            available.len() > before
        })
    }

    /// Finds the pending hit with the fewest placements, and pushes all placements that cover it. Those that cover the
    /// most pending hits come first. Of equal remaining ships, only the first is placed.
    pub(super) fn branch_on_hit(&mut self, pending: Mask<W>, remaining: u32) {
        let tables = self.tables;
        let Scratch { anchors, available, branches, .. } = &mut *self.scratch;
        let ready = tables.ready(remaining);
        available.retain(|&shape| ready >> tables.shapes[shape].ship & 1 == 1);
        let Some(hit) = tables.scarcest(pending, anchors, available) else { return };
        let base = branches.len();
        for &shape in &*available {
            for anchor in tables.shapes[shape].covering(&anchors[shape], hit) {
                let new_hits =
                    tables.shapes[shape].by.iter().map(|by| u16::from(pending.has(anchor + by))).sum();
                branches.push(Branch { shape: shape as u16, anchor: anchor as u16, new_hits });
            }
        }
        branches[base..].sort_by_key(|branch| Reverse(branch.new_hits));
    }

    /// Pushes every placement of the remaining ship with the fewest placements. Of equal remaining ships, only the
    /// first is placed.
    pub(super) fn branch_on_ship(&mut self, remaining: u32) {
        let tables = self.tables;
        let Scratch { anchors, branches, .. } = &mut *self.scratch;
        let count =
            |&ship: &usize| tables.of_ship[ship].clone().map(|shape| anchors[shape].len()).sum::<u32>();
        let Some(ship) = members(tables.ready(remaining)).min_by_key(count) else { return };
        for shape in tables.of_ship[ship].clone() {
            let branch = |anchor| Branch { shape: shape as u16, anchor: anchor as u16, new_hits: 0 };
            branches.extend(anchors[shape].iter().map(branch));
        }
    }

    /// Adds all sets that the last ship completes, given that every hit is covered. Each placement counts as a node.
    pub(super) fn place_last_ship(
        &mut self,
        covered: Mask<W>,
        ship: usize,
        budget: &mut Budget,
    ) -> Result<(), EarlyEnd> {
        let tables = self.tables;
        let shapes = tables.of_ship[ship].clone();
        while let Some((shape, anchor)) = self.next_placement(shapes.clone()) {
            budget.node()?;
            self.scratch.anchors[shape].remove(anchor);
            self.add_set(covered.or(tables.shapes[shape].mask.up(anchor)), budget)?;
        }
        Ok(())
    }

    /// The shape and anchor of the next placement of the last ship, if possible one that is disjoint from all completed
    /// sets. `None` if no placement is left.
    fn next_placement(&mut self, mut shapes: std::ops::Range<usize>) -> Option<(usize, usize)> {
        let tables = self.tables;
        let Scratch { shifted, anchors, .. } = &mut *self.scratch;
        tables.shifted(Mask::FULL.without(self.union), shifted);
        let disjoint = shapes.clone().find_map(|shape| {
            let anchors = tables.anchors(shape, shifted).and(anchors[shape]);
            anchors.first().map(|anchor| (shape, anchor))
        });
        disjoint.or_else(|| shapes.find_map(|shape| anchors[shape].first().map(|anchor| (shape, anchor))))
    }
}
