//! The answer in a person's words, each sentence with the squares and rules that it follows from.

use super::answer::reason::{Part, Reason};
use super::answer::{Answer, Plan};
use super::{Instance, Rules, Square};
use crate::board::Cell;
use crate::problem::{Core, Sentence, told};
use itertools::Itertools;
use std::collections::BTreeMap;

/// The most groups of squares of which it is told what a miss leaves.
const MOST_GROUPS: usize = 8;
/// The most squares and sets that are listed one by one.
const MOST_LISTED: usize = 12;

/// What a sentence says of all fleets that keep its premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// They cover so many different sets.
    Sets(usize),
    /// All of them cover these squares.
    Sure(Vec<Cell>),
    /// After these shots, each with whether it hits, only one set is left: its squares that are still to be
    /// uncovered.
    Left(Vec<(Cell, bool)>, Vec<Cell>),
    /// Which square is shot at next.
    Shot,
    /// That something is not known.
    Open,
    /// Each of these sets can be covered.
    Possible(Vec<Vec<Cell>>),
    /// Of these sets, two or more at the least, these are the ones that do not cover any of these squares.
    Lacked {
        /// All sets that are spoken of.
        sets: Vec<Vec<Cell>>,
        /// The squares.
        cells: Vec<Cell>,
        /// The sets that lack them, by number from 0.
        by: Vec<usize>,
    },
    /// No plan uncovers each of these sets within the misses allowed.
    Lost(Vec<Vec<Cell>>),
    /// There is none; with the word, without any one of the premises there is.
    None(Needed),
}

/// Whether each premise is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// Without any of them a fleet fits.
    Each,
    /// Nobody looked, or not at all of them.
    Unknown,
}

type Told = Sentence<Part, Claim>;

/// The shots with what each tells, or the sets that no shot tells apart safely.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer, reason: Option<&Reason>) -> String {
    told(&sentences(rules, instance, answer, reason))
}

/// The same with premises and claims.
pub fn sentences(rules: &Rules, instance: &Instance, answer: &Answer, reason: Option<&Reason>) -> Vec<Told> {
    let all = everything(rules, instance);
    match (answer, reason) {
        (Answer::NoFleet, Some(Reason::Core(core))) => contradiction(rules, instance, core),
        (Answer::NoFleet, _) => vec![
            Told::new(
                "No fleet fits: however the ships are laid, they overlap, leave out a hit or cover a miss.",
                all,
                Claim::None(Needed::Unknown),
            ),
            Told::new("Which squares and rules alone make it so was not settled.", Vec::new(), Claim::Open),
        ],
        (Answer::Yes { sets, plan }, _) => {
            let text = match sets.len() {
                1 => "Just one set of squares can hold the fleet, so there is nothing to guess.".to_owned(),
                n => format!("{n} sets of squares can hold the fleet."),
            };
            let mut told = vec![Told::new(text, all.clone(), Claim::Sets(sets.len()))];
            let sure: Vec<Cell> = unknown(instance, sets.first().into_iter().flatten().copied())
                .filter(|cell| sets.iter().all(|set| set.contains(cell)))
                .collect();
            if sets.len() > 1 && !sure.is_empty() {
                let text = format!("All of them hold {}, so these are safe.", sure.iter().join(" "));
                told.push(Told::new(text, all.clone(), Claim::Sure(sure)));
            }
            follow(instance, sets, plan, &mut Vec::new(), &all, &mut told);
            told
        }
        (Answer::No { lost }, _) => hopeless(rules, instance, lost, &all),
    }
}

/// All squares that are uncovered and all rules.
fn everything(rules: &Rules, instance: &Instance) -> Vec<Part> {
    let known = instance.size.iter().filter(|&cell| instance.at(cell) != Square::Unknown).map(Part::Square);
    let ships = 0..rules.fleet.ships.len();
    known.chain(ships.clone().map(Part::Laid)).chain(ships.map(Part::Once)).chain([Part::Apart]).collect()
}

fn unknown(instance: &Instance, cells: impl Iterator<Item = Cell>) -> impl Iterator<Item = Cell> {
    cells.filter(|&cell| instance.size.contains(cell) && instance.at(cell) == Square::Unknown)
}

/// The plan after `shots`: hits follow each other with numbers, what follows a miss stands deeper unless it is
/// settled.
fn follow(
    instance: &Instance,
    sets: &[Vec<Cell>],
    plan: &Plan,
    shots: &mut Vec<(Cell, bool)>,
    all: &[Part],
    told: &mut Vec<Told>,
) {
    let before = shots.len();
    let indent = "  ".repeat(shots.iter().filter(|(_, hit)| !hit).count());
    let mut at = plan;
    for step in 1.. {
        let Plan::Shoot { cell, hit, miss } = at else { break };
        shots.push((*cell, false));
        let number = format!("{indent}{step}. Shoot at {cell}. ");
        if let Plan::Sink(set) = **miss {
            let left = rest(instance, sets, set, shots);
            let text = format!("{number}A miss leaves one set: {}. After a hit:", to_uncover(&left));
            told.push(Told::new(text, all.to_vec(), Claim::Left(shots.clone(), left)));
        } else {
            told.push(Told::new(format!("{number}After a miss:"), Vec::new(), Claim::Shot));
            follow(instance, sets, miss, shots, all, told);
            told.push(Told::new(format!("{indent}   After a hit:"), Vec::new(), Claim::Shot));
        }
        shots.pop();
        shots.push((*cell, true));
        at = hit;
    }
    if let Plan::Sink(set) = *at {
        let left = rest(instance, sets, set, shots);
        let number = if shots.len() > before {
            format!("{}. One set is left", shots.len() - before + 1)
        } else {
            "That is".to_owned()
        };
        let text = format!("{indent}{number}: {}.", to_uncover(&left));
        told.push(Told::new(text, all.to_vec(), Claim::Left(shots.clone(), left)));
    }
    shots.truncate(before);
}

/// What of a set is still covered.
fn rest(instance: &Instance, sets: &[Vec<Cell>], set: usize, shots: &[(Cell, bool)]) -> Vec<Cell> {
    let cells = sets.get(set).into_iter().flatten().copied();
    unknown(instance, cells).filter(|cell| shots.iter().all(|(shot, _)| shot != cell)).collect()
}

fn to_uncover(cells: &[Cell]) -> String {
    match cells {
        [] => "all is uncovered".to_owned(),
        _ => format!("uncover {}", cells.iter().join(" ")),
    }
}

/// Why no plan wins against these sets.
fn hopeless(rules: &Rules, instance: &Instance, lost: &[Vec<Cell>], all: &[Part]) -> Vec<Told> {
    // Who shoots at a square that just one set lacks loses nothing; what is left then has no such square.
    let mut sets: Vec<Vec<Cell>> = lost.to_vec();
    while let Some(alone) = (rules.misses == 1).then(|| lonely(&sets)).flatten() {
        sets.remove(alone);
    }
    let n = sets.len();
    let shown = n.min(MOST_LISTED);
    let head = format!("These {n} sets of squares can all hold the fleet, the uncovered hits and:");
    let mut told = vec![Told::new(head, all.to_vec(), Claim::Possible(sets.clone()))];
    for (set, i) in sets.iter().zip(1..=shown) {
        let text = format!("  {i}. {}", unknown(instance, set.iter().copied()).join(" "));
        told.push(Told::new(text, all.to_vec(), Claim::Possible(vec![set.clone()])));
    }
    if n > shown {
        let text = format!("  and {} more", n - shown);
        told.push(Told::new(text, all.to_vec(), Claim::Possible(sets[shown..].to_vec())));
    }
    let end = match rules.misses {
        0 => "They differ, all are of one size, and whatever is shot at may miss.",
        1 => {
            let mut groups: BTreeMap<Vec<usize>, Vec<Cell>> = BTreeMap::new();
            for cell in instance.size.iter() {
                let by: Vec<usize> = (0..n).filter(|&i| sets[i].binary_search(&cell).is_err()).collect();
                if (1..n).contains(&by.len()) {
                    groups.entry(by).or_default().push(cell);
                }
            }
            let left_out = groups.len().saturating_sub(MOST_GROUPS);
            let mut groups: Vec<_> = groups.into_iter().collect();
            // What few sets lack looks safest, so it is told first.
            groups.sort_by_key(|(by, cells)| (by.len(), cells.first().copied()));
            for (by, cells) in groups.into_iter().take(MOST_GROUPS) {
                let numbers = by.iter().map(|i| i + 1).join(", ");
                let more = if cells.len() > MOST_LISTED { " ..." } else { "" };
                let squares = cells.iter().take(MOST_LISTED).join(" ");
                told.push(Told::new(
                    format!("A miss at {squares}{more} leaves {numbers}."),
                    all.to_vec(),
                    Claim::Lacked { sets: sets.clone(), cells, by },
                ));
            }
            match left_out {
                0 => {
                    "So whatever tells some of them apart may miss and leave two or more. These differ, all sets are \
                     of one size, and what tells them apart may miss again."
                }
                _ => {
                    "So it is with every square that tells some of them apart: a miss leaves two or more. These \
                     differ, all sets are of one size, and what tells them apart may miss again."
                }
            }
        }
        _ => "Whatever is shot at may miss, and the sets left then cost too many misses in their turn.",
    };
    told.push(Told::new(end, all.to_vec(), Claim::Lost(sets)));
    told
}

/// A set that alone lacks some square.
fn lonely(sets: &[Vec<Cell>]) -> Option<usize> {
    let mut lacked: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for cell in sets.iter().flatten() {
        lacked
            .entry(*cell)
            .or_insert_with(|| (0..sets.len()).filter(|&i| sets[i].binary_search(cell).is_err()).collect());
    }
    lacked.into_values().find(|by| by.len() == 1).map(|by| by[0])
}

/// Squares and rules that no fleet keeps.
fn contradiction(rules: &Rules, instance: &Instance, core: &Core<Part>) -> Vec<Told> {
    let squares = |kind: Square| {
        let of_kind = core.parts.iter().filter_map(move |part| match part {
            Part::Square(cell) if instance.at(*cell) == kind => Some(*cell),
            _ => None,
        });
        of_kind.collect::<Vec<Cell>>()
    };
    let ships = |pick: fn(&Part) -> Option<usize>| {
        let numbers: Vec<usize> = core.parts.iter().filter_map(pick).collect();
        match numbers.len() {
            n if n == rules.fleet.ships.len() => Some("each ship".to_owned()),
            0 => None,
            _ => {
                let name = |s: &usize| rules.fleet.ships.get(*s).map_or("?", |ship| ship.name.as_str());
                Some(numbers.iter().map(name).join(", "))
            }
        }
    };
    let listed = |word: &str, cells: &[Cell]| {
        (!cells.is_empty()).then(|| format!("{word} {}", cells.iter().join(" ")))
    };
    let laid = ships(|part| if let Part::Laid(ship) = part { Some(*ship) } else { None });
    let once = ships(|part| if let Part::Once(ship) = part { Some(*ship) } else { None });
    let apart = core.parts.contains(&Part::Apart).then(|| "ships do not overlap".to_owned());
    let (hits, misses) = (squares(Square::Hit), squares(Square::Miss));
    let board = [listed("x at", &hits), listed("o at", &misses)].into_iter().flatten().join(", ");
    let kept = [
        laid.map(|names| format!("{names} is laid")),
        once.map(|names| format!("{names} is laid at most once")),
        apart,
    ];
    let reasons: Vec<String> =
        std::iter::once(board).filter(|text| !text.is_empty()).chain(kept.into_iter().flatten()).collect();
    let needed = if core.open == 0 { Needed::Each } else { Needed::Unknown };
    let kept = reasons.join("; ");
    let text = match (core.parts.len(), core.open) {
        (1, 0) => {
            let text = format!("No fleet fits. Even this cannot be kept: {kept}.");
            return vec![Told::new(text, core.parts.clone(), Claim::None(Needed::Each))];
        }
        _ => format!("No fleet fits. These cannot all be kept: {kept}."),
    };
    let mut told = vec![Told::new(text, core.parts.clone(), Claim::None(Needed::Unknown))];
    let text = match core.open {
        0 => "Nothing of this is needless: without any one square or rule of these, the others can be kept."
            .to_owned(),
        1 => "Whether one of these could be left out was not settled within the limit.".to_owned(),
        n => format!("Whether {n} of these could be left out was not settled within the limit."),
    };
    told.push(Told::new(text, core.parts.clone(), Claim::None(needed)));
    told
}
