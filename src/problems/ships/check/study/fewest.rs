//! A family of sets that is won, though shooting at a cell that the fewest sets lack never wins it.

use super::super::{distinct, wins};
use super::{number, texts};
use crate::board::{Cell, Size};
use crate::claim::{Claim, Status};
use crate::engine::{Budget, Limit};
use crate::problems::ships::answer::{self, Answer};
use crate::problems::ships::{Dialect, Fleet, Instance, Rules, Square};
use serde_json::{Map, Value};

/// The most cells of a family; a plan is no deeper than that.
const MAX_CELLS: usize = 64;

/// The claims of a family's certificate.
pub(super) fn families(map: &Map<String, Value>, budget: &mut Budget) -> Result<Vec<Claim>, String> {
    let misses = number(map, "misses", 8)? as u32;
    let words = texts(map, "family")?;
    let cells = words.first().map_or(0, |word| word.len());
    let is_word = |word: &&str| word.len() == cells && word.bytes().all(|c| c == b'0' || c == b'1');
    if !(1..=MAX_CELLS).contains(&cells) || !words.iter().all(is_word) {
        return Err(format!("\"family\" is no list of words of 0 and 1 of one length, 1 to {MAX_CELLS}"));
    }
    let (size, letters) = (Size::new(cells as u32, 1), |word: &&str| word.bytes().collect::<Vec<_>>());
    let cell = |i: usize| Cell::new(0, i as u32);
    let set = |word: &&str| (0..cells).filter(|&i| letters(word)[i] == b'1').map(cell).collect::<Vec<_>>();
    let sets: Vec<Vec<Cell>> = words.iter().map(set).collect();

    // Plans are read as those of answers are.
    let listed: Value = sets
        .iter()
        .map(|set| set.iter().map(|c| Value::from(c.one_based().to_vec())).collect::<Value>())
        .collect();
    let members =
        [("outcome", Some("yes".into())), ("sets", Some(listed)), ("plan", map.get("plan").cloned())];
    let members = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    let instance = Instance { size, squares: vec![Square::Unknown; cells] };
    let Answer::Yes { plan, .. } = answer::from_json(&instance, &members)? else {
        return Err("\"plan\" is missing".to_owned());
    };
    let rules = Rules { misses, fleet: Fleet { ships: Vec::new() }, dialect: Dialect::Auto };
    let count = |word: &&str| word.bytes().filter(|&c| c == b'1').count();
    let alike = words.iter().all(|word| count(word) == count(&words[0]));
    let alike = if alike { Ok(()) } else { Err("some have more cells than others".to_owned()) };
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
    let of = format!("{} sets over {cells} cells, misses {misses}", sets.len());
    Ok(claims.map(|claim| Claim { text: format!("{of}: {}", claim.text), ..claim }).into())
}

/// That shooting by fewest `o` does not win against the sets of an answer.
pub(super) fn claim(answer: &Answer, misses: u32, budget: &mut Budget) -> Claim {
    let sets: &[Vec<Cell>] = if let Answer::Yes { sets, .. } = answer { sets } else { &[] };
    let numbers: Vec<usize> = (0..sets.len()).collect();
    Claim::new(
        "no order of shots at cells that the fewest sets lack does",
        Status::none_found(by_fewest(sets, &numbers, misses, budget)),
    )
}

/// Whether some such order wins against the sets numbered `left`; a node a part and cell.
fn by_fewest(sets: &[Vec<Cell>], left: &[usize], misses: u32, budget: &mut Budget) -> Result<bool, Limit> {
    if left.len() <= 1 || misses == 0 {
        return Ok(left.len() <= 1);
    }
    let mut cells: Vec<Cell> = left.iter().flat_map(|&s| &sets[s]).copied().collect();
    cells.sort_unstable();
    cells.dedup();
    let lack = |cell: &Cell| left.iter().filter(|&&s| !sets[s].contains(cell)).count();
    cells.retain(|cell| lack(cell) > 0);
    let fewest = cells.iter().map(lack).min();
    for cell in cells.iter().filter(|cell| Some(lack(cell)) == fewest) {
        budget.node()?;
        let (hold, lack): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&s| sets[s].contains(cell));
        if by_fewest(sets, &lack, misses - 1, budget)? && by_fewest(sets, &hold, misses, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}
