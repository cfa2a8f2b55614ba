//! The study `anatomy`: what makes a position hard for the search and for SAT.
//!
//! For each position it counts features that may matter (the hits and their relative positions) and the work that the
//! engines do. Two hits are *within reach* if one ship can cover both without covering a known miss. There are three
//! groups of positions:
//! 1. A fleet fits.
//! 2. No fleet fits, and a simple count shows this: more hits are pairwise out of reach than there are ships.
//! 3. No fleet fits, but this count does not show it.
//!
//! After the last position, the work is summarized for each group. Rank correlations of features and work are computed
//! for group 1, for groups 2 and 3 together, and for group 3.

mod spearman;

use super::effort::{OwnerEngine, by_search};
use crate::answer::Answer;
use crate::formula::{Idle, fitting};
use crate::{Instance, Rules, Square};
use counterpoint_core::board::Cell;
use counterpoint_core::engine::Budget;
use counterpoint_core::problem::StudyRequest;
use counterpoint_core::study::{Row, StudyError, StudyOutput, row};
use serde_json::{Map, Value, json};
use spearman::spearman;

/// Columns with features that may explain the work, and their full names.
const FEATURES: [(&str, &str); 4] = [
    ("hits", "hits"),
    ("independent", "independent hits"),
    ("pairs", "pairs within reach"),
    ("alone", "hits out of reach of all others"),
];
/// Columns with work, and their full names.
const WORK: [(&str, &str); 3] = [
    ("nodes", "nodes of search:cover"),
    ("conflicts", "conflicts of sat:owner"),
    ("no_leaders", "conflicts of sat:owner/leaders=no"),
];

const FITS: &str = "fits";
const TOO_FEW: &str = "too few ships";
const NONE: &str = "none";

/// Features of the hits of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hits {
    /// Number of hits.
    pub all: usize,
    /// Number of hits that are pairwise out of reach, chosen greedily in the order of squares.
    pub independent: usize,
    /// Number of pairs of hits within reach.
    pub pairs: usize,
    /// Number of hits that are out of reach of all other hits.
    pub alone: usize,
}

/// Computes the features. O(placements · cells + hits²).
pub fn hits(rules: &Rules, board: &Instance) -> Hits {
    let hits: Vec<Cell> = board.cells(Square::Hit).collect();
    let mut within_reach = vec![vec![false; hits.len()]; hits.len()];
    for placement in fitting(Idle::Later, rules, board).iter().flatten() {
        let own: Vec<usize> =
            placement.cells.iter().filter_map(|cell| hits.binary_search(cell).ok()).collect();
        for &a in &own {
            own.iter().filter(|&&b| b != a).for_each(|&b| within_reach[a][b] = true);
        }
    }
    let mut independent: Vec<usize> = Vec::new();
    for (a, near) in within_reach.iter().enumerate() {
        if !independent.iter().any(|&b| near[b]) {
            independent.push(a);
        }
    }
    Hits {
        all: hits.len(),
        independent: independent.len(),
        pairs: within_reach.iter().flatten().filter(|near| **near).count() / 2,
        alone: within_reach.iter().filter(|near| !near.contains(&true)).count(),
    }
}

/// One row for each position.
///
/// # Errors
/// Returns `Unsupported` if the formula is too large, or the limit of the budget that was reached.
pub fn anatomy(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board = request.instance.ok_or_else(|| StudyError::unsupported("anatomy needs a position"))?;
    let rules = request.rules;
    let Hits { all, independent, pairs, alone } = hits(rules, board);
    output.progress(format_args!("{} with {all} hits", board.size));
    let searched = by_search(rules, board, &mut Default::default(), budget)?;
    let [with_leaders, without_leaders] = [OwnerEngine::with_defaults()?, OwnerEngine::without_leaders()?];
    let fleet = match searched.answer {
        Answer::NoFleet if independent > rules.fleet.ships.len() => TOO_FEW,
        Answer::NoFleet => NONE,
        _ => FITS,
    };
    output.row(row([
        ("hits", all.into()),
        ("independent", independent.into()),
        ("pairs", pairs.into()),
        ("alone", alone.into()),
        ("fleet", fleet.into()),
        ("nodes", searched.work.into()),
        ("conflicts", with_leaders.solve(rules, board, budget)?.work.into()),
        ("no_leaders", without_leaders.solve(rules, board, budget)?.work.into()),
    ]));
    Ok(())
}

/// Summarizes the rows of [`anatomy`]: medians, worst cases and rank correlations.
pub fn summarize(rows: &[Row], output: &mut dyn StudyOutput) {
    let mut text = String::from("Median and worst:\n");
    let mut medians = Map::new();
    for group in [FITS, NONE, TOO_FEW] {
        let rows = in_groups(rows, &[group]);
        if rows.is_empty() {
            continue;
        }
        let mut of_group = Map::from_iter([("positions".to_owned(), rows.len().into())]);
        text += &format!("  {group} ({}):", rows.len());
        for (i, (key, name)) in WORK.into_iter().enumerate() {
            let mut work = column(&rows, key);
            work.sort_by(f64::total_cmp);
            let (median, worst) = (median(&work), work[work.len() - 1]);
            text += &format!("{} {median} and {worst} {name}", if i == 0 { "" } else { "," });
            of_group.insert(key.to_owned(), json!({ "median": median, "worst": worst }));
        }
        text.push('\n');
        medians.insert(group.to_owned(), of_group.into());
    }
    let mut correlations = Map::new();
    for (name, groups) in [(FITS, &[FITS][..]), ("no fleet", &[NONE, TOO_FEW]), (NONE, &[NONE])] {
        let rows = in_groups(rows, groups);
        let mut of_group = Map::new();
        if rows.len() > 1 {
            text += &format!("\nRank correlations, {} ({}):\n", groups.join(" or "), rows.len());
        }
        for (effort, effort_name) in WORK {
            let mut with = Map::new();
            let mut words = Vec::new();
            for (key, feature_name) in FEATURES {
                let found = spearman(&column(&rows, key), &column(&rows, effort));
                let rounded = found.map(|rho| (rho * 100.0).round() / 100.0);
                words.push(format!(
                    "{feature_name} {}",
                    rounded.map_or("–".to_owned(), |rho| format!("{rho:.2}"))
                ));
                with.insert(key.to_owned(), rounded.into());
            }
            if rows.len() > 1 {
                text += &format!("  {effort_name}: {}\n", words.join(", "));
            }
            of_group.insert(effort.to_owned(), with.into());
        }
        correlations.insert(name.to_owned(), of_group.into());
    }
    output.summary(&text, row([("work", Value::Object(medians)), ("spearman", Value::Object(correlations))]));
}

fn in_groups<'a>(rows: &'a [Row], groups: &[&str]) -> Vec<&'a Row> {
    let is_in =
        |row: &&Row| row.get("fleet").and_then(Value::as_str).is_some_and(|group| groups.contains(&group));
    rows.iter().filter(is_in).collect()
}

fn column(rows: &[&Row], key: &str) -> Vec<f64> {
    rows.iter().filter_map(|row| row.get(key)?.as_f64()).collect()
}

/// The median of ascending values. Panics without values.
fn median(values: &[f64]) -> f64 {
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}
