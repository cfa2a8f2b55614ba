//! Checks certificates of families that are won although every fewest-`o` policy fails on them. Such a policy always
//! shoots at a cell that the fewest sets lack.

use super::super::{distinct, numbers, sorted, wins};
use super::{number, texts};
use crate::answer;
use crate::{Dialect, Fleet, Instance, Rules, Square};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Maximum number of cells of a family, which also bounds the depth of a plan.
const MAX_CELLS: usize = 64;

/// Number of sets from one test of the limits to the next.
const POLL_EVERY: usize = 1 << 8;

/// The claims of a family's certificate.
pub(super) fn families(map: &Map<String, Value>, budget: &mut Budget) -> Result<Vec<Claim>, FormatError> {
    let misses = number(map, "misses", 8)? as u32;
    let words = texts(map, "family")?;
    let cells = words.first().map_or(0, |word| word.len());
    let is_word = |word: &&str| word.len() == cells && word.bytes().all(|c| c == b'0' || c == b'1');
    if !(1..=MAX_CELLS).contains(&cells) || !words.iter().all(is_word) {
        return Err(format!(
            "\"family\" is not a list of words of 0 and 1, all of one length from 1 to {MAX_CELLS}"
        )
        .into());
    }
    let size = Size::new(cells as u32, 1);
    let is_one = |(_, letter): &(u32, u8)| *letter == b'1';
    let set = |word: &&str| {
        (0..).zip(word.bytes()).filter(is_one).map(|(col, _)| Cell::new(0, col)).collect::<Vec<_>>()
    };
    let sets: Vec<Vec<Cell>> = words.iter().map(set).collect();
    // The plan has the format of plans in answers.
    let plan = map.get("plan").ok_or("\"plan\" is missing")?;
    let plan = answer::plan_from_json(size, sets.len(), plan, cells)?;
    let instance = Instance { size, squares: vec![Square::Unknown; cells] };
    let rules = Rules { misses, fleet: Fleet { ships: Vec::new() }, dialect: Dialect::Auto };
    let alike = sets.iter().all(|set| set.len() == sets[0].len());
    let alike = if alike { Ok(()) } else { Err("the sets differ in their number of cells") };
    let claims = [
        Claim::replayed("at least two sets are listed, all distinct", distinct(&sets, 2)),
        Claim::replayed("all have the same number of cells", alike),
        Claim::replayed(
            format!("the plan uncovers each of them with at most {misses} misses"),
            wins(&rules, &instance, &sets, &plan),
        ),
        claim(&sets, misses, budget),
    ];
    let family = format!("{} sets over {cells} cells, misses {misses}", sets.len());
    Ok(claims.map(|claim| Claim { text: format!("{family}: {}", claim.text), ..claim }).into())
}

/// The claim that no fewest-`o` policy wins against these sets. In its text, "does so" means: uncovers each of the sets
/// with at most `misses` misses.
pub(super) fn claim(sets: &[Vec<Cell>], misses: u32, budget: &mut Budget) -> Claim {
    let left: Vec<usize> = numbers(sets).into_iter().map(|number| number as usize).collect();
    let sets: Vec<Vec<Cell>> = sets.iter().map(|set| sorted(set)).collect();
    Claim::new(
        "no plan that always shoots at a cell that the fewest sets lack does so",
        Status::none_found(fewest_o_wins(&sets, &left, misses, budget)),
    )
}

/// True if some fewest-`o` policy wins against the sets numbered `left`. The cells of a set are ascending. Counts one node
/// for each shot that it tries.
fn fewest_o_wins(
    sets: &[Vec<Cell>],
    left: &[usize],
    misses: u32,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    if left.len() <= 1 || misses == 0 {
        return Ok(left.len() <= 1);
    }
    // The number of sets that contain a cell, for each cell that some set contains.
    let mut containing = BTreeMap::<Cell, usize>::new();
    for part in left.chunks(POLL_EVERY) {
        budget.poll()?;
        for &s in part {
            sets[s].iter().for_each(|&cell| *containing.entry(cell).or_default() += 1);
        }
    }
    containing.retain(|_, sets| *sets < left.len());
    let most = containing.values().max().copied();
    for cell in containing.iter().filter(|(_, sets)| Some(**sets) == most).map(|(cell, _)| cell) {
        budget.node()?;
        let (with, without): (Vec<usize>, Vec<usize>) =
            left.iter().partition(|&&s| sets[s].binary_search(cell).is_ok());
        if fewest_o_wins(sets, &without, misses - 1, budget)? && fewest_o_wins(sets, &with, misses, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}
