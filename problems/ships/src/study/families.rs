//! The study `families`: enumerates all families of k-sets over a few cells up to isomorphism, tests the theorems about
//! them, and finds a smallest won family that no fewest-`o` policy wins. `families/game.rs` defines these terms: a
//! family is *won* if some plan uncovers each of its sets with at most the allowed number of misses.
//!
//! Families grow set by set. Every subfamily of a won family is won, so extending won families reaches every won
//! family. With `lost` = 1, lost families are extended, too, so the enumeration does not rely on this fact.
//!
//! With `family=fewest-sets` or `family=fewest-cells`, the study is about one family of `families/smallest.rs` alone.

pub mod canon;
pub mod game;
pub mod smallest;

use super::certificate;
use crate::{Instance, Rules};
use canon::canonical;
use counterpoint_core::engine::Budget;
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{StudyError, StudyOutput, plural, row};
use game::{Set, fewest_o_wins, is_won, is_won_by_definition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// `cells`: number of cells of the ground set. `ship`: number of cells of a set. `lost`: 1 if lost families are
/// enumerated, too; otherwise 0. `most`: maximum number of sets of a family. `family`: a family of
/// [`smallest`] that is studied alone; then the other parameters have no meaning.
pub const PARAMS: &[Param] = &[
    Param::number("cells", 5.0, 1.0, 10.0),
    Param::number("ship", 2.0, 1.0, 9.0),
    Param::number("lost", 0.0, 0.0, 1.0),
    Param::number("most", 252.0, 1.0, 252.0),
    Param::word("family", &["all", "fewest-sets", "fewest-cells"]),
];

/// One row for each number of sets: the number of families up to isomorphism, how many of them are won with `misses`
/// misses, how many are counterexamples to the theorem of the safe choice (tested only with `lost` = 1), and how many
/// are won although no fewest-`o` policy wins. The file `certificate.json` describes the first family of this last
/// kind.
///
/// # Errors
/// Returns `Unsupported` if a set is larger than the ground set or if `family` does not support the other parameters
/// or the number of misses, or the limit of the budget that was reached.
pub fn families(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let [cells, ship, most] = ["cells", "ship", "most"].map(|key| request.params.whole(key));
    let misses = request.rules.misses;
    let family = request.params.word("family");
    if family != "all" {
        let of = if family == "fewest-sets" { smallest::fewest_sets } else { smallest::fewest_cells };
        let Some(family) = of(misses) else {
            return Err(
                format!("there is no such family for misses={misses}; allow more, as in misses=4").into()
            );
        };
        if let Some(key) =
            ["cells", "ship", "lost", "most"].into_iter().find(|key| request.params.is_given(key))
        {
            return Err(format!("the parameter family has families of a fixed size; leave out {key}").into());
        }
        return only(&family, misses, budget, output);
    }
    if ship > cells {
        return Err(StudyError::unsupported(format!("ship={ship} is larger than cells={cells}")));
    }
    let scope = if request.params.whole("lost") == 1 { Scope::All } else { Scope::Won };
    let possible: Vec<Set> = (0..1 << cells).filter(|set: &Set| set.count_ones() == ship).collect();
    let mut layer = vec![vec![possible[0]]];
    let (mut largest, mut total, mut failing) = (0, 0u64, 0u64);
    let mut first: Option<Vec<Set>> = None;
    for sets in 1..=most {
        let (mut won, mut errors, mut fails) = (0u64, 0u64, 0u64);
        let mut next = FxHashSet::default();
        for family in &layer {
            budget.node()?;
            let wins = is_won(family, misses);
            won += u64::from(wins);
            if scope == Scope::All {
                errors += u64::from(wins != is_won_by_definition(family, misses, &mut FxHashMap::default()));
            }
            if wins && !fewest_o_wins(family, misses, budget)? {
                fails += 1;
                if first.is_none() {
                    output.file("certificate.json", &|| certificate::family(family, cells, misses));
                    first = Some(family.clone());
                }
            }
            if sets < most {
                extend(family, &possible, cells, (misses, scope), &mut next, budget)?;
            }
            output.progress(format_args!("{sets} sets: {won} won, {} larger ones", next.len()));
        }
        if won > 0 {
            largest = sets;
        }
        total += layer.len() as u64;
        failing += fails;
        output.row(row([
            ("sets", sets.into()),
            ("families", layer.len().into()),
            ("won", won.into()),
            ("safe_choice_errs", if scope == Scope::All { errors.into() } else { serde_json::Value::Null }),
            ("fewest_o_fails", fails.into()),
        ]));
        // Sorted, because the order of a hash table is not specified.
        layer = next.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        if layer.is_empty() {
            break;
        }
    }
    let bound = (1..=u64::from(misses)).fold(1, |most, m| most * (u64::from(ship) + m) / m);
    output.note(&format!(
        "{} up to isomorphism. The largest won family has {}; the bound C(k + m, m) is {bound}.",
        plural(total, "family", "families"),
        plural(largest, "set", "sets"),
    ));
    if let Some(family) = first {
        let sets: Vec<String> = family.iter().map(|&set| game::bit_string(set, cells)).collect();
        output.note(&format!(
            "The fewest-o policies fail on {failing} of the won families, first on {}.",
            sets.join(" ")
        ));
    }
    Ok(())
}

/// One row about a family, and its certificate if it is won and every fewest-`o` policy fails.
fn only(
    (family, cells): &smallest::Sized,
    misses: u32,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let won = is_won_by_definition(family, misses, &mut FxHashMap::default());
    let fails = won && !fewest_o_wins(family, misses, budget)?;
    output.row(row([
        ("sets", family.len().into()),
        ("families", 1.into()),
        ("won", u64::from(won).into()),
        ("safe_choice_errs", u64::from(won != is_won(family, misses)).into()),
        ("fewest_o_fails", u64::from(fails).into()),
    ]));
    if fails {
        output.file("certificate.json", &|| certificate::family(family, *cells, misses));
    }
    let sets: Vec<String> = family.iter().map(|&set| game::bit_string(set, *cells)).collect();
    output.note(&format!("The family: {}", sets.join(" ")));
    Ok(())
}

/// Which families are enumerated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Won,
    All,
}

/// Adds to `next` the families that consist of `family` and one further set, up to isomorphism; with [`Scope::Won`],
/// only those that are won.
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
