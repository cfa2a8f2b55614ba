//! The question `anatomy`: what makes a position hard, for the search and for SAT.
//!
//! Of each position it counts what may matter (hits, and how they lie to each other) and the work that it costs. Two
//! hits are *within reach* if one ship can cover both without a known miss. Behind the last position the
//! counts are held against the work by rank correlation, apart for positions that a fleet fits, for those that have
//! more hits pairwise out of reach than ships, which refutes them at once, and for the contradictions that are left.

mod spearman;

use super::effort::{Conflicts, nodes};
use crate::board::Cell;
use crate::engine::Budget;
use crate::problem::StudyRequest;
use crate::problems::ships::answer::Answer;
use crate::problems::ships::formula::{Idle, fitting};
use crate::problems::ships::{Instance, Rules, Square};
use crate::study::{Row, StudyError, StudyOutput, row};
use serde_json::{Map, Value, json};
use spearman::spearman;

/// Columns of a row that may explain the work, with their names in full.
const TRAITS: [(&str, &str); 4] = [
    ("hits", "hits"),
    ("independent", "independent hits"),
    ("pairs", "pairs within reach"),
    ("alone", "hits out of reach of all others"),
];
/// Columns of a row that are work.
const EFFORTS: [(&str, &str); 3] = [
    ("nodes", "nodes of search:cover"),
    ("conflicts", "conflicts of sat:owner"),
    ("no_leaders", "conflicts of sat:owner/leaders=no"),
];

const FITS: &str = "fits";
const TOO_FEW: &str = "too few ships";
const NONE: &str = "none";

/// How the hits of a position lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hits {
    /// How many there are.
    pub all: usize,
    /// Pairwise out of one ship's reach, taken greedily in the order of squares.
    pub independent: usize,
    /// Pairs within one ship's reach.
    pub pairs: usize,
    /// Out of reach of every other.
    pub alone: usize,
}

/// Counts; O(placements · cells + hits²).
pub fn hits(rules: &Rules, board: &Instance) -> Hits {
    let hits: Vec<Cell> = board.cells(Square::Hit).collect();
    let mut near = vec![vec![false; hits.len()]; hits.len()];
    for place in fitting(Idle::Later, rules, board).iter().flatten() {
        let of: Vec<usize> = place.cells.iter().filter_map(|cell| hits.binary_search(cell).ok()).collect();
        for &a in &of {
            of.iter().filter(|&&b| b != a).for_each(|&b| near[a][b] = true);
        }
    }
    let mut independent: Vec<usize> = Vec::new();
    for (a, near) in near.iter().enumerate() {
        if !independent.iter().any(|&b| near[b]) {
            independent.push(a);
        }
    }
    Hits {
        all: hits.len(),
        independent: independent.len(),
        pairs: near.iter().flatten().filter(|near| **near).count() / 2,
        alone: near.iter().filter(|near| !near.contains(&true)).count(),
    }
}

/// A row a position.
///
/// # Errors
/// The limit that was met.
pub fn anatomy(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board =
        asked.instance.ok_or_else(|| StudyError::Unsupported("anatomy is about a position".to_owned()))?;
    let rules = asked.rules;
    let Hits { all, independent, pairs, alone } = hits(rules, board);
    report.progress(format_args!("{} with {all} hits", board.size));
    let (answer, nodes) = nodes(rules, board, &mut Default::default(), budget)?;
    let [leaders, without] = [Conflicts::usual()?, Conflicts::without_leaders()?];
    let fleet = match answer {
        Answer::NoFleet if independent > rules.fleet.ships.len() => TOO_FEW,
        Answer::NoFleet => NONE,
        _ => FITS,
    };
    report.row(row([
        ("hits", all.into()),
        ("independent", independent.into()),
        ("pairs", pairs.into()),
        ("alone", alone.into()),
        ("fleet", fleet.into()),
        ("nodes", nodes.into()),
        ("conflicts", leaders.of(rules, board, budget)?.1.into()),
        ("no_leaders", without.of(rules, board, budget)?.1.into()),
    ]));
    Ok(())
}

/// What the rows of [`anatomy`] say together: medians, worst cases and rank correlations.
pub fn sum_up(rows: &[Row], report: &mut dyn StudyOutput) {
    let mut text = String::from("Median and worst:\n");
    let mut medians = Map::new();
    for group in [FITS, NONE, TOO_FEW] {
        let rows = of_group(rows, &[group]);
        if rows.is_empty() {
            continue;
        }
        let mut of_group = Map::from_iter([("positions".to_owned(), rows.len().into())]);
        text += &format!("  {group} ({}):", rows.len());
        for (i, (key, name)) in EFFORTS.into_iter().enumerate() {
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
        let rows = of_group(rows, groups);
        let mut of_group = Map::new();
        if rows.len() > 1 {
            text += &format!("\nRank correlations, {} ({}):\n", groups.join(" or "), rows.len());
        }
        for (effort, effort_name) in EFFORTS {
            let mut with = Map::new();
            let mut words = Vec::new();
            for (key, trait_name) in TRAITS {
                let found = spearman(&column(&rows, key), &column(&rows, effort));
                let rounded = found.map(|rho| (rho * 100.0).round() / 100.0);
                words.push(format!(
                    "{trait_name} {}",
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
    report.summary(&text, row([("work", Value::Object(medians)), ("spearman", Value::Object(correlations))]));
}

fn of_group<'a>(rows: &'a [Row], groups: &[&str]) -> Vec<&'a Row> {
    let is_of = |row: &&Row| row.get("fleet").and_then(Value::as_str).is_some_and(|it| groups.contains(&it));
    rows.iter().filter(is_of).collect()
}

fn column(rows: &[&Row], key: &str) -> Vec<f64> {
    rows.iter().filter_map(|row| row.get(key)?.as_f64()).collect()
}

/// Of ascending values, at least one.
fn median(values: &[f64]) -> f64 {
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}
