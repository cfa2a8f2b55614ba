//! Checks certificates of families that are won although every fewest-`o` policy fails on them. Such a policy always
//! shoots at a cell that the fewest sets lack.

use super::super::{distinct, numbers, wins};
use super::{number, texts};
use crate::answer::{self, Answer};
use crate::{Dialect, Fleet, Instance, Rules, Square};
use counterpoint_core::board::{Cell, Size};
use counterpoint_core::claim::{Claim, Status};
use counterpoint_core::engine::{Budget, Limit};
use counterpoint_core::errors::FormatError;
use serde_json::{Map, Value};

/// Maximum number of cells of a family, which also bounds the depth of a plan.
const MAX_CELLS: usize = 64;

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
    let (size, letters) = (Size::new(cells as u32, 1), |word: &&str| word.bytes().collect::<Vec<_>>());
    let cell = |i: usize| Cell::new(0, i as u32);
    let set = |word: &&str| (0..cells).filter(|&i| letters(word)[i] == b'1').map(cell).collect::<Vec<_>>();
    let sets: Vec<Vec<Cell>> = words.iter().map(set).collect();

    // The plan has the format of plans in answers.
    let listed: Value = sets
        .iter()
        .map(|set| set.iter().map(|c| Value::from(c.one_based().to_vec())).collect::<Value>())
        .collect();
    let members =
        [("outcome", Some("yes".into())), ("sets", Some(listed)), ("plan", map.get("plan").cloned())];
    let members = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    let instance = Instance { size, squares: vec![Square::Unknown; cells] };
    let Answer::Yes { plan, .. } = answer::from_json(&instance, &members)? else {
        return Err("\"plan\" is missing".into());
    };
    let rules = Rules { misses, fleet: Fleet { ships: Vec::new() }, dialect: Dialect::Auto };
    let count = |word: &&str| word.bytes().filter(|&c| c == b'1').count();
    let alike = words.iter().all(|word| count(word) == count(&words[0]));
    let alike = if alike { Ok(()) } else { Err("the sets differ in their number of cells") };
    let answer = Answer::Yes { sets: sets.clone(), plan: plan.clone() };
    let claims = [
        Claim::replayed("at least two sets are listed, all distinct", distinct(&sets, 2)),
        Claim::replayed("all have the same number of cells", alike),
        Claim::replayed(
            format!("the plan uncovers each of them with at most {misses} misses"),
            wins(&rules, &instance, &sets, &plan),
        ),
        claim(&answer, misses, budget),
    ];
    let family = format!("{} sets over {cells} cells, misses {misses}", sets.len());
    Ok(claims.map(|claim| Claim { text: format!("{family}: {}", claim.text), ..claim }).into())
}

/// The claim that no fewest-`o` policy wins against the sets of an answer. In its text, "does so" means: uncovers each
/// of the sets with at most `misses` misses.
pub(super) fn claim(answer: &Answer, misses: u32, budget: &mut Budget) -> Claim {
    let sets: &[Vec<Cell>] = if let Answer::Yes { sets, .. } = answer { sets } else { &[] };
    let numbers: Vec<usize> = numbers(sets).into_iter().map(|number| number as usize).collect();
    Claim::new(
        "no plan that always shoots at a cell that the fewest sets lack does so",
        Status::none_found(fewest_o_wins(sets, &numbers, misses, budget)),
    )
}

/// True if some fewest-`o` policy wins against the sets numbered `left`. Counts one node for each shot that it tries.
fn fewest_o_wins(
    sets: &[Vec<Cell>],
    left: &[usize],
    misses: u32,
    budget: &mut Budget,
) -> Result<bool, Limit> {
    if left.len() <= 1 || misses == 0 {
        return Ok(left.len() <= 1);
    }
    let mut cells: Vec<Cell> = left.iter().flat_map(|&s| &sets[s]).copied().collect();
    cells.sort_unstable();
    cells.dedup();
    let lacking = |cell: &Cell| left.iter().filter(|&&s| !sets[s].contains(cell)).count();
    cells.retain(|cell| lacking(cell) > 0);
    let fewest = cells.iter().map(lacking).min();
    for cell in cells.iter().filter(|cell| Some(lacking(cell)) == fewest) {
        budget.node()?;
        let (with, without): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&s| sets[s].contains(cell));
        if fewest_o_wins(sets, &without, misses - 1, budget)? && fewest_o_wins(sets, &with, misses, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}
