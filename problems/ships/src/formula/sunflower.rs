//! Writes a formula for a sunflower: m + 2 fleets, where m is the number of misses allowed, such that all of
//! the fleets cover each square that two of them cover.
//!
//! A square that distinguishes the covered sets is in exactly one of them, so a miss there rules out only that one.
//! After m misses at least two sets remain, so m misses are not enough. The fleets are the evidence for this. Not every
//! lost family contains a sunflower.

use super::{Encoded, Form, Idle};
use crate::{Instance, Rules, Square};
use counterpoint_encodings::{Forward, Lit, Sink, Var};
use std::fmt;

/// A sink for one of several fleets, which adds the fleet's number to the names of variables.
struct Fleet<'a> {
    number: usize,
    sink: &'a mut dyn Sink,
}

impl<'a> Forward for Fleet<'a> {
    type Inner = dyn Sink + 'a;

    fn inner(&self) -> &Self::Inner {
        self.sink
    }

    fn inner_mut(&mut self) -> &mut Self::Inner {
        self.sink
    }

    fn forward_named_var(&mut self, name: fmt::Arguments<'_>) -> Var {
        self.sink.named_var(format_args!("fleet {}: {name}", self.number))
    }
}

/// Number of fleets of a sunflower.
fn petals(rules: &Rules) -> usize {
    rules.misses as usize + 2
}

/// Writes the fleets with all their ships placed, and the constraint that they form a sunflower.
pub fn write(form: &Form, rules: &Rules, instance: &Instance, sink: &mut dyn Sink) -> Vec<Encoded> {
    let form = Form { idle: Idle::Placed, ..form.clone() };
    let fleet = |number| super::write(&form, rules, instance, &mut Fleet { number, sink: &mut *sink });
    let fleets: Vec<Encoded> = (1..=petals(rules)).map(fleet).collect();
    let covered = |i: usize| fleets.iter().filter_map(|fleet| fleet.covered[i]).collect::<Vec<Lit>>();
    sink.group("a cell that two fleets cover is covered by all");
    let unknown: Vec<usize> = instance.cells(Square::Unknown).map(|cell| instance.size.index(cell)).collect();
    for &i in &unknown {
        let covered = covered(i);
        for (b, &second) in covered.iter().enumerate() {
            for &first in &covered[..b] {
                let others = covered.iter().filter(|&&other| other != first && other != second);
                others.for_each(|&other| sink.clause(&[!first, !second, other]));
            }
        }
    }
    // If any two fleets cover the same set, all fleets cover all its cells, so all sets are equal. So it suffices that
    // the first two fleets cover different sets.
    sink.group("two of the fleets differ");
    let mut somewhere = Vec::new();
    for &i in &unknown {
        if let [first, second, ..] = covered(i)[..] {
            // Implies that the first fleet covers the cell and the second does not.
            let apart = sink.named_var(format_args!("apart at {}", instance.size.cell(i))).pos_lit();
            sink.clause(&[!apart, first]);
            sink.clause(&[!apart, !second]);
            somewhere.push(apart);
        }
    }
    sink.clause(&somewhere);
    fleets
}

/// An upper bound on the number of clauses, computed without writing them.
pub fn max_clauses(form: &Form, rules: &Rules, instance: &Instance) -> u64 {
    let form = Form { idle: Idle::Placed, ..form.clone() };
    let (n, cells) = (petals(rules) as u64, instance.size.cells() as u64);
    n * super::max_clauses(&form, rules, instance) + cells * (n * (n - 1) / 2 * (n - 2) + 2) + 1
}
