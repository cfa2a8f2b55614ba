//! The study `shoot`: compares the unknown squares as the next shot.
//!
//! There are two priors: all placements of the fleet are equally likely, or all covered sets are. A shot reveals a hit
//! or a miss, so its expected information is the binary entropy of the probability of a hit (C. Shannon, 1948). The
//! worst case needs no prior: it is the minimum number of misses that certainly suffices after a hit, and after a miss.

use super::min_misses::min_misses;
use super::position::{CoveredSet, PositionCounts, SquareStatus, count_position};
use crate::answer::{self, Answer};
use crate::{Instance, Rules};
use counterpoint_core::board::Cell;
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::problem::{Param, StudyRequest};
use counterpoint_core::study::{Row, StudyError, StudyOutput, number, row};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// `top`: number of rows, not counting further rows for shots that are best by some measure. `worst`: maximum number of
/// sets for which the worst case is computed.
pub const PARAMS: &[Param] =
    &[Param::number("top", 10.0, 0.0, 1024.0), Param::number("worst", 128.0, 0.0, 4096.0)];

/// A shot and its measures. A measure that was not computed is `None`.
struct Shot {
    cell: Cell,
    /// Number of placements that cover the cell.
    covered: u128,
    /// Probability of a hit if all placements are equally likely.
    hit: f64,
    /// Probability of a hit if all covered sets are equally likely.
    hit_sets: Option<f64>,
    after: Option<WorstCase>,
}

/// The minimum number of misses that certainly suffices after a shot that hits, and after one that misses; 0 for an
/// outcome that cannot occur.
#[derive(Clone, Copy)]
struct WorstCase {
    hit: u32,
    miss: u32,
}

impl Shot {
    /// Number of misses that certainly suffices, including a miss of this shot. A shot at a square that every set
    /// contains cannot miss.
    fn worst(&self) -> Option<u32> {
        let after = self.after?;
        Some(if self.hit < 1.0 { after.hit.max(after.miss + 1) } else { after.hit })
    }
}

/// One row for each of the first `top` shots, by decreasing probability of a hit, and for each shot that is best by
/// some measure. Shots at squares that no set contains are left out.
///
/// # Errors
/// Returns `Unsupported` if the automaton does not support this fleet, or the limit that was reached: one of the
/// budget, or `Limit::Memory`.
pub fn shoot(
    request: &StudyRequest<'_, Rules, Instance>,
    budget: &mut Budget,
    output: &mut dyn StudyOutput,
) -> Result<(), StudyError> {
    let board = request.instance.ok_or_else(|| StudyError::unsupported("shoot needs a position"))?;
    let found = count_position(request.rules, board, budget, output)?;
    if found.placements == 0 {
        output.summary("No fleet fits.", row([("outcome", answer::outcome(&Answer::NoFleet).into())]));
        return Ok(());
    }
    let mut cells = found.unknown(board, SquareStatus::Ambiguous);
    cells.extend(found.unknown(board, SquareStatus::Forced));
    let max_sets = request.params.whole("worst") as usize;
    let mut known = FxHashMap::default();
    let mut shots = Vec::with_capacity(cells.len());
    let mut limit = None;
    for cell in cells {
        output.progress(format_args!("{} squares", shots.len()));
        let after = match limit {
            None => worst_case(board, &found, cell, max_sets, &mut known, budget),
            Some(_) => Ok(None),
        };
        let after = after.unwrap_or_else(|met| {
            limit = Some(met);
            None
        });
        let covered = found.covered[board.size.index(cell)];
        let in_sets = |sets: &Vec<CoveredSet>| {
            sets.iter().filter(|set| set.cells.contains(&cell)).count() as f64 / sets.len() as f64
        };
        shots.push(Shot {
            cell,
            covered,
            hit: covered as f64 / found.placements as f64,
            hit_sets: found.listed.as_ref().map(in_sets),
            after,
        });
    }
    write_rows(&found, shots, request.params.whole("top") as usize, output);
    limit.map_or(Ok(()), |limit| Err(limit.into()))
}

/// The worst case after a shot at `cell`; `None` if the sets were not listed or are more than `max_sets`.
fn worst_case(
    board: &Instance,
    found: &PositionCounts,
    cell: Cell,
    max_sets: usize,
    known: &mut FxHashMap<Vec<usize>, u32>,
    budget: &mut Budget,
) -> Result<Option<WorstCase>, Limit> {
    let Some(listed) = found.listed.as_ref().filter(|listed| listed.len() <= max_sets) else {
        return Ok(None);
    };
    let (containing, lacking): (Vec<usize>, Vec<usize>) =
        (0..listed.len()).partition(|&s| listed[s].cells.contains(&cell));
    let mut min_misses_of = |part: Vec<usize>| {
        if let Some(&misses) = known.get(&part) {
            return Ok(misses);
        }
        let sets: Vec<&[Cell]> = part.iter().map(|&s| listed[s].cells.as_slice()).collect();
        let misses = min_misses(board.size, &sets, budget)?;
        known.insert(part, misses);
        Ok(misses)
    };
    Ok(Some(WorstCase { hit: min_misses_of(containing)?, miss: min_misses_of(lacking)? }))
}

/// Writes the rows of the first `top` shots and of the best ones.
fn write_rows(found: &PositionCounts, mut shots: Vec<Shot>, top: usize, output: &mut dyn StudyOutput) {
    // Ties go to the lower square.
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
            output.row(shot_row(found, shot, &best));
        }
    }
    output.note(
        "hit, bits: if all placements of the fleet are equally likely.\n\
         sets: the probability of a hit if all covered sets are equally likely instead.\n\
         worst: number of misses that certainly suffices if this is the next shot, including its own miss.",
    );
}

fn shot_row(found: &PositionCounts, shot: &Shot, best: &[&str]) -> Row {
    let common = greatest_common_divisor(shot.covered, found.placements).max(1);
    let rounded = |x: f64| Value::from((x * 1e4).round() / 1e4);
    let whole = |n: Option<u32>| n.map_or(Value::Null, Value::from);
    row([
        ("square", shot.cell.to_string().into()),
        ("hit", rounded(shot.hit)),
        ("sets", shot.hit_sets.map_or(Value::Null, rounded)),
        ("bits", rounded(bits(shot.hit))),
        ("after_hit", whole(shot.after.map(|after| after.hit))),
        ("after_miss", whole(shot.after.map(|after| after.miss).filter(|_| shot.hit < 1.0))),
        ("worst", whole(shot.worst())),
        ("best", best.join(" ").into()),
        ("best_by", best.to_vec().into()),
        ("cell", serde_json::json!(shot.cell.one_based())),
        ("fraction", Value::from([shot.covered, found.placements].map(|n| number(n / common)).to_vec())),
    ])
}

/// Euclid's algorithm.
fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The binary entropy of a probability, in bits.
fn bits(probability: f64) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    term(probability) + term(1.0 - probability)
}
