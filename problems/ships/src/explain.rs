//! Explanations in words. Each sentence carries its claim, and the premises (squares and rules) from which the claim
//! follows.

use super::answer::count::Count;
use super::answer::lost::{self, Shots, Step};
use super::answer::reason::{Part, Reason};
use super::answer::{Answer, Plan, Verdict};
use super::{Instance, Rules, Square};
use counterpoint_core::board::Cell;
use counterpoint_core::problem::{Core, Sentence, render};
use itertools::Itertools;

/// Maximum number of groups of squares for which the text says what a miss leaves.
const MAX_GROUPS: usize = 8;
/// Maximum number of squares or sets that are listed one by one.
const MAX_LISTED: usize = 12;

/// Says why a family is lost if the text does not list the steps.
const TOO_MANY_STEPS: &str = "Every shot that distinguishes some of them can miss, and the sets that remain then \
                              need too many further misses.";

/// What a sentence states about all fleets that satisfy its premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// They cover this many distinct sets.
    Sets(usize),
    /// They all cover these squares.
    Sure(Vec<Cell>),
    /// After these shots (true: it hits), only one set is left. The cells are those squares of this set that are not
    /// yet uncovered.
    Left(Vec<(Cell, bool)>, Vec<Cell>),
    /// Nothing: the sentence introduces the next ones.
    Shot,
    /// Nothing: the sentence says that something was not found, or that the answer has no evidence.
    Open,
    /// Each of these sets is covered by one of these fleets.
    Possible(Vec<Vec<Cell>>),
    /// Exactly the sets `by`, at least two, lack each of these squares.
    Lacked {
        /// All sets.
        sets: Vec<Vec<Cell>>,
        /// The squares.
        cells: Vec<Cell>,
        /// The sets that lack the squares, by number from 0.
        by: Vec<usize>,
    },
    /// No plan uncovers each of these sets with at most this many misses.
    Lost(Vec<Vec<Cell>>, u32),
    /// What the step says of these sets: which of them each miss leaves, and that the sets of the step are lost with
    /// the step's number of misses.
    Step(Step, Vec<Vec<Cell>>),
    /// The ships that must be placed need more squares, or more squares of one colour, than are available.
    Crowded(Count),
    /// No fleet satisfies the premises. [`Needed`] says whether they are minimal.
    None(Needed),
}

/// Whether a set of premises is minimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// It is minimal: drop any one premise, and a fleet satisfies the rest.
    Each,
    /// For some premises, it was not decided whether they can be dropped.
    Unknown,
}

type ShipsSentence = Sentence<Part, Claim>;

/// The explanation as text: the plan's shots, the sets that no shot distinguishes safely, or why no fleet fits.
pub fn explain(rules: &Rules, instance: &Instance, answer: &Answer, reason: Option<&Reason>) -> String {
    render(&sentences(rules, instance, answer, reason))
}

/// The sentences of the explanation, with premises and claims.
pub fn sentences(
    rules: &Rules,
    instance: &Instance,
    answer: &Answer,
    reason: Option<&Reason>,
) -> Vec<ShipsSentence> {
    let all = everything(rules, instance);
    match (answer, reason) {
        (Answer::NoFleet, Some(Reason::Core(core))) => contradiction(rules, instance, core),
        (Answer::NoFleet, _) => vec![
            ShipsSentence::new(
                "No fleet fits: wherever the ships are placed, they overlap, leave out a hit or cover a miss.",
                all,
                Claim::None(Needed::Unknown),
            ),
            ShipsSentence::new(
                "No minimal set of squares and rules that cannot all hold was found within the limit.",
                Vec::new(),
                Claim::Open,
            ),
        ],
        (Answer::Yes { sets, plan }, _) => {
            let text = match sets.len() {
                1 => "Only one set of squares can hold the fleet, so there is nothing to guess.".to_owned(),
                n => format!("{n} sets of squares can hold the fleet."),
            };
            let mut lines = vec![ShipsSentence::new(text, all.clone(), Claim::Sets(sets.len()))];
            let sure: Vec<Cell> = unknown(instance, sets.first().into_iter().flatten().copied())
                .filter(|cell| sets.iter().all(|set| set.contains(cell)))
                .collect();
            if sets.len() > 1 && !sure.is_empty() {
                let text = format!("All of them contain {}, so shots there are safe.", sure.iter().join(" "));
                lines.push(ShipsSentence::new(text, all.clone(), Claim::Sure(sure)));
            }
            plan_sentences(instance, sets, plan, &mut Vec::new(), &all, &mut lines);
            lines
        }
        (Answer::No { lost }, _) => lost_family(rules, instance, lost, &all),
        (Answer::Verdict(verdict), _) => {
            let text = match verdict {
                Verdict::Yes => "The verdict is that some plan uncovers every set that fits.",
                Verdict::No => {
                    "The verdict is that no plan uncovers every set that fits, or that no fleet fits."
                }
            };
            let open = "It comes without evidence, so there is nothing to explain.";
            [text, open].map(|text| ShipsSentence::new(text, Vec::new(), Claim::Open)).into()
        }
    }
}

/// All known squares and all rules.
fn everything(rules: &Rules, instance: &Instance) -> Vec<Part> {
    let known = instance.size.iter().filter(|&cell| instance.at(cell) != Square::Unknown).map(Part::Square);
    let ships = 0..rules.fleet.ships.len();
    known
        .chain(ships.clone().map(Part::AtLeastOnce))
        .chain(ships.map(Part::AtMostOnce))
        .chain([Part::Disjoint])
        .collect()
}

fn unknown(instance: &Instance, cells: impl Iterator<Item = Cell>) -> impl Iterator<Item = Cell> {
    cells.filter(|&cell| instance.size.contains(cell) && instance.at(cell) == Square::Unknown)
}

/// Adds the sentences for the plan after `shots`. Numbers the shots of the branch on which every shot hits. Indents
/// what follows a miss, unless the miss leaves one set.
fn plan_sentences(
    instance: &Instance,
    sets: &[Vec<Cell>],
    plan: &Plan,
    shots: &mut Vec<(Cell, bool)>,
    all: &[Part],
    lines: &mut Vec<ShipsSentence>,
) {
    let before = shots.len();
    let indent = "  ".repeat(shots.iter().filter(|(_, hit)| !hit).count());
    let mut at = plan;
    for step in 1.. {
        let Plan::Shoot { cell, hit, miss } = at else { break };
        shots.push((*cell, false));
        let number = format!("{indent}{step}. Shoot at {cell}. ");
        if let Plan::Sink(set) = **miss {
            let left = remaining_cells(instance, sets, set, shots);
            let text = format!("{number}A miss leaves one set: {}. After a hit:", to_uncover(&left));
            lines.push(ShipsSentence::new(text, all.to_vec(), Claim::Left(shots.clone(), left)));
        } else {
            lines.push(ShipsSentence::new(format!("{number}After a miss:"), Vec::new(), Claim::Shot));
            plan_sentences(instance, sets, miss, shots, all, lines);
            lines.push(ShipsSentence::new(format!("{indent}   After a hit:"), Vec::new(), Claim::Shot));
        }
        shots.pop();
        shots.push((*cell, true));
        at = hit;
    }
    if let Plan::Sink(set) = *at {
        let left = remaining_cells(instance, sets, set, shots);
        let number = if shots.len() > before {
            format!("{}. One set is left", shots.len() - before + 1)
        } else {
            "That is".to_owned()
        };
        let text = format!("{indent}{number}: {}.", to_uncover(&left));
        lines.push(ShipsSentence::new(text, all.to_vec(), Claim::Left(shots.clone(), left)));
    }
    shots.truncate(before);
}

/// The squares of a set that are not yet uncovered after `shots`.
fn remaining_cells(instance: &Instance, sets: &[Vec<Cell>], set: usize, shots: &[(Cell, bool)]) -> Vec<Cell> {
    let cells = sets.get(set).into_iter().flatten().copied();
    unknown(instance, cells).filter(|cell| shots.iter().all(|(shot, _)| shot != cell)).collect()
}

fn to_uncover(cells: &[Cell]) -> String {
    match cells {
        [] => "every square of it is uncovered".to_owned(),
        _ => format!("uncover {}", cells.iter().join(" ")),
    }
}

/// The sentences that say why no plan wins against these sets.
fn lost_family(rules: &Rules, instance: &Instance, lost: &[Vec<Cell>], all: &[Part]) -> Vec<ShipsSentence> {
    let sets = lost::kernel(lost, rules.misses);
    let n = sets.len();
    let shown = n.min(MAX_LISTED);
    let head = format!(
        "The fleet may cover any of these {n} sets of squares. Each consists of the uncovered hits and:"
    );
    let mut lines = vec![ShipsSentence::new(head, all.to_vec(), Claim::Possible(sets.clone()))];
    for (set, i) in sets.iter().zip(1..=shown) {
        let text = format!("  {i}. {}", unknown(instance, set.iter().copied()).join(" "));
        lines.push(ShipsSentence::new(text, all.to_vec(), Claim::Possible(vec![set.clone()])));
    }
    if n > shown {
        let text = format!("  and {} more", n - shown);
        lines.push(ShipsSentence::new(text, all.to_vec(), Claim::Possible(sets[shown..].to_vec())));
    }
    let steps = lost::steps(&sets, rules.misses).unwrap_or_default();
    let Some((first, later)) = steps.split_first() else {
        let end = match rules.misses {
            0 => "They differ but have equal size, so some shot must distinguish them, and it can miss.",
            _ => TOO_MANY_STEPS,
        };
        lines.push(ShipsSentence::new(end, all.to_vec(), Claim::Lost(sets, rules.misses)));
        return lines;
    };
    for Shots { cells, lacking } in first.shots.iter().take(MAX_GROUPS) {
        let text = format!("A miss at {} leaves {}.", any_of(cells), sets_of(lacking));
        let claim = Claim::Lacked { sets: sets.clone(), cells: cells.clone(), by: lacking.clone() };
        lines.push(ShipsSentence::new(text, all.to_vec(), claim));
    }
    let others = match first.shots.len() > MAX_GROUPS {
        false => "So every shot that distinguishes some of them can miss and leave at least two.",
        true => {
            "The same holds for every other square that distinguishes some of them: a miss leaves at least two."
        }
    };
    let mut end = format!(
        "{others} These differ but have equal size, so another shot must distinguish them, and it can miss, too."
    );
    if rules.misses > 1 && later.is_empty() {
        end = TOO_MANY_STEPS.to_owned();
    } else if rules.misses > 1 {
        end = "Every shot that distinguishes some of them can miss, and then:".to_owned();
        lines.push(ShipsSentence::new(end, Vec::new(), Claim::Shot));
        for step in later {
            lines.push(step_sentence(step, &sets, all));
        }
        end = "Each miss leaves at least two sets. They differ but have equal size, so shots that distinguish them can \
               miss until no miss is left."
            .to_owned();
    }
    lines.push(ShipsSentence::new(end, all.to_vec(), Claim::Lost(sets, rules.misses)));
    lines
}

/// One line that says what each miss leaves of some sets.
fn step_sentence(step: &Step, sets: &[Vec<Cell>], all: &[Part]) -> ShipsSentence {
    let left = match step.misses {
        1 => "1 miss".to_owned(),
        n => format!("{n} misses"),
    };
    let shown = step.shots.iter().take(MAX_GROUPS);
    let mut shots = shown
        .map(|Shots { cells, lacking }| format!("at {} leaves {}", any_of(cells), sets_of(lacking)))
        .join("; ");
    if step.shots.len() > MAX_GROUPS {
        shots.push_str("; the same holds for every other square that distinguishes some of them");
    }
    let text = format!("  With {left} left and {}: a miss {shots}.", sets_of(&step.sets));
    ShipsSentence::new(text, all.to_vec(), Claim::Step(step.clone(), sets.to_vec()))
}

/// Sets by their numbers, such as `sets 1 and 3`; counted from 1 in the text and from 0 in `by`.
fn sets_of(by: &[usize]) -> String {
    let numbers: Vec<String> = by.iter().map(|i| (i + 1).to_string()).collect();
    let plural = if numbers.len() == 1 { "" } else { "s" };
    format!("set{plural} {}", joined(&numbers, "and"))
}

/// The squares, such as `r1c1, r1c2 or r2c1`, abbreviated after the first [`MAX_LISTED`].
fn any_of(cells: &[Cell]) -> String {
    let names: Vec<String> = cells.iter().take(MAX_LISTED).map(ToString::to_string).collect();
    if cells.len() > MAX_LISTED { format!("{}, ...", names.join(", ")) } else { joined(&names, "or") }
}

/// Words with commas between them, and with `last` before the last one.
fn joined(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., word] => format!("{} {last} {word}", first.join(", ")),
    }
}

/// The sentences about squares and rules that no fleet satisfies.
fn contradiction(rules: &Rules, instance: &Instance, core: &Core<Part>) -> Vec<ShipsSentence> {
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
            n if n == rules.fleet.ships.len() => Some("each ship is".to_owned()),
            0 => None,
            _ => {
                let name = |s: &usize| rules.fleet.ships.get(*s).map_or("?", |ship| ship.name.as_str());
                let names: Vec<&str> = numbers.iter().map(name).collect();
                Some(match &names[..] {
                    [before @ .., last] if !before.is_empty() => {
                        format!("{} and {last} are", before.join(", "))
                    }
                    _ => format!("{} is", names.join("")),
                })
            }
        }
    };
    let listed = |word: &str, cells: &[Cell]| {
        (!cells.is_empty()).then(|| format!("{word} {}", cells.iter().join(" ")))
    };
    let laid = ships(|part| if let Part::AtLeastOnce(ship) = part { Some(*ship) } else { None });
    let once = ships(|part| if let Part::AtMostOnce(ship) = part { Some(*ship) } else { None });
    let apart = core.parts.contains(&Part::Disjoint).then(|| "ships do not overlap".to_owned());
    let (hits, misses) = (squares(Square::Hit), squares(Square::Miss));
    let board = [listed("x at", &hits), listed("o at", &misses)].into_iter().flatten().join(", ");
    let kept = [
        laid.map(|names| format!("{names} placed")),
        once.map(|names| format!("{names} placed at most once")),
        apart,
    ];
    let reasons: Vec<String> =
        std::iter::once(board).filter(|text| !text.is_empty()).chain(kept.into_iter().flatten()).collect();
    let needed = if core.open == 0 { Needed::Each } else { Needed::Unknown };
    let kept = reasons.join("; ");
    let text = match (core.parts.len(), core.open) {
        (1, 0) => {
            let text = format!("No fleet fits. Even this alone cannot be satisfied: {kept}.");
            return vec![ShipsSentence::new(text, core.parts.clone(), Claim::None(Needed::Each))];
        }
        _ => format!("No fleet fits. These cannot all hold: {kept}."),
    };
    let mut lines = vec![ShipsSentence::new(text, core.parts.clone(), Claim::None(Needed::Unknown))];
    lines.extend(counting_argument(rules, instance, core));
    let text = match core.open {
        0 => "This set is minimal: drop any one square or rule and the rest can be satisfied.".to_owned(),
        1 => "Whether one of these is redundant was not decided within the limit.".to_owned(),
        n => format!("Whether {n} of these are redundant was not decided within the limit."),
    };
    lines.push(ShipsSentence::new(text, core.parts.clone(), Claim::None(needed)));
    lines
}

/// The counting argument, if counting squares refutes the parts.
fn counting_argument(rules: &Rules, instance: &Instance, core: &Core<Part>) -> Option<ShipsSentence> {
    let count = Count::of(rules, instance, &core.parts).filter(|count| !count.may_fit())?;
    let [black, white] = count.free;
    let text = match count.black.iter().join(" or ") {
        _ if count.needed > black + white => format!(
            "Counting shows it: these ships need {} squares, but only {} are available.",
            count.needed,
            black + white
        ),
        numbers if numbers.is_empty() => return None,
        numbers => format!(
            "Colour the board like a chessboard with r1c1 black. Of the {} squares of these ships, {numbers} are \
             black, but only {black} black and {white} white squares are available.",
            count.needed
        ),
    };
    Some(ShipsSentence::new(text, core.parts.clone(), Claim::Crowded(count)))
}
