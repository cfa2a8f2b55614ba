//! The question `families`: all families of k-sets over a few cells, up to isomorphism, against the theorems about
//! them, and the smallest on which shooting at the cell with fewest misses goes wrong.
//!
//! Families grow set by set. Those that are won are all reached through won ones, since parts of won families are won;
//! with `lost` = 1 every family is looked at, so that nothing is taken for granted.

pub mod canon;
pub mod game;

use super::certificate;
use crate::engine::Budget;
use crate::problem::{Param, StudyRequest};
use crate::problems::ships::{Instance, Rules};
use crate::study::{StudyError, StudyOutput, plural, row};
use canon::canonical;
use game::{Set, fewest_wins, is_won, is_won_plainly};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Cells of the ground set, cells of a set, whether lost families are looked at as well, and the most sets.
pub const PARAMS: &[Param] = &[
    Param { key: "cells", default: 5.0, min: 1.0, max: 10.0 },
    Param { key: "ship", default: 2.0, min: 1.0, max: 9.0 },
    Param { key: "lost", default: 0.0, min: 0.0, max: 1.0 },
    Param { key: "most", default: 252.0, min: 1.0, max: 252.0 },
];

/// Rows by the number of sets: families up to isomorphism, how many are won with `misses` misses, on how many the
/// safe choice errs, and how many are won though no fewest-`o` order wins them. File: `certificate.json`, of the
/// first of the latter.
///
/// # Errors
/// `Refused` for sets larger than the ground set; the limit that was met.
pub fn families(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [cells, ship, most] = ["cells", "ship", "most"].map(|key| asked.params.whole(key));
    let misses = asked.rules.misses;
    if ship > cells {
        return Err(StudyError::Unsupported(format!("sets of {ship} cells do not lie among {cells}")));
    }
    let scope = if asked.params.whole("lost") == 1 { Scope::All } else { Scope::Won };
    let possible: Vec<Set> = (0..1 << cells).filter(|set: &Set| set.count_ones() == ship).collect();
    let mut layer = vec![vec![possible[0]]];
    let (mut largest, mut total, mut failing) = (0, 0u64, 0u64);
    let mut first: Option<Vec<Set>> = None;
    for sets in 1..=most {
        let (mut won, mut wrong, mut fails) = (0u64, 0u64, 0u64);
        let mut next = FxHashSet::default();
        for family in &layer {
            budget.node()?;
            let is_it = is_won(family, misses);
            won += u64::from(is_it);
            if scope == Scope::All {
                wrong += u64::from(is_it != is_won_plainly(family, misses, &mut FxHashMap::default()));
            }
            if is_it && !fewest_wins(family, misses, budget)? {
                fails += 1;
                if first.is_none() {
                    report.file("certificate.json", &|| certificate::family(family, cells, misses));
                    first = Some(family.clone());
                }
            }
            if sets < most {
                extend(family, &possible, cells, (misses, scope), &mut next, budget)?;
            }
            report.progress(format_args!("{sets} sets: {won} won, {} larger ones", next.len()));
        }
        if won > 0 {
            largest = sets;
        }
        total += layer.len() as u64;
        failing += fails;
        report.row(row([
            ("sets", sets.into()),
            ("families", layer.len().into()),
            ("won", won.into()),
            ("safe_choice_errs", if scope == Scope::All { wrong.into() } else { serde_json::Value::Null }),
            ("fewest_o_fails", fails.into()),
        ]));
        // In one order, whatever the table's.
        layer = next.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        if layer.is_empty() {
            break;
        }
    }
    let bound = (1..=u64::from(misses)).fold(1, |most, m| most * (u64::from(ship) + m) / m);
    report.note(&format!(
        "{} up to isomorphism; the largest that is won has {}, C(k + m, m) = {bound}.",
        plural(total, "family", "families"),
        plural(largest, "set", "sets"),
    ));
    if let Some(family) = first {
        let sets: Vec<String> = family.iter().map(|&set| game::word(set, cells)).collect();
        report.note(&format!("fewest-o fails on {failing} of them, first on {}", sets.join(" ")));
    }
    Ok(())
}

/// Which families are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Won,
    All,
}

/// The families that one set more makes of `family`, up to isomorphism.
fn extend(
    family: &[Set],
    possible: &[Set],
    cells: u32,
    (misses, scope): (u32, Scope),
    next: &mut FxHashSet<Vec<Set>>,
    budget: &mut Budget,
) -> Result<(), StudyError> {
    for &set in possible.iter().filter(|set| !family.contains(set)) {
        budget.node()?;
        let larger = [family, &[set]].concat();
        if scope == Scope::All || is_won(&larger, misses) {
            next.insert(canonical(&larger, cells));
        }
    }
    Ok(())
}
