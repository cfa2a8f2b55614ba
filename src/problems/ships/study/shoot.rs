//! The question `shoot`: how the covered squares compare as the next shot.
//!
//! Two priors are told apart: each placement of the fleet as likely as any other, or each covered set. What a shot
//! tells is hit or miss, so its expected information is the binary entropy of the chance to hit (C. Shannon, 1948).
//! The worst case needs no prior: the fewest misses that surely suffice after a hit and after a miss.

use super::least::least_misses;
use super::weigh::{Standing, Weighed, weigh};
use crate::board::Cell;
use crate::engine::{Budget, Limit};
use crate::problem::{Param, StudyRequest};
use crate::problems::ships::answer::{self, Answer};
use crate::problems::ships::{Instance, Rules};
use crate::study::{Row, StudyError, StudyOutput, number, row};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// Rows beside those that are best by some measure, and the most sets for which the worst case is worked out.
pub const PARAMS: &[Param] = &[
    Param { key: "top", default: 10.0, min: 0.0, max: 1024.0 },
    Param { key: "worst", default: 128.0, min: 0.0, max: 4096.0 },
];

/// A shot, measured. What is not known is `None`.
struct Shot {
    cell: Cell,
    covered: u128,
    hit: f64,
    hit_sets: Option<f64>,
    after_hit: Option<u32>,
    after_miss: Option<u32>,
}

impl Shot {
    /// Misses that surely suffice, this shot's own included. A square that every set holds cannot miss.
    fn worst(&self) -> Option<u32> {
        let miss = if self.hit < 1.0 { self.after_miss? + 1 } else { 0 };
        Some(self.after_hit?.max(miss))
    }
}

/// Rows by falling chance to hit, best shots by each measure marked.
///
/// # Errors
/// What the automaton refuses, or the limit that was met.
pub fn shoot(
    asked: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    report: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board =
        asked.instance.ok_or_else(|| StudyError::Unsupported("shoot is about a position".to_owned()))?;
    let found = weigh(asked.rules, board, budget, report)?;
    if found.placements == 0 {
        report.summary("No fleet fits.", row([("outcome", answer::outcome(&Answer::NoFleet).into())]));
        return Ok(());
    }
    let mut cells = found.unknown(board, Standing::Ambiguous);
    cells.extend(found.unknown(board, Standing::Forced));
    let most = asked.params.whole("worst") as usize;
    let mut known = FxHashMap::default();
    let mut shots = Vec::with_capacity(cells.len());
    let mut limit = None;
    for cell in cells {
        report.progress(format_args!("{} squares", shots.len()));
        let after = match limit {
            None => after(board, &found, cell, most, &mut known, budget),
            Some(_) => Ok((None, None)),
        };
        let (after_hit, after_miss) = after.unwrap_or_else(|met| {
            limit = Some(met);
            (None, None)
        });
        let covered = found.covered[board.size.index(cell)];
        let in_sets = |sets: &Vec<(Vec<Cell>, u128)>| {
            sets.iter().filter(|(set, _)| set.contains(&cell)).count() as f64 / sets.len() as f64
        };
        shots.push(Shot {
            cell,
            covered,
            hit: covered as f64 / found.placements as f64,
            hit_sets: found.listed.as_ref().map(in_sets),
            after_hit,
            after_miss,
        });
    }
    tell(&found, shots, asked.params.whole("top") as usize, report);
    limit.map_or(Ok(()), |limit| Err(limit.into()))
}

/// The fewest misses after a hit and after a miss, where there are few enough sets.
fn after(
    board: &Instance,
    found: &Weighed,
    cell: Cell,
    most: usize,
    known: &mut FxHashMap<Vec<usize>, u32>,
    budget: &mut Budget,
) -> Result<(Option<u32>, Option<u32>), Limit> {
    let Some(listed) = found.listed.as_ref().filter(|listed| listed.len() <= most) else {
        return Ok((None, None));
    };
    let (hold, lack): (Vec<usize>, Vec<usize>) =
        (0..listed.len()).partition(|&s| listed[s].0.contains(&cell));
    let mut least = |part: Vec<usize>| {
        if let Some(&misses) = known.get(&part) {
            return Ok(misses);
        }
        let sets: Vec<&[Cell]> = part.iter().map(|&s| listed[s].0.as_slice()).collect();
        let misses = least_misses(board.size, &sets, budget)?;
        known.insert(part, misses);
        Ok(misses)
    };
    Ok((Some(least(hold)?), Some(least(lack)?)))
}

fn tell(found: &Weighed, mut shots: Vec<Shot>, top: usize, report: &mut dyn StudyOutput) {
    // The order of squares breaks ties.
    shots.sort_by(|a, b| b.covered.cmp(&a.covered).then(a.cell.cmp(&b.cell)));
    let best_hit = shots.iter().map(|shot| shot.covered).max();
    let best_sets = shots.iter().filter_map(|shot| shot.hit_sets).max_by(f64::total_cmp);
    let best_bits = shots.iter().map(|shot| bits(shot.hit)).max_by(f64::total_cmp);
    let best_worst = shots.iter().filter_map(Shot::worst).min();
    for (i, shot) in shots.iter().enumerate() {
        let marks = [
            ("hit", best_hit == Some(shot.covered)),
            ("sets", shot.hit_sets.is_some() && best_sets == shot.hit_sets),
            ("bits", best_bits == Some(bits(shot.hit)) && shot.hit < 1.0),
            ("worst", shot.worst().is_some() && shot.worst() == best_worst),
        ];
        let best: Vec<&str> = marks.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
        if i < top || !best.is_empty() {
            report.row(told(found, shot, &best));
        }
    }
    report.note(
        "hit, bits: each placement of the fleet is as likely as any other; sets: each covered set is.\n\
         worst: misses that surely suffice if this is shot at next, the shot included.",
    );
}

fn told(found: &Weighed, shot: &Shot, best: &[&str]) -> Row {
    let common = greatest_common_divisor(shot.covered, found.placements).max(1);
    let rounded = |x: f64| Value::from((x * 1e4).round() / 1e4);
    let whole = |n: Option<u32>| n.map_or(Value::Null, Value::from);
    row([
        ("square", shot.cell.to_string().into()),
        ("hit", rounded(shot.hit)),
        ("sets", shot.hit_sets.map_or(Value::Null, rounded)),
        ("bits", rounded(bits(shot.hit))),
        ("after_hit", whole(shot.after_hit)),
        ("after_miss", if shot.hit < 1.0 { whole(shot.after_miss) } else { Value::Null }),
        ("worst", whole(shot.worst())),
        ("best", best.join(" ").into()),
        ("best_by", best.to_vec().into()),
        ("cell", serde_json::json!(shot.cell.one_based())),
        ("fraction", Value::from([shot.covered, found.placements].map(|n| number(n / common)).to_vec())),
    ])
}

/// By Euclid.
fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The entropy of a chance, in bits.
fn bits(chance: f64) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    term(chance) + term(1.0 - chance)
}
